package audit

import (
	"fmt"
	"net/url"
	"strings"
)

// check is one question to a page. look gives what was found, with what differs from
// the check's own words, and false where it cannot be known.
type check struct {
	id, severity, message, fix string
	look                       func(*Seen) ([]Finding, bool)
}

// Limits of weight, as Lighthouse has them for its total-byte-weight audit (the best
// and the median page), and a file that a person on a phone notices.
// https://developer.chrome.com/docs/lighthouse/performance/total-byte-weight
const (
	heavyPage     = 1600 << 10
	veryHeavyPage = 4000 << 10
	heavyFile     = 500_000
	// slowSheet is a style sheet that holds the first paint for long.
	slowSheet = 300 // ms
)

var checks = []check{
	// The load.
	{"console-errors", "medium", "The console has errors.", "Read them with their stacks: dbridge console list --level error --stack.", consoleErrors},
	{"failed-requests", "medium", "Requests failed.", "Look at one: dbridge network get ID --include all.", failedRequests},
	{"render-blocking", "medium", "Files hold the first paint up.", "Scripts: defer, async or type=module. Style sheets: smaller, or inline what the first view needs.", renderBlocking},
	{"page-weight", "low", "The page is heavy.", "Compress, split and cache; load what is below the fold later.", pageWeight},
	{"large-files", "low", "Single files are large.", "Compress or split them; pictures as WebP or AVIF in the size that is shown.", largeFiles},
	// Transport.
	{"mixed-active", "high", "Scripts, styles, frames or forms of a secure page are addressed without TLS.", "Address them with https:.", elements("mixed-active")},
	{"mixed-passive", "medium", "Pictures or media of a secure page are addressed without TLS.", "Address them with https:.", elements("mixed-passive")},
	{"mixed-request", "high", "A secure page sent requests without TLS.", "Address them with https:, or send upgrade-insecure-requests in the Content-Security-Policy.", mixedRequests},
	{"http-links", "low", "Links lead to addresses without TLS.", "Use https: where the other site has it.", elements("http-link")},
	// The head.
	{"title", "medium", "The document has no title.", "Put one <title> with words into the head.", one("title", "medium", func(h *Head) []string { return h.Titles })},
	{"meta-description", "low", "The document has no description.", `Add <meta name="description" content="…">.`, one("description", "low", func(h *Head) []string { return h.Description })},
	{"meta-viewport", "medium", "The document has no viewport: phones show it as a desktop page.", `Add <meta name="viewport" content="width=device-width, initial-scale=1">.`, one("viewport", "medium", func(h *Head) []string { return h.Viewport })},
	{"canonical", "info", "The document has no canonical address.", `Add one <link rel="canonical" href="https://…"> with the whole address.`, canonical},
	{"lang", "medium", "The document does not say its language.", `Write it on the root: <html lang="en">.`, func(s *Seen) ([]Finding, bool) { return when(strings.TrimSpace(s.Head.Lang) == "", Finding{}), true }},
	{"charset", "low", "The document does not declare its encoding.", `Put <meta charset="utf-8"> first into the head, or charset=utf-8 into Content-Type.`, charset},
	{"doctype", "medium", "The document is in quirks mode.", "Begin it with <!doctype html>.", func(s *Seen) ([]Finding, bool) { return when(!s.Head.Doctype, Finding{}), true }},
	// The body.
	{"image-alt", "medium", "Pictures have no text in their place.", `Give each an alt; alt="" where it says nothing.`, elements("image-alt")},
	{"link-text", "medium", "Links have no words.", "Give each a text, an alt of its picture, or aria-label.", elements("link-text")},
	{"heading-order", "low", "Headings skip a level.", "Use the next level down; style it with CSS.", elements("heading-order")},
	{"image-size", "low", "Pictures have no size until they are loaded: what is below them jumps.", "Give width and height attributes, or aspect-ratio in CSS.", elements("image-size")},
	// The document's response.
	{"csp", "medium", "No Content-Security-Policy: an injected script runs.", "Send one with script-src by nonce or hash, object-src 'none' and base-uri 'none'.", policy},
	{"hsts", "medium", "No Strict-Transport-Security: a first visit can be led away from TLS.", "Send Strict-Transport-Security: max-age=31536000; includeSubDomains.", hsts},
	{"nosniff", "low", "No X-Content-Type-Options: files can be taken for another type.", "Send X-Content-Type-Options: nosniff.", nosniff},
	{"referrer-policy", "info", "No Referrer-Policy: the browser's default holds.", "Send Referrer-Policy: strict-origin-when-cross-origin, or stricter.", referrer},
	{"framing", "low", "Any site can put the page into a frame.", "Send Content-Security-Policy: frame-ancestors 'none' or 'self', or X-Frame-Options.", framing},
	{"cookies", "medium", "Cookies are set without protection.", "Set-Cookie: …; Secure; HttpOnly; SameSite=Lax", cookies},
}

// when is one finding, or none.
func when(wrong bool, f Finding) []Finding {
	if !wrong {
		return nil
	}
	return []Finding{f}
}

// elements is a check of which the page told the elements.
func elements(kind string) func(*Seen) ([]Finding, bool) {
	return func(s *Seen) ([]Finding, bool) {
		list := s.Elements[kind]
		f := Finding{Count: max(s.Counts[kind], len(list))}
		for _, e := range list[:min(len(list), shown)] {
			place := e.Place
			place.Text = clip(e.Words, 120)
			f.Where = append(f.Where, place)
		}
		return when(f.Count > 0, f), true
	}
}

// one is for what a head has once.
func one(what, severity string, of func(*Head) []string) func(*Seen) ([]Finding, bool) {
	return func(s *Seen) ([]Finding, bool) {
		list := of(&s.Head)
		filled := 0
		for _, text := range list {
			if strings.TrimSpace(text) != "" {
				filled++
			}
		}
		if filled == 0 {
			if len(list) > 0 {
				return []Finding{{Severity: severity, Message: "The document's " + what + " is empty."}}, true
			}
			return []Finding{{}}, true
		}
		return when(len(list) > 1, Finding{
			ID: duplicated[what], Severity: "low", Message: fmt.Sprintf("The document has %d of what it should have once: %s.", len(list), what), Fix: "Keep one.",
		}), true
	}
}

var duplicated = map[string]string{"title": "title-duplicate", "description": "meta-description-duplicate", "viewport": "meta-viewport-duplicate"}

func canonical(s *Seen) ([]Finding, bool) {
	switch list := s.Head.Canonical; {
	case len(list) == 0:
		return []Finding{{}}, true
	case len(list) > 1:
		return []Finding{{ID: "canonical-duplicate", Severity: "low", Message: fmt.Sprintf("The document has %d canonical addresses.", len(list)), Evidence: strings.Join(list[:2], ", "), Fix: "Keep one."}}, true
	default:
		u, err := url.Parse(list[0])
		return when(err != nil || !u.IsAbs(), Finding{ID: "canonical-relative", Severity: "low", Message: "The canonical address is not a whole one.", Evidence: clip(list[0], 120)}), true
	}
}

func charset(s *Seen) ([]Finding, bool) {
	declared := s.Head.CharsetDeclared
	if !declared && !s.HeadersKnown {
		return nil, false
	}
	declared = declared || strings.Contains(strings.ToLower(s.header("content-type")), "charset=")
	if declared && !strings.EqualFold(s.Head.Charset, "utf-8") {
		return []Finding{{Message: "The document's encoding is not UTF-8.", Evidence: s.Head.Charset}}, true
	}
	return when(!declared, Finding{}), true
}

func consoleErrors(s *Seen) ([]Finding, bool) {
	f := Finding{Count: len(s.Console)}
	for i, line := range s.Console {
		if line.Thrown {
			f.Severity = "high" // a script ended there
		}
		if i < shown {
			f.Where = append(f.Where, Place{At: line.At, Text: clip(line.Text, 160)})
		}
	}
	return when(f.Count > 0, f), true
}

// failures are the ways in which a request fails, worst first.
var failures = []struct {
	id, severity, message string
	fits                  func(*Request) bool
}{
	{"server-errors", "high", "The server failed to answer requests.", func(r *Request) bool { return r.Status >= 500 }},
	{"network-errors", "high", "Requests got no answer.", func(r *Request) bool { return r.Status == 0 && r.Failure != "" }},
	{"client-errors", "medium", "Requests were answered with an error.", func(r *Request) bool { return r.Status >= 400 && r.Status < 500 }},
}

func failedRequests(s *Seen) ([]Finding, bool) {
	var found []Finding
	for _, way := range failures {
		f := Finding{ID: way.id, Severity: way.severity, Message: way.message}
		for i := range s.Requests {
			r := &s.Requests[i]
			if !way.fits(r) || strings.HasSuffix(r.URL, "/favicon.ico") && !s.Head.Icon { // asked for by the browser, not by the page
				continue
			}
			f.Count++
			place := Place{At: r.URL, Text: strings.TrimSpace(r.Method + " " + r.Failure)}
			if r.Status != 0 {
				place.Text = fmt.Sprintf("%s %d", r.Method, r.Status)
			}
			if r.ID > 0 {
				place.Text = fmt.Sprintf("request %d: %s", r.ID, place.Text)
			}
			f.Where = append(f.Where, place)
		}
		found = append(found, when(f.Count > 0, f)...)
	}
	return found, len(found) > 0 || s.RequestsKnown
}

func renderBlocking(s *Seen) ([]Finding, bool) {
	f := Finding{}
	for _, r := range s.Requests {
		script := r.Kind == "script"
		if !r.Blocking || !script && r.Ms < slowSheet && r.Bytes < heavyFile/5 {
			continue // a quick style sheet is how a page is made
		}
		f.Count++
		f.Where = append(f.Where, Place{At: r.URL, Text: fmt.Sprintf("%s %.0f ms %s", r.Kind, r.Ms, size(r.Bytes))})
	}
	return when(f.Count > 0, f), true
}

func pageWeight(s *Seen) ([]Finding, bool) {
	t := transfer(s)
	if t.Bytes <= heavyPage {
		return nil, s.RequestsKnown
	}
	f := Finding{Evidence: fmt.Sprintf("%s in %d requests", size(t.Bytes), t.Requests), Where: t.Biggest}
	if t.Bytes > veryHeavyPage {
		f.Severity = "medium"
	}
	return []Finding{f}, true
}

func largeFiles(s *Seen) ([]Finding, bool) {
	f := Finding{}
	for _, place := range transfer(s).Biggest {
		for _, r := range s.Requests {
			if r.URL == place.At && r.Bytes > heavyFile && r.Kind != "media" {
				f.Count++
				f.Where = append(f.Where, place)
				break
			}
		}
	}
	return when(f.Count > 0, f), f.Count > 0 || s.RequestsKnown
}

func mixedRequests(s *Seen) ([]Finding, bool) {
	if !s.Secure {
		return nil, true
	}
	f := Finding{}
	for _, r := range s.Requests {
		if u, err := url.Parse(r.URL); err == nil && (u.Scheme == "http" || u.Scheme == "ws") && !local(u.Hostname()) {
			f.Count++
			f.Where = append(f.Where, Place{At: r.URL, Text: r.Kind})
		}
	}
	return when(f.Count > 0, f), f.Count > 0 || s.RequestsKnown
}

// local are hosts that browsers trust without TLS.
// https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy
func local(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasPrefix(host, "127.") || host == "::1"
}
