package hostlink

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// chrome is the browser's side of a relay under test, the daemon's side is a memConn.
type chrome struct {
	stdin  net.Conn // what the relay reads
	stdout net.Conn // what it writes
	daemon *memConn
	log    *bytes.Buffer
	ended  chan error
}

func startRelay(t *testing.T, change func(*RelayConfig)) *chrome {
	t.Helper()
	in, browserOut := net.Pipe()
	browserIn, out := net.Pipe()
	host, relaySide := memPipe()
	c := &chrome{stdin: browserOut, stdout: browserIn, daemon: host, log: &bytes.Buffer{}, ended: make(chan error, 1)}
	cfg := RelayConfig{In: in, Out: out, Log: zerolog.New(zerolog.SyncWriter(c.log)),
		Dial: func(context.Context) (MessageConn, error) { return relaySide, nil }}
	if change != nil {
		change(&cfg)
	}
	go func() {
		err := Relay(t.Context(), cfg)
		// What a process exit would do: nothing blocks for ever on the pipes.
		_ = out.Close()
		_ = relaySide.Close("")
		c.ended <- err
	}()
	t.Cleanup(func() {
		_, _, _ = browserOut.Close(), browserIn.Close(), host.Close("")
	})
	return c
}

func (c *chrome) send(t *testing.T, body string) {
	t.Helper()
	if _, err := c.stdin.Write(append(binary.NativeEndian.AppendUint32(nil, uint32(len(body))), body...)); err != nil {
		t.Error(err)
	}
}

func (c *chrome) fromDaemon(t *testing.T, body string) {
	t.Helper()
	if err := c.daemon.Write(t.Context(), []byte(body)); err != nil {
		t.Error(err)
	}
}

// within checks how long the relay took to end.
func (c *chrome) within(t *testing.T, limit time.Duration) error {
	t.Helper()
	began := time.Now()
	err := <-c.ended
	if took := time.Since(began); took > limit {
		t.Errorf("ended after %v, limit %v", took, limit)
	}
	return err
}

func TestRelayCopiesUnchanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startRelay(t, nil)
		up := []string{`{"odd":  "spacing"}`, `"` + strings.Repeat("é", 3<<20) + `"`, `[]`}
		down := []string{`{"a":1}`, `"` + strings.Repeat("x", nativemsg.MaxToBrowser-2) + `"`, `null`}
		var wait sync.WaitGroup
		wait.Go(func() {
			for _, message := range up {
				c.send(t, message)
			}
		})
		wait.Go(func() {
			for _, message := range down {
				c.fromDaemon(t, message)
			}
		})
		wait.Go(func() {
			for i, want := range up {
				if got, err := c.daemon.Read(t.Context()); err != nil || string(got) != want {
					t.Errorf("up %d: %d bytes, %v", i, len(got), err)
				}
			}
		})
		reader := nativemsg.NewReader(c.stdout, nativemsg.MaxToBrowser)
		for i, want := range down {
			if got, err := reader.Read(); err != nil || string(got) != want {
				t.Errorf("down %d: %d bytes, %v", i, len(got), err)
			}
		}
		wait.Wait()
		_ = c.stdin.Close()
		if err := c.within(t, 200*time.Millisecond); err != nil {
			t.Errorf("an ordinary end: %v", err)
		}
		if _, err := c.daemon.Read(t.Context()); !errors.Is(err, io.EOF) {
			t.Errorf("the daemon's connection: %v", err)
		}
	})
}

func TestRelayEndsWithTheDaemonAndPassesItsLastWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startRelay(t, nil)
		c.fromDaemon(t, `{"v":1,"kind":"bye","error":{"code":"X","message":"m"}}`)
		_ = c.daemon.Close("")
		got, err := nativemsg.NewReader(c.stdout, nativemsg.MaxToBrowser).Read()
		if err != nil || !strings.Contains(string(got), `"bye"`) {
			t.Errorf("last word %q, %v", got, err)
		}
		if err := c.within(t, 200*time.Millisecond); !errors.Is(err, io.EOF) {
			t.Errorf("end: %v", err)
		}
	})
}

func TestH07EndsAlthoughTheDaemonIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startRelay(t, nil)
		for range 20 { // the daemon takes none of it
			c.send(t, `"`+strings.Repeat("x", 1<<20)+`"`)
		}
		_ = c.stdin.Close()
		_ = c.within(t, 1500*time.Millisecond)
	})
}

func TestRelayEndsAlthoughTheBrowserIsStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startRelay(t, nil)
		for range 4 { // the browser reads none of it
			c.fromDaemon(t, `"`+strings.Repeat("x", 1<<19)+`"`)
		}
		_ = c.daemon.Close("")
		_ = c.within(t, 1500*time.Millisecond)
	})
}

func TestRelayEndsOnSilenceOfTheBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startRelay(t, nil)
		go func() { _, _ = io.Copy(io.Discard, c.stdout) }()
		began := time.Now()
		talking := make(chan struct{})
		go func() { // the daemon's voice alone does not keep it
			defer close(talking)
			for range 40 {
				time.Sleep(time.Second)
				if c.daemon.Write(t.Context(), []byte(`{}`)) != nil {
					return
				}
			}
		}()
		for range 3 {
			time.Sleep(10 * time.Second)
			c.send(t, `{}`)
			if _, err := c.daemon.Read(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		err := <-c.ended
		if took := time.Since(began); !errors.Is(err, errSilentBrowser) || took < 55*time.Second || took > 56*time.Second {
			t.Errorf("ended after %v: %v", took, err)
		}
		<-talking
	})
}

func TestRelaySaysWhyThereIsNoDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, cause := range map[string]error{"any": errors.New("connection refused"),
			"fault": fault.New(fault.FileAccessFailed, "the folder is another's")} {
			c := startRelay(t, func(cfg *RelayConfig) {
				cfg.Dial = func(context.Context) (MessageConn, error) { return nil, cause }
			})
			data, err := nativemsg.NewReader(c.stdout, nativemsg.MaxToBrowser).Read()
			if err != nil {
				t.Fatal(err)
			}
			frame, err := nativemsg.DecodeFrame(data)
			want := map[string]string{"any": "DAEMON_UNAVAILABLE", "fault": "FILE_ACCESS_FAILED"}[name]
			if err != nil || frame.Kind != nativemsg.Bye || frame.Error.Code != want || len(frame.Error.Suggestions) == 0 {
				t.Errorf("%s: %s, %v", name, data, err)
			}
			if name == "any" && !strings.Contains(fmt.Sprint(frame.Error.Suggestions), "dbridge doctor") {
				t.Errorf("suggestions %v", frame.Error.Suggestions)
			}
			_ = c.stdin.Close()
			if err := c.within(t, 200*time.Millisecond); string(codeOf(err)) != want {
				t.Errorf("%s: end %v", name, err)
			}
		}
	})
}

func TestRelayEndsWhileTheDaemonStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startRelay(t, func(cfg *RelayConfig) {
			cfg.Dial = func(ctx context.Context) (MessageConn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		})
		_ = c.stdin.Close()
		if err := c.within(t, 200*time.Millisecond); err != nil {
			t.Error(err)
		}
	})
}

// Neither may reach the browser: the one is silently altered there, the other closes the port.
func TestRelayRefusesWhatTheBrowserWouldAlter(t *testing.T) {
	for name, message := range map[string]string{"invalid UTF-8": "\"\xff\"", "too large": `"` + strings.Repeat("x", nativemsg.MaxToBrowser) + `"`} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := startRelay(t, nil)
				c.fromDaemon(t, message)
				err := c.within(t, 200*time.Millisecond)
				var large *nativemsg.TooLargeError
				if !errors.Is(err, nativemsg.ErrInvalidUTF8) && !errors.As(err, &large) {
					t.Errorf("end: %v", err)
				}
				if n, _ := c.stdout.Read(make([]byte, 1)); n != 0 {
					t.Error("something reached the browser")
				}
			})
		})
	}
}

func TestF06F07F08WhatTheBrowserSends(t *testing.T) {
	whole := append(binary.NativeEndian.AppendUint32(nil, 2), "{}"...)
	for name, c := range map[string]struct {
		stream []byte
		want   any
		passed bool
	}{
		"zero length, then a message": {append([]byte{0, 0, 0, 0}, whole...), nil, true},
		"claims 4 GiB":                {append(whole, 0xFF, 0xFF, 0xFF, 0xFF), &nativemsg.TooLargeError{}, true},
		"claims 65 MiB":               {binary.NativeEndian.AppendUint32(nil, 65<<20), &nativemsg.TooLargeError{}, false},
		"half a header":               {append(whole, 1, 0), &nativemsg.TruncatedError{}, true},
		"half a body":                 {append(whole, 9, 0, 0, 0, '{', '"'), &nativemsg.TruncatedError{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := startRelay(t, nil)
				synctest.Wait() // it is connected: a browser that ends sooner has nobody to tell
				go func() {
					_, _ = r.stdin.Write(c.stream)
					_ = r.stdin.Close()
				}()
				if c.passed {
					if got, err := r.daemon.Read(t.Context()); err != nil || string(got) != "{}" {
						t.Errorf("got %q, %v", got, err)
					}
				}
				err := r.within(t, 200*time.Millisecond)
				var large *nativemsg.TooLargeError
				var truncated *nativemsg.TruncatedError
				switch c.want.(type) {
				case nil:
					if err != nil {
						t.Error(err)
					}
				case *nativemsg.TooLargeError:
					if !errors.As(err, &large) {
						t.Error(err)
					}
				case *nativemsg.TruncatedError:
					if !errors.As(err, &truncated) {
						t.Error(err)
					}
				}
				if got, err := r.daemon.Read(t.Context()); err == nil {
					t.Errorf("a partial message was passed on: %q", got)
				}
				if c.want != nil && !strings.Contains(r.log.String(), "native message") {
					t.Errorf("the log says nothing: %q", r.log)
				}
			})
		})
	}
}
