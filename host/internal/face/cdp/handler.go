package cdp

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/devtools"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/socket"
)

const (
	maxClients = 64
	maxMessage = 32 << 20 // from a client
	openTime   = 10 * time.Second
	drainTime  = time.Second // for what was told before the end
)

// Place is a browser that a client may connect to.
type Place struct {
	ID      string // what names it in /devtools/browser/ID
	Browser devtools.Browser
	// Watch has end called, from any goroutine, when the client's context ends; leave ends
	// the watch. nil: nothing ends but the browser.
	Watch func(end func()) (leave func())
}

// Config of a Handler. Find is required.
type Config struct {
	// Find gives the browser that a request means, and starts it where that is the caller's
	// wish. id is the path's name of it, or empty. The context lasts as long as the browser
	// is used.
	Find        func(ctx context.Context, r *http.Request, id string) (Place, error)
	Clients     int           // most connections at once, 64
	PingEvery   time.Duration // 20 s
	SilenceMost time.Duration // 60 s
	Log         zerolog.Logger
}

// Handler serves /json and /devtools.
type Handler struct {
	config Config
	work   sync.WaitGroup

	mu      sync.Mutex
	peers   map[*socket.Peer]struct{}
	taken   int // connections, those that are being opened too
	stopped bool
}

// New makes a handler; Shutdown ends its connections.
func New(config Config) *Handler {
	if config.Clients <= 0 {
		config.Clients = maxClients
	}
	if config.PingEvery <= 0 {
		config.PingEvery = socket.PingEvery
	}
	if config.SilenceMost <= 0 {
		config.SilenceMost = socket.SilenceMost
	}
	return &Handler{config: config, peers: make(map[*socket.Peer]struct{})}
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	identity, ok := gate.From(r.Context())
	switch {
	case !ok:
		gate.Refuse(w, http.StatusUnauthorized)
		return
	case !identity.Fits(gate.RoleAgent), !protocol.Level(identity.Level).Allows(protocol.Control):
		gate.Refuse(w, http.StatusForbidden)
		return
	}
	h.route(w, r, identity)
}

// connect makes a request a client of a browser, or of one page of it.
func (h *Handler) connect(w http.ResponseWriter, r *http.Request, identity gate.Identity, id, target string) {
	w, r = handshake(w, r)
	if status := socket.Acceptable(r); status != 0 {
		gate.Refuse(w, status)
		return
	}
	if !h.enter() {
		gate.Refuse(w, http.StatusServiceUnavailable)
		return
	}
	defer h.leave()
	place, err := h.config.Find(r.Context(), r, id)
	if err != nil {
		refuse(w, err)
		return
	}
	out := newQueue()
	opening, cancel := context.WithTimeout(r.Context(), openTime)
	port, err := place.Browser.Open(opening, out, target)
	cancel()
	if err != nil {
		refuse(w, err)
		return
	}
	p, err := socket.Upgrade(w, r, identity, maxMessage, time.Now)
	if err != nil {
		port.Close()
		h.config.Log.Debug().Err(err).Msg("upgrade failed")
		return
	}
	defer p.Release()
	if !h.add(p) {
		port.Close()
		p.Refuse(websocket.StatusServiceRestart, "")
		return
	}
	defer h.remove(p)
	if place.Watch != nil {
		defer place.Watch(func() { out.End("the context has ended") })()
	}
	h.serve(r.Context(), p, port, out)
}

// serve runs a connection to its end.
func (h *Handler) serve(ctx context.Context, p *socket.Peer, port devtools.Port, out *queue) {
	var parts sync.WaitGroup
	parts.Go(func() { out.pump(p) })
	parts.Go(func() { p.KeepAlive(h.config.PingEvery, h.config.SilenceMost) })
	parts.Go(func() {
		// The pump may hang in a write to a client that does not read.
		select {
		case <-out.ended:
			out.close(p)
		case <-p.Context.Done():
		}
	})
	var err error
	for {
		var data []byte
		if data, err = p.Read(); err != nil {
			break
		}
		message, complaint := decode(data)
		if complaint != nil {
			out.push(complaint)
			continue
		}
		port.Send(ctx, message)
	}
	p.Done()
	parts.Go(port.Close)
	p.End(err)
	parts.Wait()
}

// enter takes a place among the clients.
func (h *Handler) enter() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped || h.taken >= h.config.Clients {
		return false
	}
	h.taken++
	h.work.Add(1)
	return true
}

func (h *Handler) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.taken--
	h.work.Done()
}

func (h *Handler) add(p *socket.Peer) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped {
		return false
	}
	h.peers[p] = struct{}{}
	return true
}

func (h *Handler) remove(p *socket.Peer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.peers, p)
}

// Clients is how many connections there are.
func (h *Handler) Clients() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.taken
}

// Revoke ends the connections of the identities that gone picks: with 4401, within a
// second, whether they read or not. It does not wait for that.
func (h *Handler) Revoke(gone func(gate.Identity) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped {
		return
	}
	for p := range h.peers {
		if gone(p.Identity) {
			h.work.Go(func() { p.Close(socket.CodeRevoked, "access revoked", socket.RevokeWait) })
		}
	}
}

// Shutdown closes all connections with 1012 and waits until none is left, or until ctx
// ends; then it cuts them.
func (h *Handler) Shutdown(ctx context.Context) {
	h.mu.Lock()
	h.stopped = true
	for p := range h.peers {
		h.work.Go(func() { p.Close(websocket.StatusServiceRestart, "host restarting", socket.RestartWait) })
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
