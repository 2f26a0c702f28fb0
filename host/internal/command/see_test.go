package command_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// seer looks at pages of a managed browser.
type seer struct {
	t      *testing.T
	runner *command.Runner
	caller caller.Caller
	bench  *pages.Site
	server *httptest.Server
	body   string // of the page at /
}

func see(t *testing.T) *seer {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	t.Setenv("DBRIDGE_HOME", t.TempDir())
	home, err := state.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &seer{t: t, caller: caller.Caller{ContextID: "see", Pid: os.Getpid(), Cwd: t.TempDir()}}
	if s.bench, err = pages.Serve(); err != nil {
		t.Fatal(err)
	}
	s.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><html lang=en><title>T</title>"+s.body)
	}))
	log := zerolog.New(io.Discard)
	hub := session.NewHub(session.Config{Epoch: "e", HostVersion: "test", Log: log})
	tabs := page.NewManager(hub, withoutApps{}, log)
	stores := command.Attach(tabs)
	slots := slot.NewManager(tabs, slot.Options{Home: home, Engine: &slot.Chromes{Report: tabs, Log: log}, Log: log})
	s.runner = &command.Runner{Slots: slots}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		slots.Close(ctx)
		tabs.Close()
		stores.Close()
		hub.Close()
		s.server.Close()
		_ = s.bench.Close()
	})
	if _, _, err := s.run("session.start", map[string]any{"headless": true, "viewport": "800x600"}); err != nil {
		if fault.From(err).Code == fault.BrowserLaunchFailed && strings.Contains(err.Error(), "not found") {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	return s
}

// run gives the answer as JSON and as text.
func (s *seer) run(name string, params map[string]any) (map[string]any, string, error) {
	data, err := json.Marshal(params)
	if err != nil {
		s.t.Fatal(err)
	}
	request := &command.Request{Command: name, Params: jsontext.Value(data), Caller: s.caller, RequestID: fmt.Sprint(time.Now().UnixNano())}
	var lines []string
	answer, err := s.runner.Run(s.t.Context(), request, command.Hooks{Emit: func(line any) error {
		data, err := json.Marshal(line)
		lines = append(lines, string(data))
		return err
	}})
	if err != nil {
		return nil, "", err
	}
	if data, err = json.Marshal(answer.Result); err != nil {
		s.t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(data, &out); err != nil {
		s.t.Fatal(err)
	}
	if lines != nil {
		out["lines"] = lines
	}
	return out, answer.Result.(catalog.Texter).Text(), nil
}

func (s *seer) must(name string, params map[string]any) (map[string]any, string) {
	s.t.Helper()
	out, text, err := s.run(name, params)
	if err != nil {
		s.t.Fatalf("%s %v: %v %v", name, params, err, fault.From(err).Details)
	}
	return out, text
}

func (s *seer) refused(name string, params map[string]any, code fault.Code) *fault.Error {
	s.t.Helper()
	_, _, err := s.run(name, params)
	f := fault.From(err)
	if f == nil || f.Code != code || len(f.Suggestions) == 0 {
		s.t.Fatalf("%s %v: %v, want %s with a suggestion", name, params, err, code)
	}
	return f
}

// show loads a page of this body.
func (s *seer) show(body string) {
	s.t.Helper()
	s.body = body
	s.must("page.navigate", map[string]any{"url": s.server.URL + "/"})
}

func (s *seer) visit(path string) {
	s.t.Helper()
	s.must("page.navigate", map[string]any{"url": s.bench.URL(path)})
}

func (s *seer) snapshot(params map[string]any) string {
	s.t.Helper()
	_, text := s.must("capture.snapshot", params)
	return text
}

var pieces = regexp.MustCompile(` ?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+\n*|\s*\n|\s+`)

// tokens estimates what a text costs a model: pieces as the o200k tokenizer makes
// them, long words as two. On these pages it is within 10 % of the tokenizer.
func tokens(text string) int {
	n := 0
	for _, piece := range pieces.FindAllString(text, -1) {
		n += 1 + (len(strings.TrimSpace(piece))-1)/12
	}
	return n
}

func TestSee(t *testing.T) {
	s := see(t)
	for _, part := range []struct {
		name string
		run  func(*testing.T, *seer)
	}{
		{"budgets", seeBudgets}, {"states", seeStates}, {"structure", seeStructure}, {"diff", seeDiff}, {"find", seeFind}, {"formats", seeFormats},
		{"parts", seeParts}, {"screenshot", seeScreenshot}, {"long page", seeLongPage}, {"files", seeFiles}, {"pdf", seePDF},
		{"state", seeState}, {"targets", seeTargets}, {"events", seeEvents}, {"refusals", seeRefusals},
	} {
		t.Run(part.name, func(t *testing.T) {
			inner := *s
			inner.t = t
			inner.server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = io.WriteString(w, "<!doctype html><html lang=en><title>T</title>"+inner.body)
			})
			part.run(t, &inner)
		})
	}
}

// What a snapshot of the pages that peers are measured on costs. The best of them
// take 337, 13,544, 156,264 and 118 tokens (o200k).
func seeBudgets(t *testing.T, s *seer) {
	for _, c := range []struct {
		path   string
		full   bool
		most   int
		wanted []string
	}{
		{"/form", false, 270, []string{`button "Save order" e`, `textbox "First name" e`, `link "Help" e`, "# Order form", "Saved 0 times."}},
		{"/list?n=1000", false, 11_500, []string{`button "Item 500" e`, `textbox "Field 999" e`, `link "Link 501" e`}},
		{"/list?n=10000", false, 13_500, []string{`button "Item 500" e`, `textbox "Field 9999" e`, "more rows like these"}},
		{"/list?n=10000", true, 140_000, []string{`button "Item 5000" e`, `link "Link 9997" e`}},
		{"/frames", false, 115, []string{
			`button "deep-top" e`, `button "deep-frame1" f`, `button "deep-frame2" f`, `button "deep-xorigin" f`,
			`button "deep-shadow" e`, `button "deep-shadow-nested" e`, `button "deep-closed" e`,
		}},
	} {
		s.visit(c.path)
		text := s.snapshot(map[string]any{"full": c.full})
		for _, wanted := range c.wanted {
			if !strings.Contains(text, wanted) {
				t.Errorf("%s: no %s in\n%.2000s", c.path, wanted, text)
			}
		}
		if got := tokens(text); got > c.most {
			t.Errorf("%s: about %d tokens, more than %d", c.path, got, c.most)
		}
	}
}

func seeStates(t *testing.T, s *seer) {
	s.show(`<main><label>Name <input required value="Ada L"></label><input aria-label=Mail aria-invalid=true value=x@y.z>
<input type=checkbox aria-label=On checked><input type=checkbox aria-label=Off><button disabled>Send</button><button aria-pressed=true>Bold</button>
<button aria-expanded=false>Menu</button><details><summary>More</summary><p>inside</p></details><details open><summary>Less</summary><p>shown</p></details>
<select aria-label=Size><option>S<option selected>M</select><input type=password aria-label=Secret value=geheim><textarea aria-label=Note readonly>two
lines</textarea><input type=date aria-label=Day value=2026-03-09><div role=tab aria-selected=true tabindex=0>Tab</div>
<input type=range aria-label=Loud value=30><progress aria-label=Load value=0.4></progress><div contenteditable aria-label=Text>typed</div></main>
<script>document.querySelector('textarea').focus()</script>`)
	got := strings.Split(s.snapshot(nil), "\n")
	want := []string{
		`main`,
		`  textbox "Name" e1 required ="Ada L"`,
		`  textbox "Mail" e2 invalid =x@y.z`,
		`  checkbox "On" e3 checked`,
		`  checkbox "Off" e4`,
		`  button "Send" e5 disabled`,
		`  button "Bold" e6 pressed`,
		`  button "Menu" e7 collapsed`,
		`  button "More" e8 collapsed`,
		`  button "Less" e9 expanded`,
		`  shown`,
		`  combobox "Size" e10 =M (S | M)`,
		`  textbox "Secret" e11 password`,
		`  textbox "Note" e12 readonly focused ="two lines"`,
		`  textbox "Day" e13 date =2026-03-09`,
		`  tab "Tab" e14 selected`,
		`  slider "Loud" e15 =30`,
		`  progressbar "Load" =0.4`,
		`  generic "Text" e16 editable =typed`,
	}
	number := regexp.MustCompile(`\be\d+`)
	for i := range max(len(got)-1, len(want)) {
		var g, w string
		if i+1 < len(got) {
			g = number.ReplaceAllString(got[i+1], "e")
		}
		if i < len(want) {
			w = number.ReplaceAllString(want[i], "e")
		}
		if g != w {
			t.Errorf("line %d: %q, want %q", i, g, w)
		}
	}
	if strings.Contains(strings.Join(got, "\n"), "geheim") {
		t.Error("a password is told")
	}
}

// Nothing that is not seen, nothing twice, words as a person reads them.
func seeStructure(t *testing.T, s *seer) {
	s.show(`<style>.gone{display:none}.sr{position:absolute;clip-path:inset(50%)}.card{cursor:pointer}b{font-weight:700}.blk{display:block}</style>
<p>One <b>bold</b> word, see <a href=/help?x=1>help</a>. <span class=gone>never</span></p>
<div inert><button>Behind</button></div><div aria-hidden=true>decoration<button>Still</button></div>
<a href=# class=blk><img alt="Logo" src=data:,> <b>Home</b></a><span class=blk>after the link</span>
<ul><li><input type=checkbox id=c1><label for=c1>Buy milk</label><button>Delete</button></li><li>plain</li></ul>
<table><caption>Prices</caption><tr><th>Thing<th>Price<th></tr><tr><td>Rope<td>2.50<td><button>Buy</button></tr></table>
<section aria-labelledby=h><h2 id=h>Terms</h2><p>Words.</p></section>
<div class=card onclick=1>Card words</div><div id=host></div><my-box></my-box>
<script>host.attachShadow({mode:'open'}).innerHTML='<p>in the shadow <slot></slot></p>';
customElements.define('my-box',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'closed'}).innerHTML='<button>shut in</button>'}})</script>`)
	text := regexp.MustCompile(`e\d+`).ReplaceAllString(s.snapshot(nil), "e")
	_, body, _ := strings.Cut(text, "\n")
	want := strings.TrimSpace(`
One bold word, see [help](e).
link "Logo Home" e
after the link
- checkbox "Buy milk" e, button "Delete" e
- plain
table "Prices"
  Thing | Price
  Rope | 2.50 | button "Buy" e
## Terms
Words.
generic e: Card words
in the shadow
button "shut in" e`)
	if body != want {
		t.Errorf("%s\nwant\n%s", body, want)
	}
}

func seeDiff(t *testing.T, s *seer) {
	s.show(`<ul id=l><li><button>A</button></li><li><button>B</button></li></ul><p id=p>Saved 0 times.</p><p>End</p>`)
	if text := s.snapshot(map[string]any{"diff": true}); !strings.Contains(text, "first snapshot") && !strings.Contains(text, "new document") {
		t.Error(text)
	}
	if text := s.snapshot(map[string]any{"diff": true}); text != "no change" {
		t.Error(text)
	}
	s.must("runtime.eval", map[string]any{"expression": `document.querySelector('button').disabled = true; p.textContent = 'Saved 1 times.'; l.insertAdjacentHTML('beforeend','<li><button>C</button></li>'); 1`})
	out, text := s.must("capture.snapshot", map[string]any{"diff": true})
	text = regexp.MustCompile(`e\d+`).ReplaceAllString(text, "e")
	if want := "1 added, 2 changed:\n~ button \"A\" e disabled\n+ button \"C\" e\n~ Saved 1 times.  (was: Saved 0 times.)"; text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	if d := out["diff"].(map[string]any); d["added"] != 1.0 || d["changed"] != 2.0 || len(d) != 2 {
		t.Error(d)
	}
	s.must("page.navigate", map[string]any{"reload": true})
	if text := s.snapshot(map[string]any{"diff": true}); !strings.Contains(text, "new document:") || !strings.Contains(text, `button "A"`) {
		t.Error(text)
	}
}

func seeFind(t *testing.T, s *seer) {
	s.show(`<main><h2>Orders</h2><table><tr><td>Ada</td><td><button>Edit</button></td></tr><tr><td>Bob</td><td><button>Edit</button></td></tr></table>
<p id=total>Total: 5.00</p></main><iframe srcdoc="<button>Inside</button>"></iframe><div style="height:3000px"></div><button>Below</button>`)
	for _, c := range []struct {
		params map[string]any
		want   string
	}{
		{map[string]any{"text": "bob"}, `^Bob e\d+  in button "Edit" e\d+$`},
		{map[string]any{"role": "button", "text": "edit"}, `^button "Edit" e\d+  in Ada\nbutton "Edit" e\d+  in Bob$`},
		{map[string]any{"text": "inside"}, `^button "Inside" f\d+e\d+  in iframe`},
		{map[string]any{"regex": `total:\s\d`}, `^Total: 5\.00 e\d+  in main > "Orders"$`},
		{map[string]any{"text": "below"}, `^button "Below" e\d+$`},
		{map[string]any{"text": "Bellow"}, `^nothing matches; nearest:\nbutton "Below" e\d+`},
		{map[string]any{"role": "button", "limit": 1}, `\n… 3 more \(--limit\)$`},
	} {
		_, text := s.must("observe.find", c.params)
		if !regexp.MustCompile(c.want).MatchString(text) {
			t.Errorf("%v:\n%s\nwant %s", c.params, text, c.want)
		}
	}
	// The ref of a text is one that commands take.
	out, _ := s.must("observe.find", map[string]any{"text": "Total"})
	ref := out["matches"].([]any)[0].(map[string]any)["ref"].(string)
	if text := s.snapshot(map[string]any{"root": ref}); !strings.HasSuffix(text, "\nTotal: 5.00") {
		t.Error(text)
	}
	s.refused("observe.find", map[string]any{}, fault.ValidationError)
	s.refused("observe.find", map[string]any{"regex": "("}, fault.ValidationError)
}

func seeFormats(t *testing.T, s *seer) {
	s.show(`<nav aria-label=Main><a href="/a">A</a></nav><p id=x>Words</p>`)
	out, _ := s.must("capture.snapshot", map[string]any{"format": "json"})
	data, _ := json.Marshal(out["nodes"])
	if got := regexp.MustCompile(`e\d+`).ReplaceAllString(string(data), "e"); !strings.Contains(got, `"role":"navigation"`) || !strings.Contains(got, `"href":"/a"`) || !strings.Contains(got, `"name":"Words"`) {
		t.Error(got)
	}
	out, _ = s.must("capture.snapshot", map[string]any{"format": "html"})
	if !strings.Contains(out["html"].(string), `<p id="x">Words</p>`) {
		t.Error(out["html"])
	}
	out, text := s.must("capture.snapshot", map[string]any{"file": "tree.txt"})
	data, err := os.ReadFile(filepath.Join(s.caller.Cwd, "tree.txt"))
	if err != nil || !strings.Contains(string(data), `link "A"`) || out["tree"] != nil || !strings.Contains(text, "tree.txt") {
		t.Errorf("%v %q %q", err, data, text)
	}
	s.refused("capture.snapshot", map[string]any{"file": "tree.txt"}, fault.FileAccessFailed)
	s.must("capture.snapshot", map[string]any{"file": "tree.txt", "overwrite": true})
}

func seeParts(t *testing.T, s *seer) {
	s.show(`<main><h1>Top</h1><button>Seen</button><div id=part><p>Part words</p><button>Inner</button></div></main>
<div style="height:3000px"></div><footer><button>Below</button></footer>`)
	for _, c := range []struct {
		params       map[string]any
		with, absent string
	}{
		{map[string]any{"inView": true}, "Seen", "Below"},
		{map[string]any{"root": "#part"}, "Part words", "Seen"},
		{map[string]any{"interactiveOnly": true}, "Inner", "words"},
		{map[string]any{"find": "inner"}, "Inner", "Seen"},
		{map[string]any{"depth": 1}, "main … 5 nodes inside", "Seen"},
		{map[string]any{"find": "zzz"}, `nothing says "zzz"`, "Seen"},
	} {
		text := s.snapshot(c.params)
		if !strings.Contains(text, c.with) || strings.Contains(text, c.absent) {
			t.Errorf("%v: want %q, not %q:\n%s", c.params, c.with, c.absent, text)
		}
	}
}

// picture reads an image that a command wrote and checks what it says of it.
func picture(t *testing.T, out map[string]any) image.Image {
	t.Helper()
	data, err := os.ReadFile(out["path"].(string))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if out["sha256"] != hex.EncodeToString(sum[:]) || out["bytes"] != float64(len(data)) {
		t.Errorf("%v bytes of %d, sha256 %v", out["bytes"], len(data), out["sha256"])
	}
	if _, err := time.Parse(time.RFC3339, out["capturedAt"].(string)); err != nil {
		t.Error(err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); out["width"] != float64(b.Dx()) || out["height"] != float64(b.Dy()) {
		t.Errorf("it is %v, and said to be %v x %v", b, out["width"], out["height"])
	}
	return img
}

func near(c color.Color, r, g, b uint32) bool {
	cr, cg, cb, _ := c.RGBA()
	off := func(a, b uint32) bool { return a>>8 > b+12 || b > a>>8+12 }
	return !off(cr, r) && !off(cg, g) && !off(cb, b)
}

func seeScreenshot(t *testing.T, s *seer) {
	s.show(`<style>body{margin:0;background:#fff}#a{position:absolute;left:100px;top:50px;width:120px;height:60px;background:#f00;border:0}
#b{position:absolute;left:40px;top:2000px;width:80px;height:40px;background:#00f}</style><button id=a></button><div id=b></div>`)
	out, _ := s.must("capture.screenshot", nil)
	img := picture(t, out)
	if !near(img.At(160, 80), 255, 0, 0) || !near(img.At(20, 20), 255, 255, 255) || img.Bounds().Dy() > 600 {
		t.Error("the viewport is not as it is", img.Bounds())
	}
	if path := out["path"].(string); !strings.Contains(path, filepath.Join("artifacts", time.Now().Format(time.DateOnly))) {
		t.Error("not among today's artifacts:", path)
	}
	out, _ = s.must("capture.screenshot", map[string]any{"fullPage": true})
	if img = picture(t, out); img.Bounds().Dy() < 2040 || !near(img.At(80, 2020), 0, 0, 255) || !near(img.At(160, 80), 255, 0, 0) {
		t.Error("the whole page is not whole", img.Bounds())
	}
	out, _ = s.must("capture.screenshot", map[string]any{"element": "#b"})
	if img = picture(t, out); img.Bounds() != image.Rect(0, 0, 80, 40) || !near(img.At(2, 2), 0, 0, 255) || !near(img.At(78, 38), 0, 0, 255) {
		t.Error("the element is cut wrong", img.Bounds())
	}
	out, text := s.must("capture.screenshot", map[string]any{"fullPage": true, "maxWidth": 200, "format": "jpeg", "quality": 90})
	if img = picture(t, out); img.Bounds().Dx() > 201 || out["resized"] != true || !strings.Contains(text, "resized") {
		t.Error(text)
	}
	s.must("page.navigate", map[string]any{"reload": true})
	out, text = s.must("capture.screenshot", map[string]any{"annotate": true, "inline": true})
	if img = picture(t, out); !near(img.At(100, 80), 0xc6, 0x1e, 0x4d) || out["labels"] != 1.0 || !strings.Contains(text, "1 refs drawn") {
		t.Errorf("no box at the button's edge: %v; %s", img.At(100, 80), text)
	}
	data, err := base64.StdEncoding.DecodeString(out["inline"].(string))
	if _, decodes := png.Decode(bytes.NewReader(data)); err != nil || decodes != nil || out["mimeType"] != "image/png" {
		t.Error("inline is no image:", err, decodes)
	}
	out, _ = s.must("capture.screenshot", map[string]any{"format": "webp"})
	if data, err := os.ReadFile(out["path"].(string)); err != nil || !bytes.HasPrefix(data[8:], []byte("WEBP")) {
		t.Error("no webp:", err)
	}
}

func seeFiles(t *testing.T, s *seer) {
	out, _ := s.must("capture.screenshot", map[string]any{"file": "shot.png"})
	if out["path"] != filepath.Join(s.caller.Cwd, "shot.png") {
		t.Error(out["path"])
	}
	if f := s.refused("capture.screenshot", map[string]any{"file": "shot.png"}, fault.FileAccessFailed); f.Details["reason"] != "exists" {
		t.Error(f.Details)
	}
	if f := s.refused("capture.screenshot", map[string]any{"file": "nowhere/shot.png"}, fault.FileAccessFailed); f.Details["reason"] != "no_folder" {
		t.Error(f.Details)
	}
	s.must("capture.screenshot", map[string]any{"file": "shot.png", "overwrite": true})
}

func seePDF(t *testing.T, s *seer) {
	out, _ := s.must("capture.pdf", map[string]any{"landscape": true, "paper": "letter"})
	data, err := os.ReadFile(out["path"].(string))
	if err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) || out["bytes"] != float64(len(data)) {
		t.Errorf("%v %v %.20q", err, out, data)
	}
	if !bytes.Contains(data, []byte("/MediaBox [0 0 792 612]")) {
		t.Error("not letter, landscape")
	}
}

func seeState(t *testing.T, s *seer) {
	s.show(`<input aria-label=Name id=n><div style="height:4000px"></div>`)
	s.must("runtime.eval", map[string]any{"expression": "n.focus({preventScroll: true}); scrollTo(0, 700); document.title = 'Now'; 1"})
	out, text := s.must("observe.state", nil)
	if out["title"] != "Now" || out["readyState"] != "complete" || out["level"] != "control" || out["scroll"].(map[string]any)["y"] != 700.0 ||
		out["focused"].(map[string]any)["name"] != "Name" || out["dialog"] != nil {
		t.Error(out)
	}
	if !strings.Contains(text, "scrolled to 0,700") || !regexp.MustCompile(`focus: textbox "Name" e\d+`).MatchString(text) {
		t.Error(text)
	}
	s.must("runtime.eval", map[string]any{"expression": "setTimeout(() => alert('Careful'), 0); 1"})
	for deadline := time.Now().Add(10 * time.Second); ; {
		out, text = s.must("observe.state", nil)
		if out["dialog"] != nil || time.Now().After(deadline) {
			break
		}
	}
	if d, ok := out["dialog"].(map[string]any); !ok || d["message"] != "Careful" || !strings.Contains(text, "dialog handle") {
		t.Error(out)
	}
	s.refused("capture.snapshot", nil, fault.DialogBlocking)
	s.must("dialog.handle", map[string]any{"accept": true})
}

func seeTargets(t *testing.T, s *seer) {
	s.show(`<button id=save style="position:absolute;left:10px;top:20px;width:100px;height:30px">Save</button><button style="display:none">Hidden</button>
<input aria-label=Name style="position:absolute;top:3000px"><input readonly aria-label=Fixed>`)
	out, _ := s.must("observe.targets", map[string]any{"name": "sav"})
	row := out["targets"].([]any)[0].(map[string]any)
	box, _ := json.Marshal(row["box"])
	selectors, _ := json.Marshal(row["selectors"])
	if string(box) != "[10,20,100,30]" || row["visible"] != true || row["enabled"] != true || string(selectors) != `["id=save","button \"Save\""]` {
		t.Errorf("%v %s %s", row, box, selectors)
	}
	out, _ = s.must("observe.targets", map[string]any{"role": "textbox"})
	editable := map[string]any{}
	for _, row := range out["targets"].([]any) {
		editable[row.(map[string]any)["name"].(string)] = row.(map[string]any)["editable"]
	}
	if editable["Name"] != true || editable["Fixed"] != nil {
		t.Error(editable)
	}
	if out, text := s.must("observe.targets", map[string]any{"inView": true, "limit": 1}); len(out["targets"].([]any)) != 1 || out["total"] != 2.0 || !strings.HasSuffix(text, "… 1 more (--limit)") {
		t.Error(out, text)
	}
}

func seeEvents(t *testing.T, s *seer) {
	s.show(`<script>console.log('one'); console.log('two')</script>`)
	out, _ := s.must("observe.events", map[string]any{"types": []string{"console"}, "limit": 1})
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(fmt.Sprint(out["events"]), "two") && time.Now().Before(deadline); {
		out, _ = s.must("observe.events", map[string]any{"types": []string{"console"}, "limit": 1})
	}
	if events := out["events"].([]any); len(events) != 1 || !strings.Contains(fmt.Sprint(events[0]), "two") {
		t.Error(events)
	}
	last := out["last"]
	s.must("runtime.eval", map[string]any{"expression": "console.error('three'); console.error('four'); 1"})
	out, _ = s.must("observe.events", map[string]any{"types": []string{"console"}, "since": last, "follow": true, "limit": 2})
	lines := fmt.Sprint(out["lines"])
	if !strings.Contains(lines, "three") || !strings.Contains(lines, "four") {
		t.Error(lines)
	}
	out, text := s.must("observe.events", map[string]any{"since": last, "types": []string{"console"}, "limit": 1})
	if out["more"] != true || !strings.Contains(text, "three") || strings.Contains(text, "four") {
		t.Error(text)
	}
	s.refused("observe.events", map[string]any{"types": []string{"nonsense"}}, fault.ValidationError)
}

func seeRefusals(t *testing.T, s *seer) {
	s.show(`<button>A</button><button>A</button>`)
	s.refused("capture.snapshot", map[string]any{"diff": true, "format": "json"}, fault.ValidationError)
	s.refused("capture.snapshot", map[string]any{"format": "html", "find": "x"}, fault.ValidationError)
	s.refused("capture.snapshot", map[string]any{"root": `button "A"`}, fault.TargetAmbiguous)
	s.refused("capture.screenshot", map[string]any{"element": "e99999"}, fault.TargetStale)
	s.refused("capture.screenshot", map[string]any{"element": "e1", "fullPage": true}, fault.ValidationError)
	s.refused("capture.screenshot", map[string]any{"annotate": true, "format": "webp"}, fault.ValidationError)
	s.refused("capture.screenshot", map[string]any{"file": "-"}, fault.ValidationError)
}
