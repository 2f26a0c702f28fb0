// Package console keeps what a page's console said: lines, uncaught errors,
// rejections, and what the browser itself reports (failed loads, violations,
// issues). It makes no call: it is fed with events and asked for entries.
//
// A store is bounded in entries and in bytes; the oldest go first and are counted
// by level. Ids grow by one and are never used again, so a cursor is an id. Events
// are kept as they came and read when somebody asks: a page that floods its console
// costs a copy a line. Secrets are masked when an entry leaves the store.
package console

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Limits of one page's store.
const (
	MaxEntries = 2_000
	MaxBytes   = 2 << 20
	maxKept    = 16 << 10 // of an event; the text of a larger one is kept without it
	maxText    = 4 << 10  // of a line; maxArgument of package page bounds it before
)

// Levels, least first.
var Levels = []string{"debug", "log", "info", "warn", "error"}

// Rank is the place of a level in Levels; unknown ones are log.
func Rank(level string) int {
	for i, l := range Levels {
		if l == level {
			return i
		}
	}
	return 1
}

// entry is one line as it is kept.
type entry struct {
	id    int
	at    int64 // ms since the epoch
	nav   int
	kind  string // log, table, trace, …; exception, rejection; browser, issue; navigation
	level string
	text  string
	full  int // bytes of the whole text where it was cut
	stack string
	url   string
	line  int
	col   int
	frame string
	// The event, where it is kept.
	session string
	event   jsontext.Value
	source  string // network, violation, …: of what the browser says
}

func (e *entry) size() int {
	return 160 + len(e.text) + len(e.stack) + len(e.url) + len(e.event)
}

// Store is one page's console. Its methods may be used by many goroutines.
type Store struct {
	mu      sync.Mutex
	entries []entry // a ring once it is full
	first   int     // index of the oldest
	size    int
	last    int // id
	nav     int
	cleared int // entries up to this id were cleared
	dropped map[string]int
	workers int // lines of workers that only the page's log told
	since   time.Time
	changed chan struct{} // closed and replaced with each entry
	waiting bool
}

// NewStore makes an empty store.
func NewStore() *Store {
	return &Store{dropped: map[string]int{}, since: time.Now(), changed: make(chan struct{})}
}

// Last is the id of the newest entry, 0 when there was none.
func (s *Store) Last() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// Changed gives a channel that closes with the next entry.
func (s *Store) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = true
	return s.changed
}

// Clear forgets all entries; ids go on.
func (s *Store) Clear() (cleared int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cleared = len(s.entries) - s.first
	s.entries, s.first, s.size, s.cleared = nil, 0, 0, s.last
	clear(s.dropped)
	return cleared
}

func (s *Store) add(e entry) {
	if len(e.text) > maxText {
		e.full = max(e.full, len(e.text))
		e.text = cut(e.text, maxText)
	}
	if len(e.stack) > maxText {
		e.stack = cut(e.stack, maxText)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.twice(&e) {
		return
	}
	s.last++
	e.id, e.nav = s.last, s.nav
	if e.at == 0 {
		e.at = time.Now().UnixMilli()
	}
	s.entries = append(s.entries, e)
	s.size += e.size()
	for len(s.entries)-s.first > MaxEntries || s.size > MaxBytes {
		old := &s.entries[s.first]
		s.size -= old.size()
		if old.kind != kindNavigation {
			s.dropped[old.level]++
		}
		*old = entry{}
		s.first++
	}
	if s.first > MaxEntries { // the front is given back in pieces
		s.entries = append(make([]entry, 0, len(s.entries)-s.first+MaxEntries/4), s.entries[s.first:]...)
		s.first = 0
	}
	if s.waiting {
		close(s.changed)
		s.changed, s.waiting = make(chan struct{}), false
	}
}

// Kinds of entries that are no console call.
const (
	kindException  = "exception"
	kindRejection  = "rejection"
	kindNavigation = "navigation"
	kindIssue      = "issue"
	kindLogpoint   = "logpoint"
)

// sourceWorker is what a page's log says of its workers.
const sourceWorker = "worker"

// LogpointSource is the address that logpoints write from.
const LogpointSource = "debugger://logpoint"

// Line takes a console call; event is the DevTools event it came as, where it did.
func (s *Store) Line(m *protocol.Console, session string, event jsontext.Value) {
	e := entry{
		at: m.Timestamp, kind: m.Level, level: m.Level, stack: m.Stack, url: m.URL, line: m.Line, col: m.Column, frame: m.FrameID, session: session,
	}
	for i, arg := range m.Args {
		if i > 0 {
			e.text += " "
		}
		if e.text += arg; len(e.text) > 2*maxText {
			break
		}
	}
	if len(event) > 0 {
		if kind := kindOf(event); kind != "" {
			e.kind = kind
		}
		if len(event) <= maxKept {
			e.event = bytes.Clone(event)
		} else {
			e.full = len(event)
		}
		if m.URL == LogpointSource {
			e.kind = kindLogpoint
			e.url, e.line, e.col = caller(event)
		}
	}
	s.add(e)
}

// kindOf reads the type of a console event without the rest. It comes first.
func kindOf(event jsontext.Value) string {
	rest, found := bytes.CutPrefix(bytes.TrimLeft(event, " {"), []byte(`"type":"`))
	if !found {
		return ""
	}
	kind, _, found := bytes.Cut(rest, []byte{'"'})
	if !found || len(kind) > 20 {
		return ""
	}
	if string(kind) == "warning" {
		return "warn"
	}
	return string(kind)
}

// caller is the place that a logpoint stands at.
func caller(event jsontext.Value) (url string, line, col int) {
	for _, f := range stackOf(event).frames() {
		if f.URL != LogpointSource {
			return f.URL, f.Line, f.Column
		}
	}
	return "", 0, 0
}

// Error takes an uncaught error or an unhandled rejection.
func (s *Store) Error(m *protocol.PageError, session string, event jsontext.Value) {
	e := entry{
		at: m.Timestamp, kind: kindException, level: "error", text: m.Message, stack: m.Stack,
		url: m.Filename, line: m.Lineno, col: m.Colno, frame: m.FrameID, session: session,
	}
	if m.Type == protocol.TypeUnhandledRejection {
		e.kind, e.text = kindRejection, "Uncaught (in promise) "+m.Reason
	}
	if len(event) > 0 && len(event) <= maxKept {
		e.event = bytes.Clone(event)
	}
	s.add(e)
}

// Navigated notes that the page has another document from here on.
func (s *Store) Navigated(url string) {
	s.mu.Lock()
	s.nav++
	s.mu.Unlock()
	s.add(entry{kind: kindNavigation, level: "info", text: url, url: url})
}

// Browser takes what the browser says by itself: Log.entryAdded and Audits.issueAdded.
func (s *Store) Browser(session, method string, params jsontext.Value) {
	switch method {
	case "Log.entryAdded":
		s.logEntry(session, params)
	case "Audits.issueAdded":
		s.issue(session, params)
	}
}

var logLevels = map[string]string{"verbose": "debug", "info": "info", "warning": "warn", "error": "error"}

func (s *Store) logEntry(session string, params jsontext.Value) {
	var event struct {
		Entry struct {
			Source     string      `json:"source"`
			Level      string      `json:"level"`
			Text       string      `json:"text"`
			Timestamp  float64     `json:"timestamp"`
			URL        string      `json:"url"`
			LineNumber *int        `json:"lineNumber"`
			StackTrace *stackTrace `json:"stackTrace"`
		} `json:"entry"`
	}
	if decode(params, &event) != nil {
		return
	}
	m := &event.Entry
	if m.Source == "javascript" {
		return // Runtime.exceptionThrown has it
	}
	e := entry{at: int64(m.Timestamp), kind: "browser", source: m.Source, level: logLevels[m.Level], text: m.Text, url: m.URL, session: session, frame: frameOf(session)}
	if e.level == "" {
		e.level = "log"
	}
	if m.LineNumber != nil {
		e.line = *m.LineNumber + 1
	}
	e.stack = m.StackTrace.text()
	s.add(e)
}

// lookBack is how far the other half of a worker's line is looked for.
const lookBack = 100

// twice reports a line of a worker that is there: its own session tells it, and its
// page's log, in either order. What the session says is kept. The caller holds s.mu.
func (s *Store) twice(e *entry) bool {
	fromLog := e.source == sourceWorker
	if !fromLog && (e.session == "" || s.workers == 0) {
		return false
	}
	for i := len(s.entries) - 1; i >= max(s.first, len(s.entries)-lookBack); i-- {
		other := &s.entries[i]
		switch {
		case other.text != e.text:
		case fromLog && other.session != "":
			return true
		case !fromLog && other.source == sourceWorker:
			s.size += e.size() - other.size()
			e.id, e.nav = other.id, other.nav
			*other = *e
			s.workers--
			return true
		}
	}
	if fromLog {
		s.workers++
	}
	return false
}

// issue makes one line of a browser issue. The browser tells all issues again when it
// is asked for them anew; each is taken once a document.
func (s *Store) issue(session string, params jsontext.Value) {
	var event struct {
		Issue struct {
			Code    string         `json:"code"`
			Details jsontext.Value `json:"details"`
		} `json:"issue"`
	}
	if decode(params, &event) != nil || event.Issue.Code == "" {
		return
	}
	text := event.Issue.Code + issueText(event.Issue.Details)
	if !s.hasIssue(text) {
		s.add(entry{kind: kindIssue, level: "warn", text: text, session: session, frame: frameOf(session)})
	}
}

func (s *Store) hasIssue(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := s.first; i < len(s.entries); i++ {
		if e := &s.entries[i]; e.kind == kindIssue && e.nav == s.nav && e.text == cut(text, maxText) {
			return true
		}
	}
	return false
}

// issueText is the details of an issue in words: {"cookieIssueDetails": {…}}, of which
// each kind has its own members.
func issueText(details jsontext.Value) string {
	var kinds map[string]map[string]jsontext.Value
	if decode(details, &kinds) != nil {
		return " " + string(details)
	}
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for _, name := range slices.Sorted(maps.Keys(kinds[kind])) {
			if value := string(kinds[kind][name]); value != `""` && value != "false" && value != "[]" {
				b.WriteString(" " + name + "=" + value)
			}
		}
	}
	return b.String()
}

func frameOf(session string) string {
	if session == "" {
		return "main"
	}
	return ""
}

// cut bounds a string without breaking a rune.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return s[:limit]
}

func decode(data jsontext.Value, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}
