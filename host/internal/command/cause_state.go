package command

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Changes of state in words: total 30 → 42. A patch says only what is new, so the values
// of before are kept as far as they are small.

const (
	maxScopes     = 32
	maxValueParts = 20_000 // members and items of a value that is kept
	maxPatchOps   = 64     // a longer patch costs its scope the value of before
	maxOps        = 4      // told in words of one update
)

// scopes are the values of a tab's stores as they were told last. None of them is changed in place.
type scopes map[string]scopeValue

type scopeValue struct {
	value any
	parts int
}

type stateOp struct {
	op, path string
	old, now any
	known    bool // old is what was there
}

// update follows one update; tell wants it in words, too.
func (s *scopes) update(m *protocol.StateUpdate, tell bool) *causedState {
	if *s == nil {
		*s = scopes{}
	}
	m = page.MaskedState(m)
	before, known := (*s)[m.Scope]
	var ops []stateOp
	switch {
	case m.Gone:
		delete(*s, m.Scope)
		ops = []stateOp{{op: "gone"}}
	case m.Patch != nil:
		ops = s.patch(m, before, known)
	default:
		parts := partsOf(m.State, maxValueParts)
		s.keep(m.Scope, scopeValue{m.State, parts})
		switch {
		case m.Version == 1 || m.Version == 0 && !known: // as it is found in a new document: nobody changed it
		case tell && known:
			difference(before.value, m.State, nil, &ops)
		default:
			ops = []stateOp{{op: "whole"}}
		}
	}
	if !tell || len(ops) == 0 {
		return nil
	}
	row := &causedState{Scope: brief(m.Scope, 200), Source: m.Source, Version: m.Version, Summary: brief(m.Scope, 80) + ": " + opsInWords(ops)}
	if m.Patch != nil {
		if data, err := json.Marshal(m.Patch); err == nil && len(data) <= maxPatch {
			row.Patch = m.Patch
		}
	}
	return row
}

// keep remembers a value that is small enough.
func (s *scopes) keep(scope string, v scopeValue) {
	if _, known := (*s)[scope]; v.parts > maxValueParts || !known && len(*s) >= maxScopes {
		delete(*s, scope)
		return
	}
	(*s)[scope] = v
}

// patch applies a patch to the value of before, where there is one.
func (s *scopes) patch(m *protocol.StateUpdate, before scopeValue, known bool) []stateOp {
	var ops []stateOp
	value, parts := before.value, before.parts
	for i, raw := range m.Patch {
		op := stateOp{now: raw["value"]}
		op.op, _ = raw["op"].(string)
		op.path, _ = raw["path"].(string)
		if known && i < maxPatchOps {
			var fits bool
			value, op.old, op.known, fits = applied(value, splitPointer(op.path), op.op, op.now)
			parts += partsOf(op.now, maxValueParts)
			known = fits
		}
		ops = append(ops, op)
	}
	if !known || len(m.Patch) > maxPatchOps {
		delete(*s, m.Scope)
	} else {
		s.keep(m.Scope, scopeValue{value, parts})
	}
	return ops
}

// partsOf counts a value's members and items, up to a limit and one.
func partsOf(value any, limit int) int {
	n := 1
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			if n += partsOf(inner, limit-n); n > limit {
				break
			}
		}
	case []any:
		for _, inner := range v {
			if n += partsOf(inner, limit-n); n > limit {
				break
			}
		}
	case string:
		n += len(v) / 64
	}
	return n
}

func splitPointer(path string) []string {
	if path == "" {
		return nil
	}
	keys := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for i, key := range keys {
		keys[i] = strings.ReplaceAll(strings.ReplaceAll(key, "~1", "/"), "~0", "~")
	}
	return keys
}

// applied makes the value that an operation leads to, of copies of what it changes.
func applied(value any, path []string, op string, to any) (out, old any, known, fits bool) {
	if len(path) == 0 {
		return to, value, true, op != "remove"
	}
	key := path[0]
	switch v := value.(type) {
	case map[string]any:
		inner, has := v[key]
		next := maps.Clone(v)
		switch {
		case len(path) > 1:
			next[key], old, known, fits = applied(inner, path[1:], op, to)
			return next, old, known, fits && has
		case op == "remove":
			delete(next, key)
			return next, inner, has, has
		}
		next[key] = to
		return next, inner, has, true
	case []any:
		i, err := strconv.Atoi(key)
		if key == "-" {
			i, err = len(v), nil
		}
		if err != nil || i < 0 || i > len(v) || i == len(v) && (op != "add" || len(path) > 1) {
			return value, nil, false, false
		}
		next := slices.Clone(v)
		switch {
		case len(path) > 1:
			next[i], old, known, fits = applied(v[i], path[1:], op, to)
			return next, old, known, fits
		case op == "add":
			return slices.Insert(next, i, to), nil, false, true
		case op == "remove":
			return slices.Delete(next, i, i+1), v[i], true, true
		}
		next[i] = to
		return next, v[i], true, true
	}
	return value, nil, false, false
}

// difference is what became of a value that is told whole.
func difference(from, to any, path []string, ops *[]stateOp) {
	if len(*ops) > maxOps {
		return
	}
	at := func(key string) []string { return append(slices.Clip(path), key) }
	note := func(op string, path []string, old, now any) {
		*ops = append(*ops, stateOp{op: op, path: "/" + strings.Join(path, "/"), old: old, now: now, known: op == "replace"})
	}
	switch a := from.(type) {
	case map[string]any:
		b, ok := to.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(a)) {
			if _, has := b[key]; !has {
				note("remove", at(key), a[key], nil)
			} else {
				difference(a[key], b[key], at(key), ops)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(b)) {
			if _, has := a[key]; !has {
				note("add", at(key), nil, b[key])
			}
		}
		return
	case []any:
		b, ok := to.([]any)
		if !ok {
			break
		}
		for i := range min(len(a), len(b)) {
			difference(a[i], b[i], at(strconv.Itoa(i)), ops)
		}
		for i := len(b); i < len(a); i++ {
			note("remove", at(strconv.Itoa(i)), a[i], nil)
		}
		for i := len(a); i < len(b); i++ {
			note("add", at(strconv.Itoa(i)), nil, b[i])
		}
		return
	case string, float64, bool, nil:
		if from == to {
			return
		}
	}
	note("replace", path, from, to)
}

// opsInWords tells the first few of a patch: items/2 added, total 30 → 42.
func opsInWords(ops []stateOp) string {
	var words []string
	for i, op := range ops {
		if i == maxOps {
			words = append(words, fmt.Sprintf("… %d more", len(ops)-i))
			break
		}
		path := brief(strings.TrimPrefix(op.path, "/"), 80)
		switch op.op {
		case "gone":
			words = append(words, "gone")
		case "whole":
			words = append(words, "told whole")
		case "add":
			words = append(words, path+" added")
		case "remove":
			words = append(words, path+" removed")
		default:
			change := "→ " + inShort(op.now)
			if op.known {
				change = inShort(op.old) + " " + change
			}
			words = append(words, strings.TrimSpace(path+" "+change))
		}
	}
	return strings.Join(words, ", ")
}

// inShort is a value in a few characters.
func inShort(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return fmt.Sprintf("{%d}", len(v))
	case []any:
		return fmt.Sprintf("[%d]", len(v))
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	return cutText(strings.ToValidUTF8(string(data), "\uFFFD"), 40)
}
