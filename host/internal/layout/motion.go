package layout

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

var motionRules = []Rule{
	{
		Types: []Type{{"mid-animation", Info, "is in an animation or a transition now"}},
		Asked: true, Find: midAnimation,
	},
}

// untilEnd is the purpose of what is only so while an animation runs.
const untilEnd = "until the animation ends"

// maxMoves bounds the animations that one finding tells.
const maxMoves = 5

// midAnimation tells what moves the element now: its own animations and those of what it is in.
func midAnimation(c *Case) []Finding {
	var out []Finding
	for at := c.At; at >= 0; at = c.Of(at).Parent {
		moves := c.Of(at).Moves
		if len(moves) == 0 {
			continue
		}
		finding := Finding{Type: "mid-animation", Severity: Info, Element: c.At, Purpose: untilEnd, Evidence: map[string]any{}}
		who := c.Label(at)
		if at != c.At {
			who += " (" + c.ordinal(c.At, at) + ")"
			finding.Evidence["moving"] = Node(at)
		}
		var told []string
		for i := range moves[:min(len(moves), maxMoves)] {
			told = append(told, describeMove(&moves[i]))
		}
		first := &moves[0]
		longest := first.RemainMs
		for i := range moves {
			if moves[i].RemainMs < 0 || longest < 0 {
				longest = -1
			} else {
				longest = max(longest, moves[i].RemainMs)
			}
		}
		finding.Evidence["remainMs"] = longest
		finding.Message = fmt.Sprintf("%s is in motion: %s.", who, strings.Join(told, "; "))
		finding.Cause = first.cause(at)
		switch {
		case longest < 0:
			finding.Purpose = "the animation goes on for ever"
		case slices.ContainsFunc(moves, func(m Animation) bool { return m.Paused }):
			finding.Purpose = ""
			finding.Severity = Low
			finding.Message = fmt.Sprintf("%s stands still in the middle of an animation: %s.", who, strings.Join(told, "; "))
			if first.Kind == "animation" {
				finding.Cause = Cause{Element: at, Property: "animation-play-state", Value: "paused"}
				finding.Fix = styleFix(at, "animation", "none")
			}
		}
		out = append(out, finding)
		break
	}
	return out
}

func (m *Animation) cause(at int) Cause {
	switch m.Kind {
	case "transition":
		return Cause{Element: at, Property: "transition-property", Value: m.Name}
	case "animation":
		return Cause{Element: at, Property: "animation-name", Value: m.Name}
	}
	property := ""
	for _, name := range slices.Sorted(maps.Keys(m.Properties)) {
		property = name
		break
	}
	return Cause{Element: at, Property: property, Value: m.Now[property]}
}

// describeMove writes: animation slide, transform matrix(…) → none, 300 ms more.
func describeMove(m *Animation) string {
	var parts []string
	for _, property := range slices.Sorted(maps.Keys(m.Properties)) {
		now := m.Now[property]
		if now == "" {
			now = "?"
		}
		parts = append(parts, property+" "+now+" → "+m.Properties[property])
	}
	if len(parts) > 4 {
		parts = append(parts[:4], fmt.Sprintf("%d more", len(parts)-4))
	}
	kind := m.Kind
	if kind == "script" {
		kind = "an animation by script"
	}
	text := strings.TrimSpace(kind + " " + m.Name)
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	switch {
	case m.Paused:
		return text + ", paused"
	case m.RemainMs < 0:
		return text + ", without end"
	}
	return text + ", " + strconv.FormatFloat(m.RemainMs, 'f', 0, 64) + " ms more"
}

// comesAndGoes reports a fault by a property that an animation without an end changes: a
// cursor that blinks, a mark that pulses.
func (s *Snapshot) comesAndGoes(f *Finding) bool {
	if f.Cause.Property == "" || f.Cause.Attribute {
		return false
	}
	for _, move := range s.Of(f.Cause.Element).Moves {
		if _, ok := move.Properties[f.Cause.Property]; ok && move.RemainMs < 0 && !move.Paused {
			return true
		}
	}
	return false
}

// AtEnd compares what is found now with what is found where the animations have ended:
// what is true only meanwhile becomes info. Faults that come with the end are told with the
// motion, as evidence.
func AtEnd(now, end []Finding) []Finding {
	is := func(list []Finding, kind string) bool {
		return slices.ContainsFunc(list, func(f Finding) bool { return f.Type == kind && f.Severity != Info })
	}
	out := slices.Clone(now)
	for i := range out {
		f := &out[i]
		switch {
		case f.Type == "mid-animation":
			var later []string
			for k := range end {
				if e := &end[k]; e.Severity != Info && !is(now, e.Type) {
					later = append(later, e.Type+": "+e.Message)
				}
			}
			if len(later) > 0 {
				f.Evidence = maps.Clone(f.Evidence)
				f.Evidence["atEnd"] = later
			}
		case f.Severity != Info && !is(end, f.Type):
			f.Severity, f.Purpose, f.Fix = Info, untilEnd, nil
		}
	}
	sortFindings(out)
	return out
}
