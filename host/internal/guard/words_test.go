package guard

import (
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

type aimedForm struct {
	Target string `json:"target"`
}

type formParams struct {
	aimedForm
	Values jsontext.Value `json:"values,omitempty"`
	Frame  string         `json:"frame,omitempty"`
}

func TestWordsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		params any
		want   Words
	}{
		{"nothing", nil, Words{}},
		{"nil", (*formParams)(nil), Words{}},
		{"type", &protocol.TypeParams{Target: protocol.Target{Role: "textbox", Name: "Email"}, Text: "ada@example.com"}, Words{Targets: []string{"textbox", "Email"}, Typed: []string{"ada@example.com"}}},
		{"navigate", &protocol.NavigateParams{URL: "/a?q=1"}, Words{Addresses: []string{"/a?q=1"}}},
		{
			"form by target", &formParams{aimedForm{"form"}, jsontext.Value(`{"#a":"one","#b":[true,12,"two"]}`), "f1"},
			Words{Targets: []string{"form", "#a", "#b"}, Typed: []string{"one", "12", "two"}},
		},
		{"form as list", &formParams{Values: jsontext.Value(`[{"target":"#a","value":"one"}]`)}, Words{Targets: []string{"#a"}, Typed: []string{"one"}}},
		{
			"raw", &protocol.CDPRequestParams{Method: "Page.navigate", Params: jsontext.Value(`{"url":"http://b.example/","referrer":"r"}`)},
			Words{Targets: []string{"Page.navigate"}, Typed: []string{"r"}, Addresses: []string{"http://b.example/"}},
		},
		{"broken JSON", &formParams{Values: jsontext.Value(`{"#a":"one",`)}, Words{Targets: []string{"#a"}, Typed: []string{"one"}}},
	} {
		if got := WordsOf(c.params); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func BenchmarkWordsOf(b *testing.B) {
	params := &protocol.TypeParams{Target: protocol.Target{Role: "textbox", Name: "Email"}, Text: "ada@example.com"}
	b.ReportAllocs()
	for b.Loop() {
		WordsOf(params)
	}
}
