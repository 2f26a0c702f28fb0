package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Query says which part of a timeline is wanted.
type Query struct {
	Kinds    []string      // empty: all, of many followers of one action the most telling
	All      bool          // every entry
	From, To time.Duration // To 0: to the end
	Limit    int           // rows; 0: no limit
}

// Row is an entry in one line of words. Its text is page data.
type Row struct {
	N     int    `json:"n" doc:"Number of the entry, for --entry."`
	At    int64  `json:"at" doc:"Ms since the recording began."`
	Kind  string `json:"kind"`
	Text  string `json:"text" doc:"Page text, in one line."`
	Under int    `json:"under,omitempty" doc:"The action that it followed."`
	Bad   bool   `json:"bad,omitempty" doc:"An error, or a request that failed."`
	// More counts what followed and is not told, by kind.
	More map[string]int `json:"more,omitempty" doc:"Of an action: what else followed, by kind; ask for its time to see it."`
}

// perAction is how many followers of one action are told unless a kind is asked for.
const perAction = 6

// Rows tells the entries that fit, and how many more there are; next is the time of the first of those.
// Unless kinds are asked for, each action has its most telling followers only.
func (f *File) Rows(q Query) (rows []Row, left int, next time.Duration) {
	after := f.followers()
	shown := make(map[int]bool, len(f.Entries))
	more := map[int]map[string]int{}
	for action, list := range after {
		if len(q.Kinds) == 0 && !q.All {
			list, more[action] = f.telling(list)
		}
		for _, i := range list {
			shown[i] = true
		}
	}
	mixed := f.mixed()
	under := map[int]int{}
	for action, list := range after {
		for _, i := range list {
			under[i] = action
		}
	}
	for i := range f.Entries {
		e := &f.Entries[i]
		at := time.Duration(e.At) * time.Millisecond
		action, follows := under[i]
		switch {
		case len(q.Kinds) > 0 && !slices.Contains(q.Kinds, e.Kind), at < q.From, q.To > 0 && at > q.To, follows && !shown[i]:
			continue
		case q.Limit > 0 && len(rows) >= q.Limit:
			if left == 0 {
				next = at
			}
			left++
			continue
		}
		row := Row{N: i + 1, At: e.At, Kind: e.Kind, Text: f.words(e, mixed), Bad: e.bad()}
		if follows && action >= 0 {
			row.Under = action + 1
		}
		if e.Kind == KindAction {
			if what := f.outcome(after[i]); what != "" {
				row.Text += "  → " + what
			}
			row.More = more[i]
		}
		rows = append(rows, row)
	}
	return rows, left, next
}

// followers are the entries after each action until the next one, by its index; -1 has those before any.
// Marks stand alone: a person made them.
func (f *File) followers() map[int][]int {
	after, action := map[int][]int{}, -1
	for i := range f.Entries {
		switch f.Entries[i].Kind {
		case KindAction:
			action = i
		case KindMark:
		default:
			after[action] = append(after[action], i)
		}
	}
	return after
}

// telling picks the followers that say most, in their order, and counts the others.
func (f *File) telling(list []int) (picked []int, rest map[string]int) {
	if len(list) <= perAction {
		return list, nil
	}
	for rank := 0; rank <= lastRank; rank++ {
		for _, i := range list {
			if f.Entries[i].rank() == rank && len(picked) < perAction {
				picked = append(picked, i)
			}
		}
	}
	slices.Sort(picked)
	rest = map[string]int{}
	for _, i := range list {
		if !slices.Contains(picked, i) {
			rest[f.Entries[i].Kind]++
		}
	}
	return picked, rest
}

const lastRank = 4

// rank is lower for what says more of what an action caused.
func (e *Entry) rank() int {
	switch e.Kind {
	case KindNetwork:
		switch {
		case e.bad():
			return 0
		case e.changes():
			return 1
		case e.Type == "fetch" || e.Type == "xhr" || e.Type == "document":
			return 2
		}
		return lastRank
	case KindConsole:
		if e.bad() {
			return 0
		}
		return 3
	case KindError:
		return 0
	}
	return 1
}

// bad tells what somebody who looks for a fault looks at first.
func (e *Entry) bad() bool {
	switch e.Kind {
	case KindError:
		return true
	case KindConsole:
		return e.Level == "error"
	case KindNetwork:
		return e.Status >= 400 || e.Failure != ""
	}
	return e.Code != ""
}

// changes tells requests that are not only for reading.
func (e *Entry) changes() bool {
	return e.Method != "" && e.Method != "GET" && e.Method != "HEAD" && e.Method != "OPTIONS"
}

// outcome says in a few words what followed an action.
func (f *File) outcome(list []int) string {
	counts := map[string]int{}
	var request, went *Entry
	for _, i := range list {
		e := &f.Entries[i]
		switch e.Kind {
		case KindNetwork:
			counts["request"]++
			if request == nil || e.rank() < request.rank() {
				request = e
			}
		case KindConsole, KindError:
			if e.bad() {
				counts["error"]++
			}
		case KindNavigation:
			went = e
		case KindState, KindDialog, KindDownload:
			counts[e.Kind]++
		}
	}
	var parts []string
	more := "" // than the one that is told
	if request != nil && request.rank() < lastRank {
		parts = append(parts, f.requestWords(request))
		counts["request"]--
		more = "more "
	}
	if went != nil {
		parts = append(parts, "navigated to "+f.here(went.URL))
	}
	for _, kind := range []struct{ key, one, many string }{
		{"request", more + "request", more + "requests"}, {"error", "console error", "console errors"}, {KindState, "state change", "state changes"},
		{KindDialog, "dialog", "dialogs"}, {KindDownload, "download", "downloads"},
	} {
		switch n := counts[kind.key]; {
		case n == 1:
			parts = append(parts, "1 "+kind.one)
		case n > 1:
			parts = append(parts, strconv.Itoa(n)+" "+kind.many)
		}
	}
	return strings.Join(parts, ", ")
}

// mixed tells recordings with actions of both an agent and the person.
func (f *File) mixed() bool {
	by := map[string]bool{}
	for i := range f.Entries {
		if e := &f.Entries[i]; e.Kind == KindAction {
			by[e.By] = true
		}
	}
	return len(by) > 1
}

// Limits of the words of a row, in bytes.
const (
	maxWords = 160
	maxValue = 60
)

// words is one line, whatever is in the entry.
func (f *File) words(e *Entry, mixed bool) string { return oneLine(f.say(e, mixed)) }

func (f *File) say(e *Entry, mixed bool) string {
	switch e.Kind {
	case KindAction:
		text := actionWords(e)
		if mixed && e.By == "agent" {
			text += " (agent)"
		}
		if e.Code != "" {
			text += " failed: " + e.Code
		}
		return text
	case KindNetwork:
		return f.requestWords(e)
	case KindConsole:
		level := e.Level
		if level == "" {
			level = "log"
		}
		return "console." + level + " " + quote(e.Text, maxWords)
	case KindError:
		text := "error: " + fold(e.Text, maxWords)
		if e.Source != "" {
			text += " at " + cut(f.here(e.Source), maxValue)
		}
		return text
	case KindState:
		return stateWords(e)
	case KindNavigation:
		text := "navigated to " + f.here(e.URL)
		if e.Title != "" {
			text += " " + quote(e.Title, maxValue)
		}
		return text
	case KindMark:
		text := "mark " + quote(e.Text, maxWords)
		if e.Picture != "" {
			text += " (picture)"
		}
		return text
	}
	text := e.Kind
	for _, part := range []string{e.Type, e.Level, e.Title} {
		if part != "" {
			text += " " + fold(part, maxValue)
		}
	}
	if e.Text != "" {
		text += " " + quote(e.Text, maxWords)
	}
	if e.URL != "" {
		text += " " + f.here(e.URL)
	}
	return text
}

// actionWords is a command as it would be said: fill textbox "Email" = "ada@example.com".
func actionWords(e *Entry) string {
	resource, verb, _ := strings.Cut(e.Command, ".")
	if resource != "element" && resource != "input" {
		verb = resource + " " + verb
	}
	text := fold(verb, maxValue)
	used := map[string]bool{}
	for _, name := range []string{"target", "key", "url"} {
		if value, ok := e.Params[name].(string); ok && value != "" {
			text += " " + fold(value, maxWords)
			used[name] = true
		}
	}
	for _, name := range []string{"value", "text", "values", "to"} {
		if value, ok := e.Params[name]; ok {
			text += " = " + quote(plain(value), maxValue)
			used[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		if !used[name] && !usual(name, e.Params[name]) && e.Params[name] != 0.0 && len(text) < 2*maxWords {
			text += " " + fold(name, maxValue) + "=" + fold(plain(e.Params[name]), maxValue)
		}
	}
	return text
}

// usual tells parameters that say no more than their absence would.
func usual(name string, value any) bool {
	switch name {
	case "button":
		return value == "left"
	case "count", "repeat":
		return value == 1.0
	}
	return value == nil || value == "" || value == false
}

// plain is a value of JSON as words.
func plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case nil:
		return "null"
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = plain(item)
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		data, _ := json.Marshal(v) // it was read from JSON
		return string(data)
	}
	return fmt.Sprint(value)
}

func (f *File) requestWords(e *Entry) string {
	text := e.Method + " " + f.here(e.URL)
	switch {
	case e.Failure != "":
		text += " failed: " + fold(e.Failure, maxValue)
	case e.Status != 0:
		text += " " + strconv.Itoa(e.Status)
	default:
		text += " unanswered"
	}
	if e.Ms > 0 {
		text += fmt.Sprintf(" (%.0f ms)", e.Ms)
	}
	return strings.TrimSpace(text)
}

// stateWords names the places that changed.
func stateWords(e *Entry) string {
	text := "state " + fold(e.Scope, maxValue)
	ops, _ := e.Patch.([]any)
	if ops == nil {
		return text + " = " + fold(plain(e.State), maxWords)
	}
	var places []string
	for _, op := range ops {
		if o, ok := op.(map[string]any); ok && len(places) < 3 {
			place := fold(plain(o["path"]), maxValue)
			if value, has := o["value"]; has {
				switch value.(type) {
				case map[string]any, []any:
				default:
					place += "=" + fold(plain(value), 30)
				}
			}
			places = append(places, place)
		}
	}
	text += ": " + strings.Join(places, ", ")
	if n := len(ops) - len(places); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// here is an address without the origin that the recording began at.
func (f *File) here(address string) string {
	base, err := url.Parse(f.URL)
	if err == nil && base.Host != "" {
		if rest, ok := strings.CutPrefix(address, base.Scheme+"://"+base.Host); ok && (rest == "" || strings.ContainsAny(rest[:1], "/?#")) {
			address = "/" + strings.TrimPrefix(rest, "/")
		}
	}
	return fold(address, maxWords)
}

// fold makes one short line of a text.
func fold(text string, n int) string {
	if len(text) > 8*n {
		text = cut(text, 8*n)
	}
	return cut(strings.Join(strings.Fields(oneLine(text)), " "), n)
}

// oneLine takes what would begin another line, or turn the direction of this one.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, text)
}

func quote(text string, n int) string { return strconv.Quote(fold(text, n)) }

// Clock writes a time of a recording: +3.2s, +1m02.5s.
func Clock(ms int64) string {
	if ms < 60_000 {
		return fmt.Sprintf("+%.1fs", float64(ms)/1000)
	}
	return fmt.Sprintf("+%dm%04.1fs", ms/60_000, float64(ms%60_000)/1000)
}

// ParseClock reads a time of a recording: 12s, +3.2s, 1m05s, 900ms; a number alone is seconds.
func ParseClock(text string) (time.Duration, error) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "+")
	if text == "" {
		return 0, nil
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second)), nil
	}
	at, err := time.ParseDuration(text)
	if err != nil || at < 0 {
		return 0, fault.New(fault.ValidationError, "%q is no time of a recording", cut(text, 30)).Suggest("Give it as 12s, 1m05s or 900ms since the beginning.")
	}
	return at, nil
}

// Words is the line of entry n, which counts from 1.
func (f *File) Words(n int) string { return f.words(&f.Entries[n-1], f.mixed()) }
