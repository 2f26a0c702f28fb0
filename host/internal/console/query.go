package console

import (
	"regexp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Message is an entry as it leaves the store: secrets masked unless Raw was asked for.
type Message struct {
	ID      int
	At      int64 // ms since the epoch
	Kind    string
	Level   string
	Text    string
	Bytes   int // of the whole text, where Text is cut
	Source  string
	URL     string
	Line    int
	Column  int
	Frame   string
	Session string
	Earlier bool // of a document before the present one
	Args    []Argument
	Stack   []Frame
}

// Argument of a console call.
type Argument struct {
	Text     string
	ObjectID string
	Session  string
}

// Query says which entries are wanted.
type Query struct {
	Since     int // entries after this id, oldest first
	Before    int // entries before this id
	Level     string
	Kinds     []string
	Pattern   *regexp.Regexp
	Preserved bool // of documents before, too
	Limit     int
	Stack     bool // with call stacks
	Raw       bool // secrets as they are
}

// Page is a piece of the console.
type Page struct {
	Messages []Message
	Cursor   int // give it as Since for what comes after
	More     int // entries that fit and come after the last one given
	Older    int // entries that fit and come before the first one given
	Dropped  map[string]int
	Counts   map[string]int // all that fit, by level
}

// List gives the newest entries that fit, oldest first; with Since, the oldest after it.
func (s *Store) List(q Query) Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := Page{Counts: map[string]int{}, Cursor: s.last}
	var fits []*entry
	for i := s.first; i < len(s.entries); i++ {
		e := &s.entries[i]
		if e.id <= q.Since || q.Before > 0 && e.id >= q.Before || !s.fits(e, &q) {
			continue
		}
		fits = append(fits, e)
		if e.kind != kindNavigation {
			out.Counts[e.level]++
		}
	}
	if q.Limit > 0 && len(fits) > q.Limit {
		if q.Since > 0 {
			out.More = len(fits) - q.Limit
			fits = fits[:q.Limit]
			out.Cursor = fits[len(fits)-1].id
		} else {
			out.Older = len(fits) - q.Limit
			fits = fits[out.Older:]
		}
	}
	for _, e := range fits {
		out.Messages = append(out.Messages, s.message(e, q.Raw, q.Stack, false))
	}
	for level, n := range s.dropped {
		if n > 0 {
			if out.Dropped == nil {
				out.Dropped = map[string]int{}
			}
			out.Dropped[level] = n
		}
	}
	return out
}

// fits reports whether an entry is wanted. The caller holds s.mu.
func (s *Store) fits(e *entry, q *Query) bool {
	if !q.Preserved && e.nav < s.nav {
		return false
	}
	if e.kind == kindNavigation {
		return q.Preserved && q.Pattern == nil && len(q.Kinds) == 0
	}
	if q.Level != "" && Rank(e.level) < Rank(q.Level) {
		return false
	}
	if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, e.kind) && !slices.Contains(q.Kinds, e.source) {
		return false
	}
	// Against the masked text: a pattern must not find out a secret.
	return q.Pattern == nil || q.Pattern.MatchString(redact.Text(e.text))
}

// Find gives the first entry after the query's Since that fits.
func (s *Store) Find(q Query) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := s.first; i < len(s.entries); i++ {
		if e := &s.entries[i]; e.id > q.Since && e.kind != kindNavigation && s.fits(e, &q) {
			return s.message(e, q.Raw, q.Stack, false), true
		}
	}
	return Message{}, false
}

// Get gives one entry with its arguments and its stack.
func (s *Store) Get(id int, raw bool) (Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := s.first; i < len(s.entries); i++ {
		if s.entries[i].id == id {
			return s.message(&s.entries[i], raw, true, true), true
		}
	}
	return Message{}, false
}

// Range is the ids of the oldest and the newest entry that are there; 0, 0 without any.
func (s *Store) Range() (oldest, newest int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == len(s.entries) {
		return 0, 0
	}
	return s.entries[s.first].id, s.last
}

func (s *Store) message(e *entry, raw, stack, whole bool) Message {
	text, address := redact.Text, redact.URL
	if raw {
		text, address = same, same
	}
	m := Message{
		ID: e.id, At: e.at, Kind: e.kind, Level: e.level, Text: text(e.text), Source: e.source, URL: address(e.url), Line: e.line, Column: e.col,
		Frame: e.frame, Session: e.session, Earlier: e.nav < s.nav, Bytes: e.full,
	}
	if e.kind == kindNavigation {
		m.Text = address(e.text)
	}
	if stack {
		frames := stackOf(e.event).frames()
		if len(frames) == 0 {
			frames = parseStack(e.stack)
		}
		for i := range frames {
			frames[i].URL = address(frames[i].URL)
		}
		m.Stack = slices.DeleteFunc(frames, func(f Frame) bool { return f.URL == LogpointSource })
	}
	if whole {
		for _, a := range argumentsOf(e.event) {
			a.Session = e.session
			a.Text = text(a.Text)
			m.Args = append(m.Args, a)
		}
	}
	return m
}

func same(text string) string { return text }

// described are the objects whose description says more than their properties.
var described = map[string]bool{"error": true, "date": true, "regexp": true, "node": true}

// argumentsOf reads the arguments of a console event: the text of plain values, the handle of others.
func argumentsOf(event jsontext.Value) []Argument {
	var read struct {
		Args []struct {
			Type        string         `json:"type"`
			Subtype     string         `json:"subtype"`
			Value       jsontext.Value `json:"value"`
			Description string         `json:"description"`
			ObjectID    string         `json:"objectId"`
		} `json:"args"`
		Details struct {
			Exception *struct {
				Subtype     string `json:"subtype"`
				Description string `json:"description"`
				ObjectID    string `json:"objectId"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if len(event) == 0 || decode(event, &read) != nil {
		return nil
	}
	var list []Argument
	for _, a := range read.Args {
		out := Argument{Text: a.Description}
		if a.Type == "object" && !described[a.Subtype] {
			out.ObjectID = a.ObjectID
		}
		switch {
		case a.Type == "string":
			_ = decode(a.Value, &out.Text) // not a string: the description stays
		case a.Type == "undefined":
			out.Text = "undefined"
		case out.Text == "":
			out.Text = string(a.Value)
		}
		list = append(list, out)
	}
	if ex := read.Details.Exception; ex != nil {
		thrown := Argument{Text: ex.Description}
		if !described[ex.Subtype] {
			thrown.ObjectID = ex.ObjectID
		}
		list = append(list, thrown)
	}
	return list
}
