package state

import (
	"context"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const maxApps = 1000

// App is one web origin whose pages may connect with the SDK.
type App struct {
	Origin  string    `json:"origin"`
	AddedAt time.Time `json:"addedAt"`
}

// Apps is the allow list of SDK origins. Safe for concurrent use, by several processes too.
type Apps struct{ store store[App] }

// Apps opens the allow list; the file is made with the first entry.
func (h *Home) Apps() *Apps { return &Apps{store: store[App]{path: h.AppsPath()}} }

// Allow adds an origin and gives it in its canonical form; one that is there already stays.
func (a *Apps) Allow(ctx context.Context, origin string) (string, error) {
	origin, err := ParseOrigin(origin)
	if err != nil {
		return "", err
	}
	return origin, a.store.update(ctx, func(all []App) ([]App, error) {
		if slices.ContainsFunc(all, func(app App) bool { return app.Origin == origin }) {
			return all, nil
		}
		if len(all) >= maxApps {
			return nil, fault.New(fault.ValidationError, "there are %d origins, the most there may be", maxApps).
				Suggest("Remove some that are not used: `dbridge app list`, then `dbridge app deny URL`.")
		}
		return append(all, App{Origin: origin, AddedAt: time.Now().UTC().Truncate(time.Second)}), nil
	})
}

// Deny removes an origin. Denying one that was never allowed is no error: the answer is the same.
func (a *Apps) Deny(ctx context.Context, origin string) (canonical string, removed bool, err error) {
	canonical, err = ParseOrigin(origin)
	if err != nil {
		return "", false, err
	}
	err = a.store.update(ctx, func(all []App) ([]App, error) {
		kept := slices.DeleteFunc(all, func(app App) bool { return app.Origin == canonical })
		removed = len(kept) < len(all)
		return kept, nil
	})
	return canonical, removed, err
}

// List gives the allowed origins in the order they were added.
func (a *Apps) List() ([]App, error) {
	all, err := a.store.load()
	return append([]App{}, all...), err
}

// Allowed reports whether an Origin header's value is on the list, byte for
// byte. A list that cannot be read or trusted allows nothing.
func (a *Apps) Allowed(origin string) bool {
	all, err := a.store.load()
	return err == nil && slices.ContainsFunc(all, func(app App) bool { return app.Origin == origin })
}

// Watch calls changed within 500 ms of each change of the list, by any process. It blocks until ctx ends.
func (a *Apps) Watch(ctx context.Context, changed func()) { a.store.watch(ctx, changed) }

// ParseOrigin brings a URL of exact scheme, host and port into the form that
// browsers send as Origin: http://localhost:3000, https://example.com.
func ParseOrigin(text string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", fault.New(fault.ValidationError, "%q is not an origin: %s", text, why).
			Suggest("Give scheme, host and port, nothing else, e.g. http://localhost:3000.")
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return refuse("it has no scheme and host")
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuse("the scheme is neither http nor https")
	}
	if u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(text, "#") {
		return refuse("it has more than scheme, host and port")
	}
	host := strings.ToLower(u.Hostname())
	if address, err := netip.ParseAddr(host); err == nil {
		if address.Zone() != "" {
			return refuse("an address with a zone is no origin")
		}
		host = address.String()
		if address.Is6() {
			host = "[" + host + "]"
		}
	} else if !validHost(host) {
		return refuse("the host is not a plain host name (write an international name as browsers send it: xn--…)")
	}
	port := u.Port()
	if port == "" && strings.HasSuffix(u.Host, ":") {
		return refuse("the port is missing after the colon")
	}
	if port != "" {
		number, err := strconv.ParseUint(port, 10, 16)
		if err != nil || number == 0 {
			return refuse("the port is not a number from 1 to 65535")
		}
		port = strconv.FormatUint(number, 10)
	}
	if (u.Scheme == "http" && port == "80") || (u.Scheme == "https" && port == "443") {
		port = ""
	}
	if port != "" {
		port = ":" + port
	}
	return u.Scheme + "://" + host + port, nil
}

func validHost(host string) bool {
	return len(host) <= 253 && host != "" && host[0] != '.' && host[0] != '-' &&
		strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789.-_") == "" && !strings.Contains(host, "..")
}
