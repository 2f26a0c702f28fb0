package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// sessionModel is a session over several daemons, beside a model of what each command
// and each agent was promised:
//
//   - INV-C: a command, by its agent's name and requestId, runs at most once, however
//     often it is sent, over lost connections and new daemons
//   - INV-B: an accepted command gets one terminal result, by its deadline and the grace;
//     what the result says of the page is so
//   - INV-B: an agent gets each event once and in order, or a gap that counts what it missed
type sessionModel struct {
	mu       sync.Mutex // guards what executors and waiting callers touch
	hub      *Hub
	session  *Session
	daemon   int
	pages    []*Page
	observer *modelAgent // reads everything at once: its log is the model's
	agents   []*modelAgent
	commands []*modelCommand
	direct   []*directCall
	problems []string
	work     sync.WaitGroup
}

// heard is a message with what only a welcome has.
type heard struct {
	message
	Epoch string `json:"epoch"`
}

type modelAgent struct {
	m     *sessionModel
	name  string
	agent *Agent // nil while away
	epoch string // of the last welcome
	next  uint64 // event it must get next
	log   []heard
}

type modelCommand struct {
	agent, id, body string
	acts            bool
	does            conduct
	takes           time.Duration
	limit           time.Duration
	daemon, page    int // that it names
	sent            time.Time
	sends           int
	ran, left       int
	results         map[int]int // by daemon: terminal ones in its log
	outcome         string
	refused         bool // BUSY: not accepted, and may come again
	unsent          bool // a result said that it never left
}

// directCall is a command of Page.Do.
type directCall struct {
	id                 string
	ran, left, results int
	err                error
}

// conduct is how a page behaves with a command.
type conduct int

const (
	obeys       conduct = iota // sends, works, answers; stops when told
	hesitates                  // works before it sends
	isStuck                    // sends, and does not stop when told
	isStuckFar                 // does not stop when told, and then sends nothing
	fails                      // sends and fails
	breaks                     // panics after it sent
	conductEnds                // the number of them
)

func (m *sessionModel) problem(format string, args ...any) {
	if len(m.problems) < 5 {
		m.problems = append(m.problems, fmt.Sprintf(format, args...))
	}
}

// modelLimits are small, so that short schedules reach them.
var modelLimits = Limits{LogEvents: 24, QueueEvents: 12, PageQueue: 5, PageReads: 2, RememberBytes: 900, Remember: 24 * time.Hour}

func newSessionModel() *sessionModel {
	m := &sessionModel{}
	m.startDaemon()
	return m
}

func (m *sessionModel) epoch() string { return fmt.Sprint("epoch", m.daemon) }

func (m *sessionModel) startDaemon() {
	m.daemon++
	m.hub = NewHub(Config{Epoch: m.epoch(), HostVersion: "0.0.0", Limits: modelLimits, Log: zerolog.Nop()})
	m.session = m.hub.Open("default")
	m.observer = &modelAgent{m: m, name: "observer", next: 1}
	m.observer.attach()
	m.pages = nil
	m.addPage()
}

// restartDaemon ends the daemon; what it had accepted and not answered is lost with its epoch.
func (m *sessionModel) restartDaemon() {
	m.observe()
	m.hub.Close()
	for _, a := range m.agents {
		a.agent = nil
	}
	m.startDaemon()
}

func (m *sessionModel) addPage() {
	if len(m.pages) < 3 {
		m.pages = append(m.pages, m.session.AddPage(pageInfo(protocol.Control), &modelPage{m, m.daemon}))
	}
}

// modelPage runs commands as they say.
type modelPage struct {
	m      *sessionModel
	daemon int
}

func (p *modelPage) Run(ctx context.Context, cmd *protocol.Command, dispatched func()) (Outcome, error) {
	m := p.m
	m.mu.Lock()
	var c *modelCommand
	for _, known := range m.commands {
		if known.agent == cmd.AgentName && known.id == cmd.RequestID {
			c = known
		}
	}
	if c == nil || c.daemon != p.daemon {
		m.problem("daemon %d runs %s of %s, which is %+v", p.daemon, cmd.RequestID, cmd.AgentName, c)
		m.mu.Unlock()
		return Outcome{}, errors.New("unknown")
	}
	if c.ran++; c.ran > 1 {
		m.problem("%s of %s runs twice", c.id, c.agent)
	}
	m.mu.Unlock()
	return act(ctx, c.does, c.takes, func() {
		m.mu.Lock()
		c.left++
		m.mu.Unlock()
		dispatched()
	})
}

func act(ctx context.Context, does conduct, takes time.Duration, send func()) (Outcome, error) {
	work := func() error {
		select {
		case <-time.After(takes):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	done := Outcome{Result: "done", Effect: protocol.EffectChanged}
	switch does {
	case hesitates:
		if err := work(); err != nil {
			return Outcome{}, err
		}
		send()
	case isStuck:
		send()
		time.Sleep(takes)
	case isStuckFar:
		time.Sleep(takes)
		if ctx.Err() != nil {
			return Outcome{}, ctx.Err()
		}
		send()
	case fails:
		send()
		return Outcome{}, fault.New(fault.TargetStale, "it is gone").With("dispatched", true)
	case breaks:
		send()
		panic("the model's page breaks")
	default:
		send()
		if err := work(); err != nil {
			return Outcome{}, err
		}
	}
	return done, nil
}

// attach connects an agent, which resumes from the last event it got.
func (a *modelAgent) attach() {
	options := AttachOptions{Name: a.name, Resume: &Resume{Since: a.next - 1, Epoch: a.epoch}}
	a.agent = a.m.session.Attach(options)
}

// read takes what waits for the agent; after keep messages the connection dies, and the
// rest of the batch with it. keep below zero takes all.
func (a *modelAgent) read(keep int) {
	if a != a.m.observer {
		a.m.observe()
	}
	for a.agent != nil {
		batch, err := a.agent.take()
		if err != nil {
			lag := uint64(len(a.m.observer.log)) + 1 - a.next
			if !errors.Is(err, ErrTooSlow) || a == a.m.observer || a.epoch == a.m.epoch() && lag <= uint64(modelLimits.QueueEvents) {
				a.m.problem("%s was ended with %v when %d behind", a.name, err, lag)
			}
			a.agent = nil
			return
		}
		if len(batch) == 0 {
			return
		}
		for _, data := range batch {
			if keep == 0 {
				a.agent.Detach()
				a.agent = nil
				return
			}
			keep--
			a.take(data)
		}
	}
}

func (a *modelAgent) take(data []byte) {
	var got heard
	if err := json.Unmarshal(data, &got); err != nil {
		a.m.problem("%s got %s: %v", a.name, data, err)
		return
	}
	got.Raw = string(data)
	switch {
	case got.Type == protocol.TypeWelcome:
		// A new epoch is taken over with its gap: a connection that dies between the two resumes the old one.
		if a.epoch == "" {
			a.epoch = got.Epoch
		}
	case got.Type == protocol.TypeGap:
		a.gap(data, got)
	case got.Seq > 0:
		a.event(got)
	case got.Type == protocol.TypeCommandResult:
		if !got.Repeated {
			a.m.problem("%s got a result without a number: %s", a.name, data)
		}
		a.m.result(got)
	}
}

// gap compares what is said to be missing with the log.
func (a *modelAgent) gap(data []byte, got heard) {
	var gap protocol.Gap
	if err := json.Unmarshal(data, &gap); err != nil {
		a.m.problem("gap %s: %v", data, err)
		return
	}
	if gap.Reason == protocol.GapEpochChanged {
		if a.epoch == a.m.epoch() || gap.FromSeq != a.next {
			a.m.problem("%s at %d of %s is told %s", a.name, a.next, a.epoch, data)
		}
		a.epoch, a.next = a.m.epoch(), 1
		return
	}
	log := a.m.observer.log
	if a.epoch != a.m.epoch() || gap.FromSeq != a.next || gap.ToSeq == nil || *gap.ToSeq < gap.FromSeq || *gap.ToSeq > uint64(len(log)) {
		a.m.problem("%s at %d of %s is told %s", a.name, a.next, a.epoch, data)
		return
	}
	missed := make(map[string]uint64)
	for _, one := range log[gap.FromSeq-1 : *gap.ToSeq] {
		missed[one.Type]++
	}
	if !maps.Equal(missed, gap.Dropped) {
		a.m.problem("%s missed %v and is told %s", a.name, missed, data)
	}
	a.next = *gap.ToSeq + 1
}

// event compares a numbered message with the log; the observer makes it.
func (a *modelAgent) event(got heard) {
	if got.Seq != a.next || a.epoch != a.m.epoch() {
		a.m.problem("%s gets %d of %s, and should get %d of %s: %.200s", a.name, got.Seq, a.m.epoch(), a.next, a.epoch, got.Raw)
	}
	a.next = got.Seq + 1
	if a == a.m.observer {
		a.log = append(a.log, got)
		if got.Type == protocol.TypeCommandResult {
			a.m.result(got)
		}
		return
	}
	if log := a.m.observer.log; got.Seq > uint64(len(log)) || log[got.Seq-1].Raw != got.Raw {
		a.m.problem("%s gets another event %d than the others: %.200s", a.name, got.Seq, got.Raw)
	}
}

// observe brings the model's log up to date.
func (m *sessionModel) observe() {
	synctest.Wait()
	m.observer.read(-1)
}

// unsent are the codes that say a command that acts never left for the page.
var unsent = map[fault.Code]bool{fault.Timeout: true, fault.NotConnected: true, fault.PageNotFound: true, fault.Busy: true,
	fault.DaemonUnavailable: true, fault.ExtensionNotConnected: true}

// result compares a result, or its repetition, with what is known of the command.
func (m *sessionModel) result(got heard) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var c *modelCommand
	for _, known := range m.commands {
		if known.agent == got.AgentName && known.id == got.RequestID {
			c = known
		}
	}
	if c == nil {
		return // of Do
	}
	code := fault.Code("")
	if got.Error != nil {
		code = fault.Code(got.Error.Code)
	}
	outcome := fmt.Sprint(m.daemon, " ", got.Success, " ", code, " ", got.Effect)
	if code == fault.Busy {
		c.refused = true
		return
	}
	if got.Seq > 0 {
		if c.results[m.daemon]++; c.results[m.daemon] > 1 {
			m.problem("%s of %s has %d results, the last is %s", c.id, c.agent, c.results[m.daemon], outcome)
		}
		if at := time.UnixMilli(got.Timestamp); c.daemon == m.daemon && at.Sub(c.sent) > c.limit+defaultLimits.Grace+2*time.Millisecond {
			m.problem("%s of %s has its result after %v; its time was %v", c.id, c.agent, at.Sub(c.sent), c.limit)
		}
	} else if c.outcome != outcome {
		m.problem("%s of %s ended with %q and is repeated as %q", c.id, c.agent, c.outcome, outcome)
	}
	c.outcome = outcome
	switch {
	case c.daemon != m.daemon:
		if code != fault.Indeterminate {
			m.problem("%s, of a daemon that ended, is answered %s", c.id, outcome)
		}
	case got.Success && (c.ran != 1 || c.left != 1):
		m.problem("%s succeeded and ran %d times, left %d times", c.id, c.ran, c.left)
	case c.acts && (unsent[code] || code == fault.Cancelled && got.Error.Details["dispatched"] == false):
		c.unsent = true
	case code == fault.Indeterminate && c.ran == 0:
		m.problem("%s is answered %s and never ran", c.id, got.Raw)
	}
}
