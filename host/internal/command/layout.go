package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

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
	sheets, done, err := styleSheets(ctx, s)
	if err != nil {
		return layoutStylesResult{}, err
	}
	defer done()
	if _, err := cdp.Call(ctx, s, dom.GetDocument, dom.GetDocumentParams{}); err != nil { // numbers for nodes need it
		return layoutStylesResult{}, err
	}
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
	c := &cascade{wanted: p.Properties, browser: p.Browser, sheets: sheets, won: map[string]bool{}}
	c.add(&matched)
	return c.result(computed.ComputedStyle, p), nil
}

// styleSheets switches CSS on, which tells of every sheet, and gives their headers by id.
func styleSheets(ctx context.Context, s cdp.Session) (map[cdp.StyleSheetID]*css.StyleSheetHeader, func(), error) {
	added, cancel := s.Subscribe("CSS.styleSheetAdded")
	defer cancel()
	if err := s.Call(ctx, dom.CommandEnable, nil, nil); err != nil {
		return nil, nil, err
	}
	if err := s.Call(ctx, css.CommandEnable, nil, nil); err != nil {
		return nil, nil, err
	}
	off := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = s.Call(ctx, css.CommandDisable, nil, nil) // nobody waits for it
		_ = s.Call(ctx, dom.CommandDisable, nil, nil)
	}
	sheets := make(map[cdp.StyleSheetID]*css.StyleSheetHeader)
	// The events come before the answer to enable, but on another way through the extension: what is late is not named.
	settled := time.NewTimer(20 * time.Millisecond)
	defer settled.Stop()
	for {
		select {
		case raw := <-added:
			var event css.EventStyleSheetAdded
			if decodeEvent(raw, &event) == nil && event.Header != nil {
				sheets[event.Header.StyleSheetID] = event.Header
			}
			settled.Reset(5 * time.Millisecond)
		case <-settled.C:
			return sheets, off, nil
		case <-ctx.Done():
			off()
			return nil, nil, ctx.Err()
		}
	}
}

// What of CSS.getMatchedStylesForNode is read. cdproto's types cannot tell an absent
// parsedOk, which means true, from false.
type (
	matchedStyles struct {
		Inline     *cssStyle    `json:"inlineStyle"`
		Attributes *cssStyle    `json:"attributesStyle"`
		Rules      []cssMatch   `json:"matchedCSSRules"`
		Inherited  []cssParents `json:"inherited"`
	}
	cssParents struct {
		Inline *cssStyle  `json:"inlineStyle"`
		Rules  []cssMatch `json:"matchedCSSRules"`
	}
	cssMatch struct {
		Rule cssRule `json:"rule"`
	}
	cssRule struct {
		Sheet     cdp.StyleSheetID `json:"styleSheetId"`
		Origin    string           `json:"origin"`
		Selectors struct {
			Text string `json:"text"`
		} `json:"selectorList"`
		Style      cssStyle `json:"style"`
		Media      []cssAt  `json:"media"`
		Layers     []cssAt  `json:"layers"`
		Containers []struct {
			Text string `json:"conditionText"`
		} `json:"containerQueries"`
	}
	cssAt struct {
		Text string `json:"text"`
	}
	cssStyle struct {
		Properties []cssProperty `json:"cssProperties"`
		Range      *struct {
			StartLine int `json:"startLine"`
		} `json:"range"`
	}
	cssProperty struct {
		Name      string        `json:"name"`
		Value     string        `json:"value"`
		Text      string        `json:"text"`
		Important bool          `json:"important"`
		Implicit  bool          `json:"implicit"`
		Disabled  bool          `json:"disabled"`
		ParsedOK  *bool         `json:"parsedOk"`
		Longhands []cssProperty `json:"longhandProperties"`
	}
)

// cascade sorts out which declarations win. Rules come weakest first from the browser.
type cascade struct {
	wanted  []string
	browser bool
	sheets  map[cdp.StyleSheetID]*css.StyleSheetHeader
	won     map[string]bool
	rules   []matchedRule
}

func (c *cascade) add(m *matchedStyles) {
	each := func(see func(rule *cssRule, style *cssStyle, from string)) {
		own := func(inline *cssStyle, rules []cssMatch, from string) {
			if inline != nil {
				see(nil, inline, from)
			}
			for i := len(rules) - 1; i >= 0; i-- {
				see(&rules[i].Rule, &rules[i].Rule.Style, from)
			}
		}
		own(m.Inline, m.Rules, "")
		if m.Attributes != nil {
			see(nil, m.Attributes, "")
		}
		for depth, parent := range m.Inherited {
			from := "parent"
			if depth > 0 {
				from = fmt.Sprintf("ancestor %d", depth+1)
			}
			own(parent.Inline, parent.Rules, from)
		}
	}
	important := map[string]bool{}
	each(func(_ *cssRule, style *cssStyle, from string) {
		for _, property := range style.Properties {
			if from == "" && property.Important {
				important[property.Name] = true
			}
		}
	})
	each(func(rule *cssRule, style *cssStyle, from string) { c.rule(rule, style, from, important) })
}

const browserRules = "user-agent"

func (c *cascade) rule(rule *cssRule, style *cssStyle, from string, important map[string]bool) {
	out := matchedRule{Selector: `style=""`, Inherited: from}
	if rule != nil {
		if rule.Origin == browserRules && !c.browser {
			return
		}
		out.Selector, out.Source, out.Within = rule.Selectors.Text, c.source(rule, style), rule.within()
	}
	for _, property := range style.Properties {
		if property.Disabled || property.Implicit || property.Text == "" && style.Range != nil {
			continue // a longhand that the browser made of a shorthand
		}
		if len(c.wanted) > 0 && !slices.ContainsFunc(c.wanted, func(w string) bool { return concerns(w, property.Name) }) {
			continue
		}
		if from != "" && !inheritable[property.Name] && !strings.HasPrefix(property.Name, "--") {
			continue
		}
		d := declaration{
			Property: property.Name, Value: strings.TrimSpace(strings.TrimSuffix(property.Value, "!important")),
			Important: property.Important, Invalid: property.ParsedOK != nil && !*property.ParsedOK,
		}
		d.Overridden = !d.Invalid && (c.won[property.Name] || important[property.Name] && !property.Important)
		if !d.Invalid && !d.Overridden {
			c.won[property.Name] = true
			for _, long := range property.Longhands {
				c.won[long.Name] = true
			}
		}
		out.Declarations = append(out.Declarations, d)
	}
	if len(out.Declarations) > 0 {
		c.rules = append(c.rules, out)
	}
}

// source is where the rule is written.
func (c *cascade) source(rule *cssRule, style *cssStyle) string {
	if rule.Origin == browserRules {
		return "browser"
	}
	sheet := c.sheets[rule.Sheet]
	if sheet == nil || style.Range == nil {
		return ""
	}
	url := sheet.SourceURL
	if url == "" {
		url = "<style>"
	}
	return fmt.Sprintf("%s:%d", url, style.Range.StartLine+1)
}

// within names the at-rules around the rule, the innermost first.
func (r *cssRule) within() string {
	var parts []string
	for _, media := range r.Media {
		parts = append(parts, "@media "+media.Text)
	}
	for _, container := range r.Containers {
		parts = append(parts, "@container "+container.Text)
	}
	for _, layer := range r.Layers {
		parts = append(parts, "@layer "+layer.Text)
	}
	return strings.Join(parts, " ")
}

// concerns reports whether a declaration bears on a property: itself, its shorthand or its longhand.
func concerns(wanted, declared string) bool {
	return wanted == declared || strings.HasPrefix(wanted, declared+"-") || strings.HasPrefix(declared, wanted+"-")
}

// inheritable are the properties that descend (CSS property indexes, "Inherited: yes").
var inheritable = func() map[string]bool {
	list := map[string]bool{}
	for _, name := range []string{
		"border-collapse", "border-spacing", "caption-side", "color", "color-scheme", "cursor", "direction", "empty-cells", "font", "font-family",
		"font-feature-settings", "font-kerning", "font-size", "font-stretch", "font-style", "font-variant", "font-weight", "hyphens",
		"letter-spacing", "line-height", "list-style", "list-style-image", "list-style-position", "list-style-type", "orphans", "overflow-wrap",
		"pointer-events", "quotes", "tab-size", "text-align", "text-indent", "text-shadow", "text-transform", "visibility", "white-space",
		"widows", "word-break", "word-spacing", "writing-mode",
	} {
		list[name] = true
	}
	return list
}()

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
	for _, property := range computed {
		if len(p.Properties) > 0 {
			if slices.ContainsFunc(p.Properties, func(w string) bool { return w == property.Name || strings.HasPrefix(property.Name, w+"-") }) {
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
