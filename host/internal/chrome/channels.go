package chrome

import (
	"path/filepath"
	"slices"
	"strings"
)

// build is one browser of a channel, and where each system has it.
type build struct {
	channel string // how a person names it
	name    string
	linux   []string // programs on the search path, or files
	darwin  string   // the application, in /Applications or the person's own
	windows string   // below the folders of programs
	named   bool     // taken only where it is asked for by name
}

// builds are in the order of preference: Chrome for Testing and Chromium first, because
// a person's branded Chrome has policies and an updater.
var builds = []build{
	{channel: "chrome-for-testing", name: "Chrome for Testing", linux: []string{"chrome-for-testing"}, darwin: "Google Chrome for Testing"},
	{channel: "chromium", name: "Chromium", linux: []string{"chromium", "chromium-browser", "/usr/lib/chromium/chromium", "/usr/lib/chromium-browser/chromium-browser"}, darwin: "Chromium", windows: `Chromium\Application\chrome.exe`},
	{channel: "chrome", name: "Google Chrome", linux: []string{"google-chrome", "google-chrome-stable", "chrome", "/opt/google/chrome/chrome"}, darwin: "Google Chrome", windows: `Google\Chrome\Application\chrome.exe`},
	{channel: "chrome-beta", name: "Google Chrome Beta", linux: []string{"google-chrome-beta", "/opt/google/chrome-beta/chrome"}, darwin: "Google Chrome Beta", windows: `Google\Chrome Beta\Application\chrome.exe`},
	{channel: "chrome-dev", name: "Google Chrome Dev", linux: []string{"google-chrome-unstable", "/opt/google/chrome-unstable/chrome"}, darwin: "Google Chrome Dev", windows: `Google\Chrome Dev\Application\chrome.exe`},
	{channel: "chrome-canary", name: "Google Chrome Canary", linux: []string{"google-chrome-canary", "/opt/google/chrome-canary/chrome"}, darwin: "Google Chrome Canary", windows: `Google\Chrome SxS\Application\chrome.exe`},
	{channel: "edge", name: "Microsoft Edge", linux: []string{"microsoft-edge", "microsoft-edge-stable", "/opt/microsoft/msedge/msedge"}, darwin: "Microsoft Edge", windows: `Microsoft\Edge\Application\msedge.exe`},
	{channel: "edge-beta", name: "Microsoft Edge Beta", linux: []string{"microsoft-edge-beta", "/opt/microsoft/msedge-beta/msedge"}, darwin: "Microsoft Edge Beta", windows: `Microsoft\Edge Beta\Application\msedge.exe`, named: true},
	{channel: "edge-dev", name: "Microsoft Edge Dev", linux: []string{"microsoft-edge-dev", "/opt/microsoft/msedge-dev/msedge"}, darwin: "Microsoft Edge Dev", windows: `Microsoft\Edge Dev\Application\msedge.exe`, named: true},
	{channel: "edge-canary", name: "Microsoft Edge Canary", darwin: "Microsoft Edge Canary", windows: `Microsoft\Edge SxS\Application\msedge.exe`, named: true},
	{channel: "brave", name: "Brave", linux: []string{"brave-browser", "brave-browser-stable", "brave", "/opt/brave.com/brave/brave"}, darwin: "Brave Browser", windows: `BraveSoftware\Brave-Browser\Application\brave.exe`},
	{channel: "brave-beta", name: "Brave Beta", linux: []string{"brave-browser-beta", "/opt/brave.com/brave-beta/brave"}, darwin: "Brave Browser Beta", windows: `BraveSoftware\Brave-Browser-Beta\Application\brave.exe`, named: true},
	{channel: "brave-nightly", name: "Brave Nightly", linux: []string{"brave-browser-nightly", "/opt/brave.com/brave-nightly/brave"}, darwin: "Brave Browser Nightly", windows: `BraveSoftware\Brave-Browser-Nightly\Application\brave.exe`, named: true},
	// A snap sees few folders: it is the last that is taken.
	{channel: "chromium", name: "Chromium (snap)", linux: []string{"/snap/bin/chromium"}},
}

// Channels lists the names by which browsers are found on every system.
func Channels() []string {
	var names []string
	for _, b := range builds {
		if !slices.Contains(names, b.channel) {
			names = append(names, b.channel)
		}
	}
	return names
}

// channel finds a browser by the name of its channel.
func (f finder) channel(name string) (Executable, bool) {
	for _, b := range builds {
		if b.channel != name {
			continue
		}
		if found, ok := f.build(b); ok {
			return found, true
		}
	}
	return Executable{}, false
}

// build looks where this system has the build.
func (f finder) build(b build) (Executable, bool) {
	for _, at := range f.places(b) {
		if strings.ContainsAny(at, `/\`) {
			if f.usable(at) {
				return f.known(at, b.name), true
			}
		} else if path, err := f.look(at); err == nil {
			return f.known(path, b.name), true
		}
	}
	return Executable{}, false
}

func (f finder) places(b build) (found []string) {
	switch f.goos {
	case "darwin":
		if b.darwin == "" {
			return nil
		}
		for _, base := range []string{"/Applications", filepath.Join(f.env("HOME"), "Applications")} {
			found = append(found, filepath.Join(base, b.darwin+".app", "Contents", "MacOS", b.darwin))
		}
	case "windows":
		if b.windows == "" {
			return nil
		}
		for _, base := range []string{"PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"} {
			if root := f.env(base); root != "" {
				found = append(found, root+`\`+b.windows)
			}
		}
	default:
		return b.linux
	}
	return found
}
