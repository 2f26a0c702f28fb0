package ws

import (
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/test/clock"
)

// H-19: the wall clock is set while agents and an app are connected: none of them is
// taken for silent, and a silent one is still noticed.
func TestH19WallClockIsSet(t *testing.T) {
	t.Parallel()
	wall := clock.New(t)
	d := start(t, session.Limits{}, Config{PingEvery: 50 * time.Millisecond, SilenceMost: time.Second, Now: wall.Now})
	c := d.dial("agent", "role=agent")
	c.next()
	reading := make(chan error, 1)
	go func() { _, err := c.tryNext(); reading <- err }() // pings are answered by who reads
	for _, by := range []time.Duration{365 * 24 * time.Hour, -2 * 365 * 24 * time.Hour, time.Hour, -time.Hour} {
		wall.Step(by)
		select {
		case err := <-reading:
			t.Fatalf("after a step of %v: %v", by, err)
		case <-time.After(200 * time.Millisecond): // several looks at who is silent
		}
	}
	raw := rawClient(t, d, "any")
	waitFor(t, "both", func() bool { a := d.hub.Agents(); return len(a) == 1 && len(a[0].Agents) == 2 })
	waitFor(t, "the silent one's end", func() bool { return len(d.hub.Agents()[0].Agents) == 1 })
	_ = raw.Close()
	_ = c.conn.CloseNow()
	<-reading
}
