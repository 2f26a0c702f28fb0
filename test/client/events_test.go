package client

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/client"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// listener collects a session's events until the test ends.
type listener struct {
	t      *testing.T
	events chan client.Event
	seen   map[string]bool // epoch and number
	last   map[string]uint64
}

func listen(t *testing.T, c *client.Client, options client.EventsOptions) *listener {
	l := &listener{t: t, events: make(chan client.Event), seen: map[string]bool{}, last: map[string]uint64{}}
	ctx := t.Context()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for event, err := range c.Events(ctx, options) {
			if err != nil {
				t.Errorf("events: %v", err)
				return
			}
			select {
			case l.events <- event:
			case <-ctx.Done():
			}
		}
	}()
	t.Cleanup(func() { <-done })
	return l
}

// until reads events until one is as wanted; none may come twice or out of order.
func (l *listener) until(what string, wanted func(client.Event) bool) client.Event {
	l.t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case event := <-l.events:
			key := fmt.Sprint(event.Epoch, " ", event.Seq)
			switch {
			case event.Type == "gap":
			case l.seen[key], event.Seq <= l.last[event.Epoch]:
				l.t.Errorf("event %s (%s) a second time or too late", key, event.Type)
			}
			l.seen[key] = true
			l.last[event.Epoch] = max(l.last[event.Epoch], event.Seq)
			if wanted(event) {
				return event
			}
		case <-limit:
			l.t.Fatalf("it does not come: %s", what)
		}
	}
}

// said is a console line of these words.
func said(words string) func(client.Event) bool {
	return func(event client.Event) bool {
		line, ok := event.Body().(*client.ConsoleEvent)
		return ok && len(line.Args) == 1 && line.Args[0] == words
	}
}

// The daemon dies and another comes: events go on where they were, what is lost is said,
// none comes twice; and who comes later reads on from where it was.
func TestEventsOutliveTheDaemon(t *testing.T) {
	e := commandtest.Managed(t)
	ctx, c := connect(t, e)
	e.Goto("/page/test")
	l := listen(t, c, client.EventsOptions{Since: new(uint64(0))})
	e.Eval(`console.log("one")`)
	first := l.until("a console line", said("one"))
	if first.Seq == 0 || first.Epoch == "" || first.PageID == 0 || time.Since(first.Time) > time.Hour {
		t.Errorf("%+v", first)
	}
	e.Eval(`setTimeout(() => { throw new Error("thrown") })`)
	failed := l.until("an error", func(event client.Event) bool { return event.Type == "error" })
	if body, ok := failed.Body().(*client.PageErrorEvent); !ok || body.Message == "" {
		t.Errorf("%s: %+v", failed.Raw, body)
	}
	e.Goto("/page/other")
	l.until("a navigation", func(event client.Event) bool {
		body, ok := event.Body().(*client.PageNavigatedEvent)
		return ok && body.URL == e.Site.URL("/page/other")
	})

	process, err := os.FindProcess(int(e.OK("daemon", "status")["pid"].(float64)))
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	gap := l.until("a gap", func(event client.Event) bool { return event.Type == "gap" })
	if body, ok := gap.Body().(*client.GapEvent); !ok || body.Reason != "epoch_changed" || gap.Epoch == first.Epoch {
		t.Errorf("%s", gap.Raw)
	}
	_, err = c.Session().Start(ctx, client.SessionStartParams{Headless: true, URL: e.Site.URL("/page/test")})
	must[int](t)(nil, err)
	e.Eval(`console.log("two")`)
	second := l.until("a line of the new browser", said("two"))

	// Who stops listening goes on with the number and the epoch.
	e.Eval(`console.log("three")`)
	again := listen(t, c, client.EventsOptions{Session: second.SessionID, Since: &second.Seq, Epoch: second.Epoch, Types: []string{"console"}})
	third := again.until("the line after", func(event client.Event) bool { return true })
	if !said("three")(third) {
		t.Errorf("missed or doubled: %s", third.Raw)
	}
	l.until("the same, for who stayed", said("three"))
}

func TestEventsEnd(t *testing.T) {
	e := commandtest.Managed(t)
	ctx, c := connect(t, e)
	count := 0
	for _, err := range c.Events(ctx, client.EventsOptions{Since: new(uint64(7))}) {
		if client.CodeOf(err) != client.CodeValidationError {
			t.Errorf("a number without its epoch: %v", err)
		}
		count++
	}
	if count != 1 {
		t.Errorf("%d things given", count)
	}
	e.Goto("/page/test")
	e.Eval(`console.log(1), console.log(2), console.log(3)`)
	count = 0
	for _, err := range c.Events(ctx, client.EventsOptions{Since: new(uint64(0)), Types: []string{"console"}}) {
		if err != nil {
			t.Fatal(err)
		}
		if count++; count == 2 {
			break
		}
	}
	sessions, err := c.Sessions(ctx)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, s := range sessions {
		for _, p := range s.Pages {
			found = found || p.URL == e.Site.URL("/page/test") && p.Source == "managed" && s.LastSeq > 0
		}
	}
	if !found {
		t.Errorf("the page is in no session: %+v", sessions)
	}
}
