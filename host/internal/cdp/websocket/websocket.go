// Package websocket carries DevTools messages over a WebSocket, one in each text
// message: what a browser with an open debugging port speaks.
package websocket

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
)

// A browser on another machine that is gone without a word is noticed after about
// half a minute.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 15 * time.Second, Interval: 5 * time.Second, Count: 3}

// errBinary ends a connection: DevTools speaks text.
var errBinary = errors.New("the browser sent a binary message")

type transport struct {
	conn   *websocket.Conn
	ctx    context.Context // ends with Close; not of a call
	cancel context.CancelFunc
}

// Dial connects to a ws:// or wss:// address. Redirects are refused: the header may
// hold a secret that is meant for this host alone.
func Dial(ctx context.Context, url string, header http.Header) (cdp.Transport, error) {
	return DialLimit(ctx, url, header, cdp.MaxFromBrowser)
}

// DialLimit is Dial with another limit for messages from the browser.
func DialLimit(ctx context.Context, url string, header http.Header, limit int64) (cdp.Transport, error) {
	dialer := &net.Dialer{KeepAliveConfig: keepAlive}
	network := &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext}
	client := &http.Client{
		Transport:     network,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	conn, response, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: client, HTTPHeader: header, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		network.CloseIdleConnections()
		return nil, refusal(url, response, err)
	}
	conn.SetReadLimit(limit)
	t := &transport{conn: conn}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	return t, nil
}

func (t *transport) Read() ([]byte, error) {
	kind, message, err := t.conn.Read(t.ctx)
	switch {
	case errors.Is(err, websocket.ErrMessageTooBig):
		return nil, cdp.ErrMessageTooBig
	case err != nil:
		return nil, err
	case kind != websocket.MessageText:
		return nil, errBinary
	}
	return message, nil
}

func (t *transport) Write(message []byte) error {
	return t.conn.Write(t.ctx, websocket.MessageText, message)
}

func (t *transport) Close() error {
	t.cancel()
	return t.conn.CloseNow()
}
