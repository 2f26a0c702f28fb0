package http

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// maxRecent bounds the commands that an overview tells.
const maxRecent = 50

// Overview is what a credential may see of the daemon: its own context, and the
// sessions of the user's tabs. Other agents' contexts are not in it.
type Overview struct {
	Epoch    string            `json:"epoch" doc:"Random, new at each start of the daemon."`
	Context  string            `json:"context" doc:"Session of your own context's browser."`
	Sessions []OverviewSession `json:"sessions"`
	Pages    []OverviewPage    `json:"pages"`
	Agents   []OverviewAgent   `json:"agents"`
	Recent   []OverviewCommand `json:"recent" doc:"The last commands, the newest first; of commands over HTTP and the command line those that acted on a page."`
}

// OverviewSession is one session.
type OverviewSession struct {
	ID       string `json:"id"`
	Own      bool   `json:"own" doc:"That of your own context's browser."`
	Pages    int    `json:"pages"`
	Agents   int    `json:"agents"`
	FirstSeq uint64 `json:"firstSeq" doc:"Oldest event that is kept."`
	LastSeq  uint64 `json:"lastSeq" doc:"Newest event; give it to /v1/events as since."`
}

// OverviewPage is one page. Give Page and Session to a command to look at it.
type OverviewPage struct {
	Page      int             `json:"page"`
	Session   string          `json:"session"`
	TargetID  string          `json:"targetId"`
	URL       string          `json:"url"`
	Title     string          `json:"title"`
	Source    protocol.Source `json:"source"`
	Level     protocol.Level  `json:"level"`
	Connected bool            `json:"connected"`
	Current   bool            `json:"current" doc:"The current page of your own context."`
	HeldBy    string          `json:"heldBy,omitempty" doc:"Who alone may change it."`
}

// OverviewAgent is one agent.
type OverviewAgent struct {
	Session string `json:"session"`
	Name    string `json:"name"`
}

// OverviewCommand is one command that was done.
type OverviewCommand struct {
	At      int64  `json:"at" doc:"Ms since 1970."`
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"`
	Command string `json:"command"`
	Page    int    `json:"page,omitzero"`
	OK      bool   `json:"ok"`
	Code    string `json:"code,omitempty"`
	Ms      int64  `json:"ms"`
}

// overview serves GET /v1/overview.
func (a *API) overview(c *call) {
	if err := c.only(); err != nil {
		c.fail(err)
		return
	}
	out, err := a.look(c)
	if err != nil {
		c.fail(err)
		return
	}
	c.value(out)
}

// mine is the session of the caller's own context.
func mine(who caller.Caller) (string, error) {
	key, err := who.Key()
	return key.Name, err
}

// sees reports whether the caller may know of a session: its own, and those of the
// user's tabs. Who comes over the local socket is the user.
func sees(foreign bool, own, id string) bool {
	return !foreign || id == own || !caller.IsKey(id)
}

func (a *API) look(c *call) (*Overview, error) {
	own, err := mine(c.request.Caller)
	if err != nil {
		return nil, err
	}
	out := &Overview{
		Epoch: a.config.Hub.Epoch(), Context: own,
		Sessions: []OverviewSession{}, Pages: []OverviewPage{}, Agents: []OverviewAgent{}, Recent: []OverviewCommand{},
	}
	labels := make(map[string]string)
	for _, s := range a.config.Runner.Slots.All() {
		labels[s.Key] = s.Label
	}
	name := func(who string) string { return named(who, labels) }
	agents := make(map[string]int)
	for _, s := range a.config.Agents() {
		if !sees(c.request.Foreign, own, s.ID) {
			continue
		}
		agents[s.ID] = len(s.Agents)
		for _, agent := range s.Agents {
			out.Agents = append(out.Agents, OverviewAgent{s.ID, name(agent.Name)})
		}
	}
	for _, s := range a.config.Hub.Stats() {
		if !sees(c.request.Foreign, own, s.ID) {
			continue
		}
		out.Sessions = append(out.Sessions, OverviewSession{s.ID, s.ID == own, len(s.Pages), agents[s.ID], s.FirstSeq, s.LastSeq})
		out.Recent = append(out.Recent, recent(a.config.Hub.Open(s.ID), name)...)
	}
	slices.SortStableFunc(out.Recent, func(x, y OverviewCommand) int { return cmp.Compare(y.At, x.At) })
	out.Recent = out.Recent[:min(len(out.Recent), maxRecent)]
	out.Pages = a.pagesOf(c, own)
	return out, nil
}

// pagesOf lists the pages that the caller may know of.
func (a *API) pagesOf(c *call, own string) []OverviewPage {
	list := []OverviewPage{}
	context, _, err := a.config.Runner.Slots.Resolve(c.r.Context(), c.request.Caller)
	current := 0
	if err == nil {
		current = context.Chosen(context.Tabs())
	}
	held := make(map[int]string)
	for _, h := range a.config.Runner.Slots.Holdings() {
		held[h.Page.PageID()] = h.Label
	}
	for _, t := range a.config.Pages.All() {
		id := t.Page().Session().ID()
		if !sees(c.request.Foreign, own, id) {
			continue
		}
		info := t.Info()
		list = append(list, OverviewPage{
			Page: info.PageID, Session: id, TargetID: a.targets.of(t), URL: info.URL, Title: info.Title, Source: info.Source,
			Level: info.Level, Connected: info.Connected, Current: info.PageID == current, HeldBy: held[info.PageID],
		})
	}
	slices.SortFunc(list, func(x, y OverviewPage) int { return cmp.Compare(x.Page, y.Page) })
	return list
}

// named is who an agent is for people; the key of a context stands for its label.
func named(who string, labels map[string]string) string {
	if !caller.IsKey(who) {
		return who
	}
	if label := labels[who]; label != "" {
		return label
	}
	return "agent " + who[:len("ctx_")+6]
}

// recent reads the last commands of a session from its log.
func recent(s *session.Session, name func(string) string) []OverviewCommand {
	past := s.Read(0, []string{protocol.TypeCommandResult}, maxRecent)
	list := make([]OverviewCommand, 0, len(past.Events))
	for _, data := range past.Events {
		var e struct {
			Timestamp   int64  `json:"timestamp"`
			PageID      int    `json:"pageId"`
			RequestType string `json:"requestType"`
			Success     bool   `json:"success"`
			DurationMs  int64  `json:"durationMs"`
			AgentName   string `json:"agentName"`
			Error       struct {
				Code fault.Code `json:"code"`
			} `json:"error"`
		}
		if json.Unmarshal(data, &e) != nil || strings.TrimSpace(e.RequestType) == "" {
			continue
		}
		list = append(list, OverviewCommand{e.Timestamp, s.ID(), name(e.AgentName), e.RequestType, e.PageID, e.Success, string(e.Error.Code), e.DurationMs})
	}
	return list
}

// tabOf finds a page of the daemon by its number.
func tabOf(tabs []*page.Tab, id int) *page.Tab {
	if at := slices.IndexFunc(tabs, func(t *page.Tab) bool { return t.PageID() == id }); at >= 0 {
		return tabs[at]
	}
	return nil
}
