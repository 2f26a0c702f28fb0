package browser

import (
	"io/fs"
	"slices"
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

var bundles = sync.OnceValues(func() ([2]string, error) {
	bridge, err := fs.ReadFile(extension.Files(), "injected.js")
	if err != nil {
		return [2]string{}, err
	}
	inspector, err := fs.ReadFile(extension.Files(), "app.js")
	return [2]string{string(bridge), string(inspector)}, err
})

// scripts are the bridge with its options ahead of it, and the inspector for the page's
// own world, empty where the app's state is not to be told.
func scripts(level protocol.Level, telemetry []string) (bridge, inspector string, err error) {
	code, err := bundles()
	if err != nil {
		return "", "", err
	}
	start, err := json.Marshal(map[string]any{"binding": bindingName, "level": level, "telemetry": telemetry, "redact": []string{}})
	if err != nil {
		return "", "", err
	}
	if slices.Contains(telemetry, protocol.CapState) {
		inspector = code[1]
	}
	return "globalThis.__debugBridgeStart=" + string(start) + ";\n" + code[0], inspector, nil
}
