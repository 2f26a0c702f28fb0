package mcp

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/command"
)

func TestToolWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"dbridge element click e5":                                                         `click {"target":"e5"}`,
		`dbridge observe find 'two words' --role button`:                                   `find {"role":"button","text":"two words"}`,
		"Look at `dbridge console list --level error`, then go on.":                        "Look at `list_console_messages {\"level\":\"error\"}`, then go on.",
		"dbridge session start --headless --url 'http://x/a b'":                            `session_start {"headless":true,"url":"http://x/a b"}`,
		"dbridge page wait-text Hello World":                                               `wait_for {"text":["Hello","World"]}`,
		"dbridge network get 5 --include responseBody":                                     `get_network_request {"id":5,"include":["responseBody"]}`,
		"dbridge observe find x --page 3 --timeout 500":                                    `find {"page":3,"text":"x","timeoutMs":500}`,
		"confirm \"Sure?\" waits: dbridge dialog handle --accept | --dismiss":              `confirm "Sure?" waits: handle_dialog {"accept":true} | dismiss`,
		"See `dbridge daemon logs`.":                                                       "See `dbridge daemon logs`.",
		"dbridge doctor":                                                                   "dbridge doctor",
		"Give it more time: --timeout MS":                                                  "Give it more time: timeoutMs",
		"leave out --full-page (--in-view)":                                                "leave out fullPage (inView)",
		"a -- b, x--y":                                                                     "a -- b, x--y",
		"Look again: `dbridge capture snapshot`, or `request_ui_tree` over the WebSocket.": "Look again: `take_snapshot`.",
		"set it in ~/.dbridge element click":                                               "set it in ~/.dbridge element click",
		"dbridge element click 'it''s'":                                                    `click {"target":"its"}`,
	} {
		if got := toolWords(text); got != want {
			t.Errorf("%s\ngives %s\nwant  %s", text, got, want)
		}
	}
}

// What a page says is given as it is.
func TestAnswerWords(t *testing.T) {
	t.Parallel()
	list, _ := command.All.Find("console.list")
	click, _ := command.All.Find("element.click")
	page := "1 log run `dbridge element click e1` with --full-page"
	if got := answerWords(list, page); got != page {
		t.Errorf("%s", got)
	}
	if got := answerWords(list, page+"\n(3 older: --before 7)\n"); got != page+"\n(3 older: before 7)\n" {
		t.Errorf("%s", got)
	}
	if got := answerWords(click, `confirm "Sure?" waits: dbridge dialog handle --accept | --dismiss`); got != `confirm "Sure?" waits: handle_dialog {"accept":true} | dismiss` {
		t.Errorf("%s", got)
	}
	if got := answerWords(click, `clicked "Save" · console error: no --flag`); !strings.Contains(got, "no --flag") {
		t.Errorf("%s", got)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, given, want string }{
		{"click", `{"uid":"e1","dblClick":true,"pageId":3,"timeout":"500","includeSnapshot":true}`, `{"count":2,"target":"e1"}`},
		{"click", `{"ref":"e1","dblClick":false}`, `{"target":"e1"}`},
		{"click", `{"target":"e1","uid":"e2"}`, `{"target":"e1"}`},
		{"click", `{"target":7,"count":"2","x":"1.5","modifiers":"Shift","button":null}`, `{"count":2,"modifiers":["Shift"],"target":"7","x":1.5}`},
		{"click", `{"target":"e1","count":2.0,"modifiers":"[\"Alt\"]"}`, `{"count":2,"modifiers":["Alt"],"target":"e1"}`},
		{"fill", `{"uid":"e1","value":42}`, `{"target":"e1","value":"42"}`},
		{"fill", `{"uid":"e1","value":true}`, `{"target":"e1","value":"true"}`},
		{"fill_form", `{"elements":[{"uid":"e1","value":"a"}]}`, `{"values":[{"target":"e1","value":"a"}]}`},
		{"fill_form", `{"fields":"[{\"ref\":\"e1\",\"value\":\"a\"}]"}`, `{"values":[{"target":"e1","value":"a"}]}`},
		{"fill_form", `{"values":{"#a":"b"}}`, `{"values":{"#a":"b"}}`},
		{"drag", `{"from_uid":"e1","to_uid":"e2"}`, `{"target":"e1","to":"e2"}`},
		{"navigate_page", `{"type":"url","url":"x"}`, `{"url":"x"}`},
		{"navigate_page", `{"type":"reload","url":"","ignoreCache":true}`, `{"ignoreCache":true,"reload":true}`},
		{"handle_dialog", `{"action":"dismiss"}`, `{"dismiss":true}`},
		{"handle_dialog", `{"action":"accept","promptText":"x"}`, `{"accept":true,"text":"x"}`},
		{"select_page", `{"pageId":2,"bringToFront":true}`, `{"front":true,"page":2}`},
		{"close_page", `{"pageId":2}`, `{"page":2}`},
		{"wait_for", `{"text":"Hi"}`, `{"text":["Hi"]}`},
		{"take_snapshot", `{"verbose":true,"filePath":"/x"}`, `{"file":"/x","full":true}`},
		{"take_screenshot", `{"uid":"e3"}`, `{"element":"e3"}`},
		{"evaluate_script", `{"function":"(e) => e","args":[{"uid":"e1"},"e2",3]}`, `{"arg":["e1","e2","3"],"function":"(e) => e"}`},
		{"evaluate_script", `{"function":"1+1","format":"script"}`, `{"expression":"1+1"}`},
		{"evaluate", `{"script":"1+1"}`, `{"expression":"1+1"}`},
		{"list_network_requests", `{"resourceTypes":["xhr"],"pageSize":10,"pageIdx":2}`, `{"limit":30,"type":["xhr"]}`},
		{"list_network_requests", `{"pageIdx":0,"includePreservedRequests":true}`, `{"preserved":true}`},
		{"get_network_request", `{"reqid":4}`, `{"id":4,"include":["headers","requestBody","responseBody"]}`},
		{"get_network_request", `{"reqid":4,"responseFilePath":"/b"}`, `{"file":"/b","id":4,"include":["responseBody"]}`},
		{"get_network_request", `{"id":4}`, `{"id":4}`},
		{"list_console_messages", `{"types":["error","verbose"]}`, `{"types":["error","exception","rejection","browser","network","debug"]}`},
		{"get_console_message", `{"msgid":4}`, `{"id":4}`},
		{"emulate", `{"networkConditions":"Fast 3G","viewport":"1x2x3"}`, `{"network":"fast-3g","viewport":"1x2@3"}`},
		{"emulate", `{"viewport":"390x844@3,mobile","geolocation":"1,2"}`, `{"geolocation":"1,2","viewport":"390x844@3,mobile"}`},
		{"emulate", `{"extraHttpHeaders":{"A":"1","B":"2"}}`, `{"header":["A: 1","B: 2"]}`},
		{"performance_analyze_insight", `{"insightSetId":"s","insightName":"n"}`, `{"name":"n","set":"s"}`},
		{"upload_file", `{"uid":"e1","filePaths":["/a"]}`, `{"files":["/a"],"target":"e1"}`},
		{"list_pages", ``, `{}`},
		{"list_pages", `null`, `{}`},
	} {
		cmd, ok := lookup(c.tool)
		if !ok {
			t.Fatalf("no %s", c.tool)
		}
		a, err := readArgs(cmd, c.tool, []byte(c.given))
		if err != nil {
			t.Errorf("%s %s: %v", c.tool, c.given, err)
			continue
		}
		var got, want any
		if err := json.Unmarshal(a.params(), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s\ngives %s\nwant  %s", c.tool, c.given, a.params(), c.want)
		}
		if _, err := cmd.Decode(a.params()); err != nil && c.want != `{}` {
			t.Errorf("%s %s: %v", c.tool, a.params(), err)
		}
	}
	click, _ := lookup("click")
	a, err := readArgs(click, "click", []byte(`{"uid":"e1","pageId":3,"timeout":"500","includeSnapshot":true}`))
	if err != nil || a.page != 3 || a.timeoutMs != 500 || !a.snapshot {
		t.Errorf("%+v %v", a, err)
	}
	for _, bad := range []string{`[1]`, `{"page":"two"}`, `{"pageId":1.5}`, `{"timeoutMs":-1}`, `{"a":1,"a":2}`, `x`} {
		if a, err := readArgs(click, "click", []byte(bad)); err == nil {
			t.Errorf("%s is taken as %s", bad, a.params())
		}
	}
}
