// Package secure attacks the real daemon and the real extension: from raw TCP, from
// web pages of other origins in Chromium, from another extension, and from agents
// that break the protocol or ask for more than was granted.
package secure

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

type params = browsertest.Params

// alone starts a world without a browser, its daemon, and a valid token.
func alone(t *testing.T) (e *browsertest.Env, daemon browsertest.Discovery, token string) {
	t.Helper()
	e = browsertest.Start(t, browsertest.Options{NoBrowser: true})
	daemon = e.StartDaemon()
	return e, daemon, e.Token("good", "--role", "agent")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func quote(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has no such error
	}
	return string(data)
}

func ofType(kind string) func(browsertest.Message) bool {
	return func(m browsertest.Message) bool { return m.Type() == kind }
}

// refusals counts the daemon's log lines of refused requests.
func refusals(t *testing.T, e *browsertest.Env) int {
	t.Helper()
	var logs struct{ Lines []string }
	e.Data(&logs, "daemon", "logs", "--lines", "1000")
	count := 0
	for _, line := range logs.Lines {
		if strings.Contains(line, "request refused") {
			count++
		}
	}
	return count
}

// resident is the memory of a process, in bytes; 0 where /proc is not.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, pages int
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
