package daemon

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/debug-bridge/debug-bridge/host/internal/browser"
	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/devtools"
	facecdp "github.com/debug-bridge/debug-bridge/host/internal/face/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/slot"
)

// openDevTools makes the DevTools endpoint.
func (d *Daemon) openDevTools() {
	d.devtools = facecdp.New(facecdp.Config{Find: d.findBrowser, Log: d.log})
	d.runner.CDPAddress = d.cdpAddress
}

// clients numbers the DevTools clients of the daemon's life.
var clients atomic.Uint64

// findBrowser is the browser that a DevTools client means: the path's word comes before
// the query's, and both before what a command of the same caller would take.
func (d *Daemon) findBrowser(ctx context.Context, r *http.Request, id string) (facecdp.Place, error) {
	who := d.request(r).Caller
	if id != "" {
		who.Profile = id
	}
	if who.Session != "" && !protocol.SessionIDPattern.MatchString(who.Session) {
		return facecdp.Place{}, fault.New(fault.ValidationError, "%.80q is no session", who.Session)
	}
	identity, _ := gate.From(r.Context())
	if err := d.rules.MayAnywhere(policy.DevTools); err != nil {
		return facecdp.Place{}, err
	}
	c, _, err := d.slots.Resolve(ctx, who)
	if err != nil {
		return facecdp.Place{}, err
	}
	if err := d.ready(ctx, c, who.Profile); err != nil {
		return facecdp.Place{}, err
	}
	place := facecdp.Place{ID: c.Named(), Watch: func(end func()) func() {
		key := fmt.Sprintf("DevTools client %d", clients.Add(1))
		c.Undo(key, func(context.Context) error {
			end()
			return nil
		})
		return func() { c.Undo(key, nil) }
	}}
	own := c.Browser()
	if own == nil {
		place.Browser = devtools.NewTabs(c, devtools.TabsOptions{Pages: d.pages, Allow: d.policy().Allow, Log: d.log})
		return place, nil
	}
	host, ok := own.(devtools.Host)
	if !ok {
		return facecdp.Place{}, fault.New(fault.CapabilityMissing, "this browser has no DevTools connection")
	}
	place.Browser = devtools.NewDirect(host, identity.Context != "").Under(d.rules)
	return place, nil
}

func (d *Daemon) policy() browser.Policy {
	return browser.Policy{Ports: func() []int { return []int{d.port} }, Sites: d.rules.Allow}
}

// ready starts the browser of a profile that was asked for by name and does not run.
func (d *Daemon) ready(ctx context.Context, c *slot.Context, name string) error {
	missing := c.Ready()
	if missing == nil || name == "" || c.Browser() != nil {
		return missing
	}
	switch startable, err := d.slots.Startable(name); {
	case err != nil:
		return err
	case !startable:
		return missing
	}
	if _, err := c.Start(ctx, slot.Start{Profile: name}); err != nil && fault.From(err).Code != fault.SessionAlreadyRunning {
		return err // else another client of the same context was quicker
	}
	return c.Ready()
}

// pathKeys are the credentials of contexts for the user's own scripts: in memory alone,
// and only as long as the context.
type pathKeys struct {
	mu   sync.Mutex
	keys map[string]string // by context
}

// of gives a context's key, which is made when it is first asked for.
func (k *pathKeys) of(c *slot.Context) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key := k.keys[c.Key]; key != "" {
		return key
	}
	if k.keys == nil {
		k.keys = make(map[string]string)
	}
	random := make([]byte, 32)
	rand.Read(random) // never fails; it ends the process where there is no randomness
	key := base64.RawURLEncoding.EncodeToString(random)
	k.keys[c.Key] = key
	var over func(context.Context) error
	over = func(context.Context) error {
		if c.GoesOn() {
			c.Undo(pathKeyUndo, over)
			return nil
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.keys, c.Key)
		return nil
	}
	c.Undo(pathKeyUndo, over)
	return key
}

const pathKeyUndo = "DevTools address"

// context is the context that a key is for. Every key is compared, in constant time.
func (k *pathKeys) context(presented string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	sum := sha256.Sum256([]byte(presented))
	found := ""
	for name, key := range k.keys {
		own := sha256.Sum256([]byte(key))
		if subtle.ConstantTimeCompare(sum[:], own[:]) == 1 {
			found = name
		}
	}
	return found
}

// contextIdentity is who comes with the path key of a context.
func (d *Daemon) contextIdentity(key string) (gate.Identity, bool) {
	name := d.keys.context(key)
	if name == "" || !d.slots.Lives(name) {
		return gate.Identity{}, false
	}
	return gate.Identity{Name: gate.LocalName, Role: gate.RoleAgent, Level: string(protocol.Control), Context: name}, true
}

// cdpAddress gives the caller's own scripts a way to the browser of its context.
func (d *Daemon) cdpAddress(ctx context.Context, c *slot.Context, who caller.Caller) (command.CDPAddress, error) {
	if err := d.ready(ctx, c, who.Profile); err != nil {
		return command.CDPAddress{}, err
	}
	at := fmt.Sprintf("127.0.0.1:%d%s%s", d.port, gate.KeyPrefix, d.keys.of(c))
	place := facecdp.Address(c.Named(), who.Session)
	return command.CDPAddress{Endpoint: "ws://" + at + place, HTTPEndpoint: "http://" + at, Profile: c.Named()}, nil
}
