package policy

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// N-24 in the person's own Chrome: the daemon refuses what its policy closes, though the
// person consented to any site in the tab.
func TestExtension(t *testing.T) {
	browser := browsertest.Start(t, browsertest.Options{Extension: true})
	s := serve(t)
	e := commandtest.User(t, browser)
	w := &world{Env: e, sites: s, t: t, path: filepath.Join(e.Home, "config", "policy.toml")}
	tab := browser.OpenTab(s.url(shop, "/"))
	browser.Connect(tab, "control", browsertest.AnySite())
	w.AwaitPages(1)
	w.policy([]string{bank}, "")
	w.fine("page", "navigate", w.url(shop, "/"))
	before := s.loads(bank)
	w.refused(closesBank, "page", "navigate", w.url(bank, "/"))
	w.refused(closesBank, "page", "open", w.url(bank, "/"))
	w.refused(closesBank, "cdp", "send", "Page.navigate", fmt.Sprintf(`{"url":%q}`, w.url(bank, "/")))
	if n := s.loads(bank) - before; n != 0 {
		t.Errorf("the bank was asked %d times", n)
	}
	w.fine("element", "click", "#link")
	w.awaitBank()
	for _, command := range [][]string{{"capture", "snapshot"}, {"capture", "screenshot"}, {"console", "list"}, {"runtime", "eval", "document.title"}, {"element", "click", "#pay"}} {
		w.refused(closesBank, command...)
	}
	w.run("page", "list")
	w.run("observe", "events")
	w.fine("page", "navigate", w.url(shop, "/frame"))
	browsertest.Until(t, patience, "the frames are there", func() bool {
		text := string(w.run("capture", "snapshot").Stdout)
		return strings.Contains(text, "Buy") && strings.Contains(text, "of the shop")
	})
	w.run("console", "list")
	w.run("observe", "events")
	w.refused(closesBank, "capture", "screenshot")
}
