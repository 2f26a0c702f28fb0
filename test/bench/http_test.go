package bench

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// BenchmarkHTTP compares one runtime.eval over HTTP with the same command over the
// WebSocket, in one context, by turns. Budget: 1 ms more, median.
func BenchmarkHTTP(b *testing.B) {
	e := commandtest.New(b)
	program, err := chromium.Find()
	if err != nil {
		b.Skipf("no Chromium: %v", err)
	}
	e.OK("daemon", "start")
	token, _ := e.OK("token", "new", "bench")["token"].(string)
	status := e.OK("daemon", "status")
	base, _ := status["httpUrl"].(string)
	url, _ := status["url"].(string)
	header := http.Header{"Authorization": {"Bearer " + token}}
	ask := func(path, body string) map[string]any {
		request, err := http.NewRequest("POST", base+path, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		request.Header = header.Clone()
		request.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			b.Fatal(err)
		}
		defer response.Body.Close() //nolint:errcheck // it is read to its end
		data, err := io.ReadAll(response.Body)
		var envelope struct {
			OK   bool           `json:"ok"`
			Data map[string]any `json:"data"`
		}
		if err != nil || json.Unmarshal(data, &envelope) != nil || !envelope.OK {
			b.Fatalf("%s: %v %s", path, err, data)
		}
		return envelope.Data
	}
	key, _ := ask("/v1/session/status", "{}")["context"].(string)
	e.OK("session", "start", "--headless", "--executable", program, "--context-id", key, "--url", e.Site.URL("/form"), "--timeout", "60000")
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, url+"?role=agent&sessionId="+key+"&types=error", &websocket.DialOptions{HTTPHeader: header, Subprotocols: []string{"debug-bridge.v1"}})
	if err != nil {
		b.Fatal(err)
	}
	defer socket.CloseNow() //nolint:errcheck // the daemon may have closed it
	socket.SetReadLimit(1 << 24)
	send := func() {
		if err := socket.Write(ctx, websocket.MessageText, []byte(`{"type":"runtime.eval","expression":"document.title"}`)); err != nil {
			b.Fatal(err)
		}
		for {
			_, data, err := socket.Read(ctx)
			if err != nil {
				b.Fatal(err)
			}
			if text := string(data); strings.Contains(text, `"type":"command_result"`) && strings.Contains(text, `"requestType":"runtime.eval"`) {
				if !strings.Contains(text, `"success":true`) {
					b.Fatal(text)
				}
				return
			}
		}
	}
	send()
	for b.Loop() {
		var overHTTP, overSocket []time.Duration
		for range rounds {
			overHTTP = append(overHTTP, took(func() { ask("/v1/runtime/eval", `{"expression":"document.title"}`) }))
			overSocket = append(overSocket, took(send))
		}
		report(b, "http", overHTTP)
		report(b, "websocket", overSocket)
		more := at(overHTTP, 50) - at(overSocket, 50)
		b.ReportMetric(ms(more), "more-ms")
		if more > time.Millisecond {
			b.Errorf("over HTTP it takes %v more; the budget is 1 ms", more)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}
