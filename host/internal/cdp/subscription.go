package cdp

import (
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	subscriptionBuffer = 16        // events that wait in the channel itself, without a goroutine
	maxQueued          = 128 << 20 // bytes that wait behind it; beyond it the subscription is ended
)

// subscription passes events to one reader. The channel takes them directly; only
// when it is full a pump carries the rest over, in order.
type subscription struct {
	subject subject
	events  chan jsontext.Value
	stop    chan struct{} // nobody reads any more
	conn    *Conn

	mu      sync.Mutex
	queue   []jsontext.Value
	bytes   int
	pumping bool
	ended   bool // no more events; the channel is closed, or will be by the pump
	stopped bool
}

// Subscribe begins to keep the events of a method, and gives the channel they come
// on and a func that ends it. The channel is closed when the session is detached
// or the connection ends, after the events that came before.
func (s *Session) Subscribe(method string) (<-chan jsontext.Value, func()) {
	c := s.conn
	sub := &subscription{
		subject: subject{s.id, method}, conn: c,
		events: make(chan jsontext.Value, subscriptionBuffer), stop: make(chan struct{}),
	}
	c.mu.Lock()
	gone := c.err != nil
	if !gone {
		c.subscriptions[sub.subject] = append(c.subscriptions[sub.subject], sub)
	}
	c.mu.Unlock()
	if gone {
		sub.end()
	}
	return sub.events, sub.cancel
}

// forgetLocked takes a subscription out of the connection's list.
func (c *Conn) forgetLocked(s *subscription) {
	list := c.subscriptions[s.subject]
	at := slices.Index(list, s)
	if at < 0 {
		return
	}
	if len(list) == 1 {
		delete(c.subscriptions, s.subject)
		return
	}
	c.subscriptions[s.subject] = slices.Delete(list, at, at+1)
}

// deliver never blocks. False: too much waits, and the event was not taken.
func (s *subscription) deliver(params jsontext.Value) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return true
	}
	if !s.pumping {
		select {
		case s.events <- params:
			return true
		default:
		}
	}
	if s.bytes+len(params) > maxQueued && len(s.queue) > 0 {
		return false
	}
	s.queue = append(s.queue, params)
	s.bytes += len(params)
	if !s.pumping {
		s.pumping = true
		s.conn.routines.Add(1)
		go s.pump()
	}
	return true
}

func (s *subscription) pump() {
	defer s.conn.routines.Done()
	for {
		s.mu.Lock()
		if len(s.queue) == 0 || s.stopped {
			s.pumping, s.queue = false, nil
			if s.ended {
				close(s.events)
			}
			s.mu.Unlock()
			return
		}
		next := s.queue[0]
		s.queue[0] = nil
		s.queue = s.queue[1:]
		s.bytes -= len(next)
		s.mu.Unlock()
		select {
		case s.events <- next:
		case <-s.stop:
		case <-s.conn.stopped:
			s.halt()
		}
	}
}

// end says that no more events come.
func (s *subscription) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	if !s.pumping {
		close(s.events)
	}
}

// halt lets go of what is queued.
func (s *subscription) halt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopped {
		s.stopped = true
		close(s.stop)
	}
}

func (s *subscription) cancel() {
	s.conn.mu.Lock()
	s.conn.forgetLocked(s)
	s.conn.mu.Unlock()
	s.halt()
	s.end()
}
