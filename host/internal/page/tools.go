package page

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Tool is a tool that a page declares itself. All of it is page text.
type Tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Schema      jsontext.Value `json:"schema"` // JSON Schema of the arguments; null where there is none that can be read
	Source      string         `json:"source"` // webmcp, polyfill or sdk
	ReadOnly    bool           `json:"readOnly"`
	Frame       string         `json:"-"` // main, f1, …
	Site        string         `json:"-"` // host of the frame's address
}

// Tools is what the frames of a page declare.
type Tools struct {
	List   []Tool
	Unseen []string // what keeps tools that it does not list, in words of ours
	Left   int      // tools too many, or without a name that can be used
	Silent int      // frames that did not answer
}

const (
	toolsTime  = 4 * time.Second        // for one frame's list
	maxTools   = 200                    // of one page
	reasonTime = 500 * time.Millisecond // after the tool has failed
	maxReason  = 2000
)

// Tools asks all frames for the tools that they declare, the main one's first.
func (t *Tab) Tools(ctx context.Context) (Tools, error) {
	var out Tools
	if err := t.awaitBridge(ctx); err != nil {
		return out, err
	}
	type reply struct {
		Tools  []Tool   `json:"tools"`
		Unseen []string `json:"unseen"`
		Left   int      `json:"left"`
		err    error
	}
	frames := t.snapshotFrames()
	replies := make([]chan reply, len(frames))
	for i, f := range frames {
		replies[i] = make(chan reply, 1)
		go func() {
			limit, cancel := context.WithTimeout(ctx, toolsTime)
			defer cancel()
			var r reply
			result, err := t.bridge(limit, f, map[string]any{"type": "tools_list"})
			if r.err = err; err == nil {
				r.err = decode(result.Result, &r)
			}
			replies[i] <- r
		}()
	}
	var failed error
	for i, f := range frames {
		r := <-replies[i]
		if r.err != nil {
			out.Silent++
			var gone *documentGone
			if f.id == 0 && !errors.As(r.err, &gone) {
				failed = r.err
			}
			continue
		}
		site := t.siteOf(f)
		for _, tool := range r.Tools {
			if len(out.List) >= maxTools {
				out.Left++
				continue
			}
			tool.Frame, tool.Site = f.short, site
			out.List = append(out.List, tool)
		}
		out.Left += max(r.Left, 0)
		if len(r.Unseen) > 0 {
			out.Unseen = append(out.Unseen, f.short)
		}
	}
	if failed != nil && len(out.List) == 0 {
		return out, failed
	}
	return out, nil
}

// siteOf is the host of a frame's address; that of the page where the frame has none.
func (t *Tab) siteOf(f *frame) string {
	t.mu.Lock()
	address := f.url
	t.mu.Unlock()
	for _, text := range []string{address, t.Info().URL} {
		if parsed, err := url.Parse(text); err == nil && parsed.Hostname() != "" {
			return parsed.Hostname()
		}
	}
	return ""
}

// ToolAnswer is what a page's tool gave: a value, or what it threw. Page text.
type ToolAnswer struct {
	Value jsontext.Value // nil where the page went elsewhere, or asks something first
	Cut   bool           // the value is larger than 256 kB
	Threw bool
	Error string
}

// CallTool runs a tool of a frame with its arguments, an object, and waits for what came of it.
func (t *Tab) CallTool(ctx context.Context, tool Tool, input jsontext.Value, dispatched func()) (ToolAnswer, Did, error) {
	reason := t.hearTool(ctx, tool)
	defer reason.stop()
	did, err := t.Act(ctx, Deed{FrameID: tool.Frame, Bridge: map[string]any{"type": "tools_call", "name": tool.Name, "input": input}}, dispatched)
	if err != nil {
		return ToolAnswer{}, did, err
	}
	out, err := ReadToolAnswer(did.Value)
	if out.Threw {
		out.Error = reason.of(ctx, out.Error)
	}
	return out, did, err
}

// ReadToolAnswer reads what a bridge tells of a tool that it called.
func ReadToolAnswer(told map[string]any) (ToolAnswer, error) {
	var out ToolAnswer
	out.Error, out.Threw = told["error"].(string)
	out.Cut, _ = told["cut"].(bool)
	if text, ok := told["json"].(string); ok {
		if out.Value = jsontext.Value(text); !out.Value.IsValid() {
			return out, fault.New(fault.ProtocolError, "the tool's answer is no JSON")
		}
	}
	return out, nil
}

// toolReason hears why a tool failed: the browser's own interface keeps from the page's
// scripts, and so from the inspector, what a tool threw, and tells it to the debugger.
type toolReason struct {
	events <-chan jsontext.Value
	stop   func()
}

// hearTool listens where the debugger can be had.
func (t *Tab) hearTool(ctx context.Context, tool Tool) toolReason {
	none := toolReason{stop: func() {}}
	if tool.Source != "webmcp" || !t.trusted() {
		return none
	}
	session := t.Session("")
	events, stop := session.Subscribe("WebMCP.toolResponded")
	if err := session.Call(ctx, "WebMCP.enable", nil, nil); err != nil {
		stop() // an older browser
		return none
	}
	return toolReason{events, func() {
		stop()
		off, cancel := context.WithTimeout(context.WithoutCancel(ctx), reasonTime)
		defer cancel()
		_ = session.Call(off, "WebMCP.disable", nil, nil) // the document is gone, at worst
	}}
}

// of is the reason in the tool's own words, or told where the debugger says nothing.
func (r toolReason) of(ctx context.Context, told string) string {
	if r.events == nil {
		return told
	}
	timer := time.NewTimer(reasonTime)
	defer timer.Stop()
	for {
		select {
		case raw := <-r.events:
			var said struct {
				Status    string `json:"status"`
				ErrorText string `json:"errorText"`
				Exception struct {
					Description string `json:"description"`
				} `json:"exception"`
			}
			if decode(raw, &said) != nil || said.Status != "Error" {
				continue
			}
			if words := cmp.Or(said.Exception.Description, said.ErrorText); words != "" {
				return shorten(words, maxReason)
			}
			return told
		case <-timer.C:
			return told
		case <-ctx.Done():
			return told
		}
	}
}
