package flow

import (
	"sync"
	"time"
)

const (
	// maxPrints bounds one generation of an agent's memory; there are two.
	maxPrints = 16 << 10
	// maxOwn bounds the same of what the agent said itself.
	maxOwn = 8 << 10
	// generation is how long one lasts: a print is remembered for one to two of them.
	generation = 15 * time.Minute
	// maxSites bounds the sites of one memory.
	maxSites = 1 << 12
	// maxAgents bounds the memories.
	maxAgents = 16
)

// common marks a print that three sites have: it tells of none of them.
const common = ^uint32(0)

// place is where a print was read: one site or two.
type place [2]uint32

// ages are the two generations of a map.
type ages[V any] struct {
	now, before map[uint64]V
	limit       int
	turns       int
}

func (a *ages[V]) get(print uint64) (V, bool) {
	if v, ok := a.now[print]; ok {
		return v, true
	}
	v, ok := a.before[print]
	return v, ok
}

func (a *ages[V]) put(print uint64, v V) {
	if len(a.now) >= a.limit {
		a.turn()
	}
	if a.now == nil {
		a.now = make(map[uint64]V)
	}
	a.now[print] = v
}

func (a *ages[V]) turn() { a.now, a.before, a.turns = nil, a.now, a.turns+1 }

// memory is what one agent has read, and what it said itself.
type memory struct {
	mu     sync.Mutex
	read   ages[place]
	own    ages[struct{}]
	whole  map[uint64]int // texts that are in, by the turn in which they came
	sites  map[string]uint32
	names  []string // by number, from 1
	turned time.Time
	used   time.Time // under Guard.mu

	inbox inbox
}

// inbox is what was read and is not in the memory yet. Its lock comes after the memory's.
type inbox struct {
	mu      sync.Mutex
	lessons []lesson
	size    int // bytes
	served  bool
}

// lesson is what one answer told.
type lesson struct {
	site  string
	texts []string
	size  int
}

// maxInbox bounds what waits, in bytes; what is beyond is taken in at once.
const maxInbox = 256 << 10

// put adds a lesson, and reports whether somebody must take it in now, or soon.
func (in *inbox) put(l lesson) (now, soon bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.lessons = append(in.lessons, l)
	in.size += l.size
	now, soon = in.size > maxInbox, !in.served
	in.served = true
	return now, soon && !now
}

// next takes a lesson out. Who finds none is done.
func (in *inbox) next() (lesson, bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.lessons) == 0 {
		in.lessons, in.served = nil, false
		return lesson{}, false
	}
	l := in.lessons[0]
	in.lessons = in.lessons[1:]
	in.size -= l.size
	return l, true
}

func newMemory(now time.Time) *memory {
	return &memory{read: ages[place]{limit: maxPrints}, own: ages[struct{}]{limit: maxOwn}, sites: map[string]uint32{}, names: []string{""}, whole: map[uint64]int{}, turned: now}
}

// tick forgets what is old.
func (m *memory) tick(now time.Time) {
	for range 2 {
		if now.Sub(m.turned) >= generation {
			m.turned = m.turned.Add(generation)
			m.read.turn()
			m.own.turn()
		}
	}
	if now.Sub(m.turned) >= generation {
		m.turned = now
	}
}

func (m *memory) site(name string) uint32 {
	if number, ok := m.sites[name]; ok {
		return number
	}
	if len(m.names) > maxSites {
		m.read.turn()
		m.read.turn()
		m.sites, m.names = map[string]uint32{}, []string{""}
	}
	number := uint32(len(m.names))
	m.sites[name] = number
	m.names = append(m.names, name)
	return number
}

// maxWhole bounds the texts that are known as a whole.
const maxWhole = 512

// again reports a text that came before in this turn: an agent looks at the same page many times.
func (m *memory) again(print uint64) bool {
	if turn, known := m.whole[print]; known && turn == m.read.turns {
		return true
	}
	if len(m.whole) >= maxWhole {
		clear(m.whole)
	}
	m.whole[print] = m.read.turns
	return false
}

// remember notes that a print was read on a site.
func (m *memory) remember(print uint64, site uint32) {
	if _, own := m.own.get(print); own {
		return
	}
	at, known := m.read.get(print)
	switch {
	case !known:
		at = place{site}
	case at[0] == site || at[1] == site || at[0] == common:
	case at[1] == 0:
		at[1] = site
	default:
		at = place{common}
	}
	m.read.put(print, at)
}

// from is the site that a print was read on; empty where that is none, or to, or common.
func (m *memory) from(print uint64, to uint32) string {
	at, known := m.read.get(print)
	if !known || at[0] == common || at[0] == to || at[1] == to {
		return ""
	}
	return m.names[at[0]]
}
