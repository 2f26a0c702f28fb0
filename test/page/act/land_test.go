package act

import "testing"

// A settle that is sent ahead of the press waits in the page until all of it has landed,
// or until it is told that no more comes.
func TestSettleWaitsForThePress(t *testing.T) {
	page := withBridge(t, `<button id=b onmousedown="out.textContent+='d'" onclick="setTimeout(()=>{out.textContent+='c'})">Go</button><p id=out></p>`, "{}")
	settle := func() (mark string, point map[string]any) {
		found := must(t, page, "locate", "target:{id:'b'},guard:true")
		if found.Result["lands"] != true {
			t.Fatalf("locate: %v", found.Result)
		}
		mark = quoteNumber(found.Result["mark"])
		page.EvalIn(world, "window.told=undefined;act.run({type:'settle',sinceMark:"+mark+",keep:true,landing:2}).then(o=>{window.told=o});0", nil)
		return mark, found.Result["point"].(map[string]any)
	}
	press := func(point map[string]any, count int) {
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			page.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": point["x"], "y": point["y"], "button": "left", "clickCount": count}, nil)
		}
	}
	frames := func() bool {
		var early bool
		page.EvalIn(world, "new Promise(d=>requestAnimationFrame(()=>requestAnimationFrame(()=>d(window.told!==undefined))))", &early)
		return early
	}
	_, point := settle()
	if frames() {
		t.Error("told before the press")
	}
	press(point, 1)
	if frames() {
		t.Error("told after the first of two presses")
	}
	press(point, 2)
	page.Until(world, "window.told!==undefined")
	var told outcome
	page.EvalIn(world, "window.told", &told)
	var text string
	page.Eval("out.textContent", &text)
	if told.Effect != "changed" || text != "dcdc" {
		t.Errorf("told %+v, the page says %s", told, text)
	}

	mark, _ := settle()
	must(t, page, "landed", "mark:"+mark)
	page.Until(world, "window.told!==undefined")
	page.EvalIn(world, "window.told", &told)
	if told.Effect != "noop" {
		t.Errorf("nothing was pressed: %+v", told)
	}
}
