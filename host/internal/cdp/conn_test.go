package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// loop is a transport whose browser answers every command with one result.
type loop struct {
	out    chan []byte
	result string
	closed chan struct{}
	once   sync.Once
}

func newLoop(result string) *loop {
	return &loop{out: make(chan []byte, 16), result: result, closed: make(chan struct{})}
}

func (l *loop) Read() ([]byte, error) {
	select {
	case message := <-l.out:
		return message, nil
	case <-l.closed:
		return nil, io.EOF
	}
}

// mute is a session whose calls are never answered.
const mute = "mute"

func (l *loop) Write(message []byte) error {
	if bytes.Contains(message, []byte(`"sessionId":"`+mute+`"`)) {
		return nil
	}
	id, _, _ := bytes.Cut(message[len(`{"id":`):], []byte(","))
	select {
	case l.out <- fmt.Appendf(nil, `{"id":%s,"result":%s,"sessionId":"F00"}`, id, l.result):
	case <-l.closed:
	}
	return nil
}

func (l *loop) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// A subscription that nobody reads ends when too much waits for it, and says so.
func TestBacklogEndsASubscription(t *testing.T) {
	transport := newLoop(`{}`)
	c := NewConn(transport, Options{})
	defer c.Close()
	events, cancel := c.Session("").Subscribe("T.big")
	defer cancel()
	const size = 8 << 20
	message := []byte(`{"method":"T.big","params":{"x":"` + strings.Repeat("x", size) + `"}}`)
	for range maxQueued/size + subscriptionBuffer + 8 {
		transport.out <- message
	}
	if _, err := c.Session("").CallRaw(t.Context(), "T.after", nil); err != nil {
		t.Fatal(err)
	}
	if stats := c.Stats(); stats.EndedByBacklog != 1 {
		t.Errorf("%+v", stats)
	}
	got := 0
	for range events {
		got++
	}
	if least := maxQueued / (size + 100); got < least || got > least+subscriptionBuffer+2 {
		t.Errorf("%d events came before the end", got)
	}
}

// decoded is the envelope as the JSON package reads it.
type decoded struct {
	ID        jsontext.Value `json:"id"`
	Method    *string        `json:"method"`
	SessionID *string        `json:"sessionId"`
	Params    jsontext.Value `json:"params"`
	Result    jsontext.Value `json:"result"`
	Error     jsontext.Value `json:"error"`
}

// What is valid JSON is read as the JSON package reads it; nothing else panics.
func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"result":{}}`, `{"id":12,"result":{"a":[1,{"b":"}\"]"}]},"sessionId":"ABC"}`, `{"method":"A.b","params":{"x":"\\"},"sessionId":"\u0041"}`,
		`{"id":3,"error":{"code":-32000,"message":"no"}}`, ` { "method" : "x" , "params" : null } `, `{}`, `{"id":null}`, `{"id":1,"id":2}`, `[`, `{"a":"\`,
		`{"id":1,"result":[[[[]]]],"x":-1.5E+3,"y":true}`, `{"":""}`, `{"id":0}`, `{"method":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, message []byte) {
		got, err := open(message)
		var want decoded
		if jsonv2.Unmarshal(message, &want, fromPage) != nil || !jsontext.Value(message).IsValid(fromPage) || strings.Contains(string(message), `\u`) && err != nil {
			return
		}
		if bytes.TrimSpace(message)[0] != '{' {
			if err == nil {
				t.Fatalf("%s was taken", message)
			}
			return
		}
		id := strings.TrimSpace(string(want.ID))
		whole := id == "" || id == "null" || !strings.ContainsAny(id, "-.eE\"{[tf") && len(id) <= 18
		if err != nil {
			if whole && nulls(message) {
				return // "method":null is a string for the package
			}
			if whole {
				t.Fatalf("%s: %v", message, err)
			}
			return
		}
		if escaped(message) {
			return // names with escapes are names that mean nothing here
		}
		if got.hasID && fmt.Sprint(got.id) != id {
			t.Fatalf("%s: id %d", message, got.id)
		}
		if want.Method != nil && got.method != *want.Method || want.SessionID != nil && got.session != *want.SessionID {
			t.Fatalf("%s: %+v", message, got)
		}
		for _, pair := range [][2]jsontext.Value{{got.params, want.Params}, {got.result, want.Result}, {got.failure, want.Error}} {
			if !bytes.Equal(bytes.TrimSpace(pair[0]), bytes.TrimSpace(pair[1])) {
				t.Fatalf("%s: %s is not %s", message, pair[0], pair[1])
			}
		}
	})
}

func nulls(message []byte) bool { return bytes.Contains(message, []byte("null")) }

func escaped(message []byte) bool { return bytes.IndexByte(message, '\\') >= 0 }

// BenchmarkCall is a call without a browser; raw is the least that a program could
// do by hand, with the standard library, over the same transport.
func BenchmarkCall(b *testing.B) {
	type params struct {
		Expression    string `json:"expression"`
		ReturnByValue bool   `json:"returnByValue"`
	}
	send := params{"document.title", true}
	var got struct {
		Result struct{ Type, Value string }
	}
	const result = `{"result":{"type":"string","value":"a title"}}`
	b.Run("ours", func(b *testing.B) {
		c := NewConn(newLoop(result), Options{})
		defer c.Close()
		session := c.Session("F00")
		b.ReportAllocs()
		for b.Loop() {
			if err := session.Call(b.Context(), "Runtime.evaluate", send, &got); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("raw", func(b *testing.B) {
		transport := newLoop(result)
		b.ReportAllocs()
		id := 0
		for b.Loop() {
			id++
			message, err := json.Marshal(map[string]any{"id": id, "method": "Runtime.evaluate", "params": send, "sessionId": "F00"})
			if err != nil {
				b.Fatal(err)
			}
			message = fmt.Appendf(nil, `{"id":%d,%s`, id, message[1:])
			_ = transport.Write(message)
			answer, _ := transport.Read()
			var envelope struct {
				ID     int
				Result json.RawMessage
			}
			if err := json.Unmarshal(answer, &envelope); err != nil {
				b.Fatal(err)
			}
			if err := json.Unmarshal(envelope.Result, &got); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkEnvelope is the reading of an envelope around a large snapshot.
func BenchmarkEnvelope(b *testing.B) {
	node := `{"nodeId":"17","ignored":false,"role":{"type":"role","value":"button"},"name":{"type":"computedString","value":"Row 17 \"x\""},"childIds":["18","19"]},`
	tree := []byte(`{"id":7,"result":{"nodes":[` + strings.TrimSuffix(strings.Repeat(node, 20_000), ",") + `]},"sessionId":"F00"}`)
	shot := []byte(`{"id":7,"result":{"data":"` + strings.Repeat("QUJD", 1<<20) + `"},"sessionId":"F00"}`)
	for name, message := range map[string][]byte{"tree": tree, "screenshot": shot} {
		b.Run(name+"/ours", func(b *testing.B) {
			b.SetBytes(int64(len(message)))
			for b.Loop() {
				if e, err := open(message); err != nil || e.session != "F00" {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/jsontext", func(b *testing.B) {
			b.SetBytes(int64(len(message)))
			for b.Loop() {
				var e decoded
				if err := jsonv2.Unmarshal(message, &e, fromPage); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A call without a deadline gets one.
func TestDefaultDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport := newLoop("{}")
		c := NewConn(transport, Options{})
		defer c.Close()
		begin := time.Now()
		_, err := c.Session(mute).CallRaw(context.Background(), "T.never", nil)
		if took := time.Since(begin); took != defaultTimeout || fault.From(err).Code != fault.Timeout || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %s: %v", took, err)
		}
	})
}

// A page that answers nothing leaves room for the browser and for other pages.
func TestOnePageLeavesRoom(t *testing.T) {
	c := NewConn(newLoop(`{}`), Options{MaxPending: 8})
	defer c.Close()
	busy := fault.New(fault.Busy, "")
	var started []*Pending
	for range 6 {
		started = append(started, c.Session(mute).Start("T.never", nil))
	}
	for n, pending := range started {
		if refused := errors.Is(pending.err, busy); refused != (n >= 4) {
			t.Errorf("call %d: %v", n, pending.err)
		}
	}
	for _, session := range []string{"", "F00"} {
		if _, err := c.Session(session).CallRaw(t.Context(), "T.other", nil); err != nil && errors.Is(err, busy) {
			t.Errorf("session %q: %v", session, err)
		}
	}
}
