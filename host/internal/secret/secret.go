// Package secret lets agents type what they must not know: the person gives a value a
// name, an agent writes {{secret:NAME}}, and the daemon puts the value in its place when
// the command leaves for the page, and takes it out of all that comes back (redact.Know).
package secret

import (
	"context"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

// Vault is the secrets of one home.
type Vault struct {
	store *state.Secrets
	log   zerolog.Logger
}

// Open takes a store; Load reads it.
func Open(store *state.Secrets, log zerolog.Logger) *Vault { return &Vault{store, log} }

// Load has all sinks mask the values of now.
func (v *Vault) Load() error {
	all, err := v.store.List()
	if err != nil {
		return err // what was known stays known
	}
	known := make([]redact.Secret, len(all))
	for i, s := range all {
		known[i] = redact.Secret{Name: s.Name, Value: s.Value}
	}
	redact.Know(known)
	return nil
}

// Follow loads again after each change of the store, until ctx ends.
func (v *Vault) Follow(ctx context.Context) {
	v.store.Watch(ctx, func() {
		if err := v.Load(); err != nil {
			v.log.Error().Err(err).Msg("the secrets cannot be read; those of before are masked")
		}
	})
}

// Set keeps a secret. It is masked before anybody is answered.
func (v *Vault) Set(ctx context.Context, s state.Secret) (state.Secret, error) {
	s, err := v.store.Set(ctx, s)
	if err != nil {
		return s, err
	}
	return s, v.Load()
}

// Remove forgets a secret; VALIDATION_ERROR where there is none. From then on its value
// is text like any other.
func (v *Vault) Remove(ctx context.Context, name string) error {
	removed, err := v.store.Remove(ctx, name)
	if err != nil {
		return err
	}
	if !removed {
		all, err := v.store.List()
		if err != nil {
			return err
		}
		return unknown(name, all)
	}
	return v.Load()
}

// List gives the secrets, with their values.
func (v *Vault) List() ([]state.Secret, error) { return v.store.List() }

func unknown(name string, all []state.Secret) *fault.Error {
	f := fault.New(fault.ValidationError, "there is no secret named %.80q", name).With("secret", name)
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	near := output.Nearest(name, names)
	switch {
	case near != "":
		return f.Suggest("Did you mean {{secret:"+near+"}}?", "dbridge secret list")
	case len(names) == 0:
		return f.Suggest("Ask the person to set it: dbridge secret set " + nameOr(name))
	}
	return f.Suggest("There is: "+strings.Join(names[:min(len(names), 20)], ", "), "Ask the person to set it: dbridge secret set "+nameOr(name))
}

func nameOr(name string) string {
	if state.SecretName.MatchString(name) {
		return name
	}
	return "NAME"
}

// here reports whether a secret of these sites may go into a page of that address: a host
// stands for itself and what is below it, and for all ports where it names none.
func here(sites []string, address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return slices.ContainsFunc(sites, func(site string) bool {
		if name, number, err := net.SplitHostPort(site); err == nil {
			if number != port {
				return false
			}
			site = name
		}
		site = strings.Trim(site, "[]")
		return host == site || strings.HasSuffix(host, "."+site) && net.ParseIP(host) == nil
	})
}
