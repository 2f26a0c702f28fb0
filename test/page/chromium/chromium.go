// Package chromium drives a headless Chromium over CDP for tests of the page
// bridge alone: no extension, no host, no daemon. One browser serves the tests of
// a package; each test opens its own page.
package chromium

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	startTimeout = 30 * time.Second
	callTimeout  = 30 * time.Second
	readLimit    = 128 << 20
)

// ErrNoChromium says that this machine has no Chromium.
var ErrNoChromium = errors.New("no Chromium found (set CHROME)")

// Browser is one running Chromium.
type Browser struct {
	cmd  *exec.Cmd
	dir  string
	conn *websocket.Conn

	mu       sync.Mutex
	nextID   int
	pending  map[int]chan reply
	handlers map[string][]handler
	closed   error
	done     chan struct{}
}

type handler struct {
	session string
	call    func(json.RawMessage)
}

type reply struct {
	result json.RawMessage
	err    error
}

// Find gives the path of a Chromium, or ErrNoChromium.
func Find() (string, error) {
	if path := os.Getenv("CHROME"); path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoChromium
}

// Start launches a browser with a throw-away profile.
func Start(flags ...string) (*Browser, error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "dbridge-page-test-")
	if err != nil {
		return nil, err
	}
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--no-default-browser-check",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
		"--remote-debugging-port=0", "--user-data-dir=" + dir, "--window-size=1000,800",
	}, flags...)
	cmd := exec.Command(path, append(args, "about:blank")...)
	ownGroup(cmd)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	b := &Browser{cmd: cmd, dir: dir, pending: map[int]chan reply{}, handlers: map[string][]handler{}, done: make(chan struct{})}
	endpoint := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if _, url, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
				endpoint <- strings.TrimSpace(url)
			}
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	select {
	case url := <-endpoint:
		b.conn, _, err = websocket.Dial(ctx, url, nil)
	case <-ctx.Done():
		err = errors.New("no debugging port was opened by Chromium")
	}
	if err != nil {
		b.kill()
		return nil, err
	}
	b.conn.SetReadLimit(readLimit)
	go b.read()
	return b, nil
}

// Close ends the browser and removes its profile.
func (b *Browser) Close() {
	_ = b.conn.CloseNow()
	<-b.done
	b.kill()
}

func (b *Browser) kill() {
	killGroup(b.cmd)
	_ = b.cmd.Wait()
	// Chromium's children may still be writing for a moment after the group was killed.
	for range 50 {
		if os.RemoveAll(b.dir) == nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (b *Browser) read() {
	defer close(b.done)
	for {
		_, data, err := b.conn.Read(context.Background())
		if err != nil {
			b.mu.Lock()
			b.closed = err
			for id, wait := range b.pending {
				wait <- reply{err: err}
				delete(b.pending, id)
			}
			b.mu.Unlock()
			return
		}
		var msg struct {
			ID        int             `json:"id"`
			SessionID string          `json:"sessionId"`
			Method    string          `json:"method"`
			Params    json.RawMessage `json:"params"`
			Result    json.RawMessage `json:"result"`
			Error     *struct {
				Code    int    `json:"code"`
				Message string `json:"message"`
				Data    string `json:"data"`
			} `json:"error"`
		}
		if err := json.Unmarshal(data, &msg); err != nil {
			continue
		}
		b.mu.Lock()
		if msg.ID != 0 {
			wait := b.pending[msg.ID]
			delete(b.pending, msg.ID)
			b.mu.Unlock()
			if wait == nil {
				continue
			}
			if msg.Error != nil {
				wait <- reply{err: fmt.Errorf("%s %s (%d)", msg.Error.Message, msg.Error.Data, msg.Error.Code)}
			} else {
				wait <- reply{result: msg.Result}
			}
			continue
		}
		var calls []func(json.RawMessage)
		for _, h := range b.handlers[msg.Method] {
			if h.session == msg.SessionID {
				calls = append(calls, h.call)
			}
		}
		b.mu.Unlock()
		for _, call := range calls {
			call(msg.Params)
		}
	}
}

func (b *Browser) call(session, method string, params, out any) error {
	return b.callWithin(callTimeout, session, method, params, out)
}

func (b *Browser) callWithin(limit time.Duration, session, method string, params, out any) error {
	if params == nil {
		params = struct{}{}
	}
	wait := make(chan reply, 1)
	b.mu.Lock()
	if b.closed != nil {
		b.mu.Unlock()
		return b.closed
	}
	b.nextID++
	id := b.nextID
	b.pending[id] = wait
	b.mu.Unlock()
	message := map[string]any{"id": id, "method": method, "params": params}
	if session != "" {
		message["sessionId"] = session
	}
	data, err := json.Marshal(message)
	if err != nil {
		return err
	}
	if err := b.conn.Write(context.Background(), websocket.MessageText, data); err != nil {
		return err
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case got := <-wait:
		if got.err != nil {
			return fmt.Errorf("%s: %w", method, got.err)
		}
		if out == nil {
			return nil
		}
		return json.Unmarshal(got.result, out)
	case <-timer.C:
		return fmt.Errorf("%s: no answer within %v", method, limit)
	}
}

func (b *Browser) on(session, method string, call func(json.RawMessage)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.handlers[method] = append(b.handlers[method], handler{session, call})
}

// Root finds the repository's root from the working directory.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = parent
	}
}
