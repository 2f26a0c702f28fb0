package layout

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// planted is a fault as it happens, in a page that has none otherwise.
type planted struct {
	name   string
	page   string // real-*.html
	css    string
	script string
	target string
	kind   string
	cause  string // CSS selector of the element that carries it
	// property of the cause; several where either is as good.
	property []string
	asked    bool   // only told of an element that is asked about
	swept    string // type by which the sweep tells it, where it is another
}

var plantedFaults = []planted{
	{
		name: "a menu in a card that cuts", page: "dashboard",
		script: `document.querySelector('.kpi').insertAdjacentHTML('beforeend', '<div id="m" style="position: absolute; width: 140px; height: 90px; margin-top: 6px; background: #fff"><button>Export as a table</button></div>'); document.querySelector('.kpi').style.position = 'relative'`,
		target: "#m", kind: "clipped-by-ancestor", cause: ".kpi", property: []string{"overflow-y", "overflow-x"}, asked: true,
	},
	{
		name: "cards over a header that stays", page: "dashboard", css: `.topbar { z-index: 0 } .kpi { position: relative; z-index: 10 }`, script: `scrollTo(0, 60)`,
		target: ".search input", kind: "covered-by-element", cause: ".kpi:nth-child(1)", property: []string{"z-index"},
	},
	{
		name: "bars of a height that is a share of nothing", page: "dashboard", css: `.trend { height: auto }`,
		target: ".trend i:nth-child(2)", kind: "percent-height-of-auto", cause: ".trend", property: []string{"height"},
	},
	{
		name: "a column that its table pushes out", page: "dashboard", css: `main { min-width: auto } .card { overflow: visible } .table-wrap { overflow: visible; margin: 0 } table { width: auto }`,
		target: "main", kind: "flex-min-content", cause: "main", property: []string{"min-width"}, asked: true,
	},
	{
		name: "a modal in something that is transformed", page: "modal",
		script: `document.querySelector('#app').inert = false; document.querySelector('main').style.transform = 'translateY(20px)'; document.querySelector('main').append(document.querySelector('.modal'))`,
		target: ".modal", kind: "fixed-inside-transformed", cause: "main", property: []string{"transform"},
	},
	{
		name: "a backdrop in front of its modal", page: "modal", css: `.modal { z-index: 900 }`,
		target: ".foot button", kind: "covered-by-element", cause: ".backdrop", property: []string{"z-index"},
	},
	{
		name: "an advertisement over a button", page: "login",
		script: `document.querySelector('.stage').insertAdjacentHTML('beforeend', '<div id="ad" style="position: absolute; left: 250px; top: 340px; width: 500px; height: 180px; background: #ff0; color: #000; z-index: 5">Buy now</div>')`,
		target: ".login button", kind: "covered-by-element", cause: "#ad", property: []string{"z-index"},
	},
	{
		name: "as wide as the window in a column", page: "docs", css: `.note { width: 100vw }`,
		target: ".note", kind: "horizontal-scroll", cause: ".note", property: []string{"width"},
	},
	{
		name: "white on yellow", page: "shop", css: `.promo { background: #ffeb3b }`,
		target: ".promo", kind: "low-contrast", cause: ".promo", property: []string{"color"},
	},
	{
		name: "a media query that hides too much", page: "bootstrap", css: `@media (max-width: 1200px) { .jumbotron .btn { display: none } }`,
		target: ".jumbotron .btn", kind: "media-hidden", cause: ".jumbotron .btn", property: []string{"display"}, asked: true,
	},
	{
		name: "a fade that was cancelled", page: "marketing", css: `.fade-up.in { opacity: 0 }`,
		target: ".fade-up.in h2", kind: "hidden-by-ancestor", cause: ".fade-up.in", property: []string{"opacity"}, asked: true,
	},
	{
		name: "a label over another field", page: "settings", css: `.floating label { pointer-events: auto; width: 90%; height: 140px; z-index: 1 }`,
		target: ".group input", kind: "covered-by-element", cause: "[for=mail]", property: []string{"z-index", "position"},
	},
	{
		name: "sticky in a box that cuts", page: "docs", css: `.wrap { overflow: hidden }`,
		target: ".side", kind: "sticky-not-sticking", cause: ".wrap", property: []string{"overflow-x", "overflow-y"},
	},
	{
		name: "the last line under a bar", page: "settings", css: `form { padding-bottom: 0; margin-bottom: 0 }`, script: `scrollTo(0, 1e6)`,
		target: "form > p:last-child", kind: "covered-by-element", cause: ".actions", property: []string{"position"},
	},
	{
		name: "a picture pressed flat", page: "shop", css: `.thumb img { object-fit: fill; height: 80px }`,
		script: `const c = document.createElement('canvas'); c.width = 300; c.height = 400; const i = document.querySelector('.thumb img'); i.src = c.toDataURL(); await i.decode()`,
		target: ".thumb img", kind: "image-distorted", cause: ".thumb img", property: []string{"height", "object-fit"},
	},
	{
		name: "a row outside of its container", page: "bootstrap", script: `document.body.append(document.querySelector('.container > .row'))`,
		target: "body > .row", kind: "horizontal-scroll", cause: "body > .row", property: []string{"margin-right"},
	},
	{
		name: "a bar that cuts its open menu", page: "menus", css: `.bar { overflow: hidden }`,
		target: "#mega a", kind: "clipped-by-ancestor", cause: ".bar", property: []string{"overflow-y", "overflow-x"},
	},
	{
		name: "a page in front of an open menu", page: "menus", css: `.bar { z-index: 0 } main { position: relative; z-index: 1; background: #fff }`,
		target: "#mega a", kind: "covered-by-element", cause: "main", property: []string{"z-index"},
	},
	{
		name: "controls behind a map", page: "map", css: `.zoom { z-index: -1 }`,
		target: ".zoom button", kind: "covered-by-element", cause: ".zoom", property: []string{"z-index"},
	},
	{
		name: "a status bar pushed out of the window", page: "editor", css: `.work { min-height: auto } .explorer { overflow: visible }`,
		target: ".status button", kind: "completely-offscreen", cause: ".work", property: []string{"min-height"}, swept: "flex-min-content",
	},
	{
		name: "columns that no scrolling reaches", page: "kanban", css: `.board { overflow: visible }`,
		target: ".column:nth-child(6) .add", kind: "completely-offscreen", cause: ".board", property: []string{"overflow-x"},
	},
	{
		name: "too wide to the left", page: "rtl", css: `.field { width: 1100px }`,
		target: ".field", kind: "horizontal-scroll", cause: ".field", property: []string{"width"},
	},
	{
		name: "an avatar that is squeezed", page: "chat", css: `.row .dot { flex: 0 1 36px } .row > div:last-child { flex: 0 0 230px }`,
		target: ".row .dot", kind: "flex-item-shrunk", cause: ".row > div:last-child", property: []string{"flex-shrink"},
	},
	{
		name: "a link that lets clicks through", page: "login", css: `.social { pointer-events: none }`,
		target: ".social a", kind: "pointer-events-none", cause: ".social", property: []string{"pointer-events"},
	},
	{
		name: "a page that stays locked", page: "modal", script: `document.querySelector('.modal').remove(); document.querySelector('.backdrop').remove(); document.querySelector('#app').inert = false; document.querySelector('#app').ariaHidden = null`,
		target: "body", kind: "scroll-locked", cause: "body", property: []string{"overflow-y"},
	},
	{
		name: "a layer that nobody sees", page: "shop", script: `document.body.insertAdjacentHTML('beforeend', '<div class="modal-backdrop" style="position: fixed; inset: 0; opacity: 0; z-index: 99"></div>')`,
		target: ".product h3 a", kind: "covered-by-element", cause: ".modal-backdrop", property: []string{"z-index"},
	},
	{
		name: "a text in a box of fixed height", page: "bootstrap", css: `.alert { height: 40px; overflow: hidden; width: 90px; padding-right: 0 }`,
		target: ".alert", kind: "text-truncated", cause: ".alert", property: []string{"overflow-y"},
	},
}

const mark = `((css) => { const e = document.querySelector(css); if (!e) return null; return e.dataset.t ||= 'p' + Math.random().toString(36).slice(2, 9); })(%q)`

func TestPlanted(t *testing.T) {
	env := commandtest.Managed(t)
	env.OK("emulation", "set", "--viewport", "1000x700")
	for _, p := range plantedFaults {
		t.Run(p.name, func(t *testing.T) {
			e := *env
			e.T = t
			plant(t, &e, p)
		})
	}
}

func plant(t *testing.T, env *commandtest.Env, p planted) {
	env.Goto("/layout/real-" + p.page)
	css, err := json.Marshal(p.css)
	if err != nil {
		t.Fatal(err)
	}
	env.Eval(fmt.Sprintf(`(async () => { document.head.append(Object.assign(document.createElement('style'), {textContent: '*,*::before,*::after { transition: none !important } ' + %s})); %s; return 1 })()`, css, p.script))
	target, cause := env.Eval(fmt.Sprintf(mark, p.target)), env.Eval(fmt.Sprintf(mark, p.cause))
	if target == nil || cause == nil {
		t.Fatalf("no %s or no %s", p.target, p.cause)
	}
	marked := &marks{env, map[string]string{}}
	is := func(i issue) bool {
		return i.Type == p.kind && i.Severity != "info" && i.Cause != nil && marked.of(i.Cause.Ref) == cause && slices.Contains(p.property, i.Cause.Property)
	}
	issues := diagnose(t, env, fmt.Sprintf("[data-t=%q]", target), true)
	at := slices.IndexFunc(issues, is)
	if at < 0 {
		t.Errorf("not told of it: %s", shown(issues))
	} else if v := issues[at].Verified; issues[at].Fix != nil && (v == nil || !v.Fixed) {
		t.Errorf("the fix does not help: %s", shown(issues[at:at+1]))
	}
	if p.asked {
		return
	}
	var swept []issue
	again(t, env.OK("layout", "diagnose", "--limit", "500")["issues"], &swept)
	if p.swept != "" {
		p.kind = p.swept
	}
	if !slices.ContainsFunc(swept, is) {
		t.Errorf("the sweep does not find it: %s", shown(swept))
	}
	for _, i := range swept {
		if !is(i) {
			t.Logf("also: %s %s", i.Type, i.Message)
		}
	}
}
