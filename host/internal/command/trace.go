package command

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/trace"
)

const (
	traceTimeout = 2 * time.Minute
	// traceSpan is how long a recording lasts that stops by itself, without a load.
	traceSpan = 5 * time.Second
	// traceTail is recorded after the network fell silent: late paints and shifts.
	traceTail = time.Second
	// traceLoadLimit ends the wait for a page that never falls silent.
	traceLoadLimit = 15 * time.Second
	// traceCleanup is for what is taken back after a failure, too.
	traceCleanup = 5 * time.Second
)

var traceCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "trace.start", Tool: "performance_start_trace", Summary: "Record a performance trace of the page.",
		Long: "The whole browser records one trace at a time. It is stopped by `trace stop`, by --auto-stop, or when the context ends. " +
			"For Core Web Vitals of a load, give --reload --auto-stop.",
		Effect: catalog.Act, Needs: catalog.Page, Level: protocol.Control, Capability: protocol.CapCDP, Timeout: traceTimeout,
		Faults: []fault.Code{fault.TraceAlreadyRunning, fault.TraceNotFound, fault.FileAccessFailed, fault.ResultTooLarge, fault.CDPError, fault.NavigationInterrupted},
		Examples: []catalog.Example{
			{Line: "trace start --reload --auto-stop", Note: "loads the page again, stops when it is quiet, gives vitals and insights"},
			{Line: "trace start", Note: "record what you do next, until `trace stop`"},
		},
	}, traceStart),
	define(catalog.Spec{
		Name: "trace.stop", Tool: "performance_stop_trace", Summary: "End the recording: Core Web Vitals, long tasks, insights.",
		Long: "The figures are of this one recording on this machine, not of the site's visitors. " +
			"Insights that failed come first; `trace insight NAME` gives the evidence.",
		Effect: catalog.Act, Needs: catalog.Dialog, Level: protocol.Control, Capability: protocol.CapCDP, Timeout: traceTimeout,
		Faults: []fault.Code{fault.TraceNotFound, fault.FileAccessFailed, fault.ResultTooLarge, fault.CDPError, fault.CDPDisconnected},
		Examples: []catalog.Example{
			{Line: "trace stop"},
			{Line: "trace stop --file trace.json.gz", Note: "the file loads in the Performance panel of DevTools"},
		},
	}, traceStop),
	define(catalog.Spec{
		Name: "trace.insight", Tool: "performance_analyze_insight", Summary: "Give the evidence of one insight of the last trace.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Control, Capability: protocol.CapCDP,
		Positional: []string{"name"},
		Faults:     []fault.Code{fault.TraceNotFound},
		Examples: []catalog.Example{
			{Line: "trace insight LCPBreakdown", Note: "what the largest paint waited for"},
			{Line: "trace insight RenderBlocking --set NAVIGATION_0", Note: "of one navigation, when the trace has several"},
		},
	}, traceInsight),
}

type traceStartParams struct {
	Reload      bool   `json:"reload,omitempty" doc:"Load the page again once the recording runs."`
	IgnoreCache bool   `json:"ignoreCache,omitempty" doc:"With reload: without the browser's cache."`
	AutoStop    bool   `json:"autoStop,omitempty" doc:"Stop when the loaded page is quiet (at most 15 s), or after 5 s without reload, and give what trace stop gives."`
	Screenshots bool   `json:"screenshots,omitempty" doc:"Put a film strip into the file; slows the page a little."`
	File        string `json:"file,omitempty" local:"true" doc:"With autoStop: where to write the trace; .gz packs it. Default: the context's artifacts."`
}

type traceStopParams struct {
	File string `json:"file,omitempty" local:"true" doc:"Where to write the trace; .gz packs it. Default: the context's artifacts."`
}

type traceInsightParams struct {
	Name string `json:"name" doc:"The insight, as trace stop names it."`
	Set  string `json:"set,omitempty" doc:"The set (navigation) of the trace. Default: the last navigation."`
}

// traceResult of start and stop: Recording alone, or the rest.
type traceResult struct {
	Recording  bool               `json:"recording" doc:"A trace is being recorded now."`
	File       string             `json:"file,omitempty" doc:"The trace file."`
	Bytes      int64              `json:"bytes,omitzero"`
	SHA256     string             `json:"sha256,omitempty"`
	Lost       bool               `json:"lost,omitzero" doc:"The browser's buffer was full and events were lost."`
	DurationMs float64            `json:"durationMs,omitzero"`
	Sets       []trace.SetSummary `json:"sets,omitempty" doc:"One for each navigation: metrics, long tasks, insights."`
}

func (r traceResult) Text() string {
	if r.Recording {
		return "recording; end it with: dbridge trace stop\n"
	}
	text := trace.Summary{DurationMs: r.DurationMs, Sets: r.Sets}.Text()
	text += r.File + " (" + strconv.FormatInt(r.Bytes, 10) + " bytes)\n"
	if r.Lost {
		text += "The browser's buffer was full: the trace is not whole.\n"
	}
	return text
}

// tracing is a tab's trace: the running one, or the report of the last.
type tracing struct {
	mu        sync.Mutex
	recording *trace.Recording
	report    *trace.Report

	starting chan struct{} // holds one: who starts, until it is known whether anything began
}

func newTracing() *tracing { return &tracing{starting: make(chan struct{}, 1)} }

type tracingKey struct{}

func tracingOf(t *page.Tab) *tracing {
	kept, _ := t.Keep(tracingKey{}, func() page.Keeper { return newTracing() }).(*tracing)
	if kept == nil { // the tab is closing
		return newTracing()
	}
	return kept
}

// Close forgets a recording: it ended with the tab's session.
func (r *tracing) Close() { r.take() }

// take gives the running recording to one who ends it.
func (r *tracing) take() *trace.Recording {
	r.mu.Lock()
	defer r.mu.Unlock()
	running := r.recording
	r.recording = nil
	return running
}

func (r *tracing) running() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.recording != nil
}

func (r *tracing) abort(ctx context.Context) error {
	if running := r.take(); running != nil {
		return running.Abort(ctx)
	}
	return nil
}

// traceUndo is the key of what ends a recording with the lease.
func traceUndo(env *Env) string { return "trace " + strconv.Itoa(env.Tab.PageID()) }

func traceStart(ctx context.Context, env *Env, p *traceStartParams) (traceResult, error) {
	if p.File != "" && !p.AutoStop {
		return traceResult{}, problem("--file of trace start needs --auto-stop").Suggest("dbridge trace start", "dbridge trace stop --file "+p.File)
	}
	if p.IgnoreCache && !p.Reload {
		return traceResult{}, problem("--ignore-cache needs --reload").Suggest("dbridge trace start --reload --ignore-cache --auto-stop")
	}
	if err := alreadyTracing(env); err != nil {
		return traceResult{}, err
	}
	mine := tracingOf(env.Tab)
	if err := env.Tab.Hold(ctx, "trace", true); err != nil {
		return traceResult{}, err
	}
	select {
	case mine.starting <- struct{}{}:
	case <-ctx.Done():
		return traceResult{}, ctx.Err()
	}
	recording, err := trace.Start(ctx, env.Tab.Session(""), trace.Options{Screenshots: p.Screenshots})
	<-mine.starting
	if err != nil {
		letGo(ctx, env.Tab)
		return traceResult{}, err
	}
	env.Did(protocol.EffectNoop, "cdp")
	mine.mu.Lock()
	mine.recording, mine.report = recording, nil
	mine.mu.Unlock()
	env.Context.Undo(traceUndo(env), mine.abort)
	if err := traceRun(ctx, env, p); err != nil {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceCleanup)
		defer cancel()
		_ = mine.abort(late) // the first failure is the one to tell
		traceEnd(ctx, env)
		return traceResult{}, err
	}
	if !p.AutoStop {
		return traceResult{Recording: true}, nil
	}
	return traceFinish(ctx, env, p.File)
}

// alreadyTracing tells which page of the context is recorded; other contexts' the browser tells.
func alreadyTracing(env *Env) error {
	for _, t := range env.Context.Tabs() {
		if t.Browser() == env.Tab.Browser() && tracingOf(t).running() {
			return fault.New(fault.TraceAlreadyRunning, "page %d is being recorded, and a browser records one trace at a time", t.PageID()).
				With("pageId", t.PageID()).Suggest("dbridge trace stop --page " + strconv.Itoa(t.PageID()))
		}
	}
	return nil
}

// letGo ends what keeps the debugger attached while it records: it is let go when idle otherwise.
func letGo(ctx context.Context, t *page.Tab) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceCleanup)
	defer cancel()
	_ = t.Hold(ctx, "trace", false) // it is let go with the tab, too
}

// traceRun does what is to be recorded.
func traceRun(ctx context.Context, env *Env, p *traceStartParams) error {
	if !p.Reload {
		if p.AutoStop {
			return recordFor(ctx, traceSpan)
		}
		return nil
	}
	s := env.Tab.Session("")
	steps, cancel := s.Subscribe(cdppage.LifecycleEvent.Method) // before the load
	defer cancel()
	if _, err := cdp.Call(ctx, s, cdppage.SetLifecycleEventsEnabled, cdppage.SetLifecycleEventsEnabledParams{Enabled: true}); err != nil {
		return err
	}
	if p.IgnoreCache {
		restore, err := withoutCache(ctx, s)
		if err != nil {
			return err
		}
		defer restore()
	}
	if _, err := env.Perform(ctx, "navigate", &protocol.NavigateParams{Reload: true}); err != nil {
		return err
	}
	if !p.AutoStop {
		return nil
	}
	idle, err := awaitIdle(ctx, s, steps)
	if err != nil || !idle {
		return err
	}
	return recordFor(ctx, traceTail)
}

// awaitIdle waits until the network of the page's document falls silent; false when it does not.
func awaitIdle(ctx context.Context, s cdp.Session, steps <-chan jsontext.Value) (idle bool, err error) {
	tree, err := cdp.Call(ctx, s, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		return false, err
	}
	limit := time.NewTimer(traceLoadLimit)
	defer limit.Stop()
	for {
		select {
		case raw, open := <-steps:
			if !open {
				return false, fault.New(fault.CDPDisconnected, "the page went away while it loaded")
			}
			var step cdppage.EventLifecycleEvent
			if err := json.Unmarshal(raw, &step); err != nil {
				continue
			}
			if step.Name == "networkIdle" && step.LoaderID == tree.FrameTree.Frame.LoaderID {
				return true, nil
			}
		case <-limit.C:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// withoutCache switches the page's cache off until restore.
func withoutCache(ctx context.Context, s cdp.Session) (restore func(), err error) {
	if _, err := cdp.Call(ctx, s, network.Enable, network.EnableParams{}); err != nil {
		return nil, err
	}
	if _, err := cdp.Call(ctx, s, network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}); err != nil {
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceCleanup)
		defer cancel()
		// A session that is gone has its cache again.
		_, _ = cdp.Call(ctx, s, network.SetCacheDisabled, network.SetCacheDisabledParams{})
	}, nil
}

// recordFor lets the recording run.
func recordFor(ctx context.Context, span time.Duration) error {
	timer := time.NewTimer(span)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func traceStop(ctx context.Context, env *Env, p *traceStopParams) (traceResult, error) {
	return traceFinish(ctx, env, p.File)
}

// traceFinish ends the recording, writes the file and analyses it.
func traceFinish(ctx context.Context, env *Env, name string) (traceResult, error) {
	mine := tracingOf(env.Tab)
	if !mine.running() {
		return traceResult{}, fault.New(fault.TraceNotFound, "no trace of page %d is being recorded", env.Tab.PageID()).
			Suggest("dbridge trace start --reload --auto-stop")
	}
	out, err := traceFile(env, name) // before the recording ends: a bad name costs no trace
	if err != nil {
		return traceResult{}, err
	}
	defer func() { _ = out.Close() }()
	recording := mine.take()
	if recording == nil {
		return traceResult{}, fault.New(fault.TraceNotFound, "the recording ended with its page").Suggest("dbridge trace start --reload --auto-stop")
	}
	info, err := recording.Stop(ctx, out, strings.HasSuffix(out.Path(), ".gz"))
	traceEnd(ctx, env)
	if err == nil {
		err = out.Commit()
	}
	if err == nil && name == "" {
		err = state.OpenArtifacts(env.Context.Artifacts()).Tidy()
	}
	if err != nil {
		return traceResult{}, err
	}
	result := traceResult{File: out.Path(), Bytes: info.Bytes, SHA256: info.SHA256, Lost: info.Lost}
	report, err := traceAnalyze(ctx, env, out.Path())
	if err != nil {
		return traceResult{}, fault.From(err).With("file", out.Path())
	}
	mine.mu.Lock()
	mine.report = report
	mine.mu.Unlock()
	summary := report.Summary()
	result.DurationMs, result.Sets = summary.DurationMs, summary.Sets
	return result, nil
}

// traceEnd takes back what a recording needed.
func traceEnd(ctx context.Context, env *Env) {
	letGo(ctx, env.Tab)
	env.Context.Undo(traceUndo(env), nil)
}

// traceFile opens the file to write: the caller's, or one of the context's artifacts.
func traceFile(env *Env, name string) (*state.Output, error) {
	if name != "" {
		return state.OpenOutput(env.Caller.Cwd, name, false)
	}
	return state.OpenArtifacts(env.Context.Artifacts()).Create("trace", "json.gz")
}

// privatePages is a browser in which a page of our own can be opened.
type privatePages interface {
	Private(ctx context.Context) (cdp.Session, func(), error)
}

// traceAnalyze runs the engine in a page of the browser that nobody sees.
func traceAnalyze(ctx context.Context, env *Env, path string) (*trace.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.FileAccessFailed, "the trace file cannot be read").With("path", path).Because(err)
	}
	defer func() { _ = file.Close() }()
	env.Say("analysing the trace")
	report, err := analyzeIn(ctx, env.Tab, file)
	if err == nil {
		report.NameNodes(ctx, env.Tab.Session(""))
	}
	return report, err
}

func analyzeIn(ctx context.Context, t *page.Tab, file io.Reader) (*trace.Report, error) {
	direct, ok := t.Browser().(privatePages)
	if !ok {
		return trace.AnalyzeOn(ctx, trace.OnLink(t.Link, "page-"+strconv.Itoa(t.PageID())), file)
	}
	blank, done, err := direct.Private(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return trace.Analyze(ctx, blank, file)
}

// traceInsightResult is one insight, in full.
type traceInsightResult struct{ trace.Insight }

func (r traceInsightResult) Text() string { return r.Insight.Text() }

func traceInsight(_ context.Context, env *Env, p *traceInsightParams) (traceInsightResult, error) {
	mine := tracingOf(env.Tab)
	mine.mu.Lock()
	report := mine.report
	mine.mu.Unlock()
	if report == nil {
		return traceInsightResult{}, fault.New(fault.TraceNotFound, "there is no finished trace of page %d", env.Tab.PageID()).
			Suggest("dbridge trace start --reload --auto-stop")
	}
	insight, err := report.Insight(p.Name, p.Set)
	if err != nil {
		return traceInsightResult{}, err
	}
	return traceInsightResult{*insight}, nil
}
