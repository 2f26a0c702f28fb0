package page

import (
	"strings"
	"testing"
	"time"
)

// action is one command on one control, and what the page must say of it.
type action struct {
	name    string
	command string
	fields  params
	check   string // true in the page afterwards
	effect  string // changed unless given
	code    string // the error, if it must fail
	log     string // what window.log must hold, in this order, among other entries
}

func id(name string) params { return params{"id": name} }

func on(target string, more ...any) params {
	fields := params{"target": id(target)}
	for i := 0; i < len(more); i += 2 {
		fields[more[i].(string)] = more[i+1]
	}
	return fields
}

var actions = []action{
	// click
	{name: "button", command: "click", fields: on("button"), effect: "changed", log: "pointerdown button;mousedown button;pointerup button;mouseup button;click button"},
	{name: "double", command: "click", fields: on("button", "count", 2), log: "click button;click button;dblclick button"},
	{name: "right", command: "click", fields: on("button", "button", "right"), log: "mousedown button;contextmenu button"},
	{name: "middle", command: "click", fields: on("button", "button", "middle"), log: "mousedown button;auxclick button"},
	{name: "modifiers", command: "click", fields: on("button", "modifiers", []string{"Shift", "Alt"}), check: `lastClick.shiftKey && lastClick.altKey && !lastClick.ctrlKey`},
	{name: "below the fold", command: "click", fields: on("below"), log: "click below", check: "scrollY > 0"},
	{name: "deep in a scroller", command: "click", fields: on("deep"), log: "click deep", check: "tall.scrollTop > 0"},
	{name: "checkbox", command: "click", fields: on("check"), check: "check.checked", log: "click check;input check on;change check"},
	{name: "mixed", command: "click", fields: on("mixed"), check: "mixed.checked && !mixed.indeterminate"},
	{name: "radio", command: "click", fields: on("small"), check: "small.checked && !large.checked", log: "click small;input small s;change small"},
	{name: "label of a checkbox", command: "click", fields: params{"target": params{"selector": "label:has(#check)"}}, check: "check.checked"},
	{name: "label of a field", command: "click", fields: params{"target": params{"selector": "label[for=text]"}}, check: "document.activeElement.id === 'text'"},
	{name: "switch", command: "click", fields: on("switch"), check: "document.getElementById('switch').ariaChecked === 'true'"},
	{name: "tristate", command: "click", fields: on("tristate"), check: "tristate.ariaChecked === 'true'"},
	{name: "link", command: "click", fields: on("link"), check: "location.hash === '#there'", effect: "navigated"},
	{name: "details", command: "click", fields: params{"target": params{"selector": "#details > summary"}}, check: "details.open", log: "toggle details"},
	{name: "menu", command: "click", fields: on("opener"), check: "!menu.hidden && document.getElementById('opener').ariaExpanded === 'true'"},
	{name: "tab", command: "click", fields: on("tab-2"), check: "document.getElementById('tab-2').ariaSelected === 'true'"},
	{name: "div as button", command: "click", fields: on("div-button"), log: "mousedown div-button;focus div-button;click div-button"},
	{name: "handler in an attribute", command: "click", fields: on("onclick"), check: "last.textContent === 'click onclick'"},
	{name: "submit", command: "click", fields: on("submit"), log: "click submit;submit form"},
	{name: "reset", command: "click", fields: on("reset"), log: "click reset;reset form"},
	{name: "input button", command: "click", fields: on("input-button"), log: "click input-button"},
	{name: "image button", command: "click", fields: on("image"), log: "click image;submit form"},
	{name: "disabled by its fieldset", command: "click", fields: on("off-button", "timeoutMs", 500), code: "TARGET_NOT_INTERACTABLE"},
	{name: "in closed details", command: "click", fields: on("in-details", "timeoutMs", 500), code: "TARGET_NOT_INTERACTABLE"},

	// type
	{name: "text", command: "type", fields: on("text", "text", "Ada"), check: "text.value === 'Ada'", log: "focus text;keydown text;beforeinput text;input text A;keyup text;input text Ada"},
	{name: "append", command: "type", fields: on("filled", "text", " after"), check: "filled.value === 'before after'"},
	{name: "clear", command: "type", fields: on("filled", "text", "new", "clear", true), check: "filled.value === 'new'"},
	{name: "clear to nothing", command: "type", fields: on("filled", "text", "", "clear", true), check: "filled.value === ''"},
	{name: "other scripts", command: "type", fields: on("text", "text", "Ü漢😀 שלום"), check: "text.value === 'Ü漢😀 שלום'"},
	{name: "longer than it takes", command: "type", fields: on("max", "text", "123456789"), check: "max.value === '12345'"},
	{name: "email", command: "type", fields: on("email", "text", "ada@b.c"), check: "email.value === 'ada@b.c'"},
	{name: "address", command: "type", fields: on("url", "text", "http://a.b/"), check: "document.getElementById('url').value === 'http://a.b/'"},
	{name: "phone", command: "type", fields: on("tel", "text", "+44 1"), check: "tel.value === '+44 1'"},
	{name: "search", command: "type", fields: on("search", "text", "rope"), check: "search.value === 'rope'"},
	{name: "number", command: "type", fields: on("number", "text", "35"), check: "number.valueAsNumber === 35"},
	{name: "range", command: "type", fields: on("range", "text", "7"), check: "range.value === '7'", log: "input range 7;change range"},
	{name: "date", command: "type", fields: on("date", "text", "2026-02-03"), check: "date.value === '2026-02-03'", log: "input date 2026-02-03;change date"},
	{name: "time", command: "type", fields: on("time", "text", "12:34"), check: "time.value === '12:34'"},
	{name: "date and time", command: "type", fields: on("datetime", "text", "2026-02-03T04:05"), check: "datetime.value === '2026-02-03T04:05'"},
	{name: "month", command: "type", fields: on("month", "text", "2026-02"), check: "month.value === '2026-02'"},
	{name: "week", command: "type", fields: on("week", "text", "2026-W05"), check: "week.value === '2026-W05'"},
	{name: "colour", command: "type", fields: on("color", "text", "#ff8800"), check: "color.value === '#ff8800'"},
	{name: "password", command: "type", fields: on("password", "text", "pw-7", "clear", true), check: "password.value === 'pw-7'"},
	{name: "text area", command: "type", fields: on("area", "text", "\nthree"), check: `area.value === 'one\ntwo\nthree'`},
	{name: "plain note", command: "type", fields: on("plain-edit", "text", "note"), check: "document.getElementById('plain-edit').textContent === 'note'", log: "beforeinput plain-edit;input plain-edit"},
	{name: "rich note", command: "type", fields: on("rich-edit", "text", "more"), check: `document.getElementById('rich-edit').textContent === 'bold textmore' && document.querySelector('#rich-edit b')`},
	{name: "rich note anew", command: "type", fields: on("rich-edit", "text", "all new", "clear", true), check: `document.getElementById('rich-edit').textContent.replaceAll('\u00a0', ' ').trim() === 'all new'`},
	{name: "by its label", command: "type", fields: params{"target": params{"role": "textbox", "name": "Phone"}, "text": "1"}, check: "tel.value === '1'"},
	{name: "into a label", command: "type", fields: params{"target": params{"selector": "label[for=text]"}, "text": "x"}, check: "text.value === 'x'"},
	{name: "field with choices", command: "type", fields: on("typed", "text", "tea"), check: "typed.value === 'tea'"},
	{name: "select", command: "type", fields: on("one", "text", "Delta"), check: "one.value === 'd'"},
	{name: "read only", command: "type", fields: on("readonly", "text", "x", "timeoutMs", 500), code: "TARGET_NOT_INTERACTABLE", check: "readonly.value === 'fixed'"},
	{name: "disabled", command: "type", fields: on("disabled", "text", "x", "timeoutMs", 500), code: "TARGET_NOT_INTERACTABLE", check: "disabled.value === 'off'"},
	{name: "no date", command: "type", fields: on("date", "text", "tomorrow"), code: "VALIDATION_ERROR", check: "date.value === ''"},
	{name: "no number", command: "type", fields: on("range", "text", "lots"), code: "VALIDATION_ERROR", check: "range.value === '2'"},
	{name: "a button", command: "type", fields: on("button", "text", "x", "timeoutMs", 500), code: "TARGET_NOT_INTERACTABLE"},

	// select
	{name: "by value", command: "select", fields: on("one", "value", "a"), check: "one.value === 'a'", log: "input one a;change one"},
	{name: "by label", command: "select", fields: on("one", "value", "Delta"), check: "one.value === 'd'"},
	{name: "what it is", command: "select", fields: on("one", "value", "b"), check: "one.value === 'b'"},
	{name: "many", command: "select", fields: on("many", "values", []string{"Red", "Blue"}), check: "[...many.selectedOptions].map((o) => o.value).join() === 'Red,Blue'"},
	{name: "checkbox on", command: "select", fields: on("check", "value", "true"), check: "check.checked"},
	{name: "checkbox off already", command: "select", fields: on("check", "value", "false"), check: "!check.checked", effect: "noop"},
	{name: "radio on", command: "select", fields: on("small", "value", "true"), check: "small.checked"},
	{name: "switch on", command: "select", fields: on("switch", "value", "true"), check: "document.getElementById('switch').ariaChecked === 'true'"},
	{name: "own list", command: "select", fields: on("combo", "value", "Pear"), check: "combo.textContent === 'Pear' && fruits.hidden"},
	{name: "disabled option", command: "select", fields: on("one", "value", "c", "timeoutMs", 500), code: "TARGET_NOT_INTERACTABLE", check: "one.value === 'b'"},
	{name: "no such option", command: "select", fields: on("one", "value", "Omega", "timeoutMs", 500), code: "ELEMENT_NOT_FOUND", check: "one.value === 'b'"},

	// hover, focus, scroll
	{name: "hover", command: "hover", fields: on("div-button"), log: "pointerover div-button;mouseover div-button;mousemove div-button", effect: "any"},
	{name: "focus", command: "focus", fields: on("text"), check: "document.activeElement.id === 'text'", log: "focus text"},
	{name: "page by", command: "scroll", fields: params{"y": 120}, check: "scrollY === 120"},
	// The browser's debugger bar slides in after a navigation: the viewport loses up to 40 px of its height while we look.
	{name: "page to the bottom", command: "scroll", fields: params{"to": "bottom"}, check: "scrollY + innerHeight >= document.documentElement.scrollHeight - 41"},
	{name: "page to the top", command: "scroll", fields: params{"to": "top"}, check: "scrollY === 0", effect: "noop"},
	{name: "box by", command: "scroll", fields: on("tall", "y", 50), check: "tall.scrollTop === 50"},
	{name: "into view", command: "scroll", fields: on("below", "to", "intoView"), check: "below.getBoundingClientRect().bottom <= innerHeight + 40"},
}

// trusted are the commands that take the debugger lane at level control.
var trusted = map[string]bool{"click": true, "hover": true, "evaluate": true, "dialog.handle": true}

func via(level, command string) string {
	if level == "control" && trusted[command] {
		return "cdp"
	}
	return "bridge"
}

// Every acting command on every kind of control, at both levels: what the page
// itself heard and holds, the effect and the lane.
func TestControls(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			p := at(t, level, "/page/controls")
			for _, a := range actions {
				t.Run(a.command+" "+a.name, func(t *testing.T) { use(t); p.perform(a) })
			}
		})
	}
}

func (p *page) perform(a action) {
	t := env.T
	t.Helper()
	p.renew("/controls")
	p.Eval(`void addEventListener('click', (event) => { window.lastClick = event; }, true)`, nil)
	began := time.Now()
	done := p.try(a.command, a.fields)
	if took := time.Since(began); took > 6*time.Second {
		t.Errorf("took %v", took)
	}
	if done.Code() != a.code {
		t.Fatalf("code %q, want %q: %s", done.Code(), a.code, done.Raw)
	}
	if a.check != "" && !p.is(a.check) {
		t.Errorf("not so: %s\n%s\n%s\n%s", a.check, done.Raw, p.log(), p.Text("JSON.stringify([scrollX, scrollY, innerWidth, innerHeight, document.documentElement.scrollHeight, document.activeElement.id])"))
	}
	if a.code != "" {
		return
	}
	effect := a.effect
	if effect == "" {
		effect = "changed"
	}
	if got := done.String("effect"); got != effect && effect != "any" {
		t.Errorf("effect %s, want %s: %s", got, effect, done.Raw)
	}
	if got, want := done.String("via"), via(p.level, a.command); got != want {
		t.Errorf("via %s, want %s", got, want)
	}
	p.heard(a.log, p.level == "control" && trusted[a.command])
}

// log is what the page heard.
func (p *page) log() string {
	env.T.Helper()
	return p.Text(`(window.log ?? []).join(';')`)
}

// heard checks that the page's own log has entries in an order, trusted or made.
func (p *page) heard(want string, trusted bool) {
	env.T.Helper()
	if want == "" {
		return
	}
	rest := strings.Split(p.log(), ";")
	all := strings.Join(rest, ";")
	for _, entry := range strings.Split(want, ";") {
		i := 0
		for ; i < len(rest); i++ {
			kind, _, _ := strings.Cut(entry, " ")
			made := strings.HasSuffix(rest[i], " (made)")
			if strings.TrimSuffix(rest[i], " (made)") != entry {
				continue
			}
			// What the browser fires after made events, it fires itself.
			if trusted && made || !trusted && !made && strings.HasPrefix(kind, "mouse") {
				env.T.Errorf("%q is the wrong kind", rest[i])
			}
			break
		}
		if i == len(rest) {
			env.T.Errorf("the page did not hear %q in its place: %s", entry, all)
			return
		}
		rest = rest[i+1:]
	}
}
