// Package protocol holds the messages of protocol v1: types only, no I/O.
//
// It is the single source of extension/src/protocol/generated.ts and of
// docs/protocol.md (`make gen`); a test fails when they drift. JSON names are
// lowerCamelCase. Field comments live in `doc` tags because they are shown to
// readers of the generated files too.
package protocol

// Version is the protocol version on every message.
const Version = 1

// Subprotocols of the WebSocket endpoint.
const (
	Subprotocol            = "debug-bridge.v1"
	TokenSubprotocolPrefix = "debug-bridge.token."
)

// DefaultSession is the session used when a peer names none.
const DefaultSession = "default"

// Origin says who wrote a message. The host sets it; a peer cannot forge it.
type Origin string

// The origins.
const (
	OriginApp   Origin = "app"
	OriginAgent Origin = "agent"
	OriginHost  Origin = "host"
)

// Base is on every message.
type Base struct {
	ProtocolVersion int    `json:"protocolVersion" doc:"Always 1."`
	Type            string `json:"type" doc:"What the message is."`
	SessionID       string `json:"sessionId,omitempty" doc:"Logical group of pages and agents, [A-Za-z0-9._-]{1,64}."`
	Origin          Origin `json:"origin,omitempty" doc:"Who wrote it: app, agent or host."`
	Timestamp       int64  `json:"timestamp" doc:"When it was made, ms since the epoch."`
	Seq             uint64 `json:"seq,omitempty" doc:"Position in the session's event log; gapless, from 1. Absent on messages for one agent only."`
	PageID          int    `json:"pageId,omitempty" doc:"The page (tab) meant."`
	FrameID         string `json:"frameId,omitempty" doc:"main, or a child frame's id (f1, f2, …)."`
	RequestID       string `json:"requestId,omitempty" doc:"On commands, and echoed on everything that answers them."`
	Stripped        int    `json:"stripped,omitempty" doc:"How many hidden characters (controls, bidi, zero-width, tags) were taken out of its page text. Set by the host."`
}

// Message is any protocol message; all embed Base.
type Message interface{ Header() *Base }

// Header gives access to the common fields.
func (b *Base) Header() *Base { return b }

// Level of consent, each holding the one before.
type Level string

// The levels, granted per tab by the person in the popup.
const (
	Observe Level = "observe"
	Act     Level = "act"
	Control Level = "control"
)

// Rank orders the levels: observe 1, act 2, control 3, anything else 0.
func (l Level) Rank() int {
	switch l {
	case Observe:
		return 1
	case Act:
		return 2
	case Control:
		return 3
	}
	return 0
}

// Allows reports whether the level includes needed.
func (l Level) Allows(needed Level) bool { return l.Rank() >= needed.Rank() && l.Rank() > 0 }

// Source says how a page is attached.
type Source string

// The sources.
const (
	SourceExtension Source = "extension"
	SourceManaged   Source = "managed"
	SourceRemote    Source = "remote"
	SourceSDK       Source = "sdk"
)

// Message types from the host about connections.
const (
	TypeWelcome         = "welcome"
	TypeHello           = "hello"
	TypeCapabilities    = "capabilities"
	TypeAppConnected    = "app_connected"
	TypeAppDisconnected = "app_disconnected"
	TypePageNavigated   = "page_navigated"
	TypeGap             = "gap"
	TypeHostError       = "host_error"
	TypeCommandResult   = "command_result"
	TypeCancel          = "cancel"
)

// PageInfo describes one page.
type PageInfo struct {
	PageID       int      `json:"pageId" doc:"Id of the page, unique while the daemon runs."`
	AppName      string   `json:"appName,omitempty" doc:"Given by the app's own SDK. Page text."`
	AppVersion   string   `json:"appVersion,omitempty" doc:"Given by the app's own SDK. Page text."`
	URL          string   `json:"url" doc:"Address of the main frame. Page text."`
	Title        string   `json:"title" doc:"Title of the document. Page text."`
	UserAgent    string   `json:"userAgent" doc:"The browser's user agent string. Page text."`
	Source       Source   `json:"source" doc:"extension, managed, remote or sdk."`
	Level        Level    `json:"level" doc:"observe, act or control."`
	Capabilities []string `json:"capabilities" doc:"What the page can do; see the capabilities message."`
	Connected    bool     `json:"connected" doc:"False while the page's browser is away; commands then fail at once."`
}

// Welcome is the first message to an agent (and the answer to an app's hello).
type Welcome struct {
	Base
	HostVersion string     `json:"hostVersion" doc:"Version of the daemon."`
	AgentID     string     `json:"agentId" doc:"Id of this connection."`
	Epoch       string     `json:"epoch" doc:"Random, new at each daemon start. Give it back with since."`
	FirstSeq    uint64     `json:"firstSeq" doc:"Oldest event the log still holds."`
	LastSeq     uint64     `json:"lastSeq" doc:"Newest event of the log, 0 when empty."`
	Pages       []PageInfo `json:"pages" doc:"Pages of the session now."`
}

// Hello introduces a page.
type Hello struct {
	Base
	AppName    string `json:"appName,omitempty" doc:"Given by the app's own SDK. Page text."`
	AppVersion string `json:"appVersion,omitempty" doc:"Given by the app's own SDK. Page text."`
	URL        string `json:"url" doc:"Address of the main frame. Page text."`
	Title      string `json:"title" doc:"Title of the document. Page text."`
	UserAgent  string `json:"userAgent" doc:"The browser's user agent string. Page text."`
	Source     Source `json:"source" doc:"extension, managed, remote or sdk."`
	Level      Level  `json:"level" doc:"observe, act or control."`
	AppID      string `json:"appId,omitempty" doc:"role=app only: random id that a reconnect repeats."`
}

// The capabilities of a page.
const (
	CapDOMSnapshot  = "dom_snapshot"
	CapDOMMutations = "dom_mutations"
	CapUITree       = "ui_tree"
	CapConsole      = "console"
	CapErrors       = "errors"
	CapState        = "state"
	CapEval         = "eval"
	CapInput        = "input"
	CapNetwork      = "network"
	CapTrace        = "trace"
	CapEmulation    = "emulation"
	CapScreenshot   = "screenshot"
	CapDialogs      = "dialogs"
	CapDownloads    = "downloads"
	CapWebMCP       = "webmcp"
	CapCDP          = "cdp"
)

// Capabilities lists what a page can do; what is absent is refused with CAPABILITY_MISSING.
type Capabilities struct {
	Base
	Capabilities []string `json:"capabilities" doc:"Out of dom_snapshot dom_mutations ui_tree console errors state eval input network trace emulation screenshot dialogs downloads webmcp cdp."`
}

// AppConnected says that a page came, or came back.
type AppConnected struct {
	Base
}

// The reasons of app_disconnected.
const (
	ReasonClosed                = "closed"
	ReasonCrashed               = "crashed"
	ReasonDetachedByUser        = "detached_by_user"
	ReasonReplacedByDevtools    = "replaced_by_devtools"
	ReasonNavigatedToRestricted = "navigated_to_restricted"
	ReasonLeftSite              = "left_site"
	ReasonDiscarded             = "discarded"
	ReasonExtensionGone         = "extension_gone"
)

// AppDisconnected says that a page is away.
type AppDisconnected struct {
	Base
	Reason string `json:"reason" doc:"closed, crashed, detached_by_user, replaced_by_devtools, navigated_to_restricted, left_site, discarded (asleep; navigate wakes it) or extension_gone."`
}

// PageNavigated says that the main frame has a new address.
type PageNavigated struct {
	Base
	URL          string `json:"url" doc:"The new address. Page text."`
	SameDocument bool   `json:"sameDocument" doc:"True for history and fragment changes: refs stay valid."`
}

// The reasons of gap.
const (
	GapExpired      = "expired"
	GapEpochChanged = "epoch_changed"
	GapOverflow     = "overflow"
)

// Gap says exactly which events an agent cannot get any more.
type Gap struct {
	Base
	Reason  string            `json:"reason" doc:"expired, epoch_changed or overflow."`
	FromSeq uint64            `json:"fromSeq" doc:"First missing event."`
	ToSeq   *uint64           `json:"toSeq" doc:"Last missing event; null when the epoch changed."`
	Dropped map[string]uint64 `json:"dropped" doc:"Count of missing events by type; the values add up to toSeq-fromSeq+1."`
}

// HostError is the host's own error; error is the page's telemetry.
type HostError struct {
	Base
	Code        string   `json:"code" doc:"Error code; see docs/errors.md."`
	Message     string   `json:"message" doc:"What is wrong."`
	Suggestions []string `json:"suggestions" doc:"What to do next."`
}

// CommandError is why a command failed.
type CommandError struct {
	Code        string         `json:"code" doc:"Error code; see docs/errors.md."`
	Message     string         `json:"message" doc:"What is wrong. May quote page text."`
	Details     map[string]any `json:"details,omitempty" doc:"Facts to act on, e.g. candidates. May hold page text."`
	Suggestions []string       `json:"suggestions" doc:"What to do next."`
	Retryable   bool           `json:"retryable" doc:"True when the same command may simply be sent again."`
}

// The effects of a command.
const (
	EffectChanged   = "changed"
	EffectNoop      = "noop"
	EffectNavigated = "navigated"
	EffectUnknown   = "unknown"
)

// CommandResult is the one answer to a command, told to every agent of the session.
type CommandResult struct {
	Base
	RequestType string        `json:"requestType" doc:"Type of the command."`
	Success     bool          `json:"success" doc:"Whether it was done."`
	Result      any           `json:"result,omitempty" doc:"What it gave, a JSON value. May hold page text."`
	Error       *CommandError `json:"error,omitempty" doc:"Why it failed."`
	DurationMs  int64         `json:"durationMs" doc:"From receipt to result, ms."`
	Effect      string        `json:"effect" doc:"changed, noop, navigated or unknown."`
	Via         string        `json:"via,omitempty" doc:"Lane taken: bridge (content script) or cdp (debugger)."`
	AgentID     string        `json:"agentId,omitempty" doc:"Connection that sent the command."`
	AgentName   string        `json:"agentName,omitempty" doc:"Name of the token that sent the command."`
	Warnings    []string      `json:"warnings,omitempty" doc:"What the agent should know of the command beside its result. May quote page text. May quote page text. May quote page text."`
	Repeated    bool          `json:"repeated,omitempty" doc:"True on a result given again for a repeated requestId."`
}
