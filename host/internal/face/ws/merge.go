package ws

import (
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// A page may hold both the SDK and the extension's bridge. Agents then see one
// page, the extension's, which takes the app's name and state; the rest of the
// SDK's telemetry falls silent, because the bridge tells the same.

// mergeKey names an app across its tokens.
type mergeKey struct{ session, appID string }

// quietKinds is the telemetry that a merged app leaves to the extension.
var quietKinds = []string{protocol.CapDOMSnapshot, protocol.CapDOMMutations, protocol.CapUITree, protocol.CapConsole, protocol.CapErrors}

// sdkQuiet is between us and our own SDK; it is not part of the agents' protocol.
type sdkQuiet struct {
	protocol.Base
	Telemetry []string `json:"telemetry"`
}

// Merge makes an app and a page of the extension one, now and when the app
// connects later, until Unmerge.
func (h *Handler) Merge(appID string, into *session.Page) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped {
		return
	}
	key := mergeKey{into.Session().ID(), appID}
	h.merges[key] = into
	for k, entry := range h.apps {
		if k.session == key.session && k.appID == appID && !entry.merged {
			own := entry.page
			h.mergeInto(entry, into)
			own.Remove(protocol.ReasonClosed)
			if entry.now != nil {
				entry.now.quiet(quietKinds)
			}
		}
	}
}

// mergeInto gives an app's entry the extension's page. The caller holds h.mu.
func (h *Handler) mergeInto(entry *appPage, into *session.Page) {
	entry.page, entry.merged = into, true
	nameApp(into, entry.info)
	if entry.now != nil {
		entry.now.move(into, true)
	}
}

// nameApp puts the app's name on the extension's page.
func nameApp(page *session.Page, info protocol.PageInfo) {
	page.SetInfo(func(now *protocol.PageInfo) { now.AppName, now.AppVersion = info.AppName, info.AppVersion })
}

// Unmerge ends a Merge: an app that is still connected is a page of its own again.
func (h *Handler) Unmerge(appID string, from *session.Page) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := mergeKey{from.Session().ID(), appID}
	if h.merges[key] != from {
		return
	}
	delete(h.merges, key)
	for k, entry := range h.apps {
		if k.session != key.session || k.appID != appID || !entry.merged {
			continue
		}
		if entry.now == nil || h.stopped {
			delete(h.apps, k)
			continue
		}
		entry.merged = false
		entry.page = h.hub.Open(k.session).AddPage(entry.info, entry.now)
		entry.now.move(entry.page, false)
		entry.now.quiet([]string{})
	}
}

// App gives the executor of a connected app that is merged into a page.
func (h *Handler) App(appID string, into *session.Page) (session.Executor, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for key, entry := range h.apps {
		if key.appID == appID && entry.merged && entry.page == into && entry.now != nil {
			return entry.now, true
		}
	}
	return nil, false
}

// describeApp changes what is known of an app; a merged one only names the extension's page.
func (h *Handler) describeApp(key appKey, a *app, change func(*protocol.PageInfo)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	entry := h.apps[key]
	if entry == nil || entry.now != a {
		return
	}
	change(&entry.info)
	if entry.merged {
		nameApp(entry.page, entry.info)
		return
	}
	entry.page.SetInfo(func(info *protocol.PageInfo) {
		id, connected := info.PageID, info.Connected
		*info = entry.info
		info.PageID, info.Connected = id, connected
	})
}

// where is the page that the app's messages belong to.
func (a *app) where() (page *session.Page, merged bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.page, a.merged
}

func (a *app) move(page *session.Page, merged bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.page, a.merged = page, merged
}

// quiet tells the SDK which telemetry is not wanted from it.
func (a *app) quiet(kinds []string) {
	a.tell(&sdkQuiet{Base: hostBase("sdk_quiet"), Telemetry: kinds})
}
