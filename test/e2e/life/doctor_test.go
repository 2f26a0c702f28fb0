//go:build linux

package life

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// killDaemon ends the daemon, and the host with it, and waits for the next one.
func killDaemon(t *testing.T, both bool) {
	t.Helper()
	before, host := env.Daemon().PID, relay()
	began := time.Now()
	env.KillDaemon()
	if both && alive(host) {
		_ = syscall.Kill(host, syscall.SIGKILL) // it may have ended with the daemon
	}
	env.WakeWorker()
	browsertest.Until(t, browsertest.Patience, "another daemon", func() bool {
		all := daemons(env)
		return len(all) == 1 && all[0] != before && env.Daemon().PID == all[0]
	})
	within(t, env, "another daemon", began, 2*time.Second)
	awaitLink()
}

// hop is one line of the doctor.
type hop struct{ Hop, Subject, Status, Code, Line, Fix string }

func (h hop) String() string {
	return fmt.Sprintf("%s %s: %s (fix: %s)", h.Status, h.Hop, h.Line, h.Fix)
}

// doctor runs it and gives its exit status and hops.
func doctor(t *testing.T) (int, []hop) {
	t.Helper()
	out := env.Run("doctor")
	type report struct{ Hops []hop }
	var answer struct {
		Data  report
		Error struct{ Details struct{ Report report } }
	}
	if err := json.Unmarshal([]byte(out.Stdout), &answer); err != nil {
		t.Fatalf("doctor: %v: %s%s", err, out.Stdout, out.Stderr)
	}
	hops := answer.Data.Hops
	if out.Exit != 0 {
		hops = answer.Error.Details.Report.Hops
	}
	if len(hops) == 0 {
		t.Fatalf("doctor: no hops in %s", out.Stdout)
	}
	return out.Exit, hops
}

// Each hop of a real chain is broken in turn: the doctor names it and what to do;
// repaired, all is well again.
func TestDoctor(t *testing.T) {
	p := connect(t, "act", "/page/One")
	manifest := filepath.Join(env.Profile, "NativeMessagingHosts", browsertest.HostName+".json")
	well := func(t *testing.T) {
		t.Helper()
		if exit, hops := doctor(t); exit != 0 {
			t.Errorf("a chain that works: exit %d, %v", exit, hops)
		}
	}
	well(t)
	for _, c := range []struct {
		name, hop, status string
		exit              int
		say               string // in line, code or fix
		broken            func(t *testing.T)
		repair            func(t *testing.T)
	}{
		{"tokens open to others", "secrets", "fail", 6, "chmod", func(t *testing.T) {
			must(t, os.Chmod(filepath.Join(env.Home, "state", "tokens.json"), 0o644))
		}, func(t *testing.T) { must(t, os.Chmod(filepath.Join(env.Home, "state", "tokens.json"), 0o600)) }},
		{"page crashed", "page", "fail", 9, "reload the crashed tab", func(t *testing.T) {
			p.tab.Crash()
			p.agent.Await("the crash", func(m browsertest.Message) bool { return m.Type() == "app_disconnected" })
		}, func(t *testing.T) {
			from := p.agent.Len()
			_ = p.tab.Call("Page.reload", nil, nil) // a crashed page does not answer
			p.agent.AwaitFrom(from, "the page is back", ofType("app_connected"))
		}},
		{"manifest of another program", "manifest", "fail", 6, "dbridge install", func(t *testing.T) {
			text, err := os.ReadFile(manifest)
			must(t, err)
			must(t, os.WriteFile(manifest, []byte(strings.ReplaceAll(string(text), env.Program, filepath.Join(env.Dir, "gone"))), 0o644))
		}, func(t *testing.T) { env.Install() }},
		{"browser closed", "browser", "fail", 10, "chrome://extensions", func(t *testing.T) {
			env.KillChrome()
			browsertest.Until(t, browsertest.Patience, "the extension is away", func() bool { return len(status().Browsers) == 0 })
		}, nil},
		{"no daemon", "daemon", "fail", 10, "dbridge daemon start", func(t *testing.T) { env.StopDaemon() }, nil},
		{"no manifest", "manifest", "fail", 6, "dbridge install", func(t *testing.T) { must(t, os.Remove(manifest)) }, func(t *testing.T) {
			env.Install()
			env.RestartChrome()
			awaitLink()
			p.agent = env.Agent("sessionId=" + p.session)
			p.reconnect("act", "/page/One")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env.T = t
			c.broken(t)
			exit, hops := doctor(t)
			found := false
			for _, h := range hops {
				found = found || h.Hop == c.hop && h.Status == c.status && strings.Contains(h.Line+h.Code+h.Fix, c.say)
			}
			if !found || exit != c.exit {
				t.Errorf("exit %d, want %d and %s at %s with %q in:", exit, c.exit, c.status, c.hop, c.say)
				for _, h := range hops {
					t.Log(h)
				}
			}
			if c.repair != nil {
				c.repair(t)
				well(t)
			}
		})
		env.T = t
	}
	t.Cleanup(p.agent.Close)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
