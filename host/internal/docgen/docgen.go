// Package docgen makes what is derived from the Go types of the protocol and
// from the fault table: the TypeScript types of the extension, the protocol
// reference and the list of errors; and from the catalogue the reference of the
// commands, their TypeScript types, and the methods and structs of the public Go client. It reads declarations by reflection and
// comments from the sources, so it runs in the repository only
// (`make gen`); the product does not import it.
package docgen

import (
	"fmt"
	"maps"
	"path/filepath"

	catalogue "github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/face/http"
)

// Files gives the generated files by their path in the repository. root is the repository's folder.
func Files(root string) (map[string][]byte, error) {
	m, err := load(filepath.Join(root, "host", "internal", "protocol"))
	if err != nil {
		return nil, fmt.Errorf("read the protocol: %w", err)
	}
	reference, err := reference(m)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"extension/src/protocol/generated.ts": typescript(m),
		"docs/protocol.md":                    reference,
		"docs/errors.md":                      errorList(),
		"extension/src/protocol/commands.ts":  commandTypes(catalogue.All),
		"docs/commands.md":                    commandReference(catalogue.All),
		"docs/layout.md":                      layoutReference(),
		"docs/openapi.json":                   http.OpenAPI(),
	}
	typed, err := goFiles(m, catalogue.All)
	if err != nil {
		return nil, err
	}
	maps.Copy(files, typed)
	return files, nil
}
