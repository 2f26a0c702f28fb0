package output

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

var epoch = Meta{RequestID: "r1"}

func printer() (*Printer, *bytes.Buffer, *bytes.Buffer) {
	var out, err bytes.Buffer
	return New(&out, &err), &out, &err
}

func cutDuration(text string) string {
	i := strings.Index(text, `"durationMs":`)
	j := i + strings.IndexAny(text[i:], ",}")
	return text[:i] + `"durationMs":0` + text[j:]
}

func TestEnvelopes(t *testing.T) {
	p, out, _ := printer()
	epoch.Started = time.Now()
	if err := p.Success(map[string]any{"b": "<x>", "a": 1}, "", epoch); err != nil {
		t.Fatal(err)
	}
	if got, want := cutDuration(out.String()), `{"ok":true,"data":{"a":1,"b":"<x>"},"meta":{"requestId":"r1","durationMs":0}}`+"\n"; got != want {
		t.Fatalf("got %s want %s", got, want)
	}
	out.Reset()
	if err := p.Failure(fault.New(fault.Busy, "no").With("n", 2).Suggest("again"), epoch); err != nil {
		t.Fatal(err)
	}
	if got, want := cutDuration(out.String()), `{"ok":false,"error":{"code":"BUSY","message":"no","details":{"n":2},"suggestions":["again"]},"meta":{"requestId":"r1","durationMs":0,"retryable":true}}`+"\n"; got != want {
		t.Fatalf("got %s want %s", got, want)
	}
}

func TestTextGoesToPeople(t *testing.T) {
	p, out, errs := printer()
	p.Format = Text
	if err := p.Failure(fault.New(fault.Busy, "no\x1b[31m red").Suggest("again"), epoch); err != nil {
		t.Fatal(err)
	}
	if out.Len() != 0 || errs.String() != "error: no red (BUSY)\n  try: again\n" {
		t.Fatalf("stdout %q stderr %q", out, errs)
	}
	if err := p.Success(1, "one", epoch); err != nil || out.String() != "one\n" {
		t.Fatalf("stdout %q err %v", out, err)
	}
}

func TestFields(t *testing.T) {
	cases := []struct {
		name, data, fields, want string
		missing                  []string
	}{
		{"order of the data stays", `{"a":1,"b":2,"c":3}`, "c,a", `{"a":1,"c":3}`, nil},
		{"inside", `{"a":{"x":1,"y":2},"b":3}`, "a.y", `{"a":{"y":2}}`, nil},
		{"inside arrays", `{"l":[{"x":1,"y":2},{"x":3}]}`, "l.x", `{"l":[{"x":1},{"x":3}]}`, nil},
		{"array at the top", `[{"x":1,"y":2}]`, "y", `[{"y":2}]`, nil},
		{"missing", `{"a":1}`, "z,a", `{"a":1}`, []string{"z"}},
		{"leaf and below", `{"a":{"x":1,"y":2}}`, "a.x,a.y", `{"a":{"x":1,"y":2}}`, nil},
		{"scalar", `7`, "a", `7`, []string{"a"}},
		{"numbers stay exact", `{"a":12345678901234567890,"b":1e3}`, "a,b", `{"a":12345678901234567890,"b":1e3}`, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			fields, err := ParseFields(c.fields)
			if err != nil {
				t.Fatal(err)
			}
			got, missing, err := filter([]byte(c.data), fields)
			if err != nil || string(got) != c.want || strings.Join(missing, ",") != strings.Join(c.missing, ",") {
				t.Fatalf("got %s missing %v err %v; want %s missing %v", got, missing, err, c.want, c.missing)
			}
		})
	}
	for _, bad := range []string{",", "a,,b", "a.", ".a"} {
		if _, err := ParseFields(bad); !errors.Is(err, &fault.Error{Code: fault.ValidationError}) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzFields(f *testing.F) {
	f.Add(`{"a":{"b":[1,{"c":2}]}}`, "a.b.c,a")
	f.Add(`[[{"a":1}]]`, "a")
	f.Fuzz(func(t *testing.T, data, text string) {
		fields, err := ParseFields(text)
		if err != nil || len(fields) == 0 {
			return
		}
		// Data is always our own valid JSON; what is not must fail, not panic.
		if kept, _, err := filter([]byte(data), fields); err == nil && len(kept) > len(data)*6+16 {
			t.Fatalf("%d bytes became %d", len(data), len(kept))
		}
	})
}

func TestCut(t *testing.T) {
	for in, want := range map[string]string{"abc": "abc", "abcdef": "abcd…", "äöüß": "äöüß", "ab cdef": "ab c…", "": ""} {
		if got := Cut(in, 4); got != want {
			t.Errorf("Cut(%q) = %q want %q", in, got, want)
		}
	}
}

func TestClosedPipeIsQuiet(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	reader.Close()
	p := New(writer, &bytes.Buffer{})
	if err := p.Line([]byte("x")); !IsClosedPipe(err) {
		t.Fatalf("got %v", err)
	}
	if err := p.Success(1, "", epoch); !IsClosedPipe(err) || p.Broken() == nil {
		t.Fatalf("got %v", err)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"start", "stop", "status", "logs", "VALIDATION_ERROR"}
	for in, want := range map[string]string{"strat": "start", "stpo": "stop", "stat": "start", "log": "logs", "statsu": "status", "validation_eror": "VALIDATION_ERROR", "frobnicate": "", "x": "", "": ""} {
		if got := Nearest(in, words); got != want {
			t.Errorf("Nearest(%q) = %q want %q", in, got, want)
		}
	}
}
