package tomledit

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// kept reports whether b is a with things put in: all of a is there, in order.
func kept(a, b []byte) bool {
	for _, c := range a {
		at := bytes.IndexByte(b, c)
		if at < 0 {
			return false
		}
		b = b[at+1:]
	}
	return true
}

// FuzzEdit: whatever the file, an edit takes no byte that it does not name; where the outcome
// is TOML it says what was asked and, beside that, what it said before.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"", "a = 1", "# mine\n\nkey = 1 # one\n\n# of x\n[t.x] # head\nk = [\n  1,\n]\n\n[t.x.below]\nv = 1\n\n[t.y]\nz = \"2\"\n",
		"key = \"x\"\r\nb = 2\r\n[t]\r\nx = 1\r\n", "[t]\nkey = 1\n[[t.x]]\na=1\n[[t.x]]\na=2\n", "t.x.a = 1\nt.y = 2\n", "t = { x = 1, y = 2 }\n", "key.a = 1\n",
		"key = '''\n# no comment\n'''\n", "\"key\" = 1", "key = 2026-11-22", "key = [ # c\n 1, ]", "\ufeffkey = 1", "key=\"=\"", "a=\"#\"#\n[t.x]#",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := map[string]any{}
		if toml.Unmarshal(data, &before) != nil {
			return
		}
		given := bytes.Clone(data)
		list, err := List(data)
		if err != nil {
			t.Fatalf("%q is TOML and not listed: %v", data, err)
		}
		for _, s := range list {
			if len(s.Keys) == 0 || s.Start < 0 || s.Start > s.End || s.End > len(data) || !s.Table && (s.Value < s.Start || s.Value > s.ValueEnd || s.ValueEnd > s.End) {
				t.Fatalf("%q: %+v", data, s)
			}
		}
		set, err := SetRoot(data, "key", `"new"`)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if _, there := before["key"]; !there && !kept(data, set) {
			t.Errorf("%q became %q", data, set)
		}
		after := map[string]any{}
		if toml.Unmarshal(set, &after) == nil {
			want := map[string]any{}
			_ = toml.Unmarshal(data, &want)
			if want["key"] = "new"; !reflect.DeepEqual(after, want) {
				t.Errorf("%q became %q", data, set)
			}
		}
		less, err := Remove(data, "t", "x")
		if err != nil || !kept(less, data) {
			t.Fatalf("%q became %q: %v", data, less, err)
		}
		after = map[string]any{}
		if toml.Unmarshal(less, &after) == nil {
			rest, _ := before["t"].(map[string]any)
			delete(rest, "x")
			if now, ok := after["t"].(map[string]any); ok {
				delete(now, "x") // written inside of something else: whoever edits looks
				if len(now) != len(rest) {
					t.Errorf("%q became %q", data, less)
				}
			}
			delete(before, "t")
			delete(after, "t")
			if !reflect.DeepEqual(before, after) {
				t.Errorf("%q became %q", data, less)
			}
		}
		if !bytes.Equal(given, data) {
			t.Errorf("the file's own bytes were changed: %q, %q", given, data)
		}
	})
}
