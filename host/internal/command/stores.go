package command

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/console"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// What is recorded of a tab from its first event on: console, network, downloads;
// and the rules by which its requests are blocked or answered.

// Stores own what runs for the stores of all tabs.
type Stores struct {
	ctx  context.Context
	end  context.CancelFunc
	work sync.WaitGroup

	mu        sync.Mutex
	downloads map[string]*downloads // by browser

	actions atomic.Int64 // done on any page: their numbers

	// Recordings is the folder for what the person records by the popup; "" for none.
	Recordings string
	taping     map[*taping]bool // those that run
}

// Attach makes every tab that comes record. Call it before any browser connects, and
// Close after the last one.
func Attach(pages *page.Manager) *Stores {
	s := &Stores{downloads: map[string]*downloads{}}
	s.ctx, s.end = context.WithCancel(context.Background())
	pages.OnTab(func(t *page.Tab) { t.Keep(storesKey{}, func() page.Keeper { return s.record(t) }) })
	pages.OnTab(s.keepPicks)
	pages.OnSide(s.onSide)
	s.attachRecorder(pages)
	return s
}

// Close ends what runs and waits for it.
func (s *Stores) Close() {
	s.endTapes()
	s.end()
	s.work.Wait()
}

type storesKey struct{}

// record is what is kept of one tab.
type record struct {
	owner   *Stores
	tab     *page.Tab
	console *console.Store
	network *network.Store
	rules   network.Rules
	ctx     context.Context
	end     context.CancelFunc
	stop    []func()

	switching sync.Mutex // held while domains are enabled

	mu       sync.Mutex
	children map[string]string // DevTools sessions below the page's own, with their kind
	listens  bool              // requests are told of, over the extension
	fetching bool              // requests are stopped at
	emulates bool              // what sessions below the page's must be told of was emulated
	marks    map[string]mark   // by agent: where its last action began
	points   []*logpoint

	causes causes
}

// mark is a place in the stores, and in the session's log.
type mark struct {
	console, network int
	events           uint64
}

// maxMarks bounds the agents remembered for one tab.
const maxMarks = 100

func (s *Stores) record(t *page.Tab) *record {
	r := &record{
		owner: s, tab: t, console: console.NewStore(), network: network.NewStore(),
		children: map[string]string{}, marks: map[string]mark{},
	}
	r.causes.record = r
	r.ctx, r.end = context.WithCancel(s.ctx)
	r.stop = []func(){t.Telemetry(r.onSaid), t.Watch(r.onEvent), t.OnRun(r.onRun)}
	return r
}

// Close ends the recording. What runs for it ends by itself, and Stores.Close waits.
func (r *record) Close() {
	r.end()
	r.causes.end()
	for _, stop := range r.stop {
		stop()
	}
}

func (r *record) onSaid(said page.Said) {
	defer r.causes.said(said.Message) // of what the stores have by then
	switch m := said.Message.(type) {
	case *protocol.Console:
		r.console.Line(m, said.Session, said.Params)
	case *protocol.PageError:
		r.console.Error(m, said.Session, said.Params)
	case *protocol.PageNavigated:
		if !m.SameDocument {
			r.console.Navigated(m.URL)
		}
	}
}

// onEvent sees every DevTools event of the tab; it must not block or call the tab.
func (r *record) onEvent(session, method string, params jsontext.Value) {
	domain, _, _ := strings.Cut(method, ".")
	switch domain {
	case "Network", "Page":
		r.network.Event(session, method, params)
		r.causes.side(method, params)
	case "Log", "Audits":
		r.console.Browser(session, method, params)
	case "Fetch":
		if method == "Fetch.requestPaused" {
			r.onPaused(session, params)
		}
	case "Target":
		r.onTarget(method, params)
	case "Inspector":
		if method == "Inspector.detached" {
			r.onDetached()
		}
	}
}

// onTarget follows the sessions below the page's own; new ones get what the page has.
func (r *record) onTarget(method string, params jsontext.Value) {
	var event struct {
		SessionID  string `json:"sessionId"`
		TargetInfo struct {
			Type string `json:"type"`
		} `json:"targetInfo"`
	}
	if decodeEvent(params, &event) != nil || event.SessionID == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch method {
	case "Target.attachedToTarget":
		r.children[event.SessionID] = event.TargetInfo.Type
		listens, fetching, emulates := r.listens, r.fetching, r.emulates
		if listens || fetching || emulates {
			r.later(func(ctx context.Context) {
				if listens {
					_ = r.tab.Session(event.SessionID).Call(ctx, "Network.enable", networkEnable, nil) // a child that went away needs none
				}
				if fetching {
					_ = r.intercept(ctx, event.SessionID)
				}
				if emulates {
					r.emulate(ctx, event.SessionID)
				}
			})
		}
	case "Target.detachedFromTarget":
		delete(r.children, event.SessionID)
	}
}

// onDetached: the debugger of the user's Chrome is gone, and what it had on is off.
func (r *record) onDetached() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.listens {
		r.listens = false
		r.network.End()
	}
	clear(r.children)
}

// laterTime bounds what is done for nobody who waits.
const laterTime = 10 * time.Second

// later does something for which nobody waits. It may be called from an event.
func (r *record) later(do func(context.Context)) {
	r.owner.work.Go(func() {
		ctx, cancel := context.WithTimeout(r.ctx, laterTime)
		defer cancel()
		do(ctx)
	})
}

// sessions lists the page's own session and those below.
func (r *record) sessions() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := []string{""}
	for id := range r.children {
		list = append(list, id)
	}
	return list
}

// records gives what is recorded of the command's page.
func (e *Env) records() (*record, error) {
	if r, ok := e.Tab.Keep(storesKey{}, nil).(*record); ok {
		return r, nil
	}
	return nil, fault.New(fault.PageNotFound, "the page is gone").Suggest("dbridge page list")
}

// acting notes where the stores are when an agent begins to act, for its next wait.
func acting(e *Env) {
	r, ok := e.Tab.Keep(storesKey{}, nil).(*record)
	if !ok {
		return
	}
	r.setMark(e.Agent, mark{r.console.Last(), r.network.Last(), e.Tab.Page().Session().Last()})
}

func (r *record) setMark(agent string, m mark) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.marks[agent]; !known && len(r.marks) >= maxMarks {
		clear(r.marks)
	}
	r.marks[agent] = m
}

// markOf is where the agent's last action began; false where it has not acted yet.
func (r *record) markOf(agent string) (mark, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.marks[agent]
	return m, ok
}

var networkEnable = map[string]any{"maxPostDataSize": 64 << 10}

// listen makes sure that the browser tells of the page's requests. A managed or remote
// browser does from the page's birth; the user's Chrome from the first time that
// somebody asks, for which the debugger stays attached.
func (r *record) listen(ctx context.Context, env *Env) error {
	info := env.Tab.Info()
	if info.Source != protocol.SourceExtension {
		r.network.Begin()
		return nil
	}
	if !info.Level.Allows(protocol.Control) {
		return needsControl("The requests of a page are told by its debugger")
	}
	r.switching.Lock()
	defer r.switching.Unlock()
	r.mu.Lock()
	listens := r.listens
	r.mu.Unlock()
	if listens {
		return nil
	}
	if err := r.tune(ctx); err != nil {
		return err
	}
	env.Context.Undo(undoKey(env, "network recording"), r.untune)
	return nil
}

// tune makes the user's Chrome tell of the page's requests. r.switching is held.
func (r *record) tune(ctx context.Context) error {
	if err := r.tab.Hold(ctx, recordingHold, true); err != nil {
		return err
	}
	for _, id := range r.sessions() {
		session := r.tab.Session(id)
		err := session.Call(ctx, "Network.enable", networkEnable, nil)
		if err != nil && id == "" {
			return err
		}
		_ = session.Call(ctx, "Log.enable", nil, nil) // failed loads are console lines too, where there is a log
	}
	r.mu.Lock()
	r.listens = true
	r.mu.Unlock()
	r.network.Begin()
	return nil
}

// untune takes tune back.
func (r *record) untune(ctx context.Context) error {
	r.mu.Lock()
	r.listens = false
	r.mu.Unlock()
	r.network.End()
	return r.tab.Hold(ctx, recordingHold, false)
}

// hold keeps the debugger of the user's Chrome attached; others always are.
func (r *record) hold(ctx context.Context, env *Env, on bool) error {
	if env.Tab.Info().Source != protocol.SourceExtension {
		return nil
	}
	return env.Tab.Hold(ctx, recordingHold, on)
}

// recordingHold names who keeps the debugger attached for what is recorded.
const recordingHold = "recording"

func needsControl(what string) *fault.Error {
	return fault.New(fault.CapabilityMissing, "%s, and this page is connected below level control.", what).With("level", protocol.Control).
		Suggest("Ask the person to connect the tab at level control.", "dbridge session start --headless")
}

// undoKey names a lasting change of a page, as `session status` shows it.
func undoKey(env *Env, what string) string {
	return "page " + strconv.Itoa(env.Tab.PageID()) + ": " + what
}

// here shortens an address of the page's own origin.
func here(pageURL, address string) string {
	base, err := url.Parse(pageURL)
	if err != nil || base.Host == "" {
		return address
	}
	rest, own := strings.CutPrefix(address, base.Scheme+"://"+base.Host)
	if !own || rest != "" && rest[0] != '/' && rest[0] != '?' && rest[0] != '#' {
		return address
	}
	if rest == "" {
		return "/"
	}
	return rest
}

// decodeEvent reads what a browser says; unknown members are ignored.
func decodeEvent(data jsontext.Value, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}

// brief bounds a text for a line of a list.
func brief(text string, limit int) string {
	return cutText(strings.TrimSpace(text), limit)
}

// maySeeSecrets judges --show-secrets: what a person's own browser sends is signed in as that person.
func maySeeSecrets(env *Env, wanted bool) error {
	if !wanted || env.Tab.Info().Source != protocol.SourceExtension {
		return nil
	}
	return fault.New(fault.PolicyDenied, "secrets of the person's own browser are not shown").
		Suggest("Leave --show-secrets out.", "dbridge session start --headless")
}
