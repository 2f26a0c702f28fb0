package cdp

import (
	"bytes"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// single waits for the answer to the one message of a client (devtools.Out).
type single struct {
	once     sync.Once
	answered chan struct{}
	result   jsontext.Value
	err      error
}

func (s *single) settle(result jsontext.Value, err error) {
	s.once.Do(func() {
		s.result, s.err = bytes.Clone(result), err
		close(s.answered)
	})
}

// Result takes the answer.
func (s *single) Result(_ int64, _ string, result jsontext.Value) { s.settle(result, nil) }

// Fail takes the error.
func (s *single) Fail(_ int64, _ string, _ int, message string) {
	s.settle(nil, fault.New(fault.CDPError, "%s", message))
}

// Event is of no interest.
func (s *single) Event(string, string, jsontext.Value) {}

// End is an error where no answer came.
func (s *single) End(reason string) { s.settle(nil, fault.New(fault.CDPDisconnected, "%s", reason)) }
