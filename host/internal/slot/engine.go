package slot

import (
	"context"
	"net/http"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/browser"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/websocket"
	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Browser is a browser that a context has for itself.
type Browser interface {
	page.Browser
	// Done is closed when the browser is gone, for whatever reason.
	Done() <-chan struct{}
	// Ended says how it went, after Done.
	Ended() string
	// Close ends a managed browser with all its processes, and leaves a remote one as
	// it was. When ctx ends it is made short.
	Close(ctx context.Context) error
	About() About
}

// About is what is known of a browser.
type About struct {
	Product string // Chrome/156.0.8078.79
	Process chrome.Identity
}

// Plan says which browser to start or to reach.
type Plan struct {
	ID         string // unique among the daemon's browsers
	Session    string // the hub's session of its pages
	Executable string
	Dir        string // user data directory; managed only
	Args       []string
	Headless   bool
	Width      int
	Height     int
	Endpoint   string // remote only
	Header     http.Header
	Downloads  string
}

// Engine starts browsers and reaches those that run.
type Engine interface {
	Launch(ctx context.Context, plan Plan) (Browser, error)
	Attach(ctx context.Context, plan Plan) (Browser, error)
	// Probe asks a browser that runs how it is.
	Probe(ctx context.Context, endpoint string, header http.Header) (chrome.Health, error)
	// Allow judges an address before a browser is started for it.
	Allow(url string) error
}

// Chromes is the Engine of real browsers.
type Chromes struct {
	Report browser.Reporter // *page.Manager
	Policy browser.Policy
	Log    zerolog.Logger
}

// direct is a browser over a DevTools connection, with the process if it is ours.
type direct struct {
	*browser.Direct
	process *chrome.Process
	product string
}

// Launch starts a managed Chrome.
func (e *Chromes) Launch(ctx context.Context, plan Plan) (Browser, error) {
	program, err := chrome.Find(plan.Executable)
	if err != nil {
		return nil, err
	}
	process, err := chrome.Launch(ctx, chrome.LaunchOptions{
		Executable: program.Path, UserDataDir: plan.Dir, Headless: plan.Headless, Width: plan.Width, Height: plan.Height,
		Args: plan.Args,
	})
	if err != nil {
		return nil, err
	}
	opened, err := browser.Open(ctx, process.Transport(), e.options(plan, protocol.SourceManaged))
	if err != nil {
		stop(ctx, process)
		failure := fault.From(err)
		if failure.Code == fault.CDPDisconnected || ctx.Err() == nil && failure.Code == fault.InternalError {
			failure = fault.New(fault.BrowserLaunchFailed, "the browser was started and then failed: %s", failure.Message).Because(err).With("reason", "not_ready")
		}
		return nil, failure
	}
	return &direct{opened, process, process.Version()}, nil
}

// Attach connects to a browser that somebody else started.
func (e *Chromes) Attach(ctx context.Context, plan Plan) (Browser, error) {
	endpoint, err := chrome.Resolve(ctx, plan.Endpoint, plan.Header)
	if err != nil {
		return nil, err
	}
	transport, err := websocket.Dial(ctx, endpoint.WebSocketURL, plan.Header)
	if err != nil {
		return nil, err
	}
	opened, err := browser.Open(ctx, transport, e.options(plan, protocol.SourceRemote))
	if err != nil {
		return nil, err
	}
	return &direct{opened, nil, endpoint.Browser}, nil
}

// Probe asks a browser that runs how it is.
func (e *Chromes) Probe(ctx context.Context, endpoint string, header http.Header) (chrome.Health, error) {
	return chrome.Probe(ctx, endpoint, header)
}

// Allow judges an address.
func (e *Chromes) Allow(url string) error { return e.Policy.Allow(url) }

func (e *Chromes) options(plan Plan, source protocol.Source) browser.Options {
	return browser.Options{
		ID: plan.ID, Source: source, Session: plan.Session, Downloads: plan.Downloads,
		Log: e.Log, Report: e.Report, Allow: e.Policy.Allow,
	}
}

// stop ends a browser for good, in the time that is left.
func stop(ctx context.Context, process *chrome.Process) error { return process.Stop(ctx) }

// Ended says how the browser went.
func (d *direct) Ended() string {
	if d.process == nil {
		if err := d.Conn().Err(); err != nil {
			return "the connection ended: " + err.Error()
		}
		return "the connection ended"
	}
	<-d.process.Done()
	return d.process.Exit()
}

// Close ends a managed browser and lets a remote one be.
func (d *direct) Close(ctx context.Context) error {
	err := d.Direct.Close(ctx, d.process != nil)
	if d.process == nil {
		return err
	}
	return stop(ctx, d.process) // what could not be asked to end is made to
}

// About tells of the browser.
func (d *direct) About() About {
	about := About{Product: d.product}
	if d.process != nil {
		about.Process = d.process.Identity()
	}
	return about
}
