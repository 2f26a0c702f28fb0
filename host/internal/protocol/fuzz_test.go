package protocol_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// FuzzApplyPatch compares with RFC 6902 written once more, on a value that is changed in place.
func FuzzApplyPatch(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":1}`, `[{"op":"replace","path":"/a","value":2},{"op":"add","path":"/b","value":null}]`},
		{`{"a/b":{"~":1}}`, `[{"op":"remove","path":"/a~1b/~0"}]`},
		{`[1,2,3]`, `[{"op":"remove","path":"/1"},{"op":"add","path":"/0","value":0},{"op":"add","path":"/-","value":4}]`},
		{`{"l":[{"n":1}]}`, `[{"op":"replace","path":"/l/0/n","value":[2]}]`}, {`{"l":1}`, `[{"op":"replace","path":"","value":"x"}]`},
		{`{}`, `[{"op":"add","path":"a","value":2}]`}, {`{"a":1}`, `[{"op":"add","path":"/a/b","value":2}]`}, {`[1]`, `[{"op":"test","path":"/0","value":2}]`},
		{`[1]`, `[{"op":"remove","path":"/+0"}]`}, {`[1,2]`, `[{"op":"remove","path":"/01"}]`}, {`{"~01":1}`, `[{"op":"remove","path":"/~001"}]`}, {`1`, `[{"op":"remove","path":""}]`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, valueText, patchText string) {
		var value, same any
		var patch []map[string]any
		if json.Unmarshal([]byte(valueText), &value) != nil || json.Unmarshal([]byte(patchText), &patch) != nil {
			return
		}
		_ = json.Unmarshal([]byte(valueText), &same)
		got, err := protocol.ApplyPatch(value, patch)
		if !reflect.DeepEqual(value, same) {
			t.Fatalf("the value given became %v", value)
		}
		// Operations share what they add: the reference works on its own copy.
		var own []map[string]any
		_ = json.Unmarshal([]byte(patchText), &own)
		root, ok := map[string]any{"": same}, true
		for _, op := range own {
			if ok = referenceOp(root, op); !ok {
				break
			}
		}
		if ok != (err == nil) || err != nil && !errors.Is(err, protocol.ErrPatch) {
			t.Fatalf("%s on %s: %v, by the reference %v", patchText, valueText, err, ok)
		}
		if ok && !reflect.DeepEqual(got, root[""]) {
			t.Fatalf("%s on %s: %v, by the reference %v", patchText, valueText, got, root[""])
		}
	})
}

// referenceOp does one operation below root[""].
func referenceOp(root map[string]any, op map[string]any) bool {
	kind, path := op["op"], op["path"]
	pointer, ok := path.(string)
	if !ok || pointer != "" && pointer[0] != '/' || kind != "add" && kind != "remove" && kind != "replace" {
		return false
	}
	names := strings.Split(pointer, "/") // the first is empty: the root's name
	for i, name := range names {
		for at := 0; at < len(name); at++ {
			if name[at] == '~' && (at+1 == len(name) || name[at+1] != '0' && name[at+1] != '1') {
				return false
			}
		}
		names[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	}
	var holder any = root
	put := func(any) {} // puts a changed list where the holder was
	for i, name := range names {
		last := i == len(names)-1
		switch v := holder.(type) {
		case map[string]any:
			child, there := v[name]
			switch {
			case !there && (!last || kind != "add"):
				return false
			case last && kind == "remove" && i > 0:
				delete(v, name)
			case last && kind == "remove":
				v[name] = nil
			case last:
				v[name] = op["value"]
			default:
				holder, put = child, func(list any) { v[name] = list }
			}
		case []any:
			n, ok := place(name, len(v))
			if !ok || n == len(v) && (!last || kind != "add") {
				return false
			}
			switch {
			case last && kind == "add":
				grown := append([]any{}, v[:n]...)
				put(append(append(grown, op["value"]), v[n:]...))
			case last && kind == "remove":
				put(append(append([]any{}, v[:n]...), v[n+1:]...))
			case last:
				v[n] = op["value"]
			default:
				holder, put = v[n], func(list any) { v[n] = list }
			}
		default:
			return false
		}
	}
	return true
}

// place reads an index of RFC 6901: - or digits without a leading zero.
func place(name string, length int) (int, bool) {
	if name == "-" {
		return length, true
	}
	if name == "" || len(name) > 9 || name[0] == '0' && name != "0" {
		return 0, false
	}
	n := 0
	for _, c := range []byte(name) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, n <= length
}
