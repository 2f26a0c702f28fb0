// Package lease says for how long a context may keep what it has: while somebody who
// used it lives and it is not idle for too long. It also keeps who may change which
// page of the user's browser. It does no I/O; time is that of the process's monotonic
// clock, so that a step of the wall clock or a suspended machine ends nothing.
package lease

import (
	"slices"
	"sync"
	"time"
)

// Owner is a process for whose sake a lease is held.
type Owner struct {
	Pid   int    `json:"pid"`
	Start string `json:"start,omitempty"`
	Name  string `json:"name,omitempty"`
}

// Why a lease is over.
const (
	Idle      = "idle"
	OwnerGone = "owner_gone"
	Evicted   = "evicted" // for another context, the slots being full
)

// maxOwners bounds the memory of who used a context; of more, the oldest are forgotten.
const maxOwners = 64

// Terms are what a lease is given under.
type Terms struct {
	Idle  time.Duration // ends the lease when it is not used for so long; never when 0
	Grace time.Duration // how long a lease outlives its last owner
	Keep  bool          // neither ends it
}

// Lease is one context's. Safe for concurrent use.
type Lease struct {
	mu       sync.Mutex
	terms    Terms
	owners   []Owner // by when they were last seen
	began    time.Time
	seen     time.Time // last sign of life
	active   int       // commands under way
	orphaned time.Time // when the last owner was found gone
}

// New begins a lease.
func New(terms Terms) *Lease {
	now := time.Now()
	return &Lease{terms: terms, began: now, seen: now}
}

// SetTerms changes the terms.
func (l *Lease) SetTerms(terms Terms) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.terms = terms
}

// Begin is the sign of life of a command, which runs until end is called. An owner
// without a pid is nobody.
func (l *Lease) Begin(owner Owner) (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen, l.orphaned = time.Now(), time.Time{}
	l.active++
	if owner.Pid != 0 {
		same := func(o Owner) bool { return o.Pid == owner.Pid && o.Start == owner.Start }
		if n := len(l.owners); n == 0 || !same(l.owners[n-1]) {
			l.owners = append(slices.DeleteFunc(l.owners, same), owner)
		}
		if len(l.owners) > maxOwners {
			l.owners = l.owners[1:]
		}
	}
	var once sync.Once
	return func() {
		once.Do(func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.active--
			l.seen = time.Now()
		})
	}
}

// Over says why the lease is over now, or nothing. alive tells whether an owner lives;
// it is asked without a lock held.
func (l *Lease) Over(alive func(Owner) bool) string {
	l.mu.Lock()
	owners, terms := slices.Clone(l.owners), l.terms
	l.mu.Unlock()
	if terms.Keep {
		return ""
	}
	var gone []Owner
	for _, owner := range owners {
		if !alive(owner) {
			gone = append(gone, owner)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owners = slices.DeleteFunc(l.owners, func(o Owner) bool { return slices.Contains(gone, o) })
	now := time.Now()
	if len(gone) > 0 && len(l.owners) == 0 {
		l.orphaned = now
	}
	switch {
	case !l.orphaned.IsZero() && now.Sub(l.orphaned) >= terms.Grace:
		return OwnerGone // also with a command under way: nobody waits for it
	case l.active > 0:
		return ""
	case terms.Idle > 0 && now.Sub(l.seen) >= terms.Idle:
		return Idle
	}
	return ""
}

// State is a lease as status shows it.
type State struct {
	Owners []Owner
	Began  time.Time
	Seen   time.Time
	Active int
	Terms  Terms
}

// State gives the lease as it is.
func (l *Lease) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	return State{Owners: slices.Clone(l.owners), Began: l.began, Seen: l.seen, Active: l.active, Terms: l.terms}
}

// Unused reports for how long nothing happened; 0 while a command runs or the lease is to be kept.
func (l *Lease) Unused() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.active > 0 || l.terms.Keep {
		return 0
	}
	return time.Since(l.seen)
}
