package layout

import "math"

// bandHeight is that of the bands by which elements are looked up, px.
const bandHeight = 128

// bands are the interactive elements by the bands of the page that their boxes meet:
// comparing each with each would take seconds on a large page.
type bands struct {
	by   map[int][]int
	tall []int // higher than a few bands
}

// interactiveIn lists the interactive elements that may meet the lines from one y to
// another; some twice.
func (s *Snapshot) interactiveIn(from, to float64) []int {
	if s.bands == nil {
		s.bands = &bands{by: make(map[int][]int)}
		for i := range s.Elements {
			e := &s.Elements[i]
			if e.Box == nil || !e.Is(Interactive) {
				continue
			}
			r := e.Rect()
			if !(r.Height < 4*bandHeight) || math.Abs(r.Y) > infinite {
				s.bands.tall = append(s.bands.tall, i)
				continue
			}
			for band := bandOf(r.Y); band <= bandOf(r.Bottom()); band++ {
				s.bands.by[band] = append(s.bands.by[band], i)
			}
		}
	}
	if math.Abs(from) > infinite || math.Abs(to) > infinite {
		return s.bands.tall
	}
	list := append([]int(nil), s.bands.tall...)
	for band := bandOf(from); band <= bandOf(to); band++ {
		list = append(list, s.bands.by[band]...)
	}
	return list
}

func bandOf(y float64) int { return int(math.Floor(y / bandHeight)) }
