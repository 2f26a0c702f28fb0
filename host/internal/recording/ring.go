package recording

import (
	"cmp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
)

// Bounds of what a Tape keeps in memory.
const (
	DefaultAge   = 10 * time.Minute
	DefaultBytes = 50 << 20
	RingAge      = 60 * time.Second
	RingBytes    = 12 << 20
	maxPiece     = 16 << 20 // of rrweb events that came at once
)

// Options of a Tape.
type Options struct {
	Made     string // dbridge and its version
	Browser  string
	URL      string
	Title    string
	Note     string
	Viewport Viewport
	Age      time.Duration // how far back it reaches; DefaultAge when 0
	Bytes    int           // how much it keeps; DefaultBytes when 0
	Ring     bool          // runs without having been asked for
}

// Tape is a recording under way: the last of what happened, within an age and a size.
// The page's events are kept in segments, each of which begins with a full snapshot, so
// that what is left can be shown; the oldest segment goes first, and what happened
// before the first one that is left goes with it. Everything is cleaned of secrets as
// it comes in. Its methods may be used by many goroutines.
type Tape struct {
	mu       sync.Mutex
	o        Options
	begun    time.Time
	segments []*segment
	moments  []moment
	parts    map[string][]byte
	named    int
	bytes    int
	redacted int
	left     map[string]int
	moved    int // navigations
}

// segment is what rrweb told from one full snapshot to the next.
type segment struct {
	at     time.Time
	events [][]byte
	bytes  int
	whole  bool // it begins with a full snapshot
}

// moment is an entry with its own time.
type moment struct {
	at    time.Time
	entry Entry
	bytes int
}

// NewTape begins a recording at a time.
func NewTape(o Options, at time.Time) *Tape {
	o.Age, o.Bytes = cmp.Or(o.Age, DefaultAge), cmp.Or(o.Bytes, DefaultBytes)
	return &Tape{o: o, begun: at, parts: map[string][]byte{}, left: map[string]int{}}
}

// Begun is when it began, however much of it is left.
func (t *Tape) Begun() time.Time { return t.begun }

// Ring says that nobody asked for it.
func (t *Tape) Ring() bool { return t.o.Ring }

// Note sets what it is said to show; secrets are masked.
func (t *Tape) Note(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.o.Note = text
}

// Look notes how large the page is shown.
func (t *Tape) Look(v Viewport, title string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.o.Viewport = v
	t.o.Title = cmp.Or(t.o.Title, title)
}

// Add notes what happened at a time.
func (t *Tape) Add(e Entry, at time.Time) {
	masked := cleanEntry(&e)
	data, err := json.Marshal(&e, json.Deterministic(true))
	if err != nil {
		return // of page data that is no JSON value: nothing that could be written
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.redacted += masked
	if e.Kind == KindNavigation {
		t.moved++
	}
	t.moments = append(t.moments, moment{at, e, len(data)})
	t.bytes += len(data)
	t.trim(at)
}

// Part keeps a body or a picture and gives the name by which an entry refers to it.
// What is text must be clean already.
func (t *Tape) Part(dir, extension string, data []byte) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.named++
	name := dir + strconv.Itoa(t.named) + extension
	t.parts[name] = data
	t.bytes += len(data)
	return name
}

// Masked counts secrets that were masked before something came here.
func (t *Tape) Masked(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.redacted += n
}

// Left counts what the recording does not have.
func (t *Tape) Left(what string, n int) {
	if n <= 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left[what] += n
}

// Page takes events of the page that Clean has given.
func (t *Tape) Page(events []PageEvent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var latest time.Time
	for _, event := range events {
		t.redacted += event.Masked
		latest = event.At
		n := len(t.segments)
		// A full snapshot has its Meta event before it.
		if event.Kind == eventMeta || event.Kind == eventFull && (n == 0 || !t.segments[n-1].opening()) {
			t.segments = append(t.segments, &segment{at: event.At, whole: true})
			n++
		}
		if n == 0 || !t.segments[n-1].whole {
			t.left["page events without a snapshot"]++
			continue
		}
		s := t.segments[n-1]
		s.events = append(s.events, event.Data)
		s.bytes += len(event.Data)
		t.bytes += len(event.Data)
	}
	if !latest.IsZero() {
		t.trim(latest)
	}
}

// Broken notes that page events are missing: what follows waits for a full snapshot.
func (t *Tape) Broken(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left["page events"] += max(n, 1)
	t.segments = append(t.segments, &segment{at: time.Now()})
}

// opening reports a segment that has nothing but its Meta event.
func (s *segment) opening() bool { return s.whole && len(s.events) == 1 }

// trim lets go of the oldest. t.mu is held.
func (t *Tape) trim(now time.Time) {
	oldest := now.Add(-t.o.Age)
	for len(t.segments) > 1 && (t.bytes > t.o.Bytes || !t.segments[1].at.After(oldest)) {
		t.bytes -= t.segments[0].bytes
		t.segments = slices.Delete(t.segments, 0, 1)
		t.left["segments before"]++
		t.forget(t.segments[0].at)
	}
	if len(t.segments) == 0 {
		t.forget(oldest)
	}
	if t.bytes <= t.o.Bytes {
		return
	}
	// One segment alone is too large, or what happened beside the page is.
	if len(t.segments) > 0 && t.segments[0].bytes > t.o.Bytes/2 {
		t.bytes -= t.segments[0].bytes
		t.left["page events"] += len(t.segments[0].events)
		t.segments = []*segment{{at: now}}
	}
	for t.bytes > t.o.Bytes && len(t.moments) > 0 {
		t.drop(1)
	}
}

// forget lets go of what happened before a time. t.mu is held.
func (t *Tape) forget(before time.Time) {
	n := 0
	for n < len(t.moments) && t.moments[n].at.Before(before) {
		n++
	}
	t.drop(n)
}

func (t *Tape) drop(n int) {
	for _, m := range t.moments[:n] {
		t.bytes -= m.bytes
		for _, name := range []string{m.entry.RequestBody, m.entry.ResponseBody, m.entry.Picture} {
			t.bytes -= len(t.parts[name])
			delete(t.parts, name)
		}
	}
	if n > 0 {
		t.left["entries before"] += n
	}
	t.moments = slices.Delete(t.moments, 0, n)
}

// Status says how much there is.
type Status struct {
	Since   time.Time // from when on there is something left
	Bytes   int
	Entries int
}

// Status says how much the tape holds.
func (t *Tape) Status() Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Status{t.start(time.Time{}), t.bytes, len(t.moments)}
}

// start is the time that what is left begins with, since at the earliest. t.mu is held.
func (t *Tape) start(since time.Time) time.Time {
	at := t.begun
	if t.left["segments before"] > 0 && len(t.segments) > 0 {
		at = t.segments[0].at
	}
	if since.After(at) {
		at = since
	}
	return at
}
