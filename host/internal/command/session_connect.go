package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

const (
	// maxConnectWait is how long a person may take; the time limit leaves room for the answer.
	maxConnectWait = 5 * time.Minute
	// connectLook is how often the pages are looked at: they are at hand, so looking costs nothing.
	connectLook = 50 * time.Millisecond
	// setupLook is how often files are, too.
	setupLook = time.Second
	// settling is how long after its start a daemon may lack a browser that runs: the
	// extension tries again within that time.
	settling = 10 * time.Second
	// suggestedWait is the wait of the next step, in ms: most clients give a call a minute.
	suggestedWait = 50_000
)

var connectCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "session.connect", Tool: "connect_browser", Summary: "Tell which pages this context can use; where there are none, what is missing and who does what.",
		Long: "Answers at once; --wait waits for a page to come, and answers with the state when none does. The page that came becomes the current one where there was none. " +
			"It starts no browser: session start does.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Observe, Timeout: maxConnectWait + 10*time.Second,
		Faults: []fault.Code{fault.ContextLockTimeout},
		Examples: []catalog.Example{
			{Line: "session connect", Note: "what is there, what is missing"},
			{Line: "session connect --wait 60000 --url 'http://localhost:3000/*'", Note: "until a page of the app is connected"},
		},
	}, sessionConnect),
}

// Setup is what stands between the daemon and the person's Chrome.
type Setup struct {
	Since    time.Time // the daemon began
	Browsers []string  // with the extension, that are connected

	// Where none is connected:
	Found      bool   // a browser is on this computer
	Registered bool   // it finds the native host
	Extension  string // folder of the unpacked extension; empty where it is not there
	Broken     string // the first thing that is wrong, and what mends it
	Fix        string
}

type sessionConnectParams struct {
	Wait int    `json:"wait,omitempty" min:"0" max:"300000" doc:"Wait so many ms for a page; 0 answers at once."`
	URL  string `json:"url,omitempty" doc:"A page with this address: part of it, with * for anything, or /regular expression/."`
}

// The states.
const (
	connectReady    = "ready"
	connectWaiting  = "waiting_for_user"
	connectAway     = "not_connected"
	connectUnknown  = "not_installed"
	connectNone     = "no_browser"
	maxConnectLines = 5 // pages told in the text
)

type sessionConnectResult struct {
	State   string        `json:"state" enum:"ready,waiting_for_user,not_connected,not_installed,no_browser" doc:"ready: there is a page. waiting_for_user: a tab must be connected. not_connected: no Chrome with the extension is. not_installed: dbridge install was not run. no_browser: none is on this computer, or this context's ended."`
	Pages   []connectPage `json:"pages"`
	Missing *missingHop   `json:"missing,omitempty" doc:"The first hop that is not there."`
	Next    *connectNext  `json:"next,omitempty"`
	WaitMs  int64         `json:"waitedMs,omitzero"`
	Notes   []string      `json:"notes,omitempty"`
}

type connectPage struct {
	PageID  int             `json:"pageId"`
	Title   string          `json:"title,omitempty"`
	URL     string          `json:"url"`
	Level   protocol.Level  `json:"level" doc:"Of consent."`
	Source  protocol.Source `json:"source" doc:"extension is the person's own Chrome."`
	Current bool            `json:"current,omitzero"`
	Away    string          `json:"away,omitempty" doc:"Why it takes no commands now."`
	HeldBy  string          `json:"heldBy,omitempty" doc:"Context that alone may change it."`
}

type missingHop struct {
	Hop  string `json:"hop" doc:"browser, native-host, extension, tab, page or session."`
	What string `json:"what"`
}

type connectNext struct {
	Person       string   `json:"person,omitempty" doc:"Tell the person this."`
	Command      string   `json:"command" doc:"Run this."`
	Alternatives []string `json:"alternatives,omitempty"`
}

func (r sessionConnectResult) Text() string {
	var lines []string
	if r.Missing == nil {
		lines = append(lines, r.State)
	} else {
		lines = append(lines, r.State+": "+r.Missing.What)
	}
	for i, p := range r.Pages {
		if i == maxConnectLines {
			lines = append(lines, fmt.Sprintf("  and %d more: dbridge page list", len(r.Pages)-i))
			break
		}
		lines = append(lines, p.text())
	}
	if n := r.Next; n != nil {
		if n.Person != "" {
			lines = append(lines, "person: "+n.Person)
		}
		lines = append(lines, "next: "+strings.Join(append([]string{n.Command}, n.Alternatives...), "; or "))
	}
	return strings.Join(append(lines, r.Notes...), "\n")
}

func (p connectPage) text() string {
	mark := " "
	if p.Current {
		mark = "*"
	}
	line := fmt.Sprintf("%s %d %s (%s, %s)", mark, p.PageID, strings.TrimSpace(brief(p.URL, 120)+" "+brief(p.Title, 60)), p.Source, p.Level)
	if p.Away != "" {
		line += " away: " + p.Away
	}
	if p.HeldBy != "" {
		line += " held by " + p.HeldBy
	}
	return line
}

// connecting is one look, or several, at what a context can use.
type connecting struct {
	env   *Env
	c     *slot.Context
	asked string
	fits  func(url string) bool
}

func sessionConnect(ctx context.Context, env *Env, p *sessionConnectParams) (sessionConnectResult, error) {
	began := time.Now()
	look := &connecting{env: env, asked: p.URL, fits: func(string) bool { return true }}
	if p.URL != "" {
		pattern, err := network.ParsePattern(p.URL)
		if err != nil {
			return sessionConnectResult{}, problem("%v", err).Suggest("dbridge session connect --url 'http://localhost:3000/*'")
		}
		look.fits = pattern.Match
	}
	c, warnings, err := env.Slots.Resolve(ctx, env.Caller)
	if err != nil {
		return sessionConnectResult{}, err
	}
	look.c = c
	found, err := look.await(ctx, time.Duration(p.Wait)*time.Millisecond)
	if err != nil {
		return sessionConnectResult{}, err
	}
	out, err := look.answer(ctx, found)
	if p.Wait > 0 {
		out.WaitMs = waitedIn(began)
	}
	out.Notes = append(warnings, out.Notes...)
	return out, err
}

// await looks until there is a page or the wait is over; nil where there is none. Its end is no failure.
func (l *connecting) await(ctx context.Context, wait time.Duration) (*page.Tab, error) {
	if found := l.find(); found != nil || wait <= 0 {
		return found, nil
	}
	until, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	until, end := sayTime(until)
	defer end()
	ticker := time.NewTicker(connectLook)
	defer ticker.Stop()
	var told string
	var looked time.Time
	for {
		if time.Since(looked) >= setupLook {
			looked = time.Now()
			_, missing, next := l.missing(ctx)
			if line := waitingFor(missing, next); line != told {
				told = line
				l.env.Say("%s", line)
			}
		}
		select {
		case <-ticker.C:
		case <-until.Done():
			if ctx.Err() == context.Canceled {
				return nil, fault.New(fault.Cancelled, "the wait for a page was cancelled")
			}
			return nil, nil
		}
		if found := l.find(); found != nil {
			return found, nil
		}
	}
}

func waitingFor(missing *missingHop, next *connectNext) string {
	if missing == nil {
		return "waiting for a page"
	}
	return "waiting: " + missing.What + ". " + cmp.Or(next.Person, next.Command)
}

// usable are the pages that take commands.
func (l *connecting) usable() []*page.Tab {
	if l.c.Browser() == nil && !l.c.OfUser() {
		return nil
	}
	return slices.DeleteFunc(l.c.Tabs(), func(t *page.Tab) bool { return !t.Info().Connected })
}

// find gives the page to work on: one that fits, the current one first, then the newest.
func (l *connecting) find() *page.Tab {
	tabs := slices.DeleteFunc(l.usable(), func(t *page.Tab) bool { return !l.fits(t.Info().URL) })
	if len(tabs) == 0 {
		return nil
	}
	chosen := l.c.Chosen(tabs)
	for _, t := range tabs {
		if t.PageID() == chosen {
			return t
		}
	}
	return tabs[len(tabs)-1]
}

// answer tells what is there. The page found becomes the current one where the context has none.
func (l *connecting) answer(ctx context.Context, found *page.Tab) (sessionConnectResult, error) {
	out := sessionConnectResult{State: connectReady, Pages: []connectPage{}}
	if found != nil {
		if err := l.revive(ctx, &out); err != nil {
			return out, err
		}
		if l.c.Chosen(l.c.Tabs()) == 0 {
			l.c.Use(found)
		}
	} else {
		out.State, out.Missing, out.Next = l.missing(ctx)
	}
	current := l.c.Chosen(l.c.Tabs())
	for _, t := range l.c.Tabs() {
		out.Pages = append(out.Pages, l.row(t, current))
	}
	if found != nil && found.PageID() != current {
		out.Next = &connectNext{Command: fmt.Sprintf("dbridge page use %d", found.PageID())}
	}
	return out, nil
}

// revive lets a context go on whose own browser ended, with the pages of the person's Chrome.
func (l *connecting) revive(ctx context.Context, out *sessionConnectResult) error {
	ended := l.c.Ready()
	if ended == nil {
		return nil
	}
	if _, err := l.c.Start(ctx, slot.Start{Profile: cmp.Or(l.env.Caller.Profile, slot.ProfileUser)}); err != nil {
		return err
	}
	out.Notes = append(out.Notes, fault.From(ended).Message+"; these are pages of the person's Chrome")
	return nil
}

func (l *connecting) row(t *page.Tab, current int) connectPage {
	info := t.Info()
	row := connectPage{PageID: info.PageID, Title: redact.Text(info.Title), URL: redact.URL(info.URL), Level: info.Level, Source: info.Source, Current: info.PageID == current}
	if holder, mine := l.c.Holder(t); holder != "" && !mine {
		row.HeldBy = holder
	}
	if refused := t.Blocked(); refused != nil {
		failure := fault.From(refused)
		row.Away, _ = failure.Details["reason"].(string)
		if failure.Code == fault.DialogBlocking {
			row.Away = failure.Message
		}
	}
	return row
}

const startOwn = "dbridge session start --headless"

// missing says why there is no page: the state, the first hop that is not there, and who does what.
func (l *connecting) missing(ctx context.Context) (string, *missingHop, *connectNext) {
	if l.c.Browser() != nil {
		return l.missingPage()
	}
	if !l.c.OfUser() {
		start := "dbridge session start --profile " + quoteArg(l.env.Caller.Profile)
		return connectNone, &missingHop{"browser", "no browser of profile " + l.env.Caller.Profile + " runs in this context"}, &connectNext{Command: start}
	}
	state, hop, next := l.missingUser(ctx)
	if ended := l.c.Ready(); ended != nil {
		if why := fault.From(ended); why.Code == fault.ContextLeaseExpired || why.Details["reason"] == "browser_gone" {
			return connectNone, &missingHop{"browser", why.Message}, &connectNext{Person: next.Person, Command: why.Suggestions[0], Alternatives: []string{l.again()}}
		}
	}
	return state, hop, next
}

// missingUser: why the context has no page of the person's Chrome.
func (l *connecting) missingUser(ctx context.Context) (string, *missingHop, *connectNext) {
	var s Setup
	if l.env.setup != nil {
		var err error
		if s, err = l.env.setup(ctx); err != nil {
			return connectUnknown, &missingHop{"native-host", fault.From(err).Message}, &connectNext{Command: "dbridge doctor", Alternatives: []string{startOwn}}
		}
	}
	if len(s.Browsers) > 0 {
		return l.missingTab(s)
	}
	state, hop, next := l.missingBrowser(s)
	next.Alternatives = append(next.Alternatives, startOwn)
	return state, hop, next
}

// again is the command that waits for what is missing.
func (l *connecting) again() string {
	line := fmt.Sprintf("dbridge session connect --wait %d", suggestedWait)
	if l.asked != "" {
		line += " --url " + quoteArg(l.asked)
	}
	return line
}

// missingBrowser: no Chrome with the extension is connected.
func (l *connecting) missingBrowser(s Setup) (string, *missingHop, *connectNext) {
	switch {
	case !s.Found:
		return connectNone, &missingHop{"browser", "no Chrome or Chromium of the person's was found on this computer"},
			&connectNext{Person: "Install Chrome, or start it once where it is installed; then run `dbridge install`.", Command: "dbridge install"}
	case !s.Registered, s.Extension == "":
		mend := s.Fix
		if mend == "" || strings.HasPrefix(mend, "dbridge install") { // for every browser that is there
			mend = "dbridge install"
		}
		return connectUnknown, &missingHop{"native-host", "Debug Bridge is not installed: " + s.Broken},
			&connectNext{Person: "Run `" + mend + "` in a terminal; it says how the extension is loaded.", Command: mend}
	}
	hop := &missingHop{"extension", "no Chrome with the Debug Bridge extension is connected"}
	if time.Since(s.Since) < settling {
		hop.What += "; the daemon has just started, and a Chrome that runs comes by itself"
	}
	return connectAway, hop, &connectNext{
		Person:  "Start Chrome. Where it runs, open chrome://extensions: if Debug Bridge is there, click its reload arrow; else switch Developer mode on, click Load unpacked and choose " + s.Extension + ".",
		Command: l.again(),
	}
}

// missingTab: a Chrome is connected, and none of its tabs serves.
func (l *connecting) missingTab(s Setup) (string, *missingHop, *connectNext) {
	next := &connectNext{Command: l.again(), Alternatives: []string{startOwn}}
	if away := l.c.AwayBrowser(); away != "" {
		next.Person = "Start the browser " + away + ". Its name stands in its Debug Bridge popup, and can be changed there."
		return connectAway, &missingHop{"extension", strings.Join(s.Browsers, ", ") + " is connected, and none is called " + away}, next
	}
	tabs := l.c.Tabs()
	if len(l.usable()) > 0 {
		return l.missingPage()
	}
	for _, t := range tabs {
		if refused := t.Blocked(); refused != nil {
			away := fault.From(refused)
			next.Person = strings.Join(away.Suggestions, " ")
			return connectWaiting, &missingHop{"page", fmt.Sprintf("page %d takes no commands now: %s", t.PageID(), away.Message)}, next
		}
	}
	if others := l.c.OtherSessions(); len(others) > 0 {
		next.Command, next.Alternatives = "dbridge session connect --session "+quoteArg(others[0]), []string{l.again(), startOwn}
		return connectWaiting, &missingHop{"session", "the tabs that are connected belong to session " + strings.Join(others, ", ")}, next
	}
	where := "the tab"
	if l.asked != "" {
		where = "the tab of " + l.asked
	}
	next.Person = "In Chrome, go to " + where + ", click the Debug Bridge icon in the toolbar (behind the puzzle piece where it is not pinned), then Connect."
	return connectWaiting, &missingHop{"tab", strings.Join(s.Browsers, ", ") + " is connected, and none of its tabs is"}, next
}

// missingPage: there are pages, or a browser for them, and none that fits.
func (l *connecting) missingPage() (string, *missingHop, *connectNext) {
	open := "about:blank"
	if l.asked != "" && !strings.Contains(l.asked, "*") && strings.Contains(l.asked, "://") {
		open = l.asked
	}
	next := &connectNext{Command: "dbridge page open " + quoteArg(open)}
	if l.asked == "" {
		return connectNone, &missingHop{"page", "the browser of this context has no page open"}, next
	}
	hop := &missingHop{"page", "no page has an address that fits " + l.asked}
	if open == "about:blank" {
		next = &connectNext{Command: "dbridge page list", Alternatives: []string{l.again()}}
	}
	if l.c.Browser() == nil {
		next.Person = "In Chrome, go to the tab of " + l.asked + ", click the Debug Bridge icon in the toolbar, then Connect."
	}
	return connectWaiting, hop, next
}
