package chrome

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestFind(t *testing.T) {
	t.Parallel()
	const plist = `<plist><dict><key>CFBundleShortVersionString</key>
		<string>156.0.8078.79</string></dict></plist>`
	for _, c := range []struct {
		name, goos, explicit string
		env                  map[string]string
		path                 map[string]string // found by name
		files                map[string]string
		want                 Executable
		says, suggests       string
	}{
		{name: "explicit", goos: "linux", explicit: "my-chrome", env: map[string]string{EnvChrome: "other"}, path: map[string]string{"my-chrome": "/x/my-chrome", "other": "/o"}, want: Executable{Path: "/x/my-chrome", Name: "my-chrome"}},
		{name: "explicit but missing", goos: "linux", explicit: "gone", path: map[string]string{"chromium": "/c"}, says: "gone", suggests: "leave it out"},
		{name: "our variable first", goos: "linux", env: map[string]string{EnvChrome: "a", EnvChromePath: "b"}, path: map[string]string{"a": "/a", "b": "/b"}, want: Executable{Path: "/a", Name: "a"}},
		{name: "our variable is wrong", goos: "linux", env: map[string]string{EnvChrome: "a", EnvChromePath: "b"}, path: map[string]string{"b": "/b"}, says: EnvChrome, suggests: EnvChrome},
		{name: "the others' variable", goos: "linux", env: map[string]string{EnvChromePath: "b"}, path: map[string]string{"b": "/b", "chromium": "/c"}, want: Executable{Path: "/b", Name: "b"}},
		{name: "chromium before chrome", goos: "linux", path: map[string]string{"chromium": "/c", "google-chrome": "/g"}, want: Executable{Path: "/c", Name: "Chromium"}},
		{name: "a file off the path", goos: "linux", files: map[string]string{"/opt/google/chrome/chrome": ""}, want: Executable{Path: "/opt/google/chrome/chrome", Name: "Google Chrome"}},
		{name: "Debian", goos: "linux", path: map[string]string{"apt-get": "/a"}, files: map[string]string{"/etc/os-release": "NAME=x\nID=debian\n"}, says: "no Chrome", suggests: "`sudo apt-get install -y chromium`"},
		{name: "Ubuntu", goos: "linux", path: map[string]string{"apt-get": "/a"}, files: map[string]string{"/etc/os-release": "NAME=x\nID=ubuntu\n"}, says: "no Chrome", suggests: "`sudo apt-get install -y chromium-browser`"},
		{name: "Fedora", goos: "linux", path: map[string]string{"dnf": "/d"}, says: "no Chrome", suggests: "`sudo dnf install -y chromium`"},
		{name: "Arch", goos: "linux", path: map[string]string{"pacman": "/p"}, says: "no Chrome", suggests: "`sudo pacman -S --noconfirm chromium`"},
		{name: "openSUSE", goos: "linux", path: map[string]string{"zypper": "/z"}, says: "no Chrome", suggests: "`sudo zypper install -y chromium`"},
		{name: "Alpine", goos: "linux", path: map[string]string{"apk": "/k"}, says: "no Chrome", suggests: "`sudo apk add chromium`"},
		{name: "another Linux", goos: "linux", says: "no Chrome", suggests: "package manager"},
		{name: "macOS", goos: "darwin", env: map[string]string{"HOME": "/Users/ada"}, files: map[string]string{
			"/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium": "", "/Users/ada/Applications/Chromium.app/Contents/Info.plist": plist,
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome": "",
		}, want: Executable{Path: "/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium", Name: "Chromium", Version: "156.0.8078.79"}},
		{name: "macOS in the person's folder", goos: "darwin", env: map[string]string{"HOME": "/Users/ada"}, files: map[string]string{
			"/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium": "", "/Users/ada/Applications/Chromium.app/Contents/Info.plist": plist,
		}, want: Executable{Path: "/Users/ada/Applications/Chromium.app/Contents/MacOS/Chromium", Name: "Chromium", Version: "156.0.8078.79"}},
		{name: "macOS without", goos: "darwin", says: "no Chrome", suggests: "`brew install --cask google-chrome`"},
		{name: "Windows", goos: "windows", env: map[string]string{"PROGRAMFILES": `C:\Program Files`, "LOCALAPPDATA": `C:\Local`}, files: map[string]string{
			`C:\Local\Google\Chrome\Application\chrome.exe`: "", `C:\Program Files\Microsoft\Edge\Application\msedge.exe`: "",
		}, want: Executable{Path: `C:\Local\Google\Chrome\Application\chrome.exe`, Name: "Google Chrome"}},
		{name: "Edge by name on Windows", goos: "windows", explicit: "edge", env: map[string]string{"PROGRAMFILES(X86)": `C:\x86`}, files: map[string]string{
			`C:\x86\Microsoft\Edge\Application\msedge.exe`: "", `C:\x86\Google\Chrome\Application\chrome.exe`: "",
		}, want: Executable{Path: `C:\x86\Microsoft\Edge\Application\msedge.exe`, Name: "Microsoft Edge"}},
		{name: "Canary by name on Windows", goos: "windows", explicit: "chrome-canary", env: map[string]string{"LOCALAPPDATA": `C:\Local`}, files: map[string]string{
			`C:\Local\Google\Chrome SxS\Application\chrome.exe`: "",
		}, want: Executable{Path: `C:\Local\Google\Chrome SxS\Application\chrome.exe`, Name: "Google Chrome Canary"}},
		{name: "Brave by name on macOS", goos: "darwin", explicit: "brave", env: map[string]string{"HOME": "/Users/ada"}, files: map[string]string{
			"/Applications/Brave Browser.app/Contents/MacOS/Brave Browser": "", "/Applications/Chromium.app/Contents/MacOS/Chromium": "",
		}, want: Executable{Path: "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser", Name: "Brave"}},
		{name: "Edge Dev by name on macOS", goos: "darwin", explicit: "edge-dev", env: map[string]string{"HOME": "/Users/ada"}, files: map[string]string{
			"/Users/ada/Applications/Microsoft Edge Dev.app/Contents/MacOS/Microsoft Edge Dev": "",
		}, want: Executable{Path: "/Users/ada/Applications/Microsoft Edge Dev.app/Contents/MacOS/Microsoft Edge Dev", Name: "Microsoft Edge Dev"}},
		{name: "Edge by name on Linux", goos: "linux", explicit: "edge", path: map[string]string{"chromium": "/c", "microsoft-edge-stable": "/usr/bin/microsoft-edge-stable"}, want: Executable{Path: "/usr/bin/microsoft-edge-stable", Name: "Microsoft Edge"}},
		{name: "Chrome by name on Linux, off the path", goos: "linux", explicit: "chrome", path: map[string]string{"chromium": "/c"}, files: map[string]string{"/opt/google/chrome/chrome": ""}, want: Executable{Path: "/opt/google/chrome/chrome", Name: "Google Chrome"}},
		{name: "Beta by name on Linux", goos: "linux", explicit: "chrome-beta", path: map[string]string{"google-chrome": "/g", "google-chrome-beta": "/b"}, want: Executable{Path: "/b", Name: "Google Chrome Beta"}},
		{name: "Brave by name in the variable", goos: "linux", env: map[string]string{EnvChrome: "brave"}, path: map[string]string{"brave-browser": "/usr/bin/brave-browser"}, want: Executable{Path: "/usr/bin/brave-browser", Name: "Brave"}},
		{name: "a channel that is not here", goos: "linux", explicit: "brave", path: map[string]string{"chromium": "/c"}, says: "brave, which was not found", suggests: "Install brave"},
		{name: "what is only taken by name", goos: "linux", path: map[string]string{"brave-browser-nightly": "/n"}, says: "no Chrome", suggests: "package manager"},
		{name: "Windows without", goos: "windows", env: map[string]string{"PROGRAMFILES": `C:\Program Files`}, says: "no Chrome", suggests: "`winget install --id Google.Chrome -e`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.goos == "darwin" && runtime.GOOS == "windows" {
				t.Skip("paths are joined as this system does")
			}
			f := finder{
				goos: c.goos,
				env:  func(name string) string { return c.env[name] },
				look: func(name string) (string, error) {
					if path, ok := c.path[name]; ok {
						return path, nil
					}
					return "", errors.New("not found")
				},
				usable: func(path string) bool { _, ok := c.files[path]; return ok },
				read: func(path string) ([]byte, error) {
					if content, ok := c.files[path]; ok {
						return []byte(content), nil
					}
					return nil, os.ErrNotExist
				},
			}
			got, err := f.find(c.explicit)
			if c.says == "" {
				if err != nil || got != c.want {
					t.Errorf("got %+v, %v, want %+v", got, err, c.want)
				}
				return
			}
			failure := fault.From(err)
			if failure == nil || failure.Code != fault.BrowserLaunchFailed || reason(err) != "not_found" || !strings.Contains(failure.Message, c.says) ||
				!strings.Contains(strings.Join(failure.Suggestions, "\n"), c.suggests) {
				t.Errorf("got %+v, %v with %q", got, err, fault.From(err).Suggestions)
			}
		})
	}
}

func TestFindHere(t *testing.T) {
	program := real(t)
	t.Setenv(EnvChrome, filepath.Join(t.TempDir(), "none"))
	if _, err := Find(""); reason(err) != "not_found" {
		t.Errorf("a variable that names nothing: %v", err)
	}
	t.Setenv(EnvChrome, program)
	found, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	version, err := found.AskVersion(t.Context())
	if err != nil || !strings.Contains(version, ".") {
		t.Errorf("version %q, %v", version, err)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	plenty := func() (uint64, bool) { return 8 << 30, true }
	little := func() (uint64, bool) { return 64 << 20, true }
	for _, c := range []struct {
		name    string
		machine machine
		options LaunchOptions
		has     []string
		hasNot  []string
	}{
		{"plain", machine{"linux", false, plenty}, LaunchOptions{UserDataDir: "/p"}, []string{"--user-data-dir=/p", "--no-first-run", "--disable-extensions", "about:blank"}, []string{"--no-sandbox", "--headless", "--window-size", "--disable-dev-shm-usage", "--enable-automation"}},
		{"root", machine{"linux", true, plenty}, LaunchOptions{}, []string{"--no-sandbox"}, nil},
		{"root that wants the sandbox", machine{"linux", true, plenty}, LaunchOptions{NoSandbox: &no}, nil, []string{"--no-sandbox"}},
		{"no sandbox wanted", machine{"darwin", false, plenty}, LaunchOptions{NoSandbox: &yes}, []string{"--no-sandbox"}, nil},
		{"headless", machine{"linux", false, plenty}, LaunchOptions{Headless: true, Width: 800, Height: 600, URL: "https://a.example/"}, []string{"--headless=new", "--mute-audio", "--window-size=800,600", "https://a.example/"}, []string{"about:blank"}},
		{"container", machine{"linux", true, little}, LaunchOptions{}, []string{"--disable-dev-shm-usage"}, nil},
		{"own switches", machine{"linux", false, plenty}, LaunchOptions{Args: []string{"--lang=de", "--disable-features=Mine,Yours"}}, []string{"--lang=de", "Mine,Yours"}, nil},
		{"no tab", machine{"linux", false, plenty}, LaunchOptions{NoWindow: true}, []string{"--no-startup-window"}, []string{"about:blank"}},
		{"extensions", machine{"linux", false, plenty}, LaunchOptions{Args: []string{"--load-extension=/e"}}, []string{"--load-extension=/e"}, []string{"--disable-extensions"}},
	} {
		args := c.machine.arguments(c.options)
		line := " " + strings.Join(args, " ") + " "
		for _, flag := range c.has {
			if !strings.Contains(line, flag+" ") {
				t.Errorf("%s: %s is missing in %s", c.name, flag, line)
			}
		}
		for _, flag := range c.hasNot {
			if strings.Contains(line, " "+flag) {
				t.Errorf("%s: %s is in %s", c.name, flag, line)
			}
		}
		if strings.Count(line, featuresPrefix) != 1 {
			t.Errorf("%s: a second %s replaces the first: %s", c.name, featuresPrefix, line)
		}
		if last := args[len(args)-1]; strings.HasPrefix(last, "-") != c.options.NoWindow {
			t.Errorf("%s: the page comes last, not %s", c.name, last)
		}
	}
	for _, r := range append(append(append([]row{}, always...), disabled...), headless...) {
		if r.reason == "" {
			t.Errorf("%s has no reason", r.flag)
		}
	}
}
