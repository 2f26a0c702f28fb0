package hostlink

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// The extension's side stops reading while 200 MB of events are offered.
func TestF13StalledReceiver(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		stalled, began := make(chan struct{}), time.Now()
		p.set(func() {
			p.toPeer = func(frame []byte) [][]byte {
				<-stalled
				return [][]byte{frame}
			}
		})
		payload := strings.Repeat("x", 100_000)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		queued, refused := 0, 0
		for i := range 2_000 {
			err := b.Notify("n", fmt.Sprint(i, " ", payload))
			switch {
			case err == nil:
				queued++
			case codeOf(err) == fault.Busy && detail(err, "dispatched") == false:
				refused++
			default:
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 64<<20 {
			t.Errorf("holds %d bytes", held)
		}
		if refused == 0 || b.Stats().Busy != uint64(refused) {
			t.Errorf("%d queued, %d refused, stats say %d", queued, refused, b.Stats().Busy)
		}
		// The peer's reader hangs, and so its acknowledgements and pings: the filter runs in it.
		p.mu.Lock()
		p.mute = true
		p.mu.Unlock()
		seen.await(t, "the heartbeat to give up", func() bool { return len(seen.steps) == 2 })
		if waited := time.Since(began); waited > 36*time.Second {
			t.Errorf("dead only after %v", waited)
		}
		if !b.Away() {
			t.Error("not away")
		}
		close(stalled)
		<-p.ended
		p.set(func() { p.mute, p.toPeer = false, nil })
		if !p.connect(server) || !p.welcome.Resumed {
			t.Fatalf("not resumed: %+v", p.welcome)
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			p.mu.Lock()
			got := len(p.events)
			p.mu.Unlock()
			if got == queued {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d of %d queued events arrived", got, queued)
			}
		}
	})
}

func TestSilentPeerIsDeadIn25Seconds(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		time.Sleep(time.Hour) // heartbeats keep an idle link
		if b.Away() {
			t.Fatal("an idle link was given up")
		}
		synctest.Wait()
		p.mu.Lock()
		p.mute = true
		p.mu.Unlock()
		last := b.Stats().LastHeard
		seen.await(t, "the end", func() bool { return len(seen.steps) == 2 })
		if silent := time.Since(last); silent < defaultTiming.silence || silent > defaultTiming.silence+time.Second {
			t.Errorf("given up after %v", silent)
		}
	})
}

func TestWindowStopsAndReleasesTheExtension(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		b.SetWindow(0)
		time.Sleep(time.Second)
		for i := range 100 {
			p.emit("e", fmt.Sprint(i))
		}
		time.Sleep(time.Minute)
		if n := seen.count(); n != 0 {
			t.Fatalf("%d events in spite of window 0", n)
		}
		if b.Away() {
			t.Fatal("a stopped link was given up")
		}
		b.SetWindow(1 << 30)
		seen.await(t, "the rest", func() bool { return len(seen.events) == 100 })
		if w := b.Stats().Window; w != windowFromBrowser {
			t.Errorf("window %d", w)
		}
	})
}

func TestSlowHandlerHoldsTheExtensionBack(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		release := make(chan struct{})
		seen.onEvent = func(*Browser, string, jsontext.Value) { <-release }
		payload := `"` + strings.Repeat("x", 1<<20) + `"`
		for range 64 {
			p.emit("e", payload)
		}
		time.Sleep(time.Minute)
		s := b.Stats()
		if s.Inbox > windowFromBrowser+2<<20 || s.Window != 0 {
			t.Errorf("inbox of %d bytes, window %d", s.Inbox, s.Window)
		}
		if b.Away() {
			t.Error("a busy link was given up")
		}
		close(release)
		seen.await(t, "all", func() bool { return len(seen.events) == 64 })
		if s := b.Stats(); s.Inbox > windowFromBrowser {
			t.Errorf("inbox %d", s.Inbox)
		}
	})
}

// raw is a peer that sends what it likes, and notes only the goodbye.
func raw(t *testing.T, server *Server) (write func(frame string) error, bye func() string) {
	t.Helper()
	host, mine := memPipe()
	go func() { _ = server.Serve(context.Background(), host) }()
	hello := `{"v":1,"kind":"hello","payload":{"linkVersion":1,"installId":"raw","instanceId":"raw"}}`
	if err := mine.Write(t.Context(), []byte(hello)); err != nil {
		t.Fatal(err)
	}
	ended := make(chan string, 1)
	go func() {
		last := ""
		for {
			data, err := mine.Read(context.Background())
			if err != nil {
				ended <- last
				return
			}
			if strings.Contains(string(data), `"bye"`) {
				last = string(data)
			}
		}
	}()
	return func(frame string) error { return mine.Write(context.Background(), []byte(frame)) }, func() string { return <-ended }
}

func TestPeerThatIgnoresItsCreditIsCutOff(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		release := make(chan struct{})
		defer close(release)
		seen.onEvent = func(*Browser, string, jsontext.Value) { <-release }
		write, bye := raw(t, server)
		payload := strings.Repeat("x", 32<<20)
		for seq := 1; ; seq++ {
			if write(fmt.Sprintf(`{"v":1,"seq":%d,"ack":0,"kind":"event","op":"e","payload":"%s"}`, seq, payload)) != nil {
				break
			}
			if seq > 10 {
				t.Fatal("320 MB were taken")
			}
		}
		if said := bye(); !strings.Contains(said, "PROTOCOL_ERROR") {
			t.Errorf("bye %q", said)
		}
	})
}

func TestF19ChunksInTheLink(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, _ *peer, _ *Browser) {
		write, _ := raw(t, server)
		seen.await(t, "the raw peer", func() bool { return len(seen.steps) == 2 })
		seen.mu.Lock()
		b := seen.browser
		seen.mu.Unlock()
		seq := 0
		send := func(id string, index int, last bool, data string) {
			seq++
			frame, err := (&nativemsg.Frame{Seq: uint64(seq), Window: 1 << 20, Index: index, Last: last, Data: data,
				Envelope: nativemsg.Envelope{Kind: nativemsg.Chunk, ID: id}}).Encode()
			if err != nil {
				t.Fatal(err)
			}
			if err := write(string(frame)); err != nil {
				t.Fatal(err)
			}
		}
		send("unknown", 2, true, "x")
		send("reordered", 0, false, "a")
		send("reordered", 2, true, "c")
		for i := range 500 {
			send(fmt.Sprint("open", i), 0, false, "x")
		}
		send("late", 0, false, `{"kind":"event",`)
		synctest.Wait()
		b.mu.Lock()
		open, _ := b.ep.chunks.Open()
		b.mu.Unlock()
		if open != nativemsg.MaxStreams {
			t.Errorf("%d open streams", open)
		}
		if bad := b.Stats().BadChunks; bad != 2+500-nativemsg.MaxStreams+1 {
			t.Errorf("%d bad chunks", bad)
		}
		for range 8 { // the streams expire while the link lives on
			time.Sleep(5 * time.Second)
			if err := write(`{"v":1,"kind":"ping","ack":0}`); err != nil {
				t.Fatal(err)
			}
		}
		send("good", 0, false, `{"kind":"event","op":"wh`)
		send("good", 1, true, `ole","payload":7}`)
		seen.await(t, "the good stream", func() bool { return len(seen.events) == 1 && seen.events[0] == "whole 7" })
		b.mu.Lock()
		open, _ = b.ep.chunks.Open()
		b.mu.Unlock()
		if open != 0 {
			t.Errorf("%d streams never expired", open)
		}
	})
}

func TestPanicInTheHandlerCostsOneAnswer(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		seen.onAsk = func(context.Context, string, jsontext.Value) (any, error) { panic("boom") }
		p.ask("x1", "echo", "1")
		synctest.Wait()
		time.Sleep(time.Second)
		p.mu.Lock()
		a := p.answers["x1"]
		p.mu.Unlock()
		if a == nil || a.Error == nil || a.Error.Code != "INTERNAL_ERROR" {
			t.Fatalf("answer %+v", a)
		}
		if got, err := b.Call(t.Context(), "echo", 2); err != nil || string(got) != "2" {
			t.Errorf("after the panic: %s, %v", got, err)
		}
	})
}

func TestTooManyRequestsOfTheExtension(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		seen.onAsk = func(ctx context.Context, _ string, _ jsontext.Value) (any, error) {
			<-ctx.Done() // ends with the browser
			return nil, ctx.Err()
		}
		for i := range maxRequests + 1 {
			p.ask(fmt.Sprint("x", i), "slow", "1")
		}
		time.Sleep(time.Second)
		p.mu.Lock()
		defer p.mu.Unlock()
		if a := p.answers[fmt.Sprint("x", maxRequests)]; len(p.answers) != 1 || a == nil || a.Error.Code != "BUSY" {
			t.Errorf("answers %v", p.answers)
		}
	})
}

func TestServerCloseSaysGoodbye(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		p.set(func() { p.mute = true })
		failed := make(chan error, 1)
		go func() { _, err := b.Call(t.Context(), "x", nil); failed <- err }()
		synctest.Wait()
		began := time.Now()
		server.Close()
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("closed after %v", took)
		}
		<-p.ended
		if p.bye == nil || p.bye.Code != "DAEMON_UNAVAILABLE" {
			t.Errorf("bye %+v", p.bye)
		}
		if err := <-failed; codeOf(err) != fault.Indeterminate {
			t.Errorf("call: %v", err)
		}
		if p.connect(server) {
			t.Error("a closed server took a connection")
		}
	})
}

func TestAckBeyondWhatWasSentIsRefused(t *testing.T) {
	t.Parallel()
	e := newEndpoint(defaultTiming, 100, 1000, 1000, 1000)
	now := time.Unix(0, 0)
	e.begin(now)
	e.push(&message{body: []byte(`"kind":"event","op":"x"`)})
	frame, _, _, err := e.next(nil, now)
	for err == nil && frame != nil && !strings.Contains(string(frame), `"event"`) {
		frame, _, _, err = e.next(nil, now)
	}
	if err != nil || frame == nil {
		t.Fatal(err)
	}
	if _, _, err := e.accept(&nativemsg.Frame{Ack: 2, Window: -1, Envelope: nativemsg.Envelope{Kind: nativemsg.Ack}}, 10, now); err == nil {
		t.Error("ack 2 of 1 frame was taken")
	}
	if err := e.resume(5, 1000, now); !errors.Is(err, errResume) {
		t.Errorf("resume beyond the end: %v", err)
	}
	if err := e.resume(1, 1000, now); err != nil || len(e.numbered) != 0 {
		t.Errorf("resume: %v, %d frames left", err, len(e.numbered))
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	seen := newRecorder()
	server := NewServer(ServerConfig{Epoch: "e", HostVersion: "0", Handler: seen})
	defer server.Close()
	t := &testing.T{}
	p := newPeer(t)
	p.connect(server)
	<-seen.changed
	seen.mu.Lock()
	browser := seen.browser
	seen.mu.Unlock()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := browser.Call(context.Background(), "echo", 1); err != nil {
			b.Fatal(err)
		}
	}
	_ = p.conn.Close("")
}
