package apps_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/apps"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// seen is what has to be found of an app in one build.
type seen struct {
	path string
	tree string // names in order, deeper ones after more dots
	// What is asked for by a component's name, or by the element of a target.
	inspect map[string]component
	// Values of scopes, "SCOPE PATH", before and after a click on Add.
	scopes        []string
	before, after map[string]string
	// A place that is set, and where the page then shows it.
	set [3]string
}

// component is what component inspect has to say; what is empty here is not told there.
type component struct {
	name, props, state, hooks, written, source string
}

const rope = `{"id":1,"text":"Buy rope","done":false}`

var frameworks = []seen{
	{
		path: "vue-pinia/",
		tree: "App .ErrandCounter .ErrandForm .RouterView ..KeepAlive ...ErrandHome ....ErrandItem .....RouterLink .ErrandLamp",
		inspect: map[string]component{
			"ErrandCounter": {name: "ErrandCounter", props: `{"step":1}`, state: `{"cart":{"$store":"pinia:cart"},"clicks":1,"sentence":"1 clicks"}`, written: "src/vue-pinia/ErrandCounter.vue"},
			"ErrandLamp":    {name: "ErrandLamp", props: `{"label":"Lamp"}`, state: `{"on":false,"word":"off"}`, written: "src/vue-pinia/ErrandLamp.vue"},
			"#root li":      {name: "ErrandItem", props: `{"todo":` + rope + `}`, written: "src/vue-pinia/ErrandItem.vue"},
			"#place":        {name: "ErrandLamp", props: `{"label":"Lamp"}`, state: `{"on":false,"word":"off"}`, written: "src/vue-pinia/ErrandLamp.vue"},
		},
		scopes: []string{"pinia:cart", "pinia:todos", "router"},
		before: map[string]string{"pinia:cart $getters": `{"doubled":0}`, "router name": `"home"`},
		after:  map[string]string{"pinia:cart count": "1", "pinia:cart $getters": `{"doubled":2}`, "pinia:todos": `{"list":[` + rope + `]}`},
		set:    [3]string{"pinia:todos", "list.0.text", `"Sell rope"`},
	},
	{
		path: "vue-pinia/prod",
		tree: "App .ErrandCounter .ErrandForm .RouterView ..KeepAlive ...ErrandHome ....ErrandItem .....RouterLink .ErrandLamp",
		inspect: map[string]component{
			"ErrandCounter": {name: "ErrandCounter", props: `{"step":1}`},
			"ErrandLamp":    {name: "ErrandLamp", props: `{"label":"Lamp"}`, state: `{"on":false,"word":"off"}`},
			"#root li":      {name: "ErrandItem", props: `{"todo":` + rope + `}`},
			"#place":        {name: "ErrandLamp", props: `{"label":"Lamp"}`, state: `{"on":false,"word":"off"}`},
		},
		scopes: []string{"pinia:cart", "pinia:todos", "router"},
		before: map[string]string{"pinia:cart count": "0", "router path": `"/"`},
		after:  map[string]string{"pinia:cart count": "1", "pinia:cart $getters": `{"doubled":2}`, "pinia:todos": `{"list":[` + rope + `]}`},
		set:    [3]string{"pinia:cart", "count", "7"},
	},
	{
		path: "svelte/",
		tree: "App .ErrandCounter .ErrandForm .ErrandItem",
		inspect: map[string]component{
			"ErrandCounter": {name: "ErrandCounter", source: "src/svelte/App.svelte:11:1", written: "src/svelte/ErrandCounter.svelte"},
			"#root li":      {name: "ErrandItem", source: "src/svelte/App.svelte:15:5", written: "src/svelte/ErrandItem.svelte"},
			"#root h1":      {name: "App", written: "src/svelte/App.svelte"},
		},
	},
	{path: "svelte/prod"},
	{
		path: "svelte4/",
		tree: "App .ErrandCounter .ErrandForm .ErrandItem",
		inspect: map[string]component{
			"ErrandForm": {name: "ErrandForm", written: "src/svelte4/ErrandForm.svelte"},
			"#root li":   {name: "ErrandItem", written: "src/svelte4/ErrandItem.svelte"},
		},
	},
	{path: "svelte4/prod"},
	{
		path: "angular/",
		tree: "App .ErrandCounter .ErrandForm .ErrandItem",
		inspect: map[string]component{
			"ErrandCounter": {name: "ErrandCounter", props: `{"step":1}`, state: `{"errands":{"$injected":"Errands"},"clicks":1,"sentence":"1 clicks"}`, written: "angular/app.ts:9"},
			"#root li":      {name: "ErrandItem", props: `{"todo":` + rope + `}`, written: "angular/app.ts:41"},
		},
		scopes: []string{"angular"},
		before: map[string]string{"angular Errands.count": "0", "angular App.title": `"Errands"`},
		after:  map[string]string{"angular Errands": `{"count":1,"todos":[` + rope + `],"doubled":2}`},
		set:    [3]string{"angular", "Errands.count", "7"},
	},
	{
		path: "angular/prod",
		tree: "errand-app .errand-counter .errand-form .errand-item",
		inspect: map[string]component{
			"#root li": {name: "errand-item"},
		},
	},
	preact("preact/", "src/preact/main.jsx"),
	preact("preact/prod", ""),
	preact("preact10/", "src/preact/main.jsx"),
	preact("preact10/prod", ""),
}

// preact is the same app over two versions; a production build has lost the names of its functions.
func preact(path, file string) seen {
	name, source := func(string) string { return "" }, func(int, int) string { return "" }
	tree := "? .? .? .? .? .?"
	if file != "" {
		name = func(name string) string { return name }
		source = func(line, column int) string { return fmt.Sprintf("%s:%d:%d", file, line, column) }
		tree = "App .ErrandCounter .ErrandForm .ErrandItem .ErrandLamp .ErrandPlace"
	}
	return seen{
		path: path,
		tree: tree,
		inspect: map[string]component{
			"#root h1":       {name: name("App"), props: `{"title":"Errands"}`, hooks: `[["useReducer",[` + rope + `]],["useEffect",[]]]`, source: source(74, 8)},
			"#root output":   {name: name("ErrandCounter"), props: `{"step":1}`, hooks: `[["useState",1],["useMemo","1 clicks"]]`, source: source(65, 7)},
			"#root input":    {name: name("ErrandForm"), props: `{"onSave":"ƒ"}`, hooks: `[["useState",""],["useRef","<input>"]]`, source: source(66, 7)},
			"#root li":       {name: name("ErrandItem"), props: `{"todo":` + rope + `}`, source: source(67, 32)},
			"#place":         {name: name("ErrandPlace"), props: `{}`, hooks: `[["useContext","Lisbon"]]`, source: source(69, 7)},
			"text=Lamp: off": {name: name("ErrandLamp"), props: `{"label":"Lamp"}`, state: `{"on":false}`, source: source(68, 7)},
		},
		scopes: []string{"signals"},
		before: map[string]string{"signals": `{"count":0,"doubled":0}`},
		after:  map[string]string{"signals": `{"count":1,"doubled":2}`},
		set:    [3]string{"signals", "count", "7"},
	}
}

// What is found of each framework in a development and a production build, without a trace
// on the page: the table of docs/inside.md.
func TestFrameworks(t *testing.T) {
	site := httptest.NewServer(apps.Handler())
	defer site.Close()
	browser, err := chromium.Find()
	if err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	one := commandtest.New(t)
	if err := errors.Join(os.Mkdir(one.File("config"), 0o700), os.WriteFile(one.File("config/config.toml"), []byte("allow = [\"state\"]\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	one.OK("session", "start", "--headless", "--executable", browser)
	for _, want := range frameworks {
		t.Run(strings.TrimSuffix(want.path, "/"), func(t *testing.T) {
			e := *one
			e.T = t
			e.OK("page", "navigate", site.URL+"/"+want.path)
			browsertest.Until(t, time.Minute, "the app is there", func() bool { return e.Eval("document.querySelector('#root li') !== null") == true })

			checkValues(t, &e, want.before)
			e.OK("element", "click", `button "Add"`)
			browsertest.Until(t, time.Minute, "the click is shown", func() bool { return e.Eval("document.querySelector('output').textContent") == "1" })
			untouched := e.Eval(properties)

			checkTree(t, &e, want.tree)
			checkScopes(t, &e, want.scopes)
			checkValues(t, &e, want.after)
			for target, wanted := range want.inspect {
				checkComponent(t, &e, target, wanted)
			}

			if now := e.Eval(properties); now != untouched {
				t.Errorf("elements or the window have changed\nbefore %s\nafter  %s", untouched, now)
			}
			if scope := want.set[0]; scope != "" {
				e.OK("state", "set", scope, want.set[1], want.set[2])
				shown := strings.Trim(want.set[2], `"`)
				browsertest.Until(t, time.Minute, "what was set is shown", func() bool {
					return strings.Contains(e.Eval("document.querySelector('#root').innerText").(string), shown)
				})
			}
			if lines, _ := e.OK("console", "list")["lines"].([]any); len(lines) > 0 {
				t.Errorf("the console has lines: %v", lines)
			}
		})
	}
}

// properties is all that hangs on the window and on elements, with what kind each is.
const properties = `JSON.stringify([Object.getOwnPropertyNames(window).sort(), ...[...document.querySelectorAll('*')].map((element) =>
	element.localName + ' ' + Reflect.ownKeys(element).map((key) => String(key) + ':' + typeof element[key]).sort())])`

func checkTree(t *testing.T, e *commandtest.Env, want string) {
	t.Helper()
	if want == "" {
		e.Fails("CAPABILITY_MISSING", 9, "component", "tree")
		return
	}
	rows, _ := e.OK("component", "tree")["rows"].([]any)
	var names []string
	for _, row := range rows {
		row, _ := row.(map[string]any)
		depth, _ := row["depth"].(float64)
		names = append(names, strings.Repeat(".", int(depth))+row["name"].(string))
	}
	wanted := strings.Fields(want)
	fits := len(names) == len(wanted)
	for i := 0; fits && i < len(names); i++ {
		dots, anyName := strings.CutSuffix(wanted[i], "?")
		fits = names[i] == wanted[i] || anyName && strings.HasPrefix(names[i], dots) && names[i][len(dots)] != '.'
	}
	if !fits {
		t.Errorf("the tree is %v, not %v", names, wanted)
	}
}

func checkComponent(t *testing.T, e *commandtest.Env, target string, want component) {
	t.Helper()
	got := e.OK("component", "inspect", target)
	if want.name != "" && got["name"] != want.name {
		t.Errorf("%s is %v, not %s", target, got["name"], want.name)
	}
	if hooks, ok := got["hooks"].([]any); ok {
		pairs := []any{}
		for _, hook := range hooks {
			hook, _ := hook.(map[string]any)
			pairs = append(pairs, []any{hook["name"], hook["value"]})
		}
		got["hooks"] = pairs
	}
	for field, wanted := range map[string]string{"props": want.props, "state": want.state, "hooks": want.hooks} {
		if !sameJSON(got[field], wanted) {
			t.Errorf("%s: %s of %s are %v, not %s", target, field, got["name"], jsonOf(got[field]), wanted)
		}
	}
	for field, wanted := range map[string]string{"written": want.written, "source": want.source} {
		if place, _ := got[field].(string); place != wanted {
			t.Errorf("%s: %s is %q, not %q", target, field, place, wanted)
		}
	}
}

func checkScopes(t *testing.T, e *commandtest.Env, want []string) {
	t.Helper()
	scopes, _ := e.OK("state", "list")["scopes"].([]any)
	var names []string
	for _, scope := range scopes {
		scope, _ := scope.(map[string]any)
		names = append(names, scope["scope"].(string))
	}
	if !slices.Equal(names, want) {
		t.Errorf("the scopes are %v, not %v", names, want)
	}
}

func checkValues(t *testing.T, e *commandtest.Env, values map[string]string) {
	t.Helper()
	for place, want := range values {
		got := e.OK(append([]string{"state", "get"}, strings.Fields(place)...)...)["value"]
		if !sameJSON(got, want) {
			t.Errorf("%s is %s, not %s", place, jsonOf(got), want)
		}
	}
}

func sameJSON(got any, want string) bool {
	var wanted any
	if want != "" && json.Unmarshal([]byte(want), &wanted) != nil {
		return false
	}
	return reflect.DeepEqual(got, wanted)
}

func jsonOf(value any) string {
	text, _ := json.Marshal(value) // it was JSON
	return string(text)
}

// A page that was there before the person connected it: its stores are found and followed,
// and Disconnect leaves nothing.
func TestFrameworksAfterTheFact(t *testing.T) {
	site := httptest.NewServer(apps.Handler())
	defer site.Close()
	browser := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := browser.OpenTab(site.URL + "/vue-pinia/")
	for _, app := range []struct{ path, scope, place string }{
		{"vue-pinia/prod", "pinia:cart", "count"},
		{"angular/", "angular", "Errands.count"},
		{"preact/prod", "signals", "count"},
	} {
		t.Run(strings.ReplaceAll(app.path, "/", "-"), func(t *testing.T) {
			tab.Navigate(site.URL + "/" + app.path)
			tab.Await("document.querySelector('#root li') !== null")
			before := tab.Text(properties)
			watchers := tab.Text(vueWatchers)

			browser.Connect(tab, "observe")
			e := commandtest.User(t, browser)
			e.AwaitPages(1)
			// Its first line is the value before the click.
			watch := e.Command("state", "watch", app.scope, "--until", app.place+"=1", "--timeout", "60000")
			output, err := watch.StdoutPipe()
			if err != nil || watch.Start() != nil {
				t.Fatal("state watch does not start", err)
			}
			lines := bufio.NewReader(output)
			if _, err := lines.ReadString('\n'); err != nil {
				t.Errorf("state watch says nothing: %v", err)
			}
			tab.Click("#root button")
			told, _ := io.ReadAll(lines)
			if err := watch.Wait(); err != nil || strings.Count(string(told), "\n") < 2 {
				t.Errorf("the click was not told: %v %s", err, told)
			}
			e.OK("component", "tree")

			browser.Disconnect(tab)
			tab.Await(fmt.Sprintf("(%s) === %q", properties, before))
			tab.Await(fmt.Sprintf("(%s) === %q", vueWatchers, watchers))
		})
	}
}

// vueWatchers counts the effects in the scopes of Pinia's stores.
const vueWatchers = `String(document.querySelector('#root').__vue_app__?.config.globalProperties.$pinia._e.scopes.map((scope) => scope.effects.length))`

// What a page can put where the frameworks put theirs: the inspector says what there is, in
// time, and neither it nor the page breaks.
func TestFrameworksHostile(t *testing.T) {
	e := commandtest.Managed(t)
	e.HTML(`<form id="root"><input name="parentNode"><input name="shadowRoot"><input name="localName"><input name="getRootNode"><p>text</p></form>
		<div id="cycle"></div><div id="proxy"></div><div id="svelte"></div><my-app ng-version="21"></my-app>`)
	e.Eval(`(() => {
		const fail = () => { throw new Error('not for you'); };
		const evil = new Proxy(() => 0, Object.fromEntries(Reflect.ownKeys(Reflect).filter((key) => typeof Reflect[key] === 'function').map((key) => [key, fail])));
		const [root, cycle, proxy, svelte, app] = ['root', 'cycle', 'proxy', 'svelte'].map((id) => document.getElementById(id)).concat(document.querySelector('my-app'));
		// An app whose vnodes never end, and whose values fight back.
		const bag = { get loud() { return fail(); }, evil };
		bag.self = bag;
		const vnode = { type: Symbol('Fragment'), el: root.lastElementChild };
		const instance = { uid: 1, type: { name: 'Endless' }, props: bag, setupState: evil, data: bag, ctx: evil, subTree: vnode, vnode: { key: 'k' } };
		instance.parent = instance;
		vnode.children = [vnode, { type: {}, component: instance }, vnode];
		root.__vue_app__ = { _instance: instance, _context: { config: { globalProperties: {
			$pinia: { _s: new Map([['loop', evil], ['own', { $id: 'own' }]]), state: evil }, $router: { currentRoute: { __v_isRef: true, get value() { return fail(); } } },
		} }, provides: evil } };
		proxy.__vue_app__ = evil;
		const loop = { type: function Loop() {}, props: bag, __v: 1, key: null };
		loop.__c = { props: bag, __v: loop, __H: { __: [evil, bag, {}] }, state: evil };
		loop.__ = loop;
		loop.__k = [loop, loop];
		cycle.__k = { type: fail, props: bag, __v: 1, __k: [loop] };
		proxy.__k = evil;
		const entry = { type: 'component', componentTag: 'Round', file: 'a.svelte' };
		entry.parent = entry;
		svelte.__svelte_meta = { loc: { file: 'b.svelte' }, parent: entry };
		app.__svelte_meta = evil;
		app.__ngContext__ = 0;
		window.ng = { getComponent: fail, getInjector: () => evil, isSignal: fail };
		return 0;
	})()`)
	for _, target := range []string{"Endless", "Loop"} {
		if rows := jsonOf(e.OK("component", "tree")["rows"]); !strings.Contains(rows, target) {
			t.Errorf("the tree is %.500s", rows)
		}
		if got := e.OK("component", "inspect", target)["name"]; got != target {
			t.Errorf("%s is %v", target, got)
		}
		if scopes, _ := e.OK("state", "list")["scopes"].([]any); target == "Endless" && len(scopes) == 0 {
			t.Error("no scope of the page is told")
		}
		for _, target := range []string{"#root p", "#svelte", "my-app"} {
			if answer := e.Run("component", "of", target); !answer.OK && answer.Code != "ELEMENT_NOT_FOUND" && answer.Code != "CAPABILITY_MISSING" {
				t.Errorf("%s: %s", target, answer.Stdout)
			}
		}
		e.Eval("delete document.getElementById('root').__vue_app__") // it takes the whole tree
	}
	if lines, _ := e.OK("console", "list")["lines"].([]any); len(lines) > 0 {
		t.Errorf("the console has lines: %v", lines)
	}
	if e.Eval("1 + 1") != 2.0 {
		t.Error("the page does not work any more")
	}
}
