package chrome

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/cdp/websocket"
)

// listLimit is for /json/list of a browser with some thousand tabs.
const listLimit = 8 << 20

// Health is what a browser elsewhere says of itself.
type Health struct {
	Product string        // Chrome/156.0.8078.79
	Pages   int           // open pages: its load
	Took    time.Duration // until it had answered
}

// Probe asks a browser, named as for Resolve, for its product and its load, and leaves
// it as it was. ctx bounds it. What has no list of pages over HTTP, as the address of a
// WebSocket, is asked over the WebSocket. Errors are those of Resolve.
func Probe(ctx context.Context, address string, header http.Header) (Health, error) {
	began := time.Now()
	endpoint, err := Resolve(ctx, address, header)
	if err != nil {
		return Health{}, err
	}
	out := Health{Product: endpoint.Browser}
	pages, listed := listPages(ctx, address, endpoint, header)
	if listed {
		out.Pages = pages
	} else if err := out.over(ctx, endpoint.WebSocketURL, header); err != nil {
		return Health{}, err
	}
	out.Took = time.Since(began)
	return out, nil
}

// listPages counts the pages of /json/list, where there is one.
func listPages(ctx context.Context, address string, endpoint Endpoint, header http.Header) (int, bool) {
	target, err := parse(address)
	if info, failed := os.Stat(address); failed == nil && info.IsDir() {
		if target, err = url.Parse(endpoint.WebSocketURL); err == nil {
			target = &url.URL{Scheme: "http", Host: target.Host, Path: "/json/version"}
		}
	}
	if err != nil || !strings.HasPrefix(target.Scheme, "http") {
		return 0, false
	}
	target.Path = strings.TrimSuffix(target.Path, "version") + "list"
	body, err := get(ctx, target, header, listLimit)
	if err != nil {
		return 0, false
	}
	return countPages(body)
}

func countPages(list []byte) (int, bool) {
	var targets []struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(list, &targets) != nil {
		return 0, false
	}
	pages := 0
	for _, t := range targets {
		if t.Type == "page" {
			pages++
		}
	}
	return pages, true
}

// over asks over the WebSocket, by a connection of its own that attaches to nothing.
func (h *Health) over(ctx context.Context, address string, header http.Header) error {
	transport, err := websocket.Dial(ctx, address, header)
	if err != nil {
		return err
	}
	conn := cdp.NewConn(transport, cdp.Options{})
	defer conn.Close() //nolint:errcheck // only read
	var version struct {
		Product string `json:"product"`
	}
	if err := conn.Session("").Call(ctx, "Browser.getVersion", nil, &version); err != nil {
		return err
	}
	var targets struct {
		Infos []struct {
			Type string `json:"type"`
		} `json:"targetInfos"`
	}
	if err := conn.Session("").Call(ctx, "Target.getTargets", nil, &targets); err != nil {
		return err
	}
	h.Product = version.Product
	for _, t := range targets.Infos {
		if t.Type == "page" {
			h.Pages++
		}
	}
	return nil
}
