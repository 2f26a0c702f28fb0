package checks

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sys/unix"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// limit sets what a running daemon may have.
func (w *crowdWorld) limit(resource int, most uint64) {
	w.t.Helper()
	if err := unix.Prlimit(w.daemon.PID, resource, &unix.Rlimit{Cur: most, Max: most}, nil); err != nil {
		w.t.Skipf("cannot limit another process: %v", err)
	}
}

// H-20: a daemon runs out of files: who is connected notices nothing, nothing spins, and
// with files again everybody gets in.
func TestH20OutOfFiles(t *testing.T) {
	t.Parallel()
	w := newCrowd(t)
	page := w.page("tab", "s", nil)
	agent := w.e.AgentWith(w.agentKey, "sessionId=s")
	agent.AwaitType("capabilities")
	w.limit(unix.RLIMIT_NOFILE, 64)

	// Strangers at the door never get that far: 16 wait there, the oldest goes.
	var strangers []net.Conn
	for range 500 {
		conn, err := net.DialTimeout("tcp4", strings.TrimPrefix(w.daemon.HTTPURL, "http://"), browsertest.Patience)
		if err != nil {
			t.Fatal(err)
		}
		strangers = append(strangers, conn)
	}
	agent.Do("evaluate", browsertest.Params{"code": "beside 500 strangers"})
	if open := descriptors(w.daemon.PID); open >= 64 {
		t.Errorf("500 strangers cost %d files", open)
	}
	for _, conn := range strangers {
		_ = conn.Close() // the daemon may have done it
	}

	// Agents do.
	var inside []*websocket.Conn
	for refused := 0; refused < 2; {
		conn, err := w.dialWithin(time.Second, w.agentKey, "role=agent&sessionId=other")
		if err != nil {
			refused++
			continue
		}
		if inside = append(inside, conn); len(inside) > 64 {
			t.Fatalf("%d agents with 64 files", len(inside))
		}
	}
	t.Logf("%d agents are inside", len(inside))
	// Somebody waits at a door that cannot be opened, all the time.
	queue, err := net.DialTimeout("tcp4", strings.TrimPrefix(w.daemon.HTTPURL, "http://"), browsertest.Patience)
	if err != nil {
		t.Fatal(err)
	}
	defer queue.Close()
	browsertest.Until(t, browsertest.Patience, "the last file is taken", func() bool { return descriptors(w.daemon.PID) >= 63 })
	spent, began := busy(t, w.daemon.PID), time.Now()
	for n := range 20 {
		code := fmt.Sprintf("without files %d", n)
		if m := agent.Do("evaluate", browsertest.Params{"code": code}); m.Fields["result"] != "tab "+code {
			t.Errorf("%s", m.Raw)
		}
		page.send(t, `{"type":"console","level":"log","args":["line %d"],"timestamp":1}`, n)
		time.Sleep(50 * time.Millisecond) // what is measured is this second
	}
	if used, took := busy(t, w.daemon.PID)-spent, time.Since(began); used > took/4 {
		t.Errorf("without files the daemon computes %v of %v", used, took)
	}
	agent.Await("the last line", func(m browsertest.Message) bool { return strings.Contains(string(m.Raw), `"line 19"`) })
	for _, conn := range inside {
		_ = conn.CloseNow()
	}
	browsertest.Until(t, browsertest.Patience, "its files are free", func() bool { return descriptors(w.daemon.PID) < 40 })
	began = time.Now()
	w.enter(w.agentKey, "role=agent&sessionId=other")
	if took := time.Since(began); took > 3*time.Second+w.slack() {
		t.Errorf("with files again it took %v to get in", took)
	}
	if out := w.e.Run("daemon", "status"); out.Exit != 0 {
		t.Errorf("%+v", out)
	}
}
