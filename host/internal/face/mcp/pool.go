package mcp

import (
	"context"
	"sync"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const (
	// maxRunning commands of one server go to the daemon at once; those of a context that
	// change something stand in a line there anyway.
	maxRunning = 16
	// maxIdle connections are kept for the next calls.
	maxIdle = 4
)

// pool keeps connections to the daemon. None is made before the first command, and one
// that broke meanwhile is replaced without a word.
type pool struct {
	options Options
	places  chan struct{}

	mu     sync.Mutex
	idle   []*client.Runner
	closed bool
}

func newPool(o Options) *pool { return &pool{options: o, places: make(chan struct{}, maxRunning)} }

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
	for again := c.Effect == catalog.Read; ; again = false {
		runner, err := p.take(ctx)
		if err != nil {
			return nil, "", err
		}
		answer, err := runner.Run(ctx, request, line)
		if err == nil {
			p.give(runner)
			return answer, runner.Other(), nil
		}
		runner.Close()
		f := fault.From(err)
		if !again || ctx.Err() != nil || f.Code != fault.Indeterminate || f.Details["reason"] == client.ReasonNoAnswer {
			return nil, "", err
		}
	}
}

func (p *pool) take(ctx context.Context) (*client.Runner, error) {
	for {
		p.mu.Lock()
		n := len(p.idle)
		if n == 0 {
			p.mu.Unlock()
			return client.OpenRunner(ctx, p.options.Home, p.options.Ensure)
		}
		runner := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		if runner.Wake() {
			return runner, nil
		}
		runner.Close()
	}
}

func (p *pool) give(runner *client.Runner) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= maxIdle {
		runner.Close()
		return
	}
	runner.Rest()
	p.idle = append(p.idle, runner)
}

// close lets the connections go.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, runner := range p.idle {
		runner.Close()
		runner.Wake()
	}
	p.idle = nil
}
