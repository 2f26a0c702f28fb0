package page

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Question is asked of the person in front of the page, in a panel.
type Question struct {
	Text    string   // shown as it is, up to 2,000 characters
	Choices []string // what can be pressed instead of Done; up to 8
}

// Reply is what the person said.
type Reply struct {
	Answer string `json:"answer"` // done, cannot or choice
	Choice string `json:"choice"`
	Words  string `json:"words"` // what they wrote; may be empty
}

// askRound is how long one document is asked at a time, askPause how long a page that
// cannot be asked now is left alone unless something happens to it.
const (
	askRound = 2 * time.Second
	askPause = 500 * time.Millisecond
)

// AskPerson shows a question to the person and waits for what they say, over navigations:
// each document shows it anew. It runs outside of the page's turn. It ends with ctx (whose
// error it gives), when the page closes, or when it is disconnected for good; the panel is
// gone by then.
func (t *Tab) AskPerson(ctx context.Context, q Question) (Reply, error) {
	id := rand.Text()
	round := map[string]any{"type": "ask", "id": id, "text": q.Text, "choices": q.Choices, "waitMs": askRound.Milliseconds()}
	for {
		turned := t.turned()
		reply, err := t.askOnce(ctx, round)
		if err == nil && reply.Answer != "" {
			return reply, nil
		}
		if ctx.Err() != nil {
			t.askNoMore(ctx, id)
			return Reply{}, ctx.Err()
		}
		if err == nil {
			continue
		}
		if ended := t.askEnd(err); ended != nil {
			t.askNoMore(ctx, id)
			return Reply{}, ended
		}
		select {
		case <-turned:
		case <-time.After(askPause):
		case <-ctx.Done():
		}
	}
}

// askOnce is one round in the document that the main frame shows.
func (t *Tab) askOnce(ctx context.Context, round map[string]any) (Reply, error) {
	if err := t.awaitBridge(ctx); err != nil {
		return Reply{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, askRound+5*time.Second)
	defer cancel()
	var reply Reply
	_, err := t.Ask(ctx, "main", round, &reply)
	return reply, err
}

// askEnd is the error that a question ends with, nil when the page may be asked again:
// it is between two documents, busy, behind a dialog, or on a site that is not connected.
func (t *Tab) askEnd(err error) error {
	var gone *documentGone
	switch failure := fault.From(err); {
	case errors.As(err, &gone):
		if gone.how == "gone" {
			t.awaitFate()
		}
	case failure.Code == fault.NotConnected, failure.Code == fault.DialogBlocking, failure.Code == fault.Timeout, failure.Code == fault.NavigationInterrupted:
	default:
		return err
	}
	switch fate := t.fate(); fate {
	case "", protocol.ReasonLeftSite, protocol.ReasonNavigatedToRestricted:
		return nil
	case protocol.ReasonClosed:
		return fault.New(fault.PageNotFound, "the tab was closed before the person answered").With("reason", fate)
	default:
		return notConnected(fate)
	}
}

// askNoMore takes the panel away. A page that cannot be reached does so by itself.
func (t *Tab) askNoMore(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if t.fate() == "" {
		_, _ = t.Ask(ctx, "main", map[string]any{"type": "ask", "id": id, "off": true}, nil)
	}
}
