package browsertest

import (
	"context"
	"fmt"
	"time"
)

// Patience is how long anything may take that needs no time of its own. It is
// generous because tests run on loaded machines; a passing test never spends it.
const Patience = 20 * time.Second

const pollEvery = 15 * time.Millisecond

// TB is what the harness needs of a test; *testing.T has it, and so has the demo.
type TB interface {
	Helper()
	Name() string
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
	Failed() bool
	Cleanup(func())
}

// Until polls until done is true. what names the condition in the failure.
func Until(t TB, within time.Duration, what string, done func() bool) {
	t.Helper()
	if err := poll(within, func() (bool, error) { return done(), nil }); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// poll calls done until it is true. An error of the last call is in the result.
func poll(within time.Duration, done func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	for {
		ok, err := done()
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			if err != nil {
				return fmt.Errorf("not within %v: %w", within, err)
			}
			return fmt.Errorf("not within %v", within)
		case <-ticker.C:
		}
	}
}
