package layout

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// layer is one step of the order in which things are painted: the z-index within a
// stacking context, and the place in the tree among equals.
type layer struct {
	z     float64
	order int
}

// What is not positioned lies between z-index -1 and 0: blocks, floats, then inline content.
// CSS 2.2 appendix E.2.
const (
	blockLayer  = -0.9
	floatLayer  = -0.8
	inlineLayer = -0.7
)

// layers is the element's place in the painting order, from the root's stacking context inwards.
func (s *Snapshot) layers(i int) []layer {
	var list []layer // the innermost first
	flow, settled := layer{blockLayer, i}, false
	settle := func(more ...layer) {
		if !settled {
			list, settled = append(list, more...), true
		}
	}
	for at := i; at > 0; at = s.Of(at).Parent {
		if by := s.StacksBy(at); by != "" {
			if at != i {
				settle(flow)
			}
			settled = true
			if by == "top layer" { // whatever is around it does not matter
				return reversed(append(list, layer{infinite, at}))
			}
			list = append(list, layer{float64(s.Level(at)), at})
			continue
		}
		if settled {
			continue
		}
		switch {
		case s.Style(at, "position") != "static":
			if at == i {
				settle(layer{0, at})
			} else {
				settle(flow, layer{0, at})
			}
		case s.Style(at, "float") != "none":
			flow = layer{max(flow.z, floatLayer), at}
		case hasWord(s.Style(at, "display"), "inline", "inline-block", "inline-flex", "inline-grid"):
			flow = layer{inlineLayer, at}
		}
	}
	settle(flow)
	return reversed(list)
}

func reversed(list []layer) []layer {
	slices.Reverse(list)
	return list
}

// paintedAbove reports whether a is painted after b; neither is within the other.
func (s *Snapshot) paintedAbove(a, b int) bool {
	x, y := s.layers(a), s.layers(b)
	for k := 0; k < len(x) && k < len(y); k++ {
		if x[k] == y[k] {
			continue
		}
		if x[k].z != y[k].z {
			return x[k].z > y[k].z
		}
		return x[k].order > y[k].order
	}
	return len(x) > len(y)
}

// trying reports whether holds is true with another value of one property of one element.
func (s *Snapshot) trying(i int, property, value string, holds func() bool) bool {
	e := s.Of(i)
	before := e.Styles
	e.Styles = maps.Clone(before)
	if e.Styles == nil {
		e.Styles = make(map[string]string)
	}
	e.Styles[property] = value
	defer func() { e.Styles = before }()
	return holds()
}

// common is the nearest element that both are in.
func (s *Snapshot) common(a, b int) int {
	for at := a; at >= 0; at = s.Of(at).Parent {
		if s.Within(b, at) {
			return at
		}
	}
	return 0
}

// contestants are the elements by whose levels it is decided which of a and b lies above:
// on each side, below the element that both are in, the outermost stacking context, else
// the nearest positioned element, else None.
func (s *Snapshot) contestants(a, b int) (ofA, ofB int) {
	shared := s.common(a, b)
	side := func(from int) int {
		context, positioned := None, None
		for at := from; at != shared && at >= 0; at = s.Of(at).Parent {
			if s.StacksBy(at) != "" {
				context = at
			} else if positioned == None && s.Style(at, "position") != "static" {
				positioned = at
			}
		}
		if context != None {
			return context
		}
		return positioned
	}
	return side(a), side(b)
}

// rotated reports a box that is not the element's own shape: turned or skewed.
func (s *Snapshot) rotated(i int) bool {
	for at := i; at >= 0; at = s.Of(at).Parent {
		if s.Style(at, "rotate") != "none" {
			return true
		}
		matrix, ok := strings.CutPrefix(s.Style(at, "transform"), "matrix")
		if !ok {
			continue
		}
		parts := strings.Split(strings.Trim(matrix, "()"), ",")
		if len(parts) != 6 { // matrix3d
			return true
		}
		for _, part := range parts[1:3] {
			if v, err := strconv.ParseFloat(strings.TrimSpace(part), 64); err != nil || math.Abs(v) > 1e-3 {
				return true
			}
		}
	}
	return false
}
