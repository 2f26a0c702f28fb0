package cdp

import (
	"slices"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// person is the person's Chrome with one connected tab, for any site, and one that is not.
func person(t *testing.T, path string) (*browsertest.Env, *commandtest.Env, *browsertest.Tab) {
	t.Helper()
	return personWith(t, path, browsertest.AnySite())
}

func personWith(t *testing.T, path string, options ...browsertest.ConnectOption) (*browsertest.Env, *commandtest.Env, *browsertest.Tab) {
	t.Helper()
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL(path))
	env.OpenTab(env.Pages.URL("/page/private"))
	env.Connect(tab, "control", options...)
	e := commandtest.User(t, env)
	e.AwaitPages(1)
	return env, e, tab
}

// infos lists the targets that a client sees, by address.
func (c *raw) infos() map[string]string {
	c.t.Helper()
	found := map[string]string{}
	for _, one := range c.ok("", "Target.getTargets", nil)["targetInfos"].([]any) {
		info := one.(map[string]any)
		found[info["url"].(string)] = info["targetId"].(string)
	}
	return found
}

// attach attaches to a target.
func (c *raw) attach(target string) (session string) {
	c.t.Helper()
	return c.ok("", "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true})["sessionId"].(string)
}

// only is the one target that a client sees.
func (c *raw) only() (target string) {
	c.t.Helper()
	infos := c.infos()
	if len(infos) != 1 {
		c.t.Fatalf("targets: %v", infos)
	}
	for _, id := range infos {
		target = id
	}
	return target
}

// methods are those of the events of a session that came so far and nobody asked for.
func (c *raw) methods(session string) []string {
	var names []string
	for _, m := range c.seen {
		if m.SessionID == session {
			names = append(names, m.Method)
		}
	}
	return names
}

func eval(expression string) map[string]any {
	return map[string]any{"expression": expression, "returnByValue": true}
}

// The browser level over the connected tabs: what is there, comes and goes.
func TestTabsTargets(t *testing.T) {
	env, e, tab := person(t, "/page/start")
	c := dial(t, endpoint(e), "")
	if product := c.ok("", "Browser.getVersion", nil)["product"].(string); product[:7] != "Chrome/" {
		t.Errorf("product %q", product)
	}
	c.ok("", "Browser.setDownloadBehavior", map[string]any{"behavior": "deny"})
	target := c.only()

	c.ok("", "Target.setDiscoverTargets", map[string]any{"discover": true})
	if created := c.event("", "Target.targetCreated")["targetInfo"].(map[string]any); created["targetId"] != target || created["type"] != "page" {
		t.Errorf("discovered %v", created)
	}
	c.ok("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	attached := c.event("", "Target.attachedToTarget")
	session := attached["sessionId"].(string)
	info := attached["targetInfo"].(map[string]any)
	if info["targetId"] != target || info["title"] != "start" || info["attached"] != true || info["browserContextId"] == "" || attached["waitingForDebugger"] != false {
		t.Errorf("attached to %v", attached)
	}
	tree := c.ok(session, "Page.getFrameTree", nil)["frameTree"].(map[string]any)["frame"].(map[string]any)
	if tree["id"] != target {
		t.Errorf("main frame %v of target %s", tree["id"], target)
	}
	if got := c.value(session, "document.title"); got != "start" {
		t.Errorf("title %v", got)
	}

	// A new page: attached before it is answered, and part of what there is.
	made := c.ok("", "Target.createTarget", map[string]any{"url": "about:blank"})["targetId"].(string)
	second := c.event("", "Target.attachedToTarget")
	if info := second["targetInfo"].(map[string]any); info["targetId"] != made || info["openerId"] != nil {
		t.Errorf("the new page: %v", info)
	}
	page := second["sessionId"].(string)
	c.ok(page, "Page.enable", nil)
	c.ok(page, "Page.navigate", map[string]any{"url": env.Pages.URL("/page/two")})
	c.event(page, "Page.loadEventFired")
	if got := c.value(page, "document.title"); got != "two" {
		t.Errorf("the new page shows %v", got)
	}

	// A window that the page opens comes with its opener.
	c.ok(page, "Runtime.evaluate", map[string]any{"expression": "void open('/page/three')", "userGesture": true})
	popup := c.event("", "Target.attachedToTarget")
	if info := popup["targetInfo"].(map[string]any); info["openerId"] != made {
		t.Errorf("the popup: %v", info)
	}

	c.ok("", "Target.closeTarget", map[string]any{"targetId": made})
	if names := c.methods(""); slices.Contains(names, "Target.detachedFromTarget") || slices.Contains(names, "Target.targetDestroyed") {
		t.Errorf("told of the end before the answer: %v", names)
	}
	if gone := c.event("", "Target.detachedFromTarget"); gone["sessionId"] != page || gone["targetId"] != made {
		t.Errorf("closed: %v", gone)
	}
	if gone := c.event("", "Target.targetDestroyed"); gone["targetId"] != made {
		t.Errorf("destroyed: %v", gone)
	}
	c.refused(page, "Runtime.evaluate", eval("1"), -32001, "Session with given id not found")

	// The person says no.
	env.Disconnect(tab)
	if gone := c.event("", "Target.detachedFromTarget"); gone["sessionId"] != session {
		t.Errorf("disconnected: %v", gone)
	}
	if _, there := c.infos()[env.Pages.URL("/page/start")]; there {
		t.Error("a tab that is not connected any more is listed")
	}
}

// Clients share a tab's one attachment and see nothing of each other.
func TestTabsClients(t *testing.T) {
	env, e, _ := person(t, "/form")
	a, b := dial(t, endpoint(e), ""), dial(t, endpoint(e), "")
	target := a.only()
	sa, sb := a.attach(target), b.attach(target)
	if sa == sb {
		t.Fatal("two clients have one session")
	}
	b.refused(sa, "Runtime.evaluate", eval("1"), -32001, "Session with given id not found")

	// Each is told of the contexts when it asks, and of events of what it switched on.
	a.ok(sa, "Runtime.enable", nil)
	b.ok(sb, "Page.enable", nil)
	b.ok(sb, "Runtime.enable", nil)
	created := func(c *raw, session string) (n int) {
		for _, name := range c.methods(session) {
			if name == "Runtime.executionContextCreated" {
				n++
			}
		}
		return n
	}
	if na, nb := created(a, sa), created(b, sb); na == 0 || na != nb {
		t.Errorf("contexts: %d for the first client, %d for the second", na, nb)
	}
	a.ok(sa, "Network.enable", nil)
	a.value(sa, "fetch('/api/7').then((r) => r.text())")
	a.event(sa, "Network.requestWillBeSent")
	b.value(sb, "1")
	for _, name := range b.methods(sb) {
		if name[:8] == "Network." {
			t.Errorf("the second client got %s", name)
		}
	}

	// What one switches off stays on for the other.
	b.ok(sb, "Network.enable", nil)
	b.ok(sb, "Network.disable", nil)
	b.ok(sb, "Runtime.disable", nil)
	a.value(sa, "fetch('/api/8').then((r) => r.text())")
	a.event(sa, "Network.requestWillBeSent")
	a.value(sa, "console.log('to a')")
	a.event(sa, "Runtime.consoleAPICalled")
	b.value(sb, "1")
	if slices.Contains(b.methods(sb), "Runtime.consoleAPICalled") {
		t.Error("a client that switched Runtime off got a console line")
	}

	// Life of the page, for who asks later too.
	for c, session := range map[*raw]string{a: sa, b: sb} {
		c.ok(session, "Page.enable", nil)
		c.ok(session, "Page.setLifecycleEventsEnabled", map[string]any{"enabled": true})
		for c.event(session, "Page.lifecycleEvent")["name"] != "load" {
		}
	}

	// What a client left in the page goes with it.
	b.ok(sb, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "window.planted = 1"})
	b.ok(sb, "Runtime.addBinding", map[string]any{"name": "call"})
	b.ok(sb, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 321, "height": 400, "deviceScaleFactor": 1, "mobile": false})
	b.ok(sb, "Page.reload", nil)
	b.event(sb, "Page.loadEventFired")
	if got := b.value(sb, "[window.planted, innerWidth, typeof call].join()"); got != "1,321,function" {
		t.Errorf("planted: %v", got)
	}
	a.refused(sa, "Page.removeScriptToEvaluateOnNewDocument", map[string]any{"identifier": "1"}, -32000, "Script not found")
	b.value(sb, "call('hello')")
	if called := b.event(sb, "Runtime.bindingCalled"); called["payload"] != "hello" {
		t.Errorf("binding: %v", called)
	}
	a.value(sa, "1")
	if slices.Contains(a.methods(sa), "Runtime.bindingCalled") {
		t.Error("the binding of one client called another")
	}
	if err := b.socket.CloseNow(); err != nil {
		t.Fatal(err)
	}
	browsertest.Until(t, patience, "the other client's traces to go", func() bool { return a.value(sa, "innerWidth") != float64(321) })
	a.seen = nil
	a.ok(sa, "Page.reload", nil)
	a.event(sa, "Page.loadEventFired")
	if got := a.value(sa, "[typeof window.planted, typeof call].join()"); got != "undefined,undefined" {
		t.Errorf("left behind: %v", got)
	}
	_ = env
}

// A dialog makes commands wait, as in Chrome; nothing of ours fails them.
func TestTabsDialog(t *testing.T) {
	_, e, _ := person(t, "/page/start")
	c := dial(t, endpoint(e), "")
	session := c.attach(c.only())
	c.ok(session, "Page.enable", nil)
	c.write(`{"id":9001,"method":"Runtime.evaluate","sessionId":"` + session + `","params":{"expression":"confirm('sure?')","returnByValue":true}}`)
	opening := c.event(session, "Page.javascriptDialogOpening")
	if opening["message"] != "sure?" {
		t.Errorf("dialog: %v", opening)
	}
	c.write(`{"id":9002,"method":"Runtime.evaluate","sessionId":"` + session + `","params":{"expression":"1+1"}}`)
	// Longer than our own commands wait at a dialog.
	for range 20 {
		c.ok("", "Target.getTargetInfo", nil)
	}
	c.ok(session, "Page.handleJavaScriptDialog", map[string]any{"accept": true})
	answers := map[int64]string{}
	for _, m := range c.seen {
		answers[m.ID] = string(m.Result)
	}
	for len(answers[9001]) == 0 || len(answers[9002]) == 0 {
		m := c.read()
		if m.Error != nil {
			t.Fatalf("%d: %s", m.ID, m.Error.Message)
		}
		answers[m.ID] = string(m.Result)
	}
	if answers[9001] != `{"result":{"type":"boolean","value":true}}` {
		t.Errorf("confirm gave %s", answers[9001])
	}
}

// What reaches beyond the connected tabs is refused with the reason.
func TestTabsPolicy(t *testing.T) {
	env, e, _ := person(t, "/page/start")
	c := dial(t, endpoint(e), "")
	target := c.only()
	session := c.attach(target)
	for _, row := range []struct {
		session, method string
		params          any
		code            int
		why             string
	}{
		{session, "Network.getAllCookies", nil, -32000, "cookies of every site"},
		{session, "Network.getCookies", nil, -32000, "not allowed"},
		{session, "Storage.getCookies", nil, -32000, "not allowed"},
		{"", "Storage.getCookies", nil, -32000, "not allowed"},
		{session, "DOM.setFileInputFiles", map[string]any{"files": []string{"/etc/passwd"}}, -32000, "files of this computer"},
		{session, "Page.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": "/"}, -32000, "downloads"},
		{session, "Input.dispatchDragEvent", map[string]any{"type": "drop", "x": 1, "y": 1, "data": map[string]any{"items": []any{}, "files": []string{"/etc/passwd"}, "dragOperationsMask": 1}}, -32000, "files of this computer"},
		{session, "Page.navigate", map[string]any{"url": "file:///etc/passwd"}, -32000, "local files"},
		{session, "Page.navigate", map[string]any{"url": "javascript:alert(1)"}, -32000, "script"},
		{session, "Page.navigate", map[string]any{"url": "http://169.254.169.254/"}, -32000, "credentials"},
		{"", "Target.createTarget", map[string]any{"url": "chrome://settings"}, -32000, "pages of the browser"},
		{session, "network.getAllCookies", nil, -32601, "wasn't found"},
		{session, "Network.GetAllCookies", nil, -32601, "wasn't found"},
		{session, "Network.getAllCookies ", nil, -32601, "wasn't found"},
		{session, " Network.getAllCookies", nil, -32601, "wasn't found"},
		{session, "Network", nil, -32601, "wasn't found"},
		{"", "Network.getAllCookies", nil, -32601, "wasn't found"},
		{"", "Browser.close", nil, -32000, "person's Chrome"},
		{"", "Browser.getBrowserCommandLine", nil, -32000, "not allowed"},
		{"", "SystemInfo.getInfo", nil, -32000, "not allowed"},
		{"", "Target.createBrowserContext", nil, -32000, "profile managed"},
		{"", "Target.attachToTarget", map[string]any{"targetId": "0123456789ABCDEF0123456789ABCDEF", "flatten": true}, -32602, "No target with given id"},
		{"", "Target.attachToTarget", map[string]any{"targetId": target}, -32602, "flatten"},
		{"0123456789ABCDEF0123456789ABCDEF", "Runtime.evaluate", eval("1"), -32001, "Session with given id not found"},
	} {
		c.refused(row.session, row.method, row.params, row.code, row.why)
	}
	if got := c.value(session, "location.href"); got != env.Pages.URL("/page/start") {
		t.Errorf("the page went to %v", got)
	}
	c.ok("", "Target.detachFromTarget", map[string]any{"sessionId": session})
	c.refused(session, "Runtime.evaluate", eval("1"), -32001, "Session with given id not found")
}

// Two contexts: who acts on a page has it; the other may look.
func TestTabsLeases(t *testing.T) {
	env, e, _ := person(t, "/page/start")
	second := env.OpenTab(env.Pages.URL("/page/second"))
	env.Connect(second, "control")
	other := e.In("other")
	a, b := dial(t, endpoint(e), ""), dial(t, endpoint(other), "")
	one, two := env.Pages.URL("/page/start"), env.Pages.URL("/page/second")
	attach := func(c *raw, url string) string { return c.attach(c.infos()[url]) }
	a1, b1, b2 := attach(a, one), attach(b, one), attach(b, two)
	click := map[string]any{"type": "mousePressed", "x": 1, "y": 1, "button": "left", "clickCount": 1}

	// To set the scene takes no page from anybody.
	for c, session := range map[*raw]string{a: a1, b: b1} {
		c.ok(session, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	}
	if got := b.value(b1, "document.title"); got != "start" {
		t.Errorf("free page: %v", got)
	}
	a.ok(a1, "Input.dispatchMouseEvent", click)
	b.refused(b1, "Input.dispatchMouseEvent", click, -32000, "held by")
	b.refused(b1, "Runtime.evaluate", eval("1"), -32000, "held by")
	b.refused(b1, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "1"}, -32000, "held by")
	b.ok(b1, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "", "worldName": "w"})
	b.ok(b1, "Emulation.setEmulatedMedia", map[string]any{"media": "print"})
	b.ok(b1, "DOM.getDocument", nil)
	b.ok(b2, "Input.dispatchMouseEvent", click)
	if got := a.value(a1, "matchMedia('print').matches"); got != false {
		t.Error("another context changed the held page")
	}
}
