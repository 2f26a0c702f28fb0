package policy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// What reaches everything is refused where something is to be asked of the person.
func TestMayNotPastConfirmations(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "policy.toml")
	if err := os.WriteFile(path, []byte("[[site]]\nmatch = \"*.shop.example\"\nconfirm = [\"submit\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Store{Path: path}
	if err := s.May("https://other.example/", string(DevTools)); err != nil {
		t.Error(err)
	}
	got := fault.From(s.May("https://www.shop.example/", string(DevTools)))
	if got == nil || got.Code != fault.PolicyDenied || got.Details["reason"] != "unforeseen" || got.Details["line"] != 3 {
		t.Errorf("got %+v", got)
	}
}
