package checks

import (
	"fmt"
	"strings"
	"testing"
)

// P-25: a click reaches its element, whatever the page does to it on the way, or says why not; never another element.
func TestP25ClickReachesItsTargetOrNone(t *testing.T) {
	t.Parallel()
	const head = `<!doctype html><title>Moves</title><style>body { margin: 0; height: 3000px } button { width: 120px; height: 30px }</style>
<script>window.hits = []; addEventListener('click', (e) => hits.push(e.composedPath()[0].id || e.composedPath()[0].localName), true);
const at = (id) => document.getElementById(id);</script>`
	s := servePages(t, map[string]string{
		"/moving":    head + `<div id=track style="position:relative;height:600px"><button id=target style="position:absolute;left:0;top:0">Target</button><button id=other style="position:absolute;left:0;top:400px">Other</button></div><script>let n = 0; const timer = setInterval(() => { at('target').style.top = (n += 7) + 'px'; if (n > 280) clearInterval(timer) }, 16)</script>`,
		"/swapped":   head + `<button id=target>Target</button><button id=other>Other</button><script>addEventListener('pointermove', () => at('target').before(at('other')), { once: true, capture: true })</script>`,
		"/replaced":  head + `<button id=target>Target</button><script>addEventListener('pointermove', () => { const b = document.createElement('button'); b.id = 'other'; b.textContent = 'Delete all'; at('target').replaceWith(b) }, { once: true, capture: true })</script>`,
		"/jacked":    head + `<button id=target>Target</button><script>addEventListener('pointermove', () => { const o = document.createElement('div'); o.id = 'other'; o.style = 'position:fixed;inset:0;opacity:0;z-index:9'; document.body.append(o) }, { once: true, capture: true })</script>`,
		"/covered":   head + `<button id=target>Target</button><div id=other style="position:fixed;inset:0;opacity:0"></div>`,
		"/uncovered": head + `<button id=target>Target</button><div id=other style="position:fixed;inset:0;background:#fff8"></div><script>setTimeout(() => at('other').remove(), 700)</script>`,
		"/transform": head + `<div style="transform: rotate(33deg) scale(1.7) translate(120px, 60px); transform-origin: 0 0; width: 300px"><button id=target>Target</button><button id=other>Other</button></div>`,
		"/zoom":      head + `<div style="zoom: 1.7"><div style="height: 2000px"></div><button id=target>Target</button><button id=other>Other</button></div>`,
		"/scrolled":  head + `<div style="height: 2200px"></div><div style="height: 200px; overflow: auto"><div style="height: 900px"></div><button id=target>Target</button><button id=other>Other</button><div style="height: 900px"></div></div>`,
		"/sticky":    head + `<header id=other style="position: sticky; top: 0; height: 90%; background: #fff8; height: 300px"></header><div style="height: 1500px"></div><button id=target>Target</button><div style="height: 1500px"></div>`,
		"/deaf":      head + `<button id=target style="pointer-events: none">Target</button><button id=other>Other</button>`,
		"/deafinner": head + `<div id=other style="padding: 20px"><button id=target style="pointer-events: none">Target</button></div>`,
		"/closed":    head + `<div id=host></div><button id=other>Other</button><script>at('host').attachShadow({ mode: 'closed' }).innerHTML = '<button id=target>Target</button>'</script>`,
		"/nested":    head + `<iframe id=f style="border: 7px solid; transform: scale(.8); width: 400px; height: 200px; margin: 33px" src="{{CROSS}}/inner"></iframe>`,
		"/inner":     head + `<div style="height: 600px"></div><button id=target>Target</button><button id=other>Other</button>`,
		"/gone":      head + `<button id=target>Target</button><script>addEventListener('pointermove', () => at('target').remove(), { once: true, capture: true })</script>`,
		"/sliver":    head + `<button id=target style="width: 400px">Target</button><div id=other style="position: absolute; left: 90px; top: 0; width: 310px; height: 30px; background: #fff8"></div>`,
		"/inline":    head + `<p style="width: 200px; font: 16px/1.4 monospace">some words before <a id=target href="#hit">a link over several lines of the paragraph</a> and words after it</p>`,
	}, nil)
	for _, ratio := range []string{"1", "1.5"} {
		t.Run("ratio "+ratio, func(t *testing.T) {
			t.Parallel()
			e := s.managed(t, "/closed")
			if ratio != "1" {
				e.OK("emulation", "set", "--viewport", "900x600@"+ratio)
			}
			for _, c := range []struct {
				path  string
				codes string // allowed instead of a hit; empty where it must hit
			}{
				{"/moving", ""}, {"/swapped", "TARGET_OBSCURED"}, {"/replaced", "TARGET_OBSCURED TARGET_STALE ELEMENT_NOT_FOUND"}, {"/jacked", "TARGET_OBSCURED"}, {"/covered", "TARGET_OBSCURED"}, {"/uncovered", ""},
				{"/transform", ""}, {"/zoom", ""}, {"/scrolled", ""}, {"/sticky", ""}, {"/deaf", "TARGET_OBSCURED TARGET_NOT_INTERACTABLE"}, {"/deafinner", "TARGET_OBSCURED TARGET_NOT_INTERACTABLE"},
				{"/closed", ""}, {"/nested", ""}, {"/gone", "TARGET_STALE TARGET_OBSCURED ELEMENT_NOT_FOUND ACTION_NO_EFFECT"}, {"/sliver", ""}, {"/inline", ""},
			} {
				if ratio != "1" && c.codes != "" && c.path != "/jacked" {
					continue // what the ratio may change is where a press lands
				}
				e.OK("page", "navigate", s.url(c.path))
				role := "button"
				if c.path == "/inline" {
					role = "link"
				}
				target := role + ` "Target"`
				if role == "link" {
					target = "#target"
				}
				a := e.Run("element", "click", target, "--timeout", map[bool]string{true: "6000", false: "3000"}[c.codes == ""])
				frame := "main"
				if c.path == "/nested" {
					frame = "f1"
				}
				hits := fmt.Sprint(e.OK("runtime", "eval", "hits.join()", "--frame", frame)["value"])
				if strings.Contains(hits, "other") {
					t.Errorf("%s: another element took the click: %s\n%s", c.path, hits, a.Stdout)
				}
				switch {
				case a.Exit == 0 && hits == "target":
				case a.Exit == 0 && c.path == "/closed" && hits == "host":
				case c.codes != "" && a.Code != "" && strings.Contains(c.codes, a.Code) && hits == "" && len(a.Error.Suggestions) > 0:
				default:
					t.Errorf("%s: exit %d, hits %q, %s", c.path, a.Exit, hits, a.Stdout)
				}
			}
		})
	}
}
