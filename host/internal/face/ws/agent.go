package ws

import (
	"errors"
	"sync"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/socket"
)

// serveAgent runs an agent's connection to its end.
func (h *Handler) serveAgent(p *socket.Peer, asked request) {
	agent := h.hub.Open(asked.session).Attach(session.AttachOptions{
		Name: p.Identity.Name, Level: protocol.Level(p.Identity.Level), Resume: asked.resume, Types: asked.types,
	})
	var parts sync.WaitGroup
	parts.Go(func() { pumpAgent(p, agent) })
	parts.Go(func() { p.KeepAlive(h.config.PingEvery, h.config.SilenceMost) })
	parts.Go(func() {
		// The pump may hang in a write when the agent turns out to be too slow.
		select {
		case <-agent.Failed():
			if errors.Is(agent.Err(), session.ErrTooSlow) {
				closeTooSlow(p)
			}
		case <-p.Context.Done():
		}
	})
	var err error
	for {
		var data []byte
		if data, err = p.Read(); err != nil {
			break
		}
		agent.Receive(data)
	}
	p.Done()
	p.End(err)
	agent.Detach()
	parts.Wait()
}

// pumpAgent writes what the agent is to get.
func pumpAgent(p *socket.Peer, agent *session.Agent) {
	for {
		batch, err := agent.Next(p.Context)
		switch {
		case err == nil:
			if p.Write(batch...) != nil {
				// Not yet closing: the connection broke, and the reader may not have noticed.
				p.Broken()
				return
			}
		case errors.Is(err, session.ErrTooSlow):
			closeTooSlow(p)
			return
		case errors.Is(err, session.ErrRefused):
			p.Close(websocket.StatusPolicyViolation, "since is beyond the log", socket.CloseWait)
			return
		case errors.Is(err, session.ErrClosed):
			p.Close(websocket.StatusServiceRestart, "host restarting", socket.RestartWait)
			return
		default:
			return
		}
	}
}

func closeTooSlow(p *socket.Peer) {
	p.Close(socket.CodeTooSlow, "too slow; resume with since", socket.SlowWait)
}
