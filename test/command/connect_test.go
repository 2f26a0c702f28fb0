package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// connected is the part of session connect's answer that the tests look at.
func connected(t *testing.T, data map[string]any) (state, hop, person, command string, pages []any) {
	t.Helper()
	state, _ = data["state"].(string)
	if missing, ok := data["missing"].(map[string]any); ok {
		hop, _ = missing["hop"].(string)
	}
	if next, ok := data["next"].(map[string]any); ok {
		person, _ = next["person"].(string)
		command, _ = next["command"].(string)
	}
	pages, ok := data["pages"].([]any)
	if !ok {
		t.Errorf("no list of pages: %v", data)
	}
	return state, hop, person, command, pages
}

// Each hop that is not there is told at once, with the step that brings it.
func TestConnectTellsTheMissingHop(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the browser's folder is that of Linux")
	}
	e := commandtest.New(t)
	user := t.TempDir()
	e = e.In("connect", "HOME="+user, "XDG_CONFIG_HOME=", "CHROME_CONFIG_HOME=", "USERPROFILE="+user)
	want := func(wantState, wantHop, wantCommand string) string {
		t.Helper()
		state, hop, person, command, pages := connected(t, e.OK("session", "connect"))
		if state != wantState || hop != wantHop || !strings.HasPrefix(command, wantCommand) || person == "" || len(pages) != 0 {
			t.Errorf("%s %s, next %q, person %q, %v", state, hop, command, person, pages)
		}
		if text := e.Text("session", "connect"); strings.Count(text, "\n") > 3 || !strings.Contains(text, wantCommand) {
			t.Errorf("%s", text)
		}
		return person
	}
	want("no_browser", "browser", "dbridge install")

	// A browser's folder, as its first start makes it.
	if err := os.MkdirAll(filepath.Join(user, ".config", "chromium"), 0o700); err != nil {
		t.Fatal(err)
	}
	e.Run("daemon", "stop") // it keeps the environment that it was started with
	want("not_installed", "native-host", "dbridge install")
	e.OK("install")
	if person := want("not_connected", "extension", "dbridge session connect --wait"); !strings.Contains(person, filepath.Join(e.Home, "extension")) {
		t.Errorf("the folder of the extension is not told: %s", person)
	}

	// A wait that brings nothing is an answer, and says meanwhile what it waits for.
	a := e.Run("session", "connect", "--wait", "600", "--verbose")
	state, _, _, _, _ := connected(t, a.Data)
	if ms, _ := a.Data["waitedMs"].(float64); !a.OK || state != "not_connected" || ms < 100 || !strings.Contains(string(a.Stderr), "waiting: ") {
		t.Errorf("%s%s", a.Stdout, a.Stderr)
	}
	if state, _, _, command, _ := connected(t, e.OK("session", "connect", "--profile", "remote")); state != "no_browser" || !strings.HasPrefix(command, "dbridge session start") {
		t.Errorf("%s, %s", state, command)
	}
	e.Fails("VALIDATION_ERROR", 2, "session", "connect", "--url", "/(/")
	e.Fails("VALIDATION_ERROR", 2, "session", "connect", "--wait", "300001")
}

// A browser of the context's own serves as well; where it ended, that is told.
func TestConnectWithABrowserOfItsOwn(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/one")
	state, _, _, _, pages := connected(t, e.OK("session", "connect"))
	if state != "ready" || len(pages) != 1 {
		t.Fatalf("%s %v", state, pages)
	}
	first := pages[0].(map[string]any)
	if first["source"] != "managed" || first["level"] != "control" || first["title"] != "one" || first["current"] != true {
		t.Errorf("%v", first)
	}
	e.OK("page", "open", e.Site.URL("/page/two"))
	e.OK("page", "use", "2")
	if state, _, _, command, _ := connected(t, e.OK("session", "connect", "--url", "*/page/one")); state != "ready" || command != "dbridge page use 1" {
		t.Errorf("%s, next %q: the current page stays what it is", state, command)
	}
	state, hop, _, command, _ := connected(t, e.OK("session", "connect", "--url", e.Site.URL("/page/three")))
	if state != "waiting_for_user" || hop != "page" || command != "dbridge page open '"+e.Site.URL("/page/three")+"'" {
		t.Errorf("%s %s, next %q", state, hop, command)
	}
	e.Eval("setTimeout(() => location.href = '/page/three', 300); 0")
	if state, _, _, _, _ := connected(t, e.OK("session", "connect", "--url", "/page/three", "--wait", "30000")); state != "ready" {
		t.Errorf("%s", state)
	}

	pid, _ := e.OK("session", "status")["pid"].(float64)
	browser, err := os.FindProcess(int(pid))
	if err == nil {
		err = browser.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	browsertest.Until(t, browsertest.Patience, "what is told after the end of the browser", func() bool {
		state, hop, _, command, _ := connected(t, e.OK("session", "connect"))
		return state == "no_browser" && hop == "browser" && command == "dbridge session restart"
	})

}
