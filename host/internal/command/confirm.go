package command

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Confirmations is the guard that has the person asked before what the policy lists under
// confirm. What a press or a key would set off is asked of the page beforehand; what could
// set off anything, such as a script, is refused where there is something to ask.
type Confirmations struct {
	// Policy gives the policy of now.
	Policy func() (*policy.Policy, error)
}

// The acts of policy.Acts.
const (
	actUpload   = "upload"
	actDownload = "download"
	actSubmit   = "submit"
)

// Before asks the person, where that is needed.
func (c Confirmations) Before(ctx context.Context, d *guard.Deed) (func(guard.Outcome), error) {
	judge, ok := judges[d.Command]
	tab, is := d.Page.(*page.Tab)
	if !ok || !is {
		return nil, nil
	}
	rules, err := c.Policy()
	if err != nil {
		return nil, err
	}
	if !rules.Asks() {
		return nil, nil
	}
	var listed []string
	for _, address := range append(tab.Addresses(), goingTo(d)...) {
		listed = append(listed, rules.Confirms(address)...)
	}
	if len(listed) == 0 {
		return nil, nil
	}
	wanted, err := judge(ctx, tab, d)
	if err != nil {
		return nil, err
	}
	for _, ask := range wanted {
		if !slices.Contains(listed, ask.Act) {
			continue
		}
		ask.Agent, ask.Site = cmp.Or(d.Caller.Agent, d.Caller.AnchorName, d.Agent), policy.SiteOf(d.URL).String()
		if err := tab.Confirm(ctx, ask); err != nil {
			return nil, err
		}
		d.Note("confirmed " + ask.Act)
	}
	return nil, nil
}

// judge says what a deed would do that can be asked about.
type judge func(ctx context.Context, tab *page.Tab, d *guard.Deed) ([]guard.Ask, error)

// judges are the deeds that can upload, download or submit.
var judges = map[string]judge{
	"element.upload": ofUpload,

	"element.click": ofTarget, "element.drag": ofTarget, "click": ofTarget, "type": ofTarget,
	"input.click": ofPlace, "input.mouse-down": ofPlace, "input.mouse-up": ofPlace, "input.drag": ofPlace,
	"input.key": ofKeys, "input.type": ofKeys,

	"runtime.eval": unforeseen, "runtime.logpoint": unforeseen, "page.wait-function": unforeseen, "evaluate": unforeseen,
	"cdp.send": unforeseen, "cdp_request": unforeseen, "tools.call": unforeseen, "state.set": unforeseen, "state.dispatch": unforeseen,
	"network.mock": unforeseen, "page.navigate": ofNavigation,
}

// goingTo is where a deed leads, where it brings a script along.
func goingTo(d *guard.Deed) []string {
	p, ok := d.Params.(*pageNavigateParams)
	if !ok || p.InitScript == "" {
		return nil
	}
	to, err := addressOf(p.URL, d.URL)
	if err != nil {
		return nil // the command says so
	}
	return []string{to}
}

func ofNavigation(ctx context.Context, tab *page.Tab, d *guard.Deed) ([]guard.Ask, error) {
	if p, ok := d.Params.(*pageNavigateParams); ok && p.InitScript != "" {
		return unforeseen(ctx, tab, d)
	}
	return nil, nil
}

// unforeseen refuses what may do anything at a site where the person is to be asked.
func unforeseen(_ context.Context, _ *page.Tab, d *guard.Deed) ([]guard.Ask, error) {
	return nil, fault.New(fault.PolicyDenied, "%s could do what the person is to be asked about at this site, without being asked", d.Command).
		With("reason", "unforeseen").With("site", policy.SiteOf(d.URL).String()).
		Suggest("Use what can be foreseen: dbridge element click, element fill, input key.", "dbridge policy show")
}

func ofUpload(ctx context.Context, tab *page.Tab, d *guard.Deed) ([]guard.Ask, error) {
	p, ok := d.Params.(*elementUploadParams)
	if !ok {
		return unforeseen(ctx, tab, d)
	}
	names := make([]string, len(p.Files))
	for i, file := range p.Files {
		names[i] = filepath.Base(file)
	}
	return []guard.Ask{{Act: actUpload, What: strings.Join(names, ", ")}}, nil
}

// foreseen asks the page, and says what would be done in words.
func foreseen(ctx context.Context, tab *page.Tab, target *protocol.Target, frame, deed string, command map[string]any) ([]guard.Ask, error) {
	would, err := tab.Foresee(ctx, target, frame, command)
	if err != nil {
		return nil, err
	}
	what := deed
	if would.Role != "" || would.Name != "" {
		what += ": " + named(would.Role, would.Name, "")
	}
	var asks []guard.Ask
	if would.Submit {
		asks = append(asks, guard.Ask{Act: actSubmit, What: what})
	}
	if would.Download {
		asks = append(asks, guard.Ask{Act: actDownload, What: what})
	}
	return asks, nil
}

// anything is asked where keys move the focus before they press.
func anything(deed string) []guard.Ask {
	return []guard.Ask{{Act: actSubmit, What: deed}, {Act: actDownload, What: deed}}
}

func ofTarget(ctx context.Context, tab *page.Tab, d *guard.Deed) ([]guard.Ask, error) {
	aimedAt := func(word, frame string, command map[string]any) ([]guard.Ask, error) {
		aim, err := target(word)
		if err != nil {
			return nil, err
		}
		asks, err := foreseen(ctx, tab, &aim, frame, "a click", command)
		return asks, advise(err, word)
	}
	switch p := d.Params.(type) {
	case *elementClickParams:
		command := map[string]any{}
		if p.X != nil || p.Y != nil {
			command["offset"] = offset(p.X, p.Y)
		}
		return aimedAt(p.Target, p.Frame, command)
	case *elementDragParams:
		return aimedAt(p.Target, p.Frame, map[string]any{})
	case *protocol.ClickParams:
		return foreseen(ctx, tab, &p.Target, "", "a click", map[string]any{})
	case *protocol.TypeParams:
		if !strings.ContainsAny(p.Text, "\r\n") {
			return nil, nil
		}
		return foreseen(ctx, tab, &p.Target, "", "Enter", map[string]any{"key": "Enter"})
	}
	return unforeseen(ctx, tab, d)
}

func ofPlace(ctx context.Context, tab *page.Tab, d *guard.Deed) ([]guard.Ask, error) {
	at := func(x, y float64) ([]guard.Ask, error) {
		return foreseen(ctx, tab, nil, "", "a click", map[string]any{"x": x, "y": y})
	}
	switch p := d.Params.(type) {
	case *inputClickParams:
		return at(p.X, p.Y)
	case *inputButtonParams:
		x, y := 0.0, 0.0
		if pointer, ok := tab.Keep(pointerKey{}, nil).(*pointerState); ok {
			x, y = pointer.x, pointer.y
		}
		if p.X != nil {
			x = *p.X
		}
		if p.Y != nil {
			y = *p.Y
		}
		return at(x, y)
	case *inputDragParams:
		return at(p.ToX, p.ToY)
	}
	return unforeseen(ctx, tab, d)
}

// ofKeys judges keys where the focus is.
func ofKeys(ctx context.Context, tab *page.Tab, d *guard.Deed) ([]guard.Ask, error) {
	var keys []string
	add := func(chord page.Chord) {
		switch {
		case slices.Contains(chord.Modifiers, "Alt"): // an access key presses what the page likes
			keys = append(keys, "Tab", "Enter")
		case chord.Key.Key == "Enter", chord.Key.Key == " ", chord.Key.Key == "Tab":
			keys = append(keys, chord.Key.Key)
		}
	}
	switch p := d.Params.(type) {
	case *inputKeyParams:
		chord, err := page.ParseChord(p.Key)
		if err != nil {
			return nil, err
		}
		add(chord)
	case *inputTypeParams:
		for _, c := range p.Text {
			switch c {
			case '\n', '\r':
				keys = append(keys, "Enter")
			case '\t':
				keys = append(keys, "Tab")
			case ' ':
				keys = append(keys, " ")
			}
		}
		if p.SubmitKey != "" {
			chord, err := page.ParseChord(p.SubmitKey)
			if err != nil {
				return nil, err
			}
			add(chord)
		}
	default:
		return unforeseen(ctx, tab, d)
	}
	return pressed(ctx, tab, keys)
}

// pressed judges keys by the element that has the focus; once they move it, by none.
func pressed(ctx context.Context, tab *page.Tab, keys []string) ([]guard.Ask, error) {
	var asks []guard.Ask
	keys = slices.Compact(keys)
	for i, key := range keys {
		if key == "Tab" {
			if i < len(keys)-1 {
				return anything("keys that move the focus and press"), nil
			}
			break
		}
		word := key
		if key == " " {
			word = "Space"
		}
		more, err := foreseen(ctx, tab, nil, "", word, map[string]any{"key": key})
		if err != nil {
			return nil, err
		}
		asks = append(asks, more...)
	}
	slices.SortFunc(asks, func(a, b guard.Ask) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return slices.Compact(asks), nil
}
