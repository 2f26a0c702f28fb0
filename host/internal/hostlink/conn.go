package hostlink

import (
	"context"
	"errors"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// MessageConn carries whole messages. Read and Write may be called at the same
// time, each by one goroutine; when their context ends they return, and the
// connection may be unusable from then on. Close unblocks both and may be called twice.
type MessageConn interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, message []byte) error
	Close(reason string) error
}

// errBinary is the error of a binary WebSocket message: the link is text.
var errBinary = errors.New("binary message on the link")

type webSocketConn struct{ ws *websocket.Conn }

// WebSocket makes a MessageConn of a WebSocket, whose read limit it raises to
// the largest message that the extension can send.
func WebSocket(ws *websocket.Conn) MessageConn {
	ws.SetReadLimit(nativemsg.MaxFromBrowser)
	return webSocketConn{ws}
}

func (c webSocketConn) Read(ctx context.Context) ([]byte, error) {
	kind, message, err := c.ws.Read(ctx)
	if err == nil && kind != websocket.MessageText {
		return nil, errBinary
	}
	return message, err
}

func (c webSocketConn) Write(ctx context.Context, message []byte) error {
	return c.ws.Write(ctx, websocket.MessageText, message)
}

// Close cuts the connection at once: the last word of a link is its bye frame,
// which the peer can still read, while a WebSocket closing handshake waits up to 5 s for a peer that may be stuck.
func (c webSocketConn) Close(string) error { return c.ws.CloseNow() }
