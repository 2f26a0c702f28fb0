package mcp

//lint:file-ignore SA1019 roots and logging are deprecated, and clients of today have nothing else

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// A cancelled call ends the command in the page.
func TestCancel(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	c := connect(t, e, setting{})
	e.Goto("/jobs/welcome")
	ctx, cancel := context.WithCancel(c.ctx)
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "wait_for", Arguments: json.RawMessage(`{"text":["never"],"timeoutMs":60000}`)})
		done <- err
	}()
	until(t, "the command runs", func() bool { return running(e) == 1 })
	cancel()
	if err := <-done; err == nil {
		t.Error("the cancelled call has a result")
	}
	until(t, "the command has ended", func() bool { return running(e) == 0 })
	if got := c.ok("evaluate_script", `{"expression":"1+1"}`); got != "2" {
		t.Errorf("after it: %s", got)
	}
}

// running counts the commands of the context, but for the one that asks.
func running(e *commandtest.Env) int {
	lease, _ := e.OK("session", "status", "--details")["lease"].(map[string]any)
	n, _ := lease["running"].(float64)
	return int(n) - 1
}

func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come: %s", what)
		}
	}
}

// alone is a home without a browser, whose clients are known by their own process.
func alone(t *testing.T) (*commandtest.Env, setting) {
	e := commandtest.New(t)
	return e, setting{env: []string{"DBRIDGE_CONTEXT_ID="}}
}

// A daemon that is killed between two calls is not noticed, nor is its browser.
func TestDaemonKilled(t *testing.T) {
	t.Parallel()
	e, s := alone(t)
	c := connect(t, e, s)
	if text := c.fails("SESSION_NOT_FOUND", "take_snapshot", `{}`); !strings.Contains(text, "try: connect_browser") {
		t.Errorf("nobody is told how to begin: %s", text)
	}
	address := `{"url":"` + e.Site.URL("/jobs/welcome") + `"}`
	if text := c.ok("navigate_page", address); !strings.Contains(text, "note: A browser was started for this") {
		t.Errorf("nothing is said of the browser that was started: %s", text)
	}
	status := e.OK("daemon", "status")
	process, err := os.FindProcess(int(status["pid"].(float64)))
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(); err != nil {
		t.Fatal(err)
	}
	until(t, "the daemon is gone", func() bool { return !e.Run("daemon", "status").OK })
	if text := c.ok("list_pages", `{}`); !strings.Contains(text, "about:blank") {
		t.Errorf("after it: %s", text)
	}
	c.ok("navigate_page", address)
	e.Run("daemon", "stop")
	if text := c.ok("take_snapshot", `{}`); text == "" {
		t.Error("nothing after a stop")
	}
}

// Clients have contexts of their own; those that name one share it.
func TestTwoClients(t *testing.T) {
	t.Parallel()
	e, s := alone(t)
	one, two := connect(t, e, s), connect(t, e, s)
	one.ok("navigate_page", `{"url":"`+e.Site.URL("/jobs/welcome")+`"}`)
	two.fails("SESSION_NOT_FOUND", "list_pages", `{}`)
	two.ok("navigate_page", `{"url":"`+e.Site.URL("/jobs/todo")+`"}`)
	if pages := one.ok("list_pages", `{}`); strings.Contains(pages, "/jobs/todo") || !strings.Contains(pages, "/jobs/welcome") {
		t.Errorf("one sees %s", pages)
	}
	group := setting{env: s.env, args: []string{"--share-group", "g"}}
	three, four := connect(t, e, group), connect(t, e, group)
	three.ok("navigate_page", `{"url":"`+e.Site.URL("/jobs/modal")+`"}`)
	if pages := four.ok("list_pages", `{}`); !strings.Contains(pages, "/jobs/modal") {
		t.Errorf("the group's other member sees %s", pages)
	}
	// The browser goes with the client.
	contexts := func() int {
		list, _ := e.OK("session", "status", "--all")["slots"].(map[string]any)
		return int(list["used"].(float64))
	}
	before := contexts()
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	until(t, "the browser of a client that left is closed", func() bool { return contexts() < before })
}

// An action's calls run one after another; reading ones beside them.
func TestManyCalls(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	c := connect(t, e, setting{})
	e.Goto("/jobs/welcome")
	e.Eval("window.n = 0")
	done := make(chan string, 40)
	for range 20 {
		go func() { done <- textOf(c.call("evaluate_script", `{"expression":"++n"}`)) }()
		go func() { done <- textOf(c.call("list_pages", `{}`)) }()
	}
	for range 40 {
		<-done
	}
	if got := c.ok("evaluate_script", `{"expression":"n"}`); got != "20" {
		t.Errorf("n is %s", got)
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	changed := make(chan struct{}, 16)
	c := connect(t, e, setting{version: "2025-06-18", options: &sdk.ClientOptions{
		ResourceListChangedHandler: func(context.Context, *sdk.ResourceListChangedRequest) { changed <- struct{}{} },
	}})
	c.ok("navigate_page", `{"url":"`+e.Site.URL("/jobs/error")+`"}`)
	c.ok("click", `{"target":"text=Work out the total"}`)
	list, err := c.ListResources(c.ctx, nil)
	if err != nil || len(list.Resources) != 4 {
		t.Fatalf("%+v %v", list, err)
	}
	templates, err := c.ListResourceTemplates(c.ctx, nil)
	if err != nil || len(templates.ResourceTemplates) != 5 {
		t.Fatalf("%+v %v", templates, err)
	}
	read := func(uri string) string {
		t.Helper()
		got, err := c.ReadResource(c.ctx, &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(got.Contents) != 1 {
			t.Fatalf("%s: %+v %v", uri, got, err)
		}
		return got.Contents[0].Text
	}
	for uri, words := range map[string]string{
		"session://1/snapshot": "Work out the total", "session://current/console": "percent", "session://1/network": "invoice.js", "session://current/state": "/jobs/error",
	} {
		if text := read(uri); !strings.Contains(text, words) {
			t.Errorf("%s: %s", uri, text)
		}
	}
	for _, uri := range []string{"session://9/snapshot", "session://x/snapshot", "session://1/cookies", "session://artifacts/../lease.json", "session://artifacts/%2e%2e/lease.json", "file:///etc/passwd"} {
		if got, err := c.ReadResource(c.ctx, &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, got)
		}
	}
	for len(changed) > 0 {
		<-changed
	}
	c.ok("new_page", `{"url":"`+e.Site.URL("/jobs/todo")+`"}`)
	select {
	case <-changed:
	case <-c.ctx.Done():
		t.Fatal("nobody says that the resources are others")
	}
	list, err = c.ListResources(c.ctx, nil)
	if err != nil || !strings.HasPrefix(list.Resources[0].URI, "session://2/") {
		t.Errorf("%+v %v", list.Resources[0], err)
	}
	proposed, err := c.Complete(c.ctx, &sdk.CompleteParams{
		Ref: &sdk.CompleteReference{Type: "ref/resource", URI: "session://{page}/snapshot"}, Argument: sdk.CompleteParamsArgument{Name: "page", Value: ""},
	})
	if err != nil || strings.Join(proposed.Completion.Values, " ") != "current 1 2" {
		t.Errorf("%+v %v", proposed, err)
	}
}

// What is too long for an answer is a file that can be read as a resource, too.
func TestLongAnswer(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	c := connect(t, e, setting{})
	e.Goto("/jobs/welcome")
	result := c.call("evaluate_script", `{"expression":"Array.from({length:9000}, (_, i) => 'line ' + i).join('\\n')"}`)
	text := textOf(result)
	head, path, found := strings.Cut(text, "The whole: ")
	if result.IsError || !found || len(text) > 10_000 || !strings.HasPrefix(head, "line 0\nline 1\n") {
		t.Fatalf("%d bytes: %.200s", len(text), text)
	}
	whole, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(string(whole), "line 8999") {
		t.Errorf("%s: %v", path, err)
	}
	link, ok := result.Content[len(result.Content)-1].(*sdk.ResourceLink)
	if !ok {
		t.Fatalf("no link: %+v", result.Content)
	}
	got, err := c.ReadResource(c.ctx, &sdk.ReadResourceParams{URI: link.URI})
	if err != nil || got.Contents[0].Text != string(whole) {
		t.Errorf("%s: %v", link.URI, err)
	}
}

func TestImages(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	c := connect(t, e, setting{})
	e.Goto("/jobs/welcome")
	result := c.call("take_screenshot", `{}`)
	if image := imageOf(result); image == nil || image.MIMEType != "image/png" || !strings.HasPrefix(string(image.Data), "\x89PNG") {
		t.Errorf("no image: %s", textOf(result))
	}
	// One that is too large is a path.
	e.Eval(`(() => { const c = document.createElement('canvas'); c.width = 1400; c.height = 900; const x = c.getContext('2d'); const d = x.createImageData(1400, 900);
		let s = 1; for (let i = 0; i < d.data.length; i++) d.data[i] = (s = s * 16807 % 2147483647) & 255; x.putImageData(d, 0, 0); document.body.replaceChildren(c); })()`)
	result = c.call("take_screenshot", `{"fullPage":true}`)
	path, _, _ := strings.Cut(textOf(result), " ")
	if info, err := os.Stat(path); imageOf(result) != nil || err != nil || info.Size() < 1<<20 {
		t.Errorf("%s: %v", textOf(result), err)
	}
	if result = c.call("take_screenshot", `{"fullPage":true,"maxWidth":200}`); imageOf(result) == nil {
		t.Errorf("a small one of it: %s", textOf(result))
	}
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	e := commandtest.New(t)
	c := connect(t, e, setting{})
	list, err := c.ListPrompts(c.ctx, nil)
	if err != nil || len(list.Prompts) != 3 {
		t.Fatalf("%+v %v", list, err)
	}
	tools, err := c.ListTools(c.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list.Prompts {
		got, err := c.GetPrompt(c.ctx, &sdk.GetPromptParams{Name: p.Name, Arguments: map[string]string{p.Arguments[0].Name: "the blue button"}})
		if err != nil {
			t.Fatal(err)
		}
		text := got.Messages[0].Content.(*sdk.TextContent).Text
		if !strings.Contains(text, "the blue button") || strings.Contains(text, "$") {
			t.Errorf("%s: %s", p.Name, text)
		}
		bare, err := c.GetPrompt(c.ctx, &sdk.GetPromptParams{Name: p.Name})
		if err != nil || strings.Contains(bare.Messages[0].Content.(*sdk.TextContent).Text, " \n") {
			t.Errorf("%s without arguments: %+v %v", p.Name, bare, err)
		}
		// It names tools that there are.
		named := false
		for _, tool := range tools.Tools {
			named = named || strings.Contains(text, tool.Name)
		}
		if !named {
			t.Errorf("%s names no tool", p.Name)
		}
	}
	if running := e.Run("daemon", "status"); running.OK {
		t.Error("a list has started the daemon")
	}
}

// Files stay in the client's roots, over both ways of asking for them.
func TestRoots(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	work := t.TempDir()
	temporary := e.File("tmp") // where everything is allowed
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	inside, outside := filepath.Join(work, "in"), filepath.Join(work, "out")
	for _, dir := range []string{inside, outside} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(inside, "link")); err != nil {
		t.Fatal(err)
	}
	e.Goto("/jobs/upload")
	for _, version := range []string{"2025-06-18", ""} {
		c := connect(t, e, setting{version: version, env: []string{"TMPDIR=" + temporary}, roots: []*sdk.Root{{URI: "file://" + inside}}})
		name := "a" + version + ".txt"
		c.ok("take_snapshot", `{"file":"`+name+`"}`)
		if _, err := os.Stat(filepath.Join(inside, name)); err != nil {
			t.Errorf("%q: a relative path is not the root's: %v", version, err)
		}
		c.ok("take_screenshot", `{"filePath":"`+filepath.Join(inside, "b"+version+".png")+`"}`)
		c.ok("upload_file", `{"target":"#papers","files":["`+name+`"]}`)
		for _, bad := range []string{filepath.Join(outside, "x.txt"), "../out/x.txt", "link/x.txt", "/etc/x.txt"} {
			if text := c.fails("VALIDATION_ERROR", "take_snapshot", `{"file":"`+bad+`"}`); !strings.Contains(text, inside) {
				t.Errorf("%q %s: the roots are not named: %s", version, bad, text)
			}
		}
		c.fails("VALIDATION_ERROR", "upload_file", `{"target":"#papers","filePaths":["/etc/hostname"]}`)
	}
	// A client without roots is a person's own program.
	free := connect(t, e, setting{version: "2025-06-18", options: &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}}})
	free.ok("take_snapshot", `{"file":"`+filepath.Join(outside, "free.txt")+`"}`)
}

// With --structured an answer is JSON too, as its schema says.
func TestStructured(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	papers(t, e)
	c := connect(t, e, setting{args: []string{"--structured", "--tools", "all"}})
	plain := connect(t, e, setting{})
	list, err := c.ListTools(c.ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Resolved{}
	for _, tool := range list.Tools {
		data, err := json.Marshal(tool.OutputSchema)
		if err != nil || tool.OutputSchema == nil {
			t.Fatalf("%s has no output schema: %v", tool.Name, err)
		}
		var schema jsonschema.Schema
		if err := json.Unmarshal(data, &schema); err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		schemas[tool.Name] = resolved
	}
	address := e.Site.URL("/jobs/booking")
	for _, call := range [][2]string{
		{"navigate_page", `{"url":"` + address + `"}`}, {"list_pages", `{}`}, {"take_snapshot", `{}`}, {"find", `{"text":"ship"}`},
		{"click", `{"target":"#terms"}`}, {"fill", `{"target":"#ship","value":"Aurora"}`}, {"evaluate_script", `{"expression":"({a:[1,{b:null}]})"}`},
		{"list_network_requests", `{}`}, {"list_console_messages", `{}`}, {"get_css_styles", `{"target":"#ship"}`}, {"page_state", `{}`},
		{"take_screenshot", `{}`}, {"list_targets", `{}`}, {"session_status", `{"details":true}`}, {"connect_browser", `{}`},
	} {
		result := c.call(call[0], call[1])
		if result.IsError || result.StructuredContent == nil {
			t.Errorf("%s: no structured content: %s", call[0], textOf(result))
			continue
		}
		if err := schemas[call[0]].Validate(result.StructuredContent); err != nil {
			t.Errorf("%s: %v", call[0], err)
		}
	}
	if result := plain.call("list_pages", `{}`); result.StructuredContent != nil {
		t.Error("structured without being asked")
	}
}

// What is not listed runs all the same, and choices are checked when the server starts.
func TestChoices(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	slim := connect(t, e, setting{args: []string{"--tools", "slim"}})
	list, err := slim.ListTools(slim.ctx, nil)
	if err != nil || len(list.Tools) != 3 {
		t.Fatalf("%+v %v", list, err)
	}
	slim.ok("navigate", `{"url":"`+e.Site.URL("/jobs/welcome")+`"}`)
	if got := slim.ok("evaluate", `{"script":"1+1"}`); got != "2" {
		t.Errorf("evaluate: %s", got)
	}
	if imageOf(slim.call("screenshot", `{}`)) == nil {
		t.Error("screenshot has no image")
	}
	slim.ok("list_pages", `{}`)
	slim.ok("observe.state", `{}`)
	slim.fails("UNKNOWN_TYPE", "no_such_tool", `{}`)

	few := connect(t, e, setting{args: []string{"--tools", "click,fill", "--with", "emulation", "--without", "input"}})
	if list, err = few.ListTools(few.ctx, nil); err != nil || len(list.Tools) != 4 {
		t.Errorf("%+v %v", list, err)
	}
	for _, args := range [][]string{{"--with", "nonsense"}, {"--port", "1"}} {
		e.Fails("VALIDATION_ERROR", 2, append([]string{"mcp"}, args...)...)
	}
}
