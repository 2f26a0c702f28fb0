package command

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/recording"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// "Record a bug" in the extension's popup: the person's own recording. What it makes goes
// to the folder of recordings; agents see by `record status` that it runs, and where it went.

// popupAsk is what the popup sends with its request.
type popupAsk struct {
	Note string `json:"note"`
	Text string `json:"text"`
}

// popupState is what the popup is shown of a tab.
type popupState struct {
	TabID   int    `json:"tabId"`
	On      bool   `json:"on"`
	Person  bool   `json:"person"`          // who asked for it
	Since   int64  `json:"since,omitempty"` // ms since 1970
	Ring    bool   `json:"ring"`
	Path    string `json:"path,omitempty"` // of the file written last
	Warning string `json:"warning,omitempty"`
}

const maxNote = 2000

// attachPopup answers the popups.
func (s *Stores) attachPopup(pages *page.Manager) {
	for op, answer := range map[string]func(*Stores, context.Context, *taping, popupAsk) (popupState, error){
		"record.status": func(_ *Stores, _ context.Context, r *taping, _ popupAsk) (popupState, error) { return r.shown(), nil },
		"record.start":  (*Stores).popupStart,
		"record.mark":   (*Stores).popupMark,
		"record.stop":   (*Stores).popupStop,
		"record.save":   (*Stores).popupSave,
	} {
		pages.OnRequest(op, func(ctx context.Context, t *page.Tab, payload jsontext.Value) (any, error) {
			r := tapingOf(t)
			var ask popupAsk
			if err := decodeEvent(payload, &ask); err != nil || r == nil || len(ask.Note) > maxNote || len(ask.Text) > maxNote {
				return nil, fault.New(fault.ValidationError, "%s is not understood", op)
			}
			return answer(s, ctx, r, ask)
		})
	}
}

// folder is where the person's recordings go.
func (s *Stores) folder() (*state.Artifacts, error) {
	if s.Recordings == "" {
		return nil, fault.New(fault.FileAccessFailed, "there is no folder for recordings")
	}
	if err := state.MakeDir(s.Recordings); err != nil {
		return nil, err
	}
	return state.OpenArtifacts(s.Recordings), nil
}

func (s *Stores) popupStart(ctx context.Context, r *taping, ask popupAsk) (popupState, error) {
	artifacts, err := s.folder()
	if err != nil {
		return popupState{}, err
	}
	warnings, err := r.start(ctx, tapeStart{
		note: ask.Note, bodies: true, person: true,
		write: func(tape *recording.Tape) (string, error) { return writeTape(artifacts, tape, time.Time{}) },
	})
	out := r.shown()
	if len(warnings) > 0 {
		out.Warning = warnings[0]
	}
	return out, err
}

func (s *Stores) popupMark(ctx context.Context, r *taping, ask popupAsk) (popupState, error) {
	if !r.records() {
		return popupState{}, notRecording()
	}
	if ask.Text == "" {
		ask.Text = "Here"
	}
	r.mark(ctx, ask.Text)
	return r.shown(), nil
}

func (s *Stores) popupStop(ctx context.Context, r *taping, ask popupAsk) (popupState, error) {
	tape := r.running()
	if tape == nil {
		return r.shown(), notRecording()
	}
	if ask.Note != "" {
		tape.Note(ask.Note)
	}
	if err := r.abandon(ctx, true); err != nil {
		return r.shown(), err
	}
	return r.shown(), nil
}

func (s *Stores) popupSave(ctx context.Context, r *taping, ask popupAsk) (popupState, error) {
	ring := r.ringing()
	if ring == nil {
		return popupState{}, noRing()
	}
	artifacts, err := s.folder()
	if err != nil {
		return popupState{}, err
	}
	ring.Note(ask.Note)
	r.gatherAll(ctx, ring)
	path, err := writeTape(artifacts, ring, time.Now().Add(-recording.RingAge))
	if err != nil {
		return popupState{}, err
	}
	r.wrote(path)
	return r.shown(), nil
}

// shown is what a popup is told.
func (r *taping) shown() popupState {
	id := r.tab.TabID()
	r.mu.Lock()
	defer r.mu.Unlock()
	out := popupState{TabID: id, Ring: r.ring != nil && r.gathering, Path: r.last}
	if r.asked != nil {
		out.On, out.Person, out.Since = true, r.asked.person, r.asked.tape.Begun().UnixMilli()
	}
	return out
}

// tell tells the extension of a change, for the badge.
func (r *taping) tell() {
	if r.tab.Info().Source != protocol.SourceExtension {
		return
	}
	_ = r.tab.Browser().Notify("recording", r.shown()) // a browser that is away is told when it asks
}
