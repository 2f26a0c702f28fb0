package secret

import (
	"context"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/locator"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// takers are the parameters that may hold a secret, by command, as JSON names them: what
// is typed, and request headers. Scripts, addresses and raw CDP are not among them: the
// page's own code, a log of the network or a history would hold the value, where nothing
// can mask it.
var takers = map[string][]string{
	"element.fill":      {"value"},
	"element.fill-form": {"values"},
	"input.type":        {"text"},
	"dialog.handle":     {"text"},
	"emulation.set":     {"header"},
	"type":              {"text"}, // of the protocol
}

// intoPage are those of which one element, or the focus, gets the text.
var intoPage = map[string]bool{"element.fill": true, "element.fill-form": true, "input.type": true, "type": true, "dialog.handle": true}

// opening begins a placeholder.
const opening = "{{secret:"

var placeholders = lazy.MustCompile(`\{\{secret:([^{}]{0,80})\}\}`)

// Guard puts secrets in the place of their names, in a copy of a command's parameters. It
// is the last of the chain: the others see the names.
func (v *Vault) Guard() guard.Guard { return putter{v} }

type putter struct{ vault *Vault }

func (p putter) Before(_ context.Context, d *guard.Deed) (func(guard.Outcome), error) {
	params := reflect.ValueOf(d.Params)
	if params.Kind() != reflect.Pointer || params.IsNil() || params.Elem().Kind() != reflect.Struct {
		return nil, nil
	}
	f := &filler{vault: p.vault, deed: d}
	made, err := f.structure(params.Elem())
	if err != nil || !made.IsValid() {
		return nil, err
	}
	at := reflect.New(made.Type())
	at.Elem().Set(made)
	d.Params = at.Interface()
	return nil, nil
}

// filler goes through the parameters of one command.
type filler struct {
	vault *Vault
	deed  *guard.Deed
	all   []state.Secret
	read  bool
}

// structure gives a copy with the secrets in it, or none where there is no placeholder.
func (f *filler) structure(given reflect.Value) (made reflect.Value, err error) {
	for i := range given.NumField() {
		field := given.Type().Field(i)
		if !field.IsExported() && !field.Anonymous {
			continue
		}
		var value reflect.Value
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && field.Type.Kind() == reflect.Struct:
			if !field.IsExported() && holds(given.Field(i)) {
				return made, f.refused(strings.ToLower(field.Name)) // the element, the frame
			}
			if field.IsExported() {
				value, err = f.structure(given.Field(i))
			}
		case !holds(given.Field(i)):
		case !slices.Contains(takers[f.deed.Command], name):
			return made, f.refused(name)
		default:
			value, err = f.value(given.Field(i))
		}
		if err != nil {
			return made, err
		}
		if value.IsValid() {
			if !made.IsValid() {
				made = reflect.New(given.Type()).Elem()
				made.Set(given)
			}
			made.Field(i).Set(value)
		}
	}
	return made, nil
}

func (f *filler) refused(name string) error {
	where := f.deed.Command
	if name != "" {
		where = name + " of " + where
	}
	return fault.New(fault.ValidationError, "%s takes no {{secret:NAME}}: it would be kept where nothing can mask it", where).
		With("parameter", name).Suggest("Type it into a field: dbridge element fill 'textbox \"Password\"' '{{secret:NAME}}'")
}

// holds reports whether a placeholder is anywhere in a value.
func holds(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return strings.Contains(v.String(), opening)
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && holds(v.Elem())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return strings.Contains(string(v.Bytes()), opening)
		}
		for i := range v.Len() {
			if holds(v.Index(i)) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if holds(v.Field(i)) {
				return true
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if holds(entries.Key()) || holds(entries.Value()) {
				return true
			}
		}
	}
	return false
}

// value gives a copy of a value with the secrets in it.
func (f *filler) value(v reflect.Value) (reflect.Value, error) {
	made := reflect.New(v.Type()).Elem()
	switch {
	case v.Kind() == reflect.String:
		text, err := f.text(v.String(), 0)
		if err != nil {
			return made, err
		}
		made.SetString(text)
	case v.Kind() == reflect.Pointer:
		inner, err := f.value(v.Elem())
		if err != nil {
			return made, err
		}
		made.Set(reflect.New(v.Type().Elem()))
		made.Elem().Set(inner)
	case v.Type() == reflect.TypeFor[jsontext.Value]():
		levels := 1
		if raw := jsontext.Value(v.Bytes()); raw.Kind() == '"' {
			levels = 2 // JSON in a text: an argument of a command line
		}
		text, err := f.text(string(v.Bytes()), levels)
		if err != nil {
			return made, err
		}
		made.SetBytes([]byte(text))
	case v.Kind() == reflect.Slice:
		made.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			item, err := f.value(v.Index(i))
			if err != nil {
				return made, err
			}
			made.Index(i).Set(item)
		}
	default:
		return made, fault.New(fault.InternalError, "a secret cannot be put into %s", v.Type())
	}
	return made, nil
}

// text puts the secrets into a text, which stands so many levels deep in JSON.
func (f *filler) text(text string, levels int) (out string, err error) {
	out = placeholders.ReplaceAllStringFunc(text, func(found string) string {
		if err != nil {
			return ""
		}
		var value string
		if value, err = f.secret(found[len(opening) : len(found)-2]); err != nil {
			return ""
		}
		for range levels {
			quoted, _ := jsontext.AppendQuote(nil, value) // a checked value is UTF-8
			value = string(quoted[1 : len(quoted)-1])
		}
		return value
	})
	if err == nil && levels == 0 && out == text {
		err = fault.New(fault.ValidationError, "a secret is not named as {{secret:NAME}}").Suggest("Write it so: {{secret:SHOP_PASSWORD}}", "dbridge secret list")
	}
	return out, err
}

// secret gives a value, if it may go where the command puts it.
func (f *filler) secret(name string) (string, error) {
	if !f.read {
		var err error
		if f.all, err = f.vault.List(); err != nil {
			return "", err
		}
		f.read = true
	}
	i := slices.IndexFunc(f.all, func(s state.Secret) bool { return s.Name == name })
	if i < 0 {
		return "", unknown(name, f.all)
	}
	s := f.all[i]
	if len(s.Sites) == 0 {
		return s.Value, nil
	}
	denied := func(format string, args ...any) *fault.Error {
		return fault.New(fault.PolicyDenied, "%s is for %s only; %s", name, strings.Join(s.Sites, ", "), fmt.Sprintf(format, args...)).
			With("secret", name).With("sites", s.Sites).With("reason", "secret_site")
	}
	if !intoPage[f.deed.Command] {
		return "", denied("%s would send it to any", f.deed.Command).Suggest("Type it into a field of the site.")
	}
	if !here(s.Sites, f.deed.URL) {
		return "", denied("the page is of another site").Suggest("Go to the site first: dbridge page navigate https://" + s.Sites[0])
	}
	if foreign := f.foreign(s.Sites); foreign != "" {
		return "", denied("the field may be in a frame of %s", foreign).Suggest("Name the field by its ref or its frame: dbridge element fill f1e5 '{{secret:" + name + "}}'")
	}
	return s.Value, nil
}

// reacher is a page that knows its frames.
type reacher interface {
	Reach(frameID, ref string) []string
}

// foreign gives the address of a frame of another site that the text might go into, or
// nothing. Who types where the focus is may be anywhere.
func (f *filler) foreign(sites []string) string {
	page, ok := f.deed.Page.(reacher)
	if !ok || f.deed.Command == "dialog.handle" {
		return ""
	}
	params := reflect.ValueOf(f.deed.Params).Elem()
	frameID, ref := "", ""
	if field := params.FieldByName("Frame"); field.IsValid() && field.Kind() == reflect.String {
		frameID = field.String()
	}
	switch field := params.FieldByName("Target"); {
	case !field.IsValid():
	case field.Kind() == reflect.String:
		if target, err := locator.Parse(field.String()); err == nil {
			ref = target.Ref
		}
	case field.Type() == reflect.TypeFor[protocol.Target]():
		ref = field.FieldByName("Ref").String()
	}
	for _, address := range page.Reach(frameID, ref) {
		if !here(sites, address) {
			if u, err := url.Parse(address); err == nil && u.Host != "" {
				return u.Host
			}
			return "another site"
		}
	}
	return ""
}
