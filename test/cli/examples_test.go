package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// examples says what the examples of some commands need to be there, by the
// command or by the whole line. All begin on the sample app, in its first page.
var examples = map[string]struct {
	before []string // commands that run first
	during string   // runs while the example waits
	after  []string // undo it
	tab    bool     // in a new tab, whose lines, requests and refs count from 1
	exit   int      // that it ends with: the page need not have what the example names
}{
	"session start":                 {before: []string{"session stop"}},
	"page navigate --back":          {before: []string{"page navigate /app/products.html"}},
	"page downloads --wait":         {during: `runtime eval "const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'x.txt'; a.click()"`},
	"console get":                   {tab: true},
	"console wait ready":            {during: `runtime eval "console.log('ready')"`},
	"console wait --level error":    {during: `runtime eval "console.error('no')"`},
	"network get":                   {tab: true},
	"network frames":                {tab: true},
	"network wait":                  {during: "page navigate --reload"},
	"network block":                 {after: []string{"network unblock --all"}},
	"network mock ":                 {after: []string{"network unmock --all"}},
	"emulation set":                 {after: []string{"emulation reset"}},
	"trace start":                   {after: []string{"session stop"}},
	"trace stop":                    {before: []string{"trace start"}},
	"trace insight":                 {before: []string{"trace start --reload --auto-stop"}},
	"dialog handle":                 {before: []string{"element click '#confirm'"}},
	"dialog handle --accept --text": {before: []string{"element click '#prompt'"}},
	"observe events --follow":       {during: "page navigate --reload"},
	"state get":                     {exit: 3}, // only apps with the SDK tell their state
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

// TestExamples runs every example of every command as it is written, in a shell,
// over a managed browser that shows a page with what they name. Each command has a daemon of its
// own, so that pages, lines and requests count from 1.
func TestExamples(t *testing.T) {
	out, err := exec.Command(binary, "describe").Output()
	var all struct {
		Data struct{ Commands []struct{ Name string } }
	}
	if err != nil || json.Unmarshal(out, &all) != nil || len(all.Data.Commands) == 0 {
		t.Fatalf("%v %s", err, out)
	}
	for _, c := range all.Data.Commands {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := newScript(t)
			s.browser()
			site := exampleSite(t)
			s.vars["URL"] = site
			for name, content := range exampleFiles {
				if err := os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s.start("dbridge", strings.Replace(c.Name, ".", " ", 1)+" --describe")
			var described struct {
				Data struct{ Examples []struct{ Line string } }
			}
			if err := json.Unmarshal([]byte(s.stdout), &described); err != nil {
				t.Fatal(err)
			}
			s.must("session start --headless --url " + s.vars["URL"] + "/app/")
			for _, example := range described.Data.Examples {
				s.example(strings.TrimPrefix(example.Line, "dbridge "))
			}
		})
	}
}

// exampleTime is what an example may take: what it shows is there, or comes at once.
const exampleTime = 15 * time.Second

// exampleFiles lie in the folder in which the examples run.
var exampleFiles = map[string]string{
	"form.json": `{"fields":[{"target":"#email","value":"ada@harbour.test"}]}`, "steps.jsonl": "page list\n",
	"a.pdf": "%PDF-1.4\n", "b.pdf": "%PDF-1.4\n", "photo.png": "PNG", "items.json": "[]",
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
func (s *txtar) example(line string) {
	s.t.Helper()
	about, longest := examples[""], 0
	for prefix, row := range examples {
		if strings.HasPrefix(line, prefix) && len(prefix) > longest {
			about, longest = row, len(prefix)
		}
	}
	home := s.vars["URL"] + "/app/"
	refs := withRef.MatchString(line)
	open := "page navigate " + home
	if about.tab || refs {
		open = "page open " + home
	}
	if s.start("dbridge", open); s.status != 0 {
		s.start("dbridge", "session stop")
		s.must("session start --headless --url " + home)
	}
	if refs {
		s.must("capture snapshot --interactive-only")
	}
	for _, before := range about.before {
		s.must(before)
	}
	stop, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		// Again and again: nobody can see from outside that the example waits already.
		other := *s
		for ticker := time.NewTicker(300 * time.Millisecond); about.during != ""; {
			select {
			case <-ticker.C:
				other.start("dbridge", about.during)
			case <-stop:
				return
			}
		}
	}()
	begin := time.Now()
	line = strings.ReplaceAll(line, "http://localhost:3000", s.vars["URL"]) // a person's own app
	problem := s.start("sh", fmt.Sprintf("exec timeout %d dbridge %s", int(exampleTime.Seconds()), line))
	close(stop)
	<-over
	if problem != "" || s.status != about.exit {
		s.t.Errorf("dbridge %s: exit %d after %s %s\n%s%s", line, s.status, time.Since(begin).Round(time.Millisecond), problem, s.stdout, s.stderr)
	}
	for _, after := range about.after {
		s.must(after)
	}
	s.seen = true
}
