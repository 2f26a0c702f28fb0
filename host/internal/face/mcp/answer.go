package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	// maxText is the longest answer that is given whole, in bytes: more than any command gives without being asked for all.
	maxText = 40_000
	// shown is how much there is of a longer one, beside the path of the whole.
	shown = 8_000
	// maxImage is the largest image that is given as one, as base64; others as paths.
	maxImage = 1 << 20
	// linked is the first version of the protocol that knows links to resources.
	linked = "2025-06-18"
)

// failure is an error as a tool tells it: code, message, and what to do next.
func failure(err error, warnings []string) *sdk.CallToolResult {
	f := fault.From(err)
	var b strings.Builder
	b.WriteString(string(f.Code) + ": " + pagetext.Line(f.Message))
	if f.Code == fault.SessionNotFound {
		b.WriteString("\ntry: connect_browser")
	}
	for _, next := range f.Suggestions {
		if !strings.Contains(next, caller.EnvContext) { // a client's context is its own anyway
			b.WriteString("\ntry: " + toolWords(pagetext.Line(next)))
		}
	}
	for _, warning := range warnings {
		b.WriteString("\nnote: " + warning)
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: b.String()}}}
}

// result is an answer as a tool gives it.
func (n *session) result(c *catalog.Command, a *args, said *answer, session *sdk.ServerSession) *sdk.CallToolResult {
	out := &sdk.CallToolResult{}
	text := strings.Join(said.lines, "\n")
	switch {
	case said.Text != nil && text != "":
		text += "\n" + *said.Text
	case said.Text != nil:
		text = *said.Text
	case text == "":
		text = string(said.Data)
	}
	text, cut, link := n.short(answerWords(c, text))
	text = told(c, text, said) + cut
	for _, warning := range said.Meta.Warnings {
		text += "\nnote: " + toolWords(warning)
	}
	if strings.TrimSpace(text) == "" {
		text = "done"
	}
	if path := said.file(); path != "" {
		_, chosen := a.given["file"]
		if image := imageOf(path); image != nil && !chosen && c.Name == "capture.screenshot" {
			out.Content = append(out.Content, image)
		} else if link == "" {
			link = path
		}
	}
	out.Content = append(out.Content, &sdk.TextContent{Text: strings.TrimRight(text, "\n")})
	if params := session.InitializeParams(); link != "" && params != nil && params.ProtocolVersion >= linked {
		out.Content = append(out.Content, n.link(link))
	}
	if n.server.options.Structured && len(said.Data) > 0 && said.Data.Kind() == '{' {
		out.StructuredContent = json.RawMessage(said.Data)
	}
	return out
}

// told is a text as a model gets it: what is the page's is in a fence.
func told(c *catalog.Command, text string, said *answer) string {
	if c.PageText {
		return pagetext.Fence(text, said.Meta.Stripped)
	}
	return text
}

// short puts a long text into a file, and gives its beginning, a line about the rest, and the path.
func (n *session) short(text string) (head, cut, path string) {
	if len(text) <= maxText {
		return text, "", ""
	}
	head = strings.ToValidUTF8(text[:shown], "")
	if end := strings.LastIndexByte(head, '\n'); end > shown/2 {
		head = head[:end]
	}
	path, err := state.OpenArtifacts(n.artifacts()).Write("answer", "txt", []byte(text))
	if err != nil {
		return strings.ToValidUTF8(text[:maxText], ""), "\n… cut; the whole could not be written: " + fault.From(err).Message, ""
	}
	return head, "\n… cut at " + count(len(head)) + " of " + count(len(text)) + " bytes. The whole: " + path, path
}

// artifacts is the folder of the context's files, for those that are made here.
func (n *session) artifacts() string {
	key, err := n.caller.Key()
	if err != nil {
		return os.TempDir()
	}
	return n.server.options.Home.ContextFiles(key.Name).Artifacts()
}

// hasFile reports a command whose answer names a file that it made.
func hasFile(c *catalog.Command) bool {
	if c.Result.Kind() != reflect.Struct {
		return false
	}
	found := false
	catalog.EachMember(c.Result, func(name string, _ reflect.StructField) { found = found || name == "path" })
	return found
}

// file is the file that a command made.
func (s *answer) file() string {
	var made struct {
		Path string `json:"path"`
	}
	if json.Unmarshal(s.Data, &made) != nil || !filepath.IsAbs(made.Path) {
		return ""
	}
	return made.Path
}

// imageOf reads a file as an image that a model can be shown.
func imageOf(path string) *sdk.ImageContent {
	kind := mimeOf(path)
	if kind != "image/png" && kind != "image/jpeg" && kind != "image/webp" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil || base64.StdEncoding.EncodedLen(int(min(info.Size(), maxImage))) >= maxImage {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return &sdk.ImageContent{Data: data, MIMEType: kind}
}

// kinds are the types of the files that commands make: not left to the machine's own table.
var kinds = []struct{ extension, kind string }{
	{".png", "image/png"}, {".jpg", "image/jpeg"}, {".jpeg", "image/jpeg"}, {".webp", "image/webp"}, {".gif", "image/gif"},
	{".pdf", "application/pdf"}, {".txt", "text/plain"}, {".html", "text/html"}, {".json", "application/json"}, {".gz", "application/gzip"},
}

func mimeOf(path string) string {
	extension := strings.ToLower(filepath.Ext(path))
	for _, row := range kinds {
		if row.extension == extension {
			return row.kind
		}
	}
	if kind := mime.TypeByExtension(extension); kind != "" {
		return kind
	}
	return "application/octet-stream"
}

// link names a file as a resource: one of the artifacts can be read here.
func (n *session) link(path string) *sdk.ResourceLink {
	out := &sdk.ResourceLink{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String(), Name: filepath.Base(path), MIMEType: mimeOf(path)}
	if inner, err := filepath.Rel(n.artifacts(), path); err == nil && filepath.IsLocal(inner) {
		out.URI = artifactScheme + (&url.URL{Path: filepath.ToSlash(inner)}).EscapedPath()
	}
	return out
}

// addSnapshot appends what the page shows now.
func (n *session) addSnapshot(ctx context.Context, out *sdk.CallToolResult, after *client.RunRequest) {
	c, _ := command.All.Find("capture.snapshot")
	said, err := n.once(ctx, c, &client.RunRequest{Command: c.Name, Caller: after.Caller, Page: after.Page, Text: true, Limit: c.TimeLimit()}, func(string, []byte) error { return nil })
	text := ""
	switch {
	case err != nil:
		text = "no snapshot: " + err.Error()
	case said.Error != nil:
		text = "no snapshot: " + said.fault().Error()
	case said.Text != nil:
		head, cut, _ := n.short(*said.Text)
		text = told(c, head, said) + cut
	}
	out.Content = append(out.Content, &sdk.TextContent{Text: text})
}
