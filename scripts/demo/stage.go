package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// failure is what Fatalf panics with.
type failure struct{}

// stage stands in for *testing.T under the test harness, and keeps the steps.
type stage struct {
	failed   bool
	cleanups []func()
	steps    []step
}

type step struct {
	title string
	took  time.Duration
	note  string
	ok    bool
}

func (s *stage) Helper()      {}
func (s *stage) Name() string { return "demo" }

func (s *stage) Logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (s *stage) Errorf(format string, args ...any) {
	s.failed = true
	fmt.Fprintf(os.Stderr, "\n  FAILED  "+format+"\n", args...)
}

func (s *stage) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	panic(failure{})
}

func (s *stage) Skipf(format string, args ...any) { s.Fatalf(format, args...) }

func (s *stage) Failed() bool { return s.failed }

func (s *stage) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *stage) cleanup() {
	for i := len(s.cleanups) - 1; i >= 0; i-- {
		s.cleanups[i]()
	}
	s.cleanups = nil
}

// step runs one part; what it returns stands beside it in the summary.
func (s *stage) step(title string, do func() string) {
	say("\n── %s", title)
	began := time.Now()
	s.steps = append(s.steps, step{title: title})
	at := &s.steps[len(s.steps)-1]
	note := do()
	at.took, at.note, at.ok = time.Since(began), note, true
}

// check fails the demo when something is not as it must be.
func (s *stage) check(ok bool, format string, args ...any) {
	if !ok {
		s.Fatalf(format, args...)
	}
}

func (s *stage) summary(took time.Duration) {
	say("\n── Summary\n")
	width := 0
	for _, one := range s.steps {
		width = max(width, len([]rune(one.title)))
	}
	for _, one := range s.steps {
		mark := "ok  "
		if !one.ok {
			mark = "FAIL"
		}
		padding := strings.Repeat(" ", width-len([]rune(one.title)))
		say("  %s  %s%s  %6.2f s  %s", mark, one.title, padding, one.took.Seconds(), one.note)
	}
	outcome := "all of it worked"
	if s.failed {
		outcome = "it did NOT work"
	}
	say("\n  %s, in %.1f s", outcome, took.Seconds())
}
