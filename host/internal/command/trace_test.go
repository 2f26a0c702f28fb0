package command_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// tracer runs trace commands on a page of a browser of its own.
type tracer struct {
	t      *testing.T
	runner *command.Runner
	caller caller.Caller
}

// traceApps is a daemon without apps.
type traceApps struct{}

func (traceApps) Merge(string, *session.Page)                        {}
func (traceApps) Unmerge(string, *session.Page)                      {}
func (traceApps) App(string, *session.Page) (session.Executor, bool) { return nil, false }

func newTracer(t *testing.T, url string) *tracer {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	t.Setenv("DBRIDGE_HOME", t.TempDir())
	home, err := state.Open()
	if err != nil {
		t.Fatal(err)
	}
	log := zerolog.New(io.Discard)
	hub := session.NewHub(session.Config{Epoch: "e", HostVersion: "test", Log: log})
	pages := page.NewManager(hub, traceApps{}, log)
	slots := slot.NewManager(pages, slot.Options{Home: home, Engine: &slot.Chromes{Report: pages, Log: log}, Log: log})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		slots.Close(ctx)
		pages.Close()
		hub.Close()
	})
	r := &tracer{t, &command.Runner{Slots: slots}, caller.Caller{ContextID: "trace", Pid: os.Getpid(), Cwd: t.TempDir()}}
	if _, err := r.run("session.start", `{"headless":true,"url":"`+url+`"}`); err != nil {
		if fault.From(err).Code == fault.BrowserLaunchFailed && strings.Contains(err.Error(), "not found") {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	return r
}

func (r *tracer) run(name, params string) (map[string]any, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	answer, err := r.runner.Run(ctx, &command.Request{Command: name, Params: jsontext.Value(params), Caller: r.caller}, command.Hooks{})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(answer.Result)
	if err != nil {
		r.t.Fatal(err)
	}
	if text, ok := answer.Result.(catalog.Texter); ok && text.Text() == "" {
		r.t.Errorf("%s has no text", name)
	}
	result := map[string]any{}
	if err := json.Unmarshal(data, &result); err != nil {
		r.t.Fatal(err)
	}
	return result, nil
}

func (r *tracer) must(name, params string) map[string]any {
	r.t.Helper()
	result, err := r.run(name, params)
	if err != nil {
		r.t.Fatalf("%s: %v %v", name, err, fault.From(err).Details)
	}
	return result
}

func (r *tracer) refused(code fault.Code, suggestion, name, params string) {
	r.t.Helper()
	_, err := r.run(name, params)
	failure := fault.From(err)
	if failure == nil || failure.Code != code || !strings.HasPrefix(failure.Suggestions[0], suggestion) {
		r.t.Errorf("%s %s: %v, suggests %q", name, params, err, failure.Suggestions)
	}
}

func TestTrace(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow.css":
			select {
			case <-time.After(200 * time.Millisecond): // a slow server
			case <-r.Context().Done():
			}
			w.Header().Set("Content-Type", "text/css")
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><title>Slow</title><link rel="stylesheet" href="/slow.css"><h1>Hello</h1>`)
		}
	}))
	t.Cleanup(site.Close)
	r := newTracer(t, site.URL+"/")

	r.refused(fault.TraceNotFound, "dbridge trace start", "trace.stop", `{}`)
	r.refused(fault.TraceNotFound, "dbridge trace start", "trace.insight", `{"name":"LCPBreakdown"}`)
	r.refused(fault.ValidationError, "dbridge trace start", "trace.start", `{"file":"a.json"}`)
	r.refused(fault.ValidationError, "dbridge trace start", "trace.start", `{"ignoreCache":true}`)

	result := r.must("trace.start", `{"reload":true,"ignoreCache":true,"autoStop":true}`)
	sets, _ := result["sets"].([]any)
	if len(sets) != 1 {
		t.Fatalf("%v", result)
	}
	set, _ := sets[0].(map[string]any)
	metrics, _ := set["metrics"].(map[string]any)
	if lcp, _ := metrics["lcpMs"].(float64); lcp < 200 || set["url"] != site.URL+"/" {
		t.Errorf("%v", set)
	}
	file, _ := result["file"].(string)
	packed, err := os.ReadFile(file)
	if err != nil || !bytes.HasPrefix(packed, []byte{0x1f, 0x8b}) || float64(len(packed)) != result["bytes"] {
		t.Errorf("%s: %d bytes, %v; the answer says %v", file, len(packed), err, result["bytes"])
	}
	insight := r.must("trace.insight", `{"name":"renderblocking"}`)
	evidence, _ := insight["evidence"].([]any)
	first, _ := evidence[0].(map[string]any)
	if insight["state"] != "fail" || first["url"] != "/slow.css" {
		t.Errorf("%v", insight)
	}
	r.refused(fault.TraceNotFound, "dbridge trace insight LCP", "trace.insight", `{"name":"lcp"}`)

	if started := r.must("trace.start", `{}`); started["recording"] != true {
		t.Errorf("%v", started)
	}
	r.refused(fault.TraceAlreadyRunning, "dbridge trace stop --page", "trace.start", `{}`)
	r.refused(fault.FileAccessFailed, "", "trace.stop", `{"file":"nowhere/t.json"}`) // and the recording goes on
	// The task must be over before the recording is, so the answer comes from a later one.
	r.must("runtime.eval", `{"expression":"new Promise((done) => setTimeout(() => { const end = performance.now() + 120; while (performance.now() < end); setTimeout(() => done(1), 50) }))"}`)
	result = r.must("trace.stop", `{"file":"t.json"}`)
	if sets, _ = result["sets"].([]any); len(sets) != 1 {
		t.Fatalf("%v", result)
	}
	if set, _ = sets[0].(map[string]any); set["id"] != "NO_NAVIGATION" || set["longTasks"] == nil {
		t.Errorf("a stretch without a load: %v", set)
	}
	var shape struct {
		TraceEvents []any          `json:"traceEvents"`
		Metadata    map[string]any `json:"metadata"`
	}
	plain, err := os.ReadFile(filepath.Join(r.caller.Cwd, "t.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(plain, &shape); err != nil || len(shape.TraceEvents) == 0 || len(shape.Metadata) == 0 {
		t.Errorf("not what DevTools loads: %v", err)
	}
	r.must("trace.start", `{}`)
	r.must("trace.stop", `{"file":"t.json.gz"}`)
	f, err := os.Open(filepath.Join(r.caller.Cwd, "t.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := gzip.NewReader(f); err != nil {
		t.Error(err)
	}
}
