package session

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
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

func TestConnectAndPageMessages(t *testing.T) {
	t.Parallel()
	h := newHub(t, Limits{})
	s := h.Open("default")
	exec := &fakePage{tree: &protocol.UITree{Base: protocol.Base{Type: protocol.TypeUITree, Seq: 99, FrameID: "main"}, Items: []protocol.UITreeItem{}, Version: 4, Full: true}}
	page := s.AddPage(pageInfo(protocol.Act), exec)
	first := attach(t, s, AttachOptions{})
	var types []string
	for range 4 {
		m := first.next()
		types = append(types, m.Type)
		if m.Seq != 0 {
			t.Errorf("a message for one agent carries a seq: %s", m.Raw)
		}
	}
	if want := []string{"welcome", "hello", "capabilities", "ui_tree"}; !slices.Equal(types, want) {
		t.Fatalf("got %v, want %v", types, want)
	}
	first.nothing()
	if exec.tree.Seq != 99 {
		t.Error("the executor's tree was changed")
	}

	page.SetInfo(func(info *protocol.PageInfo) { info.Title = "B" })
	page.SetInfo(func(info *protocol.PageInfo) { info.Title = "B" })
	page.SetInfo(func(info *protocol.PageInfo) { info.Level, info.Capabilities = protocol.Observe, []string{"console"} })
	page.Navigated("http://a.test/2", false)
	page.Publish(console("x"))
	page.Disconnected(protocol.ReasonCrashed)
	page.Disconnected(protocol.ReasonCrashed)
	page.Reconnected(exec)
	page.Remove(protocol.ReasonClosed)
	types = nil
	for seq := uint64(4); ; seq++ {
		m := first.next()
		if m.Seq != seq || m.PageID != page.ID() {
			t.Fatalf("seq %d expected: %s", seq, m.Raw)
		}
		types = append(types, m.Type)
		if m.Reason == protocol.ReasonClosed {
			break
		}
	}
	want := []string{"hello", "hello", "capabilities", "page_navigated", "console", "app_disconnected", "app_connected", "hello", "capabilities", "app_disconnected"}
	if !slices.Equal(types, want) {
		t.Fatalf("got  %v\nwant %v", types, want)
	}
	first.send(`{"type":"click","target":{"ref":"e1"},"pageId":%d,"requestId":"late"}`, page.ID())
	gone := first.result("late")
	wantFailure(t, gone, fault.PageNotFound)
	if gone.Error.Details["reason"] != "closed" {
		t.Errorf("details %v", gone.Error.Details)
	}
}

func TestConnectIsNotTooMuch(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{QueueEvents: 4, QueueBytes: 1000, EventBytes: 1000}).Open("default")
	for range 10 {
		s.AddPage(pageInfo(protocol.Act), &fakePage{tree: &protocol.UITree{Base: protocol.Base{Type: protocol.TypeUITree}, Items: make([]protocol.UITreeItem, 5)}})
	}
	r := attach(t, s, AttachOptions{})
	for range 31 {
		r.next()
	}
	for range 10 { // but whoever then only asks and never reads is too slow
		r.send(`nonsense`)
	}
	if _, err := r.agent.Next(t.Context()); !errors.Is(err, ErrTooSlow) {
		t.Fatal(err)
	}
}

func TestN26CommandsRefusedBeforeDispatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		info    protocol.PageInfo
		token   protocol.Level
		command string
		code    fault.Code
		details map[string]any
	}{
		{"observe", pageInfo(protocol.Observe), "", `"type":"click","target":{"ref":"e1"}`, fault.CapabilityMissing, map[string]any{"level": "act", "have": "observe"}},
		{"act evaluates", pageInfo(protocol.Act), "", `"type":"evaluate","code":"1"`, fault.CapabilityMissing, map[string]any{"level": "control", "have": "act"}},
		{"token of observe", pageInfo(protocol.Control), protocol.Observe, `"type":"click","target":{"ref":"e1"}`, fault.CapabilityMissing, map[string]any{"level": "act", "have": "observe", "limitedBy": "token"}},
		{"evaluate switched off", protocol.PageInfo{Level: protocol.Control, Source: protocol.SourceExtension, Capabilities: []string{"input"}}, "", `"type":"evaluate","code":"1"`, fault.EvalDisabled, nil},
		{"SDK without eval", protocol.PageInfo{Level: protocol.Act, Source: protocol.SourceSDK, Capabilities: []string{"input"}}, "", `"type":"evaluate","code":"1"`, fault.EvalDisabled, nil},
		{"tree switched off", protocol.PageInfo{Level: protocol.Control, Source: protocol.SourceExtension}, "", `"type":"request_ui_tree"`, fault.CapabilityMissing, map[string]any{"capability": "ui_tree"}},
		{"unknown page", pageInfo(protocol.Control), "", `"type":"request_ui_tree","pageId":99`, fault.PageNotFound, nil},
		{"old epoch", pageInfo(protocol.Control), "", `"type":"request_ui_tree","epoch":"epoch0"`, fault.Indeterminate, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newHub(t, Limits{}).Open("default")
			exec := &fakePage{}
			s.AddPage(c.info, exec)
			r := attach(t, s, AttachOptions{Level: c.token})
			r.send(`{"requestId":"r",%s}`, c.command)
			m := r.result("r")
			wantFailure(t, m, c.code)
			for key, want := range c.details {
				if m.Error.Details[key] != want {
					t.Errorf("details.%s is %v, want %v", key, m.Error.Details[key], want)
				}
			}
			if exec.count.Load() != 0 {
				t.Error("the command reached the page")
			}
		})
	}
}

func TestChoosingThePage(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	r := attach(t, s, AttachOptions{})
	r.send(`{"type":"request_ui_tree","requestId":"none"}`)
	m := r.result("none")
	wantFailure(t, m, fault.NotConnected)
	if !strings.Contains(m.Error.Suggestions[0], "Connect") {
		t.Errorf("suggestion %q does not name the popup's button", m.Error.Suggestions[0])
	}
	one := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	r.send(`{"type":"request_ui_tree","requestId":"only"}`)
	if m := r.result("only"); !m.Success || m.PageID != one.ID() {
		t.Fatal(m.Raw)
	}
	two := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	r.send(`{"type":"request_ui_tree","requestId":"last used"}`)
	if m := r.result("last used"); m.PageID != one.ID() {
		t.Fatal(m.Raw)
	}
	other := attach(t, s, AttachOptions{Name: "other"})
	other.send(`{"type":"request_ui_tree","requestId":"which"}`)
	m = other.result("which")
	wantFailure(t, m, fault.ValidationError)
	if fmt.Sprint(m.Error.Details["pages"]) != fmt.Sprintf("[%d %d]", one.ID(), two.ID()) {
		t.Errorf("the pages are not named: %s", m.Raw)
	}
	other.send(`{"type":"request_ui_tree","requestId":"two","pageId":%d}`, two.ID())
	other.result("two")
	again := attach(t, s, AttachOptions{Name: "other"})
	again.send(`{"type":"request_ui_tree","requestId":"kept"}`)
	if m := again.result("kept"); m.PageID != two.ID() {
		t.Fatalf("a reconnect forgot the page: %s", m.Raw)
	}
	one.Disconnected(protocol.ReasonExtensionGone)
	r.send(`{"type":"request_ui_tree","requestId":"away"}`)
	m = r.result("away")
	wantFailure(t, m, fault.ExtensionNotConnected)
	one.Reconnected(&fakePage{})
	one.Disconnected(protocol.ReasonLeftSite)
	r.send(`{"type":"request_ui_tree","requestId":"left"}`)
	m = r.result("left")
	wantFailure(t, m, fault.NotConnected)
	if m.Error.Details["reason"] != protocol.ReasonLeftSite {
		t.Errorf("details %v", m.Error.Details)
	}
}

func TestA03SameRequestRunsOnce(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	release := make(chan struct{})
	exec := &fakePage{run: func(_ context.Context, cmd *protocol.Command, dispatched func()) (Outcome, error) {
		dispatched()
		<-release
		return Outcome{Result: "done", Effect: protocol.EffectChanged}, nil
	}}
	s.AddPage(pageInfo(protocol.Act), exec)
	first := s.Attach(AttachOptions{Name: "agent"})
	const click = `{"type":"click","target":{"ref":"e1"},"requestId":"r","timestamp":%d}`
	first.Receive(fmt.Appendf(nil, click, 1))
	first.Receive(fmt.Appendf(nil, click, 2)) // in flight: nothing more
	first.Detach()                            // killed in the middle of its command
	second := attach(t, s, AttachOptions{Name: "agent", Resume: &Resume{Since: 3, Epoch: "epoch1"}})
	second.send(click, 3)
	close(release)
	original := second.result("r")
	if !original.Success || original.Repeated || original.Seq != 4 {
		t.Fatal(original.Raw)
	}
	second.send(click, 4)
	repeat := second.result("r")
	if !repeat.Repeated || repeat.Seq != 0 {
		t.Fatal(repeat.Raw)
	}
	if same := strings.Replace(strings.Replace(original.Raw, `"seq":4,`, "", 1), `"effect":"changed"`, `"effect":"changed"`, 1); strings.TrimSuffix(same, "}")+`,"repeated":true}` != repeat.Raw {
		t.Fatalf("the repeated result differs:\n%s\n%s", original.Raw, repeat.Raw)
	}
	if n := exec.count.Load(); n != 1 {
		t.Fatalf("the command ran %d times", n)
	}
	// Another token may use the same id.
	other := attach(t, s, AttachOptions{Name: "other"})
	other.send(click, 5)
	if m := other.result("r"); m.AgentName != "other" || exec.count.Load() != 2 {
		t.Fatal(m.Raw)
	}
}

func TestA05SameIDOtherBody(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	exec := &fakePage{}
	s.AddPage(pageInfo(protocol.Act), exec)
	r := attach(t, s, AttachOptions{})
	r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"r"}`)
	r.result("r")
	r.send(`{"type":"click","target":{"ref":"e2"},"requestId":"r"}`)
	if m := r.until(protocol.TypeHostError, "r"); m.Code != string(fault.RequestIDConflict) {
		t.Fatal(m.Raw)
	}
	if exec.count.Load() != 1 {
		t.Fatal("the second command ran")
	}
}

func TestLedgerForgetsAfterTenMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(Config{Epoch: "e", Log: zerolog.Nop()})
		defer h.Close()
		s := h.Open("default")
		exec := &fakePage{}
		s.AddPage(pageInfo(protocol.Act), exec)
		r := attach(t, s, AttachOptions{})
		send := func() { r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"r"}`) }
		send()
		r.result("r")
		time.Sleep(10*time.Minute - time.Second)
		send()
		if m := r.result("r"); !m.Repeated {
			t.Fatal(m.Raw)
		}
		time.Sleep(2 * time.Second)
		send()
		if m := r.result("r"); m.Repeated || exec.count.Load() != 2 {
			t.Fatal(m.Raw)
		}
		time.Sleep(12 * time.Minute)
		if known := h.Stats()[0].Known; known != 0 {
			t.Fatalf("%d commands are still known", known)
		}
	})
}

func TestLedgerGivesUpBytesBeforeCommands(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{RememberBytes: 2000}).Open("default")
	exec := &fakePage{}
	s.AddPage(pageInfo(protocol.Act), exec)
	r := attach(t, s, AttachOptions{})
	for i := range 20 {
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"r%d"}`, i)
		r.result(fmt.Sprintf("r%d", i))
	}
	r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"r0"}`)
	m := r.result("r0")
	if !m.Repeated || !m.Success || m.Effect != protocol.EffectChanged || string(m.Result) != `{"forgotten":true}` || exec.count.Load() != 20 {
		t.Fatal(m.Raw)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledger.bytes > 2000 {
		t.Fatalf("%d bytes of results are kept", s.ledger.bytes)
	}
}

// blocking runs until it is told, or until its context ends.
func blocking(started chan<- string, release <-chan struct{}, dispatch bool) *fakePage {
	return &fakePage{run: func(ctx context.Context, cmd *protocol.Command, dispatched func()) (Outcome, error) {
		if dispatch {
			dispatched()
		}
		started <- cmd.RequestID
		select {
		case <-release:
			return Outcome{Effect: protocol.EffectChanged}, nil
		case <-ctx.Done():
			return Outcome{}, ctx.Err()
		}
	}}
}

func TestA16CancelAndDeadline(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		dispatch bool
		end      func(r *reader, page *Page)
		running  fault.Code
		queued   fault.Code
	}{
		{"cancel after dispatch", true, func(r *reader, _ *Page) {
			r.send(`{"type":"cancel","requestId":"q"}`)
			r.send(`{"type":"cancel","requestId":"r"}`)
		}, fault.Cancelled, fault.Cancelled},
		{"cancel before dispatch", false, func(r *reader, _ *Page) {
			r.send(`{"type":"cancel","requestId":"q"}`)
			r.send(`{"type":"cancel","requestId":"r"}`)
		}, fault.Cancelled, fault.Cancelled},
		{"deadline after dispatch", true, func(*reader, *Page) { time.Sleep(30 * time.Second) }, fault.Indeterminate, fault.Timeout},
		{"deadline before dispatch", false, func(*reader, *Page) { time.Sleep(30 * time.Second) }, fault.Timeout, fault.Timeout},
		{"page closed after dispatch", true, func(_ *reader, p *Page) { p.Disconnected(protocol.ReasonClosed) }, fault.Indeterminate, fault.NotConnected},
		{"page closed before dispatch", false, func(_ *reader, p *Page) { p.Disconnected(protocol.ReasonClosed) }, fault.NotConnected, fault.NotConnected},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := NewHub(Config{Epoch: "e", Log: zerolog.Nop()})
				defer h.Close()
				s := h.Open("default")
				started := make(chan string, 10)
				exec := blocking(started, nil, c.dispatch)
				page := s.AddPage(pageInfo(protocol.Act), exec)
				r := attach(t, s, AttachOptions{})
				r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"r"}`)
				r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"q","timeoutMs":29000}`)
				<-started
				c.end(r, page)
				synctest.Wait()
				results := map[string]message{}
				for len(results) < 2 {
					m := r.until(protocol.TypeCommandResult, "")
					if _, twice := results[m.RequestID]; twice {
						t.Fatalf("two results: %s", m.Raw)
					}
					results[m.RequestID] = m
				}
				wantFailure(t, results["r"], c.running)
				wantFailure(t, results["q"], c.queued)
				if c.running == fault.Indeterminate && results["r"].Error.Retryable {
					t.Error("indeterminate must not be retryable")
				}
				if exec.count.Load() != 1 {
					t.Error("the queued command ran")
				}
				// The slot is free again.
				if c.queued == fault.NotConnected {
					page.Reconnected(exec)
				}
				exec.run = nil
				r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"next"}`)
				if m := r.result("next"); !m.Success {
					t.Fatal(m.Raw)
				}
				r.send(`{"type":"cancel","requestId":"next"}`)
				if m := r.result("next"); !m.Repeated {
					t.Fatal(m.Raw)
				}
				r.send(`{"type":"cancel","requestId":"never"}`)
				if m := r.until(protocol.TypeHostError, "never"); m.Code != string(fault.ValidationError) {
					t.Fatal(m.Raw)
				}
			})
		})
	}
}

func TestExecutorsOwnFaultStands(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(Config{Epoch: "e", Log: zerolog.Nop()})
		defer h.Close()
		s := h.Open("default")
		started := make(chan struct{})
		exec := &fakePage{run: func(ctx context.Context, _ *protocol.Command, dispatched func()) (Outcome, error) {
			dispatched()
			close(started)
			<-ctx.Done()
			return Outcome{}, fault.New(fault.PageNotFound, "The tab was closed.").With("reason", "closed")
		}}
		page := s.AddPage(pageInfo(protocol.Act), exec)
		r := attach(t, s, AttachOptions{})
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"r"}`)
		<-started
		page.Remove(protocol.ReasonClosed)
		wantFailure(t, r.result("r"), fault.PageNotFound)

		// One that ignores its context, panics, or gives no JSON is answered all the same.
		stuck := make(chan struct{})
		page = s.AddPage(pageInfo(protocol.Act), &fakePage{run: func(context.Context, *protocol.Command, func()) (Outcome, error) {
			<-stuck
			return Outcome{}, nil
		}})
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"stuck","pageId":%d,"timeoutMs":10}`, page.ID())
		wantFailure(t, r.result("stuck"), fault.Indeterminate)
		close(stuck)
		page.Reconnected(&fakePage{run: func(context.Context, *protocol.Command, func()) (Outcome, error) { panic("oh") }})
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"panic","pageId":%d}`, page.ID())
		wantFailure(t, r.result("panic"), fault.InternalError)
		page.Reconnected(&fakePage{run: func(context.Context, *protocol.Command, func()) (Outcome, error) {
			return Outcome{Result: func() {}}, nil
		}})
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"nojson","pageId":%d}`, page.ID())
		wantFailure(t, r.result("nojson"), fault.InternalError)
	})
}

func TestA15ActingOneByOneReadingAtOnce(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{PageReads: 2}).Open("default")
	started, release := make(chan string, 20), make(chan struct{})
	s.AddPage(pageInfo(protocol.Act), blocking(started, release, true))
	one, two := attach(t, s, AttachOptions{Name: "one"}), attach(t, s, AttachOptions{Name: "two"})
	one.send(`{"type":"click","target":{"ref":"e1"},"requestId":"a1"}`)
	two.send(`{"type":"click","target":{"ref":"e1"},"requestId":"a2"}`)
	for i := range 3 {
		one.send(`{"type":"request_state","requestId":"read%d"}`, i)
	}
	running := []string{<-started, <-started, <-started}
	slices.Sort(running)
	if want := []string{"a1", "read0", "read1"}; !slices.Equal(running, want) {
		t.Fatalf("running %v, want %v", running, want)
	}
	if n := s.hub.Stats()[0].Waiting; n != 5 {
		t.Fatalf("%d commands wait, want 5", n)
	}
	close(release)
	for range 5 {
		m := two.until(protocol.TypeCommandResult, "")
		if (m.AgentName == "two") != (m.RequestID == "a2") {
			t.Errorf("the actor is wrong: %s", m.Raw)
		}
	}
}

func TestA17QueueLimit(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	started, release := make(chan string, 2000), make(chan struct{})
	s.AddPage(pageInfo(protocol.Act), blocking(started, release, true))
	r := attach(t, s, AttachOptions{})
	const all = 10000
	var sent sync.WaitGroup
	sent.Go(func() {
		for i := range all {
			r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"%d"}`, i)
		}
	})
	for range all - 1024 {
		m := r.until(protocol.TypeCommandResult, "")
		wantFailure(t, m, fault.Busy)
		if !m.Error.Retryable {
			t.Fatal("busy must be retryable")
		}
	}
	sent.Wait()
	close(release)
	for i := range 1024 {
		if m := r.until(protocol.TypeCommandResult, ""); !m.Success || m.RequestID != fmt.Sprint(i) {
			t.Fatalf("result %d is %s", i, m.Raw)
		}
	}
	// A busy command was not remembered: the same id and body runs now.
	r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"5000"}`)
	if m := r.result("5000"); !m.Success || m.Repeated {
		t.Fatal(m.Raw)
	}
}

func TestOversizedEventsAreReplaced(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{EventBytes: 2000}).Open("default")
	big := strings.Repeat("x", 3000)
	page := s.AddPage(pageInfo(protocol.Act), &fakePage{run: func(_ context.Context, _ *protocol.Command, dispatched func()) (Outcome, error) {
		dispatched()
		return Outcome{Result: big, Effect: protocol.EffectChanged}, nil
	}})
	r := attach(t, s, AttachOptions{})
	page.Publish(console(big))
	if m := r.until(protocol.TypeDropped, ""); m.Counts["console"] != 1 || m.PageID != page.ID() {
		t.Fatal(m.Raw)
	}
	r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"r"}`)
	m := r.result("r")
	wantFailure(t, m, fault.ResultTooLarge)
	if m.Effect != protocol.EffectChanged {
		t.Errorf("the effect was lost: %s", m.Raw)
	}
}

func TestTypesFilter(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	page := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	r := attach(t, s, AttachOptions{Name: "me", Types: []string{"console"}})
	other := attach(t, s, AttachOptions{Name: "you"})
	page.Navigated("http://a.test/x", true)
	page.Publish(console("one"))
	other.send(`{"type":"request_state","requestId":"theirs"}`)
	other.result("theirs")
	r.send(`{"type":"request_state","requestId":"mine"}`)
	r.send(`{"type":"nonsense"}`)
	var got []string
	for range 4 {
		m := r.next()
		got = append(got, m.Type+" "+m.RequestID)
	}
	slices.Sort(got)
	if want := []string{"command_result mine", "console ", "host_error ", "welcome "}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	r.nothing()
}

func TestAgentsNotification(t *testing.T) {
	t.Parallel()
	h := newHub(t, Limits{})
	var changes atomic.Int64
	h.OnAgents(func() { changes.Add(1); h.Agents() })
	a := h.Open("x").Attach(AttachOptions{Name: "n"})
	if all := h.Agents(); len(all) != 1 || all[0].ID != "x" || all[0].Agents[0].Name != "n" {
		t.Fatalf("%+v", all)
	}
	a.Detach()
	if changes.Load() != 2 || len(h.Agents()) != 0 {
		t.Fatalf("%d changes, %v", changes.Load(), h.Agents())
	}
}

func TestCloseEndsEverything(t *testing.T) {
	t.Parallel()
	h := NewHub(Config{Epoch: "e", Log: zerolog.Nop()})
	s := h.Open("default")
	started := make(chan string, 1)
	s.AddPage(pageInfo(protocol.Act), blocking(started, nil, true))
	a := s.Attach(AttachOptions{Name: "n"})
	a.Receive([]byte(`{"type":"click","target":{"ref":"e1"},"requestId":"r"}`))
	<-started
	h.Close()
	var err error
	for err == nil {
		_, err = a.Next(t.Context())
	}
	if !errors.Is(err, ErrClosed) {
		t.Fatal(err)
	}
	late := s.Attach(AttachOptions{Name: "late"})
	if _, err := late.Next(t.Context()); err != nil {
		t.Fatalf("welcome first: %v", err)
	}
	if _, err := late.Next(t.Context()); !errors.Is(err, ErrClosed) {
		t.Fatal(err)
	}
}

func TestIdleSessionGivesBackItsMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(Config{Epoch: "e", Log: zerolog.Nop()})
		defer h.Close()
		page := h.Open("used").AddPage(pageInfo(protocol.Act), &fakePage{})
		h.Open("unused")
		page.Publish(console("x"))
		page.Remove(protocol.ReasonClosed)
		time.Sleep(62 * time.Minute)
		stats := h.Stats()
		if len(stats) != 1 || stats[0].ID != "used" || stats[0].Events != 0 || stats[0].LastSeq != 5 {
			t.Fatalf("%+v", stats)
		}
		r := attach(t, h.Open("used"), AttachOptions{Resume: &Resume{Since: 2, Epoch: "e"}})
		if m := r.until(protocol.TypeGap, ""); m.FromSeq != 3 || *m.ToSeq != 5 || m.Dropped["console"] != 1 || m.Dropped["capabilities"] != 1 || m.Dropped["app_disconnected"] != 1 {
			t.Fatal(m.Raw)
		}
	})
}
