package checks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// soakRounds are how many samples of the daemon are taken.
const soakRounds = 20

// what comes together in a working day, as fast as it goes: a million events,
// a hundred thousand commands and a thousand pages that come and go leave the daemon
// bounded: its logs fill up, and from then on neither memory nor files nor goroutines grow. With DBRIDGE_SOAK; else a fiftieth of it.
func TestA21ADaysWork(t *testing.T) {
	events, commands, cycles := 20_000, 4_000, 40
	if soak(t) > 0 {
		events, commands, cycles = 1_000_000, 100_000, 1000
	}
	// Each agent waits for its batch, so that less waits than the queue of a page holds.
	const agents, batch, every = 10, 50, 2 * time.Millisecond
	w := newCrowd(t)
	w.page("tab", "work", nil)
	noise := w.page("noise", "noise", nil)
	heard := w.listen("noise")
	var crowd []*crowdAgent
	for n := range agents {
		crowd = append(crowd, w.crowdAgent(fmt.Sprintf("a%d-", n), "tab", "work"))
	}
	var memory, files, routines []int
	began := time.Now()
	for round := range soakRounds {
		var work sync.WaitGroup
		work.Go(func() {
			for n := range events / soakRounds {
				noise.send(t, `{"protocolVersion":1,"type":"console","level":"log","args":["round %d line %d of a page that never rests"],"timestamp":%d}`, round, n, time.Now().UnixMilli())
			}
		})
		for _, a := range crowd {
			work.Go(func() {
				for left := commands / soakRounds / agents; left > 0; left -= batch {
					if err := a.run(min(left, batch), every); err != nil {
						t.Errorf("%s: %v", a.prefix, err)
						return
					}
				}
				if len(a.wrong) > 0 {
					t.Errorf("%s: %s", a.prefix, a.wrong[0])
				}
			})
		}
		work.Go(func() {
			for range cycles / soakRounds {
				w.cycle(t)
			}
		})
		work.Wait()
		browsertest.Until(t, 4*browsertest.Patience, "the round's events", func() bool { return heard() >= (round+1)*(events/soakRounds) })
		if t.Failed() {
			t.FailNow()
		}
		memory, files, routines = append(memory, resident(t, w.daemon.PID)>>20), append(files, descriptors(w.daemon.PID)), append(routines, w.goroutines())
	}
	t.Logf("%d events, %d commands, %d pages in %v; MiB %v, files %v, goroutines %v", events, commands, cycles, time.Since(began).Round(time.Second), memory, files, routines)
	// The logs fill up to their bounds first; then nothing grows any more.
	full, last := soakRounds/2, soakRounds*3/4
	for _, c := range []struct {
		what  string
		is    []int
		spare int
	}{{"MiB", memory, 24}, {"open files", files, 4}, {"goroutines", routines, 20}} {
		if before, after := slices.Max(c.is[full:last]), slices.Max(c.is[last:]); after > before+c.spare {
			t.Errorf("%s grew from %d to %d: %v", c.what, before, after, c.is)
		}
	}
	if most := slices.Max(memory); most > 300 {
		t.Errorf("the daemon has %d MiB", most)
	}
}

// listen is an agent that hears a session; it gives how many console lines came so far.
func (w *crowdWorld) listen(session string) func() int {
	w.t.Helper()
	conn := w.enter(w.agentKey, "role=agent&sessionId="+session)
	var mu sync.Mutex
	lines := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			_, data, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			mu.Lock()
			lines += bytes.Count(data, []byte(`"type":"console"`))
			mu.Unlock()
		}
	}()
	w.t.Cleanup(func() {
		_ = conn.CloseNow()
		<-done
	})
	return func() int {
		mu.Lock()
		defer mu.Unlock()
		return lines
	}
}

// cycle is a page that comes, says a line and goes.
func (w *crowdWorld) cycle(t *testing.T) {
	conn, err := w.knock(w.appKey, "role=app&sessionId=noise")
	if err != nil {
		t.Error(err)
		return
	}
	p := &sdkPage{name: "passing", conn: conn}
	p.send(t, `{"protocolVersion":1,"type":"hello","appId":"passing","url":"http://localhost:3000/passing","title":"passing","userAgent":"test","source":"sdk","level":"control"}`)
	p.send(t, `{"protocolVersion":1,"type":"capabilities","capabilities":["console"]}`)
	_ = conn.CloseNow()
}

// goroutines is what the daemon says of itself.
func (w *crowdWorld) goroutines() int {
	w.t.Helper()
	var status struct {
		Data struct {
			Goroutines int `json:"goroutines"`
		} `json:"data"`
	}
	out := w.e.Run("daemon", "status", "--output", "json")
	if err := json.Unmarshal([]byte(out.Stdout), &status); err != nil || status.Data.Goroutines == 0 {
		w.t.Fatalf("%v: %s", err, out.Stdout)
	}
	return status.Data.Goroutines
}
