package command

import (
	"context"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// overSDK are the commands of the catalogue that an app's own SDK does, too. Who embedded
// it and has its origin allowed (dbridge app allow) has consented to its tools.
var overSDK = map[string]func(context.Context, sdkPage, any) (session.Outcome, error){
	"tools.list": func(ctx context.Context, p sdkPage, _ any) (session.Outcome, error) {
		found, err := p.tools(ctx)
		out := toolsListResult{Tools: []toolRow{}, Left: found.Left}
		for _, t := range found.List {
			row := toolRow{Name: t.Name, Description: t.Description, Source: t.Source, ReadOnly: t.ReadOnly}
			if t.Schema.Kind() == '{' {
				row.Schema = t.Schema
			}
			out.Tools = append(out.Tools, row)
		}
		return session.Outcome{Result: out, Effect: protocol.EffectNoop, Via: "bridge"}, err
	},
	"tools.call": func(ctx context.Context, p sdkPage, params any) (session.Outcome, error) {
		asked, _ := params.(*toolsCallParams)
		input, err := toolInput(asked.Args)
		if err != nil {
			return session.Outcome{}, err
		}
		found, err := p.tools(ctx)
		if err != nil {
			return session.Outcome{}, err
		}
		tool, err := chosen(found, asked)
		if err != nil {
			return session.Outcome{}, err
		}
		data, err := fitting(tool, input)
		if err != nil {
			return session.Outcome{}, err
		}
		var told map[string]any
		effect, err := p.ask(ctx, "tools_call", map[string]any{"name": tool.Name, "input": data}, p.dispatched, &told)
		if err != nil {
			return session.Outcome{}, notCalled(err)
		}
		said, err := page.ReadToolAnswer(told)
		if err != nil {
			return session.Outcome{}, err
		}
		out, err := answered(tool, said, effect, nil)
		return session.Outcome{Result: out, Effect: effect, Via: "bridge"}, err
	},
}

// sdkPage is a page that an app's SDK shows, and the command that is run on it.
type sdkPage struct {
	exec       session.Executor
	cmd        *protocol.Command
	dispatched func()
}

// ask has the SDK's bridge run a command of its own.
func (p sdkPage) ask(ctx context.Context, name string, params map[string]any, dispatched func(), into any) (effect string, err error) {
	inner := &protocol.Command{Base: p.cmd.Base, Spec: &protocol.CommandSpec{Type: name}, Params: params, TimeoutMs: p.cmd.TimeoutMs}
	inner.Type = name
	out, err := p.exec.Run(ctx, inner, dispatched)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(out.Result)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return "", fault.New(fault.ProtocolError, "the app's answer cannot be read").Because(err)
	}
	return out.Effect, nil
}

func (p sdkPage) tools(ctx context.Context) (page.Tools, error) {
	var told struct {
		Tools []page.Tool `json:"tools"`
		Left  int         `json:"left"`
	}
	_, err := p.ask(ctx, "tools_list", map[string]any{}, func() {}, &told)
	for i := range told.Tools {
		told.Tools[i].Frame = "main"
	}
	return page.Tools{List: told.Tools, Left: told.Left}, err
}
