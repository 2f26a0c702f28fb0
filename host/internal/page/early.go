package page

import (
	"context"
	"time"
)

// beforeFirst is the fate of a deed that found nothing in the empty document with which
// a popup begins, before it was replaced by the page that the popup is about.
type beforeFirst struct {
	error
	turn <-chan struct{}
}

// over waits until the tab knows of the page.
func (b *beforeFirst) over(ctx context.Context) bool {
	timer := time.NewTimer(fateWait)
	defer timer.Stop()
	select {
	case <-b.turn:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// unborn reports that a deed looks for its element in such a document. A ref names one of
// that document alone.
func (t *Tab) unborn(d Deed, at aim) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return d.Target != nil && d.Target.Ref == "" && at.frame.id == 0 && (at.frame.url == "" || at.frame.url == "about:blank")
}
