package gate_test

import (
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/test/clock"
)

// H-19: setting the wall clock neither gives a guesser new tries nor takes them for longer.
func TestH19WallClockIsSet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wall := clock.New(t)
		handler := gate.New(gate.Config{
			Port: func() int { return 9224 }, Origins: func(string) bool { return false }, Now: wall.Now,
			Verify: func(string) (gate.Identity, bool) { return gate.Identity{}, false }, Log: zerolog.Nop(),
		}, http.NotFoundHandler())
		ask := func() int {
			w := &recorder{header: http.Header{}}
			handler.ServeHTTP(w, &http.Request{Method: "GET", RequestURI: "/", URL: &url.URL{Path: "/"}, Host: "localhost:9224", Header: http.Header{"Authorization": {"Bearer x"}}})
			return w.status
		}
		for range 20 {
			ask()
		}
		for _, by := range []time.Duration{365 * 24 * time.Hour, -2 * 365 * 24 * time.Hour} {
			wall.Step(by)
			if status := ask(); status != 429 {
				t.Errorf("after a step of %v: %d", by, status)
			}
		}
		time.Sleep(4 * time.Second)
		if status := ask(); status != 401 {
			t.Errorf("after its time: %d", status)
		}
	})
}
