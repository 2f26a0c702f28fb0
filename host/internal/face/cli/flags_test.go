package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func reflectNew(c *catalog.Command) any { return reflect.Zero(c.Result).Interface() }

type tryParams struct {
	Target  string           `json:"target" doc:"What."`
	X       float64          `json:"x,omitempty" doc:"Where."`
	Count   *int             `json:"count,omitempty" doc:"How often." min:"1" max:"3"`
	Button  string           `json:"button,omitempty" enum:"left,middle,right" default:"left" doc:"Which."`
	Wait    bool             `json:"wait,omitempty" default:"true" doc:"Whether to wait."`
	Quiet   bool             `json:"quiet,omitempty" doc:"Say nothing."`
	Values  []string         `json:"values,omitempty" doc:"Words."`
	Fields  []map[string]any `json:"fields,omitempty" doc:"Objects."`
	Any     jsontext.Value   `json:"any,omitempty" doc:"A value."`
	MaxSize int              `json:"maxSize,omitempty" doc:"A size."`
}

type tryResult struct{}

func (tryResult) Text() string { return "" }

var try = catalog.Define(catalog.Spec{
	Name: "try.out", Tool: "try", Summary: "Try.", Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Act,
	Positional: []string{"target", "x", "values"},
}, func(context.Context, any, *tryParams) (tryResult, error) { return tryResult{}, nil })

// words gives the parameters that a command line makes.
func words(t *testing.T, stdin string, line ...string) (string, *fault.Error) {
	t.Helper()
	a := &app{printer: output.New(&bytes.Buffer{}, &bytes.Buffer{})}
	b := a.bind(try, newFlags(try))
	if err := b.parse(line); err != nil {
		return "", fault.From(b.explain(err, line))
	}
	params, err := b.json(strings.NewReader(stdin))
	if err != nil {
		return "", fault.From(err)
	}
	if _, err := try.Decode(params); err != nil {
		t.Errorf("%q: %s is not taken: %v", line, params, err)
	}
	return string(params), nil
}

func TestFlagsMakeParameters(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "in.json")
	if err := os.WriteFile(file, []byte(`{"target":"file","count":2,"values":["f"]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stdin, line, want string
	}{
		{"", "e5", `{"target":"e5"}`},
		{"", "--target e5", `{"target":"e5"}`},
		{"", "--target e5 3", `{"target":"e5","x":3}`},
		{"", "e5 -3.5 a b", `{"target":"e5","x":-3.5,"values":["a","b"]}`},
		{"", "e5 --x -300", `{"target":"e5","x":-300}`},
		{"", "e5 --quiet -300", `{"target":"e5","x":-300,"quiet":true}`},
		{"", "--count 2 --max-size=7 e5 -- -1", `{"target":"e5","x":-1,"count":2,"maxSize":7}`},
		{"", "e5 --no-wait --quiet=false", `{"target":"e5","wait":false,"quiet":false}`},
		{"", "e5 --wait=false --button right", `{"target":"e5","button":"right","wait":false}`},
		{"", `e5 --values a --values b,c`, `{"target":"e5","values":["a","b,c"]}`},
		{"", `e5 --any {"a":[null,1]} --fields [{"b":1}]`, `{"target":"e5","fields":[{"b":1}],"any":{"a":[null,1]}}`},
		{"", "e5 --page 3 --timeout 100", `{"target":"e5"}`},
		{`{"target":"in","any":null}`, "--input-file -", `{"target":"in","any":null}`},
		{`[{"b":1}]`, "e5 --input-file -", `{"target":"e5","fields":[{"b":1}]}`},
		{"", "e5 --input-file " + file, `{"target":"e5","count":2,"values":["f"]}`},
	} {
		got, f := words(t, c.stdin, strings.Fields(c.line)...)
		if f != nil || got != c.want {
			t.Errorf("%s: %s %v, want %s", c.line, got, f, c.want)
		}
	}
}

func TestWhatIsNotUnderstood(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ stdin, line, message, suggestion string }{
		{"", "", "try.out needs target: what", "Use: dbridge try out TARGET [X] [VALUES...] [flags]"},
		{"", "e5 far", `X must be a number, not "far"`, "Give a number."},
		{"", "e5 --count many", `--count must be a whole number, not "many"`, "Give a whole number."},
		{"", "e5 --button rigth", `--button is "rigth", not one of left, middle, right`, "Did you mean --button right?"},
		{"", "e5 --buton right", "try out has no flag --buton", "Did you mean `dbridge try out e5 --button right`?"},
		{"", "e5 --buton=right", "try out has no flag --buton", "Did you mean `dbridge try out e5 --button=right`?"},
		{"", "e5 --any {a:1}", `--any must be JSON, and "{a:1}" is not`, `Quote it for the shell: --any '{"a":1}'`},
		{"", "e5 --wait=often", `--wait must be true or false, not "often"`, "Give true or false."},
		{"nothing", "e5 --input-file -", "--input-file - is not JSON", "dbridge try out --help"},
		{"7", "e5 --input-file -", "--input-file - is not a JSON object", "dbridge try out --help"},
		{`{"traget":1}`, "e5 --input-file -", `try.out has no parameter "traget"`, ""},
		{"", "e5 --input-file /nowhere", "/nowhere cannot be read: open /nowhere: no such file or directory", ""},
	} {
		_, f := words(t, c.stdin, strings.Fields(c.line)...)
		if f == nil || f.Message != c.message || c.suggestion != "" && f.Suggestions[0] != c.suggestion {
			t.Errorf("%s: %v %q", c.line, f, f.Suggestions)
		}
	}
}

func TestSplitWords(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		`a  b`:             {"a", "b"},
		`a 'b c' "d e"`:    {"a", "b c", "d e"},
		`a "b\"c" d\ e ''`: {"a", `b"c`, "d e", ""},
		`x 'it\s' "a\n"`:   {"x", `it\s`, `a\n`},
		`button"Save"`:     {"buttonSave"},
	} {
		got, err := splitWords(line)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q %v", line, got, err)
		}
	}
	for _, line := range []string{`a "b`, `a 'b`, `a\`} {
		if _, err := splitWords(line); err == nil {
			t.Errorf("%s was split", line)
		}
	}
}

func TestCorrectedLines(t *testing.T) {
	t.Parallel()
	got := corrected([]string{"elment", "click", `button "Save it"`, "--x=$HOME"}, "elment", "element")
	if want := `element click 'button "Save it"' '--x=$HOME'`; got != want {
		t.Errorf("got %s", got)
	}
}

// What the daemon wrote goes out as it came, except where something was asked for.
func TestRender(t *testing.T) {
	t.Parallel()
	const good = `{"ok":true,"data":{"b":"\"meta\":{\"warnings\":[","a":1},"meta":{"requestId":"r","durationMs":1}}`
	const warned = `{"ok":true,"data":1,"meta":{"requestId":"r","durationMs":1,"warnings":["look\u001b[31m out"]}}`
	const bad = `{"ok":false,"error":{"code":"BUSY","message":"no","suggestions":["dbridge page list"]},"meta":{"requestId":"r","durationMs":1,"retryable":true}}`
	const text = `{"ok":true,"text":"a\u001b[2Jb\n c\n","meta":{"requestId":"r","durationMs":1}}`
	for _, c := range []struct {
		name, answer, prefix, fields string
		format                       output.Format
		out, err                     string
		exit                         int
	}{
		{"as it is", good, "", "", output.JSON, good + "\n", "", 0},
		{"in a batch", good, `{"index":2,`, "", output.JSON, `{"index":2,` + good[1:] + "\n", "", 0},
		{"fields", good, "", "a", output.JSON, `{"ok":true,"data":{"a":1},"meta":{"requestId":"r","durationMs":1}}` + "\n", "", 0},
		{"a warning", warned, "", "", output.JSON, warned + "\n", "warning: look out\n", 0},
		{"a failure", bad, `{"index":0,`, "", output.JSON, `{"index":0,` + bad[1:] + "\n", "", 8},
		{"text", text, "", "", output.Text, "ab\n c\n", "", 0},
		{"data as text", `{"ok":true,"data":{"a":1},"meta":{}}`, "", "", output.Text, "{\n\t\"a\": 1\n}\n", "", 0},
		{"a failure as text", bad, "", "", output.Text, "", "", 8},
	} {
		var out, errs bytes.Buffer
		a := &app{printer: output.New(&out, &errs)}
		a.printer.Format = c.format
		a.printer.Fields, _ = output.ParseFields(c.fields)
		exit := 0
		if err := a.render(&catalog.Command{}, []byte(c.answer), c.prefix); err != nil {
			exit = fault.From(err).Exit()
		}
		if out.String() != c.out || errs.String() != c.err || exit != c.exit {
			t.Errorf("%s: exit %d stdout %q stderr %q", c.name, exit, out.String(), errs.String())
		}
	}
}
