package act

import "testing"

// tracked emulates what React does with a controlled input: it puts its own value
// property on the node, remembers what went through it, takes an input event as a
// change only when the node's value differs from what it remembers, and sets the
// node back to its state afterwards.
const tracked = `<!doctype html><input id=name><input id=locked><input id=box type=checkbox><p id=out></p><script>
function track(node, key) {
  const own = Object.getOwnPropertyDescriptor(node.constructor.prototype, key);
  let known = '' + node[key];
  Object.defineProperty(node, key, { configurable: true, get() { return own.get.call(this); }, set(v) { known = '' + v; own.set.call(this, v); } });
  return { changed() { const now = '' + own.get.call(node); if (now === known) return false; known = now; return true; } };
}
function controlled(node, key, accept) {
  const tracker = track(node, key);
  let state = node[key];
  window.changes ??= {};
  window.changes[node.id] = 0;
  for (const type of ['input', 'click', 'change']) document.addEventListener(type, (event) => {
    if (event.target !== node || !tracker.changed()) return;
    window.changes[node.id]++;
    state = accept(node[key]);
    queueMicrotask(() => { if (node[key] !== state) node[key] = state; out.textContent = JSON.stringify(state); });
  });
}
const byId = (id) => document.getElementById(id);
controlled(byId('name'), 'value', (v) => v.toUpperCase());
controlled(byId('locked'), 'value', () => '');
controlled(byId('box'), 'checked', (v) => v);
</script>`

func TestReactControlledInput(t *testing.T) {
	html := tracked
	page := withBridge(t, html, "{}")
	out := must(t, page, "type", "target:{id:'name'},text:'abc'")
	if out.Result["value"] != "ABC" {
		t.Errorf("the page's own form of the value: %v", out.Result)
	}
	var seen struct{ Value, Out string }
	page.Eval("({Value: document.getElementById('name').value, Out: out.textContent})", &seen)
	if seen.Value != "ABC" || seen.Out != `"ABC"` {
		t.Errorf("state did not follow: %+v", seen)
	}
	if out := do(t, page, "type", "target:{id:'locked'},text:'abc'"); out.Code != "ACTION_NO_EFFECT" {
		t.Errorf("a field that is set back: %+v", out)
	}
	must(t, page, "click", "target:{id:'box'}")
	var changes int
	page.Eval("changes.box", &changes)
	if changes != 1 {
		t.Errorf("checkbox changed %d times", changes)
	}
}

// A background tab has no focus and draws no frames.
func TestActingInABackgroundTab(t *testing.T) {
	page := withBridge(t, controls, "{telemetry:['ui_tree','dom_mutations']}")
	other := browser.Open(t)
	other.Call("Page.bringToFront", nil, nil)
	var hidden bool
	page.Eval("document.hidden || !document.hasFocus()", &hidden)
	if !hidden {
		t.Skip("this Chromium keeps every tab in front")
	}
	page.Eval("only='text'; log=[]", nil)
	out := must(t, page, "type", "target:{id:'text'},text:'cd'")
	if out.Result["value"] != "abcd" {
		t.Errorf("typed in the background: %v", out.Result)
	}
	if got := eventLog(page); got != "focus focusin keydown keypress beforeinput input keyup keydown keypress beforeinput input keyup" {
		t.Errorf("events: %s", got)
	}
	must(t, page, "click", "target:{id:'check'}")
	must(t, page, "type", "target:{id:'edit'},text:'x',clear:true")
	var ok bool
	page.Eval("check.checked && edit.textContent==='x'", &ok)
	if !ok {
		t.Error("click or contenteditable did nothing in the background")
	}
}

func TestElementThatMovesAwayWhilePressed(t *testing.T) {
	page := withBridge(t, `<div id=outer style="width:200px;height:50px" onclick="window.got=(window.got??0)+1"><button id=b>Go</button></div>
<script>b.addEventListener('mousedown',()=>{b.remove()})</script>`, "{}")
	must(t, page, "click", "target:{id:'b'}")
	var got int
	page.Eval("window.got ?? 0", &got)
	if got != 1 {
		t.Errorf("the ancestor that is left heard %d clicks, want 1", got)
	}
}

func TestWaitsUntilReady(t *testing.T) {
	page := withBridge(t, `<button id=b disabled onclick="window.got=1">Go</button>
<script>setTimeout(()=>{b.disabled=false},300); setTimeout(()=>{const c=document.createElement('button');c.id='late';c.textContent='Late';c.onclick=()=>{window.late=1};document.body.append(c)},700)</script>`, "{}")
	must(t, page, "click", "target:{id:'b'}")
	must(t, page, "click", "target:{id:'late'}")
	var ok bool
	page.Eval("window.got===1 && window.late===1", &ok)
	if !ok {
		t.Error("not clicked")
	}
}

func TestLocateAndSettle(t *testing.T) {
	page := withBridge(t, controls, "{}")
	found := must(t, page, "locate", "target:{id:'text'},forAction:'type',prepare:'clear'")
	if found.Result["control"] != "text" || found.Result["role"] != "textbox" || found.Result["name"] != "Name" || found.Result["ref"] == "" {
		t.Errorf("locate: %v", found.Result)
	}
	page.Call("Input.insertText", map[string]any{"text": "trusted"}, nil)
	out := must(t, page, "settle", "sinceMark:"+quoteNumber(found.Result["mark"]))
	if out.Effect != "changed" || out.Result["value"] != "trusted" {
		t.Errorf("settle: %+v", out)
	}
	found = must(t, page, "locate", "target:{id:'button'}")
	point := found.Result["point"].(map[string]any)
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		page.Call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": point["x"], "y": point["y"], "button": "left", "clickCount": 1}, nil)
	}
	out = must(t, page, "settle", "sinceMark:"+quoteNumber(found.Result["mark"]))
	if out.Effect != "changed" {
		t.Errorf("settle after a trusted click: %+v", out)
	}
	if got := eventLog(page); got == "" {
		t.Error("the trusted click was not heard")
	}
	if out := must(t, page, "settle", "sinceMark:12345"); out.Effect != "unknown" {
		t.Errorf("a mark nobody made: %+v", out)
	}
}
