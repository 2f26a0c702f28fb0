package browser

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/policy"
)

// Policy says which addresses an agent may load. It is the direct browsers' side of
// the extension's rules (background/navigate.ts). The zero value is the strict one.
type Policy struct {
	// Files allows file: addresses.
	Files bool
	// Ports are the daemon's own, which no page has business with.
	Ports func() []int
	// Sites is the person's own policy; nil: there is none.
	Sites func(address string) error
}

// schemes and hosts that are refused or allowed, with the reason.
var (
	allowedSchemes = map[string]bool{"http": true, "https": true, "data": true, "blob": true}
	deniedSchemes  = map[string]string{
		"file":             "local files stay closed to agents; serve the folder on localhost instead",
		"chrome":           "agents load no pages of the browser itself",
		"devtools":         "agents load no pages of the browser itself",
		"view-source":      "agents load no pages of the browser itself",
		"chrome-extension": "this page belongs to an extension",
		"javascript":       "a script is no address; use evaluate",
		"filesystem":       "agents load http and https addresses only",
	}
	// The cloud machines' own addresses for credentials.
	metadataHosts = map[string]bool{
		"169.254.169.254": true, "fd00:ec2::254": true, "metadata.google.internal": true, "metadata.goog": true, "100.100.100.200": true,
	}
)

// Allow judges an absolute address.
func (p Policy) Allow(address string) error {
	target, err := url.Parse(address)
	if err != nil || target.Scheme == "" {
		return fault.New(fault.ValidationError, "%q is no address", address).With("url", address)
	}
	scheme := strings.ToLower(target.Scheme)
	switch {
	case scheme == "about" && (target.Opaque == "blank" || target.Opaque == "srcdoc"):
		return nil
	case scheme == "file" && p.Files:
		return nil
	case !allowedSchemes[scheme]:
		why, known := deniedSchemes[scheme]
		if !known {
			why = "agents load http and https addresses only"
		}
		return denied(address, why)
	}
	site := policy.SiteOf(address)
	if metadataHosts[site.Host] {
		return denied(address, "this address gives out credentials")
	}
	if p.Ports != nil && loopback(site.Host) {
		for _, port := range p.Ports() {
			if site.Port == strconv.Itoa(port) {
				return denied(address, "this is Debug Bridge's own address")
			}
		}
	}
	if p.Sites == nil {
		return nil
	}
	return p.Sites(address)
}

func loopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}

func denied(address, why string) *fault.Error {
	return fault.New(fault.PolicyDenied, "%s is not loaded: %s", address, why).With("url", address)
}

// resolved is the address an agent asked for, relative to the page it is on.
func resolved(address, base string) (string, error) {
	target, err := url.Parse(strings.TrimSpace(address))
	if err == nil && target.Scheme == "" {
		var from *url.URL
		from, err = url.Parse(base)
		if err == nil && from.Opaque == "" && from.Host != "" {
			return from.ResolveReference(target).String(), nil
		}
	}
	if err != nil || target.Scheme == "" {
		return "", fault.New(fault.ValidationError, "%q is no address", address).With("url", address).
			Suggest("Give a whole address, as https://example.com/path.")
	}
	return target.String(), nil
}
