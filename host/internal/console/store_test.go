package console

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func line(level, text string) *protocol.Console {
	return &protocol.Console{Base: protocol.Base{Timestamp: 1, FrameID: "main"}, Level: level, Args: []string{text}, URL: "http://127.0.0.1/app.js", Line: 3, Column: 7}
}

func texts(p Page) string {
	var list []string
	for _, m := range p.Messages {
		list = append(list, m.Text)
	}
	return strings.Join(list, " ")
}

func TestCursorsPageOverAllLines(t *testing.T) {
	t.Parallel()
	s := NewStore()
	for i := range 25 {
		s.Line(line("log", fmt.Sprint(i+1)), "", nil)
	}
	newest := s.List(Query{Limit: 10})
	if got := texts(newest); got != "16 17 18 19 20 21 22 23 24 25" || newest.Older != 15 || newest.Cursor != 25 {
		t.Errorf("newest %q older %d cursor %d", got, newest.Older, newest.Cursor)
	}
	var seen []string
	for since := 1; ; {
		page := s.List(Query{Since: since, Limit: 10})
		seen = append(seen, texts(page))
		if since = page.Cursor; page.More == 0 {
			break
		}
	}
	if got := strings.Join(seen, " "); got != "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25" {
		t.Errorf("forward %q", got)
	}
	if got := texts(s.List(Query{Before: 16, Limit: 3})); got != "13 14 15" {
		t.Errorf("before %q", got)
	}
}

func TestNavigationParts(t *testing.T) {
	t.Parallel()
	s := NewStore()
	s.Line(line("log", "old"), "", nil)
	s.Navigated("http://127.0.0.1/two")
	s.Line(line("error", "new"), "", nil)
	if got := texts(s.List(Query{})); got != "new" {
		t.Errorf("present %q", got)
	}
	all := s.List(Query{Preserved: true})
	if got := texts(all); got != "old http://127.0.0.1/two new" || !all.Messages[0].Earlier || all.Messages[2].Earlier {
		t.Errorf("preserved %q %+v", got, all.Messages)
	}
	if got := texts(s.List(Query{Preserved: true, Level: "error"})); got != "http://127.0.0.1/two new" {
		t.Errorf("level %q", got)
	}
	if got := texts(s.List(Query{Preserved: true, Pattern: regexp.MustCompile("ol.")})); got != "old" {
		t.Errorf("pattern %q", got)
	}
}

func TestBoundsAndWhatWasDropped(t *testing.T) {
	t.Parallel()
	s := NewStore()
	s.Line(line("error", "first"), "", nil)
	big := strings.Repeat("x", 3000)
	for range 3 * MaxEntries {
		s.Line(line("log", big), "", []byte(`{"type":"log","args":[{"type":"string","value":"`+big+`"}]}`))
	}
	page := s.List(Query{})
	if s.size > MaxBytes || len(page.Messages) > MaxEntries {
		t.Errorf("%d bytes, %d entries", s.size, len(page.Messages))
	}
	if got := page.Dropped["error"]*100_000 + page.Dropped["log"] + len(page.Messages); got != 100_000+3*MaxEntries {
		t.Errorf("dropped %v, kept %d", page.Dropped, len(page.Messages))
	}
	if len(s.entries) > 2*MaxEntries {
		t.Errorf("%d places held", len(s.entries))
	}
	if _, ok := s.Get(1, false); ok {
		t.Error("the first is still there")
	}
	if m, ok := s.Get(s.Last(), false); !ok || len(m.Args) != 1 {
		t.Errorf("the last: %v %+v", ok, m)
	}
}

func TestOneHugeLineIsCutAndSaysSo(t *testing.T) {
	t.Parallel()
	s := NewStore()
	huge := strings.Repeat("ä", 5<<20)
	s.Line(line("log", huge), "", []byte(`{"type":"log","args":[{"type":"string","value":"`+huge+`"}]}`))
	m := s.List(Query{}).Messages[0]
	if m.Bytes < 10<<20 || len(m.Text) > maxText || s.size > 64<<10 {
		t.Errorf("%d bytes said, %d kept, %d held", m.Bytes, len(m.Text), s.size)
	}
}

func TestSecretsLeaveOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	s := NewStore()
	s.Line(line("log", "password=hunter2"), "", []byte(`{"type":"log","args":[{"type":"string","value":"password=hunter2"}]}`))
	m, _ := s.Get(1, false)
	if all := fmt.Sprintf("%+v", m); strings.Contains(all, "hunter2") || !strings.Contains(all, "[redacted]") {
		t.Error(all)
	}
	if m, _ := s.Get(1, true); m.Text != "password=hunter2" {
		t.Error(m.Text)
	}
	if found := s.List(Query{Pattern: regexp.MustCompile("hunter")}); len(found.Messages) != 0 {
		t.Error("a pattern found out a secret")
	}
}

func TestEventsOfTheBrowser(t *testing.T) {
	t.Parallel()
	s := NewStore()
	s.Browser("", "Log.entryAdded", []byte(`{"entry":{"source":"network","level":"error","text":"Failed to load resource","timestamp":5,"url":"http://127.0.0.1/x.js"}}`))
	s.Browser("", "Log.entryAdded", []byte(`{"entry":{"source":"javascript","level":"error","text":"twice","timestamp":5}}`))
	for range 2 { // the browser tells them again
		s.Browser("", "Audits.issueAdded", []byte(`{"issue":{"code":"GenericIssue","details":{"genericIssueDetails":{"errorType":"FormLabel","violatingNodeId":15,"attribute":""}}}}`))
	}
	s.Line(line("log", "mine"), "", []byte(`{"type":"table","args":[]}`))
	s.Line(&protocol.Console{Level: "log", Args: []string{"7"}, URL: LogpointSource}, "",
		[]byte(`{"type":"log","stackTrace":{"callFrames":[{"url":"debugger://logpoint"},{"url":"http://127.0.0.1/a.js","lineNumber":4,"columnNumber":2}]}}`))
	list := s.List(Query{}).Messages
	if len(list) != 4 {
		t.Fatalf("%+v", list)
	}
	if list[0].Source != "network" || list[0].Level != "error" || list[1].Kind != "issue" || list[2].Kind != "table" {
		t.Errorf("%+v", list)
	}
	if want := `GenericIssue errorType="FormLabel" violatingNodeId=15`; list[1].Text != want {
		t.Errorf("%s", list[1].Text)
	}
	if p := list[3]; p.Kind != "logpoint" || p.URL != "http://127.0.0.1/a.js" || p.Line != 5 || p.Column != 3 {
		t.Errorf("%+v", p)
	}
	if got := s.List(Query{Kinds: []string{"network"}}); len(got.Messages) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestParseStack(t *testing.T) {
	t.Parallel()
	frames := parseStack("TypeError: x\n    at f (http://127.0.0.1:80/a.js:1:2)\n    at async http://127.0.0.1/b.js:3:4\n    at new C (eval at x (http://h/a.js:1:1), <anonymous>:2:3)")
	if len(frames) != 3 || frames[0] != (Frame{"f", "http://127.0.0.1:80/a.js", 1, 2}) || frames[1].URL != "http://127.0.0.1/b.js" || frames[1].Line != 3 {
		t.Errorf("%+v", frames)
	}
}

func TestSourceMap(t *testing.T) {
	t.Parallel()
	// function add(a, b) {…} of two source lines on one generated line, and a section.
	m, err := ParseSourceMap([]byte(`)]}'
{"version":3,"sources":["src/a.ts"],"names":["add"],"mappings":"AAAAA,UACE;;IAEA"}`), "http://127.0.0.1/dist/app.js.map")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, column int
		want         string
		ok           bool
	}{
		{1, 1, "at add (http://127.0.0.1/dist/src/a.ts:1:1)", true},
		{1, 5, "at add (http://127.0.0.1/dist/src/a.ts:1:1)", true},
		{1, 11, "at http://127.0.0.1/dist/src/a.ts:2:3", true},
		{1, 99, "at http://127.0.0.1/dist/src/a.ts:2:3", true},
		{2, 1, "", false},
		{3, 4, "", false},
		{3, 5, "at http://127.0.0.1/dist/src/a.ts:4:3", true},
		{9, 1, "", false},
	} {
		f, ok := m.Lookup(c.line, c.column)
		if ok != c.ok || ok && f.String() != c.want {
			t.Errorf("%d:%d is %v %v, want %s", c.line, c.column, f, ok, c.want)
		}
	}
	m, err = ParseSourceMap([]byte(`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":{"version":3,"sources":["a.js"],"mappings":"AAAA"}},
		{"offset":{"line":1,"column":10},"map":{"version":3,"sources":["b.js"],"mappings":"AAAA;AACA"}}]}`), "http://127.0.0.1/m")
	if err != nil {
		t.Fatal(err)
	}
	for place, want := range map[[2]int]string{{1, 5}: "a.js:1:1", {2, 15}: "b.js:1:1", {3, 1}: "b.js:2:1"} {
		if f, ok := m.Lookup(place[0], place[1]); !ok || !strings.HasSuffix(f.String(), want) {
			t.Errorf("%v is %v, want %s", place, f, want)
		}
	}
	for _, bad := range []string{``, `{}`, `{"version":2}`, `{"version":3,"sections":[{"offset":{}}]}`} {
		if _, err := ParseSourceMap([]byte(bad), ""); err == nil && bad != "" {
			t.Errorf("%q is taken", bad)
		}
	}
}

func FuzzSourceMap(f *testing.F) {
	f.Add(`{"version":3,"sources":["a"],"mappings":"AAAA,UACE;;IAEA"}`, 1, 1)
	f.Fuzz(func(_ *testing.T, text string, line, column int) {
		if m, err := ParseSourceMap([]byte(text), "http://127.0.0.1/"); err == nil {
			m.Lookup(line, column)
		}
	})
}

func BenchmarkLine(b *testing.B) {
	s, event := NewStore(), []byte(`{"type":"log","args":[{"type":"string","value":"`+strings.Repeat("x", 200)+`"}],"executionContextId":1,"timestamp":1.7e12,"stackTrace":{"callFrames":[]}}`)
	m := line("log", strings.Repeat("x", 200))
	for b.Loop() {
		s.Line(m, "", event)
	}
}

// A line of a worker comes from its own session and from its page's log, in either order.
func TestWorkerLinesOnce(t *testing.T) {
	log := func(s *Store, text string) {
		s.Browser("", "Log.entryAdded", jsontext.Value(`{"entry":{"source":"worker","level":"info","text":"`+text+`"}}`))
	}
	line := func(s *Store, text string) {
		s.Line(&protocol.Console{Level: "log", Args: []string{text}}, "W1", nil)
	}
	for name, say := range map[string]func(*Store){
		"session first": func(s *Store) { line(s, "a"); log(s, "a"); line(s, "a"); log(s, "a") },
		"log first":     func(s *Store) { log(s, "a"); line(s, "a"); log(s, "a"); line(s, "a") },
		"in one go":     func(s *Store) { log(s, "a"); log(s, "a"); line(s, "a"); line(s, "a") },
	} {
		s := NewStore()
		say(s)
		log(s, "only in the log")
		n := 0
		for _, e := range s.entries[s.first:] {
			if e.text == "a" && e.session == "W1" {
				n++
			}
		}
		if n != 2 || len(s.entries)-s.first != 3 {
			t.Errorf("%s: %+v", name, s.entries)
		}
	}
}
