package session

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// maxRawCDP is how many raw CDP requests of one agent may be under way.
const maxRawCDP = 64

// CDPExecutor is an Executor whose page takes raw CDP.
type CDPExecutor interface {
	// CDP sends one command and gives the browser's answer. The error is a *fault.Error.
	CDP(ctx context.Context, method string, params jsontext.Value, cdpSession string) (jsontext.Value, error)
}

// rawCDP passes one request on. Its answer is for this agent alone; raw CDP is
// not remembered by id, because the agent speaks to the browser itself.
func (a *Agent) rawCDP(cmd *protocol.Command) {
	params := cmd.Params.(*protocol.CDPRequestParams)
	s := a.session
	s.mu.Lock()
	defer s.mu.Unlock()
	page, exec, refused := a.cdpPage(cmd)
	if refused == nil && a.rawBusy >= maxRawCDP {
		refused = fault.New(fault.Busy, "%d raw CDP requests of this agent are under way already.", maxRawCDP)
	}
	if refused != nil {
		a.tellLocked(cmd.PageID, cdpResponse(params.ID, nil, refused))
		return
	}
	a.rawBusy++
	of := page.exec
	s.hub.work.Go(func() {
		ctx, cancel := context.WithTimeout(s.hub.ctx, cmd.Timeout())
		defer cancel()
		var result jsontext.Value
		copied := *cmd
		_, err := s.hub.guarded(ctx, of, &copied, func() (out Outcome, err error) {
			asked := copied.Params.(*protocol.CDPRequestParams)
			result, err = exec.CDP(ctx, asked.Method, asked.Params, asked.CDPSessionID)
			return Outcome{Result: result}, err
		})
		s.mu.Lock()
		defer s.mu.Unlock()
		a.rawBusy--
		a.tellLocked(page.id, cdpResponse(params.ID, result, fault.From(err)))
	})
}

// subscribe sets the CDP events that this agent gets.
func (a *Agent) subscribe(cmd *protocol.Command) {
	params := cmd.Params.(*protocol.CDPSubscribeParams)
	s := a.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, _, refused := a.cdpPage(cmd); refused != nil {
		a.tellLocked(cmd.PageID, hostError(refused, cmd.RequestID))
		return
	}
	a.cdpEvents = make(map[string]bool, len(params.Methods))
	for _, method := range params.Methods {
		a.cdpEvents[method] = true
	}
}

// cdpPage finds the page of a raw request and checks level and capability. s.mu is held.
func (a *Agent) cdpPage(cmd *protocol.Command) (*Page, CDPExecutor, *fault.Error) {
	s := a.session
	if a.failure != nil || s.hub.isClosed() {
		return nil, nil, fault.New(fault.DaemonUnavailable, "The daemon is stopping.")
	}
	page, refused := s.admit(a, cmd)
	if refused != nil {
		return nil, nil, refused
	}
	exec, ok := page.exec.(CDPExecutor)
	if !ok {
		return nil, nil, fault.New(fault.CapabilityMissing, "This page takes no raw CDP.").With("have", page.info.Level)
	}
	return page, exec, nil
}

func cdpResponse(id, result jsontext.Value, failure *fault.Error) *protocol.CDPResponse {
	response := &protocol.CDPResponse{Base: protocol.Base{Type: protocol.TypeCDPResponse}, ID: id, Result: result}
	if failure != nil {
		response.Result = nil
		response.Error = commandError(failure)
	} else if len(result) == 0 {
		response.Result = jsontext.Value("{}")
	}
	return response
}

// CDPEvent gives an event of the browser to the agents that subscribed to it.
// It is no part of the log.
func (p *Page) CDPEvent(method string, params jsontext.Value, cdpSession string) {
	s := p.session
	s.mu.Lock()
	defer s.mu.Unlock()
	for a := range s.agents {
		if len(a.cdpEvents) == 0 || !(a.cdpEvents[method] || a.cdpEvents[domainOf(method)+".*"]) {
			continue
		}
		a.tellLocked(p.id, &protocol.CDPEvent{
			Base: protocol.Base{Type: protocol.TypeCDPEvent}, Method: method, Params: params, CDPSessionID: cdpSession,
		})
	}
}

func domainOf(method string) string {
	for i := range len(method) {
		if method[i] == '.' {
			return method[:i]
		}
	}
	return method
}
