// Package jobs runs the common jobs of an agent over the command line, as an agent
// would that knows the help and the task alone, and counts what it has to read and
// write for them.
package jobs

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// budget is what all twelve jobs may cost together, in tokens of o200k: what the agent
// writes and what it reads. Leading servers take 11,500 to 57,000.
const budget = 4000

func TestMain(m *testing.M) {
	status := m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

// job is one task. The agent gets its words, and the address $URL; the check looks into
// the page and at what was learnt.
type job struct {
	name, task string
	do         func(a *agent)
	check      string // in the page: must be true afterwards
	learnt     []string
}

var jobs = []job{
	{
		name: "to-do list",
		task: `On $URL/todo add "Buy milk" to the tasks and check off "Oil the winch". How many are open then?`,
		do: func(a *agent) {
			a.open("/todo")
			a.run("observe find --role textbox")
			a.run("element fill " + a.ref("What needs to be done?") + " 'Buy milk'")
			a.run("input key Enter")
			a.run(`element click 'checkbox "Oil the winch"'`)
			a.run("observe find open")
		},
		check:  `tasks.length === 10 && tasks[9].text === 'Buy milk' && tasks.filter((t) => t.done).map((t) => t.text).join() === 'Oil the winch'`,
		learnt: []string{"9 open"},
	},
	{
		name: "sign-in with a validation error",
		task: `Sign in on $URL/signin as ` + pages.Email + ` with the password fathoms; if it is refused, say why and take ` + pages.Password + `.`,
		do: func(a *agent) {
			a.open("/signin")
			a.run(`element fill-form '{"textbox \"Email\"":"` + pages.Email + `","textbox \"Password\"":"fathoms"}'`)
			a.run(`element click 'button "Sign in"'`)
			if !a.knows("at least 12 characters") {
				a.run("observe find password")
			}
			a.run(`element fill 'textbox "Password"' ` + pages.Password)
			a.run(`element click 'button "Sign in"'`)
			if !a.knows("/jobs/welcome") {
				a.run("observe state") // the page goes on after its answer came
			}
		},
		check:  `location.pathname === '/jobs/welcome'`,
		learnt: []string{"at least 12 characters"},
	},
	{
		name: "a row of a 200-row table",
		task: `On $URL/table: who placed order A-1173, for how much? Refund it.`,
		do: func(a *agent) {
			a.open("/table")
			a.run("capture snapshot --find A-1173")
			a.run("element click " + a.ref(`button "Refund"`))
		},
		check:  `refunded.join() === 'A-1173'`,
		learnt: []string{"Chen Silva", "576.50 €"},
	},
	{
		name: "an error with file and line",
		task: `On $URL/error "Work out the total" does nothing. In which file and line is the fault?`,
		do: func(a *agent) {
			a.open("/error")
			a.run(`element click 'text=Work out the total'`)
			if !a.knows("invoice.js:6") {
				a.run("console list --level error")
			}
		},
		check:  `document.getElementById('total').textContent === '–'`,
		learnt: []string{"percent", "invoice.js:6"},
	},
	{
		name: "a failing fetch",
		task: `On $URL/fetch "Load the tides" says that something went wrong. What does the server answer?`,
		do: func(a *agent) {
			a.open("/fetch")
			a.run(`element click 'text=Load the tides'`)
			a.run("network list --status error")
			a.run("network get " + a.number(`(?m)^\s*#?(\d+)`) + " --include responseBody")
		},
		check:  `document.getElementById('tides').textContent === 'Something went wrong.'`,
		learnt: []string{"502", "the tide gauge at Cuxhaven does not answer"},
	},
	{
		name: "a modal",
		task: `On $URL/modal press "Delete Corvus" and go through with it.`,
		do: func(a *agent) {
			a.open("/modal")
			a.run(`element click 'button "Delete Corvus"'`)
			a.run("capture snapshot --root dialog[open]")
			a.run("element fill " + a.ref("Name of the project") + " Corvus")
			a.run("element click " + a.ref("Delete for ever"))
		},
		check: `projects.join() === 'Apollo,Borealis,Dorado,Eridanus' && !document.querySelector('dialog').open`,
	},
	{
		name: "a form with date and checkbox",
		task: `On $URL/booking book for the Aurora from 24 December 2026, two nights, with shore power. Which berth is it?`,
		do: func(a *agent) {
			a.open("/booking")
			a.run("capture snapshot --interactive-only")
			a.run(fmt.Sprintf(`element fill-form '{"%s":"Aurora","%s":"2026-12-24","%s":"2","%s":true,"%s":true}'`,
				a.ref("Name of the ship"), a.ref("Arrival"), a.ref("Nights"), a.ref("Shore power"), a.ref("I accept")))
			a.run("element click " + a.ref(`button "Book"`))
			if !a.knows("berth 17") {
				a.run("observe find berth")
			}
		},
		check:  `JSON.stringify(booked) === '{"ship":"Aurora","arrival":"2026-12-24","nights":"2","berth":"North quay","power":true,"water":false,"terms":true}'`,
		learnt: []string{"berth 17"},
	},
	{
		name: "a hidden element",
		task: `On $URL/hidden press "Archive".`,
		do: func(a *agent) {
			a.open("/hidden")
			if a.try("element click text=Archive") {
				return
			}
			a.run("capture snapshot --interactive-only")
			a.run("element click " + a.ref(`button "More"`))
			a.run("element click text=Archive")
		},
		check: `archived === true`,
	},
	{
		name: "an upload",
		task: `Send the file papers.csv on $URL/upload. How many lines does it say?`,
		do: func(a *agent) {
			a.open("/upload")
			a.run("observe find papers")
			a.run("element upload " + a.ref("Papers (CSV)") + " papers.csv")
			a.run(`element click 'button "Send"'`)
			if !a.knows("lines received") {
				a.run("observe find lines")
			}
		},
		check:  `received.name === 'papers.csv' && received.text === 'hull,crew\n7,3\n9,4\n'`,
		learnt: []string{"3 lines received"},
	},
	{
		name: "a button in an iframe, one in a shadow root",
		task: `On $URL/frames press "Pay 84.20 €", then "Place the order".`,
		do: func(a *agent) {
			a.open("/frames")
			a.run(`element click 'text=Pay 84.20 €'`)
			a.run(`element click 'text=Place the order'`)
		},
		check: `paid === true && placed === true`,
	},
	{
		name: "a phrase in a long article",
		task: `When did the great crane burn down, according to $URL/article, and why?`,
		do: func(a *agent) {
			a.open("/article")
			a.run("observe find 'great crane'")
		},
		check:  `true`,
		learnt: []string{"14 March 1783", "a lamp fell into the hemp"},
	},
	{
		name: "control 777 of 1,000",
		task: `On $URL/controls press "Control 777".`,
		do: func(a *agent) {
			a.open("/controls")
			a.run(`element click 'button "Control 777"'`)
		},
		check: `pressed.join() === '777'`,
	},
}

func TestJobs(t *testing.T) {
	e := commandtest.Managed(t)
	if err := os.WriteFile(e.File("papers.csv"), []byte("hull,crew\n7,3\n9,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	written, read := 0, 0
	for _, job := range jobs {
		t.Run(job.name, func(t *testing.T) {
			a := &agent{t: t, e: e, codec: codec, task: strings.ReplaceAll(job.task, "$URL", e.Site.URL("/jobs"))}
			job.do(a)
			if a := e.Run("page", "wait-function", job.check, "--timeout", "5000"); !a.OK {
				t.Errorf("the job is not done: %s\n%s", job.check, a.Stdout)
			}
			for _, words := range job.learnt {
				if !strings.Contains(a.seen.String(), words) {
					t.Errorf("the agent never read %q", words)
				}
			}
			t.Log("\n" + a.transcript.String())
			written, read = written+a.written, read+a.read
			fmt.Fprintf(&table, "%5d %5d %5d  %s (%d calls)\n", a.written, a.read, a.written+a.read, job.name, a.calls)
		})
	}
	t.Logf("tokens written, read, both:\n%s%5d %5d %5d  in all", table.String(), written, read, written+read)
	if written+read > budget {
		t.Errorf("the jobs cost %d tokens, more than %d", written+read, budget)
	}
}

// agent runs commands and keeps count.
type agent struct {
	t                    *testing.T
	e                    *commandtest.Env
	codec                tokenizer.Codec
	task                 string
	seen, transcript     strings.Builder
	written, read, calls int
}

func (a *agent) open(path string) {
	a.t.Helper()
	a.run("page open " + a.e.Site.URL("/jobs"+path))
}

// run is a command that must succeed.
func (a *agent) run(line string) {
	a.t.Helper()
	if !a.try(line) {
		a.t.Fatalf("dbridge %s\n%s", line, a.transcript.String())
	}
}

func (a *agent) try(line string) bool {
	a.t.Helper()
	args := split(line)
	a.honest(args)
	written := "dbridge " + line + " -o text"
	answer := a.e.Run(append(args, "-o", "text")...)
	text := string(answer.Stdout) + string(answer.Stderr)
	a.calls++
	a.written += a.count(written)
	a.read += a.count(text)
	a.seen.WriteString(text)
	fmt.Fprintf(&a.transcript, "$ %s\n%s", written, text)
	return answer.Exit == 0
}

func (a *agent) count(text string) int {
	n, err := a.codec.Count(text)
	if err != nil {
		a.t.Fatal(err)
	}
	return n
}

func (a *agent) knows(words string) bool { return strings.Contains(a.seen.String(), words) }

var refPattern = regexp.MustCompile(`\b(?:f\d+)?e\d+\b`)

// ref is the ref in the last line read that has the words.
func (a *agent) ref(words string) string {
	a.t.Helper()
	lines := strings.Split(a.seen.String(), "\n")
	for _, line := range slices.Backward(lines) {
		_, after, found := strings.Cut(line, words)
		if !found {
			continue
		}
		if ref := refPattern.FindString(after); ref != "" {
			return ref
		}
		if ref := refPattern.FindString(line); ref != "" {
			return ref
		}
	}
	a.t.Fatalf("no ref of %q was read\n%s", words, a.transcript.String())
	return ""
}

// number is the last number that a pattern finds in what was read.
func (a *agent) number(pattern string) string {
	a.t.Helper()
	all := regexp.MustCompile(pattern).FindAllStringSubmatch(a.seen.String(), -1)
	if all == nil {
		a.t.Fatalf("%s is not in what was read\n%s", pattern, a.transcript.String())
	}
	return all[len(all)-1][1]
}

// general are words of HTML and ARIA that an agent knows anyway.
var general = "button textbox checkbox dialog open text true papers "

var wordPattern = regexp.MustCompile(`[\pL\d][\pL\d.@-]*`)

// honest fails where an agent could not know a word that it writes: from the task, the
// help, or what it has read.
func (a *agent) honest(args []string) {
	a.t.Helper()
	known := map[string]bool{}
	for _, text := range []string{general, a.task, a.seen.String(), help(a.e, args[:2])} {
		for _, word := range wordPattern.FindAllString(strings.ToLower(text), -1) {
			known[strings.Trim(word, ".-")] = true
		}
	}
	maps.Copy(known, map[string]bool{"2026-12-24": true, "2": true}) // as the task says in words
	for _, arg := range args {
		for _, word := range wordPattern.FindAllString(strings.ToLower(arg), -1) {
			if !known[strings.Trim(word, ".-")] {
				a.t.Errorf("no agent could know %q in %q", word, args)
			}
		}
	}
}

var helps = map[string]string{}

func help(e *commandtest.Env, command []string) string {
	name := strings.Join(command, " ")
	if helps[name] == "" {
		helps[name] = string(e.Run(append(slices.Clone(command), "--help")...).Stdout)
	}
	return helps[name]
}

// split is what a shell makes of a line with single quotes.
func split(line string) []string {
	var args []string
	for n, part := range strings.Split(line, "'") {
		if n%2 == 1 {
			args = append(args, part)
			continue
		}
		args = append(args, strings.Fields(part)...)
	}
	return args
}
