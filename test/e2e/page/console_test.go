package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// numbers gives the numbers of the console lines that begin with a word, in the
// order in which they came to an agent.
func numbers(messages []browserMessage, kind, word string) []int {
	var found []int
	for _, m := range messages {
		said := m.String("message") + m.String("reason")
		if args, _ := m.Fields["args"].([]any); len(args) > 0 {
			said, _ = args[0].(string)
		}
		var n int
		at := strings.Index(said, word+" ")
		if m.Type() != kind || at < 0 {
			continue
		}
		if _, err := fmt.Sscanf(said[at+len(word)+1:], "%d", &n); err == nil {
			found = append(found, n)
		}
	}
	return found
}

// complete checks that the numbers are 0 to last, in order, each once.
func complete(t *testing.T, what string, got []int, last int) {
	t.Helper()
	seen := map[int]int{}
	var faults []string
	before := -1
	for _, n := range got {
		seen[n]++
		if seen[n] == 2 {
			faults = append(faults, fmt.Sprintf("%d twice", n))
		}
		if n < before {
			faults = append(faults, fmt.Sprintf("%d after %d", n, before))
		}
		before = n
	}
	for n := 0; n <= last; n++ {
		if seen[n] == 0 {
			faults = append(faults, fmt.Sprintf("%d lost", n))
		}
	}
	if len(faults) > 0 || len(got) != last+1 {
		t.Errorf("%s: %d came, want %d; %d faults: %v", what, len(got), last+1, len(faults), faults[:min(len(faults), 15)])
	}
}

// At control the console changes hands between the page's hook and the debugger,
// with each command and each time the debugger is let go when idle. The page
// writes all the time: lines, errors and rejections come once each, in order.
func TestConsoleAcrossTheHandOver(t *testing.T) {
	p := fresh(t, "control", "/page/console")
	env.WorkerEval(`chrome.storage.local.set({ idleSeconds: 5 }).then(() => true)`, nil)
	defer env.WorkerEval(`chrome.storage.local.set({ idleSeconds: 30 }).then(() => true)`, nil)
	id := number(float64(env.TabID(p.Tab)))
	other := env.Agent("sessionId=" + p.session)
	defer other.Close()
	p.Eval(`void (window.n = window.e = window.r = 0, window.timer = setInterval(() => {
		console.log('tick ' + n++);
		if (n % 40 === 0) setTimeout(() => { throw new Error('err ' + e++) });
		if (n % 60 === 0) Promise.reject(new Error('rej ' + r++));
	}, 3))`, nil)
	released := func() bool {
		var attached bool
		env.WorkerEval(`chrome.debugger.sendCommand({ tabId: `+id+` }, 'Inspector.enable').then(() => true, () => false)`, &attached)
		return !attached
	}
	p.Agent.Await("lines before the debugger", func(m browserMessage) bool { return isLine(m, "tick 50") })
	for round := range 2 {
		// Commands of both lanes while it attaches.
		for range 5 {
			p.Do("evaluate", params{"code": "n"})
			p.Do("click", params{"target": params{"id": "b"}})
		}
		if released() {
			t.Fatal("no debugger: no hand-over is tested")
		}
		if round == 1 {
			break
		}
		browsertest.Until(t, browsertest.Patience, "the idle debugger is let go", released)
		p.Do("focus", params{"target": params{"id": "b"}}) // over the bridge lane
	}
	var last struct{ N, E, R int }
	p.Eval(`(clearInterval(timer), new Promise((done) => setTimeout(() => done({ N: n - 1, E: e - 1, R: r - 1 }), 50)))`, &last)
	p.settled(t)
	for name, agent := range map[string]*browsertest.Agent{"agent": p.Agent, "other agent": other} {
		browsertest.Until(t, browsertest.Patience, name+" has all", func() bool {
			return len(numbers(agent.Messages(), "console", "tick")) > last.N
		})
		complete(t, name+" console", numbers(agent.Messages(), "console", "tick"), last.N)
		complete(t, name+" error", numbers(agent.Messages(), "error", "err"), last.E)
		complete(t, name+" unhandledrejection", numbers(agent.Messages(), "unhandledrejection", "rej"), last.R)
	}
	t.Logf("%d lines, %d errors, %d rejections", last.N, last.E, last.R)
}

// Over navigations: what a page says until it goes is there once, at act its last
// words too (Chrome tells a debugger nothing of them); at control, debugger
// attached, the next page is heard from the first line of its first script.
func TestConsoleAcrossNavigation(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/page/a")
			if level == "control" {
				p.Do("evaluate", params{"code": "1"})
			}
			p.tree() // the page is heard from its first answer on
			from := p.Len()
			total := 0
			for range 4 {
				p.Eval(fmt.Sprintf(`void (() => {
					let n = %d;
					for (let i = 0; i < 25; i++) console.log('nav ' + n++);
					if (%v) addEventListener('pagehide', () => { for (let i = 0; i < 25; i++) console.log('nav ' + n++) });
				})()`, total, level == "act"), nil)
				total += 25
				if level == "act" {
					total += 25
				}
				p.renew("/frames3")
				p.wholeTree(5)
			}
			p.settled(t)
			complete(t, "lines", numbers(p.Messages()[from:], "console", "nav"), total-1)
			ready := map[string]int{}
			for _, m := range p.Messages()[from:] {
				if isLine(m, "frame ready") {
					args := m.Fields["args"].([]any)
					ready[fmt.Sprint(args[1])]++
				}
			}
			for line, want := range map[string]int{"1": 4, "2": 8, "3": 8} {
				if level == "control" && ready[line] != want || ready[line] > want {
					t.Errorf("frames of level %s said they were ready %d times, want %d", line, ready[line], want)
				}
			}
		})
	}
}

// 10,000 lines in one task arrive complete and in order at several agents, and
// none is reported dropped.
func TestConsoleBurst(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/storm")
			if level == "control" {
				p.Do("evaluate", params{"code": "1"})
			}
			agents := []*browsertest.Agent{p.Agent}
			for range 4 {
				agent := env.Agent("sessionId=" + p.session)
				defer agent.Close()
				agent.AwaitType("hello")
				agents = append(agents, agent)
			}
			from := p.Len()
			began := time.Now()
			p.Eval("void flood(10000)", nil)
			p.settled(t)
			for i, agent := range agents {
				lines := func() []int {
					messages := agent.Messages()
					if i == 0 {
						messages = messages[from:]
					}
					return numbers(messages, "console", "flood")
				}
				browsertest.Until(t, browsertest.Patience, "the last line", func() bool { return len(lines()) >= 10000 })
				complete(t, fmt.Sprintf("agent %d", i), lines(), 9999)
				for _, m := range agent.Messages() {
					if m.Type() == "dropped" || m.Type() == "gap" {
						t.Errorf("agent %d: %s", i, m.Raw)
					}
				}
			}
			t.Logf("10,000 lines at %d agents in %v", len(agents), time.Since(began).Round(time.Millisecond))
			// The page takes commands as before.
			p.Do("click", on("steady"))
		})
	}
}
