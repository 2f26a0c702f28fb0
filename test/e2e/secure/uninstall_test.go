package secure

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ws "github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// Debug Bridge is taken off the machine while an agent, a reader of events and a DevTools
// client are at work in the person's Chrome, and a browser of ours runs: all are told, the
// debugger lets go, and nothing stays but what the answer names (H-25).
func TestH25UninstallWhileInUse(t *testing.T) {
	if testing.Short() {
		t.Skip("starts browsers")
	}
	e := browsertest.Start(t, browsertest.Options{Extension: true})
	token, key := keyed(t, e, "drives")
	tab := e.OpenTab(e.Pages.URL("/page/InUse"))
	agent := e.AgentWith(token)
	e.Connect(tab, "control")
	agent.AwaitType("app_connected")
	agent.Do("evaluate", params{"code": "document.title"}) // the debugger is at the tab
	daemon := e.Daemon()

	ctx, cancel := context.WithTimeout(context.Background(), 4*browsertest.Patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, daemon.HTTPURL+"/v1/events?session=default", nil)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	events, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	must(t, err)
	defer events.Body.Close()
	lines := bufio.NewScanner(events.Body)
	lines.Buffer(nil, 8<<20)
	await := func(text string) bool {
		for lines.Scan() {
			if strings.Contains(lines.Text(), text) {
				return true
			}
		}
		return false
	}
	if !await("event: welcome") {
		t.Fatalf("no events: %v", lines.Err())
	}
	client, _, err := ws.Dial(ctx, "ws"+strings.TrimPrefix(daemon.HTTPURL, "http")+key+"/devtools/browser/user", nil)
	must(t, err)
	defer client.CloseNow()
	client.SetReadLimit(-1)
	must(t, client.Write(ctx, ws.MessageText, []byte(`{"id":1,"method":"Target.setAutoAttach","params":{"autoAttach":true,"waitForDebuggerOnStart":false,"flatten":true}}`)))
	for attached := false; !attached; {
		_, data, err := client.Read(ctx)
		must(t, err)
		attached = strings.Contains(string(data), `"Target.attachedToTarget"`)
	}
	id := e.TabID(tab)
	ours := func() (held bool) {
		// Only our own attachment would take a command.
		e.WorkerEval(fmt.Sprintf(`chrome.debugger.sendCommand({tabId: %d}, 'Inspector.enable').then(() => true, () => false)`, id), &held)
		return held
	}
	if !ours() {
		t.Fatal("the debugger is not at the tab: this test shows nothing")
	}
	e.Data(nil, "session", "start", "--headless", "--context-id", "other", "--profile", "managed")

	var report struct {
		Action string
		Steps  []struct{ Kind, Path, Status string }
		Next   []string
	}
	e.Data(&report, "uninstall")
	if report.Action != "uninstall" || len(report.Steps) < 5 || len(report.Next) == 0 {
		t.Errorf("%+v", report)
	}
	listed := map[string]bool{}
	for _, step := range report.Steps {
		listed[step.Path] = true
		if step.Status == "failed" {
			t.Errorf("%+v", step)
		}
		if _, err := os.Lstat(step.Path); step.Kind != "stop" && step.Status == "done" && err == nil {
			t.Errorf("%s is still there", step.Path)
		}
	}
	if code := agent.CloseCode(); code != 1012 {
		t.Errorf("the agent was closed with %d, want 1012", code)
	}
	if !await(`"host_restarting"`) {
		t.Error("the reader of events was not told of the end")
	}
	for {
		if _, _, err = client.Read(ctx); err != nil {
			break
		}
	}
	if code := ws.CloseStatus(err); code != ws.StatusServiceRestart {
		t.Errorf("the DevTools client was closed with %d: %v", code, err)
	}
	browsertest.Until(t, 2*browsertest.Patience, "the debugger lets go", func() bool { return !ours() })
	browsertest.Until(t, 2*browsertest.Patience, "no process of ours is left, and none comes back", func() bool {
		for _, process := range e.Processes() {
			if strings.HasPrefix(process.Line, e.Program) || strings.Contains(process.Line, e.Home) {
				return false
			}
		}
		return true
	})
	// The extension is still in the browser and asks for its host, which it finds no more.
	var found string
	e.WorkerEval(`new Promise((done) => { const port = chrome.runtime.connectNative('com.debugbridge.host'); port.onDisconnect.addListener(() => done(String(chrome.runtime.lastError?.message))); })`, &found)
	if !strings.Contains(found, "not found") {
		t.Errorf("the browser still finds the host: %q", found)
	}
	var left []string
	for _, root := range []string{e.Home, filepath.Join(e.Dir, "user"), filepath.Join(e.Profile, "NativeMessagingHosts")} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && (strings.HasPrefix(path, e.Home) || strings.Contains(strings.ToLower(path), "debugbridge") || strings.Contains(path, "debug-bridge")) {
				left = append(left, strings.TrimPrefix(path, e.Dir))
			}
			return nil
		})
		must(t, err)
	}
	if len(left) > 0 {
		text, _ := json.Marshal(report) // for whoever reads the failure
		t.Errorf("left over: %q\n%s", left, text)
	}
}
