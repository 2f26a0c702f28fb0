package tree

import (
	"fmt"
	"strings"
	"testing"
)

type item struct {
	Ref, StableID, Selector, Role, Name, Text, Label string
	Value                                            *string
	Disabled, Visible, Focused                       bool
	Hidden                                           string
	Checked                                          any
	Expanded, Selected                               *bool
	Bounds                                           struct{ X, Y, Width, Height float64 }
	FrameID                                          string
	Meta                                             map[string]string
}

type full struct {
	Items     []item
	Version   int
	Truncated int
}

func items(t *testing.T, html string) map[string]item {
	t.Helper()
	page := open(t, html)
	out := map[string]item{}
	for _, it := range ask[full](t, page, "T.full()").Items {
		out[it.StableID] = it
	}
	return out
}

// What a person sees, or could see by scrolling, and why not.
func TestVisibility(t *testing.T) {
	cases := []struct{ id, html, hidden string }{
		{"plain", `<button id=plain>x</button>`, ""},
		{"none", `<button id=none style="display:none">x</button>`, "display"},
		{"noneup", `<div style="display:none"><button id=noneup>x</button></div>`, "display"},
		{"attr", `<button id=attr hidden>x</button>`, "display"},
		{"vis", `<div style="visibility:hidden"><button id=vis>x</button></div>`, "visibility"},
		{"visback", `<div style="visibility:hidden"><button id=visback style="visibility:visible">x</button></div>`, ""},
		{"collapse", `<button id=collapse style="visibility:collapse">x</button>`, "visibility"},
		{"op", `<div style="opacity:0"><button id=op>x</button></div>`, "opacity"},
		{"faint", `<button id=faint style="opacity:.1">x</button>`, ""},
		{"size", `<button id=size style="width:0;padding:0;border:0;overflow:hidden">x</button>`, "size"},
		{"tiny", `<button id=tiny style="width:1px;height:1px;padding:0;border:0;overflow:hidden;position:absolute">x</button>`, "size"},
		{"sronly", `<a href=x id=sronly style="position:absolute;clip:rect(0,0,0,0);width:40px;height:20px">x</a>`, "clip"},
		{"inset", `<button id=inset style="clip-path:inset(50%)">x</button>`, "clip"},
		{"insetup", `<div style="clip-path:circle(0)"><button id=insetup>x</button></div>`, "clip"},
		{"insetok", `<button id=insetok style="clip-path:inset(2px)">x</button>`, ""},
		{"clipped", `<div style="height:20px;overflow:hidden;position:relative"><button id=clipped style="position:absolute;top:100px">x</button></div>`, "clip"},
		{"escapes", `<div style="height:20px;overflow:hidden"><button id=escapes style="position:absolute;top:300px;left:300px">x</button></div>`, ""},
		{"partly", `<div style="height:20px;overflow:hidden"><button id=partly style="height:60px">x</button></div>`, ""},
		{"scroller", `<div style="height:40px;overflow:auto"><div style="height:500px"></div><button id=scroller>x</button></div>`, ""},
		{"scrolleroff", `<div style="height:40px;overflow:auto;position:relative"><button id=scrolleroff style="position:absolute;top:-400px">x</button></div>`, "clip"},
		{"zeroclip", `<div style="height:0;overflow:hidden"><button id=zeroclip>x</button></div>`, "clip"},
		{"below", `<button id=below style="position:absolute;top:5000px">x</button>`, ""},
		{"left", `<a href=x id=left style="position:absolute;left:-9999px">x</a>`, "offscreen"},
		{"above", `<a href=x id=above style="position:absolute;top:-9999px">x</a>`, "offscreen"},
		{"fixedout", `<button id=fixedout style="position:fixed;top:4000px">x</button>`, "offscreen"},
		{"fixedin", `<button id=fixedin style="position:fixed;top:40px;right:0">x</button>`, ""},
		{"fixedcb", `<div style="transform:translateX(1px);position:absolute;top:3000px"><button id=fixedcb style="position:fixed;top:400px">x</button></div>`, ""},
		{"details", `<details><summary>s</summary><button id=details>x</button></details>`, "display"},
		{"cv", `<div style="content-visibility:hidden"><button id=cv>x</button></div>`, "display"},
		{"cvauto", `<div style="height:4000px"></div><div style="content-visibility:auto"><button id=cvauto>x</button></div>`, ""},
		{"contents", `<button id=contents style="display:contents">shown</button>`, ""},
		{"floatin", `<a href=x id=floatin><img style="float:left" width=20 height=20 src="data:,"></a>`, ""},
		{"scaled", `<button id=scaled style="transform:scale(0)">x</button>`, "size"},
	}
	var body strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&body, "<div>%s</div>\n", c.html)
	}
	got := items(t, doc(body.String()))
	for _, c := range cases {
		it, ok := got[c.id]
		if !ok {
			t.Errorf("%s: not in the tree", c.id)
			continue
		}
		if it.Hidden != c.hidden || it.Visible != (c.hidden == "") {
			t.Errorf("%s: visible %v hidden %q, want %q (%v)", c.id, it.Visible, it.Hidden, c.hidden, it.Bounds)
		}
	}
}

// A page that does not scroll hides what is beyond its edge.
func TestScrollLock(t *testing.T) {
	got := items(t, doc(`<body style="overflow:hidden"><button id=in>x</button><button id=out style="position:absolute;top:4000px">x</button>`))
	if !got["in"].Visible || got["out"].Hidden != "offscreen" {
		t.Errorf("in %v, out %q", got["in"].Visible, got["out"].Hidden)
	}
}

func TestStates(t *testing.T) {
	got := items(t, doc(`
		<fieldset disabled><legend><input id=inlegend></legend><input id=infield></fieldset>
		<button id=ariadis aria-disabled=true>x</button>
		<div role=toolbar aria-disabled=true><button id=intool>x</button></div>
		<input id=cb type=checkbox checked><input id=mixed type=checkbox><div id=sw role=switch tabindex=0 aria-checked=true>w</div>
		<button id=pressed aria-pressed=mixed>p</button>
		<details open><summary id=sum>s</summary></details><button id=exp aria-expanded=false>e</button>
		<div role=tablist><div id=tab role=tab tabindex=0 aria-selected=true>t</div></div>
		<input id=focus value=typed autofocus><select id=sel><option value=a>Apple<option value=b selected>Pear</select>
		<textarea id=ta>long text</textarea><div id=ce contenteditable>hello <b>you</b></div>
		<div id=slide role=slider tabindex=0 aria-valuenow=3></div>
		<a id=go href="/somewhere" title="Tip">Go</a><div inert><button id=inert>i</button></div>
		<script>document.getElementById('mixed').indeterminate=true;document.getElementById('focus').focus()</script>`))
	check := func(what string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s", what)
		}
	}
	value := func(id string) string {
		if got[id].Value == nil {
			return "<none>"
		}
		return *got[id].Value
	}
	check("fieldset disables", got["infield"].Disabled && !got["inlegend"].Disabled)
	check("aria-disabled", got["ariadis"].Disabled && got["intool"].Disabled)
	check("checked", got["cb"].Checked == true && got["mixed"].Checked == "mixed" && got["sw"].Checked == true)
	check("pressed", got["pressed"].Checked == "mixed")
	check("expanded", got["sum"].Expanded != nil && *got["sum"].Expanded && got["exp"].Expanded != nil && !*got["exp"].Expanded)
	check("selected", got["tab"].Selected != nil && *got["tab"].Selected)
	check("focused", got["focus"].Focused && !got["cb"].Focused)
	check("values", value("focus") == "typed" && value("sel") == "b" && value("ta") == "long text" && value("slide") == "3")
	check("editable value "+value("ce"), value("ce") == "hello you")
	check("select text "+got["sel"].Text, got["sel"].Text == "Pear")
	check("link meta", got["go"].Meta["href"] == "/somewhere" && got["go"].Meta["tagName"] == "a" && got["go"].Label == "Tip")
	check("inert", got["inert"].Meta["inert"] == "true")
	check("no value on checkbox", value("cb") == "<none>")
}

// Passwords, codes and card data are never read, whatever the page does with the type.
func TestSecrets(t *testing.T) {
	html := doc(`
		<input id=pw type=password value=s3cret-pw>
		<input id=auto autocomplete="section-a current-password" value=s3cret-auto>
		<input id=code autocomplete=one-time-code value=s3cret-code>
		<input id=card autocomplete=cc-number value=s3cret-card>
		<input id=x1 name=cardNumber value=s3cret-name>
		<input id=cvc value=s3cret-cvc>
		<input id=otp value=s3cret-otp>
		<input id=dots style="-webkit-text-security:disc" value=s3cret-dots>
		<select id=month autocomplete=cc-exp-month><option selected>s3cret-month</select>
		<label>Keep <input id=keep type=checkbox> <input type=password value=s3cret-embedded></label>
		<input id=open name=comment value=public>`)
	page := open(t, html)
	ask[int](t, page, "T.full().items.length")
	do(t, page, `document.getElementById('pw').type = 'text'`)
	text := ask[string](t, page, "JSON.stringify(T.full())")
	if strings.Contains(text, "s3cret") {
		t.Errorf("a secret was read: %s", text)
	}
	if !strings.Contains(text, "public") {
		t.Error("an open field was not read")
	}
	for _, it := range ask[full](t, page, "T.full()").Items {
		if secret := it.ID() != "open" && it.ID() != "keep"; secret != (it.Meta["redacted"] != "") {
			t.Errorf("%s: redacted %q", it.ID(), it.Meta["redacted"])
		}
	}
}

// ID is the id in the fixture.
func (it item) ID() string { return it.StableID }

func TestInterest(t *testing.T) {
	got := items(t, doc(`<style>.p{cursor:pointer}</style>
		<div id=click onclick="1">c</div><div id=pointer class=p>Press <span id=inherits>me</span></div><div id=noname class=p></div>
		<label id=lab class=p><input id=inp type=checkbox>x</label><button id=btn><span id=inbtn data-testid=ibt>x</span></button>
		<div id=t0 data-testid=leaf>Total</div><div id=t1 data-testid=box><button id=inbox>b</button></div>
		<div id=tab tabindex=0>t</div><div id=notab tabindex=-1>t</div><input id=hid type=hidden><a id=noref>n</a>
		<div id=opt role=option>o</div><div id=cell role=gridcell>c</div><div id=cellf role=gridcell tabindex=0>c</div>
		<iframe id=frame></iframe><video id=vid controls></video><div id=ed contenteditable>e</div>
		<svg><a id=svga href=x><text>l</text></a></svg><details><summary id=s1>1</summary><summary id=s2>2</summary></details>
		<map name=m><area id=area href=x alt=A></map><img usemap=#m src="data:,">`))
	want := strings.Fields("click pointer inp btn leaf inbox tab opt cellf vid ed svga s1 area")
	for _, id := range want {
		if _, ok := got[id]; !ok {
			t.Errorf("%s is missing", id)
		}
		delete(got, id)
	}
	for id := range got {
		t.Errorf("%s should not be listed", id)
	}
}
