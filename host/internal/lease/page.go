package lease

import (
	"context"
	"sync"
	"time"
)

// Hold is one context's right to change a page. Others may look at it.
type Hold struct {
	Holder string // the context's key
	Label  string // for people
	Since  time.Time
	ended  chan struct{}
}

// Pages keeps who may change which page, by page number. The zero value is ready to use.
type Pages struct {
	Changed func() // called, without locks, after a hold began or ended; may be nil

	mu    sync.Mutex
	holds map[int]*Hold
}

// Take gives the page to the holder, or tells who has it. With wait it waits for that
// one's end until ctx does.
func (p *Pages) Take(ctx context.Context, page int, holder, label string, wait bool) (other *Hold) {
	for {
		p.mu.Lock()
		held := p.holds[page]
		if held == nil {
			if p.holds == nil {
				p.holds = make(map[int]*Hold)
			}
			p.holds[page] = &Hold{Holder: holder, Label: label, Since: time.Now(), ended: make(chan struct{})}
			p.mu.Unlock()
			p.changed()
			return nil
		}
		p.mu.Unlock()
		if held.Holder == holder {
			return nil
		}
		if !wait {
			return held
		}
		select {
		case <-held.ended:
		case <-ctx.Done():
			return held
		}
	}
}

// Of tells who holds the page, or nil.
func (p *Pages) Of(page int) *Hold {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.holds[page]
}

// Held gives all holds by page.
func (p *Pages) Held() map[int]*Hold {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make(map[int]*Hold, len(p.holds))
	for page, hold := range p.holds {
		list[page] = hold
	}
	return list
}

// End ends the holds for which it says so.
func (p *Pages) End(over func(page int, hold *Hold) bool) {
	p.mu.Lock()
	ended := false
	for page, hold := range p.holds {
		if over(page, hold) {
			delete(p.holds, page)
			close(hold.ended)
			ended = true
		}
	}
	p.mu.Unlock()
	if ended {
		p.changed()
	}
}

func (p *Pages) changed() {
	if p.Changed != nil {
		p.Changed()
	}
}
