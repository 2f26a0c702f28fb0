package command

import (
	"context"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
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
	r.tab.OnRun(r.onRun)
	r.stops = []func(){r.tab.Telemetry(r.onSaid), r.tab.Watch(r.onEvent), func() { r.tab.OnGathered(nil); r.tab.OnRun(nil) }}
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

// onSaid takes the page's telemetry.
func (r *taping) onSaid(said page.Said) {
	switch m := said.Message.(type) {
	case *protocol.Console:
		r.line(recording.Entry{Kind: recording.KindConsole, Level: m.Level, Text: strings.Join(m.Args, " "), Source: place(m.URL, m.Line, m.Column)}, m.Timestamp)
	case *protocol.PageError:
		text := m.Message
		if text == "" {
			text = m.Reason
		}
		r.line(recording.Entry{Kind: recording.KindError, Level: "error", Text: text, Source: place(m.Filename, m.Lineno, m.Colno)}, m.Timestamp)
	case *protocol.StateUpdate:
		r.state(m)
	case *protocol.PageNavigated:
		r.note(recording.Entry{Kind: recording.KindNavigation, URL: m.URL, Text: sameDocument(m.SameDocument)}, time.Now())
		if !m.SameDocument {
			r.later(r.follow)
		}
	}
}

// line adds a console line or an error with the number that the store gave it just before.
func (r *taping) line(e recording.Entry, at int64) {
	if stores, ok := r.tab.Keep(storesKey{}, nil).(*record); ok {
		e.ID = strconv.Itoa(stores.console.Last())
	}
	when := time.Now()
	r.mu.Lock()
	if told := time.UnixMilli(at).Add(r.skew); at > 0 && when.Sub(told).Abs() < time.Minute {
		when = told
	}
	r.mu.Unlock()
	r.note(e, when)
}

func (r *taping) state(m *protocol.StateUpdate) {
	data, err := json.Marshal(m)
	if err != nil {
		return
	}
	r.each(func(tapes []*recording.Tape) {
		var told struct {
			At     int64  `json:"timestamp"`
			Scope  string `json:"scope"`
			Source string `json:"source"`
			State  any    `json:"state"`
			Patch  any    `json:"patch"`
		}
		if decodeEvent(data, &told) != nil {
			return
		}
		if told.Patch != nil {
			told.State = nil
		}
		at := time.Now()
		if told.At > 0 {
			at = time.UnixMilli(told.At)
		}
		for _, tape := range tapes {
			tape.Add(recording.Entry{Kind: recording.KindState, Scope: told.Scope, Source: told.Source, State: told.State, Patch: told.Patch}, at)
		}
	})
}

func sameDocument(same bool) string {
	if same {
		return "in the page"
	}
	return ""
}

// place is file:line:column.
func place(file string, line, column int) string {
	if file == "" {
		return ""
	}
	if line > 0 {
		file += ":" + strconv.Itoa(line)
		if column > 0 {
			file += ":" + strconv.Itoa(column)
		}
	}
	return file
}

// follow goes on in the tab's next document.
func (r *taping) follow(ctx context.Context) {
	r.mu.Lock()
	records := r.asked != nil || r.ring != nil
	r.mu.Unlock()
	if !records {
		return
	}
	var err error
	for range 3 { // a document may be replaced while it is asked
		if err = r.gather(ctx, nil); err == nil {
			r.states(ctx)
			return
		}
		if failure := fault.From(err); failure.Code != fault.NavigationInterrupted && failure.Code != fault.NotConnected {
			break
		}
	}
	r.each(func(tapes []*recording.Tape) {
		for _, tape := range tapes {
			tape.Left("documents", 1)
		}
	})
}

// onEvent sees every DevTools event of the tab; it must not block or call the tab.
func (r *taping) onEvent(session, method string, params jsontext.Value) {
	switch method {
	case "Network.loadingFinished", "Network.loadingFailed", "Network.webSocketClosed":
		var event struct {
			RequestID string `json:"requestId"`
		}
		stores, ok := r.tab.Keep(storesKey{}, nil).(*record)
		if !ok || decodeEvent(params, &event) != nil {
			return
		}
		if id := stores.network.Number(session, event.RequestID); id != 0 {
			r.later(func(ctx context.Context) { r.request(ctx, stores, id, true) })
		}
	case "Page.javascriptDialogOpening":
		var event struct {
			Type    string `json:"type"`
			Message string `json:"message"`
		}
		if decodeEvent(params, &event) == nil {
			r.note(recording.Entry{Kind: recording.KindDialog, Level: event.Type, Text: event.Message}, time.Now())
		}
	}
}

// request adds a request that is over, with its bodies, and those that redirected to it.
func (r *taping) request(ctx context.Context, stores *record, id int, over bool) {
	r.mu.Lock()
	known := r.told[id] || r.asked == nil && r.ring == nil
	withBodies := r.asked == nil || r.asked.bodies // the ring has them, too
	if !known {
		r.told[id] = true
	}
	r.mu.Unlock()
	req, ok := stores.network.Get(id, false)
	if known || !ok {
		return
	}
	if req.Previous != 0 {
		r.request(ctx, stores, req.Previous, true)
	}
	e := recording.Entry{
		Kind: recording.KindNetwork, ID: strconv.Itoa(id), Method: req.Method, URL: req.URL, Status: req.Status, Type: req.Kind,
		Ms: round(req.Ms), Failure: req.Failure,
	}
	var bodies [2][]byte
	masked := 0
	if withBodies && over && r.tab.Info().Level.Allows(protocol.Control) {
		env := &Env{Tab: r.tab}
		ctx, cancel := context.WithTimeout(ctx, tapeAsk)
		bodies[0], masked = r.body(ctx, env, &req, requestBody, "", masked)
		if req.Status != 0 && bodied[req.Kind] {
			bodies[1], masked = r.body(ctx, env, &req, responseBody, req.Mime, masked)
		}
		cancel()
	}
	r.each(func(tapes []*recording.Tape) {
		for _, tape := range tapes {
			e := e
			if bodies[0] != nil {
				e.RequestBody = tape.Part(recording.BodiesDir, "-request.txt", bodies[0])
			}
			if bodies[1] != nil {
				e.ResponseBody = tape.Part(recording.BodiesDir, "-response.txt", bodies[1])
			}
			tape.Masked(masked)
			tape.Add(e, req.Started)
		}
	})
}

// bodied are the kinds of requests whose answers are kept: what an app asks for, and its documents.
var bodied = map[string]bool{"xhr": true, "fetch": true, "document": true, "eventsource": true}

func (r *taping) body(ctx context.Context, env *Env, req *network.Request, get func(context.Context, *Env, *network.Request) ([]byte, error), mime string, masked int) ([]byte, int) {
	if mime != "" && !textual(mime) || req.Decoded > tapeBody || req.PostBytes > tapeBody {
		return nil, masked
	}
	data, err := get(ctx, env, req)
	if err != nil || len(data) == 0 || len(data) > tapeBody || !utf8.Valid(data) {
		return nil, masked
	}
	data, changed := maskBody(data, mime, false, false)
	if changed {
		masked++
	}
	return data, masked
}

// pending adds the requests that have no end yet.
func (r *taping) pending(ctx context.Context, since time.Time) {
	stores, ok := r.tab.Keep(storesKey{}, nil).(*record)
	if !ok {
		return
	}
	for _, req := range stores.network.List(network.Query{Preserved: true}).Requests {
		if req.State == network.Pending && !req.Started.Before(since) {
			r.request(ctx, stores, req.ID, false)
		}
	}
}

// picture is a JPEG of what the page shows, and nil where none can be had.
func (r *taping) picture(ctx context.Context) []byte {
	ctx, cancel := context.WithTimeout(ctx, tapeAsk)
	defer cancel()
	info := r.tab.Info()
	if info.Source == protocol.SourceExtension { // without the debugger's bar, where the tab is in front
		raw, err := r.tab.Link(ctx, "tab.picture", nil)
		var shot struct {
			Data string `json:"data"`
		}
		if err == nil && decodeEvent(raw, &shot) == nil {
			if data, err := base64.StdEncoding.DecodeString(shot.Data); err == nil && len(data) > 0 {
				return data
			}
		}
	}
	if !info.Level.Allows(protocol.Control) {
		return nil
	}
	var shot struct {
		Data []byte `json:"data"`
	}
	if err := r.tab.Session("").Call(ctx, "Page.captureScreenshot", map[string]any{"format": "jpeg", "quality": 70}, &shot); err != nil {
		return nil
	}
	return shot.Data
}

// mark notes a mark, with a picture where one can be had.
func (r *taping) mark(ctx context.Context, text string) (pictured bool) {
	at := time.Now()
	shot := r.picture(ctx)
	r.each(func(tapes []*recording.Tape) {
		for _, tape := range tapes {
			e := recording.Entry{Kind: recording.KindMark, Text: text}
			if shot != nil {
				e.Picture = tape.Part(recording.ShotsDir, ".jpg", shot)
			}
			tape.Add(e, at)
		}
	})
	return shot != nil
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
