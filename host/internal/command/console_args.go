package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Limits of an object that is shown in full.
const (
	maxProperties   = 100
	maxValue        = 2 << 10
	maxInspected    = 16 << 10
	inspectedLevels = 2
)

// mirror is CDP's Runtime.RemoteObject, as far as it is shown.
type mirror struct {
	Type                string         `json:"type"`
	Subtype             string         `json:"subtype"`
	ClassName           string         `json:"className"`
	Value               jsontext.Value `json:"value"`
	UnserializableValue string         `json:"unserializableValue"`
	Description         string         `json:"description"`
	ObjectID            string         `json:"objectId"`
}

// inspect shows an object that the console was given, as it is now. It looks at the
// mirror alone: no getter of the page runs.
func (e *Env) inspect(ctx context.Context, session, objectID string, raw bool) (string, error) {
	var b strings.Builder
	if err := e.inspectInto(ctx, &b, session, objectID, inspectedLevels, raw); err != nil {
		return "", err
	}
	if !raw {
		return brief(redact.Text(b.String()), maxInspected), nil
	}
	return brief(b.String(), maxInspected), nil
}

func (e *Env) inspectInto(ctx context.Context, b *strings.Builder, session, objectID string, levels int, raw bool) error {
	var answer struct {
		Result []struct {
			Name       string         `json:"name"`
			Value      *mirror        `json:"value"`
			Get        jsontext.Value `json:"get"`
			Enumerable bool           `json:"enumerable"`
		} `json:"result"`
		Internal []struct {
			Name  string  `json:"name"`
			Value *mirror `json:"value"`
		} `json:"internalProperties"`
	}
	err := e.Tab.Session(session).Call(ctx, "Runtime.getProperties", map[string]any{"objectId": objectID, "ownProperties": true}, &answer)
	if err != nil {
		return err
	}
	shown := 0
	put := func(name, value string) {
		if shown > 0 {
			b.WriteString(", ")
		}
		shown++
		b.WriteString(name + ": " + value)
	}
	b.WriteString("{")
	for _, p := range answer.Result {
		if !p.Enumerable || b.Len() > maxInspected {
			continue
		}
		if shown >= maxProperties {
			put("…", fmt.Sprintf("%d properties", len(answer.Result)))
			break
		}
		switch {
		case p.Value == nil:
			put(p.Name, "(getter)")
		case !raw && redact.Name(p.Name) && p.Value.Type == "string":
			put(p.Name, `"`+redact.Mark+`"`)
		case p.Value.ObjectID != "" && levels > 1 && p.Value.Type == "object" && (p.Value.Subtype == "" || p.Value.Subtype == "array"):
			var inner strings.Builder
			if err := e.inspectInto(ctx, &inner, session, p.Value.ObjectID, levels-1, raw); err != nil {
				return err
			}
			put(p.Name, inner.String())
		default:
			put(p.Name, p.Value.text())
		}
	}
	for _, p := range answer.Internal { // entries of a Map, state of a promise, target of a proxy
		if p.Value != nil && p.Name != "[[Prototype]]" && p.Value.Type != "function" {
			put(p.Name, p.Value.text())
		}
	}
	b.WriteString("}")
	return nil
}

func (m *mirror) text() string {
	switch {
	case m.Type == "string":
		return brief(string(m.Value), maxValue)
	case m.UnserializableValue != "":
		return m.UnserializableValue
	case m.Type == "undefined":
		return "undefined"
	case m.Type == "function":
		return "ƒ"
	case m.Description != "":
		return brief(m.Description, maxValue)
	}
	return brief(string(m.Value), maxValue)
}
