package page

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// typeRecording is telemetry of the recorder beside the bridge (extension/src/recorder).
// It is for whoever records the tab, and never gets a number in the session's log.
const typeRecording = "recording"

// Gathered is one batch of what the recorder in a page saw. All of it is page data.
type Gathered struct {
	Page    string         `json:"page"` // rrweb events, one a line
	Actions []PersonAction `json:"actions"`
	Lost    int            `json:"lost"` // events that the page left out
}

// PersonAction is what a person did, as a command of the catalogue.
type PersonAction struct {
	At      float64        `json:"at"` // ms since 1970, by the page's clock
	Command string         `json:"command"`
	Params  map[string]any `json:"params"`
}

// Gathering is what the recorder says when it begins.
type Gathering struct {
	At        float64 `json:"at"` // ms since 1970, by the page's clock
	Width     int     `json:"width"`
	Height    int     `json:"height"`
	Scale     float64 `json:"scale"`
	Title     string  `json:"title"`     // page text
	Strangers int     `json:"strangers"` // frames of other origins, which it does not see into
}

// OnGathered sets who gets what the recorder in the tab gathers; nil: nobody. see must
// not block and must not call into the tab.
func (t *Tab) OnGathered(see func(Gathered)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gathered = see
}

// OnRun has see told of each acting command of the protocol that an agent sends, and, by
// what it gives, of its end, until the returned function is called.
func (t *Tab) OnRun(see func(*protocol.Command) func(session.Outcome, error)) (stop func()) {
	w := &runWatcher{see: see}
	t.mu.Lock()
	t.runs = append(slices.Clone(t.runs), w)
	t.mu.Unlock()
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.runs = slices.DeleteFunc(slices.Clone(t.runs), func(other *runWatcher) bool { return other == w })
	}
}

type runWatcher struct {
	see func(*protocol.Command) func(session.Outcome, error)
}

// Gather begins recording in the main frame's document, with a full snapshot at least
// every checkout in which something happens. The recorder is brought there where it is
// not. Each new document needs it again.
func (t *Tab) Gather(ctx context.Context, checkout time.Duration) (Gathering, error) {
	var began Gathering
	command := map[string]any{"type": "record_start", "checkoutMs": checkout.Milliseconds()}
	_, err := t.Ask(ctx, "main", command, &began)
	var missing *fault.Error
	if errors.As(err, &missing) && missing.Code == fault.CapabilityMissing && missing.Details["recorder"] != nil {
		if _, err := t.Link(ctx, "recorder.inject", nil); err != nil {
			return began, err
		}
		_, err = t.Ask(ctx, "main", command, &began)
		return began, err
	}
	return began, err
}

// GatherNow makes the recorder send what it has, and with checkout a full snapshot, too.
func (t *Tab) GatherNow(ctx context.Context, checkout bool) error {
	_, err := t.Ask(ctx, "main", map[string]any{"type": "record_flush", "checkout": checkout}, nil)
	return err
}

// GatherNoMore ends the recording in the page; what it had is sent before.
func (t *Tab) GatherNoMore(ctx context.Context) error {
	_, err := t.Ask(ctx, "main", map[string]any{"type": "record_stop"}, nil)
	return err
}

// TypedSecret says which of the values stand in fields whose content is never told, and
// whether the focus is in such a field.
func (t *Tab) TypedSecret(ctx context.Context, values []string) (active bool, secret []bool, err error) {
	var answer struct {
		Active bool   `json:"active"`
		Secret []bool `json:"secret"`
	}
	_, err = t.Ask(ctx, "main", map[string]any{"type": "record_secret", "values": values}, &answer)
	return answer.Active, answer.Secret, err
}

// gather takes a batch out of the page's telemetry.
func (t *Tab) gather(f *frame, raw jsontext.Value) {
	t.mu.Lock()
	see := t.gathered
	t.mu.Unlock()
	if see == nil || f.id != 0 {
		return
	}
	var batch Gathered
	if err := decode(raw, &batch); err != nil {
		t.log.Warn().Err(err).Msg("recording not understood")
		return
	}
	see(batch)
}
