// Package devtools is a browser as a DevTools client sees it: the browser-level domains,
// targets and flat sessions. Over a managed or remote browser (Direct) every client gets a
// browser session of its own on the one connection; over the person's Chrome (Tabs), where
// chrome.debugger knows tabs only, the browser level is modelled over the connected ones.
//
// The face (face/cdp) carries messages; this package knows no transport of clients.
package devtools

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"
)

// Message is one request of a client (Chrome DevTools Protocol, JSON message format).
type Message struct {
	ID        int64
	Method    string
	Params    jsontext.Value
	SessionID string // of the client's own view; empty is the browser
}

// Error codes of answers (JSON-RPC 2.0 section 5.1 and what Chrome sends).
const (
	CodeServerError     = -32000 // refused or failed; the message says why
	CodeSessionNotFound = -32001
	CodeMethodNotFound  = -32601
	CodeInvalidParams   = -32602
)

// Out takes what goes to one client, in order. Its methods never block for long, may be
// called from any goroutine, and keep nothing of what they are given after they return.
type Out interface {
	Result(id int64, session string, result jsontext.Value)
	Fail(id int64, session string, code int, message string)
	Event(session, method string, params jsontext.Value)
	// End closes the client's connection: the browser is gone, or the access is.
	End(reason string)
}

// Port is one client's way to a browser. Send is called from one goroutine, in the order
// of the messages, and does not wait for answers. Close ends what the client had attached
// to; nothing goes to its Out after Close has returned.
type Port interface {
	Send(ctx context.Context, message Message)
	Close()
}

// Target is a target of the list (/json/list).
type Target struct {
	ID    string // unguessable
	Type  string // page
	Title string
	URL   string
}

// Version is what /json/version tells beside the address.
type Version struct {
	Browser         string // Chrome/156.0.8078.79
	ProtocolVersion string // 1.3
	UserAgent       string
	V8Version       string
	WebKitVersion   string
}

// Browser is what a client may connect to.
type Browser interface {
	Version(ctx context.Context) (Version, error)
	Targets(ctx context.Context) ([]Target, error)
	// Open makes a port for one client. target names the page that the client wants
	// alone (/devtools/page/ID: the root session is that page's); empty is the browser.
	Open(ctx context.Context, out Out, target string) (Port, error)
}
