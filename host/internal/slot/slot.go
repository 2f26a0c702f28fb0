// Package slot keeps each caller's context: its browser, its pages, its current
// page, its artifacts, and the lease that ends them.
//
// A context is found by its caller's key and has at most one browser of its own (a
// managed Chrome, a remote endpoint). Without one it uses the pages that the person
// connected in their own Chrome, of which it may change those that no other context
// holds. Commands that change something run one after another in a context; contexts
// do not wait for each other.
//
// A Manager owns all its goroutines; Close ends every context.
package slot

import (
	"context"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lease"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	defaultSlots = 8
	defaultIdle  = 30 * time.Minute
	// fallbackIdle is for contexts whose caller may be anybody in that folder.
	fallbackIdle = 5 * time.Minute
	// ownerGrace is how long a context that somebody named outlives the processes that
	// used it: many harnesses run each command in a process tree of its own, and what
	// asks for the next one thinks about it first.
	ownerGrace = 10 * time.Minute
	// idleSlot is how long a context must be unused to give way to another one.
	idleSlot = 5 * time.Second
	// sweepEvery is how often owners and idle times are looked at.
	sweepEvery = 2 * time.Second
	// forgetAfter is how long it is remembered why a lease ended.
	forgetAfter = time.Hour
	// daemonStopped is why contexts end with the daemon; agents may go on with the next one.
	daemonStopped = "daemon_stopped"
	// maxContexts bounds those without a browser; the least recently used are forgotten.
	maxContexts = 1024
)

// Options of a Manager. The zero value works without files and without browsers.
type Options struct {
	Home   *state.Home // where files go; nil for none
	Engine Engine
	Log    zerolog.Logger
	// Told is called, without locks held, when it changed who holds which page.
	Told func()
	// Left is called, without locks held, with the key of a context that ended and had
	// opened pages in the user's browser. The daemon's own end is none of theirs.
	Left func(key string)
	// Extensions lists the person's browsers that are connected; nil for none.
	Extensions func() []Extension
	// Slots, Idle and Grace have their defaults when 0.
	Slots int
	Idle  time.Duration // an unused context ends
	Grace time.Duration // a named context outlives the last process that used it
	// Alive tells whether an owner lives; the process table does when nil.
	Alive func(lease.Owner) bool
}

// Manager owns the contexts of a daemon.
type Manager struct {
	pages *page.Manager
	o     Options
	holds lease.Pages

	ctx  context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup
	tidy chan struct{} // closed when what an earlier daemon left is gone

	mu      sync.Mutex
	entries map[string]*entry
	profile map[string]string // kept profiles in use: folder → key of the context
	// departed are contexts that had opened pages in the user's browser, and when they ended.
	departed map[string]time.Time
	closed   bool
}

// NewManager makes a manager of contexts over the pages of the daemon.
func NewManager(pages *page.Manager, options ...Options) *Manager {
	m := &Manager{pages: pages, entries: make(map[string]*entry), profile: make(map[string]string), tidy: make(chan struct{})}
	if len(options) > 0 {
		m.o = options[0]
	}
	if m.o.Slots <= 0 {
		m.o.Slots = defaultSlots
	}
	if m.o.Idle <= 0 {
		m.o.Idle = defaultIdle
	}
	if m.o.Grace <= 0 {
		m.o.Grace = ownerGrace
	}
	if m.o.Alive == nil {
		m.o.Alive = func(o lease.Owner) bool { return caller.Alive(o.Pid, o.Start) }
	}
	m.holds.Changed = m.o.Told
	m.ctx, m.end = context.WithCancel(context.Background())
	m.work.Go(m.clearLeftovers)
	m.work.Go(m.sweep)
	return m
}

// FromEnvironment reads DBRIDGE_MAX_SLOTS, DBRIDGE_CONTEXT_IDLE and DBRIDGE_OWNER_GRACE.
func (o Options) FromEnvironment() (Options, error) {
	if text := os.Getenv("DBRIDGE_MAX_SLOTS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 256 {
			return o, fault.New(fault.ValidationError, "DBRIDGE_MAX_SLOTS=%q is not a number from 1 to 256", text).Suggest("Unset DBRIDGE_MAX_SLOTS for 8.")
		}
		o.Slots = n
	}
	for name, into := range map[string]*time.Duration{"DBRIDGE_CONTEXT_IDLE": &o.Idle, "DBRIDGE_OWNER_GRACE": &o.Grace} {
		text := os.Getenv(name)
		if text == "" {
			continue
		}
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			return o, fault.New(fault.ValidationError, "%s=%q is not a duration", name, text).Suggest("Use a Go duration such as 30m.")
		}
		*into = d
	}
	return o, nil
}

// Close ends every context and returns when nothing of them runs any more. When ctx
// ends, browsers are ended the short way.
func (m *Manager) Close(ctx context.Context) {
	m.mu.Lock()
	m.closed = true
	entries := slices.Collect(maps.Values(m.entries))
	m.mu.Unlock()
	m.end()
	var ends sync.WaitGroup
	for _, e := range entries {
		ends.Go(func() { e.finish(ctx, daemonStopped, false) })
	}
	ends.Wait()
	m.work.Wait()
}

// entry is one context, whoever calls.
type entry struct {
	m     *Manager
	key   caller.Key
	lease *lease.Lease
	turn  lease.Turn
	files state.ContextFiles

	changing chan struct{} // holds one token: who starts or ends the browser

	mu       sync.Mutex
	label    string // who it is, for people
	running  *running
	starting bool
	last     *Start // what the browser was started with
	view     *view  // which pages of the person's browsers it sees; nil for all
	endpoint string // of a fleet, that a start is at
	over     string // why the lease ended, until the next start
	overAt   time.Time
	lost     string // how the browser went that was not stopped
	used     []int  // pages by last use, the current one last
	undo     []undo
	folder   bool     // the artifacts folder was made
	opened   bool     // it opened pages in the user's browser
	tools    []string // sites whose page tools may be called
	told     leaseFile
	failures int // files that could not be written
}

// running is a context's browser.
type running struct {
	Browser
	plan    Plan
	profile string // its name
	source  protocol.Source
	began   time.Time
	ready   time.Duration
}

// Context is one caller's view of its context.
type Context struct {
	Key     string
	manager *Manager
	e       *entry
	caller  caller.Caller
	asked   *view // by the caller's profile; nil where that is none of the person's browsers
}

// Resolve finds the caller's context and counts as its sign of life while ctx lasts.
func (m *Manager) Resolve(ctx context.Context, c caller.Caller) (*Context, []string, error) {
	key, err := c.Key()
	if err != nil {
		return nil, nil, err
	}
	asked, err := m.asked(c.Profile)
	if err != nil {
		return nil, nil, err
	}
	m.mu.Lock()
	e := m.entries[key.Name]
	fresh := e == nil
	if fresh {
		if m.closed {
			m.mu.Unlock()
			return nil, nil, fault.New(fault.DaemonUnavailable, "the daemon stops")
		}
		if key.By == caller.ByContextID && caller.IsKey(c.ContextID) {
			m.mu.Unlock()
			return nil, nil, fault.New(fault.ContextNotFound, "there is no context %s", key.Name).Suggest("dbridge session status --all")
		}
		e = m.newEntry(key)
		m.entries[key.Name] = e
		m.bound()
	}
	m.mu.Unlock()
	end := e.lease.Begin(lease.Owner{Pid: c.Anchor, Start: c.AnchorAt, Name: c.AnchorName})
	if ctx.Done() == nil {
		end()
	} else {
		context.AfterFunc(ctx, end)
	}
	e.name(c)
	var warnings []string
	if fresh && key.By == caller.ByFallback { // once: it is read each time
		warnings = append(warnings, "No long-lived parent process tells who runs this. Everybody in this folder shares one context, which ends when it is unused for 5 minutes. Set "+
			caller.EnvContext+" to have your own.")
	}
	return &Context{Key: key.Name, manager: m, e: e, caller: c, asked: asked}, warnings, nil
}

func (m *Manager) newEntry(key caller.Key) *entry {
	e := &entry{m: m, key: key, changing: make(chan struct{}, 1)}
	e.lease = lease.New(m.terms(key, false))
	if m.o.Home != nil {
		e.files = m.o.Home.ContextFiles(key.Name)
	}
	return e
}

// terms are those of a context's lease.
func (m *Manager) terms(key caller.Key, keep bool) lease.Terms {
	terms := lease.Terms{Idle: m.o.Idle, Keep: keep}
	if key.Explicit() {
		terms.Grace = m.o.Grace
	}
	if key.By == caller.ByFallback {
		terms.Idle = min(terms.Idle, fallbackIdle)
	}
	return terms
}

// bound forgets the least recently used contexts that have nothing. m.mu is held.
func (m *Manager) bound() {
	for len(m.entries) > maxContexts {
		var oldest *entry
		for _, e := range m.entries {
			if e.empty() && (oldest == nil || e.lease.Unused() > oldest.lease.Unused()) {
				oldest = e
			}
		}
		if oldest == nil {
			return
		}
		delete(m.entries, oldest.key.Name)
	}
}

// empty reports a context that nobody would miss.
func (e *entry) empty() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running == nil && !e.starting && len(e.undo) == 0 && e.view == nil && e.over == "" && !e.opened && e.lease.Unused() > 0
}

// name keeps what people know the context by.
func (e *entry) name(c caller.Caller) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.label != "" && (c.AnchorName == "" || e.key.Explicit()) {
		return
	}
	who := c.AnchorName
	if c.Agent != "" {
		who = c.Agent
	}
	if who == "" {
		who = "agent"
	}
	e.label = who + " " + e.key.Name[:len("ctx_")+6]
}

// Label is what people know the context by.
func (c *Context) Label() string {
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	return c.e.label
}

// By says how the context was found.
func (c *Context) By() string { return c.e.key.By }

// Artifacts is the folder where the context's screenshots, traces and downloads go.
// It is made when it is first asked for; where that fails, writing into it will.
func (c *Context) Artifacts() string {
	e := c.e
	if e.files.Dir == "" {
		return os.TempDir()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.folder {
		for _, dir := range []string{e.files.Dir, e.files.Artifacts()} {
			if err := state.MakeDir(dir); err != nil {
				e.m.o.Log.Warn().Err(err).Msg("no folder for artifacts")
				return e.files.Artifacts()
			}
		}
		e.folder = true
	}
	return e.files.Artifacts()
}
