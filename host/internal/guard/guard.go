// Package guard is what stands between an agent's wish and its deed. Every command of
// every face passes the same chain of guards when its turn on the page has come: each
// may refuse it, change its parameters, and hear what became of it.
//
// The package holds the form; what the guards are is said in package daemon.
package guard

import (
	"context"
	"slices"
	"sync"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Deed is a command that is about to run.
type Deed struct {
	Command    string // of the catalogue or of the protocol: element.click, click, cdp_request
	RequestID  string
	Level      protocol.Level
	Capability string
	Acts       bool // it may change something
	Caller     caller.Caller
	Agent      string // key of the context, or the name of the agent
	Foreign    bool   // it came with a token, not over this user's own socket
	Face       string // by which it came: cli, mcp, http, websocket; empty where that is not known
	// Params are the decoded parameters, a pointer to the command's own type. What a guard
	// puts here is what the command gets; it must be a copy, of the same type.
	Params any

	// The page that it is about, when its turn has come. No page: PageID is 0.
	PageID int
	URL    string // page text
	Source protocol.Source
	// Page can ask the person at the page; nil where there is none.
	Page Page

	said remarks
}

// remarks are what guards say of a deed beside permitting it.
type remarks struct {
	mu       sync.Mutex
	warnings []string
	notes    []string
}

// Warn says something of the deed to the agent, in a few words without page text, and to
// the audit log. It may be called at any time, and does not refuse the deed.
func (d *Deed) Warn(text string) {
	d.said.mu.Lock()
	defer d.said.mu.Unlock()
	d.said.warnings = append(d.said.warnings, text)
}

// Note says something of the deed to the audit log alone: "confirmed", "secret NAME".
// Never a value, nor page text.
func (d *Deed) Note(text string) {
	d.said.mu.Lock()
	defer d.said.mu.Unlock()
	d.said.notes = append(d.said.notes, text)
}

// Warnings are those of Warn, in their order.
func (d *Deed) Warnings() []string {
	d.said.mu.Lock()
	defer d.said.mu.Unlock()
	return slices.Clone(d.said.warnings)
}

// Notes are those of Note, in their order.
func (d *Deed) Notes() []string {
	d.said.mu.Lock()
	defer d.said.mu.Unlock()
	return slices.Clone(d.said.notes)
}

// Page is what guards may know of a page beyond its address.
type Page interface {
	PageID() int
	Info() protocol.PageInfo
}

// Outcome is what became of a deed. Result is page data.
type Outcome struct {
	Result any
	Effect string
	Err    error // a *fault.Error, or nil
}

// Guard judges deeds. Before may wait (for a person); its error, a *fault.Error, refuses
// the deed, and only guards before it in the chain hear of that. done, where it is not
// nil, is called once, when the deed is over.
type Guard interface {
	Before(ctx context.Context, d *Deed) (done func(Outcome), err error)
}

// Chain asks its guards in their order. The zero value permits all.
type Chain []Guard

// Before asks all guards until one refuses. done is never nil and tells those that were
// asked, the last one first.
func (c Chain) Before(ctx context.Context, d *Deed) (done func(Outcome), err error) {
	asked := make([]func(Outcome), 0, len(c))
	done = func(out Outcome) {
		for i := len(asked) - 1; i >= 0; i-- {
			asked[i](out)
		}
	}
	for _, g := range c {
		heard, err := g.Before(ctx, d)
		if err != nil {
			done(Outcome{Err: err})
			return func(Outcome) {}, err
		}
		if heard != nil {
			asked = append(asked, heard)
		}
	}
	return done, nil
}

// Witness is a Guard that hears of deeds, too, which were refused before any guard was
// asked: by a token's level, by what the person granted.
type Witness interface {
	Refused(d *Deed, err error)
}

// Refused tells the witnesses among the guards.
func (c Chain) Refused(d *Deed, err error) {
	for _, g := range c {
		if w, ok := g.(Witness); ok {
			w.Refused(d, err)
		}
	}
}

// Ask is a question to the person whose page it is.
type Ask struct {
	Act   string // upload, download, submit
	Agent string
	What  string // one line: what is about to happen
	Site  string
}

// Asker is a Page whose person can be asked. Confirm waits for the answer: nil is yes; a
// no, silence until ctx ends, and nobody there to be asked are POLICY_DENIED with
// details.reason refused, timeout or unavailable.
type Asker interface {
	Confirm(ctx context.Context, ask Ask) error
}
