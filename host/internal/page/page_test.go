package page

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestTelemetryComesOnceWhateverIsResent(t *testing.T) {
	w := newWorld(t, "observe")
	line := func(n int) string {
		return fmt.Sprintf(`{"type":"console","timestamp":1,"level":"log","args":["line %d"]}`, n)
	}
	w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d1","first":1,"messages":[`+line(1)+`,`+line(2)+`]}`)
	w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d1","first":1,"messages":[`+line(1)+`,`+line(2)+`,`+line(3)+`]}`)
	for n := 1; n <= 3; n++ {
		message := w.await("console", nil)
		if got := message["args"].([]any)[0]; got != fmt.Sprintf("line %d", n) {
			t.Fatalf("message %d is %v", n, got)
		}
	}
	if got := w.browser.lastAck(); got != 3 {
		t.Errorf("acknowledged up to %d, want 3", got)
	}
}

func TestP26RefsOfAnEarlierDocumentAreStale(t *testing.T) {
	w := newWorld(t, "act")
	w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d1","first":1,"messages":[
		{"type":"ui_tree","timestamp":1,"version":1,"full":true,"items":[`+itemJSON("e1")+`,`+itemJSON("e2")+`]}]}`)
	if got := refs(w.await("ui_tree", nil)); got != "e1 e2" {
		t.Fatalf("refs %q", got)
	}
	w.event("tab.navigated", `{"tabId":7,"url":"http://127.0.0.1/two","sameDocument":false,"documentId":"d2"}`)
	w.event("frame.added", `{"tabId":7,"frameId":0,"parentFrameId":-1,"documentId":"d2","url":"http://127.0.0.1/two"}`)
	w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d2","first":1,"messages":[
		{"type":"ui_tree","timestamp":1,"version":1,"full":true,"items":[`+itemJSON("e1")+`]}]}`)
	if got := refs(w.await("ui_tree", nil)); got != "e3" {
		t.Fatalf("refs of the new document %q, want e3", got)
	}
	result := w.command(`{"type":"click","requestId":"a","target":{"ref":"e1"}}`)
	if code(result) != "TARGET_STALE" {
		t.Errorf("old ref: %v", result)
	}
	clicked := ""
	w.browser.bridge["click"] = func(_ int, command map[string]any) (any, error) {
		clicked = command["target"].(map[string]any)["ref"].(string)
		return map[string]any{"result": map[string]any{"ref": "e1"}, "effect": "changed"}, nil
	}
	result = w.command(`{"type":"click","requestId":"b","target":{"ref":"e3"}}`)
	if clicked != "e1" || result["success"] != true {
		t.Errorf("clicked %q, result %v", clicked, result)
	}
	if got := result["result"].(map[string]any)["ref"]; got != "e3" {
		t.Errorf("the result names %v, want e3", got)
	}
}

func itemJSON(ref string) string {
	return `{"ref":"` + ref + `","stableId":"s","selector":"#s","role":"button","name":"n","disabled":false,"visible":true,
		"bounds":{"x":1,"y":2,"width":3,"height":4},"frameId":"main"}`
}

func TestFramesAreMergedInPlace(t *testing.T) {
	w := newWorld(t, "observe")
	w.event("frame.added", `{"tabId":7,"frameId":41,"parentFrameId":0,"documentId":"c1","url":"http://localhost/"}`)
	w.browser.bridge["frame_info"] = func(int, map[string]any) (any, error) {
		return map[string]any{"result": map[string]any{}}, nil
	}
	w.browser.bridge["request_ui_tree"] = func(frame int, _ map[string]any) (any, error) {
		if frame == 41 {
			return map[string]any{"result": map[string]any{"items": []any{item("e1", "inner")}, "version": 1, "frame": map[string]any{"index": 0}}}, nil
		}
		owner := map[string]any{"index": 0, "visible": true, "order": 1, "bounds": map[string]any{"x": 100, "y": 200, "width": 50, "height": 50}}
		return map[string]any{"result": map[string]any{
			"items": []any{item("e1", "before"), item("e2", "after")}, "version": 4,
			"frame": map[string]any{"index": -1, "childFrames": []any{owner}},
		}}, nil
	}
	result := w.command(`{"type":"request_ui_tree","requestId":"t"}`)
	if result["success"] != true {
		t.Fatalf("%v", result)
	}
	w.agent.Receive([]byte(`{"type":"request_ui_tree","requestId":"u"}`))
	tree := w.await("ui_tree", func(m map[string]any) bool { return m["requestId"] == "u" })
	if got := refs(tree); got != "e1 f1e1 e2" {
		t.Errorf("refs %q, want the frame's where its element stands", got)
	}
	inner := tree["items"].([]any)[1].(map[string]any)
	if bounds := inner["bounds"].(map[string]any); bounds["x"] != 101.0 || bounds["y"] != 202.0 || inner["frameId"] != "f1" {
		t.Errorf("inner item %v is not in the page's coordinates", inner)
	}
}

func TestATargetIsSoughtInAllFrames(t *testing.T) {
	w := newWorld(t, "act")
	w.event("frame.added", `{"tabId":7,"frameId":41,"parentFrameId":0,"documentId":"c1","url":"http://localhost/"}`)
	both := false
	w.browser.bridge["locate"] = func(frame int, _ map[string]any) (any, error) {
		if frame == 41 || both {
			return map[string]any{"result": map[string]any{"ref": "e9"}}, nil
		}
		return nil, fault.New(fault.ElementNotFound, "nothing here")
	}
	where := -1
	w.browser.bridge["click"] = func(frame int, _ map[string]any) (any, error) {
		where = frame
		return map[string]any{"effect": "changed"}, nil
	}
	result := w.command(`{"type":"click","requestId":"a","target":{"text":"Pay"}}`)
	if result["success"] != true || where != 41 {
		t.Errorf("clicked in frame %d: %v", where, result)
	}
	both, where = true, -1
	result = w.command(`{"type":"click","requestId":"b","target":{"text":"Pay"}}`)
	if code(result) != "TARGET_AMBIGUOUS" || where != -1 {
		t.Errorf("in two frames: %v, clicked in %d", result, where)
	}
	candidates := fmt.Sprint(result["error"].(map[string]any)["details"])
	if !strings.Contains(candidates, "f1e9") || !strings.Contains(candidates, "ref:e9") {
		t.Errorf("candidates %s", candidates)
	}
}

func TestP01ADocumentThatGoesEndsItsCommands(t *testing.T) {
	for _, c := range []struct {
		how, event, code, effect string
		acted                    bool
	}{
		{"navigated", "", "", "navigated", true},
		{"navigated", "", "NAVIGATION_INTERRUPTED", "", false},
		{"gone", `tab.disconnected {"tabId":7,"reason":"closed"}`, "PAGE_NOT_FOUND", "", true},
		{"gone", `tab.paused {"tabId":7,"reason":"crashed"}`, "NOT_CONNECTED", "", false},
		{"gone", `tab.navigated {"tabId":7,"url":"http://127.0.0.1/2","documentId":"d2"}`, "", "navigated", true},
	} {
		t.Run(fmt.Sprintf("%s %s acted=%v", c.how, c.event, c.acted), func(t *testing.T) {
			w := newWorld(t, "act")
			w.browser.bridge["click"] = func(int, map[string]any) (any, error) {
				if op, payload, ok := strings.Cut(c.event, " "); ok {
					defer func() { go w.manager.Event(w.browser, op, []byte(payload)) }()
				}
				return nil, fault.New(fault.NavigationInterrupted, "gone").With("reason", "DOCUMENT_GONE").With("how", c.how).With("acted", c.acted)
			}
			result := w.command(`{"type":"click","requestId":"a","target":{"selector":"#go"}}`)
			if code(result) != c.code {
				t.Errorf("code %q, want %q: %v", code(result), c.code, result)
			}
			if c.effect != "" && result["effect"] != c.effect {
				t.Errorf("effect %v, want %s", result["effect"], c.effect)
			}
		})
	}
}

func TestAPausedPageRefusesWithTheReason(t *testing.T) {
	w := newWorld(t, "act")
	w.event("tab.paused", `{"tabId":7,"reason":"left_site","url":"http://other/"}`)
	if got := w.await("app_disconnected", nil)["reason"]; got != "left_site" {
		t.Fatalf("reason %v", got)
	}
	result := w.command(`{"type":"click","requestId":"a","target":{"ref":"e1"}}`)
	if code(result) != "NOT_CONNECTED" {
		t.Errorf("%v", result)
	}
	w.event("tab.resumed", `{"tabId":7}`)
	w.await("app_connected", nil)
}

func TestControlClicksWithTrustedInput(t *testing.T) {
	w := newWorld(t, "control")
	w.browser.ops["cdp.send"] = func(map[string]any) (any, error) { return map[string]any{}, nil }
	w.browser.bridge["locate"] = func(int, map[string]any) (any, error) {
		return map[string]any{"result": map[string]any{"ref": "e5", "point": map[string]any{"x": 10, "y": 20}, "mark": 3}}, nil
	}
	w.browser.bridge["settle"] = func(int, map[string]any) (any, error) {
		return map[string]any{"effect": "changed"}, nil
	}
	result := w.command(`{"type":"click","requestId":"a","target":{"text":"Go"}}`)
	if result["success"] != true || result["via"] != "cdp" || result["effect"] != "changed" {
		t.Fatalf("%v", result)
	}
	if !w.browser.called("cdp.send Input.dispatchMouseEvent") || w.browser.called("bridge.call click") {
		t.Errorf("calls %v", w.browser.calls)
	}
}

func TestControlFallsBackToTheBridge(t *testing.T) {
	w := newWorld(t, "control")
	w.browser.ops["cdp.send"] = func(map[string]any) (any, error) {
		return nil, fault.New(fault.CapabilityMissing, "another extension's frame is in the page")
	}
	w.browser.bridge["click"] = func(int, map[string]any) (any, error) {
		return map[string]any{"effect": "changed"}, nil
	}
	result := w.command(`{"type":"click","requestId":"a","target":{"text":"Go"}}`)
	if result["success"] != true || result["via"] != "bridge" {
		t.Errorf("%v", result)
	}
}

func TestEvaluateAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		reply string
		value any
		code  string
	}{
		"number":    {`{"result":{"type":"number","value":3,"description":"3"}}`, 3.0, ""},
		"object":    {`{"result":{"type":"object","value":{"a":[1]}}}`, map[string]any{"a": []any{1.0}}, ""},
		"undefined": {`{"result":{"type":"undefined"}}`, nil, ""},
		"nan":       {`{"result":{"type":"number","unserializableValue":"NaN"}}`, "NaN", ""},
		"throws": {`{"result":{"type":"object"},"exceptionDetails":{"text":"Uncaught","lineNumber":0,"columnNumber":0,
			"exception":{"type":"object","subtype":"error","description":"TypeError: x\n    at <anonymous>:1:1"}}}`, nil, "VALIDATION_ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "control")
			w.browser.ops["cdp.send"] = func(map[string]any) (any, error) { return rawJSON(c.reply), nil }
			result := w.command(`{"type":"evaluate","requestId":"a","code":"1"}`)
			if code(result) != c.code || fmt.Sprint(result["result"]) != fmt.Sprint(c.value) {
				t.Errorf("%v, want %v %s", result, c.value, c.code)
			}
		})
	}
}

// A value that is an object comes as a handle, is awaited and taken by value, and let go of.
func TestEvaluateAwaitsItsValue(t *testing.T) {
	w := newWorld(t, "control")
	released := make(chan string, 1)
	w.browser.ops["cdp.send"] = func(payload map[string]any) (any, error) {
		params, _ := payload["params"].(map[string]any)
		switch payload["method"] {
		case "Runtime.evaluate":
			return rawJSON(`{"result":{"type":"object","subtype":"promise","objectId":"1.2.3"}}`), nil
		case "Runtime.callFunctionOn":
			if params["objectId"] != "1.2.3" || params["awaitPromise"] != true || params["returnByValue"] != true {
				t.Errorf("params %v", params)
			}
			return rawJSON(`{"result":{"type":"object","value":{"a":1}}}`), nil
		}
		released <- fmt.Sprint(payload["method"])
		return rawJSON(`{}`), nil
	}
	result := w.command(`{"type":"evaluate","requestId":"a","code":"const r = await fetch(1); r"}`)
	if fmt.Sprint(result["result"]) != "map[a:1]" {
		t.Errorf("%v", result)
	}
	if got := <-released; got != "Runtime.releaseObjectGroup" {
		t.Errorf("%s", got)
	}
}

// What became of a script that had left is not known after a loss or at the
// deadline: TIMEOUT would say that nothing ran and invite a repetition.
func TestEvaluateLostIsIndeterminate(t *testing.T) {
	for name, failure := range map[string]*fault.Error{
		"link lost":              fault.New(fault.Indeterminate, "cdp.send: the link was lost"),
		"deadline":               fault.New(fault.Indeterminate, "cdp.send: the deadline passed").Because(context.DeadlineExceeded),
		"debugger gone":          fault.New(fault.CDPDisconnected, "detached while the command ran").With("dispatched", true),
		"deadline, by extension": fault.New(fault.Timeout, "Runtime.evaluate did not answer in time."),
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "control")
			w.browser.ops["cdp.send"] = func(map[string]any) (any, error) { return nil, failure }
			if result := w.command(`{"type":"evaluate","requestId":"a","code":"1"}`); code(result) != "INDETERMINATE" || result["effect"] != "unknown" {
				t.Errorf("%v", result)
			}
		})
	}
}

type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

func TestADialogEndsTheClickThatOpenedIt(t *testing.T) {
	w := newWorld(t, "control")
	release := make(chan struct{})
	defer close(release)
	w.browser.bridge["locate"] = func(int, map[string]any) (any, error) {
		return map[string]any{"result": map[string]any{"ref": "e5", "mark": 1, "point": map[string]any{"x": 10, "y": 20}}}, nil
	}
	w.browser.ops["cdp.send"] = func(payload map[string]any) (any, error) {
		params, _ := payload["params"].(map[string]any)
		if params["type"] == "mouseReleased" {
			w.event("cdp.event", `{"tabId":7,"method":"Page.javascriptDialogOpening","params":{"type":"confirm","message":"Sure?"}}`)
			<-release
		}
		return map[string]any{}, nil
	}
	result := w.command(`{"type":"click","requestId":"a","target":{"text":"Go"}}`)
	if got := fmt.Sprint(result["result"]); !strings.Contains(got, "Sure?") || result["success"] != true {
		t.Fatalf("%v", result)
	}
	result = w.command(`{"type":"click","requestId":"b","target":{"text":"Go"}}`)
	if code(result) != "DIALOG_BLOCKING" {
		t.Errorf("%v", result)
	}
	result = w.command(`{"type":"dialog.handle","requestId":"c","accept":true}`)
	if result["success"] != true {
		t.Errorf("%v", result)
	}
}

func TestConsoleFromTheDebugger(t *testing.T) {
	w := newWorld(t, "control")
	w.event("cdp.event", `{"tabId":7,"method":"Runtime.executionContextCreated","params":{"context":{"id":2,"auxData":{"isDefault":false,"frameId":"F"}}}}`)
	w.event("cdp.event", `{"tabId":7,"method":"Runtime.consoleAPICalled","params":{"type":"log","args":[{"type":"string","value":"of an extension"}],"executionContextId":2,"timestamp":1}}`)
	w.event("cdp.event", `{"tabId":7,"method":"Runtime.consoleAPICalled","params":{"type":"warning","executionContextId":1,"timestamp":5.5,
		"args":[{"type":"string","value":"low"},{"type":"object","description":"Object","preview":{"properties":[{"name":"n","type":"number","value":"1"}]}}],
		"stackTrace":{"callFrames":[{"functionName":"f","url":"http://x/a.js","lineNumber":9,"columnNumber":4}]}}}`)
	message := w.await("console", nil)
	if got := fmt.Sprint(message["level"], message["args"], message["line"], message["url"]); got != "warn[low {n: 1}] 10http://x/a.js" {
		t.Errorf("%s", got)
	}
	w.event("cdp.event", `{"tabId":7,"method":"Runtime.exceptionThrown","params":{"timestamp":1,"exceptionDetails":{"text":"Uncaught (in promise)","lineNumber":1,"columnNumber":1,
		"exception":{"type":"string","value":"no"}}}}`)
	if got := w.await("unhandledrejection", nil)["reason"]; got != "no" {
		t.Errorf("reason %v", got)
	}
}

// The worker is replaced before a command has left, and the one that takes its place, too: the
// command goes to the last one.
func TestAReplacedWorkerGetsWhatHadNotLeft(t *testing.T) {
	w := newWorld(t, "act")
	last := &fakeBrowser{bridge: map[string]func(int, map[string]any) (any, error){
		"click": func(int, map[string]any) (any, error) { return map[string]any{"effect": "changed"}, nil },
	}}
	replacedBy := func(next *fakeBrowser) func(int, map[string]any) (any, error) {
		return func(int, map[string]any) (any, error) {
			w.manager.Connected(next)
			w.manager.Event(next, "state", []byte(`{"tabs":[{"tabId":7,"url":"http://127.0.0.1/","title":"Shop","level":"act","sessionId":"default","eval":true,
				"frames":[{"tabId":7,"frameId":0,"parentFrameId":-1,"documentId":"d1","url":"http://127.0.0.1/"}]}]}`))
			return nil, fault.New(fault.ExtensionNotConnected, "replaced").With("dispatched", false)
		}
	}
	next := &fakeBrowser{bridge: map[string]func(int, map[string]any) (any, error){"click": replacedBy(last)}}
	w.browser.bridge["click"] = replacedBy(next)
	if result := w.command(`{"type":"click","requestId":"a","target":{"text":"Go"}}`); result["success"] != true {
		t.Errorf("%v", result)
	}
}

func TestAStateWithoutATabEndsItsPage(t *testing.T) {
	w := newWorld(t, "observe")
	w.event("state", `{"tabs":[]}`)
	if got := w.await("app_disconnected", nil)["reason"]; got != "closed" {
		t.Errorf("reason %v", got)
	}
	if result := w.command(`{"type":"request_ui_tree","requestId":"a"}`); result["success"] == true {
		t.Errorf("%v", result)
	}
}

func TestReplacedTabsKeepTheirPage(t *testing.T) {
	w := newWorld(t, "observe")
	w.event("tab.updated", `{"tabId":7,"newTabId":8,"title":"Still here"}`)
	w.await("hello", func(m map[string]any) bool { return m["title"] == "Still here" })
	if w.manager.tab(w.browser, 8) == nil || w.manager.tab(w.browser, 7) != nil {
		t.Error("the tab is not known by its new number alone")
	}
}

func TestADocumentGoingDuringLocateIsNoTrustedClick(t *testing.T) {
	w := newWorld(t, "control")
	w.browser.ops["cdp.send"] = func(map[string]any) (any, error) { return map[string]any{}, nil }
	w.browser.bridge["locate"] = func(int, map[string]any) (any, error) {
		return nil, fault.New(fault.NavigationInterrupted, "gone").With("reason", "DOCUMENT_GONE").With("how", "navigated")
	}
	result := w.command(`{"type":"click","requestId":"a","target":{"text":"Go"}}`)
	if code(result) != "NAVIGATION_INTERRUPTED" || w.browser.called("cdp.send Input.dispatchMouseEvent") {
		t.Errorf("%v", result)
	}
}

var _ Browser = (*fakeBrowser)(nil)

func TestRawCDP(t *testing.T) {
	w := newWorld(t, "control")
	w.browser.ops["cdp.send"] = func(payload map[string]any) (any, error) {
		if payload["method"] == "DOM.nope" {
			return nil, fault.New(fault.CDPError, "DOM.nope failed.").With("cdp", map[string]any{"code": -32601})
		}
		return map[string]any{"got": payload["params"]}, nil
	}
	ask := func(text string) map[string]any {
		w.agent.Receive([]byte(text))
		return w.await("cdp_response", nil)
	}
	if got := fmt.Sprint(ask(`{"type":"cdp_request","id":7,"method":"DOM.getDocument","params":{"depth":1}}`)); !strings.Contains(got, "id:7") || !strings.Contains(got, "depth:1") {
		t.Errorf("answer %s", got)
	}
	if got := ask(`{"type":"cdp_request","id":"x","method":"DOM.nope"}`); code(got) != "CDP_ERROR" || got["id"] != "x" {
		t.Errorf("refused by the browser: %v", got)
	}
	for _, method := range []string{"Network.getAllCookies", "Storage.getCookies", "Target.attachToTarget"} {
		if got := ask(`{"type":"cdp_request","id":1,"method":"` + method + `"}`); code(got) != "POLICY_DENIED" {
			t.Errorf("%s: %v", method, got)
		}
	}
	if w.browser.called("cdp.send Storage.getCookies") {
		t.Error("a denied method reached the extension")
	}

	w.event("cdp.event", `{"tabId":7,"method":"Network.requestWillBeSent","params":{"n":1}}`) // nobody asked yet
	w.agent.Receive([]byte(`{"type":"cdp_subscribe","methods":["Network.*"]}`))
	w.event("cdp.event", `{"tabId":7,"method":"DOM.documentUpdated","params":{}}`)
	w.event("cdp.event", `{"tabId":7,"method":"Network.requestWillBeSent","params":{"n":2}}`)
	event := w.await("cdp_event", nil)
	if got := fmt.Sprint(event["method"], event["params"], event["seq"]); got != "Network.requestWillBeSentmap[n:2] <nil>" {
		t.Errorf("event %s", got)
	}
}

func TestRawCDPNeedsControl(t *testing.T) {
	w := newWorld(t, "act")
	w.agent.Receive([]byte(`{"type":"cdp_request","id":7,"method":"DOM.getDocument"}`))
	if got := w.await("cdp_response", nil); code(got) != "CAPABILITY_MISSING" {
		t.Errorf("%v", got)
	}
	w.agent.Receive([]byte(`{"type":"cdp_subscribe","methods":["DOM.*"],"requestId":"s"}`))
	if got := w.await("host_error", nil); got["code"] != "CAPABILITY_MISSING" || got["requestId"] != "s" {
		t.Errorf("%v", got)
	}
}

// A daemon that was started anew learns of pages whose bridges have told their
// trees to the one before: it asks for them (H-10).
func TestH10APageThatComesWithItsBridgesIsReadAnew(t *testing.T) {
	w := newWorld(t, "observe")
	w.browser.bridge["request_ui_tree"] = func(int, map[string]any) (any, error) {
		return map[string]any{"result": map[string]any{"items": []any{item("e1", "known")}, "version": 9, "frame": map[string]any{"index": -1}}}, nil
	}
	w.event("state", `{"tabs":[{"tabId":9,"url":"http://127.0.0.1/9","title":"Nine","level":"observe","sessionId":"default","eval":false,
		"frames":[{"tabId":9,"frameId":0,"parentFrameId":-1,"documentId":"d9","url":"http://127.0.0.1/9"}]}]}`)
	tree := w.await("ui_tree", func(m map[string]any) bool { return m["pageId"] == 2.0 })
	if refs(tree) != "e1" || tree["seq"] == nil {
		t.Errorf("%v", tree)
	}
}
