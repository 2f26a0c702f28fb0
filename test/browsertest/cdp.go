package browsertest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// maxDevTools bounds one DevTools message; screenshots and big trees are a few MB.
const maxDevTools = 256 << 20

// Conn is a DevTools connection to the whole browser, with flat sessions.
type Conn struct {
	ws   *websocket.Conn
	done chan struct{}

	mu      sync.Mutex
	next    int64
	pending map[int64]chan reply
	streams []*Events
	err     error
}

type reply struct {
	result json.RawMessage
	err    error
}

// CDPError is the browser's refusal of a command.
type CDPError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Method  string `json:"-"`
}

func (e *CDPError) Error() string { return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code) }

var errClosed = errors.New("the DevTools connection is closed")

func dialDevTools(ctx context.Context, url string) (*Conn, error) {
	ws, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(maxDevTools)
	c := &Conn{ws: ws, done: make(chan struct{}), pending: make(map[int64]chan reply)}
	go c.read()
	return c, nil
}

// Close ends the connection and waits for its reader.
func (c *Conn) Close() {
	_ = c.ws.CloseNow() // the browser may be gone already
	<-c.done
}

func (c *Conn) read() {
	defer close(c.done)
	for {
		_, data, err := c.ws.Read(context.Background())
		if err != nil {
			c.fail(fmt.Errorf("%w: %w", errClosed, err))
			return
		}
		var message struct {
			ID        int64           `json:"id"`
			SessionID string          `json:"sessionId"`
			Method    string          `json:"method"`
			Params    json.RawMessage `json:"params"`
			Result    json.RawMessage `json:"result"`
			Error     *CDPError       `json:"error"`
		}
		if err := json.Unmarshal(data, &message); err != nil {
			c.fail(err)
			return
		}
		c.mu.Lock()
		if message.Method != "" {
			for _, stream := range c.streams {
				if stream.session == message.SessionID && stream.method == message.Method {
					stream.add(message.Params)
				}
			}
		} else if answer, waiting := c.pending[message.ID]; waiting {
			delete(c.pending, message.ID)
			if message.Error != nil {
				answer <- reply{err: message.Error}
			} else {
				answer <- reply{result: message.Result}
			}
		}
		c.mu.Unlock()
	}
}

func (c *Conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = err
	for id, answer := range c.pending {
		delete(c.pending, id)
		answer <- reply{err: err}
	}
}

// Call sends a command to a session (empty: to the browser) and decodes its result into result, unless nil.
func (c *Conn) Call(ctx context.Context, session, method string, params, result any) error {
	if params == nil {
		params = struct{}{}
	}
	answer := make(chan reply, 1)
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return c.err
	}
	c.next++
	id := c.next
	c.pending[id] = answer
	c.mu.Unlock()
	data, err := json.Marshal(struct {
		ID        int64  `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params"`
	}{id, session, method, params})
	if err != nil {
		return err
	}
	// The connection's life is not the call's: a cancelled write would end it.
	if err := c.ws.Write(context.WithoutCancel(ctx), websocket.MessageText, data); err != nil {
		return err
	}
	select {
	case got := <-answer:
		if refused, ok := errors.AsType[*CDPError](got.err); ok {
			refused.Method = method
		}
		if got.err != nil || result == nil {
			return got.err
		}
		return json.Unmarshal(got.result, result)
	case <-ctx.Done():
		c.mu.Lock()
		delete(c.pending, id)
		c.mu.Unlock()
		return fmt.Errorf("%s: %w", method, context.Cause(ctx))
	}
}

// Events collects the events of one method in one session, from Listen on.
type Events struct {
	session, method string

	mu  sync.Mutex
	got []json.RawMessage
}

// Listen starts to collect events. The domain must be enabled by the caller.
func (c *Conn) Listen(session, method string) *Events {
	events := &Events{session: session, method: method}
	c.mu.Lock()
	c.streams = append(c.streams, events)
	c.mu.Unlock()
	return events
}

// All gives the events so far.
func (e *Events) All() []json.RawMessage {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.got)
}

func (e *Events) add(params json.RawMessage) {
	e.mu.Lock()
	e.got = append(e.got, params)
	e.mu.Unlock()
}

// targetInfo is one entry of Target.getTargets.
type targetInfo struct {
	TargetID string `json:"targetId"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Attached bool   `json:"attached"`
}

func (c *Conn) targets(ctx context.Context) ([]targetInfo, error) {
	var list struct {
		TargetInfos []targetInfo `json:"targetInfos"`
	}
	// The default filter hides nothing we need, but is not the same in all versions.
	err := c.Call(ctx, "", "Target.getTargets", map[string]any{"filter": []any{map[string]any{}}}, &list)
	return list.TargetInfos, err
}

func (c *Conn) attach(ctx context.Context, targetID string) (session string, err error) {
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	err = c.Call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": targetID, "flatten": true}, &attached)
	return attached.SessionID, err
}

func (c *Conn) detach(session string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	// A target that is gone has no session any more.
	_ = c.Call(ctx, "", "Target.detachFromTarget", map[string]any{"sessionId": session}, nil)
}

// evaluate runs an expression and decodes its (awaited) value into result, unless nil.
func (c *Conn) evaluate(ctx context.Context, session, expression string, contextID int, result any) error {
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if contextID != 0 {
		params["contextId"] = contextID
	}
	var outcome struct {
		Result struct {
			Value       json.RawMessage `json:"value"`
			Type        string          `json:"type"`
			Description string          `json:"description"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string          `json:"description"`
				Value       json.RawMessage `json:"value"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if err := c.Call(ctx, session, "Runtime.evaluate", params, &outcome); err != nil {
		return err
	}
	if thrown := outcome.ExceptionDetails; thrown != nil {
		return fmt.Errorf("%s: %s %s%s", short(expression), thrown.Text, thrown.Exception.Description, thrown.Exception.Value)
	}
	if result == nil {
		return nil
	}
	if outcome.Result.Value == nil {
		return fmt.Errorf("%s: has no JSON value but is %s %s", short(expression), outcome.Result.Type, outcome.Result.Description)
	}
	return json.Unmarshal(outcome.Result.Value, result)
}

func short(text string) string {
	if len(text) > 120 {
		return text[:120] + " …"
	}
	return text
}
