package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

var pageCommands = slices.Concat([]*catalog.Command{
	define(catalog.Spec{
		Name: "page.open", Tool: "new_page", Summary: "Open a page in a new tab and make it the current one.",
		Long:   "The address may be relative to the current page, or lack its scheme (localhost:3000).",
		Effect: catalog.Session, Needs: catalog.Slot, Level: protocol.Act,
		Positional: []string{"url"},
		Faults:     []fault.Code{fault.PolicyDenied, fault.NavigationInterrupted, fault.CapabilityMissing},
		Examples: []catalog.Example{
			{Line: "page open /app"},
			{Line: "page open /app --background", Note: "without bringing it to the front"},
		},
	}, pageOpen),
	define(catalog.Spec{
		Name: "page.list", Tool: "list_pages", Summary: "List the pages of the context.",
		Effect: catalog.Read, Needs: catalog.Slot, Level: protocol.Observe,
		Examples: []catalog.Example{
			{Line: "page list", Note: "ids, titles and addresses; * marks the current page"},
			{Line: "page list --fields pages.pageId,pages.url"},
		},
	}, pageList),
	define(catalog.Spec{
		Name: "page.use", Tool: "select_page", Summary: "Make a page the current one, which commands without --page act on.",
		Effect: catalog.Session, Needs: catalog.Slot, Level: protocol.Observe,
		Positional: []string{"page"},
		Faults:     []fault.Code{fault.PageNotFound},
		Examples: []catalog.Example{
			{Line: "page use 1"},
			{Line: "page use 1 --front", Note: "and show it"},
		},
	}, pageUse),
	define(catalog.Spec{
		Name: "page.close", Tool: "close_page", Summary: "Close a page; the current one without an id.",
		Long:   "A page that asks whether to leave it is closed all the same.",
		Effect: catalog.Session, Needs: catalog.Slot, Level: protocol.Act, Unordered: true,
		Positional: []string{"page"},
		Faults:     []fault.Code{fault.PageNotFound, fault.CapabilityMissing},
		Examples: []catalog.Example{
			{Line: "page close"},
			{Line: "page close 2"},
		},
	}, pageClose),
	define(catalog.Spec{
		Name: "page.activate", Tool: "activate_page", Summary: "Bring a page to the front.",
		Effect: catalog.Session, Needs: catalog.Slot, Level: protocol.Act,
		Positional: []string{"page"},
		Faults:     []fault.Code{fault.PageNotFound},
		Examples: []catalog.Example{
			{Line: "page activate"},
			{Line: "page activate 1"},
		},
	}, pageActivate),
	define(catalog.Spec{
		Name: "page.resize", Tool: "resize_page", Summary: "Give the page another size, by its window where that can be.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Act,
		Positional: []string{"width", "height"},
		Faults:     []fault.Code{fault.CapabilityMissing},
		Examples: []catalog.Example{
			{Line: "page resize 1280 800"},
			{Line: "page resize --width 390 --height 844", Note: "a phone's; emulation set does more"},
		},
	}, pageResize),
}, navigateCommands)

type pageRow struct {
	PageID   int    `json:"pageId" doc:"Give it to --page."`
	URL      string `json:"url"`
	Title    string `json:"title"`
	Current  bool   `json:"current,omitzero"`
	Level    string `json:"level,omitempty" doc:"Of consent, where it is not control."`
	Away     bool   `json:"away,omitzero" doc:"Its browser is not connected now."`
	HeldBy   string `json:"heldBy,omitempty" doc:"Context that alone may change it."`
	OpenedBy int    `json:"openedBy,omitzero" doc:"Page that opened it."`
}

func (p pageRow) text() string {
	mark := " "
	if p.Current {
		mark = "*"
	}
	line := fmt.Sprintf("%s %d %s", mark, p.PageID, strings.TrimSpace(p.URL+" "+p.Title))
	if p.Level != "" {
		line += " (" + p.Level + ")"
	}
	if p.Away {
		line += " (away)"
	}
	if p.HeldBy != "" {
		line += " held by " + p.HeldBy
	}
	return line
}

// rowOf tells of a page; c may be nil.
func rowOf(t *page.Tab, current bool, c *slot.Context) pageRow {
	info := t.Info()
	row := pageRow{PageID: info.PageID, URL: redact.URL(info.URL), Title: redact.Text(info.Title), Current: current, Level: statusLevel(info.Level), Away: !info.Connected}
	if c == nil {
		return row
	}
	if holder, mine := c.Holder(t); holder != "" && !mine {
		row.HeldBy = holder
	}
	if opener := t.Opener(); opener != 0 {
		for _, other := range c.Tabs() {
			if other.TabID() == opener && other.Browser().ID() == t.Browser().ID() {
				row.OpenedBy = other.PageID()
			}
		}
	}
	return row
}

type pageListParams struct{}

type pageListResult struct {
	Pages []pageRow `json:"pages"`
}

func (r pageListResult) Text() string {
	lines := make([]string, len(r.Pages))
	for i, p := range r.Pages {
		lines[i] = p.text()
	}
	if len(lines) == 0 {
		return "no page is open"
	}
	return strings.Join(lines, "\n")
}

func pageList(_ context.Context, env *Env, _ *pageListParams) (pageListResult, error) {
	out := pageListResult{Pages: []pageRow{}}
	tabs := env.Context.Tabs()
	if len(tabs) == 0 {
		return out, nil
	}
	current, err := env.Context.Tab(0)
	if err != nil {
		return out, err
	}
	for _, t := range tabs {
		out.Pages = append(out.Pages, rowOf(t, t == current, env.Context))
	}
	return out, nil
}

type pageOpenParams struct {
	URL        string `json:"url,omitempty" doc:"Address; an empty page without it."`
	Background bool   `json:"background,omitzero" doc:"Do not bring it to the front."`
	waitParam
}

// Destination is where it leads, for guards.
func (p *pageOpenParams) Destination(base string) string { return destinationOf(p.URL, base) }

type pageOpenResult struct {
	PageID int `json:"pageId"`
	arrival
}

func (r pageOpenResult) Text() string {
	return fmt.Sprintf("page %d %s", r.PageID, r.arrival.text())
}

func pageOpen(ctx context.Context, env *Env, p *pageOpenParams) (pageOpenResult, error) {
	address, base := "about:blank", ""
	if tabs := env.Context.Tabs(); len(tabs) > 0 {
		if current, err := env.Context.Tab(0); err == nil {
			base = current.Info().URL
		}
	}
	if p.URL != "" {
		var err error
		if address, err = addressOf(p.URL, base); err != nil {
			return pageOpenResult{}, err
		}
	}
	if opening, err := env.Context.Tab(0); err == nil { // its address may have been relative
		if err := opening.See(address); err != nil {
			return pageOpenResult{}, err
		}
	}
	host, opener, err := env.Context.Host()
	if err != nil {
		return pageOpenResult{}, err
	}
	ask := map[string]any{"url": "about:blank", "for": address, "background": p.Background}
	if opener != nil {
		// The person's browser gives the new tab what its opener has.
		info := opener.Info()
		delete(ask, "for")
		ask["url"], ask["openerTabId"], ask["sessionId"], ask["level"] = address, opener.TabID(), opener.Page().Session().ID(), info.Level
		ask["agent"] = map[string]any{"key": env.Context.Key, "label": env.Context.Label()}
		env.Context.Opened()
	}
	raw, err := host.Call(ctx, "tabs.open", ask)
	if err != nil {
		return pageOpenResult{}, err
	}
	var made struct {
		TabID int `json:"tabId"`
	}
	if err := json.Unmarshal(raw, &made); err != nil {
		return pageOpenResult{}, fault.New(fault.ProtocolError, "the browser's answer cannot be read").Because(err)
	}
	t, err := env.Context.Await(ctx, host, made.TabID)
	if err != nil {
		return pageOpenResult{}, err
	}
	if err := env.Context.Hold(ctx, t, false); err != nil {
		return pageOpenResult{}, err
	}
	env.Context.Use(t)
	out := pageOpenResult{PageID: t.PageID()}
	if address == "about:blank" {
		out.URL = address
		return out, nil
	}
	if opener != nil {
		out.arrival, err = arrived(ctx, t, p.WaitUntil)
		return out, err
	}
	// In a browser of ours the page is there before its first document, so that
	// nothing of it is missed, and what stands in its way is told.
	out.arrival, err = goTo(ctx, t, map[string]any{"url": address}, p.WaitUntil)
	if failure := fault.From(err); err != nil {
		return out, failure.With("pageId", out.PageID)
	}
	return out, nil
}

// pageOf finds the page that a command about pages names: by its parameter, by --page, or the current one.
func pageOf(env *Env, id int) (*page.Tab, error) {
	if id == 0 {
		id = env.Page
	}
	return env.Context.Tab(id)
}

type pageUseParams struct {
	Page  int  `json:"page,omitzero" doc:"Its id, from page list."`
	Front bool `json:"front,omitzero" doc:"Bring it to the front, too."`
}

type pageResult struct {
	pageRow
}

func (r pageResult) Text() string { return strings.TrimSpace(r.text()) }

func pageUse(ctx context.Context, env *Env, p *pageUseParams) (pageResult, error) {
	if p.Page == 0 && env.Page == 0 {
		return pageResult{}, problem("page.use needs the page's id").Suggest("dbridge page list")
	}
	t, err := pageOf(env, p.Page)
	if err != nil {
		return pageResult{}, err
	}
	if p.Front {
		if _, err := t.Link(ctx, "tabs.activate", nil); err != nil {
			return pageResult{}, err
		}
	}
	env.Context.Use(t)
	return pageResult{rowOf(t, true, env.Context)}, nil
}

type pageIDParams struct {
	Page int `json:"page,omitzero" doc:"Its id, from page list; the current one without it."`
}

func pageActivate(ctx context.Context, env *Env, p *pageIDParams) (pageResult, error) {
	t, err := pageOf(env, p.Page)
	if err != nil {
		return pageResult{}, err
	}
	if _, err := t.Link(ctx, "tabs.activate", nil); err != nil {
		return pageResult{}, err
	}
	current, err := env.Context.Tab(0)
	return pageResult{rowOf(t, t == current, env.Context)}, err
}

type pageCloseResult struct {
	Closed  int `json:"closed" doc:"The page that is closed."`
	Current int `json:"current,omitzero" doc:"The page that is the current one now."`
}

func (r pageCloseResult) Text() string {
	if r.Current == 0 {
		return fmt.Sprintf("closed page %d; no page is left", r.Closed)
	}
	return fmt.Sprintf("closed page %d; current is page %d", r.Closed, r.Current)
}

func pageClose(ctx context.Context, env *Env, p *pageIDParams) (pageCloseResult, error) {
	t, err := pageOf(env, p.Page)
	if err != nil {
		return pageCloseResult{}, err
	}
	if err := env.Context.Hold(ctx, t, false); err != nil {
		return pageCloseResult{}, err
	}
	out := pageCloseResult{Closed: t.PageID()}
	if _, err := t.Link(ctx, "tabs.close", nil); err != nil {
		return out, err
	}
	awaitGone(ctx, t)
	left := slices.DeleteFunc(env.Context.Tabs(), func(other *page.Tab) bool { return other == t })
	if len(left) == 0 {
		return out, nil
	}
	out.Current = env.Context.Leave(t, left).PageID()
	return out, nil
}

// closing is closed with the tab that it is kept for.
type closing struct{ done chan struct{} }

type closingKey struct{}

func (c *closing) Close() { close(c.done) }

// awaitGone waits until a tab that is closed is no page of ours any more. A page that
// asks the person whether it may go stays.
func awaitGone(ctx context.Context, t *page.Tab) {
	kept, ok := t.Keep(closingKey{}, func() page.Keeper { return &closing{make(chan struct{})} }).(*closing)
	if !ok {
		return // it went already
	}
	ctx, cancel := context.WithTimeout(ctx, goneWait)
	defer cancel()
	select {
	case <-kept.done:
	case <-ctx.Done():
	}
}

// goneWait is for what the browser says of a tab that it has closed.
const goneWait = 2 * time.Second

type pageResizeParams struct {
	Width  int `json:"width" doc:"CSS px." min:"1" max:"10000"`
	Height int `json:"height" doc:"CSS px." min:"1" max:"10000"`
}

type pageResizeResult struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Via    string `json:"via,omitempty" doc:"window or emulation."`
}

func (r pageResizeResult) Text() string { return fmt.Sprintf("%dx%d", r.Width, r.Height) }

func pageResize(ctx context.Context, env *Env, p *pageResizeParams) (pageResizeResult, error) {
	env.Dispatched()
	raw, err := env.Tab.Link(ctx, "window.resize", map[string]any{"width": p.Width, "height": p.Height})
	if err != nil {
		return pageResizeResult{}, err
	}
	out := pageResizeResult{Width: p.Width, Height: p.Height}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, fault.New(fault.ProtocolError, "the browser's answer cannot be read").Because(err)
	}
	env.Did(protocol.EffectChanged, "")
	return out, nil
}

func resize(ctx context.Context, t *page.Tab, width, height int) error {
	_, err := t.Link(ctx, "window.resize", map[string]any{"width": width, "height": height})
	return err
}

// remaining is what the browser gets of the time, in ms, so that its word comes before the end.
func remaining(ctx context.Context) int64 {
	deadline, ok := ctx.Deadline()
	if !ok {
		return protocol.DefaultTimeout.Milliseconds()
	}
	left := time.Until(deadline)
	return max((left - min(300*time.Millisecond, left/3)).Milliseconds(), 1)
}
