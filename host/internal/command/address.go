package command

import (
	"net"
	"net/url"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

var (
	// A scheme, and not the host of localhost:3000.
	schemePattern = lazy.MustCompile(`^(?:[a-zA-Z][a-zA-Z0-9+.-]*://|(?i:about|data|blob|javascript|mailto|view-source|chrome|file):)`)
	hostPort      = lazy.MustCompile(`^(?:\[[0-9a-fA-F:]+\]|[a-zA-Z0-9_](?:[a-zA-Z0-9_.-]*[a-zA-Z0-9_])?)(?::\d{1,5})?$`)
	portPattern   = lazy.MustCompile(`:\d{1,5}$`)
	// What ends like a page of the site is one, and no host.
	filePattern = lazy.MustCompile(`(?i)\.(?:x?html?|php|aspx?|jsp|json|xml|txt|svg|pdf|md|js|css|png|jpe?g|gif|webp)$`)
)

// addressOf makes a whole address of what was typed: as it is where it has a scheme;
// relative to the page that base is of; or a host without its scheme, which is http
// for machines nearby and https for others.
func addressOf(text, base string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", problem("the address is empty").Suggest("dbridge page navigate https://example.com/")
	}
	if schemePattern.MatchString(text) {
		return text, nil
	}
	from, err := url.Parse(base)
	onWeb := err == nil && (from.Scheme == "http" || from.Scheme == "https")
	if strings.HasPrefix(text, "//") {
		scheme := "https:"
		if onWeb {
			scheme = from.Scheme + ":"
		}
		return scheme + text, nil
	}
	host := text
	if i := strings.IndexAny(text, "/?#"); i >= 0 {
		host = text[:i]
	}
	if looksLikeHost(host, onWeb && host == text) {
		if nearby(host) {
			return "http://" + text, nil
		}
		return "https://" + text, nil
	}
	if !onWeb {
		return "", problem("%q is relative, and there is no web page that it could be relative to", text).
			Suggest("Give a whole address, such as http://localhost:3000" + strings.Join([]string{"/", strings.TrimLeft(text, "/")}, ""))
	}
	to, err := from.Parse(text)
	if err != nil {
		return "", problem("%q is no address", text).Suggest("Give a whole address, such as https://example.com/path.")
	}
	return to.String(), nil
}

// destinationOf is where an address leads that a command was given; empty where it gives none.
func destinationOf(text, base string) string {
	to, err := addressOf(text, base)
	if err != nil {
		return ""
	}
	return to
}

// looksLikeHost tells a host without a scheme from a path; alone says that a file of
// the site is as likely.
func looksLikeHost(host string, alone bool) bool {
	if host == "" || !hostPort.MatchString(host) {
		return false
	}
	if portPattern.MatchString(host) || strings.EqualFold(host, "localhost") || strings.HasPrefix(host, "[") {
		return true
	}
	return strings.Contains(host, ".") && (!alone || !filePattern.MatchString(host))
}

// nearby reports a host of this machine or its network.
func nearby(host string) bool {
	name := strings.ToLower(host)
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = strings.ToLower(h)
	}
	name = strings.Trim(name, "[]")
	if ip := net.ParseIP(name); ip != nil {
		return true
	}
	return !strings.Contains(name, ".") || strings.HasSuffix(name, ".localhost") || strings.HasSuffix(name, ".local") || strings.HasSuffix(name, ".test")
}
