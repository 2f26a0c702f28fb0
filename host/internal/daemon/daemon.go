// Package daemon wires everything together and owns the life of the process:
// one daemon per DBRIDGE_HOME, started on demand, ended when idle or told to.
//
// It is the only package that names the adapters. It listens on a Unix socket
// (mode 0600: the file system is the check) for our own programs and on
// loopback TCP, behind the gate, for everyone else.
package daemon

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/auditlog"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	facecdp "github.com/debug-bridge/debug-bridge/host/internal/face/cdp"
	facehttp "github.com/debug-bridge/debug-bridge/host/internal/face/http"
	"github.com/debug-bridge/debug-bridge/host/internal/face/ws"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/hostlink"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
	"github.com/debug-bridge/debug-bridge/host/internal/secret"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

const (
	// defaultPort is where agents look first.
	defaultPort = 9224
	// defaultIdle is how long a daemon with nobody connected stays.
	defaultIdle = 15 * time.Minute
	// softMemory is from where on the garbage collector works harder: one large
	// result must not leave a large daemon behind.
	softMemory = 160 << 20
	// drainTime bounds a stop: agents are told 1012, then everything ends.
	drainTime = 5 * time.Second
)

// Daemon is one running daemon.
type Daemon struct {
	home    *state.Home
	log     zerolog.Logger
	epoch   string
	started time.Time
	port    int

	hub      *session.Hub
	pages    *page.Manager
	slots    *slot.Manager
	runner   *command.Runner
	links    *hostlink.Server
	sockets  *ws.Handler
	devtools *facecdp.Handler
	keys     pathKeys
	api      *facehttp.API
	browsers browsers
	idle     *idleTimer
	rules    *policy.Store
	audit    *auditlog.Writer
	witness  witness

	stop     context.CancelFunc
	stopOnce sync.Once
}

// Run is the daemon's whole life: it returns when it was told to stop, when it
// was idle for long enough, or at once with DAEMON_UNAVAILABLE when another one runs.
func Run(ctx context.Context, home *state.Home, log zerolog.Logger) error {
	lock, err := home.TryLock()
	if err != nil {
		return err
	}
	defer lock.Release() //nolint:errcheck // the kernel releases it with the process
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softMemory)
	}
	epoch, err := newEpoch()
	if err != nil {
		return err
	}
	d := &Daemon{home: home, log: log, epoch: epoch, started: time.Now(), stop: cancel, rules: &policy.Store{Path: home.PolicyPath()}}
	idleAfter, err := idleTime()
	if err != nil {
		return err
	}
	d.idle = newIdleTimer(idleAfter, d.busy, func() {
		log.Info().Dur("after", idleAfter).Msg("nobody connected; ending")
		cancel()
	})
	defer d.idle.stop()
	return d.serve(ctx)
}

func (d *Daemon) serve(ctx context.Context) error {
	socket, err := d.home.Listen()
	if err != nil {
		return err
	}
	defer socket.Close() //nolint:errcheck // closed by the server
	tcp, err := listenLoopback(d.log)
	if err != nil {
		return err
	}
	d.port = tcp[0].Addr().(*net.TCPAddr).Port

	endAudit, err := d.openAudit()
	if err != nil {
		return err
	}
	defer endAudit()

	tokens, apps := d.home.Tokens(), d.home.Apps()
	vault := secret.Open(d.home.Secrets(), d.log)
	if err := vault.Load(); err != nil {
		return err // else they would be told to everybody
	}
	d.runner = &command.Runner{Setup: d.setup, Secrets: vault, Audit: d.audit, Rules: d.rules} // its slots come with the pages, which need the hub
	d.runner.Guards = d.guards()
	d.hub = session.NewHub(session.Config{Epoch: d.epoch, HostVersion: version.Version, Log: d.log, Commands: d.runner.Message, Guard: d.runner.Guard, Refused: d.runner.Refused})
	defer d.hub.Close()
	d.links = hostlink.NewServer(hostlink.ServerConfig{Epoch: d.epoch, HostVersion: version.Version, Handler: &linkHandler{d}, Log: d.log})
	d.sockets = ws.New(d.hub, ws.Config{Log: d.log, Sees: sees})
	d.pages = page.NewManager(d.hub, d.sockets, d.log)
	d.pages.SetSites(d.rules)
	stores := command.Attach(d.pages)
	stores.Recordings = filepath.Join(d.home.State, "recordings")
	defer stores.Close()
	defer d.pages.Close()
	if err := d.openSlots(); err != nil {
		return err
	}
	defer d.closeSlots()
	defer d.auditGrants()()
	d.openDevTools()
	d.api = facehttp.New(facehttp.Config{Runner: d.runner, Hub: d.hub, Pages: d.pages, Request: d.request, Agents: d.actors, Log: d.log})
	d.hub.OnAgents(d.tellAgents)

	identity := func(record state.Token, ok bool) (gate.Identity, bool) {
		return gate.Identity{Name: record.Name, Role: record.Role, Level: string(record.Level), Origin: record.Origin, Made: record.CreatedAt}, ok
	}
	verify := func(token string) (gate.Identity, bool) { return identity(tokens.Verify(token)) }
	key := func(key string) (gate.Identity, bool) {
		if own, ok := d.contextIdentity(key); ok {
			return own, true
		}
		return identity(tokens.VerifyKey(key))
	}
	watching, endWatch := context.WithCancel(ctx)
	defer endWatch()
	var watchers sync.WaitGroup
	watchers.Add(1)
	go func() {
		defer watchers.Done()
		tokens.Watch(watching, d.recheckTokens)
	}()
	watchers.Go(func() { vault.Follow(watching) })
	watchers.Go(func() { d.auditPolicy(watching) })

	// Before anybody is answered: who is told that the daemon is ready may rely on it.
	if err := d.home.WriteDiscovery(d.discovery()); err != nil {
		return err
	}
	var servers []*http.Server
	failed := make(chan error, 4)
	serve := func(server *http.Server, listener net.Listener) {
		servers = append(servers, server)
		go func() {
			if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		}()
	}
	serve(knowPeers(gate.LocalServer(d.localRoutes())), socket)
	outer := gate.New(gate.Config{Port: func() int { return d.port }, Origins: apps.Allowed, Verify: verify, Key: key, Log: d.log, Refused: d.refusedAtGate}, d.publicRoutes())
	lobby := gate.NewLobby()
	for _, listener := range tcp {
		serve(gate.Server(outer), lobby.Listener(listener))
	}

	d.log.Info().Int("port", d.port).Str("socket", d.home.Socket()).Str("epoch", d.epoch).Str("version", version.Version).Msg("daemon ready")

	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	d.idle.stop()
	d.drain(servers)
	endWatch()
	watchers.Wait()
	_ = os.Remove(d.home.Socket())
	if removal := d.home.RemoveDiscovery(); removal != nil && err == nil {
		err = removal
	}
	d.log.Info().Msg("daemon ended")
	return err
}

// drain tells everyone and ends within drainTime.
func (d *Daemon) drain(servers []*http.Server) {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	var wait sync.WaitGroup
	for _, end := range []func(context.Context){d.sockets.Shutdown, d.api.Shutdown, d.devtools.Shutdown, func(context.Context) { d.links.Close() }} {
		wait.Add(1)
		go func() {
			defer wait.Done()
			end(ctx)
		}()
	}
	wait.Wait()
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			_ = server.Close()
		}
	}
}

// recheckTokens ends the connections of tokens that are gone.
func (d *Daemon) recheckTokens() {
	d.auditTokens()
	list, err := d.home.Tokens().List()
	if err != nil {
		d.log.Error().Err(err).Msg("the token file cannot be read; keeping connections")
		return
	}
	made := make(map[string]time.Time, len(list))
	for _, token := range list {
		made[token.Name] = token.CreatedAt
	}
	gone := func(identity gate.Identity) bool {
		at, there := made[identity.Name]
		return !identity.Local && (!there || !at.Equal(identity.Made))
	}
	d.sockets.Revoke(gone)
	d.api.Revoke(gone)
	d.devtools.Revoke(func(identity gate.Identity) bool { return identity.Context == "" && gone(identity) })
}

func (d *Daemon) discovery() state.Discovery {
	return state.Discovery{
		Pid: os.Getpid(), Version: version.Version, Epoch: d.epoch, StartedAt: d.started.UTC().Format(time.RFC3339),
		Socket: d.home.Socket(), Port: d.port,
		URL:     fmt.Sprintf("ws://127.0.0.1:%d/debug", d.port),
		HTTPURL: fmt.Sprintf("http://127.0.0.1:%d", d.port),
		CDPURL:  fmt.Sprintf("http://127.0.0.1:%d", d.port),
	}
}

func newEpoch() (string, error) {
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return "", fault.New(fault.InternalError, "no random numbers").Because(err)
	}
	return hex.EncodeToString(random[:]), nil
}

// idleTime reads DBRIDGE_IDLE_TIMEOUT, a Go duration; 0 means never.
func idleTime() (time.Duration, error) {
	text := os.Getenv("DBRIDGE_IDLE_TIMEOUT")
	if text == "" {
		return defaultIdle, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fault.New(fault.ValidationError, "DBRIDGE_IDLE_TIMEOUT=%q is not a duration", text).Suggest("Use a Go duration such as 30m, or 0 for never.")
	}
	return d, nil
}

// wantedPort reads DBRIDGE_PORT.
func wantedPort() (int, error) {
	text := os.Getenv("DBRIDGE_PORT")
	if text == "" {
		return defaultPort, nil
	}
	port, err := strconv.Atoi(text)
	if err != nil || port < 0 || port > 65535 {
		return 0, fault.New(fault.ValidationError, "DBRIDGE_PORT=%q is not a port", text).Suggest("Use a number from 1 to 65535, or 0 for any free port.")
	}
	return port, nil
}
