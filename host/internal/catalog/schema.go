package catalog

import (
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Schema is a JSON Schema (2020-12), with its members in a fixed order when marshalled with json.Deterministic.
type Schema map[string]any

// InputSchema describes the parameters.
func (c *Command) InputSchema() Schema {
	properties, required := Schema{}, []string{}
	for _, f := range c.Fields() {
		p := Schema{}
		switch f.Kind {
		case Strings:
			items := Schema{"type": "string"}
			if f.Enum != nil {
				items["enum"] = f.Enum
			}
			p["type"], p["items"] = "array", items
		case JSON:
		default:
			p["type"] = string(f.Kind)
			if f.Enum != nil {
				p["enum"] = f.Enum
			}
		}
		if f.Doc != "" {
			p["description"] = f.Doc
		}
		if f.Default != "" {
			p["default"] = f.defaultValue()
		}
		if f.Min != nil {
			p["minimum"] = *f.Min
		}
		if f.Max != nil {
			p["maximum"] = *f.Max
		}
		properties[f.Name] = p
		if f.Required {
			required = append(required, f.Name)
		}
	}
	schema := Schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// OutputSchema describes the result. A member that holds words of the page has
// "x-trust": "page".
func (c *Command) OutputSchema() Schema { return schemaWriter{trust: true}.schemaOf(c.Result, 0) }

// BareOutputSchema is OutputSchema without x-trust, for lists whose bytes a model pays for.
func (c *Command) BareOutputSchema() Schema { return schemaWriter{}.schemaOf(c.Result, 0) }

// maxNesting ends the description of a recursive type.
const maxNesting = 6

type schemaWriter struct{ trust bool }

func (w schemaWriter) schemaOf(t reflect.Type, depth int) Schema {
	if depth > maxNesting || t == reflect.TypeFor[jsontext.Value]() {
		return Schema{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.schemaOf(t.Elem(), depth)
	case reflect.String:
		return Schema{"type": "string"}
	case reflect.Bool:
		return Schema{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Int32, reflect.Uint32:
		return Schema{"type": "integer"}
	case reflect.Float64:
		return Schema{"type": "number"}
	case reflect.Slice:
		return Schema{"type": "array", "items": w.schemaOf(t.Elem(), depth+1)}
	case reflect.Map:
		return Schema{"type": "object", "additionalProperties": w.schemaOf(t.Elem(), depth+1)}
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return Schema{"type": "string", "format": "date-time"}
		}
		properties := Schema{}
		w.structSchema(t, properties, depth)
		return Schema{"type": "object", "properties": properties}
	}
	return Schema{}
}

func (w schemaWriter) structSchema(t reflect.Type, properties Schema, depth int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		switch {
		case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct:
			w.structSchema(sf.Type, properties, depth)
		case name != "" && name != "-":
			p := w.schemaOf(sf.Type, depth+1)
			if doc := sf.Tag.Get("doc"); doc != "" {
				p["description"] = doc
			}
			if page, _, _ := PageText(t, sf); page && w.trust {
				p["x-trust"] = "page"
			}
			properties[name] = p
		}
	}
}

// SchemaOf describes a type that is no command's.
func SchemaOf[T any]() Schema { return schemaWriter{trust: true}.schemaOf(reflect.TypeFor[T](), 0) }
