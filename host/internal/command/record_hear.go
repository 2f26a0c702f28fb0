package command

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/recording"
)

// What a tab tells while it is recorded, as entries of the timeline.

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
