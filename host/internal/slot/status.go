package slot

import (
	"slices"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/lease"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	stateMetadata = state.ContextMetadata
	stateLease    = state.ContextLease
)

// Status is a context as it is.
type Status struct {
	Key       string
	By        string
	Label     string
	State     string // running, starting, user, ended, lost, none
	Why       string // of ended and lost
	Profile   string
	Browser   string
	Pid       int
	Headless  bool
	StartedAt time.Time
	StartMs   int64
	Endpoint  string // without what may be a secret
	Dir       string
	Artifacts string
	Tabs      []*page.Tab
	Current   int
	Lease     lease.State
	Turn      lease.Waiting
	Undo      []string
	Held      []int // pages of the user's that it may change
	Failures  int   // files that could not be written
}

// Status tells of the context.
func (c *Context) Status() Status {
	s := c.e.status()
	s.Tabs = c.Tabs()
	if s.State == "none" && len(s.Tabs) > 0 || c.own() == nil && len(s.Tabs) > 0 {
		s.State, s.Profile = "user", ProfileUser
		if v := c.view(); v != nil {
			s.Profile, s.Browser = v.profile, c.manager.nameOf(v)
		}
	}
	if len(s.Tabs) > 0 {
		s.Current = c.current(s.Tabs).PageID()
	}
	return s
}

// All tells of every context of the daemon, the last used first.
func (m *Manager) All() []Status {
	m.mu.Lock()
	entries := make([]*entry, 0, len(m.entries))
	for _, e := range m.entries {
		entries = append(entries, e)
	}
	m.mu.Unlock()
	list := make([]Status, 0, len(entries))
	for _, e := range entries {
		s := e.status()
		if s.State != "none" {
			s.Tabs = m.pages.Tabs(e.key.Name)
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Status) int {
		if by := b.Lease.Seen.Compare(a.Lease.Seen); by != 0 {
			return by
		}
		return strings.Compare(a.Key, b.Key)
	})
	return list
}

// Slots tells how many browsers there are and may be.
func (m *Manager) Slots() (taken, limit int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.entries {
		e.mu.Lock()
		if e.running != nil || e.starting {
			taken++
		}
		e.mu.Unlock()
	}
	return taken, m.o.Slots
}

func (e *entry) status() Status {
	s := Status{Key: e.key.Name, By: e.key.By, Lease: e.lease.State(), Turn: e.turn.State()}
	for id, h := range e.m.holds.Held() {
		if h.Holder == e.key.Name {
			s.Held = append(s.Held, id)
		}
	}
	slices.Sort(s.Held)
	e.mu.Lock()
	defer e.mu.Unlock()
	s.Label, s.Failures = e.label, e.failures
	if e.files.Dir != "" {
		s.Artifacts = e.files.Artifacts()
	}
	for _, u := range e.undo {
		s.Undo = append(s.Undo, u.key)
	}
	switch {
	case e.running != nil:
		r := e.running
		about := r.About()
		s.State, s.Profile, s.Browser, s.Pid, s.Headless = "running", r.profile, about.Product, about.Process.Pid, r.plan.Headless
		s.StartedAt, s.StartMs, s.Dir, s.Endpoint = r.began, r.ready.Milliseconds(), r.plan.Dir, profile.Bare(r.plan.Endpoint)
	case e.starting:
		s.State = "starting"
	case e.over != "":
		s.State, s.Why = "ended", e.over
	case e.lost != "":
		s.State, s.Why = "lost", firstLine(e.lost)
	case e.view != nil:
		s.State, s.Profile, s.Browser = "user", e.view.profile, e.m.nameOf(e.view)
	default:
		s.State = "none"
	}
	return s
}
