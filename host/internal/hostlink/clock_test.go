package hostlink

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/test/clock"
)

// H-19: setting the wall clock takes no browser for dead, and a dead one is still noticed.
func TestH19WallClockIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wall, seen := clock.New(t), newRecorder()
		server := NewServer(ServerConfig{Epoch: "epoch1", HostVersion: "0.1.0", Handler: seen, Log: zerolog.New(io.Discard), Now: wall.Now})
		defer server.Close()
		p := newPeer(t)
		if !p.connect(server) {
			t.Fatalf("refused: %+v", p.bye)
		}
		b := seen.awaitSteps(t, "connected resumed=false")
		for _, by := range []time.Duration{365 * 24 * time.Hour, -2 * 365 * 24 * time.Hour, time.Hour} {
			wall.Step(by)
			time.Sleep(10 * time.Second)
			if _, err := b.Call(t.Context(), "echo", "still there"); err != nil || b.Away() {
				t.Fatalf("after a step of %v: away %v, %v", by, b.Away(), err)
			}
		}
		wall.Step(-365 * 24 * time.Hour)
		p.set(func() { p.mute = true })
		_ = p.conn.Close("")
		synctest.Wait()
		time.Sleep(defaultTiming.grace + time.Second)
		select {
		case <-b.Done():
		default:
			t.Error("a browser that went is kept")
		}
	})
}
