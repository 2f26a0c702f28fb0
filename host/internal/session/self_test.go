package session

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// own is the parameters of a command that runs itself.
type own struct {
	alone bool
	rest  string
	ran   chan Executor
}

func (o *own) Decode(rest jsontext.Value) error {
	if string(rest) == `{"bad":1}` {
		return errors.New("bad is not good")
	}
	o.rest = string(rest)
	return nil
}
func (o *own) TimeLimit() time.Duration { return 7 * time.Second }
func (o *own) Alone() bool              { return o.alone }
func (o *own) Run(_ context.Context, exec Executor, cmd *protocol.Command, dispatched func()) (Outcome, error) {
	dispatched()
	o.ran <- exec
	return Outcome{Result: map[string]any{"rest": o.rest, "timeoutMs": cmd.TimeoutMs}, Effect: protocol.EffectNoop}, nil
}

func TestCommandsThatRunThemselves(t *testing.T) {
	t.Parallel()
	ran := make(chan Executor, 8)
	h := NewHub(Config{Epoch: "e", Commands: func(name string) (*protocol.CommandSpec, bool) {
		if name != "shop.buy" && name != "shop.list" {
			return nil, false
		}
		return &protocol.CommandSpec{
			Type: name, Level: protocol.Act, Capability: protocol.CapInput, Acts: name == "shop.buy",
			Params: func() any { return &own{alone: name == "shop.list", ran: ran} },
		}, true
	}})
	defer h.Close()
	s := h.Open("default")
	exec := executorFunc(func(context.Context, *protocol.Command, func()) (Outcome, error) {
		t.Error("the executor was asked")
		return Outcome{}, nil
	})
	a := s.Attach(AttachOptions{Name: "agent"})
	defer a.Detach()
	result := func(send string) protocol.CommandResult {
		t.Helper()
		a.Receive([]byte(send))
		return awaitResult(t, a)
	}

	// Alone, before there is any page.
	first := result(`{"type":"shop.list","requestId":"r1","what":[null,1]}`)
	if !first.Success || first.PageID != 0 || <-ran != nil {
		t.Fatalf("alone: %+v", first)
	}
	if got := first.Result.(map[string]any); got["rest"] != `{"what":[null,1]}` || got["timeoutMs"] != 7000.0 {
		t.Fatalf("parameters: %v", got)
	}
	if again := result(`{"type":"shop.list","requestId":"r1","what":[null,1]}`); !again.Repeated || len(ran) != 0 {
		t.Fatalf("the same requestId ran twice: %+v", again)
	}

	// In the turn of a page.
	p := s.AddPage(protocol.PageInfo{Source: protocol.SourceManaged, Level: protocol.Control, Capabilities: []string{protocol.CapInput}}, exec)
	if done := result(`{"type":"shop.buy","requestId":"r2"}`); !done.Success || done.PageID != p.ID() || <-ran == nil {
		t.Fatalf("on a page: %+v", done)
	}

	// A token below the level.
	watcher := s.Attach(AttachOptions{Name: "watcher", Level: protocol.Observe})
	defer watcher.Detach()
	watcher.Receive([]byte(`{"type":"shop.list","requestId":"w1"}`))
	if refused := awaitResult(t, watcher); refused.Success || refused.Error.Code != "CAPABILITY_MISSING" || len(ran) != 0 {
		t.Fatalf("watcher: %+v", refused)
	}
}

func TestParametersThatAreRefused(t *testing.T) {
	t.Parallel()
	more := func(name string) (*protocol.CommandSpec, bool) {
		return &protocol.CommandSpec{Type: name, Params: func() any { return new(own) }}, name == "shop.buy"
	}
	for text, want := range map[string]string{
		`{"type":"shop.buy","bad":1}`:       "bad is not good",
		`{"type":"shop.buy","a":null}`:      `null is not a value of "a"; leave the field out`,
		`{"type":"shop.buy","a":1,"A":2}`:   `the keys "a" and "A" differ only in case`,
		`{"type":"shop.buy","timeoutMs":0}`: "timeoutMs must be 1 to 600000",
		`{"type":"shop.sell"}`:              `"shop.sell" is not a command of protocol v1`,
	} {
		_, err := protocol.Decode([]byte(text), more)
		var refused *protocol.DecodeError
		if !errors.As(err, &refused) || refused.Message != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

type executorFunc func(context.Context, *protocol.Command, func()) (Outcome, error)

func (f executorFunc) Run(ctx context.Context, cmd *protocol.Command, dispatched func()) (Outcome, error) {
	return f(ctx, cmd, dispatched)
}

// awaitResult gives the agent's next command_result of its own.
func awaitResult(t *testing.T, a *Agent) protocol.CommandResult {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		batch, err := a.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, data := range batch {
			var result protocol.CommandResult
			if json.Unmarshal(data, &result) == nil && result.Type == protocol.TypeCommandResult && result.AgentName == a.Name() {
				return result
			}
		}
	}
}
