package http

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// samples are parameters with which each command that needs some is called.
var samples = map[string]string{
	"/v1/page/open":          `{"url":"about:blank","background":true}`,
	"/v1/page/use":           `{"page":1}`,
	"/v1/page/close":         `{"page":99}`,
	"/v1/page/navigate":      `{"reload":true}`,
	"/v1/page/resize":        `{"width":900,"height":700}`,
	"/v1/page/wait-text":     `{"text":["Save"]}`,
	"/v1/page/wait-url":      `{"pattern":"form"}`,
	"/v1/observe/find":       `{"text":"Save"}`,
	"/v1/element/upload":     `{"target":"#file","files":["/etc/passwd"]}`,
	"/v1/element/fill":       `{"target":"textbox \"Note\"","value":"Ada"}`,
	"/v1/element/fill-form":  `{"values":{"textbox \"Note\"":"Ada"}}`,
	"/v1/element/select":     `{"target":"#nothing","values":["a"]}`,
	"/v1/element/drag":       `{"target":"#save","dx":5}`,
	"/v1/input/key":          `{"key":"Tab"}`,
	"/v1/input/type":         `{"text":"hey"}`,
	"/v1/dialog/handle":      `{"accept":true}`,
	"/v1/runtime/eval":       `{"expression":"1+1"}`,
	"/v1/console/wait":       `{"pattern":"never said"}`,
	"/v1/network/wait":       `{"url":"never asked"}`,
	"/v1/network/block":      `{"patterns":["*/never"]}`,
	"/v1/network/unblock":    `{"all":true}`,
	"/v1/network/unmock":     `{"all":true}`,
	"/v1/page/wait-function": `{"expression":"true"}`,
	"/v1/element/scroll":     `{"to":"bottom"}`,
	"/v1/element/highlight":  `{"off":true}`,
	"/v1/input/scroll":       `{"dy":10}`,
	"/v1/runtime/logpoint":   `{"action":"list"}`,
	"/v1/network/mock":       `{"pattern":"*/never","body":"x"}`,
	"/v1/cdp/send":           `{"method":"Page.getLayoutMetrics"}`,
	"/v1/session/start":      `{"headless":true}`,
	"/v1/session/restart":    `{"executable":"/bin/false"}`,
	"/v1/emulation/set":      `{"colorScheme":"dark"}`,
	"/v1/state/get":          `{"scope":"nothing"}`,
	"/v1/observe/events":     `{"limit":3}`,
	"/v1/record/ring":        `{"switch":"on"}`,
}

// last end what the others need.
var last = []string{"/v1/session/restart", "/v1/session/stop"}

// document is the part of the OpenAPI document that the tests look at.
type document struct {
	Paths map[string]map[string]struct {
		OperationID string `json:"operationId"`
		Parameters  []struct {
			Name     string `json:"name"`
			In       string `json:"in"`
			Required bool   `json:"required"`
		} `json:"parameters"`
		Codes []string `json:"x-codes"`
	} `json:"paths"`
	Components struct {
		Schemas map[string]struct {
			Required   []string                   `json:"required"`
			Properties map[string]json.RawMessage `json:"properties"`
		} `json:"schemas"`
	} `json:"components"`
}

func described(t *testing.T, c *client) (document, []byte) {
	t.Helper()
	raw := c.get("/v1/openapi.json", 200).Body
	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		t.Fatal(err)
	}
	return d, raw
}

// Each route of the catalogue answers on a real page, or refuses as it is documented to;
// it takes no other method, and no parameter that it does not have.
func TestEveryRoute(t *testing.T) {
	t.Parallel()
	e, c := managed(t)
	d, _ := described(t, c)
	var paths []string
	for path, item := range d.Paths {
		if post, ok := item["post"]; ok && strings.HasPrefix(path, "/v1/") && post.OperationID != "" {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	slices.SortStableFunc(paths, func(a, b string) int { return slices.Index(last, a) - slices.Index(last, b) })
	if len(paths) < 70 {
		t.Fatalf("only %d routes", len(paths))
	}
	done, denied := 0, 0
	for _, path := range paths {
		item := d.Paths[path]
		_, gets := item["get"]
		c.strict(path, gets)
		schema := d.Components.Schemas[item["post"].OperationID+".params"]
		body := samples[path]
		if body == "" {
			given := map[string]any{}
			for _, name := range schema.Required {
				given[name] = "#save"
				if strings.Contains(string(schema.Properties[name]), `"number"`) || strings.Contains(string(schema.Properties[name]), `"integer"`) {
					given[name] = 10
				}
			}
			data, _ := json.Marshal(given)
			body = string(data)
		}
		a := c.do("POST", path+"?timeoutMs=8000", []byte(body))
		switch {
		case a.Status == 200 && a.OK:
			done++
		case a.OK || len(a.Error.Suggestions) == 0 || !slices.Contains(item["post"].Codes, a.Error.Code) && a.Error.Code != "POLICY_DENIED":
			t.Errorf("POST %s %s: %d %.600s", path, body, a.Status, a.Body)
		case a.Error.Code == "VALIDATION_ERROR" && samples[path] != "":
			t.Errorf("POST %s %s: %.600s", path, body, a.Body)
		default:
			if a.Error.Code == "POLICY_DENIED" {
				denied++ // not for who has a token alone
			}
			t.Logf("%s: %s %s", path, a.Error.Code, a.Error.Message)
		}
		if path == "/v1/page/navigate" || path == "/v1/page/open" {
			key, _ := c.get("/v1/session/status", 200).Data["context"].(string)
			e.OK("page", "use", "1", "--context-id", key)
		}
	}
	if open := len(paths) - denied; done < open*3/4 {
		t.Errorf("%d of %d routes were done", done, open)
	}
}

// strict tries what a route must not take.
func (c *client) strict(path string, gets bool) {
	c.t.Helper()
	if a := c.fails(c.do("POST", path, []byte(`{"nopeNope":1}`)), 400, "VALIDATION_ERROR"); !strings.Contains(a.Error.Message, "nopeNope") {
		c.t.Errorf("%s: %s", path, a.Error.Message)
	}
	c.fails(c.do("POST", path+"?nopeNope=1", []byte(`{}`)), 400, "VALIDATION_ERROR")
	a := c.fails(c.do("DELETE", path, nil), 405, "VALIDATION_ERROR")
	allow := "POST"
	if gets {
		allow = "GET, HEAD, POST"
		c.fails(c.do("GET", path+"?nopeNope=1", nil), 400, "VALIDATION_ERROR")
	} else if a := c.fails(c.do("GET", path, nil), 405, "VALIDATION_ERROR"); a.Header.Get("Allow") != allow {
		c.t.Errorf("GET %s: Allow %q", path, a.Header.Get("Allow"))
	}
	if a.Header.Get("Allow") != allow {
		c.t.Errorf("DELETE %s: Allow %q, want %q", path, a.Header.Get("Allow"), allow)
	}
}

// The document is valid OpenAPI 3.1, tells every route, and the answers are as it says.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	_, c := daemon(t)
	d, raw := described(t, c)
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		t.Fatal(err)
	}
	if !doc.IsOpenAPI31OrLater() {
		t.Errorf("it is %s", doc.OpenAPI)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	index := c.get("/v1", 200)
	resources, _ := index.Data["resources"].([]any)
	told := 0
	for _, r := range resources {
		commands, _ := r.(map[string]any)["commands"].([]any)
		for _, one := range commands {
			row, _ := one.(map[string]any)
			path, _ := row["path"].(string)
			if _, there := d.Paths[path]; !there {
				t.Errorf("%s is not in the document", path)
			}
			told++
		}
	}
	if told < 70 {
		t.Errorf("only %d commands are told", told)
	}
	for _, path := range []string{"/v1", "/v1/overview", "/v1/session/status"} {
		schema := doc.Paths.Value(path).Get.Responses.Value("200").Value.Content["application/json"].Schema.Value
		var value any
		if err := json.Unmarshal(c.get(path, 200).Body, &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.VisitJSON(value, openapi3.EnableJSONSchema2020()); err != nil {
			t.Errorf("GET %s is not as the document says: %v", path, err)
		}
	}
}

// Names of the query that every route has are a command's parameter only where that
// means the same.
func TestCommonNames(t *testing.T) {
	t.Parallel()
	_, c := daemon(t)
	d, _ := described(t, c)
	common := []string{"page", "timeoutMs", "profile", "session", "fields"}
	same := []string{"page.use page", "page.close page", "page.activate page", "session.start profile", "session.restart profile"}
	for name, schema := range d.Components.Schemas {
		command, ok := strings.CutSuffix(name, ".params")
		if !ok {
			continue
		}
		for property := range schema.Properties {
			if slices.Contains(common, property) && !slices.Contains(same, command+" "+property) {
				t.Errorf("%s has a parameter %s, which every route has with another meaning", command, property)
			}
		}
	}
}

// Forms of an answer: JSON, some of it, text, lines as they come, an image, compressed.
func TestForms(t *testing.T) {
	t.Parallel()
	_, c := managed(t)
	a := c.get("/v1/page/list?fields=pages.url,nope", 200, RequestID, "my-id")
	pages, _ := a.Data["pages"].([]any)
	if row, _ := pages[0].(map[string]any); len(row) != 1 || row["url"] == nil || len(a.Meta.Warnings) != 1 {
		t.Errorf("%s", a.Body)
	}
	if a.Meta.RequestID != "my-id" || a.Header.Get(RequestID) != "my-id" {
		t.Errorf("%s %v", a.Body, a.Header)
	}
	if a := c.get("/v1/page/list", 200, "Accept", "text/plain"); !strings.HasPrefix(string(a.Body), "* 1 http://") || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%q", a.Body)
	}
	if a := c.get("/v1/page/list?page=77&timeoutMs=0", 400, "Accept", "text/plain"); !strings.HasPrefix(string(a.Body), "VALIDATION_ERROR: ") {
		t.Errorf("%q", a.Body)
	}
	from := c.get("/v1/observe/events?limit=1", 200).Data["last"]
	c.eval(`console.log("one"), console.log("two")`)
	query := fmt.Sprintf("/v1/observe/events?follow&types=console&limit=2&since=%v", from)
	lines := strings.Split(strings.TrimSpace(string(c.get(query, 200, "Accept", "application/x-ndjson").Body)), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], `{"line":{`) || !strings.Contains(lines[1], "two") || !strings.HasPrefix(lines[2], `{"ok":true,`) {
		t.Errorf("%q", lines)
	}
	collected := c.get(query, 200)
	if list, _ := collected.Data["lines"].([]any); len(list) != 2 || collected.Data["result"] == nil {
		t.Errorf("%s", collected.Body)
	}
	for media, magic := range map[string]string{"image/png": "\x89PNG", "image/jpeg": "\xff\xd8", "image/avif,image/webp,*/*;q=0.8": "RIFF"} {
		if a := c.get("/v1/capture/screenshot?page=1", 200, "Accept", media); !strings.HasPrefix(string(a.Body), magic) || !strings.HasPrefix(a.Header.Get("Content-Type"), "image/") {
			t.Errorf("%s: %s %.20q", media, a.Header.Get("Content-Type"), a.Body)
		}
	}
	if a := c.get("/v1/openapi.json", 200, "Accept-Encoding", "gzip"); a.Header.Get("Content-Encoding") != "gzip" || !strings.HasPrefix(string(a.Body), "\x1f\x8b") {
		t.Errorf("%v", a.Header)
	}
	if a := c.get("/v1/openapi.json", 200, "Accept-Encoding", "identity"); a.Header.Get("Content-Encoding") != "" {
		t.Errorf("%v", a.Header)
	}
	head, err := c.http.Head(c.base + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, head.Body) // there is none
	_ = head.Body.Close()
	if head.StatusCode != 401 {
		t.Errorf("HEAD without a token: %d", head.StatusCode)
	}
}

// RequestID is the header that names a request.
const RequestID = "X-Request-Id"
