package client

import (
	"context"
	"errors"

	"github.com/debug-bridge/debug-bridge/host/connect"
)

// Code names one kind of failure; it stays the same across releases. docs/errors.md has
// them all.
type Code string

// Error is why a command failed. Compare by code: errors.Is(err, [ErrTimeout]), or [CodeOf].
type Error struct {
	Code        Code           `json:"code"`
	Message     string         `json:"message"`
	Details     map[string]any `json:"details,omitempty"` // facts to act on, such as candidates
	Suggestions []string       `json:"suggestions"`       // what to do next; the first is the best
	Retryable   bool           `json:"-"`                 // the same command may simply be sent again
	RequestID   string         `json:"-"`                 // of the command

	cause error
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap gives what lies beneath: the context's error of a call that was given up.
func (e *Error) Unwrap() error { return e.cause }

// Is compares by code.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// CodeOf is the code of the [*Error] in err's chain, empty where there is none.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// failure is what went wrong on the way, as an *Error.
func failure(err error, requestID string) *Error {
	var f *connect.Fault
	switch {
	case errors.As(err, &f):
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f = connect.Failed(string(CodeCancelled), "the caller gave up: "+err.Error())
	default:
		f = connect.Failed(string(CodeInternalError), err.Error())
	}
	return &Error{Code: Code(f.Code), Message: f.Message, Details: f.Details, Suggestions: f.Suggestions, Retryable: f.Retryable(), RequestID: requestID, cause: err}
}
