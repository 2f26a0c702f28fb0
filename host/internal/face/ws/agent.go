package ws

import (
	"errors"
	"sync"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// serveAgent runs an agent's connection to its end.
func (h *Handler) serveAgent(p *peer, asked request) {
	agent := h.hub.Open(asked.session).Attach(session.AttachOptions{
		Name: p.identity.Name, Level: protocol.Level(p.identity.Level), Resume: asked.resume, Types: asked.types,
	})
	var parts sync.WaitGroup
	parts.Go(func() { pumpAgent(p, agent) })
	parts.Go(func() { p.keepAlive(h.config.PingEvery, h.config.SilenceMost) })
	parts.Go(func() {
		// The pump may hang in a write when the agent turns out to be too slow.
		select {
		case <-agent.Failed():
			if errors.Is(agent.Err(), session.ErrTooSlow) {
				closeTooSlow(p)
			}
		case <-p.ctx.Done():
		}
	})
	var err error
	for {
		var data []byte
		if data, err = p.read(); err != nil {
			break
		}
		agent.Receive(data)
	}
	close(p.readDone)
	p.end(err)
	agent.Detach()
	parts.Wait()
}

// pumpAgent writes what the agent is to get.
func pumpAgent(p *peer, agent *session.Agent) {
	for {
		batch, err := agent.Next(p.ctx)
		switch {
		case err == nil:
			if p.write(batch...) != nil {
				// Not yet closing: the connection broke, and the reader may not have noticed.
				p.closing.Do(p.abort)
				return
			}
		case errors.Is(err, session.ErrTooSlow):
			closeTooSlow(p)
			return
		case errors.Is(err, session.ErrRefused):
			p.close(websocket.StatusPolicyViolation, "since is beyond the log", closeWait)
			return
		case errors.Is(err, session.ErrClosed):
			p.close(websocket.StatusServiceRestart, "host restarting", restartWait)
			return
		default:
			return
		}
	}
}

func closeTooSlow(p *peer) { p.close(codeTooSlow, "too slow; resume with since", slowWait) }
