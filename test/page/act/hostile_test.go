package act

import (
	"encoding/json"
	"strings"
	"testing"
)

// hostile replaces what the bridge could lean on, before anything of ours runs.
const hostile = `<script>
(() => {
	const lie = () => { window.lied = (window.lied ?? 0) + 1; throw new Error('hostile'); };
	JSON.stringify = () => '"lie"'; JSON.parse = () => ({lie: 1});
	for (const name of ['map','filter','push','join','slice','forEach','indexOf','includes','concat','splice']) Array.prototype[name] = lie;
	for (const name of ['slice','split','replace','replaceAll','indexOf','toString','toWellFormed','trim']) String.prototype[name] = () => 'lie';
	for (const name of ['get','set','then','toJSON','type','detail','bubbles','cancelable','apply','value','next','message'])
		Object.defineProperty(Object.prototype, name, {configurable: true, get() { return undefined }, set() {}});
	Object.keys = lie; Object.entries = lie; Object.getOwnPropertyNames = lie; Object.assign = lie;
	Array.from = lie; Promise.prototype.then = lie; Promise.resolve = lie;
	window.MutationObserver = function () { lie() }; window.WebSocket = lie;
	Element.prototype.getBoundingClientRect = () => new DOMRect(0, 0, 0, 0);
	Element.prototype.getAttribute = () => 'lie'; Element.prototype.click = lie; Element.prototype.closest = lie;
	HTMLElement.prototype.focus = lie;
	Document.prototype.querySelector = Document.prototype.querySelectorAll = Document.prototype.getElementById = Document.prototype.elementFromPoint = () => null;
	Document.prototype.execCommand = lie;
	Object.defineProperty(HTMLInputElement.prototype, 'value', {configurable: true, get: () => 'lie', set() {}});
	Object.defineProperty(Element.prototype, 'outerHTML', {configurable: true, get: () => 'lie'});
	window.getComputedStyle = () => ({display: 'none'}); window.requestAnimationFrame = lie; window.setTimeout = lie; window.MessageChannel = lie;
	Error.prepareStackTrace = () => 'lie';
})();
</script>`

func TestHostilePageEqualsCleanPage(t *testing.T) {
	body := `<form><label>Mail <input id=mail value=me></label><button id=go type=button>Go</button><input type=password value=s3cret></form>
<script>document.addEventListener('click', () => { window.clicks = (window.clicks ?? 0) + 1 }, true)</script>`
	type seen struct {
		tree, html, lines, value string
		clicks                   int
	}
	look := func(html string, early bool) seen {
		s := serve(t, map[string]pageSpec{"/": {html: html}})
		page := browser.Open(t)
		if early {
			page.Call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": mainworld}, nil)
		}
		page.Load(s.URL + "/")
		page.World(world, driver)
		page.EvalIn(world, "act.make({telemetry:['console','errors','ui_tree','dom_mutations','dom_snapshot']})", nil)
		if !early {
			inject(page)
		}
		must(t, page, "type", "target:{role:'textbox',name:'Mail'},text:'you',clear:true")
		must(t, page, "click", "target:{role:'button',name:'Go'}")
		page.Eval("console.warn('true words', 42, {a: [1, 'b']}); 0", nil)
		var out seen
		page.EvalIn(world, `document.getElementById('mail').value`, &out.value)
		page.Eval("window.clicks", &out.clicks)
		tree := must(t, page, "request_ui_tree", "")
		items, err := json.Marshal(tree.Result["items"])
		if err != nil {
			t.Fatal(err)
		}
		out.tree = string(items)
		snapshot := must(t, page, "request_dom_snapshot", "")
		// The scripts of the two pages differ by intent.
		_, out.html, _ = strings.Cut(snapshot.Result["html"].(string), "<form>")
		for _, line := range messages(page, "console") {
			out.lines += line.Level + " " + strings.Join(line.Args, " ") + "\n"
		}
		return out
	}
	clean := look("<!doctype html><body>"+body, true)
	if clean.clicks != 1 || clean.value != "you" || !strings.Contains(clean.lines, "warn true words 42 {a: [1, \"b\"]}") {
		t.Fatalf("clean page: %+v", clean)
	}
	if got := look("<!doctype html><body>"+hostile+body, true); got != clean {
		t.Errorf("hostile page, hook first:\n got %+v\nwant %+v", got, clean)
	}
	// Injected after the page: nothing of the bridge breaks, and the hook does not either.
	got := look("<!doctype html><body>"+hostile+body, false)
	got.lines, clean.lines = "", ""
	if got != clean {
		t.Errorf("hostile page, hook after it:\n got %+v\nwant %+v", got, clean)
	}
}

func TestStrictPolicyIsNotViolated(t *testing.T) {
	html := `<!doctype html><title>strict</title><button id=go>Go</button><input id=mail><div id=edit contenteditable>x</div><select id=s><option>a</option><option>b</option></select><div style="height:3000px"></div>`
	s := serve(t, map[string]pageSpec{"/": {html: html, headers: map[string]string{
		"Content-Security-Policy": "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /report",
	}}})
	page := browser.Open(t)
	page.Call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": mainworld + `
		;document.addEventListener('securitypolicyviolation', (e) => { (window.violations ??= []).push(e.violatedDirective + ' ' + e.sourceFile) });`}, nil)
	page.Load(s.URL + "/")
	page.World(world, driver)
	var before []string
	// The style attribute of the page itself is a violation; ours start here.
	page.Eval("(window.violations ?? []).splice(0)", &before)
	page.EvalIn(world, "act.make({telemetry:['console','errors','ui_tree','dom_mutations','dom_snapshot','state'],getCustomState:()=>({a:1})})", nil)
	for _, c := range [][2]string{
		{"click", "target:{id:'go'}"}, {"type", "target:{id:'mail'},text:'a'"}, {"type", "target:{id:'edit'},text:'b'"}, {"type", "target:{id:'edit'},text:'c',clear:true"},
		{"select", "target:{id:'s'},value:'b'"}, {"hover", "target:{id:'go'}"}, {"focus", "target:{id:'mail'}"}, {"scroll", "to:'bottom'"},
		{"request_ui_tree", ""}, {"request_dom_snapshot", ""}, {"request_state", ""}, {"frame_info", ""},
	} {
		must(t, page, c[0], c[1])
	}
	page.Eval("console.log('x')", nil)
	if got := messages(page, "console"); len(got) != 1 {
		t.Errorf("console under the policy: %+v", got)
	}
	page.EvalIn(world, "act.bridge.dispose()", nil)
	var violations []string
	page.Eval("window.violations ?? []", &violations)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, report := range s.reports {
		if !strings.Contains(report, "style-src") {
			violations = append(violations, report)
		}
	}
	if len(violations) != 0 {
		t.Errorf("violations: %v", violations)
	}
}

func TestStormIsCollapsed(t *testing.T) {
	page := withBridge(t, "<!doctype html><button id=b>x</button><div id=root></div>", "{telemetry:['dom_mutations','ui_tree']}")
	page.Eval(`window.stop = false; (function storm() {
		if (stop) return;
		for (let i = 0; i < 1000; i++) { const p = document.createElement('p'); p.textContent = i; root.append(p); }
		while (root.childElementCount > 2000) root.firstChild.remove();
		root.setAttribute('data-flap', Math.random());
		requestAnimationFrame(storm);
	})(); 0`, nil)
	page.Until(world, "act.messages('dom_mutations').length >= 8")
	// Commands still work meanwhile.
	must(t, page, "click", "target:{id:'b'}")
	page.Eval("stop = true", nil)
	got := messages(page, "dom_mutations")
	dropped := 0
	for _, batch := range got {
		if len(batch.Mutations) > 500 {
			t.Errorf("a batch of %d records", len(batch.Mutations))
		}
		dropped += batch.Dropped
	}
	if dropped == 0 {
		t.Error("nothing was said to be left out")
	}
	var span float64
	page.EvalIn(world, "(() => { const at = act.batches.filter(b => b.messages.some(m => m.type === 'ui_tree_diff')).map(b => b.at); return at.length < 2 ? 1e9 : (at.at(-1) - at[0]) / (at.length - 1) })()", &span)
	if span < 450 {
		t.Errorf("a diff every %.0f ms, at most 2 a second are allowed", span)
	}
}

func TestDocumentOpen(t *testing.T) {
	page := hooked(t, "<p>old</p>", "{telemetry:['console','errors','ui_tree','dom_mutations']}")
	page.Eval("document.open(); document.write('<button id=n>new</button>'); document.close(); 0", nil)
	page.Eval("console.log('after'); setTimeout(() => { throw new Error('thrown after') }); 0", nil)
	page.Until(world, "act.messages('error').length === 1")
	if got := messages(page, "console"); len(got) != 1 {
		t.Errorf("console after document.open: %+v", got)
	}
	must(t, page, "click", "target:{id:'n'}")
	page.Until(world, "act.messages('ui_tree_diff').some(m => m.added.some(i => i.stableId === 'n'))")
}
