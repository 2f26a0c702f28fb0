package page

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// deepValue is a value as the browser itself serialised it, past whatever the page
// did to JSON and prototypes (Runtime.DeepSerializedValue; types of WebDriver BiDi,
// section script.RemoteValue).
type deepValue struct {
	Type  string         `json:"type"`
	Value jsontext.Value `json:"value"`
	Ref   int            `json:"weakLocalObjectReference"`
}

// plainer turns deep values into plain JSON ones and notes what had no JSON form.
type plainer struct {
	open     map[int]bool // objects that we are inside of
	seen     map[int]any
	platform bool // an object of the browser was met: it keeps its properties to itself
	cut      bool // deeper than was asked for
}

func newPlainer() *plainer { return &plainer{open: map[int]bool{}, seen: map[int]any{}} }

// plain gives the JSON value: what JSON lacks is written as a console would, in a string.
func (p *plainer) plain(d deepValue) any {
	if d.Ref != 0 {
		if p.open[d.Ref] {
			return "[Circular]"
		}
		if len(d.Value) == 0 {
			if known, ok := p.seen[d.Ref]; ok {
				return known
			}
		}
		p.open[d.Ref] = true
		defer delete(p.open, d.Ref)
	}
	value := p.value(d)
	if d.Ref != 0 && len(d.Value) > 0 {
		p.seen[d.Ref] = value
	}
	return value
}

func (p *plainer) value(d deepValue) any {
	switch d.Type {
	case "undefined", "null":
		return nil
	case "string", "boolean", "number":
		var v any
		_ = decode(d.Value, &v) // NaN and the infinities come as strings
		return v
	case "bigint":
		return text(d.Value) + "n"
	case "date":
		return text(d.Value)
	case "regexp":
		var re struct {
			Pattern string `json:"pattern"`
			Flags   string `json:"flags"`
		}
		_ = decode(d.Value, &re)
		return "/" + re.Pattern + "/" + re.Flags
	case "array", "set":
		return p.list(d)
	case "object", "map":
		return p.object(d)
	case "node":
		return nodeText(d.Value)
	case "platformobject":
		p.platform = true
		return "[object]"
	case "symbol":
		return "[symbol]"
	}
	return "[" + d.Type + "]" // function, error, promise, window, proxy, weakmap, typedarray, …
}

func (p *plainer) list(d deepValue) any {
	if len(d.Value) == 0 {
		p.cut = true
		return "[" + d.Type + "]"
	}
	var items []deepValue
	if decode(d.Value, &items) != nil {
		return nil
	}
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = p.plain(item)
	}
	return out
}

// object takes objects, and maps whose keys are strings; other maps become lists of pairs.
func (p *plainer) object(d deepValue) any {
	if len(d.Value) == 0 {
		p.cut = true
		return "[" + d.Type + "]"
	}
	var pairs [][2]jsontext.Value
	if decode(d.Value, &pairs) != nil {
		return nil
	}
	out := make(map[string]any, len(pairs))
	list := make([]any, 0, len(pairs))
	strange := false
	for _, pair := range pairs {
		var value deepValue
		_ = decode(pair[1], &value)
		var key any
		if pair[0].Kind() == '"' {
			key = text(pair[0])
		} else {
			var deep deepValue
			_ = decode(pair[0], &deep)
			key = p.plain(deep)
			strange = true
		}
		converted := p.plain(value)
		list = append(list, []any{key, converted})
		if name, ok := key.(string); ok {
			out[name] = converted
		}
	}
	if strange {
		return list
	}
	return out
}

// nodeText is a DOM node's start tag.
func nodeText(raw jsontext.Value) string {
	var node struct {
		NodeType   int               `json:"nodeType"`
		LocalName  string            `json:"localName"`
		NodeValue  string            `json:"nodeValue"`
		Attributes map[string]string `json:"attributes"`
	}
	_ = decode(raw, &node)
	switch node.NodeType {
	case 1:
		var b strings.Builder
		b.WriteString("<" + node.LocalName)
		for _, name := range []string{"id", "class", "name", "type", "href", "data-testid"} {
			if value, ok := node.Attributes[name]; ok {
				fmt.Fprintf(&b, " %s=%s", name, strconv.Quote(cutTo(value, 80)))
			}
		}
		return b.String() + ">"
	case 3:
		return "#text " + strconv.Quote(cutTo(node.NodeValue, 80))
	case 9:
		return "#document"
	}
	return "#node"
}

func text(raw jsontext.Value) string {
	var s string
	if json.Unmarshal(raw, &s, jsontext.AllowInvalidUTF8(true)) != nil {
		return string(raw)
	}
	return s
}

// cutTo bounds a text, in bytes, without breaking a rune.
func cutTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
