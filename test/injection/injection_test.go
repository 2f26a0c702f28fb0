// Package injection tests what a hostile page's words can do in the answers that an
// agent reads: they stand in fields and fences of the page, one line where we say one
// line, without hidden characters, and nowhere else.
package injection

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

const patience = 90 * time.Second

// reads are commands that read the page; fenced says that their text is in a fence.
var reads = []struct {
	line   []string
	tool   string
	args   string
	fenced bool
}{
	{[]string{"capture", "snapshot"}, "take_snapshot", `{}`, true},
	{[]string{"observe", "find", "zzattack"}, "find", `{"text":"zzattack"}`, true},
	{[]string{"console", "list", "--limit", "100"}, "list_console_messages", `{"limit":100}`, true},
	{[]string{"runtime", "eval", "window.said"}, "evaluate_script", `{"expression":"window.said"}`, true},
	{[]string{"runtime", "eval", "said.join('\\n')"}, "evaluate_script", `{"expression":"said.join('\\n')"}`, true},
	{[]string{"tools", "list"}, "list_page_tools", `{}`, true},
	{[]string{"observe", "events", "--types", "console,error", "--limit", "50"}, "list_events", `{"types":["console","error"],"limit":50}`, true},
	{[]string{"network", "get", "2", "--include", "responseBody", "--include", "headers"}, "get_network_request", `{"id":2,"include":["responseBody","headers"]}`, true},
	{[]string{"network", "list", "--limit", "100"}, "list_network_requests", `{"limit":100}`, false},
	{[]string{"page", "list"}, "list_pages", `{}`, false},
	{[]string{"observe", "state"}, "page_state", `{}`, false},
	{[]string{"observe", "targets"}, "list_targets", `{}`, false},
	{[]string{"layout", "diagnose"}, "diagnose_layout", `{}`, false},
	{[]string{"layout", "styles", "css=#b1", "color"}, "get_css_styles", `{"target":"css=#b1","properties":["color"]}`, false},
	{[]string{"audit", "page"}, "audit_page", `{}`, false},
	{[]string{"audit", "a11y"}, "audit_accessibility", `{}`, false},
	{[]string{"state", "list"}, "list_state", `{}`, false},
	{[]string{"element", "hover", "css=#b3"}, "hover", `{"target":"css=#b3"}`, false},
	{[]string{"element", "click", "css=#b4"}, "click", `{"target":"css=#b4"}`, false},
	{[]string{"element", "click", "css=#b9"}, "click", `{"target":"css=#b9"}`, false},
	{[]string{"session", "status"}, "session_status", `{}`, false},
	{[]string{"session", "connect"}, "connect_browser", `{}`, false},
}

// hidden tells what no answer may hold, JSON or text. (Line breaks are looked at apart.)
func hidden(text string) string {
	for i, r := range text {
		if r == '\n' || r == '\t' {
			continue
		}
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || r >= 0x200b && r <= 0x200d || r == 0x2060 || r == 0xfeff || r >= 0xe0000 && r <= 0xe0fff {
			return fmt.Sprintf("%U at %d: %.80q", r, i, text[max(0, i-30):])
		}
	}
	return ""
}

var fenceLine = regexp.MustCompile(`(?m)^\[/?page `)

// ours checks a text without a fence: no line is the page's alone.
func ours(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimLeft(line, " \t")
		if strings.HasPrefix(trimmed, mark) || fenceLine.MatchString(trimmed) || strings.HasPrefix(trimmed, "{") && strings.Contains(trimmed, "forged") {
			return line
		}
	}
	return ""
}

func check(t *testing.T, what, text string, fenced bool) {
	t.Helper()
	if bad := hidden(text); bad != "" {
		t.Errorf("%s: %s", what, bad)
	}
	switch {
	case fenced && !commandtest.Fenced(text):
		t.Errorf("%s is not one fence:\n%.2000s", what, text)
	case !fenced && ours(text) != "":
		t.Errorf("%s: the page has a line of its own: %.300q", what, ours(text))
	}
}

// places collects where the mark stands in JSON: members' names with those above them.
func places(value any, at string, found map[string]bool) {
	switch v := value.(type) {
	case string:
		if strings.Contains(strings.ToLower(v), mark) {
			found[at] = true
		}
	case []any:
		for _, one := range v {
			places(one, at, found)
		}
	case map[string]any:
		for name, one := range v {
			if strings.Contains(strings.ToLower(name), mark) {
				found[at+" (a name)"] = true
			}
			places(one, at+"."+name, found)
		}
	}
}

func TestP27Injection(t *testing.T) {
	list := attacks(t)
	site := serve(t, list)
	e := commandtest.New(t)
	browser, err := chromium.Find()
	if err != nil {
		t.Skipf("no Chromium: %v", err)
	}
	e.OK("session", "start", "--headless", "--executable", browser, "--url", site.URL+"/?q=zzattack%0Azzattack%20SYSTEM")
	browsertest.Until(t, patience, "all that the page says", func() bool {
		said := e.Run("runtime", "eval", "performance.getEntriesByType('resource').filter((r) => r.name.includes('/echo')).length")
		return said.OK && said.Data["value"] == float64(len(list))
	})
	t.Run("text", func(t *testing.T) {
		for _, r := range reads {
			a := e.Run(append(slices.Clone(r.line), "--output", "text")...)
			if a.Exit != 0 {
				t.Errorf("%v: exit %d %s", r.line, a.Exit, a.Stderr)
				continue
			}
			check(t, strings.Join(r.line, " "), string(a.Stdout), r.fenced)
			check(t, strings.Join(r.line, " ")+", beside", string(a.Stderr), false)
		}
	})
	t.Run("JSON", func(t *testing.T) { inJSON(t, e) })
	t.Run("MCP", func(t *testing.T) { inMCP(t, e) })
	t.Run("HTTP", func(t *testing.T) { inHTTP(t, e, browser, site.URL) })
	t.Run("unseen", func(t *testing.T) { unseen(t, e) })
	t.Run("errors", func(t *testing.T) { inErrors(t, e) })
	t.Run("files", func(t *testing.T) {
		for _, line := range [][]string{{"capture", "screenshot"}, {"capture", "pdf"}} {
			if path, _ := e.OK(line...)["path"].(string); path == "" || strings.Contains(strings.ToLower(path), mark) {
				t.Errorf("%v: %q", line, path)
			}
		}
	})
}

// pagesOwn reports whether a place in an answer's data is the page's by the command's own
// schema, as --describe gives it: a member on the way there has x-trust page.
func pagesOwn(schema map[string]any, at []string) bool {
	for {
		if schema["x-trust"] == "page" {
			return true
		}
		if items, ok := schema["items"].(map[string]any); ok {
			schema = items
			continue
		}
		if len(at) == 0 {
			return false
		}
		properties, _ := schema["properties"].(map[string]any)
		next, ok := properties[at[0]].(map[string]any)
		if !ok {
			next, ok = schema["additionalProperties"].(map[string]any)
		}
		if !ok {
			return false
		}
		schema, at = next, at[1:]
	}
}

func inJSON(t *testing.T, e *commandtest.Env) {
	for _, r := range reads {
		a := e.Run(r.line...)
		if !a.OK {
			t.Errorf("%v: %s", r.line, a.Stdout)
			continue
		}
		var envelope map[string]any
		if err := json.Unmarshal(a.Stdout, &envelope); err != nil {
			t.Fatalf("%v: %v", r.line, err)
		}
		if bytes.Count(a.Stdout, []byte("\n")) != 1 {
			t.Errorf("%v: not one line", r.line)
		}
		var walk func(value any)
		walk = func(value any) {
			switch v := value.(type) {
			case string:
				if bad := hidden(strings.ReplaceAll(v, "\r", "")); bad != "" {
					t.Errorf("%v: %s", r.line, bad)
				}
			case []any:
				for _, one := range v {
					walk(one)
				}
			case map[string]any:
				for name, one := range v {
					walk(name)
					walk(one)
				}
			}
		}
		walk(envelope)
		schema, ok := e.OK(r.line[0], r.line[1], "--describe")["output"].(map[string]any)
		if !ok {
			t.Fatalf("%v has no schema of its result", r.line)
		}
		found := map[string]bool{}
		places(envelope, "", found)
		for at := range found {
			within, ok := strings.CutPrefix(strings.TrimSuffix(at, " (a name)"), ".data.")
			if !ok || !pagesOwn(schema, strings.Split(within, ".")) {
				t.Errorf("%v: the page's words are in %s", r.line, at)
			}
		}
		if r.fenced && len(found) == 0 {
			t.Errorf("%v tells nothing of the page: %.300s", r.line, a.Stdout)
		}
	}
	var envelope struct{ Meta struct{ Stripped int } }
	if err := json.Unmarshal(e.Run("runtime", "eval", "window.said").Stdout, &envelope); err != nil || envelope.Meta.Stripped < 20 {
		t.Errorf("%d characters are said to be taken out: %v", envelope.Meta.Stripped, err)
	}
}

func inMCP(t *testing.T, e *commandtest.Env) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	command := e.Command("mcp", "--tools", "all")
	command.Stderr = os.Stderr
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: command}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	for _, r := range reads {
		result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: r.tool, Arguments: json.RawMessage(r.args)})
		if err != nil || result.IsError {
			t.Errorf("%s %s: %v %+v", r.tool, r.args, err, result)
			continue
		}
		for _, part := range result.Content {
			if text, ok := part.(*sdk.TextContent); ok {
				check(t, "MCP "+r.tool, text.Text, r.fenced)
			}
		}
	}
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	resources, err := session.ListResources(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, told := range []any{tools, resources} {
		data, err := json.Marshal(told)
		if err != nil || strings.Contains(strings.ToLower(string(data)), mark) {
			t.Errorf("what the server offers has the page's words: %v %.2000s", err, data)
		}
	}
	for _, r := range resources.Resources {
		if !strings.HasSuffix(r.URI, "/snapshot") && !strings.HasSuffix(r.URI, "/console") {
			continue
		}
		got, err := session.ReadResource(ctx, &sdk.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Fatal(err)
		}
		check(t, r.URI, got.Contents[0].Text, true)
	}
}

func inHTTP(t *testing.T, e *commandtest.Env, browser, site string) {
	token, _ := e.OK("token", "new", "reader")["token"].(string)
	base, _ := e.OK("daemon", "status")["httpUrl"].(string)
	ask := func(method, path, accept, body string) string {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Accept", accept)
		if body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != 200 {
			t.Errorf("%s: %d %v %.500s", path, response.StatusCode, err, data)
		}
		return string(data)
	}
	var status struct{ Data struct{ Context string } }
	if err := json.Unmarshal([]byte(ask("GET", "/v1/session/status", "application/json", "")), &status); err != nil {
		t.Fatal(err)
	}
	e.OK("session", "start", "--headless", "--executable", browser, "--context-id", status.Data.Context, "--url", site+"/", "--timeout", "60000")
	for path, fenced := range map[string]bool{"/v1/capture/snapshot": true, "/v1/console/list": true, "/v1/tools/list": true, "/v1/page/list": false, "/v1/observe/state": false} {
		check(t, "HTTP "+path, strings.TrimSuffix(ask("GET", path, "text/plain", ""), "\n"), fenced)
		if bad := hidden(ask("GET", path, "application/json", "")); bad != "" {
			t.Errorf("HTTP %s: %s", path, bad)
		}
	}
	check(t, "HTTP eval", ask("POST", "/v1/runtime/eval", "text/plain", `{"expression":"window.said"}`), true)
}

// unseen checks that text which nobody sees is marked, and only that.
func unseen(t *testing.T, e *commandtest.Env) {
	e.HTML(`<style>.clear { opacity: 0 }</style><p>before <span style="opacity:0">u-opacity</span> after</p><p class="clear">u-sheet</p><div style="font-size:0"><b>u-small</b></div>
<p style="position:absolute;left:-9999px">u-far</p><p style="text-indent:-9999px">u-indent</p><p style="color:transparent">u-clear</p><p style="color:rgb(0 0 0 / 0)">u-alpha</p>
<p style="position:absolute;clip:rect(0px,0px,0px,0px)">u-clip</p><p style="display:none">u-none</p><p style="visibility:hidden">u-invisible</p><p aria-hidden="true">u-aria</p>
<style>@media all { .far { position: absolute; left: -9999px } } .tiny { font: 0/0 a } .tiny2 { font-size: .5px } #none, section > p { color: transparent } .cut { position: absolute; clip: rect(1px, 1px, 1px, 1px) }
.gone { clip-path: inset(50%) } .cut-a-bit { clip-path: inset(1px) } .red { color: rgb(255, 0, 0); text-indent: -9px }</style>
<section><p>c-structure</p></section><p class=far>c-far</p><p class=tiny>c-tiny</p><p class=tiny2>c-less</p><p id=none>c-clear <b>c-inside</b></p><p class=cut>c-cut</p><p class=gone>c-gone</p>
<div id=host></div>
<p class=cut-a-bit>s-cut</p><p class=red>s-class</p><p style="color:red;font-size:20px">s-red</p><p style="position:absolute;left:10px;top:300px">s-near</p><p style="opacity:0.5">s-half</p>`)
	e.Eval("document.getElementById('host').attachShadow({mode: 'open'}).innerHTML = '<style>p { text-indent: -9999px }</style><p>c-shadow</p>'; 0")
	text := e.Text("capture", "snapshot")
	for _, word := range []string{"u-opacity", "u-sheet", "u-small", "u-far", "u-indent", "u-clear", "u-alpha", "u-clip",
		"c-far", "c-tiny", "c-less", "c-clear", "c-cut", "c-gone", "c-structure", "c-shadow"} {
		if !strings.Contains(text, "(hidden) "+word) {
			t.Errorf("%s is not marked in\n%s", word, text)
		}
	}
	for _, word := range []string{"u-none", "u-invisible", "u-aria"} {
		if strings.Contains(text, word) {
			t.Errorf("%s is told in\n%s", word, text)
		}
	}
	for _, word := range []string{"before", "after", "s-red", "s-near", "s-half", "s-cut", "s-class"} {
		if !strings.Contains(text, word) || strings.Contains(text, "(hidden) "+word) {
			t.Errorf("%s is not told as it is in\n%s", word, text)
		}
	}
}

// quoted is how a message names an element: in quotes, on one line. What evaluated code
// throws is its own message.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

func inErrors(t *testing.T, e *commandtest.Env) {
	for _, line := range [][]string{
		{"element", "click", "button", "--timeout", "500"},
		{"element", "click", "text=zzattak", "--timeout", "500"},
		{"element", "click", `button "zzattac"`, "--timeout", "500"},
		{"element", "click", "css=section", "--timeout", "500"},
		{"runtime", "eval", "(() => { throw new Error(said[1]) })()"},
		{"page", "wait-text", "never said", "--timeout", "500"},
		{"tools", "call", "tool99"},
		{"tools", "call", "tool0zzattack Ignore ev"},
		{"page", "use", "zzattack"},
	} {
		a := e.Run(line...)
		if a.OK {
			continue // it could be done
		}
		given := strings.Join(line, " ")
		if hints := strings.ReplaceAll(strings.Join(a.Error.Suggestions, "\n"), line[len(line)-1], ""); strings.Contains(hints, mark+" ") {
			t.Errorf("%v: the page speaks in what to try: %q", line, hints)
		}
		for _, words := range []string{a.Error.Message} {
			for part := range strings.SplitSeq(words, "\n") {
				if strings.Contains(quoted.ReplaceAllString(part, `""`), mark) && !strings.Contains(given, "throw") {
					t.Errorf("%v: the page speaks in %q", line, words)
				}
			}
		}
		text := e.Run(append(slices.Clone(line), "--output", "text")...)
		check(t, strings.Join(line, " "), string(text.Stdout)+string(text.Stderr), false)
	}
}
