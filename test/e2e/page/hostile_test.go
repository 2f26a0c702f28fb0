package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// P-12: under strict policies everything works, and not one violation is ours.
func TestP12StrictPolicies(t *testing.T) {
	for _, level := range levels {
		for _, policy := range []string{"none", "sandbox", "self"} {
			t.Run(level+" "+policy, func(t *testing.T) {
				p := at(t, level, "/csp/"+policy)
				before := len(env.Pages.Reports())
				items := p.tree()
				p.Do("click", params{"target": params{"ref": find(items, "button", "Go").Ref}})
				if done := p.Do("type", on("field", "text", "there", "clear", true)); text(done, "value") != "there" {
					t.Errorf("%s", done.Raw)
				}
				p.Do("select", on("pick", "value", "two"))
				p.Do("hover", on("go"))
				p.Do("focus", on("field"))
				p.Do("scroll", params{"to": "bottom"})
				p.Do("request_dom_snapshot", nil)
				if value := find(p.tree(), "textbox", "Field").Value; value == nil || *value != "there" {
					t.Errorf("field holds %v", value)
				}
				if level == "control" {
					if done := p.Do("evaluate", params{"code": "eval('1 + 1')"}); policy != "sandbox" && done.Fields["result"] != 2.0 {
						t.Errorf("%s", done.Raw)
					}
				}
				p.Do("navigate", params{"reload": true})
				p.tree()
				p.Do("click", params{"target": params{"text": "To the end"}})
				if reports := env.Pages.Reports()[before:]; len(reports) > 0 {
					t.Errorf("%d violations: %v", len(reports), reports)
				}
			})
		}
	}
	p := at(t, "control", "/unframed") // COOP and COEP
	p.Do("click", params{"target": params{"text": "Alone"}})
	p.Do("evaluate", params{"code": "1"})
}

// P-21: a page that lies about everything gives the same as an honest one, and
// notices nothing.
func TestP21HostileOverrides(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/hostile")
			from := p.Len()
			items := p.tree()
			var got []string
			for _, one := range items {
				got = append(got, fmt.Sprintf("%s %s %v", one.Role, one.Name, one.Visible))
				if one.Bounds.Width < 5 {
					t.Errorf("%s %q has bounds %v", one.Role, one.Name, one.Bounds)
				}
			}
			if want := []string{"button Real button true", "button Decoy true", "textbox Field true"}; !slices.Equal(got, want) {
				t.Errorf("tree %q", got)
			}
			if value := find(items, "textbox", "Field").Value; value == nil || *value != "truth" {
				t.Errorf("the field's value is %v", value)
			}
			for _, target := range []params{{"id": "real"}, {"text": "Real button"}, {"role": "button", "name": "Real button"}, {"selector": "#real"}, {"ref": items[0].Ref}} {
				if done := p.Do("click", params{"target": target}); done.String("via") != via(level, "click") {
					t.Errorf("%s", done.Raw)
				}
			}
			if done := p.Do("type", on("field", "text", " and more")); text(done, "value") != "truth and more" {
				t.Errorf("%s", done.Raw)
			}
			p.Do("hover", on("decoy"))
			p.Do("focus", on("field"))
			p.Do("request_dom_snapshot", nil)
			p.Eval(`void console.log('a line', 42)`, nil)
			p.AwaitFrom(from, "the line", func(m browserMessage) bool {
				return m.Type() == "console" && strings.Contains(string(m.Raw), `"a line","42"]`)
			})
			if level == "control" {
				if done := p.Do("evaluate", params{"code": "({ a: [1] })"}); !strings.Contains(string(done.Raw), `"result":{"a":[1]}`) {
					t.Errorf("%s", done.Raw)
				}
			}
			var state struct {
				Real, Decoy int
				Spied       string
			}
			p.Eval(`({ Real: window.realClicks || 0, Decoy: window.decoyClicks || 0, Spied: spied.join() })`, &state)
			if state.Real != 5 || state.Decoy != 0 || state.Spied != "" {
				t.Errorf("%+v", state)
			}
		})
	}
}

// P-22: keys that poison prototypes arrive as plain data and poison nothing.
func TestP22PrototypePollution(t *testing.T) {
	const poison = `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"prototype":3}`
	p := at(t, "control", "/page/p")
	done := p.Do("evaluate", params{"code": `JSON.parse('` + poison + `')`})
	if !strings.Contains(string(done.Raw), `"__proto__":{"polluted":1}`) || !strings.Contains(string(done.Raw), `"constructor":{"prototype":{"polluted":2}}`) {
		t.Errorf("%s", done.Raw)
	}
	for _, level := range levels {
		p := at(t, level, "/page/p")
		from := p.Len()
		p.Eval(`void (document.body.insertAdjacentHTML('beforeend', '<button id="__proto__" name="constructor" data-testid="toString">__proto__</button>'), console.log(JSON.parse('`+poison+`'), '__proto__'))`, nil)
		line := p.AwaitFrom(from, "the line", func(m browserMessage) bool {
			return m.Type() == "console" && strings.Contains(string(m.Raw), `"__proto__"]`)
		})
		if !strings.Contains(fmt.Sprint(line.Fields["args"]), "__proto__: ") {
			t.Errorf("%s", line.Raw)
		}
		p.Do("click", params{"target": params{"text": "__proto__"}})
		if one := find(p.tree(), "button", "__proto__"); one.StableID != "toString" {
			t.Errorf("%+v", one)
		}
	}
	var polluted bool
	env.WorkerEval(`'polluted' in {}`, &polluted)
	if polluted {
		t.Error("the worker's objects are polluted")
	}
}

// P-23: whatever a page says in whatever way, nobody takes it for a command or for another's event.
func TestP23Forgery(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/hostile")
			p.tree()
			from := p.Len()
			p.Eval(`void (() => {
				forge();
				const message = { kind: 'call', id: 1, command: { type: 'click', target: { id: 'decoy' } }, v: 1, op: 'cdp.send', method: 'Page.navigate' };
				for (const name of ['debug-bridge', 'debugBridge', 'dbridge']) new BroadcastChannel(name).postMessage(message);
				for (const name of ['__debugBridge', '__debugBridgeMark', 'debugBridgeMark', 'cdp', 'binding']) {
					window[name] = (...args) => args;
					document.documentElement.setAttribute('data-' + name.replaceAll('_', '').toLowerCase(), 'decoy');
					window.dispatchEvent(new MessageEvent('message', { data: message, source: window }));
				}
				document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: '<script>parent.postMessage({ kind: "stop" }, "*")<' + '/script>' }));
			})()`, nil)
			p.settled(t)
			p.Do("request_ui_tree", nil)
			for _, m := range p.Messages()[from:] {
				switch m.Type() {
				case "console", "dom_mutations", "ui_tree", "ui_tree_diff", "ui_change", "dom_snapshot":
				case "command_result":
					if m.String("requestType") != "request_ui_tree" {
						t.Errorf("%s", m.Raw)
					}
				default:
					t.Errorf("%s", m.Raw)
				}
			}
			if p.is("window.decoyClicks") {
				t.Error("a forged command ran")
			}
			p.Do("click", on("real"))
		})
	}
}

// fingerprint is what a page can see of itself.
const fingerprint = `({
	Keys: Object.getOwnPropertyNames(window).sort().join(),
	HTML: document.documentElement.outerHTML,
	Console: ['log', 'info', 'warn', 'error', 'debug'].map((name) => console[name].name + Function.prototype.toString.call(console[name]).replace(/^function \w*\(\)/, 'function ()') + Object.getOwnPropertyDescriptor(console, name).writable).join(),
	Same: window.kept ? window.kept.every(([name, f]) => console[name] === f) : true,
})`

type look struct {
	Keys, HTML, Console string
	Same                bool
}

// P-24 and P-34: a connected page finds no trace of the bridge, and after
// Disconnect the page is as it was: the console's own functions, no hook, no
// debugger, no word to anybody.
func TestP34DisconnectUndoesAll(t *testing.T) {
	for _, level := range append([]string{"observe"}, levels...) {
		t.Run(level, func(t *testing.T) {
			start(t)
			p := &page{level: level, session: "undo-" + level}
			p.Tab = env.OpenTab(env.Pages.URL("/page/undo"))
			defer p.closeTab()
			id := number(float64(env.TabID(p.Tab)))
			p.Eval(`void (window.kept = ['log', 'info', 'warn', 'error', 'debug'].map((name) => [name, console[name]]))`, nil)
			var before, during, after look
			p.Eval(fingerprint, &before)

			p.Agent = env.Agent("sessionId=" + p.session)
			env.Connect(p.Tab, level, browsertest.Session(p.session))
			p.AwaitType("ui_tree")
			p.tree()
			if level != "observe" {
				p.Do("hover", params{"target": params{"id": "b"}})
			}
			if level == "control" {
				p.Do("evaluate", params{"code": "1"})
			}
			p.settled(t)
			p.Eval(fingerprint, &during)
			if during.Keys != before.Keys || during.HTML != before.HTML || during.Console != before.Console {
				t.Errorf("the page can see it:\n%+v\n%+v", before, during)
			}
			if level == "control" && !during.Same {
				t.Error("the console is patched although the debugger tells of it")
			}
			for _, try := range []string{
				`fetch('chrome-extension://` + browsertest.ExtensionID + `/popup.html').then(() => true, () => false)`,
				`fetch('chrome-extension://` + browsertest.ExtensionID + `/manifest.json').then(() => true, () => false)`,
				`Boolean(window.chrome?.runtime?.id)`,
			} {
				var reached bool
				if p.Eval(try, &reached); reached {
					t.Errorf("%s", try)
				}
			}

			from := p.Len()
			env.Disconnect(p.Tab)
			gone := p.AwaitFrom(from, "app_disconnected", func(m browserMessage) bool { return m.Type() == "app_disconnected" })
			if gone.String("reason") != "detached_by_user" {
				t.Errorf("%s", gone.Raw)
			}
			p.Tab.Await("window.kept.every(([name, f]) => console[name] === f)")
			p.Eval(fingerprint, &after)
			if after != before {
				t.Errorf("left behind:\n%+v\n%+v", before, after)
			}
			var attached bool
			env.WorkerEval(`chrome.debugger.sendCommand({ tabId: `+id+` }, 'Inspector.enable').then(() => true, () => false)`, &attached)
			if attached {
				t.Error("the debugger is still there")
			}
			var world bool
			env.WorkerEval(`chrome.scripting.executeScript({ target: { tabId: `+id+` }, func: () => '__debugBridge' in globalThis }).then((all) => all[0].result)`, &world)
			if world {
				t.Error("the bridge is still in its world")
			}
			from = p.Len()
			p.Eval(`void (console.log('nobody hears this'), document.body.append('x'), setTimeout(() => { throw new Error('nor this') }))`, nil)
			p.Tab.Navigate(env.Pages.URL("/page/undo2"))
			// A command is answered after all that was under way.
			if done := p.try("request_ui_tree", nil); done.Success() {
				t.Errorf("%s", done.Raw)
			}
			for _, m := range p.Messages()[from:] {
				if m.Type() != "command_result" && m.Type() != "host_error" {
					t.Errorf("after the end: %s", m.Raw)
				}
			}
			p.Agent.Close()
		})
	}
}

// P-28: text of every kind arrives, well-formed and without what nobody sees, and no message is lost for it.
func TestP28OddText(t *testing.T) {
	odd := []struct{ name, js, want string }{
		{"emoji", `'a😀b'`, "a😀b"},
		{"four bytes", `'𝒳𐍈'`, "𝒳𐍈"},
		{"right to left", `'שלום عربى'`, "שלום عربى"},
		{"line separators", `'a\u2028b\u2029c'`, ""},
		{"a lone high surrogate", `'a\ud83db'`, "a\ufffdb"},
		{"a lone low surrogate", `'a\udc00b'`, "a\ufffdb"},
		{"at the end", `'ab\ud83d'`, "ab\ufffd"},
		{"NUL", `'a\u0000b'`, "ab"},
		{"controls", `'a\u0007\u001b[31mb'`, "ab"},
		{"zero width and bidi", `'a\u200b\u202eb'`, "ab"},
		{"BOM", `'\ufeffb'`, "b"},
		{"quotes", `'"\\\\<>&'`, ""},
		{"long", `'é'.repeat(5000)`, ""},
	}
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/page/odd")
			for _, one := range odd {
				from := p.Len()
				p.Eval(`void ((text) => {
					window.text = text;
					document.title = text;
					document.querySelector('button').textContent = text;
					document.querySelector('button').setAttribute('aria-description', text);
					history.replaceState(0, '', '#' + encodeURIComponent(text.toWellFormed()).slice(0, 100));
					console.log('odd', text);
					setTimeout(() => { throw new Error('odd ' + text) });
				})(`+one.js+`)`, nil)
				line := p.AwaitFrom(from, one.name, func(m browserMessage) bool { return isLine(m, "odd") })
				failed := p.AwaitFrom(from, "the error", func(m browserMessage) bool { return m.Type() == "error" })
				for _, m := range p.Messages()[from:] {
					if !utf8.Valid(m.Raw) {
						t.Errorf("%s: %s is not UTF-8", one.name, m.Type())
					}
				}
				args, _ := line.Fields["args"].([]any)
				want := one.want
				if want == "" {
					p.Eval("text.toWellFormed()", &want)
				}
				if len(args) != 2 || args[1] != want {
					t.Errorf("%s: console gives %.200q, want %.200q", one.name, fmt.Sprint(args), want)
				}
				if !strings.Contains(failed.String("message"), "odd") {
					t.Errorf("%s: %.300s", one.name, failed.Raw)
				}
				items := p.tree()
				if len(items) != 1 || !utf8.ValidString(items[0].Name) {
					t.Errorf("%s: items %v", one.name, items)
				}
				began := time.Now()
				if done := p.Do("request_dom_snapshot", nil); time.Since(began) > 3*time.Second {
					t.Errorf("%s: %s", one.name, done.Raw)
				}
				if level == "control" {
					if done := p.Do("evaluate", params{"code": "text"}); done.Fields["result"] != want {
						t.Errorf("%s: evaluate gives %.200q, want %.200q", one.name, fmt.Sprint(done.Fields["result"]), want)
					}
				}
			}
			// And the other way: typed as it is.
			p.renew("/controls")
			for _, typed := range []string{"a😀𝒳b", "שלום", "a\u200bb"} {
				told := strings.ReplaceAll(typed, "\u200b", "") // what nobody sees is not told
				if done := p.Do("type", on("text", "text", typed, "clear", true)); text(done, "value") != told {
					t.Errorf("typed %q: %s", typed, done.Raw)
				}
			}
		})
	}
}
