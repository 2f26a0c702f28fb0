//go:build unix

package checks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// secretPage is a page that says its secret in its title, its text, its console and its storage.
func secretPage(secret string) string {
	return fmt.Sprintf(`<!doctype html><title>%[1]s</title><h1>%[1]s</h1><script>sessionStorage.secret=%[1]q;console.log(%[1]q)</script>`, secret)
}

// ten agents at once on ten pages of one browser, each page with a secret: every
// answer has that of the page that was asked, whoever asks.
func TestA09TenAgentsTenPages(t *testing.T) {
	t.Parallel()
	const many = 10
	html := map[string]string{"/": "<title>start</title>"}
	for n := range many {
		html[fmt.Sprintf("/%d", n)] = secretPage(fmt.Sprintf("secret-%d-%d", n, os.Getpid()))
	}
	s := servePages(t, html, nil)
	e := s.managed(t, "/")
	var ids [many]string
	var work sync.WaitGroup
	for n := range many {
		work.Go(func() {
			data := e.OK("page", "open", s.url(fmt.Sprintf("/%d", n)))
			ids[n] = fmt.Sprint(data["pageId"])
		})
	}
	work.Wait()
	secret := func(n int) string { return fmt.Sprintf("secret-%d-%d", n, os.Getpid()) }
	for agent := range many {
		work.Go(func() {
			for step := range many {
				n := (agent + step*3) % many
				var a commandtest.Answer
				switch (agent + step) % 4 {
				case 0:
					a = e.Run("runtime", "eval", "sessionStorage.secret", "--page", ids[n])
				case 1:
					a = e.Run("capture", "snapshot", "--page", ids[n])
				case 2:
					a = e.Run("console", "list", "--page", ids[n])
				case 3:
					a = e.Run("observe", "find", "secret", "--page", ids[n])
				}
				if text := string(a.Stdout); !a.OK || !strings.Contains(text, secret(n)) || strings.Count(text, "secret-") != strings.Count(text, secret(n)) {
					t.Errorf("agent %d asked page %d (%s): %s", agent, n, secret(n), text)
				}
			}
		})
	}
	work.Wait()
}

// commands that are interrupted or killed in the middle free the page at once.
func TestA19InterruptedMidCommand(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/test")
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		running := e.Command("runtime", "eval", "new Promise(() => {})", "--timeout", "60000")
		var out, errs bytes.Buffer
		running.Stdout, running.Stderr = &out, &errs
		if err := running.Start(); err != nil {
			t.Fatal(err)
		}
		inQueue := func(what string) func() bool {
			return func() bool {
				return bytes.Contains(e.Run("session", "status", "--verbose", "--fields", "queue").Stdout, []byte(what))
			}
		}
		browsertest.Until(t, browsertest.Patience, "the script runs", inQueue(`"runtime.eval"`))
		// One that waits behind it, too.
		waiting := e.Command("runtime", "eval", "window.second = (window.second ?? 0) + 1", "--timeout", "60000")
		var waited bytes.Buffer
		waiting.Stdout = &waited
		if err := waiting.Start(); err != nil {
			t.Fatal(err)
		}
		browsertest.Until(t, browsertest.Patience, "the second one waits", inQueue(`"waiting":1`))
		_ = waiting.Process.Signal(signal)
		_ = waiting.Wait()
		// The daemon hears of its end by the connection's, which is a moment after the process's.
		left := inQueue(`"waiting":1`)
		browsertest.Until(t, browsertest.Patience, "the second one has left the queue", func() bool { return !left() })
		began := time.Now()
		_ = running.Process.Signal(signal)
		_ = running.Wait()
		if got := e.Eval("window.second ?? 0"); got != 0.0 {
			t.Errorf("%v: the one that waited has run: %v", signal, got)
		}
		if took := time.Since(began); took > patient(5*time.Second) {
			t.Errorf("%v: the page was free after %v", signal, took)
		}
		if signal == syscall.SIGKILL {
			continue
		}
		for _, said := range [][]byte{out.Bytes(), waited.Bytes()} {
			var a struct {
				OK    bool
				Error struct{ Code string }
			}
			if err := json.Unmarshal(said, &a); err != nil || a.OK || a.Error.Code != "CANCELLED" {
				t.Errorf("%v: %v %s", signal, err, said)
			}
		}
		if status := running.ProcessState.ExitCode(); status != 4 {
			t.Errorf("%v: exit %d, stderr %s", signal, status, errs.String())
		}
	}
}

// pipes that close early, no terminal, no stdin, the C locale, fifty at once.
func TestA19HowScriptsCallIt(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t).In("test", "LANG=C", "LC_ALL=C", "TERM=dumb")
	e.Goto("/page/test")
	e.Eval(`document.title = "Grüße 東京 🚀"; document.body.innerHTML = "<ul>" + "<li><button>Press</button> é</li>".repeat(3000) + "</ul>"; for (let i = 0; i < 500; i++) console.log("line " + i); 0`)
	program := e.Command("version").Path
	sh := func(script string) (out, errs string, status int) {
		command := e.Command("version")
		shell := exec.Command("sh", "-c", script, program)
		shell.Env, shell.Dir = command.Env, command.Dir
		var stdout, stderr bytes.Buffer
		shell.Stdout, shell.Stderr = &stdout, &stderr
		_ = shell.Run() // the status tells
		return stdout.String(), stderr.String(), shell.ProcessState.ExitCode()
	}
	for _, command := range []string{"capture snapshot --output text", "capture snapshot", "console list --limit 500 --output text", "describe", "page list"} {
		command += " --timeout 60000" // the machine may be busy
		out, errs, status := sh(`"$0" ` + command + ` | head -1`)
		if status != 0 || errs != "" || strings.Count(out, "\n") > 1 {
			t.Errorf("%s | head -1: exit %d, stderr %q, %d bytes", command, status, errs, len(out))
		}
		if out, errs, status := sh(`"$0" ` + command + ` <&- >/dev/null`); status != 0 || errs != "" || out != "" {
			t.Errorf("%s without stdin: exit %d, stderr %q", command, status, errs)
		}
	}
	if out, errs, _ := sh(`"$0" page list >&-`); out != "" || strings.Contains(errs, "panic") {
		t.Errorf("without stdout: %q %q", out, errs)
	}
	if out, _, status := sh(`"$0" runtime eval document.title`); status != 0 || !strings.Contains(out, "Grüße 東京 🚀") {
		t.Errorf("in the C locale: exit %d %s", status, out)
	}
	var work sync.WaitGroup
	for n := range 50 {
		work.Go(func() {
			a := e.Run("runtime", "eval", fmt.Sprintf("%d * 2", n))
			if !a.OK || a.Data["value"] != float64(n*2) || bytes.Count(a.Stdout, []byte("\n")) != 1 || len(a.Stderr) != 0 {
				t.Errorf("%d: exit %d %s%s", n, a.Exit, a.Stdout, a.Stderr)
			}
		})
	}
	work.Wait()
}
