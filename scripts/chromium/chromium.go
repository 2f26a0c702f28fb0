// Package chromium finds a browser that the tests and the demo can use, on the
// path or where installers put it.
package chromium

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Env names the browser program to use, before any search.
const Env = "CHROME"

// names are looked up on the path. Chromium and Chrome for Testing come first:
// branded Chrome no longer loads an extension from the command line.
var names = []string{
	"chromium", "chromium-browser", "chrome-for-testing", "ungoogled-chromium",
	"google-chrome-for-testing", "google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable",
	"microsoft-edge", "brave-browser",
}

// places are the usual homes of browsers that are not on the path.
func places(goos string, env func(string) string) []string {
	switch goos {
	case "darwin":
		var found []string
		for _, base := range []string{"/Applications", filepath.Join(env("HOME"), "Applications")} {
			for _, name := range []string{"Chromium", "Google Chrome for Testing", "Google Chrome Canary", "Google Chrome", "Microsoft Edge", "Brave Browser"} {
				found = append(found, filepath.Join(base, name+".app", "Contents", "MacOS", name))
			}
		}
		return found
	case "windows":
		var found []string
		for _, base := range []string{env("LOCALAPPDATA"), env("PROGRAMFILES"), env("PROGRAMFILES(X86)")} {
			if base == "" {
				continue
			}
			for _, name := range []string{`Chromium\Application\chrome.exe`, `Google\Chrome SxS\Application\chrome.exe`, `Google\Chrome\Application\chrome.exe`, `Microsoft\Edge\Application\msedge.exe`} {
				found = append(found, base+`\`+name)
			}
		}
		return found
	default:
		return []string{"/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser", "/snap/bin/chromium", "/opt/google/chrome/chrome", "/var/lib/flatpak/exports/bin/org.chromium.Chromium"}
	}
}

// Find gives the browser program. The error says how to get one.
func Find() (string, error) {
	return find(runtime.GOOS, os.Getenv, exec.LookPath, executable)
}

func find(goos string, env func(string) string, look func(string) (string, error), usable func(string) bool) (string, error) {
	if named := env(Env); named != "" {
		path, err := look(named)
		if err != nil {
			return "", fmt.Errorf("%s=%s is not a program that can be started: %w", Env, named, err)
		}
		return path, nil
	}
	for _, name := range names {
		if path, err := look(name); err == nil {
			return path, nil
		}
	}
	for _, path := range places(goos, env) {
		if usable(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium found: run `make setup`, or set %s to the program", Env)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}
