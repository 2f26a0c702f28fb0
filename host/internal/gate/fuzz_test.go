package gate_test

import (
	"bufio"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/gate"
)

// FuzzHostAndOrigin sends a request with a valid token and any Host, Origin and Sec-Fetch
// headers through net/http's own reader: it gets in exactly when a short list of spellings
// says so, and never by a Host that net/url takes for another place.
func FuzzHostAndOrigin(f *testing.F) {
	for _, host := range []string{
		"127.0.0.1:9224", "localhost:9224", "LOCALHOST:9224", "[::1]:9224", "127.0.0.1.evil.com:9224", "127.0.0.1:09224", "127.1:9224", "2130706433:9224", "0.0.0.0:9224",
		"localhost.:9224", "[::ffff:127.0.0.1]:9224", "[::1%25lo]:9224", "127.0.0.1:9224@evil.com", "evil.com#127.0.0.1:9224", "localhost", "[localhost]:9224", "", ":9224", "127.0.0.1:9224\r\nHost: evil.com", "::1:9224",
		"127.0.0.1:9224 ", "\t127.0.0.1:9224", "ｌocalhost:9224",
	} {
		f.Add(host, "", "")
	}
	for _, from := range []string{origin, "null", "http://localhost:3000/", "HTTP://localhost:3000", "http://localhost:3000.evil.com", "http://localhost:3000\r\nOrigin: http://evil.com", " " + origin, origin + ", http://evil.com", "http://evil.com"} {
		f.Add("127.0.0.1:9224", "Origin: "+from+"\r\n", "")
	}
	for _, site := range []string{"none", "same-origin", "cross-site", "same-site", "None", ""} {
		f.Add("127.0.0.1:9224", "", site)
	}
	f.Add("127.0.0.1:9224", "X-Forwarded-For: 1.2.3.4\r\n", "none")
	f.Add("127.0.0.1:9224", "Host: evil.com\r\n", "")
	const port = 9224
	own := []string{"127.0.0.1:9224", "localhost:9224", "[::1]:9224"}
	reached := false
	handler := gate.New(gate.Config{
		Port:    func() int { return port },
		Origins: func(o string) bool { return o == origin },
		Verify: func(token string) (gate.Identity, bool) {
			return gate.Identity{Name: "good", Role: gate.RoleAgent}, token == good
		},
		Log: zerolog.Nop(),
	}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	f.Fuzz(func(t *testing.T, host, more, site string) {
		text := "GET /commands HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + good + "\r\n" + more
		if site != "" {
			text += "Sec-Fetch-Site: " + site + "\r\n"
		}
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text + "\r\n")))
		if err != nil {
			return
		}
		answer := httptest.NewRecorder()
		reached = false
		handler.ServeHTTP(answer, r)
		if reached != (answer.Code == http.StatusOK) {
			t.Fatalf("%q: %d, reached: %v", text, answer.Code, reached)
		}
		if honest := slices.Contains(own, strings.ToLower(r.Host)) && (site == "" || site == "none" || site == "same-origin"); more == "" && honest != reached {
			t.Fatalf("%q: %d", text, answer.Code)
		}
		if !reached {
			if body := answer.Body.String(); body != http.StatusText(answer.Code)+"\n" {
				t.Fatalf("%q is told %q", text, body)
			}
			return
		}
		if !slices.Contains(own, strings.ToLower(r.Host)) {
			t.Errorf("Host %q got in", r.Host)
		}
		at, err := url.Parse("http://" + r.Host + "/")
		if err != nil || at.User != nil || at.Port() != "9224" || !strings.EqualFold(at.Hostname(), "localhost") && !net.ParseIP(at.Hostname()).IsLoopback() {
			t.Errorf("Host %q got in, which is %+v", r.Host, at)
		}
		if origins := r.Header["Origin"]; len(origins) > 1 || len(origins) == 1 && origins[0] != origin {
			t.Errorf("Origin %q got in", origins)
		}
		if sites := r.Header["Sec-Fetch-Site"]; len(sites) > 1 || len(sites) == 1 && sites[0] != "none" && sites[0] != "same-origin" {
			t.Errorf("Sec-Fetch-Site %q got in", sites)
		}
		for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "Forwarded"} {
			if len(r.Header[name]) > 0 {
				t.Errorf("%s got in", name)
			}
		}
	})
}
