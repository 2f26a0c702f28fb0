package profile

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const whole = `# mine
default = "work"

[profile.work] # at the office
kind = "managed"
headless = true
executable = "chromium"
args = ["--lang=de"]
proxy = "http://127.0.0.1:3128"
proxy-bypass = "*.local"
viewport = "1280x800"
persistent = true

[profile.mine]
kind = "extension"
browser = "Work Chrome"

# the fleet
[profile.grid]
kind = "remote"
endpoints = ["http://10.0.0.5:9222", "ws://10.0.0.6:9222/devtools/browser/secret?token=t", "9222", "10.0.0.7:1"]
headers = { Authorization = "Bearer s3cret" }
header-env = { X-Key = "PROFILE_TEST_KEY" }
viewport = "800x600"
`

func TestParse(t *testing.T) {
	t.Setenv("PROFILE_TEST_KEY", "k")
	c, err := Parse("config.toml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if c.Default != "work" || len(c.Profiles) != 3 {
		t.Fatalf("%+v", c)
	}
	work, _ := c.Find("work")
	if args := work.Switches(); !slices.Equal(args, []string{"--lang=de", "--proxy-server=http://127.0.0.1:3128", "--proxy-bypass-list=*.local"}) {
		t.Errorf("switches %q", args)
	}
	if !*work.Headless || work.Width != 1280 || work.Height != 800 || !work.Persistent || work.Kind != Managed {
		t.Errorf("%+v", work)
	}
	grid, _ := c.Find("grid")
	header, err := grid.Header()
	if err != nil || header.Get("Authorization") != "Bearer s3cret" || header.Get("X-Key") != "k" {
		t.Errorf("%v, %v", header, err)
	}
	t.Setenv("PROFILE_TEST_KEY", "")
	if _, err := grid.Header(); fault.From(err).Code != fault.ValidationError || !strings.Contains(err.Error(), "PROFILE_TEST_KEY") {
		t.Errorf("a variable that is not set: %v", err)
	}
	hidden := grid.Masked()
	if hidden.Headers["Authorization"] != Hidden || hidden.Endpoints[1] != "ws://10.0.0.6:9222" || grid.Headers["Authorization"] != "Bearer s3cret" || grid.Endpoints[1] == hidden.Endpoints[1] {
		t.Errorf("%+v of %+v", hidden, grid)
	}
	secret := Profile{Proxy: "http://ada:pw@h:1", Args: []string{"--proxy-pac-url=http://ada:pw@h/x"}}.Masked()
	if strings.Contains(secret.Proxy+secret.Args[0], "pw") || secret.Proxy != "http://***@h:1" {
		t.Errorf("%+v", secret)
	}
	if c, err := Parse("config.toml", []byte("[profile.plain]\n")); err != nil || c.Profiles[0].Kind != Managed {
		t.Errorf("without a kind: %+v, %v", c, err)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content string
		line          int
		says          string
	}{
		{"no TOML", "default = \n", 1, "not TOML"},
		{"another type", "[profile.a]\nheadless = \"yes\"\n", 2, "headless"},
		{"an unknown setting", "[profile.a]\nkind = \"managed\"\nheadles = true\n", 3, `did you mean "headless"`},
		{"an unknown setting above", "defualt = \"a\"\n", 1, `did you mean "default"`},
		{"an unknown kind", "[profile.a]\nkind = \"firefox\"\n", 2, "kind is"},
		{"a default that is not there", "default = \"wrok\"\n[profile.work]\n", 1, `did you mean "work"`},
		{"a name that is taken", "[profile.user]\nkind = \"extension\"\n", 2, "cannot be given"},
		{"a name with a slash", "\n[profile.\"../up\"]\npersistent = true\n", 2, "cannot be given"},
		{"a setting of another kind", "[profile.a]\nkind = \"remote\"\nendpoints = [\"1\"]\nexecutable = \"x\"\n", 4, "executable is for kind managed"},
		{"a browser for a managed one", "[profile.a]\nbrowser = \"x\"\n", 2, "browser is for kind extension"},
		{"a viewport", "[profile.a]\nviewport = \"big\"\n", 2, "1280x800"},
		{"a viewport of the person's", "[profile.a]\nkind = \"extension\"\nviewport = \"8x8\"\n", 3, "not for kind extension"},
		{"no endpoints", "[profile.a]\nkind = \"remote\"\n", 1, "needs its endpoints"},
		{"a wrong endpoint", "[profile.a]\nkind = \"remote\"\nendpoints = [\"ftp://x\"]\n", 3, "no DevTools address"},
		{"a wrong header", "[profile.a]\nkind = \"remote\"\nendpoints = [\"1\"]\nheaders = { \"a b\" = \"s3cret\" }\n", 4, "a header has"},
		{"a header twice", "[profile.a]\nkind = \"remote\"\nendpoints = [\"1\"]\nheaders = { a = \"s3cret\" }\nheader-env = { a = \"B\" }\n", 5, "in header-env"},
		{"a variable that is none", "[profile.a]\nkind = \"remote\"\nendpoints = [\"1\"]\nheader-env = { a = \"$B\" }\n", 4, "environment variable"},
		{"a relative folder", "[profile.a]\nuser-data-dir = \"x\"\n", 2, "absolute"},
		{"two folders", "[profile.a]\nuser-data-dir = \"/x\"\npersistent = true\n", 3, "kept anyway"},
		{"a switch of ours", "[profile.a]\nargs = [\"--lang=de\", \"--remote-debugging-port=1\"]\n", 2, "--remote-debugging-port"},
		{"a password of a proxy", "[profile.a]\nproxy = \"http://ada:s3cret@h:1\"\n", 2, "no user and password"},
		{"a proxy that is none", "[profile.a]\nproxy = \"ftp://h\"\n", 2, "proxy is an address"},
		{"a bypass alone", "[profile.a]\nproxy-bypass = \"*\"\n", 2, "needs a proxy"},
	} {
		_, err := Parse("/etc/config.toml", []byte(c.content))
		failure := fault.From(err)
		if failure == nil || failure.Code != fault.ValidationError || !strings.Contains(failure.Message, c.says) || failure.Details["line"] != c.line ||
			failure.Details["path"] != "/etc/config.toml" || len(failure.Suggestions) == 0 {
			t.Errorf("%s: %v %+v", c.name, err, failure)
		}
		if failure != nil && strings.Contains(failure.Message, "s3cret") {
			t.Errorf("%s: the error tells the secret: %v", c.name, err)
		}
	}
}

func TestAddAndRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config", "config.toml")
	if c, err := Load(path); err != nil || len(c.Profiles) != 0 {
		t.Fatalf("without a file: %+v, %v", c, err)
	}
	first, err := Parse("", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range first.Profiles {
		if err := Add(path, p, Change{Default: p.Name == "work"}); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Load(path)
	if err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("%v: written and read again:\n%+v, want\n%+v", err, again, first)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Add(path, Profile{Name: "work", Kind: Managed}, Change{}); fault.From(err) == nil || fault.From(err).Code != fault.ValidationError {
		t.Errorf("a name that is there: %v", err)
	}
	if err := Add(path, Profile{Name: "bad", Kind: Managed, Args: []string{"--no-sandbox"}}, Change{}); err == nil || strings.Contains(err.Error(), "line") {
		t.Errorf("a profile that is wrong: %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != whole {
		t.Errorf("what failed changed the file:\n%s", got)
	}
	if err := Add(path, Profile{Name: "mine", Kind: Extension, Browser: "Home"}, Change{Replace: true}); err != nil {
		t.Fatal(err)
	}
	removed, wasDefault, err := Remove(path, "work")
	if err != nil || !wasDefault || removed.Executable != "chromium" {
		t.Errorf("%+v, %v, %v", removed, wasDefault, err)
	}
	got, _ := os.ReadFile(path)
	const grid = "# the fleet\n[profile.grid]\nkind = \"remote\"\n"
	for _, part := range []string{"# mine\n", grid, "[profile.mine]\nkind = \"extension\"\nbrowser = \"Home\"\n"} {
		if !strings.Contains(string(got), part) {
			t.Errorf("%q is gone from\n%s", part, got)
		}
	}
	if strings.Contains(string(got), "work") {
		t.Errorf("work is still in\n%s", got)
	}
	if _, _, err := Remove(path, "grd"); err == nil || !strings.Contains(err.Error(), `"grid"`) {
		t.Errorf("a name that is not there: %v", err)
	}
	inline := "profile = { a = { headless = true } }\n"
	if err := os.WriteFile(path, []byte(inline), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Remove(path, "a"); err == nil {
		t.Error("an inline table was removed")
	}
	if got, _ := os.ReadFile(path); string(got) != inline {
		t.Errorf("%s", got)
	}
}

// Several at once lose nothing.
func TestAddAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config", "config.toml")
	var work sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		work.Go(func() {
			if err := Add(path, Profile{Name: name, Kind: Managed}, Change{}); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	if c, err := Load(path); err != nil || len(c.Profiles) != 6 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestLoadChecksTheFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes there")
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	for mode, fine := range map[os.FileMode]bool{0o600: true, 0o620: false, 0o602: false, 0o644: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); (err == nil) != fine || err != nil && !errors.Is(err, fault.New(fault.FileAccessFailed, "")) {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
}
