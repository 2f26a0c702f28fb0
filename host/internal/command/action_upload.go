package command

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// chooserWait is how long a click may take to open the file chooser.
const chooserWait = 2 * time.Second

type elementUploadParams struct {
	aimed
	Files []string `json:"files" local:"true" doc:"Paths, absolute or relative to the working directory."`
}

type elementUploadResult struct {
	actionResult
	Files []string `json:"files" doc:"Names that the field holds now."`
}

func (r elementUploadResult) Text() string {
	r.Values = r.Files
	return r.actionResult.Text()
}

// given checks the files and makes their paths absolute.
func given(env *Env, files []string) ([]string, error) {
	out := make([]string, 0, len(files))
	for _, name := range files {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(env.Caller.Cwd, path)
		}
		info, err := os.Stat(path)
		if err == nil && !info.Mode().IsRegular() {
			return nil, fault.New(fault.FileAccessFailed, "%s is no file", name).With("path", path).Suggest("Name the files one by one.")
		}
		if err == nil {
			var f *os.File
			if f, err = os.Open(path); err == nil {
				_ = f.Close() // it was only read
			}
		}
		if err != nil {
			return nil, fault.New(fault.FileAccessFailed, "%s cannot be read", name).Because(err).With("path", path).
				Suggest("Check the path; it is taken from the working directory " + env.Caller.Cwd + ".")
		}
		out = append(out, path)
	}
	return out, nil
}

func elementUpload(ctx context.Context, env *Env, p *elementUploadParams) (elementUploadResult, error) {
	var out elementUploadResult
	files, err := given(env, p.Files)
	if err != nil {
		return out, err
	}
	aim, err := target(p.Target)
	if err != nil {
		return out, err
	}
	if !env.Tab.Trusted() {
		return out, fault.New(fault.CapabilityMissing, "giving files to a page needs the debugger").With("level", protocol.Control).
			Suggest("Ask the person to connect the tab at level control, or use a managed browser: dbridge session start --headless")
	}
	node, err := env.Tab.Node(ctx, aim, p.Frame)
	if err != nil {
		return out, advise(err, p.Target)
	}
	session := env.Tab.Session(node.Session)
	field, err := fileField(ctx, session, node.ObjectID)
	if err != nil {
		return out, err
	}
	told, err := env.tell(ctx, "gave files to", p.Target, func() (page.Did, error) {
		if field == "" {
			return env.chooser(ctx, aim, p.Frame, node.Session, files, &out.Files)
		}
		return env.Tab.Act(ctx, page.Deed{FrameID: p.Frame, Prepare: page.Watched(), Trusted: func(ctx context.Context, _ page.Spot) error {
			var err error
			out.Files, err = setFiles(ctx, session, giveFiles(env.Tab, node.Session), field, files)
			return err
		}}, env.Dispatched)
	})
	if field != "" {
		told.Ref, told.Role, told.Name = "", "", p.Target
	}
	out.actionResult = told
	return out, err
}

// fileField gives the file field that an element is, or stands for; empty when it is none.
func fileField(ctx context.Context, session cdp.Session, element runtime.RemoteObjectID) (runtime.RemoteObjectID, error) {
	const find = `function () {
		const isFile = (e) => e instanceof HTMLInputElement && e.type === 'file';
		if (isFile(this)) return this;
		const label = this.closest?.('label');
		if (isFile(label?.control)) return label.control;
		const inside = this.querySelectorAll?.('input[type=file]') ?? [];
		return inside.length === 1 ? inside[0] : null;
	}`
	var found runtime.CallFunctionOnResult
	err := session.Call(ctx, runtime.CommandCallFunctionOn, runtime.CallFunctionOnParams{FunctionDeclaration: find, ObjectID: element}, &found)
	if err != nil {
		return "", err
	}
	return found.Result.ObjectID, nil
}

// giver hands files to a field.
type giver func(ctx context.Context, field runtime.RemoteObjectID, files []string) error

// giveFiles is the giver of a page: raw DevTools may not give files to a page of the
// user's own browser, so the extension has an operation of its own for it.
func giveFiles(t *page.Tab, sessionID string) giver {
	return func(ctx context.Context, field runtime.RemoteObjectID, files []string) error {
		if t.Info().Source == protocol.SourceExtension {
			payload := map[string]any{"objectId": field, "files": files}
			if sessionID != "" {
				payload["sessionId"] = sessionID
			}
			_, err := t.Link(ctx, "files.set", payload)
			return err
		}
		return t.Session(sessionID).Call(ctx, dom.CommandSetFileInputFiles, dom.SetFileInputFilesParams{Files: files, ObjectID: field}, nil)
	}
}

// setFiles gives files to a file field and tells the names that it holds.
func setFiles(ctx context.Context, session cdp.Session, give giver, field runtime.RemoteObjectID, files []string) ([]string, error) {
	const look = `function () { return {multiple: this.multiple || this.webkitdirectory, disabled: this.disabled, names: Array.from(this.files, (f) => f.name)} }`
	read := func() (state struct {
		Multiple bool     `json:"multiple"`
		Disabled bool     `json:"disabled"`
		Names    []string `json:"names"`
	}, err error) {
		yes := true
		var found runtime.CallFunctionOnResult
		err = session.Call(ctx, runtime.CommandCallFunctionOn, runtime.CallFunctionOnParams{FunctionDeclaration: look, ObjectID: field, ReturnByValue: &yes}, &found)
		if err == nil {
			err = json.Unmarshal(found.Result.Value, &state)
		}
		return state, err
	}
	before, err := read()
	switch {
	case err != nil:
		return nil, err
	case before.Disabled:
		return nil, fault.New(fault.TargetNotInteractable, "the file field is disabled").With("check", "enabled").Suggest("dbridge capture snapshot --interactive-only")
	case len(files) > 1 && !before.Multiple:
		return nil, problem("the field takes one file, not %d", len(files)).Suggest("Give one file.")
	}
	if err := give(ctx, field, files); err != nil {
		return nil, err
	}
	now, err := read()
	if err == nil && len(now.Names) < len(files) {
		err = fault.New(fault.ActionNoEffect, "the field holds %d of %d files", len(now.Names), len(files)).Suggest("dbridge capture snapshot --interactive-only")
	}
	return now.Names, err
}

// chooser clicks what opens a file chooser, and answers the chooser.
func (e *Env) chooser(ctx context.Context, aim protocol.Target, frame, sessionID string, files []string, names *[]string) (page.Did, error) {
	session := e.Tab.Session(sessionID)
	opened, cancel := session.Subscribe("Page.fileChooserOpened")
	defer cancel()
	intercept := func(ctx context.Context, on bool) error {
		return session.Call(ctx, cdppage.CommandSetInterceptFileChooserDialog, cdppage.SetInterceptFileChooserDialogParams{Enabled: on}, nil)
	}
	if err := intercept(ctx, true); err != nil {
		return page.Did{}, err
	}
	// A browser of ours never shows a chooser: nobody could answer it.
	if e.Tab.Info().Source != protocol.SourceManaged {
		defer func() { _ = intercept(context.WithoutCancel(ctx), false) }() // its page may be gone
	}
	press, err := page.Press("", 1, nil)
	if err != nil {
		return page.Did{}, err
	}
	return e.Tab.Act(ctx, page.Deed{
		Action: "click", Target: &aim, FrameID: frame, Wait: patience(ctx), Guarded: true,
		Trusted: func(ctx context.Context, at page.Spot) error {
			if err := press(ctx, at); err != nil {
				return err
			}
			timer := time.NewTimer(chooserWait)
			defer timer.Stop()
			select {
			case raw := <-opened:
				var event struct {
					BackendNodeID cdp.BackendNodeID `json:"backendNodeId"`
				}
				if err := json.Unmarshal(raw, &event); err != nil || event.BackendNodeID == 0 {
					return fault.New(fault.CapabilityMissing, "the page opened a chooser that is of no file field").Suggest("Name the file field itself as target.")
				}
				var node dom.ResolveNodeResult
				if err := session.Call(ctx, dom.CommandResolveNode, dom.ResolveNodeParams{BackendNodeID: event.BackendNodeID}, &node); err != nil {
					return err
				}
				*names, err = setFiles(ctx, session, giveFiles(e.Tab, sessionID), node.Object.ObjectID, files)
				return err
			case <-timer.C:
				return fault.New(fault.ActionNoEffect, "the click opened no file chooser").Suggest("Name the file field itself: dbridge observe find --regex file")
			case <-ctx.Done():
				return ctx.Err()
			}
		},
	}, e.Dispatched)
}
