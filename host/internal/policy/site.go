package policy

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
)

// Site is what of an address the policy looks at, spelled as browsers spell it.
type Site struct {
	Scheme string // lower case, without the colon
	Host   string // lower case ASCII, no trailing dot, IPv6 without brackets; empty where the scheme has none
	Port   string // the scheme's own where none is given
}

// String is the site as a person writes it: host, with the port where it is not the
// scheme's own; scheme: where there is no host.
func (s Site) String() string {
	if s.Host == "" {
		return s.Scheme + ":"
	}
	host := s.Host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if s.Port != "" && s.Port != ports[s.Scheme] {
		host += ":" + s.Port
	}
	return host
}

// ports are those of schemes whose addresses browsers read by the same special rules.
var ports = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}

// SiteOf reads an address as a browser does (URL Standard): http:\\a.example, HTTP:a.example
// and http://x@A.EXAMPLE./ are one site. A blob is of the site that made it. What is no
// address has an empty scheme.
func SiteOf(address string) Site {
	if last := lastSite.Load(); last != nil && last.address == address {
		return last.site // a command asks for its page's several times
	}
	site := siteOf(address)
	lastSite.Store(&sited{address, site})
	return site
}

type sited struct {
	address string
	site    Site
}

var lastSite atomic.Pointer[sited]

func siteOf(address string) Site {
	text := strings.Trim(address, controls)
	text = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(text)
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || !schemeOK(scheme) {
		return Site{}
	}
	s := Site{Scheme: strings.ToLower(scheme)}
	if s.Scheme == "blob" || s.Scheme == "filesystem" || s.Scheme == "view-source" {
		if inner := siteOf(rest); inner.Host != "" {
			return inner
		}
		return s
	}
	special := ports[s.Scheme] != ""
	switch {
	case special:
		rest = strings.TrimLeft(rest, `/\`)
	case strings.HasPrefix(rest, "//"):
		rest = rest[2:]
	default:
		return s
	}
	end := "/?#"
	if special {
		end += `\`
	}
	if at := strings.IndexAny(rest, end); at >= 0 {
		rest = rest[:at]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	host, port := splitPort(rest)
	s.Host, s.Port = HostName(host), ports[s.Scheme]
	if n, err := strconv.ParseUint(port, 10, 16); err == nil {
		s.Port = strconv.FormatUint(n, 10)
	}
	return s
}

// controls and spaces at an address's ends are dropped.
const controls = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

func schemeOK(scheme string) bool {
	for i, r := range scheme {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.')) {
			return false
		}
	}
	return scheme != ""
}

// splitPort parts host:port; the host may be an IPv6 address in brackets.
func splitPort(text string) (host, port string) {
	if inside, found := strings.CutPrefix(text, "["); found {
		host, rest, _ := strings.Cut(inside, "]")
		return host, strings.TrimPrefix(rest, ":")
	}
	if at := strings.LastIndexByte(text, ':'); at >= 0 {
		return text[:at], text[at+1:]
	}
	return text, ""
}

// HostName is a host as a browser reads it: 0xa9fea9fe, 2852039166 and 169.254.43518 are
// one address, so is each in full-width characters or percent escapes, and a name in
// Unicode is the name in Punycode (URL Standard, host parsing).
func HostName(name string) string {
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	host := strings.Map(func(r rune) rune {
		switch {
		case r >= '\uff01' && r <= '\uff5e':
			return r - 0xfee0
		case r == '\u3002' || r == '\uff0e' || r == '\uff61': // other full stops
			return '.'
		case r == '\u00ad' || r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == '\ufeff': // not seen, and dropped
			return -1
		}
		return r
	}, name)
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().WithZone("").String()
	}
	parts := strings.Split(host, ".")
	last := len(parts) - 1
	if last > 3 {
		return ascii(parts)
	}
	var address uint64
	for i, part := range parts {
		n, err := numberOf(part)
		if err != nil || i < last && n > 255 || i == last && n >= 1<<(8*(4-last)) {
			return ascii(parts)
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

// ascii gives labels in Unicode their ASCII form.
func ascii(labels []string) string {
	for i, label := range labels {
		if strings.IndexFunc(label, func(r rune) bool { return r >= 0x80 }) >= 0 {
			labels[i] = "xn--" + punycode([]rune(label))
		}
	}
	return strings.Join(labels, ".")
}

// punycode encodes a label (RFC 3492 section 6.3, with the parameters of section 5).
func punycode(label []rune) string {
	const base, tMin, tMax, skew, damp, firstBias, firstN = 36, 1, 26, 38, 700, 72, 0x80
	digit := func(d int) byte {
		if d < 26 {
			return byte('a' + d)
		}
		return byte('0' + d - 26)
	}
	var out []byte
	for _, r := range label {
		if r < firstN {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	handled := basic
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := firstN, 0, firstBias
	for handled < len(label) {
		next := int(^uint32(0) >> 1)
		for _, r := range label {
			if int(r) >= n && int(r) < next {
				next = int(r)
			}
		}
		delta += (next - n) * (handled + 1)
		n = next
		for _, r := range label {
			if int(r) < n {
				delta++
			}
			if int(r) != n {
				continue
			}
			q := delta
			for k := base; ; k += base {
				t := min(max(k-bias, tMin), tMax)
				if q < t {
					break
				}
				out = append(out, digit(t+(q-t)%(base-t)))
				q = (q - t) / (base - t)
			}
			out = append(out, digit(q))
			if handled == basic {
				delta /= damp
			} else {
				delta /= 2
			}
			delta += delta / (handled + 1)
			k := 0
			for ; delta > (base-tMin)*tMax/2; k += base {
				delta /= base - tMin
			}
			bias = k + (base-tMin+1)*delta/(delta+skew)
			delta = 0
			handled++
		}
		delta++
		n++
	}
	return string(out)
}
