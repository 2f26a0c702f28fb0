package chrome

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const versionJSON = `{"Browser":"Chrome/156.0","Protocol-Version":"1.3","User-Agent":"UA","webSocketDebuggerUrl":"%s"}`

func TestResolve(t *testing.T) {
	t.Parallel()
	var seen http.Header
	mux := http.NewServeMux()
	mux.HandleFunc("/json/version", func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		_, _ = fmt.Fprintf(w, versionJSON, "ws://10.9.8.7:9222/devtools/browser/abc")
	})
	mux.HandleFunc("/behind/proxy/json/version", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, versionJSON, "wss://user:pw@elsewhere.example/devtools/browser/abc")
	})
	mux.HandleFunc("/own/json/version", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, versionJSON, "ws://x/devtools/browser/abc?own=1")
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	for address, want := range map[string]string{
		// Whatever host the server names, the one that was asked is meant.
		server.URL:                                   "ws://" + host + "/devtools/browser/abc",
		server.URL + "/":                             "ws://" + host + "/devtools/browser/abc",
		server.URL + "/json/version":                 "ws://" + host + "/devtools/browser/abc",
		server.URL + "/json/version/?token=t":        "ws://" + host + "/devtools/browser/abc?token=t",
		server.URL + "/behind/proxy":                 "ws://" + host + "/devtools/browser/abc",
		server.URL + "/own?token=t":                  "ws://" + host + "/devtools/browser/abc?own=1",
		" " + host + " ":                             "ws://" + host + "/devtools/browser/abc",
		"ws://" + host:                               "ws://" + host + "/devtools/browser/abc",
		"ws://" + host + "/devtools/page/1":          "ws://" + host + "/devtools/page/1",
		"wss://far.example/?token=t":                 "wss://far.example/?token=t",
		"wss://far.example/devtools/browser/x-y?a=b": "wss://far.example/devtools/browser/x-y?a=b",
	} {
		endpoint, err := Resolve(t.Context(), address, http.Header{"Authorization": {"Bearer s"}})
		if err != nil || endpoint.WebSocketURL != want {
			t.Errorf("%s: %s, %v, want %s", address, endpoint.WebSocketURL, err, want)
		}
	}
	if seen.Get("Authorization") != "Bearer s" {
		t.Error("the header was not sent")
	}
}

func TestResolveFaults(t *testing.T) {
	t.Parallel()
	elsewhere := make(chan struct{}, 1)
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere <- struct{}{} }))
	defer other.Close()
	answers := map[string]http.HandlerFunc{
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/json/version", http.StatusFound)
		},
		"forbidden": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"rebinding": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, "Host header is specified and is not an IP address or localhost.")
		},
		"page":    func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"other":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"name":"server"}`) },
		"scheme":  func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintf(w, versionJSON, "file:///etc/passwd") },
		"endless": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 4<<20)) },
		"silent":  func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
				_ = conn.Close()
			}
		},
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answers[strings.Split(r.URL.Path, "/")[1]](w, r)
	}))
	defer server.Close()
	noHTTP, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer noHTTP.Close()
	go func() {
		for {
			conn, err := noHTTP.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, "SSH-2.0-x\r\n")
			_ = conn.Close()
		}
	}()
	for _, c := range []struct {
		address, reason, suggests string
	}{
		{server.URL + "/redirect?token=s3cret", "redirect", "--remote-debugging-port"},
		{server.URL + "/forbidden?token=s3cret", "http_status", ""},
		{server.URL + "/rebinding?token=s3cret", "http_status", "IP address"},
		{server.URL + "/page", "not_devtools", ""},
		{server.URL + "/other", "not_devtools", ""},
		{server.URL + "/scheme", "not_devtools", ""},
		{server.URL + "/endless", "not_devtools", ""},
		{server.URL + "/cut", "not_devtools", ""},
		{server.URL + "/silent?token=s3cret", "timeout", ""},
		{noHTTP.Addr().String(), "not_devtools", ""},
		{"http://user:s3cret@127.0.0.1:1/?token=s3cret", "refused", ""},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := Resolve(ctx, c.address, nil)
		cancel()
		failure := fault.From(err)
		if failure == nil || failure.Code != fault.CDPDisconnected || reason(err) != c.reason || !strings.Contains(strings.Join(failure.Suggestions, " "), c.suggests) || len(failure.Suggestions) == 0 {
			t.Errorf("%s: %v %v", c.address, err, reason(err))
			continue
		}
		if strings.Contains(fmt.Sprint(failure.Message, failure.Details, failure.Suggestions), "s3cret") {
			t.Errorf("%s: the fault tells the secret: %s %v", c.address, failure.Message, failure.Details)
		}
	}
	if len(elsewhere) > 0 {
		t.Error("the redirect was followed")
	}
	for _, address := range []string{"", "0", "70000", "-1", "chrome", "file:///etc/passwd", "http://", "ftp://a:1", "host:", "http://a/#b", "http://a b"} {
		if _, err := Resolve(t.Context(), address, nil); fault.From(err) == nil || fault.From(err).Code != fault.ValidationError {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestPortFile(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("/json/version", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintf(w, versionJSON, "ws://"+r.Host+"/devtools/browser/mine")
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	// A Chrome that a person allowed to be debugged in its settings.
	silent := httptest.NewServer(http.NotFoundHandler())
	defer silent.Close()
	port := func(s *httptest.Server) string { return s.URL[strings.LastIndexByte(s.URL, ':')+1:] }
	for _, c := range []struct{ name, content, want, reason string }{
		{"good", port(server) + "\n/devtools/browser/mine", "ws://127.0.0.1:" + port(server) + "/devtools/browser/mine", ""},
		{"with line ends", port(server) + "\r\n/devtools/browser/mine\r\n", "ws://127.0.0.1:" + port(server) + "/devtools/browser/mine", ""},
		{"another browser on the port", port(server) + "\n/devtools/browser/old", "", "stale_port_file"},
		{"no /json/version", port(silent) + "\n/devtools/browser/x", "ws://127.0.0.1:" + port(silent) + "/devtools/browser/x", ""},
		{"nobody on the port", "1\n/devtools/browser/x", "", "stale_port_file"},
		{"empty", "", "", "stale_port_file"},
		{"half written", "92", "", "stale_port_file"},
		{"elsewhere", "9222@evil.example\n/devtools/browser/x", "", "stale_port_file"},
		{"another path", port(server) + "\n/../../x", "", "stale_port_file"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, portFile), []byte(c.content), 0o600); err != nil {
			t.Fatal(err)
		}
		endpoint, err := Resolve(t.Context(), dir, nil)
		if got, _ := reason(err).(string); got != c.reason || endpoint.WebSocketURL != c.want {
			t.Errorf("%s: %s, %v", c.name, endpoint.WebSocketURL, err)
		}
	}
	if _, err := Running(t.TempDir()); reason(err) != "no_port_file" {
		t.Errorf("no file: %v", err)
	}
}
