package command

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/capture"
	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var observeCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "observe.find", Tool: "find", Summary: "Find elements by text, role or name: the cheap way to a ref.",
		Long:   "Looks at names, texts, values and addresses in all frames and tells the matches only, each with the row or landmark it is in. Where nothing matches it tells what is nearest.",
		Effect: catalog.Read, Needs: catalog.Page, Level: protocol.Observe,
		Positional: []string{"text"},
		Examples: []catalog.Example{
			{Line: "observe find Save", Note: "whatever says Save"},
			{Line: "observe find --role link --limit 5", Note: "the first five links"},
			{Line: "observe find --regex 'Sav(e|ing)' --role button"},
		},
	}, observeFind),
}

type findParams struct {
	Text  string `json:"text,omitempty" doc:"Part of a name, text, value or address, in any case."`
	Role  string `json:"role,omitempty" doc:"Role, such as button, link, textbox, heading."`
	Name  string `json:"name,omitempty" doc:"Part of the accessible name."`
	Regex string `json:"regex,omitempty" doc:"Regular expression instead of text; any case."`
	Limit int    `json:"limit,omitempty" doc:"Most matches told." default:"20" min:"1" max:"500"`
}

type findResult struct {
	Matches []capture.Match `json:"matches"`
	Total   int             `json:"total,omitempty" doc:"All matches, where more than told."`
	Near    []capture.Match `json:"near,omitempty" doc:"What is nearest, where nothing matches."`
}

func (r findResult) Text() string {
	var lines []string
	for i := range r.Matches {
		lines = append(lines, r.Matches[i].Line())
	}
	if r.Total > len(r.Matches) {
		lines = append(lines, fmt.Sprintf("… %d more (--limit)", r.Total-len(r.Matches)))
	}
	if len(r.Matches) == 0 {
		lines = append(lines, "nothing matches")
		if len(r.Near) > 0 {
			lines[0] += "; nearest:"
		}
		for i := range r.Near {
			lines = append(lines, r.Near[i].Line())
		}
	}
	return strings.Join(lines, "\n")
}

func observeFind(ctx context.Context, env *Env, p *findParams) (findResult, error) {
	query := &capture.Query{Text: strings.TrimSpace(p.Text), Role: strings.ToLower(p.Role), Name: p.Name}
	reading := page.OutlineOptions{Text: wholeText, Match: query.Text}
	switch {
	case p.Regex != "" && p.Text != "":
		return findResult{}, problem("give text or --regex, not both").Suggest("dbridge observe find --regex '" + p.Regex + "'")
	case p.Regex != "":
		pattern, err := regexp.Compile("(?i)" + p.Regex)
		if err != nil {
			return findResult{}, problem("--regex cannot be read: %v", err).Suggest("dbridge observe find --regex 'Sav(e|ing)'")
		}
		query.Regex, reading.Regex = pattern, p.Regex
	case query.Text == "" && p.Role == "" && p.Name == "":
		return findResult{}, problem("say what to find: text, --role, --name or --regex").Suggest("dbridge observe find Save", "dbridge observe find --role button")
	case query.Text == "":
		reading.Match = p.Name
	}
	outline, err := env.Tab.Outline(ctx, reading)
	if err != nil {
		return findResult{}, err
	}
	found := capture.Find(outline, query, p.Limit)
	out := findResult{Matches: found.Matches, Near: found.Near}
	if out.Matches == nil {
		out.Matches = []capture.Match{}
	}
	if found.Total > len(found.Matches) {
		out.Total = found.Total
	}
	return out, nil
}
