package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// maxMessage is what one message from the daemon may be: the largest the extension can send, and its envelope.
const maxMessage = 80 << 20

// AttachOptions says what an agent wants to see.
type AttachOptions struct {
	Session string   // default when empty
	Since   *uint64  // live only when nil
	Epoch   string   // with Since above 0
	Types   []string // all when empty
}

// Attach opens the agent's WebSocket. No token goes with it: the socket is the proof.
func (c *Client) Attach(ctx context.Context, options AttachOptions) (*websocket.Conn, error) {
	return c.websocket(ctx, options.path(), protocol.Subprotocol)
}

func (options AttachOptions) path() string {
	query := url.Values{"role": {"agent"}, "sessionId": {protocol.DefaultSession}}
	if options.Session != "" {
		query.Set("sessionId", options.Session)
	}
	if options.Since != nil {
		query.Set("since", strconv.FormatUint(*options.Since, 10))
		if options.Epoch != "" {
			query.Set("epoch", options.Epoch)
		}
	}
	if len(options.Types) > 0 {
		query.Set("types", strings.Join(options.Types, ","))
	}
	return "/debug?" + query.Encode()
}

// HostLink opens the link that the native messaging relay copies.
func (c *Client) HostLink(ctx context.Context) (*websocket.Conn, error) {
	return c.websocket(ctx, "/hostlink")
}

func (c *Client) websocket(ctx context.Context, path string, subprotocols ...string) (*websocket.Conn, error) {
	conn, err := openWebSocket(ctx, "ws://localhost"+path, &websocket.DialOptions{HTTPClient: c.http, Subprotocols: subprotocols})
	var told *fault.Error
	if err != nil && !errors.As(err, &told) {
		return nil, unavailable(c.socket, err)
	}
	return conn, err
}

// openWebSocket gives what the other end refused as a fault, other errors as they are.
func openWebSocket(ctx context.Context, address string, options *websocket.DialOptions) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	if options.HTTPHeader == nil {
		options.HTTPHeader = http.Header{}
	}
	options.HTTPHeader.Set("User-Agent", "dbridge/"+version.Version)
	conn, response, err := websocket.Dial(ctx, address, options)
	if err != nil {
		if response != nil {
			return nil, refused(response.StatusCode, err)
		}
		return nil, err
	}
	conn.SetReadLimit(maxMessage)
	return conn, nil
}

func refused(status int, err error) *fault.Error {
	switch status {
	case http.StatusBadRequest:
		return fault.New(fault.ValidationError, "the daemon refused the parameters of this connection").Because(err).
			Suggest("Give --epoch with --since above 0; both stand in `welcome`.", "A session name is 1 to 64 letters, digits, dots, dashes and underscores.")
	case http.StatusUnauthorized, http.StatusForbidden:
		return fault.New(fault.Unauthorized, "the daemon refused this connection (HTTP %d)", status).Because(err)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return fault.New(fault.Busy, "the daemon is busy (HTTP %d)", status).Because(err)
	case http.StatusNotFound:
		return fault.New(fault.VersionMismatch, "the daemon does not know this kind of connection").Because(err)
	}
	return fault.New(fault.ProtocolError, "the daemon did not open the connection (HTTP %d)", status).Because(err)
}

// connectTries is how often a WebSocket is tried on a daemon that answered a moment before.
const connectTries = 5

// Connect opens a WebSocket to a daemon, starting one where none answers. A
// daemon may end, or drop a connection, between its answer and the handshake;
// nothing was asked of it then, so it is tried again.
func Connect(ctx context.Context, home *state.Home, options EnsureOptions, open func(*Client) (*websocket.Conn, error)) (*websocket.Conn, error) {
	var conn *websocket.Conn
	tries := 0
	err := poll(ctx, func() (bool, error) {
		tries++
		client, err := Ensure(ctx, home, options)
		if err != nil {
			return false, err
		}
		defer client.Close()
		conn, err = open(client)
		if r := reason(err); tries < connectTries && (r == ReasonNoAnswer || r == ReasonNotRunning) {
			return false, nil
		}
		return true, err
	})
	if err != nil {
		return nil, err
	}
	return conn, nil
}
