package mcp

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
)

// maxRunning commands of one server go to the daemon at once; those of a context that
// change something stand in a line there anyway.
const maxRunning = 16

// pool bounds what a server asks of the daemon at once.
type pool struct {
	*client.Pool
	places chan struct{}
}

func newPool(o Options) *pool {
	return &pool{client.NewPool(o.Home, o.Ensure), make(chan struct{}, maxRunning)}
}

// run runs a command and gives the envelope's bytes, and the daemon's version where it
// is another one. One that only reads is run again where its connection broke.
func (p *pool) run(ctx context.Context, c *catalog.Command, request *client.RunRequest, line func(kind string, value []byte) error) ([]byte, string, error) {
	// What may have to end another command's waiting does not wait itself.
	if c.Needs != catalog.Dialog {
		select {
		case p.places <- struct{}{}:
			defer func() { <-p.places }()
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
	return p.Run(ctx, request, c.Effect == catalog.Read, line)
}
