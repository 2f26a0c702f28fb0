package recording

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/locator"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Secret stands in a recording for a text that was typed into a secret field.
const Secret = "{{secret}}"

// Script is a reproduction of a recording, for a person or an agent to run.
type Script struct {
	Text    string
	Steps   int      // that it does
	Skipped []string // what it does not do, and why
	Ask     []string // environment variables that it needs: secrets and files
}

// step is one thing that a reproduction does. All scripts are written from these.
type step struct {
	n       int    // of the entry; 0 for the first
	words   string // as the timeline tells it
	command string
	params  map[string]any
	aim     protocol.Target // of commands with a target
	asked   map[string]string
	skipped string // why it is left out

	dialog   *answer
	arrive   string  // address that it led to
	requests []Entry // worth waiting for
}

// answer is what was said to a dialog.
type answer struct {
	accept bool
	text   string
}

const (
	maxSteps = 2000
	// arriveWithin, in ms, is how long after an action a navigation is taken for its effect;
	// later ones somebody asked for by the address bar.
	arriveWithin = 10_000
	maxAwaited   = 3
)

// reproducible are the commands that a reproduction does. Scripts are run by who trusts
// the person that recorded, not whatever is in the file: nothing here starts a program,
// runs script or leaves the page.
var reproducible = map[string]bool{
	"element.click": true, "element.hover": true, "element.focus": true, "element.drag": true, "element.fill": true, "element.fill-form": true,
	"element.select": true, "element.upload": true, "element.scroll": true,
	"input.key": true, "input.type": true, "input.click": true, "input.mouse-move": true, "input.mouse-down": true, "input.mouse-up": true,
	"input.drag": true, "input.scroll": true,
	"page.navigate": true, "page.resize": true, "dialog.handle": true,
}

// Names of parameters as the catalogue has them; others are left out.
var parameter = lazy.MustCompile(`^[a-z][A-Za-z0-9]{0,30}$`)

// steps makes the list that scripts are written from.
func (f *File) steps() ([]step, error) {
	start, err := url.Parse(f.URL)
	if err != nil || !web(start) || start.Host == "" {
		return nil, fault.New(fault.ValidationError, "the recording did not begin on a page of the web, so there is no address to go to").With("url", cut(f.URL, 200)).
			Suggest("dbridge record show " + f.Path)
	}
	list := []step{{words: "open the page", command: "page.navigate", params: map[string]any{"url": f.URL}}}
	asked := map[string]int{}
	var acted int64 // when the last action was
	for i := range f.Entries {
		e, last := &f.Entries[i], &list[len(list)-1]
		if len(list) >= maxSteps {
			break
		}
		switch e.Kind {
		case KindAction:
			if e.Command == "dialog.handle" && last.dialog != nil {
				last.dialog = answered(e.Params)
				continue
			}
			list = append(list, f.stepsOf(e, i+1, asked)...)
			acted = e.At
		case KindNavigation:
			if to, err := url.Parse(e.URL); err != nil || !web(to) {
				continue
			}
			if len(list) > 1 && last.skipped == "" && e.At-acted < arriveWithin {
				last.arrive = e.URL
			} else if e.At > 1000 || e.URL != f.URL { // of the page that was there
				list = append(list, step{n: i + 1, words: f.words(e, false), command: "page.navigate", params: map[string]any{"url": e.URL}})
				acted = e.At
			}
		case KindDialog:
			last.dialog = &answer{accept: e.Effect != "dismissed" && e.Effect != "dismiss"}
		case KindNetwork:
			if worthAwaiting(e) && len(list) > 1 {
				last.await(e)
			}
		}
	}
	return list, nil
}

func web(address *url.URL) bool { return address.Scheme == "http" || address.Scheme == "https" }

// stepsOf are those of one action; filling a form is one a field.
func (f *File) stepsOf(e *Entry, n int, asked map[string]int) []step {
	if e.Command != "element.fill-form" {
		return []step{f.stepOf(e, n, asked)}
	}
	type field struct{ target, value any }
	var fields []field
	switch values := e.Params["values"].(type) {
	case map[string]any:
		for target, value := range values {
			fields = append(fields, field{target, value})
		}
		slices.SortFunc(fields, func(a, b field) int { return strings.Compare(plain(a.target), plain(b.target)) })
	case []any:
		for _, item := range values {
			if one, ok := item.(map[string]any); ok {
				fields = append(fields, field{one["target"], one["value"]})
			}
		}
	}
	list := make([]step, len(fields))
	for i, one := range fields {
		single := Entry{Kind: KindAction, Command: "element.fill", Params: map[string]any{"target": one.target, "value": plain(one.value)}, Code: e.Code}
		list[i] = f.stepOf(&single, n, asked)
	}
	return list
}

func (f *File) stepOf(e *Entry, n int, asked map[string]int) step {
	s := step{n: n, words: oneLine(actionWords(e)), command: e.Command, params: map[string]any{}, asked: map[string]string{}}
	switch {
	case e.Code != "":
		s.skipped = "it failed when it was recorded: " + fold(e.Code, maxValue)
		return s
	case !reproducible[e.Command]:
		s.skipped = "a reproduction does not run " + fold(e.Command, maxValue)
		return s
	}
	for name, value := range e.Params {
		if parameter.MatchString(name) && name != "timeoutMs" && name != "wait" && (!usual(name, value) || name == "value" || name == "text") {
			s.params[name] = value
		}
	}
	if address, ok := s.params["url"].(string); ok {
		if to, err := url.Parse(address); err != nil || !web(to) {
			s.skipped = "its address is none of the web"
			return s
		}
	}
	if frame, _ := s.params["frame"].(string); frame != "" && frame != "main" {
		s.skipped = "it was in a frame"
		return s
	}
	delete(s.params, "frame")
	for _, name := range []string{"target", "to"} {
		text, ok := s.params[name].(string)
		if !ok || name == "to" && s.command != "element.drag" {
			continue
		}
		aim, ok := lasting(text)
		if !ok {
			s.skipped = "its element has no name that lasts"
			return s
		}
		if name == "target" {
			s.aim = aim
		}
	}
	for _, name := range []string{"value", "text"} {
		if text, ok := s.params[name].(string); ok && (strings.Contains(text, Secret) || strings.Contains(text, masked)) {
			s.asked[name] = variable(s.aim, "SECRET", asked)
		}
	}
	if values, ok := s.params["values"].([]any); ok && slices.Contains(values, any(Secret)) {
		s.asked["values"] = variable(s.aim, "SECRET", asked)
	}
	if s.command == "element.upload" {
		s.asked["files"] = variable(protocol.Target{}, "FILE", asked)
	}
	return s
}

// lasting reads a target that means the same in another run.
func lasting(text string) (aim protocol.Target, ok bool) {
	aim, err := locator.Parse(text)
	return aim, err == nil && aim.Ref == ""
}

// asks lists the environment variables of a step, in order of the parameters.
func (s *step) asks() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(s.asked)) {
		list = append(list, s.asked[name])
	}
	return list
}

// masked is what package redact puts in the place of a secret.
const masked = "[redacted]"

// variable names the environment variable for what was not recorded: textbox "Password" is PASSWORD.
func variable(aim protocol.Target, otherwise string, asked map[string]int) string {
	name := strings.Join(strings.FieldsFunc(strings.ToUpper(aim.Name+aim.StableID), func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') }), "_")
	if name == "" || name[0] < 'A' || len(name) > 40 || slices.Contains(taken, name) {
		name = otherwise
	}
	asked[name]++
	if n := asked[name]; n > 1 {
		name += "_" + strconv.Itoa(n)
	}
	return name
}

// taken are names that mean something to a shell, to Node or to the scripts themselves.
var taken = []string{"PATH", "HOME", "IFS", "ENV", "DBRIDGE", "BASE_URL", "BROWSER_PATH", "CDP_ENDPOINT", "HEADED", "URL", "JSON"}

// worthAwaiting tells the requests that a script of the page made.
func worthAwaiting(e *Entry) bool {
	return e.Failure == "" && e.Status != 0 && (e.Type == "fetch" || e.Type == "xhr") && strings.HasPrefix(e.URL, "http")
}

// await adds a request unless one like it is there.
func (s *step) await(e *Entry) {
	same := func(r Entry) bool { return r.Method == e.Method && pathOf(r.URL) == pathOf(e.URL) }
	if len(s.requests) < maxAwaited && !slices.ContainsFunc(s.requests, same) {
		s.requests = append(s.requests, *e)
	}
}

func answered(params map[string]any) *answer {
	dismiss, _ := params["dismiss"].(bool)
	text, _ := params["text"].(string)
	return &answer{accept: !dismiss, text: text}
}

// pathOf is an address without query and fragment, which change from run to run.
func pathOf(address string) string {
	if u, err := url.Parse(address); err == nil {
		return u.Path
	}
	return address
}

// base is the origin that scripts have in a variable.
func (f *File) base() string {
	u, err := url.Parse(f.URL)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// onBase is what an address has after the base, if it is on it.
func (f *File) onBase(address string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(address, f.base())
	if !ok || rest != "" && !strings.ContainsAny(rest[:1], "/?#") {
		return address, false
	}
	return rest, true
}

// head are the lines that say what a script is.
func (f *File) head() []string {
	lines := []string{"Reproduces a recording of " + fold(f.URL, maxWords) + ", made " + f.Started.UTC().Format("2006-01-02 15:04") + " UTC."}
	if f.Note != "" {
		lines = append(lines, fold(f.Note, 4*maxWords))
	}
	return lines
}

func (s *Script) note(list []step) {
	for _, one := range list {
		if one.skipped != "" {
			s.Skipped = append(s.Skipped, fmt.Sprintf("%d %s: %s", one.n, one.words, one.skipped))
			continue
		}
		s.Steps++
		s.Ask = append(s.Ask, one.asks()...)
	}
}
