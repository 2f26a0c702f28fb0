package command

import (
	"context"
	"strconv"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/overlay"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

type elementHighlightParams struct {
	Target  string   `json:"target,omitempty" doc:"Ref (e12), role and name (button \"Save\"), CSS selector, or text."`
	Frame   string   `json:"frame,omitempty" doc:"Look in this frame only (f1)."`
	Off     bool     `json:"off,omitempty" doc:"Take the box away."`
	Ask     string   `json:"ask,omitempty" doc:"Ask the person this, and wait for their answer; then the box goes."`
	Choices []string `json:"choices,omitempty" doc:"With ask: buttons instead of Done."`
}

type elementHighlightResult struct {
	actionResult
	Person *asked `json:"person,omitempty" doc:"With ask: what they said."`

	wait func(context.Context) (asked, error)
}

func (r elementHighlightResult) Text() string {
	if r.Person != nil {
		return r.Person.Text()
	}
	return r.actionResult.Text()
}

// finish waits for the person, outside of the page's turn.
func (r elementHighlightResult) finish(ctx context.Context) (any, error) {
	if r.wait == nil {
		return r, nil
	}
	said, err := r.wait(ctx)
	if err != nil {
		return nil, err
	}
	r.Person, r.wait = &said, nil
	return r, nil
}

func elementHighlight(ctx context.Context, env *Env, p *elementHighlightParams) (elementHighlightResult, error) {
	if (p.Target == "") != p.Off || p.Off && p.Ask != "" || p.Ask == "" && len(p.Choices) > 0 {
		return elementHighlightResult{}, problem("give a target, or --off; choices go with a question").Suggest("dbridge element highlight e5", "dbridge element highlight --off")
	}
	// Only the answer may take minutes; the element is to be found in the time of an action.
	ctx, cancel := context.WithTimeout(ctx, actTimeout)
	defer cancel()
	done := elementHighlightResult{actionResult: actionResult{Effect: protocol.EffectNoop}}
	var err error
	switch {
	case p.Off:
		done.verb = "highlight off"
		err = unmark(ctx, env)
	case p.Ask != "":
		done.verb = "asked about " + p.Target
		done.wait, err = markAndAsk(ctx, env, p)
	default:
		done.verb = "highlighted " + p.Target
		err = highlight(ctx, env, p)
	}
	if err != nil {
		return elementHighlightResult{}, err
	}
	return done, nil
}

func highlightKey(env *Env) string { return "highlight " + strconv.Itoa(env.Tab.PageID()) }

func hideHighlight(ctx context.Context, tab *page.Tab, session string) error {
	return tab.Session(session).Call(ctx, overlay.CommandHideHighlight, nil, nil)
}

// unmark takes away what is drawn, by whichever lane.
func unmark(ctx context.Context, env *Env) error {
	env.Did(protocol.EffectNoop, "cdp")
	env.Context.Undo(highlightKey(env), nil)
	if err := highlightOff(ctx, env); err != nil { // of a diagnosis
		return err
	}
	if !env.Tab.Trusted() {
		return nil
	}
	return hideHighlight(ctx, env.Tab, "")
}

func highlight(ctx context.Context, env *Env, p *elementHighlightParams) error {
	if !env.Tab.Trusted() {
		return fault.New(fault.CapabilityMissing, "highlighting needs the debugger").With("level", protocol.Control).
			Suggest("Ask the person to connect the tab at level control.")
	}
	env.Did(protocol.EffectNoop, "cdp")
	aim, err := target(p.Target)
	if err != nil {
		return err
	}
	node, err := env.Tab.Node(ctx, aim, p.Frame)
	if err != nil {
		return advise(err, p.Target)
	}
	session := env.Tab.Session(node.Session)
	for _, method := range []string{dom.CommandEnable, overlay.CommandEnable} {
		if err := session.Call(ctx, method, nil, nil); err != nil {
			return err
		}
	}
	params := map[string]any{"objectId": node.ObjectID, "highlightConfig": map[string]any{
		"showInfo": true, "showAccessibilityInfo": true,
		"contentColor": map[string]any{"r": 111, "g": 168, "b": 220, "a": 0.55},
		"paddingColor": map[string]any{"r": 147, "g": 196, "b": 125, "a": 0.4},
		"borderColor":  map[string]any{"r": 255, "g": 120, "b": 0, "a": 0.9},
	}}
	if err := session.Call(ctx, overlay.CommandHighlightNode, params, nil); err != nil {
		return err
	}
	tab := env.Tab
	env.Context.Undo(highlightKey(env), func(ctx context.Context) error { return hideHighlight(ctx, tab, node.Session) })
	return nil
}

// askLabel stands at the element that the person is asked about.
const askLabel = "an agent asks about this"

// markAndAsk draws a box by the page's bridge, which needs no debugger, and gives what asks.
func markAndAsk(ctx context.Context, env *Env, p *elementHighlightParams) (func(context.Context) (asked, error), error) {
	env.Did(protocol.EffectNoop, "bridge")
	aim, err := target(p.Target)
	if err != nil {
		return nil, err
	}
	m, err := env.Tab.Measure(ctx, aim, p.Frame)
	if err != nil {
		return nil, advise(err, p.Target)
	}
	env.Context.Undo(drawingKey(env.Tab), env.Tab.HighlightOff)
	if err := env.Tab.Highlight(ctx, m, []page.Mark{{Node: m.Snapshot.Target, Label: askLabel, Kind: "info"}}, true); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (asked, error) {
		said, err := env.askPerson(ctx, env.Tab, p.Ask, p.Choices)
		over, cancel := context.WithTimeout(context.WithoutCancel(ctx), actTimeout)
		defer cancel()
		_ = highlightOff(over, env) // gone with its document, perhaps
		return said, err
	}, nil
}
