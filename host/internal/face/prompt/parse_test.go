package prompt

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestParseCommands(t *testing.T) {
	cases := map[string]string{
		`click e12`:                       `{"type":"click","target":{"ref":"e12"}}`,
		`click f2e3`:                      `{"type":"click","target":{"ref":"f2e3"}}`,
		`CLICK e12`:                       `{"type":"click","target":{"ref":"e12"}}`,
		`click "Sign in"`:                 `{"type":"click","target":{"text":"Sign in"}}`,
		`click 'Sign in'`:                 `{"type":"click","target":{"text":"Sign in"}}`,
		`click "say \"hi\" \\ there"`:     `{"type":"click","target":{"text":"say \"hi\" \\ there"}}`,
		`click Sign in`:                   `{"type":"click","target":{"text":"Sign in"}}`,
		`click Don't save`:                `{"type":"click","target":{"text":"Don't save"}}`,
		`click #save`:                     `{"type":"click","target":{"selector":"#save"}}`,
		`click .btn.primary`:              `{"type":"click","target":{"selector":".btn.primary"}}`,
		`click [data-id="a b"]`:           `{"type":"click","target":{"selector":"[data-id=\"a b\"]"}}`,
		`click #list > li:nth-child(2)`:   `{"type":"click","target":{"selector":"#list > li:nth-child(2)"}}`,
		`click form>button`:               `{"type":"click","target":{"selector":"form>button"}}`,
		`click css=button`:                `{"type":"click","target":{"selector":"button"}}`,
		`click css="main button"`:         `{"type":"click","target":{"selector":"main button"}}`,
		`click text=e12`:                  `{"type":"click","target":{"text":"e12"}}`,
		`click id=save`:                   `{"type":"click","target":{"stableId":"save"}}`,
		`click "#1 product"`:              `{"type":"click","target":{"text":"#1 product"}}`,
		`click button "Save"`:             `{"type":"click","target":{"role":"button","name":"Save"}}`,
		`click button`:                    `{"type":"click","target":{"text":"button"}}`,
		`click #`:                         `{"type":"click","target":{"text":"#"}}`,
		`dblclick e1`:                     `{"type":"click","target":{"ref":"e1"},"count":2}`,
		`rightclick e1`:                   `{"type":"click","target":{"ref":"e1"},"button":"right"}`,
		`hover link "Home"`:               `{"type":"hover","target":{"role":"link","name":"Home"}}`,
		`focus #q`:                        `{"type":"focus","target":{"selector":"#q"}}`,
		`type #email a@b.c`:               `{"type":"type","target":{"selector":"#email"},"text":"a@b.c"}`,
		`type e3 two  words "and quotes"`: `{"type":"type","target":{"ref":"e3"},"text":"two  words \"and quotes\""}`,
		`type e3 " kept spaces "`:         `{"type":"type","target":{"ref":"e3"},"text":" kept spaces "}`,
		`type "First name" O'Brien`:       `{"type":"type","target":{"text":"First name"},"text":"O'Brien"}`,
		`type textbox "E-mail" x`:         `{"type":"type","target":{"role":"textbox","name":"E-mail"},"text":"x"}`,
		`fill e3 new`:                     `{"type":"type","target":{"ref":"e3"},"text":"new","clear":true}`,
		`fill e3`:                         `{"type":"type","target":{"ref":"e3"},"text":"","clear":true}`,
		`select #country Spain`:           `{"type":"select","target":{"selector":"#country"},"value":"Spain"}`,
		`select #country New Zealand`:     `{"type":"select","target":{"selector":"#country"},"value":"New Zealand"}`,
		`select #tags "a b" c`:            `{"type":"select","target":{"selector":"#tags"},"values":["a b","c"]}`,
		`select #country ""`:              `{"type":"select","target":{"selector":"#country"},"values":[""]}`,
		`select e7 true`:                  `{"type":"select","target":{"ref":"e7"},"value":"true"}`,
		`scroll bottom`:                   `{"type":"scroll","to":"bottom"}`,
		`scroll 300`:                      `{"type":"scroll","y":300}`,
		`scroll -5 300`:                   `{"type":"scroll","x":-5,"y":300}`,
		`scroll e9`:                       `{"type":"scroll","target":{"ref":"e9"},"to":"intoView"}`,
		`scroll #list bottom`:             `{"type":"scroll","target":{"selector":"#list"},"to":"bottom"}`,
		`scroll #list 120`:                `{"type":"scroll","target":{"selector":"#list"},"y":120}`,
		`scroll "Terms and conditions"`:   `{"type":"scroll","target":{"text":"Terms and conditions"},"to":"intoView"}`,
		`goto https://a.test/x?y#z`:       `{"type":"navigate","url":"https://a.test/x?y#z"}`,
		`goto example.com/a`:              `{"type":"navigate","url":"https://example.com/a"}`,
		`goto localhost:3000/a`:           `{"type":"navigate","url":"http://localhost:3000/a"}`,
		`goto /cart`:                      `{"type":"navigate","url":"/cart"}`,
		`goto ../up`:                      `{"type":"navigate","url":"../up"}`,
		`goto page.html`:                  `{"type":"navigate","url":"page.html"}`,
		`goto about:blank`:                `{"type":"navigate","url":"about:blank"}`,
		`open mailto:a@b.c`:               `{"type":"navigate","url":"mailto:a@b.c"}`,
		`back`:                            `{"type":"navigate","back":true}`,
		`forward`:                         `{"type":"navigate","forward":true}`,
		`reload`:                          `{"type":"navigate","reload":true}`,
		`eval 1+1`:                        `{"type":"evaluate","code":"1+1"}`,
		`eval  "a" + 'b' // {x}`:          `{"type":"evaluate","code":"\"a\" + 'b' // {x}"}`,
		`tree`:                            `{"type":"request_ui_tree"}`,
		`state`:                           `{"type":"request_state"}`,
		`state cart`:                      `{"type":"request_state","scope":"cart"}`,
		`html`:                            `{"type":"request_dom_snapshot"}`,
	}
	for in, want := range cases {
		t.Run(in, func(t *testing.T) {
			line, err := Parse(in)
			if err != nil {
				t.Fatal(err)
			}
			got, err := encode(line.Command)
			if err != nil || string(got) != want {
				t.Fatalf("got  %s (%v)\nwant %s", got, err, want)
			}
		})
	}
}

func TestParseLocal(t *testing.T) {
	cases := map[string]Line{
		"":           {},
		"   ":        {},
		"help":       {Local: "help"},
		"?":          {Local: "help"},
		"help click": {Local: "help", Word: "click"},
		"quit":       {Local: "quit"},
		"exit":       {Local: "quit"},
		"pages":      {Local: "pages"},
		"page 2":     {Local: "page", Number: 2},
		"console":    {Local: "console", Number: defaultShown},
		"console 5":  {Local: "console", Number: 5},
		"errors":     {Local: "errors", Number: defaultShown},
	}
	for in, want := range cases {
		line, err := Parse(in)
		if err != nil || line.Local != want.Local || line.Number != want.Number || line.Word != want.Word || line.Command != nil {
			t.Errorf("%q: got %+v (%v) want %+v", in, line, err, want)
		}
	}
	raw, err := Parse(` {"type":"click","target":{"ref":"e1"}} `)
	if err != nil || string(raw.Raw) != `{"type":"click","target":{"ref":"e1"}}` {
		t.Fatalf("raw: %s %v", raw.Raw, err)
	}
}

func TestParseRefuses(t *testing.T) {
	cases := map[string]string{
		"clik e1":       "Did you mean click?",
		"frobnicate":    "help shows all commands.",
		"click":         "Write: click TARGET",
		`click "open`:   "Write: click TARGET",
		"click e1 e2":   "Write: click TARGET",
		`click "a" b`:   "Write: click TARGET",
		"type e1":       "Write: type TARGET TEXT",
		"type":          "Write: type TARGET TEXT",
		"select #a":     "Write: select TARGET VALUE",
		"scroll":        "Write: scroll",
		"goto":          "Write: goto URL",
		"goto a b":      "Write: goto URL",
		"eval":          "Write: eval CODE",
		"tree e1":       "Write: tree",
		"page":          "Write: page N",
		"page x":        "Write: page N",
		"page 0":        "Write: page N",
		"console 0":     "Write: console [N]",
		"help clik":     "Write: help [COMMAND]",
		"quit now":      "Write: quit",
		`{"type":`:      "Write one JSON object",
		`{"a":1} extra`: "Write one JSON object",
	}
	for in, want := range cases {
		_, err := Parse(in)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.ValidationError || !strings.HasPrefix(f.Suggestions[0], want) {
			t.Errorf("%q: got %v %v want %s", in, err, f, want)
		}
	}
}

func TestEveryVerbIsUsable(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range verbs {
		for _, name := range append([]string{v.name}, v.aliases...) {
			if seen[name] {
				t.Errorf("%s is declared twice", name)
			}
			seen[name] = true
		}
		if v.about == "" || !strings.HasPrefix(v.usage, v.name) {
			t.Errorf("%s has no help", v.name)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`click e12`, `click button "Save"`, `type #a "b`, `scroll -1e3 9`, `select e1 "" 'x'`, `goto localhost:`, `{"type":"x"}`, `click [a="b c`, "type \x00 \xff", `click css="`, `scroll e1 bottom`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		line, err := Parse(in)
		if err != nil {
			if fault.From(err).Code != fault.ValidationError || len(fault.From(err).Suggestions) == 0 {
				t.Fatalf("%q: %v", in, err)
			}
			return
		}
		if line.Raw != nil && !json.Valid(line.Raw) {
			t.Fatalf("%q gave invalid JSON %q", in, line.Raw)
		}
		if line.Command == nil {
			return
		}
		if line.Command.Type == "" {
			t.Fatalf("%q gave a command without a type", in)
		}
		data, err := encode(line.Command)
		if err != nil || !json.Valid(data) {
			t.Fatalf("%q: %s %v", in, data, err)
		}
		if target := line.Command.Target; target != nil && *target == (protocolTarget{}) {
			t.Fatalf("%q gave an empty target", in)
		}
	})
}
