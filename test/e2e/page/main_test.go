// Package page tests the page's side of the product through the whole chain: a
// real Chromium, the real popup, the real native messaging pipe, the daemon and a
// WebSocket agent. What a command did is read from the page itself, over the
// harness' own DevTools connection.
//
// One browser serves all tests. Each level has one tab in a session of its own,
// which the tests take from fixture to fixture as an agent does, with navigate.
package page

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

var update = flag.Bool("update", false, "write testdata anew from what the chain does now")

type browserMessage = browsertest.Message

// params is short for the fields of a command or of a target.
type params = browsertest.Params

// levels are those at which pages take commands.
var levels = []string{"act", "control"}

// house is the TB of what outlives single tests.
type house struct {
	failed   bool
	cleanups []func()
}

func (h *house) Helper()                           {}
func (h *house) Name() string                      { return "e2e/page" }
func (h *house) Logf(format string, args ...any)   { fmt.Printf(format+"\n", args...) }
func (h *house) Errorf(format string, args ...any) { h.failed = true; h.Logf(format, args...) }
func (h *house) Skipf(format string, args ...any)  { panic(fmt.Sprintf("skipped: "+format, args...)) }
func (h *house) Failed() bool                      { return h.failed }
func (h *house) Cleanup(f func())                  { h.cleanups = append(h.cleanups, f) }
func (h *house) Fatalf(format string, args ...any) {
	h.Errorf(format, args...)
	panic(fmt.Sprintf(format, args...))
}

var (
	shared = &house{}
	env    *browsertest.Env
	tabs   = map[string]*page{}

	renewed int
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	if code != 0 {
		shared.failed = true
	}
	if env != nil {
		env.T = shared
	}
	for _, cleanup := range slices.Backward(shared.cleanups) {
		cleanup()
	}
	if shared.failed && code == 0 {
		code = 1
	}
	os.Exit(code)
}

// start gives the shared browser to a test.
func start(t *testing.T) {
	t.Helper()
	if env == nil {
		if testing.Short() {
			t.Skip("starts a browser")
		}
		env = browsertest.Start(shared, browsertest.Options{Extension: true})
	}
	use(t)
}

// use makes t the test that the harness speaks to, until it ends.
func use(t *testing.T) {
	t.Helper()
	before := env.T
	env.T = t
	t.Cleanup(func() { env.T = before })
}

// page is a connected tab with an agent of its session.
type page struct {
	*browsertest.Tab
	*browsertest.Agent
	level, session string
}

// at gives the tab of a level, in front, with a page of the test server in it.
func at(t *testing.T, level, path string) *page {
	t.Helper()
	start(t)
	p := tabs[level]
	if p == nil {
		p = connect(t, level, "the-"+level)
		tabs[level] = p
	}
	p.Front()
	p.open(path)
	p.Do("request_ui_tree", nil) // the page is heard from its first answer on
	return p
}

// fresh gives a tab of its own in a session of its own; it is closed at the end of the test.
func fresh(t *testing.T, level, path string) *page {
	t.Helper()
	start(t)
	p := connect(t, level, strings.ToLower(strings.NewReplacer("/", "-", " ", "-", "#", "-").Replace(t.Name()))+"-"+level)
	t.Cleanup(func() {
		p.Agent.Close()
		_ = env.Browser.Conn // the tab may be closed already
		p.closeTab()
	})
	p.open(path)
	return p
}

// connect opens a tab and connects it in the popup.
func connect(t *testing.T, level, session string) *page {
	t.Helper()
	p := &page{level: level, session: session}
	p.Tab = env.OpenTab(env.Pages.URL("/page/start"))
	p.Agent = env.Agent("sessionId=" + session)
	env.Connect(p.Tab, level, browsertest.Session(session), browsertest.AnySite())
	p.AwaitType("capabilities")
	return p
}

// closeTab closes the tab, unless it is closed.
func (p *page) closeTab() {
	_ = p.Tab.Call("Page.close", nil, nil)
	p.Tab.Detach()
}

// open takes the tab to a page of the test server, as an agent does.
func (p *page) open(path string) {
	env.T.Helper()
	url := path
	if strings.HasPrefix(path, "/") {
		url = env.Pages.URL(path)
	}
	if p.level == "observe" {
		p.Tab.Navigate(url)
		return
	}
	p.Do("navigate", params{"url": url})
	p.Tab.Await("document.readyState === 'complete'")
}

// renew opens a page as one never seen: without a place to scroll to or values to restore.
func (p *page) renew(path string) {
	env.T.Helper()
	renewed++
	query := fmt.Sprintf("?%d", renewed)
	p.open(path + query)
	p.Tab.Await("location.search === " + quote(query) + " && document.readyState === 'complete'")
}

// try sends a command and waits for its result.
func (p *page) try(kind string, fields params) browsertest.Message {
	env.T.Helper()
	return p.Agent.Command(kind, fields)
}

// Close, Type and Click are on both halves of a page; what is meant is said.
func (p *page) Close() {}

// is reports whether an expression is true in the page's own world.
func (p *page) is(expression string) bool {
	env.T.Helper()
	var ok bool
	p.Eval("Boolean("+expression+")", &ok)
	return ok
}

// text gives a field of a result's result.
func text(m browsertest.Message, field string) string {
	result, _ := m.Fields["result"].(map[string]any)
	value, _ := result[field].(string)
	return value
}

// details gives the details of a failed result.
func details(m browsertest.Message) map[string]any {
	failure, _ := m.Fields["error"].(map[string]any)
	inner, _ := failure["details"].(map[string]any)
	return inner
}

// candidates gives the candidates of a failed result.
func candidates(m browsertest.Message) []map[string]any {
	list, _ := details(m)["candidates"].([]any)
	found := make([]map[string]any, 0, len(list))
	for _, one := range list {
		if item, ok := one.(map[string]any); ok {
			found = append(found, item)
		}
	}
	return found
}

// item is one item of a UI tree.
type item struct {
	Ref, StableID, Selector, Role, Name, FrameID string
	Value                                        *string
	Visible, Disabled                            bool
	Hidden                                       string
	Checked                                      any
	Bounds                                       struct{ X, Y, Width, Height float64 }
}

// tree asks for the page's tree.
func (p *page) tree() []item {
	env.T.Helper()
	from := p.Len()
	done := p.Do("request_ui_tree", nil)
	message := p.AwaitFrom(from, "the tree asked for", func(m browsertest.Message) bool {
		return m.Type() == "ui_tree" && m.String("requestId") == done.String("requestId")
	})
	var tree struct{ Items []item }
	if err := message.Decode(&tree); err != nil {
		env.T.Fatalf("ui_tree: %v", err)
	}
	return tree.Items
}

// find gives the item of a role and name, which must be one.
func find(items []item, role, name string) item {
	env.T.Helper()
	var found []item
	for _, one := range items {
		if one.Role == role && one.Name == name {
			found = append(found, one)
		}
	}
	if len(found) != 1 {
		env.T.Fatalf("%d items with role %s and name %q", len(found), role, name)
	}
	return found[0]
}

// since gives the messages of a type that came after the first n.
func (p *page) since(n int, kind string) []browsertest.Message {
	var found []browsertest.Message
	for _, m := range p.Messages()[n:] {
		if m.Type() == kind {
			found = append(found, m)
		}
	}
	return found
}

// quote writes a string as JavaScript.
func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has no such error
	}
	return string(data)
}
