package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
)

// flags are those of every browser the harness starts. Without the first-run and
// background switches a fresh profile talks to its maker's servers and opens
// pages of its own.
var flags = []string{
	"--no-first-run", "--no-default-browser-check",
	"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
	"--disable-quic", "--disable-gpu", "--disable-breakpad", "--disable-search-engine-choice-screen",
	"--metrics-recording-only", "--password-store=basic", "--use-mock-keychain", "--disable-infobars",
	// Tabs that are not in front behave as in front: a test has one window for many tabs.
	"--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--disable-backgrounding-occluded-windows",
	"--remote-debugging-port=0", "--window-size=1280,900", "--lang=en-US",
}

// maxLog is how much of the browser's stderr is kept.
const maxLog = 256 << 10

// Browser is a running Chromium.
type Browser struct {
	Conn *Conn

	command *exec.Cmd
	exited  chan struct{}
	log     *tail
}

// launch starts the browser on a profile and connects to it.
func launch(profile string, headed bool, env, args []string) (*Browser, error) {
	program, err := chromium.Find()
	if err != nil {
		return nil, err
	}
	all := append([]string{"--user-data-dir=" + profile}, flags...)
	if !headed {
		all = append(all, "--headless", "--hide-scrollbars")
	}
	if os.Geteuid() == 0 {
		all = append(all, "--no-sandbox")
	}
	all = append(all, args...)
	all = append(all, "about:blank")
	command := exec.Command(program, all...)
	command.Env = env
	command.Dir = profile
	ownGroup(command)
	stderr, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	browser := &Browser{command: command, exited: make(chan struct{}), log: new(tail)}
	if err := startBound(command, browser.exited); err != nil {
		return nil, err
	}
	address := make(chan string, 1)
	go browser.readLog(stderr, address)
	ctx, cancel := context.WithTimeout(context.Background(), 2*Patience)
	defer cancel()
	select {
	case url := <-address:
		browser.Conn, err = dialDevTools(ctx, url)
	case <-browser.exited:
		err = errors.New("the browser ended at once")
	case <-ctx.Done():
		err = errors.New("the browser did not say its DevTools address")
	}
	if err != nil {
		browser.kill()
		return nil, fmt.Errorf("%s: %w\n%s", program, err, browser.log)
	}
	return browser, nil
}

// readLog keeps the end of the log and finds the DevTools address in it.
func (b *Browser) readLog(from io.Reader, address chan<- string) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if _, url, found := strings.Cut(line, "DevTools listening on "); found {
			select {
			case address <- strings.TrimSpace(url):
			default:
			}
		}
		// Every machine without a desktop says these, many times.
		if !strings.Contains(line, "dbus/") {
			b.log.add(line)
		}
	}
}

// PID is the browser's main process.
func (b *Browser) PID() int { return b.command.Process.Pid }

// Alive reports whether the main process runs.
func (b *Browser) Alive() bool {
	select {
	case <-b.exited:
		return false
	default:
		return true
	}
}

// quit closes the browser as its window's close button does.
func (b *Browser) quit(within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	// The answer may be lost in the shutdown; the exit is what counts.
	_ = b.Conn.Call(ctx, "", "Browser.close", nil, nil)
	select {
	case <-b.exited:
		b.Conn.Close()
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the browser did not close within %v", within)
	}
}

// crash ends the main process alone, as a crash or an out-of-memory kill does;
// its children and the native host notice by themselves.
func (b *Browser) crash() {
	_ = b.command.Process.Kill() // it may have ended meanwhile
	<-b.exited
	if b.Conn != nil {
		b.Conn.Close()
	}
}

// kill ends the browser and all processes of its group.
func (b *Browser) kill() {
	killGroup(b.command.Process.Pid)
	b.crash()
}

// installHost writes a native messaging host manifest into a profile by hand,
// for tests that need another host program than the product's.
func installHost(profile, program string) error {
	dir := filepath.Join(profile, "NativeMessagingHosts")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	manifest, err := marshalIndent(map[string]any{
		"name":            HostName,
		"description":     "Debug Bridge under test",
		"path":            program,
		"type":            "stdio",
		"allowed_origins": []string{"chrome-extension://" + ExtensionID + "/"},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, HostName+".json"), manifest, 0o644)
}

// tail keeps the last lines of a log.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *tail) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text.Len() > maxLog {
		kept := bytes.Clone(l.text.Bytes()[l.text.Len()-maxLog/2:])
		l.text.Reset()
		l.text.Write(kept)
	}
	l.text.WriteString(line)
	l.text.WriteByte('\n')
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
