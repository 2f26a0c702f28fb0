package chrome

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// row is one switch that every launched Chrome gets, and why.
type row struct{ flag, reason string }

// always is for what a person's first start, updates and telemetry would do to a
// short-lived profile. Nothing here changes what a page can see or do.
var always = []row{
	{"--no-first-run", "no welcome page in the way of the first tab"},
	{"--no-default-browser-check", "no question about the default browser"},
	{"--no-service-autorun", "no background process stays after the end"},
	{"--no-pings", "no hyperlink auditing"},
	{"--disable-background-networking", "no requests of the browser's own (updates, safe browsing lists, field trials); it also saves time at start"},
	{"--disable-component-update", "no downloads of components into a throw-away profile"},
	{"--disable-default-apps", "no apps installed at first start"},
	{"--disable-sync", "no account"},
	{"--disable-domain-reliability", "no reports to the vendor"},
	{"--disable-breakpad", "no crash reports; a crash is told to the agent"},
	{"--disable-crash-reporter", "no crash handler process beside the browser"},
	{"--metrics-recording-only", "metrics are not sent"},
	{"--disable-field-trial-config", "the same browser each time, not one of an experiment's groups"},
	{"--disable-search-engine-choice-screen", "no dialog before the first tab"},
	{"--hide-crash-restore-bubble", "no bubble after a browser that was killed"},
	{"--disable-session-crashed-bubble", "the same, by its older name"},
	{"--disable-prompt-on-repost", "reload of a form's answer must not wait for a dialog that DevTools cannot see"},
	{"--disable-hang-monitor", "no dialog about a page that an agent keeps busy"},
	{"--disable-background-timer-throttling", "a page that is not in front works as the one in front"},
	{"--disable-backgrounding-occluded-windows", "the same, for windows behind others"},
	{"--disable-renderer-backgrounding", "the same, for the priority of its process"},
	{"--disable-component-extensions-with-background-pages", "less to start, fewer targets"},
	{"--allow-pre-commit-input", "a click right after a navigation is not dropped"},
	{"--password-store=basic", "no question of the system's keyring"},
	{"--use-mock-keychain", "the same on macOS"},
	{"--force-color-profile=srgb", "screenshots do not depend on the screen"},
	{"--export-tagged-pdf", "PDFs keep their structure"},
}

// disabled are features that are switched off, joined into one --disable-features,
// because a second one would replace the first.
var disabled = []row{
	{"Translate", "no bubble over the page"},
	{"OptimizationHints", "no requests to the vendor"},
	{"MediaRouter", "no search for cast devices in the network"},
	{"DialMediaRouteProvider", "the same"},
	{"CertificateTransparencyComponentUpdater", "no downloads"},
	{"InterestFeedContentSuggestions", "no requests for the new tab page"},
	{"AutofillServerCommunication", "no form structure is sent to the vendor"},
	{"HttpsUpgrades", "http:// means http://, as asked"},
	{"DeferRendererTasksAfterInput", "what a click queued runs at once, not after the next frame: its effect is told sooner"},
}

// headless has the switches for a browser without a window.
var headless = []row{
	{"--headless=new", "the whole browser, without a window"},
	{"--mute-audio", "nobody listens"},
}

const (
	featuresPrefix = "--disable-features="
	// smallShm is below what pages with large canvases need; containers often have 64 MB.
	smallShm = 1 << 30
)

// machine is what the flags depend on besides the options.
type machine struct {
	goos string
	root bool
	shm  func() (free uint64, ok bool)
}

func thisMachine() machine {
	return machine{goos: runtime.GOOS, root: runtime.GOOS == "linux" && os.Geteuid() == 0, shm: freeShm}
}

// arguments makes the command line. Caller's arguments come last, so that they win;
// their --disable-features are joined with ours.
func (m machine) arguments(o LaunchOptions) []string {
	var args []string
	for _, r := range always {
		args = append(args, r.flag)
	}
	if o.Headless {
		for _, r := range headless {
			args = append(args, r.flag)
		}
	}
	if o.Width > 0 && o.Height > 0 {
		args = append(args, fmt.Sprintf("--window-size=%d,%d", o.Width, o.Height))
	}
	if o.NoSandbox != nil && *o.NoSandbox || o.NoSandbox == nil && m.goos == "linux" && m.root {
		args = append(args, "--no-sandbox") // Chromium refuses to start as root with one
	}
	if free, ok := m.shm(); ok && free < smallShm {
		args = append(args, "--disable-dev-shm-usage") // a full /dev/shm crashes pages
	}
	if !wantsExtensions(o.Args) {
		args = append(args, "--disable-extensions") // what an administrator installs for all users stays out
	}
	args = append(args, "--user-data-dir="+o.UserDataDir)
	args = append(args, channelFlags...)
	features := make([]string, 0, len(disabled))
	for _, r := range disabled {
		features = append(features, r.flag)
	}
	var own []string
	for _, arg := range o.Args {
		if more, ok := strings.CutPrefix(arg, featuresPrefix); ok {
			features = append(features, more)
			continue
		}
		own = append(own, arg)
	}
	args = append(append(args, featuresPrefix+strings.Join(features, ",")), own...)
	if o.NoWindow {
		return append(args, "--no-startup-window")
	}
	return append(args, orBlank(o.URL))
}

// orBlank avoids the new tab page, which costs a renderer with the vendor's scripts.
func orBlank(url string) string {
	if url == "" {
		return "about:blank"
	}
	return url
}

func wantsExtensions(args []string) bool {
	for _, arg := range args {
		if strings.HasPrefix(arg, "--load-extension") || strings.HasPrefix(arg, "--enable-unsafe-extension-debugging") ||
			strings.HasPrefix(arg, "--disable-extensions-except") {
			return true
		}
	}
	return false
}
