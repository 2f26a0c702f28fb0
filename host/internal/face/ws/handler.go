package ws

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/socket"
)

// Limits of connections.
const (
	defaultAgentBytes = 1 << 20
	maxAgentBytes     = 32 << 20
	appBytes          = 32 << 20
	maxAgents         = 128
	maxApps           = 128
)

// Config of a Handler; the zero value is that of the protocol.
type Config struct {
	AgentBytes  int64         // largest message of an agent, 1 MiB to 32 MiB
	Agents      int           // most agents at once
	PingEvery   time.Duration // 20 s
	SilenceMost time.Duration // 60 s
	AppAway     time.Duration // how long an SDK page that lost its connection is kept, 2 min
	Now         func() time.Time
	Log         zerolog.Logger
	// Sees tells whether who comes may know of a session; nil: of all.
	Sees func(identity gate.Identity, session string) bool
}

// Handler serves /debug.
type Handler struct {
	hub    *session.Hub
	config Config
	work   sync.WaitGroup

	mu      sync.Mutex
	peers   map[*socket.Peer]string // role of each
	apps    map[appKey]*appPage
	merges  map[mergeKey]*session.Page
	stopped bool
}

// New makes a handler; Shutdown ends its connections.
func New(hub *session.Hub, config Config) *Handler {
	if config.AgentBytes <= 0 {
		config.AgentBytes = defaultAgentBytes
	}
	config.AgentBytes = min(config.AgentBytes, maxAgentBytes)
	if config.Agents <= 0 {
		config.Agents = maxAgents
	}
	if config.PingEvery <= 0 {
		config.PingEvery = socket.PingEvery
	}
	if config.SilenceMost <= 0 {
		config.SilenceMost = socket.SilenceMost
	}
	if config.AppAway <= 0 {
		config.AppAway = appAway
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Handler{hub: hub, config: config, peers: make(map[*socket.Peer]string), apps: make(map[appKey]*appPage), merges: make(map[mergeKey]*session.Page)}
}

// request is a checked query.
type request struct {
	role, session string
	resume        *session.Resume
	types         []string
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	identity, ok := gate.From(r.Context())
	if !ok {
		gate.Refuse(w, http.StatusUnauthorized)
		return
	}
	if status := socket.Acceptable(r); status != 0 {
		gate.Refuse(w, status)
		return
	}
	asked, ok := parseQuery(r.URL.RawQuery)
	if !ok {
		gate.Refuse(w, http.StatusBadRequest)
		return
	}
	if !identity.Fits(asked.role) {
		gate.Refuse(w, http.StatusForbidden)
		return
	}
	if h.config.Sees != nil && !h.config.Sees(identity, asked.session) {
		gate.Refuse(w, http.StatusNotFound)
		return
	}
	if !h.roomFor(asked.role) {
		gate.Refuse(w, http.StatusServiceUnavailable)
		return
	}
	limit := h.config.AgentBytes
	if asked.role == gate.RoleApp {
		limit = appBytes
	}
	p, err := socket.Upgrade(w, r, identity, limit, h.config.Now)
	if err != nil {
		h.config.Log.Debug().Err(err).Msg("upgrade failed")
		return
	}
	defer p.Release()
	if !h.add(p, asked.role) {
		p.Refuse(websocket.StatusTryAgainLater, "")
		return
	}
	defer h.work.Done()
	defer h.remove(p)
	if asked.role == gate.RoleApp {
		h.serveApp(p, asked)
	} else {
		h.serveAgent(p, asked)
	}
}

var integer = lazy.MustCompile(`^(0|[1-9][0-9]{0,15})$`)

// parseQuery reads the parameters of protocol.md section 5; each counts once.
// Parameters of other names are ignored.
func parseQuery(raw string) (asked request, ok bool) {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return asked, false
	}
	for _, name := range []string{"role", "sessionId", "since", "epoch", "types"} {
		if values, given := query[name]; given && (len(values) != 1 || values[0] == "") {
			return asked, false
		}
	}
	asked.role = query.Get("role")
	if asked.role != gate.RoleAgent && asked.role != gate.RoleApp {
		return asked, false
	}
	asked.session = protocol.DefaultSession
	if query.Has("sessionId") {
		asked.session = query.Get("sessionId")
	}
	if !protocol.SessionIDPattern.MatchString(asked.session) {
		return asked, false
	}
	epoch := query.Get("epoch")
	if epoch != "" && !protocol.SessionIDPattern.MatchString(epoch) {
		return asked, false
	}
	if query.Has("since") {
		since := query.Get("since")
		if !integer.MatchString(since) {
			return asked, false
		}
		number, err := strconv.ParseUint(since, 10, 64)
		if err != nil || number > protocol.MaxSafeInteger || number > 0 && epoch == "" {
			return asked, false
		}
		asked.resume = &session.Resume{Since: number, Epoch: epoch}
	}
	if query.Has("types") {
		asked.types = strings.Split(query.Get("types"), ",")
		for _, name := range asked.types {
			if !session.IsLogged(name) {
				return asked, false
			}
		}
	}
	return asked, true
}

func (h *Handler) roomFor(role string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !h.stopped && h.count(role) < h.most(role)
}

func (h *Handler) most(role string) int {
	if role == gate.RoleApp {
		return maxApps
	}
	return h.config.Agents
}

func (h *Handler) count(role string) (n int) {
	for _, other := range h.peers {
		if other == role {
			n++
		}
	}
	return n
}

// add registers a connection, unless the last place was taken during its handshake.
func (h *Handler) add(p *socket.Peer, role string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped || h.count(role) >= h.most(role) {
		return false
	}
	h.peers[p] = role
	h.work.Add(1)
	return true
}

func (h *Handler) remove(p *socket.Peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.peers, p)
}

// Revoke ends the connections of the identities that gone picks: with 4401,
// within a second, whether they read or not. It does not wait for that.
func (h *Handler) Revoke(gone func(gate.Identity) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped {
		return
	}
	for p := range h.peers {
		if gone(p.Identity) {
			h.work.Go(func() { p.Close(socket.CodeRevoked, "token revoked", socket.RevokeWait) })
		}
	}
}

// Shutdown closes all connections with 1012 and waits until none is left, or
// until ctx ends; then it cuts them.
func (h *Handler) Shutdown(ctx context.Context) {
	h.mu.Lock()
	h.stopped = true
	for p := range h.peers {
		h.work.Go(func() { p.Close(websocket.StatusServiceRestart, "host restarting", socket.RestartWait) })
	}
	for _, page := range h.apps {
		if page.timer != nil {
			page.timer.Stop()
		}
	}
	h.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.work.Wait()
	}()
	select {
	case <-done:
		return
	case <-ctx.Done():
	}
	h.mu.Lock()
	for p := range h.peers {
		p.Abort()
	}
	h.mu.Unlock()
	<-done
}
