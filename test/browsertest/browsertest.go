package browsertest

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// Options of Start. The zero value is a browser without the extension.
type Options struct {
	Extension bool     // load the extension and install the native host
	NoBrowser bool     // the daemon's side alone
	NoHost    bool     // with Extension: leave the native host uninstalled
	Host      string   // with Extension: another host program than dbridge, installed by hand
	Headed    bool     // in a window; also by HEADED=1
	Env       []string // more environment for the browser, the host and the daemon
	Args      []string // more flags for the browser
}

// Env is one throw-away world: a home, a profile, a browser, a web server.
type Env struct {
	T       TB
	Pages   *pages.Site
	Browser *Browser
	Program string // dbridge

	Dir       string // holds all of the following
	Home      string // DBRIDGE_HOME
	Profile   string // --user-data-dir
	Extension string // the unpacked extension

	options Options
	environ []string

	mu     sync.Mutex
	agents []*Agent
}

// keepEnv keeps the folders of failed tests for a look.
const keepEnv = "DBRIDGE_TEST_KEEP"

// Start makes an Env and takes it down when the test ends. Without a browser on
// the machine the test is skipped, except where CI is set.
func Start(t TB, options Options) *Env {
	t.Helper()
	if !options.NoBrowser {
		if _, err := chromium.Find(); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("%v", err)
			}
			t.Skipf("%v", err)
		}
	}
	options.Headed = options.Headed || os.Getenv("HEADED") == "1"
	e := &Env{T: t, options: options}
	t.Cleanup(e.cleanup)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("browsertest: %v", err)
		}
	}
	var err error
	// A short name: the path of a Unix socket has about a hundred bytes.
	e.Dir, err = os.MkdirTemp("", "dbt-")
	must(err)
	e.Dir, err = filepath.EvalSymlinks(e.Dir)
	must(err)
	e.Home, e.Profile, e.Extension = filepath.Join(e.Dir, "home"), filepath.Join(e.Dir, "profile"), filepath.Join(e.Dir, "extension")
	for _, dir := range []string{e.Home, e.Profile, filepath.Join(e.Dir, "user")} {
		must(os.Mkdir(dir, 0o700))
	}
	e.Pages, err = pages.Serve()
	must(err)
	e.environ, err = e.environment()
	must(err)
	if options.Extension || options.NoBrowser {
		e.Program, err = DBridge()
		must(err)
	}
	if options.Extension {
		must(writeExtension(e.Extension))
		if !options.NoHost {
			e.Install()
		}
	}
	if !options.NoBrowser {
		e.launch()
	}
	return e
}

// environment is the tester's own without what would lead out of the throw-away world.
func (e *Env) environment() ([]string, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	var environ []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		switch {
		case strings.HasPrefix(name, "DBRIDGE_"), name == "HOME", name == "USERPROFILE", name == "XDG_CONFIG_HOME", name == "XDG_DATA_HOME", name == "XDG_STATE_HOME", name == "XDG_CACHE_HOME":
		default:
			environ = append(environ, entry)
		}
	}
	if real, err := os.UserHomeDir(); err == nil && os.Getenv("XAUTHORITY") == "" {
		environ = append(environ, "XAUTHORITY="+filepath.Join(real, ".Xauthority"))
	}
	environ = append(environ,
		"HOME="+filepath.Join(e.Dir, "user"),
		"DBRIDGE_HOME="+e.Home,
		"DBRIDGE_PORT="+strconv.Itoa(port),
		"DBRIDGE_LOG_LEVEL=debug",
		// A daemon whose test was killed goes away by itself.
		"DBRIDGE_IDLE_TIMEOUT=2m",
	)
	return append(environ, e.options.Env...), nil
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// Install makes the browser of this Env find the native host, with the product's
// own installer. Start does it unless NoHost is set.
func (e *Env) Install() {
	e.T.Helper()
	if e.options.Host != "" {
		if err := installHost(e.Profile, e.options.Host); err != nil {
			e.T.Fatalf("install the native host: %v", err)
		}
		return
	}
	e.Data(nil, "install", "--dir", e.Profile)
}

func (e *Env) launch() {
	e.T.Helper()
	args := e.options.Args
	if e.options.Extension {
		args = append([]string{"--load-extension=" + e.Extension}, args...)
	}
	browser, err := launch(e.Profile, e.options.Headed, e.environ, args)
	if err != nil {
		e.T.Fatalf("start the browser: %v", err)
	}
	e.Browser = browser
	if e.options.Extension {
		// Branded Chrome starts without a word about an extension it does not load.
		if _, err := e.worker(Patience); err != nil {
			e.T.Fatalf("the extension did not start (branded Chrome no longer takes --load-extension; use Chromium or Chrome for Testing): %v", err)
		}
	}
}

// KillChrome ends the browser's main process, as a crash does.
func (e *Env) KillChrome() {
	e.T.Helper()
	e.Browser.crash()
}

// QuitChrome closes the browser as a person does.
func (e *Env) QuitChrome() {
	e.T.Helper()
	if err := e.Browser.quit(Patience); err != nil {
		e.T.Fatalf("%v", err)
	}
}

// RestartChrome starts the browser again on the same profile. Tabs of before are gone.
func (e *Env) RestartChrome() {
	e.T.Helper()
	if e.Browser.Alive() {
		e.Browser.crash()
	}
	// The profile is free when the last process of the old browser has left.
	killGroup(e.Browser.PID())
	e.launch()
}

// Processes gives the processes of this Env: browsers, relays, daemons.
func (e *Env) Processes() []Process { return processesOf(e.Dir) }

func (e *Env) cleanup() {
	t := e.T
	t.Helper()
	if e.Dir == "" {
		return
	}
	e.mu.Lock()
	agents := e.agents
	e.agents = nil
	e.mu.Unlock()
	for _, agent := range agents {
		agent.Close()
	}
	if t.Failed() {
		e.logs()
	}
	if e.Browser != nil {
		if e.Browser.Alive() {
			_ = e.Browser.quit(3 * time.Second) // a dialog may hold it; then it is killed
		}
		e.Browser.kill()
	}
	stopped := e.stopDaemon()
	if e.Pages != nil {
		if err := e.Pages.Close(); err != nil {
			t.Errorf("stop the web server: %v", err)
		}
	}
	e.leftovers(stopped)
	if t.Failed() && os.Getenv(keepEnv) != "" {
		t.Logf("kept %s", e.Dir)
		return
	}
	// A killed Chrome leaves the folder of its socket, which is not in its profile.
	if socket, err := os.Readlink(filepath.Join(e.Profile, "SingletonSocket")); err == nil && strings.HasPrefix(filepath.Base(filepath.Dir(socket)), "org.chromium.") {
		_ = os.RemoveAll(filepath.Dir(socket)) // no more than litter
	}
	// A file that a dying process makes under our hands is gone at the next try.
	if err := poll(5*time.Second, func() (bool, error) { err := os.RemoveAll(e.Dir); return err == nil, err }); err != nil {
		t.Errorf("remove %s: %v", e.Dir, err)
	}
}

func (e *Env) logs() {
	if e.Browser != nil {
		e.T.Logf("browser log:\n%s", e.Browser.log)
	}
	log := filepath.Join(e.Home, "state", "dbridge.log")
	if _, err := os.Stat(log); err == nil {
		e.T.Logf("daemon log, the last lines:\n%s", lastLines(log, 200))
	}
}

// leftovers fails the test for every process and socket that outlived its owner.
func (e *Env) leftovers(stopped bool) {
	t := e.T
	t.Helper()
	var left []Process
	if err := poll(5*time.Second, func() (bool, error) { left = e.Processes(); return len(left) == 0, nil }); err != nil {
		for _, process := range left {
			t.Errorf("left over: process %v", process)
			_ = killProcess(process.PID) // it may end meanwhile
		}
	}
	if !stopped {
		return
	}
	err := filepath.WalkDir(e.Home, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Type()&fs.ModeSocket != 0 || entry.Name() == "daemon.json" {
			t.Errorf("left over: %s", strings.TrimPrefix(name, e.Dir))
		}
		return nil
	})
	if err != nil {
		t.Errorf("look for left-over sockets: %v", err)
	}
}

func walkFiles(from fs.FS, each func(name string, content []byte)) error {
	return fs.WalkDir(from, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(from, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		each(name, content)
		return nil
	})
}
