package state

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// MaxSecrets is how many secrets there may be.
const MaxSecrets = 200

// maxSites bounds the sites of one secret.
const maxSites = 50

// SecretName is what a secret's name looks like.
var SecretName = lazy.MustCompile(`^[A-Z][A-Z0-9_]{0,63}$`)

// Secret is a value that the person gave a name, to be typed without being told.
type Secret struct {
	Name  string    `json:"name"`
	Value string    `json:"value"`
	Sites []string  `json:"sites,omitempty"` // where it may be typed: HOST or HOST:PORT; empty is anywhere
	SetAt time.Time `json:"setAt"`
}

// Secrets is the store of secrets. They are not encrypted: whoever can read the file
// (mode 0600) can ask the daemon, too. Safe for concurrent use, by several processes too.
type Secrets struct{ store store[Secret] }

// SecretsPath is the store of secrets.
func (h *Home) SecretsPath() string { return filepath.Join(h.State, "secrets.json") }

// Secrets opens the store; the file is made with the first secret.
func (h *Home) Secrets() *Secrets { return &Secrets{store: store[Secret]{path: h.SecretsPath()}} }

// Set keeps a secret, in place of one of the same name, and gives its sites as they are
// compared. A value has redact.MinKnown to redact.MaxKnown bytes.
func (s *Secrets) Set(ctx context.Context, secret Secret) (Secret, error) {
	if err := checkSecret(&secret); err != nil {
		return Secret{}, err
	}
	secret.SetAt = time.Now().UTC().Truncate(time.Second)
	return secret, s.store.update(ctx, func(all []Secret) ([]Secret, error) {
		if i := slices.IndexFunc(all, func(other Secret) bool { return other.Name == secret.Name }); i >= 0 {
			all[i] = secret
			return all, nil
		}
		if len(all) >= MaxSecrets {
			return nil, fault.New(fault.ValidationError, "there are %d secrets, the most there may be", MaxSecrets).
				Suggest("Remove some that are not used: `dbridge secret list`, then `dbridge secret remove NAME`.")
		}
		return append(all, secret), nil
	})
}

// Remove forgets the secret of that name and reports whether there was one.
func (s *Secrets) Remove(ctx context.Context, name string) (removed bool, err error) {
	err = s.store.update(ctx, func(all []Secret) ([]Secret, error) {
		kept := slices.DeleteFunc(all, func(secret Secret) bool { return secret.Name == name })
		removed = len(kept) < len(all)
		return kept, nil
	})
	return removed, err
}

// List gives the secrets, with their values, in the order in which they were first set.
// A file that holds anything else is refused whole.
func (s *Secrets) List() ([]Secret, error) {
	all, err := s.store.load()
	if err != nil {
		return nil, err
	}
	list := slices.Clone(all)
	for i := range list {
		if err := checkSecret(&list[i]); err != nil {
			return nil, accessFault(s.store.path, fmt.Sprintf("is damaged: entry %d is no secret", i+1), nil).
				Suggest("Move it away: mv "+quote(s.store.path)+" "+quote(s.store.path+".old"), "Then set its secrets again: dbridge secret set NAME")
		}
	}
	return list, nil
}

// Watch calls changed within 500 ms of each change of the store, by any process. It blocks until ctx ends.
func (s *Secrets) Watch(ctx context.Context, changed func()) { s.store.watch(ctx, changed) }

// checkSecret says what is wrong with a secret, without its value, and brings its sites
// into one form.
func checkSecret(secret *Secret) error {
	refuse := func(format string, args ...any) *fault.Error {
		return fault.New(fault.ValidationError, format, args...)
	}
	switch {
	case !SecretName.MatchString(secret.Name):
		return refuse("%.80q is not a secret's name", secret.Name).Suggest("Use capital letters, digits and underscores, a letter first: dbridge secret set SHOP_PASSWORD")
	case len(secret.Value) < redact.MinKnown:
		return refuse("the value of %s is shorter than %d bytes: it stands in too much that is no secret to be masked", secret.Name, redact.MinKnown).
			Suggest("Use a longer value.")
	case len(secret.Value) > redact.MaxKnown:
		return refuse("the value of %s is longer than %d bytes", secret.Name, redact.MaxKnown).Suggest("Use a shorter value.")
	case strings.ToValidUTF8(secret.Value, "") != secret.Value || strings.ContainsRune(secret.Value, 0):
		return refuse("the value of %s is not text", secret.Name).Suggest("Give UTF-8 text, without zero bytes.")
	case strings.Contains(secret.Value, "{{secret:") || strings.Contains(secret.Value, "«secret:"):
		return refuse("the value of %s stands for a secret itself", secret.Name).Suggest("Give the value: dbridge secret set " + secret.Name)
	case len(secret.Sites) > maxSites:
		return refuse("%s has more than %d sites", secret.Name, maxSites).Suggest("Name their common domain.")
	}
	sites := make([]string, len(secret.Sites))
	for i, site := range secret.Sites {
		origin, err := ParseOrigin("https://" + strings.ToLower(site))
		if err != nil || strings.Contains(site, "/") {
			return refuse("%.80q is not a site", site).Suggest("Give a host, and a port if it matters: --site example.com --site localhost:3000")
		}
		sites[i] = strings.TrimPrefix(origin, "https://")
	}
	secret.Sites = slices.Compact(sites)
	return nil
}
