package ws

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// connections that came and went leave no memory behind, however they ended.
func TestA10NothingIsLeftOfConnections(t *testing.T) {
	d := start(t, session.Limits{}, Config{})
	d.page("default")
	heap := func() int {
		runtime.GC()
		runtime.GC() // what has a finalizer is freed by the second one
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	round := func(many int) {
		t.Helper()
		for n := range many {
			conn, _, err := d.dialStatus("any", fmt.Sprintf("role=%s&since=0", []string{"agent", "app"}[n%2]))
			if err != nil {
				t.Fatal(err)
			}
			switch n % 3 {
			case 0:
				_ = conn.CloseNow()
			case 1:
				_ = conn.Close(1000, "")
			case 2:
				_ = conn.Write(t.Context(), 2, []byte("not text: refused"))
				_, _, _ = conn.Reader(t.Context())
				_ = conn.CloseNow()
			}
		}
		waitFor(t, "the end of all", func() bool {
			d.handler.mu.Lock()
			defer d.handler.mu.Unlock()
			return len(d.handler.peers) == 0
		})
	}
	round(50)
	before := heap()
	const many = 600
	round(many)
	// What one connection holds while it lives is 70 KiB.
	if each := (heap() - before) / many; each > 4<<10 {
		t.Errorf("each connection leaves %d bytes", each)
	}
}
