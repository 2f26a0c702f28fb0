package browsertest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Tab is one page of the browser (or a frame in another process), seen over the
// harness' own DevTools connection.
type Tab struct {
	ID string // DevTools target id

	env     *Env
	session string
	frame   bool
}

// OpenTab opens an address in a new tab in front and waits until it is loaded.
func (e *Env) OpenTab(url string) *Tab {
	e.T.Helper()
	ctx, cancel := e.deadline()
	defer cancel()
	var made struct {
		TargetID string `json:"targetId"`
	}
	if err := e.Browser.Conn.Call(ctx, "", "Target.createTarget", map[string]any{"url": url}, &made); err != nil {
		e.T.Fatalf("open %s: %v", url, err)
	}
	tab := &Tab{ID: made.TargetID, env: e}
	tab.Await("location.href !== 'about:blank' && document.readyState === 'complete'")
	return tab
}

// deadline bounds one call.
func (e *Env) deadline() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), Patience)
}

// Frame finds the frame in another process whose address holds part. Frames in
// the tab's own process are reached with Eval.
func (t *Tab) Frame(part string) *Tab {
	t.env.T.Helper()
	var found string
	err := poll(Patience, func() (bool, error) {
		ctx, cancel := t.env.deadline()
		defer cancel()
		targets, err := t.env.Browser.Conn.targets(ctx)
		for _, target := range targets {
			if target.Type == "iframe" && strings.Contains(target.URL, part) {
				found = target.TargetID
				return true, nil
			}
		}
		return false, err
	})
	if err != nil {
		t.env.T.Fatalf("frame of %s: %v", part, err)
	}
	return &Tab{ID: found, env: t.env, frame: true}
}

// Call sends a DevTools command to the tab.
func (t *Tab) Call(method string, params, result any) error {
	ctx, cancel := t.env.deadline()
	defer cancel()
	return t.call(ctx, method, params, result)
}

func (t *Tab) call(ctx context.Context, method string, params, result any) error {
	session, err := t.attached(ctx)
	if err != nil {
		return err
	}
	return t.env.Browser.Conn.Call(ctx, session, method, params, result)
}

func (t *Tab) attached(ctx context.Context) (string, error) {
	if t.session == "" {
		session, err := t.env.Browser.Conn.attach(ctx, t.ID)
		if err != nil {
			return "", err
		}
		t.session = session
	}
	return t.session, nil
}

// Detach lets go of the tab; the next call attaches again.
func (t *Tab) Detach() {
	if t.session != "" {
		t.env.Browser.Conn.detach(t.session)
		t.session = ""
	}
}

// Listen collects events of the tab. The domain must be enabled with Call.
func (t *Tab) Listen(method string) *Events {
	t.env.T.Helper()
	ctx, cancel := t.env.deadline()
	defer cancel()
	session, err := t.attached(ctx)
	if err != nil {
		t.env.T.Fatalf("listen to %s: %v", method, err)
	}
	return t.env.Browser.Conn.Listen(session, method)
}

// Eval runs JavaScript in the page's own world and decodes its awaited value
// into result, unless nil.
func (t *Tab) Eval(expression string, result any) {
	t.env.T.Helper()
	if err := t.TryEval(expression, result); err != nil {
		t.env.T.Fatalf("eval: %v", err)
	}
}

// TryEval is Eval that returns the error.
func (t *Tab) TryEval(expression string, result any) error {
	ctx, cancel := t.env.deadline()
	defer cancel()
	session, err := t.attached(ctx)
	if err != nil {
		return err
	}
	return t.env.Browser.Conn.evaluate(ctx, session, expression, 0, result)
}

// Text is Eval for a string.
func (t *Tab) Text(expression string) string {
	t.env.T.Helper()
	var text string
	t.Eval(expression, &text)
	return text
}

// Await polls an expression until it is true. Errors on the way are those of a
// document that comes or goes.
func (t *Tab) Await(expression string) {
	t.env.T.Helper()
	err := poll(Patience, func() (bool, error) {
		var ok bool
		err := t.TryEval("Boolean("+expression+")", &ok)
		return ok && err == nil, err
	})
	if err != nil {
		t.env.T.Fatalf("await %s: %v", expression, err)
	}
}

// isolated evaluates in a fresh world of the main frame, where the page's own
// overrides of the DOM do not reach.
func (t *Tab) isolated(expression string, result any) error {
	ctx, cancel := t.env.deadline()
	defer cancel()
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	if err := t.call(ctx, "Page.getFrameTree", nil, &tree); err != nil {
		return err
	}
	var world struct {
		ExecutionContextID int `json:"executionContextId"`
	}
	if err := t.call(ctx, "Page.createIsolatedWorld", map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": "browsertest"}, &world); err != nil {
		return err
	}
	return t.env.Browser.Conn.evaluate(ctx, t.session, expression, world.ExecutionContextID, result)
}

// Point is a place in the tab's viewport, CSS px.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Center scrolls an element into view and gives its middle.
func (t *Tab) Center(selector string) Point {
	t.env.T.Helper()
	quoted, err := json.Marshal(selector)
	if err != nil {
		t.env.T.Fatalf("selector %s: %v", selector, err)
	}
	var at *Point
	err = poll(Patience, func() (bool, error) {
		err := t.isolated(fmt.Sprintf(`(() => {
			const element = document.querySelector(%s);
			if (!element) return null;
			element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
			const box = element.getBoundingClientRect();
			return box.width && box.height ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
		})()`, quoted), &at)
		return at != nil, err
	})
	if err != nil {
		t.env.T.Fatalf("element %s: %v", selector, err)
	}
	return *at
}

// Click clicks an element with real mouse input.
func (t *Tab) Click(selector string) {
	t.env.T.Helper()
	at := t.Center(selector)
	if err := t.ClickAt(at); err != nil {
		t.env.T.Fatalf("click %s: %v", selector, err)
	}
}

// ClickAt clicks a place with real mouse input. While a dialog opens the answer
// does not come before it is closed; the error is then the deadline's.
func (t *Tab) ClickAt(at Point) error {
	for _, step := range []struct {
		kind    string
		buttons int
	}{{"mouseMoved", 0}, {"mousePressed", 1}, {"mouseReleased", 0}} {
		params := map[string]any{"type": step.kind, "x": at.X, "y": at.Y, "buttons": step.buttons}
		if step.kind != "mouseMoved" {
			params["button"], params["clickCount"] = "left", 1
		}
		if err := t.Call("Input.dispatchMouseEvent", params, nil); err != nil {
			return err
		}
	}
	return nil
}

// Type puts text at the caret with real input.
func (t *Tab) Type(text string) {
	t.env.T.Helper()
	if err := t.Call("Input.insertText", map[string]any{"text": text}, nil); err != nil {
		t.env.T.Fatalf("type: %v", err)
	}
}

// keys are those that Press knows.
var keys = map[string]struct {
	code int
	text string
}{
	"Enter": {13, "\r"}, "Tab": {9, ""}, "Escape": {27, ""}, "Space": {32, " "}, "Backspace": {8, ""},
	"ArrowUp": {38, ""}, "ArrowDown": {40, ""}, "ArrowLeft": {37, ""}, "ArrowRight": {39, ""},
}

// Press presses and lets go of a key, by its KeyboardEvent.code.
func (t *Tab) Press(key string) {
	t.env.T.Helper()
	known, ok := keys[key]
	if !ok {
		t.env.T.Fatalf("press: unknown key %s", key)
	}
	name := key
	if key == "Space" {
		name = " "
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := map[string]any{"type": kind, "key": name, "code": key, "windowsVirtualKeyCode": known.code}
		if kind == "keyDown" && known.text != "" {
			params["text"] = known.text
		}
		if err := t.Call("Input.dispatchKeyEvent", params, nil); err != nil {
			t.env.T.Fatalf("press %s: %v", key, err)
		}
	}
}

// Navigate loads an address in the tab and waits until it is loaded.
func (t *Tab) Navigate(url string) {
	t.env.T.Helper()
	mark := fmt.Sprintf("__browsertest_%d", time.Now().UnixNano())
	// The mark is on the old document's window; the new document has none.
	_ = t.TryEval(fmt.Sprintf("void (window[%q] = 1)", mark), nil) // a crashed page has no window
	var outcome struct {
		ErrorText string `json:"errorText"`
	}
	if err := t.Call("Page.navigate", map[string]any{"url": url}, &outcome); err != nil {
		t.env.T.Fatalf("navigate to %s: %v", url, err)
	}
	if outcome.ErrorText != "" && outcome.ErrorText != "net::ERR_HTTP_RESPONSE_CODE_FAILURE" {
		t.env.T.Fatalf("navigate to %s: %s", url, outcome.ErrorText)
	}
	if before, _, found := strings.Cut(url, "#"); found && strings.HasPrefix(t.Text("location.href"), before+"#") {
		return // within the document
	}
	t.Await(fmt.Sprintf("!window[%q] && document.readyState === 'complete'", mark))
}

// Front brings the tab to the front.
func (t *Tab) Front() {
	t.env.T.Helper()
	ctx, cancel := t.env.deadline()
	defer cancel()
	if err := t.env.Browser.Conn.Call(ctx, "", "Target.activateTarget", map[string]any{"targetId": t.ID}, nil); err != nil {
		t.env.T.Fatalf("bring the tab to the front: %v", err)
	}
}

// Close closes the tab.
func (t *Tab) Close() {
	t.env.T.Helper()
	ctx, cancel := t.env.deadline()
	defer cancel()
	if err := t.env.Browser.Conn.Call(ctx, "", "Target.closeTarget", map[string]any{"targetId": t.ID}, nil); err != nil {
		t.env.T.Fatalf("close the tab: %v", err)
	}
	t.env.awaitGone(t.ID)
}

// Crash crashes the tab's renderer.
func (t *Tab) Crash() {
	t.env.T.Helper()
	if err := t.Call("Inspector.enable", nil, nil); err != nil {
		t.env.T.Fatalf("crash: %v", err)
	}
	crashed := t.Listen("Inspector.targetCrashed")
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- t.call(ctx, "Page.crash", nil, nil) }() // answered only by the crash, if at all
	Until(t.env.T, Patience, "the renderer's crash", func() bool { return len(crashed.All()) > 0 })
	cancel()
	if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
		t.env.T.Logf("Page.crash: %v", err)
	}
}

// Screenshot gives the viewport as PNG.
func (t *Tab) Screenshot() []byte {
	t.env.T.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	if err := t.Call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot); err != nil {
		t.env.T.Fatalf("screenshot: %v", err)
	}
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		t.env.T.Fatalf("screenshot: %v", err)
	}
	return png
}

// awaitGone waits until a target is not listed any more.
func (e *Env) awaitGone(id string) {
	e.T.Helper()
	err := poll(Patience, func() (bool, error) {
		ctx, cancel := e.deadline()
		defer cancel()
		targets, err := e.Browser.Conn.targets(ctx)
		for _, target := range targets {
			if target.TargetID == id {
				return false, nil
			}
		}
		return err == nil, err
	})
	if err != nil {
		e.T.Fatalf("target %s stays: %v", id, err)
	}
}

// OpenPrivateTab opens an address in a window of another cookie jar, as an incognito window is.
func (e *Env) OpenPrivateTab(url string) *Tab {
	e.T.Helper()
	ctx, cancel := e.deadline()
	defer cancel()
	var made struct {
		BrowserContextID string `json:"browserContextId"`
		TargetID         string `json:"targetId"`
	}
	err := e.Browser.Conn.Call(ctx, "", "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &made)
	if err == nil {
		err = e.Browser.Conn.Call(ctx, "", "Target.createTarget", map[string]any{"url": url, "browserContextId": made.BrowserContextID, "newWindow": true}, &made)
	}
	if err != nil {
		e.T.Fatalf("open %s privately: %v", url, err)
	}
	tab := &Tab{ID: made.TargetID, env: e}
	tab.Await("location.href !== 'about:blank' && document.readyState === 'complete'")
	return tab
}
