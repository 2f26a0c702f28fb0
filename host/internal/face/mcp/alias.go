package mcp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// renamed are the leading server's names of parameters (chrome-devtools-mcp 1.11), so
// that prompts written for it work unchanged. A row counts where the command has `to`
// and not `from`; the first that fits is taken. The schemas do not list them.
var renamed = []struct{ from, to string }{
	{"uid", "target"}, {"uid", "element"}, {"uid", "root"}, {"from_uid", "target"}, {"to_uid", "to"},
	{"filePath", "file"}, {"filePath", "files"}, {"filePaths", "files"}, {"sourcePath", "source"},
	{"msgid", "id"}, {"reqid", "id"}, {"requestId", "id"},
	{"resourceTypes", "type"}, {"includePreservedMessages", "preserved"}, {"includePreservedRequests", "preserved"}, {"includeStackTraces", "stack"},
	{"promptText", "text"}, {"handleBeforeUnload", "beforeunload"}, {"bringToFront", "front"},
	{"cpuThrottlingRate", "cpu"}, {"prefersContrast", "contrast"}, {"prefersReducedMotion", "reducedMotion"}, {"networkConditions", "network"},
	{"insightSetId", "set"}, {"insightName", "name"}, {"verbose", "full"}, {"script", "expression"}, {"args", "arg"},
	{"toolName", "name"}, {"input", "args"},
	{"fields", "values"}, {"elements", "values"}, {"ref", "target"}, {"selector", "target"},
}

// converted are those of which more than the name is another.
var converted = []struct {
	tool, param string
	convert     func(a *args, value jsontext.Value) error
}{
	{"", "pageId", func(a *args, v jsontext.Value) error { a.given["page"] = v; return nil }},
	{"", "timeout", func(a *args, v jsontext.Value) error { a.given["timeoutMs"] = v; return nil }},
	{"", "includeSnapshot", func(a *args, v jsontext.Value) error { a.snapshot = wordOf(v) == "true"; return nil }},
	{"", "waitForStableDom", ignore}, // actions and scripts are waited for anyway
	{"", "dblClick", func(a *args, v jsontext.Value) error {
		if wordOf(v) == "true" {
			a.set("count", 2)
		}
		return nil
	}},
	{"", "pageSize", func(a *args, v jsontext.Value) error { return a.pages("pageSize", v) }},
	{"", "pageIdx", func(a *args, v jsontext.Value) error { return a.pages("pageIdx", v) }},
	{"navigate_page", "type", func(a *args, v jsontext.Value) error {
		if word := wordOf(v); word != "url" {
			a.set(word, true)
			delete(a.given, "url")
		}
		return nil
	}},
	{"handle_dialog", "action", func(a *args, v jsontext.Value) error { a.set(wordOf(v), true); return nil }},
	{"list_console_messages", "types", func(a *args, v jsontext.Value) error {
		a.given["types"] = consoleTypes(v)
		return nil
	}},
	{"emulate", "viewport", func(a *args, v jsontext.Value) error { a.given["viewport"] = quoted(viewport(wordOf(v))); return nil }},
	{"emulate", "geolocation", func(a *args, v jsontext.Value) error {
		a.given["geolocation"] = quoted(strings.Replace(wordOf(v), "x", ",", 1))
		return nil
	}},
	{"emulate", "network", func(a *args, v jsontext.Value) error {
		a.given["network"] = quoted(strings.ReplaceAll(strings.ToLower(wordOf(v)), " ", "-"))
		return nil
	}},
	{"emulate", "extraHttpHeaders", headers},
	{"evaluate_script", "format", format},
	{"evaluate_script", "arg", elements},
	{"fill_form", "values", fields},
	{"get_network_request", "requestFilePath", func(a *args, v jsontext.Value) error { return a.body("requestBody", v) }},
	{"get_network_request", "responseFilePath", func(a *args, v jsontext.Value) error { return a.body("responseBody", v) }},
	{"audit_page", "mode", func(a *args, v jsontext.Value) error {
		a.set("reload", wordOf(v) == "navigation")
		return nil
	}},
}

func ignore(*args, jsontext.Value) error { return nil }

// translate puts our names and values in the place of the leading server's.
func (a *args) translate(tool string) error {
	if c := a.command; c.Tool != "" {
		tool = c.Tool // whatever it was called by
	}
	_, wholeRequest := a.given["reqid"]
	for _, row := range renamed {
		if value, ok := a.given[row.from]; ok && !a.has(row.from) && a.has(row.to) {
			delete(a.given, row.from)
			if _, both := a.given[row.to]; !both {
				a.given[row.to] = value
			}
		}
	}
	if tool == "get_network_request" && wholeRequest {
		a.set("include", []string{"headers", "requestBody", "responseBody"})
	}
	for _, row := range converted {
		if row.tool != "" && row.tool != tool || row.tool == "" && a.has(row.param) {
			continue
		}
		value, ok := a.given[row.param]
		if !ok {
			continue
		}
		if !a.has(row.param) {
			delete(a.given, row.param)
		}
		if err := row.convert(a, value); err != nil {
			return err
		}
	}
	return nil
}

// pages makes a limit of a page's number and size: earlier pages come along.
func (a *args) pages(name string, value jsontext.Value) error {
	if !a.has("limit") {
		a.given[name] = value
		return nil
	}
	number, err := strconv.Atoi(wordOf(value))
	if err != nil || number < 0 || number > 10_000 {
		return fault.New(fault.ValidationError, "%s is %s, not a whole number", name, value).Suggest("Give limit instead.")
	}
	if name == "pageSize" {
		a.set("limit", number)
		return nil
	}
	size := 30
	if limit, ok := a.given["limit"]; ok && number > 0 {
		if size, err = strconv.Atoi(wordOf(limit)); err != nil {
			return nil // Decode says it
		}
	}
	if number > 0 {
		delete(a.given, "limit")
		a.set("limit", size*(number+1))
	}
	return nil
}

// body has a request's body written to a file.
func (a *args) body(which string, value jsontext.Value) error {
	if _, ok := a.given["file"]; ok {
		return fault.New(fault.ValidationError, "one call writes one body").Suggest(`get_network_request {"id":…,"include":["` + which + `"],"file":` + string(value) + `}`)
	}
	a.given["file"] = value
	delete(a.given, "include")
	a.set("include", []string{which})
	return nil
}

// viewport makes 390x844@3,mobile of 390x844x3,mobile.
func viewport(text string) string {
	size, flags, more := strings.Cut(text, ",")
	if parts := strings.Split(size, "x"); len(parts) == 3 {
		size = parts[0] + "x" + parts[1] + "@" + parts[2]
	}
	if more {
		size += "," + flags
	}
	return size
}

// headers makes a list of "Name: value" of an object, which may stand in a string.
func headers(a *args, value jsontext.Value) error {
	given := map[string]string{}
	if err := json.Unmarshal(loosely("json", value), &given); err != nil {
		return fault.New(fault.ValidationError, "extraHttpHeaders is no object of strings").Suggest(`emulate {"header":["Name: value"]}`)
	}
	list := []string{}
	for name, text := range given {
		list = append(list, name+": "+text)
	}
	slices.Sort(list)
	a.set("header", list)
	return nil
}

// format says whether `function` holds a script.
func format(a *args, value jsontext.Value) error {
	if text, ok := a.given["function"]; ok && wordOf(value) == "script" {
		delete(a.given, "function")
		if _, both := a.given["expression"]; !both {
			a.given["expression"] = text
		}
	}
	return nil
}

// elements takes {uid} for an element and any JSON for a value.
func elements(a *args, value jsontext.Value) error {
	var list []jsontext.Value
	if json.Unmarshal(value, &list) != nil {
		return nil // one value alone, or Decode says what is wrong
	}
	out := make([]string, len(list))
	for i, item := range list {
		var named struct {
			UID string `json:"uid"`
		}
		if item.Kind() == '{' && json.Unmarshal(item, &named) == nil && named.UID != "" {
			out[i] = named.UID
		} else {
			out[i] = wordOf(item)
		}
	}
	delete(a.given, "arg")
	a.set("arg", out)
	return nil
}

// fields takes {uid, value} for {target, value}.
func fields(a *args, value jsontext.Value) error {
	var list []map[string]jsontext.Value
	if json.Unmarshal(loosely("json", value), &list) != nil {
		return nil // an object of targets and values, or Decode says what is wrong
	}
	for _, row := range list {
		for _, name := range []string{"uid", "ref", "selector"} {
			if target, ok := row[name]; ok {
				delete(row, name)
				row["target"] = target
			}
		}
	}
	delete(a.given, "values")
	a.set("values", list)
	return nil
}

// consoleTypes are kinds of lines: who asks for errors means those that nobody caught, too.
func consoleTypes(value jsontext.Value) jsontext.Value {
	var list []string
	if json.Unmarshal(loosely("strings", value), &list) != nil {
		return value
	}
	out := []string{}
	for _, word := range list {
		switch word {
		case "verbose":
			out = append(out, "debug")
		case "error":
			out = append(out, "error", "exception", "rejection", "browser", "network")
		default:
			out = append(out, word)
		}
	}
	data, err := json.Marshal(out)
	if err != nil {
		return value
	}
	return data
}
