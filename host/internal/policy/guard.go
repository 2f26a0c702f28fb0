package policy

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/guard"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// needs says which switch a command needs, by its name or by RESOURCE.*.
var needs = map[string]Switch{
	"runtime.*":               Evaluate,
	"evaluate":                Evaluate,
	"page.wait-function":      Evaluate,
	"network.mock":            Evaluate, // what it answers may be a script of the page
	"cdp.*":                   Raw,
	protocol.TypeCDPRequest:   Raw,
	protocol.TypeCDPSubscribe: Raw,
	"session.cdp":             DevTools,
	"state.*":                 State,
	"component.*":             State,
	"request_state":           State,
	"tools.*":                 PageTools,
	"element.upload":          Upload,
	"page.downloads":          Download,
}

// SwitchOf is the switch that a command of the catalogue or the protocol needs.
func SwitchOf(command string) (Switch, bool) {
	if s, ok := needs[command]; ok {
		return s, true
	}
	resource, _, found := strings.Cut(command, ".")
	s, ok := needs[resource+".*"]
	return s, ok && found
}

// leaving are the commands that lead away from a page which agents may not see.
var leaving = []string{"page.navigate", "navigate", "page.close", "page.activate", "page.resize"}

// always are commands that tell of no page, and run even while the file cannot be read:
// who looks for what is wrong needs them, and who ends things may.
var always = []string{"policy.show", "policy.check", "policy.explain", "session.status", "session.stop", "profile.list", "profile.show", "profile.check"}

// pictures are the commands whose result shows all frames of a page at once.
var pictures = []string{"capture.screenshot", "capture.pdf", "capture.screencast-start", "capture.screencast-stop", "capture.heap", "trace.stop", "trace.insight", "record.mark"}

// Guard enforces a Store's policy for commands (guard.Guard).
type Guard struct{ *Store }

var _ guard.Guard = Guard{}

// Before refuses what the policy does not permit.
func (g Guard) Before(_ context.Context, d *guard.Deed) (func(guard.Outcome), error) {
	if slices.Contains(always, d.Command) {
		return nil, nil
	}
	p, err := g.Now()
	if err != nil {
		return nil, err
	}
	if p.Path == "" {
		return nil, nil
	}
	if err := p.judge(d); err != nil {
		return nil, err
	}
	return nil, nil
}

func (p *Policy) judge(d *guard.Deed) error {
	w := Wish{Command: d.Command, Level: d.Level, Page: d.PageID != 0, URL: d.URL, To: destination(d)}
	if p.said(Evaluate) && (d.Command == "page.navigate" || d.Command == "page.open") {
		w.Scripts = len(field(d.Params, "initScript")) > 2
	}
	if p.said(Secrets) {
		if data, err := json.Marshal(d.Params); err == nil {
			w.Secrets = strings.Contains(string(data), "{{secret:")
		}
	}
	v := p.Judge(w)
	if v.OK {
		return p.framed(d)
	}
	at := w.URL
	if w.To != "" {
		at = w.To
	}
	return p.refuse(v.Rule, at, "%s", v.Why).With("command", d.Command)
}

// said reports a switch that the file speaks of.
func (p *Policy) said(s Switch) bool {
	_, top := p.top.switches[s]
	return top || slices.ContainsFunc(p.sites, func(site siteRules) bool { _, ok := site.switches[s]; return ok })
}

// framed refuses pictures of a page in which a frame shows a site of the deny list. A
// frame that the allow list does not name (an advertisement, a map) is in the picture,
// as on the screen; its text is not told.
func (p *Policy) framed(d *guard.Deed) error {
	holder, ok := d.Page.(interface{ Children() map[string]string })
	if !ok || !slices.Contains(pictures, d.Command) {
		return nil
	}
	for frame, address := range holder.Children() {
		if rule, denied := p.Denies(address); denied {
			return p.refuse(rule, address, "%s would show a frame of %s, which the policy closes to agents", d.Command, SiteOf(address)).With("frame", frame).With("command", d.Command).
				Suggest("Read the page without it: dbridge capture snapshot", "dbridge policy show")
		}
	}
	return nil
}

// destination is where a command leads, as far as its parameters say; empty is nowhere.
func destination(d *guard.Deed) string {
	switch p := d.Params.(type) {
	case *protocol.NavigateParams:
		if p.URL != "" {
			return absolute(p.URL, d.URL)
		}
	case interface{ Destination(base string) string }:
		return p.Destination(d.URL)
	}
	return ""
}

// field is one of a command's parameters, as JSON.
func field(params any, name string) jsontext.Value {
	data, err := json.Marshal(params)
	if err != nil {
		return nil
	}
	fields := make(map[string]jsontext.Value)
	if json.Unmarshal(data, &fields) != nil {
		return nil
	}
	return fields[name]
}

// Wish is a command as the policy looks at it.
type Wish struct {
	Command string
	Level   protocol.Level // that the command needs; empty is none
	Page    bool           // it is about a page
	URL     string         // of the page
	To      string         // where it leads
	Scripts bool           // it brings a script along
	Secrets bool           // it types a secret
}

// Verdict is what the policy says of a wish, and the rule that decides. Why is empty where OK.
type Verdict struct {
	OK   bool
	Rule Rule
	Why  string
}

// Judge looks at a wish: at the page's site first, then at the level, then at the switches.
func (p *Policy) Judge(w Wish) Verdict {
	site := SiteOf(w.URL).String()
	if w.Page && !slices.Contains(leaving, w.Command) {
		if may, rule := p.Visit(w.URL); !may {
			return Verdict{Rule: rule, Why: "the policy closes " + site + " to agents"}
		}
	}
	at := w.URL
	if w.To != "" { // where it starts may be an empty page, or one that it is to leave
		at, site = w.To, SiteOf(w.To).String()
		if may, rule := p.Visit(at); !may {
			return Verdict{Rule: rule, Why: "the policy closes " + site + " to agents"}
		}
	}
	if w.Page || strings.HasPrefix(w.Command, "page.") {
		level, rule := p.Level(at)
		if may, _ := p.Visit(at); may && w.Level != "" && !level.Allows(w.Level) {
			where := ""
			if at != "" {
				where = " at " + site
			}
			return Verdict{Rule: rule, Why: w.Command + " needs level " + string(w.Level) + "; the policy allows " + string(level) + where}
		}
	}
	var list []Switch
	if s, ok := SwitchOf(w.Command); ok {
		list = append(list, s)
	}
	if w.Scripts {
		list = append(list, Evaluate)
	}
	if w.Secrets {
		list = append(list, Secrets)
	}
	for _, s := range list {
		if on, rule := p.Switch(at, s); !on {
			return Verdict{Rule: rule, Why: w.Command + " is refused: the policy has " + string(s) + " off"}
		}
	}
	if w.Page {
		_, rule := p.Visit(w.URL)
		return Verdict{OK: true, Rule: rule}
	}
	return Verdict{OK: true}
}

// See judges an address that agents would look at or load (page.Sites). base is what it
// may be relative to. The error is POLICY_DENIED.
func (s *Store) See(address, base string) error {
	p, err := s.Now()
	if err != nil {
		return err
	}
	if p.Path == "" {
		return nil
	}
	at := absolute(address, base)
	if may, rule := p.Visit(at); !may {
		return p.refuse(rule, at, "the policy closes %s to agents", SiteOf(at))
	}
	return nil
}

// All is nil where no site is closed; else what says that some are. The error is POLICY_DENIED.
func (s *Store) All() error {
	p, err := s.Now()
	switch {
	case err != nil:
		return err
	case len(p.deny) > 0:
		return p.refuse(p.deny[0].rule, "", "the policy closes sites to agents, and this reaches all sites")
	case p.limited.Text != "":
		return p.refuse(p.limited, "", "the policy closes sites to agents, and this reaches all sites")
	}
	return nil
}

// MayAnywhere is nil where a means is on at some site. The error is POLICY_DENIED.
func (s *Store) MayAnywhere(means Switch) error {
	p, err := s.Now()
	if err != nil {
		return err
	}
	on, rule := p.Switch("", means)
	if on || slices.ContainsFunc(p.sites, func(site siteRules) bool { return site.switches[means].value }) {
		return nil
	}
	return p.refuse(rule, "", "the policy has %s off", means)
}

// Allow judges an address that is to be loaded.
func (s *Store) Allow(address string) error { return s.See(address, "") }

// May judges a means of acting on a document: a Switch. Whoever has it reaches all that
// level control does, so none may where something is to be asked of the person. The error
// is POLICY_DENIED.
func (s *Store) May(address, means string) error {
	p, err := s.Now()
	if err != nil {
		return err
	}
	if p.Path == "" {
		return nil
	}
	if on, rule := p.Switch(address, Switch(means)); !on {
		return p.refuse(rule, address, "the policy has %s off", means)
	}
	if may, _ := p.Visit(address); !may {
		return nil // it may leave; See judges the rest
	}
	if asked, rule := p.confirms(address); len(asked) > 0 {
		return p.refuse(rule, address, "through %s what the person is to be asked about there could be done without being asked", means).With("reason", "unforeseen")
	}
	if level, rule := p.Level(address); !level.Allows(protocol.Control) {
		return p.refuse(rule, address, "%s needs level control; the policy allows %s", means, level)
	}
	return nil
}

// absolute is an address that may be relative to base: only its site counts.
func absolute(address, base string) string {
	text := strings.TrimLeft(address, controls)
	if SiteOf(text).Scheme != "" {
		return text
	}
	text = strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(text)
	if strings.HasPrefix(text, "//") {
		scheme, _, _ := strings.Cut(base, ":")
		if ports[strings.ToLower(scheme)] == "" {
			scheme = "https"
		}
		return scheme + ":" + text
	}
	return base
}
