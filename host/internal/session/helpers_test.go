package session

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// More schedules than rapid's 100 unless the command line says otherwise.
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		if err := flag.Set("rapid.checks", "300"); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// page is a scripted executor.
type fakePage struct {
	run   func(ctx context.Context, cmd *protocol.Command, dispatched func()) (Outcome, error)
	count atomic.Int64
	snap  func(ctx context.Context)
	tree  *protocol.UITree
}

func (f *fakePage) Run(ctx context.Context, cmd *protocol.Command, dispatched func()) (Outcome, error) {
	f.count.Add(1)
	if f.run != nil {
		return f.run(ctx, cmd, dispatched)
	}
	dispatched()
	return Outcome{Result: map[string]any{"ran": cmd.RequestID}, Effect: protocol.EffectChanged, Via: "bridge"}, nil
}

func (f *fakePage) Snapshot(ctx context.Context) {
	if f.snap != nil {
		f.snap(ctx)
	}
}

func (f *fakePage) CurrentTree() (*protocol.UITree, bool) { return f.tree, f.tree != nil }

var everything = []string{
	protocol.CapDOMSnapshot, protocol.CapUITree, protocol.CapState, protocol.CapEval, protocol.CapInput, protocol.CapConsole,
}

func pageInfo(level protocol.Level) protocol.PageInfo {
	return protocol.PageInfo{URL: "http://a.test/", Title: "A", Source: protocol.SourceExtension, Level: level, Capabilities: everything}
}

func newHub(t *testing.T, limits Limits) *Hub {
	t.Helper()
	h := NewHub(Config{Epoch: "epoch1", HostVersion: "0.0.0", Limits: limits, Log: zerolog.Nop()})
	t.Cleanup(h.Close)
	return h
}

// message is any message as an agent reads it.
type message struct {
	protocol.Base
	Raw         string                 `json:"-"`
	RequestType string                 `json:"requestType"`
	Success     bool                   `json:"success"`
	Result      json.RawMessage        `json:"result"`
	Error       *protocol.CommandError `json:"error"`
	Effect      string                 `json:"effect"`
	Repeated    bool                   `json:"repeated"`
	AgentName   string                 `json:"agentName"`
	Code        string                 `json:"code"`
	Reason      string                 `json:"reason"`
	FromSeq     uint64                 `json:"fromSeq"`
	ToSeq       *uint64                `json:"toSeq"`
	Dropped     map[string]uint64      `json:"-"`
	FirstSeq    uint64                 `json:"firstSeq"`
	LastSeq     uint64                 `json:"lastSeq"`
	Args        []string               `json:"args"`
	Counts      map[string]int         `json:"counts"`
}

func parse(t *testing.T, data []byte) message {
	t.Helper()
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, data)
	}
	m.Raw = string(data)
	if m.Type == protocol.TypeGap {
		var gap protocol.Gap
		if err := json.Unmarshal(data, &gap); err != nil {
			t.Fatal(err)
		}
		m.Dropped = gap.Dropped
	}
	if m.ProtocolVersion != 1 || m.Timestamp == 0 || m.Origin == "" || m.SessionID == "" {
		t.Fatalf("common fields are missing: %s", data)
	}
	return m
}

// reader collects what an agent gets.
type reader struct {
	t       *testing.T
	agent   *Agent
	pending []message
}

func attach(t *testing.T, s *Session, options AttachOptions) *reader {
	t.Helper()
	if options.Name == "" {
		options.Name = "tester"
	}
	a := s.Attach(options)
	t.Cleanup(a.Detach)
	return &reader{t: t, agent: a}
}

func (r *reader) next() message {
	r.t.Helper()
	if len(r.pending) == 0 {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		batch, err := r.agent.Next(ctx)
		if err != nil {
			r.t.Fatalf("next: %v", err)
		}
		for _, data := range batch {
			r.pending = append(r.pending, parse(r.t, data))
		}
	}
	m := r.pending[0]
	r.pending = r.pending[1:]
	return m
}

// until reads to the first message of the type and the request.
func (r *reader) until(messageType, requestID string) message {
	r.t.Helper()
	for {
		if m := r.next(); m.Type == messageType && (requestID == "" || m.RequestID == requestID) {
			return m
		}
	}
}

func (r *reader) result(requestID string) message {
	r.t.Helper()
	return r.until(protocol.TypeCommandResult, requestID)
}

// nothing checks that no message waits.
func (r *reader) nothing() {
	r.t.Helper()
	batch, err := r.agent.take()
	if len(r.pending) > 0 || len(batch) > 0 || err != nil {
		r.t.Fatalf("unexpected: %v %s %v", r.pending, batch, err)
	}
}

func (r *reader) send(format string, args ...any) { r.agent.Receive(fmt.Appendf(nil, format, args...)) }

func console(text string) *protocol.Console {
	return &protocol.Console{Base: protocol.Base{Type: protocol.TypeConsole}, Level: "log", Args: []string{text}}
}

func wantFailure(t *testing.T, m message, code fault.Code) {
	t.Helper()
	if m.Success || m.Error == nil || m.Error.Code != string(code) {
		t.Fatalf("got %s, want %s", m.Raw, code)
	}
	if len(m.Error.Suggestions) == 0 {
		t.Fatalf("no suggestion: %s", m.Raw)
	}
}
