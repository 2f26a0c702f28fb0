package hostlink

import (
	"context"
	"errors"
	"time"

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

// closeHandshake is how long a peer may take to answer a close.
const closeHandshake = 100 * time.Millisecond

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

// Close says goodbye, but does not wait long for an answer: the relay must be gone within 200 ms.
func (c webSocketConn) Close(reason string) error {
	cut := time.AfterFunc(closeHandshake, func() { _ = c.ws.CloseNow() })
	defer cut.Stop()
	if len(reason) > 123 { // the most a close frame holds
		reason = reason[:123]
	}
	return c.ws.Close(websocket.StatusNormalClosure, reason)
}
