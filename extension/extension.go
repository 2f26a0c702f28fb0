// Package extension carries the built extension inside the binary, so that
// `dbridge install` can unpack it and the daemon can inject its page bridge
// without a file beside the program.
//
// dist/ is built by `make extension` and committed: `go build` needs Go alone.
package extension

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sync"

	"github.com/debug-bridge/debug-bridge/manifests"
)

// ID of the extension, fixed by the "key" of its manifest.
const ID = manifests.ExtensionID

//go:embed all:dist
var dist embed.FS

// Files gives the extension as it is loaded: manifest.json at the top.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil { // only for an invalid name, and dist is none
		panic(err)
	}
	return files
}

// Version is the version in the extension's manifest.
func Version() string { return version() }

var version = sync.OnceValue(func() string {
	var manifest struct {
		Version string `json:"version"`
	}
	data, err := fs.ReadFile(Files(), "manifest.json")
	if err == nil {
		err = json.Unmarshal(data, &manifest)
	}
	if err != nil { // the tests of this package read it, so no binary is built with this
		panic(fmt.Sprintf("extension/dist: %v", err))
	}
	return manifest.Version
})

// TraceEngine is the script that analyses a performance trace, for a blank page.
func TraceEngine() (string, error) {
	script, err := fs.ReadFile(Files(), "trace-engine.js")
	return string(script), err
}

// Audit is a script that looks at a document, for a frame's isolated world: "axe"
// (rules of accessibility) or "page". It sets DebugBridgeAudit.
func Audit(name string) (string, error) {
	script, err := fs.ReadFile(Files(), "audit-"+name+".js")
	return string(script), err
}

// Replay is the script of the page that shows a recording.
func Replay() (string, error) {
	script, err := fs.ReadFile(Files(), "replay.js")
	return string(script), err
}
