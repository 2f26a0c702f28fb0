//go:build linux

package life

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// An agent is cut off at random points of a stream of 20,000 lines and resumes
// each time: it gets every one, in order.
func TestA01CutAndResumed(t *testing.T) {
	const lines = 20_000
	p := connect(t, "observe", "/page/One")
	p.tab.Eval(fmt.Sprintf(`void (async () => {
		for (let n = 0; n < %d;) {
			for (const end = n + 100; n < end; n++) console.log('line ' + n);
			await new Promise((done) => setTimeout(done, 5));
		}
	})()`, lines), nil)
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)

	var all []browsertest.Message
	last := uint64(0)
	agent, cuts := p.agent, 0
	ended := func(m browsertest.Message) bool {
		return m.Type() == "console" && strings.Contains(string(m.Raw), fmt.Sprintf(`"line %d"`, lines-1))
	}
	for {
		most := agent.Len() + 1 + random.IntN(2*lines/50)
		over := false
		agent.Await("more of the stream", func(m browsertest.Message) bool {
			over = over || ended(m)
			most--
			return over || most <= 0
		}, 3*browsertest.Patience)
		agent.Drop()
		cuts++
		for _, m := range agent.Messages() {
			if m.Type() == "gap" {
				t.Fatalf("a gap, with a log that holds it all: %s", m.Raw)
			}
			if m.Seq() > last { // what comes twice is told by its number
				all, last = append(all, m), m.Seq()
			}
			over = over || ended(m) // it may have come between the decision to cut and the cut
		}
		if over {
			break
		}
		agent = p.resume(agent, last)
	}
	gapless(t, all)
	want := 0
	for _, m := range all {
		args, _ := m.Fields["args"].([]any)
		if m.Type() != "console" || len(args) != 1 {
			continue
		}
		if args[0] != fmt.Sprintf("line %d", want) {
			t.Fatalf("%v instead of line %d, after %d cuts", args[0], want, cuts)
		}
		want++
	}
	if want != lines || cuts < 20 {
		t.Errorf("%d lines over %d cuts", want, cuts)
	}
	t.Logf("%d cuts", cuts)
}

// Places in the log that are not there are told, never passed over.
func TestA02ResumePlaces(t *testing.T) {
	p := connect(t, "observe", "/page/One")
	p.agent.Do("request_ui_tree", nil)
	welcome := p.agent.AwaitType("welcome")
	token, session, epoch := p.agent.Token, "sessionId="+p.session, welcome.String("epoch")
	for _, query := range [][]string{
		{"since=-1", "epoch=" + epoch}, {"since=1e3", "epoch=" + epoch}, {"since=9007199254740993", "epoch=" + epoch},
		{"since=99999999999999999999", "epoch=" + epoch}, {"since=", "epoch=" + epoch}, {"since=5"}, {"since=1", "since=2", "epoch=" + epoch},
	} {
		if _, err := env.TryAgent(token, append(query, session)...); err == nil || !strings.Contains(err.Error(), "HTTP 400") {
			t.Errorf("%v: %v, want HTTP 400", query, err)
		}
	}
	t.Run("beyond the end", func(t *testing.T) {
		agent := env.AgentWith(token, session, "since=1000000", "epoch="+epoch)
		if code := agent.AwaitType("host_error").Code(); code != "VALIDATION_ERROR" {
			t.Errorf("host_error %s", code)
		}
		if code := agent.CloseCode(); code != 1008 {
			t.Errorf("closed with %d", code)
		}
	})
	t.Run("another epoch", func(t *testing.T) {
		agent := env.AgentWith(token, session, "since=7", "epoch=0123456789abcdef")
		gap := agent.AwaitType("gap")
		if to, there := gap.Fields["toSeq"]; gap.String("reason") != "epoch_changed" || gap.Number("fromSeq") != 8 || !there || to != nil {
			t.Errorf("%s", gap.Raw)
		}
		agent.Await("the last event", func(m browsertest.Message) bool { return m.Seq() == p.agent.LastSeq() })
		if first, _ := gapless(t, agent.Messages()); first != 1 {
			t.Errorf("the new log begins at %d", first)
		}
		agent.Await("a tree of the log", func(m browsertest.Message) bool { return m.Type() == "ui_tree" && m.Seq() > 0 }, 5*time.Second)
	})
	t.Run("the whole log, as it was live", func(t *testing.T) {
		agent := env.AgentWith(token, session, "since=0", "epoch="+epoch)
		agent.Await("the last event", func(m browsertest.Message) bool { return m.Seq() == p.agent.LastSeq() })
		live := make(map[uint64]string)
		for _, m := range p.agent.Messages() {
			live[m.Seq()] = string(m.Raw)
		}
		for _, m := range agent.Messages() {
			if before, was := live[m.Seq()]; m.Seq() > 0 && was && before != string(m.Raw) {
				t.Errorf("seq %d live:\n%s\nreplayed:\n%s", m.Seq(), before, m.Raw)
			}
		}
	})
}

// An agent is cut off in the middle of a command, comes back and repeats it: it
// has run once, and its result is there, also when it came meanwhile.
func TestA03A04RepeatedAfterACut(t *testing.T) {
	p := connect(t, "control", "/page/One")
	code := "window.runs = (window.runs ?? 0) + 1; new Promise((done) => { window.go = () => done('done ' + runs); })"
	for _, c := range []struct {
		name      string
		meanwhile bool
	}{{"it still runs", false}, {"it ended meanwhile", true}} {
		t.Run(c.name, func(t *testing.T) {
			env.T = t
			p.tab.Eval("void (window.runs = 0, window.go = null)", nil)
			command := params{"code": code, "requestId": "again-" + fmt.Sprint(c.meanwhile)}
			id := p.agent.Start("evaluate", command)
			p.tab.Await("window.go")
			seen := p.agent.LastSeq()
			watcher := env.Agent("sessionId=" + p.session)
			watcher.AwaitType("welcome")
			p.agent.Drop()
			if c.meanwhile {
				p.tab.Eval("go()", nil)
				watcher.Result(id)
			}
			p.agent = p.resume(p.agent, seen)
			from := p.agent.Len()
			if c.meanwhile {
				if result := p.agent.Result(id); !result.Success() || result.Seq() == 0 {
					t.Errorf("what came while it was away: %s", result.Raw)
				}
			}
			p.agent.Start("evaluate", command)
			if !c.meanwhile {
				p.tab.Eval("go()", nil)
			}
			result := p.agent.AwaitFrom(from, "the result of the repeated command", func(m browsertest.Message) bool {
				repeated, _ := m.Fields["repeated"].(bool)
				return m.String("requestId") == id && repeated == c.meanwhile
			})
			if got := value(result.Fields["result"]); got != "done 1" {
				t.Errorf("%s", result.Raw)
			}
			watcher.Result(id)
			var runs int
			if p.tab.Eval("runs", &runs); runs != 1 {
				t.Errorf("it ran %d times", runs)
			}
			for _, m := range watcher.Messages() {
				if repeated, _ := m.Fields["repeated"].(bool); repeated {
					t.Errorf("told to another agent again: %s", m.Raw)
				}
			}
		})
		env.T = t
	}
	t.Cleanup(p.agent.Close)
}
