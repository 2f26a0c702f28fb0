package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
)

// Severities, the worst first.
var Severities = []string{"high", "medium", "low", "info"}

// Finding is one thing that is wrong, however often.
type Finding struct {
	ID       string  `json:"id"`
	Severity string  `json:"severity"`
	Message  string  `json:"message"`
	Evidence string  `json:"evidence,omitempty" doc:"Page text where it quotes."`
	Count    int     `json:"count,omitempty" doc:"Where it is more than once."`
	Where    []Place `json:"where,omitempty" doc:"The first of them."`
	Fix      string  `json:"fix"`
}

// Summary is accessibility in brief.
type Summary struct {
	Counts map[string]int `json:"counts" doc:"Elements, by impact."`
	Worst  []string       `json:"worst,omitempty" doc:"The three worst rules."`
	More   int            `json:"moreRules,omitempty"`
}

// Transfer is what the load cost.
type Transfer struct {
	Requests int     `json:"requests"`
	Bytes    int64   `json:"bytes"`
	Biggest  []Place `json:"biggest,omitempty"`
}

// Page is the report of a page.
type Page struct {
	URL      string         `json:"url"`
	Title    string         `json:"title,omitempty"`
	Device   string         `json:"device,omitempty"`
	Loaded   bool           `json:"loaded,omitempty" doc:"The page was loaded for the audit."`
	Counts   map[string]int `json:"counts" doc:"Findings, by severity."`
	Vitals   []Vital        `json:"vitals"`
	Findings []Finding      `json:"findings" doc:"Worst first."`
	Passed   int            `json:"passed" doc:"Checks that found nothing."`
	Skipped  []string       `json:"notChecked,omitempty" doc:"Checks for which something was not known."`
	Transfer *Transfer      `json:"transfer,omitempty"`
	A11y     *Summary       `json:"accessibility,omitempty"`
	Notes    []string       `json:"notes,omitempty"`
}

// Element is an element of a list of Seen.
type Element struct {
	Place
	Words string // of the fact: an address, or what is wrong
}

// Head is what the document says of itself.
type Head struct {
	Titles          []string `json:"titles"`
	Lang            string   `json:"lang"`
	Charset         string   `json:"charset"`
	CharsetDeclared bool     `json:"charsetDeclared"`
	Doctype         bool     `json:"doctype"`
	Description     []string `json:"description"`
	Viewport        []string `json:"viewport"`
	Canonical       []string `json:"canonical"`
	CSP             []string `json:"csp"`
	Referrer        []string `json:"referrer"`
	Icon            bool     `json:"icon"`
}

// Request is one request of the load.
type Request struct {
	ID       int
	Kind     string
	Method   string
	URL      string
	Status   int
	Failure  string
	Bytes    int64
	Ms       float64
	Blocking bool
}

// Line is a line of the console.
type Line struct {
	Text   string
	At     string
	Thrown bool // and caught by nobody
}

// Header is one header of the document's response.
type Header struct{ Name, Value string }

// Seen is what was seen of a page. Secrets are masked in it.
type Seen struct {
	URL      string
	Secure   bool // over TLS
	Head     Head
	Vitals   map[string]Measure
	Elements map[string][]Element // by kind: image-alt, link-text, …; the first of them
	Counts   map[string]int       // all of them
	Requests []Request
	Console  []Line
	Headers  []Header
	// HeadersKnown: the document's response was recorded. RequestsKnown: all were.
	HeadersKnown, RequestsKnown bool
}

// Measure is a vital as the page gave it.
type Measure struct {
	Value float64
	Where []Place
}

// shown bounds the places of a finding.
const shown = 5

// Judge runs all checks.
func Judge(s *Seen) *Page {
	out := &Page{URL: s.URL, Findings: []Finding{}, Vitals: []Vital{}, Counts: map[string]int{}}
	for i := range vitalKinds {
		k := &vitalKinds[i]
		m, measured := s.Vitals[k.key]
		if !measured {
			continue
		}
		v := Vital{Name: k.name, Value: m.Value, Unit: k.unit, Rating: k.rate(m.Value), Where: m.Where}
		out.Vitals = append(out.Vitals, v)
		if v.Rating == Good {
			out.Passed++
			continue
		}
		out.Findings = append(out.Findings, Finding{
			ID: "slow-" + k.key, Severity: map[string]string{Fair: "medium", Poor: "high"}[v.Rating], Message: k.problem + ".",
			Evidence: fmt.Sprintf("%s %s, good is up to %s", v.Name, v.amount(), Vital{Value: k.good, Unit: k.unit}.amount()), Where: m.Where, Fix: k.fix,
		})
	}
	for i := range checks {
		c := &checks[i]
		switch found, known := c.look(s); {
		case !known:
			out.Skipped = append(out.Skipped, c.id)
		case len(found) == 0:
			out.Passed++
		default:
			for _, f := range found {
				f.ID, f.Severity = cmp.Or(f.ID, c.id), cmp.Or(f.Severity, c.severity)
				f.Message, f.Fix = cmp.Or(f.Message, c.message), cmp.Or(f.Fix, c.fix)
				if f.Count == 1 {
					f.Count = 0
				}
				f.Where = f.Where[:min(len(f.Where), shown)]
				out.Findings = append(out.Findings, f)
			}
		}
	}
	slices.SortStableFunc(out.Findings, func(a, b Finding) int {
		return slices.Index(Severities, a.Severity) - slices.Index(Severities, b.Severity)
	})
	for _, f := range out.Findings {
		out.Counts[f.Severity]++
	}
	out.Transfer = transfer(s)
	return out
}

// Brief makes the summary of an accessibility report.
func (a *A11y) Brief() *Summary {
	s := &Summary{Counts: a.Counts}
	for i, r := range a.Violations {
		if i == 3 {
			s.More = len(a.Violations) - i
			break
		}
		s.Worst = append(s.Worst, fmt.Sprintf("%s ×%d (%s)", r.ID, r.Count, r.Impact))
	}
	return s
}

// Text is the report in lines: two or three a finding.
func (p *Page) Text() string {
	var b strings.Builder
	if len(p.Findings) == 0 {
		b.WriteString("nothing found")
	} else {
		b.WriteString(counted(p.Counts, Severities))
	}
	fmt.Fprintf(&b, "; %d checks passed", p.Passed)
	if len(p.Skipped) > 0 {
		fmt.Fprintf(&b, "; not checked: %s", strings.Join(p.Skipped, " "))
	}
	b.WriteByte('\n')
	if len(p.Vitals) > 0 {
		var parts []string
		for _, v := range p.Vitals {
			parts = append(parts, v.text())
		}
		b.WriteString("vitals of this load: " + strings.Join(parts, " · ") + "\n")
	}
	for _, f := range p.Findings {
		fmt.Fprintf(&b, "%s %s", f.Severity, f.ID)
		if f.Count > 1 {
			fmt.Fprintf(&b, " ×%d", f.Count)
		}
		b.WriteString(": " + pagetext.Line(f.Message))
		if f.Evidence != "" {
			b.WriteString(" " + clip(pagetext.Line(f.Evidence), 200))
		}
		b.WriteByte('\n')
		var places []string
		for _, place := range f.Where[:min(len(f.Where), 3)] {
			places = append(places, clip(pagetext.Line(place.line()), 120))
		}
		if len(places) > 0 {
			b.WriteString("  " + strings.Join(places, "; ") + "\n")
		}
		b.WriteString("  fix: " + pagetext.Line(f.Fix) + "\n")
	}
	if t := p.Transfer; t != nil && t.Requests > 0 {
		fmt.Fprintf(&b, "transfer: %d requests, %s", t.Requests, size(t.Bytes))
		for i, place := range t.Biggest[:min(len(t.Biggest), 3)] {
			b.WriteString([]string{"; biggest: ", ", ", ", "}[i] + place.Text + " " + clip(place.At, 80))
		}
		b.WriteByte('\n')
	}
	if s := p.A11y; s != nil {
		b.WriteString("accessibility: ")
		if len(s.Worst) == 0 {
			b.WriteString("no violations\n")
		} else {
			b.WriteString(counted(s.Counts, Impacts) + "; worst: " + strings.Join(s.Worst, ", "))
			if s.More > 0 {
				fmt.Fprintf(&b, ", %d more rules", s.More)
			}
			b.WriteString(" → dbridge audit a11y\n")
		}
	}
	for _, note := range p.Notes {
		b.WriteString("note: " + note + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// size is a number of bytes in words.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.0f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
}

// transfer sums the load up.
func transfer(s *Seen) *Transfer {
	t := &Transfer{Requests: len(s.Requests)}
	list := slices.Clone(s.Requests)
	slices.SortStableFunc(list, func(a, b Request) int { return cmp.Compare(b.Bytes, a.Bytes) })
	for i, r := range list {
		t.Bytes += r.Bytes
		if i < shown && r.Bytes > 0 {
			t.Biggest = append(t.Biggest, Place{At: r.URL, Text: size(r.Bytes)})
		}
	}
	return t
}
