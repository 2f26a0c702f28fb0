package trace

import (
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Report is what the engine found in a trace.
type Report struct {
	Events     int     `json:"events"`
	DurationMs float64 `json:"durationMs"`
	Sets       []Set   `json:"sets"`
}

// Set is the part of the trace that belongs to one navigation, or that before the first.
type Set struct {
	ID         string  `json:"id"`
	URL        string  `json:"url"`
	Navigation bool    `json:"navigation"`
	DurationMs float64 `json:"durationMs"`
	Metrics    Metrics `json:"metrics"`
	// LongTasks are the longest; LongTaskCount counts all.
	LongTasks     []Row     `json:"longTasks"`
	LongTaskCount int       `json:"longTaskCount"`
	Insights      []Insight `json:"insights"`
}

// Metrics are the vitals of this recording, in milliseconds since the navigation.
// Nil is what did not happen in it.
type Metrics struct {
	TTFB             *float64 `json:"ttfbMs,omitempty"`
	FCP              *float64 `json:"fcpMs,omitempty"`
	LCP              *float64 `json:"lcpMs,omitempty"`
	CLS              *float64 `json:"cls,omitempty"` // a score
	INP              *float64 `json:"inpMs,omitempty"`
	Blocking         float64  `json:"blockingMs"` // what long tasks took above 50 ms each, from the first paint on
	DOMContentLoaded *float64 `json:"domContentLoadedMs,omitempty"`
	Load             *float64 `json:"loadMs,omitempty"`
	LCPParts         *LCP     `json:"lcp,omitempty"`
	INPParts         *INP     `json:"inp,omitempty"`
}

// LCP is the largest paint, and what its time went into.
type LCP struct {
	Node         string   `json:"node,omitempty"`
	NodeID       int64    `json:"nodeId,omitzero"`
	URL          string   `json:"url,omitempty"`
	TTFB         *float64 `json:"ttfbMs,omitempty"`
	LoadDelay    *float64 `json:"loadDelayMs,omitempty"`
	LoadDuration *float64 `json:"loadDurationMs,omitempty"`
	RenderDelay  *float64 `json:"renderDelayMs,omitempty"`
}

// INP is the slowest interaction, and what its time went into.
type INP struct {
	Type         string  `json:"type"`
	InputDelay   float64 `json:"inputDelayMs"`
	Processing   float64 `json:"processingMs"`
	Presentation float64 `json:"presentationMs"`
}

// The states of an insight.
const (
	Fail        = "fail"
	Informative = "informative"
	Pass        = "pass"
	Unmeasured  = "unmeasured" // the recording lacks what the insight looks at
	Failed      = "error"      // the engine could not make it
)

// Insight is one of the engine's findings.
type Insight struct {
	Name          string   `json:"name"`
	Title         string   `json:"title"`
	Description   string   `json:"description"`
	Docs          string   `json:"docs"`
	Category      string   `json:"category"`
	State         string   `json:"state"`
	Savings       *Savings `json:"savings,omitempty"`
	Warnings      []string `json:"warnings,omitempty"`
	Evidence      []Row    `json:"evidence"`
	EvidenceCount int      `json:"evidenceCount"` // with those that were cut
}

// Savings is what the engine estimates a remedy to gain.
type Savings struct {
	LCP   float64 `json:"lcpMs,omitzero"`
	FCP   float64 `json:"fcpMs,omitzero"`
	INP   float64 `json:"inpMs,omitzero"`
	TBT   float64 `json:"tbtMs,omitzero"`
	CLS   float64 `json:"cls,omitzero"`
	Bytes float64 `json:"bytes,omitzero"`
}

// Row is one fact of an insight's evidence. Lines and columns count from 1; times
// start at the set's navigation.
type Row struct {
	What     string   `json:"what,omitempty"`
	Depth    int      `json:"depth,omitzero"` // below the row before it with a smaller one
	URL      string   `json:"url,omitempty"`
	Line     int      `json:"line,omitzero"`
	Column   int      `json:"column,omitzero"`
	Function string   `json:"function,omitempty"`
	Node     string   `json:"node,omitempty"`
	NodeID   int64    `json:"nodeId,omitzero"` // DOM.BackendNodeId
	StartMs  *float64 `json:"startMs,omitempty"`
	Ms       *float64 `json:"ms,omitempty"`
	Bytes    *float64 `json:"bytes,omitempty"`
	Value    *float64 `json:"value,omitempty"`
	OK       *bool    `json:"ok,omitempty"`
	Text     string   `json:"text,omitempty"`
}

// Set finds a set by its id; without one it is the last navigation, which is the
// page as it stands, or what there is.
func (r *Report) Set(id string) (*Set, error) {
	var last *Set
	ids := make([]string, 0, len(r.Sets))
	for i := range r.Sets {
		set := &r.Sets[i]
		if set.ID == id {
			return set, nil
		}
		ids = append(ids, set.ID)
		if last == nil || set.Navigation {
			last = set
		}
	}
	if last == nil {
		return nil, fault.New(fault.TraceNotFound, "the trace has no page in it").Suggest("dbridge trace start --reload --auto-stop")
	}
	if id != "" {
		return nil, fault.New(fault.TraceNotFound, "the trace has no set %q", id).With("candidates", ids).
			Suggest("dbridge trace insight LCPBreakdown --set " + last.ID)
	}
	return last, nil
}

// Insight finds an insight by name, in any case, in a set (the one that Set gives without an id).
func (r *Report) Insight(name, set string) (*Insight, error) {
	in, err := r.Set(set)
	if err != nil {
		return nil, err
	}
	names := make([]string, 0, len(in.Insights))
	for i := range in.Insights {
		if strings.EqualFold(in.Insights[i].Name, name) {
			return &in.Insights[i], nil
		}
		names = append(names, in.Insights[i].Name)
	}
	suggestion := "dbridge trace insight LCPBreakdown"
	if near := nearest(name, names); near != "" {
		suggestion = "dbridge trace insight " + near
	}
	return nil, fault.New(fault.TraceNotFound, "the trace has no insight %q", name).With("candidates", names).Suggest(suggestion)
}

// nearest is the name that shares the most with what was asked for.
func nearest(asked string, names []string) string {
	asked = strings.ToLower(asked)
	best, most := "", 0
	for _, name := range names {
		if n := common(asked, strings.ToLower(name)); n > most {
			best, most = name, n
		}
	}
	return best
}

// common is the length of the longest run of letters in both.
func common(a, b string) int {
	most := 0
	row := make([]int, len(b)+1)
	for i := range len(a) {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] != b[j] {
				row[j+1] = 0
				continue
			}
			row[j+1] = row[j] + 1
			most = max(most, row[j+1])
		}
	}
	return most
}

// Summary is what an agent reads first.
type Summary struct {
	DurationMs float64      `json:"durationMs"`
	Sets       []SetSummary `json:"sets"`
}

// SetSummary leaves out what passed, but for its names.
type SetSummary struct {
	ID        string         `json:"id"`
	URL       string         `json:"url"`
	Metrics   Metrics        `json:"metrics"`
	LongTasks int            `json:"longTasks,omitzero"`
	Longest   *Row           `json:"longestTask,omitempty"`
	Insights  []InsightState `json:"insights"` // failed ones, then informative ones
	Passed    []string       `json:"passed,omitempty"`
	Skipped   []string       `json:"unmeasured,omitempty"`
}

// InsightState is one line about an insight.
type InsightState struct {
	Name    string   `json:"name"`
	State   string   `json:"state"`
	Savings *Savings `json:"savings,omitempty"`
	// Worst is the first check that failed, or the first row of the evidence; the
	// metrics tell that of the breakdowns.
	Worst *Row `json:"worst,omitempty"`
}

// Summary shortens the report.
func (r *Report) Summary() Summary {
	out := Summary{DurationMs: r.DurationMs, Sets: make([]SetSummary, 0, len(r.Sets))}
	for i := range r.Sets {
		out.Sets = append(out.Sets, r.Sets[i].summary())
	}
	return out
}

func (s *Set) summary() SetSummary {
	out := SetSummary{ID: s.ID, URL: s.URL, Metrics: s.Metrics, LongTasks: s.LongTaskCount, Insights: []InsightState{}}
	if len(s.LongTasks) > 0 {
		out.Longest = &s.LongTasks[0]
	}
	for i := range s.Insights {
		insight := &s.Insights[i]
		switch insight.State {
		case Pass:
			out.Passed = append(out.Passed, insight.Name)
		case Unmeasured:
			out.Skipped = append(out.Skipped, insight.Name)
		default:
			out.Insights = append(out.Insights, InsightState{insight.Name, insight.State, insight.Savings, insight.worst()})
		}
	}
	slices.SortStableFunc(out.Insights, func(a, b InsightState) int { return rank(a.State) - rank(b.State) })
	return out
}

func (i *Insight) worst() *Row {
	if len(i.Evidence) == 0 || strings.HasSuffix(i.Name, "Breakdown") {
		return nil
	}
	failed := slices.IndexFunc(i.Evidence, func(row Row) bool { return row.OK != nil && !*row.OK })
	return &i.Evidence[max(failed, 0)]
}

func rank(state string) int { return slices.Index([]string{Fail, Failed, Informative}, state) }
