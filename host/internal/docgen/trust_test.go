package docgen

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	catalogue "github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// structsOf visits the structs of a type as JSON has them, each once.
func structsOf(t reflect.Type, seen map[reflect.Type]bool, visit func(reflect.Type)) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		structsOf(t.Elem(), seen, visit)
	case reflect.Struct:
		if seen[t] || t == reflect.TypeFor[time.Time]() {
			return
		}
		seen[t] = true
		visit(t)
		for i := range t.NumField() {
			f := t.Field(i)
			if tag := f.Tag.Get("json"); tag != "-" && (tag != "" || f.Anonymous) {
				structsOf(f.Type, seen, visit)
			}
		}
	}
}

// What a reader may take as ours and what is the page's is said of every member that
// holds strings; of messages in their doc tags, which docs/protocol.md shows.
func TestEveryFieldSaysWhoseWordsItHolds(t *testing.T) {
	t.Parallel()
	seen, used := map[reflect.Type]bool{}, map[string]bool{}
	pages, all := 0, 0
	visit := func(owner reflect.Type) {
		for i := range owner.NumField() {
			f := owner.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			page, known, row := catalog.PageText(owner, f)
			used[row] = true
			all++
			if page {
				pages++
			}
			switch {
			case !known:
				t.Errorf("%s.%s: say in host/internal/catalog/trust.go whose words it holds, or \"Page text.\" in its doc tag", owner, name)
			case page && row != "" && owner.PkgPath() == reflect.TypeFor[protocol.Base]().PkgPath():
				t.Errorf("%s.%s: its doc tag does not say \"Page text.\"", owner, name)
			}
		}
	}
	for _, c := range catalogue.All {
		structsOf(c.Result, seen, visit)
	}
	for _, telemetry := range protocol.Telemetry {
		structsOf(reflect.TypeOf(telemetry.New()), seen, visit)
	}
	for _, host := range hostMessages {
		structsOf(reflect.TypeOf(host.value), seen, visit)
	}
	if pages < 100 || all < 500 {
		t.Errorf("only %d members found, %d of them the page's", all, pages)
	}
	for _, row := range catalog.TrustRows() {
		if !used[row] {
			t.Errorf("%s decides of no member: take it out of host/internal/catalog/trust.go", row)
		}
	}
}

// The schemas for tools carry what the table says, down to lists within lists.
func TestSchemasTellPageText(t *testing.T) {
	t.Parallel()
	c, ok := catalogue.All.Find("page.list")
	if !ok {
		t.Fatal("there is no page.list")
	}
	row := func(s catalog.Schema) catalog.Schema {
		pages := s["properties"].(catalog.Schema)["pages"].(catalog.Schema)
		return pages["items"].(catalog.Schema)["properties"].(catalog.Schema)
	}
	told, bare := row(c.OutputSchema()), row(c.BareOutputSchema())
	for name, want := range map[string]any{"title": "page", "url": "page", "heldBy": nil, "pageId": nil} {
		if got := told[name].(catalog.Schema)["x-trust"]; got != want {
			t.Errorf("x-trust of %s is %v, want %v", name, got, want)
		}
		if got := bare[name].(catalog.Schema)["x-trust"]; got != nil {
			t.Errorf("x-trust of %s is %v in the bare schema", name, got)
		}
	}
}
