package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Kind is the type of a parameter. Parameters are flat, so that each can be a
// flag of the command line and any model can fill them.
type Kind string

// The kinds.
const (
	String  Kind = "string"
	Integer Kind = "integer"
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Strings Kind = "strings" // a list of strings
	JSON    Kind = "json"    // any JSON value
)

// Words names the kind for people.
func (k Kind) Words() string { return k.words() }

func (k Kind) words() string {
	return map[Kind]string{
		String: "a string", Integer: "a whole number", Number: "a number", Boolean: "true or false",
		Strings: "a list of strings", JSON: "JSON",
	}[k]
}

// Field is one parameter: a field of the parameter struct with the tags
//
//	json:"name,omitempty"   omitempty or a pointer makes it optional
//	doc:"What it is."
//	enum:"a,b,c"            the values it may have
//	default:"a"             what it is when not given
//	min:"0" max:"100"       for numbers
//	local:"true"            names a file, program or address that is taken from a command
//	                        line of this computer only, never from a message
//	typed:"true"            is asked for at a prompt without echo, or comes from stdin; there
//	                        is no flag, since arguments are seen by all programs
type Field struct {
	Name     string // camelCase, as in JSON
	Kind     Kind
	Doc      string
	Required bool
	Enum     []string
	Default  string
	Min, Max *float64
	Local    bool
	List     bool // of JSON: an array
	Typed    bool
	Index    []int
}

// Flag is the name on the command line: kebab-case.
func (f Field) Flag() string {
	var b strings.Builder
	for _, r := range f.Name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Fields lists the parameters in the order of the struct. Embedded structs add theirs.
func (c *Command) Fields() []Field { return fieldsOf(c.Params, nil) }

func fieldsOf(t reflect.Type, index []int) []Field {
	var list []Field
	for i := range t.NumField() {
		sf := t.Field(i)
		at := append(slices.Clone(index), i)
		if sf.Anonymous {
			list = append(list, fieldsOf(sf.Type, at)...)
			continue
		}
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		f := Field{Name: name, Kind: kindOf(sf.Type), Doc: sf.Tag.Get("doc"), Default: sf.Tag.Get("default"), Index: at}
		f.List = f.Kind == JSON && sf.Type.Kind() == reflect.Slice && sf.Type != reflect.TypeFor[jsontext.Value]()
		f.Required = !strings.Contains(options, "omit") && sf.Type.Kind() != reflect.Pointer && f.Default == ""
		if enum := sf.Tag.Get("enum"); enum != "" {
			f.Enum = strings.Split(enum, ",")
		}
		f.Local, f.Typed = sf.Tag.Get("local") == "true", sf.Tag.Get("typed") == "true"
		f.Min, f.Max = bound(sf.Tag.Get("min")), bound(sf.Tag.Get("max"))
		list = append(list, f)
	}
	return list
}

func bound(text string) *float64 {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil
	}
	return &value
}

func kindOf(t reflect.Type) Kind {
	if t == reflect.TypeFor[jsontext.Value]() {
		return JSON
	}
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.String:
		return String
	case reflect.Bool:
		return Boolean
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return Integer
	case reflect.Float64:
		return Number
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return Strings
		}
	}
	return JSON
}

func (f Field) defaultValue() jsontext.Value {
	if f.Kind == String {
		quoted, _ := json.Marshal(f.Default) // a string always can be
		return quoted
	}
	return jsontext.Value(f.Default)
}

// check says what is wrong with a value that has the right type, or nothing.
func (f Field) check(value reflect.Value) string {
	for value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return ""
		}
		value = value.Elem()
	}
	switch f.Kind {
	case String:
		return f.checkWord(value.String())
	case Strings:
		if f.Required && value.Len() == 0 {
			return "is empty"
		}
		for i := range value.Len() {
			if problem := f.checkWord(value.Index(i).String()); problem != "" {
				return problem
			}
		}
	case Integer, Number:
		number := 0.0
		if f.Kind == Number {
			number = value.Float()
		} else if value.CanInt() {
			number = float64(value.Int())
		} else {
			number = float64(value.Uint())
		}
		if f.Min != nil && number < *f.Min || f.Max != nil && number > *f.Max {
			return fmt.Sprintf("is %v, outside of %s", number, f.rangeWords())
		}
	}
	return ""
}

func (f Field) checkWord(word string) string {
	if f.Required && word == "" && len(f.Enum) == 0 && f.Kind == String {
		return "" // an empty string may be meant: fill with nothing
	}
	if len(f.Enum) > 0 && word != "" && !slices.Contains(f.Enum, word) {
		return fmt.Sprintf("is %q, not one of %s", word, strings.Join(f.Enum, ", "))
	}
	return ""
}

func (f Field) rangeWords() string {
	plain := func(bound *float64) string { return strconv.FormatFloat(*bound, 'f', -1, 64) }
	switch {
	case f.Min != nil && f.Max != nil:
		return plain(f.Min) + " to " + plain(f.Max)
	case f.Min != nil:
		return plain(f.Min) + " and above"
	}
	return "up to " + plain(f.Max)
}
