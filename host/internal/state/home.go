// Package state keeps what Debug Bridge has on disk: its directories, the
// daemon's lock, socket and discovery file, the tokens and the SDK allow list.
//
// Every directory and file is checked before it is trusted: one that another
// user could have planted or can change is refused with FILE_ACCESS_FAILED,
// details.path and the command that corrects it. Several processes may use one
// home at the same time; files are replaced whole, never written in place.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/adrg/xdg"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// EnvHome puts everything under one folder.
const EnvHome = "DBRIDGE_HOME"

const appName = "debug-bridge"

// configName is the word that a person types: they look for its configuration by that.
const configName = "dbridge"

// maxSocketPath is what fits into sockaddr_un on every Unix we know (macOS has 104 bytes, Linux 108).
const maxSocketPath = 104

// Home is where one installation keeps its files. Made by Open.
type Home struct {
	Root      string // the folder of DBRIDGE_HOME, empty with the XDG layout
	Run       string // socket, lock and discovery file
	State     string // tokens, allow list and log
	Config    string // what a person sets; made with the first file in it
	Extension string // the unpacked extension; made by install

	socket string
}

// Open finds the directories, makes those of Run and State that are missing
// (mode 0700) and checks them. Its errors are FILE_ACCESS_FAILED.
func Open() (*Home, error) {
	home, err := locate()
	if err != nil {
		return nil, err
	}
	if home.Root != "" {
		if err := ensureDir(home.Root, false); err != nil {
			return nil, err
		}
	}
	for _, dir := range []string{home.State, home.Run} {
		if err := ensureDir(dir, true); err != nil {
			return nil, err
		}
	}
	home.socket, err = socketPath(home.Run)
	if err != nil {
		return nil, err
	}
	return home, nil
}

func locate() (*Home, error) {
	if root := os.Getenv(EnvHome); root != "" {
		root, err := filepath.Abs(root)
		if err != nil {
			return nil, accessFault(os.Getenv(EnvHome), "cannot be made absolute", err)
		}
		return &Home{
			Root:      root,
			Run:       filepath.Join(root, "run"),
			State:     filepath.Join(root, "state"),
			Config:    filepath.Join(root, "config"),
			Extension: filepath.Join(root, "extension"),
		}, nil
	}
	base := xdgBase()
	home := &Home{
		State:     filepath.Join(base.state, appName),
		Config:    filepath.Join(base.config, configName),
		Extension: filepath.Join(base.data, appName, "extension"),
	}
	if !filepath.IsAbs(home.State) || !filepath.IsAbs(home.Extension) {
		return nil, accessFault(home.State, "is not absolute, because the home directory is not known", nil).
			Suggest("Set HOME, or set DBRIDGE_HOME to a folder of your own.")
	}
	home.Run = home.State
	// The runtime directory is used when it is there, also where the variable is
	// missing (cron, su): a daemon started from elsewhere must still be found.
	info, err := os.Stat(base.runtime)
	switch {
	case err == nil && info.IsDir():
		home.Run = filepath.Join(base.runtime, appName)
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
		return nil, accessFault(base.runtime, "cannot be used as runtime directory", err)
	}
	return home, nil
}

type bases struct{ state, data, config, runtime string }

var xdgLock sync.Mutex

// xdgBase reads the environment now: the library reads it once, at start.
func xdgBase() bases {
	xdgLock.Lock()
	defer xdgLock.Unlock()
	xdg.Reload()
	return bases{state: xdg.StateHome, data: xdg.DataHome, config: xdg.ConfigHome, runtime: xdg.RuntimeDir}
}

// Socket is the address of the daemon's local endpoint: a Unix socket, or a named pipe on Windows.
func (h *Home) Socket() string { return h.socket }

// LockPath is the file whose kernel lock the running daemon holds.
func (h *Home) LockPath() string { return filepath.Join(h.Run, "daemon.lock") }

// StartLockPath is the file whose lock the one process holds that starts a daemon.
func (h *Home) StartLockPath() string { return filepath.Join(h.Run, "start.lock") }

// DiscoveryPath is the file in which the running daemon says where it listens.
func (h *Home) DiscoveryPath() string { return filepath.Join(h.Run, "daemon.json") }

// ConfigPath is the person's configuration: named profiles.
func (h *Home) ConfigPath() string { return filepath.Join(h.Config, "config.toml") }

// PolicyPath is the person's policy file.
func (h *Home) PolicyPath() string { return filepath.Join(h.Config, "policy.toml") }

// TokensPath is the token store.
func (h *Home) TokensPath() string { return filepath.Join(h.State, "tokens.json") }

// AppsPath is the allow list of SDK origins.
func (h *Home) AppsPath() string { return filepath.Join(h.State, "apps.json") }

// LogPath is the daemon's log.
func (h *Home) LogPath() string { return filepath.Join(h.State, "dbridge.log") }

// socketPath gives run's socket, or one in a short private directory when the path is too long for the kernel.
func socketPath(run string) (string, error) {
	sum := sha256.Sum256([]byte(run))
	id := hex.EncodeToString(sum[:8])
	if runtime.GOOS == "windows" {
		return pipeName(id), nil
	}
	path := filepath.Join(run, "daemon.sock")
	if len(path) <= maxSocketPath {
		return path, nil
	}
	dir := filepath.Join(os.TempDir(), "dbridge-"+id)
	if len(filepath.Join(dir, "daemon.sock")) > maxSocketPath {
		dir = filepath.Join("/tmp", "dbridge-"+id)
	}
	if err := ensureDir(dir, true); err != nil {
		return "", err
	}
	return filepath.Join(dir, "daemon.sock"), nil
}

// ensureDir makes dir where it is missing and checks it. With private it also
// takes away what group and others may read, which is ours to decide.
func ensureDir(dir string, private bool) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return accessFault(dir, "cannot be made", err)
	}
	if err := checkDir(dir); err != nil {
		return err
	}
	if private {
		return tighten(dir)
	}
	return nil
}

func accessFault(path, what string, cause error) *fault.Error {
	message := path + " " + what
	if cause != nil {
		var pathErr *fs.PathError
		if errors.As(cause, &pathErr) {
			message += ": " + pathErr.Err.Error()
		} else {
			message += ": " + cause.Error()
		}
	}
	f := fault.New(fault.FileAccessFailed, "%s", message).With("path", path).Because(cause)
	if diskFull(cause) {
		f.With("reason", "disk_full").Suggest("Free some space, or write to another disk.")
	}
	return f
}

// Probe says why nothing can be written where the daemon writes, or nil.
func (h *Home) Probe() error {
	for _, dir := range []string{h.Run, h.State} {
		path := filepath.Join(dir, ".probe")
		if err := WriteFile(path, []byte("probe\n")); err != nil {
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return accessFault(path, "cannot be removed", err)
		}
	}
	return nil
}

// quote makes path safe to paste into a shell.
func quote(path string) string {
	if strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%") == "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
