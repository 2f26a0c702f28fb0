package act

import "testing"

// Keys, mouse and drags without a debugger.
func TestSyntheticInput(t *testing.T) {
	page := withBridge(t, `<form onsubmit="return log.push('submit'),false"><input id=a><input id=b type=number value=4><button id=go>Go</button></form>
		<select id=s><option>x<option>y</select><input type=radio name=r id=r1><input type=radio name=r id=r2><textarea id=t></textarea>
		<dialog id=d>modal</dialog><div id=drag draggable=true>drag</div><div id=drop style="height:40px">drop</div><script>var log=[];
		go.onclick=()=>log.push('go');drag.ondragstart=e=>e.dataTransfer.setData('text/plain','it');drop.ondragover=e=>e.preventDefault();
		drop.ondrop=e=>log.push('drop '+e.dataTransfer.getData('text/plain'));drag.ondragend=()=>log.push('end');</script>`, "{level:'act'}")
	key := func(key string, more string) string {
		return "key:" + quote(key) + ",code:" + quote(key) + more
	}
	for _, c := range []struct{ before, kind, fields, check string }{
		{"a.focus()", "press", "typed:'hello'", "a.value==='hello'"},
		{"a.focus()", "press", key("Backspace", ""), "a.value==='hell'"},
		{"a.focus()", "press", key("a", ",modifiers:['Control']"), "getSelection().toString()==='hell'"},
		{"a.focus()", "press", key("Delete", ""), "a.value===''"},
		{"a.focus()", "press", key("z", ",text:'z',repeat:3"), "a.value==='zzz'"},
		{"a.focus()", "press", key("Enter", ",text:'\\r'"), "log.splice(0).join()==='go,submit'"},
		{"a.focus()", "press", key("Tab", ""), "document.activeElement===b"},
		{"b.focus()", "press", key("ArrowUp", ""), "b.value==='5'"},
		{"b.focus()", "press", key("Tab", ",modifiers:['Shift']"), "document.activeElement===a"},
		{"go.focus()", "press", key(" ", ",text:' '"), "log.splice(0).join()==='go,submit'"},
		{"s.focus()", "press", key("ArrowDown", ""), "s.value==='y'"},
		{"r1.focus()", "press", key("ArrowDown", ""), "r2.checked"},
		{"t.focus()", "press", "typed:'one\\ntwo'", "t.value==='one\\ntwo'"},
		{"d.showModal()", "press", key("Escape", ""), "!d.open"},
		{"0", "drag", "target:{id:'drag'},to:{id:'drop'}", "log.splice(0).join()==='drop it,end'"},
	} {
		page.Eval(c.before, nil)
		must(t, page, c.kind, c.fields)
		var ok bool
		page.Eval(c.check, &ok)
		if !ok {
			var got string
			page.Eval("log.join()+' '+a.value+' '+document.activeElement.id", &got)
			t.Errorf("%s {%s}: not %s: %s", c.kind, c.fields, c.check, got)
		}
	}
	var at struct{ X, Y float64 }
	page.Eval("(b=>({X:b.x+4,Y:b.y+4}))(go.getBoundingClientRect())", &at)
	out := must(t, page, "mouse", "do:'click',x:"+quoteNumber(at.X)+",y:"+quoteNumber(at.Y))
	var ok bool
	if page.Eval("log.join()==='go,submit'", &ok); !ok {
		t.Errorf("mouse: %+v", out)
	}
}
