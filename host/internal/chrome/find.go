package chrome

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

// place is where a browser is looked for: a name on the path, or a file.
type place struct{ name, at string }

// Find gives the program to start: the explicit one, what the environment names,
// or the first that this system has. An explicit name that is wrong is an error,
// never a reason to take another browser.
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
		path, err := f.look(named.value)
		if err != nil {
			return Executable{}, notFound("%s names %s, which is no program that can be started", named.by, named.value).
				With("path", named.value).Because(err).
				Suggest("Correct "+named.by+", or leave it out to use the browser that `dbridge doctor` finds.", f.installLine())
		}
		return f.known(path, strings.TrimSuffix(filepath.Base(path), ".exe")), nil
	}
	for _, p := range f.places() {
		if !strings.ContainsAny(p.at, `/\`) {
			if path, err := f.look(p.at); err == nil {
				return f.known(path, p.name), nil
			}
		} else if f.usable(p.at) {
			return f.known(p.at, p.name), nil
		}
	}
	return Executable{}, notFound("no Chrome or Chromium was found on this machine").
		Suggest(f.installLine(), "Set "+EnvChrome+" to the program of an installed browser.")
}

func notFound(format string, args ...any) *fault.Error {
	return fault.New(fault.BrowserLaunchFailed, format, args...).With("reason", "not_found")
}

// places lists browsers in the order of preference: Chrome for Testing and Chromium
// first, because a person's branded Chrome has policies and an updater.
func (f finder) places() (found []place) {
	switch f.goos {
	case "darwin":
		for _, base := range []string{"/Applications", filepath.Join(f.env("HOME"), "Applications")} {
			for _, name := range []string{"Google Chrome for Testing", "Chromium", "Google Chrome", "Google Chrome Beta", "Google Chrome Canary", "Microsoft Edge", "Brave Browser"} {
				found = append(found, place{name, filepath.Join(base, name+".app", "Contents", "MacOS", name)})
			}
		}
	case "windows":
		for _, program := range []place{
			{"Chromium", `Chromium\Application\chrome.exe`},
			{"Google Chrome", `Google\Chrome\Application\chrome.exe`},
			{"Google Chrome Beta", `Google\Chrome Beta\Application\chrome.exe`},
			{"Google Chrome Canary", `Google\Chrome SxS\Application\chrome.exe`},
			{"Microsoft Edge", `Microsoft\Edge\Application\msedge.exe`},
			{"Brave", `BraveSoftware\Brave-Browser\Application\brave.exe`},
		} {
			for _, base := range []string{"PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"} {
				if root := f.env(base); root != "" {
					found = append(found, place{program.name, root + `\` + program.at})
				}
			}
		}
	default:
		found = []place{
			{"Chrome for Testing", "chrome-for-testing"},
			{"Chromium", "chromium"},
			{"Chromium", "chromium-browser"},
			{"Google Chrome", "google-chrome"},
			{"Google Chrome", "google-chrome-stable"},
			{"Google Chrome", "chrome"},
			{"Google Chrome Beta", "google-chrome-beta"},
			{"Google Chrome Dev", "google-chrome-unstable"},
			{"Microsoft Edge", "microsoft-edge"},
			{"Microsoft Edge", "microsoft-edge-stable"},
			{"Brave", "brave-browser"},
			{"Chromium", "/usr/lib/chromium/chromium"},
			{"Chromium", "/usr/lib/chromium-browser/chromium-browser"},
			{"Google Chrome", "/opt/google/chrome/chrome"},
			{"Chromium (snap)", "/snap/bin/chromium"},
		}
	}
	return found
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
