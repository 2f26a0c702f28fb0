package http

import (
	"strings"
	"testing"
)

// The routes of older clients, in the order of their use.
func TestAliases(t *testing.T) {
	t.Parallel()
	e, c := daemon(t)
	c.fails(c.do("GET", "/snapshot", nil), 404, "SESSION_NOT_FOUND")
	if a := c.get("/status", 200); a.Top["running"] != false || a.Top["ok"] != true {
		t.Errorf("%s", a.Body)
	}
	browse(e, c)
	c.fails(c.do("POST", "/start", []byte(`{"headless":true}`)), 409, "SESSION_ALREADY_RUNNING")
	c.fails(c.do("POST", "/start", []byte(`{"executable":"/bin/false"}`)), 403, "POLICY_DENIED")

	opened := c.post("/tabs/open", `{"url":"`+e.Site.URL("/form")+`"}`, 200).Top
	second, _ := opened["targetId"].(string)
	if len(second) != 17 || opened["type"] != "page" || opened["url"] != e.Site.URL("/form") || opened["title"] == "" {
		t.Fatalf("%v", opened)
	}
	list := c.get("/tabs", 200).Top
	tabs, _ := list["tabs"].([]any)
	if len(tabs) != 2 || list["lastTargetId"] != second {
		t.Fatalf("%v", list)
	}
	row, _ := tabs[0].(map[string]any)
	first, _ := row["targetId"].(string)

	// A part of a name is enough where it is one tab's alone.
	ambiguous := c.fails(c.do("GET", "/snapshot?targetId=t", nil), 409, "TARGET_AMBIGUOUS")
	if matches, _ := ambiguous.Error.Details["matches"].([]any); len(matches) != 2 {
		t.Errorf("%s", ambiguous.Body)
	}
	c.fails(c.do("GET", "/snapshot?targetId=tzzz", nil), 404, "PAGE_NOT_FOUND")
	c.fails(c.do("DELETE", "/tabs/tzzz", nil), 404, "PAGE_NOT_FOUND")
	c.fails(c.do("POST", "/tabs/focus", []byte(`{}`)), 400, "VALIDATION_ERROR")
	short := first
	for len(short) > 2 && !strings.HasPrefix(second, short[:len(short)-1]) {
		short = short[:len(short)-1]
	}
	if a := c.post("/tabs/focus", `{"targetId":"`+short+`"}`, 200).Top; a["targetId"] != first {
		t.Errorf("%v", a)
	}
	if a := c.get("/status", 200).Top; a["lastTargetId"] != first || a["running"] != true {
		t.Errorf("%v", a)
	}

	for format, member := range map[string]string{"tree": "tree", "json": "nodes", "html": "html"} {
		a := c.get("/snapshot?format="+format+"&targetId="+second, 200).Top
		if a[member] == nil || a["format"] != format || a["targetId"] != second || a["url"] == nil {
			t.Errorf("%s: %v", format, a)
		}
	}
	c.post("/tabs/focus", `{"targetId":"`+second+`"}`, 200)
	if a := c.post("/screenshot", `{"targetId":"`+second+`","format":"jpeg","inline":true}`, 200).Top; a["mimeType"] != "image/jpeg" || a["inline"] == "" || a["targetId"] != second {
		t.Errorf("%v", a)
	}
	c.post("/navigate", `{"targetId":"`+second+`","url":"`+e.Site.URL("/page/two")+`"}`, 200)
	if a := c.post("/navigate", `{"targetId":"`+second+`","back":true}`, 200).Top; a["url"] != e.Site.URL("/form") || a["targetId"] != second {
		t.Errorf("%v", a)
	}
	c.post("/act", `{"kind":"evaluate","targetId":"`+second+`","expression":"console.log('said')"}`, 200)
	if a := c.get("/console?targetId="+second+"&pattern=said", 200).Top; len(a["messages"].([]any)) != 1 {
		t.Errorf("%v", a)
	}
	c.post("/tabs/focus", `{"targetId":"`+first+`"}`, 200)
	if a := c.do("DELETE", "/tabs/"+second, nil); a.Status != 200 || a.Top["closed"] != true || a.Top["lastTargetId"] != first {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	c.fails(c.do("GET", "/snapshot?targetId="+second, nil), 404, "PAGE_NOT_FOUND")
	c.post("/stop", `{}`, 200)
	c.fails(c.do("POST", "/act", []byte(`{"kind":"click","ref":"e1"}`)), 404, "SESSION_NOT_FOUND")
}

// Each kind of /act does what it says, in a real page.
func TestAct(t *testing.T) {
	t.Parallel()
	e, c := managed(t)
	c.post("/navigate", `{"url":"`+e.Site.URL("/page/act")+`"}`, 200)
	c.eval(`document.body.innerHTML = '<button id=b onclick="n=(window.n||0)+1" onmouseenter="over=1" ondblclick="twice=1">Go</button><input id=i><select id=s><option>x<option>y</select><div id=far style="margin-top:3000px">far</div>', document.querySelector('#i').onkeydown = event => { window.key = event.key }, 1`)
	for _, one := range []struct{ body, check string }{
		{`{"kind":"click","ref":"button \"Go\""}`, `window.n === 1`},
		{`{"kind":"click","selector":"#b","count":2}`, `window.twice === 1`},
		{`{"kind":"hover","selector":"#b"}`, `window.over === 1`},
		{`{"kind":"type","selector":"input","text":"hey"}`, `i.value === 'hey'`},
		{`{"kind":"press","key":"ArrowLeft"}`, `window.key === 'ArrowLeft'`},
		{`{"kind":"fill","selector":"#i","text":"new"}`, `i.value === 'new'`},
		{`{"kind":"fill","fields":[{"selector":"#i","value":"form"},{"ref":"#s","value":"y"}]}`, `i.value === 'form' && s.value === 'y'`},
		{`{"kind":"select","selector":"#s","values":["x"]}`, `s.value === 'x'`},
		{`{"kind":"scroll","selector":"#far"}`, `scrollY > 1000`},
		{`{"kind":"wait","text":"far"}`, `true`},
		{`{"kind":"wait","textGone":"never there"}`, `true`},
		{`{"kind":"wait","fn":"window.n > 0"}`, `true`},
		{`{"kind":"wait","selector":"#far"}`, `true`},
		{`{"kind":"wait","url":"/page/act"}`, `true`},
		{`{"kind":"evaluate","fn":"() => { window.ran = 1 }"}`, `window.ran === 1`},
	} {
		c.post("/act", one.body, 200)
		if c.eval(one.check) != true {
			t.Errorf("%s: not %s", one.body, one.check)
		}
	}
	for _, body := range []string{`{}`, `{"kind":"jump"}`, `{"kind":"wait"}`, `{"kind":"click","ref":"e1","target":"e2"}`, `{"kind":"click","ref":"e1","speed":1}`, `{"kind":"fill","fields":3}`} {
		c.fails(c.do("POST", "/act", []byte(body)), 400, "VALIDATION_ERROR")
	}
	c.fails(c.do("POST", "/act?timeoutMs=500", []byte(`{"kind":"click","ref":"button \"Nothing\""}`)), 404, "ELEMENT_NOT_FOUND")
}
