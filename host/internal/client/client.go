// Package client finds, starts and talks to the daemon, over its local socket
// only: the other end is proven to run as this user before a byte is sent, so
// nothing can reach a foreign program that took our port or path.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

const (
	// dialTimeout bounds connecting to a local socket and getting its first answer.
	dialTimeout = 5 * time.Second
	// stopTimeout is what a stop may take: 5 s of draining, then some.
	stopTimeout = 10 * time.Second
	// maxAnswer bounds an answer of the local API.
	maxAnswer = 64 << 20
	baseURL   = "http://localhost"
)

// Client talks to one running daemon. Safe for concurrent use; Close it.
type Client struct {
	home   *state.Home
	socket string
	http   *http.Client
	status *Status
}

// Status is what `daemon status` tells: the discovery fields, and Raw with all of it.
type Status struct {
	state.Discovery
	Raw json.RawMessage
}

// Dial connects to the daemon that runs. DAEMON_UNAVAILABLE where none answers;
// details.reason is not_running, foreign_server or no_answer.
func Dial(ctx context.Context, home *state.Home) (*Client, error) {
	c, err := dialSocket(ctx, home, home.Socket())
	if errors.Is(err, syscall.ECONNRESET) { // it died in this moment; now it is gone, or there is the next one
		c, err = dialSocket(ctx, home, home.Socket())
	}
	if err == nil || reason(err) != ReasonNotRunning {
		return c, err
	}
	// A short socket directory depends on TMPDIR; the daemon may have another one.
	if published, readErr := home.ReadDiscovery(); readErr == nil && published.Socket != "" && published.Socket != home.Socket() {
		if other, otherErr := dialSocket(ctx, home, published.Socket); otherErr == nil {
			return other, nil
		}
	}
	return nil, err
}

// The reasons of DAEMON_UNAVAILABLE, in details.reason.
const (
	ReasonNotRunning = "not_running"
	ReasonForeign    = "foreign_server"
	ReasonNoAnswer   = "no_answer"
	ReasonNotStarted = "not_started"
)

func dialSocket(ctx context.Context, home *state.Home, socket string) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	c := &Client{home: home, socket: socket}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext:        func(ctx context.Context, _, _ string) (net.Conn, error) { return connect(ctx, socket) },
			DisableCompression: true,
			MaxIdleConns:       2,
			IdleConnTimeout:    10 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	status, err := c.Status(ctx)
	if err != nil {
		c.Close()
		return nil, err
	}
	c.status = status
	return c, nil
}

// connect opens the socket and checks who is at its other end.
func connect(ctx context.Context, socket string) (net.Conn, error) {
	if err := state.CheckSocket(socket); err != nil {
		return nil, err
	}
	conn, err := dialNative(ctx, socket)
	if err != nil {
		return nil, err
	}
	if err := state.CheckPeer(conn); err != nil {
		conn.Close()
		return nil, &foreignError{err}
	}
	return conn, nil
}

type foreignError struct{ cause error }

func (e *foreignError) Error() string { return e.cause.Error() }
func (e *foreignError) Unwrap() error { return e.cause }

// unavailable turns what went wrong on the way to the daemon into the fault a caller can act on.
func unavailable(socket string, err error) *fault.Error {
	f := fault.New(fault.DaemonUnavailable, "the daemon does not answer: %v", err).With("socket", socket).With("reason", ReasonNoAnswer).Because(err)
	var foreign *foreignError
	var known *fault.Error
	switch {
	case errors.As(err, &foreign):
		f.Message = "something that is not this user's daemon listens at " + socket + "; nothing was sent to it"
		return f.With("reason", ReasonForeign).Suggest("Remove it, or set DBRIDGE_HOME to a folder of your own.")
	case state.Refused(err):
		f.Message = "no daemon is running"
		return f.With("reason", ReasonNotRunning)
	case errors.As(err, &known) && known.Code == fault.FileAccessFailed:
		return known
	case errors.Is(err, context.DeadlineExceeded) || os.IsTimeout(err):
		f.Message = "the daemon did not answer in time"
	}
	return f.Suggest("Look at `dbridge daemon logs`.", "Then start it again: `dbridge daemon stop`, `dbridge daemon start`.")
}

func reason(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		if text, ok := f.Details["reason"].(string); ok {
			return text
		}
	}
	return ""
}

// envelope is the answer of the local API.
type envelope struct {
	OK    *bool           `json:"ok"`
	Data  json.RawMessage `json:"data"`
	Error *struct {
		Code        fault.Code     `json:"code"`
		Message     string         `json:"message"`
		Details     map[string]any `json:"details"`
		Suggestions []string       `json:"suggestions"`
	} `json:"error"`
}

// Call does one request of the local API. body and out may be nil. Errors are *fault.Error, the daemon's own among them.
func (c *Client) Call(ctx context.Context, method, path string, body, out any) error {
	var reader io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return fault.From(err)
		}
		reader = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, baseURL+path, reader)
	if err != nil {
		return fault.From(err)
	}
	if method != http.MethodGet {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("User-Agent", "dbridge/"+version.Version)
	response, err := c.http.Do(request)
	if err != nil {
		return unavailable(c.socket, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return unavailable(c.socket, err)
	}
	return decode(response.StatusCode, data, out)
}

func decode(status int, data []byte, out any) error {
	var answer envelope
	if len(data) > maxAnswer {
		return fault.New(fault.ResultTooLarge, "the daemon's answer is larger than %d bytes", maxAnswer)
	}
	if err := json.Unmarshal(data, &answer); err != nil || answer.OK == nil {
		return fault.New(fault.VersionMismatch, "the daemon's answer (HTTP %d) is not one this program knows", status).
			Suggest("Start the daemon of this version: `dbridge daemon stop`, then `dbridge daemon start`.")
	}
	if !*answer.OK {
		if answer.Error == nil {
			return fault.New(fault.InternalError, "the daemon refused without saying why (HTTP %d)", status)
		}
		f := fault.New(answer.Error.Code, "%s", answer.Error.Message)
		for key, value := range answer.Error.Details {
			f.With(key, value)
		}
		if len(answer.Error.Suggestions) > 0 {
			f.Suggest(answer.Error.Suggestions...)
		}
		return f
	}
	switch target := out.(type) {
	case nil:
		return nil
	case *json.RawMessage:
		*target = answer.Data
		return nil
	default:
		if err := json.Unmarshal(answer.Data, target); err != nil {
			return fault.New(fault.VersionMismatch, "the daemon's answer cannot be read: %v", err)
		}
		return nil
	}
}

// Status asks the daemon who it is and how it does.
func (c *Client) Status(ctx context.Context) (*Status, error) {
	status := &Status{}
	if err := c.Call(ctx, http.MethodGet, "/v1/daemon/status", nil, &status.Raw); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(status.Raw, &status.Discovery); err != nil || status.Pid == 0 {
		return nil, fault.New(fault.VersionMismatch, "the daemon's status is not one this program knows").
			Suggest("Stop that daemon, then start this version's: `dbridge daemon start`.")
	}
	return status, nil
}

// Known is the status that Dial got.
func (c *Client) Known() *Status { return c.status }

// Reload makes the daemon read tokens and allow list again at once.
func (c *Client) Reload(ctx context.Context) error {
	return c.Call(ctx, http.MethodPost, "/v1/daemon/reload", struct{}{}, nil)
}

// Stop ends the daemon and waits until it is gone: nobody answers, and its lock is free.
func (c *Client) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	// The answer may be cut off by the very stop that was asked for.
	if err := c.Call(ctx, http.MethodPost, "/v1/daemon/stop", struct{}{}, nil); err != nil && reason(err) == "" {
		return err
	}
	c.http.CloseIdleConnections()
	err := poll(ctx, func() (bool, error) { return c.gone() })
	if err != nil && ctx.Err() != nil {
		return fault.New(fault.Timeout, "the daemon (process %d) did not stop in %s", c.status.Pid, stopTimeout).
			With("pid", c.status.Pid).
			Suggest("Look at `dbridge daemon logs`.", fmt.Sprintf("Then end it: kill -9 %d", c.status.Pid))
	}
	return err
}

func (c *Client) gone() (bool, error) {
	if err := state.CheckSocket(c.socket); err == nil {
		conn, err := dialNative(context.Background(), c.socket)
		if err == nil {
			conn.Close()
			return false, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return unlocked(c.home)
}

// unlocked reports whether no process holds the daemon's lock.
func unlocked(home *state.Home) (bool, error) {
	lock, err := home.TryLock()
	switch {
	case err == nil:
		return true, lock.Release()
	case reason(err) == state.ReasonLocked:
		return false, nil
	}
	return false, err
}

// Close lets the connections go. The daemon stays.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// poll calls done with a short, growing pause until it says yes, fails, or ctx ends.
func poll(ctx context.Context, done func() (bool, error)) error {
	pause := 5 * time.Millisecond
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		}
		ok, err := done()
		if ok || err != nil {
			return err
		}
		timer.Reset(pause)
		pause = min(pause*3/2, 100*time.Millisecond)
	}
}
