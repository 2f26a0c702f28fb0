package guard

import (
	"bytes"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// Words are the words in a deed's parameters, by what they are for.
type Words struct {
	Targets   []string // what it is about: elements, methods, tools, stores
	Typed     []string // what goes to the page: typed, filled, run as script, given to a tool
	Addresses []string // where it goes
}

// Length is how much goes to the page, in bytes.
func (w *Words) Length() int {
	n := 0
	for _, text := range w.Typed {
		n += len(text)
	}
	return n
}

type use uint8

const (
	forNothing use = iota
	forTarget
	forPage
	forAddress
)

// uses say what parameters are for, by their names. Others are of no use here.
var uses = map[string]use{
	"target": forTarget, "to": forTarget, "name": forTarget, "method": forTarget, "scope": forTarget, "path": forTarget,
	"pattern": forTarget, "patterns": forTarget, "files": forTarget, "site": forTarget, "at": forTarget,
	"text": forPage, "value": forPage, "values": forPage, "expression": forPage, "function": forPage, "code": forPage,
	"arg": forPage, "args": forPage, "params": forPage, "payload": forPage, "action": forPage, "initScript": forPage,
	"body": forPage, "header": forPage, "choices": forPage, "key": forPage,
	"url": forAddress,
}

// maxDepth bounds how deep parameters are looked into.
const maxDepth = 12

// WordsOf takes parameters apart: a pointer to a command's own type, or nil.
func WordsOf(params any) Words {
	var w Words
	if v := reflect.ValueOf(params); v.IsValid() {
		w.fields(v, maxDepth)
	}
	return w
}

// column is a field that is of use.
type column struct {
	index []int
	use   use
	// object: a JSON object in it is by target, as values of a form are.
	object bool
}

var columns sync.Map // reflect.Type to []column

func columnsOf(t reflect.Type) []column {
	if known, ok := columns.Load(t); ok {
		return known.([]column)
	}
	var out []column
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if u := uses[name]; u != forNothing && f.IsExported() {
			out = append(out, column{f.Index, u, name == "values"})
		}
	}
	columns.Store(t, out)
	return out
}

func (w *Words) fields(v reflect.Value, depth int) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for _, c := range columnsOf(v.Type()) {
		field, err := v.FieldByIndexErr(c.index)
		if err != nil {
			continue // of an embedded pointer that is nil
		}
		w.collect(field, c.use, c.object, depth)
	}
}

func (w *Words) collect(v reflect.Value, u use, object bool, depth int) {
	if depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			w.collect(v.Elem(), u, object, depth-1)
		}
	case reflect.String:
		w.add(v.String(), u)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			w.json(v.Bytes(), u, object)
			return
		}
		for i := range v.Len() {
			w.collect(v.Index(i), u, object, depth-1)
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next(); {
			w.collect(each.Value(), u, object, depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				w.collect(v.Field(i), u, object, depth-1)
			}
		}
	}
}

func (w *Words) add(text string, u use) {
	if text == "" {
		return
	}
	switch u {
	case forTarget:
		w.Targets = append(w.Targets, text)
	case forPage:
		w.Typed = append(w.Typed, text)
	case forAddress:
		w.Addresses = append(w.Addresses, text)
	}
}

// json takes the strings and numbers of a JSON value. Members named url and target are
// addresses and targets; with object, so are the names of the outermost object.
func (w *Words) json(data []byte, u use, object bool) {
	decoder := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	name := ""
	for {
		kind := decoder.PeekKind()
		if kind == 0 {
			return
		}
		inside, length := decoder.StackIndex(decoder.StackDepth())
		isName := inside == '{' && length%2 == 0
		token, err := decoder.ReadToken()
		if err != nil {
			return
		}
		switch {
		case kind == '"' && isName:
			name = token.String()
			if object && decoder.StackDepth() == 1 {
				w.add(name, forTarget)
			}
		case kind == '"', kind == '0':
			at := u
			if inside == '{' && (name == "url" || name == "target") {
				at = uses[name]
			}
			w.add(token.String(), at)
		}
	}
}
