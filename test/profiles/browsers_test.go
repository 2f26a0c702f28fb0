//go:build linux

package profiles

import (
	"fmt"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// named gives a browser its name as a person does, in the popup.
func named(t *testing.T, e *browsertest.Env, tab *browsertest.Tab, name string) {
	t.Helper()
	popup := e.OpenPopup(tab)
	popup.Await("document.getElementById('browser-name').placeholder !== ''")
	var height int
	popup.Eval("document.documentElement.scrollHeight", &height)
	if height > 600 {
		t.Errorf("the popup is %d px high; Chrome shows 600", height)
	}
	popup.Click("#browser-name")
	popup.Eval("document.getElementById('browser-name').select()", nil)
	popup.Type(name)
	popup.Press("Tab")
	popup.Close()
}

// H-15: two browsers of the person at once. Each context picks one by the name that the
// person gave it, by its id or by a profile of the configuration, and sees its pages
// alone; a name that two have is refused with both.
func TestH15NamedBrowsers(t *testing.T) {
	one := browsertest.Start(t, browsertest.Options{Extension: true})
	two := one.Beside()
	e := commandtest.User(t, one)
	title := map[*browsertest.Env]string{one: "?one", two: "?two"}
	tabs := map[*browsertest.Env]*browsertest.Tab{}
	for browser, query := range title {
		tabs[browser] = browser.OpenTab(one.Pages.URL("/app/" + query))
		browser.Connect(tabs[browser], "control")
	}
	named(t, one, tabs[one], "Work Chrome")
	named(t, two, tabs[two], "Home Chrome")
	ids := func() map[string]string {
		out := map[string]string{}
		list, _ := e.OK("profile", "list")["profiles"].([]any)
		for _, row := range list {
			p, _ := row.(map[string]any)
			if p["source"] == "browser" {
				_, id, _ := strings.Cut(fmt.Sprint(p["about"]), ", id ")
				out[fmt.Sprint(p["name"])] += id
			}
		}
		return out
	}
	browsertest.Until(t, browsertest.Patience, "that the daemon knows the names", func() bool {
		now := ids()
		return now["Work Chrome"] != "" && now["Home Chrome"] != "" && now["Work Chrome"] != now["Home Chrome"]
	})
	known := ids()
	urls := func(c *commandtest.Env, args ...string) string {
		t.Helper()
		var out []string
		list, _ := c.OK(append([]string{"page", "list"}, args...)...)["pages"].([]any)
		for _, row := range list {
			p, _ := row.(map[string]any)
			at := fmt.Sprint(p["url"])
			out = append(out, at[strings.LastIndexByte(at, '/')+1:])
		}
		return strings.Join(out, " ")
	}
	in := func(name string) *commandtest.Env { return e.In(name, one.Exec().Env...) }
	browsertest.Until(t, browsertest.Patience, "both pages", func() bool { return len(strings.Fields(urls(in("all")))) == 2 })
	e.OK("profile", "add", "mine", "--browser", "Work Chrome")
	for name, want := range map[string]string{"Work Chrome": "?one", "home chrome": "?two", known["Home Chrome"]: "?two", "mine": "?one"} {
		c := in("start " + name)
		started := c.OK("session", "start", "--profile", name)
		if got := urls(c); got != want || started["profile"] != name {
			t.Errorf("a context with --profile %q sees %q, started %v", name, got, started)
		}
		status := c.OK("session", "status")
		if status["profile"] != name || status["state"] != "user" || !strings.Contains(fmt.Sprint(status["browser"]), "Chrome") {
			t.Errorf("%v", status)
		}
		if got := urls(in("asks"), "--profile", name); got != want {
			t.Errorf("--profile %q on a command sees %q", name, got)
		}
		c.OK("session", "stop")
		if got := urls(c); len(strings.Fields(got)) != 2 {
			t.Errorf("after its end it sees %q", got)
		}
	}
	// The pages are told apart for commands, too.
	other := in("other")
	other.OK("session", "start", "--profile", "Home Chrome")
	if got := other.Eval("location.search"); got != "?two" {
		t.Errorf("a command went to %v", got)
	}
	// Both are called the same.
	named(t, two, tabs[two], "work chrome")
	browsertest.Until(t, browsertest.Patience, "the new name", func() bool { return ids()["work chrome"] != "" })
	for _, line := range [][]string{{"session", "start", "--profile", "Work Chrome"}, {"page", "list", "--profile", "WORK CHROME"}, {"session", "start", "--profile", "mine"}} {
		refused := in("both").Fails("TARGET_AMBIGUOUS", 2, line...)
		for _, id := range known {
			if !strings.Contains(fmt.Sprint(refused.Error.Details["browsers"]), id) {
				t.Errorf("%q does not list %s: %s", line, id, refused.Stdout)
			}
		}
	}
	// A context keeps the browser it chose, whatever that is called now.
	if got := urls(other); got != "?two" {
		t.Errorf("after the new name it sees %q", got)
	}
	if check := e.OK("profile", "check", "mine"); check["ok"] != false {
		t.Errorf("%v", check)
	}
	// One that is gone is said to be.
	two.KillChrome()
	browsertest.Until(t, browsertest.Patience, "the end of the other browser", func() bool { return ids()["work chrome"] == "" })
	if got := urls(in("alone"), "--profile", "Work Chrome"); got != "?one" {
		t.Errorf("alone it sees %q", got)
	}
	away := in("away").Run("session", "start", "--profile", "Home Chrome")
	if away.OK || len(away.Error.Suggestions) == 0 {
		t.Errorf("a browser that is gone: %s", away.Stdout)
	}
}
