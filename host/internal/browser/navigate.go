package browser

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// tab.navigate {tabId, url | back | forward | reload, ignoreCache?, initScript?, beforeunload?, timeoutMs} → {url}
//
// It is answered when the browser committed the page. initScript runs before the new
// document's own scripts, in this load alone. beforeunload answers a page that asks
// whether to leave it: accept leaves, dismiss stays; without it the dialog is reported.
type navigateCall struct {
	TabID        int    `json:"tabId"`
	URL          string `json:"url"`
	Back         bool   `json:"back"`
	Forward      bool   `json:"forward"`
	Reload       bool   `json:"reload"`
	IgnoreCache  bool   `json:"ignoreCache"`
	InitScript   string `json:"initScript"`
	BeforeUnload string `json:"beforeunload"`
	TimeoutMs    int64  `json:"timeoutMs"`
}

// leaveAnswers is what may be said to a page that asks whether to leave it.
var leaveAnswers = map[string]*bool{"": nil, "accept": new(true), "dismiss": new(false)}

func (d *Direct) navigate(ctx context.Context, payload jsontext.Value) (any, error) {
	var call navigateCall
	if err := decode(payload, &call); err != nil {
		return nil, fault.New(fault.ValidationError, "tab.navigate is not understood").Because(err)
	}
	chosen := 0
	for _, on := range []bool{call.URL != "", call.Back, call.Forward, call.Reload} {
		if on {
			chosen++
		}
	}
	if chosen != 1 {
		return nil, fault.New(fault.ValidationError, "give exactly one of url, back, forward and reload")
	}
	leave, known := leaveAnswers[call.BeforeUnload]
	if !known {
		return nil, fault.New(fault.ValidationError, "beforeunload is accept or dismiss, not %q", call.BeforeUnload)
	}
	limit := time.Duration(call.TimeoutMs) * time.Millisecond
	if limit <= 0 {
		limit = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	d.mu.Lock()
	t := d.tabs[call.TabID]
	if t == nil {
		d.mu.Unlock()
		return nil, noTab(call.TabID)
	}
	t.leaving, t.failure = leave, ""
	base, commits, stayed := t.main().url, t.commits, t.stayed
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		t.leaving = nil
		d.mu.Unlock()
	}()
	if call.URL != "" {
		to, err := resolved(call.URL, base)
		if err != nil {
			return nil, err
		}
		if err := d.o.Allow(to); err != nil {
			return nil, err
		}
		call.URL = to
	}
	if call.InitScript != "" {
		remove, err := d.initScript(ctx, t, call.InitScript)
		if err != nil {
			return nil, err
		}
		defer remove()
	}
	err := d.move(ctx, t, &call, commits, stayed)
	var f *fault.Error
	if err != nil && !errors.As(err, &f) && errors.Is(err, context.DeadlineExceeded) {
		err = fault.New(fault.Timeout, "the page did not begin to load in time; a dialog that asks whether to leave may be open").With("dispatched", true)
	}
	if err != nil {
		return nil, asFault("tab.navigate", err) // who cancelled it says why: the page crashed, or was closed
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return map[string]string{"url": t.main().url}, nil
}

func (d *Direct) initScript(ctx context.Context, t *tab, source string) (remove func(), err error) {
	raw, err := t.target.session.CallRaw(ctx, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": source})
	if err != nil {
		return nil, err
	}
	return func() { t.target.session.Start("Page.removeScriptToEvaluateOnNewDocument", raw) }, nil // the answer is the parameter
}

// move begins the navigation and waits until it is committed.
func (d *Direct) move(ctx context.Context, t *tab, call *navigateCall, commits, stayed int) error {
	session := t.target.session
	switch {
	case call.URL != "":
		raw, err := session.CallRaw(ctx, "Page.navigate", map[string]any{"url": call.URL})
		if err != nil {
			return timed(err)
		}
		var to struct {
			LoaderID   string `json:"loaderId"`
			ErrorText  string `json:"errorText"`
			IsDownload bool   `json:"isDownload"`
		}
		if err := decode(raw, &to); err != nil {
			return err
		}
		if to.ErrorText != "" {
			d.mu.Lock()
			// The answer may be quicker than the word that the dialog is closed.
			refused := t.stayed > stayed || t.dialog != nil && t.dialog.Kind == "beforeunload"
			if refused { // the page takes commands again when this returns
				_ = d.awaitLocked(ctx, func() bool { return t.dialog == nil })
			}
			d.mu.Unlock()
			if refused {
				return didNotLoad("dialog_dismissed", call.URL)
			}
			f := didNotLoad(to.ErrorText, call.URL)
			if to.IsDownload {
				f = f.With("download", true)
			}
			return f
		}
		return d.committed(ctx, t, stayed, call.URL, func() bool {
			if to.LoaderID == "" { // within the document
				return t.commits > commits
			}
			return t.main().loader == to.LoaderID
		})
	case call.Reload:
		if _, err := session.CallRaw(ctx, "Page.reload", map[string]any{"ignoreCache": call.IgnoreCache}); err != nil {
			return timed(err)
		}
	default:
		entry, err := d.historyEntry(ctx, t, call.Back)
		if err != nil {
			return err
		}
		if _, err := session.CallRaw(ctx, "Page.navigateToHistoryEntry", map[string]any{"entryId": entry}); err != nil {
			return timed(err)
		}
	}
	return d.committed(ctx, t, stayed, "", func() bool { return t.commits > commits })
}

// timed gives a context's end back as such: navigate has its own words for it.
func timed(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}

// committed waits until the main frame shows what it was sent to.
func (d *Direct) committed(ctx context.Context, t *tab, stayed int, url string, done func() bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var failed error
	err := d.awaitLocked(ctx, func() bool {
		switch {
		case d.tabs[t.id] != t:
			failed = fault.New(fault.NotConnected, "the tab is gone").With("reason", "closed")
		case t.stayed > stayed:
			failed = didNotLoad("dialog_dismissed", url)
		case done():
			if t.main().failed {
				failed = didNotLoad(cmp.Or(t.failure, "net::ERR_FAILED"), t.main().url)
			}
			return true
		}
		return failed != nil
	})
	if failed != nil {
		return failed
	}
	return err
}

func didNotLoad(reason, url string) *fault.Error {
	return fault.New(fault.NavigationInterrupted, "the page did not load: %s", reason).With("reason", reason).With("url", url)
}

// historyEntry is the page before or after the one that is shown.
func (d *Direct) historyEntry(ctx context.Context, t *tab, back bool) (int64, error) {
	raw, err := t.target.session.CallRaw(ctx, "Page.getNavigationHistory", nil)
	if err != nil {
		return 0, timed(err)
	}
	var history struct {
		Current int `json:"currentIndex"`
		Entries []struct {
			ID  int64  `json:"id"`
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err := decode(raw, &history); err != nil {
		return 0, err
	}
	at := history.Current + 1
	if back {
		at = history.Current - 1
	}
	if at < 0 || at >= len(history.Entries) {
		return 0, fault.New(fault.NavigationInterrupted, "the browser did not navigate: there is no page in that direction").
			With("reason", "refused")
	}
	if err := d.o.Allow(history.Entries[at].URL); err != nil {
		return 0, err
	}
	return history.Entries[at].ID, nil
}
