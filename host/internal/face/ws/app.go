package ws

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/socket"
)

// Limits of apps.
const (
	helloTime = 3 * time.Second
	appAway   = 2 * time.Minute
	appQueue  = 2048 // messages to an app that wait to be written
	maxText   = 4096 // bytes kept of a title, a name or a message of an app
	maxURL    = 16 << 10
)

// appKey names an SDK page across reconnects. The token's name is part of it, so
// that an appId that leaked does not give the page to another token.
type appKey struct{ session, token, appID string }

// appPage is an SDK page, connected or away. One that the extension shows too
// (merged) has no page of its own: page is then the extension's.
type appPage struct {
	page   *session.Page
	merged bool
	info   protocol.PageInfo
	now    *app        // nil while away
	timer  *time.Timer // removes the page when it stays away
}

// outgoing is one message to the app. dispatched runs right before it leaves.
type outgoing struct {
	ctx        context.Context
	data       []byte
	dispatched func()
}

// app is one connection of an SDK: the Executor of its page.
type app struct {
	peer    *socket.Peer
	queue   chan outgoing
	tree    treeCache
	entered chan struct{} // closed when page is set and welcome is queued

	mu      sync.Mutex
	page    *session.Page
	merged  bool // page is the extension's
	pending map[string]chan *protocol.CommandResult
	caps    []string
	asked   int // requests of our own
}

// serveApp runs an app's connection to its end.
func (h *Handler) serveApp(p *socket.Peer, asked request) {
	a := &app{peer: p, queue: make(chan outgoing, appQueue), entered: make(chan struct{}), pending: make(map[string]chan *protocol.CommandResult)}
	var parts sync.WaitGroup
	parts.Go(a.pump)
	parts.Go(func() { p.KeepAlive(h.config.PingEvery, h.config.SilenceMost) })
	late := time.AfterFunc(helloTime, func() {
		p.Close(websocket.StatusPolicyViolation, "hello and capabilities are due within 3 s", socket.CloseWait)
	})
	info, appID, err := a.introduce()
	if late.Stop() && err == nil {
		err = a.serve(h, asked.session, info, appID)
	}
	p.Done()
	p.End(err)
	parts.Wait()
}

// introduce reads hello and capabilities.
func (a *app) introduce() (info protocol.PageInfo, appID string, err error) {
	first, err := a.next()
	if err != nil {
		return info, "", err
	}
	hello, ok := first.(*protocol.Hello)
	if !ok || hello.AppID == "" || len(hello.AppID) > protocol.MaxRequestIDLen {
		return info, "", &socket.Violation{Code: websocket.StatusPolicyViolation, Reason: "the first message is hello, with an appId"}
	}
	second, err := a.next()
	if err != nil {
		return info, "", err
	}
	capabilities, ok := second.(*protocol.Capabilities)
	if !ok {
		return info, "", &socket.Violation{Code: websocket.StatusPolicyViolation, Reason: "the second message is capabilities"}
	}
	info = protocol.PageInfo{Source: protocol.SourceSDK, Capabilities: known(capabilities.Capabilities)}
	a.describe(&info, hello)
	return info, hello.AppID, nil
}

// next gives the app's next message that could be read; others are answered.
func (a *app) next() (protocol.Message, error) {
	for {
		data, err := a.peer.Read()
		if err != nil {
			return nil, err
		}
		message, err := protocol.DecodeApp(data)
		if err == nil {
			return message, nil
		}
		var refused *protocol.DecodeError
		errors.As(err, &refused)
		f := fault.New(fault.Code(refused.Code), "%s", refused.Message)
		a.tell(&protocol.HostError{Base: hostBase(protocol.TypeHostError), Code: string(f.Code), Message: f.Message, Suggestions: f.Suggestions})
	}
}

// describe takes over what a hello says. The level is the most that the
// capabilities mean, and never more than the token allows.
func (a *app) describe(info *protocol.PageInfo, hello *protocol.Hello) {
	info.AppName, info.AppVersion = clip(hello.AppName, maxText), clip(hello.AppVersion, maxText)
	info.URL, info.Title, info.UserAgent = clip(hello.URL, maxURL), clip(hello.Title, maxText), clip(hello.UserAgent, maxText)
	info.Level = hello.Level
	if info.Level.Rank() == 0 {
		info.Level = protocol.Observe
		if slices.Contains(info.Capabilities, protocol.CapInput) {
			info.Level = protocol.Act
		}
		if slices.Contains(info.Capabilities, protocol.CapEval) {
			info.Level = protocol.Control
		}
	}
	if most := protocol.Level(a.peer.Identity.Level); most.Rank() > 0 && !most.Allows(info.Level) {
		info.Level = most
	}
	if !info.Level.Allows(protocol.Act) {
		info.Capabilities = without(info.Capabilities, protocol.CapInput)
	}
	if !info.Level.Allows(protocol.Control) {
		info.Capabilities = without(info.Capabilities, protocol.CapEval)
	}
}

func without(list []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(other string) bool { return other == one })
}

var allCapabilities = []string{
	protocol.CapDOMSnapshot, protocol.CapDOMMutations, protocol.CapUITree, protocol.CapConsole, protocol.CapErrors,
	protocol.CapState, protocol.CapEval, protocol.CapInput,
}

// known keeps the capabilities that an SDK can have, once each, in our order.
func known(given []string) []string {
	list := []string{}
	for _, one := range allCapabilities {
		if slices.Contains(given, one) {
			list = append(list, one)
		}
	}
	return list
}

func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}

// serve registers the page and takes its messages until the connection ends.
func (a *app) serve(h *Handler, sessionID string, info protocol.PageInfo, appID string) error {
	key := appKey{sessionID, a.peer.Identity.Name, appID}
	a.caps = info.Capabilities
	if !h.enterApp(key, a, info) {
		return &socket.Violation{Code: websocket.StatusServiceRestart, Reason: "host restarting"}
	}
	defer h.leaveApp(key, a)
	page, merged := a.where()
	a.tell(&protocol.Welcome{
		Base:        protocol.Base{ProtocolVersion: protocol.Version, Type: protocol.TypeWelcome, SessionID: sessionID, Origin: protocol.OriginHost, Timestamp: time.Now().UnixMilli(), PageID: page.ID()},
		HostVersion: h.hub.HostVersion(), AgentID: fmt.Sprintf("app%d", page.ID()), Epoch: h.hub.Epoch(), Pages: []protocol.PageInfo{page.Info()},
	})
	close(a.entered)
	if merged {
		a.quiet(quietKinds)
	}
	for {
		message, err := a.next()
		if err != nil {
			return err
		}
		switch m := message.(type) {
		case *protocol.Hello:
			h.describeApp(key, a, func(info *protocol.PageInfo) { a.describe(info, m) })
		case *protocol.Capabilities:
			h.describeApp(key, a, func(info *protocol.PageInfo) {
				// What the level rules out stays out.
				info.Capabilities = slices.DeleteFunc(known(m.Capabilities), func(one string) bool {
					return one == protocol.CapInput && !info.Level.Allows(protocol.Act) || one == protocol.CapEval && !info.Level.Allows(protocol.Control)
				})
				a.mu.Lock()
				a.caps = info.Capabilities
				a.mu.Unlock()
			})
		case *protocol.CommandResult:
			a.answered(m)
		default:
			page, merged := a.where()
			if merged && message.Header().Type != protocol.TypeStateUpdate {
				continue // the extension's bridge tells it
			}
			a.tree.follow(message)
			message.Header().RequestID = "" // only the host echoes requests
			if update, ok := message.(*protocol.StateUpdate); ok {
				maskState(update)
			}
			page.Publish(message)
		}
	}
}

// enterApp makes the connection's page: a new one, or the one that is back. An
// older connection of the same app gives way.
func (h *Handler) enterApp(key appKey, a *app, info protocol.PageInfo) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped {
		return false
	}
	old := h.apps[key]
	if old == nil {
		entry := &appPage{now: a, info: info}
		h.apps[key] = entry
		if into := h.merges[mergeKey{key.session, key.appID}]; into != nil {
			h.mergeInto(entry, into)
		} else {
			entry.page = h.hub.Open(key.session).AddPage(info, a)
			a.move(entry.page, false)
		}
		return true
	}
	old.info = info
	if old.timer != nil {
		old.timer.Stop()
		old.timer = nil
	}
	if replaced := old.now; replaced != nil {
		if !old.merged {
			old.page.Disconnected(protocol.ReasonClosed)
		}
		h.work.Go(func() {
			replaced.peer.Close(websocket.StatusPolicyViolation, "replaced by a newer connection", socket.CloseWait)
		})
	}
	old.now = a
	a.move(old.page, old.merged)
	if old.merged {
		nameApp(old.page, info)
		return true
	}
	old.page.SetInfo(func(now *protocol.PageInfo) {
		id, connected := now.PageID, now.Connected
		*now = info
		now.PageID, now.Connected = id, connected
	})
	old.page.Reconnected(a)
	return true
}

// leaveApp notes that the page is away, and forgets it when it stays away.
func (h *Handler) leaveApp(key appKey, a *app) {
	h.mu.Lock()
	defer h.mu.Unlock()
	entry := h.apps[key]
	if entry == nil || entry.now != a {
		return
	}
	entry.now = nil
	if !entry.merged {
		entry.page.Disconnected(protocol.ReasonClosed)
	}
	if h.stopped {
		return
	}
	entry.timer = time.AfterFunc(h.config.AppAway, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.apps[key] == entry && entry.now == nil && !h.stopped {
			delete(h.apps, key)
			if !entry.merged {
				entry.page.Remove(protocol.ReasonClosed)
			}
		}
	})
}

func hostBase(messageType string) protocol.Base {
	return protocol.Base{ProtocolVersion: protocol.Version, Type: messageType, Origin: protocol.OriginHost, Timestamp: time.Now().UnixMilli()}
}

// tell queues a message that is not a command. An app that does not read is not
// worth waiting for: the queue is bounded, and full it drops what comes.
func (a *app) tell(message any) {
	data, err := protocol.Encode(message)
	if err != nil {
		return
	}
	select {
	case a.queue <- outgoing{ctx: a.peer.Context, data: data}:
	default:
	}
}

// pump writes what is queued.
func (a *app) pump() {
	for {
		select {
		case <-a.peer.Context.Done():
			return
		case out := <-a.queue:
			if out.ctx.Err() != nil {
				continue // cancelled before it left: it never runs
			}
			if out.dispatched != nil {
				out.dispatched()
			}
			if a.peer.Write(out.data) != nil {
				a.peer.Broken()
				return
			}
		}
	}
}

// Run sends a command to the app and waits for its answer.
func (a *app) Run(ctx context.Context, cmd *protocol.Command, dispatched func()) (session.Outcome, error) {
	select {
	case <-a.entered: // welcome goes first
	case <-ctx.Done():
		return session.Outcome{}, ctx.Err()
	}
	answer := make(chan *protocol.CommandResult, 1)
	id := a.expect(cmd.RequestID, answer)
	defer a.forget(id)
	data, err := encodeCommand(ctx, cmd, id)
	if err != nil {
		return session.Outcome{}, fault.From(err)
	}
	sent := make(chan struct{})
	select {
	case a.queue <- outgoing{ctx, data, func() { close(sent); dispatched() }}:
	case <-ctx.Done():
		return session.Outcome{}, ctx.Err()
	}
	select {
	case result := <-answer:
		return a.outcome(cmd, result)
	case <-ctx.Done():
		select {
		case <-sent:
			base := hostBase(protocol.TypeCancel)
			base.SessionID, base.RequestID = cmd.SessionID, id
			a.tell(&base)
		default:
		}
		return session.Outcome{}, ctx.Err()
	}
}

// expect registers a request under its own id, or under one made of it while
// another agent's request of the same id is open.
func (a *app) expect(requestID string, answer chan *protocol.CommandResult) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	id := requestID
	for n := 2; a.pending[id] != nil; n++ {
		id = fmt.Sprintf("%s#%d", requestID, n)
	}
	a.pending[id] = answer
	return id
}

func (a *app) forget(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.pending, id)
}

// answered hands a result to who waits for it; late ones and inventions are dropped.
func (a *app) answered(result *protocol.CommandResult) {
	a.mu.Lock()
	answer := a.pending[result.RequestID]
	delete(a.pending, result.RequestID)
	a.mu.Unlock()
	if answer != nil {
		answer <- result
	}
}

// encodeCommand writes a command as the agent wrote it: from what was decoded,
// never the agent's own bytes.
func encodeCommand(ctx context.Context, cmd *protocol.Command, id string) ([]byte, error) {
	head := struct {
		protocol.Base
		TimeoutMs int64 `json:"timeoutMs"`
	}{cmd.Base, int64(cmd.TimeoutMs)}
	if deadline, ok := ctx.Deadline(); ok {
		head.TimeoutMs = max(1, time.Until(deadline).Milliseconds())
	}
	head.RequestID, head.Origin, head.Seq = id, protocol.OriginAgent, 0
	head.Timestamp = cmp.Or(head.Timestamp, time.Now().UnixMilli())
	data, err := protocol.Encode(head)
	if err != nil {
		return nil, err
	}
	params, err := protocol.Encode(cmd.Params)
	if err != nil {
		return nil, err
	}
	if string(params) == "{}" {
		return data, nil
	}
	return append(append(data[:len(data)-1], ','), params[1:]...), nil
}

// outcome reads an app's answer. The code is taken if it is of our table; the
// suggestions are ours, because text of a page is no advice to an agent.
func (a *app) outcome(cmd *protocol.Command, result *protocol.CommandResult) (session.Outcome, error) {
	outcome := session.Outcome{Result: result.Result, Effect: result.Effect, Via: "bridge"}
	if !slices.Contains([]string{protocol.EffectChanged, protocol.EffectNoop, protocol.EffectNavigated}, outcome.Effect) {
		outcome.Effect = protocol.EffectUnknown
	}
	if result.Success {
		return a.publish(cmd, outcome)
	}
	outcome.Result = nil
	if result.Error == nil {
		return outcome, fault.New(fault.InternalError, "The app failed without saying why.")
	}
	code := fault.Code(result.Error.Code)
	if _, ok := fault.Lookup(code); !ok {
		code = fault.InternalError
	}
	f := fault.New(code, "%s", clip(result.Error.Message, maxText))
	f.Details = result.Error.Details
	if code != fault.Code(result.Error.Code) {
		f.With("appCode", clip(result.Error.Code, 64))
	}
	return outcome, f
}

// Snapshot publishes the tree and the document anew, where they are on.
func (a *app) Snapshot(ctx context.Context) {
	a.mu.Lock()
	caps := slices.Clone(a.caps)
	a.mu.Unlock()
	for _, name := range []string{"request_ui_tree", "request_dom_snapshot"} {
		spec, ok := protocol.Spec(name)
		if !ok || !slices.Contains(caps, spec.Capability) {
			continue
		}
		a.mu.Lock()
		a.asked++
		id := fmt.Sprintf("host-snapshot-%d", a.asked)
		a.mu.Unlock()
		cmd := &protocol.Command{Spec: spec, Params: spec.Params(), TimeoutMs: int(protocol.DefaultTimeout / time.Millisecond)}
		cmd.Base = hostBase(name)
		cmd.RequestID = id
		cmd.AgentID = "" // nobody's request: what is published carries no requestId
		if _, err := a.Run(ctx, cmd, func() {}); err != nil {
			return
		}
	}
}

// CurrentTree is the tree as the messages so far make it.
func (a *app) CurrentTree() (*protocol.UITree, bool) { return a.tree.current() }
