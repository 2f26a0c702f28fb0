package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

var navigateCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "page.navigate", Tool: "navigate_page", Summary: "Load an address, go back or forward, or load the page again.",
		Long: "Answers when the page is loaded (or as --wait-until says) with its address, title, HTTP status and the first errors it wrote. " +
			"The address may be relative to the page, or lack its scheme (localhost:3000).",
		Effect: catalog.Act, Needs: catalog.Dialog, Level: protocol.Act,
		Positional: []string{"url"},
		Faults:     []fault.Code{fault.NavigationInterrupted, fault.PolicyDenied, fault.DialogBlocking, fault.CapabilityMissing},
		Examples: []catalog.Example{
			{Line: "page navigate /app"},
			{Line: "page navigate --reload --ignore-cache"},
			{Line: "page navigate --back --wait-until domcontentloaded"},
		},
	}, pageNavigate),
}

// waitParam is embedded where a page is loaded.
type waitParam struct {
	WaitUntil string `json:"waitUntil,omitempty" doc:"What is waited for." enum:"load,domcontentloaded,networkidle,commit" default:"load"`
}

type pageNavigateParams struct {
	URL          string `json:"url,omitempty" doc:"Address. Exactly one of url, back, forward, reload."`
	Back         bool   `json:"back,omitzero" doc:"One step back in history."`
	Forward      bool   `json:"forward,omitzero" doc:"One step forward in history."`
	Reload       bool   `json:"reload,omitzero" doc:"Load the page again."`
	IgnoreCache  bool   `json:"ignoreCache,omitzero" doc:"With reload: load everything from the network."`
	InitScript   string `json:"initScript,omitempty" doc:"JavaScript that runs in the new document before its own."`
	BeforeUnload string `json:"beforeunload,omitempty" doc:"Answer to a page that asks whether to leave it." enum:"accept,dismiss"`
	waitParam
}

// Destination is where it leads, for guards.
func (p *pageNavigateParams) Destination(base string) string { return destinationOf(p.URL, base) }

// arrival is a page as it is once it is loaded.
type arrival struct {
	URL    string   `json:"url"`
	Title  string   `json:"title,omitempty"`
	Status int      `json:"status,omitzero" doc:"HTTP status, where it is not 200."`
	Errors []string `json:"errors,omitempty" doc:"First errors of the page while it loaded."`
	More   int      `json:"moreErrors,omitzero"`
	Note   string   `json:"note,omitempty" doc:"What was not waited for."`
}

func (a arrival) text() string {
	var b strings.Builder
	b.WriteString(a.URL)
	if a.Title != "" {
		fmt.Fprintf(&b, " %q", a.Title)
	}
	if a.Status != 0 {
		fmt.Fprintf(&b, " HTTP %d", a.Status)
	}
	if a.Note != "" {
		b.WriteString(" (" + a.Note + ")")
	}
	for _, line := range a.Errors {
		b.WriteString("\nerror: " + line)
	}
	if a.More > 0 {
		fmt.Fprintf(&b, "\n%d more errors: dbridge console list --level error", a.More)
	}
	return b.String()
}

type pageNavigateResult struct{ arrival }

func (r pageNavigateResult) Text() string { return r.arrival.text() }

func pageNavigate(ctx context.Context, env *Env, p *pageNavigateParams) (pageNavigateResult, error) {
	chosen := 0
	for _, on := range []bool{p.URL != "", p.Back, p.Forward, p.Reload} {
		if on {
			chosen++
		}
	}
	if chosen != 1 {
		return pageNavigateResult{}, problem("page.navigate needs exactly one of url, back, forward and reload").
			Suggest("dbridge page navigate URL", "dbridge page navigate --reload")
	}
	if p.IgnoreCache && !p.Reload {
		return pageNavigateResult{}, problem("ignoreCache goes with reload only").Suggest("dbridge page navigate --reload --ignore-cache")
	}
	// A page that crashed or sleeps comes back by navigating.
	if blocked := fault.From(env.Tab.Blocked()); blocked != nil && !revives(blocked) && (blocked.Code != fault.DialogBlocking || p.BeforeUnload == "") {
		return pageNavigateResult{}, blocked
	}
	ask := map[string]any{}
	if p.URL != "" {
		address, err := addressOf(p.URL, env.Tab.Info().URL)
		if err != nil {
			return pageNavigateResult{}, err
		}
		ask["url"] = address
	}
	for name, on := range map[string]bool{"back": p.Back, "forward": p.Forward, "reload": p.Reload, "ignoreCache": p.IgnoreCache} {
		if on {
			ask[name] = true
		}
	}
	if p.InitScript != "" {
		ask["initScript"] = p.InitScript
	}
	if p.BeforeUnload != "" {
		ask["beforeunload"] = p.BeforeUnload
	}
	env.Dispatched()
	env.Did(protocol.EffectNavigated, "")
	got, err := goTo(ctx, env.Tab, ask, p.WaitUntil)
	return pageNavigateResult{got}, err
}

func revives(blocked *fault.Error) bool {
	reason := blocked.Details["reason"]
	return blocked.Code == fault.NotConnected && (reason == protocol.ReasonCrashed || reason == protocol.ReasonDiscarded)
}

// maxErrors is how many errors of a page are told at once.
const maxErrors = 3

// maxErrorText cuts one of them.
const maxErrorText = 200

// mishaps gathers the errors that a page writes while it loads.
type mishaps struct {
	mu    sync.Mutex
	lines []string
	more  int
}

func (m *mishaps) hear(said page.Said) {
	var line string
	switch message := said.Message.(type) {
	case *protocol.PageError:
		line = message.Message
		if line == "" {
			line = message.Reason
		}
		if message.Filename != "" {
			line = fmt.Sprintf("%s (%s:%d)", line, shortURL(message.Filename), message.Lineno)
		}
	case *protocol.Console:
		if message.Level != "error" {
			return
		}
		line = strings.Join(message.Args, " ")
	default:
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	line = cutText(redact.Text(strings.TrimSpace(firstLine(line))), maxErrorText)
	switch {
	case slices.Contains(m.lines, line):
	case len(m.lines) < maxErrors:
		m.lines = append(m.lines, line)
	default:
		m.more++
	}
}

func (m *mishaps) into(a *arrival) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a.Errors, a.More = slices.Clone(m.lines), m.more
}

// quietNetwork is how long nothing is under way in an idle network.
const quietNetwork = 500 * time.Millisecond

// goTo navigates and waits. A page that does not get as far as asked in time is told
// of as it is: it is there, and the next command may find what it needs.
func goTo(ctx context.Context, t *page.Tab, ask map[string]any, until string) (arrival, error) {
	var m mishaps
	defer t.Telemetry(m.hear)()
	var traffic *page.Traffic
	if until == page.UntilNetworkIdle && t.Info().Source != protocol.SourceExtension {
		traffic = t.Traffic()
		defer traffic.Close()
	}
	ask["timeoutMs"] = remaining(ctx)
	if _, err := t.Link(ctx, "tab.navigate", ask); err != nil {
		return arrival{}, err
	}
	return settle(ctx, t, until, traffic, &m)
}

// arrived waits for a page that is on its way.
func arrived(ctx context.Context, t *page.Tab, until string) (arrival, error) {
	var m mishaps
	defer t.Telemetry(m.hear)()
	return settle(ctx, t, until, nil, &m)
}

func settle(ctx context.Context, t *page.Tab, until string, traffic *page.Traffic, m *mishaps) (arrival, error) {
	// Its word comes before the command's time is over.
	limited, cancel := context.WithTimeout(ctx, time.Duration(remaining(ctx))*time.Millisecond)
	defer cancel()
	stage := until
	if traffic != nil {
		stage = page.UntilLoad
	}
	loaded, err := t.Ready(limited, stage)
	if err == nil && traffic != nil {
		err = traffic.Idle(limited, quietNetwork)
	}
	info := t.Info()
	out := arrival{URL: info.URL, Title: info.Title}
	m.into(&out)
	if err != nil {
		failure := fault.From(err)
		late := failure.Code == fault.Timeout || limited.Err() == context.DeadlineExceeded ||
			failure.Code == fault.NotConnected && failure.Details["reason"] == "loading"
		if late && ctx.Err() == nil {
			out.Note = "not yet " + until
			if traffic != nil && traffic.Open() > 0 {
				out.Note += fmt.Sprintf(", %d requests under way", traffic.Open())
			}
			return out, nil
		}
		return out, failure
	}
	out.URL, out.Title = loaded.URL, loaded.Title
	if loaded.Status != 200 {
		out.Status = loaded.Status
	}
	return out, nil
}

// shortURL is the last part of an address.
func shortURL(address string) string {
	address, _, _ = strings.Cut(address, "?")
	if i := strings.LastIndexByte(address, '/'); i >= 0 && i+1 < len(address) {
		return address[i+1:]
	}
	return address
}

func firstLine(text string) string { line, _, _ := strings.Cut(text, "\n"); return line }

// cutText bounds a text without breaking a rune.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && text[limit]&0xC0 == 0x80 {
		limit--
	}
	return text[:limit] + "…"
}
