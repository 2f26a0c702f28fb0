package bench

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// recordedFor is how long each measurement runs.
const recordedFor = 12 * time.Second

// BenchmarkRecorder is what a recording costs a page on which something goes on: the
// recorder's share of the main thread's time, by the browser's own sampling profiler, and
// the bytes of a minute of recording. Budgets: 3 % and 2 MB.
func BenchmarkRecorder(b *testing.B) {
	_, _, e := beside(b, "/list?n=300")
	e.OK("runtime", "eval", busy)
	for b.Loop() {
		e.OK("record", "start")
		e.OK("cdp", "send", "Profiler.enable")
		e.OK("cdp", "send", "Profiler.start")
		time.Sleep(recordedFor)
		profile := e.OK("cdp", "send", "Profiler.stop")["result"]
		data := e.OK("record", "stop")
		path, _ := data["path"].(string)
		seconds, _ := data["seconds"].(float64)
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		share, all := sampled(b, profile)
		b.ReportMetric(share*100, "recorder-%")
		b.ReportMetric(all*100, "page-and-recorder-%")
		b.ReportMetric(float64(info.Size())/1024/(seconds/60), "KB/min")
	}
}

// busy changes the page ten times a second, as an app with live data does.
const busy = `(() => { let n = 0; const rows = document.querySelectorAll('li, tr, div'); setInterval(() => {
  n++; const row = rows[n % rows.length]; row.dataset.n = n; row.style.opacity = 0.5 + (n % 50) / 100;
  const note = document.createElement('p'); note.textContent = 'Change ' + n; document.body.append(note); if (n % 3 === 0) note.remove();
}, 100); return rows.length; })()`

// sampled gives the recorder's share of a profile's time, and that of all scripts.
func sampled(b *testing.B, result any) (recorder, all float64) {
	b.Helper()
	data, err := json.Marshal(result)
	if err != nil {
		b.Fatal(err)
	}
	var answer struct {
		Profile struct {
			Nodes []struct {
				ID        int
				Children  []int
				CallFrame struct{ FunctionName, URL string }
			}
			StartTime, EndTime float64
			Samples            []int
			TimeDeltas         []float64
		}
	}
	if err := json.Unmarshal(data, &answer); err != nil || len(answer.Profile.Samples) == 0 {
		b.Fatalf("no profile: %v", err)
	}
	p := answer.Profile
	// What the recorder calls counts as its own.
	of := map[int]int{}
	parents := map[int]int{}
	for i, node := range p.Nodes {
		of[node.ID] = i
		for _, child := range node.Children {
			parents[child] = node.ID
		}
	}
	span := p.EndTime - p.StartTime
	for i, sample := range p.Samples {
		name := p.Nodes[of[sample]].CallFrame.FunctionName
		if name == "(idle)" || name == "(program)" || i >= len(p.TimeDeltas) {
			continue
		}
		all += p.TimeDeltas[i] / span
		for at := sample; at != 0; at = parents[at] {
			if strings.HasSuffix(p.Nodes[of[at]].CallFrame.URL, "debug-bridge/recorder.js") {
				recorder += p.TimeDeltas[i] / span
				break
			}
		}
	}
	return recorder, all
}
