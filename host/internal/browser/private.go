package browser

import (
	"context"
	"time"

	proto "github.com/chromedp/cdproto/cdp"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// privateCloseTimeout is for taking a page of our own away when its work is over.
const privateCloseTimeout = 5 * time.Second

// Private opens a blank page for work of our own: in a browser context of its own,
// out of sight where the browser can, and no tab of an agent. It lives until close.
func (d *Direct) Private(ctx context.Context) (page proto.Session, closePage func(), err error) {
	var made struct {
		BrowserContextID string `json:"browserContextId"`
		TargetID         string `json:"targetId"`
		SessionID        string `json:"sessionId"`
	}
	call := func(ctx context.Context, method string, params any) error {
		raw, err := d.root.CallRaw(ctx, method, params)
		if err == nil {
			err = decode(raw, &made)
		}
		return err
	}
	// A context of its own tells the page from tabs before it is there.
	if err := call(ctx, "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}); err != nil {
		return nil, nil, asFault("the browser", err)
	}
	where := made.BrowserContextID
	d.mu.Lock()
	if d.private == nil {
		d.private = make(map[string]bool)
	}
	d.private[where] = true
	d.mu.Unlock()
	closePage = func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), privateCloseTimeout)
		defer cancel()
		// A page out of sight does not go with its context. What gives no answer goes with the connection.
		if made.TargetID != "" {
			_ = call(ctx, "Target.closeTarget", map[string]any{"targetId": made.TargetID})
		}
		_ = call(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": where})
		d.mu.Lock()
		delete(d.private, where)
		d.mu.Unlock()
	}
	target := map[string]any{"url": "about:blank", "browserContextId": where, "hidden": true}
	if err = call(ctx, "Target.createTarget", target); err != nil {
		delete(target, "hidden") // an older browser
		target["background"] = true
		err = call(ctx, "Target.createTarget", target)
	}
	if err == nil {
		err = call(ctx, "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true})
	}
	if err == nil && made.SessionID == "" {
		err = fault.New(fault.CDPError, "the browser gave no session for a page")
	}
	if err != nil {
		closePage()
		return nil, nil, asFault("the browser", err)
	}
	return d.conn.Session(made.SessionID), closePage, nil
}

// isPrivate reports a target that is ours alone, and lets it run. The caller holds d.mu.
func (d *Direct) isPrivate(session string, info targetInfo) bool {
	if !d.private[info.BrowserContextID] {
		return false
	}
	d.conn.Session(session).Start("Runtime.runIfWaitingForDebugger", nil)
	return true
}
