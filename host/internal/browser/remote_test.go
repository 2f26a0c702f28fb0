package browser_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/browser"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/websocket"
	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// A remote browser that we leave goes on, and its pages are free of us.
func TestCloseLeavesARemoteBrowserClean(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser")
	}
	found, err := chrome.Find("")
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	profile := t.TempDir()
	args := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + profile, "--no-first-run", site.URL("/page/theirs")}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...)
	}
	theirs := exec.CommandContext(ctx, found.Path, args...) // somebody else's browser: not started by us
	theirs.Cancel = func() error { return theirs.Process.Signal(os.Interrupt) }
	theirs.WaitDelay = 10 * time.Second
	if err := theirs.Start(); err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() {
		_ = theirs.Wait() // it is ended below
		close(gone)
	}()
	defer func() {
		cancel()
		<-gone
	}()
	endpoint := resolve(t, ctx, profile)
	transport, err := websocket.Dial(ctx, endpoint, nil)
	if err != nil {
		t.Fatal(err)
	}
	log := zerolog.New(io.Discard)
	hub := session.NewHub(session.Config{Epoch: "e", HostVersion: "test", Log: log})
	defer hub.Close()
	manager := page.NewManager(hub, noSDK{}, log)
	defer manager.Close()
	direct, err := browser.Open(ctx, transport, browser.Options{ID: "remote", Source: protocol.SourceRemote, Session: "default", Log: log, Report: manager})
	if err != nil {
		t.Fatal(err)
	}
	v := &view{t: t, w: &world{direct: direct, manager: manager, hub: hub}}
	v.tab = manager.Tabs("default")[0]
	v.until("their page's tree", func() bool { return slices.Equal(v.names("button"), []string{"Button of theirs"}) })
	if source := v.tab.Info().Source; source != protocol.SourceRemote {
		t.Errorf("source %s", source)
	}
	if err := v.tab.Session("").Call(ctx, "Emulation.setUserAgentOverride", map[string]any{"userAgent": "changed"}, nil); err != nil {
		t.Fatal(err)
	}
	if err := direct.Close(ctx, false); err != nil {
		t.Fatal(err)
	}
	select {
	case <-gone:
		t.Fatal("their browser is gone")
	default:
	}

	// Another client finds the page as it was, in a world of the same name too.
	again, err := websocket.Dial(ctx, resolve(t, ctx, profile), nil)
	if err != nil {
		t.Fatal(err)
	}
	conn := cdp.NewConn(again, cdp.Options{})
	defer func() { _ = conn.Close() }()
	type target struct {
		ID   string `json:"targetId"`
		Type string `json:"type"`
	}
	var targets struct {
		TargetInfos []target `json:"targetInfos"`
	}
	if err := conn.Session("").Call(ctx, "Target.getTargets", nil, &targets); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(targets.TargetInfos, func(i target) bool { return i.Type == "page" })
	if at < 0 {
		t.Fatalf("no page among %+v", targets)
	}
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	if err := conn.Session("").Call(ctx, "Target.attachToTarget", map[string]any{"targetId": targets.TargetInfos[at].ID, "flatten": true}, &attached); err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	if err := conn.Session(attached.SessionID).Call(ctx, "Runtime.evaluate", map[string]any{
		"expression": "document.title + '|' + (navigator.userAgent === 'changed') + '|' + Object.getOwnPropertyNames(window).filter((n) => /bridge/i.test(n))",
	}, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Result.Value != "theirs|false|" {
		t.Fatalf("left behind: %v", answer.Result.Value)
	}
}

// resolve waits for the port file, which the browser writes when it listens.
func resolve(t *testing.T, ctx context.Context, profile string) string {
	t.Helper()
	for {
		endpoint, err := chrome.Resolve(ctx, profile, nil)
		if err == nil {
			return endpoint.WebSocketURL
		}
		select {
		case <-ctx.Done():
			t.Fatal(err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
