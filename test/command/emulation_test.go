package command

import (
	"reflect"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

const seen = `({w: innerWidth, dpr: devicePixelRatio, touch: navigator.maxTouchPoints > 0, dark: matchMedia('(prefers-color-scheme: dark)').matches,
  reduce: matchMedia('(prefers-reduced-motion: reduce)').matches, ua: navigator.userAgent, tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
  lang: Intl.NumberFormat().resolvedOptions().locale, print: matchMedia('print').matches, online: navigator.onLine})`

func TestEmulation(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/emulated")
	before := e.Eval(seen).(map[string]any)
	got := e.OK("emulation", "set", "--viewport", "390x844@3,mobile,touch", "--color-scheme", "dark", "--reduced-motion", "reduce",
		"--user-agent", "Tester/1.0", "--timezone", "Asia/Seoul", "--locale", "de-DE", "--media", "print", "--offline", "--header", "X-Test: yes")
	if len(got["active"].(map[string]any)) != 8 {
		t.Errorf("%v", got)
	}
	after := e.Eval(seen).(map[string]any)
	for name, want := range map[string]any{"dpr": 3.0, "touch": true, "dark": true, "reduce": true, "tz": "Asia/Seoul", "lang": "de-DE", "print": true, "online": false} {
		if !reflect.DeepEqual(after[name], want) {
			t.Errorf("%s is %v, want %v", name, after[name], want)
		}
	}
	e.OK("emulation", "set", "--network", "auto")
	e.Goto("/page/next") // it outlasts a navigation
	again := e.Eval(seen).(map[string]any)
	if again["ua"] != "Tester/1.0" || again["dark"] != true || again["online"] != true {
		t.Errorf("after a navigation: %v", again)
	}
	if status := e.Text("session", "status", "--verbose"); !strings.Contains(status, "emulation") {
		t.Errorf("the status does not tell of it:\n%s", status)
	}
	e.OK("emulation", "set", "--color-scheme", "auto")
	if now := e.Eval(seen).(map[string]any); now["dark"] == true || now["reduce"] != true {
		t.Errorf("auto took back too much or too little: %v", now)
	}
	e.OK("emulation", "reset")
	e.Goto("/page/emulated")
	if now := e.Eval(seen).(map[string]any); !reflect.DeepEqual(now, before) {
		t.Errorf("after reset: %v\nbefore: %v", now, before)
	}
	for _, wrong := range [][]string{{"--viewport", "wide"}, {"--network", "fast"}, {"--geolocation", "200,0"}, {"--color-scheme", "purple"}, {"--header", "nothing"}, {}} {
		e.Fails("VALIDATION_ERROR", 2, append([]string{"emulation", "set"}, wrong...)...)
	}
}

func TestEmulatedPlace(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.Goto("/page/place")
	e.OK("emulation", "set", "--geolocation", "48.85,2.35", "--cpu", "4")
	e.OK("cdp", "send", "Emulation.setEmulatedMedia", "{}")
	got := e.OK("emulation", "set", "--cpu", "1")
	if active := got["active"].(map[string]any); active["cpu"] != nil || active["geolocation"] != "48.85,2.35" {
		t.Errorf("%v", got)
	}
}

func TestLayoutStyles(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	e.HTML(`<style>#box { color: red; width: 10px; bogus: 1 } div.x { color: blue !important } @media (min-width: 1px) { #box { height: 5px } } body { font-size: 20px }</style>
<div id=box class=x style="color: green">text</div>`)
	got := e.OK("layout", "styles", "#box")
	text := e.Text("layout", "styles", "#box")
	for _, want := range []string{"color: blue !important\n", "color: red  (overridden)", "color: green  (overridden)", "bogus: 1  (invalid)", "@media (min-width: 1px)", "inherited from", "font-size: 20px"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	computed := got["computed"].(map[string]any)
	if computed["color"] != "rgb(0, 0, 255)" || computed["width"] != "10px" {
		t.Errorf("%v", computed)
	}
	only := e.OK("layout", "styles", "#box", "width")
	if computed := only["computed"].(map[string]any); len(computed) != 1 || computed["width"] != "10px" {
		t.Errorf("%v", computed)
	}
	e.Fails("ELEMENT_NOT_FOUND", 3, "layout", "styles", "#nowhere", "--timeout", "6000")
}
