package trace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

var update = flag.Bool("update", false, "rewrite the golden file; read the diff")

func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m)
}

// One recording of the slow page serves all that is claimed about it: each takes seconds.
func TestSlowPage(t *testing.T) {
	c := startBrowser(t)
	ctx := testContext(t)
	s := openPage(t, c, false)
	helper := openPage(t, c, true)
	recording, err := Start(ctx, s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Start(ctx, helper, Options{}); !errors.Is(err, fault.New(fault.TraceAlreadyRunning, "")) {
		t.Errorf("a second recording: %v", err)
	}
	navigate(t, s, slowSite(t))
	eval(t, s, "whenSettled()")
	press(t, s)
	var plain bytes.Buffer
	info, err := recording.Stop(ctx, &plain, false)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(plain.Bytes())
	if info.Lost || info.Bytes != int64(plain.Len()) || info.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("info %+v of %d bytes", info, plain.Len())
	}
	var shape struct {
		TraceEvents []json.RawMessage `json:"traceEvents"`
		Metadata    map[string]any    `json:"metadata"`
	}
	if err := json.Unmarshal(plain.Bytes(), &shape); err != nil || len(shape.TraceEvents) < 1000 || len(shape.Metadata) == 0 {
		t.Fatalf("not the shape that DevTools loads: %v, %d events, metadata of %d", err, len(shape.TraceEvents), len(shape.Metadata))
	}
	report, err := Analyze(ctx, helper, bytes.NewReader(plain.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	report.NameNodes(ctx, s)

	t.Run("metrics", func(t *testing.T) {
		set, err := report.Set("")
		if err != nil {
			t.Fatal(err)
		}
		m := set.Metrics
		within(t, "TTFB", m.TTFB, 0, 300)
		within(t, "FCP", m.FCP, 200, 2000) // behind the stylesheet
		within(t, "LCP", m.LCP, 400, 4000) // the picture
		within(t, "CLS", m.CLS, 0.2, 1.5)  // the banner
		within(t, "INP", m.INP, 120, 1000) // the button
		within(t, "load", m.Load, 200, 4000)
		within(t, "blocking", &m.Blocking, 130, 4000)
		if m.LCPParts == nil || m.LCPParts.Node != "IMG id='hero'" || m.LCPParts.URL != "/hero.png" {
			t.Fatalf("LCP %+v", m.LCPParts)
		}
		parts := *m.LCPParts.TTFB + *m.LCPParts.LoadDelay + *m.LCPParts.LoadDuration + *m.LCPParts.RenderDelay
		within(t, "sum of the LCP's parts", &parts, *m.LCP-1, *m.LCP+1)
		within(t, "load of the picture", m.LCPParts.LoadDuration, 390, 4000)
		if m.INPParts == nil || m.INPParts.Processing < 115 {
			t.Errorf("INP %+v", m.INPParts)
		}
		task := set.LongTasks[0]
		if task.URL != "/app.js" || task.Function != "longTask" || task.Line != 14 || !strings.Contains(task.Text, "in burn /app.js:1") {
			t.Errorf("the longest task is %+v", task)
		}
	})
	t.Run("insights", func(t *testing.T) { golden(t, stable(report)) })
	t.Run("summary", func(t *testing.T) {
		summary, err := json.Marshal(report.Summary())
		if err != nil {
			t.Fatal(err)
		}
		if len(summary) > 2500 { // about 700 tokens
			t.Errorf("the summary has %d bytes: %s", len(summary), summary)
		}
	})
	t.Run("again, gzipped", func(t *testing.T) {
		recording, err := Start(ctx, s, Options{Screenshots: true})
		if err != nil {
			t.Fatal(err)
		}
		eval(t, s, "document.title = 'again'")
		var packed bytes.Buffer
		if _, err := recording.Stop(ctx, &packed, true); err != nil {
			t.Fatal(err)
		}
		content, err := gzip.NewReader(&packed)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewDecoder(content).Decode(&shape); err != nil {
			t.Error(err)
		}
	})
	t.Run("aborted", func(t *testing.T) {
		recording, err := Start(ctx, s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := recording.Abort(ctx); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("large", func(t *testing.T) {
		const size = 50 << 20
		peak, got := peakOf(func() error {
			report, err := Analyze(ctx, helper, grown(t, plain.Bytes(), size))
			if err == nil && len(report.Sets) != 1 {
				err = fmt.Errorf("%d sets", len(report.Sets))
			}
			return err
		})
		if got != nil {
			t.Fatal(got)
		}
		if limit := uint64(24 << 20); peak > limit {
			t.Errorf("analysing %d MB took %d MB of memory here", size>>20, peak>>20)
		}
	})
	t.Run("not a trace", func(t *testing.T) {
		for _, content := range []string{`{"a":1}`, `no JSON`} {
			if _, err := Analyze(ctx, helper, strings.NewReader(content)); fault.From(err) == nil || fault.From(err).Code == fault.InternalError {
				t.Errorf("%s: %v", content, err)
			}
		}
	})
}

func within(t *testing.T, what string, got *float64, from, to float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is missing", what)
	} else if *got < from || *got > to {
		t.Errorf("%s is %v, want %v to %v", what, *got, from, to)
	}
}

// grown repeats harmless events of a trace in place until it has size bytes. It
// is not in memory as a whole.
func grown(t *testing.T, trace []byte, size int) io.Reader {
	t.Helper()
	marker := []byte(`"name":"UpdateCounters"`)
	found := bytes.Count(trace, marker)
	if found == 0 {
		t.Fatal("the trace has no UpdateCounters")
	}
	reader, writer := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		out := bufio.NewWriter(writer)
		for line := range bytes.Lines(trace) {
			_, err := out.Write(line)
			if bytes.Contains(line, marker) {
				for n := 0; n < (size-len(trace))/found && err == nil; n += len(line) {
					_, err = out.Write(line)
				}
			}
			if err != nil {
				return // the reader is gone
			}
		}
		writer.CloseWithError(out.Flush())
	}()
	t.Cleanup(func() {
		_ = reader.Close()
		<-done
	})
	return reader
}

// peakOf runs a function and gives the most memory that the heap had more than before.
func peakOf(run func() error) (uint64, error) {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	before, peak := stats.HeapAlloc, uint64(0)
	done := make(chan error)
	go func() { done <- run() }()
	for {
		select {
		case err := <-done:
			return peak, err
		default:
			runtime.ReadMemStats(&stats)
			if stats.HeapAlloc > before {
				peak = max(peak, stats.HeapAlloc-before)
			}
			runtime.Gosched()
		}
	}
}

// stable writes what does not change from run to run.
func stable(r *Report) string {
	var b strings.Builder
	for _, set := range r.Sets {
		fmt.Fprintf(&b, "%s navigation=%v\n", set.ID, set.Navigation)
		for _, insight := range set.Insights {
			state := insight.State
			if insight.Name == "DOMSize" { // depends on how long the machine takes to lay the page out
				state = "-"
			}
			fmt.Fprintf(&b, "%s %s %q %s\n", insight.Name, state, insight.Title, insight.Category)
			var blocks []string // of rows; those of shifts in any order: which is worse depends on what came first
			for _, row := range insight.Evidence {
				if insight.Name == "DOMSize" && row.StartMs != nil {
					continue
				}
				if slices.Contains([]string{"pointerdown", "pointerup", "click"}, row.What) {
					row.What = "press" // any of its events may have been the slowest
				}
				if row.What == "shift" {
					blocks = append(blocks, b.String())
					b.Reset()
				}
				fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", row.Depth+1), row.What)
				for _, field := range []string{row.URL, row.Function, row.Node} {
					if field != "" {
						fmt.Fprintf(&b, " %s", field)
					}
				}
				if row.Line > 0 {
					fmt.Fprintf(&b, " :%d", row.Line)
				}
				if row.OK != nil {
					fmt.Fprintf(&b, " ok=%v", *row.OK)
				}
				b.WriteByte('\n')
			}
			if len(blocks) > 0 {
				blocks = append(blocks, b.String())
				slices.Sort(blocks[1:])
				b.Reset()
				b.WriteString(strings.Join(blocks, ""))
			}
		}
	}
	return b.String()
}

func golden(t *testing.T, got string) {
	t.Helper()
	name := filepath.Join("testdata", "insights.txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the insights differ (go test -update):\n got\n%s\nwant\n%s", got, want)
	}
}
