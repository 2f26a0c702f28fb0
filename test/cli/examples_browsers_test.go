package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// exampleBrowsers open a page in each kind of browser, for commands of one context.
var exampleBrowsers = map[string]func(t *testing.T, url string) *txtar{
	"managed":   managedExamples,
	"remote":    remoteExamples,
	"extension": extensionExamples,
}

func managedExamples(t *testing.T, url string) *txtar {
	s := newScript(t)
	needChromium(t)
	s.must("session start --headless --url " + url)
	return s
}

// remoteExamples connect to a browser that somebody else started.
func remoteExamples(t *testing.T, url string) *txtar {
	s := newScript(t)
	path, profile := needChromium(t), t.TempDir()
	args := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + profile, "--no-first-run", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--window-size=1280,900", "--screen-info={1920x1200}", url}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...)
	}
	theirs := exec.Command(path, args...)
	if err := theirs.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() { defer close(gone); _ = theirs.Wait() }() // it is killed
	t.Cleanup(func() { _ = theirs.Process.Kill(); <-gone })
	var port string
	until(t, "the other browser", patience, func() bool {
		data, _ := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
		port, _, _ = strings.Cut(string(data), "\n")
		return strings.Count(string(data), "\n") > 0
	})
	s.must("session start --endpoint http://127.0.0.1:" + port)
	s.must("page navigate " + url)
	return s
}

// extensionExamples use a tab of the user's own, connected in the popup.
func extensionExamples(t *testing.T, url string) *txtar {
	needChromium(t)
	env := browsertest.Start(t, browsertest.Options{Extension: true, Args: []string{"--screen-info={1920x1200}"}})
	env.Connect(env.OpenTab(url), "control")
	p := &place{t: t, home: env.Home, env: env.Exec().Env}
	return scriptIn(p)
}

func needChromium(t *testing.T) string {
	t.Helper()
	path, err := chromium.Find()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return path
}
