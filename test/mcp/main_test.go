// Package mcp tests the MCP server with the real program, real clients and a managed
// browser: every tool of the core list, the leading server's names, and what goes wrong.
package mcp

//lint:file-ignore SA1019 roots and logging are deprecated, and clients of today have nothing else

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

var update = flag.Bool("update", false, "write the transcripts anew")

func TestMain(m *testing.M) {
	status := m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		os.Stderr.WriteString(err.Error() + "\n")
		status = 1
	}
	os.Exit(status)
}

// patience bounds a whole test; only a failing one waits for it.
const patience = 90 * time.Second

// client is a client of the server over stdio.
type client struct {
	*sdk.ClientSession
	t       *testing.T
	ctx     context.Context
	command *exec.Cmd
}

// setting changes how a client is.
type setting struct {
	args    []string
	env     []string
	dir     string
	version string // of the protocol
	options *sdk.ClientOptions
	roots   []*sdk.Root
}

// connect starts the server as a client does.
func connect(t *testing.T, e *commandtest.Env, s setting) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	command := e.Command(append([]string{"mcp"}, s.args...)...)
	command.Env = append(command.Env, s.env...)
	command.Stderr = os.Stderr
	if s.dir != "" {
		command.Dir = s.dir
	}
	made := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, s.options)
	made.AddRoots(s.roots...)
	session, err := made.Connect(ctx, &sdk.CommandTransport{Command: command}, &sdk.ClientSessionOptions{ProtocolVersion: s.version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() }) // a test may have ended it
	return &client{session, t, ctx, command}
}

// call calls a tool; arguments are a JSON object.
func (c *client) call(tool, arguments string) *sdk.CallToolResult {
	c.t.Helper()
	result, err := c.CallTool(c.ctx, &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		c.t.Fatalf("%s %s: an error of the protocol: %v", tool, arguments, err)
	}
	return result
}

// ok is the text of a call that must succeed.
func (c *client) ok(tool, arguments string) string {
	c.t.Helper()
	result := c.call(tool, arguments)
	if result.IsError {
		c.t.Fatalf("%s %s: %s", tool, arguments, textOf(result))
	}
	return textOf(result)
}

// fails is the text of a call that must end with a code.
func (c *client) fails(code, tool, arguments string) string {
	c.t.Helper()
	result := c.call(tool, arguments)
	text := textOf(result)
	if !result.IsError || !strings.HasPrefix(text, code+": ") || !strings.Contains(text, "\ntry: ") {
		c.t.Fatalf("%s %s: want %s and what to try, got %s", tool, arguments, code, text)
	}
	return text
}

func textOf(result *sdk.CallToolResult) string {
	var parts []string
	for _, content := range result.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			parts = append(parts, text.Text)
		}
	}
	text, err := commandtest.Unfenced(strings.Join(parts, "\n\n"))
	if err != nil {
		return "a broken fence: " + err.Error()
	}
	return text
}

func imageOf(result *sdk.CallToolResult) *sdk.ImageContent {
	for _, content := range result.Content {
		if image, ok := content.(*sdk.ImageContent); ok {
			return image
		}
	}
	return nil
}

var (
	stamps = regexp.MustCompile(`\d{4}-\d\d-\d\d/(\w+)-\d{6}-\d{3}(-\d+)?`)
	times  = regexp.MustCompile(`\b\d[\d,.]*( ?)(ms|s|kB|B|bytes)\b`)
	chrome = regexp.MustCompile(`Chrome[ /]\d+[\d.]+`)
	counts = regexp.MustCompile(` · \d+ (requests?|failed|pending)\b`)
	since  = regexp.MustCompile(`"since":\d+`)
	ids    = regexp.MustCompile(`ids are 1 to \d+`)
	refs   = regexp.MustCompile(`\be([4-9]\d|\d{3,})\b`) // of later documents: how many there were is the page's affair
	rows   = regexp.MustCompile(`(?m)^\d+ (GET|error)`)
	came   = regexp.MustCompile(`there came .*`)
	late   = regexp.MustCompile(`\nstatus "Something went wrong\." eN appeared`) // as soon as two answers of the server are there
	keys   = regexp.MustCompile(`ctx_[0-9a-f]{16}`)
)

// stable takes out of a text what differs from run to run.
func stable(e *commandtest.Env, text string) string {
	text = strings.NewReplacer(e.Site.URL(""), "$URL", strings.TrimSuffix(e.Site.URL("/"), "/"), "$URL", e.Home, "$HOME").Replace(text)
	text = stamps.ReplaceAllString(text, "DAY/$1-TIME")
	text = times.ReplaceAllString(text, "N$1$2")
	text = since.ReplaceAllString(counts.ReplaceAllString(text, ""), `"since":N`)
	text = came.ReplaceAllString(rows.ReplaceAllString(refs.ReplaceAllString(text, "eN"), "N $1"), "there came …")
	text = late.ReplaceAllString(text, "")
	text = ids.ReplaceAllString(text, "ids are 1 to N")
	return keys.ReplaceAllString(chrome.ReplaceAllString(text, "Chrome"), "ctx_KEY")
}

// transcript runs the calls of a file and compares the answers: lines "> tool {json}",
// each followed by what it answers.
func transcript(t *testing.T, e *commandtest.Env, c *client, name string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "# ") {
			got.WriteString(line)
			continue
		}
		asked, isCall := strings.CutPrefix(strings.TrimSpace(line), "> ")
		if !isCall {
			continue
		}
		tool, arguments, _ := strings.Cut(asked, " ")
		if arguments == "" {
			arguments = "{}"
		}
		arguments = strings.NewReplacer("$URL", strings.TrimSuffix(e.Site.URL("/"), "/"), "$HOME", e.Home).Replace(arguments)
		result := c.call(tool, arguments)
		got.WriteString("> " + asked + "\n")
		if result.IsError {
			got.WriteString("isError\n")
		}
		for _, content := range result.Content {
			switch part := content.(type) {
			case *sdk.TextContent:
				got.WriteString(stable(e, strings.TrimRight(commandtest.Unfence(t, part.Text), "\n")) + "\n")
			case *sdk.ImageContent:
				got.WriteString("[" + part.MIMEType + "]\n")
			case *sdk.ResourceLink:
				got.WriteString("[link " + stable(e, part.URI) + "]\n")
			}
		}
		got.WriteString("\n")
	}
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got.String() != string(data) {
		t.Errorf("%s differs (-update writes it):\n%s", name, firstDifference(string(data), got.String()))
	}
}

func firstDifference(want, got string) string {
	wanted, have := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(wanted), len(have)) {
		w, g := "(end)", "(end)"
		if i < len(wanted) {
			w = wanted[i]
		}
		if i < len(have) {
			g = have[i]
		}
		if w != g {
			return "want " + w + "\ngot  " + g
		}
	}
	return ""
}
