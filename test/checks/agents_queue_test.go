package checks

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// trickle reads a connection at a KiB a second.
type trickle struct{ net.Conn }

func (c trickle) Read(p []byte) (int, error) {
	time.Sleep(100 * time.Millisecond)
	return c.Conn.Read(p[:min(len(p), 102)])
}

// an agent reads a KiB a second while a page writes far more: it is cut off and
// told from where, and costs the others nothing.
func TestA07AgentThatReadsSlowly(t *testing.T) {
	t.Parallel()
	w := newCrowd(t)
	page := w.page("tab", "s", nil)
	var others []*browsertest.Agent
	for range 5 {
		agent := w.e.AgentWith(w.agentKey, "sessionId=s")
		agent.AwaitType("capabilities")
		others = append(others, agent)
	}
	text, line := strings.Repeat("x", 64<<10), 0
	flood := func(lines int) (late time.Duration) {
		var times []time.Duration
		for n := range lines {
			page.send(t, `{"type":"console","level":"log","args":["%d %s"],"timestamp":1}`, line, text)
			line++
			if n%10 == 5 {
				began := time.Now()
				others[0].Do("evaluate", browsertest.Params{"code": "1"})
				times = append(times, time.Since(began))
			}
		}
		slices.Sort(times)
		return times[len(times)*95/100]
	}
	before := flood(100)
	// The reader is slow from its first byte on, and so is what its kernel keeps for it.
	raw, err := net.Dial("tcp4", strings.TrimPrefix(w.daemon.HTTPURL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(raw, "GET /debug?role=agent&sessionId=s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer %s\r\n\r\n",
		strings.TrimPrefix(w.daemon.HTTPURL, "http://"), w.agentKey)
	var read atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		chunk := make([]byte, 1<<10)
		for slow := (trickle{raw}); ; {
			n, err := slow.Read(chunk)
			read.Add(int64(n))
			if err != nil {
				return
			}
		}
	}()
	browsertest.Until(t, browsertest.Patience, "its first bytes", func() bool { return read.Load() > 0 })
	memory := resident(t, w.daemon.PID)
	after := flood(600) // 37 MiB; a laggard may be 8 behind the log of 24
	for i, agent := range others {
		agent.Await("the last line", func(m browsertest.Message) bool {
			return m.Type() == "console" && bytes.Contains(m.Raw[:min(len(m.Raw), 400)], fmt.Appendf(nil, `["%d x`, line-1))
		}, 2*browsertest.Patience)
		last := uint64(0)
		for _, m := range agent.Messages() {
			if m.Type() == "gap" || m.Seq() != 0 && last != 0 && m.Seq() != last+1 {
				t.Fatalf("agent %d: %.200s after seq %d", i, m.Raw, last)
			}
			last = max(last, m.Seq())
		}
	}
	browsertest.Until(t, 2*browsertest.Patience, "the end of the slow agent", func() bool {
		var status struct {
			Sessions []struct{ Agents []any }
		}
		w.e.Data(&status, "daemon", "status")
		return len(status.Sessions) == 1 && len(status.Sessions[0].Agents) == len(others)
	})
	_ = raw.Close() // what its kernel still holds would take it a minute to read
	<-ended
	if n := read.Load(); n > 1<<20 {
		t.Errorf("it read %d bytes: it was not slow", n)
	}
	if grown := resident(t, w.daemon.PID) - memory; grown > 96<<20 { // the log itself, twice while it is collected
		t.Errorf("the daemon grew by %d MiB", grown>>20)
	}
	t.Logf("p95 of a round trip in the flood: %v, beside the slow one %v", before, after)
	if limit := 2*before + 250*time.Millisecond; after > limit {
		if more := w.slack(); after > limit+more {
			t.Errorf("the others wait %v, before %v", after, before)
		}
	}
	if _, err := w.knock(w.agentKey, "role=agent&sessionId=s"); err != nil {
		t.Errorf("it cannot come back: %v", err)
	}
}

// two agents act on one tab at once: one after another, and each event names its actor.
func TestA15TwoAgentsOneTab(t *testing.T) {
	t.Parallel()
	w := newCrowd(t)
	var inside, most atomic.Int64
	var page *sdkPage
	ready := make(chan struct{})
	page = w.page("tab", "s", func(id, code string) bool {
		<-ready
		most.Store(max(most.Load(), inside.Add(1)))
		go func() {
			time.Sleep(2 * time.Millisecond) // long enough for a second one to come in between
			inside.Add(-1)
			page.answer(t, id, code)
		}()
		return true
	})
	close(ready)
	const each = 50
	var agents []*browsertest.Agent
	for _, name := range []string{"ada", "bob"} {
		agent := w.e.AgentWith(w.e.Token(name, "--role", "agent"), "sessionId=s")
		agent.AwaitType("capabilities")
		agents = append(agents, agent)
	}
	var work sync.WaitGroup
	for i, agent := range agents {
		work.Go(func() {
			for n := range each {
				code := fmt.Sprintf("%c%d", "ab"[i], n)
				agent.Send(fmt.Appendf(nil, `{"type":"evaluate","requestId":%q,"code":%q}`, code, code))
			}
		})
	}
	work.Wait()
	for i, agent := range agents {
		for n := range each {
			agent.Result(fmt.Sprintf("%c%d", "ab"[i], n))
		}
		agent.Result(fmt.Sprintf("%c%d", "ba"[i], each-1))
	}
	if most.Load() != 1 {
		t.Errorf("%d commands at once on one page", most.Load())
	}
	next := map[byte]int{}
	for _, code := range page.did() {
		if n := next[code[0]]; code != fmt.Sprintf("%c%d", code[0], n) {
			t.Errorf("%s after %c%d", code, code[0], n-1)
		}
		next[code[0]]++
	}
	for i, agent := range agents {
		of := map[string]int{}
		for _, m := range agent.Messages() {
			if m.Type() == "command_result" {
				actor := m.String("agentName")
				of[actor]++
				if want := map[byte]string{'a': "ada", 'b': "bob"}[m.String("requestId")[0]]; actor != want || m.Fields["result"] != "tab "+m.String("requestId") {
					t.Errorf("%s", m.Raw)
				}
			}
		}
		if of["ada"] != each || of["bob"] != each {
			t.Errorf("agent %d saw %v", i, of)
		}
	}
}

// over the whole way, a cancelled command that waits never reaches the page, one
// that was sent is told so, and the page is free again. So it is with deadlines.
func TestA16CancelledOnTheWholeWay(t *testing.T) {
	t.Parallel()
	w := newCrowd(t)
	page := w.page("tab", "s", func(_, code string) bool { return code != "after" })
	agent := w.e.AgentWith(w.agentKey, "sessionId=s")
	agent.AwaitType("capabilities")
	send := func(format string, args ...any) { agent.Send(fmt.Appendf(nil, format, args...)) }
	check := func(id, code string, dispatched any) {
		t.Helper()
		m := agent.Result(id)
		problem, _ := m.Fields["error"].(map[string]any)
		details, _ := problem["details"].(map[string]any)
		if m.Success() || m.Code() != code || dispatched != nil && details["dispatched"] != dispatched {
			t.Errorf("%s: want %s, dispatched %v: %s", id, code, dispatched, m.Raw)
		}
	}
	send(`{"type":"evaluate","requestId":"r1","code":"running"}`)
	browsertest.Until(t, browsertest.Patience, "the first one runs", func() bool { return len(page.did()) == 1 })
	send(`{"type":"evaluate","requestId":"q1","code":"queued"}`)
	send(`{"type":"cancel","requestId":"q1"}`)
	send(`{"type":"cancel","requestId":"r1"}`)
	check("q1", "CANCELLED", false)
	check("r1", "CANCELLED", true)
	send(`{"type":"evaluate","requestId":"r2","code":"running too","timeoutMs":500}`)
	send(`{"type":"evaluate","requestId":"q2","code":"queued too","timeoutMs":300}`)
	check("q2", "TIMEOUT", nil)
	check("r2", "INDETERMINATE", nil)
	send(`{"type":"evaluate","requestId":"r3","code":"after"}`)
	if m := agent.Result("r3"); m.Fields["result"] != "tab after" {
		t.Errorf("%s", m.Raw)
	}
	if ran := page.did(); !slices.Equal(ran, []string{"running", "running too", "after"}) {
		t.Errorf("the page got %q", ran)
	}
}

// ten thousand commands at once: what is too much is refused with the hint to come
// again, the rest runs in its order.
func TestA17TenThousandCommands(t *testing.T) {
	t.Parallel()
	w := newCrowd(t)
	page := w.page("tab", "s", func(_, code string) bool { return code == "0" })
	conn := w.enter(w.agentKey, "role=agent&sessionId=s")
	const all = 10_000
	type outcome struct {
		Type, RequestID, Result string
		Success                 bool
		Error                   struct {
			Code        string
			Retryable   bool
			Suggestions []string
		}
	}
	results := make(chan outcome, all)
	go func() {
		defer close(results)
		for {
			_, data, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			var m outcome
			if json.Unmarshal(data, &m) == nil && m.Type == "command_result" {
				results <- m
			}
		}
	}()
	sent := make(chan error, 1)
	go func() {
		for n := range all {
			if err := conn.Write(context.Background(), websocket.MessageText, fmt.Appendf(nil, `{"type":"evaluate","requestId":"%d","code":"%d","timeoutMs":60000}`, n, n)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	refused, order, patience := 0, []string{}, time.After(3*browsertest.Patience)
	for released := false; refused+len(order) < all; {
		select {
		case m, ok := <-results:
			switch {
			case !ok:
				t.Fatalf("the connection ended after %d refusals and %d results", refused, len(order))
			case m.Success:
				order = append(order, m.RequestID)
			case m.Error.Code != "BUSY" || !m.Error.Retryable || len(m.Error.Suggestions) == 0:
				t.Fatalf("%+v", m)
			default:
				refused++
			}
		case err := <-sent:
			if err != nil {
				t.Fatal(err)
			}
			// All were accepted or refused while the first one ran; now it ends.
			if released = true; len(page.did()) > 0 {
				page.answer(t, "0", "0")
			}
		case <-patience:
			t.Fatalf("%d refused, %d ran, released %v", refused, len(order), released)
		}
	}
	if refused < all/2 || len(order) < 1024 {
		t.Errorf("%d refused, %d ran", refused, len(order))
	}
	if ran := page.did(); !slices.Equal(ran, order) {
		t.Errorf("the page ran %d commands in another order than the results of %d", len(ran), len(order))
	}
	if !slices.IsSortedFunc(order, func(a, b string) int { return len(a)*1e6 - len(b)*1e6 + strings.Compare(a, b) }) {
		t.Error("the order is not that of the sending")
	}
	t.Logf("%d ran, %d were refused", len(order), refused)
}

// what stands between drops every byte and says no word: the place is free in
// time, and the agent that comes back over another way misses nothing.
func TestA12SwallowedConnection(t *testing.T) {
	if soak(t) == 0 {
		t.Skip("takes a minute: make soak; the short form is in host/internal/face/ws")
	}
	t.Parallel()
	w := newCrowd(t)
	page := w.page("tab", "s", nil)
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var swallow atomic.Bool
	var proxied sync.WaitGroup
	proxied.Go(func() {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		defer near.Close()
		far, err := net.Dial("tcp4", strings.TrimPrefix(w.daemon.HTTPURL, "http://"))
		if err != nil {
			return
		}
		pass := func(to io.Writer, from net.Conn) {
			chunk := make([]byte, 4<<10)
			for {
				n, err := from.Read(chunk)
				if err != nil {
					return
				}
				if !swallow.Load() {
					_, _ = to.Write(chunk[:n]) // the other end may be gone
				}
			}
		}
		proxied.Go(func() { pass(far, near) })
		pass(near, far) // ends when the daemon gives up
		_ = far.Close()
	})
	defer proxied.Wait()
	defer listener.Close()
	through := *w
	through.daemon.URL = strings.Replace(w.daemon.URL, fmt.Sprint(w.daemon.Port), fmt.Sprint(listener.Addr().(*net.TCPAddr).Port), 1)
	// The gate wants its own port in Host: the proxy is not seen.
	ctx, cancel := context.WithTimeout(t.Context(), browsertest.Patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, through.daemon.URL+"?role=agent&sessionId=s", &websocket.DialOptions{
		Host: strings.TrimPrefix(w.daemon.HTTPURL, "http://"), HTTPHeader: http.Header{"Authorization": {"Bearer " + w.agentKey}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	_, welcome, err := conn.Read(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var place struct {
		Epoch   string
		LastSeq uint64
	}
	if err := json.Unmarshal(welcome, &place); err != nil {
		t.Fatal(err)
	}
	files := descriptors(w.daemon.PID)
	swallow.Store(true)
	page.send(t, `{"type":"console","level":"log","args":["while it was away"],"timestamp":1}`)
	browsertest.Until(t, 80*time.Second, "its place is free", func() bool { return descriptors(w.daemon.PID) < files })
	back := w.e.AgentWith(w.agentKey, "sessionId=s", fmt.Sprintf("since=%d", place.LastSeq), "epoch="+place.Epoch)
	back.Await("what it missed", func(m browsertest.Message) bool { return bytes.Contains(m.Raw, []byte("while it was away")) })
	for _, m := range back.Messages() {
		if m.Type() == "gap" {
			t.Errorf("%s", m.Raw)
		}
	}
}
