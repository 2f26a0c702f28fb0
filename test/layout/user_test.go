package layout

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// own runs commands on the person's own Chrome, through the extension.
type own struct {
	*browsertest.Env
	context string
}

func (o own) run(t *testing.T, args ...string) (data json.RawMessage, code string) {
	t.Helper()
	out := o.Run(append(args, "--context-id", o.context)...)
	var envelope struct {
		Data  json.RawMessage `json:"data"`
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(out.Stdout), &envelope); err != nil {
		t.Fatalf("%v: %s%s", args, out.Stdout, out.Stderr)
	}
	return envelope.Data, envelope.Error.Code
}

// connected waits until the daemon knows of the tab's page.
func (o own) connected(t *testing.T) own {
	t.Helper()
	browsertest.Until(t, browsertest.Patience, "the connected page", func() bool {
		data, code := o.run(t, "page", "list")
		return code == "" && strings.Contains(string(data), `"pageId"`)
	})
	return o

}

func (o own) ask(t *testing.T, args ...string) report {
	t.Helper()
	data, code := o.run(t, append([]string{"layout", "diagnose"}, args...)...)
	var r report
	if code != "" || json.Unmarshal(data, &r) != nil {
		t.Fatalf("%v: %s %s", args, code, data)
	}
	return r
}

// Without the debugger the page is diagnosed all the same: what is wrong, with cause and
// fix, and a drawing for the person; no source lines, no image, no trying of fixes.
func TestDiagnoseAtObserve(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/layout/places"))
	env.Connect(tab, "observe")
	o := own{env, "a"}.connected(t)
	r := o.ask(t, "#out")
	if len(r.Issues) != 1 || r.Issues[0].Type != "offscreen-left" || r.Issues[0].Cause.Value != "-40px" || r.Issues[0].Cause.Source != "" || r.Issues[0].Fix == nil {
		t.Errorf("%+v", r)
	}
	for _, flag := range []string{"--verify", "--screenshot"} {
		if _, code := o.run(t, "layout", "diagnose", "#out", flag); code != "CAPABILITY_MISSING" {
			t.Errorf("%s: %q", flag, code)
		}
	}
	isDrawn := func() (on bool) {
		tab.Eval(drawn, &on)
		return on
	}
	o.ask(t, "#out", "--highlight")
	if !isDrawn() {
		t.Fatal("nothing is drawn")
	}
	o.run(t, "layout", "diagnose", "--highlight=false")
	if isDrawn() {
		t.Error("it stays")
	}
	o.ask(t, "--highlight")
	o.run(t, "session", "stop") // the end of the context's lease
	tab.Await("!(" + drawn + ")")
	own{env, "b"}.connected(t).ask(t, "--highlight")
	if !isDrawn() {
		t.Fatal("nothing is drawn for another context")
	}
	env.Disconnect(tab)
	tab.Await("!(" + drawn + ")")
	env.Connect(tab, "observe")
	own{env, "c"}.connected(t).ask(t, "--highlight")
	env.StopDaemon()
	tab.Await("!(" + drawn + ")")
}

// With the debugger it is as over a managed browser: sources, tried fixes, closed roots, images.
func TestDiagnoseAtControl(t *testing.T) {
	env := browsertest.Start(t, browsertest.Options{Extension: true})
	tab := env.OpenTab(env.Pages.URL("/layout/places"))
	env.Connect(tab, "control")
	o := own{env, "a"}.connected(t)
	r := o.ask(t, "#out", "--verify")
	if len(r.Issues) != 1 || !strings.HasSuffix(r.Issues[0].Cause.Source, "/layout/places:10") || r.Issues[0].Verified == nil || !r.Issues[0].Verified.Fixed {
		t.Errorf("%+v", r)
	}
	if r := o.ask(t, `button "Shut in"`); len(r.Issues) == 0 {
		t.Errorf("%+v", r)
	}
	if r := o.ask(t, "#low", "--screenshot"); r.Image == nil || r.Image.Height < 100 {
		t.Errorf("%+v", r)
	}
	var still bool
	if tab.Eval(drawn, &still); still {
		t.Error("the drawing of the image stays")
	}
}
