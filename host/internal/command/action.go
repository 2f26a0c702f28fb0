package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// What the commands that act on elements share: who is meant, how long to wait, what is
// told afterwards, and what a fault advises.

// actTimeout is the default time limit of an action: five seconds for the element to be
// ready, the rest for what comes of it.
const actTimeout = 8 * time.Second

// aimed are the parameters that name an element.
type aimed struct {
	Target string `json:"target" doc:"Ref (e12), role and name (button \"Save\"), CSS selector, or text."`
	Frame  string `json:"frame,omitempty" doc:"Look in this frame only (f1)."`
}

// actionResult is what an action answers.
type actionResult struct {
	Ref     string   `json:"ref,omitempty"`
	Role    string   `json:"role,omitempty"`
	Name    string   `json:"name,omitempty"`
	Effect  string   `json:"effect" doc:"changed, noop, navigated or unknown."`
	Value   any      `json:"value,omitempty" doc:"What the field holds, where it is not what was asked for."`
	Checked *bool    `json:"checked,omitempty"`
	Values  []string `json:"values,omitempty" doc:"What is chosen now."`
	After   *after   `json:"after,omitempty" doc:"What came of it."`

	verb string
}

// after is page.After, with the page that the action opened and what changed, in words.
type after struct {
	page.After
	NewPage *newPage `json:"newPage,omitempty"`
	Changes []string `json:"changes,omitempty" doc:"What changed in the page, the most telling first. Page text."`
	State   []string `json:"state,omitempty" doc:"What changed in its stores. Page text."`
	Cause   string   `json:"cause,omitempty" doc:"Give it to observe.cause for all of it."`
}

type newPage struct {
	PageID int    `json:"pageId,omitempty" doc:"Give it to --page."`
	URL    string `json:"url"`
}

// Text is a line, and one for each change of the page or its state.
func (r actionResult) Text() string {
	parts := []string{strings.TrimSpace(r.verb + " " + named(r.Role, r.Name, r.Ref)), r.Effect}
	if r.Value != nil {
		parts = append(parts, fmt.Sprintf("holds %q", fmt.Sprint(r.Value)))
	}
	if len(r.Values) > 0 {
		parts = append(parts, "chosen: "+strings.Join(r.Values, ", "))
	}
	var next string
	if a := r.After; a != nil {
		parts = append(parts, a.parts()...)
		for _, line := range slices.Concat(a.Changes, a.State) {
			next += "\n" + line
		}
		if d := a.Dialog; d != nil {
			next += fmt.Sprintf("\n%s %q waits: dbridge dialog handle --accept | --dismiss", d.Kind, d.Message)
		}
	}
	return strings.Join(parts, " · ") + next
}

func (a *after) parts() []string {
	var parts []string
	add := func(on bool, format string, args ...any) {
		if on {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add(a.URL != "", "now at %s", a.URL)
	add(a.Loading != "", "still loading %s", a.Loading)
	if p := a.NewPage; p != nil {
		add(p.PageID != 0, "opened page %d %s", p.PageID, p.URL)
		add(p.PageID == 0, "opened a page that is not connected: %s", p.URL)
	}
	if f := a.Focused; f != nil {
		add(true, "focus on %s", named(f.Role, f.Name, f.Ref))
	}
	add(a.Requests > 0, "%s", counted(a.Requests, "request"))
	add(a.Failed > 0, "%d failed", a.Failed)
	add(a.Pending > 0, "%d pending", a.Pending)
	add(a.Download != "", "download %q", a.Download)
	for _, line := range a.Errors {
		add(true, "console error: %s", line)
	}
	add(a.Cause != "", "cause %s", a.Cause)
	return parts
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// named writes an element as snapshots do: button "Save" e12.
func named(role, name, ref string) string {
	var parts []string
	if role != "" {
		parts = append(parts, role)
	}
	if name != "" {
		parts = append(parts, fmt.Sprintf("%q", cutText(name, 80)))
	}
	if ref != "" {
		parts = append(parts, ref)
	}
	return strings.Join(parts, " ")
}

// patience is how long the element may take to be ready, of the time that the command has.
func patience(ctx context.Context) time.Duration {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 5 * time.Second
	}
	return time.Until(deadline) * 5 / 8
}

// deed runs an action on an element and tells of it.
func (e *Env) deed(ctx context.Context, verb string, p aimed, run func(target protocol.Target, wait time.Duration) (page.Did, error)) (actionResult, error) {
	aim, err := target(p.Target)
	if err != nil {
		return actionResult{}, err
	}
	return e.tell(ctx, verb, p.Target, func() (page.Did, error) { return run(aim, patience(ctx)) })
}

// tell runs an action and makes its answer of what it did.
func (e *Env) tell(ctx context.Context, verb, word string, run func() (page.Did, error)) (actionResult, error) {
	address := e.Tab.Info().URL
	known := e.pages()
	did, err := run()
	e.Did(did.Effect, did.Via)
	if err != nil {
		return actionResult{}, advise(err, word)
	}
	out := actionResult{Ref: did.Ref, Role: did.Role, Name: did.Name, Effect: did.Effect, verb: verb}
	if checked, ok := did.Value["checked"].(bool); ok {
		out.Checked = &checked
	}
	a := after{After: did.After}
	a.URL, a.Loading = here(address, a.URL), here(address, a.Loading)
	if did.After.Popup != "" {
		a.NewPage = e.opened(ctx, known, did.After.Popup)
		a.NewPage.URL = here(address, a.NewPage.URL)
	}
	e.join(&a, did)
	if a.Requests+a.Mutations+a.Pending+len(a.Errors)+len(a.Changes)+len(a.State) > 0 || a.URL+a.Loading+a.Download != "" || a.Dialog != nil || a.Focused != nil || a.NewPage != nil {
		out.After = &a
	}
	return out, nil
}

// pages are the numbers of the context's pages.
func (e *Env) pages() map[int]bool {
	known := map[int]bool{}
	for _, t := range e.Context.Tabs() {
		known[t.PageID()] = true
	}
	return known
}

// popupWait is how long a page that an action opened may take to be connected; one in
// the user's own Chrome never is, until the person connects it.
const popupWait = 700 * time.Millisecond

// opened finds the page that an action opened.
func (e *Env) opened(ctx context.Context, known map[int]bool, url string) *newPage {
	found := &newPage{URL: url}
	if e.Tab.Info().Source == protocol.SourceExtension {
		return found
	}
	ctx, cancel := context.WithTimeout(ctx, popupWait)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, t := range e.Context.Tabs() {
			if !known[t.PageID()] {
				found.PageID = t.PageID()
				return found
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return found
		}
	}
}

// advise makes a fault of an element short, with the next step.
func advise(err error, word string) error {
	var failure *fault.Error
	if !errors.As(err, &failure) {
		return err
	}
	candidates, _ := failure.Details["candidates"].([]any)
	lines, refs := listed(candidates)
	if candidates != nil {
		delete(failure.Details, "candidates")
		if len(lines) > 0 {
			failure.With("candidates", lines)
		}
	}
	delete(failure.Details, "target")
	delete(failure.Details, "bounds")
	switch failure.Code {
	case fault.ElementNotFound:
		failure.Message = fmt.Sprintf("nothing matches %s", word)
		if options, ok := failure.Details["options"].([]any); ok {
			failure.Message = fmt.Sprintf("the list has no such option; it has: %s", joined(options))
		} else if len(lines) > 0 {
			failure.Message += "; near it: " + strings.Join(lines, ", ")
		}
		failure.Suggest(append(clicks(refs), "dbridge observe find "+shell(plainWord(word)), "dbridge capture snapshot --interactive-only")...)
	case fault.TargetAmbiguous:
		failure.Message = fmt.Sprintf("%s matches %s", word, strings.Join(lines, ", "))
		failure.Suggest(append(clicks(refs), "dbridge observe find "+shell(plainWord(word)))...)
	case fault.TargetObscured:
		if cover, ok := failure.Details["coveredBy"].(map[string]any); ok {
			role, _ := cover["role"].(string)
			name, _ := cover["name"].(string)
			by, _ := cover["ref"].(string)
			failure.Details["coveredBy"] = named(role, name, by)
			failure.Message = fmt.Sprintf("%s is covered by %s", word, named(role, name, by))
			failure.Suggest("dbridge capture snapshot --root "+by, "dbridge input key Escape")
		}
	case fault.TargetStale:
		from, _ := failure.Details["from"].(map[string]any)
		name, _ := from["name"].(string)
		role, _ := from["role"].(string)
		if name != "" {
			failure.Suggest("dbridge observe find " + shell(name) + roleFlag(role))
		} else {
			failure.Suggest("dbridge capture snapshot --interactive-only")
		}
	case fault.TargetNotInteractable, fault.TargetOutOfView, fault.ActionNoEffect:
		if word != "" {
			failure.Suggest("dbridge capture snapshot --root "+shell(word), "dbridge layout styles "+shell(word))
		}
	case fault.ValidationError:
		if failure.Details["check"] != nil { // of a value, by the page bridge
			failure.Suggest("dbridge element fill --help")
		}
	case fault.DialogBlocking:
		failure.Suggest("dbridge dialog handle --accept", "dbridge dialog handle --dismiss")
	}
	return failure
}

func roleFlag(role string) string {
	if role == "" || role == "generic" {
		return ""
	}
	return " --role " + role
}

// listed writes candidates as lines, and gives their refs.
func listed(candidates []any) (lines, refs []string) {
	for i, c := range candidates {
		fields, ok := c.(map[string]any)
		if !ok || i == 5 {
			break
		}
		role, _ := fields["role"].(string)
		name, _ := fields["name"].(string)
		ref, _ := fields["ref"].(string)
		lines, refs = append(lines, named(role, name, ref)), append(refs, ref)
	}
	return lines, refs
}

// clicks are suggestions that use the first refs.
func clicks(refs []string) []string {
	var list []string
	for _, ref := range refs[:min(len(refs), 2)] {
		list = append(list, "dbridge element click "+ref)
	}
	return list
}

func joined(list []any) string {
	words := make([]string, len(list))
	for i, item := range list {
		words[i] = fmt.Sprint(item)
	}
	return strings.Join(words, ", ")
}

// plainWord is what to look for when a target was not found: its name or text.
func plainWord(word string) string {
	aim, err := target(word)
	if err != nil {
		return word
	}
	for _, text := range []string{aim.Name, aim.Text, aim.StableID} {
		if text != "" {
			return text
		}
	}
	return strings.Trim(word, "#.[]")
}

// shell quotes a word for a shell.
func shell(word string) string {
	if word != "" && strings.IndexFunc(word, func(r rune) bool {
		return !(r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	}) < 0 && word[0] != '-' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
