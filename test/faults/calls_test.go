package faults

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// scene is a command, what makes it possible, and what takes it back.
type scene struct {
	run    string
	before []string
	after  []string
	may    string // a code that it may end with where nothing is wrong
}

// scenes are a command of each kind: each lane, each domain of DevTools.
var scenes = []scene{
	{run: "page navigate PAGE"},
	{run: "page navigate --reload"},
	{run: "page open PAGE"},
	{run: "page close", before: []string{"page open PAGE"}},
	{run: "page activate"},
	{run: "page resize 900 700", after: []string{"page resize 1000 800"}},
	{run: "page wait-function 1"},
	{run: "element click #button"},
	{run: "element hover #button"},
	{run: "element fill #field text"},
	{run: "element drag #button --to #field"},
	{run: "element upload #file FILE"},
	{run: "element scroll --to bottom"},
	{run: "element highlight #button", after: []string{"element highlight --off"}},
	{run: "input type x", before: []string{"element focus #field"}},
	{run: "input key Tab"},
	{run: "dialog handle --accept", before: []string{"element click #confirm"}, after: []string{"dialog handle --accept"}},
	{run: "runtime eval document.title"},
	{run: "capture snapshot"},
	{run: "capture screenshot --full-page"},
	{run: "capture pdf"},
	{run: "capture screencast-start", after: []string{"capture screencast-stop"}},
	{run: "capture screencast-stop", before: []string{"capture screencast-start", "element click #button", "element fill #field x"}, after: []string{"capture screencast-stop"}, may: "TRACE_NOT_FOUND"}, // a busy machine shows no frame in that time
	{run: "capture heap"},
	{run: "network block *.gif", after: []string{"network unblock --all"}},
	{run: "network mock **/x --body y", after: []string{"network unmock --all"}},
	{run: "network unmock --all", before: []string{"network mock **/x --body y"}, after: []string{"network unmock --all"}},
	{run: "emulation set --viewport 390x844@3,mobile,touch --color-scheme dark --network slow-4g", after: []string{"emulation reset"}},
	{run: "emulation reset", before: []string{"emulation set --color-scheme dark --timezone Asia/Tokyo --cpu 2"}, after: []string{"emulation reset"}},
	{run: "trace start", after: []string{"trace stop"}},
	{run: "layout styles #button"},
	{run: "layout diagnose"},
	{run: "audit a11y"},
	{run: "state list"},
	{run: "record start", after: []string{"record stop"}},
	{run: "tools list"},
	{run: "cdp send Browser.getVersion"},
}

// body has what the scenes name.
const body = `<button id=button onclick="this.textContent='again'">Go</button><input id=field><input id=file type=file>
<button id=confirm onclick="confirm('sure?')">Ask</button><div style="height:3000px"></div>`

// probe is what of the page would show that something was left on.
const probe = `JSON.stringify([innerWidth, innerHeight, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches,
 navigator.userAgent, navigator.maxTouchPoints, new Date(0).getTimezoneOffset(), navigator.onLine, document.documentElement.children.length])`

// limit is the commands' own time in ms where an answer is kept from them.
const limit = 1500

// slack is what a busy machine may add.
const slack = 20 * time.Second

// Whatever call of a command the browser refuses, does not answer, answers too late or twice: the
// command ends in its time with a fault that says what it is, the session lives, the same command
// works when the browser does, and nothing that it switched on stays on.
//
// All calls of all commands are tried with DBRIDGE_SOAK, else some of each command.
func TestFaultAtEveryCall(t *testing.T) {
	w := start(t)
	random := rand.New(rand.NewPCG(7, uint64(len(scenes))))
	cases, ran := 0, 0
	for _, s := range scenes {
		t.Run(s.run, func(t *testing.T) {
			w := w.in(t)
			ran++
			w.clean(s)
			w.steps(s.before)
			counts, order := w.proxy.Count(func() { w.runs(s) })
			w.tidy(s)
			var all []func() int
			for _, method := range order {
				for n := range counts[method] {
					for _, k := range kinds {
						all = append(all, func() int { return w.try(s, method, n+1, k) })
					}
				}
			}
			if os.Getenv("DBRIDGE_SOAK") == "" {
				random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				all = all[:min(len(all), 2)]
			}
			for _, one := range all {
				cases += one()
			}
		})
	}
	if cases < ran {
		t.Errorf("only %d calls of %d commands were broken", cases, ran)
	}
	t.Logf("%d calls broken", cases)
}

// P-03: the page's process dies while the next page is on its way. The command arrives all the
// same, or says why not, and the next navigation brings the page back.
func TestP03CrashWhileNavigating(t *testing.T) {
	w := start(t)
	w.must("page navigate PAGE")
	w.proxy.Forget()
	ended := make(chan commandtest.Answer, 1)
	go func() { ended <- w.Run("page", "navigate", w.Site.URL("/slow?ms=3000")) }()
	browsertest.Until(t, browsertest.Patience, "the navigation's begin", func() bool { return w.proxy.Navigated() != "" })
	w.proxy.Crash(w.proxy.Navigated())
	if a := <-ended; !a.OK && a.Error.Details["reason"] != "crashed" {
		t.Errorf("%s", a.Stdout)
	}
	w.must("page navigate PAGE")
	if w.Eval("1 + 1") != 2.0 {
		t.Error("the page does not answer")
	}
}

// world is a context over a browser whose every answer is in our hands.
type world struct {
	*commandtest.Env
	t     *testing.T
	proxy *proxy
	page  string
	file  string
	tells string // what the probe says of a page that nothing was done to
}

func start(t *testing.T) *world {
	program, err := chromium.Find()
	if err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	dir := t.TempDir()
	args := []string{"--headless=new", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--window-size=1000,800", "--remote-debugging-port=0", "--user-data-dir=" + dir, "about:blank"}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...)
	}
	browser := exec.Command(program, args...)
	own(browser)
	if err := browser.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		end(browser)
		browsertest.Until(t, browsertest.Patience, "the profile's end", func() bool { return os.RemoveAll(dir) == nil })
	})
	var port, path string
	browsertest.Until(t, browsertest.Patience, "the browser's port", func() bool {
		data, _ := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, path, _ = strings.Cut(strings.TrimSpace(string(data)), "\n")
		return path != ""
	})
	w := &world{Env: commandtest.New(t), t: t, proxy: newProxy(t, "ws://127.0.0.1:"+port+path)}
	w.file = w.File("some.txt")
	if err := os.WriteFile(w.file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><title>faults</title>"+body)
	}))
	t.Cleanup(site.Close)
	w.page = site.URL
	w.OK("session", "start", "--endpoint", w.proxy.Endpoint)
	w.must("page resize 1000 800") // as the scene that resizes leaves it
	return w
}

func (w *world) in(t *testing.T) *world {
	other, env := *w, *w.Env
	env.T = t
	other.Env, other.t = &env, t
	return &other
}

// words are a line's words with what the scene's names stand for.
func (w *world) words(line string) []string {
	words := strings.Fields(line)
	for i, word := range words {
		switch word {
		case "PAGE":
			words[i] = w.page
		case "FILE":
			words[i] = w.file
		}
	}
	return words
}

func (w *world) steps(lines []string) {
	for _, line := range lines {
		w.Run(w.words(line)...) // what takes back may have nothing to take back
	}
}

func (w *world) must(line string) {
	w.t.Helper()
	w.OK(w.words(line)...)
}

// runs does the scene's command, which must work.
func (w *world) runs(s scene) {
	w.t.Helper()
	if a := w.Run(w.words(s.run)...); !a.OK && (s.may == "" || a.Code != s.may) {
		w.t.Fatalf("%s: exit %d\n%s%s", s.run, a.Exit, a.Stdout, a.Stderr)
	}
}

// tidy takes back what the scene does, and closes what it opened.
func (w *world) tidy(s scene) {
	w.t.Helper()
	w.steps(s.after)
	if !strings.HasPrefix(s.run, "page ") {
		return
	}
	pages, _ := w.OK("page", "list")["pages"].([]any)
	for len(pages) > 1 {
		last, _ := pages[len(pages)-1].(map[string]any)
		w.OK("page", "close", fmt.Sprint(last["pageId"]))
		pages = pages[:len(pages)-1]
	}
	if len(pages) == 0 {
		w.must("page open PAGE")
	}
}

// clean loads the page, runs the scene once as it should be, and notes how the page looks.
func (w *world) clean(s scene) {
	w.t.Helper()
	w.must("page navigate PAGE")
	w.tells, _ = w.Eval(probe).(string)
	w.steps(s.before)
	w.runs(s)
	w.tidy(s)
	w.same("after a run without a fault")
}

// same says what is left on.
func (w *world) same(when string) {
	w.t.Helper()
	var answer commandtest.Answer
	var got string
	for end := time.Now().Add(slack); ; time.Sleep(50 * time.Millisecond) { // a new size shows with the next frame
		answer = w.Run("runtime", "eval", probe)
		if got, _ = answer.Data["value"].(string); got == w.tells || time.Now().After(end) {
			break
		}
	}
	if got != w.tells {
		w.t.Errorf("%s the page is\n%s, not\n%s\n%s%s", when, got, w.tells, answer.Stdout, answer.Stderr)
	}
}

// try runs the scene with one call broken, and gives 1 if there was such a call.
func (w *world) try(s scene, method string, n int, k kind) int {
	w.t.Helper()
	name := fmt.Sprintf("%s %s %d", k, method, n)
	var answer commandtest.Answer
	w.steps(s.before)
	began := time.Now()
	met := w.proxy.Break(method, n, k, func() {
		line := w.words(s.run)
		if k == lost || k == late {
			line = append(line, "--timeout", fmt.Sprint(limit))
		}
		answer = w.Run(line...)
	})
	if !met {
		w.tidy(s)
		return 0
	}
	if took := time.Since(began); took > limit*time.Millisecond+slack {
		w.t.Errorf("%s: it ended after %s", name, took)
	}
	if !answer.OK && (answer.Code == "" || answer.Code == "INTERNAL_ERROR" || strings.Contains(string(answer.Stdout), "context canceled") || strings.Contains(string(answer.Stdout), "context deadline")) {
		w.t.Errorf("%s: exit %d\n%s%s", name, answer.Exit, answer.Stdout, answer.Stderr)
	}
	if answer.Code == "TIMEOUT" && answer.Error.Details["dispatched"] == true && slices.ContainsFunc([]string{"element click", "element drag", "element fill", "input ", "dialog "}, func(p string) bool { return strings.HasPrefix(s.run, p) }) {
		w.t.Errorf("%s: it says that the page may be given the same again\n%s", name, answer.Stdout)
	}
	if os.Getenv("FAULTS_LOG") != "" {
		w.t.Logf("%-45s %6s %s %s", name, time.Since(began).Round(time.Millisecond), answer.Code, answer.Error.Message)
	}
	w.tidy(s)
	w.steps(s.before)
	if again := w.Run(w.words(s.run)...); !again.OK && (s.may == "" || again.Code != s.may) {
		w.t.Errorf("%s (%s %s), and then: exit %d\n%s%s", name, answer.Code, answer.Error.Message, again.Exit, again.Stdout, again.Stderr)
	}
	w.tidy(s)
	w.same(name + ": then")
	return 1
}
