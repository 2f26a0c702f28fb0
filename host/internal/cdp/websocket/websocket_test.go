package websocket_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/cdptest"
	ours "github.com/debug-bridge/debug-bridge/host/internal/cdp/websocket"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is the browser's end of a WebSocket.
type peer struct {
	conn *websocket.Conn
	ctx  context.Context
	end  context.CancelFunc
}

func (p *peer) Receive() ([]byte, error) {
	_, message, err := p.conn.Read(p.ctx)
	return message, err
}

func (p *peer) Send(message []byte) error {
	return p.conn.Write(p.ctx, websocket.MessageText, message)
}

func (p *peer) Close() error {
	p.end()
	return p.conn.CloseNow()
}

// serve starts a server whose connections are given to the channel.
func serve(t *testing.T) (address string, accepted <-chan *peer) {
	t.Helper()
	connections := make(chan *peer, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		conn.SetReadLimit(-1)
		ctx, end := context.WithCancel(context.Background())
		connections <- &peer{conn, ctx, end}
	}))
	t.Cleanup(server.Close)
	return "ws" + strings.TrimPrefix(server.URL, "http"), connections
}

func open(t *testing.T, limit int) (cdp.Transport, cdptest.Peer) {
	t.Helper()
	address, accepted := serve(t)
	transport, err := ours.DialLimit(t.Context(), address, nil, int64(limit))
	if err != nil {
		t.Fatal(err)
	}
	return transport, <-accepted
}

func TestContract(t *testing.T) { cdptest.Run(t, "websocket", open) }

func TestBinaryEndsTheConnection(t *testing.T) {
	transport, other := open(t, 1000)
	defer transport.Close()
	defer other.Close()
	p := other.(*peer)
	if err := p.conn.Write(p.ctx, websocket.MessageBinary, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if message, err := transport.Read(); err == nil || !strings.Contains(err.Error(), "binary") {
		t.Errorf("got %q, %v", message, err)
	}
}

func TestHeader(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Clone()
		conn, err := websocket.Accept(w, r, nil)
		if err == nil {
			_ = conn.CloseNow()
		}
	}))
	defer server.Close()
	transport, err := ours.Dial(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http"), http.Header{"Authorization": {"Bearer s3cret"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = transport.Close()
	if got.Get("Authorization") != "Bearer s3cret" {
		t.Errorf("the header did not arrive: %v", got)
	}
	if _, there := got["Origin"]; there || got.Get("Sec-WebSocket-Extensions") != "" {
		t.Errorf("Chrome refuses an Origin, and compression is lost time: %v", got)
	}
}

func TestDialFaults(t *testing.T) {
	elsewhere := make(chan struct{}, 1)
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere <- struct{}{} }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case "/forbidden":
			w.WriteHeader(http.StatusForbidden)
		case "/silent":
			<-r.Context().Done()
		default:
			_, _ = w.Write([]byte("hello"))
		}
	}))
	defer server.Close()
	base := "ws" + strings.TrimPrefix(server.URL, "http")
	for _, c := range []struct {
		url, reason string
		status      any
	}{
		{base + "/redirect?token=s3cret", "http_status", 307},
		{base + "/forbidden?token=s3cret", "http_status", 403},
		{base + "/hello?token=s3cret", "http_status", 200},
		{base + "/silent?token=s3cret", "refused", nil},
		{"ws://127.0.0.1:1/x?token=s3cret", "refused", nil},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err := ours.Dial(ctx, c.url, http.Header{"Authorization": {"Bearer s3cret"}})
		cancel()
		failure := fault.From(err)
		if failure == nil || failure.Code != fault.CDPDisconnected || failure.Details["reason"] != c.reason || failure.Details["status"] != c.status {
			t.Errorf("%s: %v %v", c.url, err, failure.Details)
			continue
		}
		if strings.Contains(failure.Message+failure.Details["address"].(string), "s3cret") {
			t.Errorf("%s: the fault tells the secret: %s", c.url, failure.Message)
		}
	}
	if len(elsewhere) > 0 {
		t.Error("a redirect was followed")
	}
}
