package chromium

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
)

// Page is one tab. Its methods fail the test instead of returning errors.
type Page struct {
	t       testing.TB
	browser *Browser
	target  string
	session string
	frame   string

	mu       sync.Mutex
	contexts map[string]int64 // isolated worlds by name
}

// Open makes a tab and closes it with the test. The URL is loaded by Go.
func (b *Browser) Open(t testing.TB) *Page {
	t.Helper()
	p := &Page{t: t, browser: b, contexts: map[string]int64{}}
	var target struct {
		TargetID string `json:"targetId"`
	}
	p.must(b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &target))
	p.target = target.TargetID
	t.Cleanup(func() { _ = b.call("", "Target.closeTarget", map[string]any{"targetId": p.target}, nil) })
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	p.must(b.call("", "Target.attachToTarget", map[string]any{"targetId": p.target, "flatten": true}, &attached))
	p.session = attached.SessionID
	p.Call("Page.enable", nil, nil)
	p.Call("Runtime.enable", nil, nil)
	p.Call("Page.bringToFront", nil, nil) // a tab behind another one is hidden and draws nothing
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	p.Call("Page.getFrameTree", nil, &tree)
	p.frame = tree.FrameTree.Frame.ID
	return p
}

func (p *Page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// Call sends one CDP command to the page.
func (p *Page) Call(method string, params, out any) {
	p.t.Helper()
	p.must(p.browser.call(p.session, method, params, out))
}

// On calls back for each event of the page, in order, on the reader's goroutine.
func (p *Page) On(method string, call func(params json.RawMessage)) {
	p.browser.on(p.session, method, call)
}

// Load navigates and waits for the load event.
func (p *Page) Load(url string) {
	p.t.Helper()
	loaded := make(chan struct{}, 8)
	p.On("Page.loadEventFired", func(json.RawMessage) {
		select {
		case loaded <- struct{}{}:
		default:
		}
	})
	var nav struct {
		ErrorText string `json:"errorText"`
	}
	p.Call("Page.navigate", map[string]any{"url": url}, &nav)
	if nav.ErrorText != "" {
		p.t.Fatalf("load %s: %s", url, nav.ErrorText)
	}
	select {
	case <-loaded:
	case <-time.After(callTimeout):
		p.t.Fatalf("load %s: no load event", url)
	}
	p.mu.Lock()
	p.contexts = map[string]int64{}
	p.mu.Unlock()
}

// World makes an isolated world in the main frame and runs source there.
func (p *Page) World(name, source string) {
	p.t.Helper()
	var made struct {
		ExecutionContextID int64 `json:"executionContextId"`
	}
	p.Call("Page.createIsolatedWorld", map[string]any{"frameId": p.frame, "worldName": name}, &made)
	p.mu.Lock()
	p.contexts[name] = made.ExecutionContextID
	p.mu.Unlock()
	p.EvalIn(name, source+"\n;undefined", nil)
}

// Eval evaluates in the page's own world, awaits promises and decodes the value.
func (p *Page) Eval(expression string, out any) {
	p.t.Helper()
	p.EvalIn("", expression, out)
}

// EvalIn evaluates in a world made by World ("" is the page's own).
func (p *Page) EvalIn(world, expression string, out any) {
	p.t.Helper()
	p.must(p.TryEvalIn(world, expression, out))
}

// TryEvalIn is EvalIn with the error given back.
func (p *Page) TryEvalIn(world, expression string, out any) error {
	params := map[string]any{
		"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true,
	}
	if world != "" {
		p.mu.Lock()
		params["contextId"] = p.contexts[world]
		p.mu.Unlock()
	}
	var got struct {
		Result struct {
			Type  string          `json:"type"`
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string          `json:"description"`
				Value       json.RawMessage `json:"value"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	if err := p.browser.call(p.session, "Runtime.evaluate", params, &got); err != nil {
		return err
	}
	if e := got.ExceptionDetails; e != nil {
		return fmt.Errorf("%s %s %s", e.Text, e.Exception.Description, e.Exception.Value)
	}
	if out == nil {
		return nil
	}
	if got.Result.Value == nil {
		return errors.New("evaluate gave " + got.Result.Type)
	}
	return json.Unmarshal(got.Result.Value, out)
}

// Until waits for an expression to be true in a world; it names the condition when it gives up.
func (p *Page) Until(world, condition string) {
	p.t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		var ok bool
		p.EvalIn(world, "!!("+condition+")", &ok)
		if ok {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("never true: %s", condition)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
