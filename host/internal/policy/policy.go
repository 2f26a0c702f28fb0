// Package policy is the person's policy file: which sites agents may see and change, how
// far, with which means, and what is asked of the person before it is done.
//
// The file is policy.toml beside config.toml. It is read strictly, and again when it
// changes; one that cannot be understood refuses everything. Guard enforces it for the
// commands of all faces.
package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// CrossSite says what is done where text that was read from one site is typed into another.
type CrossSite string

// The answers to text that crosses sites.
const (
	CrossAllow   CrossSite = "allow"
	CrossWarn    CrossSite = "warn"    // noted in the audit log; without a policy file
	CrossConfirm CrossSite = "confirm" // asked of the person
	CrossRefuse  CrossSite = "refuse"
)

// Switch is a means of acting that can be switched off.
type Switch string

// The switches.
const (
	Evaluate  Switch = "evaluate"   // scripts of agents in the page
	Raw       Switch = "raw"        // DevTools commands past the catalogue
	DevTools  Switch = "devtools"   // DevTools clients: Playwright, Puppeteer
	State     Switch = "state"      // what frameworks and stores hold, seen and changed
	PageTools Switch = "page-tools" // tools that pages declare
	Upload    Switch = "upload"     // files of this computer given to a page
	Download  Switch = "download"   // files of a page kept on this computer
	Secrets   Switch = "secrets"    // {{secret:NAME}} typed into a page
)

// Switches lists them in the order in which they are shown.
var Switches = []Switch{Evaluate, Raw, DevTools, State, PageTools, Upload, Download, Secrets}

// Acts are what can be asked of the person: confirm = ["upload"].
var Acts = []string{"upload", "download", "submit"}

// Rule is the line of the file that decides. The zero value is what holds without one.
type Rule struct {
	Text string // as in the file: deny "bank.example"
	Line int    // from 1
}

func (r Rule) String() string {
	if r.Text == "" {
		return "default"
	}
	return fmt.Sprintf("line %d: %s", r.Line, r.Text)
}

// Policy is what the file says. It does not change. The zero value permits all.
type Policy struct {
	Path    string // of the file; empty where there is none
	allow   []entry
	limited Rule // the allow list, where there is one
	deny    []entry
	top     settings
	sites   []siteRules
}

// entry is a pattern of a list.
type entry struct {
	text    string // as written
	pattern pattern
	rule    Rule
}

// siteRules are a [[site]] table.
type siteRules struct {
	match   string // as written
	pattern pattern
	settings
}

// said is a value and the rule that says so; nil is not said.
type said[V any] struct {
	value V
	rule  Rule
}

type settings struct {
	level    *said[protocol.Level]
	confirm  *said[[]string]
	cross    *said[CrossSite]
	switches map[Switch]said[bool]
}

// pattern names sites: a host, *.domain with the domain itself, either with a port,
// a scheme (data:), or * for all.
type pattern struct {
	all    bool
	scheme string
	host   string
	below  bool // hosts below it, too
	port   string
}

func (p pattern) matches(s Site) bool {
	switch {
	case p.all:
		return true
	case p.scheme != "":
		return p.scheme == s.Scheme
	case s.Host == "" || p.port != "" && p.port != s.Port:
		return false
	}
	return p.host == s.Host || p.below && strings.HasSuffix(s.Host, "."+p.host)
}

// empty are pages without content of a site: new tabs, and loads that failed.
func empty(address string, s Site) bool {
	switch s.Scheme {
	case "":
		return address == ""
	case "about":
		return true
	}
	return s.Scheme == "chrome-error" || s.Scheme == "chrome" && s.Host == "newtab"
}

// Visit says whether agents may load a site and see it. The rule is the one that decides.
func (p *Policy) Visit(address string) (bool, Rule) {
	if p.limited.Text == "" && len(p.deny) == 0 {
		return true, Rule{}
	}
	s := SiteOf(address)
	if rule, denied := p.denies(s); denied {
		return false, rule
	}
	if p.limited.Text == "" || empty(address, s) {
		return true, Rule{}
	}
	for _, a := range p.allow {
		if a.pattern.matches(s) {
			return true, a.rule
		}
	}
	return false, p.limited
}

// Denies reports a site of the deny list.
func (p *Policy) Denies(address string) (Rule, bool) { return p.denies(SiteOf(address)) }

func (p *Policy) denies(s Site) (Rule, bool) {
	for _, d := range p.deny {
		if d.pattern.matches(s) {
			return d.rule, true
		}
	}
	return Rule{}, false
}

// decided is the first word on something: of the [[site]] tables that match, in their
// order, and then of what stands above them.
func decided[V any](p *Policy, address string, of func(settings) (said[V], bool)) (said[V], bool) {
	s := SiteOf(address)
	for _, site := range p.sites {
		if word, ok := of(site.settings); ok && site.pattern.matches(s) {
			return word, true
		}
	}
	return of(p.top)
}

func held[V any](word *said[V]) (said[V], bool) {
	if word == nil {
		return said[V]{}, false
	}
	return *word, true
}

// Level is the most that agents may do at a site.
func (p *Policy) Level(address string) (protocol.Level, Rule) {
	if word, ok := decided(p, address, func(s settings) (said[protocol.Level], bool) { return held(s.level) }); ok {
		return word.value, word.rule
	}
	return protocol.Control, Rule{}
}

// Switch says whether a means may be used at a site.
func (p *Policy) Switch(address string, which Switch) (bool, Rule) {
	word, ok := decided(p, address, func(s settings) (said[bool], bool) {
		word, ok := s.switches[which]
		return word, ok
	})
	return word.value || !ok, word.rule
}

// Confirms lists the acts (Acts) that are asked of the person at a site.
func (p *Policy) Confirms(address string) []string {
	list, _ := p.confirms(address)
	return list
}

// Asks reports whether anything is to be confirmed anywhere.
func (p *Policy) Asks() bool {
	return p.top.confirm != nil && len(p.top.confirm.value) > 0 || slices.ContainsFunc(p.sites, func(s siteRules) bool { return s.confirm != nil && len(s.confirm.value) > 0 })
}

func (p *Policy) confirms(address string) ([]string, Rule) {
	word, _ := decided(p, address, func(s settings) (said[[]string], bool) { return held(s.confirm) })
	return slices.Clone(word.value), word.rule
}

// CrossSite is what is done where text of another site is typed into this one.
func (p *Policy) CrossSite(address string) CrossSite {
	cross, _ := p.crossSite(address)
	return cross
}

func (p *Policy) crossSite(address string) (CrossSite, Rule) {
	if word, ok := decided(p, address, func(s settings) (said[CrossSite], bool) { return held(s.cross) }); ok {
		return word.value, word.rule
	}
	return CrossWarn, Rule{}
}

// refuse is the fault of a rule, for a site.
func (p *Policy) refuse(rule Rule, address, format string, args ...any) *fault.Error {
	f := fault.New(fault.PolicyDenied, format, args...).With("rule", rule.Text)
	if site := SiteOf(address).String(); site != ":" {
		f.With("site", site)
	}
	if rule.Line > 0 {
		f.With("line", rule.Line)
	}
	return f.Suggest("Choose another way: this is the policy of the person at this computer, who alone can change it ("+p.Path+").", "dbridge policy show")
}
