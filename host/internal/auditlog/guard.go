package auditlog

import (
	"context"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
)

// quiet are the commands that look at the log itself.
var quiet = map[string]bool{"audit.show": true, "audit.verify": true}

// Guard is the witness in the chain of guards: it permits all and notes what became of it.
type Guard struct{ Log *Writer }

// Before notes the deed when it is over.
func (g Guard) Before(_ context.Context, d *guard.Deed) (func(guard.Outcome), error) {
	if quiet[d.Command] {
		return nil, nil
	}
	begun := time.Now()
	// As the agent gave them: guards further on put in what is secret.
	e := g.entry(d)
	return func(out guard.Outcome) {
		e.Ms = time.Since(begun).Milliseconds()
		e.Effect = out.Effect
		g.note(e, d, out.Err)
	}, nil
}

// Refused notes a deed that came to no guard.
func (g Guard) Refused(d *guard.Deed, err error) {
	if quiet[d.Command] || !Refusal(string(fault.From(err).Code)) {
		return // it did not work, which is no matter of permission
	}
	g.note(g.entry(d), d, err)
}

func (g Guard) entry(d *guard.Deed) Entry {
	e := Entry{Kind: Read, Command: d.Command, Face: d.Face, Agent: d.Caller.Agent, Pid: d.Caller.Pid, Program: d.Caller.AnchorName, Source: string(d.Source)}
	if key, err := d.Caller.Key(); caller.IsKey(d.Agent) {
		e.Context = d.Agent
	} else if err == nil {
		e.Context = key.Name
	}
	if d.Acts {
		e.Kind = Act
	}
	if d.PageID != 0 {
		e.Page = &Page{ID: d.PageID, URL: d.URL}
	}
	said := guard.WordsOf(d.Params)
	e.Target, e.To, e.Typed = said.Targets, said.Addresses, said.Length()
	for _, text := range said.Typed {
		e.Secrets = append(e.Secrets, secretsIn(text)...)
	}
	return e
}

func (g Guard) note(e Entry, d *guard.Deed, err error) {
	if err != nil {
		failure := fault.From(err)
		e.Code = string(failure.Code)
		if reason, ok := failure.Details["reason"].(string); ok {
			e.Reason = reason
		}
	}
	e.Notes, e.Warnings = d.Notes(), d.Warnings()
	g.Log.Note(e)
}

// How a secret is asked for by its name.
const (
	secretBegin = "{{secret:"
	secretEnd   = "}}"
)

func secretsIn(text string) []string {
	var names []string
	for {
		_, rest, found := strings.Cut(text, secretBegin)
		if !found {
			return names
		}
		name, after, closed := strings.Cut(rest, secretEnd)
		if !closed {
			return names
		}
		names = append(names, strings.TrimSpace(name))
		text = after
	}
}
