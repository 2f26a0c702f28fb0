package checks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// nest is a page with a button, a field and a frame below that is of the other site.
func nest(level, below string) string {
	return fmt.Sprintf(`<!doctype html><title>Level %s</title><style>body { margin: 7px } iframe { border: 3px solid; width: 90%%; height: 60%%; transform: translate(5px, 4px) }</style>
<button onclick="window.clicked = (window.clicked ?? 0) + 1; this.after(' clicked-%s')">Press %s</button><label>Name %s <input></label>%s`, level, level, level, level, below)
}

// P-10: frames of other sites three levels deep, taken out and put in again.
func TestP10CrossSiteFrames(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{
		"/":  nest("0", `<iframe id=a src="{{CROSS}}/1" style="width:700px;height:500px"></iframe>`),
		"/1": nest("1", `<iframe src="{{CROSS}}/2" style="width:560px;height:360px"></iframe>`),
		"/2": nest("2", `<iframe src="{{CROSS}}/3" style="width:420px;height:220px"></iframe>`),
		"/3": nest("3", ""),
	}, nil)
	e := s.managed(t, "/")
	round := func(round string) {
		t.Helper()
		e.OK("page", "wait-text", "Press 3")
		snapshot := e.Text("capture", "snapshot")
		for level := range 4 {
			contains(t, snapshot, fmt.Sprintf("Press %d", level))
			e.OK("element", "click", fmt.Sprintf(`button "Press %d"`, level))
			e.OK("element", "fill", fmt.Sprintf(`textbox "Name %d"`, level), round)
		}
		after := e.Text("capture", "snapshot")
		for level := range 4 {
			contains(t, after, fmt.Sprintf("clicked-%d", level))
			if n := strings.Count(after, fmt.Sprintf("clicked-%d", level)); n != 1 {
				t.Errorf("%s: button %d was clicked %d times", round, level, n)
			}
		}
		if n := strings.Count(after, " ="+round); n != 4 {
			t.Errorf("%s: %d of 4 fields have the value in\n%s", round, n, after)
		}
	}
	round("first")
	ref := e.OK("observe", "find", "Press 3")
	stale := rowsOf(ref, "matches")[0]["ref"].(string)
	e.Eval(`document.getElementById('a').remove()`)
	e.OK("page", "wait-text", "Press 1", "--gone")
	if left := e.Text("capture", "snapshot"); strings.Contains(left, "Press 3") {
		t.Errorf("frames that were taken out are in\n%s", left)
	}
	e.Fails("TARGET_STALE", 5, "element", "click", stale)
	e.Eval(`void (document.body.innerHTML = '<button onclick="this.after(\' clicked-0\')">Press 0</button><label>Name 0 <input></label><iframe id=a style="width:700px;height:500px"></iframe>', document.getElementById('a').src = '` + s.cross("/1") + `')`)
	round("again")
	e.Eval(`document.getElementById('a').remove()`)
	if got := e.Eval("1+1"); got != 2.0 {
		t.Errorf("after it: %v", got)
	}
}

// P-11: frames that run no script are read all the same; scripts in them are refused with a word of why.
func TestP11FramesWithoutScripts(t *testing.T) {
	t.Parallel()
	inner := `<title>inner</title><script>window.ran = 1</script><p>text %s</p><button type=button onclick="window.pressed = 1">Press %s</button><form action=/sent method=get><label>Field %s <input name=f></label></form>`
	frame := func(name, attributes string) string {
		return fmt.Sprintf(`<iframe title=%s %s width=600 height=120></iframe>`, name, attributes)
	}
	s := servePages(t, map[string]string{
		"/": `<!doctype html><title>Sandboxes</title>` +
			frame("bare", `sandbox src=/in/bare`) +
			frame("origin", `sandbox="allow-same-origin" src=/in/origin`) +
			frame("scripts", `sandbox="allow-scripts" src=/in/scripts`) +
			frame("cross", `sandbox src="{{CROSS}}/in/cross"`) +
			frame("srcdoc", `srcdoc="`+strings.ReplaceAll(fmt.Sprintf(inner, "srcdoc", "srcdoc", "srcdoc"), `"`, "&quot;")+`"`) +
			frame("boxeddoc", `sandbox srcdoc="`+strings.ReplaceAll(fmt.Sprintf(inner, "boxeddoc", "boxeddoc", "boxeddoc"), `"`, "&quot;")+`"`) +
			frame("bare-of-credentials", `credentialless src=/in/credentialless`),
		"/in/bare": fmt.Sprintf(inner, "bare", "bare", "bare"), "/in/origin": fmt.Sprintf(inner, "origin", "origin", "origin"),
		"/in/scripts": fmt.Sprintf(inner, "scripts", "scripts", "scripts"), "/in/cross": fmt.Sprintf(inner, "cross", "cross", "cross"),
		"/in/credentialless": fmt.Sprintf(inner, "credentialless", "credentialless", "credentialless"),
	}, nil)
	e := s.managed(t, "/")
	names := []string{"bare", "origin", "scripts", "cross", "srcdoc", "boxeddoc", "credentialless"}
	for _, name := range names {
		e.OK("page", "wait-text", "text "+name)
	}
	snapshot := e.Text("capture", "snapshot")
	clicked := map[string]map[string]any{}
	for _, name := range names {
		contains(t, snapshot, "text "+name, "Press "+name)
		clicked[name] = e.OK("element", "click", "button \"Press "+name+"\"")
		e.OK("element", "fill", "textbox \"Field "+name+"\"", "typed in "+name)
	}
	after := e.Text("capture", "snapshot")
	for _, name := range names {
		contains(t, after, `="typed in `+name+`"`)
		// DevTools have a script context where the page has none. What they run there is told truly;
		// the frame's own scripts still do not run.
		frame := frameOf(t, e, "Press "+name)
		if got := e.OK("runtime", "eval", "document.title", "--frame", frame)["value"]; got != "inner" {
			t.Errorf("%s: the title is %v", name, got)
		}
		scripts := name == "scripts" || name == "srcdoc" || name == "credentialless"
		if ran := e.OK("runtime", "eval", "window.ran === 1", "--frame", frame)["value"]; ran != scripts {
			t.Errorf("%s: its own script ran: %v", name, ran)
		}
		if ran := e.OK("runtime", "eval", "window.pressed === 1", "--frame", frame)["value"]; ran != scripts {
			t.Errorf("%s: its button's own script ran: %v; the click said %v", name, ran, clicked[name])
		}
	}
}

// frameOf is the frame that an element is in, by its ref.
func frameOf(t *testing.T, e *commandtest.Env, text string) string {
	t.Helper()
	matches := rowsOf(e.OK("observe", "find", text), "matches")
	if len(matches) == 0 {
		t.Fatalf("nothing says %s", text)
	}
	ref, _ := matches[0]["ref"].(string)
	frame, _, found := strings.Cut(ref, "e")
	if !found || frame == "" {
		return "main"
	}
	return frame
}
