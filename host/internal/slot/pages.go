package slot

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lease"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// The profiles that are there without an entry in config.toml.
const (
	ProfileManaged = profile.NameManaged
	ProfileRemote  = profile.NameRemote
	ProfileUser    = profile.NameUser
)

// own is the browser that the caller means, nil for the pages of the user's own.
func (c *Context) own() *running {
	if c.caller.Session != "" || c.asked != nil {
		return nil
	}
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	return c.e.running
}

// Browser is the context's own browser, or nil.
func (c *Context) Browser() Browser {
	if r := c.own(); r != nil {
		return r.Browser
	}
	return nil
}

// userSession is the hub's session of the user's pages that are meant.
func (c *Context) userSession() string {
	if c.caller.Session != "" {
		return c.caller.Session
	}
	return protocol.DefaultSession
}

// Tabs lists the pages of the context, by page number.
func (c *Context) Tabs() []*page.Tab {
	if r := c.own(); r != nil {
		return slices.DeleteFunc(c.manager.pages.Tabs(c.Key), func(t *page.Tab) bool { return t.Browser().ID() != r.ID() })
	}
	v := c.view()
	return slices.DeleteFunc(c.manager.pages.Tabs(c.userSession()), func(t *page.Tab) bool { return !ofUser(t) || !v.shows(t.Browser().ID()) })
}

// ofUser reports a page of the user's own browser.
func ofUser(t *page.Tab) bool { return t.Info().Source == protocol.SourceExtension }

// Ready says why the context has no pages to work on, or nil.
func (c *Context) Ready() error {
	c.e.mu.Lock()
	r, over, lost := c.e.running, c.e.over, c.e.lost
	c.e.mu.Unlock()
	asked := c.caller.Profile
	switch {
	case c.caller.Session != "" || c.asked != nil:
	case r != nil && (asked == "" || asked == r.profile):
		return nil
	case r != nil:
		return fault.New(fault.SessionNotFound, "this context's browser has profile %q, not %q", r.profile, asked).
			With("profile", r.profile).Suggest("Leave out --profile.", "dbridge session restart --profile "+asked)
	case over != "":
		return expired(over)
	case lost != "":
		return fault.New(fault.SessionNotFound, "the browser of this context ended by itself: %s", firstLine(lost)).
			With("reason", "browser_gone").With("exit", lost).Suggest("dbridge session restart", "dbridge session start")
	case asked != "":
		return fault.New(fault.SessionNotFound, "no browser of profile %q runs in this context", asked).Suggest("dbridge session start --profile " + asked)
	}
	if len(c.Tabs()) > 0 {
		return nil
	}
	return c.nothing()
}

var endings = map[string]string{
	"idle":       "nothing was done for a long time",
	"owner_gone": "the process that it belonged to has ended",
	"evicted":    "all browser slots were needed by others, and this context was idle longest",
}

func expired(why string) error {
	words := endings[why]
	if words == "" {
		words = why
	}
	return fault.New(fault.ContextLeaseExpired, "the browser of this context was closed: %s", words).With("reason", why).
		Suggest("dbridge session start", "dbridge session start --keep")
}

// nothing says that the context has neither a browser nor a page of the user's.
func (c *Context) nothing() error {
	if away := c.AwayBrowser(); away != "" {
		return c.manager.away(away)
	}
	f := fault.New(fault.SessionNotFound, "this context has no browser and no connected page").With("contextKey", c.Key)
	if name := c.manager.nameOf(c.view()); name != "" {
		f.Message += " of the browser " + name
	}
	next := []string{"dbridge session start --headless"}
	for _, name := range c.otherSessions() {
		next = append(next, "dbridge page list --session "+name)
	}
	if other := c.relative(); other != "" {
		next = append(next, "The same parent process has a browser in "+other+": run the command in that project, or set DBRIDGE_CONTEXT_ID for both.")
	}
	if !c.e.key.Explicit() {
		next = append(next, "If you did start one: where each command runs in a process tree of its own, set DBRIDGE_CONTEXT_ID to the same value for all of them.")
	}
	return f.Suggest(append(next, "Or connect a tab of your own Chrome: click Connect in the Debug Bridge popup.")...)
}

// otherSessions are those of the hub that have pages of the user's.
func (c *Context) otherSessions() []string {
	v := c.view()
	var names []string
	for _, t := range c.manager.pages.All() {
		if name := t.Page().Session().ID(); ofUser(t) && v.shows(t.Browser().ID()) && name != c.userSession() && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// relative is another context of the same parent process that has a browser.
func (c *Context) relative() string {
	m := c.manager
	if c.caller.Anchor == 0 || c.e.key.Explicit() {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.entries {
		if e == c.e {
			continue
		}
		for _, owner := range e.lease.State().Owners {
			if owner.Pid == c.caller.Anchor && owner.Start == c.caller.AnchorAt {
				e.mu.Lock()
				there := e.running != nil
				e.mu.Unlock()
				if there {
					return e.key.Name
				}
			}
		}
	}
	return ""
}

// Tab gives the page of a number, or the current one when it is 0.
func (c *Context) Tab(id int) (*page.Tab, error) {
	tabs := c.Tabs()
	if id != 0 {
		for _, t := range tabs {
			if t.PageID() == id {
				return t, nil
			}
		}
		if len(tabs) == 0 {
			if err := c.Ready(); err != nil {
				return nil, err
			}
		}
		return nil, c.noPage(id, tabs)
	}
	if len(tabs) == 0 {
		if err := c.Ready(); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.PageNotFound, "the browser of this context has no page open").Suggest("dbridge page open about:blank")
	}
	return c.current(tabs), nil
}

func (c *Context) noPage(id int, tabs []*page.Tab) error {
	numbers := make([]string, 0, len(tabs))
	for _, t := range tabs {
		numbers = append(numbers, strconv.Itoa(t.PageID()))
	}
	f := fault.New(fault.PageNotFound, "page %d is not in this context", id).With("pageId", id)
	if len(numbers) > 0 {
		f.Message += "; it has " + strings.Join(numbers, ", ")
	}
	return f.Suggest("dbridge page list")
}

// current is the page used last of those there are; at first the newest, which the
// person has just connected. It stays so whatever else is connected later.
func (c *Context) current(tabs []*page.Tab) *page.Tab {
	e := c.e
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := len(e.used) - 1; i >= 0; i-- {
		for _, t := range tabs {
			if t.PageID() == e.used[i] {
				return t
			}
		}
	}
	newest := tabs[len(tabs)-1]
	e.useLocked(newest.PageID())
	return newest
}

// maxUsed bounds the memory of which pages were used.
const maxUsed = 64

// Use makes the page the current one.
func (c *Context) Use(t *page.Tab) {
	c.e.mu.Lock()
	defer c.e.mu.Unlock()
	c.e.useLocked(t.PageID())
}

// Leave makes the page used before t the current one of left, which are those that stay.
func (c *Context) Leave(t *page.Tab, left []*page.Tab) *page.Tab {
	c.e.mu.Lock()
	c.e.used = slices.DeleteFunc(c.e.used, func(id int) bool { return id == t.PageID() })
	c.e.mu.Unlock()
	return c.current(left)
}

func (e *entry) useLocked(id int) {
	e.used = append(slices.DeleteFunc(e.used, func(other int) bool { return other == id }), id)
	if len(e.used) > maxUsed {
		e.used = e.used[1:]
	}
}

// Host is the browser in which a new page would open: the context's own, or the user's.
func (c *Context) Host() (page.Browser, *page.Tab, error) {
	if r := c.own(); r != nil {
		return r.Browser, nil, nil
	}
	opener, err := c.Tab(0)
	if err != nil {
		return nil, nil, err
	}
	return opener.Browser(), opener, nil
}

// Await gives the page of a browser's tab when it is reported.
func (c *Context) Await(ctx context.Context, b page.Browser, tabID int) (*page.Tab, error) {
	return c.manager.pages.Await(ctx, b.ID(), tabID)
}

// Turn waits until this command may change things in the context; done ends that. The
// wait is part of the command's time.
func (c *Context) Turn(ctx context.Context, command string) (done func(), err error) {
	done, stood, full := c.e.turn.Take(ctx, command)
	if done != nil {
		return done, nil
	}
	if full {
		return nil, fault.New(fault.Busy, "%d commands wait in this context already", stood.Count).With("limit", stood.Count)
	}
	if ctx.Err() != context.DeadlineExceeded {
		return nil, fault.New(fault.Cancelled, "the command was cancelled before its turn").With("dispatched", false)
	}
	return nil, fault.New(fault.ContextLockTimeout, "%s of the same context runs since %d ms; this command did not begin", stood.Current, time.Since(stood.Since).Milliseconds()).
		With("command", stood.Current).With("waiting", stood.Count).
		Suggest("Send it again with more time: --timeout MS", "dbridge session status --verbose")
}

// Hold takes the right to change a page of the user's browser until the context ends.
// With wait it waits for whoever has it.
func (c *Context) Hold(ctx context.Context, t *page.Tab, wait bool) error {
	if !ofUser(t) {
		return nil // nobody else has it
	}
	held := c.manager.holds.Take(ctx, t.PageID(), c.Key, c.Label(), wait)
	if held == nil {
		return nil
	}
	return leased(t, held).
		Suggest("Wait for it: give the command --timeout MS.", "Work together: both give --share-group NAME.", "dbridge page list", "dbridge session start --headless")
}

func leased(t *page.Tab, held *lease.Hold) *fault.Error {
	since := time.Since(held.Since).Round(time.Second)
	return fault.New(fault.PageLeased, "page %d is held by %s since %s; you may look at it, not change it", t.PageID(), held.Label, since).
		With("pageId", t.PageID()).With("holder", held.Holder).With("name", held.Label).With("since", held.Since.UTC().Format(time.RFC3339))
}

// Permit refuses to change a page of the user's browser that another context holds.
// It takes no right: agents of one session work on a page side by side, as long as
// no context has it for itself.
func (m *Manager) Permit(c caller.Caller, t *page.Tab) error {
	if !ofUser(t) {
		return nil
	}
	held := m.holds.Of(t.PageID())
	if held == nil {
		return nil
	}
	if key, err := c.Key(); err == nil && key.Name == held.Holder {
		return nil
	}
	return leased(t, held).Suggest("Send it again when the holder's context has ended; what only reads is never refused.", "dbridge session start --headless")
}

// Holder tells who may change a page of the user's browser; "" is anybody.
func (c *Context) Holder(t *page.Tab) (label string, mine bool) {
	held := c.manager.holds.Of(t.PageID())
	if held == nil {
		return "", false
	}
	return held.Label, held.Holder == c.Key
}

// Holding is one page of the user's browser that a context may change.
type Holding struct {
	Context string
	Label   string
	Page    *page.Tab
	Since   time.Time
}

// Holdings lists who holds which page, for the popup.
func (m *Manager) Holdings() []Holding {
	held := m.holds.Held()
	var list []Holding
	for _, t := range m.pages.All() {
		if h := held[t.PageID()]; h != nil {
			list = append(list, Holding{h.Holder, h.Label, t, h.Since})
		}
	}
	return list
}

func firstLine(text string) string { line, _, _ := strings.Cut(text, "\n"); return line }
