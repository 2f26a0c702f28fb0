package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const (
	scheme         = "session://"
	artifactScheme = scheme + "artifacts/"
	// maxBlob is the largest artifact that is read out.
	maxBlob = 8 << 20
)

// views are what can be read of a page.
var views = []struct{ name, command, about string }{
	{"snapshot", "capture.snapshot", "The page as a tree of texts and controls"},
	{"console", "console.list", "Lines of the console, errors, failed loads"},
	{"network", "network.list", "The page's requests"},
	{"state", "observe.state", "Address, scroll, focus, dialog, requests under way"},
}

// watched is what is known of the pages, to tell when they change.
type watched struct {
	wanted  bool   // the client has asked for the list
	pages   string // as they were
	current int
}

// addResources registers what can be read of any page.
func (n *session) addResources() {
	for _, v := range views {
		n.mcp.AddResourceTemplate(&sdk.ResourceTemplate{
			URITemplate: scheme + "{page}/" + v.name, Name: v.name, Description: v.about + `; page is a number or "current"`, MIMEType: "text/plain",
		}, n.read)
	}
	n.mcp.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: artifactScheme + "{+name}", Name: "artifact", Description: "A file that a tool made",
	}, n.readArtifact)
}

// watchPages brings the resources of the current page up to date. It starts no daemon: where
// none runs there is no page.
func (n *session) watchPages(ctx context.Context) {
	n.mu.Lock()
	n.resources.wanted = true
	n.mu.Unlock()
	if _, err := os.Stat(n.server.options.Home.Socket()); err == nil {
		n.refresh(ctx)
	}
}

// pagesMayHaveChanged looks whether pages came or went, for clients that asked for them.
func (n *session) pagesMayHaveChanged() {
	n.mu.Lock()
	wanted := n.resources.wanted && n.ctx.Err() == nil
	if wanted {
		n.work.Add(1)
	}
	n.mu.Unlock()
	if wanted {
		go func() {
			defer n.work.Done()
			n.refresh(n.ctx)
		}()
	}
}

func (n *session) refresh(ctx context.Context) {
	c, _ := command.All.Find("page.list")
	said, err := n.once(ctx, c, &client.RunRequest{Command: c.Name, Caller: n.caller, Limit: c.TimeLimit()}, func(string, []byte) error { return nil })
	if err != nil {
		return // nothing is known; the next look tells
	}
	var list struct {
		Pages []struct {
			PageID  int  `json:"pageId"`
			Current bool `json:"current"`
		} `json:"pages"`
	}
	if said.Error == nil && json.Unmarshal(said.Data, &list) != nil {
		return
	}
	var pages strings.Builder
	current, name := 0, ""
	for _, p := range list.Pages {
		fmt.Fprintf(&pages, "%d ", p.PageID)
		if p.Current {
			current, name = p.PageID, "page "+strconv.Itoa(p.PageID)
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if pages.String() == n.resources.pages && current == n.resources.current {
		return
	}
	// The SDK tells the client of what is added and removed.
	if old := n.resources.current; old != 0 {
		for _, v := range views {
			n.mcp.RemoveResources(scheme + strconv.Itoa(old) + "/" + v.name)
		}
	}
	n.resources.pages, n.resources.current = pages.String(), current
	if current == 0 {
		return
	}
	for _, v := range views {
		n.mcp.AddResource(&sdk.Resource{
			URI: scheme + strconv.Itoa(current) + "/" + v.name, Name: v.name, Title: v.name + " of " + name, Description: v.about, MIMEType: "text/plain",
		}, n.read)
	}
}

// complete proposes pages for the templates of resources.
func (n *session) complete(_ context.Context, request *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
	out := &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}
	if request.Params.Ref.Type != "ref/resource" || request.Params.Argument.Name != "page" {
		return out, nil
	}
	n.mu.Lock()
	pages := append([]string{"current"}, strings.Fields(n.resources.pages)...)
	n.mu.Unlock()
	for _, page := range pages {
		if strings.HasPrefix(page, request.Params.Argument.Value) {
			out.Completion.Values = append(out.Completion.Values, page)
		}
	}
	return out, nil
}

// read gives a view of a page.
func (n *session) read(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	page, view, _ := strings.Cut(strings.TrimPrefix(request.Params.URI, scheme), "/")
	number := 0
	if page != "current" {
		var err error
		if number, err = strconv.Atoi(page); err != nil || number < 1 {
			return nil, sdk.ResourceNotFoundError(request.Params.URI)
		}
	}
	i := slices.IndexFunc(views, func(v struct{ name, command, about string }) bool { return v.name == view })
	if i < 0 {
		return nil, sdk.ResourceNotFoundError(request.Params.URI)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(n.ctx, cancel)()
	c, _ := command.All.Find(views[i].command)
	said, err := n.once(ctx, c, &client.RunRequest{Command: c.Name, Caller: n.caller, Page: number, Text: true, Limit: c.TimeLimit()}, func(string, []byte) error { return nil })
	if err == nil && said.Error != nil {
		err = said.fault()
	}
	if err != nil {
		return nil, notRead(request.Params.URI, err)
	}
	text := string(said.Data)
	if said.Text != nil {
		text = *said.Text
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: request.Params.URI, MIMEType: "text/plain", Text: told(c, text, said)}}}, nil
}

// notRead is a resource's error: reading one has no other way to say what is wrong.
func notRead(uri string, err error) error {
	f := fault.From(err)
	if f.Code == fault.PageNotFound || f.Code == fault.SessionNotFound {
		return sdk.ResourceNotFoundError(uri)
	}
	text := f.Error()
	if len(f.Suggestions) > 0 {
		text += "\ntry: " + toolWords(f.Suggestions[0])
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: text}
}

// readArtifact gives a file that a command made.
func (n *session) readArtifact(_ context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := request.Params.URI
	name, err := url.PathUnescape(strings.TrimPrefix(uri, artifactScheme))
	if err != nil || !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	root, err := os.OpenRoot(n.artifacts())
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	defer root.Close()
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	if info.Size() > maxBlob {
		return nil, notRead(uri, fault.New(fault.ResultTooLarge, "%s has %d bytes; at most %d are read out", name, info.Size(), maxBlob).
			Suggest("Read the file itself: "+filepath.Join(n.artifacts(), filepath.FromSlash(name))))
	}
	data, err := root.ReadFile(filepath.FromSlash(name))
	if err != nil {
		return nil, notRead(uri, fault.New(fault.FileAccessFailed, "%s cannot be read", name).Because(err))
	}
	out := &sdk.ResourceContents{URI: uri, MIMEType: mimeOf(name)}
	if utf8.Valid(data) && !bytes.ContainsRune(data, 0) {
		out.Text = string(data)
	} else {
		out.Blob = data
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{out}}, nil
}
