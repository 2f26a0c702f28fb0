package gate

import (
	"context"
	"mime"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rs/zerolog"
)

// tokenSubprotocol is how a client that cannot set headers carries its token.
const tokenSubprotocol = "debug-bridge.token."

// Identity is who a request comes from, as the token's record says.
type Identity struct {
	Name   string
	Role   string    // agent, app or any
	Level  string    // observe, act, control; empty means control
	Origin string    // when set, the token counts only with this Origin
	Made   time.Time // when the token was made: a name may be given again
	Local  bool      // came over the Unix socket, without a token
	// Context is the one context that the credential is for; empty: that of the name.
	Context string
}

// The roles of tokens.
const (
	RoleAgent = "agent"
	RoleApp   = "app"
	RoleAny   = "any"
)

// Fits reports whether the identity may take the role.
func (i Identity) Fits(role string) bool { return i.Role == role || i.Role == RoleAny }

// LocalName is the identity's name on the Unix socket, where the file system is the check.
const LocalName = "local"

type contextKey int

const (
	identityKey contextKey = iota
	connKey
)

// WithIdentity puts an identity into a context.
func WithIdentity(ctx context.Context, identity Identity) context.Context {
	return context.WithValue(ctx, identityKey, identity)
}

// From gives the identity of a request that passed a gate.
func From(ctx context.Context) (Identity, bool) {
	identity, ok := ctx.Value(identityKey).(Identity)
	return identity, ok
}

// Config of a gate. Port, Origins and Verify are required.
type Config struct {
	Port    func() int                          // the port that Host must name
	Origins func(origin string) (allowed bool)  // byte-equal allow list of SDK apps
	Verify  func(token string) (Identity, bool) // must compare in constant time
	// Key knows the secret of a path, /cdp/KEY/…, for DevTools clients that cannot set
	// headers. nil: there are none. It must compare in constant time.
	Key func(key string) (Identity, bool)
	Now func() time.Time // time.Now when nil
	Log zerolog.Logger   // one line for each refusal
	// Refused is told of each refusal. It must not block. May be nil.
	Refused func(status int, reason string)
}

type gate struct {
	config  Config
	next    http.Handler
	guesses limiter
}

// New puts the gate in front of a handler.
func New(config Config, next http.Handler) http.Handler {
	if config.Now == nil {
		config.Now = time.Now
	}
	return &gate{config: config, next: next, guesses: limiter{now: config.Now}}
}

// Local gives every request of a Unix socket the local identity. What a browser
// would send is refused all the same: no browser reaches that socket honestly.
func Local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		admit(r.Context())
		setHeaders(w.Header())
		if len(r.Header["Origin"]) > 0 {
			Refuse(w, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r.WithContext(WithIdentity(r.Context(), Identity{Name: LocalName, Role: RoleAny, Level: "control", Local: true})))
	})
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	enter(r.Context())
	setHeaders(w.Header())
	identity, status, reason := g.check(r)
	if status != 0 {
		g.config.Log.Info().Int("status", status).Str("reason", reason).Str("from", r.RemoteAddr).Msg("request refused")
		if g.config.Refused != nil {
			g.config.Refused(status, reason)
		}
		// What follows on a refused connection is nothing that we want to read.
		w.Header().Set("Connection", "close")
		if mode := r.Header["Sec-Fetch-Mode"]; status == http.StatusUnauthorized && len(mode) > 0 && !slices.Equal(mode, []string{"navigate"}) {
			// A script that is refused shows it itself: a browser would ask for a password over it.
			w.Header()["Www-Authenticate"] = []string{"Bearer"}
		}
		Refuse(w, status)
		return
	}
	admit(r.Context())
	if len(r.TransferEncoding) > 0 || !r.ProtoAtLeast(1, 1) {
		// There may have been a second length, which net/http has dropped. By RFC 9112
		// section 6.1 nothing behind such a body counts as a request.
		w.Header().Set("Connection", "close")
	}
	r = r.WithContext(WithIdentity(r.Context(), identity))
	if _, rest, keyed := cutKey(r.URL.Path); keyed {
		http.StripPrefix(strings.TrimSuffix(r.URL.Path, rest), g.next).ServeHTTP(w, r)
		return
	}
	g.next.ServeHTTP(w, r)
}

// KeyPrefix begins the paths that carry their own credential.
const KeyPrefix = "/cdp/"

// cutKey takes the credential off a path: /cdp/KEY/json/version. Only what DevTools
// clients need is behind one.
func cutKey(path string) (key, rest string, ok bool) {
	after, found := strings.CutPrefix(path, KeyPrefix)
	if !found {
		return "", "", false
	}
	key, rest, _ = strings.Cut(after, "/")
	rest = "/" + rest
	return key, rest, rest == "/json" || strings.HasPrefix(rest, "/json/") || strings.HasPrefix(rest, "/devtools/")
}

// check goes through the gate in the order of protocol.md section 8.
func (g *gate) check(r *http.Request) (identity Identity, status int, reason string) {
	refuse := func(status int, reason string) (Identity, int, string) { return Identity{}, status, reason }
	upgrade := isUpgrade(r)
	switch {
	case !strings.HasPrefix(r.RequestURI, "/") || strings.HasPrefix(r.RequestURI, "//"):
		return refuse(http.StatusBadRequest, "request line is not of origin form")
	case r.Host == "":
		return refuse(http.StatusBadRequest, "no Host")
	case upgrade && (r.ContentLength != 0 || len(r.TransferEncoding) > 0):
		return refuse(http.StatusBadRequest, "upgrade with a body")
	case !ownHost(r.Host, g.config.Port()):
		return refuse(http.StatusForbidden, "Host is not ours")
	case forwarded(r.Header):
		return refuse(http.StatusForbidden, "forwarded by a proxy")
	}
	origins := r.Header["Origin"]
	switch {
	case len(origins) > 1:
		return refuse(http.StatusForbidden, "two Origins")
	case len(origins) == 1 && (origins[0] == "" || origins[0] == "null" || !g.config.Origins(origins[0])):
		return refuse(http.StatusForbidden, "Origin is not allowed")
	}
	if !ownFetchSite(r, upgrade && len(origins) == 1) {
		return refuse(http.StatusForbidden, "Sec-Fetch-Site is foreign")
	}
	identity, given, ok := g.authenticate(r, upgrade)
	if !ok {
		// Without a credential nothing was guessed, so only wrong ones count.
		if given && !g.guesses.allow() {
			return refuse(http.StatusTooManyRequests, "too many wrong tokens")
		}
		return refuse(http.StatusUnauthorized, "no valid token")
	}
	if !allowedBody(r) {
		return refuse(http.StatusUnsupportedMediaType, "content type")
	}
	return identity, 0, ""
}

func isUpgrade(r *http.Request) bool {
	for _, line := range r.Header["Connection"] {
		for _, option := range strings.Split(line, ",") {
			if strings.EqualFold(textproto.TrimString(option), "upgrade") {
				return len(r.Header["Upgrade"]) > 0
			}
		}
	}
	return false
}

// ownHost takes Host apart and compares the pieces: prefixes and other
// spellings of the same address are how rebinding gets in.
func ownHost(host string, port int) bool {
	name, given, err := net.SplitHostPort(host)
	if err != nil {
		return false
	}
	if given != strconv.Itoa(port) {
		return false
	}
	if strings.HasPrefix(host, "[") {
		return name == "::1"
	}
	return name == "127.0.0.1" || strings.EqualFold(name, "localhost")
}

// forwarded reports headers that only a proxy writes; nothing of ours is behind one.
func forwarded(header http.Header) bool {
	return len(header["X-Forwarded-Host"]) > 0 || len(header["X-Forwarded-For"]) > 0 || len(header["Forwarded"]) > 0
}

// ownFetchSite refuses requests that a page of another site makes. A browser
// marks an allowed app's own WebSocket as foreign too (another port), so there
// the Origin decides.
func ownFetchSite(r *http.Request, allowedApp bool) bool {
	sites := r.Header["Sec-Fetch-Site"]
	if len(sites) == 0 || len(sites) == 1 && (sites[0] == "none" || sites[0] == "same-origin") {
		return true
	}
	modes := r.Header["Sec-Fetch-Mode"]
	return allowedApp && len(sites) == 1 && len(modes) == 1 && modes[0] == "websocket"
}

// authenticate finds the one credential of a request. given reports whether
// there was any, so that its presence alone can never count for validity.
func (g *gate) authenticate(r *http.Request, upgrade bool) (identity Identity, given, ok bool) {
	headers := r.Header["Authorization"]
	var carried []string
	for _, line := range r.Header["Sec-Websocket-Protocol"] {
		for _, name := range strings.Split(line, ",") {
			if token, ok := strings.CutPrefix(textproto.TrimString(name), tokenSubprotocol); ok {
				carried = append(carried, token)
			}
		}
	}
	key, _, keyed := cutKey(r.URL.Path)
	if keyed && g.config.Key != nil && len(headers)+len(carried) == 0 {
		if len(r.Header["Origin"]) > 0 || len(key) > maxToken {
			return Identity{}, true, false // no page has business with a browser's DevTools
		}
		identity, ok = g.config.Key(key)
		return identity, true, ok
	}
	if len(headers)+len(carried) != 1 || keyed {
		return Identity{}, keyed || len(headers)+len(carried) > 0, false
	}
	token := ""
	if len(headers) == 1 {
		scheme, rest, found := strings.Cut(headers[0], " ")
		switch {
		case found && strings.EqualFold(scheme, "Bearer"):
			token = rest
		case found && !upgrade && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			// A person's browser, asked for a password: it may look, and nothing else.
			_, token, _ = r.BasicAuth()
		}
		if token == "" {
			return Identity{}, true, false
		}
	} else if upgrade {
		token = carried[0]
	}
	if token == "" || len(token) > maxToken {
		return Identity{}, true, false
	}
	identity, ok = g.config.Verify(token)
	if !ok || identity.Origin != "" && !slices.Equal(r.Header["Origin"], []string{identity.Origin}) {
		return Identity{}, true, false
	}
	return identity, true, true
}

// maxToken bounds what is hashed for a guess.
const maxToken = 512

// allowedBody lets only plain JSON in: what a form or a simple request of a page
// can send is not that.
func allowedBody(r *http.Request) bool {
	switch r.Method {
	case http.MethodPost, http.MethodPatch: // a PUT of nothing is what no form can send
	default:
		if r.ContentLength == 0 && len(r.TransferEncoding) == 0 {
			return true
		}
	}
	types := r.Header["Content-Type"]
	if len(types) != 1 || len(r.Header["Content-Encoding"]) > 0 {
		return false
	}
	media, params, err := mime.ParseMediaType(types[0])
	if err != nil || media != "application/json" || len(params) > 1 {
		return false
	}
	charset, given := params["charset"]
	return len(params) == 0 || given && strings.EqualFold(charset, "utf-8")
}

// securityHeaders are on every answer (checks N-09): no page may read, frame or keep it.
var securityHeaders = [][2]string{
	{"X-Content-Type-Options", "nosniff"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"X-Frame-Options", "DENY"},
	{"Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"},
	{"Referrer-Policy", "no-referrer"},
	{"Cache-Control", "no-store"},
}

func setHeaders(header http.Header) {
	for _, pair := range securityHeaders {
		header.Set(pair[0], pair[1])
	}
}

// body is the one constant answer of a status.
func body(status int) string { return http.StatusText(status) + "\n" }

// Refuse answers with the constant body of a status. Handlers behind a gate use
// it for their own refusals too.
func Refuse(w http.ResponseWriter, status int) {
	header := w.Header()
	setHeaders(header)
	switch status {
	case http.StatusUnauthorized:
		if header["Www-Authenticate"] == nil {
			header["Www-Authenticate"] = []string{"Bearer", `Basic realm="token", charset="UTF-8"`}
		}
	case http.StatusUpgradeRequired:
		header.Set("Upgrade", "websocket")
	}
	text := body(status)
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // a peer that is gone needs no answer
}
