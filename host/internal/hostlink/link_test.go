package hostlink

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// linked runs a test in a bubble of virtual time with a connected peer.
func linked(t *testing.T, test func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		seen := newRecorder()
		server := testServer(t, seen)
		p := newPeer(t)
		if !p.connect(server) {
			t.Fatalf("refused: %+v", p.bye)
		}
		b := seen.awaitSteps(t, "connected resumed=false")
		test(t, server, seen, p, b)
		_ = p.conn.Close("")
		server.Close()
		synctest.Wait()
	})
}

func codeOf(err error) fault.Code {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

func detail(err error, key string) any {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Details[key]
	}
	return nil
}

func TestCallsAndEventsBothWays(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		if b.ID() != "install1" || b.Hello().Name != "Work" || b.Away() {
			t.Errorf("browser %q, %+v", b.ID(), b.Hello())
		}
		got, err := b.Call(t.Context(), "echo", map[string]int{"a": 1})
		if err != nil || string(got) != `{"a":1}` {
			t.Fatalf("call: %s, %v", got, err)
		}
		if err := b.Notify("agents", []int{1}); err != nil {
			t.Fatal(err)
		}
		p.emit("state", `{"tabs":[]}`)
		p.ask("x1", "echo", `"hi"`)
		p.ask("x2", "no.such", `{}`)
		seen.await(t, "state", func() bool { return len(seen.events) == 1 })
		synctest.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		if len(p.events) != 1 || p.events[0] != "agents [1]" {
			t.Errorf("events at the extension: %v", p.events)
		}
		if a := p.answers["x1"]; a == nil || string(a.Payload) != `"hi"` {
			t.Errorf("answer: %+v", a)
		}
		if a := p.answers["x2"]; a == nil || a.Error == nil || a.Error.Code != "UNKNOWN_TYPE" {
			t.Errorf("answer to an unknown op: %+v", a)
		}
	})
}

func TestF01F02LargeMessages(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		for _, size := range []int{nativemsg.MaxToBrowser - 200, nativemsg.MaxToBrowser - nativemsg.MaxHead, nativemsg.MaxToBrowser - 50, nativemsg.MaxToBrowser, 5 << 20, 12 << 20} {
			text := strings.Repeat(`a"é😀`, size/8)
			got, err := b.Call(t.Context(), "echo", text)
			want, _ := jsontext.AppendQuote(nil, text)
			if err != nil || string(got) != string(want) {
				t.Fatalf("%d bytes: got %d, %v", size, len(got), err)
			}
		}
		if _, err := b.Call(t.Context(), "echo", strings.Repeat("a", nativemsg.MaxMessage)); codeOf(err) != fault.ResultTooLarge {
			t.Errorf("more than the limit: %v", err)
		}
	})
}

func TestErrorsOfTheExtension(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   nativemsg.Error
		want fault.Code
	}{
		"known":         {nativemsg.Error{Code: "CAPABILITY_MISSING", Message: "m"}, fault.CapabilityMissing},
		"document gone": {nativemsg.Error{Code: "DOCUMENT_GONE", Message: "m"}, fault.NavigationInterrupted},
		"cdp":           {nativemsg.Error{Code: "SOMETHING", Details: map[string]any{"cdp": map[string]any{"code": -32000}}}, fault.CDPError},
		"unknown":       {nativemsg.Error{Code: "WHATEVER", Message: "m", Details: map[string]any{"a": "b"}}, fault.InternalError},
	} {
		f := fromWire(&c.in)
		if f.Code != c.want || len(f.Suggestions) == 0 {
			t.Errorf("%s: %+v", name, f)
		}
		for key := range c.in.Details {
			if f.Details[key] == nil {
				t.Errorf("%s: detail %q is lost", name, key)
			}
		}
		if _, known := fault.Lookup(fault.Code(c.in.Code)); !known && f.Details["remoteCode"] != c.in.Code {
			t.Errorf("%s: remoteCode %v", name, f.Details["remoteCode"])
		}
	}
	if f := fromWire(&nativemsg.Error{Code: "TIMEOUT", Message: strings.Repeat("é", maxPeerText), Suggestions: []string{"do"}}); len(f.Message) > maxPeerText+8 || f.Suggestions[0] != "do" {
		t.Errorf("message of %d bytes, %v", len(f.Message), f.Suggestions)
	}
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		p.set(func() {
			p.answer = func(op string, payload jsontext.Value) (any, error) {
				return nil, fault.New(fault.PolicyDenied, "no").With("why", "because")
			}
		})
		if _, err := b.Call(t.Context(), "x", nil); codeOf(err) != fault.PolicyDenied || detail(err, "why") != "because" {
			t.Errorf("got %v", err)
		}
	})
}

func TestF10MalformedEndsTheConnectionAndKeepsTheBrowser(t *testing.T) {
	for name, bad := range map[string]string{"invalid UTF-8": "{\"v\":1,\"kind\":\"ping\",\"x\":\"\xff\"}", "not JSON": "LOG: hello", "number": "42",
		"null": "null", "list": "[]", "deep": strings.Repeat("[", 10_001), "BOM": "\ufeff{}", "ack of the future": `{"v":1,"kind":"ack","ack":99}`,
		"second hello": `{"v":1,"kind":"hello","payload":{}}`} {
		t.Run(name, func(t *testing.T) {
			linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
				p.emit("before", "1")
				seen.await(t, "before", func() bool { return len(seen.events) == 1 })
				if err := p.conn.Write(t.Context(), []byte(bad)); err != nil {
					t.Fatal(err)
				}
				<-p.ended
				if p.bye == nil || p.bye.Code != "PROTOCOL_ERROR" || len(p.bye.Suggestions) == 0 {
					t.Fatalf("bye: %+v", p.bye)
				}
				if !b.Away() {
					t.Error("not away")
				}
				p.emit("after", "2")
				if !p.connect(server) || !p.welcome.Resumed {
					t.Fatalf("not resumed: %+v %+v", p.welcome, p.bye)
				}
				seen.await(t, "after", func() bool { return len(seen.events) == 2 })
			})
		})
	}
}

func TestBadHello(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := testServer(t, newRecorder())
		for _, hello := range []string{`{"v":1,"kind":"ping"}`, `{"v":1,"kind":"hello"}`, `{"v":1,"kind":"hello","payload":{"linkVersion":1}}`,
			`{"v":1,"kind":"hello","payload":{"linkVersion":1,"installId":"a","instanceId":"` + strings.Repeat("x", 129) + `"}}`, "garbage"} {
			host, mine := memPipe()
			served := make(chan error, 1)
			go func() { served <- server.Serve(t.Context(), host) }()
			if err := mine.Write(t.Context(), []byte(hello)); err != nil {
				t.Fatal(err)
			}
			data, err := mine.Read(t.Context())
			if err != nil || !strings.Contains(string(data), `"PROTOCOL_ERROR"`) {
				t.Errorf("%.60s: %s, %v", hello, data, err)
			}
			if err := <-served; codeOf(err) != fault.ProtocolError {
				t.Errorf("%.60s: served %v", hello, err)
			}
		}
		host, _ := memPipe()
		began := time.Now()
		if err := server.Serve(t.Context(), host); err == nil || time.Since(began) != defaultTiming.hello {
			t.Errorf("silence instead of hello: %v after %v", err, time.Since(began))
		}
		if len(server.Browsers()) != 0 {
			t.Error("a browser without hello")
		}
	})
}

func TestF20VersionSkew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := testServer(t, newRecorder())
		for version, hint := range map[int]string{0: "dbridge install", 2: "daemon stop"} {
			p := newPeer(t)
			p.hello.LinkVersion, p.hello.ExtensionVersion = version, "9.9.9"
			if p.connect(server) {
				t.Fatalf("link version %d was welcomed", version)
			}
			if p.bye.Code != "VERSION_MISMATCH" || p.bye.Details["extensionVersion"] != "9.9.9" || p.bye.Details["hostVersion"] != "0.1.0" ||
				!strings.Contains(strings.Join(p.bye.Suggestions, " "), hint) {
				t.Errorf("link version %d: %+v", version, p.bye)
			}
		}
		if len(server.Browsers()) != 0 {
			t.Error("a half-working session is left")
		}
	})
}

func TestH16SecondInstanceReplacesTheFirst(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		p.set(func() { p.mute = true })
		failed := make(chan error, 1)
		go func() {
			_, err := b.Call(t.Context(), "slow", nil)
			failed <- err
		}()
		synctest.Wait()
		other := newPeer(t)
		other.hello.InstanceID = "instance2"
		if !other.connect(server) || other.welcome.Resumed {
			t.Fatalf("second instance: %+v", other.welcome)
		}
		<-p.ended
		if p.bye == nil || p.bye.Details["reason"] != "replaced" {
			t.Errorf("bye of the first: %+v", p.bye)
		}
		if err := <-failed; codeOf(err) != fault.Indeterminate || detail(err, "dispatched") != true {
			t.Errorf("call of the first: %v", err)
		}
		now := seen.awaitSteps(t, "connected resumed=false", "disconnected", "connected resumed=false")
		if now == b || now.ID() != b.ID() || len(server.Browsers()) != 1 {
			t.Errorf("browser %p after %p, %d in all", now, b, len(server.Browsers()))
		}
		<-b.Done()
		if _, err := b.Call(t.Context(), "echo", nil); codeOf(err) != fault.ExtensionNotConnected {
			t.Errorf("call of an ended browser: %v", err)
		}
		other.drop()
	})
}

// The first instance speaks while its writer still has the goodbye to write.
func TestH16TheGoodbyeIsNotLostToAFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := testServer(t, newRecorder())
		host, mine := memPipe()
		served := make(chan error, 1)
		go func() { served <- server.Serve(t.Context(), host) }()
		hello := `{"v":1,"kind":"hello","payload":{"linkVersion":1,"installId":"install1","instanceId":"first"}}`
		if err := mine.Write(t.Context(), []byte(hello)); err != nil {
			t.Fatal(err)
		}
		if _, err := mine.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // the writer hangs with its first acknowledgement
		p := newPeer(t)
		if !p.connect(server) {
			t.Fatal("the second instance is refused")
		}
		if err := mine.Write(t.Context(), []byte(`{"v":1,"kind":"ping"}`)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		last := ""
		for {
			data, err := mine.Read(t.Context())
			if err != nil {
				break
			}
			last = string(data)
		}
		if !strings.Contains(last, `"replaced"`) {
			t.Errorf("the last word is %q", last)
		}
		<-served
		p.drop()
	})
}

func TestPendingCallSurvivesALostConnection(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		p.set(func() { p.mute = true }) // the request arrives, and its answer is lost with the connection
		results := make(chan string, 2)
		call := func(payload string) {
			got, err := b.Call(t.Context(), "echo", payload)
			results <- fmt.Sprint(string(got), err)
		}
		go call("one")
		synctest.Wait()
		p.drop()
		go call("two") // while away
		time.Sleep(8 * time.Second)
		p.set(func() { p.mute = false })
		p.set(func() { p.answer = nil })
		p.mu.Lock()
		p.push(&nativemsg.Envelope{Kind: nativemsg.Response, ID: "r1", Payload: jsontext.Value(`"answer to one"`)})
		p.mu.Unlock()
		if !p.connect(server) || !p.welcome.Resumed {
			t.Fatal("not resumed")
		}
		got := []string{<-results, <-results}
		slices.Sort(got)
		if got[0] != `"answer to one"<nil>` || got[1] != `"two"<nil>` {
			t.Errorf("results %q", got)
		}
		seen.awaitSteps(t, "connected resumed=false", "disconnected", "connected resumed=true")
	})
}

func TestGraceEnds(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		p.set(func() { p.mute = true })
		sent, unsent := make(chan error, 1), make(chan error, 1)
		go func() { _, err := b.Call(t.Context(), "a", nil); sent <- err }()
		synctest.Wait()
		p.drop()
		began := time.Now()
		go func() { _, err := b.Call(t.Context(), "b", nil); unsent <- err }()
		if err := <-sent; codeOf(err) != fault.Indeterminate || detail(err, "dispatched") != true {
			t.Errorf("dispatched: %v", err)
		}
		if err := <-unsent; codeOf(err) != fault.ExtensionNotConnected || detail(err, "dispatched") != false {
			t.Errorf("never sent: %v", err)
		}
		if waited := time.Since(began); waited != defaultTiming.grace {
			t.Errorf("failed after %v", waited)
		}
		<-b.Done()
		p.set(func() { p.mute = false })
		if !p.connect(server) || p.welcome.Resumed {
			t.Errorf("after the grace: %+v", p.welcome)
		}
	})
}

func TestH09LinkLostMidChunk(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		big := strings.Repeat("x", 20<<20)
		p.set(func() { p.answer = func(op string, payload jsontext.Value) (any, error) { return big, nil } })
		chunks := 0
		p.set(func() {
			p.toHost = func(frame []byte) [][]byte {
				if strings.Contains(string(frame[:min(len(frame), 100)]), `"chunk"`) {
					if chunks++; chunks == 2 {
						_ = p.conn.Close("")
					}
				}
				return [][]byte{frame}
			}
		})
		failed := make(chan error, 1)
		go func() { _, err := b.Call(t.Context(), "big", nil); failed <- err }()
		if err := <-failed; codeOf(err) != fault.Indeterminate {
			t.Errorf("call: %v", err)
		}
		<-p.ended
		p.set(func() { p.toHost = nil })
		p.hello.InstanceID = "instance2"
		if !p.connect(server) {
			t.Fatal("next host refused")
		}
		seen.await(t, "the next instance", func() bool { return len(seen.steps) == 3 })
		seen.mu.Lock()
		next := seen.browser
		seen.mu.Unlock()
		if got, err := next.Call(t.Context(), "big", nil); err != nil || len(got) != len(big)+2 {
			t.Errorf("next host: %d bytes, %v", len(got), err)
		}
	})
}

func TestDeadlinesOfCalls(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		p.set(func() { p.mute = true })
		left := false
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if _, err := b.CallDispatched(ctx, "a", nil, func() { left = true }); codeOf(err) != fault.Indeterminate || !left {
			t.Errorf("deadline after dispatch: %v, dispatched %v", err, left)
		}
		p.mu.Lock()
		p.ep.credit = 0
		p.mu.Unlock()
		b.mu.Lock()
		b.ep.credit = 0 // the extension has stopped us
		b.mu.Unlock()
		left = false
		ctx, cancel = context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		if _, err := b.CallDispatched(ctx, "b", nil, func() { left = true }); codeOf(err) != fault.Timeout || left || detail(err, "dispatched") != false {
			t.Errorf("deadline before dispatch: %v, dispatched %v", err, left)
		}
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		if _, err := b.Call(ctx, "c", nil); codeOf(err) != fault.Cancelled {
			t.Errorf("cancelled: %v", err)
		}
		if s := b.Stats(); s.Waiting != 0 || s.Calls != 0 {
			t.Errorf("withdrawn calls are still there: %+v", s)
		}
	})
}

// scripted sends numbered events both ways, and calls, over a bad wire, and checks that each came once, in order.
func scripted(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser, n int) {
	t.Helper()
	var wait sync.WaitGroup
	for i := range n {
		p.emit("e", fmt.Sprint(i))
		if err := b.Notify("n", i); err != nil {
			t.Fatal(err)
		}
		wait.Go(func() {
			got, err := b.Call(context.Background(), "echo", i)
			if err != nil || string(got) != fmt.Sprint(i) {
				t.Errorf("call %d: %s, %v", i, got, err)
			}
		})
		time.Sleep(time.Millisecond)
	}
	seen.await(t, "all events", func() bool { return len(seen.events) >= n })
	wait.Wait()
	time.Sleep(5 * time.Second) // what came twice would show by now
	seen.mu.Lock()
	defer seen.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range n {
		if i >= len(seen.events) || seen.events[i] != fmt.Sprint("e ", i) {
			t.Fatalf("event %d to the daemon: %v", i, seen.events[max(0, i-2):min(len(seen.events), i+2)])
		}
		if i >= len(p.events) || p.events[i] != fmt.Sprint("n ", i) {
			t.Fatalf("event %d to the extension: %v", i, p.events[max(0, i-2):min(len(p.events), i+2)])
		}
	}
	if len(seen.events) != n || len(p.events) != n {
		t.Fatalf("%d and %d events, want %d", len(seen.events), len(p.events), n)
	}
}

func TestF18DroppedFramesAreSentAgain(t *testing.T) {
	for name, lose := range map[string]func(i int) bool{
		"each tenth": func(i int) bool { return i%10 == 3 },
		"each third": func(i int) bool { return i%3 == 0 },
		"a burst":    func(i int) bool { return i > 5 && i < 40 },
	} {
		t.Run(name, func(t *testing.T) {
			linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
				losing := func() func([]byte) [][]byte {
					i := 0
					return func(frame []byte) [][]byte {
						if i++; lose(i) {
							return nil
						}
						return [][]byte{frame}
					}
				}
				p.set(func() { p.toHost, p.toPeer = losing(), losing() })
				scripted(t, server, seen, p, b, 100)
			})
		})
	}
}

// The last frame of a burst makes no hole: only asking the peer finds it.
func TestF18LastFrameDropped(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		lost := false
		p.set(func() {
			p.toPeer = func(frame []byte) [][]byte {
				if !lost && strings.Contains(string(frame), `"request"`) {
					lost = true
					return nil
				}
				return [][]byte{frame}
			}
		})
		began := time.Now()
		if got, err := b.Call(t.Context(), "echo", 1); err != nil || string(got) != "1" {
			t.Fatalf("%s, %v", got, err)
		}
		if waited := time.Since(began); !lost || waited > 3*time.Second {
			t.Errorf("lost %v, answered after %v", lost, waited)
		}
		if s := b.Stats(); s.Resent != 1 {
			t.Errorf("sent again %d times", s.Resent)
		}
	})
}

func TestF19DuplicatesOnTheWire(t *testing.T) {
	linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
		twice := func() func([]byte) [][]byte {
			var last []byte
			return func(frame []byte) [][]byte {
				before := last
				last = frame
				if before != nil && strings.Contains(string(before), `"seq"`) {
					return [][]byte{before, frame, frame}
				}
				return [][]byte{frame}
			}
		}
		p.set(func() { p.toHost, p.toPeer = twice(), twice() })
		scripted(t, server, seen, p, b, 60)
		if s := b.Stats(); s.Duplicates == 0 {
			t.Error("the wire made no duplicates")
		}
	})
}

func TestA23CutAtEveryFrame(t *testing.T) {
	for cut := 1; cut <= 60; cut++ {
		for _, way := range []string{"to the daemon", "to the extension"} {
			linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
				i, reconnecting := 0, make(chan struct{})
				filter := func(frame []byte) [][]byte {
					if i++; i == cut {
						conn := p.conn
						ended := p.ended
						go func() {
							defer close(reconnecting)
							_ = conn.Close("")
							<-ended
							if !p.connect(server) || !p.welcome.Resumed {
								t.Errorf("cut at %d: not resumed", cut)
							}
						}()
						return nil
					}
					return [][]byte{frame}
				}
				if way == "to the daemon" {
					p.set(func() { p.toHost = filter })
				} else {
					p.set(func() { p.toPeer = filter })
				}
				scripted(t, server, seen, p, b, 15)
				if i >= cut {
					<-reconnecting
				}
			})
		}
	}
}

func TestRandomWire(t *testing.T) {
	for seed := range uint64(30) {
		linked(t, func(t *testing.T, server *Server, seen *recorder, p *peer, b *Browser) {
			random := rand.New(rand.NewPCG(seed, 7))
			var mu sync.Mutex
			bad := func(frame []byte) [][]byte {
				mu.Lock()
				defer mu.Unlock()
				switch random.IntN(12) {
				case 0:
					return nil
				case 1:
					return [][]byte{frame, frame}
				}
				return [][]byte{frame}
			}
			p.set(func() { p.toHost, p.toPeer = bad, bad })
			stop, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(stopped)
				for {
					mu.Lock()
					pause := time.Duration(random.IntN(900)) * time.Millisecond
					mu.Unlock()
					select {
					case <-stop:
						return
					case <-time.After(pause):
					}
					p.drop()
					if !p.connect(server) || !p.welcome.Resumed {
						t.Errorf("seed %d: not resumed", seed)
						return
					}
				}
			}()
			time.AfterFunc(4*time.Second, func() { close(stop) })
			scripted(t, server, seen, p, b, 80)
			<-stopped
		})
	}
}
