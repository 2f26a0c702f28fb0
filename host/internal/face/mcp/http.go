package mcp

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	nethttp "net/http"
	"strconv"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/client"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
)

const (
	// Path of the endpoint.
	Path = "/mcp"
	// sessionHeader names a client's session.
	sessionHeader = "Mcp-Session-Id"
	// maxSessions at once; more are refused.
	maxSessions = 64
	// sessionIdle ends a session that nobody uses or ends.
	sessionIdle = time.Hour
	// farewell bounds the end of a context whose session has ended.
	farewell = 10 * time.Second
)

// web serves sessions over HTTP: behind the gate, each with the token that began it.
type web struct {
	server  *server
	ctx     context.Context
	handler nethttp.Handler
	spare   *sdk.Server // for requests of sessions that there are: they have their own

	mu       sync.Mutex
	sessions map[string]*guest
	work     sync.WaitGroup
}

// guest is a session and whose it is.
type guest struct {
	*session
	id       string
	identity gate.Identity
}

type guestKey struct{}

// HTTP serves clients on the loopback interface until ctx ends. ready gets the address.
func HTTP(ctx context.Context, port int, o Options, ready func(url string) error) error {
	if _, err := choose(o); err != nil {
		return err
	}
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fault.New(fault.Busy, "cannot listen on 127.0.0.1:%d: %v", port, err).Because(err).Suggest("Choose another: --port N, or --port 0 for any that is free.")
	}
	port = listener.Addr().(*net.TCPAddr).Port
	s := newServer(o, true)
	defer s.pool.Close()
	w := &web{server: s, ctx: ctx, sessions: map[string]*guest{}, spare: sdk.NewServer(&sdk.Implementation{Name: "debug-bridge"}, nil)}
	w.handler = sdk.NewStreamableHTTPHandler(w.pick, &sdk.StreamableHTTPOptions{SessionTimeout: sessionIdle, MaxRequestBodyBytes: maxLine})
	tokens, apps := o.Home.Tokens(), o.Home.Apps()
	outer := gate.New(gate.Config{
		Port: func() int { return port },
		// No page is served here, so a page of our own origin can only be a client's doing.
		Origins: func(origin string) bool {
			at := strconv.Itoa(port)
			return origin == "http://127.0.0.1:"+at || origin == "http://localhost:"+at || apps.Allowed(origin)
		},
		Verify: func(token string) (gate.Identity, bool) {
			record, ok := tokens.Verify(token)
			return gate.Identity{Name: record.Name, Role: record.Role, Level: string(record.Level), Origin: record.Origin, Made: record.CreatedAt}, ok
		},
		Log: zerolog.Nop(),
	}, nethttp.HandlerFunc(w.serve))
	server := gate.Server(outer)
	server.BaseContext = func(net.Listener) context.Context { return ctx }
	served := make(chan error, 1)
	go func() { served <- server.Serve(gate.Listen(listener)) }()
	err = ready("http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) + Path)
	if err == nil {
		select {
		case <-ctx.Done():
		case err = <-served:
		}
	}
	w.endAll()
	_ = server.Close() // what is left are streams of sessions that have ended
	w.work.Wait()
	if ctx.Err() != nil || errors.Is(err, nethttp.ErrServerClosed) {
		return nil
	}
	return err
}

// serve finds or begins the session of a request.
func (w *web) serve(rw nethttp.ResponseWriter, r *nethttp.Request) {
	identity, ok := gate.From(r.Context())
	switch {
	case r.URL.Path != Path:
		gate.Refuse(rw, nethttp.StatusNotFound)
		return
	case !ok || !identity.Fits(gate.RoleAgent):
		gate.Refuse(rw, nethttp.StatusForbidden)
		return
	}
	if id := r.Header.Get(sessionHeader); id != "" {
		w.mu.Lock()
		g := w.sessions[id]
		w.mu.Unlock()
		if g != nil && (g.identity.Name != identity.Name || !g.identity.Made.Equal(identity.Made)) {
			r.Header.Set(sessionHeader, "another's") // as one that is not there
		}
		w.handler.ServeHTTP(rw, r)
		return
	}
	if r.Method != nethttp.MethodPost {
		w.handler.ServeHTTP(rw, r) // which refuses it
		return
	}
	w.mu.Lock()
	full := len(w.sessions) >= maxSessions
	w.mu.Unlock()
	if full {
		gate.Refuse(rw, nethttp.StatusServiceUnavailable)
		return
	}
	id := rand.Text()
	g := &guest{session: w.server.newSession(w.ctx, id), id: id, identity: identity}
	g.session.level = identity.Level
	g.session.id = id
	w.mu.Lock()
	w.sessions[id] = g
	w.mu.Unlock()
	w.handler.ServeHTTP(rw, r.WithContext(context.WithValue(r.Context(), guestKey{}, g)))
	// The SDK keeps the session of a request that began one.
	for ss := range g.mcp.Sessions() {
		w.work.Add(1)
		go func() {
			defer w.work.Done()
			_ = ss.Wait() // however it ended
			w.end(g)
		}()
		return
	}
	w.end(g)
}

// pick gives the SDK the server of a request.
func (w *web) pick(r *nethttp.Request) *sdk.Server {
	if g, ok := r.Context().Value(guestKey{}).(*guest); ok {
		return g.mcp
	}
	return w.spare
}

// end ends a session's context with the session, unless somebody chose the context.
func (w *web) end(g *guest) {
	w.mu.Lock()
	delete(w.sessions, g.id)
	w.mu.Unlock()
	g.close()
	key, err := g.caller.Key()
	if err != nil || key.Explicit() || !g.used() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), farewell)
	defer cancel()
	c, _ := command.All.Find("session.stop")
	// A context that is not ended here ends with this process.
	_, _ = g.once(ctx, c, &client.RunRequest{Command: c.Name, Caller: g.caller, Limit: c.TimeLimit()}, func(string, []byte) error { return nil })
}

// endAll ends all sessions.
func (w *web) endAll() {
	w.mu.Lock()
	var all []*guest
	for _, g := range w.sessions {
		all = append(all, g)
	}
	w.mu.Unlock()
	for _, g := range all {
		g.session.end()
		for ss := range g.mcp.Sessions() {
			_ = ss.Close() // its Wait tells
		}
	}
}
