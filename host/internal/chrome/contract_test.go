package chrome

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp/cdptest"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/websocket"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestContractOverPipe(t *testing.T) {
	p := launch(t, LaunchOptions{})
	cdptest.RunBrowser(t, "pipe", p.Transport())
	select {
	case <-p.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the browser that was asked to close runs on")
	}
}

// open starts a browser as a person does who opens it for debugging, and gives its profile.
func openForDebugging(t *testing.T, flags ...string) (dir string, stop func()) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "profile")
	args := []string{"--headless=new", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0", "--user-data-dir=" + dir}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(real(t), append(append(args, flags...), "about:blank")...)
	g, err := startGroup(cmd)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = g.reap(cmd)
		close(ended)
	}()
	stop = func() {
		g.kill()
		<-ended
	}
	t.Cleanup(stop)
	deadline := time.Now().Add(20 * time.Second)
	for {
		if _, err := Running(dir); err == nil {
			return dir, stop
		}
		if time.Now().After(deadline) {
			t.Fatal("the browser opened no port")
		}
		time.Sleep(5 * time.Millisecond) // Chrome tells nobody but the file
	}
}

func TestContractOverWebSocket(t *testing.T) {
	dir, _ := openForDebugging(t)
	endpoint, err := Resolve(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(endpoint.Browser, "/") || endpoint.ProtocolVersion == "" || endpoint.UserAgent == "" {
		t.Errorf("%+v", endpoint)
	}
	transport, err := websocket.Dial(t.Context(), endpoint.WebSocketURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	cdptest.RunBrowser(t, "websocket", transport)
}

// Every way of naming a browser leads to the same WebSocket, and none after its end.
func TestResolveRealBrowser(t *testing.T) {
	dir, stop := openForDebugging(t)
	socket, err := Running(dir)
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(socket)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		dir, socket, target.Port(), target.Host, "localhost:" + target.Port(), "http://" + target.Host, "http://" + target.Host + "/json/version",
		"ws://" + target.Host, "HTTP://" + target.Host + "/",
	} {
		endpoint, err := Resolve(t.Context(), address, nil)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if got := strings.Replace(endpoint.WebSocketURL, "localhost", "127.0.0.1", 1); got != socket {
			t.Errorf("%s leads to %s, not %s", address, got, socket)
		}
	}
	stop()
	if _, err := Running(dir); reason(err) != "stale_port_file" {
		t.Errorf("after the browser's end: %v", err)
	}
	for address, want := range map[string]string{dir: "stale_port_file", target.Host: "refused"} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		if _, err := Resolve(ctx, address, nil); reason(err) != want {
			t.Errorf("%s after the browser's end: %v", address, err)
		}
		cancel()
	}
}

// reason is what a fault's details give.
func reason(err error) any {
	if failure := fault.From(err); failure != nil {
		return failure.Details["reason"]
	}
	return nil
}
