package trace

import (
	"fmt"
	"strconv"
	"strings"
)

// Text is the summary in lines, one a fact.
func (s Summary) Text() string {
	var b strings.Builder
	for i := range s.Sets {
		set := &s.Sets[i]
		fmt.Fprintf(&b, "%s %s\n%s\n", set.ID, set.URL, set.Metrics.text())
		if set.LongTasks > 0 && set.Longest != nil {
			fmt.Fprintf(&b, "long tasks %d, the longest:%s\n", set.LongTasks, set.Longest.text())
		}
		for _, insight := range set.Insights {
			fmt.Fprintf(&b, "%s %s%s", insight.State, insight.Name, insight.Savings.text())
			if insight.Worst != nil {
				b.WriteString(":" + insight.Worst.text())
			}
			b.WriteByte('\n')
		}
		for _, rest := range []struct {
			words string
			names []string
		}{{"passed", set.Passed}, {"not measured", set.Skipped}} {
			if len(rest.names) > 0 {
				fmt.Fprintf(&b, "%s: %s\n", rest.words, strings.Join(rest.names, " "))
			}
		}
	}
	return b.String()
}

// Text is the insight with its evidence.
func (i *Insight) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s%s\n%s\n", i.State, i.Name, i.Title, i.Savings.text(), i.Description)
	for k := range i.Evidence {
		row := &i.Evidence[k]
		fmt.Fprintf(&b, "%s-%s\n", strings.Repeat("  ", row.Depth), row.text())
	}
	if cut := i.EvidenceCount - len(i.Evidence); cut > 0 {
		fmt.Fprintf(&b, "(%d more are in the trace file)\n", cut)
	}
	return b.String()
}

// text names the metrics that there are.
func (m *Metrics) text() string {
	var parts []string
	add := func(name string, value *float64, unit string) {
		if value != nil {
			parts = append(parts, name+" "+number(*value)+unit)
		}
	}
	if lcp := m.LCPParts; m.LCP != nil && lcp != nil {
		var spans []string
		for _, span := range []struct {
			name string
			ms   *float64
		}{{"ttfb", lcp.TTFB}, {"load delay", lcp.LoadDelay}, {"load", lcp.LoadDuration}, {"render delay", lcp.RenderDelay}} {
			if span.ms != nil {
				spans = append(spans, span.name+" "+number(*span.ms))
			}
		}
		what := strings.TrimSpace(lcp.Node + " " + lcp.URL)
		parts = append(parts, fmt.Sprintf("LCP %s ms (%s) %s", number(*m.LCP), strings.Join(spans, ", "), what))
	} else {
		add("LCP", m.LCP, " ms")
	}
	add("CLS", m.CLS, "")
	if inp := m.INPParts; m.INP != nil && inp != nil {
		parts = append(parts, fmt.Sprintf("INP %s ms (%s: input %s, processing %s, presentation %s)",
			number(*m.INP), inp.Type, number(inp.InputDelay), number(inp.Processing), number(inp.Presentation)))
	}
	add("FCP", m.FCP, " ms")
	add("TTFB", m.TTFB, " ms")
	add("blocking", &m.Blocking, " ms")
	add("load", m.Load, " ms")
	return strings.Join(parts, " · ")
}

// text begins with a space, as do all its parts.
func (r *Row) text() string {
	var b strings.Builder
	part := func(show bool, format string, args ...any) {
		if show {
			fmt.Fprintf(&b, " "+format, args...)
		}
	}
	measured := func(value *float64, unit string) {
		if value != nil {
			part(true, "%s%s", number(*value), unit)
		}
	}
	part(r.What != "", "%s", r.What)
	part(r.Function != "", "%s", r.Function)
	switch {
	case r.URL != "" && r.Line > 0:
		part(true, "%s:%d", r.URL, r.Line)
	case r.URL != "":
		part(true, "%s", r.URL)
	}
	part(r.Node != "", "%s", r.Node)
	part(r.OK != nil && *r.OK, "ok")
	part(r.OK != nil && !*r.OK, "FAILED")
	measured(r.Value, "")
	measured(r.Ms, " ms")
	measured(r.Bytes, " bytes")
	if r.StartMs != nil {
		part(true, "at %s ms", number(*r.StartMs))
	}
	part(r.Text != "", "(%s)", r.Text)
	return b.String()
}

func (s *Savings) text() string {
	if s == nil {
		return ""
	}
	var parts []string
	for _, gain := range []struct {
		name  string
		value float64
		unit  string
	}{{"LCP", s.LCP, " ms"}, {"FCP", s.FCP, " ms"}, {"INP", s.INP, " ms"}, {"TBT", s.TBT, " ms"}, {"CLS", s.CLS, ""}, {"", s.Bytes, " bytes"}} {
		if gain.value != 0 {
			parts = append(parts, strings.TrimSpace(gain.name+" "+number(gain.value)+gain.unit))
		}
	}
	return " [saves about " + strings.Join(parts, ", ") + "]"
}

func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }
