package command

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/capture"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

var observeCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "observe.find", Tool: "find", Summary: "Find elements by text, role or name: the cheap way to a ref.",
		Long:   "Looks at names, texts, values and addresses in all frames and tells the matches only, each with the row or landmark it is in. Where nothing matches it tells what is nearest.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe,
		Positional: []string{"text"},
		Examples: []catalog.Example{
			{Line: "observe find Save", Note: "whatever says Save"},
			{Line: "observe find --role link --limit 5", Note: "the first five links"},
			{Line: "observe find --regex 'Sav(e|ing)' --role button"},
		},
	}, observeFind),
	define(catalog.Spec{
		Name: "observe.state", Tool: "page_state", Summary: "Tell where the page stands: address, scroll, focus, dialog, requests under way.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe,
		Examples: []catalog.Example{
			{Line: "observe state"},
			{Line: "observe state --fields url,focused", Note: "the address and what has the focus"},
		},
	}, observeState),
	define(catalog.Spec{
		Name: "observe.targets", Tool: "list_targets", Summary: "List controls with box, state and selectors.",
		Long:   "Boxes are x, y, width and height in CSS px of the viewport.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe,
		Examples: []catalog.Example{
			{Line: "observe targets --role button --in-view"},
			{Line: "observe targets --name Save --limit 3"},
		},
	}, observeTargets),
	define(catalog.Spec{
		Name: "observe.events", Tool: "list_events", Summary: "Read the session's event log: console, errors, navigations, dialogs, results.",
		Long: "Without --since the latest. The answer's last is the --since of the next call. Trees and DOM changes only when named in --types. " +
			"--follow writes what comes, one JSON object a line, until the time limit.",
		Effect: catalog.Read, Needs: catalog.Slot, Level: protocol.Observe, Streams: true,
		Examples: []catalog.Example{
			{Line: "observe events --limit 10"},
			{Line: "observe events --types error,unhandledrejection,console --limit 5"},
			{Line: "observe events --follow --limit 1 --timeout 300", Note: "wait for the next one"},
		},
	}, observeEvents),
	waitEventCommand,
}

type findParams struct {
	Text  string `json:"text,omitempty" doc:"Part of a name, text, value or address, in any case."`
	Role  string `json:"role,omitempty" doc:"Role, such as button, link, textbox, heading."`
	Name  string `json:"name,omitempty" doc:"Part of the accessible name."`
	Regex string `json:"regex,omitempty" doc:"Regular expression instead of text; any case."`
	Limit int    `json:"limit,omitempty" doc:"Most matches told." default:"20" min:"1" max:"500"`
}

type findResult struct {
	Matches []capture.Match `json:"matches"`
	Total   int             `json:"total,omitempty" doc:"All matches, where more than told."`
	Near    []capture.Match `json:"near,omitempty" doc:"What is nearest, where nothing matches."`
}

func (r findResult) Text() string {
	var lines []string
	lines = append(lines, capture.Lines(r.Matches)...)
	if r.Total > len(r.Matches) {
		lines = append(lines, fmt.Sprintf("… %d more (--limit)", r.Total-len(r.Matches)))
	}
	if len(r.Matches) == 0 {
		lines = append(lines, "nothing matches")
		if len(r.Near) > 0 {
			lines[0] += "; nearest:"
		}
		lines = append(lines, capture.Lines(r.Near)...)
	}
	return strings.Join(lines, "\n")
}

func observeFind(ctx context.Context, env *Env, p *findParams) (findResult, error) {
	query := &capture.Query{Text: strings.TrimSpace(p.Text), Role: strings.ToLower(p.Role), Name: p.Name}
	reading := page.OutlineOptions{Text: wholeText, Match: query.Text}
	switch {
	case p.Regex != "" && p.Text != "":
		return findResult{}, problem("give text or --regex, not both").Suggest("dbridge observe find --regex '" + p.Regex + "'")
	case p.Regex != "":
		pattern, err := regexp.Compile("(?i)" + p.Regex)
		if err != nil {
			return findResult{}, problem("--regex cannot be read: %v", err).Suggest("dbridge observe find --regex 'Sav(e|ing)'")
		}
		query.Regex, reading.Regex = pattern, p.Regex
	case query.Text == "" && p.Role == "" && p.Name == "":
		return findResult{}, problem("say what to find: text, --role, --name or --regex").Suggest("dbridge observe find Save", "dbridge observe find --role button")
	case query.Text == "":
		reading.Match = p.Name
	}
	outline, err := env.Tab.Outline(ctx, reading)
	if err != nil {
		return findResult{}, err
	}
	found := capture.Find(outline, query, p.Limit)
	out := findResult{Matches: found.Matches, Near: found.Near}
	if out.Matches == nil {
		out.Matches = []capture.Match{}
	}
	if found.Total > len(found.Matches) {
		out.Total = found.Total
	}
	return out, nil
}

type observeStateParams struct{}

type sizeOf struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

type pointOf struct {
	X int `json:"x"`
	Y int `json:"y"`
}

type observeStateResult struct {
	PageID     int              `json:"pageId"`
	URL        string           `json:"url"`
	Title      string           `json:"title,omitempty"`
	ReadyState string           `json:"readyState,omitempty" doc:"loading, interactive or complete."`
	Level      protocol.Level   `json:"level,omitempty"`
	Viewport   *sizeOf          `json:"viewport,omitempty"`
	Scroll     *pointOf         `json:"scroll,omitempty"`
	Content    *sizeOf          `json:"content,omitempty" doc:"All of the page."`
	PixelRatio float64          `json:"pixelRatio,omitempty"`
	Hidden     bool             `json:"hidden,omitempty" doc:"A background tab."`
	Focused    *page.Named      `json:"focused,omitempty"`
	Dialog     *page.OpenDialog `json:"dialog,omitempty" doc:"Open; it blocks the page until it is handled."`
	Pending    int              `json:"pending,omitempty" doc:"Requests under way."`
}

func (r observeStateResult) Text() string {
	lines := []string{strings.TrimSpace(fmt.Sprintf("page %d %s %s", r.PageID, r.URL, r.Title))}
	if r.Dialog != nil {
		lines = append(lines, fmt.Sprintf("%s dialog open: %q (dbridge dialog handle --accept)", r.Dialog.Kind, r.Dialog.Message))
	}
	if r.Viewport != nil {
		line := fmt.Sprintf("%s, level %s, viewport %dx%d of %dx%d", r.ReadyState, r.Level, r.Viewport.Width, r.Viewport.Height, r.Content.Width, r.Content.Height)
		if *r.Scroll != (pointOf{}) {
			line += fmt.Sprintf(", scrolled to %d,%d", r.Scroll.X, r.Scroll.Y)
		}
		if r.Hidden {
			line += ", in the background"
		}
		if r.Pending > 0 {
			line += fmt.Sprintf(", requests under way: %d", r.Pending)
		}
		lines = append(lines, line)
	}
	if r.Focused != nil {
		lines = append(lines, fmt.Sprintf("focus: %s %q %s", r.Focused.Role, r.Focused.Name, r.Focused.Ref))
	}
	return strings.Join(lines, "\n")
}

func observeState(ctx context.Context, env *Env, _ *observeStateParams) (observeStateResult, error) {
	info := env.Tab.Info()
	out := observeStateResult{PageID: info.PageID, URL: redact.URL(info.URL), Title: redact.Text(info.Title), Level: info.Level, Dialog: env.Tab.OpenDialog()}
	if r, err := env.records(); err == nil {
		out.Pending = r.network.Underway()
	}
	if out.Dialog != nil {
		return out, nil // the page answers nothing now
	}
	var now struct {
		observeStateResult
		Focused *page.Named `json:"focused"`
	}
	if err := env.Tab.State(ctx, &now, &now.Focused); err != nil {
		if out.Dialog = env.Tab.OpenDialog(); out.Dialog != nil {
			return out, nil // it opened meanwhile
		}
		return out, err
	}
	out.URL, out.Title, out.ReadyState = redact.URL(now.URL), redact.Text(now.Title), now.ReadyState
	out.Viewport, out.Scroll, out.Content, out.Hidden, out.Focused = now.Viewport, now.Scroll, now.Content, now.Hidden, now.Focused
	if now.PixelRatio != 1 {
		out.PixelRatio = now.PixelRatio
	}
	return out, nil
}

type targetsParams struct {
	Role   string `json:"role,omitempty" doc:"Role, such as button or textbox."`
	Name   string `json:"name,omitempty" doc:"Part of the accessible name, in any case."`
	InView bool   `json:"inView,omitempty" doc:"Only what is in the viewport now."`
	Limit  int    `json:"limit,omitempty" doc:"Most controls told." default:"50" min:"1" max:"5000"`
}

type targetRow struct {
	Ref       string     `json:"ref"`
	Role      string     `json:"role"`
	Name      string     `json:"name,omitempty"`
	Box       [4]float64 `json:"box" doc:"x, y, width, height."`
	Visible   bool       `json:"visible"`
	Hidden    string     `json:"hidden,omitempty" doc:"Why it is not visible: display, visibility, opacity, size, clip or offscreen."`
	Enabled   bool       `json:"enabled"`
	Editable  bool       `json:"editable,omitempty"`
	Selectors []string   `json:"selectors" doc:"Ways to name it again, the most lasting first."`
}

type targetsResult struct {
	Targets []targetRow `json:"targets"`
	Total   int         `json:"total,omitempty" doc:"All that fit, where more than told."`
}

func (r targetsResult) Text() string {
	var lines []string
	for _, t := range r.Targets {
		line := fmt.Sprintf("%s %s %q %v,%v %vx%v", t.Ref, t.Role, t.Name, t.Box[0], t.Box[1], t.Box[2], t.Box[3])
		if !t.Visible {
			line += " hidden:" + t.Hidden
		}
		if !t.Enabled {
			line += " disabled"
		}
		if len(t.Selectors) > 0 {
			line += " " + t.Selectors[0]
		}
		lines = append(lines, line)
	}
	if r.Total > 0 {
		lines = append(lines, fmt.Sprintf("… %d more (--limit)", r.Total-len(r.Targets)))
	}
	if len(lines) == 0 {
		return "no such control"
	}
	return strings.Join(lines, "\n")
}

// typable are the roles whose text can be changed.
var typable = []string{"textbox", "searchbox", "spinbutton", "combobox"}

func observeTargets(ctx context.Context, env *Env, p *targetsParams) (targetsResult, error) {
	items, err := env.Tab.Items(ctx)
	if err != nil {
		return targetsResult{}, err
	}
	var view struct {
		Viewport sizeOf `json:"viewport"`
	}
	if p.InView {
		if err := env.Tab.State(ctx, &view, nil); err != nil {
			return targetsResult{}, err
		}
	}
	out := targetsResult{Targets: []targetRow{}}
	total := 0
	for i := range items {
		item := &items[i]
		b := item.Bounds
		switch {
		case p.Role != "" && !strings.EqualFold(p.Role, item.Role),
			!strings.Contains(strings.ToLower(item.Name), strings.ToLower(p.Name)),
			p.InView && (!item.Visible || b.X+b.Width <= 0 || b.Y+b.Height <= 0 || b.X >= float64(view.Viewport.Width) || b.Y >= float64(view.Viewport.Height)):
			continue
		}
		if total++; total > p.Limit {
			continue
		}
		row := targetRow{
			Ref: item.Ref, Role: item.Role, Name: item.Name, Box: [4]float64{b.X, b.Y, b.Width, b.Height},
			Visible: item.Visible, Hidden: item.Hidden, Enabled: !item.Disabled, Selectors: selectorsOf(item),
		}
		_, fixed := item.Meta["readonly"]
		row.Editable = row.Enabled && !fixed && slices.Contains(typable, item.Role)
		out.Targets = append(out.Targets, row)
	}
	if total > p.Limit {
		out.Total = total
	}
	return out, nil
}

// selectorsOf are the ways to name an item again.
func selectorsOf(item *protocol.UITreeItem) []string {
	var list []string
	if item.StableID != "" && !strings.HasPrefix(item.StableID, item.Role+":") {
		list = append(list, "id="+item.StableID)
	}
	if item.Name != "" {
		list = append(list, fmt.Sprintf("%s %q", item.Role, item.Name))
	}
	if item.Selector != "" && item.Selector != "#"+item.StableID {
		list = append(list, item.Selector)
	}
	return list
}
