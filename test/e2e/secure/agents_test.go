package secure

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	ws "github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// app is a page that embeds the SDK, as its server end sees it: it answers every
// command with a count of how many it got.
type app struct {
	t    *testing.T
	conn *ws.Conn

	mu       sync.Mutex
	commands int
}

func openApp(t *testing.T, e *browsertest.Env) *app {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), browsertest.Patience)
	defer cancel()
	conn, _, err := ws.Dial(ctx, e.Daemon().URL+"?role=app", &ws.DialOptions{
		HTTPHeader:   http.Header{"Authorization": {"Bearer " + e.Token("the-app", "--role", "app")}},
		Subprotocols: []string{"debug-bridge.v1"},
	})
	must(t, err)
	conn.SetReadLimit(4 << 20)
	a := &app{t: t, conn: conn}
	a.send(`{"protocolVersion":1,"type":"hello","appId":"app-1","url":"http://localhost:3000/","title":"App","userAgent":"test","source":"sdk","level":"control"}`)
	a.send(`{"protocolVersion":1,"type":"capabilities","capabilities":["console","ui_tree","input","eval"]}`)
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.serve()
	}()
	t.Cleanup(func() {
		_ = conn.CloseNow() // the daemon may have closed it
		<-done
	})
	return a
}

func (a *app) send(text string) {
	ctx, cancel := context.WithTimeout(context.Background(), browsertest.Patience)
	defer cancel()
	if err := a.conn.Write(ctx, ws.MessageText, []byte(text)); err != nil {
		a.t.Errorf("app: %v", err)
	}
}

func (a *app) serve() {
	for {
		_, data, err := a.conn.Read(context.Background())
		if err != nil {
			return
		}
		var command struct{ Type, RequestID string }
		if json.Unmarshal(data, &command) != nil || command.RequestID == "" || command.Type == "cancel" {
			continue
		}
		a.mu.Lock()
		a.commands++
		n := a.commands
		a.mu.Unlock()
		a.send(fmt.Sprintf(`{"protocolVersion":1,"type":"command_result","requestId":%q,"requestType":%q,"success":true,"result":%d,"effect":"noop"}`, command.RequestID, command.Type, n))
	}
}

// A requestId stands for one command: the same one is answered again, another
// body is refused, and the page sees one command.
func TestA05SameIDOtherBody(t *testing.T) {
	t.Parallel()
	e, _, token := alone(t)
	page := openApp(t, e)
	agent := e.AgentWith(token)
	agent.AwaitType("capabilities")
	first := agent.Do("evaluate", params{"code": "1", "requestId": "same"})
	from := agent.Len()
	agent.Start("evaluate", params{"requestId": "same", "code": "1"})
	again := agent.AwaitFrom(from, "the same result", ofType("command_result"))
	if repeated, _ := again.Fields["repeated"].(bool); !repeated || again.Fields["result"] != first.Fields["result"] || again.Seq() != 0 {
		t.Errorf("%s", again.Raw)
	}
	for _, other := range []params{{"code": "2"}, {"code": "1", "timeoutMs": 5}, {"expression": "1"}} {
		from := agent.Len()
		other["requestId"] = "same"
		agent.Start("evaluate", other)
		refused := agent.AwaitFrom(from, "a refusal", ofType("host_error"))
		if refused.Code() != "REQUEST_ID_CONFLICT" || refused.String("requestId") != "same" {
			t.Errorf("%v: %s", other, refused.Raw)
		}
	}
	// Another agent's ids are its own.
	if result := e.Agent().Command("evaluate", params{"code": "3", "requestId": "same"}); !result.Success() {
		t.Errorf("%s", result.Raw)
	}
	page.mu.Lock()
	defer page.mu.Unlock()
	if page.commands != 2 {
		t.Errorf("the page got %d commands, want 2", page.commands)
	}
}

// An agent reads nothing while a page writes far more than the log holds: it is
// cut off, others miss nothing and stay quick, and the daemon's memory is bounded.
func TestA06AgentThatNeverReads(t *testing.T) {
	e, daemon, token := alone(t)
	page := openApp(t, e)
	var others []*browsertest.Agent
	for range 5 {
		agent := e.Agent()
		agent.AwaitType("capabilities")
		others = append(others, agent)
	}
	conn := upgraded(t, daemon, token)
	before := resident(t, daemon.PID)

	const lines, size = 1200, 64 << 10 // 75 MiB; the log holds 24 and a laggard's queue 8 more
	text := strings.Repeat("x", size)
	var slowest []time.Duration
	for n := range lines {
		page.send(fmt.Sprintf(`{"type":"console","level":"log","args":["%d %s"],"timestamp":%d}`, n, text, time.Now().UnixMilli()))
		if n%100 == 50 {
			began := time.Now()
			others[0].Do("evaluate", params{"code": "1"})
			slowest = append(slowest, time.Since(began))
		}
	}
	for i, agent := range others {
		agent.Await("the last line", func(m browsertest.Message) bool {
			return m.Type() == "console" && strings.Contains(string(m.Raw[:min(len(m.Raw), 400)]), fmt.Sprintf(`["%d x`, lines-1))
		}, 2*browsertest.Patience)
		last := uint64(0)
		for _, m := range agent.Messages() {
			if m.Type() == "gap" || m.Seq() != 0 && last != 0 && m.Seq() != last+1 {
				t.Fatalf("agent %d: %.200s after seq %d", i, m.Raw, last)
			}
			if m.Seq() != 0 {
				last = m.Seq()
			}
		}
	}
	// What was under way to it when it was given up may still be read, then the end.
	if code := closeCode(conn); code != 4408 && code != -1 {
		t.Errorf("the slow agent was closed with %d", code)
	}
	if grown := resident(t, daemon.PID) - before; grown > 128<<20 {
		t.Errorf("the daemon grew by %d MiB", grown>>20)
	} else {
		t.Logf("the daemon grew by %d MiB", grown>>20)
	}
	slices.Sort(slowest)
	t.Logf("round trips under load: median %v, longest %v", slowest[len(slowest)/2], slowest[len(slowest)-1])
	if median := slowest[len(slowest)/2]; median > time.Second {
		t.Errorf("a round trip took %v in the middle", median)
	}
	if _, err := e.TryAgent(token); err != nil {
		t.Errorf("the slow agent cannot come back: %v", err)
	}
}

// upgraded does the handshake by hand; what follows is the test's.
func upgraded(t *testing.T, daemon browsertest.Discovery, token string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", daemon.Port))
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	must(t, conn.SetDeadline(time.Now().Add(3*browsertest.Patience)))
	_, err = io.WriteString(conn, strings.NewReplacer("PORT", fmt.Sprint(daemon.Port), "TOKEN", token, "\n", "\r\n").
		Replace(debug+host+auth+websocket+"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\n\n"))
	must(t, err)
	// Byte by byte, so that nothing behind the head is taken.
	var head []byte
	for one := make([]byte, 1); !strings.HasSuffix(string(head), "\r\n\r\n"); head = append(head, one...) {
		_, err := io.ReadFull(conn, one)
		must(t, err)
	}
	if !strings.HasPrefix(string(head), "HTTP/1.1 101") || strings.Contains(strings.ToLower(string(head)), "extensions") {
		t.Fatalf("%s", head)
	}
	return conn
}

// closeCode reads to the end and gives the code of the close frame, -1 without one.
func closeCode(conn net.Conn) int {
	for {
		var head [2]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return -1
		}
		length := uint64(head[1])
		switch length {
		case 126:
			var more uint16
			if binary.Read(conn, binary.BigEndian, &more) != nil {
				return -1
			}
			length = uint64(more)
		case 127:
			if binary.Read(conn, binary.BigEndian, &length) != nil {
				return -1
			}
		}
		if head[0] != 0x88 {
			if _, err := io.CopyN(io.Discard, conn, int64(length)); err != nil {
				return -1
			}
			continue
		}
		payload := make([]byte, length)
		if _, err := io.ReadFull(conn, payload); err != nil || length < 2 {
			return -1
		}
		return int(binary.BigEndian.Uint16(payload))
	}
}

// frame is one of a client, masked with zeros, which leaves the payload readable.
func frame(first byte, payload string) string {
	head := []byte{first, 0x80 | byte(min(len(payload), 126))}
	switch {
	case len(payload) >= 1<<16:
		head = binary.BigEndian.AppendUint64([]byte{first, 0xff}, uint64(len(payload)))
	case len(payload) >= 126:
		head = binary.BigEndian.AppendUint16(head, uint16(len(payload)))
	}
	return string(head) + "\x00\x00\x00\x00" + payload
}

// Broken and hostile frames end their connection with the right code, cost the
// daemon no memory, and no other agent anything.
func TestA11A14Frames(t *testing.T) {
	t.Parallel()
	e, daemon, token := alone(t)
	openApp(t, e)
	witness := e.Agent()
	witness.AwaitType("capabilities")
	before := resident(t, daemon.PID)
	claims := func(length uint64) string {
		return string(binary.BigEndian.AppendUint64([]byte{0x81, 0xff}, length)) + "\x00\x00\x00\x00"
	}
	for _, c := range []struct {
		name, bytes string
		want        int
	}{
		{"A14 not UTF-8", frame(0x81, "{\"type\":\"\xff\"}"), 1007},
		{"A14 half a character, in fragments", frame(0x01, "\xe6\xbc") + frame(0x80, "\x22"), 1007},
		{"A14 in a close reason", frame(0x88, "\x03\xe8\xff"), 1007},
		{"binary", frame(0x82, "{}"), 1003},
		{"1 MiB + 1", frame(0x81, strings.Repeat("a", 1<<20+1)), 1009},
		{"100 MB", claims(100<<20) + strings.Repeat("a", 4<<20), 1009},
		{"2^62 bytes", claims(1 << 62), 1009},
		{"a message without end", frame(0x01, "a") + strings.Repeat(frame(0x00, strings.Repeat("a", 64<<10)), 17), 1009},
		{"a million empty fragments", frame(0x01, "a") + strings.Repeat(frame(0x00, ""), 1_000_000), 1008},
		{"ping flood", strings.Repeat(frame(0x89, "hello"), 50_000), 1008},
		{"pong flood", strings.Repeat(frame(0x8a, "hello"), 50_000), 1008},
		{"close code 999", frame(0x88, "\x03\xe7"), 1002},
		{"close code 1006", frame(0x88, "\x03\xee"), 1002},
		{"not masked", "\x81\x02{}", 1002},
		{"compressed, though never agreed", frame(0xc1, "\xaaV*.\x00"), 1002},
		{"RSV2", frame(0xa1, "{}"), 1002},
		{"unknown opcode", frame(0x83, "{}"), 1002},
	} {
		conn := upgraded(t, daemon, token)
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			_, _ = io.WriteString(conn, c.bytes) // it is cut off in the middle
		}()
		if code := closeCode(conn); code != c.want {
			t.Errorf("%s: closed with %d, want %d", c.name, code, c.want)
		}
		_ = conn.Close()
		<-sent
	}
	// Not JSON, or not one object: refused, and the connection stays.
	agent := e.AgentWith(token)
	agent.AwaitType("welcome")
	for _, text := range []string{``, `42`, `null`, `[]`, `{"type":"click"`, `{} {}`, "\ufeff{}", `{"type":1e400}`, strings.Repeat("[", 20_000), `{"type":"click","Type":"evaluate","code":"1"}`, `{"type":"click","type":"evaluate","code":"1"}`} {
		from := agent.Len()
		agent.Send([]byte(text))
		refused := agent.AwaitFrom(from, "a refusal of "+text[:min(len(text), 40)], ofType("host_error"))
		if code := refused.Code(); code != "PROTOCOL_ERROR" && code != "VALIDATION_ERROR" {
			t.Errorf("%.60s: %s", text, refused.Raw)
		}
	}
	agent.Do("evaluate", params{"code": "1"})
	witness.Do("evaluate", params{"code": "1"})
	if grown := resident(t, daemon.PID) - before; grown > 64<<20 {
		t.Errorf("the daemon grew by %d MiB", grown>>20)
	}
}
