package command

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/capture"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

var captureCommands = append([]*catalog.Command{
	define(catalog.Spec{
		Name: "capture.snapshot", Tool: "take_snapshot", Summary: "Read the page as a short tree: texts, and controls with refs.",
		Long: "One line a thing: role \"name\" ref states =\"value\" address. Give a ref (e12) to other commands as their target. " +
			"Rows of one kind beyond 25 are folded with a count, and the whole ends at about 30,000 characters; --full shows all. " +
			"`observe find` is the cheaper way to one element; --diff after the first look.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe,
		Faults: []fault.Code{fault.ElementNotFound, fault.TargetAmbiguous, fault.TargetStale, fault.FileAccessFailed},
		Examples: []catalog.Example{
			{Line: "capture snapshot --output text", Note: "the tree as a model reads it"},
			{Line: "capture snapshot --find Save", Note: "only the branches that say Save"},
			{Line: "capture snapshot --diff", Note: "what changed since your last one"},
			{Line: "capture snapshot --root css=main --interactive-only --format json"},
		},
	}, captureSnapshot),
}, imageCommands...)

type snapshotParams struct {
	Format          string `json:"format,omitempty" doc:"tree (text for models), json, or html." enum:"tree,json,html" default:"tree"`
	Diff            bool   `json:"diff,omitempty" doc:"Only what changed since your last snapshot of this page."`
	InteractiveOnly bool   `json:"interactiveOnly,omitempty" doc:"Controls alone, without texts."`
	InView          bool   `json:"inView,omitempty" doc:"Only what is in the viewport now."`
	Depth           int    `json:"depth,omitempty" doc:"Levels shown." min:"1"`
	Root            string `json:"root,omitempty" doc:"Only what is in this element: ref, role and name, CSS selector, or text."`
	Find            string `json:"find,omitempty" doc:"Only branches with this text, rows whole."`
	Full            bool   `json:"full,omitempty" doc:"Nothing folded, nothing cut."`
	File            string `json:"file,omitempty" local:"true" doc:"Write it here, whole, instead of answering it."`
	Overwrite       bool   `json:"overwrite,omitempty" doc:"Replace an existing file."`
}

type snapshotResult struct {
	URL    string           `json:"url"`
	Title  string           `json:"title,omitempty"`
	Tree   string           `json:"tree,omitempty"`
	Nodes  []capture.Branch `json:"nodes,omitempty"`
	HTML   string           `json:"html,omitempty"`
	Diff   *snapshotDiff    `json:"diff,omitempty"`
	Folded int              `json:"folded,omitempty" doc:"Rows and nodes not shown; --full shows them."`
	Of     int              `json:"of,omitempty" doc:"Nodes of the page, where some are not shown."`
	Path   string           `json:"path,omitempty" doc:"Of the file."`
	Bytes  int              `json:"bytes,omitempty"`
}

type snapshotDiff struct {
	NewDocument bool `json:"newDocument,omitempty" doc:"The page is another document: the tree is the whole of it."`
	First       bool `json:"first,omitempty" doc:"There was no snapshot to compare with: the tree is whole."`
	Whole       bool `json:"whole,omitempty" doc:"So much changed that the whole tree is shorter."`
	Added       int  `json:"added,omitempty"`
	Removed     int  `json:"removed,omitempty"`
	Changed     int  `json:"changed,omitempty"`
	Moved       int  `json:"moved,omitempty"`
}

// words sum the diff up; the lines after them carry +, -, ~ and >.
func (d *snapshotDiff) words() string {
	switch {
	case d.NewDocument:
		return "new document:"
	case d.First:
		return "first snapshot of this page:"
	}
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{d.Added, "added"}, {d.Removed, "removed"}, {d.Changed, "changed"}, {d.Moved, "moved"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if len(parts) == 0 {
		return "no change"
	}
	if d.Whole {
		return strings.Join(parts, ", ") + "; the whole:"
	}
	return strings.Join(parts, ", ") + ":"
}

func (r snapshotResult) Text() string {
	if r.Path != "" {
		return fmt.Sprintf("%s (%d bytes)", r.Path, r.Bytes)
	}
	if r.Diff != nil && !r.Diff.First && !r.Diff.NewDocument {
		return strings.TrimRight(r.Diff.words()+"\n"+r.Tree, "\n")
	}
	var b strings.Builder
	if r.Title != "" {
		b.WriteString(r.Title + " ")
	}
	b.WriteString(r.URL + "\n")
	if r.Diff != nil {
		b.WriteString(r.Diff.words() + "\n")
	}
	switch {
	case r.HTML != "":
		b.WriteString(r.HTML)
	case r.Nodes != nil:
		data, err := json.Marshal(r.Nodes)
		if err == nil {
			b.Write(data)
		}
	default:
		b.WriteString(r.Tree)
	}
	return strings.TrimRight(b.String(), "\n")
}

func captureSnapshot(ctx context.Context, env *Env, p *snapshotParams) (snapshotResult, error) {
	if p.Diff && (p.Format != "tree" || p.Root != "" || p.InView || p.Find != "" || p.Depth > 0) {
		return snapshotResult{}, problem("--diff compares whole trees: leave out --format, --root, --in-view, --find and --depth").
			Suggest("dbridge capture snapshot --diff")
	}
	if p.Format == "html" {
		return snapshotHTML(ctx, env, p)
	}
	reading := page.OutlineOptions{InView: p.InView, Match: p.Find}
	if p.Full || p.File != "" {
		reading.Text = wholeText
	}
	if p.Root != "" {
		root, err := target(p.Root)
		if err != nil {
			return snapshotResult{}, err
		}
		reading.Root = &root
	}
	outline, err := env.Tab.Outline(ctx, reading)
	if err != nil {
		return snapshotResult{}, err
	}
	options := capture.Options{Full: p.Full || p.File != "", InteractiveOnly: p.InteractiveOnly, Depth: p.Depth}
	if p.Find != "" {
		options.Find = &capture.Query{Text: p.Find}
	}
	out := snapshotResult{URL: redact.URL(outline.URL), Title: redact.Text(outline.Title)}
	var text capture.Text
	switch {
	case p.Format == "json":
		nodes, total, left := capture.Tree(outline, options)
		out.Nodes, text = nodes, capture.Text{Nodes: total, Folded: left}
	case p.Diff:
		text, out.Diff = env.compare(outline, options)
	default:
		text = capture.Render(outline, options)
	}
	if p.Root == "" && !p.InView && p.Find == "" {
		env.remember(outline)
	}
	out.Tree = text.Body
	if p.Find != "" && text.Body == "" && len(out.Nodes) == 0 {
		out.Tree = fmt.Sprintf("nothing says %q", p.Find)
	}
	if left := text.Folded + outline.Truncated; left > 0 {
		out.Folded, out.Of = left, text.Nodes+outline.Truncated
	}
	if p.File == "" {
		return out, nil
	}
	data := []byte(out.Text() + "\n")
	if p.Format == "json" {
		if data, err = json.Marshal(out.Nodes); err != nil {
			return out, err
		}
	}
	return out.written(env, p, data)
}

// wholeText is more than a text node is read of.
const wholeText = 20_000

// written puts the answer into a file instead.
func (r snapshotResult) written(env *Env, p *snapshotParams, data []byte) (snapshotResult, error) {
	path, err := state.WriteOutput(env.Caller.Cwd, p.File, p.Overwrite, data)
	if err != nil {
		return snapshotResult{}, err
	}
	return snapshotResult{URL: r.URL, Title: r.Title, Path: path, Bytes: len(data)}, nil
}

// maxHTML of a page that is answered without --full.
const maxHTML = 30_000

func snapshotHTML(ctx context.Context, env *Env, p *snapshotParams) (snapshotResult, error) {
	if p.Root != "" || p.InView || p.Find != "" || p.Depth > 0 || p.InteractiveOnly {
		return snapshotResult{}, problem("--format html is the document as it is: leave out --root, --in-view, --find, --depth and --interactive-only").
			Suggest("dbridge capture snapshot --format html --full")
	}
	var doc struct {
		HTML      string `json:"html"`
		Truncated bool   `json:"truncated"`
	}
	if _, err := env.Tab.Ask(ctx, "", map[string]any{"type": "request_dom_snapshot"}, &doc); err != nil {
		return snapshotResult{}, err
	}
	info := env.Tab.Info()
	doc.HTML = redact.HTML(doc.HTML)
	out := snapshotResult{URL: redact.URL(info.URL), Title: info.Title, HTML: doc.HTML, Bytes: len(doc.HTML)}
	if p.File != "" {
		return out.written(env, p, []byte(doc.HTML))
	}
	if !p.Full && len(out.HTML) > maxHTML {
		out.Folded, out.Of = len(out.HTML)-maxHTML, len(out.HTML)
		out.HTML = strings.ToValidUTF8(out.HTML[:maxHTML], "") + fmt.Sprintf("\n… %d more bytes: --full, or --file", out.Folded)
	}
	return out, nil
}

// seen keeps the last snapshot that each agent was given of a tab.
type seen struct {
	mu   sync.Mutex
	last map[string]*capture.Outline
	age  []string // oldest first
}

const (
	maxSeen     = 8       // agents of a tab whose snapshot is kept
	maxSeenSize = 1 << 20 // bytes of an outline that is kept; of a larger page each snapshot is a first one
)

type seenKey struct{}

func (s *seen) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.age = nil, nil
}

func (e *Env) seen() *seen {
	kept, _ := e.Tab.Keep(seenKey{}, func() page.Keeper { return &seen{last: map[string]*capture.Outline{}} }).(*seen)
	return kept
}

// remember notes what the agent was given.
func (e *Env) remember(outline *capture.Outline) {
	s := e.seen()
	if s == nil {
		return // the tab is closed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return
	}
	for i, agent := range s.age {
		if agent == e.Agent {
			s.age = append(s.age[:i], s.age[i+1:]...)
			break
		}
	}
	if outline.Size() > maxSeenSize {
		delete(s.last, e.Agent)
		return
	}
	s.last[e.Agent] = outline
	if s.age = append(s.age, e.Agent); len(s.age) > maxSeen {
		delete(s.last, s.age[0])
		s.age = s.age[1:]
	}
}

// compare gives what changed since the agent's last snapshot.
func (e *Env) compare(outline *capture.Outline, options capture.Options) (capture.Text, *snapshotDiff) {
	var before *capture.Outline
	if s := e.seen(); s != nil {
		s.mu.Lock()
		before = s.last[e.Agent]
		s.mu.Unlock()
	}
	if before == nil {
		return capture.Render(outline, options), &snapshotDiff{First: true}
	}
	d := capture.Compare(before, outline, options)
	return d.Text, &snapshotDiff{NewDocument: d.NewDocument, Whole: d.Whole, Added: d.Added, Removed: d.Removed, Changed: d.Changed, Moved: d.Moved}
}
