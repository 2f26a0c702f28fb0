package tree

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/page/chromium"
)

type failure struct {
	Code    string
	Message string
	Details struct {
		Reason, Check, Hidden string
		From, To              struct{ Role, Name string }
		Matches               int
		Candidates            []struct{ Ref, Role, Name, Selector string }
		CoveredBy             *struct{ Selector, Role, Name, Ref string }
	}
}

// locate gives the id of what the target names, or the fault.
func locate(t *testing.T, page *chromium.Page, target string) (string, *failure) {
	t.Helper()
	raw := ask[json.RawMessage](t, page, "T.locate("+target+")")
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return id, nil
	}
	fault := new(failure)
	if err := json.Unmarshal(raw, fault); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	if fault.Code == "THROWN" {
		t.Fatalf("%s: %s", target, fault.Message)
	}
	return "", fault
}

func refOf(t *testing.T, page *chromium.Page, name string) string {
	t.Helper()
	for _, it := range ask[full](t, page, "T.full()").Items {
		if it.Name == name {
			return it.Ref
		}
	}
	t.Fatalf("no item %q", name)
	return ""
}

// A ref is good for the element it was given for, goes on to a replacement that
// is beyond doubt, and else says what happened.
func TestRefs(t *testing.T) {
	cases := []struct{ name, html, ref, script, want, reason string }{
		{"untouched", `<button id=a>Save</button>`, "Save", ``, "a", ""},
		{"moved in the page", `<button id=a>Save</button><p id=p></p>`, "Save", `p.append(a)`, "a", ""},
		{"unrelated change", `<button id=a>Save</button>`, "Save", `a.className='x'; a.disabled=true`, "a", ""},
		{"renamed", `<button id=a>Save</button>`, "Save", `a.textContent='Delete all'`, "", "changed"},
		{"other role", `<button id=a>Save</button>`, "Save", `a.setAttribute('role','link')`, "", "changed"},
		{"removed", `<button id=a>Save</button>`, "Save", `a.remove()`, "", "removed"},
		{"replaced by its equal", `<button id=a>Save</button>`, "Save", `a.outerHTML='<button id=a>Save</button>'`, "a", ""},
		{"replaced without an id", `<div id=box><button>Save</button></div>`, "Save", `box.innerHTML='<button data-t=new>Save</button>'`, "new", ""},
		{"replaced elsewhere", `<div id=box><button>Save</button></div><p id=p></p>`, "Save", `box.innerHTML='';p.innerHTML='<button data-t=new>Save</button>'`, "new", ""},
		{"replaced by another look", `<button id=a>Save</button>`, "Save", `a.outerHTML='<button id=a>Buy</button>'`, "", "changed"},
		{"replaced by another tag", `<button id=a>Save</button>`, "Save", `a.outerHTML='<div id=a role=button tabindex=0>Save</div>'`, "", "changed"},
		{"replaced twice over", `<div id=box><button>Save</button></div>`, "Save", `box.innerHTML='<button>Save</button><button>Save</button>'`, "", "rerendered"},
		{"one of two, told by test id", `<div id=box><button data-testid=x>Save</button><button data-testid=y>Keep</button></div>`, "Save",
			`box.innerHTML='<button data-testid=y data-t=no>Save</button><button data-testid=x data-t=yes>Save</button>'`, "yes", ""},
		{"the row above is deleted", `<ul id=ul><li><button>Delete</button></li><li><button id=two aria-label="Delete">x</button></li></ul>`, "Delete", `ul.firstElementChild.remove()`, "", "removed"},
		{"inside a shadow root", `<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<button>Deep</button>'</script>`, "Deep",
			`host.shadowRoot.innerHTML='<button data-t=new>Deep</button>'`, "new", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			page := open(t, doc(c.html))
			ref := refOf(t, page, c.ref)
			do(t, page, c.script)
			for _, when := range []string{"before the diff", "after it"} {
				got, fault := locate(t, page, fmt.Sprintf("{ref: %q}", ref))
				switch {
				case c.reason == "" && (fault != nil || got != c.want):
					t.Errorf("%s: %q %+v, want %q", when, got, fault, c.want)
				case c.reason != "" && (fault == nil || fault.Code != "TARGET_STALE" || fault.Details.Reason != c.reason):
					t.Errorf("%s: %q %+v, want TARGET_STALE %s", when, got, fault, c.reason)
				}
				if c.reason == "changed" && when == "before the diff" && (fault.Details.From == fault.Details.To && c.name != "replaced by another tag") {
					t.Errorf("from %v to %v", fault.Details.From, fault.Details.To)
				}
				if c.name == "renamed" || c.name == "other role" {
					break // the diff gives the ref under its new look
				}
				ask[json.RawMessage](t, page, "T.diff()")
			}
		})
	}
}

// A diff that tells the new look makes the ref good again.
func TestRefAfterDiff(t *testing.T) {
	page := open(t, doc(`<button id=a>Cart (1)</button>`))
	ref := refOf(t, page, "Cart (1)")
	do(t, page, `document.getElementById('a').textContent='Cart (2)'`)
	if _, fault := locate(t, page, fmt.Sprintf("{ref: %q}", ref)); fault == nil || fault.Details.To.Name != "Cart (2)" {
		t.Errorf("before: %+v", fault)
	}
	ask[json.RawMessage](t, page, "T.diff()")
	if got, fault := locate(t, page, fmt.Sprintf("{ref: %q}", ref)); got != "a" {
		t.Errorf("after: %q %+v", got, fault)
	}
}

// Refs of another document name nothing here, when the host lets the count go on.
func TestForeignRefs(t *testing.T) {
	page := open(t, doc(`<button>x</button>`))
	if first := ask[full](t, page, "T.start({firstRef: 41}) && T.full()").Items[0].Ref; first != "e41" {
		t.Errorf("first ref %s", first)
	}
	for _, ref := range []string{"e7", "e42", "nonsense"} {
		if _, fault := locate(t, page, fmt.Sprintf("{ref: %q}", ref)); fault == nil || fault.Code != "TARGET_STALE" || fault.Details.Reason != "unknown" {
			t.Errorf("%s: %+v", ref, fault)
		}
	}
}

const locatePage = `
	<button id=save>Save  order</button><button id=save2 style="display:none">Save order</button>
	<button data-testid=tid data-t=tid>T</button><div id=dup>d</div><div id=dup>d</div>
	<button class=many id=m1>Many</button><button class=many id=m2>Many</button>
	<a id=link href=x>Go <b>home</b></a><label>Agree <input id=agree type=checkbox></label>
	<p id=para>Just a paragraph</p><button id=case>SIGN IN</button><div id=card onclick=1><h3>Card title</h3></div>
	<button id=hid style="visibility:hidden">Only hidden</button>
	<input id=sub type=submit value="Send it"><input id=field placeholder=Search aria-label=Query>
	<button id=deep><span><span>Deep text</span></span></button><div id=open></div><div id=tid2></div>
	<button id=long></button>
	<script>document.getElementById('open').attachShadow({mode:'open'}).innerHTML='<button id=inner data-t=inner>Inside</button><p data-t=p1>x</p>';
	document.getElementById('long').textContent='word '.repeat(80)</script>`

func TestLocate(t *testing.T) {
	page := open(t, doc(locatePage))
	ask[int](t, page, "T.full().items.length")
	cases := []struct{ target, want, code string }{
		{`{stableId: 'tid'}`, "tid", ""},
		{`{id: 'save'}`, "save", ""},
		{`{id: 'tid'}`, "tid", ""},
		{`{id: 'dup'}`, "", "TARGET_AMBIGUOUS"},
		{`{stableId: 'inner'}`, "inner", ""},
		{`{stableId: 'button:inside'}`, "", "ELEMENT_NOT_FOUND"},
		{`{selector: '#save'}`, "save", ""},
		{`{selector: '.many'}`, "", "TARGET_AMBIGUOUS"},
		{`{selector: '#open >>> button'}`, "inner", ""},
		{`{selector: '#open >>> :host > p'}`, "p1", ""},
		{`{selector: 'p[data-t=p1]'}`, "p1", ""},
		{`{selector: '##'}`, "", "VALIDATION_ERROR"},
		{`{role: 'button', name: 'Save order'}`, "save", ""},
		{`{role: 'button', name: 'save ORDER'}`, "save", ""},
		{`{role: 'button', name: 'Many'}`, "", "TARGET_AMBIGUOUS"},
		{`{role: 'checkbox', name: 'Agree'}`, "agree", ""},
		{`{role: 'checkbox'}`, "agree", ""},
		{`{name: 'Query'}`, "field", ""},
		{`{text: ' Save order '}`, "save", ""},
		{`{text: 'Go home'}`, "link", ""},
		{`{text: 'home'}`, "link", ""},
		{`{text: 'Agree'}`, "agree", ""},
		{`{text: 'sign in'}`, "case", ""},
		{`{text: 'Card title'}`, "card", ""},
		{`{text: 'Just a paragraph'}`, "para", ""},
		{`{text: 'Only hidden'}`, "hid", ""},
		{`{text: 'Send it'}`, "sub", ""},
		{`{text: 'Deep text'}`, "deep", ""},
		{`{text: 'Inside'}`, "inner", ""},
		{`{text: 'Many'}`, "", "TARGET_AMBIGUOUS"},
		{`{text: 'Save'}`, "", "ELEMENT_NOT_FOUND"},
		{`{text: 'word '.repeat(80)}`, "long", ""},
		{`{id: 'nope', selector: '#save'}`, "save", ""},
		{`{selector: '#save', text: 'Go home'}`, "save", ""},
		{`{}`, "", "VALIDATION_ERROR"},
	}
	for _, c := range cases {
		got, fault := locate(t, page, c.target)
		code := ""
		if fault != nil {
			code = fault.Code
		}
		if got != c.want || code != c.code {
			t.Errorf("%s: %q %+v, want %q %s", c.target, got, fault, c.want, c.code)
		}
	}
}

// Faults help to choose: the nearest five, or ten of those that match, with refs that work.
func TestCandidates(t *testing.T) {
	page := open(t, doc(locatePage+strings.Repeat("<button class=row>Row</button>", 14)))
	_, fault := locate(t, page, `{text: 'Save ordr'}`)
	if fault == nil || len(fault.Details.Candidates) == 0 || len(fault.Details.Candidates) > 5 || fault.Details.Candidates[0].Name != "Save order" {
		t.Fatalf("%+v", fault)
	}
	if got, _ := locate(t, page, fmt.Sprintf("{ref: %q}", fault.Details.Candidates[0].Ref)); got != "save" && got != "save2" {
		t.Errorf("the candidate's ref finds %q", got)
	}
	_, fault = locate(t, page, `{selector: '.row'}`)
	if fault == nil || len(fault.Details.Candidates) != 10 || fault.Details.Matches != 14 {
		t.Errorf("%+v", fault)
	}
	if strings.Contains(fault.Message, "Row") {
		t.Error("page text in a message")
	}
}
