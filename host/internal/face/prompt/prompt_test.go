package prompt

import (
	"encoding/json"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var someItems = []protocol.UITreeItem{
	{Ref: "e1", Role: "button", Name: "Sign in", Visible: true},
	{Ref: "e12", Role: "button", Name: "Sign out", Visible: true, Disabled: true},
	{Ref: "f1e3", Role: "textbox", Name: `say "hi"`, Visible: true},
	{Ref: "e4", Role: "link", Name: "hidden one"},
	{Ref: "e5", Role: "link", Name: "evil\x1b[2Jname", Visible: true},
	{Ref: "e6", Role: "checkbox", Name: "Ärger", Visible: true, Checked: true},
}

func TestCompletion(t *testing.T) {
	cases := []struct{ name, line, want, options string }{
		{"command", "tr|", "tree |", ""},
		{"several commands", "c|", "c|", "click console"},
		{"common part", "e|", "e|", "eval errors"},
		{"name", `click "Sign i|`, `click "Sign in" |`, ""},
		{"common part of names", `click "Si|`, `click "Sign |`, ""},
		{"names that differ from here on", `click "Sign |`, `click "Sign |`, `"Sign in" "Sign out"`},
		{"name without a quote", `click Är|`, `click "Ärger" |`, ""},
		{"case does not matter", `click "sign i|`, `click "Sign in" |`, ""},
		{"ref", `hover f|`, `hover f1e3 |`, ""},
		{"quotes in names", `type "say|`, `type "say \"hi\"" |`, ""},
		{"page", `page |`, `page 7 |`, ""},
		{"help", `help cli|`, `help click |`, ""},
		{"hidden elements are not offered", `click "hid|`, `click "hid|`, ""},
		{"names that would paint are not offered", `click "evil|`, `click "evil|`, ""},
		{"nothing", `eval x|`, `eval x|`, ""},
		{"middle of a line", `tr| x`, `tree |x`, ""},
		{"unknown command", `foo b|`, `foo b|`, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			pos := strings.Index(c.line, "|")
			line, newPos, options := completion(strings.Replace(c.line, "|", "", 1), pos, someItems, []int{7})
			got := line[:newPos] + "|" + line[newPos:]
			if got != c.want || strings.Join(options, " ") != c.options {
				t.Fatalf("got %s %q, want %s %q", got, options, c.want, c.options)
			}
		})
	}
}

func FuzzCompletion(f *testing.F) {
	f.Add("click \"S", 8)
	f.Add("ä", 1)
	f.Fuzz(func(t *testing.T, line string, pos int) {
		if pos < 0 || pos > len(line) {
			return
		}
		newLine, newPos, _ := completion(line, pos, someItems, []int{1, 2})
		if newPos < 0 || newPos > len(newLine) {
			t.Fatalf("position %d of %q", newPos, newLine)
		}
	})
}

func TestSharpen(t *testing.T) {
	items := append([]protocol.UITreeItem{{Ref: "e8", Role: "link", Name: "Twice"}, {Ref: "e9", Role: "button", Name: "Twice"}}, someItems...)
	cases := map[string]protocol.Target{
		"Sign in": {Role: "button", Name: "Sign in"},
		"Twice":   {Text: "Twice"},
		"nobody":  {Text: "nobody"},
	}
	for text, want := range cases {
		if got := sharpen(&protocol.Target{Text: text}, items); *got != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
	if got := sharpen(&protocol.Target{Ref: "e1"}, items); got.Ref != "e1" {
		t.Errorf("%+v", got)
	}
	if sharpen(nil, items) != nil {
		t.Error("a target out of nothing")
	}
}

func TestRendering(t *testing.T) {
	plain := paint(false)
	if got := plain.tree(someItems); got != `e1     button "Sign in"
e12    button "Sign out" [disabled]
f1e3   textbox "say \"hi\""
e5     link "evilname"
e6     checkbox "Ärger" [checked]
6 elements, 1 hidden` {
		t.Errorf("tree:\n%s", got)
	}
	var many []protocol.UITreeItem
	for range maxTreeLines + 50 {
		many = append(many, protocol.UITreeItem{Ref: "e1", Role: "link", Visible: true})
	}
	if got := plain.tree(many); strings.Count(got, "\n") != maxTreeLines || !strings.HasSuffix(got, "250 elements, 50 more not listed") {
		t.Errorf("large tree ends with %q", got[len(got)-60:])
	}
	results := map[string]string{
		`{"requestType":"click","success":true,"effect":"changed","durationMs":12}`:                                                                                       "done changed  12 ms",
		`{"requestType":"evaluate","success":true,"result":"a\u001b[31mb"}`:                                                                                               `"ab"`,
		`{"requestType":"evaluate","success":true,"result":{"a":[1,2]}}`:                                                                                                  `{"a":[1,2]}`,
		`{"requestType":"evaluate","success":true}`:                                                                                                                       "undefined",
		`{"requestType":"request_state","success":true,"result":{"states":[]}}`:                                                                                           "the app tells no state",
		`{"requestType":"request_state","success":true,"result":{"states":[{"scope":"cart","state":{"n":1},"source":"custom"}]}}`:                                         `cart {"n":1}  custom`,
		`{"requestType":"request_dom_snapshot","success":true,"result":{"html":"<p>\n\u001b[2Jx","bytes":9}}`:                                                             "<p>\nx\n9 bytes",
		`{"requestType":"click","success":false,"error":{"code":"TARGET_AMBIGUOUS","message":"two","details":{"candidates":[{"ref":"e1"}]},"suggestions":["use a ref"]}}`: "TARGET_AMBIGUOUS: two\n  candidates: [{\"ref\":\"e1\"}]\n  try: use a ref",
		`{"requestType":"click","success":false}`:                                                                                                                         "failed, and the answer does not say why",
	}
	for in, want := range results {
		var r result
		if err := json.Unmarshal([]byte(in), &r); err != nil {
			t.Fatal(err)
		}
		if got := plain.outcome(r); got != want {
			t.Errorf("%s:\ngot  %q\nwant %q", in, got, want)
		}
	}
	console := protocol.Console{Level: "warn", Args: []string{"a\nb", "\x1b]0;t\x07c"}, URL: "http://a.test/x.js", Line: 3}
	if got := plain.console(console); got != "[warn] a b c  http://a.test/x.js:3" {
		t.Errorf("console: %q", got)
	}
	if got := paint(true).console(console); !strings.HasPrefix(got, "\x1b[33m") {
		t.Errorf("coloured: %q", got)
	}
	to := uint64(9)
	if got := gapText(protocol.Gap{FromSeq: 3, ToSeq: &to, Reason: "expired"}); got != "7 events are missing (expired)" {
		t.Errorf("gap: %q", got)
	}
}

func TestPatch(t *testing.T) {
	got := patch(someItems, protocol.UITreeDiff{
		Removed: []string{"e12"}, Added: []protocol.UITreeItem{{Ref: "e20", Name: "New"}},
		Changed: []map[string]any{{"ref": "e1", "name": "Log in"}},
	})
	if len(got) != len(someItems) || got[0].Name != "Log in" || got[len(got)-1].Ref != "e20" || someItems[0].Name != "Sign in" {
		t.Fatalf("%+v", got)
	}
}

func TestKeep(t *testing.T) {
	var list []int
	for i := range 10 {
		list = keep(list, i, 4)
	}
	if len(list) != 4 || list[0] != 6 || list[3] != 9 {
		t.Fatalf("%v", list)
	}
}
