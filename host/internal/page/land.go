package page

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
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
