package browser

import (
	"context"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

const (
	openTimeout    = 20 * time.Second // until the pages that exist are reported
	setupTimeout   = 3 * time.Second  // a page that takes longer has a dialog open, or spins
	closeTimeout   = 5 * time.Second
	defaultTimeout = 30 * time.Second // of an operation that names none
)

// Which pages of a remote browser become tabs.
const (
	AdoptAll = "all"
	AdoptOwn = "own" // those opened through us, and what they open
)

// Reporter takes what the browser tells (*page.Manager).
type Reporter interface {
	Connected(page.Browser)
	Disconnected(page.Browser)
	Event(b page.Browser, op string, payload jsontext.Value)
}

// fastReporter takes DevTools events without a detour through JSON.
type fastReporter interface {
	CDPEvent(b page.Browser, tab, frame int, session, method string, params jsontext.Value)
}

// Options of a browser.
type Options struct {
	ID        string          // unique among the daemon's browsers
	Source    protocol.Source // managed or remote
	Session   string          // the session that its tabs join
	Level     protocol.Level  // control by default
	Telemetry []string        // what the bridges tell by themselves; nil is everything
	Downloads string          // folder for downloads; "" leaves the browser's own way
	Adopt     string          // AdoptAll by default
	Log       zerolog.Logger
	Report    Reporter
	Allow     func(url string) error // what may be loaded; nil is Policy{}.Allow
}

// Direct is a browser over a DevTools connection (page.Browser).
type Direct struct {
	o      Options
	log    zerolog.Logger
	conn   *cdp.Conn
	root   *cdp.Session
	fast   fastReporter
	script string
	// inspector is for the page's own world; empty where state is not followed.
	inspector string
	agent     string // user agent

	ctx  context.Context // ends with the browser
	end  context.CancelFunc
	work sync.WaitGroup
	done chan struct{}

	mu        sync.Mutex
	sessions  map[string]*target
	tabs      map[int]*tab
	byTarget  map[string]*tab // by the id of the page's target
	lastTab   int
	lastCall  int64
	wake      chan struct{} // closed and replaced when a tab, frame or document comes or goes
	closing   bool
	own       map[string]bool // targets that we opened, where only those are adopted
	downloads map[string]*download
	private   map[string]bool // browser contexts of Private's pages
}

var _ page.Browser = (*Direct)(nil)

// Open takes a connection over and gives the browser once the pages that it has are reported.
func Open(ctx context.Context, t cdp.Transport, o Options) (*Direct, error) {
	if o.Level == "" {
		o.Level = protocol.Control
	}
	if o.Allow == nil {
		o.Allow = Policy{}.Allow
	}
	if o.Telemetry == nil {
		o.Telemetry = []string{
			protocol.CapDOMSnapshot, protocol.CapDOMMutations, protocol.CapUITree, protocol.CapConsole, protocol.CapErrors, protocol.CapState,
		}
	}
	code, app, err := scripts(o.Level, o.Telemetry)
	if err != nil {
		return nil, fault.New(fault.InternalError, "the page bridge cannot be read").Because(err)
	}
	d := &Direct{
		o: o, log: o.Log.With().Str("browser", o.ID).Logger(), script: code, inspector: app, done: make(chan struct{}),
		sessions: make(map[string]*target), tabs: make(map[int]*tab), byTarget: make(map[string]*tab),
		wake: make(chan struct{}), own: make(map[string]bool), downloads: make(map[string]*download),
	}
	d.fast, _ = o.Report.(fastReporter)
	d.ctx, d.end = context.WithCancel(context.Background())
	d.conn = cdp.NewConn(t, cdp.Options{OnEvent: d.onEvent, Log: o.Log})
	d.root = d.conn.Session("")
	o.Report.Connected(d)
	go d.watch()
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	if err := d.begin(ctx); err != nil {
		d.shut()
		return nil, asFault("the browser", err)
	}
	return d, nil
}

// begin attaches to what there is and to all that comes.
func (d *Direct) begin(ctx context.Context) error {
	version := d.root.Start("Browser.getVersion", nil)
	discover := d.root.Start("Target.setDiscoverTargets", map[string]any{"discover": true})
	d.setDownloads()
	attach := d.root.Start("Target.setAutoAttach", autoAttach(d.rootFilter()))
	raw, err := version.Wait(ctx)
	if err != nil {
		return err
	}
	var about struct {
		UserAgent string `json:"userAgent"`
	}
	if err := decode(raw, &about); err != nil {
		return err
	}
	d.mu.Lock()
	d.agent = about.UserAgent
	d.mu.Unlock()
	if _, err := discover.Wait(ctx); err != nil {
		return err
	}
	if _, err := attach.Wait(ctx); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.awaitLocked(ctx, func() bool {
		for _, t := range d.tabs {
			if !t.announced {
				return false
			}
		}
		return true
	})
}

// ID names the browser.
func (d *Direct) ID() string { return d.o.ID }

// Conn is the connection under it, for what has no operation.
func (d *Direct) Conn() *cdp.Conn { return d.conn }

// Done is closed when the connection has ended and that is reported.
func (d *Direct) Done() <-chan struct{} { return d.done }

// operations are what a browser answers.
var operations = map[string]func(*Direct, context.Context, jsontext.Value) (any, error){
	"bridge.call":   (*Direct).bridgeCall,
	"cdp.send":      (*Direct).send,
	"cdp.batch":     (*Direct).batch,
	"tab.navigate":  (*Direct).navigate,
	"tabs.open":     (*Direct).openTab,
	"tabs.close":    (*Direct).closeTab,
	"tabs.activate": (*Direct).activateTab,
	"tabs.list":     (*Direct).listTabs,
	"window.resize": (*Direct).resize,
	"cdp.hold":      nothing, // the connection stays as long as the browser
	"cdp.detach":    nothing,
	"diag.echo":     (*Direct).echo,

	"recorder.inject": (*Direct).injectRecorder,
}

func nothing(*Direct, context.Context, jsontext.Value) (any, error) { return struct{}{}, nil }

// Call answers one operation. The error is a *fault.Error.
func (d *Direct) Call(ctx context.Context, op string, payload any) (jsontext.Value, error) {
	run, ok := operations[op]
	if !ok {
		return nil, fault.New(fault.UnknownType, "a browser knows no %q", op)
	}
	data, err := encode(payload)
	if err != nil {
		return nil, fault.New(fault.InternalError, "the payload of %s cannot be encoded", op).Because(err)
	}
	result, err := run(d, ctx, data)
	if err != nil {
		return nil, asFault(op, err)
	}
	if raw, ok := result.(jsontext.Value); ok {
		return raw, nil
	}
	raw, err := encode(result)
	if err != nil {
		return nil, fault.New(fault.InternalError, "the result of %s cannot be encoded", op).Because(err)
	}
	return raw, nil
}

func (d *Direct) echo(ctx context.Context, _ jsontext.Value) (any, error) {
	if _, err := d.root.CallRaw(ctx, "Browser.getVersion", nil); err != nil {
		return nil, err
	}
	return map[string]int64{"at": time.Now().UnixMilli()}, nil
}

// Notify takes what needs no answer. It never waits.
func (d *Direct) Notify(op string, payload any) error {
	if op != "bridge.ack" {
		return nil // the popup's affairs
	}
	data, err := encode(payload)
	if err != nil {
		return err
	}
	var ack struct {
		TabID      int    `json:"tabId"`
		FrameID    int    `json:"frameId"`
		DocumentID string `json:"documentId"`
		UpTo       uint64 `json:"upTo"`
	}
	if err := decode(data, &ack); err != nil {
		return err
	}
	// Comes from within an event, which holds the lock.
	d.work.Go(func() { d.acknowledge(ack.TabID, ack.FrameID, ack.DocumentID, ack.UpTo) })
	return nil
}

// Close ends the connection; quit ends the browser, too. Else the browser is left as it was.
func (d *Direct) Close(ctx context.Context, quit bool) error {
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	d.mu.Lock()
	d.closing = true
	d.mu.Unlock()
	if quit {
		// Its answer and the end of the connection race.
		if _, err := d.root.CallRaw(ctx, "Browser.close", nil); err == nil {
			select {
			case <-d.conn.Done():
			case <-ctx.Done():
			}
		}
	} else {
		d.leave(ctx)
	}
	d.shut()
	return nil
}

// shut ends the connection and waits for everything.
func (d *Direct) shut() {
	d.end()
	_ = d.conn.Close() // says nothing of interest
	<-d.done
	d.work.Wait()
}

// watch reports the end of the connection.
func (d *Direct) watch() {
	<-d.conn.Done()
	d.end()
	d.mu.Lock()
	reason := protocol.ReasonCrashed
	if d.closing {
		reason = protocol.ReasonClosed
	}
	for _, t := range d.tabs {
		d.forget(t, reason)
	}
	d.turn()
	d.mu.Unlock()
	d.o.Report.Disconnected(d)
	close(d.done)
}

// turn wakes who waits for a change. The caller holds d.mu.
func (d *Direct) turn() {
	close(d.wake)
	d.wake = make(chan struct{})
}

// awaitLocked waits until ready says so, asked under the lock, which the caller holds.
func (d *Direct) awaitLocked(ctx context.Context, ready func() bool) error {
	for !ready() {
		wake := d.wake
		d.mu.Unlock()
		select {
		case <-wake:
			d.mu.Lock()
		case <-ctx.Done():
			d.mu.Lock()
			return ctx.Err()
		case <-d.ctx.Done():
			d.mu.Lock()
			return fault.New(fault.CDPDisconnected, "the browser is gone").With("reason", "closed")
		}
	}
	return nil
}

// emit reports one event. The caller holds d.mu, so that events keep their order.
func (d *Direct) emit(op string, payload any) {
	data, err := encode(payload)
	if err != nil {
		d.log.Error().Err(err).Str("op", op).Msg("event cannot be encoded")
		return
	}
	d.o.Report.Event(d, op, data)
}

func encode(value any) (jsontext.Value, error) {
	if raw, ok := value.(jsontext.Value); ok {
		return raw, nil
	}
	return json.Marshal(value, jsontext.AllowInvalidUTF8(true))
}

// decode reads what the browser or package page gives; unknown members are ignored.
func decode(data jsontext.Value, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}
