package daemon

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/hostlink"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// openSlots makes the contexts' manager.
func (d *Daemon) openSlots() error {
	options, err := slot.Options{
		Home: d.home, Log: d.log,
		Engine: &slot.Chromes{Report: d.pages, Policy: d.policy(), Log: d.log},
		// From within a command; the popups are told beside it.
		Told:       func() { go d.tellAgents() },
		Extensions: d.extensions,
		Left:       func(key string) { d.tellLeft(key, d.browsers.list()...) },
	}.FromEnvironment()
	if err != nil {
		return err
	}
	d.slots = slot.NewManager(d.pages, options)
	d.runner.Slots = d.slots
	return nil
}

// tellLeft tells the user's browsers that an agent is done: its tabs there are closed or
// kept, as the person set it.
func (d *Daemon) tellLeft(key string, to ...*hostlink.Browser) {
	for _, b := range to {
		if err := b.Notify("agent.left", map[string]any{"key": key}); err != nil {
			d.log.Debug().Err(err).Str("browser", b.ID()).Str("context", key).Msg("the browser could not be told who left")
		}
	}
}

// extensions tells contexts which browsers of the person's are connected.
func (d *Daemon) extensions() []slot.Extension {
	var out []slot.Extension
	for _, b := range d.browsers.list() {
		hello := b.Hello()
		out = append(out, slot.Extension{ID: b.ID(), Name: hello.Name, Product: hello.Browser})
	}
	return out
}

// slotsEnd bounds the end of all contexts when the daemon stops.
const slotsEnd = 4 * time.Second

func (d *Daemon) closeSlots() {
	ctx, cancel := context.WithTimeout(context.Background(), slotsEnd)
	defer cancel()
	d.slots.Close(ctx)
}

// peerKey is where a connection's context keeps the process at its other end, a *peer.
type peerKey struct{}

// peer is the process at the other end of a connection. What is found out about it is kept:
// a list of commands comes over one connection.
type peer struct {
	pid int

	mu    sync.Mutex
	found bool
	known caller.Caller // as of the folder known.Cwd
}

// of is c with the anchor of the process.
func (p *peer) of(c caller.Caller) caller.Caller {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.found || p.known.Cwd != c.Cwd {
		p.known, p.found = c.Of(p.pid), true
	}
	k := &p.known
	c.Pid, c.Anchor, c.AnchorAt, c.AnchorName, c.TTY, c.Workspace = k.Pid, k.Anchor, k.AnchorAt, k.AnchorName, k.TTY, k.Workspace
	return c
}

// knowPeers makes a local server's requests tell from which process they come.
func knowPeers(server *http.Server) *http.Server {
	inner := server.ConnContext
	server.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		if inner != nil {
			ctx = inner(ctx, conn)
		}
		return context.WithValue(ctx, peerKey{}, &peer{pid: state.PeerPid(conn)})
	}
	return server
}

// identify puts right who a command says it comes from.
func (d *Daemon) identify(r *http.Request, request *command.Request) {
	d.idle.touch()
	if p, _ := r.Context().Value(peerKey{}).(*peer); p != nil && p.pid != 0 && (request.Caller.Pid != p.pid || request.Caller.Anchor == 0) {
		request.Caller = p.of(request.Caller)
	}
	request.Caller.Agent = "" // names of tokens are the gate's to give
	if request.Face == "" {
		request.Face = "cli"
	}
}

// request is what is known of who asks over HTTP, whichever way it came: the caller and
// what the credential allows. The query names what else may be chosen: profile and session.
func (d *Daemon) request(r *http.Request) command.Request {
	query := r.URL.Query()
	flags := caller.Flags{Profile: query.Get("profile"), Session: query.Get("session")}
	identity, _ := gate.From(r.Context())
	if identity.Local {
		out := command.Request{Caller: caller.Caller{}.With(flags), Face: faceHTTP}
		d.identify(r, &out)
		return out
	}
	d.idle.touch()
	flags.ContextID = identity.Context
	who := caller.Caller{Agent: identity.Name}.With(flags)
	return command.Request{Caller: who, Foreign: true, Ceiling: protocol.Level(identity.Level), Face: faceHTTP}
}

const faceHTTP = "http"

// sees tells whether a credential's holder may know of a session: those of the user's
// pages, and that of its own context. Of others' contexts it learns nothing.
func sees(identity gate.Identity, session string) bool {
	if identity.Local || !caller.IsKey(session) {
		return true
	}
	own, err := (caller.Caller{Agent: identity.Name, ContextID: identity.Context}).Key()
	return err == nil && own.Name == session
}

// actors are the agents of all sessions, with the contexts that hold their pages.
func (d *Daemon) actors() []session.SessionAgents {
	all := d.hub.Agents()
	if d.slots == nil {
		return all
	}
	at := make(map[string]int, len(all))
	for i, s := range all {
		at[s.ID] = i
	}
	told := make(map[string]bool)
	for _, h := range d.slots.Holdings() {
		id := h.Page.Page().Session().ID()
		if told[id+h.Context] {
			continue
		}
		told[id+h.Context] = true
		i, ok := at[id]
		if !ok {
			i = len(all)
			at[id] = i
			all = append(all, session.SessionAgents{ID: id})
		}
		all[i].Agents = append(all[i].Agents, session.AgentName{ID: h.Context, Name: h.Label})
	}
	return all
}
