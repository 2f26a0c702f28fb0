package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"sync/atomic"
	"time"

	"github.com/debug-bridge/debug-bridge/host/connect"
)

// Client is a connection to a daemon. Safe for concurrent use. Made by [Connect]; Close it.
type Client struct {
	way     *connect.Way
	options settings
	closed  atomic.Bool
}

// Option changes how [Connect] connects.
type Option func(*settings)

type settings = connect.Options

// WithURL reaches a daemon over TCP at an address such as http://127.0.0.1:9224, which
// `dbridge daemon status` tells as httpUrl. It needs [WithToken]. No daemon is started.
func WithURL(address string) Option {
	return func(o *settings) { o.Address = address }
}

// WithToken is the proof of who asks, for [WithURL]: what `dbridge token new NAME` prints.
func WithToken(token string) Option { return func(o *settings) { o.Token = token } }

// WithContext names the context: its browser, pages and lasting changes are those of all
// who give the same name, and nobody else's. Without it the environment's
// DBRIDGE_CONTEXT_ID counts, then the process that started this one. Not over TCP.
func WithContext(name string) Option { return func(o *settings) { o.Context = name } }

// WithShareGroup shares one context with all who name this group. A context that is
// named, by WithContext or the environment, counts before it. Not over TCP.
func WithShareGroup(name string) Option {
	return func(o *settings) { o.ShareGroup = name }
}

// WithProfile chooses the browser: user (the person's own Chrome, by the extension),
// managed, remote, or a name of yours.
func WithProfile(name string) Option { return func(o *settings) { o.Profile = name } }

// WithSession names the session of the person's pages that is meant; default without it.
func WithSession(name string) Option { return func(o *settings) { o.Session = name } }

// WithProgram is the path of the dbridge that starts a daemon; the one in PATH without it.
func WithProgram(path string) Option { return func(o *settings) { o.Program = path } }

// WithoutStart starts no daemon: where none runs, Connect and commands end with
// [ErrDaemonUnavailable].
func WithoutStart() Option { return func(o *settings) { o.Never = true } }

// Connect connects to the daemon. ctx is for connecting only.
//
// Errors: [ErrDaemonUnavailable] where none runs and none can be started,
// [ErrUnauthorized] for a token that is not valid, [ErrFileAccessFailed] for a home that
// others could change.
func Connect(ctx context.Context, options ...Option) (*Client, error) {
	c := &Client{}
	for _, option := range options {
		option(&c.options)
	}
	o := &c.options
	switch {
	case o.Address == "" && o.Token != "":
		return nil, failure(connect.Failed(string(CodeValidationError), "a token without an address", `Give both: WithURL("http://127.0.0.1:9224"), WithToken(token)`), "")
	case o.Address != "" && (o.Context != "" || o.ShareGroup != ""):
		return nil, failure(connect.Failed(string(CodeValidationError), "over TCP the token names the context", "Leave out WithContext and WithShareGroup.", "Another token is another context: dbridge token new NAME"), "")
	}
	var err error
	if c.way, err = connect.Open(ctx, *o); err != nil {
		return nil, failure(err, "")
	}
	if c.way.Remote() { // nothing was sent yet, so nothing is known of address and token
		if _, err := c.Session().Status(ctx, SessionStatusParams{}); err != nil && CodeOf(err) != CodeSessionNotFound {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// Close lets the connections go. Browsers and pages stay, as long as their context's lease
// says; commands under way end as they would. Afterwards commands are refused.
func (c *Client) Close() error {
	if !c.closed.Swap(true) {
		c.way.Close()
	}
	return nil
}

// CallOption is for one call.
type CallOption func(*callOptions)

type callOptions struct {
	page      int
	timeout   time.Duration
	requestID string
	meta      *Meta
}

// Page says which page a command is about; without it the context's current one.
func Page(id int) CallOption { return func(o *callOptions) { o.page = id } }

// Timeout limits a command's time instead of its own limit, which its method tells; in
// whole milliseconds, at most 10 minutes.
func Timeout(d time.Duration) CallOption { return func(o *callOptions) { o.timeout = d } }

// RequestID names a call. A command about a page that comes a second time under its name
// is not done a second time: it is answered with the result of the first.
func RequestID(id string) CallOption { return func(o *callOptions) { o.requestID = id } }

// Into has what is known about the answer written to m, of failed calls too.
func Into(m *Meta) CallOption { return func(o *callOptions) { o.meta = m } }

// Meta is what is known about an answer.
type Meta struct {
	RequestID string
	Duration  time.Duration // in the daemon, to the millisecond
	Warnings  []string      // for people
}

// envelope is an answer.
type envelope struct {
	OK    *bool           `json:"ok"`
	Data  json.RawMessage `json:"data"`
	Error *Error          `json:"error"`
	Meta  struct {
		RequestID  string   `json:"requestId"`
		DurationMs int64    `json:"durationMs"`
		Retryable  bool     `json:"retryable"`
		Warnings   []string `json:"warnings"`
	} `json:"meta"`
}

// Run runs a command by its name (page.open), with its parameters as any value that JSON
// makes an object of, or nil, and gives its result as JSON. It is for commands that this
// package does not know; each is sent with a time limit of 30 s without [Timeout].
func (c *Client) Run(ctx context.Context, command string, params any, options ...CallOption) (json.RawMessage, error) {
	return c.call(ctx, command, defaultLimit, params, options, nil)
}

const defaultLimit = 30 * time.Second

// run is a command with a result of a type.
func run[R any](ctx context.Context, c *Client, command string, limit time.Duration, params any, options []CallOption) (*R, error) {
	data, err := c.call(ctx, command, limit, params, options, nil)
	if err != nil {
		return nil, err
	}
	result := new(R)
	if err := json.Unmarshal(data, result); err != nil {
		return nil, failure(connect.Failed(string(CodeVersionMismatch), "the result of "+command+" is not of the form that this package knows: "+err.Error()), "")
	}
	return result, nil
}

// errEnough ends a stream that nobody reads any more.
var errEnough = errors.New("enough")

// stream is a command with its lines.
func (c *Client) stream(ctx context.Context, command string, limit time.Duration, params any, options []CallOption) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		_, err := c.call(ctx, command, limit, params, options, func(line []byte) error {
			if !yield(bytes.Clone(line), nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// call runs a command. line gets what comes before the answer; nil drops it.
func (c *Client) call(ctx context.Context, command string, limit time.Duration, params any, options []CallOption, line func([]byte) error) (json.RawMessage, error) {
	o := callOptions{}
	for _, option := range options {
		option(&o)
	}
	if o.requestID == "" {
		o.requestID = "g" + strings.ToLower(rand.Text()[:12])
	}
	if o.meta != nil {
		*o.meta = Meta{RequestID: o.requestID}
	}
	request := &connect.Request{Command: command, Page: o.page, Timeout: o.timeout, Limit: limit, RequestID: o.requestID, Lines: line != nil}
	var err error
	switch {
	case c.closed.Load():
		err = connect.Failed(string(CodeDaemonUnavailable), "the client was closed", "Connect anew.")
	case o.page < 0 || o.timeout < 0:
		err = connect.Failed(string(CodeValidationError), "a page's id and a time limit are above 0")
	case ctx.Err() != nil: // nothing is sent
		err = ctx.Err()
	case params != nil:
		if request.Params, err = json.Marshal(params); err != nil {
			err = connect.Failed(string(CodeValidationError), "the parameters of "+command+" cannot be written as JSON: "+err.Error())
		}
	}
	if err != nil {
		return nil, failure(err, o.requestID)
	}
	answer, other, err := c.way.Run(ctx, request, line)
	if err != nil {
		return nil, failure(err, o.requestID)
	}
	var read envelope
	if err := json.Unmarshal(answer, &read); err != nil || read.OK == nil || !*read.OK && read.Error == nil {
		return nil, failure(connect.Failed(string(CodeVersionMismatch), "the daemon's answer is not one that this package knows"), o.requestID)
	}
	if o.meta != nil {
		*o.meta = Meta{RequestID: read.Meta.RequestID, Duration: time.Duration(read.Meta.DurationMs) * time.Millisecond, Warnings: read.Meta.Warnings}
	}
	if *read.OK {
		return read.Data, nil
	}
	read.Error.Retryable, read.Error.RequestID = read.Meta.Retryable, read.Meta.RequestID
	if other != "" && (read.Error.Code == CodeValidationError || read.Error.Code == CodeUnknownType) { // means nothing then
		mismatch := failure(connect.Failed(string(CodeVersionMismatch), "the daemon is of version "+other+", this package of another: "+read.Error.Message,
			"dbridge daemon stop", "Update this module and dbridge to one version."), read.Meta.RequestID)
		return nil, mismatch
	}
	return nil, read.Error
}
