// Package fault is the one table of error codes: what each means to a shell
// (exit status), to HTTP (status) and to an agent (retryable, what to do next).
//
// Handlers return *Error values; faces render them. Every code has at least one
// default suggestion, so no error leaves the product without a next step.
package fault

import (
	"errors"
	"fmt"
	"sort"
)

// Code names one kind of failure, UPPER_SNAKE, stable across releases.
type Code string

// Row is what the table says of one code.
type Row struct {
	Code        Code
	Exit        int    // process exit status, one of the documented set
	HTTP        int    // HTTP status
	Retryable   bool   // the same command may simply be sent again
	Meaning     string // one line for people
	Suggestions []string
}

// Error is a failure with a code. The zero value is not useful; use New.
type Error struct {
	Code        Code
	Message     string
	Details     map[string]any
	Suggestions []string
	cause       error
}

// New makes an Error with the table's default suggestions.
// An unknown code becomes INTERNAL_ERROR, so that a typo cannot leave the table.
func New(code Code, format string, args ...any) *Error {
	row, ok := table[code]
	if !ok {
		row = table[InternalError]
	}
	return &Error{Code: row.Code, Message: fmt.Sprintf(format, args...), Suggestions: row.Suggestions}
}

// With adds one detail and returns the same error.
func (e *Error) With(key string, value any) *Error {
	if e.Details == nil {
		e.Details = make(map[string]any)
	}
	e.Details[key] = value
	return e
}

// Suggest replaces the suggestions and returns the same error.
func (e *Error) Suggest(suggestions ...string) *Error {
	e.Suggestions = suggestions
	return e
}

// Because records the underlying error and returns the same error.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap gives the underlying error, if one was recorded.
func (e *Error) Unwrap() error { return e.cause }

// Is makes errors.Is compare by code.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Code == e.Code
}

// Retryable reports whether the same command may be sent again as it is.
func (e *Error) Retryable() bool { return table[e.Code].Retryable }

// Exit is the process exit status of the error.
func (e *Error) Exit() int { return table[e.Code].Exit }

// From finds the *Error in err's chain, or wraps err as INTERNAL_ERROR. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var found *Error
	if errors.As(err, &found) {
		return found
	}
	return New(InternalError, "%s", err.Error()).Because(err)
}

// Lookup gives the table's row of a code.
func Lookup(code Code) (Row, bool) {
	row, ok := table[code]
	return row, ok
}

// Rows lists the whole table, by exit status and then by code.
func Rows() []Row {
	rows := make([]Row, 0, len(table))
	for _, row := range table {
		rows = append(rows, row)
	}
	sort.Slice(rows, func(i, j int) bool {
		if rows[i].Exit != rows[j].Exit {
			return rows[i].Exit < rows[j].Exit
		}
		return rows[i].Code < rows[j].Code
	})
	return rows
}
