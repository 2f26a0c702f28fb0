package hostlink

import (
	"testing"
	"time"
)

// script is the session whose link is cut: connect, hello, events, a command, a command
// with a result in chunks, events back, a request of the extension, acknowledgements, the end.
func script(w *world) {
	pause := func() { time.Sleep(150 * time.Millisecond) } // an acknowledgement goes out alone
	pause()
	w.emit(5)
	w.notify(5)
	w.call(5, callLimit, false)
	pause()
	w.call(150, callLimit, false)
	w.emit(100)
	pause()
	w.notify(120)
	w.ask(3)
	w.call(2, callLimit, true)
	pause()
}

// aftermaths are what becomes of the two ends when the link is cut.
var aftermaths = []struct {
	name string
	do   func(w *world)
}{
	{"both live", func(*world) {}},
	{"the worker dies", func(w *world) { w.extension.die() }},
	{"the daemon dies", func(w *world) { w.restartDaemon() }},
	{"both die", func(w *world) { w.extension.die(); w.restartDaemon() }},
	{"nobody comes back in time", func(w *world) { w.extension.away(defaultTiming.grace + time.Second) }},
}

// scriptedBytes runs the session with the wire cut after so many bytes up and down
// (none when negative), and gives how many bytes passed and how often it was cut.
func scriptedBytes(t *testing.T, up, down int, after func(w *world)) (passed [2]int, cut bool, err error) {
	t.Helper()
	err = inWorld(t, func(w *world) {
		x := w.extension
		w.mu.Lock()
		x.cutUp, x.cutDown = []int{up}, []int{down}
		w.mu.Unlock()
		x.start()
		done := make(chan struct{})
		stop := make(chan struct{})
		go func() {
			defer close(done)
			if cut = x.awaitCut(stop); cut {
				after(w)
			}
		}()
		script(w)
		w.restartDaemon() // the end of the session, with a goodbye
		time.Sleep(time.Second)
		close(stop)
		<-done
		w.mu.Lock()
		defer w.mu.Unlock()
		passed = x.first
	})
	return passed, cut, err
}

// the link cut at every byte of a scripted session, one way and the other. INV-B
// and INV-C hold in each. Each byte has one aftermath; with -rapid.checks of 10,000 and
// more each byte has all of them.
func TestA23CutAtEveryByte(t *testing.T) {
	t.Parallel()
	whole, _, err := scriptedBytes(t, -1, -1, nil)
	if err != nil {
		t.Fatal(err)
	}
	each := 1
	if manySchedules() {
		each = len(aftermaths)
	}
	for way, name := range []string{"to the daemon", "to the extension"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for at := range whole[way] {
				for i := range each {
					after := aftermaths[(at+i)%len(aftermaths)]
					cut := [2]int{-1, -1}
					cut[way] = at
					_, made, err := scriptedBytes(t, cut[wayUp], cut[wayDown], after.do)
					if err != nil {
						t.Fatalf("cut after %d bytes of %d, %s: %v", at, whole[way], after.name, err)
					}
					// Two runs differ by an acknowledgement or two, so the last bytes may not come.
					if !made && at < whole[way]*9/10 {
						t.Fatalf("nothing was cut after %d bytes of %d", at, whole[way])
					}
				}
			}
		})
	}
}
