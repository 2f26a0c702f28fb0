package mcp

import (
	"os"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

func papers(t *testing.T, e *commandtest.Env) {
	t.Helper()
	if err := os.WriteFile(e.File("papers.csv"), []byte("hull,crew\n7,3\n9,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCoreTools(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	papers(t, e)
	transcript(t, e, connect(t, e, setting{}), "core.txt")
}

// Prompts for chrome-devtools-mcp work unchanged.
func TestLeadingServersNames(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	papers(t, e)
	transcript(t, e, connect(t, e, setting{}), "leading.txt")
}
