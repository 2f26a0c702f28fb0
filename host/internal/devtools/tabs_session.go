package devtools

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// noChannel stands for Chrome's session where a client's has none under it.
const noChannel = "-"

// tabSession is one session as a client sees it.
type tabSession struct {
	port     *tabsPort
	id       string
	kind     string
	parent   *tabSession
	hub      *hub   // nil at the browser level
	channel  string // Chrome's session under it
	byItself bool   // attached by setAutoAttach

	// Under the hub's lock.
	ended     bool
	auto      targetFilter    // nil for none
	stepwise  bool            // with auto: the client wants each child to wait until it is set going
	offered   map[string]bool // channels that auto has attached to
	on        map[string]bool // domains
	used      map[string]bool // domains without an enable of which it sent a command
	bindings  map[string]bool
	scripts   map[string]bool // to evaluate on new documents
	undo      map[string]bool // methods whose effect ends with the session
	lifecycle bool
}

func newSession(parent *tabSession, h *hub, kind, channel string) *tabSession {
	s := &tabSession{
		id: randomID(), kind: kind, parent: parent, hub: h, channel: channel,
		on: map[string]bool{}, used: map[string]bool{}, bindings: map[string]bool{}, scripts: map[string]bool{}, undo: map[string]bool{},
	}
	if parent != nil {
		s.port = parent.port
	}
	return s
}

// always are domains whose events come without being switched on.
var always = map[string]bool{"Inspector": true}

// switchless are domains that have no enable: their events go to who uses them.
var switchless = map[string]bool{"Input": true, "Emulation": true, "Tracing": true, "IO": true}

// hears reports whether an event is for the session. The hub's lock is held.
func (s *tabSession) hears(method string, params jsontext.Value) bool {
	domain := domainOf(method)
	switch {
	case method == "Runtime.bindingCalled":
		var event struct {
			Name string `json:"name"`
		}
		return len(s.bindings) > 0 && decode(params, &event) == nil && s.bindings[event.Name]
	case method == "Page.lifecycleEvent":
		return s.lifecycle
	case switchless[domain]:
		return s.used[domain]
	}
	return always[domain] || s.on[domain]
}

// take answers a message, or passes it on.
func (s *tabSession) take(m Message) {
	if answer, ok := modelled[m.Method]; ok {
		answer(s, m)
		return
	}
	if s.hub == nil || s.kind == kindTab {
		s.refuseHere(m)
		return
	}
	if err := s.hub.tab.Judge(m.Method, m.Params); err != nil {
		s.refused(m, err)
		return
	}
	if err := s.permitted(m); err != nil {
		s.refused(m, err)
		return
	}
	answered, err := s.mayAct(m)
	switch {
	case err != nil:
		s.refused(m, err)
	case answered:
		done(s, m)
	default:
		if special, ok := specials[m.Method]; ok {
			special(s, m)
			return
		}
		switch domain, verb, _ := strings.Cut(m.Method, "."); verb {
		case "enable":
			s.enable(m, domain)
		case "disable":
			s.disable(m, domain)
		default:
			s.pass(m)
		}
	}
}

// refuseHere answers what is no method of the browser level, or none that is modelled.
func (s *tabSession) refuseHere(m Message) {
	switch domainOf(m.Method) {
	case "Browser", "Target":
		s.port.fail(m, CodeServerError, m.Method+" is not allowed: chrome.debugger gives it to no extension, and it is the person's browser")
	case "Storage", "SystemInfo", "Security", "Tethering", "Extensions", "ServiceWorker", "Memory", "HeapProfiler", "Profiler", "Tracing":
		s.port.fail(m, CodeServerError, m.Method+" is not allowed: it reaches beyond the connected tabs; use a browser of profile managed")
	default:
		s.port.fail(m, CodeMethodNotFound, "'"+m.Method+"' wasn't found")
	}
}

// refused answers with an error of ours in the protocol's words.
func (s *tabSession) refused(m Message, err error) {
	failure := fault.From(err)
	code, message := CodeServerError, failure.Message
	if cdp, ok := failure.Details["cdp"].(map[string]any); ok {
		switch n := cdp["code"].(type) {
		case float64:
			code = int(n)
		case int:
			code = n
		}
		if text, ok := cdp["message"].(string); ok {
			message = text
		}
	}
	if failure.Code == fault.CDPDisconnected {
		message = "Inspected target navigated or closed: " + message
	}
	s.port.fail(m, code, message)
}

// specials are methods whose effect is kept by client, because the attachment is shared.
var specials = map[string]func(*tabSession, Message){
	"Page.enable":                              (*tabSession).pageEnable,
	"Inspector.enable":                         done,
	"Inspector.disable":                        done,
	"Runtime.enable":                           (*tabSession).runtimeEnable,
	"Runtime.addBinding":                       (*tabSession).addBinding,
	"Runtime.removeBinding":                    (*tabSession).removeBinding,
	"Page.addScriptToEvaluateOnNewDocument":    (*tabSession).addScript,
	"Page.removeScriptToEvaluateOnNewDocument": (*tabSession).removeScript,
	"Page.setLifecycleEventsEnabled":           (*tabSession).setLifecycle,
}

// pass sends the message on and answers with what comes.
func (s *tabSession) pass(m Message) { s.passThen(m, nil) }

// passThen sends the message on; then, if given, sees the answer before the client does.
func (s *tabSession) passThen(m Message, then func(result jsontext.Value, err error)) {
	s.note(m.Method)
	s.hub.tab.Begin(s.port.ctx, m.Method, m.Params, s.channel, func(result jsontext.Value, err error) {
		if then != nil {
			then(result, err)
		}
		if err != nil {
			s.refused(m, err)
			return
		}
		s.port.result(m, result)
	})
}

// note keeps what is to be undone, and which events the session hears.
func (s *tabSession) note(method string) {
	_, undone := undoes[method]
	domain := domainOf(method)
	if !undone && !switchless[domain] {
		return
	}
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	if undone {
		s.undo[method] = true
	}
	if switchless[domain] {
		s.used[domain] = true
	}
}

// switchOn notes a domain as on, before Chrome is told, so that what it tells at once is heard.
func (s *tabSession) switchOn(domain string) {
	s.hub.tab.Claim(s.channel, domain, s.id)
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	s.on[domain] = true
}

// switchOff takes that back. It reports whether nobody needs the domain any more.
func (s *tabSession) switchOff(domain string) (last bool) {
	s.hub.mu.Lock()
	delete(s.on, domain)
	s.hub.mu.Unlock()
	return s.hub.tab.Release(s.channel, domain, s.id)
}

func (s *tabSession) enable(m Message, domain string) {
	s.switchOn(domain)
	s.passThen(m, func(_ jsontext.Value, err error) {
		if err != nil {
			s.switchOff(domain)
		}
	})
}

func (s *tabSession) disable(m Message, domain string) {
	if !s.switchOff(domain) {
		done(s, m)
		return
	}
	s.pass(m)
}

// pageEnable needs no way to Chrome: the domain is on in every tab with a debugger.
func (s *tabSession) pageEnable(m Message) {
	if s.channel != "" {
		s.enable(m, "Page")
		return
	}
	s.switchOn("Page")
	done(s, m)
}

// runtimeEnable tells of the contexts that there are, as Chrome does to a new session.
func (s *tabSession) runtimeEnable(m Message) {
	h := s.hub
	h.tab.Claim(s.channel, "Runtime", s.id)
	h.mu.Lock()
	c := h.channels[s.channel]
	complete := c == nil || c.complete
	if c != nil {
		c.complete = true
	}
	h.mu.Unlock()
	if !complete { // those of before the hub are told with the answer
		h.tab.Begin(s.port.ctx, m.Method, m.Params, s.channel, func(_ jsontext.Value, err error) {
			if err == nil {
				return
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			c.complete = false
		})
	}
	s.inTurn(m, func() {
		if c := h.channels[s.channel]; c != nil && !s.on["Runtime"] {
			for _, known := range c.contexts {
				s.port.event(s.id, "Runtime.executionContextCreated", known.event)
			}
		}
		s.on["Runtime"] = true
	})
}

// inTurn answers a message without Chrome when what the client sent before it has been
// answered by the page: clients rely on that order. do runs then, under the hub's lock.
func (s *tabSession) inTurn(m Message, do func()) {
	h := s.hub
	h.tab.Begin(s.port.ctx, "Runtime.getIsolateId", nil, s.channel, func(_ jsontext.Value, err error) {
		if err != nil {
			s.refused(m, err)
			return
		}
		h.mu.Lock()
		if !s.ended {
			do()
		}
		h.mu.Unlock()
		done(s, m)
	})
}

func (s *tabSession) addBinding(m Message) {
	var asked struct {
		Name string `json:"name"`
	}
	if !s.port.read(m, &asked) {
		return
	}
	s.hub.mu.Lock()
	s.bindings[asked.Name] = true
	s.hub.mu.Unlock()
	s.pass(m)
}

func (s *tabSession) removeBinding(m Message) {
	var asked struct {
		Name string `json:"name"`
	}
	if !s.port.read(m, &asked) {
		return
	}
	s.hub.mu.Lock()
	delete(s.bindings, asked.Name)
	needed := s.hub.others(s, func(other *tabSession) bool { return other.bindings[asked.Name] })
	s.hub.mu.Unlock()
	if needed {
		done(s, m)
		return
	}
	s.pass(m)
}

// others reports another session of the same channel that fits. The lock is held.
func (h *hub) others(s *tabSession, fits func(*tabSession) bool) bool {
	return slices.ContainsFunc(h.sessions, func(other *tabSession) bool {
		return other != s && !other.ended && other.channel == s.channel && fits(other)
	})
}

func (s *tabSession) addScript(m Message) {
	s.passThen(m, func(result jsontext.Value, err error) {
		var made struct {
			Identifier string `json:"identifier"`
		}
		if err != nil || decode(result, &made) != nil {
			return
		}
		s.hub.mu.Lock()
		defer s.hub.mu.Unlock()
		if !s.ended {
			s.scripts[made.Identifier] = true
		}
	})
}

func (s *tabSession) removeScript(m Message) {
	var asked struct {
		Identifier string `json:"identifier"`
	}
	if !s.port.read(m, &asked) {
		return
	}
	s.hub.mu.Lock()
	own := s.scripts[asked.Identifier]
	delete(s.scripts, asked.Identifier)
	s.hub.mu.Unlock()
	if !own {
		s.port.fail(m, CodeServerError, "Script not found")
		return
	}
	s.pass(m)
}

// setLifecycle switches the events on; how far the frames have come is told to this
// client alone where others have it from Chrome.
func (s *tabSession) setLifecycle(m Message) {
	var asked struct {
		Enabled bool `json:"enabled"`
	}
	if !s.port.read(m, &asked) {
		return
	}
	h := s.hub
	h.mu.Lock()
	shared := h.others(s, func(other *tabSession) bool { return other.lifecycle })
	if !shared || !asked.Enabled {
		s.lifecycle = asked.Enabled
	}
	h.mu.Unlock()
	if !shared {
		s.pass(m)
		return
	}
	s.inTurn(m, func() {
		if c := h.channels[s.channel]; asked.Enabled && !s.lifecycle && c != nil {
			for _, frame := range slices.Sorted(maps.Keys(c.lifecycle)) {
				for _, known := range c.lifecycle[frame].events {
					s.port.event(s.id, "Page.lifecycleEvent", known.event)
				}
			}
		}
		s.lifecycle = asked.Enabled
	})
}
