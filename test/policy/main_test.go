// Package policy tests the person's policy file from end to end: what it closes is not
// seen, not loaded and not acted on, by whichever way an agent comes. The real browser,
// the real daemon, the real program.
package policy

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

// patience is for a busy machine; what is waited for comes much sooner.
const patience = 3 * browsertest.Patience

// balance is what the bank shows, says, and has in its title and its addresses. No agent
// may ever hear it.
const balance = "4711"

const (
	bank  = "bank.localhost"  // closed in most cases
	shop  = "shop.localhost"  // open
	quiet = "quiet.localhost" // with settings of its own
)

// sites are three hosts of one server.
type sites struct {
	port int
	mu   sync.Mutex
	hits map[string]int // by host
}

func serve(t *testing.T) *sites {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &sites{port: listener.Addr().(*net.TCPAddr).Port, hits: map[string]int{}}
	server := &http.Server{Handler: s}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener)
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
	})
	return s
}

func (s *sites) url(host, path string) string {
	return fmt.Sprintf("http://%s:%d%s", host, s.port, path)
}

func (s *sites) loads(host string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[host]
}

func (s *sites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	host, _, _ := net.SplitHostPort(r.Host)
	if r.URL.Path == "/favicon.ico" {
		http.NotFound(w, r)
		return
	}
	s.mu.Lock()
	s.hits[host]++
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if host == bank {
		http.SetCookie(w, &http.Cookie{Name: "balance", Value: balance})
		fmt.Fprintf(w, `<title>Bank %[1]s</title><p>Balance %[1]s</p><button id=pay>Pay %[1]s</button>
			<script>history.replaceState(null, '', '/account/%[1]s'); console.log('bank says %[1]s'); fetch('/more?%[1]s');
			setTimeout(() => { throw new Error('bank fails %[1]s') })</script>`, balance)
		return
	}
	switch r.URL.Path {
	case "/redirect":
		http.Redirect(w, r, s.url(bank, "/"), http.StatusFound)
		return
	case "/frame":
		fmt.Fprintf(w, `<title>Frame</title><button>Buy</button><iframe src="%s"></iframe><iframe srcdoc="<p>of the shop</p>"></iframe>`, s.url(bank, "/"))
		return
	}
	fmt.Fprintf(w, `<title>Shop %s</title><a id=link href="%s">To the bank</a><button id=buy onclick="this.textContent = 'Bought'">Buy</button>
		<input id=file type=file><script>console.log('shop is open')</script>`, r.URL.Path, s.url(bank, "/"))
}

// world is an agent's context, and the policy that it is under.
type world struct {
	*commandtest.Env
	*sites
	t     *testing.T
	path  string
	marks int
}

func (w *world) write(text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// policy puts a policy in force: hosts that are closed, and the rest of the file.
func (w *world) policy(closed []string, rest string) {
	w.t.Helper()
	w.marks++
	mark := fmt.Sprintf("mark%d.localhost", w.marks)
	list := fmt.Sprintf("%q", append([]string{mark}, closed...))
	w.write("deny = " + strings.ReplaceAll(list, `" "`, `", "`) + "\n" + rest)
	browsertest.Until(w.t, patience, "the policy is in force", func() bool {
		a := w.Run("page", "navigate", w.url(mark, "/"))
		return a.Code == "POLICY_DENIED" && a.Error.Details["rule"] == fmt.Sprintf("deny %q", mark)
	})
}

// run is a command whose output must not hold the balance.
func (w *world) run(args ...string) commandtest.Answer {
	w.t.Helper()
	a := w.Run(args...)
	if bytes.Contains(a.Stdout, []byte(balance)) || bytes.Contains(a.Stderr, []byte(balance)) {
		at := max(bytes.Index(a.Stdout, []byte(balance)), 0)
		w.t.Errorf("dbridge %s tells of the bank: …%s%s", strings.Join(args, " "), a.Stdout[max(at-400, 0):min(at+100, len(a.Stdout))], a.Stderr)
	}
	return a
}

// refused is a command that the policy refuses by a rule.
func (w *world) refused(rule string, args ...string) commandtest.Answer {
	w.t.Helper()
	a := w.run(args...)
	if a.Code != "POLICY_DENIED" || a.Exit != 9 || a.Error.Details["rule"] != rule || len(a.Error.Suggestions) == 0 {
		w.t.Errorf("dbridge %s: want POLICY_DENIED by %q; exit %d\n%s%s", strings.Join(args, " "), rule, a.Exit, a.Stdout, a.Stderr)
	}
	return a
}

// fine is a command that is done.
func (w *world) fine(args ...string) map[string]any {
	w.t.Helper()
	a := w.run(args...)
	if !a.OK {
		w.t.Fatalf("dbridge %s: exit %d\n%s%s", strings.Join(args, " "), a.Exit, a.Stdout, a.Stderr)
	}
	return a.Data
}

// in runs a case on the shop's page.
func (w *world) in(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) {
		outer, env := w.t, w.T
		w.t, w.T = t, t
		defer func() { w.t, w.T = outer, env }()
		test(t)
	})
}
