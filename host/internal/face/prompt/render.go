package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

type protocolTarget = protocol.Target

const (
	maxTreeLines = 200
	maxText      = 300
	maxHTML      = 4000
)

// paint colours text, or leaves it where colour is off.
type paint bool

func (p paint) in(code, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p paint) bold(text string) string   { return p.in("1", text) }
func (p paint) dim(text string) string    { return p.in("2", text) }
func (p paint) red(text string) string    { return p.in("31", text) }
func (p paint) green(text string) string  { return p.in("32", text) }
func (p paint) yellow(text string) string { return p.in("33", text) }
func (p paint) cyan(text string) string   { return p.in("36", text) }

// encode writes JSON without HTML escapes.
func encode(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// show makes page text fit on one line.
func show(text string, limit int) string {
	return output.Cut(strings.Join(strings.Fields(pagetext.Line(text)), " "), limit)
}

func (p paint) page(info protocol.PageInfo, current bool) string {
	mark := "  "
	if current {
		mark = "* "
	}
	line := fmt.Sprintf("%s%d  %s  %s  %s", mark, info.PageID, show(info.Title, 60), p.cyan(show(info.URL, 120)), p.dim(string(info.Level)))
	if !info.Connected {
		line += p.yellow("  away")
	}
	return line
}

func (p paint) console(m protocol.Console) string {
	text := show(strings.Join(m.Args, " "), maxText)
	line := "[" + show(m.Level, 10) + "] " + text
	if m.URL != "" {
		line += p.dim(fmt.Sprintf("  %s:%d", show(m.URL, 80), m.Line))
	}
	switch m.Level {
	case "error":
		return p.red(line)
	case "warn":
		return p.yellow(line)
	}
	return line
}

func (p paint) pageError(m protocol.PageError) string {
	text := m.Message
	if text == "" {
		text = m.Reason
	}
	line := p.red("[" + show(m.Type, 20) + "] " + show(text, maxText))
	if m.Filename != "" {
		line += p.dim(fmt.Sprintf("  %s:%d", show(m.Filename, 80), m.Lineno))
	}
	return line
}

// tree renders the visible items, one a line.
func (p paint) tree(items []protocol.UITreeItem) string {
	var b strings.Builder
	hidden, shown := 0, 0
	for _, item := range items {
		if !item.Visible {
			hidden++
			continue
		}
		if shown++; shown > maxTreeLines {
			continue
		}
		b.WriteString(p.item(item) + "\n")
	}
	notes := []string{fmt.Sprintf("%d elements", len(items))}
	if shown > maxTreeLines {
		notes = append(notes, fmt.Sprintf("%d more not listed", shown-maxTreeLines))
	}
	if hidden > 0 {
		notes = append(notes, fmt.Sprintf("%d hidden", hidden))
	}
	b.WriteString(p.dim(strings.Join(notes, ", ")))
	return b.String()
}

func (p paint) item(item protocol.UITreeItem) string {
	line := fmt.Sprintf("%s %s", p.bold(fmt.Sprintf("%-6s", show(item.Ref, 20))), p.cyan(show(item.Role, 30)))
	name := item.Name
	if name == "" {
		name = item.Text
	}
	if name != "" {
		line += fmt.Sprintf(" %q", show(name, 80))
	}
	if item.Value != nil && *item.Value != "" {
		line += fmt.Sprintf(" = %q", show(*item.Value, 60))
	}
	var states []string
	add := func(on bool, word string) {
		if on {
			states = append(states, word)
		}
	}
	add(item.Disabled, "disabled")
	add(item.Checked == true, "checked")
	add(item.Checked == "mixed", "mixed")
	add(item.Expanded != nil && *item.Expanded, "expanded")
	add(item.Expanded != nil && !*item.Expanded, "collapsed")
	add(item.Selected != nil && *item.Selected, "selected")
	add(item.Focused, "focused")
	if len(states) > 0 {
		line += p.dim(" [" + strings.Join(states, " ") + "]")
	}
	return line
}

// result is what a command gave, as sent.
type result struct {
	protocol.Base
	RequestType string                 `json:"requestType"`
	Success     bool                   `json:"success"`
	Result      json.RawMessage        `json:"result"`
	Error       *protocol.CommandError `json:"error"`
	DurationMs  int64                  `json:"durationMs"`
	Effect      string                 `json:"effect"`
	AgentName   string                 `json:"agentName"`
}

// outcome renders the answer to one's own command.
func (p paint) outcome(r result) string {
	if !r.Success {
		return p.failure(r.Error)
	}
	switch r.RequestType {
	case "request_ui_tree":
		var tree struct {
			Items []protocol.UITreeItem `json:"items"`
		}
		if json.Unmarshal(r.Result, &tree) == nil {
			return p.tree(tree.Items)
		}
	case "request_state":
		var state struct {
			States []protocol.StateUpdate `json:"states"`
		}
		if json.Unmarshal(r.Result, &state) == nil {
			return p.states(state.States)
		}
	case "request_dom_snapshot":
		var snapshot protocol.DOMSnapshot
		if json.Unmarshal(r.Result, &snapshot) == nil {
			return p.html(snapshot)
		}
	case "evaluate":
		return p.value(r.Result)
	}
	line := p.green("done")
	if r.Effect != "" && r.Effect != protocol.EffectUnknown {
		line += " " + show(r.Effect, 20)
	}
	return line + p.dim(fmt.Sprintf("  %d ms", r.DurationMs))
}

func (p paint) failure(e *protocol.CommandError) string {
	if e == nil {
		return p.red("failed, and the answer does not say why")
	}
	line := p.red(show(e.Code, 40)+": ") + show(e.Message, maxText)
	if candidates, err := json.Marshal(e.Details["candidates"]); err == nil && e.Details["candidates"] != nil {
		line += "\n  candidates: " + show(string(candidates), maxText)
	}
	for _, suggestion := range e.Suggestions {
		line += "\n" + p.dim("  try: "+show(suggestion, maxText))
	}
	return line
}

func (p paint) value(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "undefined"
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return fmt.Sprintf("%q", output.Cut(pagetext.Line(text), maxHTML))
	}
	return output.Cut(pagetext.Line(string(raw)), maxHTML)
}

func (p paint) states(states []protocol.StateUpdate) string {
	if len(states) == 0 {
		return p.dim("the app tells no state")
	}
	var lines []string
	for _, state := range states {
		lines = append(lines, p.state(state, maxHTML))
	}
	return strings.Join(lines, "\n")
}

func (p paint) state(state protocol.StateUpdate, limit int) string {
	value, err := encode(state.State)
	if err != nil {
		value = []byte("?")
	}
	return p.cyan(show(state.Scope, 40)) + " " + output.Cut(pagetext.Line(string(value)), limit) + p.dim("  "+show(state.Source, 20))
}

func (p paint) html(snapshot protocol.DOMSnapshot) string {
	var lines []string
	cut := output.Cut(snapshot.HTML, maxHTML)
	for line := range strings.SplitSeq(cut, "\n") {
		lines = append(lines, pagetext.Line(line))
	}
	note := fmt.Sprintf("%d bytes", snapshot.Bytes)
	if len(cut) < len(snapshot.HTML) || snapshot.Truncated {
		note += ", the start of it; all with attach --json"
	}
	return strings.Join(lines, "\n") + "\n" + p.dim(note)
}
