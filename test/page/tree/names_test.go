package tree

import (
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"testing"
)

// One element a row: what the element is, its role and its name. The expected
// values come from HTML-AAM, Core-AAM and accname 1.2; chrome names what
// Chromium's own accessibility tree says where it differs, with the reason.
type roleName struct {
	key, html, role, name string
	chrome                [2]string // role, name; "" means as ours, "-" not compared
	why                   string
}

var roleNames = []roleName{
	// Native roles.
	{key: "button", html: `<button data-t=button>Save</button>`, role: "button", name: "Save"},
	{key: "link", html: `<a data-t=link href=/x>Home</a>`, role: "link", name: "Home"},
	{key: "anchor", html: `<a data-t=anchor>Not a link</a>`, role: "generic", name: "Not a link", chrome: [2]string{"-", "-"}, why: "a generic has no name; ours says what it shows, for clickable ones"},
	{key: "text", html: `<label>First <input data-t=text></label>`, role: "textbox", name: "First"},
	{key: "email", html: `<input data-t=email type=email placeholder="you@example.org">`, role: "textbox", name: "you@example.org"},
	{key: "search", html: `<input data-t=search type=search title=Find>`, role: "searchbox", name: "Find"},
	{key: "number", html: `<input data-t=number type=number aria-label=Age>`, role: "spinbutton", name: "Age"},
	{key: "range", html: `<input data-t=range type=range aria-label=Volume>`, role: "slider", name: "Volume"},
	{key: "checkbox", html: `<label for=cb1>Accept</label><input data-t=checkbox id=cb1 type=checkbox>`, role: "checkbox", name: "Accept"},
	{key: "radio", html: `<label><input data-t=radio type=radio> Post</label>`, role: "radio", name: "Post"},
	{key: "submit", html: `<input data-t=submit type=submit>`, role: "button", name: "Submit"},
	{key: "reset", html: `<input data-t=reset type=reset value=Undo>`, role: "button", name: "Undo"},
	{key: "image", html: `<input data-t=image type=image alt=Go src="data:,">`, role: "button", name: "Go"},
	{key: "password", html: `<label>Secret <input data-t=password type=password value=hunter2></label>`, role: "textbox", name: "Secret"},
	{key: "date", html: `<label>Birthday <input data-t=date type=date></label>`, role: "textbox", name: "Birthday", chrome: [2]string{"Date", ""}, why: "no ARIA role exists; ours says what an agent does with it"},
	{key: "color", html: `<label>Ink <input data-t=color type=color></label>`, role: "button", name: "Ink", chrome: [2]string{"ColorWell", ""}, why: "no ARIA role exists"},
	{key: "file", html: `<label>Photo <input data-t=file type=file></label>`, role: "button", name: "Photo", chrome: [2]string{"-", "-"}, why: "Chromium adds the chosen file to the name"},
	{key: "datalist", html: `<input data-t=datalist list=dl aria-label=City><datalist id=dl></datalist>`, role: "combobox", name: "City"},
	{key: "select", html: `<label>Country <select data-t=select><option>France<option>Spain</select></label>`, role: "combobox", name: "Country"},
	{key: "listbox", html: `<select data-t=listbox multiple aria-label=Many><option>A</select>`, role: "listbox", name: "Many"},
	{key: "textarea", html: `<label for=ta>Note</label><textarea data-t=textarea id=ta></textarea>`, role: "textbox", name: "Note"},
	{key: "summary", html: `<details><summary data-t=summary>More</summary>x</details>`, role: "button", name: "More", chrome: [2]string{"DisclosureTriangle", ""}, why: "HTML-AAM gives summary no role; a person presses it"},
	{key: "progress", html: `<label>Load <progress data-t=progress value=1 max=2></progress></label>`, role: "progressbar", name: "Load"},
	{key: "meter", html: `<meter data-t=meter aria-label=Disk value=.5></meter>`, role: "meter", name: "Disk"},
	{key: "output", html: `<output data-t=output aria-label=Sum>3</output>`, role: "status", name: "Sum"},
	{key: "img", html: `<img data-t=img alt=Logo src="data:,">`, role: "img", name: "Logo", chrome: [2]string{"image", ""}, why: "ARIA 1.3 synonym of img"},
	{key: "decor", html: `<div><img data-t=decor alt="" src="data:,"></div>`, role: "none", name: "", chrome: [2]string{"-", "-"}, why: "ignored in Chromium's tree"},
	{key: "heading", html: `<h2 data-t=heading>Title <b>bold</b></h2>`, role: "heading", name: "Title bold"},
	{key: "nav", html: `<nav data-t=nav aria-label=Main></nav>`, role: "navigation", name: "Main"},
	{key: "main", html: `<main data-t=main></main>`, role: "main", name: ""},
	{key: "aside", html: `<aside data-t=aside></aside>`, role: "complementary", name: ""},
	{key: "banner", html: `<header data-t=banner></header>`, role: "banner", name: ""},
	{key: "noheader", html: `<article><header data-t=noheader>x</header></article>`, role: "generic", name: "x", chrome: [2]string{"-", "-"}, why: "Chromium calls it sectionheader, an ARIA 1.3 draft role"},
	{key: "footer", html: `<footer data-t=footer></footer>`, role: "contentinfo", name: ""},
	{key: "section", html: `<section data-t=section aria-label=News></section>`, role: "region", name: "News"},
	{key: "plainsection", html: `<section data-t=plainsection></section>`, role: "generic", name: "", chrome: [2]string{"-", "-"}, why: "generic elements are not in Chromium's tree"},
	{key: "form", html: `<form data-t=form aria-label=Login></form>`, role: "form", name: "Login"},
	{key: "fieldset", html: `<fieldset data-t=fieldset><legend>Delivery</legend></fieldset>`, role: "group", name: "Delivery"},
	{key: "table", html: `<table data-t=table><caption>Prices</caption><tr><th>x<td>1</table>`, role: "table", name: "Prices"},
	{key: "th", html: `<table><tr><th data-t=th scope=col>Col<tr><td>1</table>`, role: "columnheader", name: "Col"},
	{key: "cell", html: `<table><tr><th>x<td data-t=cell>12</table>`, role: "cell", name: "12"},
	{key: "li", html: `<ul><li data-t=li>one</li></ul>`, role: "listitem", name: "", chrome: [2]string{"-", "-"}, why: "listitem is not named by content in ARIA 1.2"},
	{key: "svg", html: `<svg data-t=svg aria-label=Chart width=9 height=9><rect width=9 height=9></rect></svg>`, role: "img", name: "Chart", chrome: [2]string{"image", ""}, why: "ARIA 1.3 synonym of img"},
	{key: "dialog", html: `<dialog data-t=dialog open aria-label=Ask></dialog>`, role: "dialog", name: "Ask"},
	// Explicit roles.
	{key: "fallback", html: `<div data-t=fallback role="bogus switch button" tabindex=0 aria-checked=true>Wifi</div>`, role: "switch", name: "Wifi"},
	{key: "case", html: `<div data-t=case role=BUTTON tabindex=0>Up</div>`, role: "button", name: "Up"},
	{key: "abstract", html: `<button data-t=abstract role=widget>Go</button>`, role: "button", name: "Go"},
	{key: "conflict", html: `<button data-t=conflict role=none>Keep</button>`, role: "button", name: "Keep"},
	{key: "presentlist", html: `<ul role=none><li data-t=presentlist>x</li></ul>`, role: "none", name: "x", chrome: [2]string{"-", "-"}, why: "ignored in Chromium's tree"},
	{key: "globalaria", html: `<h3 data-t=globalaria role=none aria-label=Kept>x</h3>`, role: "heading", name: "Kept"},
	{key: "tab", html: `<div role=tablist><div data-t=tab role=tab tabindex=0>One</div></div>`, role: "tab", name: "One"},
	{key: "gridcell", html: `<table role=grid><tr><td data-t=gridcell>c</table>`, role: "gridcell", name: "c"},
	{key: "unnamedregion", html: `<div data-t=unnamedregion role=region>x</div>`, role: "generic", name: "x", chrome: [2]string{"-", "-"}, why: "a region needs a name; Chromium drops the node"},
	// Names.
	{key: "labelledby", html: `<span id=la>One</span><span id=lb>Two</span><button data-t=labelledby aria-labelledby="la lb">x</button>`, role: "button", name: "One Two"},
	{key: "labelledhidden", html: `<span id=lh hidden>Hidden <b>name</b></span><button data-t=labelledhidden aria-labelledby=lh>x</button>`, role: "button", name: "Hidden name"},
	{key: "labelledself", html: `<span id=ls>file</span><button data-t=labelledself id=self aria-label=Delete aria-labelledby="self ls">x</button>`, role: "button", name: "Delete file"},
	{key: "labelledonce", html: `<span id=l1 aria-labelledby=l2>Direct</span><span id=l2>Far</span><button data-t=labelledonce aria-labelledby=l1>x</button>`, role: "button", name: "Direct"},
	{key: "labelledmissing", html: `<button data-t=labelledmissing aria-labelledby=nowhere>Own</button>`, role: "button", name: "Own"},
	{key: "arialabel", html: `<button data-t=arialabel aria-label="  Close  window ">x</button>`, role: "button", name: "Close window"},
	{key: "emptylabel", html: `<button data-t=emptylabel aria-label=" ">Own</button>`, role: "button", name: "Own"},
	{key: "nested", html: `<button data-t=nested><img alt=Trash src="data:,"> <span>Delete <i>now</i></span></button>`, role: "button", name: "Trash Delete now"},
	{key: "hiddenchild", html: `<button data-t=hiddenchild>Show<span hidden> not</span><span style="display:none"> no</span><span style="visibility:hidden"> nor</span><span aria-hidden=true> this</span></button>`, role: "button", name: "Show"},
	{key: "blocks", html: `<button data-t=blocks><div>One</div><div>Two</div></button>`, role: "button", name: "One Two"},
	{key: "inline", html: `<button data-t=inline><span>In</span><span>line</span></button>`, role: "button", name: "Inline"},
	{key: "br", html: `<button data-t=br>One<br>Two</button>`, role: "button", name: "One Two"},
	{key: "title", html: `<button data-t=title title=Settings><i></i></button>`, role: "button", name: "Settings"},
	{key: "svgtitle", html: `<button data-t=svgtitle><svg width=9 height=9><title>Gear</title></svg></button>`, role: "button", name: "Gear"},
	{key: "before", html: `<style>.be::before{content:"New: "} .af::after{content:" (" attr(data-n) ")"} .ic::before{content:"\f101" / "Cart"}</style><button class="be af" data-n=3 data-t=before>Mail</button>`, role: "button", name: "New: Mail (3)"},
	{key: "alttext", html: `<button class=ic data-t=alttext> box</button>`, role: "button", name: "Cart box"},
	{key: "embedtext", html: `<label><input data-t=embedtext type=checkbox> Flash <input value=3 aria-label=n> times</label>`, role: "checkbox", name: "Flash 3 times"},
	{key: "embedselect", html: `<label><input data-t=embedselect type=checkbox> Every <select><option>day<option selected>week</select></label>`, role: "checkbox", name: "Every week"},
	{key: "embedrange", html: `<label><input data-t=embedrange type=checkbox> At <span role=slider aria-valuetext=half aria-valuenow=5></span></label>`, role: "checkbox", name: "At half"},
	{key: "embedsecret", html: `<label><input data-t=embedsecret type=checkbox> Remember <input type=password value=hunter2></label>`, role: "checkbox", name: "Remember", chrome: [2]string{"", "-"}, why: "Chromium gives the dots of the password"},
	{key: "twolabels", html: `<label for=tl>One</label><input data-t=twolabels id=tl><label for=tl>Two</label>`, role: "textbox", name: "One Two"},
	{key: "labelwins", html: `<label>Label <input data-t=labelwins title=t placeholder=p></label>`, role: "textbox", name: "Label"},
	{key: "titlefirst", html: `<input data-t=titlefirst title=t placeholder=p>`, role: "textbox", name: "t"},
	{key: "ariaowns", html: `<button data-t=ariaowns aria-owns=own1>One</button><span id=own1>Two</span>`, role: "button", name: "One Two"},
	{key: "linkimg", html: `<a data-t=linkimg href=/><img alt="Start page" src="data:,"></a>`, role: "link", name: "Start page"},
	{key: "emoji", html: `<button data-t=emoji>👍 Like</button>`, role: "button", name: "👍 Like"},
	{key: "contents", html: `<button data-t=contents><span style="display:contents">Kept</span></button>`, role: "button", name: "Kept"},
	{key: "optlabel", html: `<select size=2 aria-label=s><option data-t=optlabel label=Shown>Text</select>`, role: "option", name: "Shown"},
	{key: "menuitem", html: `<ul role=menu><li data-t=menuitem role=menuitem>Open</li></ul>`, role: "menuitem", name: "Open"},
	{key: "treeitem", html: `<div role=tree><div data-t=treeitem role=treeitem tabindex=0>Src</div></div>`, role: "treeitem", name: "Src"},
	{key: "editable", html: `<div data-t=editable contenteditable role=textbox aria-label=Body>typed</div>`, role: "textbox", name: "Body"},
	{key: "figure", html: `<figure data-t=figure><figcaption>Fig. 1</figcaption></figure>`, role: "figure", name: "Fig. 1", chrome: [2]string{"", "-"}, why: "HTML-AAM names a figure by its figcaption; Chromium does not"},
	{key: "legendlast", html: `<fieldset><legend>Group</legend><label>In <input data-t=legendlast></label></fieldset>`, role: "textbox", name: "In"},
	{key: "shadow", html: `<x-b data-t=host></x-b><script>const r=document.querySelector('x-b').attachShadow({mode:'open'});r.innerHTML='<button data-t=shadow><slot></slot>!</button>';document.querySelector('x-b').append('Slotted')</script>`, role: "button", name: "Slotted!", chrome: [2]string{"", "Slotted !"}, why: "the slot has no box, so a person reads no space"},
}

func fixture() string {
	var body strings.Builder
	for _, row := range roleNames {
		fmt.Fprintf(&body, "<section class=row>%s</section>\n", row.html)
	}
	// header, footer and aside are landmarks only outside of sections.
	page := body.String()
	for _, key := range []string{"banner", "footer", "aside"} {
		for _, row := range roleNames {
			if row.key == key {
				page = strings.Replace(page, "<section class=row>"+row.html+"</section>", row.html, 1)
			}
		}
	}
	return doc(page)
}

func TestRolesAndNames(t *testing.T) {
	page := open(t, fixture())
	got := ask[map[string][2]string](t, page, "T.roleNames()")
	for _, row := range roleNames {
		found, ok := got[row.key]
		if !ok {
			t.Errorf("%s: not found", row.key)
			continue
		}
		if found[0] != row.role || found[1] != row.name {
			t.Errorf("%s: %s %q, want %s %q", row.key, found[0], found[1], row.role, row.name)
		}
	}
}

// Chromium's own accessibility tree is an independent answer to the same question.
func TestAgainstChromium(t *testing.T) {
	page := open(t, fixture())
	ours := ask[map[string][2]string](t, page, "T.roleNames()")
	theirs := axTree(t, page)
	same := 0
	for _, row := range roleNames {
		want := [2]string{row.role, row.name}
		differs := row.chrome != [2]string{}
		if differs && row.why == "" {
			t.Errorf("%s: a difference without a reason", row.key)
		}
		for i, value := range row.chrome {
			if value != "" {
				want[i] = value
			}
		}
		got, ok := theirs[row.key]
		if !ok && want[0] != "-" {
			t.Errorf("%s: not in Chromium's tree (ours: %v)", row.key, ours[row.key])
			continue
		}
		if want[0] != "-" && got[0] != want[0] || want[1] != "-" && strings.Join(strings.Fields(got[1]), " ") != want[1] {
			t.Errorf("%s: Chromium says %s %q, ours %v", row.key, got[0], got[1], ours[row.key])
			continue
		}
		if !differs {
			same++
		}
	}
	t.Logf("%d of %d rows equal in role and name", same, len(roleNames))
}

// axTree reads role and name from Chromium by the value of data-t.
func axTree(t *testing.T, page interface {
	Call(method string, params, out any)
}) map[string][2]string {
	t.Helper()
	page.Call("DOM.enable", nil, nil)
	page.Call("Accessibility.enable", nil, nil)
	var tree struct {
		Nodes []struct {
			Ignored          bool `json:"ignored"`
			BackendDOMNodeID int  `json:"backendDOMNodeId"`
			Role, Name       *struct {
				Value json.RawMessage `json:"value"`
			}
		} `json:"nodes"`
	}
	page.Call("Accessibility.getFullAXTree", nil, &tree)
	type domNode struct {
		BackendNodeID int       `json:"backendNodeId"`
		Attributes    []string  `json:"attributes"`
		Children      []domNode `json:"children"`
		ShadowRoots   []domNode `json:"shadowRoots"`
	}
	var document struct {
		Root domNode `json:"root"`
	}
	page.Call("DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &document)
	keys := map[int]string{}
	var walk func(domNode)
	walk = func(node domNode) {
		for i := 0; i+1 < len(node.Attributes); i += 2 {
			if node.Attributes[i] == "data-t" {
				keys[node.BackendNodeID] = node.Attributes[i+1]
			}
		}
		for _, child := range append(node.Children, node.ShadowRoots...) {
			walk(child)
		}
	}
	walk(document.Root)
	out := map[string][2]string{}
	for _, node := range tree.Nodes {
		key, ok := keys[node.BackendDOMNodeID]
		if !ok || node.Ignored || node.Role == nil {
			continue
		}
		var role, name string
		_ = json.Unmarshal(node.Role.Value, &role)
		if node.Name != nil {
			_ = json.Unmarshal(node.Name.Value, &name)
		}
		out[key] = [2]string{role, name}
	}
	return out
}

// The list of rows is a table of distinct cases.
func TestRowsDistinct(t *testing.T) {
	var keys []string
	for _, row := range roleNames {
		keys = append(keys, row.key)
	}
	sort.Strings(keys)
	for i := 1; i < len(keys); i++ {
		if keys[i] == keys[i-1] {
			t.Errorf("%s twice", keys[i])
		}
	}
}
