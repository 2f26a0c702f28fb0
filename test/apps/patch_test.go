package apps_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// apply is RFC 6902 as an agent would write it, for add, remove and replace.
func apply(value any, patch []map[string]any) (any, error) {
	for _, op := range patch {
		path := op["path"].(string)
		keys := strings.Split(path, "/")[1:]
		if path == "" {
			value = op["value"]
			continue
		}
		put := func(changed any) { value = changed } // puts a changed list where it stood
		at := value
		for i, key := range keys {
			key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
			end := i == len(keys)-1
			switch v := at.(type) {
			case map[string]any:
				_, there := v[key]
				switch {
				case !there && !(end && op["op"] == "add"):
					return nil, fmt.Errorf("%v: no %q", op, key)
				case end && op["op"] == "remove":
					delete(v, key)
				case end:
					v[key] = op["value"]
				}
				put = func(changed any) { v[key] = changed }
				at = v[key]
			case []any:
				n, err := strconv.Atoi(key)
				if err != nil || n < 0 || n > len(v) || n == len(v) && !(end && op["op"] == "add") {
					return nil, fmt.Errorf("%v: no item %q of %d", op, key, len(v))
				}
				switch {
				case end && op["op"] == "add":
					put(slices.Insert(v, n, op["value"]))
				case end && op["op"] == "remove":
					put(slices.Delete(v, n, n+1))
				case end:
					v[n] = op["value"]
				default:
					put = func(changed any) { v[n] = changed }
					at = v[n]
				}
			default:
				return nil, fmt.Errorf("%v: %q of a %T", op, key, at)
			}
		}
	}
	return value, nil
}
