package command

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A page's schema is the page's text: it is checked against with a bound on work, so
// that no schema, however it refers to itself, costs more than a glance. What this does
// not know of JSON Schema it does not judge; the tool itself has the last word.

const (
	maxSchemaSteps = 20_000
	maxSchemaDepth = 64
	maxSchemaText  = 300 // of a fault
)

// schemaCheck is one check of arguments.
type schemaCheck struct {
	root  any
	steps int
}

// fits says what of the arguments does not fit a schema, or nothing. The words name
// what is wanted: they are the page's.
func fits(schema, value any) string {
	c := &schemaCheck{root: schema}
	return cutText(c.judge(schema, value, "arguments", 0), maxSchemaText)
}

func (c *schemaCheck) judge(schema, value any, at string, depth int) string {
	if c.steps++; c.steps > maxSchemaSteps || depth > maxSchemaDepth {
		return ""
	}
	if schema == false {
		return at + " must not be given"
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return ""
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, found := c.find(ref); found {
			if wrong := c.judge(target, value, at, depth+1); wrong != "" {
				return wrong
			}
		}
	}
	for _, rule := range []schemaRule{ruleType, ruleEnum, ruleNumber, ruleString, ruleArray, ruleObject, ruleCombined} {
		if wrong := rule(c, s, value, at, depth); wrong != "" {
			return wrong
		}
	}
	return ""
}

// find follows a reference within the schema: #/$defs/name.
func (c *schemaCheck) find(ref string) (any, bool) {
	path, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil, false
	}
	at := c.root
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if part == "" {
			continue
		}
		object, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]; !ok {
			return nil, false
		}
	}
	return at, true
}

// schemaRule judges a value by one group of keywords.
type schemaRule func(c *schemaCheck, s map[string]any, value any, at string, depth int) string

func ruleType(_ *schemaCheck, s map[string]any, value any, at string, _ int) string {
	var types []string
	switch t := s["type"].(type) {
	case string:
		types = []string{t}
	case []any:
		for _, one := range t {
			if name, ok := one.(string); ok {
				types = append(types, name)
			}
		}
	}
	if len(types) == 0 || slices.ContainsFunc(types, func(name string) bool { return isType(name, value) }) {
		return ""
	}
	return at + " must be of type " + strings.Join(types, " or ")
}

func isType(name string, value any) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return true
}

func ruleEnum(_ *schemaCheck, s map[string]any, value any, at string, _ int) string {
	if want, ok := s["const"]; ok && !reflect.DeepEqual(want, value) {
		return fmt.Sprintf("%s must be %v", at, want)
	}
	if list, ok := s["enum"].([]any); ok && !slices.ContainsFunc(list, func(one any) bool { return reflect.DeepEqual(one, value) }) {
		return fmt.Sprintf("%s must be one of %s", at, joined(list))
	}
	return ""
}

func ruleNumber(_ *schemaCheck, s map[string]any, value any, at string, _ int) string {
	n, ok := value.(float64)
	if !ok {
		return ""
	}
	for _, bound := range []struct {
		key, words string
		wrong      func(limit float64) bool
	}{
		{"minimum", "at least", func(limit float64) bool { return n < limit }},
		{"maximum", "at most", func(limit float64) bool { return n > limit }},
		{"exclusiveMinimum", "above", func(limit float64) bool { return n <= limit }},
		{"exclusiveMaximum", "below", func(limit float64) bool { return n >= limit }},
	} {
		if limit, ok := s[bound.key].(float64); ok && bound.wrong(limit) {
			return fmt.Sprintf("%s must be %s %v", at, bound.words, limit)
		}
	}
	return ""
}

func ruleString(_ *schemaCheck, s map[string]any, value any, at string, _ int) string {
	text, ok := value.(string)
	if !ok {
		return ""
	}
	if wrong := length(s, "minLength", "maxLength", utf8.RuneCountInString(text), at, "characters"); wrong != "" {
		return wrong
	}
	if pattern, ok := s["pattern"].(string); ok && len(pattern) <= 1000 {
		if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(text) {
			return fmt.Sprintf("%s must match %s", at, pattern)
		}
	}
	return ""
}

// length judges a number of things against two keywords.
func length(s map[string]any, least, most string, n int, at, what string) string {
	if limit, ok := s[least].(float64); ok && float64(n) < limit {
		return fmt.Sprintf("%s must have at least %v %s", at, limit, what)
	}
	if limit, ok := s[most].(float64); ok && float64(n) > limit {
		return fmt.Sprintf("%s must have at most %v %s", at, limit, what)
	}
	return ""
}

func ruleArray(c *schemaCheck, s map[string]any, value any, at string, depth int) string {
	list, ok := value.([]any)
	if !ok {
		return ""
	}
	if wrong := length(s, "minItems", "maxItems", len(list), at, "items"); wrong != "" {
		return wrong
	}
	items, ok := s["items"]
	if !ok {
		return ""
	}
	for i, item := range list {
		if wrong := c.judge(items, item, fmt.Sprintf("%s[%d]", at, i), depth+1); wrong != "" {
			return wrong
		}
	}
	return ""
}

func ruleObject(c *schemaCheck, s map[string]any, value any, at string, depth int) string {
	object, ok := value.(map[string]any)
	if !ok {
		return ""
	}
	if required, ok := s["required"].([]any); ok {
		for _, one := range required {
			name, isName := one.(string)
			if _, given := object[name]; isName && !given {
				return fmt.Sprintf("%s needs %s", at, name)
			}
		}
	}
	properties, _ := s["properties"].(map[string]any)
	_, patterns := s["patternProperties"]
	for _, name := range slices.Sorted(maps.Keys(object)) {
		schema, known := properties[name]
		if !known {
			schema = s["additionalProperties"]
			if patterns {
				continue
			}
			if schema == false {
				return fmt.Sprintf("%s has no %s; it has %s", at, name, strings.Join(slices.Sorted(maps.Keys(properties)), ", "))
			}
		}
		if wrong := c.judge(schema, object[name], at+"."+name, depth+1); wrong != "" {
			return wrong
		}
	}
	return ""
}

func ruleCombined(c *schemaCheck, s map[string]any, value any, at string, depth int) string {
	all, _ := s["allOf"].([]any)
	for _, one := range all {
		if wrong := c.judge(one, value, at, depth+1); wrong != "" {
			return wrong
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		choices, ok := s[key].([]any)
		if !ok || len(choices) == 0 {
			continue
		}
		first, fit := "", false
		for _, one := range choices {
			wrong := c.judge(one, value, at, depth+1)
			if wrong == "" {
				fit = true
				break
			}
			if first == "" {
				first = wrong
			}
		}
		if !fit {
			return first + ", or another of its forms"
		}
	}
	return ""
}
