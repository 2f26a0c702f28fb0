package layout

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Link is one element of the way from an element to the root, and what it does to it.
type Link struct {
	At   int
	Does []string
}

// Explain tells which elements on the way to the root place the element, stack it and
// cut it off: containing blocks, stacking contexts, clips. Those that do nothing of it
// are left out, but the element itself and the root.
func (s *Snapshot) Explain(i int) []Link {
	does := make(map[int][]string)
	add := func(at int, format string, args ...any) { does[at] = append(does[at], fmt.Sprintf(format, args...)) }
	e := s.Of(i)
	if e.Box == nil {
		add(i, "no box (display: %s)", s.Style(i, "display"))
	} else {
		add(i, "box %s", boxText(e.Rect()))
	}
	for at := i; at != None && at != 0; {
		block, property := s.ContainingBlockOf(at)
		position := s.Style(at, "position")
		if position != "static" || at == i {
			add(at, "position: %s", position)
		}
		if block == None {
			if position == "fixed" {
				add(0, "%s is placed against the viewport", s.Label(at))
			} else if position == "absolute" {
				add(0, "%s is placed against the initial containing block", s.Label(at))
			}
			break
		}
		if position == "absolute" || position == "fixed" || at == i {
			add(block, "containing block of %s (%s: %s)", s.Label(at), property, s.Style(block, property))
		}
		at = block
	}
	for _, at := range s.StackChain(i) {
		by := s.StacksBy(at)
		switch {
		case at == 0:
			add(at, "root stacking context")
		case by == "top layer":
			add(at, "top layer: above everything of the page")
		default:
			add(at, "stacking context (%s: %s), level %d in that of %s", by, s.Style(at, by), s.Level(at), s.Label(s.StackingContextOf(at)))
		}
	}
	left := e.Rect()
	for _, clip := range s.Clips(i) {
		value := s.Style(clip.At, clip.Property)
		text := fmt.Sprintf("clips (%s: %s)", clip.Property, value)
		if clip.Scrolls {
			text = fmt.Sprintf("scrolls (%s: %s)", clip.Property, value)
		}
		if next := left.Intersect(clip.Box); e.Box != nil {
			if lost := lostSides(left, next); lost != "" {
				text += ", cuts off " + lost
			}
			left = next
		}
		add(clip.At, "%s", text)
	}
	var chain []Link
	for at := i; at >= 0; at = s.Of(at).Parent {
		if at == i || at == 0 || len(does[at]) > 0 {
			chain = append(chain, Link{at, slices.Compact(does[at])})
		}
	}
	return chain
}

// lostSides says how much of a box a smaller one leaves out, and where.
func lostSides(whole, left Rect) string {
	if whole.Empty() {
		return ""
	}
	if left.Empty() {
		return "all of it"
	}
	var parts []string
	for _, side := range []struct {
		word string
		px   float64
	}{
		{"left", left.X - whole.X}, {"right", whole.Right() - left.Right()},
		{"top", left.Y - whole.Y}, {"bottom", whole.Bottom() - left.Bottom()},
	} {
		if math.Round(side.px) >= 1 {
			parts = append(parts, pxText(side.px)+" at the "+side.word)
		}
	}
	return strings.Join(parts, ", ")
}
