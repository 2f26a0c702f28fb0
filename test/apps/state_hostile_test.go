package apps_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// hostileStates are pages that want to break, fool or use the inspector.
var hostileStates = map[string]string{
	// Whatever the page replaces after the inspector took its own.
	"overrides": `
		const no = () => { throw new Error('no') };
		JSON.stringify = () => '"forged"'; JSON.parse = () => ({ id: 1, op: 'state.read', args: {} });
		Object.prototype.toJSON = () => 'forged';
		for (const name of ['push', 'map', 'filter', 'concat', 'slice', 'join', 'forEach', 'some', 'includes']) Array.prototype[name] = no;
		for (const name of ['split', 'replace', 'slice', 'startsWith', 'toWellFormed']) String.prototype[name] = no;
		for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent']) EventTarget.prototype[name] = no;
		Function.prototype.apply = Function.prototype.call = Function.prototype.bind = no;
		Object.keys = Object.entries = Reflect.ownKeys = Object.getOwnPropertyDescriptor = no;
		Promise.prototype.then = function (done) { done?.('forged') };
		globalThis.CustomEvent = globalThis.MouseEvent = no;
		window.__debugBridgeState = { n: 1, text: 'a"\n' };`,
	"accessors": `
		window.ran = 0;
		window.__debugBridgeState = {
			ok: 1, get bad() { ran++; throw 1 }, get loop() { ran++; for (;;); },
			inner: Object.defineProperty({}, 'toJSON', { value() { ran++; return 'forged' }, enumerable: false }),
			[Symbol.toPrimitive]() { ran++; }, toString() { ran++; },
		};`,
	"proxies": `
		const endless = () => new Proxy({}, {
			get: (_, key) => key === 'then' ? undefined : endless(), ownKeys: () => ['a', 'b'],
			getOwnPropertyDescriptor: () => ({ value: endless(), enumerable: true, configurable: true }),
		});
		const throwing = new Proxy({}, { get() { throw 1 }, ownKeys() { throw 2 }, getPrototypeOf() { throw 3 } });
		const revoked = Proxy.revocable([], {}); revoked.revoke();
		window.__debugBridgeState = { ok: 1, throwing, revoked: revoked.proxy, endless: endless() };`,
	"huge": `
		window.__debugBridgeState = { ok: 1, list: Array.from({ length: 200000 }, (_, id) => ({ id, text: 'x'.repeat(250) })) };`,
	"pollution": `
		window.__debugBridgeState = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"ok":1}');`,
	"values": `
		class Cart { constructor() { this.total = 3; this.hidden = undefined } get sum() { return 1 } }
		const self = { list: [] }; self.list.push(self);
		window.__debugBridgeState = {
			cart: new Cart(), self, when: new Date(0), never: new Date(NaN), expression: /a\/b/gi, big: 12n, symbol: Symbol('s'),
			call: function run() {}, map: new Map([['k', { a: 1 }]]), pairs: new Map([[1, 2]]), set: new Set(['a']), bytes: new Uint8Array(4),
			buffer: new ArrayBuffer(8), promise: Promise.resolve(1), error: new TypeError('bad'), node: document.body, nan: NaN, minus: -Infinity,
			nothing: undefined, nil: null, lone: '\ud800x', list: [undefined, , 1], own: Object.create(null, { a: { value: 1, enumerable: true } }),
		};`,
	// Lines of the inspector, forged by a page that hears everything.
	"forger": `
		window.__debugBridgeState = { ok: 1 };
		const target = window.visualViewport, heard = new Set(), { dispatchEvent } = EventTarget.prototype;
		EventTarget.prototype.dispatchEvent = function (event) {
			heard.add(event.type);
			return dispatchEvent.call(this, event);
		};
		window.forge = () => {
			for (const type of [...heard, 'debug-bridge:app', 'debug-bridge:app!', 'debug-bridge:app?']) {
				for (const detail of ['{', '[]', 'null', '{"id":1,"value":{}}', '{"kind":"state","value":{"scope":"__proto__","source":"x","value":{"evil":1}}}',
					'{"kind":"state","value":7}', '{"id":2,"fault":"x","message":{}}', 7, null]) dispatchEvent.call(target, new CustomEvent(type, { detail }));
			}
			return [...heard];
		};`,
}

// serveHostile serves each page; document.title says that it is done.
func serveHostile(t testing.TB) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		script, ok := hostileStates[strings.Trim(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!doctype html><title>hostile</title><link rel=icon href=data:,><body><button>Press</button><script>{%s}</script>", script)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestStateOfHostilePages(t *testing.T) {
	t.Parallel()
	site := serveHostile(t)
	e := commandtest.Managed(t)
	open := func(t *testing.T, page string) *commandtest.Env {
		t.Helper()
		e := on(e, t)
		e.OK("page", "navigate", site+"/"+page)
		awaitScope(t, e, "custom")
		return e
	}
	t.Run("overrides", func(t *testing.T) {
		e := open(t, "overrides")
		want := map[string]any{"n": 1.0, "text": "a\"\n"}
		if got := value(e, "custom", ""); !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if got := value(e, "window:__debugBridgeState.n", ""); got != 1.0 {
			t.Errorf("by path: %v", got)
		}
		e.OK("element", "click", `button "Press"`)
	})
	t.Run("accessors", func(t *testing.T) {
		e := open(t, "accessors")
		got := value(e, "custom", "").(map[string]any)
		mark := map[string]any{"$getter": true}
		if got["ok"] != 1.0 || !reflect.DeepEqual(got["bad"], mark) || !reflect.DeepEqual(got["loop"], mark) {
			t.Errorf("%v", got)
		}
		e.Fails("ELEMENT_NOT_FOUND", 3, "state", "get", "custom", "nothing.there")
		e.Fails("VALIDATION_ERROR", 2, "state", "get", "window:__debugBridgeState.bad")
		if n := e.Eval("ran"); n != 0.0 {
			t.Errorf("%v functions of the page ran", n)
		}
	})
	t.Run("proxies", func(t *testing.T) {
		e := open(t, "proxies")
		got := value(e, "custom", "").(map[string]any)
		unreadable := map[string]any{"$unreadable": true}
		if got["ok"] != 1.0 || !reflect.DeepEqual(got["throwing"], unreadable) || !reflect.DeepEqual(got["revoked"], unreadable) || got["endless"] == nil {
			t.Errorf("%.500v", got)
		}
	})
	t.Run("huge", func(t *testing.T) {
		e := open(t, "huge")
		answer := e.OK("state", "get", "custom")
		list := answer["value"].(map[string]any)["list"].([]any)
		if answer["cuts"] == nil || len(list) < 10 || len(list) > 2001 {
			t.Errorf("%d items, cuts %v", len(list), answer["cuts"])
		}
		if got := value(e, "custom", "list.199999.id"); got != 199999.0 {
			t.Errorf("by path: %v", got)
		}
	})
	t.Run("pollution", func(t *testing.T) {
		e := open(t, "pollution")
		got := value(e, "custom", "").(map[string]any)
		if !reflect.DeepEqual(got["__proto__"], map[string]any{"polluted": 1.0}) || got["ok"] != 1.0 {
			t.Errorf("%v", got)
		}
		if e.Eval("({}).polluted") != nil {
			t.Error("the page's prototype is polluted")
		}
	})
	t.Run("values", func(t *testing.T) {
		e := open(t, "values")
		got := value(e, "custom", "").(map[string]any)
		type object = map[string]any
		wanted := object{
			"cart": object{"$class": "Cart", "total": 3.0}, "self": object{"list": []any{object{"$cycle": "/self"}}},
			"when": object{"$date": "1970-01-01T00:00:00.000Z"}, "never": object{"$date": "Invalid Date"}, "expression": object{"$regexp": `/a\/b/gi`},
			"big": object{"$bigint": "12"}, "symbol": object{"$symbol": "Symbol(s)"}, "call": object{"$function": "run"},
			"map": object{"$map": object{"k": object{"a": 1.0}}}, "pairs": object{"$map": []any{[]any{1.0, 2.0}}}, "set": object{"$set": []any{"a"}},
			"bytes": object{"$bytes": 4.0, "of": "Uint8Array"}, "buffer": object{"$bytes": 8.0, "of": "ArrayBuffer"}, "promise": object{"$promise": ""},
			"error": object{"$error": "TypeError: bad"}, "node": object{"$node": "BODY"}, "nan": object{"$number": "NaN"}, "minus": object{"$number": "-Infinity"},
			"nil": nil, "lone": "\ufffdx", "list": []any{nil, nil, 1.0}, "own": object{"a": 1.0},
		}
		for key, want := range wanted {
			if !reflect.DeepEqual(got[key], want) {
				t.Errorf("%s is %v, want %v", key, got[key], want)
			}
		}
		if _, there := got["nothing"]; there {
			t.Error("undefined is told")
		}
	})
	t.Run("forger", func(t *testing.T) {
		e := open(t, "forger")
		since := last(e)
		e.Eval("void forge()")
		e.OK("element", "click", `button "Press"`)
		if got := value(e, "custom", "ok"); got != 1.0 {
			t.Errorf("%v", got)
		}
		// Page script that hears the inspector may speak as it: that is data of the page, of a scope it named.
		for _, u := range told(t, e, since) {
			if u.Scope != "custom" && u.Scope != "__proto__" {
				t.Errorf("a scope %q", u.Scope)
			}
		}
		if e.Eval("({}).evil") != nil {
			t.Error("the page's prototype is polluted")
		}
	})
}

// A page that replaced all before the inspector came: nothing of it breaks the bridge,
// and what cannot be read is refused.
func TestStateOfAPageThatWasFirst(t *testing.T) {
	t.Parallel()
	site := serveHostile(t)
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	e := commandtest.User(t, env)
	tab := env.OpenTab(site + "/overrides")
	env.Connect(tab, "act")
	e.AwaitPages(1)
	answer := e.Run("state", "get", "custom", "--timeout", "20000")
	if answer.Code != "" && answer.Code != "CAPABILITY_MISSING" && answer.Code != "TIMEOUT" && answer.Code != "ELEMENT_NOT_FOUND" {
		t.Errorf("%s", answer.Stdout)
	}
	e.OK("element", "click", `button "Press"`)
	browsertest.Until(t, time.Minute, "a snapshot", func() bool { return e.Run("capture", "snapshot").OK })
}
