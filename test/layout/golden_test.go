package layout

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

var update = flag.Bool("update", false, "write the golden reports anew")

// goldenPages are those whose whole report is kept.
var goldenPages = []string{"seed", "places", "clipped-by-ancestor", "modal-not-centered"}

var (
	refs    = regexp.MustCompile(`\b(f[0-9]+)?e[0-9]+\b`)
	origins = regexp.MustCompile(`http://[a-z0-9.]+:[0-9]+`)
)

// stable takes out of a report what differs from run to run.
func stable(report string) string {
	report = strings.ReplaceAll(report, "\r\n", "\n")
	return origins.ReplaceAllString(refs.ReplaceAllString(report, "REF"), "ORIGIN")
}

// noScrollBars: some browsers lay them over the page, others beside it.
const noScrollBars = "document.documentElement.style.scrollbarWidth = 'none'"

// The report of a page is the same over a managed browser and over the extension, and as
// it was when somebody last looked at it.
func TestGolden(t *testing.T) {
	managed := commandtest.Managed(t)
	managed.OK("emulation", "set", "--viewport", "1000x700")
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/layout/places"))
	env.Connect(tab, "control")
	user := own{env, "golden"}.connected(t)
	if _, code := user.run(t, "emulation", "set", "--viewport", "1000x700"); code != "" {
		t.Fatal(code)
	}
	for _, name := range goldenPages {
		t.Run(name, func(t *testing.T) {
			e := *managed
			e.T = t
			e.Goto("/layout/" + name)
			e.Eval(noScrollBars)
			got := stable(e.Text("layout", "diagnose", "--limit", "100"))
			if _, code := user.run(t, "page", "navigate", env.Pages.URL("/layout/"+name)); code != "" {
				t.Fatal(code)
			}
			if _, code := user.run(t, "runtime", "eval", noScrollBars); code != "" {
				t.Fatal(code)
			}
			if through := stable(env.Run("layout", "diagnose", "--limit", "100", "--output", "text", "--context-id", user.context).Stdout); through != got {
				t.Errorf("over the extension it is\n%s\nover a managed browser\n%s", through, got)
			}
			file := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
				t.Errorf("got\n%s\nwant\n%s\nIf it is meant so: go test ./test/layout -run TestGolden -update", got, want)
			}
		})
	}
}
