package state

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open gives a home in a fresh folder.
func open(t *testing.T) *Home {
	t.Helper()
	t.Setenv(EnvHome, t.TempDir()+"/home")
	home, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return home
}
