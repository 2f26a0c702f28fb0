// Package pages serves the pages that tests, the demo and the measurements run
// on: a sample app of realistic size, one fixture per difficulty of the web, and
// the bench pages. Everything is embedded; nothing is built.
//
// The server listens on both loopback families, so that http://127.0.0.1:PORT and
// http://localhost:PORT are two sites on one server: a frame of the other one is
// cross-site and gets its own process.
package pages

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

//go:embed files
var files embed.FS

// Report is one violation report that a page's policy made.
type Report struct {
	Page string // query of the report address
	Body string
}

// Site is a running server.
type Site struct {
	Port int

	server    *http.Server
	listeners []net.Listener
	done      sync.WaitGroup

	mu      sync.Mutex
	hits    map[string]int
	reports []Report
}

// Serve starts a server on a free port.
func Serve() (*Site, error) {
	first, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	site := &Site{
		Port:      first.Addr().(*net.TCPAddr).Port,
		listeners: []net.Listener{first},
		hits:      make(map[string]int),
	}
	// Chrome asks ::1 first for localhost; without this it works too, a little later.
	if second, err := net.Listen("tcp6", fmt.Sprintf("[::1]:%d", site.Port)); err == nil {
		site.listeners = append(site.listeners, second)
	}
	site.server = &http.Server{Handler: site.Handler(), ReadHeaderTimeout: 10 * time.Second}
	for _, listener := range site.listeners {
		site.done.Go(func() {
			// ErrServerClosed is the usual end; anything else shows as a page that does not load.
			_ = site.server.Serve(listener)
		})
	}
	return site, nil
}

// Close stops the server and waits for it.
func (s *Site) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	err := s.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.server.Close() // browsers keep connections open
	}
	s.done.Wait()
	return err
}

// URL is the address of a path on the first site, 127.0.0.1.
func (s *Site) URL(path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", s.Port, path) }

// CrossURL is the address of a path on the other site, localhost.
func (s *Site) CrossURL(path string) string {
	return fmt.Sprintf("http://localhost:%d%s", s.Port, path)
}

// Hits says how often a path was asked for, on either site.
func (s *Site) Hits(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[path]
}

// Reports gives the policy violation reports so far.
func (s *Site) Reports() []Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Report(nil), s.reports...)
}

// Handler is the server's handler, for use under another server.
func (s *Site) Handler() http.Handler {
	mux := http.NewServeMux()
	app(mux)
	fixtures(mux)
	bench(mux)
	jobs(mux)
	audits(mux)
	layout(mux)
	mux.HandleFunc("POST /csp-report", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		s.reports = append(s.reports, Report{Page: r.URL.RawQuery, Body: string(body)})
		s.mu.Unlock()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		if s.hits == nil {
			s.hits = make(map[string]int)
		}
		s.hits[r.URL.Path]++
		s.mu.Unlock()
		mux.ServeHTTP(w, r)
	})
}

// cross is the origin of the same server on the other site.
func cross(r *http.Request) string {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = r.Host, "80"
	}
	other := "localhost"
	if host == "localhost" {
		other = "127.0.0.1"
	}
	return (&url.URL{Scheme: "http", Host: net.JoinHostPort(other, port)}).String()
}

// wait holds an answer back for so many ms (at most a minute), or until the client leaves.
func wait(r *http.Request, text string) int {
	ms, err := strconv.Atoi(text)
	if err != nil || ms < 0 || ms > 60_000 {
		ms = 1000
	}
	timer := time.NewTimer(time.Duration(ms) * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
	return ms
}
