package page

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// How far a page is to be loaded.
const (
	UntilCommit      = "commit"
	UntilDOM         = "domcontentloaded"
	UntilLoad        = "load"
	UntilNetworkIdle = "networkidle"
)

// Loaded is what a page says of its document.
type Loaded struct {
	URL        string `json:"url"`
	Title      string `json:"title"`
	ReadyState string `json:"readyState"`
	Status     int    `json:"status"` // HTTP; 0 where there was none
}

// Ready waits until the main document is as far as that, and tells of it. Where the
// document is replaced meanwhile, the new one counts. The error is a *fault.Error, or
// that of ctx.
func (t *Tab) Ready(ctx context.Context, until string) (Loaded, error) {
	for {
		var loaded Loaded
		_, err := t.Ask(ctx, "main", map[string]any{"type": "ready", "until": until}, &loaded)
		var gone *documentGone
		if errors.As(err, &gone) {
			if fate := t.fate(); fate == protocol.ReasonClosed {
				return loaded, fault.New(fault.PageNotFound, "the tab was closed").With("reason", fate)
			} else if fate != "" {
				return loaded, notConnected(fate)
			}
			continue
		}
		return loaded, err
	}
}

// Traffic counts the requests of a page that are under way. Close it.
type Traffic struct {
	stop func()

	mu     sync.Mutex
	open   map[string]struct{}
	last   time.Time
	change chan struct{} // closed and replaced
}

// Traffic begins to count, from what the DevTools events of the page tell.
func (t *Tab) Traffic() *Traffic {
	c := &Traffic{open: make(map[string]struct{}), last: time.Now(), change: make(chan struct{})}
	c.stop = t.Watch(c.event)
	return c
}

// Close ends it.
func (c *Traffic) Close() { c.stop() }

func (c *Traffic) event(session, method string, params jsontext.Value) {
	name, ok := strings.CutPrefix(method, "Network.")
	if !ok {
		return
	}
	begins := name == "requestWillBeSent"
	if !begins && name != "loadingFinished" && name != "loadingFailed" {
		return
	}
	var event struct {
		RequestID string `json:"requestId"`
		Type      string `json:"type"`
		Request   struct {
			URL string `json:"url"`
		} `json:"request"`
	}
	if decode(params, &event) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := session + " " + event.RequestID
	if !strings.Contains(event.RequestID, ".") {
		key = event.RequestID // a document's or a worker's: it may be answered in a session of its own
	}
	switch {
	case !begins:
		delete(c.open, key)
	case event.Type == "EventSource" || event.Type == "WebSocket" || event.Type == "Ping" || strings.HasPrefix(event.Request.URL, "data:"):
		return // open for as long as the page is
	default:
		c.open[key] = struct{}{}
	}
	c.last = time.Now()
	close(c.change)
	c.change = make(chan struct{})
}

// Idle waits until nothing was under way for so long.
func (c *Traffic) Idle(ctx context.Context, quiet time.Duration) error {
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		c.mu.Lock()
		open, since, change := len(c.open), time.Since(c.last), c.change
		c.mu.Unlock()
		if open == 0 && since >= quiet {
			return nil
		}
		wait := quiet - since
		if open > 0 || wait <= 0 {
			wait = quiet
		}
		timer.Reset(wait)
		select {
		case <-change:
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Open is how many requests are under way.
func (c *Traffic) Open() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}
