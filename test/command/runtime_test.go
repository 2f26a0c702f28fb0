package command

import (
	"encoding/json"
	"image"
	"image/gif"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func TestRuntimeEval(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.HTML(`<h1 id=title>Hello there</h1><button id=save>Save</button><iframe srcdoc="<title>inner</title><b>in</b>"></iframe>`)
	for expression, want := range map[string]string{
		"1+1":                             `2`,
		"document.querySelector('h1').id": `"title"`,
		"Promise.resolve([1,{a:2}])":      `[1,{"a":2}]`,
		"await new Promise(r => setTimeout(() => r('late'), 20))": `"late"`,
		"new Date(0)":                           `"1970-01-01T00:00:00.000Z"`,
		"new Map([['a', 1]])":                   `{"a":1}`,
		"new Map([[{x:1}, 2]])":                 `[[{"x":1},2]]`,
		"new Set([1,'b'])":                      `[1,"b"]`,
		"10n":                                   `"10n"`,
		"[NaN, -0, Infinity]":                   `["NaN","-0","Infinity"]`,
		"/x/gi":                                 `"/x/gi"`,
		"({a:{b:[1,[2]]}, f(){}, u:undefined})": `{"a":{"b":[1,[2]]},"f":"[function]","u":null}`,
		"(() => { const a = {n:1}; a.self = a; return a })()": `{"n":1,"self":"[Circular]"}`,
		"document.getElementById('save')":                     `"<button id=\"save\">"`,
		"[document.body, document]":                           `["<body>","#document"]`,
		"document.body.getBoundingClientRect().x >= 0":        `true`,
		"({r: new DOMRect(1,2,3,4)})":                         `{"r":{"bottom":6,"height":4,"left":1,"right":4,"top":2,"width":3,"x":1,"y":2}}`,
		"const twice = 2; twice * 2":                          `4`,
		"null":                                                `null`,
	} {
		var wanted any
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		if got := e.Eval(expression); !reflect.DeepEqual(got, wanted) {
			t.Errorf("%s gives %v, want %s", expression, got, want)
		}
	}
	if got := e.OK("runtime", "eval", "undefined"); got["type"] != "undefined" {
		t.Errorf("undefined gives %v", got)
	}
	if got := e.OK("runtime", "eval", "new TypeError('bad')"); got["type"] != "error" || !strings.Contains(got["value"].(string), "TypeError: bad\n    at") {
		t.Errorf("an error gives %v", got)
	}
	if got := e.Text("runtime", "eval", "'plain'"); got != "plain\n" {
		t.Errorf("text is %q", got)
	}
	// The same constant twice: scripts do not trip over each other.
	e.Eval("const twice = 3; twice")
}

func TestRuntimeEvalFunction(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.HTML(`<h1 id=title>Hello there</h1><button id=save>Save</button><iframe srcdoc="<title>inner</title><p id=p>in</p>"></iframe>`)
	e.OK("page", "wait-text", "in")
	call := func(args ...string) any { return e.OK(append([]string{"runtime", "eval"}, args...)...)["value"] }
	if got := call("--function", "(el, n) => el.textContent.slice(0, n)", "--arg", "#title", "--arg", "5"); got != "Hello" {
		t.Errorf("element and number: %v", got)
	}
	if got := call("--function", "(a, b) => [a.x, b]", "--arg", `{"x":1}`, "--arg", "plain text"); !reflect.DeepEqual(got, []any{1.0, "plain text"}) {
		t.Errorf("JSON and text: %v", got)
	}
	if got := call("--function", "async (el) => el.id", "--arg", `button "Save"`); got != "save" {
		t.Errorf("role and name: %v", got)
	}
	if got := call("--frame", "f1", "document.getElementById('p').textContent"); got != "in" {
		t.Errorf("in a frame: %v", got)
	}
	if got := call("--function", "(el) => el.ownerDocument.title", "--arg", "#p"); got != "inner" {
		t.Errorf("an element of a frame: %v", got)
	}
	if got := call("--world", "bridge", "typeof globalThis.__pageMade"); got != "undefined" {
		t.Errorf("the bridge's world sees the page's: %v", got)
	}
	e.Fails("VALIDATION_ERROR", 2, "runtime", "eval")
	e.Fails("VALIDATION_ERROR", 2, "runtime", "eval", "1", "--function", "() => 1")
	e.Fails("ELEMENT_NOT_FOUND", 3, "runtime", "eval", "--function", "(el) => 1", "--arg", "#nowhere", "--timeout", "3000")
	if a := e.Fails("VALIDATION_ERROR", 2, "runtime", "eval", "nonsense.at.all"); !strings.Contains(a.Error.Message, "ReferenceError") {
		t.Errorf("%+v", a.Error)
	}
	if a := e.Fails("VALIDATION_ERROR", 2, "runtime", "eval", "1 +"); !strings.Contains(a.Error.Message, "SyntaxError") {
		t.Errorf("%+v", a.Error)
	}
}

// A script that never ends is stopped, and the page lives on.
func TestP14EndlessScript(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	start := time.Now()
	e.Fails("INDETERMINATE", 4, "runtime", "eval", "for(;;);", "--timeout", "1500")
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("it took %v", took)
	}
	if got := e.Eval("1+1"); got != 2.0 {
		t.Errorf("after it: %v", got)
	}
	e.Fails("INDETERMINATE", 4, "runtime", "eval", "new Promise(() => {})", "--timeout", "1000")
	if got := e.Eval("2+1"); got != 3.0 {
		t.Errorf("after a promise that is never kept: %v", got)
	}
}

func TestRuntimeEvalSizes(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	if a := e.Fails("RESULT_TOO_LARGE", 7, "runtime", "eval", "'x'.repeat(200000)"); a.Error.Details["bytes"] != 200002.0 {
		t.Errorf("%+v", a.Error)
	}
	file := e.File("value.json")
	e.OK("runtime", "eval", "'x'.repeat(200000)", "--file", file)
	if info, err := os.Stat(file); err != nil || info.Size() != 200003 || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	e.Fails("FILE_ACCESS_FAILED", 6, "runtime", "eval", "1", "--file", file)
	if got := e.OK("runtime", "eval", "({a:{b:{c:1}}})", "--depth", "2"); got["truncated"] != true {
		t.Errorf("%v", got)
	}
}

func TestStateCommands(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/none")
	if got := e.Text("state", "list"); !strings.Contains(got, "no state") {
		t.Errorf("a page that tells nothing: %q", got)
	}
	e.Fails("ELEMENT_NOT_FOUND", 3, "state", "get", "cart")
}

func TestCDPSend(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	if got := e.OK("cdp", "send", "Runtime.evaluate", `{"expression":"6*7"}`); got["result"].(map[string]any)["result"].(map[string]any)["value"] != 42.0 {
		t.Errorf("%v", got)
	}
	e.Fails("POLICY_DENIED", 9, "cdp", "send", "Target.getTargets")
	e.Fails("CAPABILITY_MISSING", 9, "cdp", "send", "Nonsense.nothing")
	e.Fails("CDP_ERROR", 7, "cdp", "send", "DOM.describeNode", `{"backendNodeId":99999999}`)
	e.Fails("VALIDATION_ERROR", 2, "cdp", "send", "DOM.getDocument", "[1]")
}

func TestScreencast(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.HTML(`<div id=box style="width:100px;height:100px;background:#f00"></div>`)
	e.Fails("TRACE_NOT_FOUND", 3, "capture", "screencast-stop")
	e.OK("capture", "screencast-start", "--max-width", "400")
	e.Fails("TRACE_ALREADY_RUNNING", 5, "capture", "screencast-start")
	e.Eval("new Promise(done => { let n = 0; const step = () => { box.style.marginLeft = ++n * 10 + 'px'; n < 12 ? setTimeout(step, 60) : done(n) }; step() })")
	e.Eval("box.style.background = '#00f'; new Promise(done => requestAnimationFrame(() => setTimeout(done, 300)))")
	file := e.File("cast.gif")
	got := e.OK("capture", "screencast-stop", "--file", file)
	data, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	cast, err := gif.DecodeAll(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(cast.Image) < 3 || float64(len(cast.Image)) != got["frames"] || cast.Image[0].Bounds().Dx() != 400 {
		t.Errorf("%d frames of %v: %v", len(cast.Image), cast.Image[0].Bounds(), got)
	}
	blue := func(frame *image.Paletted) (n int) {
		for _, index := range frame.Pix {
			if r, g, b, _ := frame.Palette[index].RGBA(); b > 0xc000 && r < 0x4000 && g < 0x4000 {
				n++
			}
		}
		return n
	}
	if first, last := blue(cast.Image[0]), blue(cast.Image[len(cast.Image)-1]); first != 0 || last < 100 {
		t.Errorf("blue pixels: %d in the first frame, %d in the last", first, last)
	}
	e.Fails("TRACE_NOT_FOUND", 3, "capture", "screencast-stop")
}

func TestHeapSnapshot(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.HTML(`<p>heap</p>`)
	e.Eval("window.Marked_Thing = class Marked_Thing {}; window.kept = new Marked_Thing(); 0")
	file := e.File("page.heapsnapshot")
	e.OK("capture", "heap", "--file", file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var snapshot struct {
		Snapshot struct {
			Meta      map[string]any `json:"meta"`
			NodeCount int            `json:"node_count"`
		} `json:"snapshot"`
		Nodes   []int    `json:"nodes"`
		Strings []string `json:"strings"`
	}
	if err := json.Unmarshal(data, &snapshot); err != nil {
		t.Fatal(err)
	}
	fields := len(snapshot.Snapshot.Meta["node_fields"].([]any))
	if snapshot.Snapshot.NodeCount == 0 || len(snapshot.Nodes) != fields*snapshot.Snapshot.NodeCount || !slices.Contains(snapshot.Strings, "Marked_Thing") {
		t.Errorf("%d nodes, %d numbers, %d strings", snapshot.Snapshot.NodeCount, len(snapshot.Nodes), len(snapshot.Strings))
	}
}
