package state

import "os"

// On Windows the profile folder's own access list keeps other users out, and
// mode bits say nothing; what is checked is that a directory is one.

func pipeName(id string) string { return `\\.\pipe\debug-bridge-` + id }

func checkDir(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return accessFault(dir, "cannot be looked at", err)
	}
	if !info.IsDir() {
		return accessFault(dir, "is not a directory", nil)
	}
	return nil
}

func tighten(string) error { return nil }

func openChecked(path string) (*os.File, error) { return os.Open(path) }

func appendFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, accessFault(path, "cannot be opened", err)
	}
	return file, nil
}

func syncDir(string) {}
