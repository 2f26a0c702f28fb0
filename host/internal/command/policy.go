package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

var policyCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "policy.show", Summary: "Show the policy file: sites, levels, switches, what is asked of the person.",
		Long:   "The file is policy.toml beside config.toml, and the person's: dbridge writes nothing into it. Without it all is permitted that a consent reaches.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Local: true,
		Faults:   []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{{Line: "policy show"}, {Line: "policy show --output text"}},
	}, policyShow),
	define(catalog.Spec{
		Name: "policy.check", Summary: "Check the policy file; with an address, tell what agents may do there.",
		Long:   "A file with a mistake is VALIDATION_ERROR with its line. While the file has one, every command is refused.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Local: true, Positional: []string{"url"},
		Faults: []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{
			{Line: "policy check"},
			{Line: "policy check https://shop.example/cart", Note: "what is permitted there"},
		},
	}, policyCheck),
	define(catalog.Spec{
		Name: "policy.explain", Summary: "Tell which rule of the policy permits or refuses a command, and why.",
		Effect: catalog.Read, Needs: catalog.Nothing, Level: protocol.Observe, Local: true, Positional: []string{"command", "url"},
		Faults: []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{
			{Line: "policy explain element.click https://shop.example/"},
			{Line: "policy explain runtime.eval http://localhost:3000", Note: "on a page of that address"},
		},
	}, policyExplain),
}

// loadPolicy reads the person's file, or the one named.
func loadPolicy(env *Env, file string) (p *policy.Policy, path string, err error) {
	if path = env.rules.Path; file != "" {
		path = file
	}
	p, err = policy.Load(path)
	return p, path, err
}

type policyShowParams struct{}

type policyShowResult struct {
	Path   string        `json:"path" doc:"Of the file, which may not be there."`
	Exists bool          `json:"exists"`
	Allow  []string      `json:"allow,omitempty" doc:"Only these sites, where there is such a list."`
	Only   bool          `json:"only,omitzero" doc:"There is an allow list."`
	Deny   []string      `json:"deny,omitempty"`
	All    policyWords   `json:"all" doc:"What holds where no site says otherwise."`
	Sites  []policyWords `json:"sites,omitempty" doc:"The first that matches and says something decides."`
}

type policyWords struct {
	Match     string          `json:"match,omitempty"`
	Level     string          `json:"level,omitempty"`
	Switches  map[string]bool `json:"switches,omitempty"`
	Confirm   []string        `json:"confirm,omitempty"`
	CrossSite string          `json:"crossSite,omitempty"`
}

func (w policyWords) text() string {
	var parts []string
	if w.Level != "" {
		parts = append(parts, "level "+w.Level)
	}
	for _, key := range slices.Sorted(maps.Keys(w.Switches)) {
		word := " off"
		if w.Switches[key] {
			word = " on"
		}
		parts = append(parts, key+word)
	}
	if len(w.Confirm) > 0 {
		parts = append(parts, "asks before "+strings.Join(w.Confirm, ", "))
	}
	if w.CrossSite != "" {
		parts = append(parts, "cross-site "+w.CrossSite)
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

func (r policyShowResult) Text() string {
	if !r.Exists {
		return "no policy file (" + r.Path + "): agents may do what the person's consent reaches\n" + r.All.text()
	}
	lines := []string{r.Path}
	if r.Only {
		lines = append(lines, "only at: "+strings.Join(r.Allow, " "))
	}
	if len(r.Deny) > 0 {
		lines = append(lines, "never at: "+strings.Join(r.Deny, " "))
	}
	lines = append(lines, "everywhere: "+r.All.text())
	for _, s := range r.Sites {
		lines = append(lines, s.Match+": "+s.text())
	}
	return strings.Join(lines, "\n")
}

func wordsOf(s policy.Settings) policyWords {
	w := policyWords{Match: s.Match, Level: string(s.Level), Confirm: s.Confirm, CrossSite: string(s.CrossSite), Switches: make(map[string]bool)}
	for key, on := range s.Switches {
		w.Switches[string(key)] = on
	}
	return w
}

func policyShow(_ context.Context, env *Env, _ *policyShowParams) (policyShowResult, error) {
	p, path, err := loadPolicy(env, "")
	if err != nil {
		return policyShowResult{}, err
	}
	v := p.View()
	out := policyShowResult{Path: path, Exists: p.Path != "", Allow: v.Allow, Only: v.Limited, Deny: v.Deny, All: wordsOf(v.Top)}
	// What is not said holds all the same.
	anywhere := p.At("")
	out.All.Level, out.All.CrossSite = string(anywhere.Level), string(anywhere.CrossSite)
	for _, s := range policy.Switches {
		on, _ := p.Switch("", s)
		out.All.Switches[string(s)] = on
	}
	for _, s := range v.Sites {
		out.Sites = append(out.Sites, wordsOf(s))
	}
	return out, nil
}

type policyCheckParams struct {
	URL  string `json:"url,omitempty" doc:"Address to tell about."`
	File string `json:"file,omitempty" doc:"Another policy file, before it takes the place of the one in use."`
}

type policyCheckResult struct {
	OK        bool         `json:"ok" doc:"The file is right."`
	Path      string       `json:"path"`
	Exists    bool         `json:"exists"`
	Site      string       `json:"site,omitempty"`
	Allowed   bool         `json:"allowed,omitzero" doc:"Agents may see the site."`
	Level     string       `json:"level,omitempty" doc:"The most that they may do."`
	Off       []string     `json:"off,omitempty" doc:"Means that are switched off."`
	Confirm   []string     `json:"confirm,omitempty" doc:"What is asked of the person."`
	CrossSite string       `json:"crossSite,omitempty"`
	Rules     []policyRule `json:"rules,omitempty" doc:"Which say so; what none says is the default."`
}

type policyRule struct {
	What string `json:"what"`
	Rule string `json:"rule"`
	Line int    `json:"line"`
}

func (r policyCheckResult) Text() string {
	head := r.Path + " is right"
	if !r.Exists {
		head = "no policy file (" + r.Path + "): nothing is refused by it"
	}
	if r.Site == "" {
		return head
	}
	lines := []string{head}
	if !r.Allowed {
		lines = append(lines, r.Site+": closed to agents")
	} else {
		line := r.Site + ": level " + r.Level
		if len(r.Off) > 0 {
			line += "; off: " + strings.Join(r.Off, ", ")
		}
		if len(r.Confirm) > 0 {
			line += "; asks before " + strings.Join(r.Confirm, ", ")
		}
		lines = append(lines, line+"; cross-site "+r.CrossSite)
	}
	for _, rule := range r.Rules {
		lines = append(lines, fmt.Sprintf("  %s: line %d, %s", rule.What, rule.Line, rule.Rule))
	}
	return strings.Join(lines, "\n")
}

func policyCheck(_ context.Context, env *Env, in *policyCheckParams) (policyCheckResult, error) {
	if in.File != "" && !filepath.IsAbs(in.File) {
		in.File = filepath.Join(env.Caller.Cwd, in.File)
	}
	p, path, err := loadPolicy(env, in.File)
	if err != nil {
		return policyCheckResult{}, err
	}
	if in.File != "" && p.Path == "" {
		if _, err := state.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
			return policyCheckResult{}, fault.New(fault.FileAccessFailed, "there is no file %s", path).With("path", path)
		}
	}
	out := policyCheckResult{OK: true, Path: path, Exists: p.Path != ""}
	if in.URL == "" {
		return out, nil
	}
	address, err := addressOf(in.URL, "")
	if err != nil {
		return out, err
	}
	at := p.At(address)
	out.Site, out.Allowed, out.Level, out.Confirm, out.CrossSite = at.Site, at.Allowed, string(at.Level), at.Confirm, string(at.CrossSite)
	note := func(what string, r policy.Rule) {
		if r.Line > 0 {
			out.Rules = append(out.Rules, policyRule{what, r.Text, r.Line})
		}
	}
	note("allowed", at.Rule)
	note("level", at.LevelRule)
	for _, off := range at.Off {
		out.Off = append(out.Off, string(off.Switch))
		note(string(off.Switch), off.Rule)
	}
	note("confirm", at.ConfirmBy)
	note("cross-site", at.CrossBy)
	return out, nil
}

type policyExplainParams struct {
	Command string `json:"command" doc:"Of the catalogue or of the protocol: element.click, click."`
	URL     string `json:"url,omitempty" doc:"Of the page that it is about, or that it leads to; no page without it."`
}

type policyExplainResult struct {
	Command string   `json:"command"`
	URL     string   `json:"url,omitempty"`
	Allowed bool     `json:"allowed"`
	Why     string   `json:"why"`
	Rule    string   `json:"rule" doc:"As it stands in the file; default where none says anything."`
	Line    int      `json:"line,omitzero"`
	Path    string   `json:"path"`
	Level   string   `json:"level,omitempty" doc:"That the command needs."`
	Switch  string   `json:"switch,omitempty" doc:"That it needs, too."`
	Confirm []string `json:"confirm,omitempty" doc:"What the person is asked before, where the command does it."`
}

func (r policyExplainResult) Text() string {
	word := "permitted"
	if !r.Allowed {
		word = "refused"
	}
	line := fmt.Sprintf("%s: %s (%s)", r.Command, word, r.Rule)
	if r.Line > 0 {
		line = fmt.Sprintf("%s: %s by line %d of %s: %s", r.Command, word, r.Line, r.Path, r.Rule)
	}
	if r.Why != "" {
		line += "\n" + r.Why
	}
	if len(r.Confirm) > 0 {
		line += "\nthe person is asked before: " + strings.Join(r.Confirm, ", ")
	}
	return line
}

func policyExplain(_ context.Context, env *Env, in *policyExplainParams) (policyExplainResult, error) {
	name := strings.ReplaceAll(in.Command, " ", ".")
	w := policy.Wish{Command: name}
	acts := true
	if cmd, ok := env.find(name); ok {
		w.Level, acts = cmd.Level, cmd.Effect != catalog.Read
	} else if spec, ok := protocol.Spec(name); ok {
		w.Level, acts = spec.Level, spec.Acts
	} else {
		return policyExplainResult{}, Unknown(name)
	}
	p, path, err := loadPolicy(env, "")
	if err != nil {
		return policyExplainResult{}, err
	}
	out := policyExplainResult{Command: name, Path: path, Level: string(w.Level)}
	if s, ok := policy.SwitchOf(name); ok {
		out.Switch = string(s)
	}
	if in.URL != "" {
		if out.URL, err = addressOf(in.URL, ""); err != nil {
			return out, err
		}
		w.URL, w.Page = out.URL, true
		if name == "page.navigate" || name == "page.open" || name == "navigate" {
			w.To = out.URL
		}
		if acts {
			out.Confirm = p.Confirms(out.URL)
		}
	}
	v := p.Judge(w)
	out.Allowed, out.Why, out.Rule, out.Line = v.OK, v.Why, v.Rule.Text, v.Rule.Line
	if v.OK {
		out.Why = "nothing in the policy refuses it"
	}
	if out.Rule == "" {
		out.Rule = "default"
	}
	return out, nil
}
