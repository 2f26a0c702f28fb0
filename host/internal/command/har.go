package command

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// Limits of the bodies in one HAR: of one, and of all.
const (
	maxHARBody   = 1 << 20
	maxHARBodies = 64 << 20
)

// writeHAR writes the requests that fit. Secrets are masked in it as everywhere.
func writeHAR(ctx context.Context, env *Env, r *record, q network.Query, p *networkListParams) (path string, entries int, err error) {
	if p.Bodies && !env.Tab.Info().Level.Allows(protocol.Control) {
		return "", 0, needsControl("Bodies come from the page's debugger")
	}
	out, err := state.OpenOutput(env.Caller.Cwd, p.HAR, p.Overwrite)
	if err != nil {
		return "", 0, err
	}
	defer out.Close() //nolint:errcheck // committed, or thrown away
	var requests []network.Request
	for _, row := range r.network.List(q).Requests {
		if whole, ok := r.network.Get(row.ID, false); ok {
			requests = append(requests, whole)
		}
	}
	total := 0
	content := func(req *network.Request) *network.Content {
		if !p.Bodies || total > maxHARBodies || req.State != network.Finished || req.Decoded > maxHARBody || req.Kind == "websocket" || ctx.Err() != nil {
			return nil
		}
		data, err := responseBody(ctx, env, req)
		if err != nil || len(data) > maxHARBody {
			return nil // the browser has it no more: the HAR says so by leaving it out
		}
		total += len(data)
		text := textual(req.Mime)
		if text {
			data, _ = maskBody(data, req.Mime, false, true)
		}
		return &network.Content{Data: data, Text: text}
	}
	messages := func(req *network.Request) []network.Message {
		if req.Kind != "websocket" {
			return nil
		}
		list, _, _, _ := r.network.Messages(req.ID, 0, 0, false)
		return list
	}
	info := env.Tab.Info()
	page := network.Document{URL: redact.URL(info.URL), Title: redact.Text(info.Title)}
	if err := network.WriteHAR(out, version.Version, page, requests, content, messages); err != nil {
		return "", 0, err
	}
	return out.Path(), len(requests), out.Commit()
}
