package clients

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// Two clients and an agent of Debug Bridge at once, each on a page of its own.
func TestTogether(t *testing.T) {
	t.Run("managed", func(t *testing.T) {
		needs(t)
		steps(t, "together.mjs", managed(t))
	})
	t.Run("extension", func(t *testing.T) {
		needs(t)
		env, at := extension(t)
		agent := commandtest.User(t, env)
		agent.Context = "agent"
		agent.OK("page", "open", env.Pages.URL("/page/agent"), "--background")
		ended := make(chan struct{})
		worked := make(chan int, 1)
		go func() {
			rounds := 0
			for {
				select {
				case <-ended:
					worked <- rounds
					return
				default:
				}
				if answer := agent.Run("runtime", "eval", "console.log('agent'), document.title"); !answer.OK || answer.Data["value"] != "agent" {
					t.Errorf("the agent: %s", answer.Stdout)
				}
				rounds++
			}
		}()
		steps(t, "together.mjs", at)
		close(ended)
		if rounds := <-worked; rounds == 0 {
			t.Error("the agent did nothing meanwhile")
		}
		if said := agent.Text("console", "list"); !strings.Contains(said, "agent") || strings.Contains(said, "line 1") || strings.Contains(said, "line 2") {
			t.Errorf("the agent's console: %s", said)
		}
	})
}

// A token's address: by header and by key, and gone within a second of being revoked.
func TestToken(t *testing.T) {
	needs(t)
	e := commandtest.Managed(t)
	made := e.OK("token", "new", "client", "--level", "control")
	secret, _ := made["token"].(string)
	keyed, _ := made["cdpUrl"].(string)
	base, _, found := strings.Cut(keyed, "/cdp/")
	if secret == "" || !found {
		t.Fatalf("token new: cdpUrl %q", keyed)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 30 * time.Second}
	version := func(url, header string) (status int, address string) {
		t.Helper()
		request, err := http.NewRequest(http.MethodGet, url+"/json/version?profile=managed", nil)
		must(t, "request", err)
		if header != "" {
			request.Header.Set("Authorization", header)
		}
		response, err := client.Do(request)
		must(t, "request", err)
		defer response.Body.Close()
		var about struct {
			Address string `json:"webSocketDebuggerUrl"`
		}
		_ = json.NewDecoder(response.Body).Decode(&about) // a refusal is no JSON
		return response.StatusCode, about.Address
	}
	if status, _ := version(base, ""); status != http.StatusUnauthorized {
		t.Errorf("without a credential: %d", status)
	}
	if status, _ := version(base+"/cdp/"+strings.Repeat("a", 43), ""); status != http.StatusUnauthorized {
		t.Errorf("with a wrong key: %d", status)
	}
	status, plain := version(base, "Bearer "+secret)
	if status != http.StatusOK || strings.Contains(plain, "/cdp/") {
		t.Errorf("by header: %d %s", status, plain)
	}
	status, address := version(keyed, "")
	if status != http.StatusOK || !strings.HasPrefix(address, strings.Replace(keyed, "http", "ws", 1)+"/devtools/browser/") {
		t.Fatalf("by key: %d %s", status, address)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	socket, _, err := websocket.Dial(ctx, address, nil)
	must(t, "dial", err)
	defer socket.CloseNow()
	must(t, "send", socket.Write(ctx, websocket.MessageText, []byte(`{"id":1,"method":"Browser.getVersion"}`)))
	_, data, err := socket.Read(ctx)
	if err != nil || !strings.Contains(string(data), "Chrome/") {
		t.Fatalf("%v: %s", err, data)
	}
	e.OK("token", "revoke", "client")
	revoked := time.Now()
	for err == nil {
		_, _, err = socket.Read(ctx)
	}
	if took := time.Since(revoked); took > 10*time.Second { // a second, and what a busy machine adds
		t.Errorf("the connection ended %v after", took)
	}
	if status, _ := version(keyed, ""); status != http.StatusUnauthorized {
		t.Errorf("with a revoked key: %d", status)
	}
}
