package cdp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// follows has a client attach to all pages that there are and will be.
func (c *raw) follows() (target, session string) {
	c.t.Helper()
	c.ok("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	return c.attached()
}

// attached awaits the next page that a client is attached to.
func (c *raw) attached() (target, session string) {
	c.t.Helper()
	event := c.event("", "Target.attachedToTarget")
	return event["targetInfo"].(map[string]any)["targetId"].(string), event["sessionId"].(string)
}

// detached awaits the end of a session.
func (c *raw) detached(session string) {
	c.t.Helper()
	for c.event("", "Target.detachedFromTarget")["sessionId"] != session {
	}
	c.refused(session, "Runtime.evaluate", eval("1"), -32001, "Session with given id not found")
}

// A client of one page alone has the page as its root, and ends with it.
func TestTabsPage(t *testing.T) {
	env, e, tab := person(t, "/page/start")
	listed := e.OK("session", "cdp")["httpEndpoint"].(string) + "/json/list"
	_, body := ask(t, "GET", listed, "")
	var list []struct {
		URL     string `json:"url"`
		Address string `json:"webSocketDebuggerUrl"`
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list) != 1 || !strings.Contains(list[0].Address, "/devtools/page/") {
		t.Fatalf("%v: %s", err, body)
	}
	c := dial(t, list[0].Address, "")
	c.ok("", "Page.enable", nil)
	c.ok("", "Page.navigate", map[string]any{"url": env.Pages.URL("/page/alone")})
	c.event("", "Page.loadEventFired")
	if got := c.value("", "document.title"); got != "alone" {
		t.Errorf("title %v", got)
	}
	env.Disconnect(tab)
	c.closed()
	if _, body := ask(t, "GET", listed, ""); strings.Contains(body, list[0].Address) {
		t.Errorf("a page that is not connected is listed: %s", body)
	}
}

// A tab that leaves its site is gone for clients, and is there again when it comes back.
func TestTabsLeaveSite(t *testing.T) {
	env, e, tab := personWith(t, "/page/start")
	c := dial(t, endpoint(e), "")
	target, session := c.follows()
	c.ok(session, "Page.enable", nil)
	c.value(session, "document.title")
	tab.Navigate(env.Pages.CrossURL("/page/elsewhere"))
	c.detached(session)
	if infos := c.infos(); len(infos) != 0 {
		t.Errorf("targets: %v", infos)
	}
	for _, m := range c.all {
		if m.Method == "Page.frameNavigated" && strings.Contains(string(m.Params), "elsewhere") {
			t.Errorf("told of the other site: %s", m.Params)
		}
	}
	tab.Navigate(env.Pages.URL("/page/back"))
	again, session := c.attached()
	if again != target {
		t.Errorf("target %s came back as %s", target, again)
	}
	browsertest.Until(t, patience, "the page", func() bool { return c.value(session, "document.title") == "back" })
}

// Cancel on the debugger's bar ends the connection; nothing attaches again by itself.
func TestTabsCanceled(t *testing.T) {
	env, e, tab := person(t, "/page/start")
	c := dial(t, endpoint(e), "")
	_, session := c.follows()
	c.value(session, "1")
	id := env.TabID(tab)
	// Headless has no bar; this is what Chrome does when Cancel is pressed.
	env.WorkerEval(fmt.Sprintf(`chrome.debugger.detach({tabId: %d}).then(() => { chrome.debugger.onDetach.dispatch({tabId: %d}, 'canceled_by_user'); return true; })`, id, id), nil)
	c.detached(session)
	browsertest.Until(t, patience, "the tab to go", func() bool { return len(c.infos()) == 0 })
	env.Connect(tab, "control")
	_, session = c.attached()
	if got := c.value(session, "document.title"); got != "start" {
		t.Errorf("title %v", got)
	}
}

// An empty tab that a client opened holds its opener's grant, not more.
func TestTabsEmptyTab(t *testing.T) {
	env, e, _ := personWith(t, "/page/start")
	c := dial(t, endpoint(e), "")
	c.follows()
	for _, way := range []struct {
		name  string
		leave func(session string)
	}{
		{"by a command", func(session string) {
			c.refused(session, "Page.navigate", map[string]any{"url": env.Pages.CrossURL("/page/elsewhere")}, -32000, "outside the site")
			if got := c.value(session, "location.href"); got != "about:blank" {
				t.Errorf("the page went to %v", got)
			}
			c.ok(session, "Page.enable", nil)
			c.ok(session, "Page.navigate", map[string]any{"url": env.Pages.URL("/page/inside")})
			c.event(session, "Page.loadEventFired")
			if got := c.value(session, "document.title"); got != "inside" {
				t.Errorf("title %v", got)
			}
			c.refused(session, "Page.navigate", map[string]any{"url": env.Pages.CrossURL("/page/elsewhere")}, -32000, "outside the site")
		}},
		{"by a script", func(session string) {
			c.ok(session, "Runtime.evaluate", eval(fmt.Sprintf("void (location.href = %q)", env.Pages.CrossURL("/page/elsewhere"))))
			c.detached(session)
		}},
	} {
		made := c.ok("", "Target.createTarget", map[string]any{"url": "about:blank"})["targetId"].(string)
		target, session := c.attached()
		if target != made {
			t.Fatalf("%s: attached to %s, not to the new page %s", way.name, target, made)
		}
		way.leave(session)
	}
	for url := range c.infos() {
		if strings.Contains(url, "elsewhere") {
			t.Errorf("a page of another site is there: %s", url)
		}
	}
}

// The endpoint of a context outlives the browser that it led to.
func TestTabsRestart(t *testing.T) {
	env, e, _ := person(t, "/page/start")
	at := endpoint(e)
	before := dial(t, at, "")
	_, session := before.follows()
	env.RestartChrome()
	before.detached(session)
	tab := env.OpenTab(env.Pages.URL("/page/again"))
	env.Connect(tab, "control")
	e.AwaitPages(1)
	after := dial(t, at, "")
	for _, c := range []*raw{after, before} { // who stayed is as well off
		if c == after {
			_, session = c.follows()
		} else {
			_, session = c.attached()
		}
		if got := c.value(session, "document.title"); got != "again" {
			t.Errorf("title %v", got)
		}
	}
}

// A managed browser that is started again has the key of the one before.
func TestDirectRestart(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	at := endpoint(e)
	before := dial(t, at, "")
	before.ok("", "Browser.getVersion", nil)
	e.OK("session", "restart")
	before.closed()
	after := dial(t, at, "")
	url := e.Site.URL("/page/again")
	if _, session := after.page(url); after.value(session, "document.title") != "again" {
		t.Error("the page is another")
	}
}
