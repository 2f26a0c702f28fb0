package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/lazy"
)

// The headers that OWASP asks of every document, as far as a browser shows them.
// https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html

// header joins the headers of a name; those of several lines too.
func (s *Seen) header(name string) string {
	var values []string
	for _, h := range s.Headers {
		if strings.EqualFold(h.Name, name) {
			values = append(values, h.Value)
		}
	}
	return strings.Join(values, "\n")
}

// policies reads the policies of a document, each by name.
func (s *Seen) policies() (list []map[string][]string) {
	texts := strings.FieldsFunc(s.header("content-security-policy"), func(c rune) bool { return c == '\n' || c == ',' })
	for _, text := range append(texts, s.Head.CSP...) {
		policy := map[string][]string{}
		for part := range strings.SplitSeq(text, ";") {
			if words := strings.Fields(part); len(words) > 0 {
				if name := strings.ToLower(words[0]); policy[name] == nil {
					policy[name] = append([]string{}, words[1:]...)
				}
			}
		}
		if len(policy) > 0 {
			list = append(list, policy)
		}
	}
	return list
}

// policy judges what a Content-Security-Policy lets scripts do.
// https://web.dev/articles/strict-csp
func policy(s *Seen) ([]Finding, bool) {
	list := s.policies()
	if len(list) == 0 {
		if !s.HeadersKnown {
			return nil, false
		}
		return []Finding{{Where: []Place{{At: "response headers"}}}}, true
	}
	weak := ""
	for _, p := range list { // one strict policy is enough: all have to agree
		scripts, named := p["script-src"]
		if !named {
			scripts, named = p["default-src"]
		}
		why := weakness(scripts, named)
		if why == "" {
			return nil, true
		}
		weak = why
	}
	return []Finding{{ID: "csp-weak", Severity: "low", Message: "The Content-Security-Policy lets injected scripts run.", Evidence: weak}}, true
}

func weakness(scripts []string, named bool) string {
	if !named {
		return "neither script-src nor default-src"
	}
	strict := slices.ContainsFunc(scripts, func(word string) bool {
		return strings.HasPrefix(word, "'nonce-") || strings.HasPrefix(word, "'sha") || word == "'strict-dynamic'"
	})
	for _, word := range scripts {
		switch {
		case word == "'unsafe-inline'" && !strict:
			return "script-src " + word
		case (word == "*" || word == "http:" || word == "https:" || word == "data:") && !slices.Contains(scripts, "'strict-dynamic'"):
			return "script-src " + word
		}
	}
	return ""
}

func hsts(s *Seen) ([]Finding, bool) {
	if !s.Secure {
		return nil, true
	}
	return when(s.HeadersKnown && s.header("strict-transport-security") == "", Finding{}), s.HeadersKnown
}

func nosniff(s *Seen) ([]Finding, bool) {
	return when(s.HeadersKnown && !strings.EqualFold(strings.TrimSpace(s.header("x-content-type-options")), "nosniff"), Finding{}), s.HeadersKnown
}

func referrer(s *Seen) ([]Finding, bool) {
	value := s.header("referrer-policy")
	if value == "" && len(s.Head.Referrer) > 0 {
		value = s.Head.Referrer[0]
	}
	if value == "" {
		return when(s.HeadersKnown, Finding{}), s.HeadersKnown
	}
	words := strings.FieldsFunc(strings.ToLower(value), func(c rune) bool { return c == ',' || c == ' ' || c == '\n' })
	last := ""
	if len(words) > 0 {
		last = words[len(words)-1] // the last that the browser knows counts
	}
	return when(last == "unsafe-url" || last == "no-referrer-when-downgrade", Finding{
		ID: "referrer-policy-weak", Severity: "low", Message: "The Referrer-Policy gives whole addresses to other sites.", Evidence: last,
	}), true
}

func framing(s *Seen) ([]Finding, bool) {
	if !s.HeadersKnown {
		return nil, false
	}
	if s.header("x-frame-options") != "" {
		return nil, true
	}
	meta := len(s.Head.CSP) // frame-ancestors counts in a header alone
	list := s.policies()
	return when(!slices.ContainsFunc(list[:len(list)-min(meta, len(list))], func(p map[string][]string) bool { return p["frame-ancestors"] != nil }), Finding{}), true
}

// signsIn are the names of cookies that are worth stealing.
var signsIn = lazy.MustCompile(`(?i)sess|auth|token|sid\b|jwt|login|remember`)

func cookies(s *Seen) ([]Finding, bool) {
	if !s.HeadersKnown {
		return nil, false
	}
	f := Finding{}
	for line := range strings.SplitSeq(s.header("set-cookie"), "\n") {
		pair, rest, _ := strings.Cut(line, ";")
		name, _, named := strings.Cut(pair, "=")
		if !named {
			continue
		}
		attributes := map[string]string{}
		for part := range strings.SplitSeq(rest, ";") {
			key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			attributes[strings.ToLower(key)] = strings.ToLower(value)
		}
		var lacks []string
		_, secure := attributes["secure"]
		_, httpOnly := attributes["httponly"]
		same, sameSite := attributes["samesite"]
		if !secure && (s.Secure || same == "none") {
			lacks = append(lacks, "Secure")
		}
		// A script has to read some cookies, and sends a csrf token back; others are worth stealing.
		if !httpOnly && signsIn.MatchString(name) && !strings.Contains(strings.ToLower(name), "csrf") && !strings.Contains(strings.ToLower(name), "xsrf") {
			lacks = append(lacks, "HttpOnly")
		}
		if !sameSite {
			lacks = append(lacks, "SameSite")
		}
		if len(lacks) > 0 {
			f.Count++
			f.Where = append(f.Where, Place{At: "Set-Cookie", Text: fmt.Sprintf("%s without %s", clip(strings.TrimSpace(name), 60), strings.Join(lacks, ", "))})
		}
	}
	return when(f.Count > 0, f), true
}
