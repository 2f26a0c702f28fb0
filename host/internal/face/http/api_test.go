package http

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
)

// served is an API that runs nothing, behind a local gate.
func served(t *testing.T, config Config) (*API, *httptest.Server) {
	t.Helper()
	config.Request = func(r *nethttp.Request) command.Request {
		return command.Request{Caller: caller.Caller{Agent: "test", Session: r.URL.Query().Get("session")}}
	}
	api := New(config)
	server := httptest.NewServer(gate.Local(api))
	t.Cleanup(server.Close)
	return api, server
}

// A body that does not come is not waited for.
func TestSlowBody(t *testing.T) {
	t.Parallel()
	_, server := served(t, Config{BodyTime: 100 * time.Millisecond})
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // it is read to its end
	fmt.Fprintf(conn, "POST /v1/page/list HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"a")
	response, err := nethttp.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if response.StatusCode != nethttp.StatusRequestTimeout || !strings.Contains(string(body), `"TIMEOUT"`) || !response.Close {
		t.Errorf("%d %s", response.StatusCode, body)
	}
}

// What comes when the API has ended is told to come again.
func TestAfterShutdown(t *testing.T) {
	t.Parallel()
	api, server := served(t, Config{})
	api.Shutdown(context.Background())
	response, err := nethttp.Post(server.URL+"/v1/page/list", typeJSON, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if response.StatusCode != nethttp.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" || !strings.Contains(string(body), string(fault.DaemonUnavailable)) {
		t.Errorf("%d %v %s", response.StatusCode, response.Header, body)
	}
}

func TestAccepted(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]string{
		"": typeJSON, "*/*": typeJSON, "text/html": typeJSON, "text/plain": typeText, "text/plain;q=0, application/json": typeJSON,
		"image/avif,image/webp,*/*;q=0.8": typeWebP, "image/*": typePNG, "Application/X-NDJSON": typeLines, "application/*": typeJSON,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		if accept != "" {
			r.Header.Set("Accept", accept)
		}
		if got := accepted(r, typeJSON, typeText, typeLines, typePNG, typeJPEG, typeWebP); got != want {
			t.Errorf("%q: %s, want %s", accept, got, want)
		}
	}
}

// A ledger forgets data before it forgets that something was done, and remembers nothing
// that did not run.
func TestLedger(t *testing.T) {
	t.Parallel()
	var l ledger
	ran := 0
	do := func(id string, code fault.Code, size int) (*outcome, bool) {
		out, repeated, err := l.do(context.Background(), requestKey{"a", id}, sha256.Sum256(nil), func() *outcome {
			ran++
			e := &Envelope{OK: code == "", Data: []byte(`"` + strings.Repeat("x", size) + `"`)}
			if code != "" {
				e.Error = &Failure{Code: code}
			}
			return &outcome{200, e}
		})
		if err != nil {
			t.Fatal(err)
		}
		return out, repeated
	}
	do("busy", fault.Busy, 1)
	if _, repeated := do("busy", fault.Busy, 1); repeated || ran != 2 {
		t.Errorf("BUSY was remembered; %d ran", ran)
	}
	for n := range 20 {
		do(fmt.Sprint(n), "", 1<<20)
	}
	if first, repeated := do("0", "", 1); !repeated || string(first.envelope.Data) != `{"forgotten":true}` {
		t.Errorf("%v %.30s", repeated, first.envelope.Data)
	}
	if newest, repeated := do("19", "", 1); !repeated || len(newest.envelope.Data) != 1<<20+2 {
		t.Errorf("%v %d", repeated, len(newest.envelope.Data))
	}
	if l.bytes > rememberBytes {
		t.Errorf("%d bytes are kept", l.bytes)
	}
	l.purge(time.Now().Add(remember + time.Second))
	if len(l.known) != 0 || len(l.ended) != 0 || l.bytes != 0 || l.whole != 0 {
		t.Errorf("%d known, %d ended, %d bytes", len(l.known), len(l.ended), l.bytes)
	}
}
