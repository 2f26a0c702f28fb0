package page

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// AtEnd is run after the tests, before leaks are looked for.
var AtEnd []func()

func TestMain(m *testing.M) {
	code := m.Run()
	for _, end := range AtEnd {
		end()
	}
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// fakeBrowser answers calls by op; a bridge.call by the command's type, per frame.
type fakeBrowser struct {
	mu     sync.Mutex
	bridge map[string]func(frame int, command map[string]any) (any, error)
	ops    map[string]func(payload map[string]any) (any, error)
	acks   []bridgeAck
	calls  []string
}

func (b *fakeBrowser) ID() string { return "browser-1" }

func (b *fakeBrowser) Call(ctx context.Context, op string, payload any) (jsontext.Value, error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return nil, err
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	b.mu.Lock()
	answer := b.ops[op]
	name := op
	if op == "bridge.call" {
		command := fields["command"].(map[string]any)
		kind := command["type"].(string)
		name += " " + kind
		if handle := b.bridge[kind]; handle != nil {
			frame := int(fields["frameId"].(float64))
			answer = func(map[string]any) (any, error) { return handle(frame, command) }
		}
	}
	if method, ok := fields["method"].(string); ok {
		name += " " + method
	}
	b.calls = append(b.calls, name)
	b.mu.Unlock()
	if answer == nil {
		return nil, fault.New(fault.UnknownType, "no answer to %s", name)
	}
	value, err := answer(fields)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(value)
	return raw, err
}

func (b *fakeBrowser) Notify(op string, payload any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ack, ok := payload.(bridgeAck); ok {
		b.acks = append(b.acks, ack)
	}
	return nil
}

func (b *fakeBrowser) lastAck() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.acks) == 0 {
		return 0
	}
	return b.acks[len(b.acks)-1].UpTo
}

func (b *fakeBrowser) called(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, call := range b.calls {
		if call == name {
			return true
		}
	}
	return false
}

// noSDK is a daemon without apps.
type noSDK struct{}

func (noSDK) Merge(string, *session.Page)                        {}
func (noSDK) Unmerge(string, *session.Page)                      {}
func (noSDK) App(string, *session.Page) (session.Executor, bool) { return nil, false }

// world is a manager with one browser, one connected tab and one agent.
type world struct {
	t       *testing.T
	manager *Manager
	browser *fakeBrowser
	agent   *session.Agent
	seen    []map[string]any
}

func newWorld(t *testing.T, level string) *world {
	t.Helper()
	log := zerolog.New(io.Discard)
	hub := session.NewHub(session.Config{Epoch: "e", HostVersion: "test", Log: log})
	browser := &fakeBrowser{bridge: map[string]func(int, map[string]any) (any, error){}, ops: map[string]func(map[string]any) (any, error){}}
	w := &world{t: t, browser: browser}
	w.manager = NewManager(hub, noSDK{}, log)
	w.manager.Connected(browser)
	w.agent = hub.Open("default").Attach(session.AttachOptions{Name: "tester"})
	t.Cleanup(func() {
		w.agent.Detach()
		w.manager.Close()
		hub.Close()
	})
	w.event("state", `{"tabs":[]}`)
	w.event("tab.connected", `{"tabId":7,"url":"http://127.0.0.1/","title":"Shop","level":"`+level+`","sessionId":"default","eval":true,
		"frames":[]}`)
	w.event("frame.added", `{"tabId":7,"frameId":0,"parentFrameId":-1,"documentId":"d1","url":"http://127.0.0.1/"}`)
	w.await("capabilities", nil)
	return w
}

func (w *world) event(op, payload string) {
	w.t.Helper()
	w.manager.Event(w.browser, op, jsontext.Value(payload))
}

// await reads what the agent gets until a message of the type fits.
func (w *world) await(kind string, fits func(map[string]any) bool) map[string]any {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	for {
		for len(w.seen) > 0 {
			message := w.seen[0]
			w.seen = w.seen[1:]
			if message["type"] == kind && (fits == nil || fits(message)) {
				return message
			}
		}
		batch, err := w.agent.Next(ctx)
		if err != nil {
			w.t.Fatalf("no %s came: %v", kind, err)
		}
		for _, data := range batch {
			message := map[string]any{}
			if err := json.Unmarshal(data, &message); err != nil {
				w.t.Fatal(err)
			}
			w.seen = append(w.seen, message)
		}
	}
}

// command sends a command and gives its result.
func (w *world) command(text string) map[string]any {
	w.t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(text), &fields); err != nil {
		w.t.Fatal(err)
	}
	w.agent.Receive([]byte(text))
	return w.await("command_result", func(m map[string]any) bool { return m["requestId"] == fields["requestId"] })
}

func code(result map[string]any) string {
	failure, ok := result["error"].(map[string]any)
	if !ok {
		return ""
	}
	return failure["code"].(string)
}

func item(ref, name string) map[string]any {
	return map[string]any{
		"ref": ref, "stableId": name, "selector": "#" + name, "role": "button", "name": name, "disabled": false, "visible": true,
		"bounds": map[string]any{"x": 1, "y": 2, "width": 30, "height": 10}, "frameId": "main",
	}
}

func refs(tree map[string]any) string {
	var out []string
	for _, raw := range tree["items"].([]any) {
		out = append(out, raw.(map[string]any)["ref"].(string))
	}
	return strings.Join(out, " ")
}
