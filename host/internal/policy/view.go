package policy

import "github.com/debug-bridge/debug-bridge/host/internal/protocol"

// View is what the file says, for a person to look at.
type View struct {
	Limited bool     // there is an allow list
	Allow   []string // as written
	Deny    []string
	Top     Settings
	Sites   []Settings // in the order in which they decide
}

// Settings are what is said of all sites, or of those that Match names; what is empty is
// not said.
type Settings struct {
	Match     string
	Level     protocol.Level
	Confirm   []string // nil is not said
	CrossSite CrossSite
	Switches  map[Switch]bool
}

// View shows the file's settings.
func (p *Policy) View() View {
	v := View{Limited: p.limited.Text != "", Top: p.top.view("")}
	for _, e := range p.allow {
		v.Allow = append(v.Allow, e.text)
	}
	for _, e := range p.deny {
		v.Deny = append(v.Deny, e.text)
	}
	for _, s := range p.sites {
		v.Sites = append(v.Sites, s.settings.view(s.match))
	}
	return v
}

func (s settings) view(match string) Settings {
	v := Settings{Match: match, Switches: make(map[Switch]bool)}
	if s.level != nil {
		v.Level = s.level.value
	}
	if s.confirm != nil {
		v.Confirm = s.confirm.value
	}
	if s.cross != nil {
		v.CrossSite = s.cross.value
	}
	for key, word := range s.switches {
		v.Switches[key] = word.value
	}
	return v
}

// Answer is what holds at one address, each with the rule that decides.
type Answer struct {
	Site      string
	Allowed   bool
	Rule      Rule
	Level     protocol.Level
	LevelRule Rule
	Off       []Off
	Confirm   []string
	ConfirmBy Rule
	CrossSite CrossSite
	CrossBy   Rule
}

// Off is a means that is switched off.
type Off struct {
	Switch Switch
	Rule   Rule
}

// At says what holds at an address.
func (p *Policy) At(address string) Answer {
	a := Answer{Site: SiteOf(address).String()}
	a.Allowed, a.Rule = p.Visit(address)
	a.Level, a.LevelRule = p.Level(address)
	a.Confirm, a.ConfirmBy = p.confirms(address)
	a.CrossSite, a.CrossBy = p.crossSite(address)
	for _, s := range Switches {
		if on, rule := p.Switch(address, s); !on {
			a.Off = append(a.Off, Off{s, rule})
		}
	}
	return a
}
