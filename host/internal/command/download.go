package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

var downloadCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "page.downloads", Tool: "list_downloads", Summary: "List the files that the page downloaded, or wait for one.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe,
		Faults: []fault.Code{fault.Timeout, fault.CapabilityMissing},
		Cannot: map[protocol.Source]string{protocol.SourceExtension: "Chrome tells an extension's debugger nothing of downloads"},
		Examples: []catalog.Example{
			{Line: "page downloads"},
			{Line: "page downloads --wait --timeout 20000", Note: "until the next one is done, or the last one that was not told yet"},
		},
	}, pageDownloads),
}

// maxDownloads bounds those remembered of one browser.
const maxDownloads = 100

// downloads are those of one browser.
type downloads struct {
	mu      sync.Mutex
	list    []*download // oldest first
	told    map[string]int
	last    int
	changed chan struct{}
}

type download struct {
	n         int
	TabID     int    `json:"tabId"`
	GUID      string `json:"guid"`
	URL       string `json:"url"`
	Suggested string `json:"suggestedFilename"`
	Path      string `json:"path"`
	State     string `json:"state"`
	Bytes     int64  `json:"bytes"`
	Total     int64  `json:"totalBytes"`
	named     bool
	done      int // order of being done, 0 before
}

// onSide takes what browsers report beside their pages.
func (s *Stores) onSide(b page.Browser, t *page.Tab, op string, payload jsontext.Value) {
	if t != nil {
		if r, ok := t.Keep(storesKey{}, nil).(*record); ok {
			r.causes.side(op, payload)
		}
	}
	if !strings.HasPrefix(op, "download.") {
		return
	}
	var event download
	if decodeEvent(payload, &event) != nil || event.GUID == "" {
		return
	}
	s.downloadsOf(b.ID()).note(event)
}

func (s *Stores) downloadsOf(browser string) *downloads {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.downloads[browser]
	if d == nil {
		d = &downloads{told: map[string]int{}, changed: make(chan struct{})}
		s.downloads[browser] = d
	}
	return d
}

func (d *downloads) note(event download) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var known *download
	for _, old := range d.list {
		if old.GUID == event.GUID {
			known = old
		}
	}
	if known == nil {
		d.last++
		known = &download{n: d.last}
		if d.list = append(d.list, known); len(d.list) > maxDownloads {
			d.list = d.list[1:]
		}
	}
	before := *known
	*known = event
	known.n, known.done, known.named = before.n, before.done, before.named
	if before.named {
		known.Path = before.Path
	}
	if known.State != "in_progress" && known.done == 0 {
		d.last++
		known.done = d.last
	}
	close(d.changed)
	d.changed = make(chan struct{})
}

// settle gives a finished file the name that the page suggested, made harmless, in
// the folder where it lies under a name of the browser's.
func (d *download) settle() {
	if d.named || d.State != "completed" || d.Path == "" || filepath.Base(d.Path) != d.GUID {
		return
	}
	dir, name := filepath.Dir(d.Path), safeName(d.Suggested)
	ext := filepath.Ext(name)
	for i := range maxDownloads {
		candidate := name
		if i > 0 {
			candidate = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), i, ext)
		}
		path := filepath.Join(dir, candidate)
		if os.Link(d.Path, path) == nil { // fails where the name is taken
			if os.Remove(d.Path) == nil {
				d.Path, d.named = path, true
			}
			return
		}
	}
}

// safeName is a file name that is only a name: no folders, no control, bidi or
// zero-width characters, not hidden, none of Windows' devices, of bounded length.
func safeName(suggested string) string {
	if i := strings.LastIndexAny(suggested, `/\`); i >= 0 {
		suggested = suggested[i+1:]
	}
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`<>:"|?*`, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, suggested)
	name = strings.Trim(name, ". ")
	for len(name) > 150 {
		name = name[1:]
		for len(name) > 0 && name[0]&0xC0 == 0x80 {
			name = name[1:]
		}
	}
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case name == "":
		return "download"
	case stem == "con" || stem == "prn" || stem == "aux" || stem == "nul" || len(stem) == 4 && (strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")):
		return "_" + name
	}
	return name
}

type pageDownloadsParams struct {
	Wait  bool `json:"wait,omitempty" doc:"Wait until one is done that you were not told of."`
	Limit int  `json:"limit,omitempty" default:"20" min:"1" max:"100" doc:"At most so many, the newest."`
}

type downloadRow struct {
	File  string `json:"file" doc:"The name that the page suggested. Page text."`
	State string `json:"state" doc:"in_progress, completed or canceled."`
	Path  string `json:"path,omitempty" doc:"Where it is."`
	Bytes int64  `json:"bytes"`
	Total int64  `json:"totalBytes,omitempty" doc:"While it comes, where it is known."`
	URL   string `json:"url,omitempty"`
}

type pageDownloadsResult struct {
	Downloads []downloadRow `json:"downloads"`
}

func (r pageDownloadsResult) Text() string {
	if len(r.Downloads) == 0 {
		return "no downloads"
	}
	var lines []string
	for _, d := range r.Downloads {
		line := fmt.Sprintf("%s %s %d bytes", d.State, d.File, d.Bytes)
		if d.Path != "" {
			line += " → " + d.Path
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func pageDownloads(ctx context.Context, env *Env, p *pageDownloadsParams) (pageDownloadsResult, error) {
	r, err := env.records()
	if err != nil {
		return pageDownloadsResult{}, err
	}
	d := r.owner.downloadsOf(env.Tab.Browser().ID())
	pageURL := env.Tab.Info().URL
	if !p.Wait {
		return d.rows(p.Limit, pageURL), nil
	}
	for {
		row, changed := d.next(env.Agent, pageURL)
		if row != nil {
			return pageDownloadsResult{[]downloadRow{*row}}, nil
		}
		select {
		case <-changed:
		case <-r.ctx.Done():
			return pageDownloadsResult{}, fault.New(fault.PageNotFound, "the page was closed while waiting").Suggest("dbridge page list")
		case <-ctx.Done():
			f := fault.New(fault.Timeout, "no download was done in time").Suggest("dbridge page downloads", "Give it more time: --timeout MS")
			if running := d.rows(3, pageURL).Downloads; len(running) > 0 {
				f.With("downloads", running)
			}
			return pageDownloadsResult{}, f
		}
	}
}

func (d *downloads) rows(limit int, pageURL string) pageDownloadsResult {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := pageDownloadsResult{Downloads: []downloadRow{}}
	for _, item := range d.list {
		out.Downloads = append(out.Downloads, item.row(pageURL))
	}
	if n := len(out.Downloads); n > limit {
		out.Downloads = out.Downloads[n-limit:]
	}
	return out
}

// next gives the oldest download that is done and that the agent was not told of.
func (d *downloads) next(agent string, pageURL string) (*downloadRow, <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found *download
	for _, item := range d.list {
		if item.done > d.told[agent] && (found == nil || item.done < found.done) {
			found = item
		}
	}
	if found == nil {
		return nil, d.changed
	}
	if len(d.told) > maxMarks {
		clear(d.told)
	}
	d.told[agent] = found.done
	row := found.row(pageURL)
	return &row, nil
}

func (d *download) row(pageURL string) downloadRow {
	d.settle()
	row := downloadRow{File: brief(safeName(d.Suggested), 150), State: d.State, Bytes: d.Bytes, URL: here(pageURL, brief(redact.URL(d.URL), 200))}
	if d.State == "completed" {
		row.Path = d.Path
	} else if d.Total > d.Bytes {
		row.Total = d.Total
	}
	return row
}
