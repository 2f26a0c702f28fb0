package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// BenchmarkDevTools compares Runtime.evaluate of a DevTools client through the daemon
// with the same over the browser's own port: same browser, same page, turn by turn.
func BenchmarkDevTools(b *testing.B) {
	program, err := chromium.Find()
	if err != nil {
		b.Skipf("no Chromium: %v", err)
	}
	dir, err := os.MkdirTemp("", "dbb")
	if err != nil {
		b.Fatal(err)
	}
	browser := exec.Command(program, "--headless", "--no-sandbox", "--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	if err := browser.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = browser.Process.Kill()
		_ = browser.Wait()
		for end := time.Now().Add(10 * time.Second); os.RemoveAll(dir) != nil && time.Now().Before(end); { // its children write on for a moment
			time.Sleep(20 * time.Millisecond)
		}
	})
	var port string
	for deadline := time.Now().Add(time.Minute); port == ""; time.Sleep(20 * time.Millisecond) {
		if data, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort")); err == nil {
			port, _, _ = strings.Cut(string(data), "\n")
		} else if time.Now().After(deadline) {
			b.Fatal("Chromium opens no port")
		}
	}
	e := commandtest.New(b)
	e.OK("session", "start", "--endpoint", "http://127.0.0.1:"+port)
	ours := e.OK("session", "cdp")["httpEndpoint"].(string)
	own, through := pageSocket(b, "http://127.0.0.1:"+port), pageSocket(b, ours)
	for b.Loop() {
		var raw, passed []time.Duration
		for n := range rounds {
			raw = append(raw, took(func() { evaluate(b, own, n+1) }))
			passed = append(passed, took(func() { evaluate(b, through, n+1) }))
		}
		report(b, "ours", passed)
		report(b, "cdp", raw)
		b.ReportMetric(ratio(passed, raw), "×cdp")
	}
}

// pageSocket connects to the first page of a listing.
func pageSocket(b *testing.B, base string) *websocket.Conn {
	response, err := http.Get(base + "/json/list")
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	var rows []struct {
		Type    string `json:"type"`
		Address string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(response.Body).Decode(&rows); err != nil {
		b.Fatal(err)
	}
	for _, row := range rows {
		if row.Type != "page" {
			continue
		}
		socket, _, err := websocket.Dial(context.Background(), row.Address, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = socket.CloseNow() })
		return socket
	}
	b.Fatalf("no page at %s", base)
	return nil
}

func evaluate(b *testing.B, socket *websocket.Conn, id int) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	text := fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","params":{"expression":"document.title","returnByValue":true}}`, id)
	if err := socket.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
		b.Fatal(err)
	}
	_, data, err := socket.Read(ctx)
	if err != nil || !strings.HasPrefix(string(data), fmt.Sprintf(`{"id":%d,"result"`, id)) {
		b.Fatalf("%s %v", data, err)
	}
}
