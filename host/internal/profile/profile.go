// Package profile keeps the named profiles of config.toml: which browser a context gets
// when somebody says --profile NAME.
//
// The file is a person's. It is read strictly each time it is used, so that a change
// counts for the next start, and changed in place: comments and order stay.
package profile

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// Kind says whose browser it is.
type Kind string

// The kinds.
const (
	Managed   Kind = "managed"   // started for the context
	Extension Kind = "extension" // the person's own, by the pages they connected
	Remote    Kind = "remote"    // runs elsewhere, reached by its endpoint
)

// The names that need no entry and can have none.
const (
	NameManaged = "managed"
	NameRemote  = "remote"
	NameUser    = "user"
)

// MaxViewport bounds width and height, in CSS px: beyond any screen.
const MaxViewport = 10_000

// Profile is one entry. What is not of its kind is empty.
type Profile struct {
	Name string
	Kind Kind

	// Of managed.
	Headless    *bool    // nil: where there is no display
	UserDataDir string   // absolute; a folder that is kept
	Persistent  bool     // a folder that is kept under the profile's name
	Executable  string   // a path, or a channel of chrome.Channels
	Args        []string // further switches
	Proxy       string   // of the browser's requests
	ProxyBypass string
	Width       int // of the page in CSS px, 0 for the browser's own
	Height      int

	// Of extension.
	Browser string // id or name of a connected browser; empty for all

	// Of managed and remote.
	PageTools []string // sites, by host name, whose page tools may be called; * for all

	// Of remote.
	Endpoints []string          // as chrome.Resolve takes them
	Headers   map[string]string // name → value, sent to the endpoints
	HeaderEnv map[string]string // name → variable of the daemon that has the value
}

// Builtin gives the profile of a name that needs no entry.
func Builtin(name string) (Profile, bool) {
	kind, ok := map[string]Kind{NameManaged: Managed, NameRemote: Remote, NameUser: Extension}[name]
	return Profile{Name: name, Kind: kind}, ok
}

var nameForm = lazy.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$`)

// NameOK reports a name that a profile, or the folder of one that is kept, can have.
func NameOK(name string) bool { return nameForm.MatchString(name) }

// Header is what is sent to the endpoints. A variable that is not set is VALIDATION_ERROR.
func (p Profile) Header() (http.Header, error) {
	if len(p.Headers)+len(p.HeaderEnv) == 0 {
		return nil, nil
	}
	out := http.Header{}
	for name, value := range p.Headers {
		out.Set(name, value)
	}
	for name, variable := range p.HeaderEnv {
		value := os.Getenv(variable)
		if value == "" || strings.ContainsAny(value, "\r\n") {
			return nil, fault.New(fault.ValidationError, "profile %s takes the header %s from the variable %s, which is not set for the daemon, or holds a line break", p.Name, name, variable).
				With("profile", p.Name).With("variable", variable).
				Suggest("Set "+variable+", then restart the daemon in that environment: dbridge daemon stop", "dbridge profile show "+p.Name)
		}
		out.Set(name, value)
	}
	return out, nil
}

// Switches are the browser's arguments that the profile asks for.
func (p Profile) Switches() []string {
	args := slices.Clone(p.Args)
	if p.Proxy != "" {
		args = append(args, "--proxy-server="+p.Proxy)
	}
	if p.ProxyBypass != "" {
		args = append(args, "--proxy-bypass-list="+p.ProxyBypass)
	}
	return args
}

// Viewport is the page's size as it is written, empty where there is none.
func (p Profile) Viewport() string {
	if p.Width == 0 {
		return ""
	}
	return fmt.Sprintf("%dx%d", p.Width, p.Height)
}

// ParseViewport reads a size such as 1280x800, in CSS px.
func ParseViewport(text string) (width, height int, ok bool) {
	w, h, found := strings.Cut(strings.ToLower(text), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	ok = found && errW == nil && errH == nil && width >= 1 && height >= 1 && width <= MaxViewport && height <= MaxViewport
	return width, height, ok
}

// Hidden stands for a secret.
const Hidden = "***"

// Masked is the profile without what may be a secret: for answers.
func (p Profile) Masked() Profile {
	hidden := make(map[string]string, len(p.Headers))
	for name := range p.Headers {
		hidden[name] = Hidden
	}
	p.Headers = hidden
	p.Endpoints = slices.Clone(p.Endpoints)
	for i, endpoint := range p.Endpoints {
		p.Endpoints[i] = Bare(endpoint)
	}
	p.Proxy = maskUser(p.Proxy)
	p.Args = slices.Clone(p.Args)
	for i, arg := range p.Args {
		p.Args[i] = maskUser(arg)
	}
	return p
}

var userInfo = lazy.MustCompile(`//[^/@\s]*@`)

// maskUser hides user and password of the addresses in a text.
func maskUser(text string) string {
	return userInfo.Get().ReplaceAllLiteralString(text, "//"+Hidden+"@")
}

// Bare is an endpoint without its query and its user: both may be secrets. So may the
// path of a WebSocket: whoever knows it drives the browser.
func Bare(endpoint string) string {
	scheme, rest, found := strings.Cut(endpoint, "://")
	if !found {
		return endpoint // a port, host:port, or a folder
	}
	rest, _, _ = strings.Cut(rest, "/")
	rest, _, _ = strings.Cut(rest, "?")
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	return scheme + "://" + rest
}

// problem is a setting that cannot stand.
type problem struct{ key, says string }

func (p problem) Error() string { return p.says }

// check judges what is of one profile alone.
func (p Profile) check() error {
	for _, rule := range rules {
		if says := rule.wrong(p); says != "" {
			return problem{rule.key, says}
		}
	}
	if err := chrome.CheckArgs(p.Args); err != nil {
		return problem{"args", fault.From(err).Message}
	}
	return nil
}

// rules are what a profile's settings must keep to. of names the kind that has them.
var rules = []struct {
	key   string
	wrong func(Profile) string
}{
	{"kind", func(p Profile) string {
		return unless(slices.Contains([]Kind{Managed, Extension, Remote}, p.Kind), "kind is managed, extension or remote")
	}},
	{"headless", only(Managed, "headless", func(p Profile) bool { return p.Headless != nil })},
	{"user-data-dir", only(Managed, "user-data-dir", func(p Profile) bool { return p.UserDataDir != "" })},
	{"persistent", only(Managed, "persistent", func(p Profile) bool { return p.Persistent })},
	{"executable", only(Managed, "executable", func(p Profile) bool { return p.Executable != "" })},
	{"args", only(Managed, "args", func(p Profile) bool { return len(p.Args) > 0 })},
	{"proxy", only(Managed, "proxy", func(p Profile) bool { return p.Proxy != "" })},
	{"proxy-bypass", only(Managed, "proxy-bypass", func(p Profile) bool { return p.ProxyBypass != "" })},
	{"page-tools", func(p Profile) string {
		return unless(len(p.PageTools) == 0 || p.Kind != Extension, "page-tools is not for kind extension: the person decides in the popup")
	}},
	{"browser", only(Extension, "browser", func(p Profile) bool { return p.Browser != "" })},
	{"endpoints", only(Remote, "endpoints", func(p Profile) bool { return len(p.Endpoints) > 0 })},
	{"headers", only(Remote, "headers", func(p Profile) bool { return len(p.Headers) > 0 })},
	{"header-env", only(Remote, "header-env", func(p Profile) bool { return len(p.HeaderEnv) > 0 })},
	{"viewport", func(p Profile) string {
		return unless(p.Width == 0 || p.Kind != Extension, "viewport is not for kind extension: the person's windows stay as they are")
	}},
	{"user-data-dir", func(p Profile) string {
		return unless(p.UserDataDir == "" || filepath.IsAbs(p.UserDataDir), "user-data-dir is an absolute path")
	}},
	{"persistent", func(p Profile) string {
		return unless(p.UserDataDir == "" || !p.Persistent, "persistent is for a profile without user-data-dir: that folder is kept anyway")
	}},
	{"proxy", func(p Profile) string { return wrongProxy(p.Proxy) }},
	{"proxy-bypass", func(p Profile) string {
		return unless(p.ProxyBypass == "" || p.Proxy != "", "proxy-bypass needs a proxy")
	}},
	{"endpoints", func(p Profile) string {
		return unless(p.Kind != Remote || len(p.Endpoints) > 0, "a remote profile needs its endpoints")
	}},
	{"endpoints", func(p Profile) string {
		for _, address := range p.Endpoints {
			if !filepath.IsAbs(address) && chrome.CheckAddress(address) != nil {
				return Bare(address) + " is no DevTools address; give http://host:port, ws://…, a port, or a user data directory"
			}
		}
		return ""
	}},
	{"headers", func(p Profile) string {
		for name, value := range p.Headers {
			if !headerName.MatchString(name) || strings.ContainsAny(value, "\r\n") {
				return "a header has a name of letters and dashes, and a value of one line"
			}
		}
		return ""
	}},
	{"header-env", func(p Profile) string {
		for name, variable := range p.HeaderEnv {
			_, twice := p.Headers[name]
			switch {
			case !headerName.MatchString(name) || !variableName.MatchString(variable):
				return `header-env maps the name of a header to that of an environment variable`
			case twice:
				return "the header " + name + " stands in headers and in header-env"
			}
		}
		return ""
	}},
}

var (
	headerName   = lazy.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
	variableName = lazy.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func unless(fine bool, says string) string {
	if fine {
		return ""
	}
	return says
}

// only is the rule that a setting is of one kind.
func only(kind Kind, key string, set func(Profile) bool) func(Profile) string {
	return func(p Profile) string {
		return unless(p.Kind == kind || !set(p), fmt.Sprintf("%s is for kind %s, not %s", key, kind, p.Kind))
	}
}

var proxySchemes = []string{"http", "https", "socks4", "socks5"}

// wrongProxy judges a proxy's address. Chrome asks for a proxy's password in a dialog,
// and takes none in the address: a request would fail later, with no word why.
func wrongProxy(proxy string) string {
	if proxy == "" {
		return ""
	}
	text := proxy
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	address, err := url.Parse(text)
	switch {
	case err != nil, address.Host == "", !slices.Contains(proxySchemes, address.Scheme), strings.Trim(address.Path, "/") != "", strings.ContainsAny(text, ";, "):
		return "proxy is an address such as http://127.0.0.1:3128; http, https, socks4 or socks5"
	case address.User != nil:
		return "Chrome takes no user and password in a proxy's address: run a proxy on this computer that adds them, and name that"
	}
	return ""
}
