package parity

var actionTools = []tool{
	{
		name: "click", command: "element.click", params: onElement(param{"uid", "target", ""}, param{"dblClick", "--count", ""}),
		show: func(r *rig) {
			r.html(`<button onclick="window.clicked = event.isTrusted" ondblclick="window.twice = event.isTrusted">Press</button>`)
			ref := r.ref("button", "Press")
			r.ok("element", "click", ref)
			r.holds("[window.clicked, window.twice].join()", "true,")
			r.ok("element", "click", ref, "--count", "2")
			r.holds("twice", "true")
		},
	},
	{
		name: "hover", command: "element.hover", params: onElement(param{"uid", "target", ""}),
		show: func(r *rig) {
			r.html(`<button onmouseenter="window.over = event.isTrusted">Over</button>`)
			r.ok("element", "hover", r.ref("button", "Over"))
			r.holds("[over, document.querySelector('button').matches(':hover')].join()", "true,true")
		},
	},
	{
		name: "drag", command: "element.drag", params: onElement(param{"from_uid", "target", ""}, param{"to_uid", "to", ""}),
		show: func(r *rig) {
			r.html(`<button draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'cargo')">Crate</button>
<p style="height:60px"></p><button ondragover="event.preventDefault()" ondrop="event.preventDefault(); window.dropped = event.dataTransfer.getData('text/plain')">Hold</button>`)
			r.ok("element", "drag", r.ref("button", "Crate"), r.ref("button", "Hold"))
			r.holds("window.dropped", "cargo")
		},
	},
	{
		name: "fill", command: "element.fill", params: onElement(param{"uid", "target", ""}, param{"value", "value", ""}),
		show: func(r *rig) {
			r.html(`<input id=t aria-label=Text value=old oninput="window.told = true"><input id=d type=date aria-label=Day><input id=c type=checkbox aria-label=Check>
<select id=s aria-label=Choice><option>One<option>Two</select>`)
			r.ok("element", "fill", r.ref("textbox", "Text"), "new")
			r.ok("element", "fill", r.ref("textbox", "Day"), "2026-12-24")
			r.ok("element", "fill", r.ref("checkbox", "Check"), "true")
			r.ok("element", "fill", r.ref("combobox", "Choice"), "Two")
			r.holds("[t.value, told, d.value, c.checked, s.value].join()", "new,true,2026-12-24,true,Two")
		},
	},
	{
		name: "fill_form", command: "element.fill-form", params: onElement(param{"elements", "values", ""}),
		show: func(r *rig) {
			r.html(`<input id=a aria-label=First><input id=b aria-label=Last><input id=c type=checkbox aria-label=Agree>`)
			r.ok("element", "fill-form", `[{"target":"`+r.ref("textbox", "First")+`","value":"Ada"},{"target":"`+r.ref("textbox", "Last")+`","value":"King"},{"target":"`+r.ref("checkbox", "Agree")+`","value":true}]`)
			r.holds("[a.value, b.value, c.checked].join()", "Ada,King,true")
		},
	},
	{
		name: "upload_file", command: "element.upload", params: onElement(param{"uid", "target", ""}, param{"filePaths", "files", ""}),
		show: func(r *rig) {
			one, two := r.file("one.txt", "first"), r.file("two.txt", "second")
			r.html(`<input id=f type=file multiple aria-label=Papers>`)
			r.ok("element", "upload", r.ref("button", "Papers"), one, two)
			r.holds("Promise.all([...f.files].map(async (file) => file.name + '=' + await file.text())).then(String)", "one.txt=first,two.txt=second")
		},
	},
	{
		name: "press_key", command: "input.key", params: onElement(param{"key", "key", ""}),
		show: func(r *rig) {
			r.html(`<input aria-label=Text value=word>`)
			r.eval(`addEventListener('keydown', (e) => { window.pressed = [e.key, e.ctrlKey, e.shiftKey, e.isTrusted].join() }); 1`)
			r.ok("element", "focus", `textbox "Text"`)
			r.ok("input", "key", "Control+Shift+K")
			r.holds("pressed", "K,true,true,true")
			r.ok("input", "key", "Control+A")
			r.ok("input", "key", "Backspace")
			r.holds("document.querySelector('input').value", "")
		},
	},
	{
		name: "type_text", command: "input.type", params: []param{{"pageId", "--page", ""}, {"text", "text", ""}, {"submitKey", "--submit-key", ""}},
		show: func(r *rig) {
			r.html(`<form onsubmit="event.preventDefault(); window.sent = this.q.value"><input name=q aria-label=Search></form>`)
			r.ok("element", "focus", `textbox "Search"`)
			r.ok("input", "type", "shoes and ships", "--submit-key", "Enter")
			r.holds("sent", "shoes and ships")
		},
	},
	{
		name: "handle_dialog", command: "dialog.handle",
		params: []param{{"pageId", "--page", ""}, {"action", "--accept", ""}, {"action", "--dismiss", ""}, {"promptText", "--text", ""}},
		show: func(r *rig) {
			r.html(`<button onclick="window.name1 = prompt('Name?', 'Bo')">Ask</button><button onclick="window.sure = confirm('Sure?')">Confirm</button>`)
			after, _ := r.ok("element", "click", `button "Ask"`)["after"].(map[string]any)
			if dialog, _ := after["dialog"].(map[string]any); dialog["message"] != "Name?" {
				r.t.Errorf("the click tells of no dialog: %v", after)
			}
			r.ok("dialog", "handle", "--accept", "--text", "Ada")
			r.holds("name1", "Ada")
			r.ok("element", "click", `button "Confirm"`)
			r.ok("dialog", "handle", "--dismiss")
			r.holds("sure", "false")
		},
	},
	{
		name: "evaluate_script", command: "runtime.eval",
		params: []param{{"pageId", "--page", ""}, {"function", "--function", ""}, {"sourcePath", "--source", ""}, {"format", "expression", ""}, {"args", "--arg", ""},
			{"filePath", "--file", ""}, {"dialogAction", "dialog handle --accept", ""}, {"waitForStableDom", "page wait-idle", ""},
			{"serviceWorkerId", "", "scripts run in pages; a worker is reached with cdp send --target"}},
		show: func(r *rig) {
			r.html(`<h1>Heading</h1><button>Hello there</button>`)
			if got := r.ok("runtime", "eval", "--function", "async (el, n) => el.textContent.slice(0, n)", "--arg", r.ref("button", "Hello there"), "--arg", "5"); got["value"] != "Hello" {
				r.t.Errorf("%v", got)
			}
			if got := r.ok("runtime", "eval", "--source", r.file("script.js", "const n = 6;\nn * 7")); got["value"] != 42.0 {
				r.t.Errorf("%v", got)
			}
			path, read := r.out("value.json")
			r.ok("runtime", "eval", "({list: [1, 2]})", "--file", path)
			if got := string(read()); got != `{"list":[1,2]}`+"\n" {
				r.t.Errorf("%s", got)
			}
			r.run("runtime", "eval", "window.answered = confirm('Go on?')", "--page", r.page)
			r.ok("dialog", "handle", "--accept")
			r.holds("answered", "true")
			r.eval("document.querySelector('h1').textContent = 'Changed'")
			r.ok("page", "wait-idle")
		},
	},
}
