package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/face/cli"
)

// What a command line asks of the daemon, and what it prints of the answer.
func TestRunsCommands(t *testing.T) {
	home(t)
	for _, c := range []struct {
		line   []string
		status int
		stdout string
		stderr string
	}{
		{[]string{"runtime", "eval", "1+1", "--page", "3", "--timeout", "500"}, 0, `"data":{"command":"runtime.eval","params":{"expression":"1+1"},"page":3,"timeoutMs":500}`, ""},
		{[]string{"runtime", "eval", "1"}, 0, `"page":0,"timeoutMs":0}`, ""},
		{[]string{"--output=text", "runtime", "eval", "1", "--page=7"}, 0, "page 7\n", ""},
		{[]string{"runtime", "eval", "1", "--fields", "page"}, 0, `"data":{"page":0},`, ""},
		{[]string{"runtime", "eval", "stream"}, 0, "{\"n\":1}\n\"two\"\n{\"ok\":true,", ""},
		{[]string{"runtime", "eval", "stream", "--verbose", "--output", "text"}, 0, "{\"n\":1}\ntwo\npage 0\n", "working on it\n"},
		{[]string{"runtime", "eval", "refuse"}, 2, `"code":"VALIDATION_ERROR"`, ""},
		{[]string{"runtime", "eval", "refuse", "--output", "text"}, 2, "", "error: no such parameter (VALIDATION_ERROR)\n  try: s\n"},
		{[]string{"runtime", "eval", "die"}, 4, `"code":"INDETERMINATE"`, ""},
	} {
		status, out, errs := run(t, "", c.line...)
		out = fence.ReplaceAllString(out, "$2")
		if status != c.status || !strings.Contains(out, c.stdout) || errs != c.stderr || c.stdout == "" && out != "" {
			t.Errorf("%q: exit %d\nstdout %s\nstderr %s", c.line, status, out, errs)
		}
	}
}

// fence is what stands around page text of an answer as text.
var fence = regexp.MustCompile(`\[page (\w{11})\]\n((?s:.*?))\[/page \w{11}\]\n`)

// The numbers of a batch are in its streams too, and one connection serves it.
func TestBatchOfStreams(t *testing.T) {
	home(t)
	status, out, errs := run(t, "runtime eval stream\nruntime eval 2\n", "run", "-", "--page", "4", "--timeout", "900")
	want := "{\"index\":0,\"line\":{\"n\":1}}\n{\"index\":0,\"line\":\"two\"}\n{\"index\":0,\"ok\":true,"
	if status != 0 || !strings.HasPrefix(out, want) || !strings.Contains(out, "\n{\"index\":1,\"ok\":true,") || strings.Count(out, `"page":4,"timeoutMs":900`) != 2 {
		t.Fatalf("exit %d\n%s\n%s", status, out, errs)
	}
	// A daemon that dies does not end the list. (The next line may still meet it dying.)
	status, out, _ = run(t, "runtime eval die\nruntime eval 2\n", "run", "-", "--keep-going")
	if status != 4 || !strings.Contains(out, `{"index":0,"ok":false,"error":{"code":"INDETERMINATE"`) || !strings.Contains(out, `{"index":1,"ok":`) {
		t.Fatalf("exit %d\n%s", status, out)
	}
}

// Ctrl-C ends the command in the daemon too, and what was printed stays whole.
func TestInterruptCancels(t *testing.T) {
	h := home(t)
	if status, out, _ := run(t, "", "runtime", "eval", "1"); status != 0 {
		t.Fatal(out)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var errs bytes.Buffer
	out := &watched{see: func(text string) {
		if strings.Contains(text, "begun") {
			interrupt()
		}
	}}
	begin := time.Now()
	status := cli.Main(ctx, []string{"runtime", "eval", "hang"}, strings.NewReader(""), out, &errs, deps())
	if status != 4 || !strings.Contains(out.String(), `"code":"CANCELLED"`) || time.Since(begin) > patience {
		t.Fatalf("exit %d after %s\n%s", status, time.Since(begin), out.String())
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if noted, err := os.ReadFile(filepath.Join(h.State, "cancelled.log")); err == nil && len(noted) > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the daemon was not told")
		}
	}
}

// watched is a stdout that is looked at as it is written.
type watched struct {
	bytes.Buffer
	see func(string)
}

func (w *watched) Write(data []byte) (int, error) {
	n, err := w.Buffer.Write(data)
	w.see(string(data))
	return n, err
}

// H-24: a daemon of another version is told, and its refusal is not taken for the user's mistake.
func TestOtherVersion(t *testing.T) {
	t.Setenv("FAKE_VERSION", "9.8.7")
	home(t)
	status, out, errs := run(t, "", "runtime", "eval", "1")
	if status != 0 || !strings.HasPrefix(out, `{"ok":true`) || !strings.Contains(errs, "version 9.8.7") {
		t.Errorf("exit %d %s %s", status, out, errs)
	}
	status, out, _ = run(t, "", "runtime", "eval", "refuse")
	if status != 7 || !strings.Contains(out, `"code":"VERSION_MISMATCH"`) || !strings.Contains(out, `"dbridge daemon stop"`) {
		t.Errorf("exit %d %s", status, out)
	}
}
