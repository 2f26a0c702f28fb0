package mcp

//lint:file-ignore SA1019 roots and logging are deprecated, and clients of today have nothing else

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-json-experiment/json"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// roots are the folders that the client works in.
type roots struct{ folders []string }

// rootsRequest is the key under which a client of the newer protocol is asked for them.
const rootsRequest = "roots"

func (n *session) forgetRoots() {
	n.mu.Lock()
	n.roots = nil
	n.mu.Unlock()
}

// places checks the files that a call names, and gives who calls. ask is what the client
// must answer first.
func (n *session) places(ctx context.Context, request *sdk.CallToolRequest, a *args) (who caller.Caller, ask *sdk.CallToolResult, err error) {
	who = n.caller
	local := a.local()
	if len(local) == 0 {
		return who, nil, nil
	}
	if n.server.remote {
		return who, nil, fault.New(fault.PolicyDenied, "%s names something of this computer: not over HTTP", local[0].Name).With("parameter", local[0].Name).
			Suggest("Leave it out; what is large goes to the artifacts, and the answer has its path.")
	}
	within, ask, err := n.ask(ctx, request)
	if err != nil || ask != nil || within == nil {
		return who, ask, err
	}
	if len(within.folders) > 0 {
		who.Cwd = within.folders[0]
	}
	for _, f := range local {
		if !strings.HasPrefix(f.Name, "executable") && !strings.HasPrefix(f.Name, "endpoint") {
			if err := n.check(f, a, who.Cwd, within.folders); err != nil {
				return who, nil, err
			}
		}
	}
	return who, nil, nil
}

// ask gets the roots; nil where the client has none to tell.
func (n *session) ask(ctx context.Context, request *sdk.CallToolRequest) (*roots, *sdk.CallToolResult, error) {
	params := request.Session.InitializeParams()
	if params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil {
		return nil, nil, nil
	}
	n.mu.Lock()
	known := n.roots
	n.mu.Unlock()
	if known != nil {
		return known, nil, nil
	}
	var told *sdk.ListRootsResult
	if isModern(request.Session) {
		// A server of that protocol asks nothing by itself: the client answers and calls again.
		if told, _ = request.Params.InputResponses[rootsRequest].(*sdk.ListRootsResult); told == nil {
			return nil, &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{rootsRequest: &sdk.ListRootsParams{}}}, nil
		}
	} else {
		var err error
		if told, err = request.Session.ListRoots(ctx, nil); err != nil {
			return nil, nil, fault.New(fault.FileAccessFailed, "the client did not tell its roots: %v", err).Suggest("Leave the file out; what is large goes to the artifacts.")
		}
	}
	known = &roots{}
	for _, root := range told.Roots {
		if folder, ok := folderOf(root.URI); ok {
			known.folders = append(known.folders, folder)
		}
	}
	if !isModern(request.Session) { // which tells of no change
		n.mu.Lock()
		n.roots = known
		n.mu.Unlock()
	}
	return known, nil, nil
}

// folderOf is the folder of a file: address.
func folderOf(uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.Clean(filepath.FromSlash(path)), true
}

// check refuses files outside of the roots, the artifacts and the folder for temporary files.
func (n *session) check(f catalog.Field, a *args, cwd string, folders []string) error {
	var names []string
	value := a.given[f.Name]
	if json.Unmarshal(value, &names) != nil {
		names = []string{wordOf(value)}
	}
	allowed := append([]string{n.artifacts(), os.TempDir()}, folders...)
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		if !inside(path, allowed) {
			return fault.New(fault.ValidationError, "%s is %s, outside of the client's roots: %s", f.Name, name, strings.Join(folders, ", ")).
				With("parameter", f.Name).With("roots", folders).
				Suggest("Name a file in one of the roots, or leave it out: what is large goes to the artifacts.")
		}
	}
	return nil
}

// inside reports a path in one of the folders, whatever links lead there.
func inside(path string, folders []string) bool {
	path = real(path)
	for _, folder := range folders {
		if inner, err := filepath.Rel(real(folder), path); err == nil && filepath.IsLocal(inner) {
			return true
		}
	}
	return false
}

// real follows links as far as there is something.
func real(path string) string {
	path = filepath.Clean(path)
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	up := filepath.Dir(path)
	if up == path {
		return path
	}
	return filepath.Join(real(up), filepath.Base(path))
}
