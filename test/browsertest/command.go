package browsertest

import "os/exec"

// Exec makes a run of dbridge in this Env that the test starts and ends itself.
func (e *Env) Exec(args ...string) *exec.Cmd {
	command := exec.Command(e.Program, args...)
	command.Env, command.Dir = e.environ, e.Dir
	return command
}

// WriteExtension unpacks the extension under test into a folder of the test's
// own, for tests that change it or load it beside another.
func WriteExtension(dir string) error { return writeExtension(dir) }
