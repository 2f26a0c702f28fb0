package protocol

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ErrPatch is a patch that does not fit the value: it was made for another version.
var ErrPatch = errors.New("the patch does not fit")

// ApplyPatch gives the value that the patch of a state_update makes of a decoded JSON
// value: RFC 6902, of which add, remove and replace are sent. The value given stays as
// it is; the result shares parts with it. The error wraps ErrPatch.
func ApplyPatch(value any, patch []map[string]any) (any, error) {
	for _, op := range patch {
		kind, _ := op["op"].(string)
		path, ok := op["path"].(string)
		if !ok {
			return nil, fmt.Errorf("%w: an operation without path", ErrPatch)
		}
		keys, err := PointerKeys(path)
		if err == nil && kind != "add" && kind != "remove" && kind != "replace" {
			err = errors.New("there is no such operation")
		}
		if err == nil {
			value, err = applyOp(value, kind, keys, op["value"])
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %s %s: %w", ErrPatch, kind, path, err)
		}
	}
	return value, nil
}

// PointerKeys splits a JSON Pointer (RFC 6901).
func PointerKeys(pointer string) ([]string, error) {
	if pointer == "" {
		return nil, nil
	}
	if pointer[0] != '/' {
		return nil, errors.New("a pointer begins with /")
	}
	keys := strings.Split(pointer[1:], "/")
	for i, key := range keys {
		if rest := strings.NewReplacer("~0", "", "~1", "").Replace(key); strings.Contains(rest, "~") {
			return nil, errors.New("a pointer writes ~ as ~0 and / as ~1")
		}
		keys[i] = strings.ReplaceAll(strings.ReplaceAll(key, "~1", "/"), "~0", "~")
	}
	return keys, nil
}

func applyOp(value any, kind string, keys []string, to any) (any, error) {
	if len(keys) == 0 {
		if kind == "remove" {
			return nil, nil
		}
		return to, nil
	}
	key, rest := keys[0], keys[1:]
	switch v := value.(type) {
	case map[string]any:
		old, there := v[key]
		if !there && (len(rest) > 0 || kind != "add") {
			return nil, fmt.Errorf("there is no %q", key)
		}
		out := maps.Clone(v)
		if len(rest) == 0 && kind == "remove" {
			delete(out, key)
			return out, nil
		}
		next, err := applyOp(old, kind, rest, to)
		out[key] = next
		return out, err
	case []any:
		return applyItem(v, kind, key, rest, to)
	}
	return nil, fmt.Errorf("nothing has a %q there", key)
}

func applyItem(list []any, kind, key string, rest []string, to any) (any, error) {
	i, err := strconv.Atoi(key)
	if key == "-" {
		i, err = len(list), nil
	} else if err == nil && strconv.Itoa(i) != key { // +1 and 01 are no places (RFC 6901 section 4)
		i = -1
	}
	adds := len(rest) == 0 && kind == "add"
	if err != nil || i < 0 || i > len(list) || i == len(list) && !adds {
		return nil, fmt.Errorf("there is no %q", key)
	}
	out := slices.Clone(list)
	switch {
	case adds:
		return slices.Insert(out, i, to), nil
	case len(rest) == 0 && kind == "remove":
		return slices.Delete(out, i, i+1), nil
	}
	next, err := applyOp(out[i], kind, rest, to)
	out[i] = next
	return out, err
}
