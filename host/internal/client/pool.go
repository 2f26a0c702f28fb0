package client

import (
	"context"
	"sync"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// maxIdle connections are kept for the next commands.
const maxIdle = 4

// Pool runs commands beside each other, over connections that it keeps for the next
// ones. None is made before the first command, and one that broke meanwhile is replaced
// without a word, by that to a new daemon where it was the daemon that ended.
type Pool struct {
	home   *state.Home
	ensure EnsureOptions

	mu     sync.Mutex
	idle   []*Runner
	closed bool
}

// NewPool makes a pool without a connection. Close it.
func NewPool(home *state.Home, ensure EnsureOptions) *Pool { return &Pool{home: home, ensure: ensure} }

// Run runs a command as Runner.Run does, and tells the daemon's version where it is
// another one. A command whose connection broke under way is INDETERMINATE; with again,
// which is for what only reads, it is run once more.
func (p *Pool) Run(ctx context.Context, request *RunRequest, again bool, line func(kind string, value []byte) error) ([]byte, string, error) {
	for ; ; again = false {
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
		if !again || ctx.Err() != nil || f.Code != fault.Indeterminate || f.Details["reason"] == ReasonNoAnswer {
			return nil, "", err
		}
	}
}

func (p *Pool) take(ctx context.Context) (*Runner, error) {
	for {
		p.mu.Lock()
		n := len(p.idle)
		if n == 0 {
			p.mu.Unlock()
			return OpenRunner(ctx, p.home, p.ensure)
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

func (p *Pool) give(runner *Runner) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= maxIdle {
		runner.Close()
		return
	}
	runner.Rest()
	p.idle = append(p.idle, runner)
}

// Close lets the connections go; commands under way are not ended by it.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, runner := range p.idle {
		runner.Close()
		runner.Wake()
	}
	p.idle = nil
}
