package audit

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// inOrder is a page on which nothing is to be found.
func inOrder() *Seen {
	return &Seen{
		URL: "https://shop.example/", Secure: true, HeadersKnown: true, RequestsKnown: true,
		Head: Head{
			Titles: []string{"Shop"}, Lang: "en", Charset: "UTF-8", CharsetDeclared: true, Doctype: true, Description: []string{"A shop."},
			Viewport: []string{"width=device-width"}, Canonical: []string{"https://shop.example/"},
		},
		Vitals:   map[string]Measure{"lcp": {Value: 2500}, "cls": {Value: 0.1}, "inp": {Value: 200}, "fcp": {Value: 1800}, "ttfb": {Value: 800}},
		Requests: []Request{{Kind: "document", URL: "/", Status: 200, Bytes: 5000}, {Kind: "stylesheet", URL: "/a.css", Status: 200, Bytes: 9000, Ms: 40, Blocking: true}},
		Headers: []Header{
			{"Content-Security-Policy", "default-src 'self'; script-src 'nonce-abc' 'unsafe-inline' 'strict-dynamic' https:; frame-ancestors 'none'"},
			{"Strict-Transport-Security", "max-age=31536000"}, {"X-Content-Type-Options", "nosniff"}, {"Referrer-Policy", "no-referrer"},
			{"Set-Cookie", "session=[redacted]; Secure; HttpOnly; SameSite=Lax"}, {"Set-Cookie", "theme=[redacted]; Secure; SameSite=Lax"},
			{"Set-Cookie", "csrftoken=[redacted]; Secure; SameSite=Lax"},
		},
	}
}

func TestNothingIsFound(t *testing.T) {
	t.Parallel()
	report := Judge(inOrder())
	if len(report.Findings) > 0 || len(report.Skipped) > 0 || report.Passed != len(checks)+len(vitalKinds) {
		t.Errorf("%+v", report)
	}
}

// Each row breaks one thing, and one finding is made of it.
func TestEachCheckFinds(t *testing.T) {
	t.Parallel()
	header := func(name, value string) func(*Seen) {
		return func(s *Seen) {
			s.Headers = slices.DeleteFunc(s.Headers, func(h Header) bool { return h.Name == name })
			if value != "" {
				s.Headers = append(s.Headers, Header{name, value})
			}
		}
	}
	element := func(kind string) func(*Seen) {
		return func(s *Seen) {
			s.Elements = map[string][]Element{kind: {{Place: Place{Ref: "e1"}}}}
			s.Counts = map[string]int{kind: 7}
		}
	}
	request := func(r Request) func(*Seen) { return func(s *Seen) { s.Requests = append(s.Requests, r) } }
	vital := func(name string, value float64) func(*Seen) {
		return func(s *Seen) { s.Vitals[name] = Measure{Value: value} }
	}
	cases := []struct {
		id, severity string
		break_       func(*Seen)
	}{
		{"slow-lcp", "medium", vital("lcp", 2501)},
		{"slow-lcp", "high", vital("lcp", 4001)},
		{"slow-cls", "medium", vital("cls", 0.2)},
		{"slow-inp", "high", vital("inp", 501)},
		{"slow-fcp", "medium", vital("fcp", 1900)},
		{"slow-ttfb", "high", vital("ttfb", 1801)},
		{"console-errors", "medium", func(s *Seen) { s.Console = []Line{{Text: "no"}} }},
		{"console-errors", "high", func(s *Seen) { s.Console = []Line{{Text: "Uncaught no", Thrown: true}} }},
		{"server-errors", "high", request(Request{URL: "/api", Status: 503})},
		{"client-errors", "medium", request(Request{URL: "/api", Status: 404})},
		{"network-errors", "high", request(Request{URL: "/api", Failure: "net::ERR_CONNECTION_REFUSED"})},
		{"render-blocking", "medium", request(Request{Kind: "script", URL: "/a.js", Blocking: true})},
		{"render-blocking", "medium", request(Request{Kind: "stylesheet", URL: "/b.css", Ms: 301, Blocking: true})},
		{"page-weight", "low", func(s *Seen) {
			for i := range 5 {
				s.Requests = append(s.Requests, Request{URL: fmt.Sprint("/", i), Bytes: 400_000})
			}
		}},
		{"large-files", "low", request(Request{URL: "/film.js", Bytes: 600_000})},
		{"mixed-active", "high", element("mixed-active")},
		{"mixed-passive", "medium", element("mixed-passive")},
		{"mixed-request", "high", request(Request{URL: "http://api.example/x"})},
		{"http-links", "low", element("http-link")},
		{"title", "medium", func(s *Seen) { s.Head.Titles = nil }},
		{"title", "medium", func(s *Seen) { s.Head.Titles = []string{" "} }},
		{"title-duplicate", "low", func(s *Seen) { s.Head.Titles = []string{"a", "b"} }},
		{"meta-description", "low", func(s *Seen) { s.Head.Description = nil }},
		{"meta-description-duplicate", "low", func(s *Seen) { s.Head.Description = []string{"a", "b"} }},
		{"meta-viewport", "medium", func(s *Seen) { s.Head.Viewport = nil }},
		{"meta-viewport-duplicate", "low", func(s *Seen) { s.Head.Viewport = []string{"a", "b"} }},
		{"canonical", "info", func(s *Seen) { s.Head.Canonical = nil }},
		{"canonical-duplicate", "low", func(s *Seen) { s.Head.Canonical = []string{"https://a/", "https://b/"} }},
		{"canonical-relative", "low", func(s *Seen) { s.Head.Canonical = []string{"/here"} }},
		{"lang", "medium", func(s *Seen) { s.Head.Lang = "" }},
		{"charset", "low", func(s *Seen) { s.Head.CharsetDeclared = false }},
		{"charset", "low", func(s *Seen) { s.Head.Charset = "windows-1252" }},
		{"doctype", "medium", func(s *Seen) { s.Head.Doctype = false }},
		{"image-alt", "medium", element("image-alt")},
		{"link-text", "medium", element("link-text")},
		{"heading-order", "low", element("heading-order")},
		{"image-size", "low", element("image-size")},
		{"csp-weak", "low", header("Content-Security-Policy", "script-src 'self' 'unsafe-inline'; frame-ancestors 'none'")},
		{"csp-weak", "low", header("Content-Security-Policy", "img-src 'self'; frame-ancestors 'none'")},
		{"hsts", "medium", header("Strict-Transport-Security", "")},
		{"nosniff", "low", header("X-Content-Type-Options", "")},
		{"referrer-policy", "info", header("Referrer-Policy", "")},
		{"referrer-policy-weak", "low", header("Referrer-Policy", "no-referrer, unsafe-url")},
		{"framing", "low", header("Content-Security-Policy", "default-src 'self'")},
		{"cookies", "medium", header("Set-Cookie", "SID=[redacted]; Secure; SameSite=Lax")},
		{"cookies", "medium", header("Set-Cookie", "a=[redacted]; SameSite=Lax\nb=[redacted]; Secure; SameSite=Lax")},
		{"cookies", "medium", header("Set-Cookie", "a=[redacted]; Secure")},
	}
	for _, c := range cases {
		seen := inOrder()
		c.break_(seen)
		report := Judge(seen)
		if len(report.Findings) != 1 || report.Findings[0].ID != c.id || report.Findings[0].Severity != c.severity {
			t.Errorf("%s: %+v", c.id, report.Findings)
			continue
		}
		if f := report.Findings[0]; f.Message == "" || f.Fix == "" || report.Counts[c.severity] != 1 {
			t.Errorf("%s: %+v", c.id, f)
		}
	}
}

// No policy at all is two things: what scripts may do, and who may frame the page.
func TestPolicies(t *testing.T) {
	t.Parallel()
	ids := func(s *Seen) (list []string) {
		for _, f := range Judge(s).Findings {
			list = append(list, f.ID)
		}
		return list
	}
	without := inOrder()
	without.Headers = without.Headers[1:]
	if got := ids(without); !slices.Equal(got, []string{"csp", "framing"}) {
		t.Errorf("without a policy: %v", got)
	}
	without.Head.CSP = []string{"default-src 'self'; frame-ancestors 'none'"} // who may frame is not heard in a meta
	if got := ids(without); !slices.Equal(got, []string{"framing"}) {
		t.Errorf("in the head: %v", got)
	}
	without.Headers = append(without.Headers, Header{"X-Frame-Options", "DENY"})
	if got := ids(without); len(got) > 0 {
		t.Errorf("with X-Frame-Options: %v", got)
	}
	plain := inOrder()
	plain.Secure = false
	plain.Headers = append(plain.Headers[2:4:4], plain.Headers[0], Header{"Set-Cookie", "session=[redacted]; HttpOnly; SameSite=Lax"})
	if got := ids(plain); len(got) > 0 {
		t.Errorf("a server of one's own without TLS: %v", got)
	}
}

// What was not recorded is not called a fault, and not called right.
func TestUnknownIsTold(t *testing.T) {
	t.Parallel()
	seen := inOrder()
	seen.Headers, seen.HeadersKnown, seen.RequestsKnown, seen.Head.CharsetDeclared = nil, false, false, false
	report := Judge(seen)
	if len(report.Findings) > 0 {
		t.Errorf("%+v", report.Findings)
	}
	for _, id := range []string{"csp", "hsts", "nosniff", "cookies", "framing", "failed-requests", "charset"} {
		if !slices.Contains(report.Skipped, id) {
			t.Errorf("%s is not among %v", id, report.Skipped)
		}
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	if got := Tags(nil); len(got) != 6 || slices.Contains(got, "best-practice") {
		t.Errorf("%v", got)
	}
	if got := Tags([]string{"wcag2aa", "wcag2a", "best-practice"}); !slices.Equal(got, []string{"best-practice", "wcag2a", "wcag2aa"}) {
		t.Errorf("%v", got)
	}
}

// violations makes a report of so many rules with so many elements each.
func violations(rules, elements int) *A11y {
	a := &A11y{URL: "http://127.0.0.1/", Counts: map[string]int{}, Passes: 20}
	for i := range rules {
		r := Rule{
			ID: fmt.Sprintf("some-rule-name-%d", i), Impact: Impacts[i%4], Help: "Elements must meet minimum color contrast ratio thresholds", Count: elements * 4,
			HelpURL: fmt.Sprintf("https://dequeuniversity.com/rules/axe/4.14/some-rule-name-%d", i),
		}
		for k := range elements {
			r.Nodes = append(r.Nodes, Node{
				Place:   Place{Ref: fmt.Sprintf("e%d", 100+i*elements+k), Selector: fmt.Sprintf("#content > div:nth-of-type(%d) > ul > li:nth-of-type(%d) > a", i, k)},
				Summary: fmt.Sprintf("Element has insufficient color contrast of 1.%d (foreground color: #bbbbbb, background color: #ffffff, font size: 12.0pt (16px), font weight: normal)", i),
			})
		}
		a.Counts[r.Impact] += r.Count
		a.Violations = append(a.Violations, r)
	}
	a.Sort()
	return a
}

func TestTextIsShort(t *testing.T) {
	t.Parallel()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{1, 1}, {1, 500}, {10, 3}, {30, 1}, {30, 10}, {90, 3}} {
		text := violations(size[0], size[1]).Text()
		n, err := codec.Count(text)
		if err != nil {
			t.Fatal(err)
		}
		if n > 1500 {
			t.Errorf("%d rules of %d elements cost %d tokens:\n%s", size[0], size[1], n, text)
		}
		if !strings.Contains(text, "critical some-rule-name-0") || !strings.Contains(text, fmt.Sprintf("%s violated", several(size[0], "rule"))) {
			t.Errorf("the worst rule or the count is missing:\n%s", text)
		}
		t.Logf("%v: %d tokens", size, n)
	}
	if text := violations(90, 3).Text(); !strings.Contains(text, "more rules: ") {
		t.Errorf("what is cut is not counted:\n%s", text)
	}
}

var void = regexp.MustCompile(`<(meta|br)\b([^>]*)>`)

func TestHTML(t *testing.T) {
	t.Parallel()
	hostile := `</title><script>alert(1)</script>"'&`
	a := violations(3, 2)
	a.Title, a.Violations[0].Nodes[0].Selector = hostile, hostile
	seen := inOrder()
	seen.Console = []Line{{Text: hostile, At: "javascript:alert(1)"}}
	p := Judge(seen)
	p.Title, p.A11y = hostile, a.Brief()
	for name, report := range map[string]interface{ HTML() ([]byte, error) }{"a11y": a, "page": p, "empty": Judge(inOrder()), "clean": &A11y{}} {
		data, err := report.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "<script") || !strings.HasPrefix(string(data), "<!doctype html>") {
			t.Errorf("%s:\n%s", name, data)
		}
		// Void elements are not closed in HTML; for the rest a reader of XML sees whether all tags match.
		d := xml.NewDecoder(strings.NewReader(void.ReplaceAllString(string(data), "<$1$2/>")))
		d.Entity = xml.HTMLEntity
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Errorf("%s is not well-formed: %v", name, err)
				break
			}
		}
	}
}
