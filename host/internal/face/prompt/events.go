package prompt

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// event takes one event of the stream, keeps what the prompt needs and shows what a person wants to see.
func (s *session) event(event client.Event) {
	switch event.Kind {
	case client.Lost:
		s.aside(s.paint.dim("connection lost; coming back"))
	case client.Received:
		s.message(event.Header, event.Raw)
	}
	// Last, so that who waits for an answer finds it shown.
	s.tracker.Event(event)
}

// into decodes a message; one that does not fit its type is passed over.
func into[T any](raw []byte) (T, bool) {
	var value T
	return value, json.Unmarshal(raw, &value) == nil
}

func (s *session) message(h client.Header, raw []byte) {
	switch h.Type {
	case protocol.TypeWelcome:
		if m, ok := into[protocol.Welcome](raw); ok {
			s.welcome(m)
		}
	case protocol.TypeHello:
		if m, ok := into[protocol.Hello](raw); ok {
			s.hello(m)
		}
	case protocol.TypeAppDisconnected:
		if m, ok := into[protocol.AppDisconnected](raw); ok {
			s.change(m.PageID, func(info *protocol.PageInfo) { info.Connected = false })
			s.aside(s.paint.yellow(fmt.Sprintf("page %d is away: %s", m.PageID, strings.ReplaceAll(show(m.Reason, 40), "_", " "))))
		}
	case protocol.TypePageNavigated:
		if m, ok := into[protocol.PageNavigated](raw); ok {
			s.change(m.PageID, func(info *protocol.PageInfo) { info.URL = m.URL })
			s.aside(s.paint.dim(fmt.Sprintf("page %d is now at ", m.PageID)) + s.paint.cyan(show(m.URL, 200)))
		}
	case protocol.TypeGap:
		if m, ok := into[protocol.Gap](raw); ok {
			s.aside(s.paint.yellow(gapText(m)))
		}
	case protocol.TypeHostError:
		if m, ok := into[protocol.HostError](raw); ok {
			s.answered(h.RequestID, "")
			s.print(s.paint.failure(&protocol.CommandError{Code: m.Code, Message: m.Message, Suggestions: m.Suggestions}))
		}
	case protocol.TypeCommandResult:
		if m, ok := into[result](raw); ok {
			s.result(m)
		}
	default:
		s.telemetry(h, raw)
	}
}

func (s *session) telemetry(h client.Header, raw []byte) {
	switch h.Type {
	case protocol.TypeConsole:
		if m, ok := into[protocol.Console](raw); ok {
			s.mu.Lock()
			s.console = keep(s.console, m, keptConsole)
			s.mu.Unlock()
			s.aside(s.paint.console(m))
		}
	case protocol.TypeError, protocol.TypeUnhandledRejection:
		if m, ok := into[protocol.PageError](raw); ok {
			s.mu.Lock()
			s.errors = keep(s.errors, m, keptErrors)
			s.mu.Unlock()
			s.aside(s.paint.pageError(m))
		}
	case protocol.TypeUITree:
		if m, ok := into[protocol.UITree](raw); ok {
			s.mu.Lock()
			s.trees[m.PageID] = m.Items
			s.mu.Unlock()
		}
	case protocol.TypeUITreeDiff:
		if m, ok := into[protocol.UITreeDiff](raw); ok {
			s.mu.Lock()
			s.trees[m.PageID] = patch(s.trees[m.PageID], m)
			s.mu.Unlock()
		}
	case protocol.TypeStateUpdate:
		m, ok := into[protocol.StateUpdate](raw)
		s.mu.Lock()
		asked := s.asked > 0
		s.mu.Unlock()
		if ok && !asked {
			s.aside(s.paint.dim("state ") + s.paint.state(m, maxText))
		}
	case protocol.TypeDialog:
		if m, ok := into[protocol.Dialog](raw); ok {
			s.aside(s.paint.yellow(fmt.Sprintf("dialog (%s): %s", show(m.Kind, 20), show(m.Message, maxText))))
		}
	}
}

func (s *session) welcome(m protocol.Welcome) {
	s.mu.Lock()
	again := s.welcomed
	s.welcomed = true
	s.pages = map[int]protocol.PageInfo{}
	for _, info := range m.Pages {
		s.pages[info.PageID] = info
	}
	lines := []string{s.paint.green("connected") + s.paint.dim(fmt.Sprintf(" to session %s; help shows the commands", show(m.SessionID, 64)))}
	if again {
		lines = []string{s.paint.green("connected again")}
	}
	for _, id := range s.pageIDsLocked() {
		lines = append(lines, s.paint.page(s.pages[id], id == s.pageLocked()))
	}
	if len(m.Pages) == 0 {
		lines = append(lines, noPages)
	}
	s.mu.Unlock()
	s.aside(strings.Join(lines, "\n"))
}

func (s *session) hello(m protocol.Hello) {
	s.mu.Lock()
	before, known := s.pages[m.PageID]
	info := before
	info.PageID, info.URL, info.Title, info.UserAgent, info.Source, info.Level, info.Connected = m.PageID, m.URL, m.Title, m.UserAgent, m.Source, m.Level, true
	s.pages[m.PageID] = info
	s.mu.Unlock()
	if !known || !before.Connected || before.Level != m.Level {
		s.aside(s.paint.green("page connected") + "\n" + s.paint.page(info, false))
	}
}

func (s *session) change(id int, change func(*protocol.PageInfo)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if info, ok := s.pages[id]; ok {
		change(&info)
		s.pages[id] = info
	}
}

// answered forgets a command of one's own, and reports whether it was one.
func (s *session) answered(id, kind string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.own[id]
	delete(s.own, id)
	if own && kind == "request_state" && s.asked > 0 {
		s.asked--
	}
	return own
}

func (s *session) result(m result) {
	if s.answered(m.RequestID, m.RequestType) {
		s.print(s.paint.outcome(m))
		return
	}
	who := show(m.AgentName, 64)
	if who == "" {
		who = "another agent"
	}
	how := "done"
	if !m.Success && m.Error != nil {
		how = show(m.Error.Code, 40)
	}
	s.aside(s.paint.dim(fmt.Sprintf("%s: %s, %s", who, show(m.RequestType, 40), how)))
}

func gapText(m protocol.Gap) string {
	if m.ToSeq == nil {
		return "the daemon is a new one; what happened since event " + fmt.Sprint(m.FromSeq) + " of the old one is not known"
	}
	return fmt.Sprintf("%d events are missing (%s)", *m.ToSeq-m.FromSeq+1, strings.ReplaceAll(show(m.Reason, 40), "_", " "))
}

// keep adds to a list that holds the last few.
func keep[T any](list []T, item T, limit int) []T {
	if len(list) >= limit {
		list = append(list[:0], list[len(list)-limit+1:]...)
	}
	return append(list, item)
}

// patch brings the last tree up to date, as far as completion needs it.
func patch(items []protocol.UITreeItem, diff protocol.UITreeDiff) []protocol.UITreeItem {
	gone := make(map[string]bool, len(diff.Removed))
	for _, ref := range diff.Removed {
		gone[ref] = true
	}
	names := make(map[string]string)
	for _, change := range diff.Changed {
		if ref, ok := change["ref"].(string); ok {
			if name, ok := change["name"].(string); ok {
				names[ref] = name
			}
		}
	}
	var out []protocol.UITreeItem
	for _, item := range items {
		if gone[item.Ref] {
			continue
		}
		if name, ok := names[item.Ref]; ok {
			item.Name = name
		}
		out = append(out, item)
	}
	return append(out, diff.Added...)
}
