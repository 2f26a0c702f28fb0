package ext

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// event is one event of the extension.
type event struct {
	Op      string
	Payload map[string]any
}

func (e event) text(name string) string { text, _ := e.Payload[name].(string); return text }
func (e event) number(name string) int  { number, _ := e.Payload[name].(float64); return int(number) }

// daemon is the daemon's end of the link, and remembers all that it was told.
type daemon struct {
	t *testing.T

	mu     sync.Mutex
	events []event
	link   *link
	hellos []map[string]any
	held   bool // acknowledge no telemetry
}

func startDaemon(t *testing.T) (*daemon, string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "dbx-")
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	d := &daemon{t: t}
	var connections sync.WaitGroup
	connections.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			l := &link{conn: conn, pending: make(map[string]chan frame), chunks: make(map[string]*strings.Builder)}
			connections.Go(func() {
				defer conn.Close()
				_ = l.serve("epoch-1", func(hello map[string]any) { d.welcomed(l, hello) }, func(op string, payload json.RawMessage) { d.heed(l, op, payload) })
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		d.hangUp()
		connections.Wait()
		_ = os.RemoveAll(dir)
	})
	return d, socket
}

// hangUp closes the connection; the extension comes back.
func (d *daemon) hangUp() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.link != nil {
		_ = d.link.conn.Close()
	}
}

func (d *daemon) welcomed(l *link, hello map[string]any) {
	d.mu.Lock()
	d.link = l
	d.hellos = append(d.hellos, hello)
	d.mu.Unlock()
	d.notify(l, "agents", map[string]any{
		"daemonVersion": "0.1.0", "url": "ws://127.0.0.1:9224/debug",
		"sessions": []any{map[string]any{"id": "default", "agents": []any{map[string]any{"id": "a1", "name": "Claude"}}}},
	})
}

func (d *daemon) notify(l *link, op string, payload any) {
	data, err := json.Marshal(payload)
	if err != nil {
		d.t.Error(err)
		return
	}
	l.send(frame{Kind: "event", Op: op, Payload: data})
}

func (d *daemon) heed(l *link, op string, payload json.RawMessage) {
	var fields map[string]any
	if err := json.Unmarshal(payload, &fields); err != nil {
		d.t.Errorf("event %s: %v", op, err)
		return
	}
	d.mu.Lock()
	d.events = append(d.events, event{op, fields})
	held := d.held
	d.mu.Unlock()
	if op != "bridge.event" || held {
		return
	}
	messages, _ := fields["messages"].([]any)
	d.notify(l, "bridge.ack", map[string]any{
		"tabId": fields["tabId"], "frameId": fields["frameId"], "documentId": fields["documentId"],
		"upTo": int(fields["first"].(float64)) + len(messages) - 1,
	})
}

// call asks the extension.
func (d *daemon) call(op string, payload any) (map[string]any, error) {
	d.mu.Lock()
	l := d.link
	d.mu.Unlock()
	if l == nil {
		return nil, errGone
	}
	answer, err := l.call(op, payload)
	if err != nil {
		return nil, err
	}
	select {
	case f := <-answer:
		if f.Error != nil {
			return nil, f.Error
		}
		var result map[string]any
		if err := json.Unmarshal(f.Payload, &result); err != nil {
			return nil, fmt.Errorf("%s answers %s: %w", op, f.Payload, err)
		}
		return result, nil
	case <-time.After(2 * browsertest.Patience):
		return nil, fmt.Errorf("%s: no answer", op)
	}
}

func (d *daemon) must(op string, payload any) map[string]any {
	d.t.Helper()
	result, err := d.call(op, payload)
	if err != nil {
		d.t.Fatalf("%s: %v", op, err)
	}
	return result
}

// refused calls and wants a code.
func (d *daemon) refused(code, op string, payload any) *callError {
	d.t.Helper()
	result, err := d.call(op, payload)
	if err == nil {
		d.t.Fatalf("%s %v: answered %v, want %s", op, payload, result, code)
	}
	refusal, ok := errors.AsType[*callError](err)
	if !ok || refusal.Code != code {
		d.t.Fatalf("%s %v: %v, want %s", op, payload, err, code)
	}
	return refusal
}

// cdp sends one CDP command to a tab.
func (d *daemon) cdp(tab int, method string, params map[string]any) map[string]any {
	d.t.Helper()
	return d.must("cdp.send", cdpCall(tab, method, params))
}

func cdpCall(tab int, method string, params map[string]any) map[string]any {
	if params == nil {
		params = map[string]any{}
	}
	return map[string]any{"tabId": tab, "method": method, "params": params, "timeoutMs": 15000}
}

func (d *daemon) bridge(tab int, command map[string]any) (map[string]any, error) {
	return d.call("bridge.call", map[string]any{"tabId": tab, "frameId": 0, "command": command, "timeoutMs": 15000})
}

// mark is the number of events so far, for await and since.
func (d *daemon) mark() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.events)
}

func (d *daemon) since(mark int) []event {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.events[mark:])
}

// await waits for an event after mark that fits.
func (d *daemon) await(mark int, op string, fits func(event) bool) event {
	d.t.Helper()
	var found event
	deadline := time.Now().Add(browsertest.Patience)
	for {
		for _, e := range d.since(mark) {
			if e.Op == op && (fits == nil || fits(e)) {
				return e
			}
		}
		if time.Now().After(deadline) {
			d.t.Fatalf("no %s came; came: %s", op, d.summary(mark))
			return found
		}
		time.Sleep(10 * time.Millisecond) // between looks; the loop awaits the event
	}
}

func (d *daemon) awaitTab(mark int, op string, tab int) event {
	d.t.Helper()
	return d.await(mark, op, func(e event) bool { return e.number("tabId") == tab })
}

func (d *daemon) summary(mark int) string {
	var lines []string
	for _, e := range d.since(mark) {
		text, _ := json.Marshal(e.Payload)
		lines = append(lines, e.Op+" "+string(text[:min(len(text), 300)]))
	}
	return strings.Join(lines, "\n  ")
}

// consoleLines gives the console lines of a tab after mark that contain part, in the
// order of arrival: "hook:…" from the page's hook, "cdp:…" from the debugger.
func (d *daemon) consoleLines(mark, tab int, part string) []string {
	var lines []string
	type place struct {
		document string
		number   int
	}
	seen := make(map[place]bool)
	for _, e := range d.since(mark) {
		if e.number("tabId") != tab {
			continue
		}
		switch e.Op {
		case "bridge.event":
			messages, _ := e.Payload["messages"].([]any)
			for i, raw := range messages {
				message, _ := raw.(map[string]any)
				args, _ := message["args"].([]any)
				at := place{e.text("documentId"), e.number("first") + i}
				if message["type"] != "console" || len(args) == 0 || seen[at] {
					continue
				}
				seen[at] = true // sent again after a lost connection: the daemon drops it
				if text, _ := args[0].(string); strings.Contains(text, part) {
					lines = append(lines, "hook:"+text)
				}
			}
		case "cdp.event":
			params, _ := e.Payload["params"].(map[string]any)
			args, _ := params["args"].([]any)
			if e.text("method") != "Runtime.consoleAPICalled" || len(args) == 0 {
				continue
			}
			first, _ := args[0].(map[string]any)
			if text, _ := first["value"].(string); strings.Contains(text, part) {
				lines = append(lines, "cdp:"+text)
			}
		}
	}
	return lines
}

// world is a browser with the extension, linked to the test's daemon.
type world struct {
	*browsertest.Env
	d *daemon
	t *testing.T
}

func start(t *testing.T, args ...string) *world {
	t.Helper()
	d, socket := startDaemon(t)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env := browsertest.Start(t, browsertest.Options{Extension: true, Host: own, Env: []string{socketEnv + "=" + socket}, Args: args})
	d.await(0, "state", nil)
	return &world{Env: env, d: d, t: t}
}

// open opens a page and connects it by the popup.
func (w *world) open(url, level string, options ...browsertest.ConnectOption) (*browsertest.Tab, int) {
	w.t.Helper()
	tab := w.OpenTab(url)
	id := w.TabID(tab)
	mark := w.d.mark()
	w.Connect(tab, level, options...)
	w.d.awaitTab(mark, "tab.connected", id)
	w.d.await(mark, "frame.added", func(e event) bool { return e.number("tabId") == id && e.number("frameId") == 0 })
	return tab, id
}
