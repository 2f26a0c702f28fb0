package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// askTime is how long a person is waited for when nobody says otherwise: they may have to
// find their telephone.
const askTime = 5 * time.Minute

var askCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "page.ask-human", Tool: "ask_human", Summary: "Ask the person in front of the page, and wait for their answer.",
		Long:   "For what only they can do: a captcha, a second factor, a decision. A panel in a corner of the page shows the text, a field and the buttons Done and Can't. It takes no focus, other commands go on meanwhile, and a page that navigates shows it again.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe, Positional: []string{"text"}, Timeout: askTime,
		Faults: []fault.Code{fault.Timeout, fault.NotConnected},
		Examples: []catalog.Example{
			{Line: `page ask-human "Please solve the captcha, then press Done." --timeout 600000`},
			{Line: `page ask-human "Which account shall I use?" --choices work,private`, Note: "buttons of your own"},
		},
	}, pageAskHuman),
	pickedCommand,
}

type askParams struct {
	Text    string   `json:"text" doc:"What the person is to do or to decide; up to 2000 characters."`
	Choices []string `json:"choices,omitempty" doc:"Buttons instead of Done; a comma between several, up to 8."`
	Front   bool     `json:"front,omitempty" doc:"Bring the page to the front first."`
}

// asked is what a person said.
type asked struct {
	Answer string `json:"answer" doc:"done, choice, or cannot."`
	Choice string `json:"choice,omitempty" doc:"The button that they pressed."`
	Words  string `json:"words,omitempty" doc:"What they wrote."`
	URL    string `json:"url" doc:"Where the page is now. Page text."`
	WaitMs int64  `json:"waitedMs"`
}

func (r asked) Text() string {
	said := map[string]string{"done": "done", "cannot": "the person can't", "choice": fmt.Sprintf("they chose %q", r.Choice)}[r.Answer]
	if r.Words != "" {
		said += fmt.Sprintf(", and wrote: %q", r.Words)
	}
	return fmt.Sprintf("%s (after %.0f s, at %s)\nnext: dbridge capture snapshot --output text", said, time.Duration(r.WaitMs*1e6).Seconds(), r.URL)
}

// askResult is asked, or what waits for it when the page's turn is over: it may take minutes.
type askResult struct {
	asked
	wait func(context.Context) (asked, error)
}

func (r askResult) finish(ctx context.Context) (any, error) { return r.wait(ctx) }

func pageAskHuman(ctx context.Context, env *Env, p *askParams) (askResult, error) {
	if p.Front {
		if _, err := env.Tab.Link(ctx, "tabs.activate", nil); err != nil {
			return askResult{}, err
		}
	}
	return askResult{wait: func(ctx context.Context) (asked, error) { return env.askPerson(ctx, env.Tab, p.Text, p.Choices) }}, nil
}

const (
	maxAskText   = 2000
	maxAskChoice = 80
	maxChoices   = 8
)

// askPerson asks and waits until the command's time is over.
func (e *Env) askPerson(ctx context.Context, tab *page.Tab, text string, given []string) (asked, error) {
	var choices []string
	for _, list := range given {
		for choice := range strings.SplitSeq(list, ",") {
			if choice = strings.TrimSpace(choice); choice != "" {
				choices = append(choices, choice)
			}
		}
	}
	switch text = strings.TrimSpace(text); {
	case text == "" || len(text) > maxAskText:
		return asked{}, problem("the text must have 1 to %d bytes", maxAskText).Suggest(`dbridge page ask-human "Please sign in, then press Done."`)
	case len(choices) > maxChoices:
		return asked{}, problem("a person is given %d choices at most", maxChoices).Suggest("Ask in two steps, or leave the choices out: they can write.")
	}
	for _, choice := range choices {
		if len(choice) > maxAskChoice {
			return asked{}, problem("a choice has %d bytes at most", maxAskChoice).Suggest("Say it in the text; the choice is what stands on the button.")
		}
	}
	start := time.Now()
	waiting, cancel := sayTime(ctx)
	defer cancel()
	e.Say("the page asks the person; waiting for their answer")
	reply, err := tab.AskPerson(waiting, page.Question{Text: text, Choices: choices})
	info := tab.Info()
	switch {
	case err == nil:
		return asked{Answer: reply.Answer, Choice: reply.Choice, Words: reply.Words, URL: info.URL, WaitMs: waitedIn(start)}, nil
	case waiting.Err() == context.DeadlineExceeded:
		return asked{}, fault.New(fault.Timeout, "the person did not answer within %d ms", waitedIn(start)).With("reason", "no_answer").With("url", info.URL).
			Suggest("Give them more time: --timeout 600000", "Bring the page to the front: dbridge page ask-human TEXT --front")
	case waiting.Err() != nil:
		return asked{}, fault.New(fault.Cancelled, "the question was taken back before the person answered").With("reason", "cancelled")
	}
	return asked{}, err
}

// later is the result of a command that goes on when its turn is over: others may act on
// the page meanwhile.
type later interface {
	// finish gives the whole result.
	finish(ctx context.Context) (any, error)
}
