package slot

import (
	"context"
	"slices"
	"testing"
)

// The user's browser is told once of a context that opened pages there and ended, and
// of none that did not or came back.
func TestWhoOpenedPagesInTheUsersBrowserIsToldOf(t *testing.T) {
	var left []string
	w := newWorld(t, Options{Left: func(key string) { left = append(left, key) }})
	c, other := w.as(t, named("a")), w.as(t, named("b"))
	c.Opened()
	for _, one := range []*Context{c, c, other} {
		if _, err := one.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(left, []string{c.Key}) || !slices.Equal(w.Departed(), left) {
		t.Errorf("told %v, departed %v, want %s once", left, w.Departed(), c.Key)
	}
	c.Opened()
	if departed := w.Departed(); len(departed) != 0 {
		t.Errorf("departed %v after it came back", departed)
	}
}
