package command

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// The window of an action: from its dispatch on all that happens in the page is put down
// as its effect. The answer of the action does not wait for it. After the answer the
// window stays open until nothing more comes.

const (
	windowLimit = 2 * time.Second        // after the answer
	windowQuiet = 500 * time.Millisecond // without anything, and no request under way: it is over
	windowLook  = 100 * time.Millisecond // between two looks whether it is over
)

// Bounds of what is kept of one tab.
const (
	maxActs     = 50
	maxHappened = 200      // of one action
	maxActBytes = 64 << 10 // of one action
	maxPatch    = 4 << 10  // bytes of JSON; a longer one is told in words alone
)

type kind int

const (
	kindChange kind = iota
	kindState
	kindMove
	kindDialog
	kindDownload
	kindTab
	kindFocus
)

// happening is something that came of an action, beside requests and console lines.
type happening struct {
	kind   kind
	at     time.Time
	late   bool
	change protocol.ElementChange
	frame  string // of a change that was streamed
	batch  int
	state  *causedState
	text   string
}

// act is an action with its window.
type act struct {
	id        string
	requestID string
	command   string
	target    string
	effect    string
	code      string
	began     time.Time
	ended     time.Time // when it was answered; zero before
	over      bool
	closed    chan struct{} // closed when the window is over
	sent      bool

	network, console int // last ids of before
	requests, lines  int // last ids of the window, when it is over
	pending          int
	heard            time.Time
	happened         []happening
	covered          map[string]int // by frame: the last ui_change of which the answer tells
	bytes            int
	dropped          int
}

// upTo gives the last ids of requests and console lines that belong to it.
func (a *act) upTo(r *record) (requests, lines int) {
	if a.over {
		return a.requests, a.lines
	}
	return r.network.Last(), r.console.Last()
}

// causes are the actions of one tab.
type causes struct {
	record *record

	mu     sync.Mutex
	acts   []*act // oldest first
	open   *act   // the last one, while its window is open
	timer  *time.Timer
	ended  bool
	scopes scopes
}

// begin opens the window of an action, and ends the one before.
func (c *causes) begin(id, requestID, command string) *act {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut()
	a := &act{id: id, requestID: requestID, command: command, began: time.Now(), closed: make(chan struct{}), covered: map[string]int{}}
	a.network, a.console, a.heard = c.record.network.Last(), c.record.console.Last(), a.began
	if c.ended {
		a.over = true
		close(a.closed)
		return a
	}
	c.open = a
	if c.acts = append(c.acts, a); len(c.acts) > maxActs {
		c.acts = slices.Delete(c.acts, 0, len(c.acts)-maxActs)
	}
	return a
}

// dispatched: what happened up to now was none of the action's doing.
func (c *causes) dispatched(a *act) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.sent || a.over {
		return
	}
	a.sent = true
	a.began = time.Now()
	a.network, a.console, a.heard = c.record.network.Last(), c.record.console.Last(), a.began
	a.happened, a.bytes, a.dropped = nil, 0, 0
}

// did puts down what the answer of the action tells, and gives its short form.
func (c *causes) did(a *act, did page.Did, opened string) (changes, states []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.target == "" {
		a.target = named(did.Role, did.Name, did.Ref)
	}
	told := did.After.Told
	list := page.MaskChanges(told.Changes)
	if told.Frame != "" {
		a.covered[told.Frame] = max(a.covered[told.Frame], told.Batch)
		a.happened = slices.DeleteFunc(a.happened, func(h happening) bool { return h.frame == told.Frame && h.batch <= told.Batch })
	}
	for _, one := range list {
		a.put(happening{kind: kindChange, at: time.UnixMilli(one.At), change: one})
	}
	for i, one := range list {
		if i == shortChanges {
			changes = append(changes, fmt.Sprintf("… %d more", len(list)-i+told.More))
			break
		}
		changes = append(changes, sentence(one))
	}
	now := time.Now()
	if f := did.After.Focused; f != nil {
		a.put(happening{kind: kindFocus, at: now, text: named(f.Role, redact.Text(f.Name), f.Ref)})
	}
	if opened != "" && !a.has(kindTab) {
		a.put(happening{kind: kindTab, at: now, text: opened})
	}
	if name := did.After.Download; name != "" && !a.has(kindDownload) {
		a.put(happening{kind: kindDownload, at: now, text: brief(name, 200)})
	}
	if url := did.After.URL; url != "" && !a.has(kindMove) {
		a.put(happening{kind: kindMove, at: now, text: brief(redact.URL(url), 1000)})
	}
	if d := did.After.Dialog; d != nil && !a.has(kindDialog) {
		a.put(happening{kind: kindDialog, at: now, text: fmt.Sprintf("%s %q", d.Kind, redact.Text(d.Message))})
	}
	for _, h := range a.happened {
		if h.kind == kindState && len(states) < shortStates {
			states = append(states, h.state.Summary)
		}
	}
	return changes, states
}

// shortChanges and shortStates are told with the answer; the rest is asked for.
const (
	shortChanges = 6
	shortStates  = 4
)

func (a *act) has(k kind) bool {
	return slices.ContainsFunc(a.happened, func(h happening) bool { return h.kind == k })
}

// put keeps something. The caller holds c.mu.
func (a *act) put(h happening) {
	size := 100 + len(h.text) + len(h.change.Name) + len(h.change.Text)
	if h.state != nil {
		size += len(h.state.Summary) + maxPatch/4
	}
	if len(a.happened) >= maxHappened || a.bytes+size > maxActBytes {
		a.dropped++
		return
	}
	a.bytes += size
	a.happened = append(a.happened, h)
}

// answered ends the action itself; what still comes of it is gathered behind the answer.
func (c *causes) answered(a *act, effect string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a.effect, a.ended = effect, time.Now()
	if err != nil {
		a.code = string(fault.From(err).Code)
	}
	if c.open != a {
		return
	}
	a.heard = a.ended
	c.timer = time.AfterFunc(windowLook, func() { c.look(a) })
}

// look ends the window when nothing more comes.
func (c *causes) look(a *act) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open != a {
		return
	}
	now := time.Now()
	pending, requests, lines := 0, c.record.network.Last(), c.record.console.Last()
	for _, q := range c.record.network.List(network.Query{Since: a.network, Status: "pending"}).Requests {
		if q.Kind != "websocket" && q.Kind != "eventsource" {
			pending++
		}
	}
	if pending != a.pending || requests != a.requests || lines != a.lines {
		a.heard = now
	}
	a.pending, a.requests, a.lines = pending, requests, lines
	if now.Sub(a.ended) >= windowLimit || pending == 0 && now.Sub(a.heard) >= windowQuiet {
		c.shut()
		return
	}
	c.timer.Reset(windowLook)
}

// shut ends the open window. c.mu is held.
func (c *causes) shut() {
	a := c.open
	if a == nil {
		return
	}
	if c.timer != nil {
		c.timer.Stop()
	}
	c.open, c.timer = nil, nil
	a.over, a.requests, a.lines = true, c.record.network.Last(), c.record.console.Last()
	close(a.closed)
}

// end lets go of everything: the tab is closed.
func (c *causes) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut()
	c.ended, c.acts = true, nil
}

// find gives the last action, or the last with an id.
func (c *causes) find(id string) *act {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range slices.Backward(c.acts) {
		if id == "" || a.id == id || a.requestID == id {
			return a
		}
	}
	return nil
}

// said takes the tab's telemetry. It must not block or call the tab.
func (c *causes) said(message protocol.Message) {
	switch m := message.(type) {
	case *protocol.StateUpdate:
		c.mu.Lock()
		defer c.mu.Unlock()
		if row := c.scopes.update(m, c.open != nil); row != nil {
			c.note(happening{kind: kindState, at: clock(m.Timestamp), state: row})
		}
	case *protocol.UIChange:
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.open == nil || m.Batch <= c.open.covered[m.FrameID] {
			return
		}
		_, answered := c.open.covered[m.FrameID]
		for _, one := range page.MaskChanges(m.Changes) {
			c.note(happening{kind: kindChange, at: clock(one.At), change: one, frame: m.FrameID, batch: m.Batch, late: answered && !c.open.ended.IsZero()})
		}
	case *protocol.PageNavigated:
		c.happen(kindMove, redact.URL(m.URL))
	case *protocol.Dialog:
		c.happen(kindDialog, fmt.Sprintf("%s %q", m.Kind, redact.Text(m.Message)))
	}
}

// sides are events of the browser that matter here, with what they tell of.
var sides = map[string]kind{"download.started": kindDownload, "tab.popup": kindTab, "Page.windowOpen": kindTab}

// side takes an event of the browser about the tab.
func (c *causes) side(name string, payload jsontext.Value) {
	what, ok := sides[name]
	if !ok {
		return
	}
	var event struct {
		URL       string `json:"url"`
		Suggested string `json:"suggestedFilename"`
	}
	if decodeEvent(payload, &event) == nil {
		c.happen(what, cmp.Or(event.Suggested, redact.URL(event.URL)))
	}
}

func (c *causes) happen(what kind, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(happening{kind: what, at: time.Now(), text: brief(text, 1000)})
}

// note puts something down where an action's window is open. c.mu is held.
func (c *causes) note(h happening) {
	if c.open != nil {
		c.open.heard = time.Now()
		c.open.put(h)
	}
}

// clock is a time that a page tells, which may not be of this computer.
func clock(ms int64) time.Time {
	now, at := time.Now(), time.UnixMilli(ms)
	if age := now.Sub(at); age < 0 || age > 2*time.Second {
		return now
	}
	return at
}

// openWindow begins to watch what a command sets off; the function given is called with its answer.
func (e *Env) openWindow(cmd *catalog.Command) func(session.Outcome, error) {
	r, ok := e.Tab.Keep(storesKey{}, nil).(*record)
	if !ok || cmd.Effect != catalog.Act {
		return func(session.Outcome, error) {}
	}
	e.window = r.causes.begin(r.owner.nextAction(), e.requestID, cmd.Name)
	return func(out session.Outcome, err error) { r.causes.answered(e.window, out.Effect, err) }
}

// onRun opens the window of a command of the protocol.
func (r *record) onRun(cmd *protocol.Command) func(session.Outcome, error) {
	name, ok := catalogued[cmd.Type]
	if !ok {
		name = cmd.Type
	}
	a := r.causes.begin(r.owner.nextAction(), cmd.RequestID, name)
	return func(out session.Outcome, err error) { r.causes.answered(a, out.Effect, err) }
}

func (s *Stores) nextAction() string { return "a" + strconv.FormatInt(s.actions.Add(1), 10) }

// windowSent notes that the command leaves for the page.
func (e *Env) windowSent() {
	if r, ok := e.Tab.Keep(storesKey{}, nil).(*record); ok && e.window != nil {
		r.causes.dispatched(e.window)
	}
}

// join puts what was done into the window, and its short form into the answer.
func (e *Env) join(a *after, did page.Did) {
	r, ok := e.Tab.Keep(storesKey{}, nil).(*record)
	if !ok || e.window == nil {
		return
	}
	opened := ""
	if p := a.NewPage; p != nil {
		opened = strings.TrimSpace(p.URL)
		if p.PageID != 0 {
			opened = fmt.Sprintf("page %d %s", p.PageID, opened)
		}
	}
	a.Changes, a.State = r.causes.did(e.window, did, opened)
	if a.Requests+len(a.Changes)+len(a.State)+len(a.Errors) > 0 || a.URL != "" {
		a.Cause = e.window.id
	}
}
