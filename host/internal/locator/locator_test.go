package locator

import (
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]protocol.Target{
		"e12":                         {Ref: "e12"},
		"f2e7":                        {Ref: "f2e7"},
		"ref=e12":                     {Ref: "e12"},
		`button "Sign in"`:            {Role: "button", Name: "Sign in"},
		`button 'Sign in'`:            {Role: "button", Name: "Sign in"},
		`link "say \"hi\""`:           {Role: "link", Name: `say "hi"`},
		`role=button[name="Sign in"]`: {Role: "button", Name: "Sign in"},
		"role=navigation":             {Role: "navigation"},
		"#save":                       {Selector: "#save"},
		".row":                        {Selector: ".row"},
		"[data-x]":                    {Selector: "[data-x]"},
		"input[name=q]":               {Selector: "input[name=q]"},
		"li:nth-child(2)":             {Selector: "li:nth-child(2)"},
		"ul > li":                     {Selector: "ul > li"},
		"x-app >>> #save":             {Selector: "x-app >>> #save"},
		"css=button":                  {Selector: "button"},
		"id=save":                     {StableID: "save"},
		"testid=save":                 {StableID: "save"},
		"text=Sign in":                {Text: "Sign in"},
		`"e12"`:                       {Text: "e12"},
		"main":                        {Selector: "main"},
		"Main":                        {Text: "Main"},
		"Sign in":                     {Text: "Sign in"},
		"Save":                        {Text: "Save"},
		"v1.2 is out":                 {Text: "v1.2 is out"},
		"note: read this":             {Text: "note: read this"},
		"  e3 ":                       {Ref: "e3"},
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", text, got, err, want)
		}
	}
	if _, err := Parse("  "); err == nil {
		t.Error("an empty target was taken")
	}
}
