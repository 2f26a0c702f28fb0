package recording

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Playwright writes a script for Node with Playwright (playwright or playwright-core) that
// does again what was recorded, checks where it got to and which errors came, and ends
// with 1 where that is not as it was.
func (f *File) Playwright() (Script, error) {
	list, err := f.steps()
	if err != nil {
		return Script{}, err
	}
	var script Script
	script.note(list)
	var body strings.Builder
	last := ""
	for i := range list {
		s := &list[i]
		if s.skipped == "" {
			var code []string
			code, s.skipped = f.playwright(s)
			if s.skipped == "" {
				body.WriteString("\n  // " + s.words + "\n")
				f.around(&body, s, code, i)
				if s.arrive != "" {
					last = s.arrive
				}
				continue
			}
			script.Steps--
			script.Skipped = append(script.Skipped, fmt.Sprintf("%d %s: %s", s.n, s.words, s.skipped))
		}
		body.WriteString("\n  // Left out: " + s.words + " (" + s.skipped + ")\n")
	}
	var b strings.Builder
	for _, text := range f.head() {
		b.WriteString("// " + text + "\n")
	}
	fmt.Fprintf(&b, playwrightHead, js(f.base()))
	for _, name := range script.Ask {
		fmt.Fprintf(&b, "const %s = ask(%s);\n", name, js(name))
	}
	if strings.Contains(body.String(), "hold(") {
		b.WriteString(playwrightHold)
	}
	fmt.Fprintf(&b, playwrightOpen, f.viewport())
	b.WriteString(body.String())
	b.WriteString("\n  // What it came to.\n  await page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => {});\n")
	if last != "" {
		fmt.Fprintf(&b, "  check(%s, `the page is ${page.url()}`);\n", f.arrived("new URL(page.url())", last))
	}
	f.expectErrors(&b)
	b.WriteString(playwrightEnd)
	script.Text = b.String()
	return script, nil
}

const playwrightHead = `// Run it: BASE_URL=http://localhost:3000 node repro.mjs
// HEADED=1 shows the browser, BROWSER_PATH takes another one, CDP_ENDPOINT one that runs (session cdp gives its address).
const { chromium } = await import('playwright').catch(() => import('playwright-core'));

const BASE_URL = (process.env.BASE_URL ?? %s).replace(/\/$/, '');
const differences = [];
const check = (same, text) => same || differences.push(text);
const ask = (name) => {
  if (process.env[name] === undefined) throw new Error(name + ' was not recorded: set it in the environment');
  return process.env[name];
};
`

const playwrightHold = `
// hold makes a field of any kind hold a value.
async function hold(field, value) {
  const kind = await field.evaluate((e) => (e.localName === 'select' ? 'select' : e.type));
  if (kind === 'select') await field.selectOption(value);
  else if (kind === 'checkbox' || kind === 'radio') await field.setChecked(value === 'true');
  else await field.fill(value);
}
`

const playwrightOpen = `
const { CDP_ENDPOINT, BROWSER_PATH, HEADED } = process.env;
const browser = CDP_ENDPOINT ? await chromium.connectOverCDP(CDP_ENDPOINT) : await chromium.launch({ executablePath: BROWSER_PATH, headless: !HEADED });
const context = CDP_ENDPOINT ? browser.contexts()[0] : await browser.newContext(%s);
const page = await context.newPage();
const errors = [];
page.on('pageerror', (error) => errors.push(String(error?.message ?? error)));

try {`

const playwrightEnd = `} finally {
  await browser.close();
}
for (const text of differences) console.error('differs: ' + text);
console.log(differences.length ? 'Not as recorded.' : 'As recorded.');
process.exitCode = differences.length ? 1 : 0;
`

// js writes a value as a JavaScript literal.
func js(value any) string {
	data, err := json.Marshal(value, json.Deterministic(true), jsontext.EscapeForJS(true))
	if err != nil {
		return "undefined"
	}
	return string(bytes.TrimSpace(data))
}

func (f *File) viewport() string {
	if f.Viewport.Width <= 0 || f.Viewport.Height <= 0 || f.Viewport.Width > 10_000 || f.Viewport.Height > 10_000 {
		return ""
	}
	return fmt.Sprintf("{ viewport: { width: %d, height: %d } }", f.Viewport.Width, f.Viewport.Height)
}

// around writes a step between what has to listen before it and what waits after it.
func (f *File) around(b *strings.Builder, s *step, code []string, i int) {
	line := func(format string, args ...any) { fmt.Fprintf(b, "  "+format+"\n", args...) }
	if s.dialog != nil {
		does := "dismiss()"
		if s.dialog.accept {
			does = "accept()"
			if s.dialog.text != "" {
				does = "accept(" + js(s.dialog.text) + ")"
			}
		}
		line("page.once('dialog', (dialog) => dialog.%s);", does)
	}
	for n, r := range s.requests {
		late := ""
		if !r.changes() { // what is only read may come from a cache the next time
			late = ", { timeout: 5_000 }).catch(() => null"
		}
		line("const answer%d_%d = page.waitForResponse((r) => r.request().method() === %s && new URL(r.url()).pathname === %s%s);", i, n, js(r.Method), js(pathOf(r.URL)), late)
	}
	for _, text := range code {
		line("%s", text)
	}
	for n, r := range s.requests {
		if r.changes() {
			line("check((await answer%d_%d).status() === %d, `%s answered ${(await answer%d_%d).status()}, not %d`);", i, n, r.Status, inTemplate(r.Method+" "+pathOf(r.URL)), i, n, r.Status)
		} else {
			line("await answer%d_%d;", i, n)
		}
	}
	if s.arrive != "" {
		line("await page.waitForURL((url) => %s);", f.arrived("url", s.arrive))
	}
}

// arrived is a comparison of an URL with an address; queries with masked parts are not compared.
func (f *File) arrived(variable, address string) string {
	if strings.Contains(address, masked) || strings.Contains(address, "%5Bredacted%5D") {
		return variable + ".pathname === " + js(pathOf(address))
	}
	if rest, ok := f.onBase(address); ok {
		return variable + ".href === BASE_URL + " + js(rest)
	}
	return variable + ".href === " + js(address)
}

// inTemplate writes a text for the inside of a template literal.
func inTemplate(text string) string {
	text = js(fold(text, maxWords))
	text = text[1 : len(text)-1]
	return strings.NewReplacer("`", "\\`", "$", "\\$", `\"`, `"`).Replace(text)
}

// expectErrors compares the uncaught errors with those of the recording.
func (f *File) expectErrors(b *strings.Builder) {
	seen := map[string]bool{}
	for i := range f.Entries {
		e := &f.Entries[i]
		if e.Kind != KindError || len(seen) >= 5 {
			continue
		}
		text, _, _ := strings.Cut(e.Text, "\n")
		for _, prefix := range []string{"Uncaught ", "(in promise) "} {
			text = strings.TrimPrefix(text, prefix)
		}
		// Playwright tells the message alone.
		if class, rest, ok := strings.Cut(text, ": "); ok && strings.HasSuffix(class, "Error") && !strings.Contains(class, " ") {
			text = rest
		}
		if text = cut(text, 120); strings.Contains(text, masked) || seen[text] || strings.TrimSpace(text) == "" {
			continue
		}
		seen[text] = true
		fmt.Fprintf(b, "  check(errors.some((error) => error.includes(%s)), 'an error of the recording did not come: ' + %s);\n", js(strings.TrimSuffix(text, "…")), js(text))
	}
	if f.Counts[KindError] == 0 && len(seen) == 0 {
		b.WriteString("  check(errors.length === 0, 'there were no errors: ' + errors.join('; '));\n")
	}
}

// locate writes what finds an element.
func locate(aim protocol.Target) string {
	switch {
	case aim.Role != "" && aim.Name != "":
		return "page.getByRole(" + js(aim.Role) + ", { name: " + js(aim.Name) + ", exact: true })"
	case aim.Role != "":
		return "page.getByRole(" + js(aim.Role) + ")"
	case aim.StableID != "":
		id := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(aim.StableID)
		return "page.locator(" + js(`[data-testid="`+id+`"], [id="`+id+`"]`) + ").first()"
	case aim.Selector != "":
		return "page.locator(" + js("css="+strings.ReplaceAll(aim.Selector, ">>>", " ")) + ")" // Playwright's CSS enters open shadow roots by itself
	}
	return "page.getByText(" + js(aim.Text) + ", { exact: true })"
}

// playwright writes a step; skipped says why it cannot.
func (f *File) playwright(s *step) (code []string, skipped string) {
	write, ok := playwrights[s.command]
	if !ok {
		return nil, "there is no such thing in Playwright"
	}
	if code = write(f, s); code == nil {
		return nil, "it cannot be written for Playwright"
	}
	return code, ""
}

// on is a call of the step's element.
func (s *step) on(call string) []string {
	if s.aim == (protocol.Target{}) {
		return nil
	}
	return []string{"await " + locate(s.aim) + "." + call + ";"}
}

// value is a parameter as JavaScript: what was not recorded by its variable.
func (s *step) value(name string) string {
	if variable := s.asked[name]; variable != "" {
		return variable
	}
	return js(plain(s.params[name]))
}

func (s *step) number(name string) float64 { n, _ := s.params[name].(float64); return n }

// options are those parameters that Playwright has too, under its names.
func (s *step) options(names map[string]string) string {
	given := map[string]any{}
	for ours, theirs := range names {
		if value, ok := s.params[ours]; ok {
			given[theirs] = value
		}
	}
	if s.params["x"] != nil && s.params["y"] != nil {
		given["position"] = map[string]float64{"x": s.number("x"), "y": s.number("y")}
	}
	if len(given) == 0 {
		return ""
	}
	return js(given)
}

// playwrights write a command each; nil where its parameters say what cannot be written.
var playwrights = map[string]func(*File, *step) []string{
	"page.navigate": func(f *File, s *step) []string {
		for _, way := range []struct{ param, call string }{{"back", "goBack"}, {"forward", "goForward"}, {"reload", "reload"}} {
			if s.params[way.param] == true {
				return []string{"await page." + way.call + "();"}
			}
		}
		address, _ := s.params["url"].(string)
		if rest, ok := f.onBase(address); ok {
			return []string{"await page.goto(BASE_URL + " + js(rest) + ");"}
		}
		return []string{"await page.goto(" + js(address) + ");"}
	},
	"page.resize": func(_ *File, s *step) []string {
		return []string{fmt.Sprintf("await page.setViewportSize({ width: %.0f, height: %.0f });", s.number("width"), s.number("height"))}
	},
	"element.click": func(_ *File, s *step) []string {
		return s.on("click(" + s.options(map[string]string{"button": "button", "count": "clickCount", "modifiers": "modifiers"}) + ")")
	},
	"element.hover": func(_ *File, s *step) []string { return s.on("hover()") },
	"element.focus": func(_ *File, s *step) []string { return s.on("focus()") },
	"element.fill": func(_ *File, s *step) []string {
		if s.aim == (protocol.Target{}) {
			return nil
		}
		switch s.aim.Role {
		case "checkbox", "radio", "switch":
			return s.on("setChecked(" + fmt.Sprint(plain(s.params["value"]) == "true") + ")")
		case "textbox", "searchbox", "spinbutton":
			return s.on("fill(" + s.value("value") + ")")
		}
		return []string{"await hold(" + locate(s.aim) + ", " + s.value("value") + ");"}
	},
	"element.select": func(_ *File, s *step) []string {
		if s.asked["values"] != "" {
			return s.on("selectOption(" + s.asked["values"] + ")")
		}
		values := s.params["values"]
		if _, list := values.([]any); !list {
			values = []any{values}
		}
		return s.on("selectOption(" + js(values) + ")")
	},
	"element.upload": func(_ *File, s *step) []string { return s.on("setInputFiles(" + s.asked["files"] + ")") },
	"element.drag": func(_ *File, s *step) []string {
		to, _ := s.params["to"].(string)
		if aim, ok := lasting(to); ok {
			return s.on("dragTo(" + locate(aim) + ")")
		}
		return nil
	},
	"element.scroll": func(_ *File, s *step) []string {
		where := map[any]string{"top": "0, 0", "bottom": "0, document.documentElement.scrollHeight"}[s.params["to"]]
		switch {
		case s.aim == (protocol.Target{}) && where != "":
			return []string{"await page.evaluate(() => scrollTo(" + where + "));"}
		case s.aim == (protocol.Target{}):
			return []string{fmt.Sprintf("await page.evaluate(() => scrollBy(%g, %g));", s.number("x"), s.number("y"))}
		case s.params["x"] == nil && s.params["y"] == nil && s.params["to"] == nil:
			return s.on("scrollIntoViewIfNeeded()")
		}
		return s.on(fmt.Sprintf("evaluate((e) => e.scrollBy(%g, %g))", s.number("x"), s.number("y")))
	},
	"input.key": func(_ *File, s *step) []string {
		times := max(1, min(100, int(s.number("repeat"))))
		if code := s.on("press(" + s.value("key") + ")"); code != nil {
			return code
		}
		return slices.Repeat([]string{"await page.keyboard.press(" + s.value("key") + ");"}, times)
	},
	"input.type": func(_ *File, s *step) []string {
		code := []string{"await page.keyboard.type(" + s.value("text") + ");"}
		if s.params["submitKey"] != nil {
			code = append(code, "await page.keyboard.press("+s.value("submitKey")+");")
		}
		return code
	},
	"input.click": func(_ *File, s *step) []string {
		options := map[string]any{}
		for ours, theirs := range map[string]string{"button": "button", "count": "clickCount"} {
			if s.params[ours] != nil {
				options[theirs] = s.params[ours]
			}
		}
		return []string{fmt.Sprintf("await page.mouse.click(%g, %g, %s);", s.number("x"), s.number("y"), js(options))}
	},
	"input.mouse-move": func(_ *File, s *step) []string {
		return []string{fmt.Sprintf("await page.mouse.move(%g, %g);", s.number("x"), s.number("y"))}
	},
	"input.mouse-down": func(_ *File, s *step) []string { return s.button("down") },
	"input.mouse-up":   func(_ *File, s *step) []string { return s.button("up") },
	"input.drag": func(_ *File, s *step) []string {
		return []string{
			fmt.Sprintf("await page.mouse.move(%g, %g);", s.number("fromX"), s.number("fromY")), "await page.mouse.down();",
			fmt.Sprintf("await page.mouse.move(%g, %g, { steps: 10 });", s.number("toX"), s.number("toY")), "await page.mouse.up();",
		}
	},
	"input.scroll": func(_ *File, s *step) []string {
		return []string{fmt.Sprintf("await page.mouse.wheel(%g, %g);", s.number("dx"), s.number("dy"))}
	},
}

func (s *step) button(way string) []string {
	var code []string
	if s.params["x"] != nil && s.params["y"] != nil {
		code = append(code, fmt.Sprintf("await page.mouse.move(%g, %g);", s.number("x"), s.number("y")))
	}
	options := ""
	if s.params["button"] != nil {
		options = js(map[string]any{"button": s.params["button"]})
	}
	return append(code, "await page.mouse."+way+"("+options+");")
}
