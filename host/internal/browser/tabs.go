package browser

import (
	"cmp"
	"context"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// tabs.open {url, for?, background?, sessionId?, level?, openerTabId?} → {tabId, failed?}
//
// Answered when the address is committed, as tab.navigate is; failed says why the page
// did not load. Session and level are the browser's here.
func (d *Direct) openTab(ctx context.Context, payload jsontext.Value) (any, error) {
	var call struct {
		URL        string `json:"url"`
		Background bool   `json:"background"`
		For        string `json:"for"` // where it is to go then
	}
	if err := decode(payload, &call); err != nil {
		return nil, fault.New(fault.ValidationError, "tabs.open is not understood").Because(err)
	}
	address, err := resolved(cmp.Or(call.URL, "about:blank"), "")
	if err != nil {
		return nil, err
	}
	for _, to := range []string{address, cmp.Or(call.For, address)} {
		if err := d.o.Allow(to); err != nil {
			return nil, err
		}
	}
	raw, err := d.root.CallRaw(ctx, "Target.createTarget", map[string]any{"url": address, "background": call.Background})
	if err != nil {
		return nil, err
	}
	var made struct {
		TargetID string `json:"targetId"`
	}
	if err := decode(raw, &made); err != nil {
		return nil, err
	}
	if d.o.Adopt == AdoptOwn {
		if _, err := d.root.CallRaw(ctx, "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}); err != nil {
			return nil, err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var opened *tab
	if err := d.awaitLocked(ctx, func() bool {
		if t := d.byTarget[made.TargetID]; t != nil && t.announced {
			opened = t
		}
		return opened != nil
	}); err != nil {
		return nil, err
	}
	result := map[string]any{"tabId": opened.id}
	if address == "about:blank" {
		return result, nil
	}
	first := opened.stops
	if err := d.awaitLocked(ctx, func() bool {
		blank := opened.main().url == "" || opened.main().url == "about:blank"
		return !blank || opened.commits > 0 || opened.stops > first+1 || d.tabs[opened.id] != opened
	}); err != nil {
		d.log.Debug().Err(err).Msg("a new tab's page is slow") // the tab is there all the same
	}
	if opened.main().failed {
		result["failed"] = cmp.Or(opened.failure, "net::ERR_FAILED")
	}
	return result, nil
}

type tabCall struct {
	TabID  int `json:"tabId"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// tabOf decodes a payload and finds its tab.
func (d *Direct) tabOf(payload jsontext.Value) (*tab, tabCall, error) {
	var call tabCall
	if err := decode(payload, &call); err != nil {
		return nil, call, fault.New(fault.ValidationError, "the payload is not understood").Because(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.tabs[call.TabID]
	if t == nil {
		return nil, call, noTab(call.TabID)
	}
	return t, call, nil
}

// tabs.close {tabId} → {}; answered when the tab is gone.
func (d *Direct) closeTab(ctx context.Context, payload jsontext.Value) (any, error) {
	t, _, err := d.tabOf(payload)
	if err != nil {
		return nil, err
	}
	if _, err := d.root.CallRaw(ctx, "Target.closeTarget", map[string]any{"targetId": t.target.targetID}); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return struct{}{}, d.awaitLocked(ctx, func() bool { return d.tabs[t.id] != t })
}

// tabs.activate {tabId} → {}
func (d *Direct) activateTab(ctx context.Context, payload jsontext.Value) (any, error) {
	t, _, err := d.tabOf(payload)
	if err != nil {
		return nil, err
	}
	_, err = d.root.CallRaw(ctx, "Target.activateTarget", map[string]any{"targetId": t.target.targetID})
	return struct{}{}, err
}

// tabs.list {} → {tabs: [{tabId, url, title, connected, level, openerTabId}]}
func (d *Direct) listTabs(context.Context, jsontext.Value) (any, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	tabs := make([]map[string]any, 0, len(d.tabs))
	for _, t := range d.tabs {
		if t.announced {
			tabs = append(tabs, map[string]any{
				"tabId": t.id, "url": t.main().url, "title": t.title, "connected": !t.crashed, "level": d.o.Level, "openerTabId": t.opener,
			})
		}
	}
	slices.SortFunc(tabs, func(a, b map[string]any) int { return a["tabId"].(int) - b["tabId"].(int) })
	return map[string]any{"tabs": tabs}, nil
}

// window.resize {tabId, width, height} → {width, height, via}: the page's viewport becomes that.
// via is window or, where the window cannot be changed so, emulation.
func (d *Direct) resize(ctx context.Context, payload jsontext.Value) (any, error) {
	t, call, err := d.tabOf(payload)
	if err != nil {
		return nil, err
	}
	if call.Width < 1 || call.Height < 1 || call.Width > 10_000 || call.Height > 10_000 {
		return nil, fault.New(fault.ValidationError, "width and height are from 1 to 10000, not %d and %d", call.Width, call.Height)
	}
	session := t.target.session
	via := "window"
	if err := d.resizeWindow(ctx, t, call); err != nil {
		via = "emulation"
	} else if width, height, err := viewport(ctx, session); err != nil || width != call.Width || height != call.Height {
		via = "emulation" // windows have a least width, and a window manager of their own
	}
	if via == "emulation" {
		if _, err := session.CallRaw(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{
			"width": call.Width, "height": call.Height, "deviceScaleFactor": 0, "mobile": false,
		}); err != nil {
			return nil, err
		}
	}
	return map[string]any{"width": call.Width, "height": call.Height, "via": via}, nil
}

func (d *Direct) resizeWindow(ctx context.Context, t *tab, call tabCall) error {
	raw, err := d.root.CallRaw(ctx, "Browser.getWindowForTarget", map[string]any{"targetId": t.target.targetID})
	if err != nil {
		return err
	}
	var window struct {
		ID int64 `json:"windowId"`
	}
	if err := decode(raw, &window); err != nil {
		return err
	}
	if _, err := t.target.session.CallRaw(ctx, "Emulation.clearDeviceMetricsOverride", nil); err != nil {
		return err
	}
	_, err = d.root.CallRaw(ctx, "Browser.setContentsSize", map[string]any{"windowId": window.ID, "width": call.Width, "height": call.Height})
	return err
}

func viewport(ctx context.Context, session *cdp.Session) (width, height int, err error) {
	raw, err := session.CallRaw(ctx, "Page.getLayoutMetrics", nil)
	if err != nil {
		return 0, 0, err
	}
	var metrics struct {
		Viewport struct {
			Width  int `json:"clientWidth"`
			Height int `json:"clientHeight"`
		} `json:"cssLayoutViewport"`
	}
	err = decode(raw, &metrics)
	return metrics.Viewport.Width, metrics.Viewport.Height, err
}

// leave undoes what we put into a browser that goes on without us. What the sessions
// hold (emulation, scripts for new documents, bindings) ends with them.
func (d *Direct) leave(ctx context.Context) {
	d.mu.Lock()
	var pending []*cdp.Pending
	for _, t := range d.tabs {
		for _, f := range t.frames {
			if f.context != 0 {
				pending = append(pending, f.target.session.Start("Runtime.evaluate", expression(f.context, hostObject+".dispose()")))
			}
		}
	}
	for id, t := range d.sessions {
		if t.parent == nil {
			pending = append(pending, d.root.Start("Target.detachFromTarget", map[string]any{"sessionId": id}))
		}
	}
	d.mu.Unlock()
	pending = append(pending,
		d.root.Start("Browser.setDownloadBehavior", map[string]any{"behavior": "default"}),
		d.root.Start("Target.setAutoAttach", map[string]any{"autoAttach": false, "waitForDebuggerOnStart": false, "flatten": true}),
	)
	for _, p := range pending {
		if _, err := p.Wait(ctx); err != nil {
			d.log.Debug().Err(err).Msg("not all was undone")
		}
	}
}
