package slot

import (
	"cmp"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lease"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// Start says which browser a context wants.
type Start struct {
	Profile    string // remote with an endpoint, the default one when empty; or what Manager.Profile knows
	Headless   *bool  // nil: as the profile says, else where there is no display
	Executable string
	URL        string
	Width      int
	Height     int
	Endpoint   string
	Header     http.Header
	Keep       bool // neither an idle time nor its owner's end ends it
}

// Started is a browser that is ready.
type Started struct {
	Profile  string
	Product  string
	Pid      int
	Headless bool
	Width    int // of the page that is wanted, 0 for the browser's own
	Height   int
	Endpoint string // of a fleet: which of them, without what may be a secret
	Took     time.Duration
	Warnings []string
}

// closeTime bounds the end of a browser.
const closeTime = 10 * time.Second

// browsers numbers the browsers of the daemon's life.
var browsers atomic.Uint64

// Start gives the context a browser of its own. When ctx ends before it is there,
// nothing is left of it.
func (c *Context) Start(ctx context.Context, want Start) (Started, error) {
	s, err := c.manager.settle(want)
	if err != nil {
		return Started{}, err
	}
	e := c.e
	if err := e.lock(ctx); err != nil {
		return Started{}, err
	}
	defer e.unlock()
	if r := e.browser(); r != nil {
		return Started{}, c.already(r)
	}
	return e.start(ctx, want, s)
}

// Restart ends the context's browser and starts it anew, as it was or as want says.
func (c *Context) Restart(ctx context.Context, change func(*Start)) (Started, error) {
	e := c.e
	if err := e.lock(ctx); err != nil {
		return Started{}, err
	}
	defer e.unlock()
	e.mu.Lock()
	last := e.last
	e.mu.Unlock()
	var want Start
	if last != nil {
		want = *last
	}
	change(&want)
	s, err := c.manager.settle(want)
	if err != nil {
		return Started{}, err
	}
	e.clear(ctx, "")
	return e.start(ctx, want, s)
}

// Stop ends the context: its browser with all that it started, its lasting changes, and
// its hold on pages of the user's. It reports whether there was anything.
func (c *Context) Stop(ctx context.Context) (bool, error) {
	e := c.e
	if err := e.lock(ctx); err != nil {
		return false, err
	}
	defer e.unlock()
	e.mu.Lock()
	had := e.running != nil || len(e.undo) > 0 || e.last != nil || e.opened
	e.last, e.view, e.over, e.lost = nil, nil, "", ""
	e.mu.Unlock()
	for _, h := range c.manager.holds.Held() {
		had = had || h.Holder == c.Key
	}
	return had, e.clear(ctx, "")
}

// lock waits for the right to start or end the browser.
func (e *entry) lock(ctx context.Context) error {
	select {
	case e.changing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fault.New(fault.ContextLockTimeout, "another command starts or ends this context's browser").Because(ctx.Err())
	}
}

func (e *entry) unlock() { <-e.changing }

func (e *entry) browser() *running {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running
}

func (c *Context) already(r *running) error {
	return fault.New(fault.SessionAlreadyRunning, "this context has a browser already: %s, %s", r.profile, r.About().Product).
		With("profile", r.profile).With("pages", len(c.Tabs())).
		Suggest("dbridge page list", "dbridge session restart", "dbridge session stop")
}

// start starts a browser; e.changing is held and there is none.
func (e *entry) start(ctx context.Context, want Start, s settled) (Started, error) {
	if s.of.Kind == profile.Extension {
		e.begun(want, s)
		return Started{Profile: s.Profile, Product: e.m.nameOf(s.view), Width: s.Width, Height: s.Height}, nil
	}
	if e.m.o.Engine == nil {
		return Started{}, fault.New(fault.CapabilityMissing, "this daemon starts no browsers")
	}
	if want.URL != "" {
		if err := e.m.o.Engine.Allow(want.URL); err != nil {
			return Started{}, err
		}
	}
	began := time.Now()
	if err := e.m.reserve(ctx, e); err != nil {
		return Started{}, err
	}
	defer e.m.release(e)
	plan, err := e.plan(s)
	if err != nil {
		return Started{}, err
	}
	undone := func(err error) (Started, error) {
		e.m.freeProfile(e)
		if failure := e.removeFiles(); failure != nil {
			e.m.o.Log.Warn().Err(failure).Str("context", e.key.Name).Msg("files of a browser that did not start are left")
		}
		return Started{}, err
	}
	if err := e.m.takeProfile(e, s); err != nil {
		return Started{}, err
	}
	source := protocol.SourceManaged
	var b Browser
	var warnings []string
	if s.of.Kind == profile.Remote {
		source = protocol.SourceRemote
		b, warnings, err = e.attach(ctx, &plan, s)
	} else {
		b, err = e.m.o.Engine.Launch(ctx, plan)
	}
	if err != nil {
		return undone(err)
	}
	r := &running{Browser: b, plan: plan, profile: s.Profile, source: source, began: began, ready: time.Since(began)}
	if ctx.Err() != nil || e.m.isClosed() {
		e.m.shut(r)
		return undone(fault.New(fault.Cancelled, "the start was cancelled; nothing is left of it"))
	}
	e.begun(want, s)
	e.mu.Lock()
	e.running = r
	e.mu.Unlock()
	e.m.work.Go(func() { e.watch(r) })
	out := Started{Profile: r.profile, Product: b.About().Product, Pid: b.About().Process.Pid, Headless: plan.Headless, Width: s.Width, Height: s.Height, Took: r.ready, Warnings: warnings}
	if len(s.endpoints) > 1 {
		out.Endpoint = profile.Bare(plan.Endpoint)
	}
	if err := e.describe(); err != nil {
		out.Warnings = append(out.Warnings, "The context's files cannot be written: "+fault.From(err).Message)
	}
	return out, nil
}

// begun notes a new life of the context.
func (e *entry) begun(want Start, s settled) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.last, e.view, e.over, e.lost, e.used = &want, s.view, "", "", nil
	e.tools = slices.Clone(s.of.PageTools)
	e.lease.SetTerms(e.m.terms(e.key, want.Keep))
}

func (e *entry) plan(want settled) (Plan, error) {
	plan := Plan{
		ID: "slot" + strconv.FormatUint(browsers.Add(1), 10) + "-" + e.key.Name, Session: e.key.Name,
		Executable: want.Executable, Width: want.Width, Height: want.Height, Header: want.Header, Args: want.args,
	}
	if want.of.Kind == profile.Remote {
		return plan, nil
	}
	if e.m.o.Home == nil {
		return plan, fault.New(fault.InternalError, "no folder for a browser's profile")
	}
	plan.Headless = !display()
	if want.Headless != nil {
		plan.Headless = *want.Headless
	}
	plan.Downloads = filepath.Join(e.files.Artifacts(), "downloads")
	plan.Dir = e.files.Profile()
	if want.dir != "" {
		plan.Dir = want.dir
		if want.of.UserDataDir != "" {
			return plan, nil // a person's folder, which the browser makes where it is missing
		}
		if err := state.MakeDir(e.m.o.Home.Profiles()); err != nil {
			return plan, err
		}
		return plan, state.MakeDir(plan.Dir)
	}
	if err := state.MakeDir(e.files.Dir); err != nil {
		return plan, err
	}
	// One that a browser before left behind would bring its pages back.
	if err := e.files.RemoveProfile(); err != nil {
		return plan, err
	}
	return plan, state.MakeDir(plan.Dir)
}

// display reports whether there is a screen to show a browser on.
func display() bool {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return os.Getenv("SSH_CONNECTION") == ""
	}
	return cmp.Or(os.Getenv("DISPLAY"), os.Getenv("WAYLAND_DISPLAY")) != ""
}

// takeProfile gives a kept profile to one context at a time.
func (m *Manager) takeProfile(e *entry, s settled) error {
	if s.dir == "" {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if other := m.profile[s.dir]; other != "" && other != e.key.Name {
		return fault.New(fault.BrowserLaunchFailed, "the profile %q is used by the browser of context %s", s.Profile, other).
			With("reason", "profile_in_use").With("path", s.dir).With("contextKey", other).
			Suggest("Use another profile, or none: dbridge session start", "dbridge session status --all")
	}
	m.profile[s.dir] = e.key.Name
	return nil
}

func (m *Manager) freeProfile(e *entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for dir, key := range m.profile {
		if key == e.key.Name {
			delete(m.profile, dir)
		}
	}
}

// reserve finds a slot for the context's browser, and makes one free where all are taken:
// that of the context that was not used for longest. One in use never gives way.
func (m *Manager) reserve(ctx context.Context, e *entry) error {
	select {
	case <-m.tidy: // what another daemon left must not look like ours
	case <-ctx.Done():
		return fault.New(fault.Cancelled, "the start was cancelled").Because(ctx.Err())
	}
	for {
		m.mu.Lock()
		if m.closed {
			m.mu.Unlock()
			return fault.New(fault.DaemonUnavailable, "the daemon stops")
		}
		taken := 0
		var idlest *entry
		for _, other := range m.entries {
			other.mu.Lock()
			has := other.running != nil || other.starting
			free := other.running != nil && !other.starting
			other.mu.Unlock()
			if !has || other == e {
				continue
			}
			taken++
			if unused := other.lease.Unused(); free && unused >= idleSlot && (idlest == nil || unused > idlest.lease.Unused()) {
				idlest = other
			}
		}
		if taken < m.o.Slots {
			e.mu.Lock()
			e.starting = true
			e.mu.Unlock()
			m.mu.Unlock()
			return nil
		}
		m.mu.Unlock()
		if idlest == nil {
			return fault.New(fault.Busy, "all %d browser slots are in use", m.o.Slots).With("limit", m.o.Slots).
				Suggest("Send the command again in a moment.", "dbridge session status --all", "Start the daemon with a larger DBRIDGE_MAX_SLOTS.")
		}
		idlest.finish(ctx, lease.Evicted, true)
	}
}

func (m *Manager) release(e *entry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.starting, e.endpoint = false, ""
}

func (m *Manager) isClosed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed
}

// watch notices that the browser goes by itself.
func (e *entry) watch(r *running) {
	<-r.Done()
	e.mu.Lock()
	mine := e.running == r
	if mine {
		e.running = nil
		e.lost = cmp.Or(r.Ended(), "it is gone")
	}
	e.mu.Unlock()
	if !mine {
		return // whoever stopped it clears up
	}
	e.m.o.Log.Warn().Str("context", e.key.Name).Str("how", r.Ended()).Msg("a context's browser went by itself")
	e.restore(e.m.ctx)
	e.after(r)
}

// clear ends the browser, the lasting changes and the holds; e.changing is held. why is
// told to who comes next; nothing where it was asked for.
func (e *entry) clear(ctx context.Context, why string) error {
	// Who asked may go away; what was begun is finished.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	e.restore(ctx)
	e.mu.Lock()
	r := e.running
	e.running, e.used = nil, nil
	if r != nil && why != "" {
		e.over, e.overAt = why, time.Now()
	}
	e.mu.Unlock()
	var failure error
	if r != nil {
		failure = r.Close(ctx)
	}
	e.after(r)
	if why != daemonStopped {
		e.depart()
	}
	return failure
}

// after gives back what a context had.
func (e *entry) after(r *running) {
	e.m.holds.End(func(_ int, h *lease.Hold) bool { return h.Holder == e.key.Name })
	if r == nil {
		return
	}
	e.m.pages.Forget(r.ID())
	e.m.freeProfile(e)
	if err := e.removeFiles(); err != nil {
		e.m.o.Log.Warn().Err(err).Str("context", e.key.Name).Msg("files of a context are left")
	}
}

// finish is clear for who does not hold e.changing; with idle only where nobody uses it.
func (e *entry) finish(ctx context.Context, why string, idle bool) {
	if e.lock(ctx) != nil {
		return
	}
	defer e.unlock()
	if idle && e.lease.Unused() == 0 {
		return
	}
	if err := e.clear(ctx, why); err != nil {
		e.m.o.Log.Error().Err(err).Str("context", e.key.Name).Msg("a context's browser does not end")
	}
}

// shut ends a browser that nobody has seen yet.
func (m *Manager) shut(r *running) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := r.Close(ctx); err != nil {
		m.o.Log.Error().Err(err).Msg("a browser whose start was cancelled does not end")
	}
	m.pages.Forget(r.ID())
}
