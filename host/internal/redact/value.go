package redact

import (
	"maps"
	"strconv"
	"strings"
)

// Value gives a decoded JSON value with its secrets masked: texts and numbers under a
// secret's name, and whatever looks like a secret in any text. An object under such a
// name is looked at by the names in it. The value given stays as it is.
func Value(value any) any { return under(value, false) }

// At is Value for what stands at a path of keys.
func At(value any, path []string) any { return under(value, secretKeys(path)) }

// Patch gives the operations of a JSON Patch with their secrets masked: applied to a
// masked value they make what Value makes of the whole.
func Patch(ops []map[string]any) []map[string]any {
	if ops == nil {
		return nil
	}
	out := make([]map[string]any, len(ops))
	for i, op := range ops {
		out[i] = maps.Clone(op)
		if value, ok := op["value"]; ok {
			path, _ := op["path"].(string)
			out[i]["value"] = under(value, secretPath(path))
		}
	}
	return out
}

func secretPath(pointer string) bool {
	if pointer == "" {
		return false
	}
	parts := strings.Split(pointer[1:], "/")
	for i, part := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
	}
	return secretKeys(parts)
}

// secretKeys reports whether the last name of a path is a secret's. Numbers are places in
// a list of that name, and "$date" and its like a form of its value.
func secretKeys(path []string) bool {
	for i := len(path) - 1; i >= 0; i-- {
		if strings.Trim(path[i], "0123456789-") != "" && !strings.HasPrefix(path[i], "$") {
			return Name(path[i])
		}
	}
	return false
}

func under(value any, secret bool) any {
	switch v := value.(type) {
	case string:
		if secret && v != "" {
			return Mark
		}
		return Text(v)
	case float64:
		if secret {
			return Mark
		}
		if Knows() {
			if number := strconv.FormatFloat(v, 'f', -1, 64); Known(number) != number {
				return Known(number)
			}
		}
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = under(item, secret)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = under(item, strings.HasPrefix(key, "$") && secret || Name(key))
		}
		return out
	}
	return value
}
