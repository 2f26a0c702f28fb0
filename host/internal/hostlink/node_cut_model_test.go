package hostlink

import (
	"bytes"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A-23 with the extension's own end of the link, in Node: in each session one connection
// after the other is cut, each some bytes later than the one before, so that together
// they are cut at every byte up to the limit. The session goes on over all of them.
func TestA23ExtensionLinkCutAtEveryByte(t *testing.T) {
	const limit, step = 1000, 20
	timing := map[string]int{"retryMax": 40}
	maps.Copy(timing, quick)
	var made atomic.Int64
	session := func(l *nodeLink, i int) {
		next, left := i/2, -1
		fresh := func() {
			left = -1
			if next < limit {
				left = next
			}
		}
		cut := func(message []byte) ([]byte, bool) {
			all := framed(message)
			if left < 0 || left >= len(all) {
				left = max(-1, left-len(all))
				return all, false
			}
			all = all[:left]
			next += step
			left = -1
			made.Add(1)
			return all, true
		}
		// A connection begins with hello, which the extension sends.
		l.toHost = func(message []byte) ([]byte, bool) {
			if bytes.Contains(message[:min(len(message), 60)], []byte(`"kind":"hello"`)) {
				fresh()
			}
			if i%2 == 0 {
				return cut(message)
			}
			return framed(message), false
		}
		if i%2 == 1 {
			l.toPeer = cut
		}
		l.start(startOptions{Timing: timing})
		l.script(60, 5)
		l.stop()
	}
	node := startNode(t)
	var wait sync.WaitGroup
	slots := make(chan struct{}, 16)
	for i := range 2 * step {
		l := node.newLink(t, fmt.Sprintf("every byte from %d %s", i/2, []string{"up", "down"}[i%2]))
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			l.timing.nack, l.timing.probe = 100*time.Millisecond, 300*time.Millisecond
			session(l, i)
		})
	}
	wait.Wait()
	if made.Load() < 2*limit*9/10 {
		t.Errorf("%d cuts were made, of %d bytes", made.Load(), 2*limit)
	}
}
