package page

import (
	"context"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/capture"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// OutlineOptions choose what of a page is read.
type OutlineOptions struct {
	Root   *protocol.Target // start at this element
	InView bool             // what is in the viewport now
	Text   int              // texts are cut at this many characters; the bridge's own limit when 0
	Match  string           // words that get a ref wherever they stand
	Regex  string           // instead of Match
}

// outlineReport is a bridge's answer to outline.
type outlineReport struct {
	Text      string      `json:"text"`
	Truncated int         `json:"truncated"`
	Refs      int         `json:"refs"` // highest number given
	Frame     frameReport `json:"frame"`
	URL       string      `json:"url"`
	Title     string      `json:"title"`

	documentID string
	taken      bool
}

// Outline reads the page, all frames merged.
func (t *Tab) Outline(ctx context.Context, options OutlineOptions) (*capture.Outline, error) {
	ctx, end := t.looking(ctx)
	outline, err := t.outline(ctx, options)
	return outline, end(err)
}

func (t *Tab) outline(ctx context.Context, options OutlineOptions) (*capture.Outline, error) {
	if err := t.awaitBridge(ctx); err != nil {
		return nil, err
	}
	command := map[string]any{"type": "outline"}
	if options.InView {
		command["inView"] = true
	}
	if options.Text > 0 {
		command["text"] = options.Text
	}
	switch {
	case options.Regex != "":
		command["match"] = map[string]any{"regex": options.Regex}
	case options.Match != "":
		command["match"] = map[string]any{"text": options.Match}
	}
	top := 0
	reports := make(map[int]*outlineReport)
	if options.Root != nil {
		report, frame, err := t.outlineFrom(ctx, *options.Root, command)
		if err != nil {
			return nil, err
		}
		top = frame
		reports[top] = report
	}
	if options.Root == nil || len(reports[top].Frame.ChildFrames) > 0 {
		for id, a := range t.askAll(ctx, command) {
			if id == top && options.Root != nil {
				continue
			}
			if a.err != nil {
				if id == top {
					return nil, a.err
				}
				continue // a frame that does not answer costs its part only
			}
			report, err := readOutline(a)
			if err != nil {
				return nil, err
			}
			reports[id] = report
		}
	}
	return t.composeOutline(reports, top, options)
}

// outlineFrom asks the frame that holds an element for what is in it.
func (t *Tab) outlineFrom(ctx context.Context, root protocol.Target, command map[string]any) (*outlineReport, int, error) {
	at, err := t.aimAt(ctx, &protocol.Command{Base: protocol.Base{Type: "hover"}, Params: &protocol.HoverParams{Target: root}})
	if err != nil {
		return nil, 0, err
	}
	own := map[string]any{"root": at.target}
	for key, value := range command {
		own[key] = value
	}
	result, err := t.bridgeIn(ctx, at, own)
	if err != nil {
		return nil, 0, err
	}
	report, err := readOutline(answer{frame: at.frame, documentID: at.documentID, result: result})
	return report, at.frame.id, err
}

func readOutline(a answer) (*outlineReport, error) {
	report := &outlineReport{documentID: a.documentID}
	if err := decode(a.result.Result, report); err != nil {
		return nil, fault.New(fault.ProtocolError, "the page's outline cannot be read").Because(err)
	}
	return report, nil
}

// composeOutline puts each child frame's outline where its element stands.
func (t *Tab) composeOutline(reports map[int]*outlineReport, top int, options OutlineOptions) (*capture.Outline, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, report := range reports {
		f := t.frames[id]
		if f == nil || f.documentID != report.documentID {
			delete(reports, id) // the frame went on to another document
			continue
		}
		f.maxRef = max(f.maxRef, report.Refs)
	}
	main, ok := reports[top]
	if !ok {
		return nil, fault.New(fault.NavigationInterrupted, "the page navigated away while it was read")
	}
	out := &capture.Outline{Document: main.documentID, URL: main.URL, Title: main.Title}
	if document := t.frames[0]; document != nil {
		out.Document = document.documentID
	}
	t.appendOutline(out, top, reports, 0)
	if options.Root == nil && !options.InView {
		for _, f := range t.ordered() { // frames whose element was not found come last
			if report, ok := reports[f.id]; ok && !report.taken && !f.hidden {
				out.Segments = append(out.Segments, capture.Segment{Lines: "0\tiframe"})
				t.appendOutline(out, f.id, reports, 1)
			}
		}
	}
	return out, nil
}

// appendOutline appends a frame's outline, cut where its child frames stand. t.mu is held.
func (t *Tab) appendOutline(out *capture.Outline, id int, reports map[int]*outlineReport, depth int) {
	report, f := reports[id], t.frames[id]
	report.taken = true
	out.Truncated += report.Truncated
	segment := func(lines string) {
		if lines != "" {
			out.Segments = append(out.Segments, capture.Segment{Lines: lines, Depth: depth, Prefix: f.prefix(), RefBase: f.refBase})
		}
	}
	rest, line := report.Text, 0
	for _, owner := range report.Frame.ChildFrames {
		child := t.outlinedChild(id, owner, reports)
		if child == nil {
			continue
		}
		// The owner's own line is the last before its frame.
		end := lineEnd(rest, owner.Order+1-line)
		own := rest[:end]
		segment(strings.TrimSuffix(own, "\n"))
		rest, line = rest[end:], owner.Order+1
		own = strings.TrimSuffix(own, "\n")
		inner := depthOf(own[strings.LastIndexByte(own, '\n')+1:])
		t.appendOutline(out, child.id, reports, depth+inner+1)
	}
	segment(rest)
}

func (t *Tab) outlinedChild(parent int, owner childFrame, reports map[int]*outlineReport) *frame {
	for _, f := range t.ordered() {
		report, there := reports[f.id]
		if there && f.id != 0 && f.parent == parent && !report.taken && owner.shows(report.Frame.Index, f.url) {
			return f
		}
	}
	return nil
}

// lineEnd is where the n-th line of the text ends.
func lineEnd(text string, n int) int {
	at := 0
	for ; n > 0; n-- {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	return at
}

// depthOf reads the depth at the start of an outline's line.
func depthOf(line string) int {
	depth := 0
	for _, c := range strings.TrimPrefix(line, "+") {
		if c < '0' || c > '9' {
			break
		}
		depth = depth*10 + int(c-'0')
	}
	return depth
}
