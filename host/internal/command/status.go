package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

type sessionStatusParams struct {
	Details bool `json:"details,omitzero" doc:"With lease, queue, folders and lasting changes; --verbose does the same."`
	All     bool `json:"all,omitzero" doc:"Every context of the daemon."`
}

type sessionStatusResult struct {
	sessionState
	Slots    *slotCount     `json:"slots,omitempty" doc:"Browsers of all contexts."`
	Contexts []sessionState `json:"contexts,omitempty"`
}

type slotCount struct {
	Used  int `json:"used"`
	Limit int `json:"limit"`
}

type sessionState struct {
	Context    string       `json:"context,omitempty" doc:"Key of the context."`
	ResolvedBy string       `json:"resolvedBy,omitempty" doc:"context-id, DBRIDGE_CONTEXT_ID, share-group, token, process or fallback."`
	Name       string       `json:"name,omitempty" doc:"Who it is, for people."`
	State      string       `json:"state,omitempty" doc:"running, starting, user (pages of the person's Chrome), ended, lost or none."`
	Why        string       `json:"why,omitempty" doc:"Why it ended or was lost."`
	Profile    string       `json:"profile,omitempty"`
	Browser    string       `json:"browser,omitempty"`
	Pid        int          `json:"pid,omitzero"`
	Headless   bool         `json:"headless,omitzero"`
	Endpoint   string       `json:"endpoint,omitempty"`
	Pages      []pageRow    `json:"pages,omitempty"`
	Changes    []string     `json:"changes,omitempty" doc:"Lasting changes that end with the lease: emulation, mocks, recordings."`
	Holds      []int        `json:"holds,omitzero" doc:"Pages of the person's Chrome that only this context may change."`
	StartedAt  string       `json:"startedAt,omitempty"`
	StartMs    int64        `json:"startMs,omitzero"`
	Profiles   string       `json:"userDataDir,omitempty"`
	Artifacts  string       `json:"artifacts,omitempty"`
	Lease      *leaseStatus `json:"lease,omitempty"`
	Queue      *queueStatus `json:"queue,omitempty"`
	Lost       *lostCounts  `json:"dropped,omitempty" doc:"What bounded stores let go."`
}

type leaseStatus struct {
	Owners  []string `json:"owners,omitempty" doc:"Processes for whose sake it is kept."`
	Since   string   `json:"since"`
	IdleMs  int64    `json:"idleMs" doc:"Since the last command."`
	EndsMs  int64    `json:"endsMs,omitzero" doc:"Idle time that ends it."`
	Keep    bool     `json:"keep,omitzero"`
	Running int      `json:"running,omitzero" doc:"Commands under way."`
}

type queueStatus struct {
	Current string `json:"current,omitempty"`
	Ms      int64  `json:"ms,omitzero"`
	Waiting int    `json:"waiting,omitzero"`
}

type lostCounts struct {
	Events uint64 `json:"events,omitzero" doc:"That left the session's log."`
	Files  int    `json:"files,omitzero" doc:"Writes of the context's files that failed."`
}

func (r sessionStatusResult) Text() string {
	if r.Contexts != nil {
		var b strings.Builder
		if r.Slots != nil {
			fmt.Fprintf(&b, "%d of %d browser slots", r.Slots.Used, r.Slots.Limit)
		}
		for _, s := range r.Contexts {
			b.WriteString("\n" + s.text())
		}
		return strings.TrimPrefix(b.String(), "\n")
	}
	return r.text()
}

func (s sessionState) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", s.Context, s.State)
	for _, word := range []string{s.Why, s.Profile, s.Browser, s.Endpoint} {
		if word != "" {
			b.WriteString(" " + word)
		}
	}
	if s.Headless {
		b.WriteString(" headless")
	}
	if s.Name != "" {
		fmt.Fprintf(&b, " (%s, by %s)", s.Name, s.ResolvedBy)
	}
	for _, p := range s.Pages {
		b.WriteString("\n" + p.text())
	}
	if len(s.Changes) > 0 {
		b.WriteString("\nchanges: " + strings.Join(s.Changes, ", "))
	}
	if len(s.Holds) > 0 {
		fmt.Fprintf(&b, "\nholds pages %v", s.Holds)
	}
	if l := s.Lease; l != nil {
		fmt.Fprintf(&b, "\nlease: idle %d s of %d, owners %s", l.IdleMs/1000, l.EndsMs/1000, strings.Join(l.Owners, ", "))
	}
	if q := s.Queue; q != nil && q.Current != "" {
		fmt.Fprintf(&b, "\nnow %s for %d ms, %d wait", q.Current, q.Ms, q.Waiting)
	}
	if s.Artifacts != "" {
		b.WriteString("\nartifacts " + s.Artifacts)
	}
	return b.String()
}

func sessionStatus(ctx context.Context, env *Env, p *sessionStatusParams) (sessionStatusResult, error) {
	details := p.Details || env.Verbose
	if p.All {
		used, limit := env.Slots.Slots()
		out := sessionStatusResult{Slots: &slotCount{used, limit}, Contexts: []sessionState{}}
		own, err := env.Caller.Key()
		if err != nil {
			return out, err
		}
		for _, s := range env.Slots.All() {
			if env.foreign && s.Key != own.Name {
				continue
			}
			out.Contexts = append(out.Contexts, stateOf(s, nil, details))
		}
		return out, nil
	}
	c, _, err := env.Slots.Resolve(ctx, env.Caller)
	if err != nil {
		return sessionStatusResult{}, err
	}
	out := sessionStatusResult{sessionState: stateOf(c.Status(), c, details)}
	if details {
		used, limit := env.Slots.Slots()
		out.Slots = &slotCount{used, limit}
	}
	return out, nil
}

func stateOf(s slot.Status, c *slot.Context, details bool) sessionState {
	out := sessionState{
		Context: s.Key, ResolvedBy: s.By, Name: s.Label, State: s.State, Why: s.Why, Profile: s.Profile, Browser: s.Browser, Pid: s.Pid,
		Headless: s.Headless, Endpoint: s.Endpoint, Changes: s.Undo, Holds: s.Held,
	}
	var events uint64
	seen := map[string]bool{}
	for _, t := range s.Tabs {
		out.Pages = append(out.Pages, rowOf(t, t.PageID() == s.Current, c))
		if name := t.Page().Session().ID(); details && !seen[name] {
			seen[name] = true
			events += t.Page().Session().Dropped()
		}
	}
	if !details {
		return out
	}
	out.StartMs, out.Profiles, out.Artifacts = s.StartMs, s.Dir, s.Artifacts
	if !s.StartedAt.IsZero() {
		out.StartedAt = s.StartedAt.UTC().Format(time.RFC3339)
	}
	l := &leaseStatus{
		Since: s.Lease.Began.UTC().Format(time.RFC3339), IdleMs: time.Since(s.Lease.Seen).Milliseconds(),
		EndsMs: s.Lease.Terms.Idle.Milliseconds(), Keep: s.Lease.Terms.Keep, Running: s.Lease.Active,
	}
	for _, o := range s.Lease.Owners {
		l.Owners = append(l.Owners, strings.TrimSpace(fmt.Sprintf("%s %d", o.Name, o.Pid)))
	}
	out.Lease = l
	q := &queueStatus{Current: s.Turn.Current, Waiting: s.Turn.Count}
	if q.Current != "" {
		q.Ms = time.Since(s.Turn.Since).Milliseconds()
		out.Queue = q
	}
	if events > 0 || s.Failures > 0 {
		out.Lost = &lostCounts{events, s.Failures}
	}
	return out
}

// statusLevel is the level of a page where it is not the highest.
func statusLevel(level protocol.Level) string {
	if level == protocol.Control {
		return ""
	}
	return string(level)
}
