package command

import (
	"encoding/json"
	"strings"
	"testing"
)

// What a page's schema says of arguments, and schemas that want to cost something.
func TestFits(t *testing.T) {
	t.Parallel()
	list := strings.Repeat(`[`, 40) + strings.Repeat(`]`, 40)
	for _, c := range []struct{ schema, value, wrong string }{
		{`{}`, `{"a":1}`, ""},
		{`true`, `{}`, ""},
		{`{"type":"object","required":["a"]}`, `{}`, "arguments needs a"},
		{`{"properties":{"a":{"type":"integer"}}}`, `{"a":1.5}`, "arguments.a must be of type integer"},
		{`{"properties":{"a":{"type":["string","null"]}}}`, `{"a":null}`, ""},
		{`{"properties":{"a":{"type":["string","null"]}}}`, `{"a":1}`, "arguments.a must be of type string or null"},
		{`{"properties":{"a":{"enum":["x","y"]}}}`, `{"a":"z"}`, "arguments.a must be one of"},
		{`{"properties":{"a":{"const":1}}}`, `{"a":2}`, "arguments.a must be 1"},
		{`{"properties":{"a":{"minimum":1,"exclusiveMaximum":3}}}`, `{"a":3}`, "arguments.a must be below 3"},
		{`{"properties":{"a":{"minLength":2}}}`, `{"a":"ü"}`, "arguments.a must have at least 2 characters"},
		{`{"properties":{"a":{"pattern":"^b"}}}`, `{"a":"ab"}`, "arguments.a must match ^b"},
		{`{"properties":{"a":{"pattern":"(?=x)"}}}`, `{"a":"ab"}`, ""}, // not ours to judge
		{`{"properties":{"a":{"items":{"type":"string"},"maxItems":2}}}`, `{"a":["x",1]}`, "arguments.a[1] must be of type string"},
		{`{"properties":{"a":{"maxItems":1}}}`, `{"a":[1,2]}`, "arguments.a must have at most 1 items"},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"b":1}`, "arguments has no b; it has a"},
		{`{"additionalProperties":{"type":"number"}}`, `{"b":"x"}`, "arguments.b must be of type number"},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"c":1}`, "arguments needs a, or another of its forms"},
		{`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"b":1}`, ""},
		{`{"$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}}}`, `{"a":"x"}`, "arguments.a must be of type number"},
		{`{"$ref":"https://elsewhere.example/schema"}`, `{}`, ""},
		{`{"$ref":"#"}`, `{"a":1}`, ""},
		{`{"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}`, `{"a":` + list + `}`, ""},
		{`{"properties":7,"required":"a","items":null,"enum":{},"type":9}`, `{"a":[1]}`, ""},
	} {
		var schema, value any
		if json.Unmarshal([]byte(c.schema), &schema) != nil || json.Unmarshal([]byte(c.value), &value) != nil {
			t.Fatalf("no JSON: %s %s", c.schema, c.value)
		}
		got := fits(schema, value)
		if c.wrong == "" && got != "" || !strings.HasPrefix(got, c.wrong) {
			t.Errorf("%s against %s: %q, want %q", c.value, c.schema, got, c.wrong)
		}
	}
}
