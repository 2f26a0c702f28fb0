package apps_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/apps"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

const errandsSource = "/src/react-hooks/main.jsx"

// reacts are the React apps; a production build has lost the names and the sources.
var reacts = []struct {
	path, tree string
	inspect    map[string]component
}{
	{
		path: "react-hooks/",
		tree: "App .TodoForm ..Field .TodoItem .Toggle .Place",
		inspect: map[string]component{
			"App": {
				name: "App", props: `{"title":"Errands"}`, source: errandsSource + ":78:52", written: errandsSource + ":64:5",
				hooks: `[["useReducer",{"count":0,"todos":[` + rope + `]}],["useMemo",0],["useEffect",{"deps":[]}]]`,
			},
			"TodoForm": {
				name: "TodoForm", props: `{"onSave":"ƒ onSave"}`, source: errandsSource + ":70:7", written: errandsSource + ":37:5",
				hooks: `[["useState",""],["useRef",0],["useRef","<input>"]]`,
			},
			"Field":    {name: "Field", props: `{"value":"","onEdit":"ƒ","ref":{"current":"<input>"}}`, source: errandsSource + ":38:7", written: errandsSource + ":30:10"},
			"TodoItem": {name: "TodoItem", props: `{"todo":` + rope + `}`, source: errandsSource + ":71:38", written: errandsSource + ":44:10"},
			"Toggle":   {name: "Toggle", props: `{"label":"Lamp"}`, state: `{"on":false}`, source: errandsSource + ":72:7", written: errandsSource + ":50:12"},
			"#place":   {name: "Place", props: `{}`, hooks: `[["useContext(Harbour)","Lisbon"]]`, source: errandsSource + ":73:7", written: errandsSource + ":56:10"},
		},
	},
	{
		path: "react-hooks/prod",
		tree: "? .? ..? .? .? .?",
		inspect: map[string]component{
			"#root h1":               {props: `{"title":"Errands"}`, hooks: `[["useReducer",{"count":0,"todos":[` + rope + `]}],["useMemo",0],["useEffect",{"deps":[]}]]`},
			"css=#root form":         {props: `{"onSave":"ƒ onSave"}`, hooks: `[["useState",""],["useRef",0],["useRef","<input>"]]`},
			"#root li":               {props: `{"todo":` + rope + `}`},
			`button "Lamp: off"`:     {props: `{"label":"Lamp"}`, state: `{"on":false}`},
			"#place":                 {props: `{}`, hooks: `[["useContext(Harbour)","Lisbon"]]`},
			"css=#root form > input": {props: `{"value":"","onEdit":"ƒ","ref":{"current":"<input>"}}`},
		},
	},
	{
		path: "react-zustand/",
		tree: "App .Counter .TodoForm .TodoList .Theme .Clock",
		inspect: map[string]component{
			"Clock": {
				name: "Clock", props: `{"timer":"{Timer}"}`, source: "/src/react-zustand/main.jsx:70:17", written: "/src/react-zustand/main.jsx:61:10",
			},
		},
	},
	{
		path: "react-redux/",
		tree: "Provider .QueryClientProvider ..App ...Counter ...TodoForm ...RouterProvider ....Router .....? ......RenderErrorBoundary .......RenderedRoute ........Home .........TodoList ..........TodoItem ...Items",
	},
	{path: "react-redux/prod", tree: "? .? ..? ...? ...? ...? ....? .....? ......? .......? ........? .........? ..........? ...?"},
}

func TestReactComponents(t *testing.T) {
	t.Parallel()
	site := serve(t)
	e := commandtest.Managed(t)
	for _, app := range reacts {
		t.Run(app.path, func(t *testing.T) {
			e := on(e, t)
			e.OK("page", "navigate", site+"/"+app.path)
			e.OK("page", "wait-selector", "#root button")
			checkTree(t, e, app.tree)
			for target, want := range app.inspect {
				got := e.OK("component", "inspect", target)
				if want.hooks == "" { // those of a library are its own affair
					want.hooks = hooksText(got)
				}
				checkComponent(t, e, target, want)
				if build := map[bool]string{true: "production", false: "development"}[strings.HasSuffix(app.path, "prod")]; got["build"] != build {
					t.Errorf("%s is of a %v build", target, got["build"])
				}
			}
			quietConsole(t, e)
		})
	}

	t.Run("of", func(t *testing.T) {
		e := on(e, t)
		e.OK("page", "navigate", site+"/react-hooks/")
		e.OK("element", "fill", `textbox "New todo"`, "Sell rope")
		e.OK("element", "click", `button "Save"`)
		text := e.Text("component", "of", "css=#root li:nth-child(2)")
		if !strings.HasPrefix(text, "TodoItem key=2 e") || !strings.Contains(text, " used at "+errandsSource+":71:38 written at "+errandsSource+":44:10\nin App used at ") {
			t.Errorf("component of says\n%s", text)
		}
		// Rendered again, it is read as it is now, by element as by name.
		for _, target := range []string{"TodoItem#2", "css=#root li:nth-child(2)"} {
			got := e.OK("component", "inspect", target)
			if props := jsonOf(got["props"]); !strings.Contains(props, "Sell rope") || got["key"] != "2" {
				t.Errorf("%s has %s and key %v", target, props, got["key"])
			}
		}
		if hooks := hooksText(e.OK("component", "inspect", "App")); !strings.Contains(hooks, "Sell rope") {
			t.Errorf("App has %s", hooks)
		}
		tree := e.Text("component", "tree")
		if !strings.Contains(tree, "\n  TodoForm e") || !strings.Contains(tree, "\n  TodoItem ×2 key=1 e") {
			t.Errorf("the tree is\n%s", tree)
		}
		named := e.Text("component", "tree", "--name", "item")
		if !strings.Contains(named, "TodoItem ×2 key=1 e") || !strings.Contains(named, " in App") {
			t.Errorf("by name it is\n%s", named)
		}
		within := e.OK("component", "tree", "--ref", "css=#root form", "--depth", "0")
		if rows := jsonOf(within["rows"]); !strings.Contains(rows, `"hidden":1`) || !strings.Contains(rows, "TodoForm") {
			t.Errorf("the form's tree is %s", rows)
		}
		lost := e.Fails("ELEMENT_NOT_FOUND", 3, "component", "inspect", "TodoIten")
		if near := jsonOf(lost.Error.Details["nearest"]); !strings.HasPrefix(near, `["TodoItem`) {
			t.Errorf("near to TodoIten is %s", near)
		}
		e.Fails("ELEMENT_NOT_FOUND", 3, "component", "inspect", "css=body")
	})
}

func hooksText(got map[string]any) string {
	hooks, _ := got["hooks"].([]any)
	if hooks == nil {
		return ""
	}
	pairs := []any{}
	for _, hook := range hooks {
		hook, _ := hook.(map[string]any)
		pairs = append(pairs, []any{hook["name"], hook["value"]})
	}
	return jsonOf(pairs)
}

// hostile is a page that puts into its elements what only looks like React's.
const hostile = `<!doctype html><title>hostile</title><link rel=icon href=data:,><div id=root></div><script>
const fiber = (type, more) => ({ tag: 0, key: null, type, elementType: type, stateNode: null, return: null, child: null, sibling: null, alternate: null,
	memoizedProps: {}, memoizedState: null, dependencies: null, ...more });
const under = (parent, ...children) => {
	children.forEach((child, i) => { child.return = parent; child.sibling = children[i + 1] ?? null; });
	parent.child = children[0];
	return parent;
};
const angry = new Proxy(function () {}, Object.fromEntries(Object.getOwnPropertyNames(Reflect).map((trap) => [trap, () => { throw new Error('no'); }])));
function Getter() {} function Cyclic() {} function Proxied() {} function Secret() {} function Ring() {} function Deep() {} function Links() {}
const cycle = { name: 'cycle' };
cycle.self = cycle;
const link = { memoizedState: 'x', baseState: null, queue: null };
link.next = link;
const root = { current: under(fiber(null, { tag: 3, memoizedState: { element: 1 } }),
	fiber(Getter, { memoizedProps: { get boom() { throw new Error('read'); }, fine: 1 } }),
	fiber(Cyclic, { memoizedProps: { cycle } }),
	fiber(Proxied, { memoizedProps: { angry }, memoizedState: angry }),
	fiber(Secret, { memoizedProps: { password: 'hunter2', note: 'x'.repeat(100000), ref: 'e1' } }),
	fiber(Links, { memoizedState: link }),
	(() => {
		const top = fiber(Deep);
		let at = top;
		for (let i = 0; i < 10000; i++) { const next = fiber(Deep, { return: at }); at.child = next; at = next; }
		return top;
	})(),
	fiber(angry), fiber({ $$typeof: Symbol('react.forward_ref'), get displayName() { throw new Error('named'); } }),
) };
root.current.stateNode = root;
document.querySelector('#root').__reactContainer$x = root.current;
window.ring = () => { const last = fiber(Ring, { return: root.current }); last.sibling = last; last.child = last; root.current.child = last; };
</script>`

// early makes a store that no component knows.
const early = `<!doctype html><title>early</title><script>
const createStore = (reducer, state) => {
	const listeners = new Set();
	return {
		getState: () => state,
		dispatch(action) { state = reducer(state, action); for (const each of listeners) each(); return action; },
		subscribe(listener) { listeners.add(listener); return () => listeners.delete(listener); },
		replaceReducer() {},
	};
};
const compose = window.__REDUX_DEVTOOLS_EXTENSION_COMPOSE__ ?? (() => (create) => create);
const log = (create) => (...args) => create(...args);
window.store = compose({ name: 'harbour' })(log)(createStore)((state, { by }) => ({ ships: state.ships + by }), { ships: 1 });
</script>`

func hostileSite(t *testing.T) string {
	mux := http.NewServeMux()
	mux.Handle("/", apps.Handler())
	for path, body := range map[string]string{
		"/page/hostile": hostile, "/page/early": early, "/page/plain": "<!doctype html><title>plain</title><h1>Plain</h1>",
		"/page/framed": `<!doctype html><title>framed</title><h1>Outside</h1><iframe src="/react-hooks/"></iframe>`,
	} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(body))
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestHostileComponents(t *testing.T) {
	t.Parallel()
	site := hostileSite(t)
	e := commandtest.Managed(t)

	e.OK("page", "navigate", site+"/page/hostile")
	tree := e.OK("component", "tree")
	if count, _ := tree["components"].(float64); count < 10_000 {
		t.Errorf("%v components", count)
	}
	for name, want := range map[string]string{
		"Getter":  `{"boom":"[getter]","fine":1}`,
		"Cyclic":  `{"cycle":{"name":"cycle","self":{"name":"cycle","self":{"name":"cycle","self":"{Object}"}}}}`,
		"Proxied": `{"angry":"ƒ"}`,
	} {
		if props := e.OK("component", "inspect", name)["props"]; !sameJSON(props, want) {
			t.Errorf("%s: %s", name, jsonOf(props))
		}
	}
	secret := jsonOf(e.OK("component", "inspect", "Secret")["props"])
	if strings.Contains(secret, "hunter2") || len(secret) > 1000 || !strings.Contains(secret, `"ref":"e1"`) {
		t.Errorf("Secret: %s", secret)
	}
	e.OK("component", "inspect", "Links")
	e.OK("component", "inspect", "Deep#10001")
	e.OK("state", "list")
	e.Eval("ring()")
	if tree := e.OK("component", "tree"); tree["more"] != true {
		t.Errorf("a ring has %v components and no more", tree["components"])
	}
	e.OK("state", "list")
	quietConsole(t, e)

	e.OK("page", "navigate", site+"/page/early")
	if ships := e.OK("state", "get", "redux:harbour", "ships")["value"]; ships != 1.0 {
		t.Errorf("%v ships", ships)
	}
	e.Eval("store.dispatch({ type: 'came', by: 2 })")
	if ships := e.OK("state", "get", "redux:harbour", "ships")["value"]; ships != 3.0 {
		t.Errorf("%v ships after two came", ships)
	}

	e.OK("page", "navigate", site+"/page/plain")
	none := e.Fails("CAPABILITY_MISSING", 9, "component", "tree")
	if looked := jsonOf(none.Error.Details["looked"]); !strings.Contains(looked, `"react"`) {
		t.Errorf("looked for %s", looked)
	}

	e.OK("page", "navigate", site+"/page/framed")
	e.OK("page", "wait-selector", "iframe")
	browsertest.Until(t, browsertest.Patience, "the frame's components", func() bool { return e.Run("component", "tree", "--frame", "f1").OK })
	place, _ := e.OK("component", "inspect", "Place", "--frame", "f1")["ref"].(string)
	if !strings.HasPrefix(place, "f1e") {
		t.Fatalf("Place is %q", place)
	}
	if name := e.OK("component", "inspect", place)["name"]; name != "Place" {
		t.Errorf("%s is of %v", place, name)
	}
}

// left is what of us hangs on a window: own properties and inherited ones.
const left = `['__REACT_DEVTOOLS_GLOBAL_HOOK__', '__REDUX_DEVTOOLS_EXTENSION__', '__REDUX_DEVTOOLS_EXTENSION_COMPOSE__'].filter((name) => name in window).join()`

// What was installed ahead of the page is gone when the tab is disconnected, and the app goes on.
func TestReactHooksUndone(t *testing.T) {
	t.Parallel()
	site := serve(t)
	browser := browsertest.Start(t, browsertest.Options{Extension: true})
	browser.WorkerEval(`chrome.storage.local.set({alwaysSites: [{site: '127.0.0.1', level: 'observe', suspended: false}]}).then(() => true)`, nil)
	browsertest.Until(t, browsertest.Patience, "scripts are registered", func() bool {
		var count int
		browser.WorkerEval(`chrome.scripting.getRegisteredContentScripts().then((all) => all.length)`, &count)
		return count >= 3
	})
	e := commandtest.User(t, browser)
	tab := browser.OpenTab(site + "/react-redux/")
	tab.Await("document.querySelector('#root li') !== null")
	e.AwaitPages(1)
	if found := tab.Text(left); strings.Count(found, ",") != 2 {
		t.Errorf("only %q are there for the app to find", found)
	}
	var own []string
	tab.Eval("Object.getOwnPropertyNames(window).filter((name) => /DEVTOOLS/.test(name))", &own)
	if len(own) > 0 {
		t.Errorf("%v would keep React's own tools away", own)
	}
	if value := e.OK("state", "get", "redux", "counter.value")["value"]; value != 0.0 {
		t.Errorf("the counter is %v", value)
	}
	e.OK("component", "tree")
	browser.Disconnect(tab)
	tab.Await(left + " === ''")
	tab.Click("#root button")
	tab.Await("document.querySelector('#root output').textContent === '1'")
}
