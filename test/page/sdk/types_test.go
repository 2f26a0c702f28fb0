package sdk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
)

// The declarations are written by hand; the compiler says whether they still are the SDK's.
func TestDeclarationsMatch(t *testing.T) {
	root, err := bundle.Root()
	if err != nil {
		t.Fatal(err)
	}
	extension := filepath.Join(root, "extension")
	compiler := filepath.Join(extension, "node_modules", ".bin", "tsc")
	if _, err := os.Stat(compiler); err != nil {
		t.Skip("no TypeScript compiler: run npm ci in extension")
	}
	dir := t.TempDir()
	declarations, err := os.ReadFile(filepath.Join(extension, "src", "sdk", "index.d.ts"))
	if err != nil {
		t.Fatal(err)
	}
	check := fmt.Sprintf(`import * as impl from %q;
import * as decl from './decl';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
export const there: typeof decl.createDebugBridge = impl.createDebugBridge;
export const back: typeof impl.createDebugBridge = decl.createDebugBridge;
export const options: Same<keyof decl.DebugBridgeOptions, keyof impl.DebugBridgeOptions> = true;
export const bridge: Same<keyof decl.DebugBridge, keyof impl.DebugBridge> = true;
export const items: Same<keyof decl.UITreeItem, keyof impl.UITreeItem> = true;
`, filepath.ToSlash(filepath.Join(extension, "src", "sdk", "index.ts")))
	for name, text := range map[string]string{"decl.d.ts": string(declarations), "check.ts": check} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(compiler, "--ignoreConfig", "--noEmit", "--strict", "--target", "ES2024", "--module", "ESNext", "--moduleResolution", "bundler",
		"--lib", "ES2024,DOM,DOM.Iterable", "--types", "chrome", "--typeRoots", filepath.Join(extension, "node_modules", "@types"),
		"--allowImportingTsExtensions", "--skipLibCheck", filepath.Join(dir, "check.ts"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("sdk/index.d.ts and sdk/index.ts differ: %v\n%s", err, out)
	}
}
