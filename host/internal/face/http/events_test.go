package http

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// patience is for what a busy machine may take long for.
const patience = 60 * time.Second

// still is a page on which nothing is run.
type still struct{}

func (still) Run(context.Context, *protocol.Command, func()) (session.Outcome, error) {
	return session.Outcome{}, fault.New(fault.InternalError, "nothing runs here")
}

// streaming is an API with the events of one session and a page in it.
func streaming(t *testing.T, config Config, limits session.Limits) (api *API, address string, page *session.Page) {
	t.Helper()
	config.Hub = session.NewHub(session.Config{Epoch: "0123456789abcdef", Limits: limits, Log: zerolog.Nop()})
	t.Cleanup(config.Hub.Close)
	api, server := served(t, config)
	t.Cleanup(func() { api.Shutdown(context.Background()) })
	return api, server.Listener.Addr().String(), config.Hub.Open("default").AddPage(protocol.PageInfo{URL: "http://localhost/"}, still{})
}

// open asks for the events and reads the head of the answer; what follows is not read yet,
// and is not waited for: closing the body of a stream would do that.
func open(t *testing.T, address string) (net.Conn, *nethttp.Response) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "GET /v1/events?session=default HTTP/1.1\r\nHost: x\r\n\r\n")
	response, err := nethttp.ReadResponse(bufio.NewReaderSize(conn, 512), nil)
	if err != nil {
		t.Fatal(err)
	}
	return conn, response
}

func (s *streams) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// A stream on which nothing happens is kept by comments, which are no events.
func TestPing(t *testing.T) {
	t.Parallel()
	_, address, page := streaming(t, Config{PingEvery: 5 * time.Millisecond}, session.Limits{})
	_, response := open(t, address)
	lines := bufio.NewScanner(response.Body)
	pings, events := 0, 0
	for pings < 3 && lines.Scan() {
		switch line := lines.Text(); {
		case line == ": ping":
			pings++
		case strings.HasPrefix(line, "event: "):
			events++
		}
	}
	if pings != 3 || events == 0 {
		t.Errorf("%d pings, %d events: %v", pings, events, lines.Err())
	}
	page.Publish(&protocol.Console{Base: protocol.Base{Type: protocol.TypeConsole}, Level: "log", Args: []string{"between the pings"}})
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data: ") && strings.Contains(lines.Text(), "between the pings") {
			return
		}
	}
	t.Errorf("no event after the pings: %v", lines.Err())
}

// One stream too many is refused, and told to come again; one that ends makes room.
func TestStreamLimit(t *testing.T) {
	t.Parallel()
	api, address, _ := streaming(t, Config{}, session.Limits{})
	var first net.Conn
	for n := range maxStreams {
		conn, response := open(t, address)
		if response.StatusCode != nethttp.StatusOK {
			t.Fatalf("stream %d: %d", n+1, response.StatusCode)
		}
		if n == 0 {
			first = conn
		}
	}
	_, response := open(t, address)
	body, _ := io.ReadAll(response.Body)
	if response.StatusCode != nethttp.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" || !strings.Contains(string(body), `"BUSY"`) || !strings.Contains(string(body), `"retryable":true`) {
		t.Errorf("%d %v %s", response.StatusCode, response.Header, body)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	await(t, "room for one more", func() bool { return api.streams.count() < maxStreams })
	if _, response := open(t, address); response.StatusCode != nethttp.StatusOK {
		t.Errorf("after one has ended: %d", response.StatusCode)
	}
}

// A reader that falls too far behind is told so if it reads on, and cut off if it does not.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	api, address, page := streaming(t, Config{}, session.Limits{LogEvents: 64, LogBytes: 1 << 20, QueueEvents: 64, QueueBytes: 1 << 20})
	_, late := open(t, address)
	_, never := open(t, address)
	if late.StatusCode != nethttp.StatusOK || never.StatusCode != nethttp.StatusOK {
		t.Fatal(late.Status, never.Status)
	}
	text := strings.Repeat("x", 64<<10)
	await(t, "both fall behind", func() bool {
		page.Publish(&protocol.Console{Base: protocol.Base{Type: protocol.TypeConsole}, Level: "log", Args: []string{text}})
		return api.config.Hub.Stats()[0].TooSlow == 2
	})
	all, err := io.ReadAll(late.Body)
	if err != nil || !strings.HasSuffix(string(all), "event: end\ndata: {\"reason\":\"too_slow\"}\n\n") {
		t.Errorf("%d bytes, %v, the last: %q", len(all), err, all[max(0, len(all)-100):])
	}
	await(t, "who does not read is cut off", func() bool { return api.streams.count() == 0 })
}
