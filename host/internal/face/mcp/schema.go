package mcp

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
)

// unlisted are parameters that many commands have: they are taken, and told of once in
// the instructions instead of in every schema.
var unlisted = []string{"page", "timeoutMs", "frame", "file", "overwrite", "showSecrets", "inline", "maxBytes", "world", "waitUntil"}

// listedAll are the commands whose own parameters of those names are what they are about.
var listedAll = []string{"page.use", "page.close", "page.activate"}

// maxEnum is the most values that a schema lists; the error for a wrong one lists them all.
const maxEnum = 8

// words stand in a tool's schema instead of the command line's: shorter, in an agent's
// terms. An empty text leaves the description out.
var words = []struct{ tool, param, text string }{
	// Said once, in the first tool that takes one.
	{"click", "target", `Ref (e12), role and name (button "Save"), CSS or text.`},
	{"", "target", ""},
	{"", "root", "Only inside this target."},
	{"", "element", "Only this target."},
	{"", "limit", ""}, {"", "since", ""}, {"", "before", ""}, {"", "preserved", ""},
	{"", "count", "2: double click."},
	{"", "button", ""}, {"", "modifiers", ""}, {"", "background", ""}, {"", "front", ""},
	{"click", "x", "Px from its left edge."}, {"click", "y", ""},
	{"fill_form", "values", ""},
	{"", "url", ""}, {"new_page", "url", ""},
	{"", "repeat", ""}, {"", "delayMs", ""},
	{"", "quality", ""}, {"", "format", ""}, {"", "fullPage", ""},
	{"scroll", "x", ""}, {"scroll", "y", "Px down."}, {"scroll", "to", ""},
	{"handle_dialog", "accept", ""}, {"handle_dialog", "dismiss", ""}, {"handle_dialog", "text", "Answer to a prompt."},
	{"navigate_page", "back", ""}, {"navigate_page", "forward", ""}, {"navigate_page", "reload", ""},
	{"navigate_page", "ignoreCache", ""}, {"navigate_page", "beforeunload", ""},
	{"navigate_page", "initScript", "Runs before the page's own scripts."},
	{"select_page", "page", ""}, {"close_page", "page", ""}, {"activate_page", "page", ""},
	{"list_network_requests", "url", "Text, glob or /regex/."},
	{"list_network_requests", "type", "xhr, fetch, script, document, …"},
	{"list_network_requests", "method", ""},
	{"list_network_requests", "status", "200, 4xx, error, failed, pending."},
	{"list_console_messages", "level", "And above."},
	{"list_console_messages", "pattern", "Text or /regex/."},
	{"list_console_messages", "types", ""},
	{"list_console_messages", "stack", ""},
	{"get_console_message", "id", ""}, {"get_console_message", "noMap", ""},
	{"get_network_request", "id", ""}, {"get_network_request", "include", ""},
	{"get_css_styles", "properties", ""}, {"get_css_styles", "browser", "The browser's own rules too."},
	{"evaluate_script", "function", "(el) => el.value, called with arg."},
	{"evaluate_script", "expression", "Its value, awaited, is the answer."},
	{"evaluate_script", "arg", "Targets for elements, else JSON."},
	{"evaluate_script", "await", ""}, {"evaluate_script", "depth", ""},
	{"upload_file", "files", "Paths."},
	{"select_option", "values", "Values or labels."},
	{"fill", "value", "Text, date, option's label, true or false."},
	{"find", "text", "In name, text, value or address."}, {"find", "role", ""}, {"find", "name", ""}, {"find", "regex", ""},
	{"take_snapshot", "format", ""}, {"take_snapshot", "diff", "What changed since the last one."},
	{"take_snapshot", "interactiveOnly", "No texts."}, {"take_snapshot", "inView", ""}, {"take_snapshot", "depth", ""},
	{"take_snapshot", "find", "Only branches with this text."}, {"take_snapshot", "full", "Nothing cut."},
	{"take_screenshot", "annotate", "Draw the refs."}, {"take_screenshot", "maxWidth", ""},
	{"wait_for", "text", "Any of these."}, {"wait_for", "gone", "Until none is there."},
	{"type_text", "text", ""}, {"type_text", "submitKey", "Enter, Tab."},
	{"diagnose_layout", "target", "The whole page without one."}, {"diagnose_layout", "severity", "And worse."},
	{"diagnose_layout", "verify", "Try each fix on the page and measure again."}, {"diagnose_layout", "explain", "What places, stacks and cuts it."},
	{"diagnose_layout", "highlight", "Show a person; false ends it."}, {"diagnose_layout", "screenshot", "Image with boxes and labels."},
	{"press_key", "key", "Enter, a, Control+Shift+K."},
}

// left are parameters that a tool takes and does not list: rarely of use to a model.
var left = []struct{ tool, param string }{
	{"evaluate_script", "depth"}, {"evaluate_script", "await"}, {"evaluate_script", "source"},
	{"take_snapshot", "format"}, {"take_snapshot", "depth"}, {"take_screenshot", "quality"},
	{"list_console_messages", "types"}, {"list_console_messages", "stack"}, {"list_console_messages", "before"},
	{"get_console_message", "noMap"}, {"find", "regex"}, {"find", "limit"}, {"type_text", "delayMs"}, {"press_key", "repeat"},
	{"list_network_requests", "before"}, {"list_network_requests", "har"}, {"list_network_requests", "bodies"},
	{"diagnose_layout", "type"}, {"diagnose_layout", "all"}, {"diagnose_layout", "aaa"}, {"diagnose_layout", "limit"},
	{"get_css_styles", "limit"}, {"navigate_page", "beforeunload"}, {"click", "x"}, {"click", "y"}, {"take_screenshot", "format"},
}

// summaries stand instead of a command's own where that is long.
var summaries = []struct{ tool, text string }{
	{"select_page", "Make a page the current one, for tools without page"},
	{"find", "Find elements by text, role or name: the cheap way to a ref"},
	{"take_snapshot", "Read the page as a tree of texts and controls with refs"},
	{"wait_for", "Wait until a text is on the page"},
	{"get_css_styles", "An element's CSS: matching rules, winners, computed values"},
	{"list_console_messages", "List console lines, errors, failed loads"},
	{"handle_dialog", "Answer an open alert, confirm or prompt"},
	{"take_screenshot", "Image of the page or an element"},
}

// schemas of parameters that are JSON.
var schemas = []struct{ tool, param, schema string }{
	{"fill_form", "values", `{"type":"array","items":{"type":"object","properties":{"target":{"type":"string"},"value":{"type":"string"}}}}`},
}

// ending are the commands that take something away for good.
var ending = []string{"page.close", "session.stop", "session.restart", "console.clear"}

// idempotent are the commands that may be run twice to the same end.
var idempotent = []string{"page.use", "page.activate", "page.resize", "element.fill", "element.fill-form", "element.select", "emulation.set", "emulation.reset"}

// appendTool writes a tool as it stands in the list.
func appendTool(b []byte, c *catalog.Command, name string, output bool) []byte {
	b = append(b, `{"name":`...)
	b = appendText(b, name)
	b = append(b, `,"description":`...)
	b = appendText(b, summaryOf(c, name))
	b = append(b, `,"inputSchema":`...)
	b = appendInput(b, c, name)
	if output {
		b = append(b, `,"outputSchema":`...)
		b = appendJSON(b, c.BareOutputSchema())
	}
	if hints := annotations(c); hints != "" {
		b = append(append(b, `,"annotations":`...), hints...)
	}
	return append(b, '}')
}

func summaryOf(c *catalog.Command, name string) string {
	for _, row := range summaries {
		if row.tool == name {
			return row.text
		}
	}
	return strings.TrimSuffix(parameterWords(c.Summary), ".")
}

// annotations tell what differs from the protocol's defaults.
func annotations(c *catalog.Command) string {
	switch {
	case c.Effect == catalog.Read:
		return `{"readOnlyHint":true}`
	case in(ending, c.Name):
		return ""
	case in(idempotent, c.Name):
		return `{"destructiveHint":false,"idempotentHint":true}`
	}
	return `{"destructiveHint":false}`
}

func appendInput(b []byte, c *catalog.Command, name string) []byte {
	b = append(b, `{"type":"object","properties":{`...)
	var required []string
	first := true
	for _, f := range c.Fields() {
		if !listed(c, name, f) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendText(b, f.Name), ':')
		b = appendField(b, name, f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	b = append(b, '}')
	if required != nil {
		b = append(b, `,"required":`...)
		b = appendJSON(b, required)
	}
	return append(b, '}')
}

// listed reports a parameter that the schema names.
func listed(c *catalog.Command, name string, f catalog.Field) bool {
	switch {
	case f.Required:
		return true
	case in(unlisted, f.Name):
		return in(listedAll, c.Name)
	case f.Local:
		return false
	}
	for _, row := range left {
		if row.tool == name && row.param == f.Name {
			return false
		}
	}
	return true
}

func appendField(b []byte, tool string, f catalog.Field) []byte {
	for _, row := range schemas {
		if row.tool == tool && row.param == f.Name {
			return append(b, row.schema...)
		}
	}
	enum := f.Enum
	if len(enum) > maxEnum {
		enum = nil
	}
	switch f.Kind {
	case catalog.Strings:
		b = append(b, `{"type":"array","items":{"type":"string"`...)
		if enum != nil {
			b = appendJSON(append(b, `,"enum":`...), enum)
		}
		b = append(b, '}')
	case catalog.JSON:
		if f.List {
			b = append(b, `{"type":"array","items":{"type":"object"}`...)
		} else {
			b = append(b, `{"type":"object"`...)
		}
	default:
		b = append(append(append(b, `{"type":"`...), f.Kind...), '"')
		if enum != nil {
			b = appendJSON(append(b, `,"enum":`...), enum)
		}
	}
	if doc := docOf(tool, f); doc != "" {
		b = appendText(append(b, `,"description":`...), doc)
	}
	return append(b, '}')
}

// docOf is a parameter's description, the tool's own words before those for all tools.
func docOf(tool string, f catalog.Field) string {
	doc, own := strings.TrimSuffix(parameterWords(f.Doc), "."), false
	for _, row := range words {
		if row.param == f.Name && (row.tool == tool || row.tool == "" && !own) {
			doc, own = strings.TrimSuffix(row.text, "."), row.tool == tool
			if own {
				break
			}
		}
	}
	return doc
}

func in(list []string, word string) bool {
	for _, item := range list {
		if item == word {
			return true
		}
	}
	return false
}

func appendText(b []byte, text string) []byte {
	out, err := jsontext.AppendQuote(b, text)
	if err != nil { // not UTF-8; the catalogue is
		return append(b, `""`...)
	}
	return out
}

func appendJSON(b []byte, value any) []byte {
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return append(b, `{}`...)
	}
	return append(b, data...)
}
