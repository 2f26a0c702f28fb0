package layout

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Severity says how bad a finding is.
type Severity string

// The severities, the worst first. Info is no fault: something that is so on purpose.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
	Info   Severity = "info"
)

var weight = map[Severity]int{High: 0, Medium: 1, Low: 2, Info: 3}

// Worse reports whether a is worse than b.
func Worse(a, b Severity) bool { return weight[a] < weight[b] }

// Node is an element as a value of evidence: the command puts its ref and selector there.
type Node int

// Cause is the one element and declaration (or attribute) that carries a fault.
type Cause struct {
	Element   int
	Property  string
	Value     string
	Attribute bool
}

// Fix is the one change that takes a fault away, as far as one declaration can.
type Fix struct {
	Element   int
	Property  string
	Value     string // of an attribute, Remove takes it away
	Attribute bool
}

// Remove as the value of an attribute's fix.
const Remove = "(remove)"

// Finding is one fault of one element.
type Finding struct {
	Type     string
	Severity Severity
	Element  int
	Message  string // one sentence
	Evidence map[string]any
	Cause    Cause
	Fix      *Fix // nil where no declaration helps (a picture that does not load)
	// Purpose is why this is so on purpose; the severity is Info then.
	Purpose string
}

// When says which elements a rule looks at.
type When int

// The conditions, each with those before it.
const (
	Any      When = iota
	Rendered      // has a box
	Shown         // has a box with an area, and visibility and opacity let it be seen
)

// Rule finds faults of one kind of one element.
type Rule struct {
	Types []Type // that it can give
	When  When
	// Whole rules look at the page as a whole: once a document, at its root.
	Whole bool
	// Asked rules speak only of the element that was asked about: on a whole page they
	// would be about half of it.
	Asked bool
	Find  func(c *Case) []Finding
}

// Type is one kind of fault, as users meet it.
type Type struct {
	ID       string
	Severity Severity // the usual one
	Doc      string   // what is wrong, in a few words
}

// Case is one element under examination.
type Case struct {
	*Snapshot
	At      int
	Options Options
}

// Options of an examination.
type Options struct {
	All bool // notes of low severity for every element they are true of, not only where they matter
	AAA bool // contrast by WCAG's AAA
}

// Element is the one under examination.
func (c *Case) Element() *Element { return c.Of(c.At) }

// Rules is the table.
var Rules = slices.Concat(
	placeRules, hiddenRules, zeroRules, modalRules, clipRules, coverRules, stackRules, sizeRules, flexRules, pageRules, mediaRules, motionRules, accessRules,
)

// Types lists every kind of fault, in the order of the table.
func Types() []Type {
	var list []Type
	for _, rule := range Rules {
		list = append(list, rule.Types...)
	}
	return list
}

// Diagnose examines the target of the snapshot, or every element of it. The worst come
// first, and those of one cause are one finding with the others counted.
func Diagnose(s *Snapshot, options Options) []Finding {
	var found []Finding
	examine := func(at int, asked bool) {
		c := &Case{Snapshot: s, At: at, Options: options}
		when := s.when(at)
		for i := range Rules {
			rule := &Rules[i]
			if rule.When > when || rule.Whole && at != 0 || rule.Asked && !asked {
				continue
			}
			for _, f := range rule.Find(c) {
				if f.Severity != Info && s.comesAndGoes(&f) {
					f.Severity, f.Purpose, f.Fix = Info, "an animation without an end makes it so at times", nil
				}
				found = append(found, f)
			}
		}
	}
	if s.Target != None {
		examine(s.Target, true)
		sortFindings(found)
		return found
	}
	for at := range s.Elements {
		examine(at, false)
	}
	found = slices.DeleteFunc(found, func(f Finding) bool { return f.Severity == Info })
	sortFindings(found)
	return grouped(s, found)
}

func sortFindings(found []Finding) {
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(weight[a.Severity], weight[b.Severity]), cmp.Compare(a.Element, b.Element))
	})
}

// grouped leaves the first of the findings that have one type and one cause, or the same
// cause in one kind of element: five buttons of a row, a price in each card of a list.
func grouped(s *Snapshot, found []Finding) []Finding {
	type key struct {
		kind, property string
		cause          int
	}
	first, alike := make(map[key]int), make(map[string]int)
	var out []Finding
	for _, f := range found {
		k, likes := key{f.Type, f.Cause.Property, f.Cause.Element}, s.alike(&f)
		at, ok := first[k]
		for _, like := range likes {
			if !ok {
				at, ok = alike[like]
			}
		}
		if ok {
			others, _ := out[at].Evidence["others"].(int)
			if out[at].Evidence == nil {
				out[at].Evidence = map[string]any{}
			}
			out[at].Evidence["others"] = others + 1
			continue
		}
		first[k] = len(out)
		for _, like := range likes {
			alike[like] = len(out)
		}
		out = append(out, f)
	}
	return out
}

// alike is what findings share that are one fault of a page: the kind of element by its
// tag and class, and the declaration in it, or in something at the same distance around
// it, in one parent or in parents of one kind; or every number of it. Nothing where an
// element has a name of its own.
func (s *Snapshot) alike(f *Finding) []string {
	kind, e := s.Label(f.Element), s.Of(f.Element)
	parent := e.Parent
	if parent < 0 || strings.Contains(kind, "#") {
		return nil
	}
	where := strconv.Itoa(parent)
	if up := s.Of(parent).Parent; up >= 0 && strings.Contains(kind+s.Label(parent), ".") && !strings.Contains(s.Label(parent)+s.Label(up), "#") {
		where = s.Label(parent) + " in " + s.Label(up)
	}
	mended := ""
	if f.Fix != nil {
		mended = f.Fix.Property + ": " + f.Fix.Value
	}
	same := []string{fmt.Sprint(f.Type, " in ", where, ": ", f.Message, f.Cause.Property, f.Cause.Value, mended)}
	if s.Within(f.Element, f.Cause.Element) {
		same = append(same, fmt.Sprint(f.Type, " ", f.Severity, " ", f.Cause.Property, ": ", f.Cause.Value, " ", s.ordinalOf(f.Element, f.Cause.Element), " ", kind, e.Attr("style"), e.Attr("dir"), " in ", where))
	}
	return same
}

// when tells how much of an element can be seen at all.
func (s *Snapshot) when(i int) When {
	e := s.Of(i)
	if e.Box == nil {
		return Any
	}
	if opacity, _ := s.Opacity(i); s.Style(i, "visibility") != "visible" || opacity == 0 || e.Rect().Empty() || s.skipped(i) != None {
		return Rendered
	}
	return Shown
}

// skipped is the ancestor whose content the browser does not render (content-visibility), or None.
func (s *Snapshot) skipped(i int) int {
	for _, a := range s.Ancestors(i) {
		if s.Style(a, "content-visibility") == "hidden" {
			return a
		}
	}
	return None
}

// round is a length as it is told: to a tenth of a px.
func round(v float64) float64 { return math.Round(v*10) / 10 }

// pxText writes a length.
func pxText(v float64) string { return strconv.FormatFloat(math.Round(v), 'f', -1, 64) + " px" }

// boxText writes a box: 300 × 200 at 10, 20.
func boxText(r Rect) string {
	n := func(v float64) string { return strconv.FormatFloat(round(v), 'f', -1, 64) }
	return fmt.Sprintf("%s × %s at %s, %s", n(r.Width), n(r.Height), n(r.X), n(r.Y))
}

// declared is the cause in one property of one element.
func (s *Snapshot) declared(i int, property string) Cause {
	value := s.Style(i, property)
	if typed := s.Typed(i, property); typed != "" {
		value = typed
	}
	return Cause{Element: i, Property: property, Value: value}
}

// attributed is the cause in an attribute.
func (s *Snapshot) attributed(i int, name string) Cause {
	return Cause{Element: i, Property: name, Value: s.Of(i).Attr(name), Attribute: true}
}

// ordinal names an ancestor by its distance: parent, ancestor 2, …
func (s *Snapshot) ordinal(i, ancestor int) string {
	n := 0
	for at := i; at >= 0 && at != ancestor; at = s.Of(at).Parent {
		n++
	}
	switch n {
	case 0:
		return "itself"
	case 1:
		return "parent"
	}
	return fmt.Sprintf("ancestor %d", n)
}

// containsAny reports whether a text has one of the words in it, whatever the case.
func containsAny(text string, words ...string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}
