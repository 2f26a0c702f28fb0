package checks

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// P-19: whatever a page prints, the answers are bounded, nothing of the page's runs for it, and what is dropped is counted.
func TestP19ConsoleOfAnyKind(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{"/": `<!doctype html><title>Noise</title><link rel=icon href=data:,><script>
window.touched = [];
const touch = (what) => { touched.push(what); return what };
const print = {
  circular() { const a = { name: 'round' }; a.self = a; a.list = [a, [a]]; console.log('circular', a) },
  proxy() { console.log('proxy', new Proxy({ inner: 1 }, { get: (_, k) => touch('proxy get ' + String(k)), ownKeys: () => touch(['proxy keys']), getOwnPropertyDescriptor: () => touch(undefined), has: () => touch(true), getPrototypeOf: () => touch(null) })) },
  getters() { console.log('getters', { get throwing() { touch('throwing'); throw new Error('of the getter') }, get endless() { touch('endless'); for (;;); }, plain: 5 }) },
  numbers() { console.log('numbers', 123456789012345678901234567890n, Symbol('mark'), Symbol.iterator, -0, NaN, Infinity, 1e21) },
  nodes() { const gone = document.createElement('section'); gone.id = 'detached'; gone.append('text'); console.log('nodes', gone, document.createTextNode('loose'), document, window) },
  large() { console.log('large', Array.from({ length: 1e6 }, (_, i) => i), new Uint8Array(1e6), 'x'.repeat(1e6)) },
  hostile() { console.log('hostile', { toString() { return touch('toString') }, toJSON() { return touch('toJSON') }, [Symbol.toPrimitive]() { return touch('toPrimitive') }, inspect() { return touch('inspect') } }, new (class Lie { get [Symbol.toStringTag]() { return touch('tag') } })()) },
  formats() { console.log('formats %s %d %o %c styled %%', 'text', 5, { a: 1 }, 'color: red') },
  deep() { let d = {}; for (let i = 0; i < 1000; i++) d = { d }; console.log('deep', d) },
  kinds() { console.log('kinds', new Map([[{ k: 1 }, new Set([1])]]), new WeakMap(), new Date(0), /re/g, new Error('made'), Promise.resolve(1), function f() {}, class C {}, null, undefined) },
};
for (const kind of Object.keys(print)) print[kind]();
console.error('the end');
window.over = true;
</script>`}, nil)
	e := s.managed(t, "/")
	e.OK("console", "wait", "the end")
	var text string
	within(t, 3*time.Second, "the list", func() { text = e.Text("console", "list", "--limit", "100") })
	if len(text) > 16<<10 {
		t.Errorf("%d bytes of text", len(text))
	}
	contains(t, text,
		`circular {name: "round", self: Object, list: Array(2)}`, "proxy Proxy(Object)", "getters {throwing: (getter), endless: (getter), plain: 5}",
		"numbers 123456789012345678901234567890n Symbol(mark) Symbol(Symbol.iterator) -0 NaN Infinity 1e+21", "nodes section#detached #text #document Window",
		"bytes in all)", "toJSON: ƒ", "deep {d: Object}", "kinds Map(1) WeakMap Thu Jan 01 1970", "/re/g Error: made", "function f() {} class C {} null undefined", "error the end")
	for _, row := range rowsOf(e.OK("console", "list", "--limit", "100"), "messages") {
		within(t, 3*time.Second, "one in full", func() {
			a := e.Run("console", "get", number(row["id"].(float64)))
			if a.Exit != 0 || len(a.Stdout) > 64<<10 {
				t.Errorf("%v: exit %d, %d bytes", row["text"], a.Exit, len(a.Stdout))
			}
			if whole := fmt.Sprint(a.Data["args"]); strings.HasPrefix(row["text"].(string), "kinds ") {
				contains(t, whole, "[[Entries]]", "Thu Jan 01 1970", "/re/g", "Error: made\n    at", "fulfilled", "function f() {}", "undefined")
			}
		})
	}
	if with, without := fmt.Sprint(e.Eval("touched.join()")), bare(t, s.url("/"), "", "touched.join()"); with != without {
		t.Errorf("of the page's code ran %q; in a browser that nobody listens to %q", with, without)
	}
}

// bare gives the value of an expression in a page of a browser that nobody listens to.
func bare(t *testing.T, url, script, expression string) string {
	t.Helper()
	tab := browsertest.Start(t, browsertest.Options{}).OpenTab(url)
	if script != "" {
		tab.Eval(script, nil)
	}
	tab.Await("window.over")
	return tab.Text(expression)
}

// P-20: errors of every kind are told once each, or counted, and nothing of the page's runs to tell them.
func TestP20Errors(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{
		"/": `<!doctype html><title>Errors</title><link rel=icon href=data:,><script src="{{CROSS}}/foreign.js"></script><script>
window.touched = [];
const hostile = { get message() { touched.push('message'); return 'm' }, get stack() { touched.push('stack'); return 's' }, toString() { touched.push('toString'); return 't' } };
function one() { Promise.reject(new Error('rejected once')); setTimeout(() => { throw new TypeError('thrown once') }); setTimeout(() => { throw hostile }); Promise.reject(hostile); setTimeout(() => { throw undefined }); setTimeout(() => { throw 'a string' });
  class Lie extends Error { get message() { touched.push('Lie.message'); throw new Error('no') } get stack() { touched.push('Lie.stack'); for (;;); } } setTimeout(() => { throw new Lie() }); setTimeout(() => foreign()); setTimeout(() => { console.error('the end'); window.over = true }, 50) }
function storm() { for (let i = 0; i < 5000; i++) Promise.reject(new Error('storm ' + i)); setTimeout(() => console.error('after the storm'), 50) }
</script>`,
		"/foreign.js": `function foreign() { throw new Error('of another site') }`,
	}, nil)
	e := s.managed(t, "/")
	e.OK("runtime", "eval", "one()")
	e.OK("console", "wait", "the end")
	text := e.Text("console", "list", "--limit", "100")
	for _, want := range []string{
		"Uncaught TypeError: thrown once", "exception Uncaught {message: (getter), stack: (getter), toString: ƒ}", "Uncaught undefined", "Uncaught a string", "Uncaught Lie",
		"exception Uncaught Error: of another site", "Uncaught (in promise) Error: rejected once", "Uncaught (in promise) {message: (getter), stack: (getter), toString: ƒ}",
	} {
		if n := strings.Count(text, want); n != 1 {
			t.Errorf("%q is told %d times in\n%s", want, n, text)
		}
	}
	// The engine itself asks some of it, for window.onerror; and its inspector reads the
	// message of an error, whose class may have made it a getter. Nothing else runs.
	with := strings.Replace(fmt.Sprint(e.Eval("touched.join()")), ",Lie.message", "", 1)
	if without := bare(t, s.url("/"), "one()", "touched.join()"); with != without {
		t.Errorf("of the page's code ran %q; in a browser that nobody listens to %q", with, without)
	}
	e.OK("console", "clear")
	e.OK("runtime", "eval", "storm()")
	e.OK("console", "wait", "after the storm")
	out := e.OK("console", "list", "--limit", "1000")
	kept, _ := out["counts"].(map[string]any)["error"].(float64)
	dropped, _ := out["dropped"].(map[string]any)["error"].(float64)
	if kept+dropped != 5001 {
		t.Errorf("%v kept and %v dropped of 5001", kept, dropped)
	}
	if short := e.Text("console", "list"); len(short) > 16<<10 {
		t.Errorf("%d bytes of text", len(short))
	}
}
