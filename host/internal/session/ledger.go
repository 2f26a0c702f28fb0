package session

import (
	"bytes"
	"crypto/sha256"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// commandKey names a command: a requestId is unique per token name and session.
type commandKey struct{ name, requestID string }

// entry is what the ledger knows of one command.
type entry struct {
	body   [sha256.Size]byte // of the canonical body
	job    *job              // while it waits or runs
	result []byte            // the numbered result, once it is there
	brief  *brief            // what stays of the result when its bytes had to go
	done   time.Time
}

// brief is how a command ended, without the value or the details.
type brief struct {
	requestType, effect string
	code                fault.Code // empty: success
	pageID              int
	durationMs          int64
}

// ledger remembers commands, so that none runs twice. It does not lock.
type ledger struct {
	limits   Limits
	commands map[commandKey]*entry
	done     []commandKey // in the order of their end
	briefs   int          // done[:briefs] gave up the bytes of their results
	bytes    int          // of the results of done[briefs:]
}

func newLedger(limits Limits) ledger {
	return ledger{limits: limits, commands: make(map[commandKey]*entry)}
}

// find gives what is known of a command that was not forgotten yet.
func (l *ledger) find(key commandKey, now time.Time) *entry {
	e := l.commands[key]
	if e != nil && e.job == nil && now.Sub(e.done) >= l.limits.Remember {
		l.purge(now)
		return nil
	}
	return e
}

// full reports whether a new command could only be remembered by forgetting an
// old one too early, which would break the promise of at most once.
func (l *ledger) full(now time.Time) bool {
	if len(l.commands) < l.limits.LedgerEntries {
		return false
	}
	l.purge(now)
	return len(l.commands) >= l.limits.LedgerEntries
}

// purge forgets the commands whose time is over.
func (l *ledger) purge(now time.Time) {
	n := 0
	for n < len(l.done) {
		e := l.commands[l.done[n]]
		if now.Sub(e.done) < l.limits.Remember {
			break
		}
		if n >= l.briefs {
			l.bytes -= len(e.result)
		}
		delete(l.commands, l.done[n])
		n++
	}
	if n > 0 {
		l.done = append(l.done[:0:0], l.done[n:]...)
		l.briefs = max(0, l.briefs-n)
	}
}

// finish records a result. Above the budget the oldest results are cut to how
// the command ended, so that a repeat still learns that and never runs it again.
func (l *ledger) finish(key commandKey, result []byte, end *brief, now time.Time) {
	e := l.commands[key]
	// Results are made without the lock: of two, the later may come first. The list is kept
	// in order, for purge and find must agree on what is over.
	if n := len(l.done); n > 0 && l.commands[l.done[n-1]].done.After(now) {
		now = l.commands[l.done[n-1]].done
	}
	e.job, e.result, e.brief, e.done = nil, result, end, now
	l.done = append(l.done, key)
	l.bytes += len(result)
	for l.bytes > l.limits.RememberBytes && l.briefs < len(l.done) {
		old := l.commands[l.done[l.briefs]]
		l.bytes -= len(old.result)
		old.result = nil
		l.briefs++
	}
}

// repeated is the result as a repeater gets it: the same, without a number.
func (e *entry) repeated(s *Session, key commandKey) []byte {
	if e.result != nil {
		data := withoutSeq(e.result)
		return append(bytes.TrimSuffix(data, []byte("}")), `,"repeated":true}`...)
	}
	result := &protocol.CommandResult{
		Base: protocol.Base{
			ProtocolVersion: protocol.Version, Type: protocol.TypeCommandResult, SessionID: s.id, Origin: protocol.OriginHost,
			Timestamp: e.done.UnixMilli(), PageID: e.brief.pageID, RequestID: key.requestID,
		},
		RequestType: e.brief.requestType, Success: e.brief.code == "", DurationMs: e.brief.durationMs,
		Effect: e.brief.effect, AgentName: key.name, Repeated: true,
	}
	if result.Success {
		result.Result = map[string]any{"forgotten": true}
	} else {
		result.Error = commandError(fault.New(e.brief.code, "The command failed; its details are no longer remembered."))
	}
	data, err := protocol.Encode(result)
	if err != nil {
		panic("session: a brief result cannot be encoded: " + err.Error())
	}
	return data
}
