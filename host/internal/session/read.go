package session

import "slices"

// LoggedTypes lists the types that the log holds.
func LoggedTypes() []string { return slices.Clone(kinds[:len(kinds)-1]) }

// Past is a stretch of a session's log.
type Past struct {
	Events  [][]byte          // encoded, in order; not to be changed
	Last    uint64            // the last number looked at: go on from here
	More    bool              // there are later ones of these types
	Dropped map[string]uint64 // by type, what is not kept any more of what was asked for
}

// Read gives events after the number since: the first ones up to limit, or with since
// 0 the latest ones. Only of the types given, or all.
func (s *Session) Read(since uint64, types []string, limit int) Past {
	var filter *[maxKinds]bool
	if len(types) > 0 {
		filter = new([maxKinds]bool)
		for _, name := range types {
			if k, ok := kindOf[name]; ok {
				filter[k] = true
			}
		}
	}
	wanted := func(e *event) bool { return filter == nil || filter[e.kind] }
	s.mu.Lock()
	defer s.mu.Unlock()
	past := Past{Last: s.log.last}
	from := max(since+1, s.log.first())
	if since > 0 && since+1 < from {
		past.Dropped = s.log.dropped.since(since + 1)
	}
	if since == 0 { // the latest: counted from the end
		n := 0
		for at := s.log.last; at >= from && at > 0; at-- {
			if !wanted(s.log.at(at)) {
				continue
			}
			if n++; n == limit {
				from = at
			}
		}
	}
	for at := from; at <= s.log.last; at++ {
		e := s.log.at(at)
		if !wanted(e) {
			continue
		}
		if len(past.Events) == limit {
			past.More, past.Last = true, at-1
			break
		}
		past.Events = append(past.Events, e.data)
	}
	return past
}
