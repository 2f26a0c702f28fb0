package chrome

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// The variables that name a browser program, in the order they are asked.
// CHROME_PATH is what lighthouse and others use.
const (
	EnvChrome     = "DBRIDGE_CHROME"
	EnvChromePath = "CHROME_PATH"
)

// Executable is a browser program. Version is set only where it can be read
// without starting the program; Process.Version is always right.
type Executable struct {
	Path    string
	Name    string
	Version string
}

// Find gives the program to start: the explicit one (a path, a program on the search
// path, or a channel as Channels lists them), what the environment names, or the first
// that this system has. An explicit name that is wrong is an error, never a reason to
// take another browser.
func Find(explicit string) (Executable, error) {
	return system().find(explicit)
}

// finder is what finding depends on, so that every OS can be tested on one.
type finder struct {
	goos   string
	env    func(string) string
	look   func(string) (string, error) // exec.LookPath
	usable func(string) bool
	read   func(string) ([]byte, error)
}

func system() finder {
	return finder{goos: runtime.GOOS, env: os.Getenv, look: exec.LookPath, usable: usable, read: os.ReadFile}
}

func usable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

func (f finder) find(explicit string) (Executable, error) {
	for _, named := range []struct{ value, by string }{
		{explicit, "the executable option"}, {f.env(EnvChrome), EnvChrome}, {f.env(EnvChromePath), EnvChromePath},
	} {
		if named.value == "" {
			continue
		}
		if found, ok := f.channel(named.value); ok {
			return found, nil
		}
		path, err := f.look(named.value)
		if err != nil && slices.Contains(Channels(), named.value) {
			return Executable{}, notFound("%s names %s, which was not found on this machine", named.by, named.value).
				With("path", named.value).Because(err).
				Suggest("Install "+named.value+", give the path of its program, or leave the executable out: `dbridge doctor` tells what is there.", f.installLine())
		}
		if err != nil {
			return Executable{}, notFound("%s names %s, which is no program that can be started", named.by, named.value).
				With("path", named.value).Because(err).
				Suggest("Correct "+named.by+", or leave it out to use the browser that `dbridge doctor` finds.", f.installLine())
		}
		return f.known(path, strings.TrimSuffix(filepath.Base(path), ".exe")), nil
	}
	for _, b := range builds {
		if found, ok := f.build(b); ok && !b.named {
			return found, nil
		}
	}
	return Executable{}, notFound("no Chrome or Chromium was found on this machine").
		Suggest(f.installLine(), "Set "+EnvChrome+" to the program of an installed browser.")
}

func notFound(format string, args ...any) *fault.Error {
	return fault.New(fault.BrowserLaunchFailed, format, args...).With("reason", "not_found")
}

// known adds the version where a file tells it.
func (f finder) known(path, name string) Executable {
	e := Executable{Path: path, Name: name}
	if f.goos == "darwin" {
		e.Version = f.plistVersion(filepath.Join(filepath.Dir(filepath.Dir(path)), "Info.plist"))
	}
	return e
}

// plistVersion reads an application's version from its property list, which
// browsers ship as XML.
func (f finder) plistVersion(path string) string {
	content, err := f.read(path)
	if err != nil {
		return ""
	}
	_, rest, ok := strings.Cut(string(content), "<key>CFBundleShortVersionString</key>")
	if !ok {
		return ""
	}
	_, rest, _ = strings.Cut(rest, "<string>")
	version, _, _ := strings.Cut(rest, "</string>")
	return strings.TrimSpace(version)
}

// installers are the package managers with their line for a Chromium, asked in
// this order on Linux.
var installers = []struct{ program, line string }{
	{"apt-get", "sudo apt-get install -y chromium"},
	{"dnf", "sudo dnf install -y chromium"},
	{"pacman", "sudo pacman -S --noconfirm chromium"},
	{"zypper", "sudo zypper install -y chromium"},
	{"apk", "sudo apk add chromium"},
}

// installLine is how to get a browser on this system.
func (f finder) installLine() string {
	switch f.goos {
	case "darwin":
		return "Install one: `brew install --cask google-chrome`"
	case "windows":
		return "Install one: `winget install --id Google.Chrome -e`"
	}
	for _, installer := range installers {
		if _, err := f.look(installer.program); err == nil {
			line := installer.line
			// Ubuntu's chromium package only fetches the snap, under the old name.
			if release, err := f.read("/etc/os-release"); err == nil && installer.program == "apt-get" && strings.Contains(string(release), "\nID=ubuntu") {
				line = "sudo apt-get install -y chromium-browser"
			}
			return "Install one: `" + line + "`"
		}
	}
	return "Install Chromium or Google Chrome with your system's package manager."
}

// AskVersion starts the program with --version; on Windows that opens a window
// instead, so that nothing is asked there.
func (e Executable) AskVersion(ctx context.Context) (string, error) {
	if e.Version != "" || runtime.GOOS == "windows" {
		return e.Version, nil
	}
	output, err := exec.CommandContext(ctx, e.Path, "--version").Output()
	if err != nil {
		return "", fault.New(fault.BrowserLaunchFailed, "%s --version failed: %s", e.Path, err).With("reason", "no_version").Because(err)
	}
	for _, word := range strings.Fields(string(output)) {
		if word[0] >= '0' && word[0] <= '9' {
			return word, nil
		}
	}
	return "", nil
}
