package trace

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"testing"
	"unicode/utf8"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// FuzzTrace: telling a trace's main frame takes nothing from it, and what was JSON stays JSON;
// the engine gets every byte of a trace, whatever it is.
func FuzzTrace(f *testing.F) {
	const event = `{"args":{"data":{"frame":"F1"}},"name":"CommitLoad","ph":"X","pid":9,"tid":9,"ts":1234}`
	for _, seed := range []string{
		"", string(head), string(head) + "\n" + event + `],"metadata":{}}`, string(head) + `]}`, `[` + event + `]`, string(head) + `{"name":"TracingStartedInBrowser","ts":1}]}`,
		string(head) + `],"metadata":{"ts":12}}`, string(head) + ` ] , "x" : {"pid":7,"ts":9} }`, "\x1f\x8b", "\x1f\x8bno gzip",
	} {
		f.Add([]byte(seed), "https://x.test/\"a\n")
	}
	f.Fuzz(func(t *testing.T, data []byte, address string) {
		whole, err := io.ReadAll(complete(bytes.NewReader(data), mainFrame{"F1", address}))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(data, head) {
			if !bytes.Equal(whole, data) {
				t.Fatalf("%q became %q", data, whole)
			}
		} else if !bytes.HasPrefix(whole, head) || !bytes.HasSuffix(whole, data[len(head):]) {
			t.Fatalf("%q became %q", data, whole)
		}
		if json.Valid(data) && utf8.ValidString(address) && !json.Valid(whole) {
			t.Fatalf("%q is JSON, %q is not", data, whole)
		}
		engine := new(collector)
		if err := send(t.Context(), engine, bytes.NewReader(data)); err != nil {
			if len(data) > 1 || fault.From(err).Code != fault.FileAccessFailed {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		got := engine.packed.Bytes()
		if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
			unpacked, err := gzip.NewReader(bytes.NewReader(got))
			if err == nil {
				got, err = io.ReadAll(unpacked)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(got, data) {
			t.Fatalf("the engine got %q of %q", got, data)
		}
	})
}

// FuzzReport: the engine's answer is refused or can be shown: its text is that of lines, and each insight is found by its name.
func FuzzReport(f *testing.F) {
	for _, seed := range []string{
		`{"events":1,"durationMs":2,"sets":[]}`, `{"sets":[{"id":"NAVIGATION_1","navigation":true,"url":"http://x/","metrics":{"lcp":{"ms":1}},"insights":[{"name":"RenderBlocking","state":"fail","rows":[{}]}]}]}`,
		`{"sets":[{"insights":[{"name":"","state":"x"}]}]}`, `{"sets":null}`, `{`, `{"durationMs":1e308,"sets":[{"url":"\ud800"}]}`, `[]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		report, err := decodeReport(data)
		if err != nil {
			if fault.From(err).Code != fault.InternalError {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		if text := report.Summary().Text(); text == "" && len(report.Sets) > 0 {
			t.Errorf("%q has no text", data)
		}
		for _, set := range report.Sets {
			for _, insight := range set.Insights {
				if insight.Text() == "" {
					t.Errorf("%q: %q has no text", data, insight.Name)
				}
				if found, err := report.Insight(insight.Name, set.ID); insight.Name != "" && set.ID != "" && (err != nil || found == nil) {
					t.Errorf("%q: %q of %q is not found: %v", data, insight.Name, set.ID, err)
				}
			}
		}
	})
}
