package command

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/layout"
)

// maxDepth of frames within frames that are looked at.
const maxDepth = 16

// around looks at the frames around the target's, and puts its box into the page's viewport.
func (d *diagnosis) around(ctx context.Context, out *diagnoseResult) error {
	at := d.frames[0]
	s := &at.Snapshot
	rect, placed := s.Of(s.Target).Rect(), s.Rendered(s.Target)
	for range maxDepth {
		owner, err := d.env.Tab.MeasureOwner(ctx, at.Measured)
		if err != nil {
			return err
		}
		if owner == nil {
			break
		}
		rect = layout.Rect{
			X: owner.Inner.X + rect.X*owner.Scale, Y: owner.Inner.Y + rect.Y*owner.Scale,
			Width: rect.Width * owner.Scale, Height: rect.Height * owner.Scale,
		}
		at = &examined{Measured: owner, found: layout.Diagnose(&owner.Snapshot, d.p.options())}
		d.frames = append(d.frames, at)
		for _, f := range at.found {
			if hides(&owner.Snapshot, f, rect) {
				d.told = append(d.told, throughFrame(at, f))
			}
		}
	}
	v := at.Snapshot.Viewport
	out.Viewport = &diagnoseBox{Width: v.Width, Height: v.Height}
	if placed {
		out.Position = boxOf(rect)
	}
	return nil
}

// hides reports whether a fault of a frame's element takes away what is at a place in it too.
func hides(s *layout.Snapshot, f layout.Finding, place layout.Rect) bool {
	switch {
	case strings.HasPrefix(f.Type, "hidden-"), slices.Contains([]string{"completely-offscreen", "zero-dimensions", "media-hidden", "clip-hidden", "content-visibility", "details-closed", "dialog-closed", "popover-closed", "not-slotted", "transform-offscreen"}, f.Type):
		return true
	case f.Type == "clipped-by-ancestor":
		left, _ := s.Visible(s.Target, true)
		return place.Area()-place.Intersect(left).Area() > 1
	case f.Type == "covered-by-element":
		return slices.ContainsFunc(s.Of(s.Target).Hits, func(h layout.Hit) bool {
			return h.At != s.Target && h.At != layout.None && place.Contains(layout.Rect{X: h.X, Y: h.Y}, 0)
		}) || overlapsCover(s, f, place)
	case strings.HasPrefix(f.Type, "offscreen-"):
		return place.Area()-place.Intersect(s.ViewportRect()).Area() > 1
	}
	return false
}

func overlapsCover(s *layout.Snapshot, f layout.Finding, place layout.Rect) bool {
	for _, value := range f.Evidence {
		if node, ok := value.(layout.Node); ok && !s.Of(int(node)).Rect().Intersect(place).Empty() && !s.Within(s.Target, int(node)) {
			return true
		}
	}
	return false
}

// throughFrame makes a fault of a frame's element one of what is in the frame.
func throughFrame(owner *examined, f layout.Finding) *told {
	kind := f.Type
	evidence := maps.Clone(f.Evidence)
	if evidence == nil {
		evidence = make(map[string]any)
	}
	evidence["frame"], evidence["fault"] = layout.Node(owner.Snapshot.Target), kind
	f.Type, f.Evidence = "hidden-by-ancestor", evidence
	f.Message = fmt.Sprintf("It is in a frame, and of that: %s", f.Message)
	return &told{in: owner, f: f, kind: kind}
}

// tenth rounds a length as it is told.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }
