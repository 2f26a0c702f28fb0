package browsertest

import (
	"os"
	"path/filepath"
)

// Beside starts a second browser on a profile of its own, with the same daemon.
// It ends with the test; Env's own methods are those of the first one.
func (e *Env) Beside() *Env {
	e.T.Helper()
	other := &Env{
		T: e.T, Pages: e.Pages, Program: e.Program, Dir: e.Dir, Home: e.Home, Extension: e.Extension,
		Profile: filepath.Join(e.Dir, "beside"), options: e.options, environ: e.environ,
	}
	if err := os.Mkdir(other.Profile, 0o700); err != nil {
		e.T.Fatalf("browsertest: %v", err)
	}
	e.T.Cleanup(func() {
		for _, agent := range other.agents {
			agent.Close()
		}
		if other.Browser != nil {
			other.Browser.kill()
		}
	})
	if e.options.Extension && !e.options.NoHost {
		other.Install()
	}
	other.launch()
	return other
}
