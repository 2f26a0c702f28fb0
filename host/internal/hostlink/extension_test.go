package hostlink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestExtensionLink(t *testing.T) {
	node := startNode(t)
	l := node.newLink(t, "basic").start(startOptions{})
	b := l.browser()
	if state := l.awaitState("connected", phase("connected")); state.HostVersion != "0.1.0" || state.Epoch != "epoch1" || state.Resumed {
		t.Errorf("state %+v", state)
	}
	if hello := b.Hello(); hello.InstanceID == "" || hello.LinkVersion != LinkVersion || b.ID() != "install-basic" {
		t.Errorf("hello %+v", hello)
	}
	if got := invoke[string](t, b, "echo", "héllo 😀"); got != "héllo 😀" {
		t.Errorf("echo %q", got)
	}
	_, err := b.Call(t.Context(), "fail", map[string]string{"code": "POLICY_DENIED"})
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.PolicyDenied || f.Details["a"] != float64(1) || f.Suggestions[0] != "do this" || f.Message != "it failed" {
		t.Errorf("error %+v", f)
	}
	if _, err := b.Call(t.Context(), "noSuchOp", nil); codeOf(err) != fault.UnknownType {
		t.Errorf("unknown op: %v", err)
	}
	if _, err := b.Call(t.Context(), "notJson", nil); codeOf(err) != fault.InternalError || !strings.Contains(err.Error(), "BigInt") {
		t.Errorf("a result that is not JSON: %v", err)
	}
	if got := invoke[string](t, b, "surrogate", nil); got != "a\ufffdb" {
		t.Errorf("half a surrogate pair: %q", got)
	}
	type asked struct {
		Answer jsontext.Value `json:"answer"`
		Code   string         `json:"code"`
	}
	if got := invoke[asked](t, b, "ask", map[string]any{"op": "echo", "payload": 5}); string(got.Answer) != "5" {
		t.Errorf("request of the extension: %+v", got)
	}
	if got := invoke[asked](t, b, "ask", map[string]any{"op": "other"}); got.Code != "UNKNOWN_TYPE" {
		t.Errorf("unknown request of the extension: %+v", got)
	}
	l.seen.await(t, "state", func() bool { return len(l.seen.events) == 1 && strings.HasPrefix(l.seen.events[0], "state ") })
}

func TestF02F04F05LargeMessagesOfTheExtension(t *testing.T) {
	node := startNode(t)
	l := node.newLink(t, "large").start(startOptions{})
	b := l.browser()
	for unit, bytes := range map[string]int{"x": 9 << 20, "é😀\"": 9 << 20, "\u2028": 3 << 20} {
		want := strings.Repeat(unit, bytes/len(unit))
		if got := invoke[string](t, b, "big", map[string]any{"bytes": bytes / len(unit), "unit": unit}); got != want {
			t.Errorf("%q from the extension: %d bytes of %d", unit, len(got), len(want))
		}
		if got := invoke[string](t, b, "echo", want[:len(want)/4/len(unit)*len(unit)]); len(got) != len(want)/4/len(unit)*len(unit) {
			t.Errorf("%q both ways: %d bytes", unit, len(got))
		}
	}
	if got := invoke[string](t, b, "big", map[string]any{"bytes": 60 << 20}); len(got) != 60<<20 {
		t.Errorf("60 MiB: %d bytes", len(got))
	}
	if _, err := b.Call(t.Context(), "big", map[string]any{"bytes": 64 << 20}); codeOf(err) != fault.ResultTooLarge || detail(err, "limit") == nil {
		t.Errorf("above the limit: %v", err)
	}
	if got := invoke[int](t, b, "echo", 1); got != 1 {
		t.Error("the port did not survive")
	}
}

// Chrome's own limit (M2), made small.
func TestPortThatThrows(t *testing.T) {
	node := startNode(t)
	l := node.newLink(t, "throws").start(startOptions{MaxPost: 100_000})
	b := l.browser()
	if _, err := b.Call(t.Context(), "big", map[string]any{"bytes": 200_000}); codeOf(err) != fault.ResultTooLarge {
		t.Errorf("response: %v", err)
	}
	invoke[jsontext.Value](t, b, "emit", map[string]any{"from": 0, "count": 1, "size": 200_000})
	if got := invoke[int](t, b, "echo", 1); got != 1 {
		t.Error("the link did not survive")
	}
	if s := b.Stats(); s.PeerDropped != 1 || b.Away() {
		t.Errorf("stats %+v", s)
	}
}

// script runs numbered events both ways with calls between, and checks that each came once and in order.
func (l *nodeLink) script(rounds, each int) {
	t := l.t
	b := l.browser()
	for round := range rounds {
		for i := range each {
			for {
				err := b.Notify("n", round*each+i)
				if err == nil {
					break
				}
				if !isBusy(err) {
					t.Errorf("%s: %v", l.name, err)
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
		type sent struct {
			Sent int `json:"sent"`
		}
		if got := invoke[sent](t, b, "emit", map[string]any{"from": round * each, "count": each, "size": 10}); got.Sent != each {
			t.Errorf("%s: %d of %d events were taken", l.name, got.Sent, each)
		}
	}
	want := make([]int, rounds*each)
	for i := range want {
		want[i] = i
	}
	if got := invoke[[]int](t, b, "got", nil); !slices.Equal(got, want) {
		t.Errorf("%s: the extension got %v", l.name, got)
	}
	l.seen.mu.Lock()
	defer l.seen.mu.Unlock()
	if len(l.seen.events) != len(want)+1 {
		t.Errorf("%s: the daemon got %d events, want %d", l.name, len(l.seen.events)-1, len(want))
		return
	}
	for i, event := range l.seen.events[1:] {
		if !strings.HasPrefix(event, fmt.Sprintf(`e {"i":%d,`, i)) {
			t.Errorf("%s: event %d is %.60s", l.name, i, event)
			return
		}
	}
}

var quick = map[string]int{"retryMin": 20, "nack": 100, "probe": 300, "stable": 0}

// bad runs many scripted sessions at a time, each over its own bad wire.
func bad(t *testing.T, names []string, prepare func(l *nodeLink, i int)) {
	t.Helper()
	node := startNode(t)
	var wait sync.WaitGroup
	slots := make(chan struct{}, 16)
	for i, name := range names {
		l := node.newLink(t, name)
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			l.timing.nack, l.timing.probe = 100*time.Millisecond, 300*time.Millisecond
			prepare(l, i)
			l.script(3, 5)
			l.stop()
		})
	}
	wait.Wait()
}

// counted makes a wire that does something to the n-th frame, in both directions' own count, once.
func counted(n int, change func(message []byte) ([]byte, bool)) wire {
	i := 0
	return func(message []byte) ([]byte, bool) {
		if i++; i == n {
			return change(message)
		}
		return framed(message), false
	}
}

func TestA23ExtensionLinkCutAtEveryFrame(t *testing.T) {
	const frames = 30
	var names []string
	for i := range 4 * frames {
		names = append(names, fmt.Sprintf("cut %d %s %s", i/4+1, []string{"up", "down"}[i%2], []string{"after", "instead"}[i/2%2]))
	}
	bad(t, names, func(l *nodeLink, i int) {
		cut := counted(i/4+1, func(message []byte) ([]byte, bool) {
			if i/2%2 == 0 {
				return framed(message), true
			}
			return nil, true
		})
		if i%2 == 0 {
			l.toHost = cut
		} else {
			l.toPeer = cut
		}
		l.start(startOptions{Timing: quick})
	})
}

func TestF17WrongLength(t *testing.T) {
	var names []string
	for i := range 32 {
		names = append(names, fmt.Sprintf("length %+d at %d %s", 1-2*(i/2%2), i/4*3+2, []string{"up", "down"}[i%2]))
	}
	timing := map[string]int{"silence": 1500, "ping": 500}
	for key, value := range quick {
		timing[key] = value
	}
	bad(t, names, func(l *nodeLink, i int) {
		l.timing.silence, l.timing.ping = 1500*time.Millisecond, 500*time.Millisecond
		wrong := counted(i/4*3+2, func(message []byte) ([]byte, bool) {
			all := framed(message)
			if i/2%2 == 0 {
				all[0]++
			} else {
				all[0]--
			}
			return all, false
		})
		if i%2 == 0 {
			l.toHost = wrong
		} else {
			l.toPeer = wrong
		}
		l.start(startOptions{Timing: timing})
	})
}

func TestF18F19ExtensionLinkLossAndDuplicates(t *testing.T) {
	var names []string
	for i := range 24 {
		names = append(names, fmt.Sprintf("wire %d", i))
	}
	bad(t, names, func(l *nodeLink, i int) {
		worse := func() wire {
			n, welcomed := 0, false
			var before []byte
			return func(message []byte) ([]byte, bool) {
				// Only what carries a number is lost or doubled: the greeting is a connection's own.
				if !welcomed {
					welcomed = true
					return framed(message), false
				}
				n++
				last := before
				before = message
				switch {
				case i%3 != 0 && (n+i)%7 == 0:
					return nil, false
				case i%3 != 1 && (n+i)%5 == 0 && bytes.Contains(last, []byte(`"seq"`)):
					return framed(last, message, message), false
				}
				return framed(message), false
			}
		}
		l.toHost, l.toPeer = worse(), worse()
		l.start(startOptions{Timing: quick})
	})
}

func TestF13FloodWithStalledReceivers(t *testing.T) {
	node := startNode(t)
	l := node.newLink(t, "flood")
	release := make(chan struct{})
	unblock := sync.OnceFunc(func() { close(release) })
	defer unblock()
	l.seen.onEvent = func(_ *Browser, op string, _ jsontext.Value) {
		if op == "e" {
			<-release
		}
	}
	l.start(startOptions{})
	b := l.browser()
	// 100 MB of events into a daemon that handles none of them; the answer waits behind what was sent.
	type status struct {
		Sent   int   `json:"sent"`
		Queued int64 `json:"queued"`
	}
	answers := make(chan status, 1)
	go func() {
		answers <- invoke[status](t, b, "emit", map[string]any{"from": 0, "count": 1000, "size": 100_000})
	}()
	l.seen.await(t, "a full inbox", func() bool { return b.Stats().Window == 0 })
	if s := b.Stats(); s.Inbox > windowFromBrowser+1<<20 {
		t.Errorf("the daemon holds %d bytes", s.Inbox)
	}
	unblock()
	got := <-answers
	if got.Sent >= 1000 || got.Sent < 600 || got.Queued > 65<<20 {
		t.Errorf("emitted %+v: the queue of the extension is not bounded as said", got)
	}
	l.seen.await(t, "all that was taken", func() bool { return len(l.seen.events) == got.Sent+1 })

	// And into a worker that is busy for three seconds.
	go func() { _, _ = b.Call(context.Background(), "block", map[string]int{"ms": 3000}) }()
	sent, refused := 0, 0
	for range 2000 {
		switch err := b.Notify("n", strings.Repeat("y", 20_000)); {
		case err == nil:
			sent++
		case isBusy(err):
			refused++
		default:
			t.Fatal(err)
		}
	}
	l.seen.await(t, "an empty queue", func() bool { return b.Stats().Waiting == 0 })
	if got := invoke[[]string](t, b, "got", nil); len(got) != sent || refused == 0 {
		t.Errorf("%d of %d events arrived, %d were refused", len(got), sent, refused)
	}
	if b.Away() {
		t.Error("the link was given up")
	}
}

func TestStatesTellWhatToRun(t *testing.T) {
	node := startNode(t)
	for _, c := range []struct{ name, text, phase, code, command string }{
		{"not installed", "Specified native messaging host not found.", "failed", "NATIVE_HOST_NOT_INSTALLED", "dbridge install"},
		{"forbidden", "Access to the specified native messaging host is forbidden.", "failed", "NATIVE_HOST_NOT_INSTALLED", "dbridge install"},
		{"exited", "Native host has exited.", "waiting", "DAEMON_UNAVAILABLE", "dbridge doctor"},
	} {
		l := node.newLink(t, c.name)
		l.toHost = func([]byte) ([]byte, bool) { return nil, true }
		l.start(startOptions{Failure: c.text})
		state := l.awaitState(c.phase, phase(c.phase))
		if state.Error == nil || state.Error.Code != c.code || state.Error.Command != c.command || !strings.Contains(state.Error.Message, c.text) || state.RetryAt == 0 {
			t.Errorf("%s: %+v, %+v", c.name, state, state.Error)
		}
	}
	l := node.newLink(t, "no daemon")
	l.dialErr = errors.New("the lock is held by another program")
	l.start(startOptions{})
	if state := l.awaitState("waiting", phase("waiting")); state.Error == nil || state.Error.Code != "DAEMON_UNAVAILABLE" || state.Error.Command != "dbridge doctor" ||
		!strings.Contains(state.Error.Message, "the lock is held") {
		t.Errorf("no daemon: %+v", state.Error)
	}
}

func TestF20ExtensionOfAnotherVersion(t *testing.T) {
	node := startNode(t)
	l := node.newLink(t, "skew")
	l.toHost = func(message []byte) ([]byte, bool) {
		return framed(bytes.Replace(message, []byte(`"linkVersion":1`), []byte(`"linkVersion":0`), 1)), false
	}
	l.start(startOptions{})
	state := l.awaitState("failed", phase("failed"))
	if state.Error.Code != "VERSION_MISMATCH" || state.Error.Command != "dbridge install" || state.Error.Details["hostVersion"] != "0.1.0" || state.Error.Details["extensionVersion"] != "0.1.0" {
		t.Errorf("%+v", state.Error)
	}
	if len(l.server.Browsers()) != 0 {
		t.Error("a half-working session is left")
	}
}

func TestReplacedExtensionStaysDown(t *testing.T) {
	node := startNode(t)
	l := node.newLink(t, "replaced").start(startOptions{Timing: quick})
	b := l.browser()
	p := newPeer(t)
	p.hello.InstallID = b.ID()
	if !p.connect(l.server) {
		t.Fatal("refused")
	}
	state := l.awaitState("failed", phase("failed"))
	if state.Error.Details["reason"] != "replaced" || state.RetryAt != 0 {
		t.Errorf("%+v %+v", state, state.Error)
	}
	p.drop()
}

// Something that the daemon refuses each time must not block the link for ever.
func TestPoisonIsGivenUp(t *testing.T) {
	node := startNode(t)
	l := node.newLink(t, "poison")
	l.toHost = func(message []byte) ([]byte, bool) {
		return framed(bytes.Replace(message, []byte(`"op":"e"`), []byte(`"op":7`), 1)), false
	}
	l.start(startOptions{Timing: quick})
	b := l.browser()
	l.awaitState("connected", phase("connected"))
	go func() { _, _ = b.Call(context.Background(), "emit", map[string]any{"from": 0, "count": 1, "size": 1}) }()
	fresh := l.awaitState("a fresh start", func(s linkState) bool { return s.Phase == "connected" && !s.Resumed })
	if fresh.Lost == 0 {
		t.Errorf("the loss is not told: %+v", fresh)
	}
	l.seen.await(t, "the fresh instance", func() bool { return l.seen.browser != b && len(l.seen.events) == 2 })
	if got := invoke[int](t, l.browser(), "echo", 3); got != 3 {
		t.Error("no answer after the fresh start")
	}
}

func TestDaemonRestart(t *testing.T) {
	node := startNode(t)
	l := node.newLink(t, "restart").start(startOptions{Timing: quick})
	b := l.browser()
	l.awaitState("connected", phase("connected"))
	l.seen.await(t, "state", func() bool { return len(l.seen.events) == 1 })
	old := l.server
	l.mu.Lock()
	l.server = NewServer(ServerConfig{Epoch: "epoch2", HostVersion: "0.2.0", Handler: l.seen, Log: zerolog.Nop()})
	l.mu.Unlock()
	old.Close()
	state := l.awaitState("connected", phase("connected"))
	if state.Epoch != "epoch2" || state.HostVersion != "0.2.0" || state.Resumed {
		t.Errorf("%+v", state)
	}
	l.seen.await(t, "the new browser", func() bool { return l.seen.browser != b && len(l.seen.events) == 2 })
	if got := invoke[string](t, l.browser(), "echo", "again"); got != "again" {
		t.Errorf("echo %q", got)
	}
	// stop() and start() of a living worker resume.
	invoke[jsontext.Value](t, l.browser(), "restart", nil)
	if state := l.awaitState("connected", phase("connected")); !state.Resumed {
		t.Errorf("after stop and start: %+v", state)
	}
	var status struct {
		States []linkState `json:"states"`
	}
	data, err := l.browser().Call(t.Context(), "status", nil)
	if err == nil {
		err = json.Unmarshal(data, &status)
	}
	if err != nil || status.States[len(status.States)-1].Phase != "connected" {
		t.Errorf("%s, %v", data, err)
	}
}
