//go:build !linux

// Command dbr is dbridge for one command against a running daemon. On this system it
// is dbridge by another name; see main_linux.go.
package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

func main() {
	name := "dbridge"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	program := name
	if self, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(self), name); exists(beside) {
			program = beside
		}
	}
	command := exec.Command(program, os.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	default:
		os.Stderr.WriteString("error: " + err.Error() + "\n")
		os.Exit(6)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
