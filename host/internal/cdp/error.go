package cdp

import (
	"context"
	"errors"
	"fmt"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

var (
	// ErrClosed is in the chain of every error that an ended connection causes.
	ErrClosed = errors.New("the DevTools connection is closed")
	// ErrDetached is in the chain of every error that a session's end causes.
	ErrDetached = errors.New("the DevTools session is detached")
)

// codeSessionNotFound is what Chromium answers to a call for a session that ended
// (crdtp DispatchCode::SESSION_NOT_FOUND).
const codeSessionNotFound = -32001

// Error is the browser's own error. It is comparable: errors.Is(err, Error{…})
// compares by value.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    string `json:"data,omitzero"`
}

func (e Error) Error() string {
	if e.Data != "" {
		return fmt.Sprintf("%s (%d): %s", e.Message, e.Code, e.Data)
	}
	return fmt.Sprintf("%s (%d)", e.Message, e.Code)
}

// Is compares with an *Error by value, and tells a call to a session that ended.
func (e Error) Is(target error) bool {
	if pointer, ok := target.(*Error); ok && pointer != nil {
		return e == *pointer
	}
	return target == ErrDetached && e.Code == codeSessionNotFound
}

// As lets errors.As find the error as a pointer, too.
func (e Error) As(target any) bool {
	if pointer, ok := target.(**Error); ok {
		*pointer = &e
		return true
	}
	return false
}

// detached carries the owner's reason for the end of a session, and ErrDetached.
type detached struct{ reason error }

func (d detached) Error() string   { return d.reason.Error() }
func (d detached) Unwrap() []error { return []error{d.reason, ErrDetached} }

func detachedFault(method string, reason error) error {
	if reason != nil {
		return detached{reason}
	}
	return fault.New(fault.CDPDisconnected, "%s: the DevTools session was detached before the answer came", method).
		With("reason", "detached").With("method", method).Because(ErrDetached)
}

func closedFault(method string, sent bool, reason error) error {
	failure := fault.New(fault.CDPDisconnected, "%s was not sent: %s", method, reason).Because(reason)
	if sent {
		failure = fault.New(fault.CDPDisconnected, "%s was sent, and the connection ended before the answer came: %s", method, reason).Because(reason).
			Suggest("Look at the page before you repeat the command: nobody knows whether it ran.")
	}
	return failure.With("reason", "closed").With("method", method).With("dispatched", sent)
}

// abandonedFault is the fate of a call whose context ended first.
func abandonedFault(method string, sent bool, cause error) error {
	code, word := fault.Timeout, "did not answer in time to"
	if errors.Is(cause, context.Canceled) {
		code, word = fault.Cancelled, "was not waited for by"
	}
	failure := fault.New(code, "the browser %s %s", word, method)
	if !sent {
		failure = fault.New(code, "%s was not sent: the browser does not take commands", method)
	}
	return failure.With("method", method).With("dispatched", sent).Because(cause)
}
