package protocol_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestApplyPatch(t *testing.T) {
	for _, c := range []struct{ name, value, patch, want string }{
		{"member", `{"a":1}`, `[{"op":"replace","path":"/a","value":2},{"op":"add","path":"/b","value":null}]`, `{"a":2,"b":null}`},
		{"escaped", `{"a/b":{"~":1}}`, `[{"op":"remove","path":"/a~1b/~0"}]`, `{"a/b":{}}`},
		{"item", `[1,2,3]`, `[{"op":"remove","path":"/1"},{"op":"add","path":"/0","value":0},{"op":"add","path":"/-","value":4}]`, `[0,1,3,4]`},
		{"deep", `{"l":[{"n":1}]}`, `[{"op":"replace","path":"/l/0/n","value":[2]}]`, `{"l":[{"n":[2]}]}`},
		{"whole", `{"l":1}`, `[{"op":"replace","path":"","value":"x"}]`, `"x"`},
		{"__proto__", `{"__proto__":{"a":1}}`, `[{"op":"replace","path":"/__proto__/a","value":2}]`, `{"__proto__":{"a":2}}`},
		{"empty key", `{"":1}`, `[{"op":"replace","path":"/","value":2}]`, `{"":2}`},
		{"no member", `{}`, `[{"op":"replace","path":"/a","value":2}]`, ``},
		{"no item", `[]`, `[{"op":"remove","path":"/0"}]`, ``},
		{"no pointer", `{}`, `[{"op":"add","path":"a","value":2}]`, ``},
		{"through a number", `{"a":1}`, `[{"op":"add","path":"/a/b","value":2}]`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			var value, before, want any
			var patch []map[string]any
			for text, into := range map[string]any{c.value: &value, c.patch: &patch} {
				if err := json.Unmarshal([]byte(text), into); err != nil {
					t.Fatal(err)
				}
			}
			_ = json.Unmarshal([]byte(c.value), &before)
			got, err := protocol.ApplyPatch(value, patch)
			if !reflect.DeepEqual(value, before) {
				t.Errorf("the value given became %v", value)
			}
			if c.want == "" {
				if !errors.Is(err, protocol.ErrPatch) {
					t.Fatalf("%v, %v", got, err)
				}
				return
			}
			_ = json.Unmarshal([]byte(c.want), &want)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %v; want %v", got, err, want)
			}
		})
	}
}
