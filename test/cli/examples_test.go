package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// scene says what an example needs to be there. All begin on the sample app, in the
// first page.
type scene struct {
	before []string // commands that run first
	during string   // runs while the example waits
	after  []string // undo it
	tab    bool     // in a new tab, whose lines, requests and refs count from 1
	exit   int      // that it ends with: the page need not have what the example names
	theirs int      // that it ends with over the extension, where the person decides by the popup
	own    bool     // about a browser that the example starts, in a context of its own
}

// scenes are those of some commands, by the command or by the whole line.
var scenes = map[string]scene{
	"session start":         {own: true},
	"session stop":          {own: true},
	"session restart":       {own: true},
	"profile add german":    {after: []string{"profile remove german"}},
	"profile add mine":      {after: []string{"profile remove mine"}},
	"profile add grid":      {after: []string{"profile remove grid"}},
	"profile remove german": {before: []string{"profile add german"}},
	"profile remove grid":   {before: []string{"profile add grid --endpoint 9222"}},
	"page open":             {after: []string{"page close"}},
	"page ask-human":        answered,
	"element highlight 'button \"Sign in\"' --ask": answered,
	"page close":                    {before: []string{"page open /app/", "page open /app/"}},
	"page close 2":                  {},
	"page resize":                   {after: []string{"page resize 1280 800"}},
	"page navigate --back":          {before: []string{"page navigate /app/products.html"}},
	"page downloads --wait":         {during: `runtime eval "const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'x.txt'; a.click()"`},
	"element click 'text=Products'": {after: []string{"page activate 1"}}, // its new tab is behind
	"input mouse-down":              {after: []string{"input mouse-up"}},
	"input mouse-down 120":          {after: []string{"input mouse-up --button right"}},
	"capture screencast-start":      {after: []string{"element scroll --to bottom", "capture screencast-stop"}},
	"capture screencast-stop":       {before: []string{"capture screencast-start", "element scroll --to bottom"}},
	"console get":                   {tab: true, before: []string{"console list", "page navigate --reload"}}, // over the extension all is there from the first command on
	"console wait ready":            {during: `runtime eval "console.log('ready')"`},
	"console wait --level error":    {during: `runtime eval "console.error('no')"`},
	"network get":                   {tab: true, before: []string{"network list", "page navigate --reload"}},
	"network frames":                {tab: true, before: []string{"network list", "page navigate --reload"}},
	"network wait":                  {during: "page navigate --reload"},
	"network block":                 {after: []string{"network unblock --all"}},
	"network mock ":                 {after: []string{"network unmock --all"}},
	"emulation set":                 {after: []string{"emulation reset"}},
	"trace start":                   {after: []string{"trace stop"}},
	"trace start --reload":          {before: []string{"page wait-idle"}},
	"trace stop":                    {before: []string{"trace start"}},
	"record start":                  {after: []string{"record stop"}},
	"record mark":                   {before: []string{"record start"}, after: []string{"record stop"}},
	"record stop":                   {before: []string{"record start"}},
	"record save":                   {before: []string{"record ring on"}, after: []string{"record ring off"}},
	"dialog handle":                 {before: []string{"element click '#confirm'"}},
	"dialog handle --accept --text": {before: []string{"element click '#prompt'"}},
	"observe events --follow":       {during: "page navigate --reload"},
	"audit show --follow":           {during: "page navigate --reload"},
	"observe cause":                 {before: []string{"element hover 'button \"Sign in\"'"}},
	"observe wait-event":            {during: `runtime eval "console.log('ready')"`},
	"secret set":                    {exit: 2}, // an example has no value on stdin
	"secret remove":                 {exit: 2},
	"tools call":                    {exit: 3}, // the sample app offers none
	"tools allow":                   {theirs: 9},
	"component ":                    {exit: 9}, // the sample app is made without a framework
	"state dispatch":                {exit: 9}, // switched off until the person allows it
	"state set":                     {exit: 9},
}

// answered has the first button of the panel pressed, which stands in the corner.
var answered = scene{before: []string{"page resize 1280 800"}, during: "input click 957 728"}

// sceneOf is the scene with the longest name that the line begins with.
func sceneOf(line string) (found scene) {
	longest := 0
	for prefix, s := range scenes {
		if strings.HasPrefix(line, prefix) && len(prefix) > longest {
			found, longest = s, len(prefix)
		}
	}
	return found
}

// withRef finds examples that name an element of a snapshot.
var withRef = regexp.MustCompile(`\be[0-9]+\b`)

// exampleSite is a page with everything that the examples name.
func exampleSite(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/examples/app.html") })
	mux.HandleFunc("GET /app/app.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/examples/app.js") })
	mux.HandleFunc("GET /api/items", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`[{"id":1}]`))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// described is a command as --describe tells it.
type described struct {
	Name     string
	Effect   string
	Cannot   map[string]string
	Examples []struct{ Line string }
}

func describeAll(t *testing.T) []described {
	t.Helper()
	data := func(into any, args ...string) {
		t.Helper()
		envelope := struct{ Data any }{into}
		if out, err := exec.Command(binary, args...).Output(); err != nil || json.Unmarshal(out, &envelope) != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
	var all struct{ Commands []struct{ Name string } }
	data(&all, "describe")
	list := make([]described, len(all.Commands))
	for i, c := range all.Commands {
		data(&list[i], append(strings.SplitN(c.Name, ".", 2), "--describe")...)
	}
	if len(list) == 0 {
		t.Fatal("no commands")
	}
	// Numbers of pages count from 1 in the whole run; a trace is looked at that is the
	// last one, and of a reload.
	order := []string{"page.close", "trace.stop", "trace.start", "trace.insight"}
	rank := func(c described) int {
		if i := slices.Index(order, c.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(list, func(a, b described) int { return rank(a) - rank(b) })
	slices.Reverse(list[slices.IndexFunc(list, func(c described) bool { return c.Name == "trace.start" })].Examples)
	return list
}

// TestExamples runs every example of every command as it is written, in a shell, over
// each kind of browser. What a command says it cannot do over one, it must not do.
func TestExamples(t *testing.T) {
	commands := describeAll(t)
	for source, open := range exampleBrowsers {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			e := &exampleRun{source: source, fresh: true}
			site := exampleSite(t)
			e.txtar = open(t, site+"/app/")
			e.vars["URL"] = site
			for name, content := range exampleFiles {
				if err := os.WriteFile(filepath.Join(e.dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range commands {
				t.Run(c.Name, func(t *testing.T) {
					e.t = t
					if !e.fresh {
						e.must("page navigate " + site + "/app/")
						e.fresh = true
					}
					for _, example := range c.Examples {
						e.example(c, strings.TrimPrefix(example.Line, "dbridge "))
					}
				})
			}
		})
	}
}

// exampleRun are the examples over one browser.
type exampleRun struct {
	*txtar
	source string
	fresh  bool // the first page is the current one and as it was
}

// exampleTime is what an example may take: what it shows is there, or comes at once.
const exampleTime = 15 * time.Second

// exampleFiles lie in the folder in which the examples run.
var exampleFiles = map[string]string{
	"form.json": `{"fields":[{"target":"#email","value":"ada@harbour.test"}]}`, "steps.jsonl": "page list\n",
	"bug.dbr": aRecording(), "a.pdf": "%PDF-1.4\n", "b.pdf": "%PDF-1.4\n", "photo.png": "PNG", "items.json": "[]",
}

// aRecording is a small one, as `record stop` writes it.
func aRecording() string {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, part := range [][2]string{
		{"manifest.json", `{"format":"debug-bridge-recording","version":1,"made":"dbridge","url":"http://localhost:3000/app/","title":"App","started":"2026-01-02T03:04:05Z","ended":"2026-01-02T03:04:09Z"}`},
		{"timeline.jsonl", `{"at":900,"kind":"action","command":"element.click","params":{"target":"button \"Save\""},"by":"person"}` + "\n" +
			`{"at":950,"kind":"network","method":"POST","url":"http://localhost:3000/api/items","status":500,"type":"fetch","ms":12}` + "\n"},
	} {
		into, err := w.Create(part[0])
		if err == nil {
			_, err = into.Write([]byte(part[1]))
		}
		if err != nil {
			panic(err) // into memory
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

// must runs a command that has to succeed.
func (s *txtar) must(line string) {
	s.t.Helper()
	if problem := s.start("dbridge", line); problem != "" || s.status != 0 {
		s.t.Fatalf("%s: exit %d %s\n%s%s", line, s.status, problem, s.stdout, s.stderr)
	}
	s.seen = true
}

// example runs one line as its documentation has it.
func (e *exampleRun) example(c described, line string) {
	e.t.Helper()
	scene := sceneOf(line)
	if scene.own {
		e.inOwn(line)
		return
	}
	home := e.vars["URL"] + "/app/"
	refs := withRef.MatchString(line)
	_, cannot := c.Cannot[e.source]
	if cannot {
		scene.during, scene.before = "", nil
	}
	switch {
	case scene.tab || refs:
		e.must("page open " + home)
		scene.after = append(slices.Clone(scene.after), "page close")
	case len(scene.before) > 0 && !e.fresh:
		e.must("page navigate " + home)
	}
	if refs {
		e.must("capture snapshot --interactive-only")
	}
	for _, command := range scene.before {
		e.must(command)
	}
	stop := e.meanwhile(scene.during)
	begin := time.Now()
	shown := strings.ReplaceAll(line, "http://localhost:3000", e.vars["URL"]) // a person's own app
	problem := e.start("sh", fmt.Sprintf("exec timeout %d dbridge %s", int(exampleTime.Seconds()), shown))
	took := time.Since(begin).Round(time.Millisecond)
	stop()
	e.seen = true
	switch {
	case cannot:
		if e.status == 0 || !strings.Contains(e.stdout, `"CAPABILITY_MISSING"`) || !strings.Contains(e.stdout, `dbridge session start`) {
			e.t.Errorf("dbridge %s: exit %d, and its description says that it cannot over %s\n%s%s", line, e.status, e.source, e.stdout, e.stderr)
		}
	case problem != "" || e.status != scene.exit && (scene.theirs == 0 || e.source != "extension" || e.status != scene.theirs):
		e.t.Errorf("dbridge %s: exit %d after %s %s\n%s%s", line, e.status, took, problem, e.stdout, e.stderr)
		e.fresh = false
	}
	if cannot {
		return
	}
	for _, command := range scene.after {
		e.must(command)
	}
	if slices.Contains(scene.after, "page close") {
		e.must("page activate 1") // the browser shows another one, perhaps
	}
	e.fresh = e.fresh && c.Effect == "read" && scene.during == "" && len(scene.before) == 0
}

// inOwn runs a line that starts or ends a browser, beside the one of all others.
func (e *exampleRun) inOwn(line string) {
	e.t.Helper()
	if e.source != "managed" {
		return // it is the same over any: the browser is another one
	}
	group := ""
	if _, name, ok := strings.Cut(line, "--share-group "); ok {
		group = " --share-group " + name
	}
	other, where := *e.txtar, *e.place
	other.place = &where
	other.env = append(slices.Clone(e.env), "DBRIDGE_CONTEXT_ID=own")
	if !strings.HasPrefix(line, "session start") && !strings.HasPrefix(line, "session stop --") {
		other.must("session start --headless" + group)
	}
	line = strings.ReplaceAll(line, "http://localhost:3000", e.vars["URL"])
	if problem := other.start("sh", "exec dbridge "+line); problem != "" || other.status != 0 {
		e.t.Errorf("dbridge %s: exit %d %s\n%s%s", line, other.status, problem, other.stdout, other.stderr)
	}
	other.must("session stop" + group)
}

// meanwhile runs a command again and again: nobody can see from outside that the
// example waits already.
func (e *exampleRun) meanwhile(command string) (stop func()) {
	if command == "" {
		return func() {}
	}
	end, over := make(chan struct{}), make(chan struct{})
	other := *e.txtar
	go func() {
		defer close(over)
		ticker := time.NewTicker(150 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				other.start("dbridge", command)
			case <-end:
				return
			}
		}
	}()
	return func() { close(end); <-over }
}
