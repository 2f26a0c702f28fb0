package session

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The ledger beside a plain map of what runs and what ended when. Results are composed
// without the lock, so that of two that end at once the later may be recorded first; and
// each command brings the time at which it was received.
//
// INV-C: what runs, and what ended within Remember, is always found; nothing is found
// that is over; and what happens to one command touches no other.
func TestINVCLedgerAgainstModel(t *testing.T) {
	t.Parallel()
	const remember, jitter = time.Second, 20 * time.Millisecond
	rapid.Check(t, func(rt *rapid.T) {
		l := newLedger(Limits{Remember: remember, RememberBytes: 64, LedgerEntries: 6})
		now := time.Unix(1_800_000_000, 0)
		type state struct {
			job  *job
			done time.Time
		}
		known := make(map[commandKey]*state)
		late := func(rt *rapid.T) time.Time {
			return now.Add(-time.Duration(rapid.IntRange(0, int(jitter/time.Millisecond)).Draw(rt, "ms late")) * time.Millisecond)
		}
		draw := func(rt *rapid.T) commandKey {
			return commandKey{"agent", fmt.Sprint("r", rapid.IntRange(0, 9).Draw(rt, "request"))}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"submit": func(rt *rapid.T) {
				key, received := draw(rt), late(rt)
				was, got := known[key], l.find(key, received)
				switch {
				case was == nil && got != nil:
					rt.Fatalf("%v is found and was never accepted", key)
				case was == nil:
				case was.job != nil && (got == nil || got.job != was.job):
					rt.Fatalf("%v runs and is not found as that: %+v", key, got)
				case was.job == nil && got == nil && received.Sub(was.done) < remember-jitter:
					rt.Fatalf("%v is forgotten after %v", key, received.Sub(was.done))
				case was.job == nil && got != nil && received.Sub(was.done) >= remember+jitter:
					rt.Fatalf("%v is remembered after %v", key, received.Sub(was.done))
				}
				if got != nil || l.full(received) {
					return
				}
				j := &job{key: key}
				l.commands[key] = &entry{job: j}
				known[key] = &state{job: j}
			},
			"end": func(rt *rapid.T) {
				key := draw(rt)
				if was := known[key]; was != nil && was.job != nil {
					at := late(rt)
					l.finish(key, make([]byte, rapid.IntRange(0, 40).Draw(rt, "bytes")), &brief{}, at)
					was.job, was.done = nil, at
				}
			},
			"pass": func(rt *rapid.T) {
				now = now.Add(time.Duration(rapid.SampledFrom([]int{1, 5, 20, 300, 990, 1000, 1010}).Draw(rt, "ms")) * time.Millisecond)
			},
			"purge": func(*rapid.T) { l.purge(now) },
			"": func(rt *rapid.T) {
				bytes := 0
				for i, key := range l.done {
					e := l.commands[key]
					if e == nil || e.job != nil {
						rt.Fatalf("%v is in the list of what ended, and is %+v", key, e)
					}
					if i >= l.briefs {
						bytes += len(e.result)
					}
				}
				if bytes != l.bytes || bytes > 64 {
					rt.Fatalf("%d bytes are reckoned, %d are held", l.bytes, bytes)
				}
				for key, was := range known {
					if e := l.commands[key]; was.job != nil && (e == nil || e.job != was.job) {
						rt.Fatalf("%v runs, and the ledger has %+v", key, e)
					}
				}
			},
		})
	})
}
