package http

import (
	"context"
	"crypto/rand"
	nethttp "net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
)

// Config of an API. All but the times is required.
type Config struct {
	Runner *command.Runner
	Hub    *session.Hub
	Pages  *page.Manager
	// Request tells who asks, by the connection and the credential.
	Request func(*nethttp.Request) command.Request
	// Agents are those of all sessions, with the contexts that hold pages of the user's.
	Agents func() []session.SessionAgents
	Log    zerolog.Logger

	PingEvery time.Duration // of an event stream, 15 s
	BodyTime  time.Duration // for a request's body to arrive, 10 s
	Grace     time.Duration // for requests under way when the daemon stops, 2 s
}

// API is the HTTP control API: the catalogue's commands under /v1/, the aliases beside
// them, the events of a session. It stands behind a gate. Shutdown ends it.
type API struct {
	config  Config
	routes  map[string]methods // by path
	targets targets
	ledger  ledger
	streams streams

	life context.Context // ends when requests under way must end
	end  context.CancelCauseFunc
	work sync.WaitGroup

	mu      sync.Mutex
	stopped bool
}

// methods are the handlers of a path.
type methods map[string]func(*call)

// allow is the value of the header of that name.
func (m methods) allow() string {
	var names []string
	for name := range m {
		names = append(names, name)
		if name == nethttp.MethodGet {
			names = append(names, nethttp.MethodHead)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// New makes an API.
func New(config Config) *API {
	if config.PingEvery <= 0 {
		config.PingEvery = 15 * time.Second
	}
	if config.BodyTime <= 0 {
		config.BodyTime = 10 * time.Second
	}
	if config.Grace <= 0 {
		config.Grace = 2 * time.Second
	}
	a := &API{config: config, routes: make(map[string]methods)}
	a.life, a.end = context.WithCancelCause(context.Background())
	rand.Read(a.targets.key[:]) // never fails; it ends the process where there is no randomness
	a.add(nethttp.MethodGet, "/v1", a.index)
	a.add(nethttp.MethodGet, "/v1/overview", a.overview)
	a.add(nethttp.MethodGet, "/v1/events", a.events)
	a.add(nethttp.MethodGet, "/v1/openapi.json", a.openAPI)
	a.addCommands()
	a.addAliases()
	return a
}

func (a *API) add(method, path string, handle func(*call)) {
	if a.routes[path] == nil {
		a.routes[path] = methods{}
	}
	a.routes[path][method] = handle
}

// find gives the handlers of a path and its variable part.
func (a *API) find(path string) (found methods, rest string) {
	if found = a.routes[path]; found != nil {
		return found, ""
	}
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		return a.routes[path[:at+1]], path[at+1:]
	}
	return nil, ""
}

func (a *API) ServeHTTP(w nethttp.ResponseWriter, r *nethttp.Request) {
	identity, ok := gate.From(r.Context())
	if !ok {
		gate.Refuse(w, nethttp.StatusUnauthorized)
		return
	}
	if !identity.Fits(gate.RoleAgent) {
		gate.Refuse(w, nethttp.StatusForbidden)
		return
	}
	c := newCall(a, w, r)
	defer c.release()
	if !a.begin() {
		c.fail(stopping())
		return
	}
	defer a.work.Done()
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	defer context.AfterFunc(a.life, func() { cancel(errStopping) })()
	c.r = r.WithContext(ctx)
	if err := c.name(); err != nil {
		c.fail(err)
		return
	}
	found, rest := a.find(r.URL.Path)
	if found == nil {
		c.fail(a.noRoute(r.URL.Path))
		return
	}
	method := r.Method
	if method == nethttp.MethodHead {
		method = nethttp.MethodGet
	}
	handle := found[method]
	if handle == nil {
		w.Header().Set("Allow", found.allow())
		c.refuse(nethttp.StatusMethodNotAllowed, fault.New(fault.ValidationError, "%s is not for %s", r.URL.Path, r.Method).
			With("allow", strings.Split(found.allow(), ", ")).Suggest("Use "+found.allow()+"."))
		return
	}
	c.rest = rest
	handle(c)
}

func (a *API) begin() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped {
		return false
	}
	a.work.Add(1)
	return true
}

func (a *API) noRoute(path string) error {
	var paths []string
	for known := range a.routes {
		paths = append(paths, known)
	}
	slices.Sort(paths)
	f := fault.New(fault.UnknownType, "there is no %s", path).Suggest("List what there is: GET /v1")
	if near := output.Nearest(path, paths); near != "" {
		f = f.With("nearest", near).Suggest("Did you mean "+near+"?", "List what there is: GET /v1")
	}
	return statusError{nethttp.StatusNotFound, f}
}

// Shutdown ends streams at once, and refuses what comes from now on. Requests under way
// have a little time to be done; then they are ended and answered.
func (a *API) Shutdown(ctx context.Context) {
	a.mu.Lock()
	a.stopped = true
	a.mu.Unlock()
	a.streams.end(errStopping, func(gate.Identity) bool { return true })
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.work.Wait()
	}()
	timer := time.NewTimer(a.config.Grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
	a.end(errStopping)
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// Revoke ends the streams of the identities that gone picks.
func (a *API) Revoke(gone func(gate.Identity) bool) { a.streams.end(errRevoked, gone) }

func stopping() *fault.Error {
	return fault.New(fault.DaemonUnavailable, "the daemon stops").Suggest("Send it again in a moment.")
}
