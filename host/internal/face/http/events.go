package http

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	nethttp "net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// maxStreams bounds the event streams of all agents.
const maxStreams = 64

// Reasons for which a stream ends, as its last event says.
var (
	errRevoked = errors.New("token_revoked")
	errSlow    = errors.New("too_slow")
)

// stream is one open event stream.
type stream struct {
	identity gate.Identity
	cancel   context.CancelCauseFunc
	cut      func(time.Time) // no write takes longer than until then
}

// streams are the open ones.
type streams struct {
	mu   sync.Mutex
	open map[*stream]struct{}
}

func (s *streams) add(one *stream) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) >= maxStreams {
		return false
	}
	if s.open == nil {
		s.open = make(map[*stream]struct{})
	}
	s.open[one] = struct{}{}
	return true
}

func (s *streams) remove(one *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, one)
}

// end ends the streams of the identities that gone picks, whether they read or not.
func (s *streams) end(why error, gone func(gate.Identity) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for one := range s.open {
		if gone(one.identity) {
			one.cut(time.Now().Add(endTime))
			one.cancel(why)
		}
	}
}

// endTime is for the last event of a stream that is ended.
const endTime = 500 * time.Millisecond

// events serves GET /v1/events.
func (a *API) events(c *call) {
	asked, err := a.asked(c)
	if err != nil {
		c.fail(err)
		return
	}
	ctx, cancel := context.WithCancelCause(c.r.Context())
	defer cancel(nil)
	control := nethttp.NewResponseController(c.w)
	one := &stream{identity: c.identity, cancel: cancel, cut: func(at time.Time) { _ = control.SetWriteDeadline(at) }}
	if !a.streams.add(one) {
		c.fail(fault.New(fault.Busy, "%d event streams are open already", maxStreams).With("limit", maxStreams))
		return
	}
	defer a.streams.remove(one)
	c.head(nethttp.StatusOK)
	c.w.Header().Set("Content-Type", typeEvents)
	c.w.WriteHeader(nethttp.StatusOK)
	if c.r.Method == nethttp.MethodHead {
		return
	}
	agent := a.config.Hub.Open(asked.session).Attach(session.AttachOptions{
		Name: c.identity.Name, Level: protocol.Level(c.identity.Level), Resume: asked.resume, Types: asked.types,
	})
	defer agent.Detach()
	// A write may hang when the reader turns out to be too slow.
	var watch sync.WaitGroup
	defer watch.Wait()
	defer cancel(nil)
	watch.Go(func() {
		select {
		case <-agent.Failed():
			if errors.Is(agent.Err(), session.ErrTooSlow) {
				one.cut(time.Now().Add(slowTime))
				cancel(errSlow)
			}
		case <-ctx.Done():
		}
	})
	_ = control.SetWriteDeadline(time.Time{})
	out := &eventWriter{w: bufio.NewWriterSize(c.w, 32<<10), control: control, epoch: a.config.Hub.Epoch(), live: asked.resume == nil}
	out.line("retry", "1000")
	why := a.pump(ctx, agent, out)
	out.line("event", "end")
	out.line("data", `{"reason":"`+why+`"}`)
	_ = out.flush() // whoever is gone need not know
}

// slowTime is for a reader that fell behind to get to the end.
const slowTime = 10 * time.Second

// pump writes what the agent is to get until one of them ends, and says why that was.
func (a *API) pump(ctx context.Context, agent *session.Agent, out *eventWriter) string {
	for {
		if out.flush() != nil {
			return "client_gone"
		}
		wait, done := context.WithTimeout(ctx, a.config.PingEvery)
		batch, err := agent.Next(wait)
		done()
		switch {
		case err == nil:
			for _, message := range batch {
				out.message(message)
			}
		case ctx.Err() != nil:
			return reasonOf(context.Cause(ctx))
		case errors.Is(err, context.DeadlineExceeded):
			out.comment("ping")
		default:
			return reasonOf(err)
		}
	}
}

// reasonOf names why a stream ends, for its reader.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, errRevoked):
		return "token_revoked"
	case errors.Is(err, errSlow), errors.Is(err, session.ErrTooSlow):
		return "too_slow"
	case errors.Is(err, session.ErrRefused):
		return "refused"
	}
	return "host_restarting"
}

// stretch is what a stream was asked for.
type stretch struct {
	session string
	resume  *session.Resume
	types   []string
}

// asked reads the query. A browser that reconnects says in Last-Event-ID where it was,
// and sends the same query again, so the header counts.
func (a *API) asked(c *call) (stretch, error) {
	var out stretch
	if err := c.only("since", "epoch", "types"); err != nil {
		return out, err
	}
	for _, name := range []string{"since", "epoch"} {
		if len(c.form[name]) > 1 {
			return out, fault.New(fault.ValidationError, "the query has %s more than once", name).Suggest("Give it once.")
		}
	}
	var err error
	if out.session, err = a.sessionOf(c); err != nil {
		return out, err
	}
	since, epoch := c.form.Get("since"), c.form.Get("epoch")
	if last := c.r.Header.Get("Last-Event-ID"); last != "" {
		var ok bool
		if epoch, since, ok = strings.Cut(last, ":"); !ok {
			return out, fault.New(fault.ValidationError, "Last-Event-ID %q is no id of an event", last).Suggest("Leave it out; events have their ids.")
		}
	}
	if since != "" {
		n, err := strconv.ParseUint(since, 10, 64)
		if err != nil || n > protocol.MaxSafeInteger {
			return out, fault.New(fault.ValidationError, "since=%q is no number of an event", since).Suggest("Give the seq of the last event that you have, or 0.")
		}
		out.resume = &session.Resume{Since: n, Epoch: epoch}
		if log := a.config.Hub.Open(out.session); (epoch == "" || epoch == a.config.Hub.Epoch()) && n > log.Last() {
			return out, fault.New(fault.ValidationError, "there is no event %d yet", n).With("last", log.Last()).Suggest("Leave since out for what comes from now on.")
		}
	}
	for _, list := range c.form["types"] {
		for name := range strings.SplitSeq(list, ",") {
			if !session.IsLogged(name) {
				return out, fault.New(fault.ValidationError, "there is no event type %q", name).With("types", session.LoggedTypes()).
					Suggest("Use one or more of: " + strings.Join(session.LoggedTypes(), ", ") + ".")
			}
			out.types = append(out.types, name)
		}
	}
	return out, nil
}

// sessionOf is the session that a request is about: the one named, that of the context's
// own browser, or the user's default one.
func (a *API) sessionOf(c *call) (string, error) {
	who := c.request.Caller
	own, err := mine(who)
	if err != nil {
		return "", err
	}
	if who.Session != "" {
		if !sees(c.request.Foreign, own, who.Session) {
			return "", fault.New(fault.SessionNotFound, "there is no session %s", who.Session).Suggest("List those that you can see: GET /v1/overview")
		}
		return who.Session, nil
	}
	if c.form.Get("session") == own { // said explicitly
		return own, nil
	}
	context, _, err := a.config.Runner.Slots.Resolve(c.r.Context(), who)
	if err != nil {
		return "", err
	}
	if context.Browser() != nil {
		return own, nil
	}
	return protocol.DefaultSession, nil
}

// eventWriter writes server-sent events.
type eventWriter struct {
	w       *bufio.Writer
	control *nethttp.ResponseController
	epoch   string
	live    bool // not resumed: the first message says where the log is
}

func (e *eventWriter) line(name, value string) {
	_, _ = e.w.WriteString(name + ": " + value + "\n") // flush tells of errors
	if name == "data" || name == "retry" {
		_ = e.w.WriteByte('\n')
	}
}

func (e *eventWriter) comment(text string) { _, _ = e.w.WriteString(": " + text + "\n\n") }

// message writes a message of the protocol as an event of its type. Those of the log
// have an id, by which a browser resumes; what is for this reader only has none.
func (e *eventWriter) message(data []byte) {
	var head struct {
		Type    string `json:"type"`
		Seq     uint64 `json:"seq"`
		LastSeq uint64 `json:"lastSeq"`
	}
	if json.Unmarshal(data, &head, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) != nil {
		return // it is our own writing
	}
	if e.live && head.Type == protocol.TypeWelcome {
		head.Seq = head.LastSeq
	}
	if head.Seq > 0 || e.live && head.Type == protocol.TypeWelcome {
		e.line("id", e.epoch+":"+strconv.FormatUint(head.Seq, 10))
	}
	e.line("event", head.Type)
	_, _ = e.w.WriteString("data: ")
	_, _ = e.w.Write(bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r"), nil), []byte("\n"), []byte("\ndata: ")))
	_, _ = e.w.WriteString("\n\n")
}

func (e *eventWriter) flush() error {
	if err := e.w.Flush(); err != nil {
		return err
	}
	return e.control.Flush()
}
