// Package clock gives tests a clock whose wall time is stepped, as a person, NTP or
// the end of summer time does it, while its monotonic time goes on.
package clock

import (
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// Clock is time.Now with the wall clock set by Step.
type Clock struct {
	began time.Time
	wall  atomic.Int64 // seconds
}

// layout is time.Time as package time documents it: with a monotonic reading, the wall
// seconds are bits 30 to 62 of wall.
type layout struct {
	wall uint64
	ext  int64
	loc  *time.Location
}

const (
	hasMonotonic = 1 << 63
	secondBit    = 30
	// from1885 is the Unix time of the year from which these seconds count.
	from1885 = -2682288000
)

// New makes a clock that shows the right time. The test is skipped where time.Time is
// kept in another way.
func New(t testing.TB) *Clock {
	t.Helper()
	c := &Clock{began: time.Now()}
	before := c.Now()
	c.Step(time.Hour)
	after := c.Now()
	if moved := after.Unix() - before.Unix(); moved < 3600 || moved > 3700 || after.Sub(before) > time.Minute {
		t.Skipf("a stepped clock cannot be made here: the wall moved by %d s, the rest by %v", moved, after.Sub(before))
	}
	c.wall.Store(0)
	return c
}

// Step sets the wall clock forward or back, in whole seconds.
func (c *Clock) Step(by time.Duration) { c.wall.Add(int64(by / time.Second)) }

// Now is the time as the stepped clock shows it.
func (c *Clock) Now() time.Time {
	now := time.Now()
	raw := (*layout)(unsafe.Pointer(&now))
	if raw.wall&hasMonotonic == 0 { // as in a bubble of testing/synctest
		passed, second, part := now.Sub(c.began), now.Unix(), now.Nanosecond()
		raw.ext = 1 + int64(passed)
		raw.wall = hasMonotonic | uint64(second-from1885)<<secondBit | uint64(part)
	}
	raw.wall += uint64(c.wall.Load()) << secondBit
	return now
}
