package browser

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// Policy says which addresses an agent may load. It is the direct browsers' side of
// the extension's rules (background/navigate.ts). The zero value is the strict one.
type Policy struct {
	// Files allows file: addresses.
	Files bool
	// Ports are the daemon's own, which no page has business with.
	Ports func() []int
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
	host := hostOf(target)
	if metadataHosts[host] {
		return denied(address, "this address gives out credentials")
	}
	if p.Ports == nil || !loopback(host) {
		return nil
	}
	for _, port := range p.Ports() {
		if target.Port() == strconv.Itoa(port) {
			return denied(address, "this is Debug Bridge's own address")
		}
	}
	return nil
}

// hostOf is the host as a browser reads it: 0xa9fea9fe, 2852039166 and 169.254.43518 are
// one address, and so is each in full-width characters (URL Standard, host parsing).
func hostOf(target *url.URL) string {
	host := strings.Map(func(r rune) rune {
		switch {
		case r >= '\uff01' && r <= '\uff5e':
			return r - 0xfee0
		case r == '\u3002' || r == '\uff61': // other full stops
			return '.'
		case r == '\u00ad' || r == '\u200b' || r == '\u2060' || r == '\ufeff': // not seen, and dropped
			return -1
		}
		return r
	}, target.Hostname())
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().WithZone("").String()
	}
	parts := strings.Split(host, ".")
	last := len(parts) - 1
	if last > 3 {
		return host
	}
	var address uint64
	for i, part := range parts {
		n, err := numberOf(part)
		if err != nil || i < last && n > 255 || i == last && n >= 1<<(8*(4-last)) {
			return host
		}
		if i < last {
			n <<= 8 * (3 - i)
		}
		address |= n
	}
	return netip.AddrFrom4([4]byte{byte(address >> 24), byte(address >> 16), byte(address >> 8), byte(address)}).String()
}

// numberOf reads a part of an IPv4 address: 0x is hexadecimal, 0 octal.
func numberOf(part string) (uint64, error) {
	switch digits, hex := strings.CutPrefix(part, "0x"); {
	case hex && digits == "":
		return 0, nil
	case hex:
		return strconv.ParseUint(digits, 16, 32)
	case len(part) > 1 && part[0] == '0':
		return strconv.ParseUint(part[1:], 8, 32)
	}
	return strconv.ParseUint(part, 10, 32)
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
