// Package layout tests the diagnosis of layout faults in a real browser: each page of
// test/pages/files/layout says of its own elements what is to be found of them.
package layout

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	status := m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}
