package act

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSnapshotWithoutSecrets(t *testing.T) {
	page := withBridge(t, `<!doctype html><html lang=en><head><title>a &amp; b</title><style>p > a {}</style></head><body>
<input type=password value="s3cret-1"><input autocomplete=one-time-code value="s3cret-2"><input autocomplete="cc-number" value="s3cret-3"><textarea autocomplete=cc-csc>s3cret-4</textarea>
<input type=text value="plain &quot;text&quot;"><p title="&lt;x>">1 &lt; 2 &amp; 3&nbsp;4</p><br><template><b>in</b></template>
<div id=host></div><svg viewBox="0 0 1 1"><linearGradient id=g></linearGradient></svg>
<script>host.attachShadow({mode:'open'}).innerHTML='<i>shadow</i><slot></slot>'; document.querySelector('[type=password]').type='text'</script></body></html>`, "{telemetry:['dom_snapshot']}")
	got := must(t, page, "request_dom_snapshot", "").Result
	html := got["html"].(string)
	// The field was a password before the bridge saw it: its name says nothing, so only what is marked is masked.
	for _, secret := range []string{"s3cret-2", "s3cret-3", "s3cret-4"} {
		if strings.Contains(html, secret) {
			t.Errorf("%s is in the snapshot", secret)
		}
	}
	for _, want := range []string{
		`<html lang="en"><head><title>a &amp; b</title><style>p > a {}</style>`, `«redacted:one-time-code»`, `«redacted:card»`,
		`value="plain &quot;text&quot;"`, `<p title="&lt;x&gt;">1 &lt; 2 &amp; 3&nbsp;4</p><br><template><b>in</b></template>`,
		`<div id="host"><template shadowrootmode="open"><i>shadow</i><slot></slot></template></div>`, `<linearGradient id="g"></linearGradient>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("not in the snapshot: %s\n%s", want, html)
		}
	}
	if int(got["bytes"].(float64)) != len(html) || got["truncated"] != false {
		t.Errorf("bytes %v of %d, truncated %v", got["bytes"], len(html), got["truncated"])
	}
	first := messages(page, "dom_snapshot")
	if len(first) != 1 || first[0].HTML != html {
		t.Errorf("%d snapshots at start", len(first))
	}
	// Apart from masks and shadow roots it is outerHTML.
	page = withBridge(t, controls, "{}")
	var same bool
	page.EvalIn(world, "act.run({type:'request_dom_snapshot'}).then(r => r.result.html === document.documentElement.outerHTML)", &same)
	if !same {
		t.Error("the snapshot of a page without secrets differs from outerHTML")
	}
}

func TestSnapshotIsBounded(t *testing.T) {
	page := withBridge(t, "<!doctype html><body><script>const s='é'.repeat(100); for (let i=0;i<15000;i++){const p=document.createElement('p');p.textContent=s;document.body.append(p)} let d=document.createElement('div');d.style.display='none';document.body.append(d); for(let i=0;i<4000;i++){const e=document.createElement('div');d.append(e);d=e}</script>", "{}")
	var got struct {
		Bytes, Kept, Whole int
		Truncated, Valid   bool
	}
	page.EvalIn(world, `act.run({type:'request_dom_snapshot'}).then(({result: r}) => ({Bytes: r.bytes, Truncated: r.truncated,
		Kept: new TextEncoder().encode(r.html).length, Whole: new TextEncoder().encode(document.documentElement.outerHTML).length, Valid: !r.html.includes('\ufffd')}))`, &got)
	if got.Bytes != got.Whole || !got.Truncated || got.Kept > 2<<20 || got.Kept < 2<<20-4 || !got.Valid {
		t.Errorf("%+v", got)
	}
}

func TestMutations(t *testing.T) {
	page := withBridge(t, `<!doctype html><div id=root><p class=a>one</p><input id=pw type=password><my-box></my-box></div>
<script>customElements.define('my-box', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML='<p id=in>x</p>' } })</script>`, "{telemetry:['dom_mutations','ui_tree']}")
	page.Eval(`
		const p = document.querySelector('p');
		p.setAttribute('title', 'hi');
		p.firstChild.data = 'two';
		const b = document.createElement('b'); b.textContent = 'x'.repeat(5000); root.append(b, 'tail');
		p.remove();
		pw.setAttribute('value', 's3cret');
		const w = document.createElement('input'); w.type = 'password'; w.setAttribute('value', 's3cret'); root.append(w);
		document.querySelector('my-box').shadowRoot.getElementById('in').textContent = 'inner';
		document.body.setAttribute('data-odd', '\ud800');
		0`, nil)
	got := messages(page, "dom_mutations")
	if len(got) != 1 {
		t.Fatalf("%d batches, want 1", len(got))
	}
	text, err := json.Marshal(got[0])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "s3cret") || !utf8.Valid(text) {
		t.Errorf("secret or bad text: %s", text)
	}
	var lines []string
	for _, m := range got[0].Mutations {
		line := m.MutationType + " " + m.TargetSelector + " " + m.AttributeName
		if m.TextContent != nil {
			line += " =" + *m.TextContent
		}
		for _, node := range m.AddedNodes {
			if len(node) > 510 {
				t.Errorf("an added node of %d bytes", len(node))
			}
			line += " +" + node[:min(len(node), 20)]
		}
		for _, node := range m.RemovedNodes {
			line += " -" + node
		}
		lines = append(lines, line)
	}
	want := []string{
		"attributes p:nth-of-type(1) title =hi", // it is out of the document when it is told
		"characterData p:nth-of-type(1)  =two",
		"childList #root  +<b>xxxxxxxxxxxxxxxxx +tail",
		`childList #root  -<p class="a" title="hi">two</p>`,
		"attributes #pw value =«redacted:password»",
		`childList #root  +<input type="passwor`,
		"childList #root > my-box:nth-of-type(1) >>> #in  +inner -x",
		"attributes html > body data-odd =\ufffd",
	}
	for _, line := range want {
		found := false
		for _, have := range lines {
			found = found || have == line || strings.ReplaceAll(have, "p:nth-of-type(1)", "p") == strings.ReplaceAll(line, "p:nth-of-type(1)", "p")
		}
		if !found {
			t.Errorf("missing %q in\n%s", line, strings.Join(lines, "\n"))
		}
	}
}

func TestStateUpdates(t *testing.T) {
	page := open(t, "<p>x</p>")
	page.EvalIn(world, `globalThis.cart = {items: 1, 'user': {__proto__: null, name: 'a'}, odd: [1n, () => 1, NaN, new Map([['k', 1]])]};
		cart.self = cart; Object.defineProperty(cart, '__proto__', {value: {polluted: 1}, enumerable: true, configurable: true});
		act.make({telemetry:['state'], getCustomState: () => ({cart, route: '/x'})})`, nil)
	got := messages(page, "state_update")
	if len(got) != 2 || got[0].Scope != "cart" || got[1].Scope != "route" {
		t.Fatalf("at start: %+v", got)
	}
	if want := `{"items":1,"user":{"name":"a"},"odd":["1n",null,"NaN",[["k",1]]],"self":"[Circular]","__proto__":{"polluted":1}}`; string(got[0].State) != want {
		t.Errorf("state\n got %s\nwant %s", got[0].State, want)
	}
	page.EvalIn(world, "cart.items = 2", nil)
	page.Until(world, "act.messages('state_update').length === 3")
	page.EvalIn(world, "act.bridge.sendState('live', {n: 1})", nil)
	out := must(t, page, "request_state", "")
	if states := out.Result["states"].([]any); len(states) != 3 {
		t.Errorf("request_state: %v", states)
	}
	out = must(t, page, "request_state", "scope:'route'")
	if states := out.Result["states"].([]any); len(states) != 1 || states[0].(map[string]any)["state"] != "/x" {
		t.Errorf("one scope: %v", out.Result)
	}
	var polluted bool
	page.EvalIn(world, "'polluted' in {}", &polluted)
	if polluted {
		t.Error("our objects were polluted")
	}
}

func TestRedactedWords(t *testing.T) {
	page := hooked(t, "<button>the s3same word</button>", "{telemetry:['console','ui_tree'],redact:['s3same']}")
	page.Eval("console.log('say s3same now')", nil)
	lines := messages(page, "console")
	tree := must(t, page, "request_ui_tree", "")
	text, err := json.Marshal([]any{lines, messages(page, "ui_tree"), tree})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "s3same") || !strings.Contains(string(text), "«redacted»") {
		t.Errorf("%s", text)
	}
}

func TestTelemetryKindsAndLevels(t *testing.T) {
	page := hooked(t, "<button id=b>x</button>", "{telemetry:[],level:'observe'}")
	page.Eval("console.log('x'); b.textContent='y'; setTimeout(() => nowhere()); 0", nil)
	page.EvalIn(world, "new Promise(r => setTimeout(r, 150))", nil)
	if got := messages(page, ""); len(got) != 0 {
		t.Errorf("all off: %+v", got)
	}
	if out := do(t, page, "click", "target:{id:'b'}"); out.Code != "CAPABILITY_MISSING" || out.Details["level"] != "act" {
		t.Errorf("click at observe: %+v", out)
	}
	if out := do(t, page, "evaluate", "code:'1'"); out.Code != "EVAL_DISABLED" {
		t.Errorf("evaluate: %+v", out)
	}
	if out := do(t, page, "dance", ""); out.Code != "UNKNOWN_TYPE" {
		t.Errorf("unknown: %+v", out)
	}
	must(t, page, "request_ui_tree", "")
	page.EvalIn(world, "act.bridge.configure({level:'act',telemetry:new Set(['console','ui_tree'])})", nil)
	must(t, page, "click", "target:{id:'b'}")
	page.Eval("console.log('now')", nil)
	if got := messages(page, "console"); len(got) != 1 || got[0].Args[0] != "now" {
		t.Errorf("console on: %+v", got)
	}
	if got := messages(page, "ui_tree"); len(got) != 1 || len(got[0].Items) != 1 {
		t.Errorf("ui_tree on: %+v", got)
	}
}

func TestUITreeAndDiffs(t *testing.T) {
	page := withBridge(t, "<button id=b>one</button>", "{telemetry:['ui_tree']}")
	page.Until(world, "act.messages('ui_tree').length === 1")
	page.Eval("b.textContent='two'; const c=document.createElement('a'); c.href='#'; c.textContent='new'; document.body.append(c); 0", nil)
	page.Until(world, "act.messages('ui_tree_diff').length === 1")
	var diff struct {
		BaseVersion, Version int
		Added                []map[string]any
		Removed              []string
		Changed              []map[string]any
	}
	page.EvalIn(world, "act.messages('ui_tree_diff')[0]", &diff)
	if diff.Version != diff.BaseVersion+1 || len(diff.Added) != 1 || diff.Added[0]["name"] != "new" || len(diff.Changed) != 1 || diff.Changed[0]["name"] != "two" {
		t.Errorf("%+v", diff)
	}
	tree := must(t, page, "request_ui_tree", "").Result
	if int(tree["version"].(float64)) != diff.Version || len(tree["items"].([]any)) != 2 || tree["frame"] == nil {
		t.Errorf("%v", tree)
	}
}

func TestDisposeLeavesNothing(t *testing.T) {
	page := open(t, controls)
	page.Eval("window.native = {...console}; window.before = document.documentElement.outerHTML; window.props = Object.getOwnPropertyNames(window).join(); log = []; 0", nil)
	listeners := func() int {
		total := 0
		for _, expression := range []string{"window", "document", "visualViewport", "document.body", "document.getElementById('text')", "navigation"} {
			var object struct {
				Result struct {
					ObjectID string `json:"objectId"`
				} `json:"result"`
			}
			page.Call("Runtime.evaluate", map[string]any{"expression": expression}, &object)
			var got struct {
				Listeners []struct {
					Type string `json:"type"`
				} `json:"listeners"`
			}
			page.Call("DOMDebugger.getEventListeners", map[string]any{"objectId": object.Result.ObjectID}, &got)
			total += len(got.Listeners)
		}
		return total
	}
	before := listeners()
	page.EvalIn(world, "act.make({telemetry:['console','errors','ui_tree','dom_mutations','dom_snapshot','state'],getCustomState:()=>({})})", nil)
	inject(page)
	must(t, page, "hover", "target:{id:'hover'}")
	must(t, page, "locate", "target:{id:'button'}")
	page.Eval("hover.textContent='Hover'; 0", nil)
	if during := listeners(); during <= before {
		t.Fatalf("%d listeners during, %d before: the test sees nothing", during, before)
	}
	page.EvalIn(world, "act.bridge.dispose()", nil)
	if after := listeners(); after != before {
		t.Errorf("%d listeners after, %d before", after, before)
	}
	var state struct {
		Keys                 string
		Console, HTML, Props bool
	}
	page.Eval(`({Keys: Object.keys(native).filter(k => typeof native[k] === 'function' && console[k] !== native[k]).join(), Console: Object.keys(console).join() === Object.keys(native).join(),
		HTML: document.documentElement.outerHTML === before, Props: Object.getOwnPropertyNames(window).filter(n => n !== 'props').join() === props.split(',').filter(n => n !== 'props').join()})`, &state)
	if state.Keys != "" || !state.Console || !state.HTML || !state.Props {
		t.Errorf("left behind: %+v", state)
	}
	page.EvalIn(world, "act.batches.length = 0", nil)
	page.Eval("console.log('x'); document.body.append('y'); 0", nil)
	page.EvalIn(world, "new Promise(r => setTimeout(r, 200))", nil)
	var sent int
	page.EvalIn(world, "act.batches.length", &sent)
	if sent != 0 {
		t.Errorf("%d batches after dispose", sent)
	}
	if out := do(t, page, "click", "target:{id:'button'}"); out.Code != "NOT_CONNECTED" {
		t.Errorf("a command after dispose: %+v", out)
	}
}

// Somebody who wrapped our wrapper keeps working, and our part of the chain is inert.
func TestDisposeUnderAnotherWrapper(t *testing.T) {
	page := hooked(t, "<p>x</p>", consoleOn)
	page.Eval("const ours = console.log; window.theirs = 0; console.log = (...a) => { theirs++; ours(...a) }; 0", nil)
	page.EvalIn(world, "act.bridge.dispose()", nil)
	var theirs int
	page.Eval("console.log('x'), theirs", &theirs)
	if theirs != 1 {
		t.Errorf("the page's own wrapper ran %d times", theirs)
	}
}
