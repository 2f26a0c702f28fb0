package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

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
