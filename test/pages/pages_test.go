package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"
)

func start(t *testing.T) *Site {
	t.Helper()
	site, err := Serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	return site
}

func get(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// The checksums are those of the same pages as other tools were measured on.
func TestBenchPagesUnchanged(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, text, sum string }{
		{"list 1000", List(1000), "1ed442f7dea92cb5"},
		{"list 10000", List(10000), "a2a15ea5b1ed8ada"},
		{"form", form(), "59b5e2e2aeaa81f7"},
		{"console", consoleLines, "833d7789bcb2d769"},
		{"fetch", fetches, "c6333141f31ed5b7"},
		{"frames", strings.ReplaceAll(frames, "{{CROSS}}", "http://localhost:1"), "c2b36bc5c8c841b1"},
	}
	for _, c := range cases {
		sum := sha256.Sum256([]byte(c.text))
		if got := hex.EncodeToString(sum[:8]); got != c.sum {
			t.Errorf("%s: checksum %s, want %s", c.name, got, c.sum)
		}
	}
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	site := start(t)
	cases := []struct {
		path   string
		status int
		kind   string
		part   string
	}{
		{"/", 200, "text/html", "Harbour Supplies"},
		{"/app/", 200, "text/html", site.CrossURL("/app/support.html")},
		{"/app/app.js", 200, "text/javascript", "import { controlled }"},
		{"/app/nothing.js", 404, "text/plain", "no such page"},
		{"/api/fail", 500, "application/json", "out of order"},
		{"/api/slow?ms=1", 200, "application/json", `{"ms":1}`},
		{"/api/7", 200, "application/json", `{"id":7}`},
		{"/list?n=3", 200, "text/html", "Bench List 3"},
		{"/list?n=x", 400, "text/plain", "n"},
		{"/controls", 200, "text/html", "Every kind of control"},
		{"/targets", 200, "text/html", "Every kind of target"},
		{"/hostile", 200, "text/html", "Hostile page"},
		{"/storm", 200, "text/html", "Storms"},
		{"/dialogs", 200, "text/html", "Dialogs"},
		{"/bfcache/a", 200, "text/html", `href="b"`},
		{"/frames3", 200, "text/html", site.CrossURL("/frames3/2")},
		{"/frames3/3", 200, "text/html", "Button 3"},
		{"/frames3/4", 404, "text/plain", "level"},
		{"/page/One%20%3Cb%3E", 200, "text/html", "One &lt;b&gt;"},
		{"/redirect?to=/page/x", 200, "text/html", "Button of x"},
		{"/status/418", 418, "text/html", "418"},
		{"/download", 200, "text/plain", "a file"},
	}
	for _, c := range cases {
		response, body := get(t, site.URL(c.path))
		if response.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d", c.path, response.StatusCode, c.status)
		}
		if kind := response.Header.Get("Content-Type"); !strings.HasPrefix(kind, c.kind) {
			t.Errorf("%s: content type %s, want %s", c.path, kind, c.kind)
		}
		if !strings.Contains(body, c.part) {
			t.Errorf("%s does not hold %q", c.path, c.part)
		}
		if strings.Contains(body, "{{") {
			t.Errorf("%s has a mark left", c.path)
		}
	}
}

func TestCrossSite(t *testing.T) {
	t.Parallel()
	site := start(t)
	_, first := get(t, site.URL("/app/"))
	_, other := get(t, site.CrossURL("/app/"))
	if !strings.Contains(first, `src="`+site.CrossURL("/app/support.html")) || !strings.Contains(other, `src="`+site.URL("/app/support.html")) {
		t.Error("each site's frame must come from the other")
	}
	response, _ := get(t, site.URL("/redirect?cross&to=/page/x"))
	if got := response.Request.URL.String(); got != site.CrossURL("/page/x") {
		t.Errorf("cross-site redirect led to %s", got)
	}
}

func TestReportsAndHits(t *testing.T) {
	t.Parallel()
	site := start(t)
	response, _ := get(t, site.URL("/csp/none"))
	policy := response.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "report-uri /csp-report?none") {
		t.Errorf("policy %q", policy)
	}
	report, err := http.Post(site.URL("/csp-report?none"), "application/csp-report", strings.NewReader(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	report.Body.Close()
	got := site.Reports()
	if len(got) != 1 || got[0] != (Report{Page: "none", Body: `{"a":1}`}) {
		t.Errorf("reports %v", got)
	}
	if site.Hits("/csp/none") != 1 || site.Hits("/never") != 0 {
		t.Errorf("hits %d and %d, want 1 and 0", site.Hits("/csp/none"), site.Hits("/never"))
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	site := start(t)
	for body, want := range map[string]int{
		`{"email":"` + Email + `","password":"` + Password + `"}`: 200,
		`{"email":"` + Email + `","password":"wrong"}`:            401,
		`nonsense`: 400,
	} {
		response, err := http.Post(site.URL("/api/session"), "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("%s: status %d, want %d", body, response.StatusCode, want)
		}
	}
}
