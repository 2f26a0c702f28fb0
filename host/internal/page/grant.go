package page

import (
	"net/url"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// reasonExpired: the time that the person gave is over.
const reasonExpired = "expired"

// beyond says why the person's grant does not hold for what the tab shows now, or nothing.
// The extension knows it better and pauses the tab; this holds even if it did not. A site
// is a host here, with all below it: what registrable domains are, the extension knows.
func (info tabInfo) beyond(now time.Time) string {
	if info.ExpiresAt != 0 && now.UnixMilli() >= info.ExpiresAt {
		return reasonExpired
	}
	if info.AnySite || info.Site == "" {
		return ""
	}
	at, err := url.Parse(info.URL)
	switch {
	case err != nil:
		return protocol.ReasonLeftSite
	case info.URL == "", at.Scheme == "about", at.Scheme == "chrome-error": // nobody's content
		return ""
	case at.Scheme != "http" && at.Scheme != "https":
		return protocol.ReasonNavigatedToRestricted
	}
	host, site := bare(at.Hostname()), bare(info.Site)
	if host == site || strings.HasSuffix(host, "."+site) {
		return ""
	}
	return protocol.ReasonLeftSite
}

// Covered refuses what the grant does not hold for: NOT_CONNECTED with details.reason
// left_site, navigated_to_restricted or expired. A pause is another matter (Blocked).
func (t *Tab) Covered() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if reason := t.info.beyond(time.Now()); t.paused == "" && reason != "" {
		return notConnected(reason)
	}
	return nil
}

// bare is a host without what may be written or left out.
func bare(host string) string {
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
