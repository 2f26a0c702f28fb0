package chrome

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

const (
	resolveTimeout = 10 * time.Second
	versionLimit   = 1 << 20 // of /json/version, which has a few hundred bytes
	probeTimeout   = 2 * time.Second
	portFile       = "DevToolsActivePort"
)

// Endpoint is a browser that can be connected to. Only WebSocketURL is always known.
type Endpoint struct {
	WebSocketURL    string
	Browser         string
	ProtocolVersion string
	UserAgent       string
}

// Resolve finds the WebSocket of a browser. address is http(s)://host:port with or
// without /json/version, ws(s)://…, host:port, a port, or a user data directory.
// The header goes to the host that is named and to no other: redirects are refused,
// and a WebSocket address on another host is taken to mean the one that was asked.
func Resolve(ctx context.Context, address string, header http.Header) (Endpoint, error) {
	ctx, cancel := context.WithTimeout(ctx, resolveTimeout)
	defer cancel()
	if info, err := os.Stat(address); err == nil && info.IsDir() {
		return resolveProfile(ctx, address, header)
	}
	target, err := parse(address)
	if err != nil {
		return Endpoint{}, err
	}
	if target.Scheme == "ws" || target.Scheme == "wss" {
		return Endpoint{WebSocketURL: target.String()}, nil
	}
	return ask(ctx, target, header)
}

// parse reads an address; a WebSocket's without a path is asked over HTTP first.
func parse(address string) (*url.URL, error) {
	invalid := func() error {
		return fault.New(fault.ValidationError, "%.200q is no DevTools address", address).With("address", address).
			Suggest("Give http://host:port, ws://host:port/devtools/browser/…, a port, or a user data directory.")
	}
	text := strings.TrimSpace(address)
	if port, err := strconv.Atoi(text); err == nil {
		if port < 1 || port > 65535 {
			return nil, invalid()
		}
		text = "http://127.0.0.1:" + text
	} else if !strings.Contains(text, "://") {
		if _, port, err := net.SplitHostPort(text); err != nil || port == "" {
			return nil, invalid()
		}
		text = "http://" + text
	}
	target, err := url.Parse(text)
	if err != nil || target.Hostname() == "" || target.Fragment != "" {
		return nil, invalid()
	}
	target.Scheme = strings.ToLower(target.Scheme)
	switch target.Scheme {
	case "http", "https":
	case "ws", "wss":
		if strings.Trim(target.Path, "/") != "" || target.RawQuery != "" {
			return target, nil
		}
		target.Scheme = map[string]string{"ws": "http", "wss": "https"}[target.Scheme]
	default:
		return nil, invalid()
	}
	target.Path, target.RawPath = strings.TrimRight(target.Path, "/"), ""
	if !strings.HasSuffix(target.Path, "/json/version") {
		target.Path += "/json/version"
	}
	return target, nil
}

// unreachable makes the fault of a browser that cannot be connected to.
func unreachable(target *url.URL, reason, format string, args ...any) *fault.Error {
	shown := *target
	shown.RawQuery, shown.User = "", nil // may hold a secret
	return fault.New(fault.CDPDisconnected, format, args...).With("reason", reason).With("address", shown.String()).
		Suggest("Start the browser with `--remote-debugging-port=9222 --user-data-dir=DIR`, then name that port.")
}

// get reads what a DevTools server says at an address, limit bytes of it at most.
func get(ctx context.Context, target *url.URL, header http.Header, limit int64) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, fault.New(fault.ValidationError, "the DevTools address cannot be used: %s", err).Because(err)
	}
	for name, values := range header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	network := &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true}
	defer network.CloseIdleConnections()
	client := &http.Client{Transport: network, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return nil, noAnswer(target, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, limit))
	if err != nil {
		return nil, noAnswer(target, err)
	}
	if status := response.StatusCode; status != http.StatusOK {
		reason := "http_status"
		if status >= 300 && status < 400 {
			reason = "redirect"
		}
		failure := unreachable(target, reason, "%s answered with HTTP status %s", target.Host, response.Status).With("status", status)
		if strings.Contains(string(body), "Host header") { // Chrome's defence against DNS rebinding
			failure.Suggest("Chrome answers only to an IP address or localhost: use the machine's IP address instead of its name.")
		}
		return nil, failure
	}
	return body, nil
}

// ask reads /json/version.
func ask(ctx context.Context, target *url.URL, header http.Header) (Endpoint, error) {
	body, err := get(ctx, target, header, versionLimit)
	if err != nil {
		return Endpoint{}, err
	}
	var version struct {
		Browser   string `json:"Browser"`
		Protocol  string `json:"Protocol-Version"`
		UserAgent string `json:"User-Agent"`
		URL       string `json:"webSocketDebuggerUrl"`
	}
	if json.Unmarshal(body, &version) != nil || version.URL == "" {
		return Endpoint{}, unreachable(target, "not_devtools", "%s is not a DevTools server", target.Host)
	}
	socket, err := onHost(version.URL, target)
	if err != nil {
		return Endpoint{}, unreachable(target, "not_devtools", "%s names no usable WebSocket", target.Host).Because(err)
	}
	return Endpoint{WebSocketURL: socket, Browser: version.Browser, ProtocolVersion: version.Protocol, UserAgent: version.UserAgent}, nil
}

// onHost moves the WebSocket's address to the host that was asked: behind a tunnel
// or in a container the browser does not know it, and nothing else may name another.
func onHost(socket string, asked *url.URL) (string, error) {
	found, err := url.Parse(socket)
	if err != nil {
		return "", err
	}
	if found.Scheme != "ws" && found.Scheme != "wss" {
		return "", fmt.Errorf("scheme %q", found.Scheme)
	}
	found.Scheme, found.Host, found.User = "ws", asked.Host, asked.User
	if asked.Scheme == "https" {
		found.Scheme = "wss"
	}
	if found.RawQuery == "" {
		found.RawQuery = asked.RawQuery
	}
	return found.String(), nil
}

func noAnswer(target *url.URL, err error) error {
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return unreachable(target, "timeout", "%s did not answer in time", target.Host).Because(err)
	}
	cause := err
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		cause = wrapped.Err // without the address, which may hold a secret
	}
	var network *net.OpError
	if errors.As(err, &network) && network.Op == "dial" {
		return unreachable(target, "refused", "no browser answers at %s: %s", target.Host, cause).Because(cause)
	}
	return unreachable(target, "not_devtools", "%s is not a DevTools server: %s", target.Host, cause).Because(cause)
}

// resolveProfile finds the browser that a person started for debugging.
func resolveProfile(ctx context.Context, dir string, header http.Header) (Endpoint, error) {
	socket, err := Running(dir)
	if err != nil {
		return Endpoint{}, err
	}
	target, err := url.Parse(socket)
	if err != nil {
		return Endpoint{}, stale(dir, err)
	}
	found, err := ask(ctx, &url.URL{Scheme: "http", Host: target.Host, Path: "/json/version"}, header)
	if err != nil {
		// A Chrome whose debugging was allowed in its settings answers on the WebSocket alone.
		if failure := fault.From(err); failure.Details["reason"] == "http_status" && failure.Details["status"] == http.StatusNotFound {
			return Endpoint{WebSocketURL: socket}, nil
		}
		return Endpoint{}, err
	}
	if found.WebSocketURL != socket {
		return Endpoint{}, stale(dir, errors.New("another browser has the port now"))
	}
	return found, nil
}

// Running gives the WebSocket address of a browser that runs with this user data
// directory and an open debugging port.
func Running(userDataDir string) (string, error) {
	address, err := readPortFile(userDataDir)
	if err != nil {
		return "", err
	}
	target, err := url.Parse(address)
	if err != nil {
		return "", stale(userDataDir, err)
	}
	conn, err := net.DialTimeout("tcp", target.Host, probeTimeout)
	if err != nil {
		return "", stale(userDataDir, err)
	}
	_ = conn.Close()
	return address, nil
}

// readPortFile reads the two lines that Chrome writes: the port and the path.
func readPortFile(dir string) (string, error) {
	content, err := os.ReadFile(filepath.Join(dir, portFile))
	if err != nil {
		return "", fault.New(fault.CDPDisconnected, "no browser with an open debugging port uses %s", dir).Because(err).
			With("reason", "no_port_file").With("path", dir).
			Suggest("Start the browser with `--remote-debugging-port=0 --user-data-dir=" + dir + "`.")
	}
	port, path, _ := strings.Cut(strings.TrimSpace(string(content)), "\n")
	path = strings.TrimSpace(path)
	number, err := strconv.Atoi(strings.TrimSpace(port))
	if err != nil || number < 1 || number > 65535 || !strings.HasPrefix(path, "/devtools/browser") {
		return "", stale(dir, fmt.Errorf("its content is %.80q", content))
	}
	return "ws://127.0.0.1:" + strconv.Itoa(number) + path, nil
}

func stale(dir string, cause error) error {
	return fault.New(fault.CDPDisconnected, "the file %s of a browser that ended is still in %s", portFile, dir).Because(cause).
		With("reason", "stale_port_file").With("path", dir).With("cause", cause.Error()).
		Suggest("Start the browser again with `--remote-debugging-port=0 --user-data-dir=" + dir + "`.")
}

// CheckAddress judges the form of an endpoint that is no folder; nothing is asked.
func CheckAddress(address string) error {
	_, err := parse(address)
	return err
}
