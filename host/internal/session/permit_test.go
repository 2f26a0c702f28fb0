package session

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// rawPage takes raw CDP too.
type rawPage struct {
	fakePage
	sent atomic.Int64
}

func (r *rawPage) CDP(context.Context, string, jsontext.Value, string) (jsontext.Value, error) {
	r.sent.Add(1)
	return jsontext.Value("{}"), nil
}

// Config.Guard is asked before every command, and told what became of it.
func TestGuard(t *testing.T) {
	t.Parallel()
	asked, told := make(chan string, 8), make(chan string, 8)
	h := NewHub(Config{Epoch: "e", Guard: func(_ context.Context, exec Executor, cmd *protocol.Command) (func(*Outcome, error), error) {
		if exec == nil {
			t.Error("asked without a page")
		}
		asked <- cmd.AgentName + " " + cmd.Type
		if cmd.AgentName == "stranger" && cmd.Type != "request_ui_tree" {
			return nil, fault.New(fault.PageLeased, "it is another's")
		}
		return func(_ *Outcome, err error) { told <- fmt.Sprint(cmd.Type, " ", err) }, nil
	}})
	defer h.Close()
	s := h.Open("default")
	page := &rawPage{}
	info := pageInfo(protocol.Control)
	info.Capabilities = append(slices.Clone(info.Capabilities), protocol.CapCDP)
	s.AddPage(info, page)
	stranger, holder := attach(t, s, AttachOptions{Name: "stranger"}), attach(t, s, AttachOptions{Name: "holder"})

	const click, look, raw = `{"type":"click","requestId":"%d","target":{"text":"Save"}}`, `{"type":"request_ui_tree","requestId":"%d"}`, `{"type":"cdp_request","id":%d,"method":"Page.reload"}`
	stranger.send(look, 1)
	if m := stranger.result("1"); !m.Success {
		t.Errorf("who only looks is refused: %s", m.Raw)
	}
	stranger.send(click, 2)
	wantFailure(t, stranger.result("2"), fault.PageLeased)
	holder.send(click, 3)
	if m := holder.result("3"); !m.Success {
		t.Errorf("the holder's click: %s", m.Raw)
	}
	// Raw CDP may change anything.
	stranger.send(raw, 4)
	if m := stranger.until(protocol.TypeCDPResponse, ""); m.Error == nil || m.Error.Code != string(fault.PageLeased) {
		t.Errorf("raw CDP of a stranger: %s", m.Raw)
	}
	holder.send(raw, 5)
	if m := holder.until(protocol.TypeCDPResponse, ""); m.Error != nil {
		t.Errorf("raw CDP of the holder: %s", m.Raw)
	}
	if ran, sent := page.count.Load(), page.sent.Load(); ran != 2 || sent != 1 || len(asked) != 5 || len(told) != 3 {
		t.Errorf("%d commands and %d of raw CDP ran, asked %d times, told %d times", ran, sent, len(asked), len(told))
	}
}
