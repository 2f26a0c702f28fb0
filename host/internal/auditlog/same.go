package auditlog

import "time"

// sameKey is what makes two entries the same.
type sameKey struct {
	kind, agent, context, face, command, source, code, reason, url string
	pid, page                                                      int
}

// counted is an entry that was noted, and how often it came since.
type counted struct {
	from  time.Time // of the window
	first time.Time
	last  Entry
	count int
}

// counts tells the kinds of which the same again is counted: what changes something, and
// what people and the daemon do, is always noted.
func counts(kind string) bool { return kind == Read || kind == Gate }

// count reports whether the entry is to be noted now; else it is counted.
func (w *Writer) count(e *Entry) bool {
	if !counts(e.Kind) || len(e.Warnings)+len(e.Notes)+len(e.Secrets) > 0 || w.options.Same < 0 {
		return true
	}
	key := sameKey{kind: e.Kind, agent: e.Agent, context: e.Context, face: e.Face, command: e.Command, source: e.Source, code: e.Code, reason: e.Reason, pid: e.Pid}
	if e.Kind == Read {
		key.pid = 0 // of a command line it is another one each time; the context says who
	}
	if e.Page != nil {
		key.page, key.url = e.Page.ID, e.Page.URL
	}
	known := w.same[key]
	if known == nil {
		if len(w.same) >= maxSame {
			return true
		}
		w.same[key] = &counted{from: w.options.Now(), last: *e}
		return true
	}
	if known.count == 0 {
		known.first = e.At
	}
	known.count++
	known.last = *e
	return false
}

// due gives what was counted and is to be noted now: of all that is over, or all.
func (w *Writer) due(all bool) []*Entry {
	now := w.options.Now()
	var out []*Entry
	for key, c := range w.same {
		if !all && now.Sub(c.from) < w.options.Same {
			continue
		}
		if c.count == 0 {
			delete(w.same, key)
			continue
		}
		e := c.last
		e.tidy()
		if c.count > 1 {
			first := c.first.UTC().Truncate(time.Millisecond)
			e.Count, e.Since = c.count, &first
		}
		out = append(out, &e)
		c.from, c.count = now, 0
	}
	return out
}
