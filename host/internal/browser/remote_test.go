package browser_test

import (
	"context"
	"io"
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
	process, err := chrome.Launch(ctx, chrome.LaunchOptions{
		Executable: found.Path, UserDataDir: profile, Headless: true, Args: []string{"--remote-debugging-port=0"}, URL: site.URL("/page/theirs"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = process.Stop(context.WithoutCancel(ctx)) }()
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
	case <-process.Done():
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
	var targets struct {
		TargetInfos []struct{ TargetID, Type string }
	}
	if err := conn.Session("").Call(ctx, "Target.getTargets", nil, &targets); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(targets.TargetInfos, func(i struct{ TargetID, Type string }) bool { return i.Type == "page" })
	var attached struct{ SessionID string }
	if err := conn.Session("").Call(ctx, "Target.attachToTarget", map[string]any{"targetId": targets.TargetInfos[at].TargetID, "flatten": true}, &attached); err != nil {
		t.Fatal(err)
	}
	var answer struct{ Result struct{ Value any } }
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
