package trace

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// dropTimeout is for giving back what an engine holds after a failure.
const dropTimeout = 5 * time.Second

// Link asks a browser for one of its operations (page.Tab.Link).
type Link func(ctx context.Context, op string, payload map[string]any) (jsontext.Value, error)

// OnLink is the engine in the extension's offscreen page, by the operations
// trace.add {id, data}, trace.report {id} and trace.drop {id}. id names the analysis.
func OnLink(link Link, id string) Engine { return linkEngine{link, id} }

type linkEngine struct {
	link Link
	id   string
}

func (e linkEngine) Add(ctx context.Context, piece string) error {
	_, err := e.link(ctx, "trace.add", map[string]any{"id": e.id, "data": piece})
	return err
}

func (e linkEngine) Report(ctx context.Context) (jsontext.Value, error) {
	return e.link(ctx, "trace.report", map[string]any{"id": e.id})
}

func (e linkEngine) Drop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropTimeout)
	defer cancel()
	_, _ = e.link(ctx, "trace.drop", map[string]any{"id": e.id})
}
