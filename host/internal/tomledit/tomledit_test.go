package tomledit

import "testing"

func TestEdits(t *testing.T) {
	t.Parallel()
	const file = "# mine\n\na = 1 # one\n\n# of x\n[t.x] # head\nk = [\n  1,\n]\n\n[t.x.below]\nv = 1\n\n[t.y]\nz = \"2\"\n"
	for _, c := range []struct {
		name string
		got  func() ([]byte, error)
		want string
	}{
		{"remove a table and what is below", func() ([]byte, error) { return Remove([]byte(file), "t", "x") }, "# mine\n\na = 1 # one\n\n# of x\n\n[t.y]\nz = \"2\"\n"},
		{"remove the last", func() ([]byte, error) { return Remove([]byte("[t.x]\na = 1\n\n[t.y]\nz = 2"), "t", "y") }, "[t.x]\na = 1\n"},
		{"remove a key", func() ([]byte, error) { return Remove([]byte("a = 1\nb = 2\n"), "a") }, "b = 2\n"},
		{"remove what is not there", func() ([]byte, error) { return Remove([]byte(file), "t", "no") }, file},
		{"set a root key", func() ([]byte, error) { return SetRoot([]byte("# c\na = 1 # one\n[t]\nb = 1\n"), "a", `"x"`) }, "# c\na = \"x\" # one\n[t]\nb = 1\n"},
		{"a new root key", func() ([]byte, error) { return SetRoot([]byte("a = 1\n[t]\nb = 1\n"), "b", `"x"`) }, "a = 1\nb = \"x\"\n[t]\nb = 1\n"},
		{"the first root key", func() ([]byte, error) { return SetRoot([]byte("# c\n[t]\nb = 1\n"), "a", `"x"`) }, "a = \"x\"\n\n# c\n[t]\nb = 1\n"},
		{"in an empty file", func() ([]byte, error) { return SetRoot(nil, "a", `"x"`) }, "a = \"x\"\n"},
		{"without a last newline", func() ([]byte, error) { return SetRoot([]byte("a = 1"), "b", `2`) }, "a = 1\nb = 2\n"},
		{"append", func() ([]byte, error) { return Append([]byte("a = 1"), "[t]\n"), nil }, "a = 1\n\n[t]\n"},
		{"append to nothing", func() ([]byte, error) { return Append(nil, "[t]\n"), nil }, "[t]\n"},
		{"lines of Windows", func() ([]byte, error) { return SetRoot([]byte("a = 1\r\n"), "b", "2") }, "a = 1\r\nb = 2\r\n"},
	} {
		got, err := c.got()
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%q, want\n%q", c.name, err, got, c.want)
		}
	}
	if _, err := List([]byte("a = = 1")); err == nil {
		t.Error("what is no TOML is listed")
	}
	for name, want := range map[string]string{"work": "work", "a.b": `"a.b"`, "": `""`, `x"y`: `"x\"y"`} {
		if got := Key(name); got != want {
			t.Errorf("%q is written %s", name, got)
		}
	}
}
