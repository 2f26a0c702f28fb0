package page

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxArgument bounds one console argument, in bytes.
const maxArgument = 10 << 10

// remoteObject is CDP's mirror of a value (Runtime.RemoteObject).
type remoteObject struct {
	Type                string         `json:"type"`
	Subtype             string         `json:"subtype"`
	Value               jsontext.Value `json:"value"`
	UnserializableValue string         `json:"unserializableValue"`
	Description         string         `json:"description"`
	Preview             *preview       `json:"preview"`
}

type preview struct {
	Subtype    string `json:"subtype"`
	Overflow   bool   `json:"overflow"`
	Properties []struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Value string `json:"value"`
	} `json:"properties"`
}

// text shows the value as a console would. It reads the mirror only: no getter of the page runs.
func (o *remoteObject) text() string {
	switch {
	case o.Type == "string":
		var s string
		if decode(o.Value, &s) == nil {
			return cut(s)
		}
	case o.UnserializableValue != "":
		return o.UnserializableValue
	case o.Type == "undefined":
		return "undefined"
	case o.Subtype == "error":
		return cut(o.Description)
	case o.Preview != nil && (o.Type == "object") && (o.Subtype == "" || o.Subtype == "array"):
		return cut(o.Preview.text(o.Description))
	case o.Description != "":
		return cut(o.Description)
	}
	return cut(string(o.Value))
}

// text writes an object as JSON-like words: {a: 1, b: "x", …}.
func (p *preview) text(description string) string {
	var parts []string
	array := p.Subtype == "array"
	for _, property := range p.Properties {
		value := property.Value
		switch property.Type {
		case "string":
			value = `"` + value + `"`
		case "accessor":
			value = "(getter)"
		case "function":
			value = "ƒ"
		}
		if array {
			parts = append(parts, value)
			continue
		}
		parts = append(parts, property.Name+": "+value)
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	if array {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	body := "{" + strings.Join(parts, ", ") + "}"
	if description != "" && description != "Object" {
		return description + " " + body
	}
	return body
}

// cut bounds one argument.
func cut(s string) string { return cutTo(s, maxArgument) }
