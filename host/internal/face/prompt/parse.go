// Package prompt is `dbridge attach` for people: words in, readable lines out.
//
// Parse turns a line into a protocol command and is pure; Run owns the
// terminal. Text that comes from a page is cleaned before it is shown.
package prompt

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Command is a protocol command as the prompt writes it.
type Command struct {
	Type      string           `json:"type"`
	RequestID string           `json:"requestId,omitempty"`
	PageID    int              `json:"pageId,omitempty"`
	Target    *protocol.Target `json:"target,omitempty"`
	Button    string           `json:"button,omitempty"`
	Count     int              `json:"count,omitempty"`
	Text      *string          `json:"text,omitempty"`
	Clear     bool             `json:"clear,omitempty"`
	Value     string           `json:"value,omitempty"`
	Values    []string         `json:"values,omitempty"`
	X         *float64         `json:"x,omitempty"`
	Y         *float64         `json:"y,omitempty"`
	To        string           `json:"to,omitempty"`
	URL       string           `json:"url,omitempty"`
	Back      bool             `json:"back,omitempty"`
	Forward   bool             `json:"forward,omitempty"`
	Reload    bool             `json:"reload,omitempty"`
	Code      string           `json:"code,omitempty"`
	Scope     string           `json:"scope,omitempty"`
}

// Line is what one line of the prompt means: a command, raw JSON, or something done here. A zero Line is an empty line.
type Line struct {
	Command *Command
	Raw     []byte
	Local   string // help, quit, pages, page, console or errors
	Word    string // of help
	Number  int    // of page, console and errors
}

// word is one word of a line, and where the rest of the line begins.
type word struct {
	text   string
	quoted bool
	end    int
}

// verb declares one word of the prompt.
type verb struct {
	name    string
	aliases []string
	usage   string
	about   string
	target  bool // its first argument is a target
	parse   func(v *verb, rest string) (Line, error)
}

var refPattern = lazy.MustCompile(`^(f[0-9]+)?e[0-9]+$`)

// roles that may stand before a quoted name: click button "Save".
var roles = []string{
	"alert", "article", "button", "cell", "checkbox", "columnheader", "combobox", "dialog", "grid", "gridcell", "group",
	"heading", "img", "link", "list", "listbox", "listitem", "menu", "menubar", "menuitem", "menuitemcheckbox",
	"menuitemradio", "navigation", "option", "progressbar", "radio", "radiogroup", "region", "row", "rowheader",
	"scrollbar", "search", "searchbox", "slider", "spinbutton", "switch", "tab", "table", "tablist", "tabpanel",
	"textbox", "toolbar", "tooltip", "tree", "treegrid", "treeitem",
}

// Parse reads one line. Its errors are VALIDATION_ERROR with the right form as suggestion.
func Parse(line string) (Line, error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return Line{}, nil
	}
	if line[0] == '{' {
		if !json.Valid([]byte(line)) {
			return Line{}, fault.New(fault.ValidationError, "this is not valid JSON").Suggest(`Write one JSON object: {"type":"request_ui_tree"}`, "Or words: help shows them.")
		}
		return Line{Raw: bytes.Clone([]byte(line))}, nil
	}
	name, rest, _ := strings.Cut(line, " ")
	found := find(name)
	if found == nil {
		f := fault.New(fault.ValidationError, "there is no command %q", name)
		if near := output.Nearest(name, names()); near != "" {
			return Line{}, f.Suggest("Did you mean "+near+"?", "help shows all commands.")
		}
		return Line{}, f.Suggest("help shows all commands.")
	}
	return found.parse(found, strings.TrimSpace(rest))
}

func find(name string) *verb {
	name = strings.ToLower(name)
	for i := range verbs {
		if verbs[i].name == name || slices.Contains(verbs[i].aliases, name) {
			return &verbs[i]
		}
	}
	return nil
}

func names() []string {
	var all []string
	for _, v := range verbs {
		all = append(all, v.name)
	}
	return all
}

func (v *verb) wrong(format string, args ...any) *fault.Error {
	return fault.New(fault.ValidationError, format, args...).Suggest("Write: " + v.usage)
}
