package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var layoutCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "layout.styles", Tool: "get_css_styles", Summary: "Give an element's CSS: the rules that match, which declaration wins, the computed values.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP,
		Positional: []string{"target", "properties"},
		Faults:     []fault.Code{fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.CDPError},
		Examples: []catalog.Example{
			{Line: "layout styles h1"},
			{Line: "layout styles h1 color font-size --output text", Note: "two properties: where they come from"},
		},
	}, layoutStyles),
	diagnoseCommand,
}

type layoutStylesParams struct {
	Target     string   `json:"target" doc:"Ref (e12), role and name (button \"Save\"), CSS selector, or text."`
	Properties []string `json:"properties,omitempty" doc:"Only these properties; all that a rule declares when not given."`
	Frame      string   `json:"frame,omitempty" doc:"Frame to look in; all when not given."`
	Browser    bool     `json:"browser,omitempty" doc:"The browser's own rules too."`
	Limit      int      `json:"limit,omitempty" min:"1" max:"500" doc:"Rules that are given, strongest first; 30 by default."`
}

type declaration struct {
	Property   string `json:"property"`
	Value      string `json:"value"`
	Important  bool   `json:"important,omitempty"`
	Overridden bool   `json:"overridden,omitempty" doc:"A stronger declaration wins."`
	Invalid    bool   `json:"invalid,omitempty" doc:"The browser does not understand it."`
}

type matchedRule struct {
	Selector     string        `json:"selector" doc:"style=\"\" for the element's own style attribute."`
	Source       string        `json:"source,omitempty" doc:"URL:LINE of the rule."`
	Within       string        `json:"within,omitempty" doc:"Media, container or layer that it stands in."`
	Inherited    string        `json:"inheritedFrom,omitempty" doc:"The ancestor that it matches."`
	Declarations []declaration `json:"declarations"`
}

type layoutStylesResult struct {
	Rules    []matchedRule     `json:"rules" doc:"Strongest first."`
	More     int               `json:"more,omitempty" doc:"Rules beyond the limit."`
	Computed map[string]string `json:"computed"`
}

func (r layoutStylesResult) Text() string {
	var b strings.Builder
	for _, rule := range r.Rules {
		fmt.Fprintf(&b, "%s", rule.Selector)
		for _, note := range []string{rule.Source, rule.Within} {
			if note != "" {
				b.WriteString("  " + note)
			}
		}
		if rule.Inherited != "" {
			b.WriteString("  inherited from " + rule.Inherited)
		}
		b.WriteByte('\n')
		for _, d := range rule.Declarations {
			note := ""
			switch {
			case d.Invalid:
				note = "  (invalid)"
			case d.Overridden:
				note = "  (overridden)"
			}
			if d.Important {
				note = " !important" + note
			}
			fmt.Fprintf(&b, "  %s: %s%s\n", d.Property, d.Value, note)
		}
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "… %d more rules: --limit %d\n", r.More, len(r.Rules)+r.More)
	}
	b.WriteString("computed:")
	for _, name := range slices.Sorted(maps.Keys(r.Computed)) {
		fmt.Fprintf(&b, " %s: %s;", name, r.Computed[name])
	}
	return b.String()
}

const rulesShown = 30

// boxProperties are told of every element: most questions about a place end at one of them.
var boxProperties = []string{"display", "position", "width", "height", "margin", "padding", "overflow", "visibility", "opacity", "z-index"}

func layoutStyles(ctx context.Context, env *Env, p *layoutStylesParams) (layoutStylesResult, error) {
	named, err := target(p.Target)
	if err != nil {
		return layoutStylesResult{}, err
	}
	env.Dispatched()
	node, err := env.Tab.Node(ctx, named, p.Frame)
	if err != nil {
		return layoutStylesResult{}, err
	}
	s := env.Tab.Session(node.Session)
	sheets, err := openSheets(ctx, s)
	if err != nil {
		return layoutStylesResult{}, err
	}
	defer sheets.close()
	asked, err := cdp.Call(ctx, s, dom.RequestNode, dom.RequestNodeParams{ObjectID: node.ObjectID})
	if err != nil {
		return layoutStylesResult{}, err
	}
	var matched matchedStyles
	if err := s.Call(ctx, css.CommandGetMatchedStylesForNode, css.GetMatchedStylesForNodeParams{NodeID: asked.NodeID}, &matched); err != nil {
		return layoutStylesResult{}, err
	}
	computed, err := cdp.Call(ctx, s, css.GetComputedStyleForNode, css.GetComputedStyleForNodeParams{NodeID: asked.NodeID})
	if err != nil {
		return layoutStylesResult{}, err
	}
	env.Did(protocol.EffectNoop, "cdp")
	if err := sheets.await(ctx, &matched); err != nil {
		return layoutStylesResult{}, err
	}
	c := &cascade{wanted: p.Properties, browser: p.Browser, sheets: sheets.known, won: map[string]bool{}}
	c.add(&matched)
	return c.result(computed.ComputedStyle, p), nil
}

// isSide tells the four sides of margin or padding.
func isSide(name, box string) bool {
	side, ok := strings.CutPrefix(name, box+"-")
	return ok && slices.Contains([]string{"top", "right", "bottom", "left"}, side)
}

func (c *cascade) result(computed []*css.ComputedStyleProperty, p *layoutStylesParams) layoutStylesResult {
	out := layoutStylesResult{Rules: c.rules, Computed: map[string]string{}}
	if out.Rules == nil {
		out.Rules = []matchedRule{}
	}
	limit := p.Limit
	if limit == 0 {
		limit = rulesShown
	}
	if len(out.Rules) > limit {
		out.More = len(out.Rules) - limit
		out.Rules = out.Rules[:limit]
	}
	// A shorthand has no computed value; those of its longhands are given. "color" is none, though others begin with it.
	whole := make(map[string]bool, len(computed))
	for _, property := range computed {
		whole[property.Name] = true
	}
	for _, property := range computed {
		if len(p.Properties) > 0 {
			if slices.ContainsFunc(p.Properties, func(w string) bool {
				return w == property.Name || !whole[w] && strings.HasPrefix(property.Name, w+"-")
			}) {
				out.Computed[property.Name] = property.Value
			}
			continue
		}
		if c.won[property.Name] || slices.ContainsFunc(boxProperties, func(b string) bool {
			return b == property.Name || (b == "margin" || b == "padding") && isSide(property.Name, b) && property.Value != "0px"
		}) {
			if !strings.HasPrefix(property.Name, "--") {
				out.Computed[property.Name] = property.Value
			}
		}
	}
	return out
}
