//go:build linux

package contexts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// patience is for a busy machine; what is waited for comes much sooner.
const patience = 60 * time.Second

// asHarness makes the test program an agent's harness: it starts a browser and stays.
const asHarness = "CONTEXTS_TEST_HARNESS"

func TestMain(m *testing.M) {
	if words := os.Getenv(asHarness); words != "" {
		command := exec.Command("sh", "-c", words)
		command.Stdout, command.Stderr = os.Stdout, os.Stderr
		if err := command.Run(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("harness ready")
		time.Sleep(10 * time.Minute) // until it is killed
	}
	os.Exit(m.Run())
}

// bench is one home with its daemon.
type bench struct {
	t      *testing.T
	home   string
	binary string
	env    []string
}

func newBench(t *testing.T, env ...string) *bench {
	t.Helper()
	if testing.Short() {
		t.Skip("needs browsers")
	}
	chromiumPath(t)
	binary, err := browsertest.DBridge()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, home: filepath.Join(t.TempDir(), "home"), binary: binary}
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "DBRIDGE_") {
			b.env = append(b.env, entry)
		}
	}
	b.env = append(append(b.env, "DBRIDGE_HOME="+b.home, "DBRIDGE_PORT=0", "DBRIDGE_IDLE_TIMEOUT=2m"), env...)
	t.Cleanup(func() {
		b.run(nil, "daemon", "stop")
		b.await("the end of all processes", func() bool { return len(b.processes()) == 0 })
		for _, pid := range b.processes() {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if t.Failed() {
			log, _ := os.ReadFile(filepath.Join(b.home, "state", "dbridge.log"))
			t.Logf("daemon log:\n%s", log[max(0, len(log)-4000):])
		}
	})
	return b
}

// answer is what a command gave.
type answer struct {
	OK    bool            `json:"ok"`
	Data  json.RawMessage `json:"data"`
	Error struct {
		Code        string         `json:"code"`
		Message     string         `json:"message"`
		Details     map[string]any `json:"details"`
		Suggestions []string       `json:"suggestions"`
	} `json:"error"`
	exit int
	raw  string
}

func (a answer) into(t *testing.T, value any) {
	t.Helper()
	if err := json.Unmarshal(a.Data, value); err != nil {
		t.Fatalf("%v: %s", err, a.raw)
	}
}

// run runs one command with further variables.
func (b *bench) run(env []string, args ...string) answer {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, b.binary, args...)
	command.Env = append(append([]string{}, b.env...), env...)
	var out, notes bytes.Buffer
	command.Stdout, command.Stderr = &out, &notes
	err := command.Run()
	a := answer{raw: out.String() + notes.String()}
	a.exit = command.ProcessState.ExitCode()
	if jsonErr := json.Unmarshal(out.Bytes(), &a); jsonErr != nil {
		b.t.Errorf("%v: %v %v\n%s", args, err, jsonErr, a.raw)
	}
	return a
}

// as runs a command of a named context, and fails the test when it fails.
func (b *bench) as(context string, args ...string) answer {
	b.t.Helper()
	a := b.run([]string{"DBRIDGE_CONTEXT_ID=" + context}, args...)
	if !a.OK {
		b.t.Errorf("%s: %v: %s", context, args, a.raw)
	}
	return a
}

// eval is a script's value in a context.
func (b *bench) eval(context, script string) string {
	b.t.Helper()
	var out struct {
		Value any `json:"value"`
	}
	b.as(context, "runtime", "eval", script).into(b.t, &out)
	return fmt.Sprint(out.Value)
}

// processes lists those whose command line or environment names the home.
func (b *bench) processes() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		b.t.Fatal(err)
	}
	var found []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, err := os.ReadFile("/proc/" + entry.Name() + "/cmdline")
		if err != nil || len(line) == 0 {
			continue
		}
		environ, _ := os.ReadFile("/proc/" + entry.Name() + "/environ")
		if bytes.Contains(line, []byte(b.home)) || bytes.Contains(environ, []byte("DBRIDGE_HOME="+b.home+"\x00")) {
			found = append(found, pid)
		}
	}
	return found
}

// browsers lists the processes of managed browsers.
func (b *bench) browsers() []int {
	var found []int
	for _, pid := range b.processes() {
		if line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); err == nil && bytes.Contains(line, []byte("--user-data-dir="+b.home)) {
			found = append(found, pid)
		}
	}
	return found
}

func (b *bench) contexts() []string {
	names, err := filepath.Glob(filepath.Join(b.home, "state", "contexts", "*"))
	if err != nil {
		b.t.Fatal(err)
	}
	return names
}

func (b *bench) await(what string, done func() bool) {
	b.t.Helper()
	deadline := time.Now().Add(patience)
	for !done() {
		if time.Now().After(deadline) {
			b.t.Fatalf("not in %s: %s", patience, what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// site serves a page that holds the last part of its path.
func site(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secret := filepath.Base(r.URL.Path)
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>%s</title><button>%s</button><script>localStorage.secret=%q;console.log(%q)</script>", secret, secret, secret, secret)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func chromiumPath(t *testing.T) string {
	t.Helper()
	path, err := chromium.Find()
	if err != nil {
		t.Skip(err)
	}
	return path
}
