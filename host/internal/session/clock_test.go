package session

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/test/clock"
)

// H-19: the wall clock is set by a year, an hour back, and to summer time: no deadline
// comes sooner or later, nothing done is forgotten, and the order of the log stays.
func TestH19WallClockIsSet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wall := clock.New(t)
		h := NewHub(Config{Epoch: "e", Log: zerolog.Nop(), Now: wall.Now})
		defer h.Close()
		s := h.Open("default")
		started := make(chan string, 10)
		exec := &fakePage{}
		page := s.AddPage(pageInfo(protocol.Act), exec)
		r := attach(t, s, AttachOptions{})
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"done"}`)
		r.result("done")
		exec.run = blocking(started, nil, true).run
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"running","timeoutMs":60000}`)
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"queued","timeoutMs":50000}`)
		<-started
		began, last := time.Now(), uint64(0)
		for _, by := range []time.Duration{365 * 24 * time.Hour, -365*24*time.Hour - time.Hour, time.Hour, -time.Hour} {
			wall.Step(by)
			time.Sleep(5 * time.Second)
			page.Publish(console("after a step"))
			m := r.until(protocol.TypeConsole, "")
			if m.Seq <= last {
				t.Errorf("seq %d after %d", m.Seq, last)
			}
			last = m.Seq
			r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"done"}`)
			if m := r.result("done"); !m.Repeated || exec.count.Load() != 2 {
				t.Fatalf("after a step of %v a command is forgotten: %s", by, m.Raw)
			}
		}
		time.Sleep(25 * time.Second) // nobody reads for longer than 20 s in these tests
		wantFailure(t, r.result("queued"), fault.Timeout)
		if took := time.Since(began); took != 50*time.Second {
			t.Errorf("the queued one waited %v", took)
		}
		wantFailure(t, r.result("running"), fault.Indeterminate)
		if took := time.Since(began); took != time.Minute {
			t.Errorf("the running one ran %v", took)
		}
		time.Sleep(10 * time.Minute)
		r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"done","timeoutMs":1000}`)
		if m := r.result("done"); m.Repeated {
			t.Error("it is remembered for longer than its time")
		}
	})
}
