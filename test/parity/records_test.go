package parity

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
)

var recordTools = []tool{
	{
		name: "take_snapshot", command: "capture.snapshot", params: []param{{"pageId", "--page", ""}, {"verbose", "--full", ""}, {"filePath", "--file", ""}},
		show: func(r *rig) {
			r.html(`<main><h1>Fleet</h1><ul id=list></ul><button>Launch</button></main>`)
			r.eval(`list.innerHTML = Array.from({length: 60}, (_, i) => '<li><a href="#' + i + '">Ship ' + i + '</a> ' + i * 3 + ' t</li>').join(''); 1`)
			brief := r.ok("capture", "snapshot")["tree"].(string)
			if !strings.Contains(brief, `button "Launch" e`) || strings.Contains(brief, "Ship 31") {
				r.t.Errorf("rows are not folded:\n%s", brief)
			}
			path, read := r.out("tree.txt")
			r.ok("capture", "snapshot", "--full", "--file", path)
			for _, want := range []string{"Ship 0", "Ship 31", "Ship 59", `button "Launch"`} {
				if !strings.Contains(string(read()), want) {
					r.t.Errorf("%s is not in the whole tree", want)
				}
			}
		},
	},
	{
		name: "take_screenshot", command: "capture.screenshot",
		params: []param{{"pageId", "--page", ""}, {"format", "--format", ""}, {"quality", "--quality", ""}, {"uid", "--element", ""}, {"fullPage", "--full-page", ""}, {"filePath", "--file", ""}},
		show: func(r *rig) {
			r.html(`<style>body{margin:0}</style><div role=img aria-label=Square style="width:90px;height:60px;background:rgb(0,128,0)"></div><div style="height:3000px;background:#eee"></div>`)
			path, read := r.out("element.png")
			r.ok("capture", "screenshot", "--element", `img "Square"`, "--file", path)
			square, err := png.Decode(bytes.NewReader(read()))
			if err != nil {
				r.t.Fatal(err)
			}
			if red, green, blue, _ := square.At(45, 30).RGBA(); square.Bounds().Size() != image.Pt(90, 60) || red>>8 != 0 || green>>8 != 128 || blue>>8 != 0 {
				r.t.Errorf("%v %v", square.Bounds(), square.At(45, 30))
			}
			path, read = r.out("page.jpeg")
			r.ok("capture", "screenshot", "--full-page", "--format", "jpeg", "--quality", "40", "--file", path)
			whole, err := jpeg.Decode(bytes.NewReader(read()))
			if err != nil || whole.Bounds().Dy() < 3060 {
				r.t.Errorf("%v %v", whole.Bounds(), err)
			}
			path, read = r.out("view.webp")
			r.ok("capture", "screenshot", "--format", "webp", "--file", path)
			if got := read(); string(got[:4]) != "RIFF" || string(got[8:12]) != "WEBP" {
				r.t.Errorf("%q", got[:12])
			}
		},
	},
	{
		name: "list_console_messages", command: "console.list",
		params: []param{{"pageId", "--page", ""}, {"pageSize", "--limit", ""}, {"pageIdx", "--before", ""}, {"types", "--types", ""},
			{"includePreservedMessages", "--preserved", ""}, {"includeStackTraces", "--stack", ""}, {"serviceWorkerId", "", "lines of a page's workers are among its own"}},
		show: func(r *rig) {
			r.ok("console", "list")
			r.eval(`for (let i = 0; i < 5; i++) console.log('line ' + i); console.warn('careful'); console.table([{a: 1}]); 1`)
			r.ok("console", "wait", "careful")
			texts := func(args ...string) string {
				r.t.Helper()
				var all []string
				for _, m := range list(r.ok(append([]string{"console", "list"}, args...)...)["messages"]) {
					all = append(all, m["text"].(string))
				}
				return strings.Join(all, ",")
			}
			if got := texts("--types", "warn"); got != "careful" {
				r.t.Errorf("warnings: %s", got)
			}
			last := list(r.ok("console", "list", "--pattern", "line", "--limit", "2", "--stack")["messages"])
			if len(last) != 2 || last[1]["text"] != "line 4" || last[1]["stack"] == nil {
				r.t.Fatalf("%v", last)
			}
			if got := texts("--pattern", "line", "--before", number(last[0]["id"]), "--limit", "2"); got != "line 1,line 2" {
				r.t.Errorf("the page before: %s", got)
			}
			r.ok("page", "navigate", "--reload")
			if got := texts("--pattern", "line"); got != "" {
				r.t.Errorf("of this document: %s", got)
			}
			if got := texts("--pattern", "line", "--preserved"); got != "line 0,line 1,line 2,line 3,line 4" {
				r.t.Errorf("preserved: %s", got)
			}
		},
	},
	{
		name: "get_console_message", command: "console.get", params: []param{{"pageId", "--page", ""}, {"msgid", "id", ""}},
		show: func(r *rig) {
			r.ok("console", "list")
			r.eval(`(function deep() { console.error('broken', {hull: [1, 2]}) })(); 1`)
			got := r.ok("console", "get", number(list(r.ok("console", "list", "--pattern", "broken")["messages"])[0]["id"]))
			args, _ := got["args"].([]any)
			stack, _ := got["stack"].([]any)
			if len(args) != 2 || !strings.Contains(args[1].(string), "hull") || len(stack) == 0 || !strings.Contains(stack[0].(string), "deep") {
				r.t.Errorf("%v", got)
			}
		},
	},
	{
		name: "list_network_requests", command: "network.list",
		params: []param{{"pageId", "--page", ""}, {"pageSize", "--limit", ""}, {"pageIdx", "--before", ""}, {"resourceTypes", "--type", ""}, {"includePreservedRequests", "--preserved", ""}},
		show: func(r *rig) {
			r.ok("network", "list")
			r.eval(`(async () => { for (let i = 1; i < 5; i++) await (await fetch('/api/' + i)).json() })()`)
			urls := func(args ...string) string {
				r.t.Helper()
				var all []string
				for _, m := range list(r.ok(append([]string{"network", "list", "--type", "fetch"}, args...)...)["requests"]) {
					all = append(all, m["url"].(string))
				}
				return strings.Join(all, ",")
			}
			last := list(r.ok("network", "list", "--type", "fetch", "--limit", "2")["requests"])
			if len(last) != 2 || last[1]["url"] != "/api/4" {
				r.t.Fatalf("%v", last)
			}
			if got := urls("--before", number(last[0]["id"]), "--limit", "1"); got != "/api/2" {
				r.t.Errorf("the page before: %s", got)
			}
			r.ok("page", "navigate", "--reload")
			if got := urls(); got != "" {
				r.t.Errorf("of this document: %s", got)
			}
			if got := urls("--preserved"); got != "/api/1,/api/2,/api/3,/api/4" {
				r.t.Errorf("preserved: %s", got)
			}
		},
	},
	{
		name: "get_network_request", command: "network.get",
		params: []param{{"pageId", "--page", ""}, {"reqid", "id", ""}, {"requestFilePath", "--file", ""}, {"responseFilePath", "--file", ""}},
		show: func(r *rig) {
			r.ok("network", "list")
			r.eval(`fetch('/api/session', {method: 'POST', headers: {'content-type': 'application/json'}, body: '{"email":"nobody"}'}).then((r) => r.text())`)
			id := number(list(r.ok("network", "list", "--method", "POST")["requests"])[0]["id"])
			got := r.ok("network", "get", id, "--include", "headers", "--include", "responseBody")
			if body, _ := got["responseBody"].(map[string]any); got["status"] != 401.0 || !strings.Contains(body["text"].(string), "Email or password is wrong.") || got["responseHeaders"] == nil {
				r.t.Errorf("%v", got)
			}
			sent, readSent := r.out("sent.json")
			r.ok("network", "get", id, "--include", "requestBody", "--file", sent)
			came, readCame := r.out("came.json")
			r.ok("network", "get", id, "--include", "responseBody", "--file", came)
			if string(readSent()) != `{"email":"nobody"}` || !strings.Contains(string(readCame()), "is wrong") {
				r.t.Errorf("%s %s", readSent(), readCame())
			}
		},
	},
	{
		name: "screencast_start", command: "capture.screencast-start", params: []param{{"pageId", "--page", ""}, {"filePath", "capture screencast-stop", ""}},
		show: func(r *rig) { r.recorded() },
	},
	{
		name: "screencast_stop", command: "capture.screencast-stop", params: []param{{"pageId", "--page", ""}},
		show: func(r *rig) { r.recorded() },
	},
	{
		name: "take_heapsnapshot", command: "capture.heap", params: []param{{"pageId", "--page", ""}, {"filePath", "--file", ""}}, direct: "Chrome keeps HeapProfiler from extensions",
		show: func(r *rig) {
			r.eval(`class LostShip { constructor() { this.name = 'Flying Dutchman' } } window.lost = new LostShip(); 1`)
			path, read := r.out("page.heapsnapshot")
			r.ok("capture", "heap", "--file", path)
			for _, want := range []string{`"snapshot":`, "LostShip", "Flying Dutchman"} {
				if !bytes.Contains(read(), []byte(want)) {
					r.t.Errorf("%s is not in the snapshot", want)
				}
			}
		},
	},
}

// recorded is a recording in which the page turns from red to blue.
func (r *rig) recorded() {
	r.t.Helper()
	r.html(`<style>body{margin:0}</style><div id=d style="height:100vh;background:red"></div>`)
	r.ok("capture", "screencast-start", "--fps", "20")
	r.eval(`new Promise((done) => setTimeout(() => { d.style.background = 'blue'; requestAnimationFrame(() => setTimeout(done, 300)) }, 300))`)
	path, read := r.out("cast.gif")
	r.ok("capture", "screencast-stop", "--file", path)
	cast, err := gif.DecodeAll(bytes.NewReader(read()))
	if err != nil || len(cast.Image) < 2 {
		r.t.Fatalf("%v, %d frames", err, len(cast.Image))
	}
	mid := cast.Image[0].Bounds().Max.Div(2)
	first, _, _, _ := cast.Image[0].At(mid.X, mid.Y).RGBA()
	red, _, last, _ := cast.Image[len(cast.Image)-1].At(mid.X, mid.Y).RGBA()
	if first>>8 < 200 || last>>8 < 200 || red>>8 > 60 {
		r.t.Errorf("it begins %v and ends %v", cast.Image[0].At(mid.X, mid.Y), cast.Image[len(cast.Image)-1].At(mid.X, mid.Y))
	}
}
