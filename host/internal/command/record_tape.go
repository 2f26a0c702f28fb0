package command

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/recording"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// What runs while a tab is recorded. Events are queued and taken in order by one
// goroutine, so that nothing of the browser waits for their cleaning.

const (
	tapeBody      = 64 << 10         // of one request or response
	tapeCheckout  = 30 * time.Second // a full snapshot at least so often, while something happens
	ringCheckout  = 15 * time.Second
	tapeAsk       = 5 * time.Second // what is asked of the page while it is recorded
	maxTapeQueue  = 20_000
	personSlack   = 3 * time.Millisecond
	maxWindows    = 200
	clockDistance = 2 * time.Second // the page's clock is another computer's
)

type tapingKey struct{}

// taping records one tab: what was asked for, and the ring.
type taping struct {
	owner *Stores
	tab   *page.Tab

	starting sync.Mutex // held while a recording starts or ends

	mu        sync.Mutex
	asked     *tapeRun
	ring      *recording.Tape
	gathering bool // the recorder is in the page
	skew      time.Duration
	stops     []func()
	windows   []*actWindow
	queue     []func()
	busy      bool
	idle      chan struct{} // closed when the queue is empty
	tuned     bool          // the requests are told for our sake
	told      map[int]bool  // requests that are in the tapes
	last      string        // path of the file that was written last
}

// tapeRun is a recording that somebody asked for.
type tapeRun struct {
	tape   *recording.Tape
	person bool
	bodies bool
	// write puts it where it goes when nobody says where.
	write func(*recording.Tape) (string, error)
}

// actWindow is the time in which an agent's command ran: what the page then heard was its doing.
type actWindow struct{ from, to time.Time }

func tapingOf(t *page.Tab) *taping {
	r, _ := t.Keep(tapingKey{}, nil).(*taping)
	return r
}

// attachRecorder makes each tab ready to be recorded.
func (s *Stores) attachRecorder(pages *page.Manager) {
	s.taping = map[*taping]bool{}
	pages.OnTab(func(t *page.Tab) {
		t.Keep(tapingKey{}, func() page.Keeper { return &taping{owner: s, tab: t} })
	})
	pages.OnSide(s.onTapeSide)
	s.attachPopup(pages)
}

// onTapeSide takes what browsers report beside their pages.
func (s *Stores) onTapeSide(_ page.Browser, t *page.Tab, op string, payload jsontext.Value) {
	if t == nil {
		return
	}
	r := tapingOf(t)
	if r == nil {
		return
	}
	switch op {
	case "download.started":
		var event download
		if decodeEvent(payload, &event) == nil {
			r.note(recording.Entry{Kind: recording.KindDownload, URL: event.URL, Text: event.Suggested}, time.Now())
		}
	case "record.ring":
		var event struct {
			On bool `json:"on"`
		}
		if decodeEvent(payload, &event) == nil {
			s.work.Go(func() {
				ctx, cancel := context.WithTimeout(s.ctx, laterTime)
				defer cancel()
				_ = r.setRing(ctx, event.On) // a page that shows no documents is tried again with its next one
			})
		}
	}
}

// endTapes writes what still runs when the daemon ends.
func (s *Stores) endTapes() {
	s.mu.Lock()
	var list []*taping
	for r := range s.taping {
		list = append(list, r)
	}
	s.mu.Unlock()
	for _, r := range list {
		r.finish()
	}
}

// Close ends the recording with its tab; what it has is written.
func (r *taping) Close() {
	r.owner.work.Go(r.finish)
}

// finish writes the recording that was asked for, and ends everything.
func (r *taping) finish() {
	r.drain(tapeAsk)
	run := r.take()
	r.mu.Lock()
	r.ring = nil
	r.mu.Unlock()
	r.unwatch()
	if run != nil && run.write != nil {
		_, _ = run.write(run.tape) // nobody is there who could be told
	}
}

// take takes the recording that was asked for out.
func (r *taping) take() *tapeRun {
	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.asked
	r.asked = nil
	return run
}

// tapes lists what records. r.mu is held.
func (r *taping) tapes() []*recording.Tape {
	var list []*recording.Tape
	if r.asked != nil {
		list = append(list, r.asked.tape)
	}
	if r.ring != nil {
		list = append(list, r.ring)
	}
	return list
}

// each does something with every tape, in order with all that happens.
func (r *taping) each(do func([]*recording.Tape)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked == nil && r.ring == nil {
		return
	}
	if len(r.queue) >= maxTapeQueue {
		for _, tape := range r.tapes() {
			tape.Left("events", 1)
		}
		return
	}
	r.queue = append(r.queue, func() {
		r.mu.Lock()
		tapes := r.tapes()
		r.mu.Unlock()
		do(tapes)
	})
	if !r.busy {
		r.busy, r.idle = true, make(chan struct{})
		r.owner.work.Go(r.run)
	}
}

func (r *taping) run() {
	for {
		r.mu.Lock()
		queue := r.queue
		r.queue = nil
		if len(queue) == 0 {
			r.busy = false
			close(r.idle)
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
		for _, do := range queue {
			do()
		}
	}
}

// drain waits until all that was queued is in the tapes.
func (r *taping) drain(limit time.Duration) {
	r.mu.Lock()
	idle, busy := r.idle, r.busy
	r.mu.Unlock()
	if !busy {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	}
}

// note adds an entry.
func (r *taping) note(e recording.Entry, at time.Time) {
	r.each(func(tapes []*recording.Tape) {
		for _, tape := range tapes {
			tape.Add(e, at)
		}
	})
}

// watch begins to listen to the tab.
func (r *taping) watch() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stops != nil {
		return
	}
	r.told = map[int]bool{}
	r.tab.OnGathered(r.onGathered)
	r.stops = []func(){r.tab.Telemetry(r.onSaid), r.tab.Watch(r.onEvent), r.tab.OnRun(r.onRun), func() { r.tab.OnGathered(nil) }}
	r.owner.mu.Lock()
	r.owner.taping[r] = true
	r.owner.mu.Unlock()
}

// unwatch ends listening when nothing records any more; it reports whether it did.
func (r *taping) unwatch() bool {
	r.mu.Lock()
	if r.asked != nil || r.ring != nil || r.stops == nil {
		r.mu.Unlock()
		return false
	}
	stops := r.stops
	r.stops, r.gathering = nil, false
	r.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
	r.owner.mu.Lock()
	delete(r.owner.taping, r)
	r.owner.mu.Unlock()
	return true
}

// options are those of a new tape of the tab.
func (r *taping) options() recording.Options {
	info := r.tab.Info()
	return recording.Options{Made: "dbridge " + version.String(), Browser: info.UserAgent, URL: info.URL, Title: info.Title}
}

// begin records the page as it is now, and its state.
func (r *taping) begin(ctx context.Context, tape *recording.Tape) error {
	r.mu.Lock()
	gathering := r.gathering
	r.mu.Unlock()
	if gathering {
		return r.tab.GatherNow(ctx, true)
	}
	if err := r.gather(ctx, tape); err != nil {
		return err
	}
	r.states(ctx)
	return nil
}

// gather starts the recorder in the tab's present document.
func (r *taping) gather(ctx context.Context, tape *recording.Tape) error {
	checkout := tapeCheckout
	r.mu.Lock()
	if r.ring != nil {
		checkout = ringCheckout
	}
	r.mu.Unlock()
	before := time.Now()
	began, err := r.tab.Gather(ctx, checkout)
	if err != nil {
		return err
	}
	// A slow answer is no other clock: the page's time lies between the question and the answer then.
	skew, at := time.Duration(0), time.UnixMilli(int64(began.At))
	if at.Before(before.Add(-clockDistance)) || at.After(time.Now().Add(clockDistance)) {
		skew = before.Sub(at)
	}
	r.mu.Lock()
	r.gathering, r.skew = true, skew
	tapes := r.tapes()
	r.mu.Unlock()
	if tape != nil {
		tapes = append(tapes, tape)
	}
	for _, t := range tapes {
		t.Look(recording.Viewport{Width: began.Width, Height: began.Height, Scale: began.Scale}, began.Title)
		t.Left("frames of other origins", began.Strangers)
	}
	return nil
}

// states notes the app's state as it is at the beginning.
func (r *taping) states(ctx context.Context) {
	var answer struct {
		States []map[string]any `json:"states"`
	}
	if _, err := r.tab.Ask(ctx, "main", map[string]any{"type": "request_state"}, &answer); err != nil {
		return // an app without state, or a page that is busy: the updates will tell
	}
	now := time.Now()
	for _, s := range answer.States {
		scope, _ := s["scope"].(string)
		source, _ := s["source"].(string)
		r.note(recording.Entry{Kind: recording.KindState, Scope: scope, Source: source, State: s["state"]}, now)
	}
}

// onGathered takes a batch of the page's recorder.
func (r *taping) onGathered(batch page.Gathered) {
	r.mu.Lock()
	skew := r.skew
	r.mu.Unlock()
	r.each(func(tapes []*recording.Tape) {
		events, bad := recording.Clean(batch.Page)
		for i := range events {
			events[i].At = events[i].At.Add(skew)
		}
		for _, tape := range tapes {
			if batch.Lost+bad > 0 {
				tape.Broken(batch.Lost + bad)
			}
			tape.Page(events)
		}
		for _, did := range batch.Actions {
			at := time.UnixMilli(int64(did.At)).Add(skew)
			if !recordable(did.Command) || r.agents(at) {
				continue
			}
			for _, tape := range tapes {
				tape.Add(recording.Entry{Kind: recording.KindAction, Command: did.Command, Params: did.Params, By: "person"}, at)
			}
		}
	})
	if batch.Lost > 0 {
		r.later(func(ctx context.Context) { _ = r.tab.GatherNow(ctx, true) }) // gone with its document, at worst
	}
}

// recordable are the commands that a page may say the person gave.
func recordable(name string) bool {
	switch name {
	case "element.click", "element.fill", "element.select", "input.key":
		return true
	}
	return false
}

func (r *taping) later(do func(context.Context)) {
	r.owner.work.Go(func() {
		ctx, cancel := context.WithTimeout(r.owner.ctx, laterTime)
		defer cancel()
		do(ctx)
	})
}

// agents reports that an agent was acting at that time.
func (r *taping) agents(at time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.windows {
		if !at.Before(w.from.Add(-time.Millisecond)) && (w.to.IsZero() || at.Before(w.to.Add(personSlack))) {
			return true
		}
	}
	return false
}

// acts opens the window of an agent's command; nil where nothing records.
func (r *taping) acts() *actWindow {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked == nil && r.ring == nil {
		return nil
	}
	w := &actWindow{from: time.Now()}
	if r.windows = append(r.windows, w); len(r.windows) > maxWindows {
		r.windows = r.windows[1:]
	}
	return w
}

func (r *taping) acted(w *actWindow) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.to = time.Now()
}

// setRing switches the ring of the tab.
func (r *taping) setRing(ctx context.Context, on bool) error {
	r.starting.Lock()
	defer r.starting.Unlock()
	r.mu.Lock()
	was := r.ring != nil
	r.mu.Unlock()
	if was == on {
		return nil
	}
	if !on {
		r.mu.Lock()
		r.ring = nil
		r.mu.Unlock()
		return r.quiet(ctx)
	}
	o := r.options()
	o.Age, o.Bytes, o.Ring = recording.RingAge, recording.RingBytes, true
	r.mu.Lock()
	r.ring = recording.NewTape(o, time.Now())
	ring := r.ring
	r.mu.Unlock()
	r.watch()
	return r.begin(ctx, ring)
}

// quiet ends the recorder in the page when nothing records any more.
func (r *taping) quiet(ctx context.Context) error {
	r.mu.Lock()
	records, tuned := r.asked != nil || r.ring != nil, r.tuned
	if r.asked == nil {
		r.tuned = false
	}
	r.mu.Unlock()
	if stores, ok := r.tab.Keep(storesKey{}, nil).(*record); ok && tuned {
		stores.switching.Lock()
		_ = stores.untune(ctx) // the debugger is gone already, at worst
		stores.switching.Unlock()
	}
	if records || !r.unwatch() {
		return nil
	}
	if err := r.tab.GatherNoMore(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return nil // the document is gone, and the recorder with it
	}
	return nil
}
