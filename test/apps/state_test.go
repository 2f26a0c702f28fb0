package apps_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/apps"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// scopes are stores of the sample apps that burst changes, with the path of the count
// and the scopes that stand beside.
var scopes = []struct {
	app, scope, path string
	beside           []string
	development      bool // found in that build alone
}{
	{app: "react-redux", scope: "redux", path: "counter.value", beside: []string{"react", "query", "router"}},
	{app: "react-zustand", scope: "zustand", path: "count", beside: []string{"jotai", "react"}},
	{app: "react-hooks", scope: "react", path: ""},
	{app: "vue-pinia", scope: "pinia:cart", path: "count", beside: []string{"pinia:todos", "router"}},
	{app: "angular", scope: "angular", path: "Errands.count", development: true},
	{app: "preact", scope: "signals", path: "count"},
}

// updates are made at 1,000 a second, more of them in one build.
func updates(app, build string) int {
	if app == "react-redux" && build == "prod" {
		return 3000
	}
	return 800
}

// own are lines that frameworks print by themselves in a development build.
var own = []string{"Download the React DevTools", "<Suspense> is an experimental feature", "Angular is running in development mode", "InvariantMiddleware took"}

// update is a state_update of the log.
type update struct {
	Scope       string           `json:"scope"`
	FrameID     string           `json:"frameId"`
	RequestID   string           `json:"requestId"`
	Timestamp   int64            `json:"timestamp"`
	Version     int              `json:"version"`
	BaseVersion int              `json:"baseVersion"`
	State       any              `json:"state"`
	Patch       []map[string]any `json:"patch"`
	Gone        bool             `json:"gone"`
}

func serve(t testing.TB) string {
	server := httptest.NewServer(apps.Handler())
	t.Cleanup(server.Close)
	return server.URL
}

// last is the number of the log's last event.
func last(e *commandtest.Env) string {
	return strconv.FormatInt(int64(e.OK("observe", "events", "--limit", "1")["last"].(float64)), 10)
}

// told gives the state_updates after a number.
func told(t testing.TB, e *commandtest.Env, since string) (list []update) {
	t.Helper()
	data, err := json.Marshal(e.OK("observe", "events", "--since", since, "--types", "state_update", "--limit", "5000")["events"])
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// awaitScope waits until the page has a scope.
func awaitScope(t testing.TB, e *commandtest.Env, scope string) {
	t.Helper()
	browsertest.Until(t, time.Minute, "scope "+scope, func() bool { return has(e, scope) })
}

func has(e *commandtest.Env, scope string) bool {
	answer := e.Run("state", "list")
	list, _ := answer.Data["scopes"].([]any)
	for _, one := range list {
		if one.(map[string]any)["scope"] == scope {
			return true
		}
	}
	return false
}

// value is a scope's, or what stands at a path in it.
func value(e *commandtest.Env, scope, path string) any {
	args := []string{"state", "get", scope}
	if path != "" {
		args = append(args, path)
	}
	return e.OK(args...)["value"]
}

// follow applies what was told of a scope, and says what is wrong with it.
func follow(list []update, scope string) (state any, count int, problem string) {
	version, times := 0, []int64{}
	for _, u := range list {
		if u.Scope != scope {
			continue
		}
		if u.RequestID != "" && u.Version == version {
			continue // an answer to somebody, of what is held
		}
		switch {
		case u.Version != version+1:
			return nil, count, fmt.Sprintf("version %d follows %d", u.Version, version)
		case u.Patch == nil:
			state = u.State
		case u.BaseVersion != version:
			return nil, count, fmt.Sprintf("a patch on %d where %d is", u.BaseVersion, version)
		default:
			var err error
			if state, err = apply(state, u.Patch); err != nil {
				return nil, count, err.Error()
			}
		}
		version = u.Version
		count++
		times = append(times, u.Timestamp)
	}
	// The clock of the messages is the page's; a read on demand may come between.
	for i := 11; i < len(times); i++ {
		if times[i]-times[i-11] < 990 {
			return nil, count, fmt.Sprintf("12 updates within %d ms", times[i]-times[i-11])
		}
	}
	return state, count, ""
}

func quietConsole(t *testing.T, e *commandtest.Env) {
	t.Helper()
	list, _ := e.OK("console", "list")["messages"].([]any)
	for _, one := range list {
		text, _ := one.(map[string]any)["text"].(string)
		if !slices.ContainsFunc(own, func(words string) bool { return strings.Contains(text, words) }) {
			t.Errorf("the console says %v", one)
		}
	}
}

// Stores are found while the page loads, told whole first, then as patches, at most ten
// a second, and the patches make what the page has.
func TestStateFromTheStart(t *testing.T) {
	t.Parallel()
	site := serve(t)
	e := commandtest.Managed(t)
	for _, c := range scopes {
		for _, build := range []string{"", "prod"} {
			if c.development && build == "prod" {
				continue
			}
			t.Run(c.app+"/"+build, func(t *testing.T) {
				e := on(e, t)
				since := last(e)
				e.OK("page", "navigate", site+"/"+c.app+"/"+build)
				awaitScope(t, e, c.scope)
				for _, other := range c.beside {
					awaitScope(t, e, other)
				}
				updates := float64(updates(c.app, build))
				if n := e.Eval(fmt.Sprintf("burst(%v, 1000)", updates)); n != updates {
					t.Fatalf("the burst made %v", n)
				}
				want := value(e, c.scope, "") // what came since is told before this is answered
				if c.path != "" && value(e, c.scope, c.path) != updates {
					t.Errorf("%s is %v", c.path, value(e, c.scope, c.path))
				}
				got, count, problem := follow(told(t, e, since), c.scope)
				switch {
				case problem != "":
					t.Error(problem)
				case !reflect.DeepEqual(got, want):
					t.Errorf("told %v\nread %v", got, want)
				case count < 2: // the whole, then patches: as many as reading costs little
					t.Errorf("told %d times", count)
				}
				t.Logf("%d updates", count)
				quietConsole(t, e)
			})
		}
	}
}

// The same page connected by the popup after it has loaded: stores are found from what
// is there, and nothing stays when the tab is disconnected.
func TestStateAfterTheFact(t *testing.T) {
	t.Parallel()
	site := serve(t)
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	e := commandtest.User(t, env)
	for _, c := range scopes {
		for _, build := range []string{"", "prod"} {
			if c.development && build == "prod" {
				continue
			}
			t.Run(c.app+"/"+build, func(t *testing.T) {
				e := on(e, t)
				tab := env.OpenTab(site + "/" + c.app + "/" + build)
				tab.Await("typeof window.burst === 'function' && document.querySelector('button') !== null")
				tab.Eval("window.__before = Object.getOwnPropertyNames(window).concat('__before')", nil)
				env.Connect(tab, "observe")
				e.AwaitPages(1)
				awaitScope(t, e, c.scope)
				before := value(e, c.scope, "")
				watch := e.Command("state", "watch", c.scope, "--count", "1", "--timeout", "60000")
				out, err := watch.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := watch.Start(); err != nil {
					t.Fatal(err)
				}
				lines := json.NewDecoder(out)
				var first, second update
				if err := lines.Decode(&first); err != nil || !reflect.DeepEqual(first.State, before) {
					t.Errorf("first %v (%v), want %v", first.State, err, before)
				}
				tab.Eval("void burst(1000, 1000)", nil)
				if err := lines.Decode(&second); err != nil || second.Version != first.Version+1 {
					t.Errorf("second %+v (%v) after version %d", second, err, first.Version)
				}
				_ = watch.Wait() // its end is the count
				env.Disconnect(tab)
				tab.Await("Object.getOwnPropertyNames(window).every((name) => __before.includes(name))")
				tab.Close()
			})
		}
	}
}

// on is the same context, for a part of the test.
func on(e *commandtest.Env, t *testing.T) *commandtest.Env {
	part := *e
	part.T = t
	return &part
}
