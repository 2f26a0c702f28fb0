package page

import (
	"context"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// pulseTime is how long a page may answer nothing at all before it counts as one that
// does not answer. Reading a huge page takes less, running a command in it may take more.
const pulseTime = 4500 * time.Millisecond

// pulser is a browser that can be asked whether a page answers, ahead of a command.
type pulser interface {
	Pulse(tabID int) func(context.Context) error
}

// Pulse gives a context for a command that ends, with a *fault.Error as its cause, when
// the page does not even begin to work on it because a script of its own runs without
// end, or when a debugger stops it. The question goes ahead of the command, so a command
// that takes long is not mistaken for such a page. Call stop when the command is over.
func (t *Tab) Pulse(ctx context.Context) (_ context.Context, stop func()) {
	paused := t.Pauses()
	answered := t.askPulse()
	if answered == nil && paused == nil {
		return ctx, func() {}
	}
	document := t.mainDocument()
	ctx, cancel := context.WithCancelCause(ctx)
	var asking sync.WaitGroup
	if answered != nil {
		asking.Go(func() {
			limited, quit := context.WithTimeout(ctx, pulseTime)
			defer quit()
			if answered(limited) == nil || ctx.Err() != nil || limited.Err() == nil || t.mainDocument() != document {
				return
			}
			if blocked := t.Blocked(); blocked != nil {
				cancel(blocked)
				return
			}
			cancel(fault.New(fault.Timeout, "the page has not answered for %.1f s: a script of its own keeps it busy, or a debugger has stopped it", pulseTime.Seconds()).
				With("reason", "page_unresponsive").
				Suggest("Send it again, with a larger --timeout if the page is only slow.", "dbridge page navigate --reload", "dbridge page close"))
		})
	}
	if paused != nil {
		asking.Go(func() {
			select {
			case <-paused:
				cancel(fault.New(fault.Timeout, "a debugger has stopped the page's scripts").With("reason", "paused").
					Suggest("dbridge cdp send Debugger.resume", "dbridge page navigate --reload"))
			case <-ctx.Done():
			}
		})
	}
	return ctx, func() {
		cancel(nil)
		asking.Wait()
	}
}

// pauses knows whether a debugger has stopped the scripts of a tab.
type pauses struct {
	stop func()

	mu     sync.Mutex
	paused map[string]bool // by session
	signal chan struct{}   // closed while there is one
}

type pausesKey struct{}

func (p *pauses) Close() { p.stop() }

func (p *pauses) event(session, method string, _ jsontext.Value) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := len(p.paused) > 0
	switch method {
	case "Debugger.paused":
		p.paused[session] = true
	case "Debugger.resumed":
		delete(p.paused, session)
	case "Runtime.executionContextsCleared", "Inspector.targetCrashed": // with the document, whose session it was
		delete(p.paused, session)
		if session == "" {
			clear(p.paused)
		}
	default:
		return
	}
	switch now := len(p.paused) > 0; {
	case now && !before:
		close(p.signal)
	case before && !now:
		p.signal = make(chan struct{})
	}
}

// Pauses is closed while a debugger of ours has stopped the page. It is told from the first call on.
func (t *Tab) Pauses() <-chan struct{} {
	p, _ := t.Keep(pausesKey{}, func() Keeper {
		made := &pauses{paused: map[string]bool{}, signal: make(chan struct{})}
		made.stop = t.Watch(made.event)
		return made
	}).(*pauses)
	if p == nil {
		return nil // the tab is closing
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.signal
}

// askPulse asks the page; nil where it cannot be asked now.
func (t *Tab) askPulse() func(context.Context) error {
	b := t.Browser()
	if p, ok := b.(pulser); ok {
		return p.Pulse(t.TabID())
	}
	if b == nil || t.mainDocument() == "" || t.Blocked() != nil {
		return nil
	}
	// Over a link the question is asked through the bridge: attaching the debugger would be seen.
	ctx, cancel := context.WithTimeout(context.Background(), pulseTime+time.Second)
	began, said := make(chan struct{}), make(chan error, 1)
	go func() {
		defer cancel()
		close(began)
		_, err := t.Ask(ctx, "main", map[string]any{"type": "frame_info"}, nil)
		said <- err
	}()
	<-began
	return func(asking context.Context) error {
		defer cancel()
		select {
		case err := <-said:
			return err
		case <-asking.Done():
			cancel()
			<-said
			return asking.Err()
		}
	}
}

// mainDocument is the id of the main frame's document, empty while there is none with a bridge.
func (t *Tab) mainDocument() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.frames[0]; f != nil && !f.bridgeless {
		return f.documentID
	}
	return "" // between two documents, or on a page that lets no bridge in
}
