// Package sdk tests the embeddable SDK in a real Chromium against a small server that
// speaks role=app of protocol v1.
package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/page/chromium"
)

var (
	browser *chromium.Browser
	esm     string // the SDK as a module
	iife    string // the SDK as a script with the global DebugBridge
	content string // a content script's bridge, as the extension has it
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	root, err := bundle.Root()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, part := range []struct {
		entry bundle.Entry
		to    *string
	}{
		{bundle.Entry{Source: "src/sdk/index.ts", ESM: true}, &esm},
		{bundle.Entry{Source: "src/sdk/index.ts", Global: "DebugBridge"}, &iife},
		{bundle.Entry{Source: filepath.Join(root, "test", "page", "act", "entry.ts")}, &content},
	} {
		code, err := bundle.Script(root, part.entry)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		*part.to = string(code)
	}
	browser, err = chromium.Start("--host-resolver-rules=MAP app.example 127.0.0.1", "--ignore-certificate-errors")
	if errors.Is(err, chromium.ErrNoChromium) {
		fmt.Fprintln(os.Stderr, "skipped:", err)
		return 0
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer browser.Close()
	return m.Run()
}

const token = "app-token-1"

// host is the daemon's end of role=app, as much of it as the SDK sees.
type host struct {
	*httptest.Server
	t testing.TB

	mu       sync.Mutex
	refuse   bool
	attempts int
	epoch    string
	conn     *websocket.Conn
	got      []map[string]any
	changed  chan struct{}
	page     string // what / serves
}

func newHost(t testing.TB, tls bool) *host {
	h := &host{t: t, epoch: "epoch-1", changed: make(chan struct{})}
	handler := http.HandlerFunc(h.serve)
	if tls {
		h.Server = httptest.NewTLSServer(handler)
	} else {
		h.Server = httptest.NewServer(handler)
	}
	t.Cleanup(func() {
		h.drop()
		h.Server.CloseClientConnections()
		h.Server.Close()
	})
	return h
}

func (h *host) serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/debug":
		h.attach(w, r)
	case "/sdk.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, esm)
	case "/sdk.global.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, iife)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		h.mu.Lock()
		defer h.mu.Unlock()
		fmt.Fprint(w, h.page)
	}
}

func (h *host) attach(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.attempts++
	refuse := h.refuse
	h.note()
	h.mu.Unlock()
	given := ""
	for _, protocol := range strings.Split(r.Header.Get("Sec-WebSocket-Protocol"), ",") {
		if after, ok := strings.CutPrefix(strings.TrimSpace(protocol), "debug-bridge.token."); ok {
			given = after
		}
	}
	if refuse || given != token || r.URL.Query().Get("role") != "app" || strings.Contains(r.URL.RawQuery, token) {
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"debug-bridge.v1"}, InsecureSkipVerify: true})
	if err != nil {
		return
	}
	conn.SetReadLimit(32 << 20)
	h.mu.Lock()
	h.conn = conn
	h.mu.Unlock()
	for {
		_, data, err := conn.Read(context.Background())
		if err != nil {
			return
		}
		var message map[string]any
		if err := json.Unmarshal(data, &message); err != nil {
			h.t.Errorf("not JSON: %s", data)
			return
		}
		h.mu.Lock()
		h.got = append(h.got, message)
		epoch := h.epoch
		h.note()
		h.mu.Unlock()
		if message["type"] == "capabilities" {
			h.send(map[string]any{"protocolVersion": 1, "type": "welcome", "epoch": epoch, "pageId": 1, "hostVersion": "test", "pages": []any{}})
		}
	}
}

// note wakes await; h.mu is held.
func (h *host) note() {
	close(h.changed)
	h.changed = make(chan struct{})
}

func (h *host) send(message map[string]any) {
	h.mu.Lock()
	conn := h.conn
	h.mu.Unlock()
	data, err := json.Marshal(message)
	if err != nil {
		h.t.Error(err)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := conn.Write(ctx, websocket.MessageText, data); err != nil {
		h.t.Logf("write: %v", err)
	}
}

// drop ends the connection without a word.
func (h *host) drop() {
	h.mu.Lock()
	conn := h.conn
	h.conn = nil
	h.mu.Unlock()
	if conn != nil {
		_ = conn.CloseNow()
	}
}

// await gives the first message that matches, looking at old ones too.
func (h *host) await(what string, match func(map[string]any) bool) map[string]any {
	h.t.Helper()
	deadline := time.After(15 * time.Second)
	for {
		h.mu.Lock()
		changed := h.changed
		for _, message := range h.got {
			if match(message) {
				h.mu.Unlock()
				return message
			}
		}
		h.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			h.t.Fatalf("never came: %s", what)
		}
	}
}

func (h *host) awaitType(kind string) map[string]any {
	h.t.Helper()
	return h.await(kind, func(m map[string]any) bool { return m["type"] == kind })
}

func (h *host) count(match func(map[string]any) bool) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, message := range h.got {
		if match(message) {
			n++
		}
	}
	return n
}

func (h *host) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = nil
}

// command sends one and gives its result.
func (h *host) command(id, kind string, fields map[string]any) map[string]any {
	h.t.Helper()
	message := map[string]any{"protocolVersion": 1, "type": kind, "requestId": id, "timeoutMs": 5000}
	for name, value := range fields {
		message[name] = value
	}
	h.send(message)
	return h.await("result of "+id, func(m map[string]any) bool { return m["type"] == "command_result" && m["requestId"] == id })
}

func (h *host) socketURL() string { return "ws" + strings.TrimPrefix(h.URL, "http") + "/debug" }

// embed is a page with the SDK; options is the inside of its options object.
func (h *host) embed(options, body string) string {
	return `<!doctype html><title>app</title>` + body + `<script type=module>
import {createDebugBridge} from '/sdk.js';
window.native = console.log;
window.bridge = createDebugBridge({url: '` + h.socketURL() + `', sessionId: 'dev', appName: 'shop', appVersion: '1.2', token: '` + token + `', ` + options + `});
bridge.connect();
window.ready = true;
</script>`
}

func (h *host) open(options, body string) *chromium.Page {
	h.t.Helper()
	h.mu.Lock()
	h.page = h.embed(options, body)
	h.mu.Unlock()
	page := browser.Open(h.t)
	page.Load(h.URL + "/")
	page.Until("", "window.ready")
	return page
}
