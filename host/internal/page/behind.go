package page

import (
	"context"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// shown lets a page that is behind another tab believe that it is in front, until back
// is called: moves of the pointer are handed to a page with its frames, and Chrome draws
// none of a hidden one. A browser of ours believes it always.
func (t *Tab) shown(ctx context.Context, hidden bool) (back func()) {
	if !hidden || t.Info().Source != protocol.SourceExtension || t.front(ctx, true) != nil { // without it, it takes seconds
		return func() {}
	}
	return func() {
		restore := func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
			defer cancel()
			_ = t.front(ctx, false) // its page may be gone
		}
		if t.Dialog() != nil { // the page hears of it when the dialog is answered
			go restore()
			return
		}
		restore()
	}
}
