package secret

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

func open(t *testing.T) (*Vault, *state.Home) {
	t.Setenv(state.EnvHome, t.TempDir())
	home, err := state.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { redact.Know(nil) })
	return Open(home.Secrets(), zerolog.Nop()), home
}

type fillParams struct {
	aimed
	Value string `json:"value"`
}

type aimed struct {
	Target string `json:"target"`
	Frame  string `json:"frame,omitempty"`
}

type formParams struct {
	Values jsontext.Value `json:"values"`
}

type dialogParams struct {
	Text *string `json:"text,omitempty"`
}

// frames is a page with frames at these addresses.
type frames struct {
	guard.Page
	main  string
	child string
}

func (f frames) Reach(frameID, ref string) []string {
	switch {
	case frameID == "main" || ref == "e5":
		return []string{f.main}
	case frameID == "f1" || ref == "f1e5":
		return []string{f.child}
	}
	return []string{f.main, f.child}
}

func TestGuard(t *testing.T) {
	vault, _ := open(t)
	for _, s := range []state.Secret{{Name: "A", Value: `va"lue\1`}, {Name: "SHOP", Value: "shopvalue", Sites: []string{"Shop.example", "localhost:3000"}}} {
		if _, err := vault.Set(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	text := "{{secret:A}}!"
	for name, c := range map[string]struct {
		deed *guard.Deed
		want string // a part of what the parameters become, or of the refusal
		code fault.Code
	}{
		"fill":             {&guard.Deed{Command: "element.fill", Params: &fillParams{Value: "x {{secret:A}}"}}, `x va"lue\1`, ""},
		"type":             {&guard.Deed{Command: "type", Params: &protocol.TypeParams{Text: text}}, `va"lue\1!`, ""},
		"form":             {&guard.Deed{Command: "element.fill-form", Params: &formParams{jsontext.Value(`{"#a":"{{secret:A}}"}`)}}, `{"#a":"va\"lue\\1"}`, ""},
		"form of a shell":  {&guard.Deed{Command: "element.fill-form", Params: &formParams{jsontext.Value(`"{\"#a\":\"{{secret:A}}\"}"`)}}, `"{\"#a\":\"va\\\"lue\\\\1\"}"`, ""},
		"prompt":           {&guard.Deed{Command: "dialog.handle", Params: &dialogParams{&text}}, `va"lue\1!`, ""},
		"unknown":          {&guard.Deed{Command: "element.fill", Params: &fillParams{Value: "{{secret:SHIP}}"}}, "no secret named", fault.ValidationError},
		"badly written":    {&guard.Deed{Command: "element.fill", Params: &fillParams{Value: "{{secret:A}"}}, "not named as", fault.ValidationError},
		"as a target":      {&guard.Deed{Command: "element.fill", Params: &fillParams{aimed: aimed{Target: "{{secret:A}}"}}}, "takes no", fault.ValidationError},
		"evaluate":         {&guard.Deed{Command: "evaluate", Params: &protocol.EvaluateParams{Code: text}}, "takes no", fault.ValidationError},
		"navigate":         {&guard.Deed{Command: "navigate", Params: &protocol.NavigateParams{URL: "/?" + text}}, "takes no", fault.ValidationError},
		"raw CDP":          {&guard.Deed{Command: "cdp_request", Params: &protocol.CDPRequestParams{Params: jsontext.Value(`{"a":"` + text + `"}`)}}, "takes no", fault.ValidationError},
		"its site":         {&guard.Deed{Command: "element.fill", URL: "https://www.shop.example/login", Params: &fillParams{Value: "{{secret:SHOP}}"}}, "shopvalue", ""},
		"its port":         {&guard.Deed{Command: "element.fill", URL: "http://localhost:3000/", Params: &fillParams{Value: "{{secret:SHOP}}"}}, "shopvalue", ""},
		"another port":     {&guard.Deed{Command: "element.fill", URL: "http://localhost:3001/", Params: &fillParams{Value: "{{secret:SHOP}}"}}, "another site", fault.PolicyDenied},
		"another site":     {&guard.Deed{Command: "element.fill", URL: "https://evilshop.example/", Params: &fillParams{Value: "{{secret:SHOP}}"}}, "another site", fault.PolicyDenied},
		"no page":          {&guard.Deed{Command: "type", Params: &protocol.TypeParams{Text: "{{secret:SHOP}}"}}, "another site", fault.PolicyDenied},
		"a foreign frame":  {&guard.Deed{Command: "element.fill", URL: "https://shop.example/", Page: frames{main: "https://shop.example/", child: "https://ads.example/"}, Params: &fillParams{Value: "{{secret:SHOP}}"}}, "frame of ads.example", fault.PolicyDenied},
		"in that frame":    {&guard.Deed{Command: "element.fill", URL: "https://shop.example/", Page: frames{main: "https://shop.example/", child: "https://ads.example/"}, Params: &fillParams{aimed: aimed{Target: "f1e5"}, Value: "{{secret:SHOP}}"}}, "frame of ads.example", fault.PolicyDenied},
		"beside the frame": {&guard.Deed{Command: "element.fill", URL: "https://shop.example/", Page: frames{main: "https://shop.example/", child: "https://ads.example/"}, Params: &fillParams{aimed: aimed{Target: "e5"}, Value: "{{secret:SHOP}}"}}, "shopvalue", ""},
	} {
		given := c.deed.Params
		_, err := vault.Guard().Before(t.Context(), c.deed)
		var failure *fault.Error
		switch errors.As(err, &failure); {
		case c.code == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.code != "" && (failure == nil || failure.Code != c.code || !strings.Contains(failure.Message, c.want) || len(failure.Suggestions) == 0):
			t.Errorf("%s: %v, want %s with %q", name, err, c.code, c.want)
		case c.code != "" && c.deed.Params != given:
			t.Errorf("%s: refused, and its parameters were changed", name)
		case c.code == "" && (c.deed.Params == given || !strings.Contains(values(c.deed.Params), c.want) || strings.Contains(values(given), c.want)):
			t.Errorf("%s: %s of %s, want %s in a copy", name, values(c.deed.Params), values(given), c.want)
		}
	}
	plain := &guard.Deed{Command: "element.fill", Params: &fillParams{Value: "{{mustache}}"}}
	if _, err := vault.Guard().Before(t.Context(), plain); err != nil || plain.Params.(*fillParams).Value != "{{mustache}}" {
		t.Errorf("other braces: %v, %v", plain.Params, err)
	}
}

// values are the texts of parameters.
func values(params any) string {
	switch p := params.(type) {
	case *fillParams:
		return p.Value
	case *protocol.TypeParams:
		return p.Text
	case *formParams:
		return string(p.Values)
	case *dialogParams:
		return *p.Text
	}
	return ""
}

func TestVault(t *testing.T) {
	vault, home := open(t)
	for _, bad := range []state.Secret{
		{Name: "lower", Value: "long enough"}, {Name: "9A", Value: "long enough"}, {Name: "A", Value: "abc"}, {Name: "A", Value: strings.Repeat("x", redact.MaxKnown+1)},
		{Name: "A", Value: "a\x00bcd"}, {Name: "A", Value: "{{secret:B}}"}, {Name: "A", Value: "long enough", Sites: []string{"https://a.example/x"}},
	} {
		if _, err := vault.Set(t.Context(), bad); !errors.Is(err, fault.New(fault.ValidationError, "")) || len(bad.Value) > 3 && strings.Contains(err.Error(), bad.Value) {
			t.Errorf("%s %v: %v", bad.Name, bad.Sites, err)
		}
	}
	if _, err := vault.Set(t.Context(), state.Secret{Name: "A", Value: "first-value"}); err != nil {
		t.Fatal(err)
	}
	if got := redact.Known("it is first-value"); got != "it is «secret:A»" {
		t.Errorf("not masked when it is set: %s", got)
	}
	info, err := os.Stat(home.SecretsPath())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if _, err := vault.Set(t.Context(), state.Secret{Name: "A", Value: "second-value"}); err != nil {
		t.Fatal(err)
	}
	if list, err := vault.List(); err != nil || len(list) != 1 || redact.Known("second-value first-value") != "«secret:A» first-value" {
		t.Errorf("%d, %v", len(list), err)
	}
	if err := vault.Remove(t.Context(), "B"); !errors.Is(err, fault.New(fault.ValidationError, "")) {
		t.Error(err)
	}
	if err := vault.Remove(t.Context(), "A"); err != nil || redact.Knows() {
		t.Error(err)
	}
	// A file that somebody spoiled is refused whole, and what was known stays masked.
	if _, err := vault.Set(t.Context(), state.Secret{Name: "A", Value: "third-value"}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"format":1,"entries":[{"name":"a b","value":"xxxx"}]}`, `{"format":1,"entries":[{"name":"A","value":"x"}]}`, `nothing`, `{"format":9}`} {
		if err := state.WriteFile(home.SecretsPath(), []byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := vault.Load(); err == nil || redact.Known("third-value") != "«secret:A»" {
			t.Errorf("%s was taken: %v", text, err)
		}
	}
}
