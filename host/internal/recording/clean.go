package recording

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Kinds of rrweb events that begin something.
const (
	eventFull = 2
	eventMeta = 4
)

// PageEvent is one rrweb event without secrets.
type PageEvent struct {
	Data   []byte
	At     time.Time
	Kind   int
	Masked int // strings that were changed
}

// Clean reads rrweb events, one a line, and masks what they hold of secrets: in
// addresses, in fields whose name says so, in text. Lines that are no events are
// counted as bad.
func Clean(lines string) (events []PageEvent, bad int) {
	if len(lines) > maxPiece {
		return nil, 1
	}
	for line := range strings.SplitSeq(lines, "\n") {
		if line == "" {
			continue
		}
		var event map[string]any
		if json.Unmarshal([]byte(line), &event, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) != nil {
			bad++
			continue
		}
		kind, known := event["type"].(float64)
		at, timed := event["timestamp"].(float64)
		if !known || !timed {
			bad++
			continue
		}
		c := cleaner{}
		for key, value := range event {
			event[key] = c.node(key, value)
		}
		data := []byte(line)
		if c.masked > 0 {
			var err error
			if data, err = json.Marshal(event, jsontext.AllowInvalidUTF8(true), json.Deterministic(true)); err != nil {
				bad++
				continue
			}
		}
		events = append(events, PageEvent{Data: data, At: time.UnixMilli(int64(at)), Kind: int(kind), Masked: c.masked})
	}
	return events, bad
}

// cleaner counts what it masks.
type cleaner struct{ masked int }

func (c *cleaner) put(before, after string) string {
	if before != after {
		c.masked++
	}
	return after
}

// addressed are attributes and members that hold an address.
var addressed = map[string]bool{"href": true, "src": true, "action": true, "formaction": true, "poster": true, "data": true, "rr_src": true, "cite": true, "xlink:href": true}

// styled are those that hold styles, where a secret's name is a colour's more often than a secret's.
var styled = map[string]bool{"style": true, "_cssText": true, "srcset": true, "cssText": true, "rule": true, "class": true, "d": true}

// node cleans what rrweb says of the document. key is the member's name.
func (c *cleaner) node(key string, value any) any {
	switch v := value.(type) {
	case string:
		return c.text(key, v)
	case []any:
		for i := range v {
			v[i] = c.node(key, v[i])
		}
	case map[string]any:
		style := v["isStyle"] == true || v["tagName"] == "style"
		for name, member := range v {
			attributes, ok := member.(map[string]any)
			switch {
			case name == "attributes" && ok:
				c.attributes(attributes)
			case style && name == "textContent":
				v[name] = c.node("cssText", member)
			case style && name == "childNodes":
				v[name] = c.styleText(member)
			default:
				v[name] = c.node(name, member)
			}
		}
	}
	return value
}

// styleText cleans the text in a style element.
func (c *cleaner) styleText(children any) any {
	list, _ := children.([]any)
	for _, child := range list {
		if m, ok := child.(map[string]any); ok {
			if text, ok := m["textContent"].(string); ok {
				m["textContent"] = c.text("cssText", text)
			}
		}
	}
	return children
}

func (c *cleaner) attributes(attributes map[string]any) {
	secret := false
	for _, key := range []string{"name", "id", "property", "http-equiv"} {
		if name, ok := attributes[key].(string); ok && redact.Name(name) {
			secret = true
		}
	}
	for key, value := range attributes {
		text, ok := value.(string)
		if !ok {
			attributes[key] = c.node(key, value) // styles that changed
			continue
		}
		switch {
		case secret && (key == "value" || key == "content") && text != "",
			strings.HasPrefix(key, "data-") && redact.Name(key[len("data-"):]) && text != "" && text != "true" && text != "false":
			attributes[key] = c.put(text, redact.Mark)
		default:
			attributes[key] = c.text(key, text)
		}
	}
}

func (c *cleaner) text(key, text string) string {
	switch {
	case len(text) < 4:
		return text
	case addressed[key]:
		return c.put(text, redact.Text(redact.URL(text)))
	case styled[key]:
		return c.put(text, redact.Code(text))
	}
	return c.put(text, redact.Text(text))
}

// data cleans a JSON value: by the names of its members, and by the looks of its text.
func (c *cleaner) data(value any) any {
	switch v := value.(type) {
	case string:
		return c.put(v, redact.Text(v))
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = c.data(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, member := range v {
			switch member.(type) {
			case string, float64, int64, int:
				if redact.Name(key) && member != "" {
					c.masked++
					out[key] = redact.Mark
					continue
				}
			}
			out[key] = c.data(member)
		}
		return out
	}
	return value
}

// cleanEntry masks the secrets of an entry, in place, and counts them.
func cleanEntry(e *Entry) int {
	c := cleaner{}
	for _, text := range []*string{&e.Text, &e.Source, &e.Title, &e.Failure} {
		*text = c.put(*text, redact.Text(*text))
	}
	e.URL = c.put(e.URL, redact.URL(e.URL))
	if e.Params != nil {
		e.Params, _ = c.data(e.Params).(map[string]any)
	}
	e.State, e.Patch = c.data(e.State), c.patch(e.Patch)
	return c.masked
}

// patch cleans a JSON Patch: the last word of a path names the value.
func (c *cleaner) patch(patch any) any {
	list, ok := patch.([]any)
	if !ok {
		return c.data(patch)
	}
	out := make([]any, 0, len(list))
	for _, op := range list {
		step, ok := c.data(op).(map[string]any)
		if !ok {
			continue
		}
		path, _ := step["path"].(string)
		switch step["value"].(type) {
		case string, float64:
			if redact.Name(path[strings.LastIndexByte(path, '/')+1:]) {
				c.masked++
				step["value"] = redact.Mark
			}
		}
		out = append(out, step)
	}
	return out
}
