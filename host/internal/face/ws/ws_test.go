package ws

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// daemon is hub, handler and gate over loopback, as the real one wires them.
type daemon struct {
	t       *testing.T
	hub     *session.Hub
	handler *Handler
	port    int
}

// tokens of the tests: the name is the token.
var tokens = map[string]gate.Identity{
	"agent":   {Name: "agent", Role: gate.RoleAgent},
	"slow":    {Name: "slow", Role: gate.RoleAgent},
	"watcher": {Name: "watcher", Role: gate.RoleAgent, Level: "observe"},
	"app":     {Name: "app", Role: gate.RoleApp},
	"any":     {Name: "any", Role: gate.RoleAny},
}

func start(t *testing.T, limits session.Limits, config Config) *daemon {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return startOn(t, listener, limits, config)
}

func startOn(t *testing.T, listener net.Listener, limits session.Limits, config Config) *daemon {
	t.Helper()
	config.Log = zerolog.Nop()
	hub := session.NewHub(session.Config{Epoch: "epoch1", HostVersion: "1.2.3", Limits: limits, Log: zerolog.Nop()})
	d := &daemon{t: t, hub: hub, handler: New(hub, config)}
	d.port = listener.Addr().(*net.TCPAddr).Port
	mux := http.NewServeMux()
	mux.Handle("/debug", d.handler)
	server := gate.Server(gate.New(gate.Config{
		Port:    func() int { return d.port },
		Origins: func(origin string) bool { return origin == "http://localhost:3000" },
		Verify:  func(token string) (gate.Identity, bool) { identity, ok := tokens[token]; return identity, ok },
		Log:     zerolog.Nop(),
	}, mux))
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := server.Serve(gate.Listen(listener)); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		d.handler.Shutdown(ctx)
		hub.Close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		serving.Wait()
	})
	return d
}

func (d *daemon) dialStatus(token, query string, protocols ...string) (*websocket.Conn, int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	options := &websocket.DialOptions{Subprotocols: protocols, HTTPHeader: http.Header{}}
	if token != "" {
		options.HTTPHeader.Set("Authorization", "Bearer "+token)
	}
	conn, answer, err := websocket.Dial(ctx, fmt.Sprintf("ws://127.0.0.1:%d/debug?%s", d.port, query), options)
	status := 0
	if answer != nil {
		status = answer.StatusCode
	}
	return conn, status, err
}

// client is a real WebSocket client.
type client struct {
	t    *testing.T
	conn *websocket.Conn
}

func (d *daemon) dial(token, query string) *client {
	d.t.Helper()
	conn, _, err := d.dialStatus(token, query, protocol.Subprotocol)
	if err != nil {
		d.t.Fatal(err)
	}
	if got := conn.Subprotocol(); got != protocol.Subprotocol {
		d.t.Fatalf("subprotocol %q", got)
	}
	conn.SetReadLimit(-1)
	c := &client{d.t, conn}
	d.t.Cleanup(func() { _ = conn.CloseNow() }) // may be closed already
	return c
}

func (c *client) send(format string, args ...any) {
	c.t.Helper()
	if err := c.conn.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, format, args...)); err != nil {
		c.t.Fatal(err)
	}
}

type message struct {
	protocol.CommandResult
	Raw      string   `json:"-"`
	Code     string   `json:"code"`
	AgentID  string   `json:"agentId"`
	Epoch    string   `json:"epoch"`
	FirstSeq uint64   `json:"firstSeq"`
	LastSeq  uint64   `json:"lastSeq"`
	Version  int      `json:"version"`
	Reason   string   `json:"reason"`
	Expr     string   `json:"expression"`
	Timeout  int      `json:"timeoutMs"`
	Args     []string `json:"args"`
}

func (c *client) tryNext() (message, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, data, err := c.conn.Read(ctx)
	if err != nil {
		return message{}, err
	}
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return message{}, fmt.Errorf("%w: %s", err, data)
	}
	m.Raw = string(data)
	return m, nil
}

func (c *client) next() message {
	c.t.Helper()
	m, err := c.tryNext()
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

func (c *client) until(messageType, requestID string) message {
	c.t.Helper()
	for {
		if m := c.next(); m.Type == messageType && (requestID == "" || m.RequestID == requestID) {
			return m
		}
	}
}

// closed reads to the end and gives the close code.
func (c *client) closed() websocket.StatusCode {
	c.t.Helper()
	for {
		if _, err := c.tryNext(); err != nil {
			code := websocket.CloseStatus(err)
			if code == -1 {
				c.t.Fatalf("ended without a close frame: %v", err)
			}
			return code
		}
	}
}

type fakePage struct{}

func (fakePage) Run(_ context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	dispatched()
	return session.Outcome{Result: cmd.RequestID, Effect: protocol.EffectChanged}, nil
}

func (d *daemon) page(sessionID string) *session.Page {
	return d.hub.Open(sessionID).AddPage(protocol.PageInfo{
		URL: "http://a.test/", Source: protocol.SourceExtension, Level: protocol.Act, Capabilities: []string{protocol.CapInput, protocol.CapUITree},
	}, fakePage{})
}

func console(text string) *protocol.Console {
	return &protocol.Console{Base: protocol.Base{Type: protocol.TypeConsole}, Level: "log", Args: []string{text}}
}

func TestHandshake(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{}, Config{Agents: 2})
	for _, c := range []struct {
		name, token, query string
		status             int
	}{
		{"no token", "", "role=agent", 401},
		{"wrong token", "no", "role=agent", 401},
		{"no role", "agent", "", 400},
		{"two roles", "agent", "role=agent&role=app", 400},
		{"unknown role", "any", "role=host", 400},
		{"role of another", "agent", "role=app", 403},
		{"N05 role claimed", "app", "role=agent", 403},
		{"session", "agent", "role=agent&sessionId=a/b", 400},
		{"empty session", "agent", "role=agent&sessionId=", 400},
		{"since without epoch", "agent", "role=agent&since=1", 400},
		{"since twice", "agent", "role=agent&since=0&since=0", 400},
		{"negative", "agent", "role=agent&since=-1&epoch=epoch1", 400},
		{"fraction", "agent", "role=agent&since=1.5&epoch=epoch1", 400},
		{"beyond 2^53", "agent", "role=agent&since=9007199254740992&epoch=epoch1", 400},
		{"unknown types", "agent", "role=agent&types=console,nonsense", 400},
		{"bad escape", "agent", "role=agent&types=%zz", 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			conn, status, err := d.dialStatus(c.token, c.query)
			if err == nil {
				_ = conn.CloseNow()
			}
			if err == nil || status != c.status {
				t.Fatalf("status %d (%v), want %d", status, err, c.status)
			}
		})
	}
	t.Run("plain GET", func(t *testing.T) {
		request, err := http.NewRequest(http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/debug?role=agent", d.port), nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer agent")
		answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusUpgradeRequired {
			t.Fatalf("status %d", answer.StatusCode)
		}
	})
	t.Run("token as subprotocol is not echoed", func(t *testing.T) {
		conn, _, err := d.dialStatus("", "role=agent", "debug-bridge.token.agent", protocol.Subprotocol)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		if got := conn.Subprotocol(); got != protocol.Subprotocol {
			t.Fatalf("subprotocol %q", got)
		}
	})
	waitFor(t, "the agent to leave", func() bool { return len(d.hub.Agents()) == 0 })
	one, two := d.dial("agent", "role=agent"), d.dial("any", "role=agent")
	one.next()
	two.next()
	if _, status, err := d.dialStatus("agent", "role=agent"); err == nil || status != http.StatusServiceUnavailable {
		t.Fatalf("agent beyond the limit: status %d, %v", status, err)
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestAgentSeesAndActs(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{}, Config{})
	page := d.page("default")
	c := d.dial("agent", "role=agent")
	welcome := c.next()
	if welcome.Type != "welcome" || welcome.Epoch != "epoch1" || welcome.LastSeq != 3 || welcome.SessionID != "default" {
		t.Fatal(welcome.Raw)
	}
	page.Publish(console("hé"))
	if m := c.until("console", ""); m.Seq != 4 || m.Args[0] != "hé" {
		t.Fatal(m.Raw)
	}
	c.send(`{"type":"click","requestId":"r1","target":{"ref":"e1"}}`)
	if m := c.until("command_result", "r1"); !m.Success || m.AgentName != "agent" || m.AgentID != welcome.AgentID {
		t.Fatal(m.Raw)
	}
	for in, code := range map[string]string{
		`42`:                             "PROTOCOL_ERROR",
		`{"type":"nonsense"}`:            "UNKNOWN_TYPE",
		`{"type":"click","Type":"type"}`: "VALIDATION_ERROR",
		`{"type":"click","sessionId":"x",` + `"target":{"ref":"e1"}}`: "VALIDATION_ERROR",
	} {
		c.send("%s", in)
		if m := c.until("host_error", ""); m.Code != code {
			t.Fatalf("%s: %s", in, m.Raw)
		}
	}
	// The token's level holds whatever the page grants.
	w := d.dial("watcher", "role=agent")
	w.send(`{"type":"click","requestId":"r2","target":{"ref":"e1"}}`)
	if m := w.until("command_result", "r2"); m.Success || m.Error.Code != "CAPABILITY_MISSING" {
		t.Fatal(m.Raw)
	}
	_ = c.conn.Close(websocket.StatusNormalClosure, "")
	waitFor(t, "the agent to leave", func() bool { return len(d.hub.Agents()[0].Agents) == 1 })
}

func TestA04ResultWhileAway(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{}, Config{})
	page := d.page("s")
	c := d.dial("agent", "role=agent&sessionId=s")
	c.until("capabilities", "")
	c.send(`{"type":"click","requestId":"r1","target":{"ref":"e1"}}`)
	_ = c.conn.CloseNow()
	page.Publish(console("later"))
	waitFor(t, "the result", func() bool { return d.hub.Stats()[0].LastSeq == 5 })
	again := d.dial("agent", "role=agent&sessionId=s&since=3&epoch=epoch1&types=error")
	if m := again.until("command_result", "r1"); !m.Success || m.Repeated {
		t.Fatal(m.Raw)
	}
	future := d.dial("agent", "role=agent&sessionId=s&since=6&epoch=epoch1")
	if m := future.next(); m.Type != "welcome" {
		t.Fatal(m.Raw)
	}
	if m := future.next(); m.Type != "host_error" || m.Code != "VALIDATION_ERROR" {
		t.Fatal(m.Raw)
	}
	if code := future.closed(); code != websocket.StatusPolicyViolation {
		t.Fatalf("closed with %d", code)
	}
	old := d.dial("agent", "role=agent&sessionId=s&since=6&epoch=other")
	if m := old.until("gap", ""); m.Reason != "epoch_changed" {
		t.Fatal(m.Raw)
	}
	if m := old.next(); m.Seq != 1 {
		t.Fatal(m.Raw)
	}
}

// TestA01 kills the agent's TCP connection at many points of a stream, and resumes each time.
func TestA01KilledConnectionsMissNothing(t *testing.T) {
	t.Parallel()
	const events, cuts = 20000, 200
	d := start(t, session.Limits{}, Config{})
	page := d.page("default")
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 4; i <= events; i++ {
			page.Publish(console("x"))
		}
	})
	defer writing.Wait()
	seen, killed := uint64(0), 0
	for seen < events {
		c := d.dial("agent", fmt.Sprintf("role=agent&since=%d&epoch=epoch1", seen))
		for left := 1 + int(seen*7919%(2*events/cuts)); left > 0 && seen < events; {
			m := c.next()
			if m.Type == "gap" {
				t.Fatal(m.Raw)
			}
			if m.Seq == 0 {
				continue
			}
			if m.Seq != seen+1 {
				t.Fatalf("seq %d follows %d", m.Seq, seen)
			}
			seen = m.Seq
			left--
		}
		_ = c.conn.CloseNow()
		killed++
	}
	if killed < cuts/2 {
		t.Fatalf("only %d connections were killed", killed)
	}
}

func TestA06SlowAgentIsClosed(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{LogEvents: 4096, LogBytes: 1 << 20, QueueEvents: 2000, QueueBytes: 1 << 20}, Config{})
	page := d.page("default")
	slow := d.dial("slow", "role=agent") // does not read until later
	good := d.dial("agent", "role=agent")
	good.until("welcome", "") // from here on it is told everything; the upgrade alone says nothing of that
	text := strings.Repeat("x", 64<<10)
	var reading sync.WaitGroup
	last := make(chan uint64, 1)
	reading.Go(func() {
		seen := uint64(3)
		for {
			m, err := good.tryNext()
			if err != nil {
				t.Errorf("the good agent: %v", err)
				break
			}
			if m.Seq == 0 {
				continue
			}
			if m.Seq != seen+1 {
				t.Errorf("seq %d follows %d", m.Seq, seen)
			}
			if seen = m.Seq; m.Args != nil && m.Args[0] == "end" {
				break
			}
		}
		last <- seen
	})
	for d.hub.Stats()[0].TooSlow == 0 {
		page.Publish(console(text))
		waitFor(t, "the good agent", func() bool {
			for _, a := range d.hub.Stats()[0].Agents {
				if a.Name == "agent" && a.Behind > 8 {
					return false
				}
			}
			return true
		})
	}
	page.Publish(console("end"))
	<-last
	reading.Wait()
	seen := uint64(0)
	for {
		m, err := slow.tryNext()
		if err != nil {
			if code := websocket.CloseStatus(err); code != 4408 {
				t.Fatalf("the slow agent was closed with %d: %v", code, err)
			}
			break
		}
		seen = max(seen, m.Seq)
	}
	// It comes back and learns exactly what it missed.
	back := d.dial("slow", fmt.Sprintf("role=agent&since=%d&epoch=epoch1", seen))
	welcome := back.next()
	gap := struct{ FromSeq, ToSeq uint64 }{}
	if err := json.Unmarshal([]byte(back.until("gap", "").Raw), &gap); err != nil {
		t.Fatal(err)
	}
	if gap.FromSeq != seen+1 || gap.ToSeq != welcome.FirstSeq-1 {
		t.Fatalf("gap %+v after %d, welcome %s", gap, seen, welcome.Raw)
	}
	if m := back.next(); m.Seq != gap.ToSeq+1 {
		t.Fatal(m.Raw[:200])
	}
}

func TestN04RevokedTokenIsCutOff(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{}, Config{})
	d.page("default")
	c, other := d.dial("agent", "role=agent"), d.dial("any", "role=agent")
	c.next()
	other.next()
	began := time.Now()
	d.handler.Revoke(func(identity gate.Identity) bool { return identity.Name == "agent" })
	if code := c.closed(); code != 4401 {
		t.Fatalf("closed with %d", code)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("it took %v", took)
	}
	other.send(`{"type":"request_ui_tree","requestId":"r"}`)
	other.until("command_result", "r")
	// One that does not read or answer is gone as fast.
	raw := rawClient(t, d, "agent")
	waitFor(t, "the raw agent", func() bool { return len(d.hub.Agents()[0].Agents) == 2 })
	began = time.Now()
	d.handler.Revoke(func(identity gate.Identity) bool { return identity.Name == "agent" })
	waitFor(t, "the deaf agent's end", func() bool { return len(d.hub.Agents()[0].Agents) == 1 })
	if took := time.Since(began); took > 1500*time.Millisecond {
		t.Errorf("it took %v", took)
	}
	_ = raw.Close()
}

func TestShutdownCloses1012(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{}, Config{})
	c := d.dial("agent", "role=agent")
	c.next()
	done := make(chan websocket.StatusCode, 1)
	go func() { done <- c.closed() }()
	d.handler.Shutdown(t.Context())
	if code := <-done; code != websocket.StatusServiceRestart {
		t.Fatalf("closed with %d", code)
	}
	if _, status, err := d.dialStatus("agent", "role=agent"); err == nil || status != http.StatusServiceUnavailable {
		t.Fatalf("after shutdown: %d %v", status, err)
	}
}

func TestSilentPeerIsDropped(t *testing.T) {
	t.Parallel()
	d := start(t, session.Limits{}, Config{PingEvery: 100 * time.Millisecond, SilenceMost: time.Second})
	alive := d.dial("agent", "role=agent")
	alive.next()
	go func() { _, _ = alive.tryNext() }() // a client answers pings only while it reads
	raw := rawClient(t, d, "any")
	waitFor(t, "both", func() bool { a := d.hub.Agents(); return len(a) == 1 && len(a[0].Agents) == 2 })
	waitFor(t, "the silent one's end", func() bool { return len(d.hub.Agents()[0].Agents) == 1 })
	time.Sleep(1500 * time.Millisecond) // more than the silence: pongs keep the other one
	if a := d.hub.Agents(); len(a) != 1 || a[0].Agents[0].Name != "agent" {
		t.Fatalf("%+v", a)
	}
	_ = raw.Close()
}

func BenchmarkTenAgents(b *testing.B) {
	const events, agents = 10000, 10
	hub := session.NewHub(session.Config{Epoch: "e", Log: zerolog.Nop()})
	handler := New(hub, Config{Log: zerolog.Nop()})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := gate.LocalServer(handler)
	go func() { _ = server.Serve(listener) }()
	defer server.Close()
	defer hub.Close()
	page := hub.Open("default").AddPage(protocol.PageInfo{Level: protocol.Act, Source: protocol.SourceExtension}, fakePage{})
	conns := make([]*websocket.Conn, agents)
	for i := range conns {
		conn, _, err := websocket.Dial(b.Context(), "ws://"+listener.Addr().String()+"/debug?role=agent&types=console", nil)
		if err != nil {
			b.Fatal(err)
		}
		conn.SetReadLimit(-1)
		if _, _, err := conn.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
		conns[i] = conn
	}
	text := strings.Repeat("x", 100)
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		var readers sync.WaitGroup
		for i, conn := range conns {
			readers.Go(func() {
				total := 0
				for range events {
					_, data, err := conn.Read(context.Background())
					if err != nil {
						b.Error(err)
						return
					}
					total += len(data)
				}
				if i == 0 {
					size = total
				}
			})
		}
		for range events {
			page.Publish(console(text))
		}
		readers.Wait()
	}
	b.SetBytes(int64(size * agents))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	handler.Shutdown(ctx)
}
