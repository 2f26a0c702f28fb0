package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/recording"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const recordTimeout = time.Minute

var recordCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "record.start", Tool: "record_start", Summary: "Begin to record the page: what it shows, console, requests, state, actions.",
		Long: "Actions of the person and of agents are kept as commands of this catalogue. Secrets are masked before anything is kept. " +
			"The last --max-duration within 50 MB is kept, the oldest goes first. Requests need level control. " +
			"What a page draws on a canvas, frames of other origins, and styles that scripts insert between two full snapshots (30 s) are not seen.",
		Effect: catalog.Session, Needs: catalog.Page, Level: protocol.Observe,
		Faults: []fault.Code{fault.TraceAlreadyRunning, fault.NavigationInterrupted},
		Examples: []catalog.Example{
			{Line: "record start"},
			{Line: `record start --note "Saving an order fails" --bodies none`},
		},
	}, recordStart),
	define(catalog.Spec{
		Name: "record.mark", Tool: "record_mark", Summary: "Mark a moment in the recording, with a picture of the page.",
		Long:       "The picture needs level control, or the tab in front of its window.",
		Effect:     catalog.Session,
		Needs:      catalog.Page,
		Level:      protocol.Observe,
		Positional: []string{"text"},
		Faults:     []fault.Code{fault.TraceNotFound},
		Examples:   []catalog.Example{{Line: `record mark "Here the total is wrong"`}, {Line: "record mark before-saving"}},
	}, recordMark),
	define(catalog.Spec{
		Name: "record.stop", Tool: "record_stop", Summary: "End the recording and write it as one .dbr file.",
		Long:   "Without --file it goes to the context's artifacts, where the newest 200 files of 7 days are kept. Where the file cannot be written the recording goes on.",
		Effect: catalog.Session, Needs: catalog.Page, Level: protocol.Observe, Timeout: recordTimeout,
		Faults:   []fault.Code{fault.TraceNotFound, fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "record stop"}, {Line: "record stop --file order.dbr --overwrite"}},
	}, recordStop),
	define(catalog.Spec{
		Name: "record.save", Tool: "record_save", Summary: "Write what just happened as a .dbr file, from the page's ring.",
		Long: "The ring holds the last minute, in memory. It runs at the person's always-connect sites (unless they switched that off) and wherever `record ring on` asked for it. " +
			"The file begins with the full snapshot before the time asked for.",
		Effect: catalog.Session, Needs: catalog.Page, Level: protocol.Observe, Timeout: recordTimeout,
		Faults:   []fault.Code{fault.TraceNotFound, fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "record save"}, {Line: "record save --last 30 --file what.dbr --overwrite"}},
	}, recordSave),
	define(catalog.Spec{
		Name: "record.ring", Tool: "record_ring", Summary: "Keep the last minute of the page in memory, or no longer.",
		Effect: catalog.Session, Needs: catalog.Page, Level: protocol.Observe,
		Positional: []string{"switch"},
		Faults:     []fault.Code{fault.NavigationInterrupted},
		Examples:   []catalog.Example{{Line: "record ring on"}, {Line: "record ring off"}},
	}, recordRing),
	define(catalog.Spec{
		Name: "record.status", Tool: "record_status", Summary: "Tell what of the page is being recorded.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe,
		Examples: []catalog.Example{{Line: "record status"}, {Line: "record status --output text"}},
	}, recordStatus),
}

type recordStartParams struct {
	Note        string `json:"note,omitempty" doc:"What it shows, for who gets the file."`
	MaxDuration int    `json:"maxDuration,omitempty" doc:"Seconds that are kept at most; the oldest goes first." min:"10" max:"3600" default:"600"`
	Bodies      string `json:"bodies,omitempty" doc:"Of requests: those that are text, 64 KiB each, or none." enum:"none,text" default:"text"`
}

type recordStatusResult struct {
	Recording bool     `json:"recording" doc:"Somebody asked for it."`
	By        string   `json:"by,omitempty" doc:"agent or person."`
	Seconds   float64  `json:"seconds,omitempty"`
	Entries   int      `json:"entries,omitempty" doc:"In the timeline so far."`
	Bytes     int      `json:"bytes,omitempty" doc:"In memory."`
	Ring      bool     `json:"ring" doc:"The last minute is kept."`
	Last      string   `json:"last,omitempty" doc:"The file written last."`
	Warnings  []string `json:"warnings,omitempty"`
}

func (r recordStatusResult) Text() string {
	var lines []string
	if r.Recording {
		lines = append(lines, fmt.Sprintf("recording for %.0f s (%s), %d in the timeline, %d KB; end it with: dbridge record stop", r.Seconds, r.By, r.Entries, r.Bytes/1024))
	} else {
		lines = append(lines, "not recording; begin with: dbridge record start")
	}
	if r.Ring {
		lines = append(lines, "the last minute is kept: dbridge record save")
	}
	if r.Last != "" {
		lines = append(lines, "written last: "+r.Last)
	}
	return strings.Join(append(lines, r.Warnings...), "\n")
}

// taping gives who records the command's page.
func (e *Env) taping() (*taping, error) {
	if r := tapingOf(e.Tab); r != nil {
		return r, nil
	}
	return nil, fault.New(fault.PageNotFound, "the page is gone").Suggest("dbridge page list")
}

func recordStart(ctx context.Context, env *Env, p *recordStartParams) (recordStatusResult, error) {
	r, err := env.taping()
	if err != nil {
		return recordStatusResult{}, err
	}
	artifacts := state.OpenArtifacts(env.Context.Artifacts())
	env.Dispatched()
	warnings, err := r.start(ctx, tapeStart{
		note: p.Note, age: time.Duration(p.MaxDuration) * time.Second, bodies: p.Bodies != "none",
		write: func(tape *recording.Tape) (string, error) { return writeTape(artifacts, tape, time.Time{}) },
	})
	if err != nil {
		return recordStatusResult{}, err
	}
	key := undoKey(env, "recording")
	env.Context.Undo(key, func(ctx context.Context) error { return r.abandon(ctx, false) })
	env.Did(protocol.EffectNoop, "")
	out := r.status()
	out.Warnings = warnings
	return out, nil
}

type recordMarkParams struct {
	Text string `json:"text" doc:"What there is to see."`
}

type recordMarkResult struct {
	Picture bool `json:"picture" doc:"There is a picture with it."`
}

func (r recordMarkResult) Text() string {
	if r.Picture {
		return "marked, with a picture"
	}
	return "marked, without a picture: that needs level control, or the tab in front"
}

func recordMark(ctx context.Context, env *Env, p *recordMarkParams) (recordMarkResult, error) {
	r, err := env.taping()
	if err != nil {
		return recordMarkResult{}, err
	}
	if !r.records() {
		return recordMarkResult{}, notRecording()
	}
	env.Dispatched()
	env.Did(protocol.EffectNoop, "")
	return recordMarkResult{r.mark(ctx, p.Text)}, nil
}

type recordStopParams struct {
	fileParams
	Note string `json:"note,omitempty" doc:"What it shows, for who gets the file; instead of the one given at the start."`
}

type recordSaveParams struct {
	fileParams
	Last int    `json:"last,omitempty" doc:"Seconds." min:"5" max:"60" default:"60"`
	Note string `json:"note,omitempty" doc:"What it shows, for who gets the file."`
}

type recordFileResult struct {
	Path     string         `json:"path"`
	Bytes    int64          `json:"bytes"`
	SHA256   string         `json:"sha256,omitempty"`
	Seconds  float64        `json:"seconds"`
	Counts   map[string]int `json:"counts" doc:"Entries of the timeline, by kind."`
	Redacted int            `json:"redacted" doc:"Texts in which secrets were masked."`
	LeftOut  map[string]int `json:"leftOut,omitempty"`
}

func (r recordFileResult) Text() string {
	var parts []string
	for _, kind := range []string{
		recording.KindAction, recording.KindNetwork, recording.KindConsole, recording.KindError, recording.KindState,
		recording.KindNavigation, recording.KindDialog, recording.KindDownload, recording.KindMark,
	} {
		if n := r.Counts[kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", kind, n))
		}
	}
	return fmt.Sprintf("%s %d bytes, %.0f s: %s\nlook at it with: dbridge record show %s", r.Path, r.Bytes, r.Seconds, strings.Join(parts, ", "), quoteArg(r.Path))
}

func recordStop(ctx context.Context, env *Env, p *recordStopParams) (recordFileResult, error) {
	r, err := env.taping()
	if err != nil {
		return recordFileResult{}, err
	}
	tape := r.running()
	if tape == nil {
		return recordFileResult{}, notRecording()
	}
	if p.Note != "" {
		tape.Note(p.Note)
	}
	env.Dispatched()
	r.gatherAll(ctx, tape)
	out, err := r.toFile(env, p.fileParams, tape, time.Time{})
	if err != nil {
		return out, err // the recording goes on
	}
	r.take()
	env.Context.Undo(undoKey(env, "recording"), nil)
	env.Did(protocol.EffectNoop, "")
	err = r.quiet(ctx)
	r.tell()
	return out, err
}

func recordSave(ctx context.Context, env *Env, p *recordSaveParams) (recordFileResult, error) {
	r, err := env.taping()
	if err != nil {
		return recordFileResult{}, err
	}
	ring := r.ringing()
	if ring == nil {
		return recordFileResult{}, noRing()
	}
	ring.Note(p.Note)
	env.Dispatched()
	env.Did(protocol.EffectNoop, "")
	r.gatherAll(ctx, ring)
	return r.toFile(env, p.fileParams, ring, time.Now().Add(-time.Duration(p.Last)*time.Second))
}

type recordRingParams struct {
	Switch string `json:"switch" doc:"on or off." enum:"on,off"`
}

func recordRing(ctx context.Context, env *Env, p *recordRingParams) (recordStatusResult, error) {
	r, err := env.taping()
	if err != nil {
		return recordStatusResult{}, err
	}
	env.Dispatched()
	env.Did(protocol.EffectNoop, "")
	if err := r.setRing(ctx, p.Switch == "on"); err != nil {
		return recordStatusResult{}, err
	}
	r.tell()
	return r.status(), nil
}

type recordStatusParams struct{}

func recordStatus(_ context.Context, env *Env, _ *recordStatusParams) (recordStatusResult, error) {
	r, err := env.taping()
	if err != nil {
		return recordStatusResult{}, err
	}
	out := r.status()
	// The last one may be of a page that is closed, or of a daemon before this one.
	files, _ := filepath.Glob(filepath.Join(env.Context.Artifacts(), "*", "recording-*.dbr"))
	var newest time.Time
	for _, file := range append(files, out.Last) {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(newest) {
			out.Last, newest = file, info.ModTime()
		}
	}
	return out, nil
}

func notRecording() *fault.Error {
	return fault.New(fault.TraceNotFound, "the page is not being recorded").Suggest("dbridge record start", "dbridge record save")
}

func noRing() *fault.Error {
	return fault.New(fault.TraceNotFound, "the last minute of this page is not kept").
		Suggest("dbridge record ring on", "Ask the person to add the site to the always-connect sites in the extension's options.")
}

// toFile writes a tape where a command's caller said, or to the artifacts.
func (r *taping) toFile(env *Env, p fileParams, tape *recording.Tape, since time.Time) (recordFileResult, error) {
	out, err := env.output(p, "recording", "dbr")
	if err != nil {
		return recordFileResult{}, err
	}
	defer out.Close() //nolint:errcheck // after Commit there is nothing left to fail
	manifest, err := tape.Write(out, since, time.Now())
	if err != nil {
		return recordFileResult{}, fault.From(err)
	}
	if err := out.commit(); err != nil {
		return recordFileResult{}, err
	}
	r.wrote(out.Path())
	return recordFileResult{
		Path: out.Path(), Bytes: out.Size(), SHA256: out.sum(), Seconds: manifest.Ended.Sub(manifest.Started).Seconds(),
		Counts: manifest.Counts, Redacted: manifest.Redacted, LeftOut: manifest.LeftOut,
	}, nil
}

// writeTape writes a tape to a folder of artifacts.
func writeTape(artifacts *state.Artifacts, tape *recording.Tape, since time.Time) (string, error) {
	out, err := artifacts.Create("recording", "dbr")
	if err != nil {
		return "", err
	}
	defer out.Close() //nolint:errcheck // after Commit there is nothing left to fail
	if _, err := tape.Write(out, since, time.Now()); err != nil {
		return "", err
	}
	if err := out.Commit(); err != nil {
		return "", err
	}
	return out.Path(), artifacts.Tidy()
}

// tapeStart says how to record.
type tapeStart struct {
	note   string
	age    time.Duration
	bodies bool
	person bool
	write  func(*recording.Tape) (string, error)
}

// start begins a recording. It warns of what it will not have.
func (r *taping) start(ctx context.Context, want tapeStart) (warnings []string, err error) {
	r.starting.Lock()
	defer r.starting.Unlock()
	if r.running() != nil {
		return nil, fault.New(fault.TraceAlreadyRunning, "the page is being recorded already").Suggest("dbridge record stop", "dbridge record status")
	}
	o := r.options()
	o.Note, o.Age = want.note, want.age
	tape := recording.NewTape(o, time.Now())
	info := r.tab.Info()
	switch stores, ok := r.tab.Keep(storesKey{}, nil).(*record); {
	case !ok:
	case info.Source != protocol.SourceExtension:
		stores.network.Begin()
	case !info.Level.Allows(protocol.Control):
		warnings = append(warnings, "requests are not recorded: that needs level control")
		tape.Left("requests: level "+string(info.Level), 1)
	default:
		if warning := r.tune(ctx, stores); warning != "" {
			warnings = append(warnings, warning)
			tape.Left("requests: no debugger", 1)
		}
	}
	r.mu.Lock()
	r.asked = &tapeRun{tape: tape, person: want.person, bodies: want.bodies, write: want.write}
	r.mu.Unlock()
	r.watch()
	if err := r.begin(ctx, tape); err != nil {
		r.take()
		_ = r.quiet(ctx) // it did not begin
		return nil, err
	}
	r.tell()
	return warnings, nil
}

// tune makes the person's Chrome tell of requests for as long as is recorded.
func (r *taping) tune(ctx context.Context, stores *record) (warning string) {
	stores.switching.Lock()
	defer stores.switching.Unlock()
	stores.mu.Lock()
	listens := stores.listens
	stores.mu.Unlock()
	if listens {
		return ""
	}
	if err := stores.tune(ctx); err != nil {
		return "requests are not recorded: " + fault.From(err).Message
	}
	r.mu.Lock()
	r.tuned = true
	r.mu.Unlock()
	return ""
}

// abandon ends the recording that was asked for, and writes what it has. With goOn it
// goes on where it cannot be written.
func (r *taping) abandon(ctx context.Context, goOn bool) error {
	tape := r.running()
	if tape == nil {
		return nil
	}
	r.gatherAll(ctx, tape)
	r.mu.Lock()
	run := r.asked
	if !goOn {
		r.asked = nil // whoever else ends it finds nothing
	}
	r.mu.Unlock()
	if run == nil {
		return nil
	}
	path, err := run.write(run.tape)
	if err != nil && goOn {
		return err
	}
	r.take()
	if err == nil {
		r.wrote(path)
	}
	if quiet := r.quiet(ctx); err == nil {
		err = quiet
	}
	r.tell()
	return err
}

// gatherAll brings what is on its way into the tapes.
func (r *taping) gatherAll(ctx context.Context, tape *recording.Tape) {
	asking, cancel := context.WithTimeout(ctx, tapeAsk)
	defer cancel()
	_ = r.tab.GatherNow(asking, false) // a page that is gone or hangs has told what it could
	r.pending(asking, tape.Begun())
	r.drain(tapeAsk)
}

func (r *taping) running() *recording.Tape {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked == nil {
		return nil
	}
	return r.asked.tape
}

func (r *taping) ringing() *recording.Tape {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ring
}

func (r *taping) records() bool { return r.running() != nil || r.ringing() != nil }

func (r *taping) wrote(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = path
}

func (r *taping) status() recordStatusResult {
	r.mu.Lock()
	run, ring, last := r.asked, r.ring != nil && r.gathering, r.last
	r.mu.Unlock()
	out := recordStatusResult{Ring: ring, Last: last}
	if run != nil {
		s := run.tape.Status()
		out.Recording, out.By, out.Seconds, out.Entries, out.Bytes = true, "agent", time.Since(run.tape.Begun()).Seconds(), s.Entries, s.Bytes
		if run.person {
			out.By = "person"
		}
	}
	return out
}

var _ page.Keeper = (*taping)(nil)
