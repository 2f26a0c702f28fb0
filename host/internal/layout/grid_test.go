package layout

import (
	"slices"
	"testing"
)

func TestTracks(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][]float64{
		"100px 96px":               {100, 96},
		"[a b] 100px [c] 0px [d]":  {100, 0},
		"none":                     nil,
		"subgrid [a] [b]":          nil,
		"":                         nil,
		"[full-start] 50.5px [  ]": {50.5},
	} {
		if got := tracks(value); !slices.Equal(got, want) {
			t.Errorf("%q: %v", value, got)
		}
	}
}

func TestFlexibleTracks(t *testing.T) {
	t.Parallel()
	for list, want := range map[string]string{
		"200px 200px":                           "minmax(0, 200px) minmax(0, 200px)",
		"1fr auto":                              "minmax(0, 1fr) minmax(0, auto)",
		"repeat(3, 1fr)":                        "repeat(3, minmax(0, 1fr))",
		"[a] 100px repeat(2, minmax(9px, 1fr))": "[a] minmax(0, 100px) repeat(2, minmax(0, 1fr))",
		"repeat(auto-fill, minmax(300px, 1fr))": "repeat(auto-fill, minmax(min(300px, 100%), 1fr))",
		"repeat(auto-fit, 300px)":               "repeat(auto-fit, min(300px, 100%))",
		"minmax(calc(10px + 2%), 1fr) [z] 40%":  "minmax(0, 1fr) [z] minmax(0, 40%)",
		"fit-content(200px)":                    "minmax(0, 200px)",
		"minmax(max(1px, 2px), max-content)":    "minmax(0, max-content)",
	} {
		if got := flexible(list); got != want {
			t.Errorf("%s\n got %s\nwant %s", list, got, want)
		}
	}
}

func TestCountTracks(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	if got := countTracks("[full-start side] 100px repeat(2, [col] minmax(0, 1fr) 20px) [full-end]", names); got != 5 {
		t.Errorf("%d tracks", got)
	}
	for _, name := range []string{"full-start", "side", "col", "full-end"} {
		if !names[name] {
			t.Errorf("%s is not a name", name)
		}
	}
	if got := countTracks("none", names); got != 0 {
		t.Errorf("none has %d tracks", got)
	}
}

func TestMisplaced(t *testing.T) {
	t.Parallel()
	two := template{2, map[string]bool{"main": true, "main-start": true, "main-end": true, "full-start": true, "full-end": true}}
	cases := []struct {
		value, axis, end string
		wrong            bool
	}{
		{"auto", "column", "start", false},
		{"2", "column", "start", false},
		{"3", "column", "start", true}, // the last line: nothing is after it
		{"3", "column", "end", false},
		{"4", "column", "end", true},
		{"-1", "column", "end", false},
		{"-3", "column", "start", false},
		{"-4", "column", "start", true},
		{"span 2", "column", "end", false},
		{"span 3", "column", "end", true},
		{"span 3", "row", "end", false},
		{"main", "column", "start", false},
		{"full", "column", "start", false},
		{"mian", "column", "start", true},
		{"mian 2", "row", "start", true},
		{"main 2", "row", "start", false},
	}
	for _, c := range cases {
		if problem, fix := two.misplaced(c.value, c.axis, c.end); (problem != "") != c.wrong || c.wrong == (fix == "") {
			t.Errorf("%s-%s: %s: %q, %q", c.axis, c.end, c.value, problem, fix)
		}
	}
}
