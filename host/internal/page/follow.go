package page

import (
	"slices"
	"sync"
)

// followers are told when a tab has come, gone, paused, resumed or changed.
type followers struct {
	mu   sync.Mutex
	list []chan struct{} // never changed in place
}

// Follow gives a channel that holds a word when tabs have changed since it was last
// read: came, went, paused, resumed, navigated, or are granted something else.
func (m *Manager) Follow() (changed <-chan struct{}, stop func()) {
	f := &m.following
	word := make(chan struct{}, 1)
	f.mu.Lock()
	f.list = append(slices.Clone(f.list), word)
	f.mu.Unlock()
	return word, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.list = slices.DeleteFunc(slices.Clone(f.list), func(other chan struct{}) bool { return other == word })
	}
}

func (m *Manager) changed() {
	m.following.mu.Lock()
	list := m.following.list
	m.following.mu.Unlock()
	for _, word := range list {
		select {
		case word <- struct{}{}:
		default:
		}
	}
}
