package checks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// personWorld is a person's browser with the extension and another one that debugs pages, and a context of an agent.
type personWorld struct {
	*browsertest.Env
	t *testing.T
}

// reply is what a command printed.
type reply struct {
	exit  int
	raw   string
	Data  map[string]any
	Error struct {
		Code, Message string
		Details       map[string]any
		Suggestions   []string
	}
}

func (w *personWorld) run(args ...string) reply {
	w.t.Helper()
	out := w.Run(args...)
	r := reply{exit: out.Exit, raw: out.Stdout}
	_ = json.Unmarshal([]byte(out.Stdout), &r) // what is no JSON is seen in raw
	return r
}

func (w *personWorld) ok(args ...string) map[string]any {
	w.t.Helper()
	r := w.run(args...)
	if r.exit != 0 {
		w.t.Fatalf("dbridge %s: exit %d\n%s", strings.Join(args, " "), r.exit, r.raw)
	}
	return r.Data
}

// TestExtension checks what concerns the person's own browser, in one of them.
func TestExtension(t *testing.T) {
	t.Parallel()
	ours, other := t.TempDir(), t.TempDir()
	if err := browsertest.WriteExtension(ours); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version":3,"name":"Other","version":"1","permissions":["debugger","tabs"],"host_permissions":["<all_urls>"],"background":{"service_worker":"sw.js"},"web_accessible_resources":[{"resources":["page.html"],"matches":["<all_urls>"]}]}`,
		"page.html":     "<!doctype html><title>Other</title><p>page", "sw.js": "self.ready = true;",
	} {
		if err := os.WriteFile(filepath.Join(other, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := browsertest.Start(t, browsertest.Options{Extension: true, Env: []string{"DBRIDGE_CONTEXT_ID=checks"}, Args: []string{"--load-extension=" + ours + "," + other}})
	w := &personWorld{Env: e, t: t}
	for _, c := range []struct {
		name string
		run  func(*personWorld)
	}{
		{"P06 debuggers", anotherDebugger}, {"P07 kinds of pages", restrictedPages}, {"P09 prerender", preparedPage}, {"P30 incognito", incognito}, {"P33 popups", personsPopups},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := e.T
			e.T, w.t = t, t
			defer func() { e.T, w.t = before, before.(*testing.T) }()
			c.run(w)
		})
	}
}

// connected opens a tab and connects it.
func (w *personWorld) connected(url, level string) *browsertest.Tab {
	w.t.Helper()
	tab := w.OpenTab(url)
	w.Connect(tab, level)
	browsertest.Until(w.t, browsertest.Patience, "the page is the agent's", func() bool {
		for _, row := range rowsOf(w.ok("page", "list"), "pages") {
			if row["url"] == url {
				w.ok("page", "use", number(row["pageId"].(float64)))
				return true
			}
		}
		return false
	})
	w.t.Cleanup(func() {
		_ = tab.Call("Page.close", nil, nil) // it may be closed
		tab.Detach()
	})
	return tab
}

// P-06: another extension that debugs the page is no hindrance, or named as one.
func anotherDebugger(w *personWorld) {
	tab := w.connected(w.Pages.URL("/page/Debugged"), "control")
	id := w.TabID(tab)
	var theirs string
	w.WorkerEval(`chrome.debugger.getTargets().then((all) => all.map((one) => /^chrome-extension:\/\/([a-p]{32})\/sw.js$/.exec(one.url)?.[1]).find((one) => one && one !== chrome.runtime.id) ?? '')`, &theirs)
	page := w.OpenTab("chrome-extension://" + theirs + "/page.html")
	defer page.Close()
	attached := page.Text(fmt.Sprintf(`chrome.debugger.attach({ tabId: %d }, '1.3').then(() => 'attached', String)`, id))
	if attached != "attached" {
		w.t.Fatalf("the other extension cannot debug: %s", attached)
	}
	for _, line := range [][]string{{"runtime", "eval", "document.title"}, {"element", "click", `button "Button of Debugged"`}, {"capture", "snapshot"}, {"capture", "screenshot"}} {
		within(w.t, 8*time.Second, strings.Join(line, " "), func() {
			r := w.run(line...)
			if r.exit != 0 && (r.Error.Details["reason"] != "debugger_busy" || len(r.Error.Suggestions) == 0) {
				w.t.Errorf("%v: %s", line, r.raw)
			}
		})
	}
	page.Eval(fmt.Sprintf(`chrome.debugger.detach({ tabId: %d })`, id), nil)
	if got := w.ok("runtime", "eval", "document.title")["value"]; got != "Debugged" {
		w.t.Errorf("after it: %v", got)
	}
}

// P-07: no agent leads the person's tab to a page that no extension may enter; where the person goes there, commands say why they wait.
func restrictedPages(w *personWorld) {
	home := w.Pages.URL("/page/Home")
	tab := w.connected(home, "control")
	for _, url := range []string{"chrome://version/", "devtools://devtools/bundled/inspector.html", "view-source:" + home, "file:///etc/hostname", "javascript:alert(1)", "data:text/html,x", "chrome-extension://" + browsertest.ExtensionID + "/popup.html", "https://chromewebstore.google.com/"} {
		within(w.t, 4*time.Second, url, func() {
			if r := w.run("page", "navigate", url); r.exit == 0 || r.Error.Message == "" || len(r.Error.Suggestions) == 0 {
				w.t.Errorf("%s: %s", url, r.raw)
			}
		})
	}
	if got := tab.Text("location.href"); got != home {
		w.t.Fatalf("the tab is at %s", got)
	}
	for _, url := range []string{"chrome://version/", "about:blank", "data:text/html,<title>d</title>", "view-source:" + home} {
		tab.Navigate(url)
		for _, line := range [][]string{{"capture", "snapshot"}, {"runtime", "eval", "1"}, {"element", "click", "button"}} {
			within(w.t, 7*time.Second, url+" "+line[0], func() {
				r := w.run(append(line, "--timeout", "6000")...)
				if r.exit == 0 || r.exit == 4 || r.Error.Message == "" || len(r.Error.Suggestions) == 0 {
					w.t.Errorf("at %s: %v: %s", url, line, r.raw)
				}
			})
		}
		tab.Navigate(home)
		browsertest.Until(w.t, browsertest.Patience, "the page goes on after "+url, func() bool { return w.run("runtime", "eval", "document.title").Data["value"] == "Home" })
	}
}

// P-09: a page that Chrome prepares in advance is not told of before it is shown.
func preparedPage(w *personWorld) {
	tab := w.connected(w.Pages.URL("/page/Live"), "control")
	next := w.Pages.URL("/page/Prepared")
	before := len(rowsOf(w.ok("page", "list"), "pages"))
	tab.Eval(fmt.Sprintf(`(() => { const rules = document.createElement('script'); rules.type = 'speculationrules'; rules.text = JSON.stringify({ prerender: [{ source: 'list', urls: [%q] }] }); document.head.append(rules) })()`, next), nil)
	browsertest.Until(w.t, browsertest.Patience, "the page is prepared", func() bool { return w.Pages.Hits("/page/Prepared") > 0 })
	if all := fmt.Sprint(w.ok("page", "list"), w.ok("capture", "snapshot"), w.ok("console", "list"), w.ok("observe", "state")); strings.Contains(all, "Prepared") || len(rowsOf(w.ok("page", "list"), "pages")) != before {
		w.t.Errorf("told of: %s", all)
	}
	tab.Eval(fmt.Sprintf("void (location.href = %q)", next), nil)
	w.ok("page", "wait-text", "Button of Prepared")
	w.ok("element", "click", `button "Button of Prepared"`)
	if got := w.ok("runtime", "eval", "document.title")["value"]; got != "Prepared" {
		w.t.Errorf("the page is %v", got)
	}
}

// P-30: windows of another profile of cookies are out of reach, even on a site that is always connected.
func incognito(w *personWorld) {
	w.connected(w.Pages.URL("/page/Normal"), "control")
	tab := w.OpenPrivateTab(w.Pages.URL("/page/Secret"))
	tab.Eval(`document.cookie = 'secret=incognito; path=/'`, nil)
	var seen bool
	w.WorkerEval(`chrome.tabs.query({}).then((all) => all.some((tab) => tab.incognito || (tab.title ?? '').includes('Secret')))`, &seen)
	all := fmt.Sprint(w.ok("page", "list"), w.ok("observe", "events", "--limit", "100"), w.ok("runtime", "eval", "document.cookie"))
	if seen || strings.Contains(all, "Secret") || strings.Contains(all, "incognito") {
		w.t.Errorf("seen by the extension: %v; told: %s", seen, all)
	}
	if w.run("page", "navigate", w.Pages.URL("/page/Normal2")); tab.Text("location.pathname") != "/page/Secret" {
		w.t.Error("a command reached the private window")
	}
}

// P-33: a popup of the same site comes with its opener's grant and says who opened it; one of another site does not come.
func personsPopups(w *personWorld) {
	tab := w.connected(w.Pages.URL("/page/Opener"), "control")
	tab.Eval(fmt.Sprintf(`document.body.innerHTML = '<button onclick="window.open(\'/page/Same\')">Same</button><a href="%s" target=_blank>Cross</a><button onclick="for (let i = 0; i < 100; i++) window.open(\'/page/Many\' + i)">Many</button>'`, w.Pages.CrossURL("/page/Cross")), nil)
	own := rowsOf(w.ok("page", "list"), "pages")
	var opener float64
	for _, row := range own {
		if row["title"] == "Opener" {
			opener = row["pageId"].(float64)
		}
	}
	w.ok("element", "click", `button "Same"`, "--page", number(opener))
	var popup map[string]any
	browsertest.Until(w.t, browsertest.Patience, "the popup", func() bool {
		for _, row := range rowsOf(w.ok("page", "list"), "pages") {
			if row["title"] == "Same" {
				popup = row
			}
		}
		return popup != nil
	})
	if popup["openedBy"] != opener {
		w.t.Errorf("%v, the opener is %v", popup, opener)
	}
	w.ok("element", "click", `button "Button of Same"`, "--page", number(popup["pageId"].(float64)))
	w.ok("element", "click", `link "Cross"`, "--page", number(opener))
	browsertest.Until(w.t, browsertest.Patience, "the other site's popup", func() bool { return w.Pages.Hits("/page/Cross") > 0 })
	if all := fmt.Sprint(w.ok("page", "list")); strings.Contains(all, "/page/Cross") {
		w.t.Errorf("a page of another site came without being connected: %s", all)
	}
	before := len(rowsOf(w.ok("page", "list"), "pages"))
	w.ok("element", "click", `button "Many"`, "--page", number(opener))
	if n := len(rowsOf(w.ok("page", "list"), "pages")) - before; n > 20 {
		w.t.Errorf("%d windows of one click", n)
	}
}
