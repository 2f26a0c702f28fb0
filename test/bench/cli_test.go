package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
	alone "github.com/debug-bridge/debug-bridge/test/page/chromium"
)

// beside is one browser with a raw DevTools connection and, over its endpoint, us.
func beside(b *testing.B, path string) (*browsertest.Env, *browsertest.Tab, *commandtest.Env) {
	b.Helper()
	env := browsertest.Start(b, browsertest.Options{})
	e := commandtest.New(b)
	tab := env.OpenTab(env.Pages.URL(path))
	e.OK("session", "start", "--endpoint", env.Profile)
	choose(b, e, path)
	return env, tab, e
}

// choose makes the page with the address the current one.
func choose(b *testing.B, e *commandtest.Env, path string) {
	b.Helper()
	list, _ := e.OK("page", "list")["pages"].([]any)
	for _, item := range list {
		fields, _ := item.(map[string]any)
		if url, _ := fields["url"].(string); strings.HasSuffix(url, path) {
			e.OK("page", "use", fmt.Sprint(fields["pageId"]))
			return
		}
	}
	b.Fatalf("no page %s among %v", path, list)
}

// process is one run of dbridge from its start to its end.
func process(b *testing.B, e *commandtest.Env, args ...string) func() {
	return func() {
		command := e.Command(args...)
		var stdout bytes.Buffer
		command.Stdout = &stdout
		if err := command.Run(); err != nil {
			b.Fatalf("dbridge %v: %v %s", args, err, stdout.Bytes())
		}
	}
}

func raw(b *testing.B, tab *browsertest.Tab, method string, params any) func() {
	return func() {
		var out json.RawMessage
		if err := tab.Call(method, params, &out); err != nil {
			b.Fatal(err)
		}
	}
}

// walker is the least that a snapshot can be: what is interactive, with its box and name.
const walker = `JSON.stringify([...document.querySelectorAll('a[href],button,input,select,textarea,summary,[role],[tabindex],[onclick],[contenteditable]')].map((el, i) => {
const r = el.getBoundingClientRect();
return {i, role: el.getAttribute('role') || el.tagName.toLowerCase(), name: el.getAttribute('aria-label') || el.labels?.[0]?.textContent || el.textContent.trim().slice(0, 80), box: [r.x, r.y, r.width, r.height], value: el.value};
}))`

// BenchmarkCLI is one command as a whole process, warm, beside what raw CDP takes for
// the same on the same page. Budgets are in docs/performance.md.
func BenchmarkCLI(b *testing.B) {
	_, tab, e := beside(b, "/form")
	cases := []struct {
		name      string
		raw, ours func()
	}{
		{"eval", raw(b, tab, "Runtime.evaluate", map[string]any{"expression": "document.title", "returnByValue": true}), process(b, e, "runtime", "eval", "document.title")},
		{"snapshot", raw(b, tab, "Accessibility.getFullAXTree", nil), process(b, e, "capture", "snapshot")},
		{"click", func() { tab.Click("#save") }, process(b, e, "element", "click", "#save")},
		{"console", raw(b, tab, "Runtime.evaluate", map[string]any{"expression": "0"}), process(b, e, "console", "list")},
		{"process", raw(b, tab, "Runtime.evaluate", map[string]any{"expression": "0"}), process(b, e, "version")},
	}
	for _, c := range cases {
		c.raw()
		c.ours()
	}
	for b.Loop() {
		ours, rest := map[string][]time.Duration{}, map[string][]time.Duration{}
		for range 40 {
			for _, c := range cases {
				rest[c.name] = append(rest[c.name], took(c.raw))
				ours[c.name] = append(ours[c.name], took(c.ours))
			}
		}
		for _, c := range cases {
			b.ReportMetric(ms(at(ours[c.name], 50)), c.name+"-ms")
			b.ReportMetric(ratio(ours[c.name], rest[c.name]), c.name+"-×cdp")
		}
	}
}

// BenchmarkSnapshot is a snapshot of a big page, whole process, beside the least script
// that walks the page and beside the accessibility tree that others build theirs from.
func BenchmarkSnapshot(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			_, tab, e := beside(b, fmt.Sprintf("/list?n=%d", n))
			snapshot := process(b, e, "capture", "snapshot")
			full := process(b, e, "capture", "snapshot", "--full", "--file", e.File("tree.txt"), "--overwrite")
			walk := raw(b, tab, "Runtime.evaluate", map[string]any{"expression": walker, "returnByValue": true})
			tree := raw(b, tab, "Accessibility.getFullAXTree", nil)
			snapshot()
			for b.Loop() {
				var ours, whole, walked, treed []time.Duration
				for range 5 {
					ours, whole = append(ours, took(snapshot)), append(whole, took(full))
					walked, treed = append(walked, took(walk)), append(treed, took(tree))
				}
				report(b, "ours", ours)
				b.ReportMetric(ms(at(whole, 50)), "full-ms")
				b.ReportMetric(ratio(ours, walked), "×walker")
				b.ReportMetric(ratio(ours, treed), "×axtree")
			}
		})
	}
}

// BenchmarkStart is a browser launched to a loaded page beside the same Chromium started
// alone, and a running one attached to beside a DevTools connection alone; each with the
// daemon's own start and without.
func BenchmarkStart(b *testing.B) {
	browser, err := chromium.Find()
	if err != nil {
		b.Skip(err)
	}
	env := browsertest.Start(b, browsertest.Options{})
	env.OpenTab(env.Pages.URL("/form"))
	e := commandtest.New(b)
	url := e.Site.URL("/form")
	launch := process(b, e, "session", "start", "--headless", "--executable", browser, "--url", url)
	attach := process(b, e, "session", "start", "--endpoint", env.Profile)
	stop, end := process(b, e, "session", "stop"), process(b, e, "daemon", "stop")
	for b.Loop() {
		times := map[string][]time.Duration{}
		// Each from the same rest: nothing of the one before still runs.
		measure := func(name string, work func(), after ...func()) {
			times[name] = append(times[name], took(work))
			for _, clean := range after {
				clean()
			}
		}
		for range 6 {
			var chrome *alone.Browser
			measure("alone", func() {
				var err error
				if chrome, err = alone.Start(); err != nil {
					b.Fatal(err)
				}
				chrome.Open(b).Load(url)
			}, func() { chrome.Close() })
			measure("launch-cold", launch, stop)
			measure("launch", launch, stop)
			measure("attach", attach, stop, end)
			measure("attach-cold", attach, stop, end)
		}
		for name, samples := range times {
			b.ReportMetric(ms(at(samples, 50)), name+"-ms")
		}
		b.ReportMetric(ratio(times["launch"], times["alone"]), "launch-×alone")
		b.ReportMetric(ratio(times["launch-cold"], times["alone"]), "launch-cold-×alone")
	}
}

// daemonOf tells the daemon's process and its goroutines.
func daemonOf(e *commandtest.Env) (pid, goroutines int) {
	status := e.OK("daemon", "status")
	p, _ := status["pid"].(float64)
	g, _ := status["goroutines"].(float64)
	return int(p), int(g)
}

// BenchmarkDaemonMemory is the daemon's resident memory after the form page and after
// the big pages, each read as a snapshot. Budgets: 40 and 60 MiB.
func BenchmarkDaemonMemory(b *testing.B) {
	for b.Loop() {
		e := commandtest.Managed(b)
		e.Goto("/form")
		e.OK("capture", "snapshot")
		pid, _ := daemonOf(e)
		b.ReportMetric(resident(b, pid), "form-MiB")
		for _, path := range []string{"/list?n=1000", "/list?n=10000", "/console", "/fetch", "/frames", "/app/"} {
			e.Goto(path)
			for range 3 {
				e.OK("capture", "snapshot")
			}
			e.OK("console", "list")
			e.OK("network", "list")
			e.OK("runtime", "eval", "document.title")
		}
		b.ReportMetric(resident(b, pid), "all-pages-MiB")
	}
}

// batch runs so many commands of a context in one process.
func batch(b *testing.B, e *commandtest.Env, n int, lines ...string) {
	var input strings.Builder
	for i := range n {
		input.WriteString(lines[i%len(lines)] + "\n")
	}
	command := e.Command("run", "-")
	var stdout bytes.Buffer
	command.Stdin, command.Stdout = strings.NewReader(input.String()), &stdout
	if err := command.Run(); err != nil || bytes.Count(stdout.Bytes(), []byte(`"ok":true`)) != n {
		b.Errorf("a batch of %s: %v: %.2000s", e.Context, err, stdout.String())
	}
}

// BenchmarkContexts is 10 contexts with 100 commands each at once, beside one with 100.
// Ideal is a ratio of 10 divided by the processors that the browsers share.
func BenchmarkContexts(b *testing.B) {
	const contexts, commands = 10, 100
	lines := []string{"runtime eval document.title", "element click #save", "observe find Save", "observe state"}
	all := make([]*commandtest.Env, contexts)
	home := commandtest.New(b)
	browser, err := chromium.Find()
	if err != nil {
		b.Skip(err)
	}
	for i := range all {
		all[i] = home.In(fmt.Sprintf("bench-%d", i), "DBRIDGE_MAX_SLOTS=12")
		all[i].OK("session", "start", "--headless", "--executable", browser)
		all[i].Goto("/form")
	}
	for b.Loop() {
		one := took(func() { batch(b, all[0], commands, lines...) })
		ten := took(func() {
			var wait sync.WaitGroup
			for _, e := range all {
				wait.Go(func() { batch(b, e, commands, lines...) })
			}
			wait.Wait()
		})
		b.ReportMetric(ms(one)/commands, "one-ms/command")
		b.ReportMetric(ms(ten)/commands/contexts, "ten-ms/command")
		b.ReportMetric(float64(one)*contexts/float64(ten), "speedup")
	}
}

// descriptors is how many files a process has open.
func descriptors(b *testing.B, pid int) int {
	b.Helper()
	entries, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "fd"))
	if err != nil {
		b.Skipf("descriptors are read from /proc: %v", err)
	}
	return len(entries)
}

// BenchmarkTenThousand runs 10,000 commands of all kinds in one context; nothing may grow
// with them.
func BenchmarkTenThousand(b *testing.B) {
	lines := []string{
		"runtime eval document.title", "element click #save", "capture snapshot", "observe find Save", "console list", "network list",
		"element fill #f0 Ada", "observe state", "runtime eval console.log(1)", "input key Tab",
	}
	e := commandtest.Managed(b)
	e.Goto("/form")
	for b.Loop() {
		batch(b, e, 1_000, lines...) // caches and stores fill up
		pid, goroutines := daemonOf(e)
		memory, files := resident(b, pid), descriptors(b, pid)
		start := time.Now()
		for range 9 {
			batch(b, e, 1_000, lines...)
		}
		b.ReportMetric(ms(time.Since(start))/9_000, "ms/command")
		now, nowFiles := 0, 0
		// What the last commands left running ends in a moment.
		for range 50 {
			_, now = daemonOf(e)
			if nowFiles = descriptors(b, pid); now <= goroutines && nowFiles <= files {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		b.ReportMetric(float64(now-goroutines), "goroutines-grown")
		b.ReportMetric(float64(nowFiles-files), "descriptors-grown")
		b.ReportMetric(resident(b, pid)-memory, "MiB-grown")
		b.ReportMetric(resident(b, pid), "MiB")
		if now > goroutines+5 || nowFiles > files+3 || resident(b, pid) > memory+20 {
			b.Errorf("goroutines %d → %d, descriptors %d → %d, memory %.1f → %.1f MiB", goroutines, now, files, nowFiles, memory, resident(b, pid))
		}
	}
}
