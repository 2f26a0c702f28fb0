package page

import (
	"context"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// Browser is the extension's end of the link (hostlink.Browser).
type Browser interface {
	ID() string
	// Call asks the extension and waits. The error is a *fault.Error.
	Call(ctx context.Context, op string, payload any) (jsontext.Value, error)
	// Notify sends without waiting; the link delivers it once, in order.
	Notify(op string, payload any) error
}

// SDK joins a page that embeds the SDK with the app that the SDK connected.
type SDK interface {
	Merge(appID string, into *session.Page)
	Unmerge(appID string, from *session.Page)
	// App gives the merged app's executor while it is connected.
	App(appID string, into *session.Page) (session.Executor, bool)
}

// Tab is one connected tab. It runs the commands of its page.
type Tab struct {
	browser Browser
	log     zerolog.Logger
	page    *session.Page
	sdk     SDK
	sites   Sites // nil: all is seen

	telling sync.Mutex // held while a tree or diff is made and published, so that they go out in order; before mu

	mu       sync.Mutex
	id       int // Chrome's number; changes when Chrome replaces the tab
	info     tabInfo
	frames   map[int]*frame // by Chrome's frame number
	nextID   int            // next short frame id
	version  int            // of the page's UI tree
	told     bool           // agents have a tree of the current document
	paused   string         // why commands are refused, empty when live
	turn     chan struct{}  // closed and replaced at each pause, end and new document
	dialog   *protocol.Dialog
	dialogs  chan struct{} // closed and replaced when a dialog opens
	contexts map[contextKey]jsContext
	children map[string]string // DevTools child sessions, with the address that they began with
	veil     Veil
	armed    Browser // whose debugger was made ready for actions

	domains   domains
	subs      subscriptions
	watchers  []*watcher  // never changed in place
	listeners []*listener // never changed in place
	gathered  func(Gathered)
	onPicked  func(*protocol.Picked, func())
	inputs    inputs
	runs      []*runWatcher // never changed in place

	keeping    sync.Mutex
	kept       map[any]Keeper
	keptClosed bool

	appID    string      // of the SDK in the page, if there is one
	geometry *time.Timer // pending measurement of where the frames are
}

// frame is one frame of a tab, over all documents that it shows.
type frame struct {
	id          int    // Chrome's number, 0 for the main frame
	parent      int    // Chrome's number of the parent
	short       string // main, f1, f2, …
	documentID  string
	url         string
	bridgeless  bool // between two documents, or on a page that lets no bridge in
	refBase     int  // added to the bridge's numbers
	maxRef      int  // highest number seen of this document
	next        uint64
	seenFirst   bool
	placed      bool            // it was looked where it stands
	offset      protocol.Bounds // of the frame's viewport in the top viewport
	scale       float64         // CSS px of the top viewport per CSS px of the frame
	hidden      bool
	treeVersion int                   // of the bridge's tree as last told
	items       []protocol.UITreeItem // of a child frame, as its bridge gives them
	shown       bool                  // they are part of the tree that agents have
	old         map[string]uint64     // next message number of documents gone
	was         map[string]string     // their addresses
}

func newTab(browser Browser, info tabInfo, sdk SDK, log zerolog.Logger) *Tab {
	t := &Tab{
		browser:  browser,
		sdk:      sdk,
		log:      log.With().Int("tab", info.TabID).Logger(),
		id:       info.TabID,
		info:     info,
		frames:   make(map[int]*frame),
		nextID:   1,
		turn:     make(chan struct{}),
		dialogs:  make(chan struct{}),
		contexts: make(map[contextKey]jsContext),
	}
	for _, f := range info.Frames {
		t.addFrame(f)
	}
	return t
}

// capabilities is what a level gives over the lanes there are.
func (info tabInfo) capabilities() []string {
	caps := []string{}
	on := make(map[string]bool, len(info.Telemetry))
	for _, kind := range info.Telemetry {
		on[kind] = true
	}
	all := len(info.Telemetry) == 0
	for _, kind := range []string{protocol.CapDOMSnapshot, protocol.CapDOMMutations, protocol.CapUITree, protocol.CapConsole, protocol.CapErrors, protocol.CapState} {
		// Asking for a tree or a snapshot stays possible with its stream off.
		if all || on[kind] || kind == protocol.CapUITree || kind == protocol.CapDOMSnapshot {
			caps = append(caps, kind)
		}
	}
	if info.Level.Allows(protocol.Act) {
		caps = append(caps, protocol.CapInput)
	}
	if info.Level.Allows(protocol.Control) {
		if info.Eval {
			caps = append(caps, protocol.CapEval)
		}
		if info.DebuggerMode != "never" {
			caps = append(caps, protocol.CapDialogs, protocol.CapCDP)
		}
	}
	return caps
}

// source is how the page is reached.
func (info tabInfo) source() protocol.Source {
	if info.Source == "" {
		return protocol.SourceExtension
	}
	return info.Source
}

func (info tabInfo) pageInfo() protocol.PageInfo {
	return protocol.PageInfo{
		URL: info.URL, Title: info.Title, UserAgent: info.UserAgent,
		Source: info.source(), Level: info.Level,
		Capabilities: info.capabilities(), Connected: info.Paused == "",
	}
}

// addFrame notes a frame whose bridge is ready. It reports whether the frame or its document is new.
// The caller holds t.mu, or owns the tab alone.
func (t *Tab) addFrame(info frameInfo) bool {
	f, known := t.frames[info.FrameID]
	if !known {
		f = &frame{id: info.FrameID, short: "main", scale: 1, old: make(map[string]uint64), next: 1}
		if info.FrameID != 0 {
			f.short = "f" + strconv.Itoa(t.nextID)
			t.nextID++
		}
		t.frames[info.FrameID] = f
	}
	f.parent, f.url, f.bridgeless = info.ParentFrameID, info.URL, false
	fresh := !known || f.documentID != info.DocumentID
	f.newDocument(info.DocumentID)
	return fresh
}

// ordered lists the frames, main first, then by age.
func (t *Tab) ordered() []*frame {
	list := make([]*frame, 0, len(t.frames))
	for _, f := range t.frames {
		list = append(list, f)
	}
	sort.Slice(list, func(i, j int) bool {
		if (list[i].id == 0) != (list[j].id == 0) {
			return list[i].id == 0
		}
		if len(list[i].short) != len(list[j].short) {
			return len(list[i].short) < len(list[j].short)
		}
		return list[i].short < list[j].short
	})
	return list
}

// main gives the main frame, if its bridge is ready.
func (t *Tab) main() *frame { return t.frames[0] }
