package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/client"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// want fails where something is not as it should be.
func want(t *testing.T, what string, ok bool, got any) {
	t.Helper()
	if !ok {
		data, _ := json.Marshal(got)
		t.Errorf("%s: %s", what, data)
	}
}

// each is a typed call of every resource.
func each(t *testing.T, ctx context.Context, c *client.Client, e *commandtest.Env) {
	opened, err := c.Page().Open(ctx, client.PageOpenParams{URL: e.Site.URL("/page/form")})
	must[client.PageOpenResult](t)(opened, err)
	want(t, "page open", opened.PageID > 0 && opened.URL == e.Site.URL("/page/form"), opened)

	body := `document.title = 'typed'; document.body.innerHTML = '<label>Name <input id=name></label><button id=go onclick="console.log(\'pressed\', document.querySelector(\'#name\').value)">Go</button><p>Hello</p>'`
	_, err = c.Runtime().Eval(ctx, client.RuntimeEvalParams{Expression: body})
	must[int](t)(nil, err)
	found, err := c.Observe().Find(ctx, client.ObserveFindParams{Role: "button"})
	must[client.ObserveFindResult](t)(found, err)
	want(t, "observe find", len(found.Matches) == 1 && found.Matches[0].Name == "Go", found)
	filled, err := c.Element().Fill(ctx, client.ElementFillParams{Target: "#name", Value: "Ada"})
	must[client.ActionResult](t)(filled, err)
	want(t, "element fill", filled.Name == "Name" && filled.Effect == "changed", filled)
	pressed, err := c.Element().Click(ctx, client.ElementClickParams{Target: found.Matches[0].Ref})
	must[client.ActionResult](t)(pressed, err)
	line, err := c.Console().Wait(ctx, client.ConsoleWaitParams{Pattern: "pressed", Since: new(0)})
	must[client.ConsoleWaitResult](t)(line, err)
	want(t, "console wait", line.Level == "log", line)
	_, err = c.Input().Key(ctx, client.InputKeyParams{Key: "Tab"})
	must[int](t)(nil, err)
	dialog, err := c.Dialog().Status(ctx)
	must[client.DialogStatusResult](t)(dialog, err)
	want(t, "dialog status", !dialog.Open, dialog)
	snapshot, err := c.Capture().Snapshot(ctx, client.CaptureSnapshotParams{})
	must[client.CaptureSnapshotResult](t)(snapshot, err)
	requests, err := c.Network().List(ctx, client.NetworkListParams{})
	must[client.NetworkListResult](t)(requests, err)
	want(t, "network list", len(requests.Requests) > 0, requests)
	set, err := c.Emulation().Set(ctx, client.EmulationSetParams{ColorScheme: "dark"})
	must[client.EmulationResult](t)(set, err)
	want(t, "emulation set", len(set.Active) == 1, set)
	_, err = c.Emulation().Reset(ctx)
	must[int](t)(nil, err)
	styles, err := c.Layout().Styles(ctx, client.LayoutStylesParams{Target: "#go"})
	must[client.LayoutStylesResult](t)(styles, err)
	want(t, "layout styles", len(styles.Computed) > 0, styles)
	report, err := c.Audit().A11y(ctx, client.AuditA11yParams{})
	must[client.AuditA11yResult](t)(report, err)
	scopes, err := c.State().List(ctx, client.StateListParams{})
	must[client.StateListResult](t)(scopes, err)
	sent, err := c.CDP().Send(ctx, client.CDPSendParams{Method: "Runtime.evaluate", Params: map[string]any{"expression": "6*7", "returnByValue": true}})
	must[client.CDPSendResult](t)(sent, err)
	_, err = c.Trace().Stop(ctx, client.TraceStopParams{})
	want(t, "trace stop without a trace", errors.Is(err, client.ErrTraceNotFound), err)

	value, err := c.Runtime().Eval(ctx, client.RuntimeEvalParams{Expression: "({n: 9007199254740993n.toString(), at: location.pathname})"}, client.Page(opened.PageID))
	must[client.RuntimeEvalResult](t)(value, err)
	var read struct{ N, At string }
	if err := json.Unmarshal(value.Value, &read); err != nil || read.N != "9007199254740993" || read.At != "/page/form" {
		t.Errorf("%s: %v", value.Value, err)
	}
	raw, err := c.Run(ctx, "page.list", nil)
	var pages client.PageListResult
	if err != nil || json.Unmarshal(raw, &pages) != nil || len(pages.Pages) < 2 {
		t.Errorf("by name: %s, %v", raw, err)
	}
}

func TestEachResource(t *testing.T) {
	e := commandtest.Managed(t)
	ctx, c := connect(t, e)
	status, err := c.Session().Status(ctx, client.SessionStatusParams{})
	must[client.SessionStatusResult](t)(status, err)
	want(t, "session status", status.State == "running" && status.Profile == "managed", status)
	each(t, ctx, c, e)
	t.Chdir(t.TempDir())
	shot, err := c.Capture().Screenshot(ctx, client.CaptureScreenshotParams{File: "shot.png"})
	must[client.CaptureScreenshotResult](t)(shot, err)
	if _, err := os.Stat(filepath.Join(".", "shot.png")); err != nil {
		t.Errorf("a file's name is not this program's: %v", err)
	}
}

// Over TCP a token is the context, and the commands are the same.
func TestOverTCP(t *testing.T) {
	e := commandtest.New(t)
	ctx, _ := connect(t, e)
	token, _ := e.OK("token", "new", "agent")["token"].(string)
	address, _ := e.OK("daemon", "status")["httpUrl"].(string)
	if _, err := client.Connect(ctx, client.WithURL(address), client.WithToken("dbt_wrong")); !errors.Is(err, client.ErrUnauthorized) {
		t.Errorf("a wrong token: %v", err)
	}
	c, err := client.Connect(ctx, client.WithURL(address), client.WithToken(token))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Session().Start(ctx, client.SessionStartParams{Headless: true})
	must[int](t)(nil, err)
	defer func() {
		_, err := c.Session().Stop(ctx)
		must[int](t)(nil, err)
	}()
	each(t, ctx, c, e)
	var meta client.Meta
	_, err = c.Element().Click(ctx, client.ElementClickParams{Target: "#nowhere"}, client.RequestID("mine"), client.Into(&meta))
	var failed *client.Error
	if !errors.As(err, &failed) || failed.Code != client.CodeElementNotFound || failed.RequestID != "mine" || meta.RequestID != "mine" {
		t.Errorf("%#v %+v", err, meta)
	}
	lines := 0
	for line, err := range c.Observe().StreamEvents(ctx, client.ObserveEventsParams{Follow: true, Since: 1, Limit: 2}) {
		if err != nil {
			t.Fatal(err)
		}
		want(t, "a line", json.Valid(line), line)
		lines++
	}
	want(t, "lines", lines == 2, lines)
	sessions, err := c.Sessions(ctx)
	if err != nil || len(sessions) == 0 {
		t.Errorf("sessions: %v, %v", sessions, err)
	}
	for event, err := range c.Events(ctx, client.EventsOptions{Since: new(uint64(0))}) {
		if err != nil || event.Seq == 0 {
			t.Errorf("%+v %v", event, err)
		}
		break
	}
}

func TestErrors(t *testing.T) {
	e := commandtest.Managed(t)
	ctx, c := connect(t, e)
	e.HTML(`<button>One</button><button>One</button>`)
	for _, row := range []struct {
		of   error
		call func() error
	}{
		{client.ErrElementNotFound, func() error {
			_, err := c.Element().Click(ctx, client.ElementClickParams{Target: "#nowhere"})
			return err
		}},
		{client.ErrTargetAmbiguous, func() error {
			_, err := c.Element().Click(ctx, client.ElementClickParams{Target: `button "One"`})
			return err
		}},
		{client.ErrPageNotFound, func() error {
			_, err := c.Observe().State(ctx, client.Page(4711))
			return err
		}},
		{client.ErrTimeout, func() error {
			_, err := c.Page().WaitText(ctx, client.PageWaitTextParams{Text: []string{"never"}}, client.Timeout(200*time.Millisecond))
			return err
		}},
		{client.ErrValidation, func() error {
			_, err := c.Element().Click(ctx, client.ElementClickParams{Target: "button", Button: "fourth"})
			return err
		}},
		{client.ErrUnknownType, func() error { _, err := c.Run(ctx, "page.nothing", nil); return err }},
	} {
		err := row.call()
		var failed *client.Error
		if !errors.Is(err, row.of) || !errors.As(err, &failed) || failed.RequestID == "" || len(failed.Suggestions) == 0 || client.CodeOf(err) != failed.Code {
			t.Errorf("want %v, got %#v", row.of, err)
		}
		if retry := errors.Is(err, client.ErrTimeout); failed != nil && failed.Retryable != retry {
			t.Errorf("%s: retryable %t", failed.Code, failed.Retryable)
		}
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.Page().List(gone); !errors.Is(err, client.ErrCancelled) || !errors.Is(err, context.Canceled) {
		t.Errorf("of a context that ended: %v", err)
	}
	_ = c.Close()
	if _, err := c.Page().List(ctx); !errors.Is(err, client.ErrDaemonUnavailable) {
		t.Errorf("after Close: %v", err)
	}
}

func TestManyAtOnce(t *testing.T) {
	e := commandtest.Managed(t)
	ctx, c := connect(t, e)
	e.Goto("/page/test")
	var all sync.WaitGroup
	for worker := range 20 {
		all.Go(func() {
			for i := range 10 {
				expression := fmt.Sprintf("%d + %d", worker*1000, i)
				got, err := c.Runtime().Eval(ctx, client.RuntimeEvalParams{Expression: expression})
				if err != nil || string(got.Value) != fmt.Sprint(worker*1000+i) {
					t.Errorf("%s: %v, %v", expression, got, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// Without a daemon, and when it goes: started where that may be, told where not.
func TestDaemonComesAndGoes(t *testing.T) {
	e := commandtest.New(t)
	t.Setenv("DBRIDGE_HOME", e.Home)
	ctx := t.Context()
	if _, err := client.Connect(ctx, client.WithoutStart()); !errors.Is(err, client.ErrDaemonUnavailable) {
		t.Fatalf("without a daemon: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	var failed *client.Error
	if _, err := client.Connect(ctx); !errors.As(err, &failed) || failed.Code != client.CodeDaemonUnavailable || len(failed.Suggestions) == 0 {
		t.Fatalf("without a program: %v", err)
	}
	ctx, c := connect(t, e) // starts one
	before := e.OK("daemon", "status")["pid"]
	_, err := c.Session().Status(ctx, client.SessionStatusParams{})
	must[int](t)(nil, err)
	e.OK("daemon", "stop")
	_, err = c.Session().Status(ctx, client.SessionStatusParams{}) // the next one is started
	must[int](t)(nil, err)
	if after := e.OK("daemon", "status")["pid"]; after == before {
		t.Error("the daemon is the same")
	}
	_, quiet := connect(t, e, client.WithoutStart())
	e.OK("daemon", "stop")
	if _, err := quiet.Session().Status(ctx, client.SessionStatusParams{}); !errors.Is(err, client.ErrDaemonUnavailable) {
		t.Errorf("one that starts none: %v", err)
	}
}
