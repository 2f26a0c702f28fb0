package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

const closesBank = `deny "bank.localhost"`

// reading are commands that would tell of the page that is shown.
var reading = [][]string{
	{"capture", "snapshot"}, {"capture", "screenshot"}, {"capture", "pdf"}, {"observe", "state"}, {"observe", "find", "Balance"}, {"observe", "targets"},
	{"console", "list"}, {"network", "list"}, {"runtime", "eval", "document.body.innerText"}, {"page", "wait-text", "Balance"}, {"dialog", "status"},
	{"cdp", "send", "DOM.getDocument"}, {"cdp", "send", "Runtime.evaluate", `{"expression":"document.title"}`}, {"element", "click", "#pay"},
	{"input", "key", "Tab"}, {"layout", "diagnose", "#pay"}, {"audit", "page"}, {"record", "start"}, {"state", "list"}, {"component", "tree"},
}

func TestManaged(t *testing.T) {
	e := commandtest.Managed(t)
	w := &world{Env: e, sites: serve(t), t: t, path: filepath.Join(e.Home, "config", "policy.toml")}
	home := func() { w.fine("page", "navigate", w.url(shop, "/")) }

	// N-24: whichever way the page goes there, nothing of it is told.
	w.policy([]string{bank}, "")
	w.in(t, "navigate", func(t *testing.T) {
		home()
		before := w.loads(bank)
		for _, address := range []string{
			w.url(bank, "/"), w.url("BANK.localhost.", "/"), w.url("x@"+bank, "/"), "http:" + fmt.Sprintf("\\\\%s:%d/", bank, w.port), fmt.Sprintf("//%s:%d/", bank, w.port),
			fmt.Sprintf("%s:%d", bank, w.port), "blob:" + w.url(bank, "/1"),
		} {
			w.refused(closesBank, "page", "navigate", address)
			w.refused(closesBank, "page", "open", address)
			if strings.Contains(address, "//") {
				w.refused(closesBank, "cdp", "send", "Page.navigate", fmt.Sprintf(`{"url":%q}`, address))
			}
		}
		a := w.refused(closesBank, "page", "navigate", w.url(bank, "/"))
		if a.Error.Details["site"] != fmt.Sprintf("%s:%d", bank, w.port) || a.Error.Details["line"] != 1.0 {
			t.Errorf("details %v", a.Error.Details)
		}
		if other := w.In("other").Run("session", "start", "--headless", "--url", w.url(bank, "/")); other.Code != "POLICY_DENIED" {
			t.Errorf("a browser that starts there: %s", other.Stdout)
		}
		if n := w.loads(bank) - before; n != 0 {
			t.Errorf("the bank was asked %d times", n)
		}
	})
	w.in(t, "link", func(t *testing.T) {
		home()
		w.fine("element", "click", "#link")
		w.awaitBank()
		for _, command := range reading {
			w.refused(closesBank, command...)
		}
		w.run("page", "list")
		w.run("session", "status")
		w.run("observe", "events")
		w.run("observe", "cause")
		home()
		w.run("console", "list", "--all-documents")
		w.run("network", "list")
		w.run("observe", "events")
		if list := fmt.Sprint(w.fine("console", "list")); !strings.Contains(list, "shop is open") {
			t.Errorf("the shop's lines are not told: %s", list)
		}
		if list := fmt.Sprint(w.fine("network", "list")); !strings.Contains(list, "document") {
			t.Errorf("the shop's requests are not told: %s", list)
		}
	})
	w.in(t, "history", func(t *testing.T) {
		home()
		w.fine("element", "click", "#link")
		w.awaitBank()
		home()
		w.refused(closesBank, "page", "navigate", "--back")
		w.fine("runtime", "eval", "void setTimeout(() => history.back(), 0)")
		w.awaitBank()
		w.refused(closesBank, "capture", "snapshot")
		w.fine("page", "navigate", "--back")
		w.fine("capture", "snapshot")
	})
	w.in(t, "redirect", func(t *testing.T) {
		home()
		w.refused(closesBank, "page", "navigate", "/redirect")
		w.refused(closesBank, "capture", "snapshot")
		if a := w.run("page", "open", w.url(shop, "/redirect")); a.Code != "POLICY_DENIED" {
			t.Errorf("a new page that is redirected: %s", a.Stdout)
		}
		w.fine("page", "close")
		home()
	})
	w.in(t, "popup", func(t *testing.T) {
		home()
		w.fine("runtime", "eval", fmt.Sprintf("void open(%q)", w.url(bank, "/")))
		browsertest.Until(t, patience, "the bank's window", func() bool {
			pages, _ := w.fine("page", "list")["pages"].([]any)
			return len(pages) == 2 && strings.Contains(fmt.Sprint(pages), bank)
		})
		w.fine("page", "use", "--page", w.pageAt(bank))
		w.refused(closesBank, "capture", "snapshot")
		w.fine("page", "close")
	})
	w.in(t, "frame", func(t *testing.T) {
		w.fine("page", "navigate", w.url(shop, "/frame"))
		browsertest.Until(t, patience, "the frames are there", func() bool {
			text := string(w.run("capture", "snapshot").Stdout)
			return strings.Contains(text, "Buy") && strings.Contains(text, "of the shop")
		})
		w.run("observe", "find", "Balance")
		w.run("console", "list")
		w.run("network", "list")
		w.run("observe", "events")
		w.run("audit", "page")
		w.refused(closesBank, "capture", "screenshot")
		w.refused(closesBank, "capture", "pdf")
		for _, frame := range []string{"f1", "f2"} {
			w.run("capture", "snapshot", "--frame", frame)
			w.run("element", "click", "button", "--frame", frame)
		}
	})

	// Levels and switches, by site.
	w.policy(nil, "level = \"control\"\n[[site]]\nmatch = \"quiet.localhost\"\nlevel = \"observe\"\n")
	w.in(t, "level", func(t *testing.T) {
		rule := `[[site]] "quiet.localhost": level = "observe"`
		home()
		w.refused(rule, "page", "navigate", w.url(quiet, "/"))
		w.fine("runtime", "eval", fmt.Sprintf("void (location.href = %q)", w.url(quiet, "/")))
		browsertest.Until(t, patience, "the quiet site", func() bool { return w.pageAt(quiet) != "" && w.run("capture", "snapshot").OK })
		w.fine("observe", "state")
		w.refused(rule, "element", "click", "#buy")
		w.refused(rule, "runtime", "eval", "1")
		w.refused(rule, "cdp", "send", "DOM.getDocument")
		home()
		w.fine("element", "click", "#buy")
	})
	w.policy(nil, "[switches]\nupload = false\n[[site]]\nmatch = \"*.localhost\"\nevaluate = false\nraw = false\nstate = false\npage-tools = false\ndownload = false\nsecrets = false\ndevtools = false\n")
	w.in(t, "switches", func(t *testing.T) {
		home()
		for name, commands := range map[string][][]string{
			"evaluate": {
				{"runtime", "eval", "1"}, {"page", "wait-function", "true"}, {"runtime", "logpoint", "list"},
				{"page", "navigate", w.url(shop, "/"), "--init-script", "1"}, {"network", "mock", "**/x", "--body", "1"},
			},
			"raw":        {{"cdp", "send", "Page.getFrameTree"}},
			"state":      {{"state", "list"}, {"component", "tree"}},
			"page-tools": {{"tools", "list"}},
			"download":   {{"page", "downloads"}},
			"secrets":    {{"element", "fill", "#file", "{{secret:NAME}}"}},
		} {
			for _, command := range commands {
				w.refused(fmt.Sprintf(`[[site]] "*.localhost": %s = false`, name), command...)
			}
		}
		w.refused("[switches] upload = false", "element", "upload", "#file", w.path)
		w.fine("capture", "snapshot")
		w.fine("element", "click", "#buy")
	})
}

// awaitBank waits until the bank's page is shown.
func (w *world) awaitBank() {
	w.t.Helper()
	browsertest.Until(w.t, patience, "the bank is shown", func() bool { return w.pageAt(bank) != "" })
}

// pageAt is the id of the page of a host, or empty.
func (w *world) pageAt(host string) string {
	w.t.Helper()
	pages, _ := w.fine("page", "list")["pages"].([]any)
	for _, one := range pages {
		row := one.(map[string]any)
		if address, _ := row["url"].(string); strings.Contains(address, "//"+host+":") {
			return fmt.Sprint(row["pageId"])
		}
	}
	return ""
}

// What cannot be understood refuses everything, and a corrected file counts within moments.
func TestFailsClosed(t *testing.T) {
	e := commandtest.Managed(t)
	w := &world{Env: e, sites: serve(t), t: t, path: filepath.Join(e.Home, "config", "policy.toml")}
	w.fine("page", "navigate", w.url(shop, "/"))
	w.write("level = \"act\"\n[switches]\nevalute = false\n")
	browsertest.Until(t, patience, "the wrong file refuses", func() bool { return w.run("capture", "snapshot").Code == "POLICY_DENIED" })
	for _, command := range append([][]string{{"page", "list"}, {"page", "open"}, {"session", "start", "--headless"}, {"record", "show", "x.dbr"}}, reading...) {
		a := w.run(command...)
		if a.Code != "POLICY_DENIED" || a.Error.Details["line"] != 3.0 || a.Error.Details["path"] != w.path || a.Error.Details["reason"] != "invalid_policy" {
			t.Errorf("%v: %s%s", command, a.Stdout, a.Stderr)
		}
	}
	for _, command := range []string{"show", "check", "explain"} {
		args := []string{"policy", command}
		if command == "explain" {
			args = append(args, "element.click")
		}
		if a := w.Fails("VALIDATION_ERROR", 2, args...); a.Error.Details["line"] != 3.0 || !strings.Contains(a.Error.Message, `did you mean "evaluate"?`) {
			t.Errorf("policy %s: %s", command, a.Stdout)
		}
	}
	w.fine("session", "status")
	w.OK("daemon", "status")

	w.write("level = \"act\"\n[switches]\nevaluate = false\n")
	browsertest.Until(t, patience, "the corrected file counts", func() bool { return w.run("capture", "snapshot").OK })
	w.refused(`level = "act"`, "runtime", "eval", "1")
	if err := os.Chmod(w.path, 0o666); err != nil {
		t.Fatal(err)
	}
	browsertest.Until(t, patience, "a file that others may write refuses", func() bool { return w.run("capture", "snapshot").Code == "POLICY_DENIED" })
	if err := os.Remove(w.path); err != nil {
		t.Fatal(err)
	}
	browsertest.Until(t, patience, "without a file all is permitted", func() bool { return w.run("runtime", "eval", "1").OK })

	// An allow list: only these, and nothing else.
	w.write(fmt.Sprintf("allow = [\"%s:%d\"]\n", shop, w.port))
	only := "allow, which does not list it"
	browsertest.Until(t, patience, "the list counts", func() bool { return w.run("page", "navigate", w.url(quiet, "/")).Code == "POLICY_DENIED" })
	w.refused(only, "page", "navigate", w.url(bank, "/"))
	w.refused(only, "page", "navigate", "data:text/html,x")
	w.fine("page", "navigate", w.url(shop, "/frame"))
	w.fine("capture", "snapshot")
	w.fine("capture", "screenshot") // a frame that is not listed is in the picture, its text is not told
	w.fine("page", "navigate", "about:blank")
	w.fine("page", "open", w.url(shop, "/"))

	check := w.fine("policy", "check", w.url(bank, "/"))
	if check["allowed"] != nil || check["ok"] != true {
		t.Errorf("policy check: %v", check)
	}
	if explained := w.fine("policy", "explain", "capture.snapshot", w.url(shop, "/")); explained["allowed"] != true || explained["line"] != 1.0 {
		t.Errorf("policy explain: %v", explained)
	}
	if shown := w.Text("policy", "show"); !strings.Contains(shown, fmt.Sprintf("only at: %s:%d", shop, w.port)) {
		t.Errorf("policy show: %s", shown)
	}
}
