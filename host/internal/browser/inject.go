package browser

import (
	"io/fs"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

const (
	worldName   = "debug-bridge"             // of the isolated world that the bridge lives in
	bindingName = "__debugBridgeToHost"      // exists in that world alone
	hostObject  = "globalThis.__debugBridge" // what the bridge leaves there for us (extension/src/injected)
)

var bundle = sync.OnceValues(func() (string, error) {
	script, err := fs.ReadFile(extension.Files(), "injected.js")
	return string(script), err
})

// script is the bridge with its options ahead of it.
func script(level protocol.Level, telemetry []string) (string, error) {
	code, err := bundle()
	if err != nil {
		return "", err
	}
	start, err := json.Marshal(map[string]any{"binding": bindingName, "level": level, "telemetry": telemetry, "redact": []string{}})
	if err != nil {
		return "", err
	}
	return "globalThis.__debugBridgeStart=" + string(start) + ";\n" + code, nil
}
