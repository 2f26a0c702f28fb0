package layout

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// report is what the command answers.
type report struct {
	Element struct {
		Ref string `json:"ref"`
	} `json:"element"`
	Issues   []finding `json:"issues"`
	More     int       `json:"more"`
	Checked  int       `json:"checked"`
	Frames   int       `json:"frames"`
	Position *box      `json:"position"`
	Viewport *box      `json:"viewport"`
	Frame    string    `json:"frame"`
	Chain    []struct {
		Selector string   `json:"selector"`
		Does     []string `json:"does"`
	} `json:"chain"`
	Image *struct {
		Path   string `json:"path"`
		Width  int    `json:"width"`
		Height int    `json:"height"`
	} `json:"image"`
}

// finding is an issue with all that the command says of it.
type finding struct {
	issue
	Cause struct {
		Selector string `json:"selector"`
		Property string `json:"property"`
		Value    string `json:"value"`
		Source   string `json:"source"`
	} `json:"cause"`
	Evidence map[string]any `json:"evidence"`
	Verified *struct {
		Fixed  bool `json:"fixed"`
		Before *box `json:"before"`
		After  *box `json:"after"`
	} `json:"verified"`
}

type box struct{ X, Y, Width, Height float64 }

func ask(t *testing.T, env *commandtest.Env, args ...string) report {
	t.Helper()
	var r report
	again(t, env.OK(append([]string{"layout", "diagnose"}, args...)...), &r)
	return r
}

func (r report) types() []string {
	var list []string
	for _, i := range r.Issues {
		list = append(list, i.Type)
	}
	return list
}

const drawn = `document.querySelector('debug-bridge-highlight') !== null`

func TestCommand(t *testing.T) {
	env := commandtest.Managed(t)
	env.OK("emulation", "set", "--viewport", "1000x700")
	env.Goto("/layout/places")
	sub := func(name string, run func(t *testing.T, env *commandtest.Env)) {
		t.Run(name, func(t *testing.T) {
			e := *env
			e.T = t
			run(t, &e)
		})
	}
	sub("sources", testSources)
	sub("below the fold", testBelowTheFold)
	sub("explain", testExplain)
	sub("frames", testFrames)
	sub("closed root", testClosedRoot)
	sub("whole page", testWholePage)
	sub("highlight", testHighlight)
	sub("image", testImage)
	sub("image of the page", testImageOfThePage)
	sub("hostile page", testHostile)
	sub("P38 hostile styles", testP38HostileStyles)
}

func testSources(t *testing.T, env *commandtest.Env) {
	r := ask(t, env, "#out", "--verify")
	if len(r.Issues) != 1 {
		t.Fatalf("%+v", r)
	}
	got := r.Issues[0]
	if want := ".out " + env.Site.URL("/layout/places") + ":10"; got.Cause.Source != want || got.Cause.Value != "-40px" {
		t.Errorf("cause %+v, want the source %s", got.Cause, want)
	}
	v := got.Verified
	if v == nil || !v.Fixed || v.Before == nil || v.Before.X != -40 || v.After == nil || v.After.X != 0 {
		t.Errorf("verified %+v", v)
	}
	if left := env.Eval(`document.querySelector('#out').getAttribute('style')`); left != nil {
		t.Errorf("the tried fix is still there: %v", left)
	}
	text := env.Text("layout", "diagnose", "#out", "--verify")
	if lines := strings.Split(strings.TrimSpace(text), "\n"); len(lines) != 2 || !strings.HasPrefix(lines[1], "high offscreen-left: ") ||
		!strings.HasSuffix(lines[1], " fix: #out { left: 0px } [works]") {
		t.Error(text)
	}
}

func testBelowTheFold(t *testing.T, env *commandtest.Env) {
	for target, want := range map[string]string{"#low": " (below the fold: scroll to it): no faults", "#out": " -40,"} {
		if text := env.Text("layout", "diagnose", target); !strings.Contains(text, want) || strings.Contains(text, "fold") != (target == "#low") {
			t.Error(text)
		}
	}
	env.Eval("scrollTo(0, document.querySelector('#low').offsetTop + 100); 1")
	if text := env.Text("layout", "diagnose", "h1"); !strings.Contains(text, "(above what is in view: scroll to it)") {
		t.Error(text)
	}
	env.Eval("scrollTo(0, 0); 1")
}

func testExplain(t *testing.T, env *commandtest.Env) {
	r := ask(t, env, "#out", "--explain")
	if len(r.Chain) != 2 || r.Chain[0].Selector != "#out" || !slices.Contains(r.Chain[0].Does, "stacking context (position: fixed), level 0 in that of html") ||
		!slices.Contains(r.Chain[1].Does, "div#out is placed against the viewport") {
		t.Errorf("%+v", r.Chain)
	}
}

func testFrames(t *testing.T, env *commandtest.Env) {
	frames := map[string]string{} // title to a ref of the frame's element
	for _, title := range []string{"plain", "gone", "shifted"} {
		frames[title] = ""
	}
	for _, id := range []string{"f1", "f2", "f3"} {
		r := ask(t, env, "#inside", "--frame", id)
		if r.Frame != id {
			t.Errorf("%s: frame %q", id, r.Frame)
		}
		switch {
		case len(r.Issues) == 0: // the plain one: its place is told in the page's viewport
			frames["plain"] = id
			if r.Position == nil || r.Position.X != 50 || r.Position.Y < 30 || r.Viewport.Width != 1000-15 && r.Viewport.Width != 1000 {
				t.Errorf("position %+v in %+v", r.Position, r.Viewport)
			}
		case r.Issues[0].Cause.Selector == "#gone":
			frames["gone"] = id
			if r.Issues[0].Type != "hidden-by-ancestor" || r.Issues[0].Cause.Property != "display" || len(r.Issues) != 1 || r.Position != nil {
				t.Errorf("%+v", r)
			}
		default:
			frames["shifted"] = id
			if got := r.Issues[0]; got.Cause.Selector != "#shifted" || got.Cause.Property != "margin-left" || got.Element.Ref != r.Element.Ref || r.Position.X != -30 ||
				got.Evidence["fault"] != "offscreen-left" {
				t.Errorf("%+v", r)
			}
		}
	}
	// Two of them can be seen: which one is meant cannot be known.
	if which := env.Fails("TARGET_AMBIGUOUS", 2, "layout", "diagnose", "#inside"); !strings.Contains(string(which.Stdout), "f1e") {
		t.Errorf("%s", which.Stdout)
	}
	for title, id := range frames {
		if id == "" {
			t.Errorf("the frame %q was not seen for what it is", title)
		}
	}
}

func testClosedRoot(t *testing.T, env *commandtest.Env) {
	if r := ask(t, env, `button "Shut in"`); !slices.Contains(r.types(), "offscreen-top") {
		t.Errorf("%+v", r)
	}
}

func testWholePage(t *testing.T, env *commandtest.Env) {
	r := ask(t, env)
	if r.Frames != 3 || r.Checked < 15 || !slices.Contains(r.types(), "offscreen-left") || !slices.Contains(r.types(), "offscreen-top") {
		t.Errorf("%d elements in %d frames: %v", r.Checked, r.Frames, r.types())
	}
	if !slices.IsSortedFunc(r.Issues, func(a, b finding) int {
		return rank[a.Severity] - rank[b.Severity]
	}) {
		t.Errorf("not the worst first: %+v", r.Issues)
	}
	if one := ask(t, env, "--limit", "1"); len(one.Issues) != 1 || one.More != len(r.Issues)+r.More-1 {
		t.Errorf("%d and %d more of %d", len(one.Issues), one.More, len(r.Issues))
	}
	if only := ask(t, env, "--type", "offscreen-top"); !slices.Equal(only.types(), []string{"offscreen-top"}) {
		t.Errorf("%v", only.types())
	}
	if bad := env.Fails("VALIDATION_ERROR", 2, "layout", "diagnose", "--type", "offscreen"); !strings.Contains(bad.Error.Suggestions[0], "--type offscreen-") {
		t.Errorf("%v", bad.Error.Suggestions)
	}
	verified := ask(t, env, "--verify", "--severity", "high")
	for _, i := range verified.Issues {
		if i.Severity != "high" || i.Fix != nil && (i.Verified == nil || !i.Verified.Fixed) {
			t.Errorf("%+v", i)
		}
	}
}

var rank = map[string]int{"high": 0, "medium": 1, "low": 2, "info": 3}

func testHighlight(t *testing.T, env *commandtest.Env) {
	before, snapshot := ask(t, env), env.Text("capture", "snapshot")
	env.Eval(`window.seen = 0; document.addEventListener('click', () => { window.seen += 1 }); 1`)
	ask(t, env, "--highlight")
	if env.Eval(drawn) != true {
		t.Fatal("nothing is drawn")
	}
	if inside := env.Eval(`(({shadowRoot, childNodes}) => shadowRoot === null && childNodes.length === 0)(document.querySelector('debug-bridge-highlight'))`); inside != true {
		t.Error("the page's script sees what is drawn")
	}
	if now := ask(t, env); now.Checked != before.Checked || !slices.Equal(now.types(), before.types()) {
		t.Errorf("the drawing is diagnosed: %v, was %v", now.types(), before.types())
	}
	if now := env.Text("capture", "snapshot"); now != snapshot {
		t.Errorf("the drawing is in the snapshot:\n%s", now)
	}
	if size := env.Eval(`document.documentElement.scrollWidth + 'x' + (document.elementFromPoint(20, 30).id)`); size != "985xout" && size != "1000xout" {
		t.Errorf("the drawing changes the page: %v", size)
	}
	env.OK("layout", "diagnose", "--highlight=false")
	if env.Eval(drawn) != false {
		t.Error("it stays")
	}
	ask(t, env, "#out", "--highlight")
	env.OK("element", "highlight", "--off")
	if env.Eval(drawn) != false {
		t.Error("it stays after element highlight --off")
	}
	ask(t, env, "#out", "--highlight")
	env.OK("page", "navigate", "--reload")
	if env.Eval(drawn) != false {
		t.Error("it stays after a navigation")
	}
}

func testImage(t *testing.T, env *commandtest.Env) {
	r := ask(t, env, "#low", "--screenshot", "--file", env.File("low.png"))
	if r.Image == nil || r.Image.Path != env.File("low.png") || r.Image.Width < 980 || r.Image.Height < 680 {
		t.Fatalf("%+v", r.Image)
	}
	if env.Eval(drawn) != false || env.Eval("scrollY") != 0.0 {
		t.Error("the page is not as it was")
	}
	if !has(t, r.Image.Path, color.RGBA{0x1b, 0x7a, 0x3d, 0xff}) {
		t.Error("the element is not in the picture, or has no box")
	}
	env.Fails("FILE_ACCESS_FAILED", 6, "layout", "diagnose", "#low", "--screenshot", "--file", env.File("low.png"))
	if env.Eval(drawn) != false {
		t.Error("a picture that could not be kept leaves its boxes")
	}
}

func testImageOfThePage(t *testing.T, env *commandtest.Env) {
	r := ask(t, env, "--screenshot")
	if r.Image == nil || r.Image.Height < 1200 || !has(t, r.Image.Path, color.RGBA{0xc6, 0x1e, 0x4d, 0xff}) {
		t.Errorf("%+v", r.Image)
	}
}

// What a page does against being measured costs it nothing but its own answer.
func testHostile(t *testing.T, env *commandtest.Env) {
	env.Goto("/layout-hostile")
	for _, args := range [][]string{{}, {"#deep", "--explain", "--verify"}, {"#long"}, {"main > div:nth-of-type(4)"}} {
		a := env.Run(append([]string{"layout", "diagnose", "--limit", "30"}, args...)...)
		var r report
		if again(t, a.Data, &r); !a.OK || len(r.Issues) > 30 || len(a.Stdout) > 200_000 {
			t.Errorf("%v: exit %d, %d issues in %d bytes: %.300s", args, a.Exit, len(r.Issues), len(a.Stdout), a.Stdout)
		}
		t.Logf("%v: %d issues in %d bytes", args, len(r.Issues), len(a.Stdout))
	}
}

// hostileStyles are more rules than anybody writes, selectors that cost the browser the most,
// sizes and transforms at the ends of the numbers, and animations without an end.
const hostileStyles = `(() => {
  const rules = [];
  for (let i = 0; i < 10000; i++) rules.push('.c' + i + ' > div:nth-child(' + i + 'n+1) { left: ' + i + 'px }');
  for (let i = 0; i < 40; i++) rules.push('div:has(div:has(~ p:not(:has(b' + i + '))) ~ div) { color: rgb(' + i + ',0,0) }');
  rules.push('#wide { position: absolute; width: 1e9px; height: 1e9px; left: -1e9px }',
    '#nan { transform: scale(calc(infinity)) rotate(calc(0deg / 0)); width: calc(NaN * 1px) }',
    '#flat { transform: scale(0) matrix3d(1e30,0,0,0,0,1e30,0,0,0,0,1e-30,0,0,0,0,1e-38) }',
    '@keyframes k { from { left: -1e9px } to { left: 1e9px; transform: rotate(1e9turn) } }',
    '.a { position: relative; animation: k 1ms infinite alternate, k 1e6s infinite }');
  const style = document.createElement('style');
  style.textContent = rules.join('\n');
  document.head.append(style);
  let html = '<div id=wide>wide</div><div id=nan>nan</div><div id=flat>flat</div>';
  for (let i = 0; i < 300; i++) html += '<div class="c' + i + ' a"><div>' + i + '</div><p><b' + i + '></b></p></div>';
  document.body.innerHTML = html;
})()`

// P-38: whatever a page's styles are, a diagnosis ends in its time, and says no more than it may.
func testP38HostileStyles(t *testing.T, env *commandtest.Env) {
	env.Goto("/page/test")
	env.Eval(hostileStyles)
	for _, args := range [][]string{{}, {"#wide", "--explain"}, {"#nan", "--verify"}, {"#flat"}, {".c7"}} {
		a := env.Run(append([]string{"layout", "diagnose", "--limit", "20"}, args...)...)
		var r report
		if again(t, a.Data, &r); !a.OK || len(r.Issues) > 20 || len(a.Stdout) > 200_000 {
			t.Errorf("%v: exit %d, %d issues in %d bytes: %.300s", args, a.Exit, len(r.Issues), len(a.Stdout), a.Stdout)
		}
	}
	if env.Eval("1 + 1") != 2.0 {
		t.Error("the page does not answer any more")
	}
}

// has reports whether a picture has a run of pixels of a colour.
func has(t *testing.T, path string, want color.RGBA) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	bounds, run := picture.Bounds(), 0
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		run = 0
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if at(picture, x, y) == want {
				if run++; run == 20 {
					return true
				}
				continue
			}
			run = 0
		}
	}
	return false
}

func at(picture image.Image, x, y int) color.RGBA {
	r, g, b, a := picture.At(x, y).RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}
}
