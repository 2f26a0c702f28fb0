package client

import (
	"errors"
	"testing"

	"github.com/debug-bridge/debug-bridge/client"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// Who names another context, another group, a session or a profile gets those and no other.
func TestWhoAsks(t *testing.T) {
	e := commandtest.Managed(t)
	ctx, own := connect(t, e)
	mine, err := own.Session().Status(ctx, client.SessionStatusParams{})
	must[client.SessionStatusResult](t)(mine, err)
	t.Setenv("DBRIDGE_CONTEXT_ID", "")
	for name, options := range map[string][]client.Option{
		"context": {client.WithContext("another")}, "share group": {client.WithContext(""), client.WithShareGroup("review")},
	} {
		_, c := connect(t, e, options...)
		theirs, err := c.Session().Status(ctx, client.SessionStatusParams{})
		must[client.SessionStatusResult](t)(theirs, err)
		if theirs.Context == mine.Context || theirs.State == "running" {
			t.Errorf("another %s has %+v", name, theirs)
		}
	}
	for name, option := range map[string]client.Option{"profile": client.WithProfile("user"), "session": client.WithSession("elsewhere")} {
		_, c := connect(t, e, option)
		if pages, err := c.Page().List(ctx); err == nil && len(pages.Pages) > 0 || err != nil && !errors.Is(err, client.ErrSessionNotFound) {
			t.Errorf("another %s: %+v, %v", name, pages, err)
		}
	}
	for name, options := range map[string][]client.Option{
		"a token alone":       {client.WithToken("t")},
		"an address alone":    {client.WithURL("http://127.0.0.1:1")},
		"no address":          {client.WithURL("localhost"), client.WithToken("t")},
		"a context of TCP":    {client.WithURL("http://127.0.0.1:1"), client.WithToken("t"), client.WithContext("c")},
		"nobody listens":      {client.WithURL("http://127.0.0.1:1"), client.WithToken("t")},
		"a token with spaces": {client.WithURL("http://127.0.0.1:1"), client.WithToken("a b")},
	} {
		c, err := client.Connect(ctx, options...)
		var failed *client.Error
		if c != nil || !errors.As(err, &failed) || len(failed.Suggestions) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A profile that was chosen for the client goes with what starts a browser, over TCP too.
func TestProfileOverTCP(t *testing.T) {
	e := commandtest.New(t)
	ctx, _ := connect(t, e)
	token, _ := e.OK("token", "new", "agent")["token"].(string)
	address, _ := e.OK("daemon", "status")["httpUrl"].(string)
	c, err := client.Connect(ctx, client.WithURL(address), client.WithToken(token), client.WithProfile("managed"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	started, err := c.Session().Start(ctx, client.SessionStartParams{Headless: true})
	must[client.SessionStartResult](t)(started, err)
	want(t, "profile", started.Profile == "managed", started)
	_, err = c.Session().Stop(ctx)
	must[int](t)(nil, err)
}
