package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// lineType asks for what a command streams before its envelope.
const lineType = "application/x-ndjson"

// Remote is a daemon reached over TCP: its HTTP API for commands, its WebSocket for
// events, a token as the proof. Nothing is started there. Safe for concurrent use.
type Remote struct {
	base   *url.URL
	token  string
	choice url.Values // what of the query is the same for all commands
	http   *http.Client
}

// NewRemote makes a way to the daemon at an address such as http://127.0.0.1:9224.
// choice is put into the query of each command (profile, session). Nothing is sent yet.
func NewRemote(address, token string, choice url.Values) (*Remote, error) {
	base, err := url.Parse(address)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.User != nil || strings.Trim(base.Path, "/") != "" || base.RawQuery != "" {
		return nil, fault.New(fault.ValidationError, "the daemon's address is not of the form http://HOST:PORT").Suggest("`dbridge daemon status` tells it: httpUrl.")
	}
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, fault.New(fault.Unauthorized, "the daemon at %s needs a token", base.Host).Suggest("Make one: dbridge token new NAME")
	}
	return &Remote{
		base: &url.URL{Scheme: base.Scheme, Host: base.Host}, token: token, choice: choice,
		http: &http.Client{
			// No proxy of the environment: a token goes to the address that was named, or nowhere.
			Transport: &http.Transport{
				DialContext: (&net.Dialer{Timeout: dialTimeout}).DialContext, TLSHandshakeTimeout: dialTimeout,
				MaxIdleConnsPerHost: 16, IdleConnTimeout: 30 * time.Second,
			},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Close lets the connections go.
func (r *Remote) Close() { r.http.CloseIdleConnections() }

// Run runs a command, as Pool.Run does; the caller in the request is not sent, since the
// token says who asks.
func (r *Remote) Run(ctx context.Context, request *RunRequest, line func(kind string, value []byte) error) ([]byte, string, error) {
	sent := false
	ctx, cancel := context.WithCancelCause(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent = true }}))
	defer cancel(nil)
	// A daemon that hangs must not hang its callers.
	limit := request.limit()
	patience := func() {}
	if limit > 0 {
		timer := time.AfterFunc(limit+answerSlack, func() { cancel(errSilent) })
		defer timer.Stop()
		patience = func() { timer.Reset(limit + answerSlack) }
	}
	asked, err := r.request(ctx, request)
	if err != nil {
		return nil, "", err
	}
	response, err := r.http.Do(asked)
	switch {
	case err != nil && !sent:
		return nil, "", r.unreachable(ctx, err)
	case err != nil:
		return nil, "", r.lost(ctx, err)
	}
	defer response.Body.Close()
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "application/") {
		return nil, "", r.strange(response.StatusCode)
	}
	answer, err := readAnswer(response.Body, line, patience)
	var broken *brokenError
	switch {
	case errors.As(err, &broken):
		return nil, "", r.lost(ctx, broken.cause)
	case err != nil:
		return nil, "", err
	case !json.Valid(answer):
		return nil, "", r.strange(response.StatusCode)
	}
	other := response.Header.Get(version.Header)
	if other == version.Version {
		other = ""
	}
	return answer, other, nil
}

func (r *Remote) request(ctx context.Context, request *RunRequest) (*http.Request, error) {
	query := url.Values{}
	for name, values := range r.choice {
		query[name] = values
	}
	if request.Page != 0 {
		query.Set("page", strconv.Itoa(request.Page))
	}
	if request.TimeoutMs != 0 {
		query.Set("timeoutMs", strconv.Itoa(request.TimeoutMs))
	}
	resource, verb, _ := strings.Cut(request.Command, ".")
	to := r.base.JoinPath("v1", resource, verb)
	to.RawQuery = query.Encode()
	body := []byte(request.Params)
	if len(body) == 0 {
		body = []byte("{}")
	}
	asked, err := http.NewRequestWithContext(ctx, http.MethodPost, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fault.New(fault.ValidationError, "%s is no command", request.Command).Because(err)
	}
	r.sign(asked.Header)
	asked.Header.Set("Content-Type", "application/json")
	if request.RequestID != "" {
		asked.Header.Set("X-Request-Id", request.RequestID)
	}
	if request.Lines {
		asked.Header.Set("Accept", lineType)
	}
	return asked, nil
}

func (r *Remote) sign(header http.Header) {
	header.Set("Authorization", "Bearer "+r.token)
	header.Set("User-Agent", "dbridge/"+version.Version)
}

// Get asks for something of the daemon's own, such as /v1/overview.
func (r *Remote) Get(ctx context.Context, path string, out any) error {
	ctx, cancel := context.WithTimeout(ctx, answerSlack)
	defer cancel()
	asked, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base.JoinPath(path).String(), nil)
	if err != nil {
		return fault.From(err)
	}
	r.sign(asked.Header)
	response, err := r.http.Do(asked)
	if err != nil {
		return r.unreachable(ctx, err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		return r.unreachable(ctx, err)
	}
	return decode(response.StatusCode, data, out)
}

// Open makes an agent's connection; it is an Opener.
func (r *Remote) Open(ctx context.Context, options AttachOptions, _ bool) (*websocket.Conn, error) {
	header := http.Header{}
	r.sign(header)
	conn, err := openWebSocket(ctx, "ws"+strings.TrimPrefix(r.base.String(), "http")+options.path(),
		&websocket.DialOptions{HTTPClient: r.http, HTTPHeader: header, Subprotocols: []string{protocol.Subprotocol}})
	var told *fault.Error
	if err != nil && !errors.As(err, &told) {
		return nil, r.unreachable(ctx, err)
	}
	return conn, err
}

// errSilent ends waiting for a daemon that says nothing.
var errSilent = errors.New("no answer in time")

func (r *Remote) unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil && context.Cause(ctx) != errSilent {
		return ctx.Err()
	}
	return fault.New(fault.DaemonUnavailable, "no daemon can be reached at %s", r.base.Host).With("reason", ReasonNoAnswer).Because(err).
		Suggest("See whether it runs, and at which port: dbridge daemon status", "Start it: dbridge daemon start")
}

func (r *Remote) lost(ctx context.Context, err error) error {
	if context.Cause(ctx) == errSilent {
		return lost(context.WithoutCancel(ctx), context.DeadlineExceeded)
	}
	return lost(ctx, err)
}

// strange tells of an answer that is no envelope: the gate refuses before there is one.
func (r *Remote) strange(status int) error {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return refused(status, nil)
	}
	return fault.New(fault.VersionMismatch, "what answers at %s is no daemon that this program knows (HTTP %d)", r.base.Host, status).
		Suggest("See which address is the daemon's: dbridge daemon status", "Update both programs.")
}
