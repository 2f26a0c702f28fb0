package record

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

const patience = 45 * time.Second

// person is somebody at the keyboard of a managed browser: trusted input from a DevTools
// connection that is none of the agent's commands.
type person struct {
	t       testing.TB
	ctx     context.Context
	socket  *websocket.Conn
	session string
	last    int
}

func sitDown(t testing.TB, e *commandtest.Env, url string) *person {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	t.Cleanup(cancel)
	endpoint, _ := e.OK("session", "cdp")["endpoint"].(string)
	socket, _, err := websocket.Dial(ctx, endpoint, nil)
	if err != nil {
		t.Fatal(err)
	}
	socket.SetReadLimit(64 << 20)
	t.Cleanup(func() { _ = socket.CloseNow() })
	p := &person{t: t, ctx: ctx, socket: socket}
	var list struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	p.call("Target.getTargets", map[string]any{}, &list)
	for _, target := range list.TargetInfos {
		if target.Type == "page" && target.URL == url {
			var attached struct{ SessionID string }
			p.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
			p.session = attached.SessionID
			return p
		}
	}
	t.Fatalf("no page %s among %+v", url, list.TargetInfos)
	return nil
}

func (p *person) call(method string, params, result any) {
	p.t.Helper()
	p.last++
	message := map[string]any{"id": p.last, "method": method, "params": params}
	if p.session != "" {
		message["sessionId"] = p.session
	}
	data, _ := json.Marshal(message)
	if err := p.socket.Write(p.ctx, websocket.MessageText, data); err != nil {
		p.t.Fatalf("%s: %v", method, err)
	}
	for {
		_, data, err := p.socket.Read(p.ctx)
		if err != nil {
			p.t.Fatalf("%s: %v", method, err)
		}
		var answer struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if json.Unmarshal(data, &answer) != nil || answer.ID != p.last {
			continue
		}
		if answer.Error != nil {
			p.t.Fatalf("%s: %s", method, answer.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(answer.Result, result); err != nil {
				p.t.Fatal(err)
			}
		}
		return
	}
}

func (p *person) eval(expression string) any {
	p.t.Helper()
	var answer struct{ Result struct{ Value any } }
	p.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	return answer.Result.Value
}

// await waits until an expression is true in the page.
func (p *person) await(expression string) {
	p.t.Helper()
	end := time.Now().Add(patience)
	for p.eval("!!("+expression+")") != true {
		if time.Now().After(end) {
			p.t.Fatalf("never: %s", expression)
		}
		time.Sleep(30 * time.Millisecond)
	}
}

func (p *person) click(selector string) {
	p.t.Helper()
	at, _ := p.eval(fmt.Sprintf("(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()", selector)).([]any)
	if len(at) != 2 {
		p.t.Fatalf("no %s", selector)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
}

func (p *person) types(text string) {
	p.t.Helper()
	for _, letter := range text {
		p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "text": string(letter), "key": string(letter)}, nil)
		p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": string(letter)}, nil)
	}
}

// commandtestUntil waits until something holds.
func commandtestUntil(t testing.TB, what string, done func() bool) {
	t.Helper()
	end := time.Now().Add(patience)
	for !done() {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
