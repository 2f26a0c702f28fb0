package mcp

//lint:file-ignore SA1019 roots and logging are deprecated, and clients of today have nothing else

import (
	"context"
	"encoding/json"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// What a command says on its way is told as progress to who asks for it, and as a line of
// the log at the level that the client wants.
func TestProgress(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	told, logged := make(chan *sdk.ProgressNotificationParams, 64), make(chan *sdk.LoggingMessageParams, 64)
	c := connect(t, e, setting{version: "2025-06-18", env: []string{"DBRIDGE_CONTEXT_ID="}, options: &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { told <- r.Params },
		LoggingMessageHandler:       func(_ context.Context, r *sdk.LoggingMessageRequest) { logged <- r.Params },
	}})
	wait := func(token any) {
		t.Helper()
		params := &sdk.CallToolParams{Name: "connect_browser", Arguments: json.RawMessage(`{"wait":300}`)}
		if token != nil {
			params.SetProgressToken(token)
		}
		if result, err := c.CallTool(c.ctx, params); err != nil || result.IsError {
			t.Fatalf("%+v %v", result, err)
		}
	}
	wait(nil)
	if len(told)+len(logged) > 0 {
		t.Error("somebody is told who did not ask")
	}
	wait("mine")
	if p := <-told; p.ProgressToken != "mine" || p.Message == "" || p.Progress != 1 {
		t.Errorf("%+v", p)
	}
	if err := c.SetLoggingLevel(c.ctx, &sdk.SetLoggingLevelParams{Level: "error"}); err != nil {
		t.Fatal(err)
	}
	wait(nil)
	if len(logged) > 0 {
		t.Error("a line below the level is sent")
	}
	if err := c.SetLoggingLevel(c.ctx, &sdk.SetLoggingLevelParams{Level: "info"}); err != nil {
		t.Fatal(err)
	}
	wait(nil)
	if l := <-logged; l.Level != "info" || l.Data == "" {
		t.Errorf("%+v", l)
	}
}
