package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// send sends a command of an agent, new or again.
func (m *sessionModel) send(a *modelAgent, c *modelCommand) {
	if a.agent == nil || c.agent != a.name || a.agent.Err() != nil { // one that was too slow is not heard
		return
	}
	m.mu.Lock()
	if c.sends == 0 || c.refused { // its time begins when it is accepted
		c.sent, c.refused = time.Now(), false
	}
	c.sends++
	m.mu.Unlock()
	a.agent.Receive([]byte(c.body))
}

func (m *sessionModel) newCommand(a *modelAgent, n int, page *Page) *modelCommand {
	c := &modelCommand{agent: a.name, id: fmt.Sprint("r", len(m.commands)), daemon: m.daemon, acts: n%4 != 3, results: make(map[int]int),
		does: conduct(n % int(conductEnds)), takes: time.Duration(n*n) * 7 * time.Millisecond, limit: time.Duration(1+n%7*300) * time.Millisecond}
	what := `"type":"click","target":{"ref":"e1"}`
	if !c.acts {
		what = `"type":"request_ui_tree"`
	}
	c.page = page.ID()
	c.body = fmt.Sprintf(`{%s,"requestId":%q,"pageId":%d,"epoch":%q,"timeoutMs":%d}`, what, c.id, c.page, m.epoch(), c.limit.Milliseconds())
	m.mu.Lock()
	m.commands = append(m.commands, c)
	m.mu.Unlock()
	return c
}

// do runs a command as the daemon's own callers do.
func (m *sessionModel) do(n int) {
	spec, ok := protocol.Spec("click")
	if !ok {
		panic("no click")
	}
	d := &directCall{id: fmt.Sprint("d", len(m.direct))}
	m.direct = append(m.direct, d)
	page := m.pages[n%len(m.pages)]
	m.work.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1+n%5*200)*time.Millisecond)
		defer cancel()
		_, err := page.Do(ctx, &protocol.Command{Spec: spec, Base: protocol.Base{Type: "click", RequestID: d.id}, TimeoutMs: 700, AgentName: "direct"},
			func(ctx context.Context, dispatched func()) (Outcome, error) {
				m.mu.Lock()
				d.ran++
				m.mu.Unlock()
				return act(ctx, conduct(n%int(conductEnds)), time.Duration(n*n)*7*time.Millisecond, func() {
					m.mu.Lock()
					d.left++
					m.mu.Unlock()
					dispatched()
				})
			})
		m.mu.Lock()
		defer m.mu.Unlock()
		d.results++
		d.err = err
	})
}

func (m *sessionModel) agent(n int) *modelAgent { return m.agents[n%len(m.agents)] }

// some picks one of the latest commands.
func (m *sessionModel) some(n int, use func(a *modelAgent, c *modelCommand)) {
	if len(m.commands) == 0 {
		return
	}
	c := m.commands[max(0, len(m.commands)-1-n/len(m.agents))]
	for _, a := range m.agents {
		if a.name == c.agent {
			use(a, c)
			return
		}
	}
}

// sessionMoves are what may happen; n is from 0 to 23.
var sessionMoves = map[string]func(m *sessionModel, n int){
	"command": func(m *sessionModel, n int) {
		a := m.agent(n / 4)
		m.send(a, m.newCommand(a, n, m.pages[n%len(m.pages)]))
	},
	"again": func(m *sessionModel, n int) { m.some(n, m.send) },
	"other": func(m *sessionModel, n int) { // the same requestId with another body
		m.some(n, func(a *modelAgent, c *modelCommand) {
			if a.agent != nil && c.sends > 0 && !c.refused && c.daemon == m.daemon {
				a.agent.Receive([]byte(strings.Replace(c.body, `"requestId"`, `"frameId":"f9","requestId"`, 1)))
			}
		})
	},
	"cancel": func(m *sessionModel, n int) {
		m.some(n, func(a *modelAgent, c *modelCommand) {
			if a.agent != nil {
				a.agent.Receive(fmt.Appendf(nil, `{"type":"cancel","requestId":%q}`, c.id))
			}
		})
	},
	"do": func(m *sessionModel, n int) { m.do(n) },
	"publish": func(m *sessionModel, n int) {
		for range n%6 + 1 {
			m.pages[n%len(m.pages)].Publish(console("x"))
		}
	},
	"read":  func(m *sessionModel, n int) { m.agent(n).read(-1) },
	"break": func(m *sessionModel, n int) { m.agent(n).read(n / len(m.agents)) },
	"connect": func(m *sessionModel, n int) {
		if a := m.agent(n); a.agent == nil {
			a.attach()
		}
	},
	"page goes":  func(m *sessionModel, n int) { m.pageGoes(n, func(p *Page) { p.Disconnected(protocol.ReasonCrashed) }) },
	"page back":  func(m *sessionModel, n int) { m.pages[n%len(m.pages)].Reconnected(&modelPage{m, m.daemon}) },
	"page ends":  func(m *sessionModel, n int) { m.pageGoes(n, func(p *Page) { p.Remove(protocol.ReasonClosed) }) },
	"page comes": func(m *sessionModel, _ int) { m.addPage() },
	"restart":    func(m *sessionModel, _ int) { m.restartDaemon() },
}

// pageGoes takes a page away, which ends all its commands within the grace.
func (m *sessionModel) pageGoes(n int, leave func(p *Page)) {
	page := m.pages[n%len(m.pages)]
	leave(page)
	time.Sleep(defaultLimits.Grace + time.Millisecond)
	m.observe()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.commands {
		if c.daemon == m.daemon && c.page == page.ID() && c.sends > 0 && !c.refused && c.results[m.daemon] == 0 {
			m.problem("%s waits for page %d, which went away", c.id, c.page)
		}
	}
}

// settle lets all that runs come to its end, and every agent ask for what it has not heard.
func (m *sessionModel) settle() {
	time.Sleep(time.Minute)
	m.observe()
	m.addPage()
	for _, page := range m.pages {
		page.Reconnected(&modelPage{m, m.daemon})
	}
	for _, a := range m.agents {
		if a.agent == nil {
			a.attach()
		}
		a.read(-1)
		if a.agent == nil { // it was too slow
			a.attach()
			a.read(-1)
		}
		for _, c := range m.commands {
			if c.agent == a.name && c.sends > 0 {
				m.send(a, c)
				time.Sleep(2 * time.Second) // one after the other: BUSY would be an answer, too
				m.observe()
				a.read(-1)
			}
		}
		m.works(a)
		if log := m.observer.log; a.next != uint64(len(log))+1 {
			m.problem("%s is at %d of %d events", a.name, a.next, len(log))
		}
	}
	m.work.Wait()
	m.mu.Lock()
	for _, c := range m.commands {
		switch {
		case c.sends > 0 && c.results[m.daemon] != 1:
			m.problem("%s of %s was sent %d times and has %d results", c.id, c.agent, c.sends, c.results[m.daemon])
		case c.ran > 1 || c.left > 1:
			m.problem("%s ran %d times, left %d times", c.id, c.ran, c.left)
		case c.unsent && c.left > 0:
			m.problem("%s was said not to have been sent (%s), and had left", c.id, c.outcome)
		}
	}
	for _, d := range m.direct {
		code := codeOf(d.err)
		switch {
		case d.results != 1 || d.ran > 1 || d.left > 1:
			m.problem("%s has %d results, ran %d times, left %d times", d.id, d.results, d.ran, d.left)
		case d.err == nil && d.left != 1:
			m.problem("%s succeeded and left %d times", d.id, d.left)
		case unsent[code] && d.left > 0:
			m.problem("%s ended with %v and had left", d.id, d.err)
		}
	}
	m.mu.Unlock()
	m.hub.Close()
}

// works checks that every page that is left takes a command and runs it: nothing holds its turn.
func (m *sessionModel) works(a *modelAgent) {
	const obedient = 6 // 0.3 s of 1.8 s
	for _, page := range m.pages {
		if !page.Info().Connected {
			continue // removed
		}
		c := m.newCommand(a, obedient, page)
		m.send(a, c)
		time.Sleep(2 * time.Second)
		m.observe()
		a.read(-1)
		if c.ran != 1 || c.left != 1 || c.results[m.daemon] != 1 || c.unsent {
			m.problem("page %d no longer runs commands: %s ends with %q", page.ID(), c.id, c.outcome)
		}
	}
}

func codeOf(err error) fault.Code {
	var f *fault.Error
	errors.As(err, &f)
	if f == nil {
		return ""
	}
	return f.Code
}

// sessionMove is one step of a schedule, drawn before it is run: the run is in virtual time.
type sessionMove struct {
	what  string
	n     int
	after time.Duration
}

func sessionSchedules(rt *rapid.T) []sessionMove {
	names := []string{"command", "command", "command", "publish", "read", "connect", "page back"}
	for _, more := range []string{"again", "other", "cancel", "do", "break", "page goes", "page ends", "page comes", "restart"} {
		if rapid.Bool().Draw(rt, more) {
			names = append(names, more)
		}
	}
	return rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) sessionMove {
		return sessionMove{rapid.SampledFrom(names).Draw(rt, "what"), rapid.IntRange(0, 23).Draw(rt, "n"),
			rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond, 100 * time.Millisecond, 600 * time.Millisecond, 3 * time.Second}).Draw(rt, "after")}
	}), 1, 40).Draw(rt, "schedule")
}

// journal, queues, resumption and the life of commands over random schedules.
func TestA22INVBINVCSessionAgainstModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		schedule := sessionSchedules(rt)
		var problems []string
		synctest.Test(t, func(*testing.T) {
			m := newSessionModel()
			for _, name := range []string{"anna", "bert"} {
				a := &modelAgent{m: m, name: name, next: 1}
				a.attach()
				m.agents = append(m.agents, a)
			}
			for _, move := range schedule {
				sessionMoves[move.what](m, move.n)
				if move.after > 0 {
					time.Sleep(move.after)
				}
				m.observe()
			}
			m.settle()
			problems = m.problems
		})
		if len(problems) > 0 {
			var told []string
			for _, move := range schedule {
				told = append(told, fmt.Sprintf("%s %d, then %v", move.what, move.n, move.after))
			}
			rt.Fatalf("%s\nafter: %s", strings.Join(problems, "\n"), strings.Join(told, "; "))
		}
	})
}
