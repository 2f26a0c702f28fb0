package docgen

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/debug-bridge/debug-bridge/client"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	catalogue "github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// method is the client's method of a command.
func method(t *testing.T, c *catalog.Command) reflect.Type {
	t.Helper()
	group, ok := reflect.TypeFor[*client.Client]().MethodByName(goName(c.Resource()))
	if !ok {
		t.Fatalf("the client has no commands of %s", c.Resource())
	}
	found, ok := group.Type.Out(0).MethodByName(goName(c.Verb()))
	if !ok {
		t.Fatalf("the client has no %s", c.Name)
	}
	return found.Type
}

// Every command has a method; what a parameter struct is as JSON is what the catalogue
// takes, and a result of the catalogue comes through whole.
func TestClientIsTheCatalogue(t *testing.T) {
	t.Parallel()
	for _, c := range catalogue.All {
		t.Run(c.Name, func(t *testing.T) {
			m := method(t, c)
			if m.In(1) != reflect.TypeFor[context.Context]() || m.NumOut() != 2 {
				t.Fatalf("%s", m)
			}
			if fields := c.Fields(); len(fields) > 0 {
				sameParams(t, c, fields, m.In(2))
			} else if m.NumIn() != 3 || !m.IsVariadic() {
				t.Errorf("takes parameters that the catalogue has not: %s", m)
			}
			sameResult(t, c.Result, m.Out(0).Elem())
		})
	}
}

func sameParams(t *testing.T, c *catalog.Command, fields []catalog.Field, params reflect.Type) {
	t.Helper()
	if params.NumField() != len(fields) {
		t.Errorf("%d parameters, the catalogue has %d", params.NumField(), len(fields))
	}
	// Nothing set: what is required, and nothing else, is sent.
	var sent map[string]json.RawMessage
	data, err := json.Marshal(reflect.Zero(params).Interface())
	if err == nil {
		err = json.Unmarshal(data, &sent)
	}
	if err != nil {
		t.Fatal(err)
	}
	full := reflect.New(params).Elem()
	for i, f := range fields {
		if _, ok := sent[f.Name]; ok != f.Required {
			t.Errorf("%s: sent %t when not set, required %t", f.Name, ok, f.Required)
		}
		setParam(full.Field(i), f)
		if f.Typed { // shows itself to nobody who encodes the parameters
			full.Field(i).SetString(redact.Mark)
		}
	}
	data, err = json.Marshal(full.Interface())
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := c.Decode(data)
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	back, err := jsonv2.Marshal(decoded, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, data, back)
}

// setParam gives a parameter a value that the catalogue takes and that is not its zero value.
func setParam(v reflect.Value, f catalog.Field) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	word := "word"
	if len(f.Enum) > 0 {
		word = f.Enum[len(f.Enum)-1]
	}
	number := 1.0
	if f.Min != nil {
		number = max(number, *f.Min)
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(word)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(int64(number))
	case reflect.Float64:
		v.SetFloat(number)
	case reflect.Interface:
		v.Set(reflect.ValueOf(map[string]any{"a": []any{1.0, "b"}}))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		if v.Type().Elem().Kind() == reflect.String {
			v.Index(0).SetString(word)
		}
	}
}

func sameResult(t *testing.T, of, typed reflect.Type) {
	t.Helper()
	value := reflect.New(of)
	fill(value.Elem(), 0)
	told, err := jsonv2.Marshal(value.Interface(), jsonv2.Deterministic(true), jsonv1.OmitEmptyWithLegacySemantics(true))
	if err != nil {
		t.Fatal(err)
	}
	got := reflect.New(typed)
	if err := json.Unmarshal(told, got.Interface()); err != nil {
		t.Fatalf("%v\n%s", err, told)
	}
	again, err := json.Marshal(got.Interface())
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, told, again)
}

// fill gives everything below v a value that JSON does not leave out.
func fill(v reflect.Value, depth int) {
	if !v.CanSet() && v.Kind() != reflect.Struct { // an embedded struct's fields can be set where it cannot
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if depth < 8 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1)
		}
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint, reflect.Uint32, reflect.Uint64:
		v.SetUint(8)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf(map[string]any{"any": []any{"value", 2.5}}))
		}
	case reflect.Slice:
		switch {
		case v.Type() == reflect.TypeFor[jsontext.Value]():
			v.Set(reflect.ValueOf(jsontext.Value(`{"raw":[1]}`)))
		case depth < 8:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		element := reflect.New(v.Type().Elem()).Elem()
		fill(element, depth+1)
		v.SetMapIndex(reflect.ValueOf("key").Convert(v.Type().Key()), element)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(1e9, 0).UTC()))
			return
		}
		for i := range v.NumField() {
			if sf := v.Type().Field(i); sf.Anonymous || sf.Tag.Get("json") != "" {
				fill(v.Field(i), depth+1)
			}
		}
	}
}

func sameJSON(t *testing.T, want, got []byte) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal(want, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(got, &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("differs:\n%s\n%s", want, got)
	}
}

// Every code has an error to compare with, of the name that the methods' comments use.
func TestClientHasEveryCode(t *testing.T) {
	t.Parallel()
	text := goErrors().String()
	for _, row := range fault.Rows() {
		if want := fmt.Sprintf("%s error = &Error{Code: Code%s}", goSentinel(row.Code), goName(strings.ToLower(string(row.Code)))); !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", row.Code, want)
		}
	}
}

func TestGoNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"page.wait-url": "PageWaitURL", "pageId": "PageID", "cdp": "CDP", "userDataDir": "UserDataDir", "REQUEST": "REQUEST",
		"request_id_conflict": "RequestIDConflict", "a11y": "A11y", "url": "URL", "fill-form": "FillForm", "URL": "URL",
	} {
		if got := goName(name); got != want {
			t.Errorf("goName(%q) = %q, want %q", name, got, want)
		}
	}
}
