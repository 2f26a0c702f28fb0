package capture

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outline reads one written for people: fields separated by " · ", blank ones as "-".
func outline(text string) *Outline {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		fields := strings.Split(strings.TrimSpace(line), " · ")
		for i, f := range fields {
			if f == "-" {
				fields[i] = ""
			}
		}
		lines = append(lines, strings.Join(fields, "\t"))
	}
	return &Outline{Document: "d", URL: "http://site.test/shop/", Segments: []Segment{{Lines: strings.Join(lines, "\n")}}}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got+"\n" != string(want) {
		t.Errorf("%s differs (go test -update rewrites it):\n%s", path, got)
	}
}

const form = `
0 · banner
1 · navigation · - · Main
2 · link · 1 · Home · - · - · http://site.test/
+2 · link · 2 · Far · - · - · https://else.test/x
0 · main
1 · heading · - · - · 2
2 · - · - · Order form
1 · - · - · See
+1 · link · 3 · the help · - · - · /help
+1 · - · - · , then save.
1 · region · - · Delivery
2 · heading · - · - · 3
3 · - · - · Delivery
2 · textbox · 4 · Email · required invalid · a b
2 · combobox · 5 · Country · - · Spain · - · France | Spain
2 · checkbox · 6 · Terms · checked
2 · alert
3 · - · - · Enter a valid address.
1 · list
2 · listitem
3 · checkbox · 7 · Buy milk
+3 · button · 8 · Delete
2 · listitem
3 · - · - · Nothing else
1 · generic · 9
2 · - · - · Click me
+2 · button · 10 · inner
1 · group · - · Empty
1 · list`

func TestRenderForm(t *testing.T) { golden(t, "form", Render(outline(form), Options{}).Body) }

func TestRenderInteractiveOnly(t *testing.T) {
	golden(t, "form-interactive", Render(outline(form), Options{InteractiveOnly: true}).Body)
}

func TestRenderDepth(t *testing.T) {
	golden(t, "form-depth", Render(outline(form), Options{Depth: 1}).Body)
}

func TestRenderFind(t *testing.T) {
	golden(t, "form-find", Render(outline(form), Options{Find: &Query{Text: "milk"}}).Body)
}

func table(rows int) string {
	var b strings.Builder
	b.WriteString("0 · table · - · Orders\n1 · row\n2 · columnheader\n3 · - · - · Name\n2 · columnheader\n3 · - · - · Total\n2 · columnheader\n")
	for i := range rows {
		fmt.Fprintf(&b, "1 · row\n2 · cell\n3 · link · %d · Order %d · - · - · /o/%d\n2 · cell\n3 · - · - · %d.00\n2 · cell\n3 · button · %d · Edit\n", 2*i+1, i, i, i, 2*i+2)
	}
	return b.String()
}

func TestRenderTable(t *testing.T) {
	text := Render(outline(table(200)), Options{})
	golden(t, "table", text.Body)
	if full := Render(outline(table(200)), Options{Full: true}); strings.Count(full.Body, "Edit") != 200 || full.Folded != 0 {
		t.Error("--full folds")
	}
	found := Render(outline(table(200)), Options{Find: &Query{Text: "order 177"}})
	golden(t, "table-find", found.Body)
}

// Rows that are one control each are choices: they are seen up to the budget, and the last one always.
func TestRenderChoices(t *testing.T) {
	var b strings.Builder
	b.WriteString("0 · list\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "1 · listitem\n2 · button · %d · Item %d\n", i+1, i)
	}
	text := Render(outline(b.String()), Options{})
	lines := strings.Split(text.Body, "\n")
	shown := len(lines) - 1
	if shown < 1000 || lines[500] != `button "Item 500" e501` || lines[len(lines)-1] != `button "Item 2999" e3000` {
		t.Errorf("%d rows, line 500 %q, last %q", shown, lines[500], lines[len(lines)-1])
	}
	if want := fmt.Sprintf("… %s more rows like these", grouped(3000-shown)); !strings.HasPrefix(lines[len(lines)-2], want) || text.Folded != 3000-shown {
		t.Errorf("%q, want %q; folded %d", lines[len(lines)-2], want, text.Folded)
	}
	if len(text.Body) > DefaultBudget+200 {
		t.Errorf("%d characters", len(text.Body))
	}
}

// Whatever comes after a page's budget is counted, not written.
func TestRenderBudget(t *testing.T) {
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "0 · main · - · Part %d\n1 · - · - · Some words of part %d\n1 · button · %d · Act\n", i, i, i+1)
	}
	text := Render(outline(b.String()), Options{Budget: 2000})
	if len(text.Body) > 2400 || text.Folded == 0 {
		t.Errorf("%d characters, %d folded", len(text.Body), text.Folded)
	}
	if !strings.Contains(text.Body, "--full") {
		t.Error("it does not say how to see the rest")
	}
}

func TestArticle(t *testing.T) {
	var b strings.Builder
	b.WriteString("0 · article\n")
	for i := range 60 {
		fmt.Fprintf(&b, "1 · - · - · Paragraph %d %s\n", i, strings.Repeat("of many words ", 30))
	}
	golden(t, "article", Render(outline(b.String()), Options{}).Body)
}

func TestFrames(t *testing.T) {
	o := &Outline{Document: "d", Segments: []Segment{
		{Lines: "0\tbutton\t1\tTop\n0\tiframe\t\tchat"},
		{Lines: "0\tbutton\t1\tSend", Depth: 1, Prefix: "f2", RefBase: 10},
		{Lines: "0\tbutton\t2\tEnd"},
	}}
	golden(t, "frames", Render(o, Options{}).Body)
}

// What the reader of a snapshot relies on: the ref stands on the line of the name.
func TestRefsFollowNames(t *testing.T) {
	body := Render(outline(form), Options{}).Body
	for label, ref := range map[string]string{"Delete": "e8", "inner": "e10"} {
		found := regexp.MustCompile(`button "` + label + `"[^\n]*?\b(e\d+)\b`).FindStringSubmatch(body)
		if found == nil || found[1] != ref {
			t.Errorf("%s: %v, want %s", label, found, ref)
		}
	}
}

func TestTreeJSON(t *testing.T) {
	branches, total, left := Tree(outline(form), Options{})
	if total != 27 || left != 0 || len(branches) != 2 || branches[1].Role != "main" {
		t.Errorf("%d nodes, %d left out, %d branches", total, left, len(branches))
	}
	_, _, left = Tree(outline(table(2000)), Options{})
	if left == 0 {
		t.Error("a tree of 12,000 nodes is answered whole")
	}
}

func FuzzNodes(f *testing.F) {
	f.Add("0\tbanner\n1\tlink\t1\tHome\n+1\t\t\ttext")
	f.Add("9\tx\n-3\ty\n+\n\t\t\t\t\t\t\t\t")
	f.Fuzz(func(_ *testing.T, text string) {
		o := &Outline{Segments: []Segment{{Lines: text}}}
		Render(o, Options{})
		Find(o, &Query{Text: "a"}, 5)
		Compare(o, &Outline{Segments: []Segment{{Lines: text + "\n0\tbutton\t7\tNew"}}}, Options{})
	})
}
