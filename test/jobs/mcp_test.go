package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
	"github.com/debug-bridge/debug-bridge/test/pages"
)

// mcpAgent does the jobs by calls of tools. What it writes are the calls; the list of
// tools is counted by the tests of package mcp.
type mcpAgent struct {
	t                    *testing.T
	e                    *commandtest.Env
	client               *sdk.ClientSession
	codec                tokenizer.Codec
	seen, transcript     strings.Builder
	written, read, calls int
}

func (a *mcpAgent) open(path string) {
	a.t.Helper()
	a.call("navigate_page", "url", a.e.Site.URL("/jobs"+path))
}

// call is a tool with pairs of names and values; values that begin with { or [ are JSON.
func (a *mcpAgent) call(tool string, pairs ...string) {
	a.t.Helper()
	if !a.try(tool, pairs...) {
		a.t.Fatalf("%s %q\n%s", tool, pairs, a.transcript.String())
	}
}

func (a *mcpAgent) try(tool string, pairs ...string) bool {
	a.t.Helper()
	arguments := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if value := pairs[i+1]; strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
			arguments[pairs[i]] = json.RawMessage(value)
		} else {
			arguments[pairs[i]] = value
		}
	}
	written, err := json.Marshal(arguments)
	if err != nil {
		a.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	result, err := a.client.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.t.Fatal(err)
	}
	var text string
	for _, content := range result.Content {
		part, ok := content.(*sdk.TextContent)
		if !ok {
			a.t.Fatalf("%s answers with %T", tool, content)
		}
		text += part.Text + "\n"
	}
	a.calls++
	a.written += a.count(tool + " " + string(written))
	a.read += a.count(text)
	a.seen.WriteString(text)
	fmt.Fprintf(&a.transcript, "> %s %s\n%s", tool, written, text)
	return !result.IsError
}

func (a *mcpAgent) count(text string) int {
	n, err := a.codec.Count(text)
	if err != nil {
		a.t.Fatal(err)
	}
	return n
}

func (a *mcpAgent) knows(words string) bool { return strings.Contains(a.seen.String(), words) }

// ref is the ref in the last line read that has the words.
func (a *mcpAgent) ref(words string) string {
	a.t.Helper()
	for _, line := range slices.Backward(strings.Split(a.seen.String(), "\n")) {
		_, after, found := strings.Cut(line, words)
		if !found {
			continue
		}
		if ref := refPattern.FindString(after); ref != "" {
			return ref
		}
		if ref := refPattern.FindString(line); ref != "" {
			return ref
		}
	}
	a.t.Fatalf("no ref of %q was read\n%s", words, a.transcript.String())
	return ""
}

func (a *mcpAgent) field(words, value string) string {
	return fmt.Sprintf(`{"target":%q,"value":%q}`, a.ref(words), value)
}

var requestPattern = regexp.MustCompile(`(?m)^\s*#?(\d+) GET`)

// byTools says how each job is done; what it is and how it is checked stands in jobs.
var byTools = map[string]func(a *mcpAgent){
	"to-do list": func(a *mcpAgent) {
		a.open("/todo")
		a.call("find", "role", "textbox")
		a.call("click", "target", a.ref("What needs to be done?"))
		a.call("type_text", "text", "Buy milk", "submitKey", "Enter")
		a.call("click", "target", `checkbox "Oil the winch"`)
		a.call("find", "text", "open")
	},
	"sign-in with a validation error": func(a *mcpAgent) {
		a.open("/signin")
		form := func(password string) {
			a.call("fill_form", "values", fmt.Sprintf(`[{"target":"textbox \"Email\"","value":%q},{"target":"textbox \"Password\"","value":%q}]`, pages.Email, password))
			a.call("click", "target", `button "Sign in"`)
		}
		form("fathoms")
		if !a.knows("at least 12 characters") {
			a.call("find", "text", "password")
		}
		a.call("fill", "target", `textbox "Password"`, "value", pages.Password)
		a.call("click", "target", `button "Sign in"`)
		if !a.knows("/jobs/welcome") {
			a.call("wait_for", "text", `["Welcome"]`)
		}
	},
	"a row of a 200-row table": func(a *mcpAgent) {
		a.open("/table")
		a.call("take_snapshot", "find", "A-1173")
		a.call("click", "target", a.ref(`button "Refund"`))
	},
	"an error with file and line": func(a *mcpAgent) {
		a.open("/error")
		a.call("click", "target", "text=Work out the total")
		if !a.knows("invoice.js:6") {
			a.call("list_console_messages", "level", "error")
		}
	},
	"a failing fetch": func(a *mcpAgent) {
		a.open("/fetch")
		a.call("click", "target", "text=Load the tides")
		a.call("wait_for", "text", `["Something went wrong"]`)
		a.call("list_network_requests", "status", "error")
		all := requestPattern.FindAllStringSubmatch(a.seen.String(), -1)
		a.call("get_network_request", "id", all[len(all)-1][1], "include", `["responseBody"]`)
	},
	"a modal": func(a *mcpAgent) {
		a.open("/modal")
		a.call("click", "target", `button "Delete Corvus"`)
		a.call("take_snapshot", "root", "dialog[open]")
		a.call("fill", "target", a.ref("Name of the project"), "value", "Corvus")
		a.call("click", "target", a.ref("Delete for ever"))
	},
	"a form with date and checkbox": func(a *mcpAgent) {
		a.open("/booking")
		a.call("take_snapshot", "interactiveOnly", "true")
		a.call("fill_form", "values", "["+strings.Join([]string{
			a.field("Name of the ship", "Aurora"), a.field("Arrival", "2026-12-24"), a.field("Nights", "2"), a.field("Shore power", "true"), a.field("I accept", "true"),
		}, ",")+"]")
		a.call("click", "target", a.ref(`button "Book"`))
		if !a.knows("berth 17") {
			a.call("find", "text", "berth")
		}
	},
	"a hidden element": func(a *mcpAgent) {
		a.open("/hidden")
		if a.try("click", "target", "text=Archive") {
			return
		}
		a.call("take_snapshot", "interactiveOnly", "true")
		a.call("click", "target", a.ref(`button "More"`))
		a.call("click", "target", "text=Archive")
	},
	"an upload": func(a *mcpAgent) {
		a.open("/upload")
		a.call("find", "text", "papers")
		a.call("upload_file", "target", a.ref("Papers (CSV)"), "files", `["papers.csv"]`)
		a.call("click", "target", `button "Send"`)
		if !a.knows("lines received") {
			a.call("find", "text", "lines")
		}
	},
	"a button in an iframe, one in a shadow root": func(a *mcpAgent) {
		a.open("/frames")
		a.call("click", "target", "text=Pay 84.20 €")
		a.call("click", "target", "text=Place the order")
	},
	"a phrase in a long article": func(a *mcpAgent) {
		a.open("/article")
		a.call("find", "text", "great crane")
	},
	"control 777 of 1,000": func(a *mcpAgent) {
		a.open("/controls")
		a.call("click", "target", `button "Control 777"`)
	},
}

// The same jobs through the MCP server.
func TestJobsMCP(t *testing.T) {
	e := commandtest.Managed(t)
	if err := os.WriteFile(e.File("papers.csv"), []byte("hull,crew\n7,3\n9,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "jobs", Version: "1"}, nil).Connect(ctx, &sdk.CommandTransport{Command: e.Command("mcp")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close() //nolint:errcheck // the jobs are done
	var table strings.Builder
	written, read := 0, 0
	for _, job := range jobs {
		t.Run(job.name, func(t *testing.T) {
			a := &mcpAgent{t: t, e: e, client: client, codec: codec}
			do, ok := byTools[job.name]
			if !ok {
				t.Fatal("nobody says how to do it")
			}
			do(a)
			if a := e.Run("page", "wait-function", job.check, "--timeout", "5000"); !a.OK {
				t.Errorf("the job is not done: %s\n%s", job.check, a.Stdout)
			}
			for _, words := range job.learnt {
				if !a.knows(words) {
					t.Errorf("the agent never read %q", words)
				}
			}
			t.Log("\n" + a.transcript.String())
			written, read = written+a.written, read+a.read
			fmt.Fprintf(&table, "%5d %5d %5d  %s (%d calls)\n", a.written, a.read, a.written+a.read, job.name, a.calls)
		})
	}
	t.Logf("tokens written, read, both:\n%s%5d %5d %5d  in all", table.String(), written, read, written+read)
	if written+read > budget {
		t.Errorf("the jobs cost %d tokens, more than %d", written+read, budget)
	}
}
