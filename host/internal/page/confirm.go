package page

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Questions to the person whose page it is, asked by the extension in its popup and a
// notification. A question is about one document and outlives the command that asks: a
// person takes longer than most commands have. A later command that asks the same waits
// on, or finds the answer. Only a yes of the person permits; time, a page that goes and a
// browser without a person refuse.

const (
	confirmPatience = 2 * time.Minute        // as long the question stays
	confirmFresh    = time.Minute            // as long an answer nobody waited for holds
	confirmReserve  = 2 * time.Second        // of a command's time, for the deed after the yes
	confirmPause    = 500 * time.Millisecond // before an extension that was lost is asked again
)

// confirmations are a tab's questions.
type confirmations struct {
	ctx  context.Context //nolint:containedctx // the tab's life
	stop context.CancelFunc

	mu   sync.Mutex
	open map[question]*confirmation
}

// question is what was asked. Another document is another question.
type question struct {
	guard.Ask
	document string
}

// confirmation is a question under way, or answered.
type confirmation struct {
	cancel context.CancelFunc
	done   chan struct{}
	answer string // allow, deny, timeout, gone, unavailable; set before done closes
	at     time.Time
}

type confirmKey struct{}

// Close ends all questions: the tab is gone.
func (c *confirmations) Close() { c.stop() }

// Confirm asks the person and waits for the answer (guard.Asker). Beside those of Asker,
// details.reason may be gone: the page went to another document, or was disconnected.
func (t *Tab) Confirm(ctx context.Context, ask guard.Ask) error {
	if source := t.Info().Source; source != protocol.SourceExtension {
		return unasked(ask, "unavailable", "this needs the person's yes, and in a browser of this kind (%s) nobody can be asked", source).
			Suggest("The person can lift it for this site in policy.toml: see confirm in `dbridge policy show`.")
	}
	if err := t.awaitBridge(ctx); err != nil {
		return err
	}
	all, ok := t.Keep(confirmKey{}, func() Keeper {
		ctx, stop := context.WithCancel(context.Background())
		return &confirmations{ctx: ctx, stop: stop, open: map[question]*confirmation{}}
	}).(*confirmations)
	if !ok {
		return unasked(ask, "gone", "the page closed before the person was asked")
	}
	asked := question{ask, t.mainDocument()}
	c := all.ask(t, asked)
	wait, cancel := context.WithCancel(ctx)
	defer cancel()
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		wait, cancel = context.WithDeadline(wait, deadline.Add(-min(confirmReserve, left/4)))
		defer cancel()
	}
	select {
	case <-c.done:
		all.forget(asked, c) // once
	case <-wait.Done():
		if errors.Is(ctx.Err(), context.Canceled) { // nobody waits for what they asked
			c.cancel()
			all.forget(asked, c)
		}
		return unasked(ask, "timeout", "the person has not answered yet").
			Suggest("Send the same command again: the question stays in the popup for two minutes, and a yes is kept for one.", "Give it more time: --timeout 60000")
	}
	if c.answer == "allow" && asked.document == t.mainDocument() && t.fate() == "" {
		return nil
	}
	return refusedBy(c.answer, ask)
}

func refusedBy(answer string, ask guard.Ask) error {
	switch answer {
	case "deny":
		return unasked(ask, "refused", "the person did not allow this").
			Suggest("Do not try it another way; say what it is needed for, and let the person decide.")
	case "timeout":
		return unasked(ask, "timeout", "the person did not answer").Suggest("Ask the person to look at the Debug Bridge popup, then send it again.")
	case "unavailable":
		return unasked(ask, "unavailable", "this needs the person's yes, and the extension in that browser is too old to ask").
			Suggest("Ask the person to update it: dbridge install")
	}
	return unasked(ask, "gone", "the page went away before the person answered").Suggest("Look at the page again: dbridge capture snapshot")
}

func unasked(ask guard.Ask, reason, format string, args ...any) *fault.Error {
	return fault.New(fault.PolicyDenied, format, args...).With("reason", reason).With("act", ask.Act)
}

// ask gives the question that is under way or freshly answered, or begins it.
func (c *confirmations) ask(t *Tab, q question) *confirmation {
	c.mu.Lock()
	defer c.mu.Unlock()
	for old, one := range c.open {
		if one.over() && (old.document != q.document || time.Since(one.at) > confirmFresh) {
			delete(c.open, old)
		}
	}
	if one := c.open[q]; one != nil {
		return one
	}
	ctx, cancel := context.WithTimeout(c.ctx, confirmPatience)
	one := &confirmation{cancel: cancel, done: make(chan struct{})}
	c.open[q] = one
	go func() {
		defer cancel()
		one.answer = t.confirm(ctx, q)
		one.at = time.Now()
		close(one.done)
	}()
	return one
}

func (c *confirmations) forget(q question, one *confirmation) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[q] == one {
		delete(c.open, q)
	}
}

func (c *confirmation) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// confirm asks the extension until it has an answer. One whose worker died asks again:
// it does not know of the question any more.
func (t *Tab) confirm(ctx context.Context, q question) string {
	id := rand.Text()
	for {
		turned := t.turned()
		if now := t.mainDocument(); t.fate() != "" || now != "" && now != q.document {
			return "gone"
		}
		var said struct {
			Answer string `json:"answer"`
		}
		raw, err := t.Link(ctx, "confirm.ask", map[string]any{
			"id": id, "act": q.Act, "agent": q.Agent, "what": q.What, "timeoutMs": remaining(ctx),
		})
		if err == nil {
			err = decode(raw, &said)
		}
		switch {
		case err == nil:
			return said.Answer
		case ctx.Err() != nil:
			_ = t.Browser().Notify("confirm.off", map[string]any{"id": id}) // it asks no more; lost, it ends by itself
			return "timeout"
		case errors.Is(err, fault.New(fault.UnknownType, "")):
			return "unavailable"
		}
		select {
		case <-turned:
		case <-time.After(confirmPause):
		case <-ctx.Done():
		}
	}
}

// Addresses are those of the page and of its frames.
func (t *Tab) Addresses() []string {
	list := []string{t.Info().URL}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.ordered() {
		list = append(list, f.url)
	}
	return list
}

// Foreseen is what a press or a key would set off.
type Foreseen struct {
	Submit   bool   `json:"submit"`
	Download bool   `json:"download"`
	Role     string `json:"role"` // of what sets it off; page text, as Name is
	Name     string `json:"name"`
}

// Outward has no refs.
func (*Foreseen) Outward(func(string) string) {}

// Foresee asks what a click would set off, or a key (Enter, " "): on a target, at
// a place of the main frame, or where the focus is. The element is waited for as an
// action waits, and scrolled into view. What leads into a frame is taken for likely.
// A page that goes to another document meanwhile is asked again: nothing was done yet.
func (t *Tab) Foresee(ctx context.Context, target *protocol.Target, frameID string, command map[string]any) (out Foreseen, err error) {
	command["type"] = "foresee"
	for tries := 1; ; tries++ {
		out, err = t.foresee(ctx, target, frameID, command)
		if err == nil || tries == 5 || fault.From(err).Code != fault.NavigationInterrupted || ctx.Err() != nil {
			return out, err
		}
	}
}

func (t *Tab) foresee(ctx context.Context, target *protocol.Target, frameID string, command map[string]any) (Foreseen, error) {
	var out Foreseen
	if err := t.awaitBridge(ctx); err != nil {
		return out, err
	}
	if target != nil && target.Ref == "" && frameID == "" { // in any frame
		at, err := t.aimTarget(ctx, target, "")
		if err != nil {
			return out, err
		}
		frameID, target = at.frame.short, at.target
		if target.Ref != "" {
			t.mu.Lock()
			target = &protocol.Target{Ref: at.frame.outward(target.Ref)}
			t.mu.Unlock()
		}
	}
	err := t.AskAt(ctx, target, frameID, command, &out)
	return out, err
}
