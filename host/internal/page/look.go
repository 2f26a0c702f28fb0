package page

import "context"

// looking gives a look at the page its end when a dialog opens: with one the page
// answers nothing, and the look would last until its time is over. Pass the look's
// error to end; the one that comes back tells of the dialog.
func (t *Tab) looking(ctx context.Context) (_ context.Context, end func(error) error) {
	opened := t.dialogSignal()
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		select {
		case <-opened:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func(err error) error {
		cancel()
		<-over
		if err != nil {
			if refused := t.refusal(); refused != nil {
				return refused
			}
		}
		return err
	}
}
