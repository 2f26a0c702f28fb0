// Package bench measures the whole chain. Every figure stands beside one of
// raw CDP (or of a minimal script) from the same run and the same browser,
// because machines differ and are noisy: compare ratios.
//
//	make bench
package bench

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// rounds of the interleaved measurements.
const rounds = 200

// BenchmarkEvaluate compares one evaluate by an agent, through daemon, relay
// and extension, with Runtime.evaluate on a DevTools connection of its own.
// Budget: 3 times raw CDP.
func BenchmarkEvaluate(b *testing.B) {
	env := browsertest.Start(b, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/form"))
	env.Connect(tab, "control")
	agent := env.Agent()
	agent.AwaitType("hello")
	agent.Do("evaluate", browsertest.Params{"code": "document.title"}) // attaches the debugger
	for b.Loop() {
		var raw, ours []time.Duration
		for range rounds {
			raw = append(raw, took(func() {
				var out any
				if err := tab.Call("Runtime.evaluate", map[string]any{"expression": "document.title", "returnByValue": true}, &out); err != nil {
					b.Fatal(err)
				}
			}))
			ours = append(ours, took(func() { agent.Do("evaluate", browsertest.Params{"code": "document.title"}) }))
		}
		report(b, "ours", ours)
		report(b, "cdp", raw)
		b.ReportMetric(ratio(ours, raw), "×cdp")
	}
}

// BenchmarkUITree is request_ui_tree on the sample app with its 200 rows.
// Budget: 40 ms median.
func BenchmarkUITree(b *testing.B) {
	env := browsertest.Start(b, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/app/"))
	env.Connect(tab, "observe")
	agent := env.Agent()
	agent.AwaitType("hello")
	agent.Do("request_ui_tree", nil)
	for b.Loop() {
		var ours []time.Duration
		for range 40 {
			ours = append(ours, took(func() { agent.Do("request_ui_tree", nil) }))
		}
		report(b, "ours", ours)
	}
}

// BenchmarkClick compares a trusted click with the three Input events alone.
func BenchmarkClick(b *testing.B) {
	env := browsertest.Start(b, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/form"))
	env.Connect(tab, "control")
	agent := env.Agent()
	agent.AwaitType("hello")
	target := browsertest.Params{"target": browsertest.Params{"selector": "#save"}}
	agent.Do("click", target)
	for b.Loop() {
		var raw, ours []time.Duration
		for range 40 {
			raw = append(raw, took(func() { tab.Click("#save") }))
			ours = append(ours, took(func() { agent.Do("click", target) }))
		}
		report(b, "ours", ours)
		report(b, "cdp", raw)
	}
}

// BenchmarkConsoleBurst is 10,000 console lines at once, to ten agents: all of
// them, in order. The daemon's memory is read after it.
// Budgets: 40 MiB resident while idle with one tab, 150 MiB under this load.
func BenchmarkConsoleBurst(b *testing.B) {
	const lines, agents = 10_000, 10
	env := browsertest.Start(b, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/form"))
	env.Connect(tab, "observe")
	first := env.Agent()
	first.AwaitType("hello")
	first.Do("request_ui_tree", nil)
	idle := resident(b, env.Daemon().PID)
	all := []*browsertest.Agent{first}
	for range agents - 1 {
		all = append(all, env.Agent())
	}
	for b.Loop() {
		start := time.Now()
		tab.Eval(fmt.Sprintf(`for (let i = 0; i < %d; i++) console.log('burst ' + i)`, lines), nil)
		made := time.Since(start)
		var wait sync.WaitGroup
		for _, agent := range all {
			wait.Go(func() {
				agent.Await("the last line", func(m browsertest.Message) bool {
					return m.Type() == "console" && strings.Contains(string(m.Raw), fmt.Sprintf(`"burst %d"`, lines-1))
				}, time.Minute)
			})
		}
		wait.Wait()
		b.ReportMetric(float64(time.Since(start).Milliseconds()), "all-arrived-ms")
		b.ReportMetric(float64(made.Milliseconds()), "page-ms")
		b.ReportMetric(idle, "idle-MiB")
		b.ReportMetric(resident(b, env.Daemon().PID), "loaded-MiB")
		for n, agent := range all {
			if got := inOrder(b, agent.Messages()); got != lines {
				b.Errorf("agent %d got %d of %d lines in order", n, got, lines)
			}
		}
	}
}

// inOrder counts the burst's lines up to the first that is not where it belongs.
func inOrder(b *testing.B, messages []browsertest.Message) int {
	next := 0
	for _, m := range messages {
		if m.Type() != "console" {
			continue
		}
		var line struct {
			Args []string `json:"args"`
		}
		if err := json.Unmarshal(m.Raw, &line); err != nil {
			b.Fatal(err)
		}
		if len(line.Args) != 1 || line.Args[0] != fmt.Sprintf("burst %d", next) {
			return next
		}
		next++
	}
	return next
}

// churn makes 1,000 DOM changes a second for some time: text, attributes, classes.
const churn = `(async () => {
	const rows = [...document.querySelectorAll('li')];
	const start = performance.now();
	let made = 0;
	while (performance.now() < start + %d) {
		for (const due = Math.floor(performance.now() - start); made < due; made++) {
			const row = rows[made %% rows.length];
			if (made %% 3 === 0) row.lastChild.textContent = 'v' + made;
			else if (made %% 3 === 1) row.setAttribute('data-n', made);
			else row.className = 'c' + made %% 5;
		}
		await new Promise((next) => setTimeout(next, 4));
	}
	return made;
})()`

// BenchmarkCollectors is the processor time of the main thread that the
// collectors add to a page making 1,000 DOM changes a second, as a share of the
// time observed. Budget: 5 %.
func BenchmarkCollectors(b *testing.B) {
	const seconds = 4
	env := browsertest.Start(b, browsertest.Options{Extension: true})
	measure := func(watched bool) float64 {
		tab := env.OpenTab(env.Pages.URL("/list?n=300"))
		defer tab.Close()
		if watched {
			env.Connect(tab, "observe")
			agent := env.Agent()
			defer agent.Close()
			agent.AwaitType("ui_tree")
		}
		// threadTicks: what else the machine does is not in it.
		if err := tab.Call("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil); err != nil {
			b.Fatal(err)
		}
		before := taskDuration(b, tab)
		tab.Eval(fmt.Sprintf(churn, seconds*1000), nil)
		return 100 * (taskDuration(b, tab) - before) / seconds
	}
	for b.Loop() {
		var alone, watched []float64
		for range 3 {
			alone, watched = append(alone, measure(false)), append(watched, measure(true))
		}
		slices.Sort(alone)
		slices.Sort(watched)
		b.ReportMetric(alone[1], "page-%")
		b.ReportMetric(watched[1]-alone[1], "added-%")
	}
}

// taskDuration is the renderer's main-thread time so far, in seconds (Performance.getMetrics, TaskDuration).
func taskDuration(b *testing.B, tab *browsertest.Tab) float64 {
	var out struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	if err := tab.Call("Performance.getMetrics", map[string]any{}, &out); err != nil {
		b.Fatal(err)
	}
	for _, metric := range out.Metrics {
		if metric.Name == "TaskDuration" {
			return metric.Value
		}
	}
	b.Fatal("the browser gave no TaskDuration")
	return 0
}

func took(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func report(b *testing.B, name string, samples []time.Duration) {
	b.ReportMetric(ms(at(samples, 50)), name+"-ms")
	b.ReportMetric(ms(at(samples, 95)), name+"-p95-ms")
}

func ratio(a, b []time.Duration) float64 { return float64(at(a, 50)) / float64(at(b, 50)) }

func at(samples []time.Duration, percentile int) time.Duration {
	sorted := slices.Clone(samples)
	slices.Sort(sorted)
	return sorted[(len(sorted)-1)*percentile/100]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// resident is a process's resident memory in MiB.
func resident(b *testing.B, pid int) float64 {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	if err != nil {
		b.Skipf("resident memory is read from /proc: %v", err)
	}
	fields := strings.Fields(string(data))
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		b.Fatal(err)
	}
	return float64(pages*os.Getpagesize()) / (1 << 20)
}
