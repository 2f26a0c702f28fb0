package trace

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// fakeSession is a cdp.Session that answers from functions.
type fakeSession struct {
	mu     sync.Mutex
	answer map[string]func(ctx context.Context, params any) (any, error)
	events map[string]chan jsontext.Value
	called []string
}

func (f *fakeSession) Call(ctx context.Context, method string, params, result any) error {
	f.mu.Lock()
	f.called = append(f.called, method)
	answer := f.answer[method]
	f.mu.Unlock()
	if answer == nil {
		return nil
	}
	got, err := answer(ctx, params)
	if err != nil || result == nil {
		return err
	}
	raw, err := json.Marshal(got)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, result)
}

func (f *fakeSession) Subscribe(method string) (<-chan jsontext.Value, func()) {
	if f.events[method] == nil {
		f.events[method] = make(chan jsontext.Value, 1)
	}
	return f.events[method], func() {}
}

func (f *fakeSession) count(method string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, called := range f.called {
		if called == method {
			n++
		}
	}
	return n
}

// streaming answers as a browser that gives a trace in gzipped pieces.
func streaming(trace io.Reader) *fakeSession {
	packed, writer := io.Pipe()
	f := &fakeSession{events: map[string]chan jsontext.Value{}}
	f.answer = map[string]func(context.Context, any) (any, error){
		"Tracing.end": func(context.Context, any) (any, error) {
			go func() {
				w, _ := gzip.NewWriterLevel(writer, gzip.NoCompression)
				_, err := io.Copy(w, trace)
				_ = writer.CloseWithError(errors.Join(err, w.Close()))
			}()
			f.events["Tracing.tracingComplete"] <- jsontext.Value(`{"dataLossOccurred":true,"stream":"7","traceFormat":"json","streamCompression":"gzip"}`)
			return map[string]any{}, nil
		},
		"IO.read": func(context.Context, any) (any, error) {
			piece := make([]byte, 256<<10)
			n, err := io.ReadFull(packed, piece)
			return map[string]any{"data": base64.StdEncoding.EncodeToString(piece[:n]), "base64Encoded": true, "eof": err != nil}, nil
		},
		"IO.close": func(context.Context, any) (any, error) { return map[string]any{}, packed.Close() },
	}
	return f
}

// The whole of a trace is never here.
func TestStopStreams(t *testing.T) {
	const size = 64 << 20
	session := streaming(io.LimitReader(rand.Reader, size))
	recording := &Recording{session: session}
	var info Info
	peak, err := peakOf(func() (err error) {
		info, err = recording.Stop(t.Context(), io.Discard, false)
		return err
	})
	if err != nil || info.Bytes != size || !info.Lost {
		t.Fatalf("%+v, %v", info, err)
	}
	if limit := uint64(32 << 20); peak > limit {
		t.Errorf("a trace of %d MB took %d MB of memory", size>>20, peak>>20)
	}
	if session.count("IO.close") != 1 {
		t.Error("the browser's stream was not closed")
	}
}

// What chrome.debugger leaves out of a trace is told; the rest stays as it is.
func TestMainFrameIsTold(t *testing.T) {
	t.Parallel()
	const (
		thread = `{"args":{"name":"CrRendererMain"},"cat":"__metadata","name":"thread_name","ph":"M","pid":7,"tid":7,"ts":0},` + "\n"
		other  = `{"args":{"data":{"frame":"F1"}},"cat":"x","name":"CommitLoad","ph":"X","pid":9,"tid":9,"ts":1234}`
		there  = `{"args":{},"name":"TracingStartedInBrowser","ph":"I","pid":1,"tid":1,"ts":1200},` + "\n"
		end    = `],"metadata":{}}`
	)
	for name, c := range map[string]struct {
		trace, frame string
		pid          float64 // 0: nothing is told
	}{
		"told":              {string(head) + "\n" + thread + there + other + end, "F1", 0},
		"by the frame":      {string(head) + "\n" + thread + other + end, "F1", 9},
		"by the thread":     {string(head) + "\n" + thread + other + end, "F2", 7},
		"no frame":          {string(head) + "\n" + thread + other + end, "", 0},
		"no event":          {string(head) + end, "F1", 0},
		"of an odd shape":   {`[` + other + `]`, "F1", 0},
		"with spaces ahead": {` {"traceEvents":[` + other + end, "F1", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			recording := &Recording{session: streaming(strings.NewReader(c.trace)), frame: mainFrame{c.frame, `https://x.test/"a`}}
			if _, err := recording.Stop(t.Context(), &out, false); err != nil {
				t.Fatal(err)
			}
			if c.pid == 0 {
				if out.String() != c.trace {
					t.Errorf("changed to %s", out.String())
				}
				return
			}
			var file struct {
				TraceEvents []struct {
					Name string
					Pid  float64
					TS   float64
					Args struct {
						Data struct {
							Frames []struct {
								Frame, URL string
								ProcessID  float64 `json:"processId"`
							}
						}
					}
				} `json:"traceEvents"`
			}
			if err := json.Unmarshal(out.Bytes(), &file, json.MatchCaseInsensitiveNames(true)); err != nil {
				t.Fatalf("%v: %s", err, out.String())
			}
			first := file.TraceEvents[0]
			if len(file.TraceEvents) != 3 || first.Name != startedEvent || first.TS != 1234 || first.Args.Data.Frames[0].ProcessID != c.pid ||
				first.Args.Data.Frames[0].Frame != c.frame || first.Args.Data.Frames[0].URL != `https://x.test/"a` {
				t.Errorf("%+v", file)
			}
		})
	}
}

type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, fault.New(fault.FileAccessFailed, "no space left on the device")
}

func TestStopFailures(t *testing.T) {
	t.Parallel()
	t.Run("full disk", func(t *testing.T) {
		t.Parallel()
		session := streaming(strings.NewReader("abc"))
		_, err := (&Recording{session: session}).Stop(t.Context(), full{}, true)
		if fault.From(err).Code != fault.FileAccessFailed || session.count("IO.close") != 1 {
			t.Errorf("%v, stream closed %d times", err, session.count("IO.close"))
		}
	})
	t.Run("page gone", func(t *testing.T) {
		t.Parallel()
		session := &fakeSession{events: map[string]chan jsontext.Value{}}
		session.Subscribe("Tracing.tracingComplete")
		close(session.events["Tracing.tracingComplete"])
		_, err := (&Recording{session: session}).Stop(t.Context(), io.Discard, true)
		if fault.From(err).Code != fault.CDPDisconnected {
			t.Error(err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		session := &fakeSession{events: map[string]chan jsontext.Value{}}
		if _, err := (&Recording{session: session}).Stop(ctx, io.Discard, true); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func TestStartRefused(t *testing.T) {
	t.Parallel()
	for message, code := range map[string]fault.Code{
		"Tracing has already been started (possibly in another tab).": fault.TraceAlreadyRunning,
		"'Tracing.start' wasn't found":                                fault.CDPError,
	} {
		session := &fakeSession{answer: map[string]func(context.Context, any) (any, error){
			"Tracing.start": func(context.Context, any) (any, error) { return nil, errors.New(message) },
		}}
		if _, err := Start(t.Context(), session, Options{}); fault.From(err).Code != code || len(fault.From(err).Suggestions) == 0 {
			t.Errorf("%s: %v", message, err)
		}
	}
}

// A renderer that crashes answers no call; only an event tells.
func TestEngineCrash(t *testing.T) {
	t.Parallel()
	session := &fakeSession{events: map[string]chan jsontext.Value{}}
	session.answer = map[string]func(context.Context, any) (any, error){
		"Runtime.evaluate": func(ctx context.Context, _ any) (any, error) {
			session.events["Inspector.targetCrashed"] <- jsontext.Value(`{}`)
			<-ctx.Done()
			return nil, ctx.Err()
		},
	}
	_, err := Analyze(t.Context(), session, strings.NewReader(`{"traceEvents":[]}`))
	if fault.From(err).Code != fault.ResultTooLarge || !strings.Contains(err.Error(), "memory") {
		t.Error(err)
	}
}

// collector is an engine that keeps what it is given.
type collector struct {
	packed  bytes.Buffer
	longest int
}

func (c *collector) Add(_ context.Context, piece string) error {
	data, err := base64.StdEncoding.DecodeString(piece)
	c.packed.Write(data)
	c.longest = max(c.longest, len(piece))
	return err
}

func (*collector) Drop(context.Context) {}

func (c *collector) Report(context.Context) (jsontext.Value, error) {
	return jsontext.Value(`{"events":1,"durationMs":2,"sets":[]}`), nil
}

func TestPieces(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 3<<20)
	_, _ = rand.Read(noise)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write(noise)
	_ = w.Close()
	for name, file := range map[string][]byte{"plain": noise, "gzipped": packed.Bytes()} {
		engine := new(collector)
		if _, err := AnalyzeOn(t.Context(), engine, bytes.NewReader(file)); err != nil {
			t.Fatal(err)
		}
		got, err := gzip.NewReader(&engine.packed)
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(got)
		if err != nil || !bytes.Equal(content, noise) {
			t.Errorf("%s: %d bytes arrived, %v", name, len(content), err)
		}
		if engine.longest >= 1<<20 {
			t.Errorf("%s: a piece has %d bytes", name, engine.longest)
		}
	}
	if _, err := AnalyzeOn(t.Context(), new(collector), strings.NewReader("")); fault.From(err).Code != fault.FileAccessFailed {
		t.Errorf("an empty file: %v", err)
	}
}

func TestReportFinds(t *testing.T) {
	t.Parallel()
	report := &Report{Sets: []Set{
		{ID: "NO_NAVIGATION"},
		{ID: "NAVIGATION_1", Navigation: true, Insights: []Insight{{Name: "RenderBlocking", State: Fail}, {Name: "LCPBreakdown", State: Pass}}},
	}}
	if set, err := report.Set(""); err != nil || set.ID != "NAVIGATION_1" {
		t.Errorf("%+v, %v", set, err)
	}
	if insight, err := report.Insight("renderblocking", ""); err != nil || insight.State != Fail {
		t.Errorf("%+v, %v", insight, err)
	}
	for _, c := range []struct{ name, set, want string }{
		{"render-blocking", "", "dbridge trace insight RenderBlocking"},
		{"lcp", "NAVIGATION_1", "dbridge trace insight LCPBreakdown"},
		{"LCPBreakdown", "NAVIGATION_9", "dbridge trace insight LCPBreakdown --set NAVIGATION_1"},
	} {
		_, err := report.Insight(c.name, c.set)
		failure := fault.From(err)
		if failure == nil || failure.Code != fault.TraceNotFound || failure.Suggestions[0] != c.want || failure.Details["candidates"] == nil {
			t.Errorf("%s: %+v", c.name, failure)
		}
	}
	if _, err := new(Report).Set(""); fault.From(err).Code != fault.TraceNotFound {
		t.Errorf("an empty trace: %v", err)
	}
	summary := report.Summary().Sets[1]
	if len(summary.Insights) != 1 || summary.Insights[0].Name != "RenderBlocking" || len(summary.Passed) != 1 {
		t.Errorf("%+v", summary)
	}
}
