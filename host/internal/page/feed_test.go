package page

import (
	"fmt"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// A listener that applies what it is told has every frame's items, whatever came first.
func TestAListenersTreeHoldsAllFrames(t *testing.T) {
	w := newWorld(t, "observe")
	w.browser.bridge["frame_info"] = func(frame int, _ map[string]any) (any, error) {
		if frame == 41 {
			return map[string]any{"result": map[string]any{"index": 0}}, nil
		}
		return map[string]any{"result": map[string]any{"index": -1, "childFrames": []any{
			map[string]any{"index": 0, "visible": true, "scale": 0.5, "bounds": map[string]any{"x": 100, "y": 200, "width": 50, "height": 50}}}}}, nil
	}
	w.event("frame.added", `{"tabId":7,"frameId":41,"parentFrameId":0,"documentId":"c1","url":"http://localhost/"}`)
	w.event("bridge.event", `{"tabId":7,"frameId":41,"documentId":"c1","first":1,"messages":[
		{"type":"ui_tree","timestamp":1,"version":1,"full":true,"items":[`+itemJSON("e1")+`]}]}`)
	w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d1","first":1,"messages":[
		{"type":"ui_tree","timestamp":2,"version":1,"full":true,"items":[`+itemJSON("e1")+`]}]}`)
	// Told as soon as it is known where the frame stands, in the page's coordinates.
	diff := w.await("ui_tree_diff", nil)
	added := diff["added"].([]any)[0].(map[string]any)
	if at := fmt.Sprint(added["bounds"]); added["ref"] != "f1e1" || at != "map[height:2 width:1.5 x:100.5 y:201]" {
		t.Errorf("added %v at %s", added["ref"], at)
	}
	w.event("bridge.event", `{"tabId":7,"frameId":41,"documentId":"c1","first":2,"messages":[
		{"type":"ui_tree_diff","timestamp":3,"baseVersion":1,"version":2,"added":[`+itemJSON("e2")+`],"removed":["e1"],"changed":[]},
		{"type":"ui_tree_diff","timestamp":3,"baseVersion":2,"version":3,"added":[],"removed":[],"changed":[{"ref":"e2","name":"renamed"}]}]}`)
	// Another full tree of the main frame holds the child's items as they are now.
	w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d1","first":2,"messages":[
		{"type":"ui_tree","timestamp":4,"version":2,"full":true,"items":[`+itemJSON("e1")+`]}]}`)
	tree := w.await("ui_tree", func(m map[string]any) bool { return len(m["items"].([]any)) == 2 })
	if got := refs(tree); got != "e1 f1e2" || tree["items"].([]any)[1].(map[string]any)["name"] != "renamed" {
		t.Errorf("tree %v", tree["items"])
	}
}

// A tree that is older than the diffs told meanwhile would take them back.
func TestATreeOlderThanWhatWasToldIsAskedAgain(t *testing.T) {
	w := newWorld(t, "observe")
	asked := 0
	w.browser.bridge["request_ui_tree"] = func(int, map[string]any) (any, error) {
		asked++
		if asked == 1 {
			w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d1","first":1,"messages":[
				{"type":"ui_tree_diff","timestamp":1,"baseVersion":4,"version":5,"added":[],"removed":[],"changed":[]}]}`)
		}
		return map[string]any{"result": map[string]any{"items": []any{item("e1", "n")}, "version": 3 + asked, "frame": map[string]any{"index": -1}}}, nil
	}
	if result := w.command(`{"type":"request_ui_tree","requestId":"t"}`); result["success"] != true || asked != 2 {
		t.Errorf("asked %d times: %v", asked, result)
	}
	// And a diff that the tree holds already is not told again.
	w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d1","first":2,"messages":[
		{"type":"ui_tree_diff","timestamp":1,"baseVersion":4,"version":5,"added":[],"removed":["e8"],"changed":[]},
		{"type":"ui_tree_diff","timestamp":1,"baseVersion":5,"version":6,"added":[],"removed":["e9"],"changed":[]}]}`)
	if diff := w.await("ui_tree_diff", nil); diff["removed"].([]any)[0] != "e9" {
		t.Errorf("told again: %v", diff)
	}
}

// An agent's made-up ref does not move the count of refs.
func TestAMadeUpRefCountsForNothing(t *testing.T) {
	w := newWorld(t, "act")
	w.browser.bridge["click"] = func(_ int, command map[string]any) (any, error) {
		target := command["target"].(map[string]any)
		return nil, fault.New(fault.TargetStale, "never given").With("ref", target["ref"])
	}
	if result := w.command(`{"type":"click","requestId":"a","target":{"ref":"e99999"}}`); code(result) != "TARGET_STALE" {
		t.Errorf("%v", result)
	}
	w.event("tab.navigated", `{"tabId":7,"url":"http://127.0.0.1/next","documentId":"d2"}`)
	w.event("frame.added", `{"tabId":7,"frameId":0,"parentFrameId":-1,"documentId":"d2","url":"http://127.0.0.1/next"}`)
	w.event("bridge.event", `{"tabId":7,"frameId":0,"documentId":"d2","first":1,"messages":[
		{"type":"ui_tree","timestamp":2,"version":1,"full":true,"items":[`+itemJSON("e1")+`]}]}`)
	if got := refs(w.await("ui_tree", nil)); got != "e1" {
		t.Errorf("refs go on with %s", got)
	}
}
