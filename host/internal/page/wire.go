package page

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// The payloads of the link's operations (docs/protocol.md, "The link").

type tabInfo struct {
	TabID        int            `json:"tabId"`
	URL          string         `json:"url"`
	Title        string         `json:"title"`
	Level        protocol.Level `json:"level"`
	SessionID    string         `json:"sessionId"`
	AnySite      bool           `json:"anySite"`
	Site         string         `json:"site"`      // that was granted; empty of an extension that does not tell
	ExpiresAt    int64          `json:"expiresAt"` // of the grant, ms since 1970; 0: never
	UserAgent    string         `json:"userAgent"`
	DebuggerMode string         `json:"debuggerMode"`
	Eval         bool           `json:"eval"`
	Telemetry    []string       `json:"telemetry"`
	Paused       string         `json:"paused"`
	Frames       []frameInfo    `json:"frames"`

	// Of a browser that is reached over DevTools; absent from the extension.
	Source      protocol.Source `json:"source"`
	OpenerTabID int             `json:"openerTabId"` // the tab that opened it, 0 for none
}

type frameInfo struct {
	TabID         int    `json:"tabId"`
	FrameID       int    `json:"frameId"`
	ParentFrameID int    `json:"parentFrameId"`
	DocumentID    string `json:"documentId"`
	URL           string `json:"url"`
	Reason        string `json:"reason"`
}

type statePayload struct {
	Tabs []tabInfo `json:"tabs"`
}

type tabEvent struct {
	TabID        int     `json:"tabId"`
	NewTabID     int     `json:"newTabId"`
	URL          *string `json:"url"`
	Title        *string `json:"title"`
	Reason       string  `json:"reason"`
	SameDocument bool    `json:"sameDocument"`
	DocumentID   string  `json:"documentId"`
}

type bridgeEvent struct {
	TabID      int              `json:"tabId"`
	FrameID    int              `json:"frameId"`
	DocumentID string           `json:"documentId"`
	First      uint64           `json:"first"`
	Messages   []jsontext.Value `json:"messages"`
}

type bridgeAck struct {
	TabID      int    `json:"tabId"`
	FrameID    int    `json:"frameId"`
	DocumentID string `json:"documentId"`
	UpTo       uint64 `json:"upTo"`
}

type bridgeCall struct {
	TabID      int            `json:"tabId"`
	FrameID    int            `json:"frameId"`
	DocumentID string         `json:"documentId,omitempty"`
	Command    map[string]any `json:"command"`
	TimeoutMs  int64          `json:"timeoutMs"`
}

type bridgeResult struct {
	Result jsontext.Value `json:"result"`
	Effect string         `json:"effect"`
	After  jsontext.Value `json:"after"` // what came of an action beside its effect
}

type cdpSend struct {
	TabID     int    `json:"tabId"`
	SessionID string `json:"sessionId,omitempty"`
	Method    string `json:"method"`
	Params    any    `json:"params,omitempty"`
	TimeoutMs int64  `json:"timeoutMs"`
	Patient   bool   `json:"patient,omitempty"` // a dialog does not fail it: it waits, as it does for Chrome
}

type cdpEvent struct {
	TabID     int            `json:"tabId"`
	SessionID string         `json:"sessionId"`
	Method    string         `json:"method"`
	Params    jsontext.Value `json:"params"`
	Reason    string         `json:"reason"`
	FrameID   *int           `json:"frameId"` // whose script it is about, where that is known
}

// frameReport is what a bridge says of its frame (`frame_info`).
type frameReport struct {
	Index       int          `json:"index"`
	ChildFrames []childFrame `json:"childFrames"`
}

// childFrame is a frame as its parent's bridge sees it.
type childFrame struct {
	Index   int             `json:"index"`
	Bounds  protocol.Bounds `json:"bounds"`
	Scale   float64         `json:"scale"`
	Visible bool            `json:"visible"`
	Order   int             `json:"order"`
	Src     string          `json:"src"`
	Ref     string          `json:"ref"`
}

// shows reports whether the element shows the frame of that index and address.
// Frames inside a shadow root have no index; there the address must do.
func (c childFrame) shows(index int, url string) bool {
	return c.Index == index && (index >= 0 || c.Src != "" && strings.HasSuffix(url, strings.TrimLeft(c.Src, "./")))
}

// scale is other than 1 under a transform.
func (c childFrame) scale() float64 {
	if c.Scale <= 0 {
		return 1
	}
	return c.Scale
}

// treeReport is a bridge's answer to request_ui_tree.
type treeReport struct {
	Items     []protocol.UITreeItem `json:"items"`
	Version   int                   `json:"version"`
	Truncated int                   `json:"truncated"`
	Frame     frameReport           `json:"frame"`

	documentID string // that it is of
}

// decode reads a payload of the extension. Unknown members are ignored, so
// that a newer extension can say more; lone surrogates become U+FFFD.
func decode(data jsontext.Value, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}
