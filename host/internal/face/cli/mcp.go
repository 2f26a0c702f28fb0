package cli

import (
	"context"
	"encoding/json"
	"io"

	"github.com/spf13/cobra"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// MCPRequest is what the MCP server gets.
type MCPRequest struct {
	Home          *state.Home
	Ensure        client.EnsureOptions
	Flags         caller.Flags
	Tools         string
	With, Without []string
	Structured    bool
	PageTools     bool
	Browser       []byte // parameters of session.start for the first call that needs a browser; nil where none is to be started unasked
	In            io.Reader
	Out           io.Writer // stdout, through package output
	Port          int
	Ready         func(url string) error // over HTTP: told the address
}

// mcpBrowser is the browser that a client gets at its first call that needs one: parameters of session.start.
type mcpBrowser struct {
	Endpoint   string   `json:"endpoint,omitempty"`
	Header     []string `json:"header,omitempty"`
	Headless   bool     `json:"headless,omitempty"`
	Headed     bool     `json:"headed,omitempty"`
	Executable string   `json:"executable,omitempty"`
	Viewport   string   `json:"viewport,omitempty"`
	Profile    string   `json:"profile,omitempty"`
}

func (b *mcpBrowser) chosen() bool {
	return b.Endpoint != "" || b.Headless || b.Headed || b.Executable != "" || b.Viewport != ""
}

// mcpPort is the daemon's default and one more.
const mcpPort = 9225

func (a *app) mcpCommand() *cobra.Command {
	var request MCPRequest
	var browser mcpBrowser
	overHTTP := false
	made := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Be an MCP server for an assistant",
		Long: `Be an MCP server for an assistant, on stdin and stdout, or with --http for many.

A client starts this itself: its configuration names the program and "mcp".
Each client has a context of its own: its browser, its pages, its files. Names
and parameters of chrome-devtools-mcp are understood too. A tool that is not
listed runs all the same.`,
		Example: `  dbridge mcp
  dbridge mcp --tools all
  dbridge mcp --with network,emulation --without input
  dbridge mcp --headed # a browser of its own, seen by the person
  dbridge mcp --endpoint http://127.0.0.1:9222
  dbridge mcp --http --port 9225`,
		GroupID: groupUse,
		Args:    arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			if browser.chosen() {
				browser.Profile = request.Flags.Profile
				request.Browser, _ = json.Marshal(browser) // plain words
			}
			return a.mcp(command.Context(), request, overHTTP, command.Flags().Changed("port"))
		},
	}
	f := made.Flags()
	f.SortFlags = false
	f.StringVar(&request.Tools, "tools", "core", "`set` that is listed: core, all, slim, or names of tools: click,fill")
	f.StringSliceVar(&request.With, "with", nil, "list the tools of these `categories` too: network,emulation")
	f.StringSliceVar(&request.Without, "without", nil, "do not list the tools of these `categories`")
	f.BoolVar(&request.Structured, "structured", false, "answers as JSON beside the text, and their schemas")
	f.BoolVar(&request.PageTools, "page-tools", false, "list the tools that the current page offers, too; their words are the page's")
	f.BoolVar(&overHTTP, "http", false, "streamable HTTP on 127.0.0.1, with a token")
	f.IntVar(&request.Port, "port", mcpPort, "`port` of --http; 0 is any that is free")
	f.StringVar(&request.Flags.ShareGroup, "share-group", "", "share one browser with all who name this `group`")
	f.StringVar(&request.Flags.ContextID, "context-id", "", "context to use (for operators)")
	f.StringVar(&request.Flags.Profile, "profile", "", "user, managed, remote or a name of yours")
	f.StringVar(&request.Flags.Session, "session", "", "session of the user's pages")
	f.BoolVar(&browser.Headless, "headless", false, "start a browser without a window at the first call that needs one")
	f.BoolVar(&browser.Headed, "headed", false, "the same with a window")
	f.StringVar(&browser.Endpoint, "endpoint", "", "use the remote browser at this `address`: http://host:port, ws://…, a port")
	f.StringArrayVar(&browser.Header, "header", nil, "HTTP `header` for the endpoint, as 'Name: value'; repeatable")
	f.StringVar(&browser.Executable, "executable", "", "browser `program` to start")
	f.StringVar(&browser.Viewport, "viewport", "", "`size` of its pages in CSS px: 1280x800")
	made.AddCommand(newMCPInstall(a))
	return made
}

func (a *app) mcp(ctx context.Context, request MCPRequest, overHTTP, ported bool) error {
	switch {
	case a.deps.MCP == nil:
		return fault.New(fault.InternalError, "this build has no MCP server")
	case ported && !overHTTP:
		return fault.New(fault.ValidationError, "--port belongs to --http").Suggest("dbridge mcp --http --port 9225")
	case request.Port < 0 || request.Port > 65535:
		return fault.New(fault.ValidationError, "--port %d is not a port", request.Port).Suggest("dbridge mcp --http --port 9225")
	}
	home, err := state.Open()
	if err != nil {
		return err
	}
	request.Home, request.Ensure, request.In, request.Out = home, a.ensureOptions(), a.stdin, a.printer
	if overHTTP {
		request.Ready = func(url string) error {
			return a.printer.Success(struct {
				URL string `json:"url"`
			}{url}, "MCP at "+url+"\nClients send a token as `Authorization: Bearer TOKEN`; make one: dbridge token new NAME", a.meta)
		}
	}
	return a.deps.MCP(ctx, request)
}
