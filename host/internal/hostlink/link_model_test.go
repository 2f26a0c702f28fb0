package hostlink

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// manySchedules says whether the command line asks for thorough runs.
func manySchedules() bool {
	n, err := strconv.Atoi(flag.Lookup("rapid.checks").Value.String())
	return err == nil && n >= 10_000
}

// move is one step of a schedule, drawn before it is run: the run is in a bubble of virtual time.
type move struct {
	what  string
	n     int
	after time.Duration // what passes then
}

// moves are what may happen to a world. n is from 0 to 9.
var moves = map[string]func(w *world, n int){
	"emit":    func(w *world, n int) { w.emit(n * 30) },
	"notify":  func(w *world, n int) { w.notify(n * 30) },
	"call":    func(w *world, n int) { w.call(n*30, callLimit, false) },
	"hurry":   func(w *world, n int) { w.call(n*60, time.Duration(n)*20*time.Millisecond, false) },
	"start":   func(w *world, n int) { w.call(n*30, 0, true) },
	"ask":     func(w *world, n int) { w.ask(n * 30) },
	"cut":     func(w *world, _ int) { w.extension.cut() },
	"cut up":  func(w *world, n int) { w.plan(&w.extension.cutUp, n*71) },
	"cut dn":  func(w *world, n int) { w.plan(&w.extension.cutDown, n*71) },
	"die":     func(w *world, _ int) { w.extension.die() },
	"leave":   func(w *world, _ int) { w.extension.leave() },
	"away":    func(w *world, n int) { w.extension.away(time.Duration(n) * 2 * time.Second) },
	"restart": func(w *world, _ int) { w.restartDaemon() },
	"hold":    func(w *world, _ int) { w.extension.hold(true) },
	"release": func(w *world, _ int) { w.extension.hold(false) },
	"slow": func(w *world, n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.slow = time.Duration(n) * 100 * time.Millisecond
	},
	"lazy": func(w *world, n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.extension.takes = time.Duration(n*n) * 300 * time.Millisecond
	},
	"window": func(w *world, n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if l := w.alive(); l != nil {
			l.browser.SetWindow(n * 150)
		}
	},
	"credit": func(w *world, n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.extension.window = int64(n * 150)
		w.extension.ep.window = int64(n * 150)
		w.extension.ep.ackNow = true
		w.extension.wake()
	},
}

// plan has a later connection cut after so many bytes.
func (w *world) plan(cuts *[]int, bytes int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*cuts = append(*cuts, bytes)
}

// schedules draws what happens: mostly traffic, and some kinds of trouble.
func schedules(rt *rapid.T) []move {
	names := []string{"emit", "emit", "notify", "notify", "call", "call", "hurry", "start", "ask"}
	for _, trouble := range []string{"cut", "cut up", "cut dn", "die", "leave", "away", "restart", "hold", "release", "slow", "lazy", "window", "credit"} {
		if rapid.Bool().Draw(rt, trouble) {
			names = append(names, trouble)
		}
	}
	return rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) move {
		return move{rapid.SampledFrom(names).Draw(rt, "what"), rapid.IntRange(0, 9).Draw(rt, "n"),
			rapid.SampledFrom([]time.Duration{0, 0, 0, time.Millisecond, 60 * time.Millisecond, 200 * time.Millisecond, 3 * time.Second, 12 * time.Second, 40 * time.Second}).Draw(rt, "after")}
	}), 1, 40).Draw(rt, "schedule")
}

// INV-B and INV-C of the whole link (server, dispatcher, relay, framing, both ends) over
// random schedules in virtual time: cuts within a frame, stalls of the wire, slow
// readers, dead workers, restarted daemons, calls whose time ends anywhere.
func TestINVBINVCLinkOverRandomSchedules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		schedule := schedules(rt)
		if err := inWorld(t, func(w *world) {
			w.extension.start()
			time.Sleep(10 * time.Millisecond)
			for _, m := range schedule {
				moves[m.what](w, m.n)
				time.Sleep(m.after)
			}
		}); err != nil {
			var told []string
			for _, m := range schedule {
				told = append(told, fmt.Sprintf("%s %d, then %v", m.what, m.n, m.after))
			}
			rt.Fatalf("%v\nafter: %s", err, strings.Join(told, "; "))
		}
	})
}

// What random schedules once found, each by itself.
func TestINVBINVCSchedulesOnceFound(t *testing.T) {
	t.Parallel()
	for name, schedule := range map[string]func(w *world){
		"the welcome of a new life is lost": func(w *world) {
			w.extension.start()
			time.Sleep(10 * time.Millisecond)
			w.plan(&w.extension.cutDown, 0)
			w.extension.away(defaultTiming.grace + time.Second)
			time.Sleep(20 * time.Second)
			w.emit(5)
		},
		"a call is given up between its chunks": func(w *world) {
			x := w.extension
			w.mu.Lock()
			x.window, x.takes = 400, time.Second
			x.fresh()
			w.mu.Unlock()
			x.start()
			time.Sleep(10 * time.Millisecond)
			w.call(900, 50*time.Millisecond, false)
			x.hold(true) // no acknowledgement: the rest waits for credit
			time.Sleep(time.Second)
			x.hold(false)
			time.Sleep(5 * time.Second)
		},
		"the extension is back before the daemon knew it was away": func(w *world) {
			w.extension.start()
			time.Sleep(10 * time.Millisecond)
			w.call(5, callLimit, false)
			w.emit(5)
			w.extension.leave()
			time.Sleep(time.Second)
			w.notify(5)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := inWorld(t, schedule); err != nil {
				t.Error(err)
			}
		})
	}
}
