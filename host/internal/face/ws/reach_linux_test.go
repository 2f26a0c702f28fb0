package ws

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sys/unix"

	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// island is a network of its own, on a thread that is not given back.
type island struct {
	t    *testing.T
	path string
	do   chan func()
}

func newIsland(t *testing.T) *island {
	t.Helper()
	i := &island{t: t, do: make(chan func())}
	made := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		i.path = fmt.Sprintf("/proc/%d/task/%d/ns/net", unix.Getpid(), unix.Gettid())
		made <- unix.Unshare(unix.CLONE_NEWNET)
		for f := range i.do {
			f()
		}
	}()
	t.Cleanup(func() { close(i.do) })
	if err := <-made; err != nil {
		t.Skipf("no network namespaces here: %v", err)
	}
	return i
}

// run does something on the island.
func (i *island) run(f func() error) {
	i.t.Helper()
	done := make(chan error)
	i.do <- func() { done <- f() }
	if err := <-done; err != nil {
		i.t.Fatal(err)
	}
}

func (i *island) ip(words string) {
	i.t.Helper()
	i.run(func() error {
		if out, err := exec.Command("ip", strings.Fields(words)...).CombinedOutput(); err != nil {
			return fmt.Errorf("ip %s: %w %s", words, err, out)
		}
		return nil
	})
}

// the line to an agent is cut without a word. Its place is free in much less than
// the silence that is allowed to one whose system still answers, and it can resume.
func TestA12HalfOpen(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip(err)
	}
	here, there := newIsland(t), newIsland(t)
	here.ip("link add near type veth peer name far")
	here.ip("link set far netns " + there.path)
	here.ip("addr add 10.99.0.1/30 dev near")
	here.ip("link set near up")
	there.ip("addr add 10.99.0.2/30 dev far")
	there.ip("link set far up")
	var listener net.Listener
	here.run(func() (err error) { listener, err = net.Listen("tcp4", "10.99.0.1:0"); return err })
	// The allowed silence is a minute as in the product; the pings come sooner.
	d := startOn(t, listener, session.Limits{}, Config{PingEvery: 500 * time.Millisecond, SilenceMost: time.Minute})
	page := d.page("default")
	dial := func(query string) *client {
		var conn net.Conn
		there.run(func() (err error) {
			conn, err = (&net.Dialer{Timeout: 10 * time.Second}).Dial("tcp4", listener.Addr().String())
			return err
		})
		once := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil }}}
		socket, _, err := websocket.Dial(t.Context(), fmt.Sprintf("ws://127.0.0.1:%d/debug?role=agent%s", d.port, query), &websocket.DialOptions{
			HTTPClient: once, HTTPHeader: http.Header{"Authorization": {"Bearer agent"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = socket.CloseNow(); once.CloseIdleConnections() })
		return &client{t, socket}
	}
	c := dial("")
	welcome := c.until("welcome", "")
	agents := func() (n int) {
		for _, s := range d.hub.Agents() {
			n += len(s.Agents)
		}
		return n
	}
	if agents() != 1 {
		t.Fatal(d.hub.Agents())
	}
	there.ip("link set far down")
	began := time.Now()
	page.Publish(console("missed"))
	waitFor(t, "its place", func() bool { return agents() == 0 })
	took := time.Since(began)
	t.Logf("its place is free after %v", took)
	// With a ping in 20 s and a look in 2.5 s, 30 s in all.
	if took > 7500*time.Millisecond {
		t.Errorf("its place is free after %v", took)
	}
	there.ip("link set far up")
	back := dial(fmt.Sprintf("&since=%d&epoch=%s", welcome.LastSeq, welcome.Epoch))
	if m := back.until("console", ""); len(m.Args) != 1 || m.Args[0] != "missed" {
		t.Error(m.Raw)
	}
}
