// Package recording is the file of a recording (.dbr): a zip of a manifest, one timeline,
// the page as rrweb events, bodies and pictures. Everything in it has been through
// redact before it was written.
package recording

import "time"

// Names of the parts of a file.
const (
	ManifestName = "manifest.json"
	TimelineName = "timeline.jsonl" // Entry a line, in order of At
	PageName     = "page.jsonl"     // rrweb event a line, as rrweb made it (timestamp: ms since 1970)
	BodiesDir    = "bodies/"        // request and response bodies, as Entry names them
	ShotsDir     = "shots/"         // pictures at marks
)

// Format and Version are of the manifest; a reader refuses a higher version.
const (
	Format  = "debug-bridge-recording"
	Version = 1
)

// Manifest says what is in the file.
type Manifest struct {
	Format    string           `json:"format"`
	Version   int              `json:"version"`
	Made      string           `json:"made"` // dbridge and its version
	Browser   string           `json:"browser,omitempty"`
	URL       string           `json:"url"` // at the start
	Title     string           `json:"title,omitempty"`
	Note      string           `json:"note,omitempty"` // what the person or agent said it shows
	Viewport  Viewport         `json:"viewport"`
	Started   time.Time        `json:"started"`
	Ended     time.Time        `json:"ended"`
	Counts    map[string]int   `json:"counts"` // entries by kind
	Parts     map[string]int64 `json:"parts"`  // name → bytes, uncompressed
	LeftOut   map[string]int   `json:"leftOut,omitempty"`
	Redacted  int              `json:"redacted"`
	FromRing  bool             `json:"fromRing,omitzero"` // made after the fact, of what was kept
	Navigated int              `json:"navigated,omitzero"`
}

// Viewport is in CSS px.
type Viewport struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Scale  float64 `json:"scale"`
}

// Kinds of entries.
const (
	KindAction     = "action"     // a command of the catalogue, of an agent or of the person
	KindConsole    = "console"    //
	KindError      = "error"      // uncaught error or rejection
	KindNetwork    = "network"    // one request, told when it is over (or when the recording ends)
	KindState      = "state"      // state_update, with state or patch
	KindNavigation = "navigation" //
	KindDialog     = "dialog"     //
	KindDownload   = "download"   //
	KindMark       = "mark"       //
)

// Entry is one line of the timeline. Fields that a kind has no use for are left out.
type Entry struct {
	At   int64  `json:"at"` // ms since Started
	Kind string `json:"kind"`
	// ID is the id of the console line or request in the daemon's stores, the request id of an agent's command.
	ID string `json:"id,omitempty"`

	// Action.
	Command string         `json:"command,omitempty"` // element.click
	Params  map[string]any `json:"params,omitempty"`  // as the catalogue takes them; targets by role and name or selector, never by ref alone
	By      string         `json:"by,omitempty"`      // person or agent
	Effect  string         `json:"effect,omitempty"`
	Code    string         `json:"code,omitempty"` // fault code where it failed

	// Console, error, mark, dialog.
	Level  string `json:"level,omitempty"`
	Text   string `json:"text,omitempty"`
	Source string `json:"source,omitempty"` // file:line:column; of state the library

	// Network, navigation, download.
	Method       string  `json:"method,omitempty"`
	URL          string  `json:"url,omitempty"`
	Title        string  `json:"title,omitempty"`
	Status       int     `json:"status,omitzero"`
	Type         string  `json:"type,omitempty"`
	Ms           float64 `json:"ms,omitzero"`
	Failure      string  `json:"failure,omitempty"`
	RequestBody  string  `json:"requestBody,omitempty"`  // name of a part
	ResponseBody string  `json:"responseBody,omitempty"` // name of a part

	// State: whole, or a patch (RFC 6902) against the one before.
	Scope string `json:"scope,omitempty"`
	State any    `json:"state,omitempty"`
	Patch any    `json:"patch,omitempty"`

	Picture string `json:"picture,omitempty"` // name of a part
}
