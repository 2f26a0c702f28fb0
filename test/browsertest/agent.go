package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// maxMessage bounds one message to an agent: a whole event of the log fits.
const maxMessage = 64 << 20

// Params are the fields of a command, or of a target in it.
type Params map[string]any

// Message is one message of the protocol as it came.
type Message struct {
	Raw    []byte
	Fields map[string]any
}

// Type is the message's type.
func (m Message) Type() string { return m.String("type") }

// Seq is the message's place in the event log, 0 when it has none.
func (m Message) Seq() uint64 { return uint64(m.Number("seq")) }

// String gives a text field, empty when it is not there.
func (m Message) String(name string) string { text, _ := m.Fields[name].(string); return text }

// Number gives a number field, 0 when it is not there.
func (m Message) Number(name string) float64 { number, _ := m.Fields[name].(float64); return number }

// Success is true of a command_result that says so.
func (m Message) Success() bool { ok, _ := m.Fields["success"].(bool); return ok }

// Code is the error code of a command_result or host_error.
func (m Message) Code() string {
	if inner, ok := m.Fields["error"].(map[string]any); ok {
		code, _ := inner["code"].(string)
		return code
	}
	return m.String("code")
}

// Decode decodes the whole message.
func (m Message) Decode(into any) error { return json.Unmarshal(m.Raw, into) }

// Agent is one WebSocket client that keeps all it gets.
type Agent struct {
	Token string

	env  *Env
	ws   *websocket.Conn
	done chan struct{}

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at each message and at the end
	got     []Message
	err     error
	nextID  int
}

// Agent connects a new agent with a token of its own. Each query is one
// parameter of the address, e.g. "since=4"; the session is default unless named.
func (e *Env) Agent(query ...string) *Agent {
	e.T.Helper()
	e.mu.Lock()
	name := fmt.Sprintf("agent-%d", len(e.agents)+1)
	e.mu.Unlock()
	return e.AgentWith(e.Token(name, "--role", "agent"), query...)
}

// AgentWith connects an agent with a given token.
func (e *Env) AgentWith(token string, query ...string) *Agent {
	e.T.Helper()
	agent, err := e.TryAgent(token, query...)
	if err != nil {
		e.T.Fatalf("agent: %v", err)
	}
	return agent
}

// TryAgent is AgentWith that returns the error.
func (e *Env) TryAgent(token string, query ...string) (*Agent, error) {
	address, err := url.Parse(e.Daemon().URL)
	if err != nil {
		return nil, err
	}
	values := url.Values{"role": {"agent"}}
	for _, one := range query {
		name, value, _ := strings.Cut(one, "=")
		values.Add(name, value)
	}
	if !values.Has("sessionId") {
		values.Set("sessionId", "default")
	}
	address.RawQuery = values.Encode()
	ctx, cancel := e.deadline()
	defer cancel()
	ws, response, err := websocket.Dial(ctx, address.String(), &websocket.DialOptions{
		HTTPHeader:   http.Header{"Authorization": {"Bearer " + token}},
		Subprotocols: []string{"debug-bridge.v1"},
	})
	if err != nil {
		if response != nil {
			err = fmt.Errorf("HTTP %d: %w", response.StatusCode, err)
		}
		return nil, err
	}
	ws.SetReadLimit(maxMessage)
	agent := &Agent{Token: token, env: e, ws: ws, done: make(chan struct{}), changed: make(chan struct{})}
	go agent.read()
	e.mu.Lock()
	e.agents = append(e.agents, agent)
	e.mu.Unlock()
	return agent, nil
}

func (a *Agent) read() {
	defer close(a.done)
	for {
		_, data, err := a.ws.Read(context.Background())
		message := Message{Raw: data}
		if err == nil {
			err = json.Unmarshal(data, &message.Fields)
		}
		a.mu.Lock()
		if err != nil {
			a.err = err
		} else {
			a.got = append(a.got, message)
		}
		close(a.changed)
		a.changed = make(chan struct{})
		a.mu.Unlock()
		if err != nil {
			_ = a.ws.CloseNow() // ended either way
			return
		}
	}
}

// Messages gives all messages so far.
func (a *Agent) Messages() []Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.got)
}

// Len is how many messages came so far; AwaitFrom waits for one after them.
func (a *Agent) Len() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.got)
}

// LastSeq is the highest place in the event log that the agent has seen.
func (a *Agent) LastSeq() uint64 {
	var last uint64
	for _, message := range a.Messages() {
		last = max(last, message.Seq())
	}
	return last
}

// Await gives the first message that fits, of those that came or within time.
func (a *Agent) Await(what string, fits func(Message) bool, within ...time.Duration) Message {
	a.env.T.Helper()
	return a.AwaitFrom(0, what, fits, within...)
}

// AwaitType waits for the first message of a type.
func (a *Agent) AwaitType(kind string, within ...time.Duration) Message {
	a.env.T.Helper()
	return a.AwaitFrom(0, kind, func(m Message) bool { return m.Type() == kind }, within...)
}

// AwaitFrom is Await that leaves out the first messages.
func (a *Agent) AwaitFrom(from int, what string, fits func(Message) bool, within ...time.Duration) Message {
	a.env.T.Helper()
	limit := Patience
	if len(within) > 0 {
		limit = within[0]
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		a.mu.Lock()
		got, err, changed := a.got, a.err, a.changed
		a.mu.Unlock()
		for ; from < len(got); from++ {
			if fits(got[from]) {
				return got[from]
			}
		}
		if err != nil {
			a.env.T.Fatalf("await %s: the connection ended: %v\n%s", what, err, a.summary())
		}
		select {
		case <-changed:
		case <-timer.C:
			a.env.T.Fatalf("await %s: not within %v\n%s", what, limit, a.summary())
		}
	}
}

// summary lists the last messages, cut.
func (a *Agent) summary() string {
	got := a.Messages()
	var text strings.Builder
	fmt.Fprintf(&text, "%d messages", len(got))
	for _, message := range got[max(0, len(got)-12):] {
		fmt.Fprintf(&text, "\n  %s", cut(string(message.Raw), 400))
	}
	return text.String()
}

func cut(text string, n int) string {
	if len(text) > n {
		return text[:n] + " …"
	}
	return text
}

// Send sends a text message as it is.
func (a *Agent) Send(data []byte) {
	a.env.T.Helper()
	ctx, cancel := a.env.deadline()
	defer cancel()
	if err := a.ws.Write(ctx, websocket.MessageText, data); err != nil {
		a.env.T.Fatalf("send: %v", err)
	}
}

// Start sends a command and gives the requestId that its result will carry.
func (a *Agent) Start(kind string, params Params) string {
	a.env.T.Helper()
	a.mu.Lock()
	a.nextID++
	id := fmt.Sprintf("t%d-%d", time.Now().UnixNano(), a.nextID)
	a.mu.Unlock()
	message := map[string]any{"protocolVersion": 1, "type": kind, "requestId": id}
	for name, value := range params {
		message[name] = value
	}
	if given, ok := message["requestId"].(string); ok {
		id = given
	}
	data, err := json.Marshal(message)
	if err != nil {
		a.env.T.Fatalf("command %s: %v", kind, err)
	}
	a.Send(data)
	return id
}

// Result waits for the result of a command: its command_result, or the
// host_error that refused it.
func (a *Agent) Result(requestID string, within ...time.Duration) Message {
	a.env.T.Helper()
	return a.Await("result of "+requestID, func(m Message) bool {
		return m.String("requestId") == requestID && (m.Type() == "command_result" || m.Type() == "host_error")
	}, within...)
}

// Command sends a command and waits for its result, whatever it is.
func (a *Agent) Command(kind string, params Params) Message {
	a.env.T.Helper()
	return a.Result(a.Start(kind, params), 2*Patience)
}

// Do is Command that must succeed.
func (a *Agent) Do(kind string, params Params) Message {
	a.env.T.Helper()
	result := a.Command(kind, params)
	if !result.Success() {
		a.env.T.Fatalf("%s %v: %s", kind, params, result.Raw)
	}
	return result
}

// Drop cuts the connection without a closing handshake.
func (a *Agent) Drop() {
	_ = a.ws.CloseNow() // it may be closed already
	<-a.done
}

// Close closes the connection.
func (a *Agent) Close() {
	select {
	case <-a.done:
	default:
		_ = a.ws.Close(websocket.StatusNormalClosure, "") // the peer may be gone
	}
	<-a.done
}

// CloseCode waits for the end of the connection and gives its close code, -1 without one.
func (a *Agent) CloseCode() int {
	a.env.T.Helper()
	select {
	case <-a.done:
	case <-time.After(Patience):
		a.env.T.Fatalf("the connection stays open\n%s", a.summary())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if closed, ok := errors.AsType[websocket.CloseError](a.err); ok {
		return int(closed.Code)
	}
	return -1
}
