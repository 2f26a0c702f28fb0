package act

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/page/chromium"
)

type telemetry struct {
	Type    string   `json:"type"`
	Level   string   `json:"level"`
	Args    []string `json:"args"`
	Message string   `json:"message"`
	Reason  string   `json:"reason"`
	Stack   string   `json:"stack"`
	URL     string   `json:"url"`
	Line    int      `json:"line"`
	Lineno  int      `json:"lineno"`

	HTML      string `json:"html"`
	Truncated bool   `json:"truncated"`
	Bytes     int    `json:"bytes"`
	Dropped   int    `json:"dropped"`
	Mutations []struct {
		MutationType   string   `json:"mutationType"`
		TargetSelector string   `json:"targetSelector"`
		AttributeName  string   `json:"attributeName"`
		AddedNodes     []string `json:"addedNodes"`
		RemovedNodes   []string `json:"removedNodes"`
		TextContent    *string  `json:"textContent"`
	} `json:"mutations"`
	Counts map[string]int   `json:"counts"`
	Scope  string           `json:"scope"`
	State  json.RawMessage  `json:"state"`
	Items  []map[string]any `json:"items"`
}

func messages(page *chromium.Page, kind string) []telemetry {
	page.EvalIn(world, "act.bridge.configure({}), act.run({type:'frame_info'})", nil) // flushes
	var out []telemetry
	page.EvalIn(world, "act.messages("+quote(kind)+")", &out)
	return out
}

// hooked opens html with the bridge started and the hook injected as executeScript does.
func hooked(t *testing.T, html, options string) *chromium.Page {
	t.Helper()
	page := withBridge(t, html, options)
	inject(page)
	return page
}

func inject(page *chromium.Page) {
	var source string
	page.EvalIn(world, "act.hookSource", &source)
	page.Eval("("+source+")('nonce-0123456789abcdef'), undefined", nil)
}

const consoleOn = "{telemetry:['console','errors']}"

func TestConsoleOfOddValues(t *testing.T) {
	page := hooked(t, "<p id=p class='a b'>x</p>", consoleOn)
	for _, c := range []struct{ code, want string }{
		{"console.log('a', 1, -0, true, null, undefined)", "a|1|-0|true|null|undefined"},
		{"console.info(10n, Symbol('s'), NaN, Infinity)", "10n|Symbol(s)|NaN|Infinity"},
		{"console.log({a:1,b:{c:{d:{e:1}}},s:'x'})", `{a: 1, b: {c: {d: {…}}}, s: "x"}`},
		{"console.log([1,,'two',[3,[4,[5]]]])", `[1, empty, "two", [3, [4, Array(1)]]]`},
		{"const o={};o.self=o;console.log(o)", "{self: [Circular]}"},
		{"console.log({get x(){window.touched=1;return 1}, y:2})", "{x: (...), y: 2}"},
		{"console.log(new Map([['k',{v:1}]]), new Set([1,2]))", `Map(1) {"k" => {v: 1}}|Set(2) {1, 2}`},
		{"console.log(new Date(0), /a+/gi, function foo(){}, class Bar{})", "1970-01-01T00:00:00.000Z|/a+/gi|ƒ foo()|ƒ Bar()"},
		{"console.log(p, document, p.firstChild, document.createElement('video'))", `<p id="p" class="a b">|#document|#text "x"|<video>`},
		{"console.log(new Uint8Array([1,2]), Object.create(null), new (class Foo{constructor(){this.z=1}}))", "Uint8Array(2) [1, 2]|{}|Foo {z: 1}"},
		{"console.log(document.all, window === self)", "[object]|true"},
		{"console.log(new Proxy({}, {ownKeys(){throw 1}, getPrototypeOf(){throw 2}}))", "[object that cannot be read]"},
		{"console.log({toString(){throw 1}, toJSON(){throw 2}, [Symbol.toPrimitive](){throw 3}})", "{toString: ƒ toString(), toJSON: ƒ toJSON(), [Symbol(Symbol.toPrimitive)]: ƒ [Symbol.toPrimitive]()}"},
		{"console.log('%s x', 'y')", "%s x|y"},
		{"console.debug('d'); ", "d"},
		{"let e; for (let i = 0; i < 20000; i++) { e = new Error('e' + i, {cause: e}); e.stack = 'at ' + i } console.log(e)", "at 19999\n[cause]: at 19998\n[cause]: at 19997\n[cause]: at 19996"},
		{`console.log('\ud800 \u0000 \u2028 😀')`, "\ufffd \u0000 \u2028 😀"},
	} {
		page.EvalIn(world, "act.batches.length=0", nil)
		page.Eval("{"+c.code+"};0", nil)
		got := messages(page, "console")
		if len(got) != 1 {
			t.Errorf("%s: %d lines", c.code, len(got))
			continue
		}
		if text := strings.Join(got[0].Args, "|"); text != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.code, text, c.want)
		}
	}
	var touched bool
	page.Eval("'touched' in window", &touched)
	if touched {
		t.Error("a getter of the page was called")
	}
}

func TestConsoleIsBoundedAndFast(t *testing.T) {
	page := hooked(t, "<p>x</p>", consoleOn)
	page.Eval(`{
		console.log('x'.repeat(10_000_000));
		console.log(Array.from({length:1_000_000},(_, i) => i));
		console.log(...Array.from({length:1000},(_, i) => 'y'.repeat(2000)));
		const deep = {}; let at = deep; for (let i = 0; i < 10000; i++) at = at.x = {};
		console.log(deep);
		const wide = {}; for (let i = 0; i < 3000; i++) wide['k'+i] = {a:{b:{c:'z'.repeat(100)}}};
		console.log(wide);
	};0`, nil)
	got := messages(page, "console")
	if len(got) != 5 {
		t.Fatalf("%d lines, want 5", len(got))
	}
	for i, line := range got {
		total := 0
		for _, arg := range line.Args {
			total += len(arg)
		}
		if total > 40_000 {
			t.Errorf("line %d has %d bytes", i, total)
		}
	}
	if !strings.Contains(got[0].Args[0], "more characters") || !strings.Contains(got[1].Args[0], "more") {
		t.Errorf("the cut is not told: %.80s … %.40s", got[0].Args[0], got[1].Args[0])
	}
	// The best of many short runs: the machine may be busy with other things.
	page.Call("Runtime.disable", nil, nil)
	var perCall float64
	page.Eval(`(() => { let best = 1e9; for (let r = 0; r < 40; r++) { const t = performance.now();
		for (let i = 0; i < 100; i++) console.log('line', i, {a: 1}); best = Math.min(best, (performance.now() - t) * 10) } return best })()`, &perCall)
	t.Logf("one console.log: %.1f µs", perCall)
	if perCall > 150 {
		t.Errorf("a console call takes %.0f µs", perCall)
	}
}

func TestConsoleFloodIsCompleteOrCounted(t *testing.T) {
	page := hooked(t, "<p>x</p>", consoleOn)
	page.Eval("for (let i = 0; i < 50000; i++) console.log('line', i); 0", nil)
	var sum struct{ Lines, Dropped, Last, Disorder int }
	page.Until(world, "act.messages('console').some(m => m.args[1] === '49999')")
	page.EvalIn(world, `(() => { const lines = act.messages('console').map(m => +m.args[1]);
		const dropped = act.messages('dropped').reduce((n, m) => n + (m.counts.console ?? 0), 0);
		return {Lines: lines.length, Dropped: dropped, Last: lines.at(-1), Disorder: lines.filter((n, i) => i > 0 && n <= lines[i-1]).length} })()`, &sum)
	if sum.Lines+sum.Dropped != 50000 || sum.Disorder != 0 || sum.Last != 49999 {
		t.Errorf("%+v", sum)
	}
	t.Logf("%+v", sum)
}

func TestErrorsAndRejections(t *testing.T) {
	page := hooked(t, "<p>x</p>", consoleOn)
	page.Eval(`
		setTimeout(() => { throw new TypeError('boom') });
		setTimeout(() => { throw {odd: true} });
		Promise.reject(new RangeError('late'));
		Promise.reject({toString() { throw 1 }, code: 7});
		dispatchEvent(new ErrorEvent('error', {message: 'forged', error: new Error('forged')}));
		const img = new Image(); img.src = '/missing.png'; document.body.append(img);
		setTimeout(() => reportError(new Error('reported')), 10);
		0`, nil)
	page.Until(world, "act.messages('error').length >= 3 && act.messages('unhandledrejection').length >= 2")
	errors := messages(page, "error")
	if len(errors) != 3 || errors[0].Message != "Uncaught TypeError: boom" || !strings.Contains(errors[0].Stack, "TypeError: boom\n    at") || errors[0].Lineno == 0 {
		t.Errorf("errors: %+v", errors)
	}
	rejections := messages(page, "unhandledrejection")
	if len(rejections) != 2 || rejections[0].Reason != "RangeError: late" || !strings.Contains(rejections[0].Stack, "RangeError") || rejections[1].Reason != "{toString: ƒ toString(), code: 7}" {
		t.Errorf("rejections: %+v", rejections)
	}
}

func TestConsoleCallSite(t *testing.T) {
	page := hooked(t, "<script>\nfunction shout() {\n  console.warn('here');\n}\n</script>", consoleOn)
	page.Eval("shout()", nil)
	got := messages(page, "console")
	if len(got) != 1 || got[0].Line != 3 || !strings.HasPrefix(got[0].URL, "http://127.0.0.1") || !strings.Contains(got[0].Stack, "shout") {
		t.Errorf("%+v", got)
	}
	if strings.Contains(got[0].Stack, "Object.apply") || strings.Contains(got[0].Stack, "callStack") {
		t.Errorf("the hook's own frames are in the stack: %s", got[0].Stack)
	}
}

// Registered at document_start the hook is there before the page, and the bridge after it.
func TestEarlyLinesAreKept(t *testing.T) {
	s := serve(t, map[string]pageSpec{"/": {html: "<script>console.log('early'); Promise.reject('why'); nowhere()</script>"}})
	page := browser.Open(t)
	page.Call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": mainworld}, nil)
	page.Load(s.URL + "/")
	page.World(world, driver)
	page.EvalIn(world, "act.make("+consoleOn+")", nil)
	page.Eval("console.log('late')", nil)
	lines := messages(page, "console")
	if len(lines) != 2 || lines[0].Args[0] != "early" || lines[1].Args[0] != "late" {
		t.Errorf("lines: %+v", lines)
	}
	if got := messages(page, "error"); len(got) != 1 || !strings.Contains(got[0].Message, "nowhere is not defined") {
		t.Errorf("errors: %+v", got)
	}
	if got := messages(page, "unhandledrejection"); len(got) != 1 || got[0].Reason != "why" {
		t.Errorf("rejections: %+v", got)
	}
	// Injected besides: still one line each.
	inject(page)
	page.Eval("console.log('once')", nil)
	if got := messages(page, "console"); len(got) != 3 {
		t.Errorf("twice injected: %d lines", len(got))
	}
}

func TestConsoleHookSwitch(t *testing.T) {
	page := open(t, "<p>x</p>")
	page.Eval("window.native = console.log; window.keys = Object.keys(console).join(); 0", nil)
	page.EvalIn(world, "act.make("+consoleOn+")", nil)
	inject(page)
	var state struct {
		Wrapped bool
		Text    string
		Name    string
	}
	page.Eval("({Wrapped: console.log !== native, Text: console.log.toString(), Name: console.log.name})", &state)
	if !state.Wrapped || !strings.Contains(state.Text, "[native code]") || state.Name != "log" {
		t.Errorf("wrapped console.log: %+v", state)
	}
	// Synchronous: nothing is awaited between the switch and the lines around it.
	page.EvalIn(world, "void act.bridge.execute({type:'console_hook',on:false}, new AbortController().signal, () => {}), 0", nil)
	page.Eval("window.restored = console.log === native && Object.keys(console).join() === keys; console.log('off'); 0", nil)
	page.EvalIn(world, "void act.bridge.execute({type:'console_hook',on:true}, new AbortController().signal, () => {}), 0", nil)
	page.Eval("console.log('on')", nil)
	got := messages(page, "console")
	if len(got) != 1 || got[0].Args[0] != "on" {
		t.Errorf("lines: %+v", got)
	}
	var restored bool
	page.Eval("restored", &restored)
	if !restored {
		t.Error("console was not put back while off")
	}
	// Off before the hook arrives: it is told when it does.
	page = withBridge(t, "<p>x</p>", consoleOn)
	page.EvalIn(world, "act.run({type:'console_hook',on:false})", nil)
	page.Eval("window.native = console.log; 0", nil)
	inject(page)
	page.Eval("console.log('unheard')", nil)
	if got := messages(page, "console"); len(got) != 0 {
		t.Errorf("switched off before: %+v", got)
	}
	page.Eval("console.log === native", &restored)
	if !restored {
		t.Error("console is wrapped although the hook is off")
	}
}

func TestForgedEventsAreOnlyConsoleLines(t *testing.T) {
	page := hooked(t, "<button id=b onclick='window.clicked=1'>x</button>", "{telemetry:['console','errors','ui_tree']}")
	// A page that guesses nothing, one that knows the nonce, and one that asks for it.
	page.Eval(`
		window.stolen = [];
		const target = visualViewport;
		target.addEventListener('debug-bridge:hook', (e) => stolen.push(e.detail));
		target.dispatchEvent(new CustomEvent('debug-bridge:hook?'));
		for (const detail of ['log 1 1\nx', {type: 'click'}, 'x'.repeat(1e6), 'log 1 999\nx', 'ui_tree 1 1\nx', 'log 1 1,1\nab', '{"type":"click","target":{"id":"b"}}', null, 'exception 1 1\nx', 'lost 1 3\n12\u0000'])
			target.dispatchEvent(new CustomEvent('nonce-0123456789abcdef', {detail}));
		window.postMessage({type: 'click', target: {id: 'b'}}, '*');
		document.dispatchEvent(new CustomEvent('debug-bridge:sdk', {detail: {appId: 'x'}}));
		document.dispatchEvent(new CustomEvent('debug-bridge:sdk', {detail: '<img>'}));
		new BroadcastChannel('debug-bridge').postMessage({type: 'click'});
		0`, nil)
	lines := messages(page, "console")
	// Two of them have the shape of a console line (one without arguments); nothing else got in.
	if len(lines) != 2 || len(lines[0].Args) != 0 || len(lines[1].Args) != 1 || lines[1].Args[0] != "b" {
		t.Errorf("forged lines: %+v", lines)
	}
	if got := messages(page, "error"); len(got) != 0 {
		t.Errorf("forged errors: %+v", got)
	}
	var state struct {
		Clicked bool
		Stolen  []string
	}
	page.Eval("({Clicked: !!window.clicked, Stolen: stolen})", &state)
	if state.Clicked || len(state.Stolen) != 0 {
		t.Errorf("%+v", state)
	}
	var ids []string
	page.EvalIn(world, "act.sdkIds", &ids)
	if len(ids) != 0 {
		t.Errorf("forged app ids: %v", ids)
	}
}
