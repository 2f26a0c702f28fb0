package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Impacts are axe's, the worst first.
// https://github.com/dequelabs/axe-core/blob/develop/doc/issue_impact.md
var Impacts = []string{"critical", "serious", "moderate", "minor"}

// ImpactRank is the place of an impact in Impacts; what has none is minor.
func ImpactRank(impact string) int {
	if i := slices.Index(Impacts, impact); i >= 0 {
		return i
	}
	return len(Impacts) - 1
}

// Standards are what a page can be held to, and the tags of axe's rules that make
// each: a later version of WCAG and a higher level include those before.
// https://github.com/dequelabs/axe-core/blob/develop/doc/API.md#axe-core-tags
var Standards = map[string][]string{
	"wcag2a":        {"wcag2a"},
	"wcag2aa":       {"wcag2a", "wcag2aa"},
	"wcag21aa":      {"wcag2a", "wcag2aa", "wcag21a", "wcag21aa"},
	"wcag22aa":      {"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"},
	"best-practice": {"best-practice"},
}

// DefaultStandard is A and AA of WCAG 2.0 to 2.2.
const DefaultStandard = "wcag22aa"

// Tags are those of several standards, each once.
func Tags(standards []string) []string {
	if len(standards) == 0 {
		standards = []string{DefaultStandard}
	}
	var tags []string
	for _, s := range standards {
		tags = append(tags, Standards[s]...)
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// Place is where in the page a finding is.
type Place struct {
	Ref      string `json:"ref,omitempty" doc:"Target for other commands."`
	Selector string `json:"selector,omitempty"`
	Frame    string `json:"frame,omitempty" doc:"Child frame."`
	At       string `json:"at,omitempty" doc:"url:line, request or header."`
	Text     string `json:"text,omitempty" doc:"Page text."`
}

func (p Place) line() string {
	parts := make([]string, 0, 4)
	for _, part := range []string{p.Ref, p.Selector, p.At, p.Text} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if p.Frame != "" {
		parts = append(parts, "["+p.Frame+"]")
	}
	return strings.Join(parts, " ")
}

// Node is an element that a rule found.
type Node struct {
	Place
	Impact  string `json:"impact,omitempty" doc:"Where it is not the rule's."`
	Summary string `json:"summary" doc:"What has to be mended."`
}

// Rule is one rule of axe-core and what it found.
type Rule struct {
	ID      string   `json:"id"`
	Impact  string   `json:"impact"`
	Help    string   `json:"help"`
	HelpURL string   `json:"helpUrl"`
	Tags    []string `json:"tags,omitempty"`
	Count   int      `json:"count" doc:"Elements."`
	Nodes   []Node   `json:"nodes" doc:"The first of them."`
}

// A11y is the report of one run.
type A11y struct {
	URL        string         `json:"url"`
	Title      string         `json:"title,omitempty"`
	Counts     map[string]int `json:"counts" doc:"Elements that violate a rule, by impact."`
	Violations []Rule         `json:"violations" doc:"Worst first."`
	Incomplete []Rule         `json:"incomplete,omitempty" doc:"What a person has to look at."`
	Undecided  int            `json:"incompleteCount,omitempty" doc:"Elements that axe could not judge; --incomplete lists them."`
	Passes     int            `json:"passes" doc:"Rules that the page keeps."`
	Frames     int            `json:"frames,omitempty" doc:"Child frames that were looked into."`
	Unheard    int            `json:"framesNotSeen,omitempty" doc:"Child frames that could not be looked into."`
	Failed     []string       `json:"rulesFailed,omitempty" doc:"Rules that broke on this page."`
	Version    string         `json:"axeVersion,omitempty"`
}

// Sort puts the worst first and counts.
func (a *A11y) Sort() {
	for _, rules := range [][]Rule{a.Violations, a.Incomplete} {
		slices.SortStableFunc(rules, func(x, y Rule) int {
			return cmp.Or(ImpactRank(x.Impact)-ImpactRank(y.Impact), y.Count-x.Count, strings.Compare(x.ID, y.ID))
		})
	}
}

// counted is the counts in words: 2 critical, 5 serious.
func counted(counts map[string]int, order []string) string {
	var parts []string
	for _, name := range order {
		if n := counts[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	return strings.Join(parts, ", ")
}

// textLimit keeps the text of a run at 1,500 tokens: what it says has about three characters to one.
const textLimit = 4_400

// Text is the report for a model: as many elements of each rule as there is room for,
// then at least one for the worst rules.
func (a *A11y) Text() string {
	whole := func(room room) string {
		var b strings.Builder
		a.head(&b)
		writeRules(&b, a.Violations, room)
		if len(a.Incomplete) > 0 {
			b.WriteString("not decided, for a person to look at:\n")
			writeRules(&b, a.Incomplete, room)
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	all := max(len(a.Violations), len(a.Incomplete))
	for _, nodes := range []int{1000, 10, 5, 3, 2, 1} {
		if text := whole(room{all, all, nodes}); len(text) <= textLimit {
			return text
		}
	}
	for rules := all; rules > 1; rules-- {
		for with := min(rules, 30); with >= min(rules, 8); with-- {
			if text := whole(room{rules, with, 1}); len(text) <= textLimit {
				return text
			}
		}
	}
	return whole(room{1, 1, 1})
}

// room is how many rules are told, how many of them with elements, and how many elements of each.
type room struct{ rules, with, nodes int }

func (a *A11y) head(b *strings.Builder) {
	elements := 0
	for _, n := range a.Counts {
		elements += n
	}
	if len(a.Violations) == 0 {
		fmt.Fprintf(b, "no violations; %d rules passed", a.Passes)
	} else {
		fmt.Fprintf(b, "%s violated by %s (%s); %d passed", several(len(a.Violations), "rule"), several(elements, "element"), counted(a.Counts, Impacts), a.Passes)
	}
	if a.Undecided > 0 {
		fmt.Fprintf(b, "; %s not decided", several(a.Undecided, "element"))
	}
	if a.Unheard > 0 {
		fmt.Fprintf(b, "; %s could not be looked into", several(a.Unheard, "frame"))
	}
	if len(a.Failed) > 0 {
		fmt.Fprintf(b, "; rules that broke: %s", strings.Join(a.Failed, " "))
	}
	b.WriteByte('\n')
	if base := a.helpBase(); base != "" {
		fmt.Fprintf(b, "help: %sRULE\n", base)
	}
}

// helpBase is what the help addresses of all rules begin with.
func (a *A11y) helpBase() string {
	for _, rules := range [][]Rule{a.Violations, a.Incomplete} {
		if len(rules) > 0 {
			base, _, found := strings.Cut(rules[0].HelpURL, rules[0].ID)
			if found {
				return base
			}
		}
	}
	return ""
}

func writeRules(b *strings.Builder, rules []Rule, room room) {
	for i, r := range rules {
		if i == room.rules {
			fmt.Fprintf(b, "… %d more rules: --impact, --rules or --file\n", len(rules)-i)
			return
		}
		fmt.Fprintf(b, "%s %s ×%d: %s\n", r.Impact, r.ID, r.Count, r.Help)
		if i >= room.with {
			continue
		}
		shown := r.Nodes[:min(len(r.Nodes), room.nodes)]
		said := ""
		for _, n := range shown {
			fmt.Fprintf(b, "  %s", n.line())
			if n.Summary != said { // said once for elements of one kind
				fmt.Fprintf(b, " — %s", clip(n.Summary, 160))
			}
			said = n.Summary
			b.WriteByte('\n')
		}
		if left := r.Count - len(shown); left > 0 && len(shown) > 0 {
			fmt.Fprintf(b, "  … %d more\n", left)
		}
	}
}

func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// clip bounds a text for a line.
func clip(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}
