package page

import (
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Sites says what of the web agents may see, and by which means they may act there. The
// errors are *fault.Error.
type Sites interface {
	// See judges an address that agents would look at or load; base is the page's, for one
	// that is relative to it.
	See(address, base string) error
	// All is nil where no site is closed.
	All() error
	// May judges a means (policy.Switch) of acting on a document at the address.
	May(address, means string) error
}

// SetSites sets who judges. Call it before any browser connects; without it all is seen.
func (m *Manager) SetSites(s Sites) { m.sites = s }

// harmless are the DevTools methods, or DOMAIN.*, that tell nothing of a document and do
// nothing in it: they go to a page of a site that agents may not see, too, so that what
// is set for the tab holds when it comes back from there.
var harmless = map[string]bool{
	"Emulation.*":                              true,
	"Target.*":                                 true,
	"Browser.*":                                true,
	"Page.navigate":                            true, // its address is judged
	"Page.navigateToHistoryEntry":              true,
	"Page.reload":                              true,
	"Page.close":                               true,
	"Page.bringToFront":                        true,
	"Page.stopLoading":                         true,
	"Page.crash":                               true,
	"Page.getFrameTree":                        true, // addresses alone
	"Page.handleJavaScriptDialog":              true,
	"Page.setLifecycleEventsEnabled":           true,
	"Page.setInterceptFileChooserDialog":       true,
	"Page.setBypassCSP":                        true,
	"Page.removeScriptToEvaluateOnNewDocument": true,
	"Page.stopScreencast":                      true,
	"Page.createIsolatedWorld":                 true, // an empty world
	"Runtime.runIfWaitingForDebugger":          true,
	"Runtime.releaseObject":                    true,
	"Runtime.releaseObjectGroup":               true,
	"Runtime.addBinding":                       true, // what it tells is held back
	"Runtime.removeBinding":                    true,
	"Runtime.discardConsoleEntries":            true,
	"Network.setCacheDisabled":                 true,
	"Network.setExtraHTTPHeaders":              true,
	"Network.setUserAgentOverride":             true,
	"Network.setBlockedURLs":                   true,
	"Network.emulateNetworkConditions":         true,
	"Network.setAttachDebugStack":              true,
	"Debugger.removeBreakpoint":                true,
	"Debugger.resume":                          true,
	"Fetch.continueRequest":                    true,
	"Fetch.failRequest":                        true,
	"Tracing.end":                              true,
}

// Harmless reports a DevTools method that neither tells of a document nor acts in it.
func Harmless(method string) bool {
	domain, verb, _ := strings.Cut(method, ".")
	return harmless[method] || harmless[domain+".*"] || verb == "enable" && domain != "Log" || verb == "disable"
}

// structural are the DevTools events, or DOMAIN.*, that clients need to keep their picture
// of a tab: where its frames are, and that there are documents. They tell addresses, and
// nothing of what stands there.
var structural = map[string]bool{
	"Target.*": true, "Inspector.*": true,
	"Page.frameAttached": true, "Page.frameDetached": true, "Page.frameNavigated": true, "Page.navigatedWithinDocument": true,
	"Page.frameStartedLoading": true, "Page.frameStoppedLoading": true, "Page.frameStartedNavigating": true, "Page.frameRequestedNavigation": true,
	"Page.domContentEventFired": true, "Page.loadEventFired": true, "Page.lifecycleEvent": true, "Page.javascriptDialogClosed": true,
	"Runtime.executionContextCreated": true, "Runtime.executionContextDestroyed": true, "Runtime.executionContextsCleared": true,
}

// Structural reports a DevTools event that tells nothing of what a document holds.
func Structural(event string) bool {
	domain, _, _ := strings.Cut(event, ".")
	return structural[event] || structural[domain+".*"]
}

// readsAll are methods that tell of all sites of the browser.
var readsAll = map[string]bool{
	"Network.getAllCookies": true, "Network.getCookies": true, "Page.getCookies": true, "Storage.getCookies": true,
}

// Permit judges a DevTools command of an agent for a document at the address; s may be nil.
func Permit(s Sites, address, method string, params jsontext.Value) error {
	if s == nil {
		return nil
	}
	var asked struct {
		URL      string `json:"url"`
		Behavior string `json:"behavior"`
	}
	switch method {
	case "Page.navigate", "Target.createTarget":
		if decode(params, &asked) == nil && asked.URL != "" {
			if err := s.See(asked.URL, address); err != nil {
				return err
			}
		}
	case "Browser.setDownloadBehavior", "Page.setDownloadBehavior":
		if decode(params, &asked) != nil || asked.Behavior != "deny" {
			if err := s.May(address, "download"); err != nil {
				return err
			}
		}
	case "DOM.setFileInputFiles", "Page.handleFileChooser":
		if err := s.May(address, "upload"); err != nil {
			return err
		}
	}
	if readsAll[method] {
		if err := s.All(); err != nil {
			return err
		}
	}
	if RunsScript(method) {
		if err := s.May(address, "evaluate"); err != nil {
			return err
		}
	}
	if Harmless(method) {
		return nil
	}
	return s.See(address, "")
}

// See says why agents may not see an address, or load it here, or nil.
func (t *Tab) See(address string) error {
	if t.sites == nil {
		return nil
	}
	t.mu.Lock()
	base := t.info.URL
	t.mu.Unlock()
	return t.sites.See(address, base)
}

// unseen says why agents may not see the page, or nil.
func (t *Tab) unseen() error { return t.See("") }

// unseenFrame says why agents may not see a frame, or nil. What has no site of its own is
// of the site that holds it.
func (t *Tab) unseenFrame(f *frame) error {
	if t.sites == nil || t.sites.All() == nil {
		return nil
	}
	t.mu.Lock()
	addresses := []string{f.url}
	for at, rounds := f, 0; at.id != 0 && rounds < len(t.frames); rounds++ {
		if strings.HasPrefix(at.url, "http") {
			break
		}
		if at = t.frames[at.parent]; at == nil {
			break
		}
		addresses = append(addresses, at.url)
	}
	t.mu.Unlock()
	for _, address := range addresses {
		if err := t.sites.See(address, address); err != nil {
			return err
		}
	}
	return nil
}

// unseenDocument reports a document of a frame that agents may not see. One of which it is
// not known any more where it was is none that they may see, where any site is closed.
func (t *Tab) unseenDocument(f *frame, documentID string, known bool) bool {
	if t.sites == nil || t.sites.All() == nil {
		return false
	}
	t.mu.Lock()
	current := known && f.documentID == documentID
	address, before := f.was[documentID]
	t.mu.Unlock()
	switch {
	case current && f.id == 0:
		return t.unseen() != nil || t.unseenFrame(f) != nil
	case current:
		return t.unseenFrame(f) != nil
	case !known || !before:
		return true
	}
	return t.sites.See(address, address) != nil
}

// unseenSession says why agents may not see what a DevTools session of the tab is about, or nil.
func (t *Tab) unseenSession(session string) error {
	if t.sites == nil {
		return nil
	}
	if session == "" {
		return t.unseen()
	}
	for _, address := range t.sessionAddresses(session) {
		if err := t.sites.See(address, address); err != nil {
			return err
		}
	}
	return nil
}

// sessionAddresses are the addresses, or origins, of the documents of a child session.
func (t *Tab) sessionAddresses(session string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	for key, c := range t.contexts {
		if key.session == session && c.page && strings.HasPrefix(c.origin, "http") {
			list = append(list, c.origin)
		}
	}
	if len(list) == 0 && t.children[session] != "" {
		list = append(list, t.children[session])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Permit judges a raw DevTools command, or one of a DevTools client, for the document that
// a session of the tab is about.
func (t *Tab) Permit(method string, params jsontext.Value, session string) error {
	if t.sites == nil {
		return nil
	}
	t.mu.Lock()
	address := t.info.URL
	t.mu.Unlock()
	if err := Permit(t.sites, address, method, params); err != nil || session == "" {
		return err
	}
	for _, at := range t.sessionAddresses(session) {
		if err := Permit(t.sites, at, method, params); err != nil {
			return err
		}
	}
	return nil
}

// May judges a means of acting on the page.
func (t *Tab) May(means string) error {
	if t.sites == nil {
		return nil
	}
	t.mu.Lock()
	address := t.info.URL
	t.mu.Unlock()
	return t.sites.May(address, means)
}

// barred says why an operation of the link may not go to the page, or nil: whatever asks,
// nothing of a page that agents may not see is read, and nothing done in it.
func (t *Tab) barred(op string, payload any) error {
	if t.sites == nil {
		return nil
	}
	switch op {
	case "tab.navigate":
		fields, _ := payload.(map[string]any)
		if address, _ := fields["url"].(string); address != "" {
			return t.See(address)
		}
		return nil
	case "cdp.send":
		send, _ := payload.(cdpSend)
		if Harmless(send.Method) {
			return nil
		}
		if err := t.unseen(); err != nil || send.SessionID == "" {
			return err
		}
		return t.unseenSession(send.SessionID)
	case "cdp.batch", "files.set", "tab.picture", "recorder.inject":
		return t.unseen()
	}
	return nil
}

// Children are the addresses of the page's child frames, by their short ids.
func (t *Tab) Children() map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make(map[string]string)
	for _, f := range t.frames {
		if f.id != 0 {
			list[f.short] = f.url
		}
	}
	return list
}

// tells reports whether a DevTools event may be told: its document may be seen, or it
// says nothing of what stands there.
func (t *Tab) tells(event *cdpEvent) bool {
	if t.sites == nil || Structural(event.Method) || t.sites.All() == nil {
		return true
	}
	closed := t.unseen() != nil || t.unseenSession(event.SessionID) != nil || t.unseenContext(event)
	if strings.HasPrefix(event.Method, "Network.") {
		return t.veil.Tells(t.sites, event.Method, event.Params, closed)
	}
	if closed {
		return false
	}
	if event.FrameID != nil {
		t.mu.Lock()
		f := t.frames[*event.FrameID]
		t.mu.Unlock()
		if f != nil && t.unseenFrame(f) != nil {
			return false
		}
	}
	return true
}

// onChild notes a child session's address.
func (t *Tab) onChild(_ string, params jsontext.Value) (protocol.Message, error) {
	var event struct {
		SessionID string `json:"sessionId"`
		Target    struct {
			URL string `json:"url"`
		} `json:"targetInfo"`
	}
	if err := decode(params, &event); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.children == nil {
		t.children = make(map[string]string)
	}
	t.children[event.SessionID] = event.Target.URL
	return nil, nil
}

func (t *Tab) onChildGone(_ string, params jsontext.Value) (protocol.Message, error) {
	var event struct {
		SessionID string `json:"sessionId"`
	}
	if err := decode(params, &event); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.children, event.SessionID)
	return nil, nil
}

// maxHidden bounds the requests that are remembered.
const maxHidden = 2048

// unseenContext reports an event of a script of a site that agents may not see, whatever
// the page shows by now.
func (t *Tab) unseenContext(event *cdpEvent) bool {
	if !strings.HasPrefix(event.Method, "Runtime.") {
		return false
	}
	var about struct {
		ID      int64 `json:"executionContextId"`
		Details struct {
			ID int64 `json:"executionContextId"`
		} `json:"exceptionDetails"`
	}
	if decode(event.Params, &about) != nil {
		return false
	}
	t.mu.Lock()
	origin := t.contexts[contextKey{event.SessionID, max(about.ID, about.Details.ID)}].origin
	t.mu.Unlock()
	return strings.HasPrefix(origin, "http") && t.sites.See(origin, origin) != nil
}

// Veil holds back the requests of documents that agents may not see. The zero value is
// ready; its methods may be called at once from several goroutines.
type Veil struct {
	mu     sync.Mutex
	hidden map[string]bool // by the request's id; false is told
}

// Tells reports whether an event of the domain Network may be told; closed says that the
// document which is shown now may not be seen, which is not always the request's. s must
// not be nil.
func (v *Veil) Tells(s Sites, method string, params jsontext.Value, closed bool) bool {
	var about struct {
		RequestID   string `json:"requestId"`
		DocumentURL string `json:"documentURL"` // with the first event of each hop; a document's own is its own
	}
	if decode(params, &about) != nil || about.RequestID == "" {
		return !closed
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	hide, known := v.hidden[about.RequestID]
	switch {
	case strings.HasPrefix(about.DocumentURL, "http"):
		hide = s.See(about.DocumentURL, "") != nil
	case known:
		return !hide
	default: // headers may come before the request that they are of
		hide = closed || strings.HasSuffix(method, "ExtraInfo")
		return !hide
	}
	if len(v.hidden) >= maxHidden {
		clear(v.hidden)
	}
	if v.hidden == nil {
		v.hidden = make(map[string]bool)
	}
	v.hidden[about.RequestID] = hide
	return !hide
}

// visible is what is told of a page: of one that agents may not see, the site alone.
func (t *Tab) visible(url, title string) (string, string) {
	switch {
	case t.sites == nil || t.sites.All() == nil:
		return url, title
	case !strings.Contains(url, ":") || strings.HasPrefix(url, "about:"):
		return url, "" // a new tab has the title of what it is to show
	case t.sites.See(url, url) == nil:
		return url, title
	}
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		scheme, _, _ = strings.Cut(url, ":")
		return scheme + ":", ""
	}
	if at := strings.IndexAny(rest, `/?#\`); at >= 0 {
		rest = rest[:at]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest + "/", ""
}

// tellable is what is told of the page.
func (t *Tab) tellable(info tabInfo) protocol.PageInfo {
	out := info.pageInfo()
	out.URL, out.Title = t.visible(out.URL, out.Title)
	return out
}

// answered gives a browser's answer on, unless the page has meanwhile become one that
// agents may not see.
func (t *Tab) answered(op string, payload any, raw jsontext.Value) (jsontext.Value, error) {
	if err := t.barred(op, payload); op != "tab.navigate" && err != nil {
		return nil, err
	}
	return raw, nil
}
