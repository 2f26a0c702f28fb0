package page

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// What an action set off is waited for so long, and no longer: after that it is told
// that it goes on.
const (
	requestWait = time.Second // requests of scripts, in all
	commitWait  = 8 * time.Second
	// A script that reads no body leaves its request open for good: one that was
	// answered and says nothing for this long is over.
	silentBody = 150 * time.Millisecond
	// A download is told of a little after the navigation that became it has ended.
	downloadWait = 150 * time.Millisecond
)

// maxErrors is how many console errors of an action are told.
const maxErrors = 3

// After is what came of an action beside its effect.
type After struct {
	URL       string   `json:"url,omitempty" doc:"The page's new address, when it changed."`
	Loading   string   `json:"loading,omitempty" doc:"An address that still loads."`
	Popup     string   `json:"-"`
	Requests  int      `json:"requests,omitempty"`
	Failed    int      `json:"failed,omitempty" doc:"Requests that failed or were answered 400 and above."`
	Pending   int      `json:"pending,omitempty" doc:"Requests without an answer yet."`
	Errors    []string `json:"consoleErrors,omitempty" doc:"First lines of console errors and exceptions."`
	Mutations int      `json:"mutations,omitempty" doc:"Changes of the document."`
	Dialog    *Asked   `json:"dialog,omitempty" doc:"It waits for: dbridge dialog handle."`
	Download  string   `json:"download,omitempty"`
	Focused   *Named   `json:"focused,omitempty" doc:"Where the focus went, when not to the target."`
	Told      Told     `json:"-"`
}

// Told is what changed in the document of an action, in words.
type Told struct {
	Changes []protocol.ElementChange
	More    int
	Frame   string // whose document it is: main, f1, …
	Batch   int    // the last ui_change of it that tells of the same; 0 where nothing is known
}

// Asked is an open dialog.
type Asked struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Default string `json:"default,omitempty" doc:"What a prompt proposes."`
}

// Named is an element as it is named.
type Named struct {
	Ref  string `json:"ref"`
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
}

// witness sees what goes on in a tab while an action runs.
type witness struct {
	stop   func()
	opened <-chan struct{} // closed when a dialog opens
	url    string          // of before
	since  time.Time

	mu       sync.Mutex
	on       bool
	turn     chan struct{}    // closed and replaced at each change of what is under way
	open     map[string]bool  // requests that the page's scripts wait for; true once they are answered
	heard    time.Time        // when the network last said something
	seen     map[string]bool  // all requests
	failures map[string]bool  // those that failed
	moves    map[string]*move // frames on their way to another document
	lapsed   bool             // a navigation came to nothing: no content, or a download
	errors   []string
	told     After
}

// move is a navigation under way.
type move struct {
	url     string
	started bool
}

func (t *Tab) witness() *witness {
	w := &witness{opened: t.dialogSignal(), url: t.Info().URL, turn: make(chan struct{})}
	stopEvents, stopLines := t.Watch(w.event), t.Telemetry(w.line)
	w.stop = func() {
		stopEvents()
		stopLines()
	}
	return w
}

// begin forgets what was seen up to now.
func (w *witness) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.on, w.since = true, time.Now()
	w.open, w.seen, w.failures, w.moves = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]*move{}
	w.errors, w.told, w.lapsed = nil, After{}, false
}

// line takes a console line or error, whichever lane it came by.
func (w *witness) line(said Said) {
	var text string
	switch m := masked(said.Message).(type) {
	case *protocol.Console:
		if m.Level != "error" {
			return
		}
		text = strings.Join(m.Args, " ")
	case *protocol.PageError:
		text = m.Message
		if text == "" {
			text = m.Reason
		}
	default:
		return
	}
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on && len(w.errors) < maxErrors {
		w.errors = append(w.errors, shorten(text, 200))
	}
}

// shorten cuts a text, and lets go of the event that it is part of.
func shorten(text string, limit int) string {
	return strings.Clone(cutTo(text, limit))
}

// witnessed are the DevTools events that matter here.
var witnessed = map[string]func(*witness, *witnessEvent){
	"Network.requestWillBeSent":     (*witness).requestSent,
	"Network.responseReceived":      (*witness).responded,
	"Network.dataReceived":          func(*witness, *witnessEvent) {}, // it goes on
	"Network.loadingFinished":       (*witness).finished,
	"Network.loadingFailed":         (*witness).failed,
	"Page.frameRequestedNavigation": (*witness).leaving,
	"Page.frameScheduledNavigation": (*witness).leaving,
	"Page.frameStartedNavigating":   (*witness).leaving,
	"Page.frameStartedLoading":      (*witness).loading,
	"Page.frameClearedScheduledNavigation": func(w *witness, e *witnessEvent) {
		if m := w.moves[e.FrameID]; m != nil && !m.started {
			delete(w.moves, e.FrameID)
		}
	},
	"Page.frameNavigated":          (*witness).committed,
	"Page.navigatedWithinDocument": (*witness).arrived,
	"Page.frameStoppedLoading":     (*witness).arrived,
	"Page.frameDetached":           (*witness).arrived,
	"Page.windowOpen":              func(w *witness, e *witnessEvent) { w.told.Popup = e.URL },
	"Page.downloadWillBegin": func(w *witness, e *witnessEvent) {
		w.told.Download = e.SuggestedFilename
		w.lapsed = true
		delete(w.moves, e.FrameID)
	},
}

// witnessEvent is what the events above have in common.
type witnessEvent struct {
	RequestID string  `json:"requestId"`
	FrameID   string  `json:"frameId"`
	URL       string  `json:"url"`
	Type      string  `json:"type"`
	Canceled  bool    `json:"canceled"`
	Delay     float64 `json:"delay"`
	Reason    string  `json:"reason"`
	Request   struct {
		URL string `json:"url"`
	} `json:"request"`
	Response struct {
		Status int `json:"status"`
	} `json:"response"`
	Frame struct {
		ID       string `json:"id"`
		ParentID string `json:"parentId"`
		URL      string `json:"url"`
		Fragment string `json:"urlFragment"`
	} `json:"frame"`
	Disposition       string `json:"disposition"`
	NavigationType    string `json:"navigationType"`
	SuggestedFilename string `json:"suggestedFilename"`
}

func (w *witness) event(_, method string, params jsontext.Value) {
	handle, ok := witnessed[method]
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.on {
		return
	}
	var e witnessEvent
	if decode(params, &e) != nil {
		return
	}
	handle(w, &e)
	w.heard = time.Now()
	close(w.turn)
	w.turn = make(chan struct{})
}

// awaited are the kinds of requests that the page's scripts wait for.
var awaited = map[string]bool{"XHR": true, "Fetch": true, "Script": true, "Stylesheet": true}

func (w *witness) requestSent(e *witnessEvent) {
	if !strings.HasPrefix(e.Request.URL, "http") || e.Type == "Other" && strings.HasSuffix(e.Request.URL, "/favicon.ico") {
		return // the browser's own wish
	}
	w.seen[e.RequestID] = true
	if awaited[e.Type] {
		w.open[e.RequestID] = false
	}
}

func (w *witness) responded(e *witnessEvent) {
	if w.seen[e.RequestID] && e.Response.Status >= 400 {
		w.failures[e.RequestID] = true
	}
	if e.Type == "EventSource" {
		delete(w.open, e.RequestID)
	}
	if _, ok := w.open[e.RequestID]; ok {
		w.open[e.RequestID] = true
	}
}

// answered reports that all open requests have their answers' heads. w.mu is held.
func (w *witness) answered() bool {
	for _, answered := range w.open {
		if !answered {
			return false
		}
	}
	return true
}

func (w *witness) finished(e *witnessEvent) { delete(w.open, e.RequestID) }

func (w *witness) failed(e *witnessEvent) {
	delete(w.open, e.RequestID)
	if w.seen[e.RequestID] && !e.Canceled {
		w.failures[e.RequestID] = true
	}
}

func (w *witness) leaving(e *witnessEvent) {
	if e.Disposition != "" && e.Disposition != "currentTab" || e.Delay > 1 || strings.Contains(e.NavigationType, "ameDocument") {
		return
	}
	m := w.moves[e.FrameID]
	if m == nil {
		m = &move{}
		w.moves[e.FrameID] = m
	}
	if e.URL != "" {
		m.url = strings.Clone(e.URL)
	}
	m.started = m.started || e.Delay == 0 && e.Disposition != "" || e.NavigationType != ""
}

func (w *witness) loading(e *witnessEvent) {
	if m := w.moves[e.FrameID]; m != nil {
		m.started = true
	}
}

// arrived: the frame stays at its document, or went on within it.
func (w *witness) arrived(e *witnessEvent) {
	if w.moves[e.FrameID] != nil {
		w.lapsed = true
		delete(w.moves, e.FrameID)
	}
}

func (w *witness) committed(e *witnessEvent) {
	delete(w.moves, e.Frame.ID)
	if e.Frame.ParentID == "" {
		w.told.URL = e.Frame.URL + e.Frame.Fragment
	}
}

// busy reports that something is under way that the action may have started.
func (w *witness) busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.open) > 0 || len(w.moves) > 0
}

// await waits until nothing is under way any more; false when that takes too long.
func (w *witness) await(ctx context.Context) bool {
	for {
		w.mu.Lock()
		turn, until := w.turn, w.since.Add(requestWait)
		if len(w.moves) > 0 {
			until = w.since.Add(commitWait)
		}
		busy := len(w.open) > 0 || len(w.moves) > 0
		if silent := w.heard.Add(silentBody); busy && len(w.moves) == 0 && w.answered() && silent.Before(until) {
			until = silent
		}
		w.mu.Unlock()
		if !busy {
			return true
		}
		if deadline, ok := ctx.Deadline(); ok && deadline.Add(-2*answerMargin).Before(until) {
			until = deadline.Add(-2 * answerMargin)
		}
		timer := time.NewTimer(time.Until(until))
		select {
		case <-turn:
			timer.Stop()
			continue
		case <-w.opened:
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
		return false
	}
}

// finish waits for a navigation that began, and adds what was seen to what is told.
func (t *Tab) finish(ctx context.Context, did Did, w *witness) Did {
	t.mu.Lock()
	if d := t.dialog; d != nil {
		did.After.Dialog = &Asked{Kind: d.Kind, Message: shorten(d.Message, 500), Default: d.DefaultPrompt}
	}
	t.mu.Unlock()
	if did.After.Dialog == nil && (w.moving() || did.Effect == protocol.EffectNavigated) {
		w.await(ctx)
	}
	w.awaitDownload(ctx)
	w.mu.Lock()
	defer w.mu.Unlock()
	after := &did.After
	after.Requests, after.Failed, after.Errors = len(w.seen), len(w.failures), slices.Clone(w.errors)
	for id := range w.open {
		if w.seen[id] {
			after.Pending++
		}
	}
	for _, m := range w.moves {
		after.Loading = m.url
	}
	after.Popup, after.Download = w.told.Popup, w.told.Download
	switch {
	case w.told.URL != "":
		after.URL, did.Effect = w.told.URL, protocol.EffectNavigated
		after.Mutations, after.Focused, after.Told = 0, nil, Told{} // of the document before
	case w.lapsed && after.URL == "" && did.Effect == protocol.EffectNavigated:
		did.Effect = protocol.EffectNoop
		if after.Mutations > 0 {
			did.Effect = protocol.EffectChanged
		}
	case did.Effect == protocol.EffectNavigated && after.URL == "":
		if url := t.Info().URL; url != w.url {
			after.URL = url
		}
	}
	if after.URL == w.url {
		after.URL = ""
	}
	if did.Effect == protocol.EffectNoop && (after.Requests > 0 || after.Popup != "" || after.Download != "" || after.Dialog != nil) {
		did.Effect = protocol.EffectChanged
	}
	return did
}

// awaitDownload waits a moment for the word that a navigation which came to nothing is a download.
func (w *witness) awaitDownload(ctx context.Context) {
	timer := time.NewTimer(downloadWait)
	defer timer.Stop()
	for {
		w.mu.Lock()
		turn, settled := w.turn, !w.lapsed || w.told.Download != "" || w.told.URL != ""
		w.mu.Unlock()
		if settled {
			return
		}
		select {
		case <-turn:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (w *witness) moving() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.moves) > 0
}
