package client

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/debug-bridge/debug-bridge/host/connect"
)

// EventsOptions says which events are wanted, and from where on.
type EventsOptions struct {
	// Session is the session whose log is read. Without it that of [WithSession], then
	// that of the browser of this client's context, then the one of the person's pages.
	Session string
	// Since gives the log's events after this number first; 0 is all that it holds.
	// Without it only what comes from now on is given.
	Since *uint64
	// Epoch is the [Event.Epoch] that Since was read under; needed where Since is above 0.
	Epoch string
	// Types are the types wanted, such as console and error; all when empty. Gaps always come.
	Types []string
}

// Event is one event of a session's log.
type Event struct {
	// Seq is its number: gapless in the log, from 1, unless [EventsOptions.Types] leaves
	// some out. 0 of a gap.
	Seq uint64
	// Epoch names the life of the daemon that Seq belongs to. Keep both to go on there later.
	Epoch     string
	Type      string // console, error, page_navigated, …, or gap
	SessionID string
	PageID    int    // 0 where it is about no page
	FrameID   string // main or a child frame's
	RequestID string // of the command that it answers
	Time      time.Time
	Raw       json.RawMessage // all of it
}

// Body is the event's own part, as a pointer to the struct of its type: *[ConsoleEvent],
// *[PageErrorEvent], *[PageNavigatedEvent], *[GapEvent], …; nil of a type that this
// package does not know.
//
//	switch e := event.Body().(type) {
//	case *client.ConsoleEvent:
//		fmt.Println(e.Level, e.Args)
//	}
func (e *Event) Body() any {
	body := newBody(e.Type)
	if body == nil || json.Unmarshal(e.Raw, body) != nil {
		return nil
	}
	return body
}

// header is the common part of all messages.
type header struct {
	Type      string `json:"type"`
	SessionID string `json:"sessionId"`
	Timestamp int64  `json:"timestamp"`
	Seq       uint64 `json:"seq"`
	PageID    int    `json:"pageId"`
	FrameID   string `json:"frameId"`
	RequestID string `json:"requestId"`
}

// Events gives the events of a session until ctx ends, which is no error, or the loop
// does. Lost connections are made anew, and so is a daemon that died (not one that was
// stopped: its successor is waited for), with growing pauses. No event comes twice; what cannot be had any
// more comes as an event of type gap. While the loop's body runs, up to 2,000 events
// wait; beyond that the connection is made anew from where the loop is.
//
// An error is the last thing given: [ErrUnauthorized] of a token that was revoked,
// [ErrValidation] of a since without its epoch, [ErrDaemonUnavailable] where there is no
// daemon to begin with.
func (c *Client) Events(ctx context.Context, options EventsOptions) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if c.closed.Load() {
			yield(Event{}, failure(connect.Failed(string(CodeDaemonUnavailable), "the client was closed", "Connect anew."), ""))
			return
		}
		session, err := c.sessionOf(ctx, options.Session)
		if err != nil {
			if ctx.Err() == nil {
				yield(Event{}, err)
			}
			return
		}
		inner, cancel := context.WithCancel(ctx)
		messages, ended := make(chan connect.Message), make(chan error, 1)
		go func() {
			attach := connect.Attach{Session: session, Since: options.Since, Epoch: options.Epoch, Types: options.Types}
			ended <- c.way.Events(inner, attach, func(m connect.Message) {
				select {
				case messages <- m:
				case <-inner.Done():
				}
			})
			close(messages)
		}()
		defer func() {
			cancel()
			for range messages { // until the connection is closed
			}
		}()
		for m := range messages {
			if ctx.Err() != nil || !yield(read(m), nil) {
				return
			}
		}
		if err := <-ended; err != nil && ctx.Err() == nil {
			yield(Event{}, failure(err, ""))
		}
	}
}

func read(m connect.Message) Event {
	var h header
	_ = json.Unmarshal(m.Raw, &h) // what does not fit is in Raw
	return Event{
		Seq: h.Seq, Epoch: m.Epoch, Type: h.Type, SessionID: h.SessionID, PageID: h.PageID, FrameID: h.FrameID, RequestID: h.RequestID,
		Time: time.UnixMilli(h.Timestamp), Raw: m.Raw,
	}
}

// sessionOf is the session that is meant.
func (c *Client) sessionOf(ctx context.Context, named string) (string, error) {
	switch {
	case named != "":
		return named, nil
	case c.options.Session != "":
		return c.options.Session, nil
	}
	status, err := c.Session().Status(ctx, SessionStatusParams{})
	switch {
	case err != nil && CodeOf(err) != CodeSessionNotFound:
		return "", err
	case err == nil && (status.State == "running" || status.State == "starting"):
		return status.Context, nil
	}
	return "", nil
}

// Session is a group of pages and agents, with one log of events.
type Session struct {
	ID       string // name, as in [EventsOptions] and [WithSession]
	FirstSeq uint64 // oldest event that the log holds
	LastSeq  uint64 // newest, 0 of an empty log
	Pages    []PageInfo
	Agents   []string // names of who listens
}

// overview is what a daemon tells of its sessions: pages and agents are within them over
// the socket, beside them (and counted in them) over TCP.
type overview struct {
	Sessions []struct {
		ID       string          `json:"id"`
		FirstSeq uint64          `json:"firstSeq"`
		LastSeq  uint64          `json:"lastSeq"`
		Pages    json.RawMessage `json:"pages"`
		Agents   json.RawMessage `json:"agents"`
	} `json:"sessions"`
	Pages []struct {
		PageInfo
		Page    int    `json:"page"`
		Session string `json:"session"`
	} `json:"pages"`
	Agents []struct {
		Session string `json:"session"`
		Name    string `json:"name"`
	} `json:"agents"`
}

// Sessions lists the daemon's sessions by name: the one of the person's pages, default,
// others that pages were connected to, and one for each browser that was started. Over
// TCP those of other agents' browsers are left out, and capabilities of pages.
func (c *Client) Sessions(ctx context.Context) ([]Session, error) {
	data, err := c.way.Sessions(ctx)
	if err != nil {
		return nil, failure(err, "")
	}
	var all overview
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, failure(connect.Failed(string(CodeVersionMismatch), "the daemon's sessions cannot be read: "+err.Error()), "")
	}
	list := make([]Session, len(all.Sessions))
	for i, s := range all.Sessions {
		made := Session{ID: s.ID, FirstSeq: s.FirstSeq, LastSeq: s.LastSeq}
		_ = json.Unmarshal(s.Pages, &made.Pages) // a number over TCP
		var agents []struct{ Name string }
		_ = json.Unmarshal(s.Agents, &agents) // the same
		for _, agent := range agents {
			made.Agents = append(made.Agents, agent.Name)
		}
		for _, p := range all.Pages {
			if p.Session == s.ID {
				p.PageID = p.Page
				made.Pages = append(made.Pages, p.PageInfo)
			}
		}
		for _, agent := range all.Agents {
			if agent.Session == s.ID {
				made.Agents = append(made.Agents, agent.Name)
			}
		}
		list[i] = made
	}
	return list, nil
}
