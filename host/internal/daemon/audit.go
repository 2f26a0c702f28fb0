package daemon

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/auditlog"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// openAudit opens the audit log; close ends it, last of all.
func (d *Daemon) openAudit() (end func(), err error) {
	dir, err := d.home.AuditDir()
	if err != nil {
		return nil, err
	}
	if d.audit, err = auditlog.Open(dir, auditlog.Options{Log: d.log}); err != nil {
		return nil, err
	}
	d.witness.tokens = d.tokensNow()
	d.audit.Note(auditlog.Entry{Kind: auditlog.Log, Command: "began", Notes: []string{"version " + version.Version, "epoch " + d.epoch, tokenNames(d.witness.tokens)}})
	return func() {
		d.audit.Note(auditlog.Entry{Kind: auditlog.Log, Command: "ended"})
		d.audit.Close()
	}, nil
}

// witness knows what the log was told last, to tell what is new.
type witness struct {
	mu     sync.Mutex
	tokens map[string]state.Token
	agents map[string]session.AgentName // by session and id
	grants map[int]auditlog.Entry
}

// refusedAtGate is a request that did not get in.
func (d *Daemon) refusedAtGate(status int, reason string) {
	d.audit.Note(auditlog.Entry{Kind: auditlog.Gate, Command: "refused", Code: fmt.Sprint(status), Reason: reason})
}

func (d *Daemon) tokensNow() map[string]state.Token {
	list, err := d.home.Tokens().List()
	if err != nil {
		return nil // the daemon's log says so where tokens are checked
	}
	out := make(map[string]state.Token, len(list))
	for _, token := range list {
		out[token.Name] = token
	}
	return out
}

func tokenNames(tokens map[string]state.Token) string {
	return fmt.Sprintf("%d tokens", len(tokens))
}

// auditTokens notes tokens that were made and revoked.
func (d *Daemon) auditTokens() {
	now := d.tokensNow()
	if now == nil {
		return
	}
	w := &d.witness
	w.mu.Lock()
	defer w.mu.Unlock()
	for name, token := range now {
		if old, known := w.tokens[name]; !known || !old.CreatedAt.Equal(token.CreatedAt) {
			d.audit.Note(auditlog.Entry{Kind: auditlog.Token, Command: "made", Agent: name, Notes: []string{token.Role, "level " + string(token.Level)}})
		}
	}
	for name, old := range w.tokens {
		if token, there := now[name]; !there || !old.CreatedAt.Equal(token.CreatedAt) {
			d.audit.Note(auditlog.Entry{Kind: auditlog.Token, Command: "revoked", Agent: name})
		}
	}
	w.tokens = now
}

// auditAgents notes agents that came and went.
func (d *Daemon) auditAgents() {
	w := &d.witness
	w.mu.Lock()
	defer w.mu.Unlock()
	now := map[string]session.AgentName{}
	where := map[string]string{}
	for _, s := range d.actors() {
		for _, agent := range s.Agents {
			now[s.ID+" "+agent.ID] = agent
			where[s.ID+" "+agent.ID] = s.ID
		}
	}
	for key, agent := range now {
		if _, known := w.agents[key]; !known {
			d.audit.Note(auditlog.Entry{Kind: auditlog.Agent, Command: "came", Agent: agent.Name, Notes: []string{"session " + where[key], "connection " + agent.ID}})
		}
	}
	for key, agent := range w.agents {
		if _, there := now[key]; !there {
			d.audit.Note(auditlog.Entry{Kind: auditlog.Agent, Command: "went", Agent: agent.Name, Notes: []string{"connection " + agent.ID}})
		}
	}
	w.agents = now
}

// auditGrants notes the pages that came, went, and were granted something else, until stop.
func (d *Daemon) auditGrants() (stop func()) {
	changed, end := d.pages.Follow()
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-changed:
				d.noteGrants()
			case <-quit:
				return
			}
		}
	}()
	return func() {
		end()
		close(quit)
		<-ended
		d.noteGrants()
	}
}

// noteGrants compares what is granted with what was.
func (d *Daemon) noteGrants() {
	w := &d.witness
	w.mu.Lock()
	defer w.mu.Unlock()
	now := make(map[int]auditlog.Entry)
	for _, tab := range d.pages.All() {
		now[tab.PageID()] = grantOf(tab)
	}
	for id, e := range now {
		old, known := w.grants[id]
		switch {
		case !known:
			e.Command = "given"
		case !slices.Equal(old.Notes, e.Notes):
			e.Command = "changed"
		default:
			continue
		}
		d.audit.Note(e)
	}
	for id, old := range w.grants {
		if _, there := now[id]; !there {
			old.Command, old.Notes, old.At = "ended", nil, time.Time{}
			d.audit.Note(old)
		}
	}
	w.grants = now
}

func grantOf(tab *page.Tab) auditlog.Entry {
	info := tab.Info()
	e := auditlog.Entry{Kind: auditlog.Grant, Source: string(info.Source), Page: &auditlog.Page{ID: info.PageID, URL: info.URL}, Notes: []string{"level " + string(info.Level)}}
	if !info.Connected {
		e.Notes = append(e.Notes, "paused")
	}
	return e
}

// policyLook is how often it is looked whether the policy has changed.
const policyLook = time.Second

// auditPolicy notes each change of the policy, until ctx ends.
func (d *Daemon) auditPolicy(ctx context.Context) {
	last, failed := d.rules.Now()
	tick := time.NewTicker(policyLook)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := d.rules.Now()
		if now == last && (err == nil) == (failed == nil) {
			continue
		}
		last, failed = now, err
		e := auditlog.Entry{Kind: auditlog.Policy, Command: "changed"}
		if err != nil {
			e.Reason = "invalid_policy"
		}
		d.audit.Note(e)
	}
}
