package chrome

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// profile makes the directory usable: absolute, there, writable, and not in use by
// another browser.
func profile(dir string) (string, error) {
	if dir == "" {
		return "", fault.New(fault.ValidationError, "a browser needs a user data directory").Suggest("Name a profile directory.")
	}
	if strings.TrimSpace(dir) != dir { // Chrome trims its switches, and would use another directory
		return "", fault.New(fault.ValidationError, "the user data directory %q begins or ends with a space", dir).With("path", dir).Suggest("Name another profile directory.")
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = writable(dir)
	}
	if err != nil {
		return "", fault.New(fault.BrowserLaunchFailed, "the profile directory %s cannot be used: %s", dir, err).Because(err).
			With("reason", "profile_not_writable").With("path", dir).Suggest("Correct the owner and mode of " + dir + ", or use another profile directory.")
	}
	if holder, ok := lockHolder(dir); ok {
		return "", fault.New(fault.BrowserLaunchFailed, "the profile directory %s is in use by the browser with process id %d", dir, holder).
			With("reason", "profile_in_use").With("path", dir).With("pid", holder).
			Suggest("Close that browser, or use another profile directory.")
	}
	return dir, nil
}

// Holder is the process id of the browser that uses a user data directory, 0 where none
// does. Nothing is made or changed.
func Holder(dir string) int {
	pid, _ := lockHolder(dir)
	return pid
}

func writable(dir string) error {
	probe, err := os.CreateTemp(dir, ".dbridge-*")
	if err != nil {
		return err
	}
	_ = probe.Close()
	return os.Remove(probe.Name())
}

// lockHolder reads Chrome's SingletonLock, a link to "host-pid". A lock that a
// killed browser left is no holder, not even when its process id was given to
// another program since: Chrome then takes the lock over.
func lockHolder(dir string) (pid int, held bool) {
	target, err := os.Readlink(filepath.Join(dir, "SingletonLock"))
	if err != nil {
		return 0, false
	}
	at := strings.LastIndexByte(target, '-')
	if at < 0 {
		return 0, false
	}
	host, err := os.Hostname()
	if err != nil || target[:at] != host {
		return 0, false // of another machine: Chrome itself decides, and says so
	}
	pid, err = strconv.Atoi(target[at+1:])
	if err != nil || pid <= 0 || !usesProfile(pid, dir) {
		return 0, false
	}
	return pid, true
}
