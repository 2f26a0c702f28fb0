package lease

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func all(alive bool) func(Owner) bool { return func(Owner) bool { return alive } }

func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Terms{Idle: time.Minute})
		end := l.Begin(Owner{Pid: 1})
		time.Sleep(time.Hour)
		if why := l.Over(all(true)); why != "" {
			t.Fatalf("over while a command runs: %s", why)
		}
		if l.Unused() != 0 {
			t.Error("unused while a command runs")
		}
		end()
		end() // a second time counts for nothing
		time.Sleep(59 * time.Second)
		if why := l.Over(all(true)); why != "" {
			t.Fatalf("over too soon: %s", why)
		}
		time.Sleep(time.Second)
		if why := l.Over(all(true)); why != Idle {
			t.Fatalf("after its idle time: %q", why)
		}
		l.SetTerms(Terms{Idle: time.Minute, Keep: true})
		if why := l.Over(func(Owner) bool { return false }); why != "" {
			t.Fatalf("one to be kept is over: %s", why)
		}
	})
}

func TestOwners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := map[int]bool{}
		alive := func(o Owner) bool { return !gone[o.Pid] }
		l := New(Terms{Idle: time.Hour, Grace: 10 * time.Second})
		l.Begin(Owner{})()
		if why := l.Over(alive); why != "" {
			t.Fatalf("without an owner: %s", why)
		}
		l.Begin(Owner{Pid: 1, Start: "a"})()
		l.Begin(Owner{Pid: 2, Start: "b"})
		l.Begin(Owner{Pid: 1, Start: "a"})()
		gone[1] = true
		if why := l.Over(alive); why != "" || len(l.State().Owners) != 1 {
			t.Fatalf("one owner of two left: %q %v", why, l.State().Owners)
		}
		gone[2] = true
		if why := l.Over(alive); why != "" {
			t.Fatalf("without grace: %s", why)
		}
		time.Sleep(9 * time.Second)
		l.Begin(Owner{Pid: 3})() // the next step of a script
		time.Sleep(9 * time.Second)
		if why := l.Over(alive); why != "" {
			t.Fatalf("with a new owner: %s", why)
		}
		gone[3] = true
		_ = l.Over(alive)
		time.Sleep(10 * time.Second)
		// A command may hang: nobody waits for it any more.
		if why := l.Over(alive); why != OwnerGone {
			t.Fatalf("all owners gone: %q", why)
		}
	})
}

func TestOwnersAreBounded(t *testing.T) {
	t.Parallel()
	l := New(Terms{})
	for pid := range 1000 {
		l.Begin(Owner{Pid: pid + 1})()
	}
	if n := len(l.State().Owners); n != maxOwners {
		t.Errorf("%d owners", n)
	}
}

func TestPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes atomic.Int32
		p := &Pages{Changed: func() { changes.Add(1) }}
		ctx := t.Context()
		for _, who := range []string{"a", "a"} { // to take what one has changes nothing
			if p.Take(ctx, 1, who, "A", false) != nil {
				t.Fatal("a free page is held")
			}
		}
		if p.Take(ctx, 2, "b", "B", false) != nil {
			t.Fatal("another free page is held")
		}
		held := p.Take(ctx, 1, "b", "B", false)
		if held == nil || held.Holder != "a" || held.Label != "A" {
			t.Fatalf("held by %+v", held)
		}
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if p.Take(short, 1, "b", "B", true) == nil {
			t.Fatal("two hold one page")
		}
		got := make(chan *Hold)
		go func() { got <- p.Take(ctx, 1, "b", "B", true) }()
		synctest.Wait()
		p.End(func(_ int, h *Hold) bool { return h.Holder == "a" })
		if h := <-got; h != nil {
			t.Fatalf("who waited did not get it: %+v", h)
		}
		if p.Of(1).Holder != "b" || len(p.Held()) != 2 {
			t.Error("it is not held by who waited")
		}
		if n := changes.Load(); n != 4 {
			t.Errorf("%d changes told, not 4", n)
		}
	})
}

func TestTurnIsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turn Turn
		var mu sync.Mutex
		var order []int
		done, _, _ := turn.Take(t.Context(), "first")
		var work sync.WaitGroup
		for i := range 10 {
			work.Go(func() {
				end, _, _ := turn.Take(t.Context(), "next")
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				time.Sleep(time.Second)
				end()
			})
			synctest.Wait()
		}
		if s := turn.State(); s.Count != 10 || s.Current != "first" {
			t.Fatalf("%+v", s)
		}
		done()
		done()
		work.Wait()
		for i, got := range order {
			if i != got {
				t.Fatalf("order %v", order)
			}
		}
		if s := turn.State(); s.Current != "" {
			t.Errorf("somebody's turn: %+v", s)
		}
	})
}

func TestTurnGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turn Turn
		done, _, _ := turn.Take(t.Context(), "long")
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		end, stood, full := turn.Take(short, "short")
		if end != nil || full || stood.Current != "long" || time.Since(stood.Since) != time.Second {
			t.Fatalf("%+v %v", stood, full)
		}
		done()
		if end, _, _ := turn.Take(t.Context(), "after"); end == nil {
			t.Fatal("the turn was lost with who gave up")
		}
		if n := turn.State().Count; n != 0 {
			t.Errorf("%d still wait", n)
		}
	})
}

func TestTurnIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turn Turn
		ctx, cancel := context.WithCancel(t.Context())
		done, _, _ := turn.Take(ctx, "first")
		var work sync.WaitGroup
		for range MaxWaiting {
			work.Go(func() { turn.Take(ctx, "next") })
		}
		synctest.Wait()
		if _, stood, full := turn.Take(ctx, "one more"); !full || stood.Count != MaxWaiting {
			t.Errorf("full %v, %+v", full, stood)
		}
		cancel()
		work.Wait()
		done()
	})
}
