package command

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/extension"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/recording"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// readFaults are those of whatever reads a recording.
var readFaults = []fault.Code{fault.FileAccessFailed, fault.VersionMismatch, fault.ResultTooLarge}

// recordReadCommands read recordings. They need no browser.
var recordReadCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "record.show", Tool: "show_recording", Summary: "Tell what a recording shows: a timeline of actions and what each caused.",
		Long: "One line an action, with the requests, console lines, errors and state changes that followed it below. " +
			"--entry N gives one entry in full, with bodies; the picture of a mark goes to the artifacts.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Positional: []string{"file"},
		Faults: readFaults,
		Examples: []catalog.Example{
			{Line: "record show bug.dbr"},
			{Line: "record show bug.dbr --kind error --kind network --from 1s", Note: "parts of it"},
			{Line: "record show bug.dbr --entry 2", Note: "one entry in full"},
		},
	}, recordShow),
	define(catalog.Spec{
		Name: "record.open", Summary: "Show a recording to a person: the page as it was, with its timeline.",
		Long: "Writes one HTML page with all that it shows inside, into the artifacts, and opens it in the person's browser. " +
			"It loads nothing from the network, and no script of the recorded page runs in it.",
		Effect: catalog.Session, Needs: catalog.Nothing, Level: protocol.Observe, Positional: []string{"file"}, Local: true,
		Faults: readFaults,
		Examples: []catalog.Example{
			{Line: "record open bug.dbr --no-browser", Note: "only makes the page and prints its path"},
			{Line: "record open bug.dbr --no-browser --output text"},
		},
	}, recordOpen),
	define(catalog.Spec{
		Name: "record.export", Tool: "export_recording", Summary: "Write a recording as a script that does it again: of dbridge's commands, or for Playwright.",
		Long: "The address to run it against is BASE_URL, at the top. What was masked in the recording is asked for in environment variables. " +
			"The Playwright script checks addresses, answers and errors, and ends with 1 where they are not as recorded.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Positional: []string{"file"},
		Faults: readFaults,
		Examples: []catalog.Example{
			{Line: "record export bug.dbr --commands", Note: "prints it"},
			{Line: "record export bug.dbr --playwright --out repro.mjs --overwrite"},
		},
	}, recordExport),
}

// recordingFile names a recording.
type recordingFile struct {
	File string `json:"file" local:"true" doc:"The recording, a .dbr file."`
}

func (p recordingFile) open(env *Env) (*recording.File, error) {
	path := p.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(env.Caller.Cwd, path)
	}
	return recording.Open(path)
}

// files is the folder of the caller's artifacts, also where it has no browser.
func (e *Env) files(ctx context.Context) (*state.Artifacts, error) {
	if e.Context == nil {
		var err error
		if e.Context, _, err = e.Slots.Resolve(ctx, e.Caller); err != nil {
			return nil, err
		}
	}
	return state.OpenArtifacts(e.Context.Artifacts()), nil
}

type recordShowParams struct {
	recordingFile
	Kind  []string `json:"kind,omitempty" enum:"action,console,error,network,state,navigation,dialog,download,mark" doc:"Only these kinds; then all of them, not only the most telling."`
	From  string   `json:"from,omitempty" doc:"Time since the beginning: 12s, 1m05s."`
	To    string   `json:"to,omitempty" doc:"Time since the beginning."`
	Limit int      `json:"limit,omitempty" default:"60" min:"1" max:"5000" doc:"At most so many lines."`
	Entry int      `json:"entry,omitempty" min:"1" doc:"This entry in full."`
}

// maxEntryBody is how much of a body one entry gives, in bytes.
const maxEntryBody = 16 << 10

type recordedEntry struct {
	N        int             `json:"n"`
	At       int64           `json:"at" doc:"Ms since the recording began."`
	Words    string          `json:"words" doc:"Page text: the entry in one line."`
	Entry    recording.Entry `json:"entry" doc:"Page data: the entry as it is in the file."`
	Request  *recording.Body `json:"request,omitempty" doc:"Page text: the request's body, up to 16 KiB."`
	Response *recording.Body `json:"response,omitempty" doc:"Page text: the response's body, up to 16 KiB."`
	Picture  string          `json:"picture,omitempty" doc:"The picture of a mark, as a file."`
}

type recordShowResult struct {
	File     string          `json:"file"`
	URL      string          `json:"url"`
	Title    string          `json:"title,omitempty" doc:"Page text."`
	Note     string          `json:"note,omitempty" doc:"What was said about it when it was made."`
	Made     string          `json:"made,omitempty"`
	Started  time.Time       `json:"started"`
	LengthMs int64           `json:"lengthMs"`
	FromRing bool            `json:"fromRing,omitempty" doc:"It was saved after the fact."`
	Counts   map[string]int  `json:"counts,omitempty" doc:"Entries by kind."`
	LeftOut  map[string]int  `json:"leftOut,omitempty" doc:"What was not recorded, by what it was."`
	Damaged  int             `json:"damaged,omitempty" doc:"Lines that cannot be read."`
	Rows     []recording.Row `json:"rows,omitempty" doc:"The timeline."`
	Left     int             `json:"left,omitempty" doc:"Lines beyond the limit."`
	Entry    *recordedEntry  `json:"entry,omitempty"`
	Next     []string        `json:"next,omitempty" doc:"What to ask next."`
}

func recordShow(ctx context.Context, env *Env, p *recordShowParams) (recordShowResult, error) {
	q := recording.Query{Kinds: p.Kind, Limit: p.Limit}
	var err error
	if q.From, err = recording.ParseClock(p.From); err != nil {
		return recordShowResult{}, err
	}
	if q.To, err = recording.ParseClock(p.To); err != nil {
		return recordShowResult{}, err
	}
	f, err := p.open(env)
	if err != nil {
		return recordShowResult{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	out := recordShowResult{
		File: f.Path, URL: f.URL, Title: f.Title, Note: f.Note, Made: f.Made, Started: f.Started, LengthMs: f.Length().Milliseconds(), FromRing: f.FromRing,
		Counts: f.Counts, LeftOut: f.LeftOut, Damaged: f.Damaged,
	}
	show := "dbridge record show " + quoteArg(p.File)
	if p.Entry > 0 {
		out.Entry, err = env.recordedEntry(ctx, f, p.Entry)
		out.Next = []string{show}
		return out, err
	}
	var next time.Duration
	out.Rows, out.Left, next = f.Rows(q)
	if out.Left > 0 {
		out.Next = append(out.Next, show+" --from "+next.String())
	}
	if n := interesting(out.Rows); n > 0 {
		out.Next = append(out.Next, show+" --entry "+strconv.Itoa(n))
	}
	if len(p.Kind) == 0 && p.From == "" {
		out.Next = append(out.Next, "dbridge record export "+quoteArg(p.File)+" --playwright")
	}
	return out, nil
}

// interesting is the entry that is looked at first: a request that failed, an error, or
// else any with more in it than its line.
func interesting(rows []recording.Row) int {
	best := 0
	for _, row := range rows {
		if row.Bad {
			return row.N
		}
		if best == 0 && (row.Kind == recording.KindNetwork || row.Kind == recording.KindState || row.Kind == recording.KindMark) {
			best = row.N
		}
	}
	return best
}

// recordedEntry gives one entry with what belongs to it.
func (e *Env) recordedEntry(ctx context.Context, f *recording.File, n int) (*recordedEntry, error) {
	if n > len(f.Entries) {
		return nil, problem("the recording has %d entries, there is no entry %d", len(f.Entries), n).Suggest("dbridge record show " + quoteArg(f.Path))
	}
	entry := f.Entries[n-1]
	out := &recordedEntry{N: n, At: entry.At, Words: f.Words(n), Entry: entry}
	for _, body := range []struct {
		part string
		to   **recording.Body
	}{{entry.RequestBody, &out.Request}, {entry.ResponseBody, &out.Response}} {
		if body.part == "" || !f.Has(body.part) {
			continue
		}
		var err error
		if *body.to, err = f.Body(body.part, maxEntryBody); err != nil {
			return nil, err
		}
	}
	if data, kind := f.Picture(entry.Picture); data != nil {
		artifacts, err := e.files(ctx)
		if err != nil {
			return nil, err
		}
		if out.Picture, err = artifacts.Write("mark", strings.TrimPrefix(kind, "image/"), data); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (r recordShowResult) Text() string {
	var b strings.Builder
	if r.Entry == nil {
		r.head(&b)
	}
	if r.Entry != nil {
		r.Entry.text(&b)
	}
	for _, row := range r.Rows {
		indent := ""
		if row.Under > 0 {
			indent = "    "
		}
		fmt.Fprintf(&b, "%s%d  %s  %s\n", indent, row.N, recording.Clock(row.At), row.Text)
		if len(row.More) > 0 {
			fmt.Fprintf(&b, "    … and after it %s\n", countsOf(row.More))
		}
	}
	if r.Entry == nil && len(r.Rows) == 0 {
		b.WriteString("Nothing of that kind in that time.\n")
	}
	if r.Left > 0 {
		fmt.Fprintf(&b, "… %d more lines\n", r.Left)
	}
	for _, line := range r.Next {
		b.WriteString("> " + line + "\n")
	}
	return b.String()
}

func (r recordShowResult) head(b *strings.Builder) {
	fmt.Fprintf(b, "%s  %s\n", r.URL, strconv.Quote(r.Title))
	fmt.Fprintf(b, "%.1f s from %s", float64(r.LengthMs)/1000, r.Started.UTC().Format("2006-01-02 15:04:05 UTC"))
	if r.FromRing {
		b.WriteString(", saved after the fact")
	}
	if len(r.Counts) > 0 {
		b.WriteString("; " + countsOf(r.Counts))
	}
	b.WriteString("\n")
	if r.Note != "" {
		b.WriteString("Note: " + r.Note + "\n")
	}
	if len(r.LeftOut) > 0 {
		b.WriteString("Not recorded: " + countsOf(r.LeftOut) + "\n")
	}
	if r.Damaged > 0 {
		fmt.Fprintf(b, "%d lines are damaged and left out.\n", r.Damaged)
	}
}

func countsOf(counts map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		if counts[kind] > 0 {
			parts = append(parts, strconv.Itoa(counts[kind])+" "+kind)
		}
	}
	return strings.Join(parts, ", ")
}

func (e *recordedEntry) text(b *strings.Builder) {
	fmt.Fprintf(b, "%d  %s  %s\n", e.N, recording.Clock(e.At), e.Words)
	whole, err := json.Marshal(e.Entry, jsontext.WithIndent("  "), json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err == nil {
		b.Write(whole)
		b.WriteString("\n")
	}
	for _, body := range []struct {
		name string
		body *recording.Body
	}{{"request body", e.Request}, {"response body", e.Response}} {
		switch {
		case body.body == nil:
		case body.body.Text == "" && body.body.Bytes > 0:
			fmt.Fprintf(b, "%s: %d bytes that are no text\n", body.name, body.body.Bytes)
		default:
			cut := ""
			if body.body.Cut {
				cut = fmt.Sprintf("\n… of %d bytes", body.body.Bytes)
			}
			fmt.Fprintf(b, "%s:\n%s%s\n", body.name, body.body.Text, cut)
		}
	}
	if e.Picture != "" {
		b.WriteString("picture: " + e.Picture + "\n")
	}
}

type recordExportParams struct {
	recordingFile
	Commands   bool   `json:"commands,omitempty" doc:"A shell script of dbridge's commands. Exactly one of commands, playwright."`
	Playwright bool   `json:"playwright,omitempty" doc:"A script for Node with Playwright."`
	Out        string `json:"out,omitempty" local:"true" doc:"Write it here instead of giving it in the answer."`
	Overwrite  bool   `json:"overwrite,omitempty" doc:"Replace the file."`
}

type recordExportResult struct {
	Script    string   `json:"script,omitempty" doc:"The script, where no file was named. What the page was called and what was typed stand in it, quoted."`
	File      string   `json:"file,omitempty"`
	Steps     int      `json:"steps" doc:"Things that it does."`
	LeftOut   []string `json:"leftOut,omitempty" doc:"What it does not do, and why."`
	Variables []string `json:"variables,omitempty" doc:"Environment variables that it needs: what was masked, and files."`
	run       string
}

func (r recordExportResult) Text() string {
	if r.File == "" {
		return r.Script
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", r.File, counted(r.Steps, "step"))
	for _, line := range r.LeftOut {
		b.WriteString("left out: " + line + "\n")
	}
	set := ""
	for _, name := range r.Variables {
		set += name + "=… "
	}
	b.WriteString("> " + set + r.run + "\n")
	return b.String()
}

func recordExport(_ context.Context, env *Env, p *recordExportParams) (recordExportResult, error) {
	if p.Commands == p.Playwright {
		return recordExportResult{}, problem("say which script: --commands or --playwright").
			Suggest("dbridge record export "+quoteArg(p.File)+" --commands", "dbridge record export "+quoteArg(p.File)+" --playwright")
	}
	f, err := p.open(env)
	if err != nil {
		return recordExportResult{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	write, runner := f.Commands, "sh "
	if p.Playwright {
		write, runner = f.Playwright, "node "
	}
	script, err := write()
	if err != nil {
		return recordExportResult{}, err
	}
	out := recordExportResult{Steps: script.Steps, LeftOut: script.Skipped, Variables: script.Ask}
	if p.Out == "" {
		out.Script = script.Text
		return out, nil
	}
	out.File, err = state.WriteOutput(env.Caller.Cwd, p.Out, p.Overwrite, []byte(script.Text))
	out.run = runner + quoteArg(out.File)
	return out, err
}

type recordOpenParams struct {
	recordingFile
	NoBrowser bool `json:"noBrowser,omitempty" doc:"Only make the page; do not open it."`
}

type recordOpenResult struct {
	Page    string `json:"page" doc:"The page, as a file."`
	Bytes   int64  `json:"bytes"`
	Opened  bool   `json:"opened" doc:"A browser was asked to show it."`
	Why     string `json:"why,omitempty" doc:"Why it was not opened."`
	Damaged int    `json:"damaged,omitempty" doc:"Lines that cannot be read."`
}

func (r recordOpenResult) Text() string {
	text := r.Page
	if r.Why != "" {
		text += "\nnot opened: " + r.Why + "; open the file in any browser"
	}
	return text + "\n"
}

func recordOpen(ctx context.Context, env *Env, p *recordOpenParams) (recordOpenResult, error) {
	f, err := p.open(env)
	if err != nil {
		return recordOpenResult{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	script, err := extension.Replay()
	if err != nil {
		return recordOpenResult{}, fault.New(fault.InternalError, "the script of the replay page is missing").Because(err)
	}
	artifacts, err := env.files(ctx)
	if err != nil {
		return recordOpenResult{}, err
	}
	page, err := artifacts.Create("replay", "html")
	if err != nil {
		return recordOpenResult{}, err
	}
	defer page.Close() //nolint:errcheck // committed, or thrown away
	damaged, err := f.Page(page, script)
	if err != nil {
		return recordOpenResult{}, err
	}
	if err := page.Commit(); err != nil {
		return recordOpenResult{}, err
	}
	out := recordOpenResult{Page: page.Path(), Bytes: page.Size(), Damaged: damaged + f.Damaged}
	if !p.NoBrowser {
		out.Opened, out.Why = openForPerson(ctx, out.Page)
	}
	return out, artifacts.Tidy()
}
