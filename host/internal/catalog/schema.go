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

// OutputSchema describes the result.
func (c *Command) OutputSchema() Schema { return schemaOf(c.Result, 0) }

// maxNesting ends the description of a recursive type.
const maxNesting = 6

func schemaOf(t reflect.Type, depth int) Schema {
	if depth > maxNesting || t == reflect.TypeFor[jsontext.Value]() {
		return Schema{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), depth)
	case reflect.String:
		return Schema{"type": "string"}
	case reflect.Bool:
		return Schema{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64, reflect.Int32, reflect.Uint32:
		return Schema{"type": "integer"}
	case reflect.Float64:
		return Schema{"type": "number"}
	case reflect.Slice:
		return Schema{"type": "array", "items": schemaOf(t.Elem(), depth+1)}
	case reflect.Map:
		return Schema{"type": "object", "additionalProperties": schemaOf(t.Elem(), depth+1)}
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return Schema{"type": "string", "format": "date-time"}
		}
		properties := Schema{}
		structSchema(t, properties, depth)
		return Schema{"type": "object", "properties": properties}
	}
	return Schema{}
}

func structSchema(t reflect.Type, properties Schema, depth int) {
	for i := range t.NumField() {
		sf := t.Field(i)
		name, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		switch {
		case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct:
			structSchema(sf.Type, properties, depth)
		case name != "" && name != "-":
			p := schemaOf(sf.Type, depth+1)
			if doc := sf.Tag.Get("doc"); doc != "" {
				p["description"] = doc
			}
			properties[name] = p
		}
	}
}

// SchemaOf describes a type that is no command's.
func SchemaOf[T any]() Schema { return schemaOf(reflect.TypeFor[T](), 0) }
