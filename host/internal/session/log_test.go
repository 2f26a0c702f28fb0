package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"pgregory.net/rapid"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestReplayEqualsLive(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	page := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	live := attach(t, s, AttachOptions{Resume: &Resume{}})
	for i := range 12 {
		page.Publish(console(fmt.Sprint(i)))
	}
	replay := attach(t, s, AttachOptions{Resume: &Resume{}})
	for seq := uint64(1); seq <= 15; {
		a, b := live.next(), replay.next()
		for a.Seq == 0 {
			a = live.next()
		}
		for b.Seq == 0 {
			b = replay.next()
		}
		if a.Seq != seq || a.Raw != b.Raw {
			t.Fatalf("seq %d:\n%s\n%s", seq, a.Raw, b.Raw)
		}
		if !strings.HasPrefix(a.Raw, fmt.Sprintf(`{"protocolVersion":1,"seq":%d,"type":"`, seq)) {
			t.Fatalf("not as the other messages: %s", a.Raw)
		}
		seq++
	}
}

func TestA02ResumePositions(t *testing.T) {
	t.Parallel()
	snapshots := make(chan struct{}, 10)
	h := newHub(t, Limits{LogEvents: 10, QueueEvents: 5})
	s := h.Open("default")
	var page *Page
	exec := &fakePage{snap: func(context.Context) {
		page.Publish(&protocol.UITree{Base: protocol.Base{Type: protocol.TypeUITree}, Full: true, Version: 1})
		snapshots <- struct{}{}
	}}
	page = s.AddPage(pageInfo(protocol.Act), exec) // 1..3
	for i := range 27 {                            // 4..30; the log holds 21..30
		page.Publish(console(fmt.Sprint(i)))
	}
	ten := func(r *reader, from uint64) {
		t.Helper()
		for seq := from; seq <= 30; seq++ {
			m := r.next()
			for m.Type == protocol.TypeHello && m.Seq == 0 || m.Type == protocol.TypeCapabilities && m.Seq == 0 {
				m = r.next()
			}
			if m.Seq != seq {
				t.Fatalf("want seq %d: %s", seq, m.Raw)
			}
		}
	}
	t.Run("inside", func(t *testing.T) {
		r := attach(t, s, AttachOptions{Resume: &Resume{Since: 25, Epoch: "epoch1"}})
		if m := r.next(); m.Type != protocol.TypeWelcome || m.FirstSeq != 21 || m.LastSeq != 30 {
			t.Fatal(m.Raw)
		}
		ten(r, 26)
		r.nothing()
	})
	t.Run("at the edge", func(t *testing.T) {
		ten(attachAfterWelcome(t, s, &Resume{Since: 20, Epoch: "epoch1"}), 21)
	})
	t.Run("future", func(t *testing.T) {
		a := s.Attach(AttachOptions{Name: "f", Resume: &Resume{Since: 31, Epoch: "epoch1"}})
		defer a.Detach()
		r := &reader{t: t, agent: a}
		r.next()
		if m := r.next(); m.Type != protocol.TypeHostError || m.Code != "VALIDATION_ERROR" {
			t.Fatal(m.Raw)
		}
		if _, err := a.Next(t.Context()); !errors.Is(err, ErrRefused) {
			t.Fatal(err)
		}
	})
	t.Run("the last", func(t *testing.T) {
		r := attachAfterWelcome(t, s, &Resume{Since: 30, Epoch: "epoch1"})
		r.until(protocol.TypeCapabilities, "")
		r.nothing()
	})
	t.Run("expired", func(t *testing.T) {
		r := attachAfterWelcome(t, s, &Resume{Since: 2, Epoch: "epoch1"})
		m := r.until(protocol.TypeGap, "")
		if m.Reason != protocol.GapExpired || m.FromSeq != 3 || *m.ToSeq != 20 || !maps.Equal(m.Dropped, map[string]uint64{"capabilities": 1, "console": 17}) {
			t.Fatal(m.Raw)
		}
		ten(r, 21)
		<-snapshots
		if m := r.next(); m.Type != protocol.TypeUITree || m.Seq != 31 {
			t.Fatalf("no tree after the gap: %s", m.Raw)
		}
	})
	t.Run("another epoch", func(t *testing.T) {
		r := attach(t, s, AttachOptions{Resume: &Resume{Since: 5000, Epoch: "epoch0"}})
		first := r.next().FirstSeq
		m := r.until(protocol.TypeGap, "")
		if m.Reason != protocol.GapEpochChanged || m.FromSeq != 5001 || m.ToSeq != nil || !strings.Contains(m.Raw, `"toSeq":null`) {
			t.Fatal(m.Raw)
		}
		// What the new epoch's log no longer holds is not passed over silently.
		if m := r.next(); m.Type != protocol.TypeGap || m.Reason != protocol.GapExpired || m.FromSeq != 1 || *m.ToSeq != first-1 {
			t.Fatal(m.Raw)
		}
		if m := r.next(); m.Seq != first {
			t.Fatal(m.Raw)
		}
		<-snapshots
	})
}

func attachAfterWelcome(t *testing.T, s *Session, resume *Resume) *reader {
	t.Helper()
	r := attach(t, s, AttachOptions{Resume: resume})
	if m := r.next(); m.Type != protocol.TypeWelcome {
		t.Fatalf("not welcome first: %s", m.Raw)
	}
	return r
}

func TestA06LaggardIsCutOffAndMemoryBounded(t *testing.T) {
	t.Parallel()
	h := newHub(t, Limits{LogEvents: 4096, LogBytes: 1 << 20, QueueEvents: 2000, QueueBytes: 256 << 10})
	s := h.Open("default")
	page := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	slow := attach(t, s, AttachOptions{Name: "slow"})
	filtered := attach(t, s, AttachOptions{Name: "filtered", Types: []string{"error"}})
	var good sync.WaitGroup
	const n = 6000
	text := strings.Repeat("x", 1000)
	for range 5 {
		r := attach(t, s, AttachOptions{Name: "good"})
		good.Go(func() {
			for seq := uint64(4); seq < n; {
				batch, err := r.agent.Next(context.Background())
				if err != nil {
					t.Errorf("a good agent was cut off: %v", err)
					return
				}
				for _, data := range batch {
					if m := parse(t, data); m.Seq > 0 {
						if m.Seq != seq {
							t.Errorf("seq %d, want %d", m.Seq, seq)
							return
						}
						seq++
					}
				}
			}
		})
	}
	for i := range n {
		page.Publish(console(text))
		if i%100 == 0 {
			stats := h.Stats()[0]
			if stats.Bytes > 1<<20+256<<10+2000 {
				t.Fatalf("%d bytes are held", stats.Bytes)
			}
			// Good agents of a real daemon are held back by nothing but themselves;
			// here they share two cores with the one who floods.
			for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline) && behind(h, "good") > 400; {
				time.Sleep(time.Millisecond)
			}
		}
	}
	good.Wait()
	<-slow.agent.Failed()
	if _, err := slow.agent.Next(t.Context()); !errors.Is(err, ErrTooSlow) {
		t.Fatalf("the slow agent got %v", err)
	}
	page.Publish(&protocol.PageError{Base: protocol.Base{Type: protocol.TypeError}, Message: "m"})
	if m := filtered.until(protocol.TypeError, ""); m.Seq != n+4 {
		t.Fatalf("an agent whose events all were filtered out lost its place: %s", m.Raw)
	}
	if stats := h.Stats()[0]; stats.TooSlow != 1 {
		t.Fatalf("%d agents were too slow", stats.TooSlow)
	}
}

func behind(h *Hub, name string) (most uint64) {
	for _, a := range h.Stats()[0].Agents {
		if a.Name == name {
			most = max(most, a.Behind)
		}
	}
	return most
}

func TestDefaultRetention(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	page := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	small, large := strings.Repeat("s", 4000), strings.Repeat("l", 12<<20)
	for range 4095 {
		page.Publish(console(small)) // 4,095 events of less than 16 MiB
	}
	r := attachAfterWelcome(t, s, &Resume{Since: 3, Epoch: "epoch1"})
	r.until(protocol.TypeCapabilities, "")
	if m := r.next(); m.Type != protocol.TypeConsole || m.Seq != 4 {
		t.Fatalf("an agent behind by less than the guarantee got %s", m.Type)
	}
	for range 5 {
		page.Publish(console(large))
	}
	if stats := s.hub.Stats()[0]; stats.Bytes > 24<<20+8<<20 {
		t.Fatalf("%d bytes are held", stats.Bytes)
	}
}

// TestA01 cuts the agent off at random points of a long stream, and resumes.
func TestA01ResumeAtRandomPoints(t *testing.T) {
	t.Parallel()
	h := newHub(t, Limits{LogEvents: 200000, LogBytes: 200 << 20})
	s := h.Open("default")
	page := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	const n = 100000
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := range n - 3 {
			page.Publish(console(fmt.Sprint(i)))
		}
	})
	defer writer.Wait()
	seen := uint64(0)
	cuts := 0
	for seen < n {
		a := s.Attach(AttachOptions{Name: "agent", Resume: &Resume{Since: seen, Epoch: "epoch1"}})
		cuts++
		keep := 1 + int(seen*7919%97)
		for keep > 0 && seen < n {
			batch, err := a.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, data := range batch {
				var seq uint64
				if _, err := fmt.Sscanf(string(data), `{"protocolVersion":1,"seq":%d,`, &seq); err != nil {
					continue // welcome, hello, capabilities
				}
				// The connection dies in the middle of a batch: the rest never arrives.
				if keep--; keep < 0 {
					break
				}
				if seq != seen+1 {
					t.Fatalf("seq %d follows %d", seq, seen)
				}
				seen = seq
			}
		}
		a.Detach()
	}
	if cuts < 1000 {
		t.Fatalf("only %d cuts", cuts)
	}
}

func TestHistoryOfLongGoneEvents(t *testing.T) {
	t.Parallel()
	var h history
	const all = (exactBlocks + 3) * blockEvents
	for i := range all {
		h.add(kind(i % 3))
	}
	sum := func(from uint64) (total uint64, other uint64) {
		for name, n := range h.since(from) {
			total += n
			if name == kinds[otherKind] {
				other = n
			}
		}
		return total, other
	}
	for _, from := range []uint64{1, 2, 100, blockEvents, blockEvents + 1, blockEvents + 2, 3 * blockEvents, 10 * blockEvents, all - 1, all, all + 1} {
		total, other := sum(from)
		if total != all-from+1 {
			t.Errorf("from %d: %d events, want %d", from, total, all-from+1)
		}
		if from > 3*blockEvents && other > 0 {
			t.Errorf("from %d: the types of %d recent events are unknown", from, other)
		}
		if other >= blockEvents {
			t.Errorf("from %d: %d events of unknown type", from, other)
		}
	}
}

// TestA22 compares log, cursors, filters, gaps and cut-offs with a plain model.
func TestA22LogAgainstModel(t *testing.T) {
	t.Parallel()
	types := []string{protocol.TypeConsole, protocol.TypeError, protocol.TypeDialog}
	rapid.Check(t, func(rt *rapid.T) {
		h := NewHub(Config{Epoch: "e", Log: zerolog.Nop(), Limits: Limits{LogEvents: 8, LogBytes: 1 << 20, QueueEvents: 4}})
		defer h.Close()
		s := h.Open("default")
		page := s.AddPage(pageInfo(protocol.Act), &fakePage{})
		written := []string{"app_connected", "hello", "capabilities"} // type of each event; the model's log
		type model struct {
			agent  *Agent
			next   uint64
			filter string
		}
		var agents []*model
		read := func(m *model) {
			for {
				batch, err := m.agent.take()
				if errors.Is(err, ErrTooSlow) {
					held := 8 + 4
					if lag := uint64(len(written)) + 1 - m.next; lag <= uint64(held) {
						rt.Fatalf("cut off when %d behind", lag)
					}
					m.agent = nil
					return
				}
				if len(batch) == 0 {
					break
				}
				for _, data := range batch {
					got := parse(t, data)
					switch {
					case got.Type == protocol.TypeGap:
						var sum uint64
						want := map[string]uint64{}
						for _, name := range written[m.next-1 : *got.ToSeq] {
							want[name]++
							sum++
						}
						if got.FromSeq != m.next || !maps.Equal(want, got.Dropped) || sum != *got.ToSeq-got.FromSeq+1 {
							rt.Fatalf("gap %s, want from %d with %v", got.Raw, m.next, want)
						}
						m.next = *got.ToSeq + 1
					case got.Seq > 0:
						for m.filter != "" && m.next < got.Seq && written[m.next-1] != m.filter {
							m.next++
						}
						if got.Seq != m.next || got.Type != written[m.next-1] {
							rt.Fatalf("got %s, want seq %d of type %s", got.Raw, m.next, written[m.next-1])
						}
						m.next++
					}
				}
			}
			for _, name := range written[min(m.next-1, uint64(len(written))):] {
				if m.filter == "" || name == m.filter {
					rt.Fatalf("%s was not given to an agent at %d", name, m.next)
				}
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"publish": func(rt *rapid.T) {
				for range rapid.IntRange(1, 6).Draw(rt, "n") {
					name := rapid.SampledFrom(types).Draw(rt, "type")
					switch name {
					case protocol.TypeConsole:
						page.Publish(console("x"))
					case protocol.TypeError:
						page.Publish(&protocol.PageError{Base: protocol.Base{Type: name}})
					default:
						page.Publish(&protocol.Dialog{Base: protocol.Base{Type: name}, Kind: "alert"})
					}
					written = append(written, name)
				}
			},
			"attach": func(rt *rapid.T) {
				since := uint64(rapid.IntRange(0, len(written)).Draw(rt, "since"))
				m := &model{next: since + 1, filter: rapid.SampledFrom([]string{"", protocol.TypeError}).Draw(rt, "filter")}
				options := AttachOptions{Name: "m", Resume: &Resume{Since: since, Epoch: "e"}}
				if m.filter != "" {
					options.Types = []string{m.filter}
				}
				m.agent = s.Attach(options)
				agents = append(agents, m)
			},
			"read": func(rt *rapid.T) {
				for _, m := range agents {
					if m.agent != nil && rapid.Bool().Draw(rt, "reads") {
						read(m)
					}
				}
			},
			"leave": func(rt *rapid.T) {
				for _, m := range agents {
					if m.agent != nil && rapid.Bool().Draw(rt, "leaves") {
						m.agent.Detach()
						m.agent = nil
					}
				}
			},
			"": func(rt *rapid.T) {
				stats := h.Stats()[0]
				if stats.LastSeq != uint64(len(written)) || stats.Events > 8+4 || stats.Dropped+uint64(stats.Events) != stats.LastSeq {
					rt.Fatalf("%+v with %d written", stats, len(written))
				}
			},
		})
		for _, m := range agents {
			if m.agent == nil {
				continue
			}
			if read(m); m.agent != nil {
				m.agent.Detach()
			}
		}
	})
}

func BenchmarkFanOut(b *testing.B) {
	const events, agents = 10000, 10
	text := strings.Repeat("x", 100)
	for b.Loop() {
		h := NewHub(Config{Epoch: "e", Log: zerolog.Nop()})
		s := h.Open("default")
		page := s.AddPage(pageInfo(protocol.Act), &fakePage{})
		var readers sync.WaitGroup
		var bytes int64
		for range agents {
			a := s.Attach(AttachOptions{Name: "n", Resume: &Resume{}})
			size := &bytes
			readers.Go(func() {
				var mine int64
				for n := 0; n < events+6; {
					batch, err := a.Next(context.Background())
					if err != nil {
						b.Error(err)
						return
					}
					n += len(batch)
					for _, data := range batch {
						mine += int64(len(data))
					}
				}
				*size = mine
			})
		}
		for range events {
			page.Publish(console(text))
		}
		readers.Wait()
		h.Close()
		b.SetBytes(bytes * agents)
	}
	b.ReportAllocs()
	b.ReportMetric(float64(events)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
