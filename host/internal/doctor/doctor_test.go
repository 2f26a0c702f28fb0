package doctor

import (
	"context"
	"encoding/json"
	"flag"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/install"
	"github.com/debug-bridge/debug-bridge/manifests"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// extensionKey is the public key in the extension's manifest.
const extensionKey = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnf0c3BzjCr1YhGA+LSrjJMQm53mPApTVESDRRx+C1ML4OtoGlNN7jp9HOTiLQ9fvoh+Zrku8KCZzcz78vQ47MVp0LxY+7JxnCGZSy1pZ9cQ7F7WWkJarD8xxDcJwCxm7RUhMw17wgMnBxScKs+00kiRV7B4Yswy/xXu+n5Jjg/vKxIRZxgwPrbtFD0+2d7ryUOhgghmXmda6Q9dQtui6VI6M5Dx60IQlc+je/UqhoM7vywF6fyCySITCXhjxTSz2r9O10GjHBmNWvFVLoBa2pKmQP1MiXKUfu5c1fbLyyEn6QFCsO9f8rt5LTJ8dJcJf9pLZ+enYcQmX0jpPzGPvBwIDAQAB"

func extension(version string) fstest.MapFS {
	return fstest.MapFS{
		"manifest.json": {Data: []byte(`{"version":"` + version + `","key":"` + extensionKey + `"}`)},
		"background.js": {Data: []byte("// worker\n")},
	}
}

// fakeDaemon answers with JSON texts, as the real one does.
type fakeDaemon struct {
	status, echo string
	echoErr      error
}

func (d *fakeDaemon) Call(_ context.Context, method, path string, _, out any) error {
	switch method + " " + path {
	case "GET /v1/daemon/status":
		return json.Unmarshal([]byte(d.status), out)
	case "POST /v1/doctor/echo":
		if d.echoErr != nil {
			return d.echoErr
		}
		return json.Unmarshal([]byte(d.echo), out)
	}
	return fault.New(fault.InternalError, "no route %s %s", method, path)
}

// patient is a person's machine where everything works, in a real temporary home.
type patient struct {
	env    Env
	daemon *fakeDaemon
	dial   error
	probe  error
	closed bool
}

func (p *patient) home(elements ...string) string {
	return filepath.Join(append([]string{p.env.Machine.Home}, elements...)...)
}

func (p *patient) manifest() string { return p.env.Machine.Browsers(false)[0].Manifests[0] }

func (p *patient) write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), mode))
	must(t, os.Chmod(path, mode))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newPatient(t *testing.T) *patient {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the patient is a Unix machine; Windows has a test of its own below")
	}
	home := t.TempDir()
	layout := install.Layout{
		Extension: filepath.Join(home, "data", "debug-bridge", "extension"),
		State:     filepath.Join(home, "state", "debug-bridge"),
		Run:       filepath.Join(home, "run", "debug-bridge"),
	}
	machine, err := install.ThisMachine(layout, extension("0.1.0"), "0.1.0")
	must(t, err)
	machine.GOOS, machine.Home, machine.Vars = "linux", home, map[string]string{}
	machine.Executable, machine.Resolved = filepath.Join(home, "bin", "dbridge"), ""
	p := &patient{daemon: &fakeDaemon{
		status: `{"pid":4711,"version":"0.1.0","port":9224,"browsers":[{"id":"b1","name":"Work","browser":"Chromium 156","extensionVersion":"0.1.0"}]}`,
		echo:   `{"browsers":[{"id":"b1","name":"Work","browser":"Chromium 156","extensionVersion":"0.1.0","ms":0.8,"pages":[{"pageId":1,"url":"https://shop.example/","ms":1.4}]}]}`,
	}}
	clock := time.Unix(1_700_000_000, 0)
	p.env = Env{
		Machine: machine, WantedPort: 9224,
		Secrets: []string{filepath.Join(layout.State, "tokens.json"), filepath.Join(layout.State, "apps.json")},
		Dial: func(context.Context) (Daemon, func(), error) {
			if p.dial != nil {
				return nil, nil, p.dial
			}
			return p.daemon, func() { p.closed = true }, nil
		},
		Probe: func(context.Context, int) error { return p.probe },
		Now: func() time.Time {
			clock = clock.Add(200 * time.Microsecond)
			return clock
		},
	}
	p.write(t, machine.Executable, "#!/bin/sh\n", 0o755)
	must(t, os.MkdirAll(p.home(".config", "google-chrome"), 0o700))
	must(t, os.MkdirAll(p.home(".config", "chromium"), 0o700))
	_, err = install.Run(context.Background(), install.Options{Env: &machine})
	must(t, err)
	must(t, os.MkdirAll(layout.Run, 0o700))
	p.write(t, p.env.Secrets[0], "{}", 0o600)
	return p
}

func (p *patient) noDaemon() {
	p.dial = fault.New(fault.DaemonUnavailable, "no daemon is running").With("reason", "not_running")
}

func find(r Report, hop, subject string) Hop {
	for _, h := range r.Hops {
		if h.Hop == hop && (subject == "" || h.Subject == subject) {
			return h
		}
	}
	return Hop{}
}

func TestHealthy(t *testing.T) {
	p := newPatient(t)
	r := Run(context.Background(), p.env)
	if !r.OK || r.Exit() != 0 || r.Err() != nil || r.Code != "" || !p.closed {
		t.Fatalf("%+v\n%s", r, r.Text())
	}
	for _, hop := range []string{"binary", "manifest", "extension", "daemon", "port", "secrets", "browser", "echo", "page"} {
		if h := find(r, hop, ""); h.Status != OK || h.Line == "" || h.Fix != "" || (h.Ms == 0) != (hop == "browser") {
			t.Errorf("%s: %+v", hop, h)
		}
	}
	if h := find(r, "page", ""); h.Ms != 1.4 {
		t.Errorf("page: %+v", h)
	}
}

// TestBrokenHops breaks one hop at a time.
func TestBrokenHops(t *testing.T) {
	cases := []struct {
		name         string
		breaks       func(*testing.T, *patient)
		hop, subject string
		status       Status
		line, fix    string
		code         fault.Code // of the report; "" when it stays ok
		skips        []string
	}{
		{"binary in an open folder", func(t *testing.T, p *patient) { p.noDaemon(); must(t, os.Chmod(p.home("bin"), 0o777)) },
			"binary", "", Fail, "replace", "Move dbridge", fault.FileAccessFailed, nil},
		{"no browser", func(t *testing.T, p *patient) { p.noDaemon(); must(t, os.RemoveAll(p.home(".config"))) },
			"manifest", "", Fail, "no browser was found", "dbridge install", fault.NativeHostNotInstalled, nil},
		{"manifests missing", func(t *testing.T, p *patient) {
			p.noDaemon()
			for _, b := range p.env.Machine.Browsers(false) {
				must(t, os.Remove(b.Manifests[0]))
			}
		}, "manifest", "Chromium", Fail, "there is no", "dbridge install --browser chromium", fault.NativeHostNotInstalled, nil},
		{"one manifest missing", func(t *testing.T, p *patient) { must(t, os.Remove(p.manifest())) },
			"manifest", "Google Chrome", Warn, "there is no", "dbridge install --browser chrome", "", nil},
		{"manifest cut", func(t *testing.T, p *patient) { p.write(t, p.manifest(), `{"name":`, 0o644) },
			"manifest", "Google Chrome", Fail, "damaged", "dbridge install", fault.NativeHostNotInstalled, nil},
		{"manifest of another host", func(t *testing.T, p *patient) {
			p.write(t, p.manifest(), `{"name":"com.other","type":"stdio","path":"/bin/true"}`, 0o644)
		}, "manifest", "Google Chrome", Fail, "com.other", "dbridge install", fault.NativeHostNotInstalled, nil},
		{"manifest lets another extension in", func(t *testing.T, p *patient) {
			p.write(t, p.manifest(), `{"name":"com.debugbridge.host","type":"stdio","path":"/bin/true","allowed_origins":["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"]}`, 0o644)
		}, "manifest", "Google Chrome", Fail, "does not let the extension", "dbridge install", fault.NativeHostNotInstalled, nil},
		{"manifest leads nowhere", func(t *testing.T, p *patient) { p.manifestTo(t, p.home("gone", "dbridge")) },
			"manifest", "Google Chrome", Fail, "not where", "dbridge install", fault.NativeHostNotInstalled, nil},
		{"manifest leads to a temporary build", func(t *testing.T, p *patient) { p.manifestTo(t, "/tmp/go-build1/b001/exe/dbridge") },
			"manifest", "Google Chrome", Fail, "go run", "dbridge install", fault.NativeHostNotInstalled, nil},
		{"manifest starts another binary", func(t *testing.T, p *patient) {
			p.write(t, p.home("other", "dbridge"), "#!/bin/sh\n", 0o755)
			p.manifestTo(t, p.home("other", "dbridge"))
		}, "manifest", "Google Chrome", Warn, "another binary", "dbridge install --browser chrome", "", nil},
		{"manifest starts this binary by a link", func(t *testing.T, p *patient) {
			must(t, os.Symlink(p.env.Machine.Executable, p.home("link")))
			p.manifestTo(t, p.home("link"))
		}, "manifest", "Google Chrome", OK, "this binary, as", "", "", nil},
		{"manifest open to others", func(t *testing.T, p *patient) { must(t, os.Chmod(p.manifest(), 0o666)) },
			"manifest", "Google Chrome", Fail, "every user", "chmod o-w", fault.NativeHostNotInstalled, nil},
		{"manifest folder open to others", func(t *testing.T, p *patient) { must(t, os.Chmod(filepath.Dir(p.manifest()), 0o777)) },
			"manifest", "Google Chrome", Fail, "every user", "chmod o-w", fault.NativeHostNotInstalled, nil},
		{"custom folder without manifest", func(t *testing.T, p *patient) {
			_, err := install.Run(context.Background(), install.Options{Env: &p.env.Machine, Dir: p.home("profile")})
			must(t, err)
			must(t, os.Remove(p.home("profile", manifests.FolderName, manifests.FileName)))
		}, "manifest", "PROFILE", Warn, "there is no", "--dir", "", nil},
		{"extension missing", func(t *testing.T, p *patient) { p.noDaemon(); must(t, os.RemoveAll(p.env.Machine.Layout.Extension)) },
			"extension", "", Fail, "not unpacked", "dbridge install", fault.NativeHostNotInstalled, nil},
		{"extension loaded from elsewhere", func(t *testing.T, p *patient) { must(t, os.RemoveAll(p.env.Machine.Layout.Extension)) },
			"extension", "", Warn, "not unpacked", "dbridge install", "", nil},
		{"extension old", func(_ *testing.T, p *patient) { p.env.Machine.Extension = extension("0.2.0") },
			"extension", "", Warn, "this binary brings 0.2.0", "reload arrow", "", nil},
		{"extension changed", func(t *testing.T, p *patient) {
			p.write(t, filepath.Join(p.env.Machine.Layout.Extension, "background.js"), "// other", 0o644)
		}, "extension", "", Warn, "differ", "dbridge install", "", nil},
		{"daemon not running", func(_ *testing.T, p *patient) { p.noDaemon() },
			"daemon", "", Fail, "not running", "dbridge daemon start", fault.DaemonUnavailable, []string{"port", "browser", "echo"}},
		{"daemon does not answer", func(_ *testing.T, p *patient) {
			p.dial = fault.New(fault.DaemonUnavailable, "the daemon did not answer in time").Suggest("Look at `dbridge daemon logs`.")
		}, "daemon", "", Fail, "in time", "daemon logs", fault.DaemonUnavailable, []string{"port", "browser", "echo"}},
		{"status is not JSON", func(_ *testing.T, p *patient) { p.daemon.status = "<html>" },
			"daemon", "", Fail, "invalid character", "", fault.InternalError, []string{"port", "browser", "echo"}},
		{"daemon of another version", func(_ *testing.T, p *patient) {
			p.daemon.status = strings.Replace(p.daemon.status, `"version":"0.1.0"`, `"version":"0.0.9"`, 1)
		}, "daemon", "", Warn, "this binary is 0.1.0", "dbridge daemon stop", "", nil},
		{"no port", func(_ *testing.T, p *patient) { p.daemon.status = strings.Replace(p.daemon.status, "9224", "0", 1) },
			"port", "", Warn, "no TCP port", "dbridge daemon stop", "", nil},
		{"another port", func(_ *testing.T, p *patient) { p.daemon.status = strings.Replace(p.daemon.status, "9224", "9225", 1) },
			"port", "", OK, "(9224 was taken)", "", "", nil},
		{"port does not answer", func(_ *testing.T, p *patient) { p.probe = context.DeadlineExceeded },
			"port", "", Fail, "deadline", "dbridge daemon stop", fault.DaemonUnavailable, nil},
		{"tokens readable by others", func(t *testing.T, p *patient) { must(t, os.Chmod(p.env.Secrets[0], 0o644)) },
			"secrets", "", Fail, "mode 0644", "chmod go=", fault.FileAccessFailed, nil},
		{"state folder open", func(t *testing.T, p *patient) { must(t, os.Chmod(p.env.Machine.Layout.State, 0o755)) },
			"secrets", "", Fail, "mode 0755", "chmod go=", fault.FileAccessFailed, nil},
		{"tokens are a link", func(t *testing.T, p *patient) {
			must(t, os.Rename(p.env.Secrets[0], p.home("tokens")))
			must(t, os.Symlink(p.home("tokens"), p.env.Secrets[0]))
		}, "secrets", "", Fail, "symbolic link", "replace", fault.FileAccessFailed, nil},
		{"no browser connected", func(_ *testing.T, p *patient) {
			p.daemon.status = `{"pid":1,"version":"0.1.0","port":9224,"browsers":[]}`
		},
			"browser", "", Fail, "no browser", "Load unpacked", fault.ExtensionNotConnected, []string{"echo"}},
		{"connected extension old", func(_ *testing.T, p *patient) {
			p.daemon.status = strings.Replace(p.daemon.status, `"extensionVersion":"0.1.0"`, `"extensionVersion":"0.0.9"`, 1)
		}, "browser", "Chromium 156 (Work)", Warn, "this binary brings 0.1.0", "reload arrow", "", nil},
		{"echo refused", func(_ *testing.T, p *patient) { p.daemon.echoErr = fault.New(fault.Timeout, "no answer in 5 s") },
			"echo", "", Fail, "no answer", "", fault.Timeout, nil},
		{"browser went away", func(_ *testing.T, p *patient) { p.daemon.echo = `{"browsers":[]}` },
			"echo", "", Fail, "went away", "dbridge doctor", fault.ExtensionNotConnected, nil},
		{"extension silent", func(_ *testing.T, p *patient) {
			p.daemon.echo = `{"browsers":[{"browser":"Chromium 156","name":"Work","ms":5000,"error":"TIMEOUT: too slow","pages":[]}]}`
		}, "echo", "Chromium 156 (Work)", Fail, "does not answer", "reload arrow", fault.Timeout, nil},
		{"page silent", func(_ *testing.T, p *patient) {
			p.daemon.echo = strings.Replace(p.daemon.echo, `"ms":1.4`, `"ms":5000,"error":"it hung"`, 1)
		}, "page", "page 1", Fail, "it hung", "reload the tab", fault.ExtensionNotConnected, nil},
		{"page paused", func(_ *testing.T, p *patient) {
			p.daemon.echo = strings.Replace(p.daemon.echo, `"ms":1.4`, `"ms":0.1,"error":"NOT_CONNECTED: left the site"`, 1)
		}, "page", "page 1", Fail, "left the site", "Connect", fault.NotConnected, nil},
		{"no page", func(_ *testing.T, p *patient) {
			p.daemon.echo = `{"browsers":[{"browser":"Chromium 156","ms":0.7,"pages":[]}]}`
		}, "page", "", Warn, "no tab", "click Connect", "", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := newPatient(t)
			c.breaks(t, p)
			if c.subject == "PROFILE" {
				c.subject = p.home("profile")
			}
			r := Run(context.Background(), p.env)
			hop := find(r, c.hop, c.subject)
			if hop.Status != c.status || !strings.Contains(hop.Line, c.line) || !strings.Contains(hop.Fix, c.fix) || c.status == OK && hop.Fix != "" {
				t.Errorf("%s %s: %+v", c.hop, c.subject, hop)
			}
			if r.Code != c.code || r.OK != (c.code == "") {
				t.Errorf("code %q, want %q\n%s", r.Code, c.code, r.Text())
			}
			if (r.Err() == nil) != r.OK || (r.Exit() == 0) != r.OK {
				t.Errorf("ok %v, exit %d, err %v", r.OK, r.Exit(), r.Err())
			}
			for _, name := range c.skips {
				if h := find(r, name, ""); h.Status != Skip {
					t.Errorf("%s is not skipped: %+v", name, h)
				}
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	}
}

func (p *patient) manifestTo(t *testing.T, path string) {
	t.Helper()
	data, err := manifests.New(path).Encode()
	must(t, err)
	p.write(t, p.manifest(), string(data), 0o644)
}

func TestExitCodes(t *testing.T) {
	for code, want := range map[fault.Code]int{fault.NativeHostNotInstalled: 6, fault.DaemonUnavailable: 10, fault.ExtensionNotConnected: 10} {
		r := Report{Hops: []Hop{{Hop: "x", Status: Warn}, {Hop: "y", Status: Fail, Code: code, Fix: "do"}, {Hop: "z", Status: Fail, Code: fault.Timeout}}}
		r.finish()
		f := fault.From(r.Err())
		if r.Exit() != want || f.Code != code || f.Exit() != want || f.Suggestions[0] != "do" {
			t.Errorf("%s: exit %d, %+v", code, r.Exit(), f)
		}
	}
}

func TestText(t *testing.T) {
	var out strings.Builder
	healthy := newPatient(t)
	broken := newPatient(t)
	must(t, os.Remove(broken.manifest()))
	must(t, os.Chmod(broken.env.Secrets[0], 0o644))
	broken.noDaemon()
	for _, p := range []*patient{healthy, broken} {
		r := Run(context.Background(), p.env)
		out.WriteString(strings.ReplaceAll(r.Text(), p.env.Machine.Home, "/home/ann") + "\n----\n\n")
	}
	file := filepath.Join("testdata", "text.txt")
	if *update {
		must(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	if out.String() != string(want) {
		t.Errorf("differs; go test ./host/internal/doctor -update\n%s", out.String())
	}
}

func TestTextIsCalm(t *testing.T) {
	p := newPatient(t)
	p.daemon.echo = strings.Replace(p.daemon.echo, "https://shop.example/", `https://x/\u001b[2J\nok fake\u202e`, 1)
	r := Run(context.Background(), p.env)
	if text := r.Text(); strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "\nok fake") {
		t.Errorf("page text moves the cursor: %q", text)
	}
	if coloured := r.ANSI(); !strings.Contains(coloured, "\x1b[32mok") || strings.Contains(coloured, "\x1b[2J") {
		t.Errorf("%q", coloured)
	}
}

func TestWindows(t *testing.T) {
	p := newPatient(t)
	p.env.Machine.GOOS = "windows"
	p.env.Machine.FS = windowsFS{}
	p.env.Machine.Home, p.env.Machine.Executable = `C:\U`, `C:\U\dbridge.exe`
	p.env.Machine.Layout = install.Layout{Extension: `C:\U\AppData\Local\debug-bridge\extension`, State: `C:\U\AppData\Local\debug-bridge`, Run: `C:\U\AppData\Local\debug-bridge`}
	key := `HKCU\Software\Google\Chrome\NativeMessagingHosts\` + manifests.HostName
	for value, want := range map[string]Status{
		"":                  Warn, // absent, but a browser is connected
		`C:\elsewhere.json`: Fail,
		`C:\U\AppData\Local\debug-bridge\` + manifests.FileName: OK,
	} {
		p.env.Machine.Registry = registry{key: value}
		r := Run(context.Background(), p.env)
		if hop := find(r, "manifest", "Google Chrome"); hop.Status != want {
			t.Errorf("key %q: %+v", value, hop)
		}
		if hop := find(r, "secrets", ""); hop.Hop != "" {
			t.Errorf("modes are judged on Windows: %+v", hop)
		}
	}
}

type registry map[string]string

func (r registry) Get(key string) (string, bool, error) { return r[key], r[key] != "", nil }
func (registry) Set(string, string) error               { return nil }
func (registry) Delete(string) error                    { return nil }

// windowsFS has Chrome's folder, the binary and the manifest.
type windowsFS struct{}

func (windowsFS) files() fstest.MapFS {
	data, _ := manifests.New(`C:\U\dbridge.exe`).Encode()
	return fstest.MapFS{
		"C:/U/dbridge.exe": {Mode: 0o666},
		"C:/U/AppData/Local/Google/Chrome/User Data/Local State": {},
		"C:/U/AppData/Local/debug-bridge/" + manifests.FileName:  {Data: data},
	}
}

func slashed(path string) string { return strings.TrimSuffix(strings.ReplaceAll(path, `\`, "/"), "/") }

func (w windowsFS) Stat(path string) (os.FileInfo, error)  { return w.files().Stat(slashed(path)) }
func (w windowsFS) Lstat(path string) (os.FileInfo, error) { return w.files().Stat(slashed(path)) }
func (w windowsFS) ReadFile(path string) ([]byte, error)   { return w.files().ReadFile(slashed(path)) }
func (w windowsFS) ReadDir(path string) ([]os.DirEntry, error) {
	return w.files().ReadDir(slashed(path))
}

func TestProbePort(t *testing.T) {
	for status, want := range map[int]string{http.StatusUnauthorized: "", http.StatusOK: "another program", http.StatusSwitchingProtocols: "another program", http.StatusFound: "another program"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for _, secret := range []string{"Authorization", "Cookie", "Sec-Websocket-Protocol"} {
				if r.Header.Get(secret) != "" {
					t.Errorf("the probe sends %s", secret)
				}
			}
			w.Header().Set("Location", "http://127.0.0.1:1/")
			if status == http.StatusSwitchingProtocols { // a server that says yes to everything
				w.Header().Set("Connection", "Upgrade")
				w.Header().Set("Upgrade", "websocket")
			}
			w.WriteHeader(status)
		}))
		_, port, err := net.SplitHostPort(server.Listener.Addr().String())
		must(t, err)
		number, err := strconv.Atoi(port)
		must(t, err)
		err = ProbePort(context.Background(), number)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: %v", status, err)
		}
		server.Close()
		if err := ProbePort(context.Background(), number); err == nil {
			t.Error("a closed port answers")
		}
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer silent.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := ProbePort(ctx, silent.Addr().(*net.TCPAddr).Port); err == nil {
		t.Error("a silent port answers")
	}
}

func TestFixesSurviveAShell(t *testing.T) {
	for path, want := range map[string]string{"/a/b-c": "/a/b-c", "/my home/x": "'/my home/x'", "/a'; rm": `'/a'\''; rm'`} {
		if got := quote(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
