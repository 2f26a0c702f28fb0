package manifests

// Root says what a Dir is relative to; package install knows where each root is on a given machine.
type Root string

// The roots.
const (
	Absolute Root = ""        // the path as it stands
	Home     Root = "home"    // the person's home directory
	Config   Root = "config"  // Linux: $CHROME_CONFIG_HOME, $XDG_CONFIG_HOME or ~/.config
	Support  Root = "support" // macOS: ~/Library/Application Support
	Local    Root = "local"   // Windows: %LOCALAPPDATA%
	Roaming  Root = "roaming" // Windows: %APPDATA%
)

// Dir is a folder; Path uses slashes on every system.
type Dir struct {
	Root Root
	Path string
}

// Location says how one browser on one operating system is found and where it looks for host manifests.
type Location struct {
	Browser string // what --browser takes
	Name    string // for people
	OS      string // GOOS
	Found   []Dir  // the browser is there when one of these exists
	User    []Dir  // manifest folders of the person; all are written
	System  []Dir  // manifest folders of the machine
	Keys    []string
	// Keys are registry keys below HKEY_CURRENT_USER (person) or HKEY_LOCAL_MACHINE (machine), Windows only.
	// A key named after the host holds the manifest's path as its default value; the file may lie anywhere.
	Note string // what is not documented by the vendor
}

// Sources of the table.
//
//	chrome    https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host-location
//	edge      https://learn.microsoft.com/en-us/microsoft-edge/extensions/developer-guide/native-messaging
//	chromium  https://chromium.googlesource.com/chromium/src/+/main/chrome/common/chrome_paths.cc (DIR_USER_NATIVE_MESSAGING:
//	          <user data directory>/NativeMessagingHosts; DIR_NATIVE_MESSAGING: the machine's) and
//	          https://chromium.googlesource.com/chromium/src/+/main/chrome/browser/extensions/api/messaging/launch_context_win.cc
//	          (HKCU before HKLM, 32-bit view before 64-bit)
//	dirs      https://chromium.googlesource.com/chromium/src/+/main/docs/user_data_dir.md (user data directories)
//	brave     https://github.com/brave/brave-core/blob/master/app/brave_main_delegate.cc (points both folders at Chrome's
//	          on macOS, the machine's at Chrome's on Linux)
//	vivaldi   https://github.com/keepassxreboot/keepassxc-browser/issues/48 (reads Chrome's key on Windows)
//	opera     https://help.opera.com/en/extensions/message-passing/ (names Chrome's locations)
//	arc       https://github.com/keepassxreboot/keepassxc-browser/issues/2336 (works with Chrome's folder)
//
// Where a vendor documents nothing, the rows hold the browser's own place and
// Chrome's, because Chromium's code falls back to one of them; Note says so.
const (
	chromeLinux  = "/etc/opt/chrome/native-messaging-hosts"
	chromeMac    = "/Library/Google/Chrome/NativeMessagingHosts"
	chromeKey    = `Software\Google\Chrome\NativeMessagingHosts`
	chromiumKey  = `Software\Chromium\NativeMessagingHosts`
	chromeMacDir = "Google/Chrome/" + FolderName
)

// Locations is the table, by operating system and in the order in which browsers are shown.
var Locations = []Location{
	// Linux. Sources: chrome, chromium, dirs, edge.
	linux("chrome", "Google Chrome", "google-chrome", chromeLinux),
	linux("chrome-beta", "Google Chrome Beta", "google-chrome-beta", chromeLinux),
	linux("chrome-dev", "Google Chrome Dev", "google-chrome-unstable", chromeLinux),
	linux("chrome-canary", "Google Chrome Canary", "google-chrome-canary", chromeLinux),
	linux("chrome-for-testing", "Chrome for Testing", "google-chrome-for-testing", "/etc/opt/chrome_for_testing/native-messaging-hosts"),
	linux("chromium", "Chromium", "chromium", "/etc/chromium/native-messaging-hosts"),
	linux("edge", "Microsoft Edge", "microsoft-edge", "/etc/opt/edge/native-messaging-hosts"),
	{
		// Source: brave. Brave keeps to its default folder whatever --user-data-dir it runs with.
		Browser: "brave", Name: "Brave", OS: "linux",
		Found:  []Dir{{Config, "BraveSoftware/Brave-Browser"}},
		User:   []Dir{{Config, "BraveSoftware/Brave-Browser/" + FolderName}},
		System: []Dir{{Absolute, chromeLinux}},
	},
	{
		Browser: "vivaldi", Name: "Vivaldi", OS: "linux",
		Found:  []Dir{{Config, "vivaldi"}},
		User:   []Dir{{Config, "vivaldi/" + FolderName}},
		System: []Dir{{Absolute, chromeLinux}},
		Note:   "machine folder not documented by Vivaldi; its builds read Chrome's",
	},
	{
		// Source: opera. The opera folder only tells that Opera is there.
		Browser: "opera", Name: "Opera", OS: "linux",
		Found:  []Dir{{Config, "opera"}},
		User:   []Dir{{Config, "google-chrome/" + FolderName}},
		System: []Dir{{Absolute, chromeLinux}},
		Note:   "Opera reads Chrome's folder",
	},

	// macOS. Sources: chrome, dirs, edge.
	mac("chrome", "Google Chrome", "Google/Chrome", chromeMac),
	mac("chrome-beta", "Google Chrome Beta", "Google/Chrome Beta", chromeMac),
	mac("chrome-dev", "Google Chrome Dev", "Google/Chrome Dev", chromeMac),
	mac("chrome-canary", "Google Chrome Canary", "Google/Chrome Canary", chromeMac),
	{
		// Source: chrome. Two spellings are in use: the documented one and that of the user data directory.
		Browser: "chrome-for-testing", Name: "Chrome for Testing", OS: "darwin",
		Found:  []Dir{{Support, "Google/Chrome for Testing"}, {Support, "Google/ChromeForTesting"}},
		User:   []Dir{{Support, "Google/ChromeForTesting/" + FolderName}, {Support, "Google/Chrome for Testing/" + FolderName}},
		System: []Dir{{Absolute, "/Library/Google/ChromeForTesting/NativeMessagingHosts"}},
	},
	mac("chromium", "Chromium", "Chromium", "/Library/Application Support/Chromium/NativeMessagingHosts"),
	mac("edge", "Microsoft Edge", "Microsoft Edge", "/Library/Microsoft/Edge/NativeMessagingHosts"),
	macWithChrome("brave", "Brave", "BraveSoftware/Brave-Browser", "Brave reads Chrome's folder; its own is written too"),
	mac("vivaldi", "Vivaldi", "Vivaldi", chromeMac),
	macWithChrome("opera", "Opera", "com.operasoftware.Opera", "Opera reads Chrome's folder; its own is written too"),
	macWithChrome("arc", "Arc", "Arc/User Data", "not documented by Arc; its own folder and Chrome's are written"),

	// Windows. Sources: chrome, chromium, edge, vivaldi, opera. All channels of Chrome read one key.
	windows("chrome", "Google Chrome", `Google/Chrome/User Data`, "", chromeKey),
	windows("chrome-beta", "Google Chrome Beta", `Google/Chrome Beta/User Data`, "", chromeKey),
	windows("chrome-dev", "Google Chrome Dev", `Google/Chrome Dev/User Data`, "", chromeKey),
	windows("chrome-canary", "Google Chrome Canary", `Google/Chrome SxS/User Data`, "", chromeKey),
	windows("chrome-for-testing", "Chrome for Testing", `Google/Chrome for Testing/User Data`,
		"a key of its own is not documented; it and Chrome's are written",
		`Software\Google\Chrome for Testing\NativeMessagingHosts`, chromeKey),
	windows("chromium", "Chromium", `Chromium/User Data`, "", chromiumKey),
	windows("edge", "Microsoft Edge", `Microsoft/Edge/User Data`, "", `Software\Microsoft\Edge\NativeMessagingHosts`),
	windows("brave", "Brave", `BraveSoftware/Brave-Browser/User Data`,
		"not documented by Brave; its own key and Chrome's are written",
		`Software\BraveSoftware\Brave-Browser\NativeMessagingHosts`, chromeKey),
	windows("vivaldi", "Vivaldi", `Vivaldi/User Data`, "Vivaldi reads Chrome's key", chromeKey),
	{
		Browser: "opera", Name: "Opera", OS: "windows",
		Found: []Dir{{Roaming, "Opera Software/Opera Stable"}},
		Keys:  []string{chromeKey, chromiumKey},
		Note:  "Opera names Chrome's key; Chromium's is written too",
	},
	windows("arc", "Arc", `Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data`,
		"not documented by Arc; Chrome's and Chromium's keys are written", chromeKey, chromiumKey),
}

// Confined are browsers that are found but cannot be served: their sandbox
// starts no program from outside. Nothing is written for them; people are told.
var Confined = []Location{
	confined("Chromium (Snap)", "snap/chromium/common/chromium"),
	confined("Google Chrome (Flatpak)", ".var/app/com.google.Chrome"),
	confined("Chromium (Flatpak)", ".var/app/org.chromium.Chromium"),
	confined("Microsoft Edge (Flatpak)", ".var/app/com.microsoft.Edge"),
	confined("Brave (Flatpak)", ".var/app/com.brave.Browser"),
	confined("Vivaldi (Flatpak)", ".var/app/com.vivaldi.Vivaldi"),
	confined("Opera (Flatpak)", ".var/app/com.opera.Opera"),
}

// For lists the rows of one operating system.
func For(goos string) []Location {
	var rows []Location
	for _, row := range Locations {
		if row.OS == goos {
			rows = append(rows, row)
		}
	}
	return rows
}

func linux(browser, name, folder, system string) Location {
	return Location{
		Browser: browser, Name: name, OS: "linux",
		Found:  []Dir{{Config, folder}},
		User:   []Dir{{Config, folder + "/" + FolderName}},
		System: []Dir{{Absolute, system}},
	}
}

func mac(browser, name, folder, system string) Location {
	return Location{
		Browser: browser, Name: name, OS: "darwin",
		Found:  []Dir{{Support, folder}},
		User:   []Dir{{Support, folder + "/" + FolderName}},
		System: []Dir{{Absolute, system}},
	}
}

func macWithChrome(browser, name, folder, note string) Location {
	row := mac(browser, name, folder, chromeMac)
	row.User = append(row.User, Dir{Support, chromeMacDir})
	row.Note = note
	return row
}

func windows(browser, name, folder, note string, keys ...string) Location {
	return Location{
		Browser: browser, Name: name, OS: "windows",
		Found: []Dir{{Local, folder}},
		Keys:  keys,
		Note:  note,
	}
}

func confined(name, folder string) Location {
	return Location{Name: name, OS: "linux", Found: []Dir{{Home, folder}}}
}
