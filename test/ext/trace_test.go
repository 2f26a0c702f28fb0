package ext

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// A trace recorded through chrome.debugger is analysed in the extension's own page,
// which is there only for that.
func TestTraceEngine(t *testing.T) {
	w := start(t)
	tab, id := w.open(w.Pages.URL("/page/One"), "control")
	mark := w.d.mark()
	w.d.cdp(id, "Tracing.start", map[string]any{
		"transferMode": "ReturnAsStream", "streamCompression": "gzip",
		"traceConfig": map[string]any{
			"includedCategories": []string{
				"devtools.timeline", "loading", "latencyInfo", "blink.user_timing", "navigation", "rail", "v8.execute", "v8",
				"disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame", "disabled-by-default-lighthouse",
			},
			"excludedCategories": []string{"*"},
		},
	})
	w.d.must("tab.navigate", map[string]any{"tabId": id, "reload": true})
	tab.Eval(`new Promise((painted) => new PerformanceObserver(() => painted(1)).observe({ type: 'paint', buffered: true }))`, nil)
	w.d.cdp(id, "Tracing.end", nil)
	done := w.d.await(mark, "cdp.event", func(e event) bool { return e.text("method") == "Tracing.tracingComplete" })
	params, _ := done.Payload["params"].(map[string]any)
	var packed bytes.Buffer
	for eof := false; !eof; {
		read := w.d.cdp(id, "IO.read", map[string]any{"handle": params["stream"]})
		eof, _ = read["eof"].(bool)
		text, _ := read["data"].(string)
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		packed.Write(data)
	}
	trace := withMainFrame(t, &packed, w.Pages.URL("/page/One"))
	half := len(trace) / 2
	for _, piece := range [][]byte{trace[:half], trace[half:]} {
		w.d.must("trace.add", map[string]any{"tabId": id, "id": "one", "data": base64.StdEncoding.EncodeToString(piece)})
	}
	if !w.enginePage() {
		t.Error("no engine page while a trace is waiting")
	}
	report := w.d.must("trace.report", map[string]any{"tabId": id, "id": "one"})
	sets, _ := report["sets"].([]any)
	if len(sets) != 1 {
		t.Fatalf("the report has %d sets: %v", len(sets), report)
	}
	set, _ := sets[0].(map[string]any)
	metrics, _ := set["metrics"].(map[string]any)
	insights, _ := set["insights"].([]any)
	if fcp, _ := metrics["fcpMs"].(float64); fcp <= 0 || len(insights) < 19 || set["url"] != w.Pages.URL("/page/One") {
		t.Errorf("metrics %v, %d insights, of %v", metrics, len(insights), set["url"])
	}
	if w.enginePage() {
		t.Error("the engine page stays open")
	}

	f := w.d.refused("RESULT_TOO_LARGE", "trace.report", map[string]any{"tabId": id, "id": "none"})
	if !strings.Contains(f.Message, "cannot be analysed") {
		t.Errorf("a trace that never came: %v", f)
	}
	w.d.must("trace.add", map[string]any{"tabId": id, "id": "two", "data": "AAAA"})
	w.d.must("trace.drop", map[string]any{"tabId": id, "id": "two"})
	if w.enginePage() {
		t.Error("the engine page stays open after a drop")
	}
	w.d.refused("VALIDATION_ERROR", "trace.add", map[string]any{"tabId": id, "data": "AAAA"})
}

// withMainFrame adds what Chrome leaves out for an extension, as the daemon does.
func withMainFrame(t *testing.T, packed io.Reader, url string) []byte {
	t.Helper()
	plain, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []map[string]any `json:"traceEvents"`
	}
	if err := json.NewDecoder(plain).Decode(&file); err != nil {
		t.Fatal(err)
	}
	for _, event := range file.TraceEvents {
		if event["name"] != "navigationStart" {
			continue
		}
		args, _ := event["args"].(map[string]any)
		frame := map[string]any{
			"frame": args["frame"], "processId": event["pid"], "url": url, "name": "", "isInPrimaryMainFrame": true, "isOutermostMainFrame": true,
		}
		file.TraceEvents = append([]map[string]any{{
			"name": "TracingStartedInBrowser", "cat": "disabled-by-default-devtools.timeline", "ph": "I", "s": "t",
			"pid": event["pid"], "tid": event["tid"], "ts": event["ts"],
			"args": map[string]any{"data": map[string]any{"persistentIds": true, "frames": []any{frame}}},
		}}, file.TraceEvents...)
		break
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if err := errors.Join(json.NewEncoder(w).Encode(file), w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A tab below control has no traces to analyse.
func TestTraceEngineNeedsControl(t *testing.T) {
	w := start(t)
	_, id := w.open(w.Pages.URL("/page/One"), "act")
	w.d.refused("CAPABILITY_MISSING", "trace.add", map[string]any{"tabId": id, "id": "one", "data": "AAAA"})
}

func (w *world) enginePage() bool {
	var open bool
	w.WorkerEval(`chrome.offscreen.hasDocument()`, &open)
	return open
}
