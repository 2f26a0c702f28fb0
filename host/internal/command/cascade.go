package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/go-json-experiment/json/jsontext"
)

// sheets are the style sheets of a session, while CSS is switched on in it.
type sheets struct {
	s      cdp.Session
	added  <-chan jsontext.Value
	cancel func()
	known  map[cdp.StyleSheetID]*css.StyleSheetHeader
}

// sheetLag is how long the word of a sheet may take that a rule speaks of already: through
// the extension events and answers come on two ways. What is later is not named.
const sheetLag = 20 * time.Millisecond

// openSheets switches CSS on, which tells of every sheet, and makes nodes have numbers.
func openSheets(ctx context.Context, s cdp.Session) (*sheets, error) {
	added, cancel := s.Subscribe("CSS.styleSheetAdded")
	out := &sheets{s: s, added: added, cancel: cancel, known: make(map[cdp.StyleSheetID]*css.StyleSheetHeader)}
	for _, method := range []string{dom.CommandEnable, css.CommandEnable, dom.CommandGetDocument} {
		if err := s.Call(ctx, method, nil, nil); err != nil {
			out.close()
			return nil, err
		}
	}
	return out, nil
}

// await reads what the browser tells until every sheet that rules of matched speak of is known.
func (o *sheets) await(ctx context.Context, matched ...*matchedStyles) error {
	late := time.NewTimer(sheetLag)
	defer late.Stop()
	for !o.knows(matched) {
		select {
		case raw := <-o.added:
			var event css.EventStyleSheetAdded
			if decodeEvent(raw, &event) == nil && event.Header != nil {
				o.known[event.Header.StyleSheetID] = event.Header
			}
		case <-late.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (o *sheets) knows(matched []*matchedStyles) bool {
	unknown := func(m cssMatch) bool {
		return m.Rule.Sheet != "" && m.Rule.Origin != browserRules && o.known[m.Rule.Sheet] == nil
	}
	for _, m := range matched {
		if slices.ContainsFunc(m.Rules, unknown) {
			return false
		}
		if slices.ContainsFunc(m.Inherited, func(p cssParents) bool { return slices.ContainsFunc(p.Rules, unknown) }) {
			return false
		}
	}
	return true
}

func (o *sheets) close() {
	o.cancel()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var wait sync.WaitGroup
	for _, method := range []string{css.CommandDisable, dom.CommandDisable} {
		wait.Go(func() { _ = o.s.Call(ctx, method, nil, nil) }) // its page may be gone
	}
	wait.Wait()
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
	cssRange struct {
		StartLine int `json:"startLine"`
	}
	cssStyle struct {
		Properties []cssProperty `json:"cssProperties"`
		Range      *cssRange     `json:"range"`
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
		Range     *cssRange     `json:"range"`
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
	return fmt.Sprintf("%s:%d", url, lineOf(sheet, style.Range.StartLine))
}

// lineOf counts a line of a sheet from the beginning of its file: a sheet in a page has its own.
func lineOf(sheet *css.StyleSheetHeader, line int) int {
	return int(sheet.StartLine) + line + 1
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

// winner is the declaration of an element's own rules that gives a property its value.
type winner struct {
	value  string // as it is written; of a shorthand the property's part
	rule   string // its selector; style="" for the style attribute
	source string // URL:LINE
}

// winner finds it: important ones first, then as strong as they come. CSS Cascading 5, section 6.1.
func (c *cascade) winner(m *matchedStyles, property string) (winner, bool) {
	type place struct {
		rule  *cssRule
		style *cssStyle
	}
	var places []place
	if m.Inline != nil {
		places = append(places, place{nil, m.Inline})
	}
	for _, match := range slices.Backward(m.Rules) {
		places = append(places, place{&match.Rule, &match.Rule.Style})
	}
	if m.Attributes != nil {
		places = append(places, place{nil, m.Attributes})
	}
	for _, important := range []bool{true, false} {
		for _, at := range places {
			declared, value := at.style.declares(property, important)
			if declared == nil {
				continue
			}
			out := winner{value: value, rule: `style=""`}
			if at.rule != nil {
				out.rule = at.rule.Selectors.Text
				where := *at.style
				if declared.Range != nil {
					where.Range = declared.Range
				}
				out.source = c.source(at.rule, &where)
			}
			return out, true
		}
	}
	return winner{}, false
}

// declares is the last declaration of a property in a block, and the value that it gives.
func (s *cssStyle) declares(property string, important bool) (*cssProperty, string) {
	clean := func(value string) string { return strings.TrimSpace(strings.TrimSuffix(value, "!important")) }
	var implicit *cssProperty
	for i := len(s.Properties) - 1; i >= 0; i-- {
		p := &s.Properties[i]
		if p.Disabled || p.ParsedOK != nil && !*p.ParsedOK || p.Important != important {
			continue
		}
		if p.Name == property {
			if p.Text != "" || s.Range == nil {
				return p, clean(p.Value)
			}
			if implicit == nil {
				implicit = p
			}
			continue
		}
		for _, long := range p.Longhands {
			if long.Name == property {
				return p, clean(long.Value)
			}
		}
	}
	if implicit == nil {
		return nil, ""
	}
	return implicit, clean(implicit.Value)
}
