package devtools

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// closing is a command that closes a tab. Chrome answers it before it tells that the
// target is gone; the tab's end may be known here before the extension's answer.
type closing struct {
	hub          *hub
	page, around string // ids of its targets
	answer       func()
}

// answerFirst has a command answered ahead of the first word about the tab's end;
// answered ends that, and reports whether it came to it.
func (p *tabsPort) answerFirst(h *hub, m Message, result jsontext.Value) (answered func() bool) {
	if len(result) == 0 {
		result = jsontext.Value("{}")
	}
	c := &closing{h, h.known(), h.around, func() { p.out.Result(m.ID, m.SessionID, result) }}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closing = append(p.closing, c)
	return func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		at := slices.Index(p.closing, c)
		if at >= 0 {
			p.closing = slices.Delete(p.closing, at, at+1)
		}
		return at < 0
	}
}

// ends answers the commands that closed a tab. p.mu is held.
func (p *tabsPort) ends(fits func(*closing) bool) {
	p.closing = slices.DeleteFunc(p.closing, func(c *closing) bool {
		if !fits(c) {
			return false
		}
		c.answer()
		return true
	})
}

func closeTarget(s *tabSession, m Message) {
	s.named(m, func(t *target) { s.closeTab(m, t.h, encode(map[string]bool{"success": true})) })
}

func (s *tabSession) closePage(m Message, h *hub) {
	if h == nil {
		s.port.fail(m, CodeMethodNotFound, "'"+m.Method+"' wasn't found")
		return
	}
	s.port.do(func() { s.closeTab(m, h, nil) })
}

func (s *tabSession) closeTab(m Message, h *hub, result jsontext.Value) {
	p := s.port
	ctx, cancel := context.WithTimeout(p.ctx, openTime)
	defer cancel()
	if err := p.b.c.Hold(ctx, h.tab, false); err != nil {
		s.refused(m, err)
		return
	}
	answered := p.answerFirst(h, m, result)
	_, err := h.tab.Link(ctx, "tabs.close", nil)
	switch {
	case answered():
	case err != nil:
		s.refused(m, err)
	default:
		p.result(m, result)
	}
}
