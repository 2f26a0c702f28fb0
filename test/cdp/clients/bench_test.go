package clients

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
)

// BenchmarkEndpoints compares Playwright's clicks and Runtime.evaluate over the endpoint
// with the same over a browser's own. One browser is there at a time: three of them get
// into each other's way on a small machine, and the way through the extension, which has
// most processes in it, suffers most. Budgets: a hundred clicks 1.5 times raw, an
// evaluate through the extension 2 ms over raw (medians).
func BenchmarkEndpoints(b *testing.B) {
	needs(b)
	const rounds = 9
	raw := map[string]float64{}
	for _, kind := range kinds {
		b.Run(kind.name, func(b *testing.B) {
			c := startClicker(b, kind.make(b))
			for b.Loop() {
				for _, what := range []string{"clicks", "evaluate"} {
					var took []float64
					for range rounds {
						took = append(took, c.round(b, what))
					}
					slices.Sort(took)
					median := took[rounds/2]
					b.ReportMetric(median, what+"-ms")
					if kind.name == "raw" {
						raw[what] = median
						continue
					}
					b.ReportMetric(median/raw[what], what+"-×raw")
					b.ReportMetric(median-raw[what], what+"-over-raw-ms")
				}
			}
		})
	}
}

// clicker is a Playwright that waits for rounds.
type clicker struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

func startClicker(b *testing.B, at Endpoint) *clicker {
	b.Helper()
	told, err := json.Marshal(at)
	must(b, "endpoint", err)
	command := exec.Command("node", "clicks.mjs")
	command.Env = append(os.Environ(), "CDP_CLIENT="+string(told))
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	must(b, "stdin", err)
	out, err := command.StdoutPipe()
	must(b, "stdout", err)
	must(b, "start", command.Start())
	c := &clicker{in, bufio.NewScanner(out)}
	b.Cleanup(func() {
		_ = in.Close() // the end of its input is the end of it
		if err := command.Wait(); err != nil {
			b.Errorf("clicks.mjs: %v", err)
		}
	})
	if !c.out.Scan() {
		b.Fatal("clicks.mjs did not start")
	}
	return c
}

// round is the time of one of a hundred, in ms.
func (c *clicker) round(b *testing.B, what string) float64 {
	b.Helper()
	_, err := io.WriteString(c.in, what+"\n")
	must(b, what, err)
	if !c.out.Scan() {
		b.Fatalf("%s: no answer", what)
	}
	var line struct {
		MS float64 `json:"ms"`
	}
	must(b, what, json.Unmarshal(c.out.Bytes(), &line))
	return line.MS
}
