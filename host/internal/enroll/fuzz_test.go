package enroll

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// within reports whether all of a is in b, in order; white space may go where a place for the entry is made.
func within(a, b []byte) bool {
	for _, c := range bytes.Join(bytes.Fields(a), nil) {
		at := bytes.IndexByte(b, c)
		if at < 0 {
			return false
		}
		b = b[at+1:]
	}
	return true
}

// FuzzChange: a file of any client takes our entry and gives it back with no other byte lost, or is
// refused; doing it twice changes nothing, and what the file said beside the entry it says still.
func FuzzChange(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "files", "*"))
	if err != nil || len(files) == 0 {
		f.Fatal("no files of clients", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, strings.HasSuffix(name, ".toml"))
		f.Add(bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")), strings.HasSuffix(name, ".toml"))
	}
	for _, seed := range []string{
		"", "{}", "{ }", "{//c\n}", "\ufeff{}", `{"mcpServers":{}}`, `{"mcpServers":{"a":1,},}`, `{"mcpServers":{"debug-bridge":{"command":"/x/dbridge","args":["old"],"env":{"A":"1"}}}}`,
		`{"mcpServers":[]}`, `{"mcpServers":{},"mcpServers":{}}`, `{"mcpServers"/*a*/:/*b*/{/*c*/"debug-bridge"/*d*/:/*e*/{"command":"dbridge"}/*f*/,/*g*/}/*h*/}`, `{"a":1e400}`, `{"a":"\ud800"}`,
	} {
		f.Add([]byte(seed), false)
	}
	for _, seed := range []string{"mcp_servers.a.b = 1", "[mcp_servers.debug-bridge]\ncommand = \"dbridge\" # mine\n[mcp_servers.debug-bridge.env]\nA = '1'\n", "mcp_servers = { debug-bridge = { command = 'dbridge' } }"} {
		f.Add([]byte(seed), true)
	}
	const name, program = "debug-bridge", "/x/dbridge"
	entry := Entry{Command: program, Args: []string{"mcp"}}
	f.Fuzz(func(t *testing.T, data []byte, tomlFile bool) {
		c := Client{ID: "fuzz", key: "mcpServers"}
		if tomlFile {
			c.format, c.key = formatTOML, "mcp_servers"
		}
		edit, given := editors[c.format], bytes.Clone(data)
		with, err := change(data, c, name, &entry, program)
		if !bytes.Equal(given, data) {
			t.Fatalf("the file's own bytes were changed: %q, %q", given, data)
		}
		if err != nil {
			return
		}
		before, err := edit.decode(data)
		if err != nil {
			t.Fatalf("%q was changed and cannot be read: %v", data, err)
		}
		_, there, _ := entryOf(before, c, name)
		if !there && len(bytes.TrimSpace(bytes.TrimPrefix(data, bom))) > 0 && !within(data, with) {
			t.Fatalf("%q lost something: %q", data, with)
		}
		if again, err := change(with, c, name, &entry, program); err != nil || !bytes.Equal(again, with) {
			t.Fatalf("%q, once more, is %q: %v", with, again, err)
		}
		without_, err := change(with, c, name, nil, program)
		if err != nil {
			return // written in a way that cannot be undone by a program; the file stays
		}
		if !within(without_, with) {
			t.Fatalf("%q gave %q", with, without_)
		}
		after, err := edit.decode(without_)
		if err != nil || !reflect.DeepEqual(without(before, c.key, name), without(after, c.key, name)) {
			t.Fatalf("%q became %q: %v", data, without_, err)
		}
	})
}
