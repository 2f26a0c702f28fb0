package checks

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// pageSite is a server of pages that one check alone needs. It listens on both
// loopback families, so that 127.0.0.1 and localhost are two sites.
type pageSite struct {
	port int
}

// servePages serves HTML by path, and handlers where HTML is not enough. In HTML,
// {{CROSS}} is the other site's origin.
func servePages(t *testing.T, html map[string]string, handlers map[string]http.HandlerFunc) *pageSite {
	t.Helper()
	first, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &pageSite{port: first.Addr().(*net.TCPAddr).Port}
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if handle, ok := handlers[r.URL.Path]; ok {
			handle(w, r)
			return
		}
		text, ok := html[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		kind := "text/html; charset=utf-8"
		if strings.HasSuffix(r.URL.Path, ".js") {
			kind = "text/javascript; charset=utf-8"
		}
		other := s.cross("")
		if strings.HasPrefix(r.Host, "localhost") {
			other = s.url("")
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write([]byte(strings.ReplaceAll(text, "{{CROSS}}", other))) // a browser that went away is no fault
	})
	listeners := []net.Listener{first}
	if second, err := net.Listen("tcp6", fmt.Sprintf("[::1]:%d", s.port)); err == nil {
		listeners = append(listeners, second)
	}
	for _, listener := range listeners {
		server := httptest.NewUnstartedServer(serve)
		_ = server.Listener.Close()
		server.Listener = listener
		server.Start()
		t.Cleanup(func() {
			server.CloseClientConnections()
			server.Close()
		})
	}
	return s
}

func (s *pageSite) url(path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", s.port, path) }
func (s *pageSite) cross(path string) string {
	return fmt.Sprintf("http://localhost:%d%s", s.port, path)
}

// managed is a context with a browser of its own, at a page of the site.
func (s *pageSite) managed(t *testing.T, path string) *commandtest.Env {
	t.Helper()
	e := commandtest.Managed(t)
	e.OK("page", "navigate", s.url(path))
	return e
}

// within fails the test when do takes longer than that.
func within(t *testing.T, limit time.Duration, what string, do func()) {
	t.Helper()
	began := time.Now()
	do()
	if took := time.Since(began); took > patient(limit) {
		t.Errorf("%s took %v, allowed are %v", what, took.Round(time.Millisecond), limit)
	}
}

// contains fails the test for each of the words that text lacks.
func contains(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("no %q in\n%.3000s", word, text)
		}
	}
}

// rowsOf gives a list of objects in an answer.
func rowsOf(answer map[string]any, name string) []map[string]any {
	list, _ := answer[name].([]any)
	rows := make([]map[string]any, 0, len(list))
	for _, item := range list {
		if row, ok := item.(map[string]any); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// number writes a whole number.
func number(n float64) string { return strconv.Itoa(int(n)) }

// patient is a limit on a machine that other tests keep busy: there a limit is told from
// a hang, no more; `make soak` holds it to the letter.
func patient(limit time.Duration) time.Duration {
	if thorough() {
		return limit
	}
	return 4 * limit
}

// thorough is set for the sizes that take minutes (`make soak`).
func thorough() bool { return os.Getenv("DBRIDGE_SOAK") != "" }
