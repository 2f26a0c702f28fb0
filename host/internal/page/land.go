package page

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// What came of a press is asked along with the press: the page itself waits for it to
// land, so that neither a round trip nor the frame that the press brings about lies
// between the two.

// landGrace is how long a page that saw nothing of a press which the browser has
// delivered may go on looking for it: a list of the browser's or another frame took it.
const landGrace = 15 * time.Millisecond

// landing is a settle that waits in the page for a press.
type landing struct {
	ask  func(presses int) // as often as wanted; the first one counts
	poke func()
	told chan landed // nil until asked
}

type landed struct {
	result bridgeResult
	err    error
}

// landing prepares to ask about a press on what was located. stop gives up what was asked.
func (t *Tab) landing(ctx context.Context, at aim, place located) (l *landing, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	l = &landing{}
	l.ask = func(presses int) {
		if !place.Lands || l.asked() {
			return
		}
		command := settleCommand(place.Mark, false)
		command["landing"] = presses
		told := make(chan landed, 1)
		l.told = told
		go func() {
			result, err := t.bridgeIn(ctx, at, command)
			told <- landed{result, err}
		}()
	}
	l.poke = func() {
		go func() { _, _ = t.bridgeIn(ctx, at, map[string]any{"type": "landed", "mark": place.Mark}) }() // settle tells what is wrong
	}
	return l, cancel
}

func (l *landing) asked() bool { return l.told != nil }

// wait gives the page's answer once the browser has delivered the press.
func (l *landing) wait(ctx context.Context, w *witness) (bridgeResult, error) {
	grace := time.NewTimer(landGrace)
	defer grace.Stop()
	for {
		select {
		case answer := <-l.told:
			return answer.result, answer.err
		case <-w.opened:
			return bridgeResult{}, errDialog
		case <-ctx.Done():
			return bridgeResult{}, ctx.Err()
		case <-grace.C:
			l.poke()
		}
	}
}

func settleCommand(mark jsontext.Value, again bool) map[string]any {
	return map[string]any{"type": "settle", "sinceMark": mark, "keep": true, "again": again}
}

// Press is Send for what ends with the last of so many presses of a mouse button on the spot.
func (s Spot) Press(ctx context.Context, presses int, sends ...Send) error {
	s.land(presses)
	return s.send(ctx, sends)
}

// settleBehind lets the bridge forget a mark for which nobody waits any more.
func (t *Tab) settleBehind(at aim, mark jsontext.Value) {
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), releaseTime)
		defer cancel()
		_, _ = t.bridgeIn(ctx, at, map[string]any{"type": "settle", "sinceMark": mark}) // its document may be gone
	}()
}

// settled waits until the page is quiet after trusted input, and says what changed.
func (t *Tab) settled(ctx context.Context, at aim, mark jsontext.Value, did Did, w *witness, early *landing) (Did, error) {
	for again := false; ; again = true {
		var result bridgeResult
		var err error
		if early.asked() && !again {
			result, err = early.wait(ctx, w)
		} else {
			result, err = t.raceBridge(ctx, at, settleCommand(mark, again), w)
		}
		var gone *documentGone
		switch {
		case errors.Is(err, errDialog):
			did.Effect = protocol.EffectChanged
			return t.finish(ctx, did, w), nil
		case errors.As(err, &gone):
			gone.acted = true
			ended, err := t.after(gone)
			did.Effect = ended.Effect
			if err != nil {
				return did, err
			}
			return t.finish(ctx, did, w), nil
		case err != nil:
			failure := fault.From(err)
			if failure.Code == fault.ActionNoEffect || failure.Code == fault.TargetObscured {
				return did, err
			}
			did.Effect = protocol.EffectUnknown // it was done; only what it changed is not known
			return t.finish(ctx, did, w), nil
		}
		after, err := t.heard(at, result)
		if err != nil {
			return did, err
		}
		did.Effect, did.Value = after.Effect, after.Value
		did.After.Mutations, did.After.Focused, did.After.URL = after.After.Mutations, after.After.Focused, after.After.URL
		did.After.Told = after.After.Told
		if !w.busy() || !w.await(ctx) {
			return t.finish(ctx, did, w), nil
		}
	}
}
