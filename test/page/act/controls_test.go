package act

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// controls is one page with every kind of control and a log of what it heard.
const controls = `<!doctype html><title>controls</title>
<style>body{font:14px sans-serif} .row{margin:6px} #box{width:100px;height:40px;overflow:auto} #tall{height:2000px}</style>
<form id=form onsubmit="event.preventDefault(); log.push('submit')">
<div class=row><button id=button type=button>Press</button> <button id=disabled type=button disabled>Off</button></div>
<div class=row><label>Name <input id=text value="ab"></label></div>
<div class=row><input id=empty placeholder=Empty> <input id=short maxlength=3> <input id=readonly readonly value=x></div>
<div class=row><input id=search type=search> <input id=url type=url> <input id=tel type=tel> <input id=email type=email value="a@"> <input id=number type=number value=4></div>
<div class=row><input id=password type=password></div>
<div class=row><input id=otp autocomplete=one-time-code></div>
<div class=row><textarea id=area>one</textarea></div>
<div class=row><input id=date type=date> <input id=time type=time> <input id=month type=month> <input id=week type=week> <input id=local type=datetime-local></div>
<div class=row><input id=color type=color value="#000000"> <input id=range type=range min=0 max=10 value=1></div>
<div class=row><label><input id=check type=checkbox> Check</label> <label><input id=hiddencheck type=checkbox style="opacity:0;position:absolute;width:1px;height:1px"> Drawn</label></div>
<div class=row><label><input id=r1 type=radio name=r checked> One</label> <label><input id=r2 type=radio name=r> Two</label></div>
<div class=row><select id=select><option value=a>Alpha</option><option value=b>Beta</option><option value=c disabled>Gamma</option></select>
 <select id=multi multiple><option value=1>First</option><option value=2>Second</option><option value=3>Third</option></select></div>
<div class=row><div id=edit contenteditable=true>old</div></div>
<div class=row><details id=details><summary id=summary>More</summary>inside</details></div>
<div class=row><div id=switch role=switch aria-checked=false tabindex=0 onclick="this.ariaChecked=this.ariaChecked==='true'?'false':'true'">Switch</div></div>
<div class=row><div id=combo role=combobox aria-controls=list tabindex=0 onclick="list.hidden=false">Pick</div>
 <ul id=list role=listbox hidden><li role=option onclick="combo.textContent='Red';list.hidden=true">Red</li><li role=option onclick="combo.textContent='Blue';list.hidden=true">Blue</li></ul></div>
<div class=row><a id=link href="#there">Link</a> <div id=hover onmouseenter="this.textContent='over'">Hover</div></div>
<div class=row><div id=box><div id=tall>tall</div></div></div>
</form>
<script>
window.log = [];
for (const type of ['pointerover','pointerenter','pointerdown','mousedown','focus','focusin','pointerup','mouseup','click','dblclick','auxclick','contextmenu','keydown','keypress','beforeinput','input','keyup','change'])
  document.addEventListener(type, (e) => { if (window.only && e.target.id !== window.only) return; window.log.push(type); }, true);
</script>`

func TestClickFiresWhatRealClickingFires(t *testing.T) {
	page := withBridge(t, controls, "{}")
	page.Eval("only='button'; log=[]", nil)
	out := must(t, page, "click", "target:{id:'button'}")
	want := "pointerover pointerenter pointerdown mousedown focus focusin pointerup mouseup click"
	if got := eventLog(page); got != want {
		t.Errorf("events\n got %s\nwant %s", got, want)
	}
	if out.Acted != 1 || out.Effect != "changed" {
		t.Errorf("acted %d effect %s", out.Acted, out.Effect)
	}
	page.Eval("log=[]", nil)
	must(t, page, "click", "target:{id:'button'},count:2")
	if got, want := eventLog(page), "pointerdown mousedown pointerup mouseup click pointerdown mousedown pointerup mouseup click dblclick"; got != want {
		t.Errorf("double click\n got %s\nwant %s", got, want)
	}
	page.Eval("log=[]", nil)
	must(t, page, "click", "target:{id:'button'},button:'right'")
	if got, want := eventLog(page), "pointerdown mousedown contextmenu pointerup mouseup auxclick"; got != want {
		t.Errorf("right click\n got %s\nwant %s", got, want)
	}
	page.Eval("log=[]; addEventListener('click', e => log.push([e.ctrlKey,e.shiftKey,e.altKey,e.metaKey,e.detail,e.clientX>0].join()), {once:true})", nil)
	must(t, page, "click", "target:{id:'button'},modifiers:['Control','Shift']")
	if got := eventLog(page); !strings.HasSuffix(got, "true,true,false,false,1,true") {
		t.Errorf("modifiers: %s", got)
	}
}

func TestClickDoesWhatClickingDoes(t *testing.T) {
	for _, c := range []struct{ target, check, effect string }{
		{"{id:'check'}", "check.checked", "changed"},
		{"{text:'Check'}", "check.checked", "changed"},
		{"{id:'hiddencheck'}", "hiddencheck.checked", "changed"},
		{"{id:'r2'}", "r2.checked && !r1.checked", "changed"},
		{"{id:'summary'}", "details.open", "changed"},
		{"{id:'link'}", "location.hash === '#there'", "navigated"},
		{"{id:'switch'}", "document.getElementById('switch').ariaChecked === 'true'", "changed"},
		{"{selector:'#text'}", "document.activeElement.id === 'text'", "changed"},
		{"{role:'button',name:'Press'}", "document.activeElement.id === 'button'", "changed"},
	} {
		t.Run(c.target, func(t *testing.T) {
			page := withBridge(t, controls, "{}")
			out := must(t, page, "click", "target:"+c.target)
			var ok bool
			page.Eval(c.check, &ok)
			if !ok || out.Effect != c.effect {
				t.Errorf("%s is %v, effect %s, want %s", c.check, ok, out.Effect, c.effect)
			}
		})
	}
}

func TestTypeIntoEveryControl(t *testing.T) {
	for _, c := range []struct{ id, text, clear, value, effect string }{
		{"text", "cd", "false", "abcd", "changed"},
		{"text", "cd", "true", "cd", "changed"},
		{"text", "", "true", "", "changed"},
		{"empty", "Ü漢😀x", "false", "Ü漢😀x", "changed"},
		{"short", "12345", "false", "123", "changed"},
		{"search", "find me", "false", "find me", "changed"},
		{"url", "http://x/", "false", "http://x/", "changed"},
		{"tel", "+1 2", "false", "+1 2", "changed"},
		{"email", "b.c", "false", "a@b.c", "changed"},
		{"email", "q@b.c", "true", "q@b.c", "changed"},
		{"number", "2", "false", "42", "changed"},
		{"number", "-7.5", "true", "-7.5", "changed"},
		{"area", "\ntwo", "false", "one\ntwo", "changed"},
		{"date", "2026-02-03", "false", "2026-02-03", "changed"},
		{"time", "12:34", "false", "12:34", "changed"},
		{"month", "2026-02", "false", "2026-02", "changed"},
		{"week", "2026-W05", "false", "2026-W05", "changed"},
		{"local", "2026-02-03T04:05", "false", "2026-02-03T04:05", "changed"},
		{"color", "#FF0080", "false", "#ff0080", "changed"},
		{"range", "7", "false", "7", "changed"},
		{"select", "Beta", "false", "b", "changed"},
		{"password", "hunter2!", "false", "hunter2!", "changed"},
		{"otp", "123456", "true", "123456", "changed"},
	} {
		t.Run(c.id+" "+c.text, func(t *testing.T) {
			page := withBridge(t, controls, "{}")
			out := must(t, page, "type", fmt.Sprintf("target:{id:%q},text:%s,clear:%s", c.id, quote(c.text), c.clear))
			var value string
			page.Eval("document.getElementById('"+c.id+"').value", &value)
			if value != c.value || out.Effect != c.effect {
				t.Errorf("value %q effect %s, want %q %s", value, out.Effect, c.value, c.effect)
			}
			text, _ := json.Marshal(out)
			if (c.id == "password" || c.id == "otp") && strings.Contains(string(text), c.text) {
				t.Errorf("the secret came back: %s", text)
			}
		})
	}
}

func TestTypeFiresKeysAndInput(t *testing.T) {
	page := withBridge(t, controls, "{}")
	page.Eval("only='empty'; log=[]", nil)
	must(t, page, "type", "target:{id:'empty'},text:'hi'")
	want := "focus focusin keydown keypress beforeinput input keyup keydown keypress beforeinput input keyup"
	if got := eventLog(page); got != want {
		t.Errorf("events\n got %s\nwant %s", got, want)
	}
	// Leaving the field fires change, as after real typing.
	page.Eval("log=[]; document.getElementById('empty').blur()", nil)
	if got := eventLog(page); got != "change" {
		t.Errorf("after blur: %q", got)
	}
	page.Eval("log=[]; document.getElementById('text').addEventListener('keydown', e => e.preventDefault())", nil)
	if out := do(t, page, "type", "target:{id:'text'},text:'zz'"); out.Code != "ACTION_NO_EFFECT" {
		t.Errorf("cancelled keys: %+v", out)
	}
}

func TestTypeEnterSubmits(t *testing.T) {
	page := withBridge(t, `<form onsubmit="event.preventDefault();window.sent=q.value"><input id=q><button>Go</button></form>`, "{}")
	must(t, page, "type", `target:{id:'q'},text:'hello\n'`)
	var sent string
	page.Eval("window.sent", &sent)
	if sent != "hello" {
		t.Errorf("submitted %q", sent)
	}
}

func TestTypeRefusals(t *testing.T) {
	page := withBridge(t, controls, "{}")
	for _, c := range []struct{ fields, code, check string }{
		{"target:{id:'readonly'},text:'a',waitMs:0", "TARGET_NOT_INTERACTABLE", "editable"},
		{"target:{id:'button'},text:'a',waitMs:0", "TARGET_NOT_INTERACTABLE", "editable"},
		{"target:{id:'date'},text:'tomorrow',waitMs:0", "VALIDATION_ERROR", "value"},
		{"target:{id:'range'},text:'lots',waitMs:0", "VALIDATION_ERROR", "value"},
		{"target:{id:'color'},text:'red-ish',waitMs:0", "VALIDATION_ERROR", "value"},
		{"target:{id:'none'},text:'a',waitMs:0", "ELEMENT_NOT_FOUND", ""},
		{"target:{id:'text'},waitMs:0", "VALIDATION_ERROR", ""},
	} {
		out := do(t, page, "type", c.fields)
		check, _ := out.Details["check"].(string)
		if out.Code != c.code || check != c.check || out.Acted != 0 {
			t.Errorf("%s: %+v, want %s %s", c.fields, out, c.code, c.check)
		}
	}
	if out := do(t, page, "click", "target:{id:'disabled'},waitMs:0"); out.Code != "TARGET_NOT_INTERACTABLE" {
		t.Errorf("disabled: %+v", out)
	}
}

func TestContenteditable(t *testing.T) {
	page := withBridge(t, controls, "{}")
	page.Eval("only='edit'; log=[]", nil)
	must(t, page, "type", "target:{id:'edit'},text:' new'")
	var text string
	page.Eval("edit.innerText.replace(/\\u00a0/g,' ')", &text)
	if text != "old new" {
		t.Errorf("append: %q", text)
	}
	if got := eventLog(page); !strings.Contains(got, "beforeinput input") || !strings.Contains(got, "keydown") {
		t.Errorf("events: %s", got)
	}
	must(t, page, "type", `target:{id:'edit'},text:'a\nb',clear:true`)
	page.Eval("edit.innerText.trim()", &text)
	if strings.Join(strings.Fields(text), " ") != "a b" || !strings.Contains(text, "\n") {
		t.Errorf("clear with a line break: %q", text)
	}
}

func TestSelect(t *testing.T) {
	page := withBridge(t, controls, "{}")
	for _, c := range []struct{ fields, check string }{
		{"target:{id:'select'},value:'b'", "document.getElementById('select').value==='b'"},
		{"target:{id:'select'},value:'Alpha'", "document.getElementById('select').value==='a'"},
		{"target:{id:'multi'},values:['1','Third']", "[...multi.selectedOptions].map(o=>o.value).join()==='1,3'"},
		{"target:{id:'multi'},values:['Second']", "[...multi.selectedOptions].map(o=>o.value).join()==='2'"},
		{"target:{id:'check'},value:'true'", "check.checked"},
		{"target:{id:'check'},value:'false'", "!check.checked"},
		{"target:{id:'r2'},value:'true'", "r2.checked"},
		{"target:{id:'switch'},value:'true'", "document.getElementById('switch').ariaChecked==='true'"},
		{"target:{id:'combo'},value:'Blue'", "combo.textContent==='Blue'"},
	} {
		must(t, page, "select", c.fields)
		var ok bool
		page.Eval(c.check, &ok)
		if !ok {
			t.Errorf("%s: not %s", c.fields, c.check)
		}
	}
	page.Eval("only='select'; log=[]", nil)
	must(t, page, "select", "target:{id:'select'},value:'b'")
	if got := eventLog(page); got != "focus focusin input change" {
		t.Errorf("events: %s", got)
	}
	if out := must(t, page, "select", "target:{id:'check'},value:'false'"); out.Effect != "noop" {
		t.Errorf("set to what it is: %+v", out)
	}
	for _, c := range []struct{ fields, code string }{
		{"target:{id:'select'},value:'Delta'", "ELEMENT_NOT_FOUND"},
		{"target:{id:'select'},value:'Gamma'", "TARGET_NOT_INTERACTABLE"},
		{"target:{id:'select'},values:['a','b']", "VALIDATION_ERROR"},
		{"target:{id:'r2'},value:'false'", "VALIDATION_ERROR"},
		{"target:{id:'check'},value:'maybe'", "VALIDATION_ERROR"},
	} {
		if out := do(t, page, "select", c.fields); out.Code != c.code {
			t.Errorf("%s: %+v, want %s", c.fields, out, c.code)
		}
	}
}

func TestHoverFocusScroll(t *testing.T) {
	page := withBridge(t, controls+"<div style='height:3000px'></div><p id=end>end</p>", "{}")
	must(t, page, "hover", "target:{selector:'#hover'}")
	var ok bool
	page.Eval("hover.textContent==='over'", &ok)
	if !ok {
		t.Error("mouseenter was not heard")
	}
	if out := must(t, page, "focus", "target:{id:'text'}"); out.Effect != "changed" {
		t.Errorf("focus: %+v", out)
	}
	page.Eval("document.activeElement.id==='text'", &ok)
	if !ok {
		t.Error("not focused")
	}
	if out := must(t, page, "focus", "target:{id:'text'}"); out.Effect != "noop" {
		t.Errorf("focused already: %+v", out)
	}
	for _, c := range []struct{ fields, check, effect string }{
		{"y:120", "scrollY===120", "changed"},
		{"y:-20", "scrollY===100", "changed"},
		{"to:'bottom'", "Math.abs(scrollY-(document.scrollingElement.scrollHeight-innerHeight))<2", "changed"},
		{"to:'bottom'", "true", "noop"},
		{"to:'top'", "scrollY===0", "changed"},
		{"target:{id:'tall'},y:50", "box.scrollTop===50", "changed"},
		{"target:{id:'end'},to:'intoView'", "end.getBoundingClientRect().bottom<=innerHeight", "changed"},
	} {
		out := must(t, page, "scroll", c.fields)
		page.Eval(c.check, &ok)
		if !ok || out.Effect != c.effect {
			t.Errorf("%s: %s is %v, effect %s want %s", c.fields, c.check, ok, out.Effect, c.effect)
		}
	}
	if out := do(t, page, "scroll", ""); out.Code != "VALIDATION_ERROR" {
		t.Errorf("nothing said: %+v", out)
	}
}

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// Results and faults carry page text: it is well-formed whatever the page does.
func TestLoneSurrogatesInResults(t *testing.T) {
	page := withBridge(t, "<input id=in><button></button><button></button><script>document.querySelectorAll('button').forEach(b => { b.textContent = 'odd \\ud800' })</script>", "{}")
	page.Eval(`document.getElementById('in').value = '\ud800'; 0`, nil)
	var fine bool
	page.EvalIn(world, `(async () => {
		const typed = await act.run({type: 'type', target: {id: 'in'}, text: 'x'});
		const fault = await act.run({type: 'click', target: {selector: 'button'}, waitMs: 0});
		const tree = await act.run({type: 'request_ui_tree'});
		const text = JSON.stringify([typed, fault, tree]);
		return typed.ok && fault.code === 'TARGET_AMBIGUOUS' && tree.ok && !/\\ud[89a-f]/.test(text);
	})()`, &fine)
	if !fine {
		t.Error("a lone surrogate is left")
	}
}

func quoteNumber(value any) string { return fmt.Sprint(value) }
