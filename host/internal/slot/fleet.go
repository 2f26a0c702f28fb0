package slot

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
)

// probeTime is how long a browser of a fleet may take to say that it is well.
const probeTime = 2 * time.Second

// Probed is what an endpoint answered.
type Probed struct {
	Endpoint string // as configured: it may hold secrets
	chrome.Health
	Contexts int   // of this daemon, that use it now
	Err      error // it did not answer
}

// Probe asks endpoints how they are, all at once, in their order.
func (m *Manager) Probe(ctx context.Context, endpoints []string, header http.Header) []Probed {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	out := make([]Probed, len(endpoints))
	var work sync.WaitGroup
	for i, endpoint := range endpoints {
		work.Go(func() {
			out[i].Endpoint = endpoint
			out[i].Health, out[i].Err = m.o.Engine.Probe(ctx, endpoint, header)
		})
	}
	work.Wait()
	use := m.uses(nil)
	for i := range out {
		out[i].Contexts = use[out[i].Endpoint]
	}
	return out
}

// uses counts the contexts at each endpoint, but for one.
func (m *Manager) uses(but *entry) map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.usesLocked(but)
}

func (m *Manager) usesLocked(but *entry) map[string]int {
	use := make(map[string]int)
	for _, e := range m.entries {
		if e == but {
			continue
		}
		e.mu.Lock()
		at := e.endpoint
		if e.running != nil {
			at = e.running.plan.Endpoint
		}
		e.mu.Unlock()
		if at != "" {
			use[at]++
		}
	}
	return use
}

// attach connects to one of the endpoints: of several, to that with the least load of
// those that are well, and on to the next where that fails.
func (e *entry) attach(ctx context.Context, plan *Plan, s settled) (Browser, []string, error) {
	if len(s.endpoints) == 1 {
		plan.Endpoint = s.endpoints[0]
		e.heads(plan.Endpoint)
		b, err := e.m.o.Engine.Attach(ctx, *plan)
		return b, nil, err
	}
	fleet := e.m.Probe(ctx, s.endpoints, plan.Header)
	for {
		best := e.choose(fleet)
		if best == nil {
			break
		}
		plan.Endpoint = best.Endpoint
		b, err := e.m.o.Engine.Attach(ctx, *plan)
		if err == nil {
			return b, passedOver(fleet), nil
		}
		if ctx.Err() != nil {
			return nil, nil, err
		}
		best.Err = err
	}
	if ctx.Err() != nil {
		return nil, nil, fault.New(fault.Cancelled, "the start was cancelled").Because(ctx.Err())
	}
	return nil, nil, noneWell(s.Profile, fleet)
}

// choose takes the endpoint with the least load for the context. Contexts that chose and
// are not connected yet count, so that starts at once do not all choose the same.
func (e *entry) choose(fleet []Probed) *Probed {
	e.m.mu.Lock()
	defer e.m.mu.Unlock()
	use := e.m.usesLocked(e)
	var best *Probed
	load := func(p *Probed) int { return p.Pages + use[p.Endpoint] }
	for i := range fleet {
		if p := &fleet[i]; p.Err == nil && (best == nil || load(p) < load(best)) {
			best = p
		}
	}
	if best != nil {
		e.heads(best.Endpoint)
	}
	return best
}

// heads notes the endpoint that the context's start is at, until release.
func (e *entry) heads(endpoint string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.endpoint = endpoint
}

// passedOver are the warnings about endpoints that did not answer.
func passedOver(fleet []Probed) []string {
	var out []string
	for _, p := range fleet {
		if p.Err != nil {
			out = append(out, fmt.Sprintf("%s was passed over: %s", profile.Bare(p.Endpoint), fault.From(p.Err).Message))
		}
	}
	return out
}

// noneWell is the fault of a fleet without a browser that answers.
func noneWell(name string, fleet []Probed) error {
	var lines []string
	var list []map[string]any
	for _, p := range fleet {
		failure := fault.From(p.Err)
		at := profile.Bare(p.Endpoint)
		lines = append(lines, at+": "+failure.Message)
		list = append(list, map[string]any{"endpoint": at, "code": failure.Code, "message": failure.Message})
	}
	return fault.New(fault.BrowserLaunchFailed, "no browser of profile %s answers: %s", name, strings.Join(lines, "; ")).
		With("reason", "no_endpoint").With("profile", name).With("endpoints", list).
		Suggest("Start one of them, then: dbridge session start --profile "+name, "dbridge profile check "+name)
}
