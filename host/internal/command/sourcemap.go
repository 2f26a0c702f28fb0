package command

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/console"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Limits of mapping one stack.
const (
	maxMapBytes = 32 << 20
	maxMaps     = 5
	mapTime     = 8 * time.Second
)

// mapStack puts the original places in for those of the stack, where the page serves
// maps. It says why nothing could be mapped, or nothing.
func (e *Env) mapStack(ctx context.Context, r *record, m *console.Message, pageURL string, place *string) string {
	if !e.Tab.Info().Level.Allows(protocol.Control) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, mapTime)
	defer cancel()
	maps := map[string]*console.SourceMap{}
	var failed error
	lookup := func(address string, line, column int) (console.Frame, bool) {
		known, ok := maps[address]
		if !ok {
			if len(maps) >= maxMaps || !strings.HasPrefix(address, "http") {
				return console.Frame{}, false
			}
			var err error
			if known, err = e.sourceMap(ctx, r, m.Session, address); err != nil {
				failed = err
			}
			maps[address] = known
		}
		if known == nil {
			return console.Frame{}, false
		}
		return known.Lookup(line, column)
	}
	mapped := false
	for i, f := range m.Stack {
		if original, ok := lookup(f.URL, f.Line, f.Column); ok {
			if original.Function == "" || f.Function != "" {
				original.Function = f.Function
			}
			m.Stack[i], mapped = original, true
		}
	}
	if original, ok := lookup(m.URL, m.Line, max(m.Column, 1)); ok {
		mapped = true
		*place = fmt.Sprintf("%s:%d:%d", here(pageURL, original.URL), original.Line, original.Column)
	}
	if !mapped && failed != nil {
		return "not mapped: " + failed.Error()
	}
	return ""
}

// sourceMap gets the map of a script; nil where it names none.
func (e *Env) sourceMap(ctx context.Context, r *record, session, script string) (*console.SourceMap, error) {
	frame, err := e.mainFrame(ctx, session)
	if err != nil {
		return nil, err
	}
	var content struct {
		Content string `json:"content"`
		Base64  bool   `json:"base64Encoded"`
	}
	if err := e.Tab.Session(session).Call(ctx, "Page.getResourceContent", map[string]any{"frameId": frame, "url": script}, &content); err != nil {
		return nil, fmt.Errorf("the browser has %s no more", script)
	}
	name := mapName(content.Content)
	if name == "" {
		return nil, nil
	}
	if data, ok := strings.CutPrefix(name, "data:"); ok {
		head, body, _ := strings.Cut(data, ",")
		if strings.HasSuffix(head, ";base64") {
			decoded, err := base64.StdEncoding.DecodeString(body)
			if err != nil {
				return nil, fmt.Errorf("the map inside %s is no base64", script)
			}
			return console.ParseSourceMap(decoded, script)
		}
		text, err := url.PathUnescape(body)
		if err != nil {
			return nil, fmt.Errorf("the map inside %s cannot be read", script)
		}
		return console.ParseSourceMap([]byte(text), script)
	}
	base, err := url.Parse(script)
	if err != nil {
		return nil, err
	}
	at, err := base.Parse(name)
	if err != nil {
		return nil, err
	}
	// A page names the map: it must not send us anywhere else.
	if at.Scheme != base.Scheme || at.Host != base.Host {
		return nil, fmt.Errorf("the map of %s is of another origin: %s", script, at)
	}
	data, err := e.load(ctx, session, frame, at.String())
	if err != nil {
		return nil, err
	}
	return console.ParseSourceMap(data, at.String())
}

// mapName finds what a script says of its map, at its end.
func mapName(script string) string {
	const window = 4 << 10
	tail := script
	if i := strings.LastIndex(tail, "sourceMappingURL="); i >= 0 && i >= 4 {
		if lead := tail[i-4 : i]; lead != "//# " && lead != "//@ " && lead != "/*# " {
			return ""
		}
		name, _, _ := strings.Cut(tail[i+len("sourceMappingURL="):], "\n")
		name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
		if len(name) > window && !strings.HasPrefix(name, "data:") {
			return ""
		}
		return name
	}
	return ""
}

func (e *Env) mainFrame(ctx context.Context, session string) (string, error) {
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	err := e.Tab.Session(session).Call(ctx, "Page.getFrameTree", nil, &tree)
	return tree.FrameTree.Frame.ID, err
}

// load gets a file as DevTools does: with the page's cookies and past its policy.
// Over the extension the page itself has to fetch it.
func (e *Env) load(ctx context.Context, session, frame, address string) ([]byte, error) {
	if e.Tab.Info().Source == protocol.SourceExtension {
		return e.fetchInPage(ctx, session, address)
	}
	s := e.Tab.Session(session)
	var loaded struct {
		Resource struct {
			Success bool   `json:"success"`
			Error   string `json:"netErrorName"`
			Status  int    `json:"httpStatusCode"`
			Stream  string `json:"stream"`
		} `json:"resource"`
	}
	params := map[string]any{"frameId": frame, "url": address, "options": map[string]any{"disableCache": false, "includeCredentials": true}}
	if err := s.Call(ctx, "Network.loadNetworkResource", params, &loaded); err != nil {
		return nil, err
	}
	if stream := loaded.Resource.Stream; stream != "" {
		defer func() { _ = s.Call(ctx, "IO.close", map[string]any{"handle": stream}, nil) }() // gone with the session at the latest
	}
	if !loaded.Resource.Success {
		return nil, fmt.Errorf("%s: %s", address, firstText(loaded.Resource.Error, "HTTP "+fmt.Sprint(loaded.Resource.Status)))
	}
	var data []byte
	for {
		var part struct {
			Data   string `json:"data"`
			Base64 bool   `json:"base64Encoded"`
			EOF    bool   `json:"eof"`
		}
		if err := s.Call(ctx, "IO.read", map[string]any{"handle": loaded.Resource.Stream, "size": 1 << 20}, &part); err != nil {
			return nil, err
		}
		piece := []byte(part.Data)
		if part.Base64 {
			decoded, err := base64.StdEncoding.DecodeString(part.Data)
			if err != nil {
				return nil, err
			}
			piece = decoded
		}
		if data = append(data, piece...); len(data) > maxMapBytes {
			return nil, fmt.Errorf("%s is larger than %d bytes", address, maxMapBytes)
		}
		if part.EOF {
			return data, nil
		}
	}
}

func (e *Env) fetchInPage(ctx context.Context, session, address string) ([]byte, error) {
	expression := fmt.Sprintf(`fetch(%q, {credentials: "same-origin"}).then(r => r.ok ? r.text() : Promise.reject(new Error("HTTP " + r.status))).then(t => t.length > %d ? Promise.reject(new Error("too large")) : t)`, address, maxMapBytes)
	var answer struct {
		Result struct {
			Value       string `json:"value"`
			Description string `json:"description"`
		} `json:"result"`
		Exception *struct{} `json:"exceptionDetails"`
	}
	err := e.Tab.Session(session).Call(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &answer)
	if err != nil {
		return nil, err
	}
	if answer.Exception != nil {
		return nil, fmt.Errorf("%s: %s", address, brief(answer.Result.Description, 100))
	}
	return []byte(answer.Result.Value), nil
}

func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
