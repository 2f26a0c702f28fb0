package recording

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// sample is a recording as it may be: a person who signs in, and an agent.
func sample() []Entry {
	return []Entry{
		{At: 10, Kind: KindNetwork, Method: "GET", URL: "http://shop.test/app/", Status: 200, Type: "document", Ms: 12},
		{At: 1000, Kind: KindAction, Command: "element.fill", Params: map[string]any{"target": `textbox "Email"`, "value": "ada@harbour.test"}, By: "person"},
		{At: 1500, Kind: KindAction, Command: "element.fill", Params: map[string]any{"target": `textbox "Password"`, "value": Secret}, By: "person"},
		{At: 2000, Kind: KindAction, Command: "element.click", Params: map[string]any{"target": `button "Sign in"`}, By: "agent"},
		{At: 2100, Kind: KindNetwork, ID: "7", Method: "POST", URL: "http://shop.test/api/session?token=[redacted]", Status: 500, Type: "fetch", Ms: 120, RequestBody: "bodies/1"},
		{At: 2110, Kind: KindConsole, Level: "error", Text: "sign-in\nfailed"},
		{At: 2120, Kind: KindState, Scope: "session", Patch: []any{map[string]any{"op": "replace", "path": "/user", "value": nil}, map[string]any{"op": "add", "path": "/errors/0", "value": "no"}}},
		{At: 2200, Kind: KindNavigation, URL: "http://shop.test/app/#orders", Title: "Orders"},
		{At: 2300, Kind: KindMark, Text: "here", Picture: "shots/1.png"},
		{At: 61_500, Kind: KindAction, Command: "element.click", Params: map[string]any{"target": "#gone"}, By: "person", Code: "ELEMENT_NOT_FOUND"},
		{At: 61_600, Kind: KindError, Text: "Uncaught TypeError: x is not a function", Source: "http://shop.test/app/app.js:3:7"},
	}
}

func told(f *File, q Query) string {
	rows, left, next := f.Rows(q)
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%d %s %d %s", row.N, Clock(row.At), row.Under, row.Text)
		if len(row.More) > 0 {
			fmt.Fprintf(&b, " +%v", row.More)
		}
		b.WriteString("\n")
	}
	if left > 0 {
		fmt.Fprintf(&b, "%d left from %s\n", left, next)
	}
	return b.String()
}

func TestRows(t *testing.T) {
	t.Parallel()
	f := must(t, manifest(t, nil), timeline(t, sample()...))
	whole := `1 +0.0s 0 GET /app/ 200 (12 ms)
2 +1.0s 0 fill textbox "Email" = "ada@harbour.test"
3 +1.5s 0 fill textbox "Password" = "{{secret}}"
4 +2.0s 0 click button "Sign in" (agent)  → POST /api/session?token=[redacted] 500 (120 ms), navigated to /app/#orders, 1 console error, 1 state change
5 +2.1s 4 POST /api/session?token=[redacted] 500 (120 ms)
6 +2.1s 4 console.error "sign-in failed"
7 +2.1s 4 state session: /user=null, /errors/0=no
8 +2.2s 4 navigated to /app/#orders "Orders"
9 +2.3s 0 mark "here" (picture)
10 +1m01.5s 0 click #gone failed: ELEMENT_NOT_FOUND  → 1 console error
11 +1m01.6s 10 error: Uncaught TypeError: x is not a function at /app/app.js:3:7
`
	for _, c := range []struct {
		name string
		q    Query
		want string
	}{
		{"whole", Query{}, whole},
		{"limit", Query{Limit: 2}, strings.Join(strings.SplitAfter(whole, "\n")[:2], "") + "9 left from 1.5s\n"},
		{"kind", Query{Kinds: []string{KindError}}, strings.SplitAfter(whole, "\n")[10]},
		{"time", Query{From: 2200 * time.Millisecond, To: 3 * time.Second}, strings.Join(strings.SplitAfter(whole, "\n")[7:9], "")},
	} {
		if got := told(f, c.q); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// TestRowsBounded: of much that followed an action, what says most is told.
func TestRowsBounded(t *testing.T) {
	t.Parallel()
	entries := []Entry{{At: 1, Kind: KindAction, Command: "input.key", Params: map[string]any{"key": "Enter"}}}
	for i := range 40 {
		entries = append(entries, Entry{At: int64(10 + i), Kind: KindNetwork, Method: "GET", URL: fmt.Sprintf("http://cdn.test/%d.png", i), Type: "image", Status: 200})
	}
	entries = append(entries, Entry{At: 90, Kind: KindNetwork, Method: "POST", URL: "http://shop.test/api", Type: "fetch", Status: 201}, Entry{At: 91, Kind: KindError, Text: "boom"})
	f := must(t, manifest(t, nil), timeline(t, entries...))
	got := told(f, Query{})
	for _, want := range []string{"key Enter  → POST /api 201, 40 more requests, 1 console error +map[network:36]", "POST /api 201\n", "error: boom\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n != 1+perAction {
		t.Errorf("%d lines:\n%s", n, got)
	}
	if rows, _, _ := f.Rows(Query{All: true}); len(rows) != len(entries) {
		t.Errorf("%d rows of %d", len(rows), len(entries))
	}
}

func TestParseClock(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"": 0, "12": 12 * time.Second, "+3.2s": 3200 * time.Millisecond, "1m05s": 65 * time.Second, "+1m02.5s": 62500 * time.Millisecond, "900ms": 900 * time.Millisecond} {
		if got, err := ParseClock(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"-1s", "noon", "1e9", "NaN"} {
		if got, err := ParseClock(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
