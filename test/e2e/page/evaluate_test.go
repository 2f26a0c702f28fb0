package page

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// evaluate: every kind of value, promises, errors and refusals.
func TestEvaluate(t *testing.T) {
	p := at(t, "control", "/page/Ev")
	for _, c := range []struct {
		code string
		want any
	}{
		{`document.title`, "Ev"},
		{`6 * 7`, 42.0},
		{`true`, true},
		{`null`, nil},
		{`undefined`, nil},
		{`NaN`, "NaN"},
		{`-0`, "-0"},
		{`10n ** 20n`, "100000000000000000000n"},
		{`[1, 'b', null, { c: [2] }]`, []any{1.0, "b", nil, map[string]any{"c": []any{2.0}}}},
		{`({ a: { b: 'c' } })`, map[string]any{"a": map[string]any{"b": "c"}}},
		{`Promise.resolve(5)`, 5.0},
		{`new Promise((done) => setTimeout(() => done('later'), 100))`, "later"},
		{`await fetch('/page/x').then((r) => r.status)`, 200.0},
		{`const again = 1; again + 1`, 2.0},
		{`const again = 3; again + 1`, 4.0},
		{`let s = 0; for (const n of [1, 2, 3]) s += n; s`, 6.0},
		{`(() => { throw 0 }) && 'not called'`, "not called"},
		{`'漢😀\u2028'`, "漢😀\u2028"},
		{`JSON.parse('{"__proto__": 1, "constructor": 2}')`, map[string]any{"__proto__": 1.0, "constructor": 2.0}},
		{`'x'.repeat(2_000_000).length`, 2e6},
	} {
		done := p.try("evaluate", params{"code": c.code})
		if !done.Success() || !reflect.DeepEqual(done.Fields["result"], c.want) {
			t.Errorf("%s: want %v: %.400s", c.code, c.want, done.Raw)
		}
		if done.String("via") != "cdp" {
			t.Errorf("%s: via %s", c.code, done.String("via"))
		}
	}
	if done := p.Do("evaluate", params{"expression": "1 + 1"}); done.Fields["result"] != 2.0 {
		t.Errorf("expression: %s", done.Raw)
	}
	if done := p.Do("evaluate", params{"code": "'x'.repeat(3_000_000)"}); len(done.Fields["result"].(string)) != 3_000_000 {
		t.Errorf("a long value came as %d bytes", len(done.Raw))
	}
	for _, c := range []struct {
		fields params
		says   string
	}{
		{params{"code": `throw new Error('on purpose')`}, "on purpose"},
		{params{"code": `throw 'a word'`}, "a word"},
		{params{"code": `Promise.reject(new TypeError('no'))`}, "no"},
		{params{"code": `nothing.here`}, "nothing is not defined"},
		{params{"code": `a b`}, "Unexpected identifier"},
		{params{"code": "1", "expression": "1"}, "exactly one"},
		{params{}, "exactly one"},
	} {
		done := p.try("evaluate", c.fields)
		if done.Code() != "VALIDATION_ERROR" || !strings.Contains(string(done.Raw), c.says) {
			t.Errorf("%v: %s", c.fields, done.Raw)
		}
	}

	// At act there is none, and the answer says which level it takes.
	a := at(t, "act", "/page/Ev")
	if done := a.try("evaluate", params{"code": "window.ran = 1"}); done.Code() != "CAPABILITY_MISSING" || details(done)["level"] != "control" {
		t.Errorf("at act: %s", done.Raw)
	}
	if a.is("window.ran") {
		t.Error("it ran")
	}
}

// P-14: a script that never ends is ended, and the tab is usable after it.
func TestP14EndlessScript(t *testing.T) {
	p := at(t, "control", "/targets")
	for _, code := range []string{`for(;;);`, `await 0; for(;;);`, `new Promise(() => {})`} {
		began := time.Now()
		done := p.try("evaluate", params{"code": code, "timeoutMs": 1500})
		if done.Code() != "INDETERMINATE" && done.Code() != "TIMEOUT" {
			t.Errorf("%s: %s", code, done.Raw)
		}
		if took := time.Since(began); took > 2500*time.Millisecond {
			t.Errorf("%s took %v", code, took)
		}
		if done := p.Do("evaluate", params{"code": "1 + 1", "timeoutMs": 3000}); done.Fields["result"] != 2.0 {
			t.Errorf("after %s: %s", code, done.Raw)
		}
		p.Do("click", on("by-id"))
	}
}

// The reading commands answer with their message, which carries the requestId,
// and with a result that sums up; secrets are in neither.
func TestRequests(t *testing.T) {
	for _, level := range []string{"observe", "act", "control"} {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/controls")
			from := p.Len()
			p.tree()
			done := p.Do("request_dom_snapshot", nil)
			snapshot := p.AwaitFrom(from, "the snapshot", func(m browserMessage) bool {
				return m.Type() == "dom_snapshot" && m.String("requestId") == done.String("requestId")
			})
			html := snapshot.String("html")
			if !strings.HasPrefix(html, "<html") || !strings.Contains(html, `id="rich-edit"`) || snapshot.Number("bytes") < 5000 {
				t.Errorf("html of %d bytes: %.300s", len(html), html)
			}
			for _, secret := range []string{"hunter2-secret", "424242", "4111111111111111"} {
				for _, m := range p.Messages() {
					if strings.Contains(string(m.Raw), secret) {
						t.Errorf("%s holds %s", m.Type(), secret)
					}
				}
			}
			for _, fields := range []params{nil, {"scope": "cart"}} {
				if done := p.Do("request_state", fields); !strings.Contains(string(done.Raw), `"states":{}`) {
					t.Errorf("a page without state: %s", done.Raw)
				}
			}
		})
	}
}

// N-26: at observe every acting command is refused with the level it takes, and
// the page hears nothing of it.
func TestN26ObserveOnlyReads(t *testing.T) {
	p := at(t, "observe", "/controls")
	ref := find(p.tree(), "button", "Plain button").Ref
	p.Eval(`void (log.length = 0, window.changes = 0, new MutationObserver((all) => { changes += all.length }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true }))`, nil)
	before := p.Text("location.href")
	for _, c := range []struct {
		command string
		fields  params
		level   string
	}{
		{"click", on("button"), "act"},
		{"click", params{"target": params{"ref": ref}}, "act"},
		{"type", on("text", "text", "x"), "act"},
		{"hover", on("button"), "act"},
		{"focus", on("text"), "act"},
		{"select", on("one", "value", "a"), "act"},
		{"scroll", params{"y": 100}, "act"},
		{"navigate", params{"url": "/page/x"}, "act"},
		{"navigate", params{"reload": true}, "act"},
		{"evaluate", params{"code": "document.body.remove()"}, "control"},
		{"dialog.handle", params{"accept": true}, "control"},
	} {
		done := p.try(c.command, c.fields)
		if done.Code() != "CAPABILITY_MISSING" || details(done)["level"] != c.level {
			t.Errorf("%s: %s", c.command, done.Raw)
		}
	}
	p.tree()
	p.Do("request_dom_snapshot", nil)
	var state struct {
		Log     []string
		Changes int
		Href    string
	}
	p.Eval("({ Log: log, Changes: changes, Href: location.href })", &state)
	if len(state.Log) > 0 || state.Changes != 0 || state.Href != before {
		t.Errorf("the page was touched: %+v", state)
	}
}
