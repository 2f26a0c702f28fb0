package install

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/manifests"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; after looking at the difference: go test ./host/internal/install -update\ngot:\n%s", file, got)
	}
}

// dump is a plan with all that its steps hold.
func dump(plan Plan) string {
	var out strings.Builder
	for _, browser := range plan.Browsers {
		fmt.Fprintf(&out, "browser %s: %s\n", browser.Browser, browser.How)
	}
	for _, step := range plan.Steps {
		fmt.Fprintf(&out, "%-10s %s", step.Kind, step.Path)
		if step.Mode != "" {
			fmt.Fprintf(&out, " %s", step.Mode)
		}
		if step.Value != "" {
			fmt.Fprintf(&out, " = %s", step.Value)
		}
		if step.UpToDate {
			out.WriteString(" (up to date)")
		}
		fmt.Fprintf(&out, "\n           # %s\n", step.Why)
		for line := range strings.Lines(string(step.content)) {
			out.WriteString("           | " + line)
		}
	}
	for _, note := range plan.Notes {
		fmt.Fprintf(&out, "note: %s\n", note)
	}
	return out.String()
}

// H-26: TestPlansOfEveryRow has every row of the table, on every system, as golden files.
func TestPlansOfEveryRow(t *testing.T) {
	t.Parallel()
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, system := range []bool{false, true} {
			env := machine(goos, "all")
			plan, err := PlanInstall(env, Choice{System: system})
			if err != nil {
				t.Fatal(err)
			}
			name := "install-" + goos
			if system {
				name += "-system"
			}
			golden(t, name+".txt", dump(plan))
			if len(plan.Browsers) != len(manifests.For(goos)) {
				t.Errorf("%s: %d browsers of %d", name, len(plan.Browsers), len(manifests.For(goos)))
			}

			carryOut(env, plan)
			again, err := PlanInstall(env, Choice{System: system})
			if err != nil || again.Changes() != 0 {
				t.Errorf("%s: second run has %d changes, %v:\n%s", name, again.Changes(), err, dump(again))
			}
			undo, err := PlanUninstall(env, Choice{System: system})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "un"+name+".txt", dump(undo))
		}
	}
}

// TestH25UninstallLeavesNothing compares a whole machine before install and after uninstall.
func TestH25UninstallLeavesNothing(t *testing.T) {
	t.Parallel()
	for _, goos := range []string{"linux", "darwin", "windows"} {
		env := machine(goos, "chrome", "brave", "opera")
		m := env.FS.(*memory)
		m.mkdir(env.Parent(env.Parent(env.Layout.Extension)), 0o700)
		m.mkdir(env.Parent(env.Layout.State), 0o700)
		m.mkdir(env.Parent(env.Layout.Run), 0o700)

		choices := []Choice{{}}
		if goos != "windows" {
			m.mkdir("/srv/profile", 0o700)
			m.mkdir("/srv", 0o755)
			choices = append(choices, Choice{Dir: "/srv/profile"}, Choice{Dir: "/srv/new/profile"})
		}
		before := slices.Sorted(maps.Keys(m.modes))
		for _, choice := range choices {
			plan, err := PlanInstall(env, choice)
			if err != nil {
				t.Fatal(err)
			}
			carryOut(env, plan)
		}
		for _, name := range []string{"daemon.sock", "daemon.lock", "daemon.json", "start.lock"} {
			m.put(env.Join(env.Layout.Run, name), nil, 0o600)
		}
		for _, name := range []string{"tokens.json", "tokens.json.lock", "apps.json", "dbridge.log", "dbridge.log.1"} {
			m.put(env.Join(env.Layout.State, name), nil, 0o600)
		}

		undo, err := PlanUninstall(env, Choice{})
		if err != nil {
			t.Fatal(err)
		}
		carryOut(env, undo)
		if after := slices.Sorted(maps.Keys(m.modes)); !slices.Equal(before, after) {
			t.Errorf("%s: left behind or lost:\n%v\nbefore %v\nplan:\n%s", goos, difference(after, before), difference(before, after), dump(undo))
		}
		if goos == "windows" && len(env.Registry.(memoryRegistry)) != 0 {
			t.Errorf("registry keys left: %v", env.Registry)
		}
		stop := slices.IndexFunc(undo.Steps, func(s Step) bool { return s.Kind == StopDaemon })
		last := stop
		for i, step := range undo.Steps {
			if step.Kind == Remove && strings.HasSuffix(step.Path, manifests.FileName) {
				last = max(last, i)
			}
		}
		if stop < 0 || last > stop {
			t.Errorf("%s: the daemon is stopped while a browser can still start it", goos)
		}
	}
}

func difference(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// TestH27NothingForAbsentBrowsers: each browser alone, and none.
func TestH27NothingForAbsentBrowsers(t *testing.T) {
	t.Parallel()
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, row := range manifests.For(goos) {
			env := machine(goos, row.Browser)
			plan, err := PlanInstall(env, Choice{})
			if err != nil {
				t.Fatalf("%s/%s: %v", goos, row.Browser, err)
			}
			if len(plan.Browsers) != 1 || plan.Browsers[0].Browser != row.Browser {
				t.Errorf("%s/%s: found %+v", goos, row.Browser, plan.Browsers)
			}
			own := env.places(row, "", false)
			for _, step := range plan.Steps {
				switch step.Kind {
				case Write:
					if step.Path != env.recordPath() && !slices.Contains(own.Manifests, step.Path) {
						t.Errorf("%s/%s: writes %s", goos, row.Browser, step.Path)
					}
				case SetKey:
					if !slices.Contains(own.Keys, step.Path) {
						t.Errorf("%s/%s: sets %s", goos, row.Browser, step.Path)
					}
				}
			}
			// A folder that install had to make for one browser does not make another one "found".
			carryOut(env, plan)
			again, err := PlanInstall(env, Choice{})
			if err != nil || len(again.Browsers) != 1 {
				t.Errorf("%s/%s: second run finds %+v, %v", goos, row.Browser, again.Browsers, err)
			}
		}
		_, err := PlanInstall(machine(goos), Choice{})
		if !errors.Is(err, fault.New(fault.NativeHostNotInstalled, "")) {
			t.Errorf("%s without browsers: %v", goos, err)
		}
	}
}

func TestChoice(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		goos   string
		choice Choice
		code   fault.Code
		writes []string
	}{
		{"one browser", "linux", Choice{Browser: "chromium"}, "", []string{"/home/ann/.config/chromium/NativeMessagingHosts/com.debugbridge.host.json"}},
		{"unknown browser", "linux", Choice{Browser: "netscape"}, fault.ValidationError, nil},
		{"Arc on Linux", "linux", Choice{Browser: "arc"}, fault.ValidationError, nil},
		{"absent browser", "linux", Choice{Browser: "edge"}, fault.NativeHostNotInstalled, nil},
		{"user data dir", "linux", Choice{Dir: "/srv/p"}, "", []string{"/srv/p/NativeMessagingHosts/com.debugbridge.host.json"}},
		{"user data dir/", "linux", Choice{Dir: "/srv/p/"}, "", []string{"/srv/p/NativeMessagingHosts/com.debugbridge.host.json"}},
		{"manifest folder", "darwin", Choice{Dir: "/srv/p/NativeMessagingHosts"}, "", []string{"/srv/p/NativeMessagingHosts/com.debugbridge.host.json"}},
		{"relative dir", "linux", Choice{Dir: "p"}, fault.ValidationError, nil},
		{"dir and browser", "linux", Choice{Dir: "/p", Browser: "chrome"}, fault.ValidationError, nil},
		{"dir and system", "linux", Choice{Dir: "/p", System: true}, fault.ValidationError, nil},
		{"dir on Windows", "windows", Choice{Dir: `C:\p`}, fault.ValidationError, nil},
		{"system", "linux", Choice{System: true, Browser: "chromium"}, "", []string{"/etc/chromium/native-messaging-hosts/com.debugbridge.host.json"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env := machine(c.goos, "chrome", "chromium")
			plan, err := PlanInstall(env, c.choice)
			if c.code != "" {
				f := fault.From(err)
				if err == nil || f.Code != c.code || len(f.Suggestions) == 0 {
					t.Fatalf("got %v, want %s with a suggestion", err, c.code)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var writes []string
			for _, step := range plan.Steps {
				if step.Kind == Write && step.Path != env.recordPath() {
					writes = append(writes, step.Path)
				}
			}
			if !slices.Equal(writes, c.writes) {
				t.Errorf("writes %v, want %v", writes, c.writes)
			}
		})
	}
}

func TestFoldersFollowTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		vars map[string]string
		want string
	}{
		{map[string]string{"XDG_CONFIG_HOME": "/cfg"}, "/cfg/chromium"},
		{map[string]string{"XDG_CONFIG_HOME": "/cfg", "CHROME_CONFIG_HOME": "/chrome"}, "/chrome/chromium"},
		{map[string]string{"XDG_CONFIG_HOME": "relative"}, "/home/ann/.config/chromium"},
	} {
		env := machine("linux")
		env.Vars = c.vars
		env.FS.(*memory).mkdir(c.want, 0o700)
		plan, err := PlanInstall(env, Choice{})
		if err != nil || plan.Browsers[0].Manifests[0] != c.want+"/NativeMessagingHosts/com.debugbridge.host.json" {
			t.Errorf("%v: %+v, %v", c.vars, plan.Browsers, err)
		}
	}
	env := machine("windows")
	env.Vars["LOCALAPPDATA"] = `D:\Data`
	env.FS.(*memory).mkdir(`D:\Data\Chromium\User Data`, 0o700)
	if plan, err := PlanInstall(env, Choice{}); err != nil || plan.Browsers[0].Browser != "chromium" {
		t.Errorf("LOCALAPPDATA: %+v, %v", plan.Browsers, err)
	}
}

// H-26: paths with spaces, and programs that another could replace.
func TestUnfitExecutables(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		goos, path, resolved string
		prepare              func(*memory)
		want                 string
	}{
		"relative":              {goos: "linux", path: "dbridge", want: "not absolute"},
		"go run":                {goos: "linux", path: "/tmp/go-build123/b001/exe/dbridge", want: "go run"},
		"go run on Windows":     {goos: "windows", path: `C:\Users\Ann Lee\AppData\Local\Temp\go-build9\b001\exe\dbridge.exe`, want: "go run"},
		"link to go run":        {goos: "linux", path: "/home/ann/x", resolved: "/tmp/go-build1/b001/exe/dbridge", want: "go run"},
		"missing":               {goos: "linux", path: "/nowhere/dbridge", want: "not where"},
		"a folder":              {goos: "linux", path: "/home/ann", want: "not a regular file"},
		"not executable":        {goos: "linux", path: "/home/ann/x", prepare: func(m *memory) { m.put("/home/ann/x", nil, 0o644) }, want: "not executable"},
		"writable by all":       {goos: "linux", path: "/home/ann/x", prepare: func(m *memory) { m.put("/home/ann/x", nil, 0o777) }, want: "overwrite"},
		"in an open folder":     {goos: "linux", path: "/open/x", prepare: func(m *memory) { m.mkdir("/open", 0o777) }, want: "replace it"},
		"in /tmp itself":        {goos: "linux", path: "/tmp/x", prepare: func(m *memory) { m.mkdir("/tmp", 0o777|fs.ModeSticky) }, want: "replace it"},
		"below an open folder":  {goos: "linux", path: "/open/own/x", prepare: func(m *memory) { m.mkdir("/open", 0o777); m.mkdir("/open/own", 0o755) }, want: "replace it"},
		"link into open folder": {goos: "linux", path: "/home/ann/x", resolved: "/open/x", prepare: func(m *memory) { m.mkdir("/open", 0o777); m.put("/open/x", nil, 0o755) }, want: "replace it"},
		"below a sticky folder": {goos: "linux", path: "/tmp/own/x", prepare: func(m *memory) { m.mkdir("/tmp", 0o777|fs.ModeSticky); m.mkdir("/tmp/own", 0o700) }},
		"path with spaces":      {goos: "windows", path: `C:\Program Files\dbridge & co\dbridge.exe`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := machine(c.goos, "chrome")
			m := env.FS.(*memory)
			env.Executable, env.Resolved = c.path, c.resolved
			if c.prepare != nil {
				c.prepare(m)
			}
			if c.want == "" || c.prepare != nil || c.resolved != "" {
				if _, err := m.Stat(c.path); err != nil {
					m.put(c.path, nil, 0o755)
				}
			}
			plan, err := PlanInstall(env, Choice{})
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			f := fault.From(err)
			if err == nil || f.Code != fault.FileAccessFailed || !strings.Contains(f.Message, c.want) || f.Details["path"] == nil || len(f.Suggestions) == 0 {
				t.Errorf("got %v %+v, want %q", err, plan.Steps, c.want)
			}
		})
	}
}

func TestForeignFolderIsNotReplaced(t *testing.T) {
	t.Parallel()
	env := machine("linux", "chrome")
	env.FS.(*memory).put(env.Layout.Extension+"/holiday.jpg", nil, 0o644)
	if _, err := PlanInstall(env, Choice{}); fault.From(err) == nil || fault.From(err).Code != fault.FileAccessFailed {
		t.Errorf("install over a foreign folder: %v", err)
	}
	undo, err := PlanUninstall(env, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range undo.Steps {
		if step.Kind == RemoveTree {
			t.Errorf("uninstall would remove %s", step.Path)
		}
	}
	if len(undo.Notes) == 0 {
		t.Error("uninstall does not say that it left the folder alone")
	}
}

func TestForeignFilesInHomeStay(t *testing.T) {
	t.Parallel()
	env := machine("linux", "chrome")
	env.Layout = Layout{Root: "/home/ann/all", Extension: "/home/ann/all/extension", State: "/home/ann/all/state", Run: "/home/ann/all/run"}
	m := env.FS.(*memory)
	plan, err := PlanInstall(env, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	carryOut(env, plan)
	m.put("/home/ann/all/state/thesis.txt", nil, 0o600)
	m.put("/home/ann/all/state/tokens.json", nil, 0o600)
	undo, err := PlanUninstall(env, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	carryOut(env, undo)
	if !env.exists("/home/ann/all/state/thesis.txt") || env.exists("/home/ann/all/state/tokens.json") || env.exists("/home/ann/all/extension") {
		t.Errorf("wrong files left: %v", slices.Sorted(maps.Keys(m.modes)))
	}
}

// What agents left goes; browsers' folders that the person named stay, and are told of;
// so is a folder of that name with other things in it.
func TestContextsGoAndProfilesStay(t *testing.T) {
	t.Parallel()
	env := machine("linux", "chrome")
	m := env.FS.(*memory)
	shot, kept := env.Layout.State+"/contexts/ctx_0123456789abcdef/artifacts/shot.png", env.Layout.State+"/profiles/shop/Default/Cookies"
	m.put(shot, nil, 0o600)
	m.put(kept, nil, 0o600)
	undo, err := PlanUninstall(env, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(undo.Notes, "\n"); !strings.Contains(notes, env.Layout.State+"/profiles") {
		t.Errorf("notes: %q", notes)
	}
	carryOut(env, undo)
	if env.exists(shot) || env.exists(env.Layout.State+"/contexts") || !env.exists(kept) {
		t.Errorf("wrong files left: %v", slices.Sorted(maps.Keys(m.modes)))
	}
	m.put(env.Layout.State+"/contexts/mine.txt", nil, 0o600)
	if undo, err = PlanUninstall(env, Choice{}); err != nil {
		t.Fatal(err)
	}
	carryOut(env, undo)
	if !env.exists(env.Layout.State+"/contexts/mine.txt") || !strings.Contains(strings.Join(undo.Notes, "\n"), "left alone") {
		t.Errorf("a folder with other things: %v, %q", slices.Sorted(maps.Keys(m.modes)), undo.Notes)
	}
}

func TestUninstallOneBrowserKeepsSharedPlaces(t *testing.T) {
	t.Parallel()
	for _, goos := range []string{"linux", "darwin", "windows"} {
		env := machine(goos, "chrome", "opera")
		plan, err := PlanInstall(env, Choice{})
		if err != nil {
			t.Fatal(err)
		}
		carryOut(env, plan)
		undo, err := PlanUninstall(env, Choice{Browser: "opera"})
		if err != nil {
			t.Fatal(err)
		}
		carryOut(env, undo)
		chrome, err := PlanInstall(env, Choice{Browser: "chrome"})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range chrome.Steps {
			if !step.UpToDate && (step.Kind == Write || step.Kind == SetKey) {
				t.Errorf("%s: Chrome lost %s with Opera", goos, step.Path)
			}
		}
		for _, step := range undo.Steps {
			if step.Kind == StopDaemon || step.Kind == RemoveTree {
				t.Errorf("%s: uninstall of one browser does %s", goos, step.Kind)
			}
		}
	}
}

func TestNotes(t *testing.T) {
	t.Parallel()
	env := machine("linux", "chrome")
	m := env.FS.(*memory)
	m.mkdir("/home/ann/snap/chromium/common/chromium", 0o700)
	m.mkdir("/home/ann/.config/google-chrome/NativeMessagingHosts", 0o777)
	env.Vars["DBRIDGE_HOME"] = "/x"
	env.Vars["SUDO_USER"] = "ann"
	plan, err := PlanInstall(env, Choice{})
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(plan.Notes, "\n")
	for _, want := range []string{"Snap", "DBRIDGE_HOME", "sudo", "chmod 755"} {
		if !strings.Contains(text, want) {
			t.Errorf("no note about %s in:\n%s", want, text)
		}
	}
}
