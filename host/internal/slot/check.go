package slot

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
)

// versionTime is how long a program may take to tell its version.
const versionTime = 10 * time.Second

// Hop is one thing that a profile needs.
type Hop struct {
	What   string // executable, folder, proxy, browser, headers, endpoint
	OK     bool
	Detail string
	Fix    string // of what is not there
	Health *Probed
}

func good(what, format string, args ...any) Hop {
	return Hop{What: what, OK: true, Detail: fmt.Sprintf(format, args...)}
}

func bad(what string, err error) Hop {
	f := fault.From(err)
	h := Hop{What: what, Detail: f.Message}
	if len(f.Suggestions) > 0 {
		h.Fix = f.Suggestions[0]
	}
	return h
}

// Check looks whether a profile would work now. It starts no browser and changes
// nothing; an endpoint is asked for its version and its pages.
func (m *Manager) Check(ctx context.Context, p profile.Profile) []Hop {
	switch p.Kind {
	case profile.Extension:
		return m.checkExtension(p)
	case profile.Remote:
		return m.checkRemote(ctx, p)
	}
	hops := []Hop{checkExecutable(ctx, p.Executable)}
	if dir := m.KeptDir(p); dir != "" {
		hops = append(hops, m.checkFolder(dir))
	}
	if p.Proxy != "" {
		hops = append(hops, checkProxy(ctx, p.Proxy))
	}
	return hops
}

// Works reports hops that would do: all that a managed browser needs, one endpoint of several.
func Works(p profile.Profile, hops []Hop) bool {
	well, endpoints := 0, 0
	for _, h := range hops {
		if h.Health == nil && !h.OK {
			return false
		}
		if h.Health != nil {
			endpoints++
			if h.OK {
				well++
			}
		}
	}
	return p.Kind != profile.Remote || endpoints == 0 || well > 0
}

func checkExecutable(ctx context.Context, name string) Hop {
	found, err := chrome.Find(name)
	if err != nil {
		return bad("executable", err)
	}
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	version, err := found.AskVersion(ctx)
	if err != nil {
		return bad("executable", err)
	}
	return good("executable", "%s", strings.TrimSpace(found.Name+" "+version)+", "+found.Path)
}

func (m *Manager) checkFolder(dir string) Hop {
	if key := m.UsedBy(dir); key != "" {
		return Hop{What: "folder", Detail: dir + " is used by the browser of context " + key, Fix: "End it: dbridge session stop --context-id " + key}
	}
	if pid := chrome.Holder(dir); pid != 0 {
		return Hop{What: "folder", Detail: fmt.Sprintf("%s is used by the browser with process id %d", dir, pid), Fix: "Close that browser."}
	}
	switch info, err := os.Stat(dir); {
	case os.IsNotExist(err):
		return good("folder", "%s is made with the first start", dir)
	case err != nil:
		return Hop{What: "folder", Detail: err.Error(), Fix: "Correct the owner and mode of " + dir + "."}
	case !info.IsDir():
		return Hop{What: "folder", Detail: dir + " is no folder", Fix: "Move " + dir + " away, or name another folder."}
	}
	return good("folder", "%s is free", dir)
}

func checkProxy(ctx context.Context, proxy string) Hop {
	text := proxy
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	address, err := url.Parse(text)
	if err != nil {
		return Hop{What: "proxy", Detail: "the proxy's address cannot be read", Fix: "dbridge profile list"}
	}
	port := address.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks4": "1080", "socks5": "1080"}[address.Scheme]
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(address.Hostname(), port))
	if err != nil {
		return Hop{What: "proxy", Detail: fmt.Sprintf("nothing answers at %s: %v", address.Host, err), Fix: "Start the proxy."}
	}
	_ = conn.Close()
	return good("proxy", "%s answers", address.Host)
}

func (m *Manager) checkExtension(p profile.Profile) []Hop {
	found := m.Extensions()
	if p.Browser != "" {
		found = m.called(p.Browser)
	}
	switch {
	case len(found) == 0 && p.Browser != "":
		return []Hop{bad("browser", m.away(p.Browser))}
	case len(found) == 0:
		return []Hop{{What: "browser", Detail: "no browser with the extension is connected", Fix: "dbridge session connect"}}
	case len(found) > 1 && p.Browser != "":
		return []Hop{bad("browser", ambiguous(p.Browser, found))}
	}
	var hops []Hop
	for _, e := range found {
		hops = append(hops, good("browser", "%s (%s), id %s", e.Name, e.Product, e.ID))
	}
	return hops
}

func (m *Manager) checkRemote(ctx context.Context, p profile.Profile) []Hop {
	header, err := p.Header()
	if err != nil {
		return []Hop{bad("headers", err)}
	}
	if m.o.Engine == nil {
		return nil
	}
	var hops []Hop
	for _, probed := range m.Probe(ctx, p.Endpoints, header) {
		at := profile.Bare(probed.Endpoint)
		h := good("endpoint", "%s: %s, %d pages, %d contexts, %d ms", at, probed.Product, probed.Pages, probed.Contexts, probed.Took.Milliseconds())
		if probed.Err != nil {
			h = bad("endpoint", probed.Err)
			h.Detail = at + ": " + h.Detail
		}
		h.Health = &probed
		hops = append(hops, h)
	}
	return hops
}
