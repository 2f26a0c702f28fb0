package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestConnectAndPageMessages(t *testing.T) {
	t.Parallel()
	h := newHub(t, Limits{})
	s := h.Open("default")
	exec := &fakePage{tree: &protocol.UITree{Base: protocol.Base{Type: protocol.TypeUITree, Seq: 99, FrameID: "main"}, Items: []protocol.UITreeItem{}, Version: 4, Full: true}}
	page := s.AddPage(pageInfo(protocol.Act), exec)
	first := attach(t, s, AttachOptions{})
	var types []string
	for range 4 {
		m := first.next()
		types = append(types, m.Type)
		if m.Seq != 0 {
			t.Errorf("a message for one agent carries a seq: %s", m.Raw)
		}
	}
	if want := []string{"welcome", "hello", "capabilities", "ui_tree"}; !slices.Equal(types, want) {
		t.Fatalf("got %v, want %v", types, want)
	}
	first.nothing()
	if exec.tree.Seq != 99 {
		t.Error("the executor's tree was changed")
	}

	page.SetInfo(func(info *protocol.PageInfo) { info.Title = "B" })
	page.SetInfo(func(info *protocol.PageInfo) { info.Title = "B" })
	page.SetInfo(func(info *protocol.PageInfo) { info.Level, info.Capabilities = protocol.Observe, []string{"console"} })
	page.Navigated("http://a.test/2", false)
	page.Publish(console("x"))
	page.Disconnected(protocol.ReasonCrashed)
	page.Disconnected(protocol.ReasonCrashed)
	page.Reconnected(exec)
	page.Remove(protocol.ReasonClosed)
	types = nil
	for seq := uint64(4); ; seq++ {
		m := first.next()
		if m.Seq != seq || m.PageID != page.ID() {
			t.Fatalf("seq %d expected: %s", seq, m.Raw)
		}
		types = append(types, m.Type)
		if m.Reason == protocol.ReasonClosed {
			break
		}
	}
	want := []string{"hello", "hello", "capabilities", "page_navigated", "console", "app_disconnected", "app_connected", "hello", "capabilities", "app_disconnected"}
	if !slices.Equal(types, want) {
		t.Fatalf("got  %v\nwant %v", types, want)
	}
	first.send(`{"type":"click","target":{"ref":"e1"},"pageId":%d,"requestId":"late"}`, page.ID())
	gone := first.result("late")
	wantFailure(t, gone, fault.PageNotFound)
	if gone.Error.Details["reason"] != "closed" {
		t.Errorf("details %v", gone.Error.Details)
	}
}

func TestConnectIsNotTooMuch(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{QueueEvents: 4, QueueBytes: 1000, EventBytes: 1000}).Open("default")
	for range 10 {
		s.AddPage(pageInfo(protocol.Act), &fakePage{tree: &protocol.UITree{Base: protocol.Base{Type: protocol.TypeUITree}, Items: make([]protocol.UITreeItem, 5)}})
	}
	r := attach(t, s, AttachOptions{})
	for range 31 {
		r.next()
	}
	for range 10 { // but whoever then only asks and never reads is too slow
		r.send(`nonsense`)
	}
	if _, err := r.agent.Next(t.Context()); !errors.Is(err, ErrTooSlow) {
		t.Fatal(err)
	}
}

func TestN26CommandsRefusedBeforeDispatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		info    protocol.PageInfo
		token   protocol.Level
		command string
		code    fault.Code
		details map[string]any
	}{
		{"observe", pageInfo(protocol.Observe), "", `"type":"click","target":{"ref":"e1"}`, fault.CapabilityMissing, map[string]any{"level": "act", "have": "observe"}},
		{"act evaluates", pageInfo(protocol.Act), "", `"type":"evaluate","code":"1"`, fault.CapabilityMissing, map[string]any{"level": "control", "have": "act"}},
		{"token of observe", pageInfo(protocol.Control), protocol.Observe, `"type":"click","target":{"ref":"e1"}`, fault.CapabilityMissing, map[string]any{"level": "act", "have": "observe", "limitedBy": "token"}},
		{"evaluate switched off", protocol.PageInfo{Level: protocol.Control, Source: protocol.SourceExtension, Capabilities: []string{"input"}}, "", `"type":"evaluate","code":"1"`, fault.EvalDisabled, nil},
		{"SDK without eval", protocol.PageInfo{Level: protocol.Act, Source: protocol.SourceSDK, Capabilities: []string{"input"}}, "", `"type":"evaluate","code":"1"`, fault.EvalDisabled, nil},
		{"tree switched off", protocol.PageInfo{Level: protocol.Control, Source: protocol.SourceExtension}, "", `"type":"request_ui_tree"`, fault.CapabilityMissing, map[string]any{"capability": "ui_tree"}},
		{"unknown page", pageInfo(protocol.Control), "", `"type":"request_ui_tree","pageId":99`, fault.PageNotFound, nil},
		{"old epoch", pageInfo(protocol.Control), "", `"type":"request_ui_tree","epoch":"epoch0"`, fault.Indeterminate, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newHub(t, Limits{}).Open("default")
			exec := &fakePage{}
			s.AddPage(c.info, exec)
			r := attach(t, s, AttachOptions{Level: c.token})
			r.send(`{"requestId":"r",%s}`, c.command)
			m := r.result("r")
			wantFailure(t, m, c.code)
			for key, want := range c.details {
				if m.Error.Details[key] != want {
					t.Errorf("details.%s is %v, want %v", key, m.Error.Details[key], want)
				}
			}
			if exec.count.Load() != 0 {
				t.Error("the command reached the page")
			}
		})
	}
}

func TestChoosingThePage(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	r := attach(t, s, AttachOptions{})
	r.send(`{"type":"request_ui_tree","requestId":"none"}`)
	m := r.result("none")
	wantFailure(t, m, fault.NotConnected)
	if !strings.Contains(m.Error.Suggestions[0], "Connect") {
		t.Errorf("suggestion %q does not name the popup's button", m.Error.Suggestions[0])
	}
	one := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	r.send(`{"type":"request_ui_tree","requestId":"only"}`)
	if m := r.result("only"); !m.Success || m.PageID != one.ID() {
		t.Fatal(m.Raw)
	}
	two := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	r.send(`{"type":"request_ui_tree","requestId":"last used"}`)
	if m := r.result("last used"); m.PageID != one.ID() {
		t.Fatal(m.Raw)
	}
	other := attach(t, s, AttachOptions{Name: "other"})
	other.send(`{"type":"request_ui_tree","requestId":"which"}`)
	m = other.result("which")
	wantFailure(t, m, fault.ValidationError)
	if fmt.Sprint(m.Error.Details["pages"]) != fmt.Sprintf("[%d %d]", one.ID(), two.ID()) {
		t.Errorf("the pages are not named: %s", m.Raw)
	}
	other.send(`{"type":"request_ui_tree","requestId":"two","pageId":%d}`, two.ID())
	other.result("two")
	again := attach(t, s, AttachOptions{Name: "other"})
	again.send(`{"type":"request_ui_tree","requestId":"kept"}`)
	if m := again.result("kept"); m.PageID != two.ID() {
		t.Fatalf("a reconnect forgot the page: %s", m.Raw)
	}
	one.Disconnected(protocol.ReasonExtensionGone)
	r.send(`{"type":"request_ui_tree","requestId":"away"}`)
	m = r.result("away")
	wantFailure(t, m, fault.ExtensionNotConnected)
	one.Reconnected(&fakePage{})
	one.Disconnected(protocol.ReasonLeftSite)
	r.send(`{"type":"request_ui_tree","requestId":"left"}`)
	m = r.result("left")
	wantFailure(t, m, fault.NotConnected)
	if m.Error.Details["reason"] != protocol.ReasonLeftSite {
		t.Errorf("details %v", m.Error.Details)
	}
}

func TestOversizedEventsAreReplaced(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{EventBytes: 2000}).Open("default")
	big := strings.Repeat("x", 3000)
	page := s.AddPage(pageInfo(protocol.Act), &fakePage{run: func(_ context.Context, _ *protocol.Command, dispatched func()) (Outcome, error) {
		dispatched()
		return Outcome{Result: big, Effect: protocol.EffectChanged}, nil
	}})
	r := attach(t, s, AttachOptions{})
	page.Publish(console(big))
	if m := r.until(protocol.TypeDropped, ""); m.Counts["console"] != 1 || m.PageID != page.ID() {
		t.Fatal(m.Raw)
	}
	r.send(`{"type":"click","target":{"ref":"e1"},"requestId":"r"}`)
	m := r.result("r")
	wantFailure(t, m, fault.ResultTooLarge)
	if m.Effect != protocol.EffectChanged {
		t.Errorf("the effect was lost: %s", m.Raw)
	}
}

func TestTypesFilter(t *testing.T) {
	t.Parallel()
	s := newHub(t, Limits{}).Open("default")
	page := s.AddPage(pageInfo(protocol.Act), &fakePage{})
	r := attach(t, s, AttachOptions{Name: "me", Types: []string{"console"}})
	other := attach(t, s, AttachOptions{Name: "you"})
	page.Navigated("http://a.test/x", true)
	page.Publish(console("one"))
	other.send(`{"type":"request_state","requestId":"theirs"}`)
	other.result("theirs")
	r.send(`{"type":"request_state","requestId":"mine"}`)
	r.send(`{"type":"nonsense"}`)
	var got []string
	for range 4 {
		m := r.next()
		got = append(got, m.Type+" "+m.RequestID)
	}
	slices.Sort(got)
	if want := []string{"command_result mine", "console ", "host_error ", "welcome "}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	r.nothing()
}

func TestAgentsNotification(t *testing.T) {
	t.Parallel()
	h := newHub(t, Limits{})
	var changes atomic.Int64
	h.OnAgents(func() { changes.Add(1); h.Agents() })
	a := h.Open("x").Attach(AttachOptions{Name: "n"})
	if all := h.Agents(); len(all) != 1 || all[0].ID != "x" || all[0].Agents[0].Name != "n" {
		t.Fatalf("%+v", all)
	}
	a.Detach()
	if changes.Load() != 2 || len(h.Agents()) != 0 {
		t.Fatalf("%d changes, %v", changes.Load(), h.Agents())
	}
}

func TestCloseEndsEverything(t *testing.T) {
	t.Parallel()
	h := NewHub(Config{Epoch: "e", Log: zerolog.Nop()})
	s := h.Open("default")
	started := make(chan string, 1)
	s.AddPage(pageInfo(protocol.Act), blocking(started, nil, true))
	a := s.Attach(AttachOptions{Name: "n"})
	a.Receive([]byte(`{"type":"click","target":{"ref":"e1"},"requestId":"r"}`))
	<-started
	h.Close()
	var err error
	for err == nil {
		_, err = a.Next(t.Context())
	}
	if !errors.Is(err, ErrClosed) {
		t.Fatal(err)
	}
	late := s.Attach(AttachOptions{Name: "late"})
	if _, err := late.Next(t.Context()); err != nil {
		t.Fatalf("welcome first: %v", err)
	}
	if _, err := late.Next(t.Context()); !errors.Is(err, ErrClosed) {
		t.Fatal(err)
	}
}

func TestIdleSessionGivesBackItsMemory(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHub(Config{Epoch: "e", Log: zerolog.Nop()})
		defer h.Close()
		page := h.Open("used").AddPage(pageInfo(protocol.Act), &fakePage{})
		h.Open("unused")
		page.Publish(console("x"))
		page.Remove(protocol.ReasonClosed)
		time.Sleep(62 * time.Minute)
		stats := h.Stats()
		if len(stats) != 1 || stats[0].ID != "used" || stats[0].Events != 0 || stats[0].LastSeq != 5 {
			t.Fatalf("%+v", stats)
		}
		r := attach(t, h.Open("used"), AttachOptions{Resume: &Resume{Since: 2, Epoch: "e"}})
		if m := r.until(protocol.TypeGap, ""); m.FromSeq != 3 || *m.ToSeq != 5 || m.Dropped["console"] != 1 || m.Dropped["capabilities"] != 1 || m.Dropped["app_disconnected"] != 1 {
			t.Fatal(m.Raw)
		}
	})
}
