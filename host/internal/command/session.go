package command

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

// startTime is for a cold disk and a page that loads.
const startTime = 60 * time.Second

var sessionCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "session.start", Tool: "session_start", Summary: "Start a browser for this context, or connect to one.",
		Long: "A managed Chrome has a profile of its own that goes with it. --profile user uses the pages that the person connected in their own Chrome, --profile \"Work Chrome\" those of " +
			"one of their browsers; another name is that of a profile of config.toml (profile list), or of a folder that is kept. --endpoint connects to a browser that runs with a debugging port. " +
			"The browser ends with session stop, when it is idle, and with the process that started it.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Control, Timeout: startTime,
		Faults: []fault.Code{fault.SessionAlreadyRunning, fault.BrowserLaunchFailed, fault.Busy, fault.PolicyDenied, fault.NavigationInterrupted, fault.ContextLockTimeout, fault.TargetAmbiguous, fault.ExtensionNotConnected},
		Examples: []catalog.Example{
			{Line: "session start --headless", Note: "a fresh Chrome without a window"},
			{Line: "session start --headless --url http://localhost:3000/app --viewport 1280x800", Note: "with its first page"},
		},
	}, sessionStart),
	define(catalog.Spec{
		Name: "session.status", Tool: "session_status", Summary: "Tell what this context has: browser, pages, lease, lasting changes.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe,
		Examples: []catalog.Example{
			{Line: "session status"},
			{Line: "session status --details", Note: "with lease, queue, folders and lasting changes"},
		},
	}, sessionStatus),
	define(catalog.Spec{
		Name: "session.stop", Tool: "session_stop", Summary: "End this context: its browser with all that it started, its lasting changes, its hold on pages.",
		Long:   "A remote browser is left as it was. Artifacts are kept.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Observe,
		Faults: []fault.Code{fault.ContextLockTimeout},
		Examples: []catalog.Example{
			{Line: "session stop"},
			{Line: "session stop --share-group review", Note: "the browser of a group"},
		},
	}, sessionStop),
	define(catalog.Spec{
		Name: "session.restart", Tool: "session_restart", Summary: "End this context's browser and start it anew, as it was or as the parameters say.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Control, Timeout: startTime,
		Faults: []fault.Code{fault.BrowserLaunchFailed, fault.Busy, fault.PolicyDenied, fault.NavigationInterrupted, fault.ContextLockTimeout},
		Examples: []catalog.Example{
			{Line: "session restart"},
			{Line: "session restart --headless --url http://localhost:3000/app"},
		},
	}, sessionRestart),
}

type sessionStartParams struct {
	Headless   bool     `json:"headless,omitzero" doc:"No window; the default where there is no display."`
	Headed     bool     `json:"headed,omitzero" doc:"A window that the person sees."`
	URL        string   `json:"url,omitempty" doc:"First page; loaded when this answers."`
	Viewport   string   `json:"viewport,omitempty" doc:"Size of the page in CSS px, as 1280x800."`
	Executable string   `json:"executable,omitempty" local:"true" doc:"Browser program; the one that is found without it."`
	Profile    string   `json:"profile,omitempty" doc:"managed, user, remote, a profile of config.toml, a connected browser, or a name under which a folder is kept."`
	Endpoint   string   `json:"endpoint,omitempty" local:"true" doc:"Of a remote browser: http://host:port, ws://…, a port, or its user data directory."`
	Header     []string `json:"header,omitempty" doc:"HTTP header for the endpoint, as 'Name: value'; repeatable."`
	Keep       bool     `json:"keep,omitzero" doc:"Do not end it when idle or when its process ends."`
}

type sessionPage struct {
	PageID int    `json:"pageId"`
	URL    string `json:"url"`
	Title  string `json:"title,omitempty"`
}

type sessionStartResult struct {
	Context  string        `json:"context" doc:"Key of the context."`
	Profile  string        `json:"profile"`
	Browser  string        `json:"browser,omitempty" doc:"Program of the browser."`
	Version  string        `json:"version,omitempty"`
	Pid      int           `json:"pid,omitzero"`
	Headless bool          `json:"headless,omitzero"`
	Endpoint string        `json:"endpoint,omitempty" doc:"Which of the profile's it is."`
	Pages    []sessionPage `json:"pages"`
	Ms       int64         `json:"ms" doc:"How long it took."`
	Notes    []string      `json:"notes,omitempty"`
}

func (r sessionStartResult) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", r.Profile)
	if r.Browser != "" {
		b.WriteString(" " + strings.TrimSpace(r.Browser+" "+r.Version))
	}
	if r.Endpoint != "" {
		b.WriteString(" at " + r.Endpoint)
	}
	if r.Headless {
		b.WriteString(" headless")
	}
	fmt.Fprintf(&b, ", %d ms", r.Ms)
	for _, p := range r.Pages {
		fmt.Fprintf(&b, "\npage %d %s", p.PageID, strings.TrimSpace(p.URL+" "+p.Title))
	}
	for _, note := range r.Notes {
		b.WriteString("\n" + note)
	}
	return b.String()
}

// want makes of the parameters what package slot understands.
func (p *sessionStartParams) want(m *slot.Manager, into *slot.Start) error {
	if p.Headless && p.Headed {
		return problem("headless and headed exclude each other").Suggest("dbridge session start --headless")
	}
	if p.Headless || p.Headed {
		into.Headless = &p.Headless
	}
	if p.Profile != "" {
		if p.Profile != into.Profile {
			into.Endpoint, into.Header = "", nil
		}
		into.Profile = p.Profile
	}
	if p.Executable != "" {
		into.Executable = p.Executable
	}
	if p.Endpoint != "" {
		if of, _, err := m.Profile(into.Profile); p.Profile == "" && (err != nil || of.Kind != profile.Remote) {
			into.Profile = slot.ProfileRemote
		}
		into.Endpoint = p.Endpoint
	}
	// What an earlier start said is no reason to refuse a profile that cannot have it.
	if of, _, err := m.Profile(into.Profile); err == nil && of.Kind != profile.Managed {
		if !p.Headless && !p.Headed {
			into.Headless = nil
		}
		if p.Executable == "" {
			into.Executable = ""
		}
	}
	into.Keep = into.Keep || p.Keep
	if p.URL != "" {
		address, err := addressOf(p.URL, "")
		if err != nil {
			return err
		}
		into.URL = address
	}
	if p.Viewport != "" {
		w, h, ok := profile.ParseViewport(p.Viewport)
		if !ok {
			return problem("viewport is %q, not a size such as 1280x800", p.Viewport).Suggest("dbridge session start --viewport 1280x800")
		}
		into.Width, into.Height = w, h
	}
	if len(p.Header) > 0 {
		into.Header = http.Header{}
		for _, line := range p.Header {
			name, value, err := headerOf(line)
			if err != nil {
				return err
			}
			into.Header.Add(name, value)
		}
	}
	return nil
}

func headerOf(line string) (name, value string, err error) {
	name, value, ok := strings.Cut(line, ":")
	if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(line, "\r\n") {
		return "", "", problem("a header is not of the form 'Name: value'").Suggest("--header 'Authorization: Bearer TOKEN'")
	}
	return name, strings.TrimSpace(value), nil
}

func sessionStart(ctx context.Context, env *Env, p *sessionStartParams) (sessionStartResult, error) {
	var want slot.Start
	return startSession(ctx, env, p, func(c *slot.Context) (slot.Started, *slot.Start, error) {
		if err := p.want(env.Slots, &want); err != nil {
			return slot.Started{}, nil, err
		}
		started, err := c.Start(ctx, want)
		return started, &want, err
	})
}

func sessionRestart(ctx context.Context, env *Env, p *sessionStartParams) (sessionStartResult, error) {
	return startSession(ctx, env, p, func(c *slot.Context) (slot.Started, *slot.Start, error) {
		var wrong error
		var want slot.Start
		started, err := c.Restart(ctx, func(s *slot.Start) {
			wrong = p.want(env.Slots, s)
			want = *s
		})
		if wrong != nil {
			err = wrong
		}
		return started, &want, err
	})
}

// startSession starts a browser and its first page. Where that page does not load, the
// browser stays: the page can be tried again.
func startSession(ctx context.Context, env *Env, p *sessionStartParams, start func(*slot.Context) (slot.Started, *slot.Start, error)) (sessionStartResult, error) {
	began := time.Now()
	who := env.Caller
	who.Profile, who.Session = "", "" // they say what to start here, not where to look
	if p.Profile == "" {
		p.Profile = env.Caller.Profile
	}
	c, warnings, err := env.Slots.Resolve(ctx, who)
	if err != nil {
		return sessionStartResult{}, err
	}
	started, want, err := start(c)
	if err != nil {
		return sessionStartResult{}, err
	}
	out := sessionStartResult{
		Context: c.Key, Profile: started.Profile, Pid: started.Pid, Headless: started.Headless,
		Endpoint: started.Endpoint, Notes: append(warnings, started.Warnings...), Pages: []sessionPage{},
	}
	out.Browser, out.Version, _ = strings.Cut(started.Product, "/")
	if err := firstPage(ctx, c, want.URL, started); err != nil {
		if ctx.Err() != nil {
			// Whoever asked is gone, or waits no more.
			_, _ = c.Stop(context.WithoutCancel(ctx)) // it says itself what does not end
			return out, fault.New(fault.Timeout, "the first page did not load in time; the browser was ended").Because(err).Suggest("dbridge session start", "Give it more time: --timeout MS")
		}
		failure := fault.From(err)
		out.Notes = append(out.Notes, failure.Message+" ("+string(failure.Code)+")")
	}
	for _, t := range c.Tabs() {
		info := t.Info()
		out.Pages = append(out.Pages, sessionPage{info.PageID, redact.URL(info.URL), redact.Text(info.Title)})
	}
	if c.Browser() == nil && len(out.Pages) == 0 {
		_, _ = c.Stop(ctx) // there is nothing to end
		whose := "your Chrome"
		if started.Product != "" {
			whose = started.Product
		}
		return out, fault.New(fault.SessionNotFound, "no page of %s is connected", whose).
			Suggest("Ask the person to click Connect in the Debug Bridge popup of a tab.", "dbridge doctor", "dbridge session start --profile managed")
	}
	out.Ms = time.Since(began).Milliseconds()
	return out, nil
}

// firstPage brings the browser's first page to where and how it is wanted.
func firstPage(ctx context.Context, c *slot.Context, address string, started slot.Started) error {
	if address == "" && started.Width == 0 {
		return nil
	}
	t, err := c.Tab(0)
	if err != nil {
		return err
	}
	if started.Width > 0 {
		if err := resize(ctx, t, started.Width, started.Height); err != nil {
			return err
		}
	}
	if address == "" {
		return nil
	}
	_, err = goTo(ctx, t, map[string]any{"url": address}, page.UntilLoad)
	return err
}

type sessionStopParams struct{}

type sessionStopResult struct {
	Stopped bool  `json:"stopped" doc:"False where nothing ran."`
	Ms      int64 `json:"ms"`
}

func (r sessionStopResult) Text() string {
	if !r.Stopped {
		return "nothing ran"
	}
	return fmt.Sprintf("stopped, %d ms", r.Ms)
}

func sessionStop(ctx context.Context, env *Env, _ *sessionStopParams) (sessionStopResult, error) {
	began := time.Now()
	c, _, err := env.Slots.Resolve(ctx, env.Caller)
	if err != nil {
		return sessionStopResult{}, err
	}
	had, err := c.Stop(ctx)
	return sessionStopResult{had, time.Since(began).Milliseconds()}, err
}
