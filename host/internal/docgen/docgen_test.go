package docgen

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

const root = "../../.."

func TestFresh(t *testing.T) {
	t.Parallel()
	files, err := Files(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date (%v): run `make gen`", name, err)
		}
	}
}

// Every struct that embeds Base is a message, and every message is in the reference.
func TestEveryMessageIsListed(t *testing.T) {
	t.Parallel()
	m, err := load(filepath.Join(root, "host", "internal", "protocol"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{"Command": true} // the decoded form, not a message
	for _, o := range m.Objects {
		listed[o.Name] = true
	}
	names, err := filepath.Glob(filepath.Join(root, "host", "internal", "protocol", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			spec, ok := node.(*ast.TypeSpec)
			if !ok {
				return true
			}
			body, ok := spec.Type.(*ast.StructType)
			if !ok || !spec.Name.IsExported() || len(body.Fields.List) == 0 {
				return true
			}
			first := body.Fields.List[0]
			if name, ok := first.Type.(*ast.Ident); ok && len(first.Names) == 0 && name.Name == "Base" {
				found++
				if !listed[spec.Name.Name] {
					t.Errorf("message %s is neither in protocol.Telemetry nor in docgen's hostMessages", spec.Name.Name)
				}
			}
			return true
		})
	}
	if found < 15 {
		t.Errorf("only %d messages found in the sources", found)
	}
}

func TestExamplesAreValidCommands(t *testing.T) {
	t.Parallel()
	for kind, example := range examples {
		command, err := protocol.DecodeCommand([]byte(example))
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		if command.Spec.Type != kind {
			t.Errorf("the example of %s is a %s", kind, command.Spec.Type)
		}
	}
}

func TestReferenceIsWhole(t *testing.T) {
	t.Parallel()
	files, err := Files(root)
	if err != nil {
		t.Fatal(err)
	}
	text := string(files["docs/protocol.md"])
	for i := range protocol.Commands {
		if kind := protocol.Commands[i].Type; !strings.Contains(text, "### `"+kind+"`") {
			t.Errorf("no section for the command %s", kind)
		}
	}
	for _, telemetry := range protocol.Telemetry {
		if !strings.Contains(text, "### `"+telemetry.Type+"`") {
			t.Errorf("no section for %s", telemetry.Type)
		}
	}
	for name, content := range files {
		if strings.Contains(string(content), "<no value>") {
			t.Errorf("%s has a hole", name)
		}
	}
	for _, row := range fault.Rows() {
		if !bytes.Contains(files["docs/errors.md"], []byte("`"+string(row.Code)+"`")) {
			t.Errorf("docs/errors.md lacks %s", row.Code)
		}
	}
}
