package secure

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// keyed makes a token and gives it with its path, /cdp/KEY.
func keyed(t *testing.T, e *browsertest.Env, name string) (token, path string) {
	t.Helper()
	var made struct{ Token, CDPURL string }
	e.Data(&made, "token", "new", name, "--role", "agent", "--level", "control")
	at, err := url.Parse(made.CDPURL)
	if err != nil || made.Token == "" || !strings.HasPrefix(at.Path, "/cdp/") {
		t.Fatalf("%+v %v", made, err)
	}
	return made.Token, at.Path
}

// The DevTools endpoint, its paths with a key, and the page at / stand behind the same
// gate as all else, whichever way the credential comes (N-01, N-03, N-06, N-07, N-08, N-11, N-12).
func TestN01ToN12DevToolsRoutes(t *testing.T) {
	t.Parallel()
	e, daemon, _ := alone(t)
	e.Data(nil, "app", "allow", "http://localhost:3000")
	token, key := keyed(t, e, "drives")
	_, gone := keyed(t, e, "gone")
	e.Data(nil, "token", "revoke", "gone")
	const none = "Content-Length: 0\n"
	check := func(name, request string, want int) {
		t.Helper()
		if !strings.Contains(request, "\n\n") {
			request += "\n"
		}
		status, header, body := ask(t, daemon, token, request)
		if status != want && !(want == 401 && status == 429) {
			t.Errorf("%s: %d %q, want %d", name, status, body, want)
		}
		if strings.Contains(body+fmt.Sprint(header), key[len("/cdp/"):]) {
			t.Errorf("%s: the answer holds the key", name)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY"} {
			if header.Get(name) != want {
				t.Errorf("%s: %q", name, header)
			}
		}
	}
	paths := []string{"/json", "/json/", "/json/version", "/json/list", "/json/protocol", "/json/new", "/json/close/x", "/devtools/browser/managed", "/devtools/page/x"}
	for _, path := range paths {
		for _, method := range []string{"GET", "PUT", "HEAD", "OPTIONS", "DELETE"} {
			check("N01 "+method+" "+path, method+" "+path+" HTTP/1.1\n"+host+none, 401)
			for _, way := range []struct{ name, path, auth string }{{"by header", path, auth}, {"by path", key + path, ""}} {
				line, attack := method+" "+way.path+" HTTP/1.1\n", way.name+" "+method+" "+path
				check("N06 null "+attack, line+host+way.auth+none+"Origin: null\n", 403)
				check("N06 foreign "+attack, line+host+way.auth+none+"Origin: https://evil.example\n", 403)
				check("N06 DevTools' own "+attack, line+host+way.auth+none+"Origin: devtools://devtools\n", 403)
				check("N07 "+attack, line+"Host: evil.com:PORT\n"+way.auth+none, 403)
				check("N08 "+attack, line+host+way.auth+none+"X-Forwarded-For: 127.0.0.1\n", 403)
				check("N11 "+attack, line+host+way.auth+none+"Sec-Fetch-Site: cross-site\n", 403)
				check("N11 same site "+attack, line+host+way.auth+none+"Sec-Fetch-Site: same-site\n", 403)
			}
		}
		// A page that may embed the SDK has no business with a browser, even if it knew the address.
		check("N06 an app's page "+path, "GET "+key+path+" HTTP/1.1\n"+host+websocket+"Origin: http://localhost:3000\n", 401)
		check("N06 an app's page, as a browser sends it "+path, "GET "+key+path+" HTTP/1.1\n"+host+websocket+"Origin: http://localhost:3000\nSec-Fetch-Site: same-site\nSec-Fetch-Mode: websocket\n", 401)
		check("N03 both ways "+path, "GET "+key+path+" HTTP/1.1\n"+host+auth, 401)
		check("N03 a key and a token that is none "+path, "GET "+key+path+" HTTP/1.1\n"+host+"Authorization: Bearer x\n", 401)
		check("N04 a revoked key "+path, "GET "+gone+path+" HTTP/1.1\n"+host, 401)
		check("N12 upgrade with a body "+path, "GET "+key+path+" HTTP/1.1\n"+host+websocket+"Content-Length: 2\n\n{}", 400)
		check("N12 upgrade with chunks "+path, "GET "+path+" HTTP/1.1\n"+host+auth+websocket+"Transfer-Encoding: chunked\n\n0\n\n", 400)
		check("N11 a form "+path, "POST "+key+path+" HTTP/1.1\n"+host+"Content-Type: application/x-www-form-urlencoded\nContent-Length: 3\n\na=1", 415)
	}
	for name, path := range map[string]string{
		"no key": "/cdp//json/version", "nothing": "/cdp/", "a part of it": key[:len(key)-1] + "/json/version", "more": key + "x/json/version",
		"capitals": strings.ToUpper(key) + "/json/version", "a token for a key": "/cdp/TOKEN/json/version", "a long one": "/cdp/" + strings.Repeat("a", 600) + "/json/version",
		"in the query": "/json/version?key=" + key[len("/cdp/"):], "twice": key + key + "/json/version",
		// A key opens the DevTools endpoint and nothing beside it.
		"the API": key + "/v1/page/list", "an alias": key + "/tabs", "agents": key + "/debug?role=agent", "the page": key + "/", "itself": key, "MCP": key + "/mcp",
		"what begins like it": key + "/jsonx", "what begins like it, too": key + "/json-status", "two slashes": key + "//json/version", "devtools": key + "/devtools",
	} {
		check("N02 "+name, "GET "+path+" HTTP/1.1\n"+host, 401)
	}
	// A way out of it by dots ends at an address without the key: it does not run.
	for _, path := range []string{"/json/../v1/overview", "/json/%2e%2e/v1/overview", "/devtools/..//tabs"} {
		request := "GET " + key + path + " HTTP/1.1\n" + host + "Connection: close\n\n"
		status, header, body := ask(t, daemon, token, request)
		if status == 200 || strings.Contains(body, "lastTargetId") || strings.Contains(header.Get("Location"), key) {
			t.Errorf("%s: %d %v %s", path, status, header, body)
		}
	}
	for _, path := range []string{"/", "/page/page.js"} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "DELETE"} {
			line := method + " " + path + " HTTP/1.1\n"
			check("N01 "+method+" "+path, line+host+none, 401)
			check("N06 "+method+" "+path, line+host+auth+none+"Origin: null\n", 403)
			check("N07 "+method+" "+path, line+"Host: evil.com:PORT\n"+auth+none, 403)
			check("N11 "+method+" "+path, line+host+auth+none+"Sec-Fetch-Site: cross-site\n", 403)
		}
	}
	// Both ways work, and no line of the log holds a credential.
	for _, request := range []string{"GET " + key + "/json/protocol HTTP/1.1\n" + host, "GET /json/protocol HTTP/1.1\n" + host + auth} {
		if status, _, body := ask(t, daemon, token, request+"Connection: close\n\n"); status != 200 || !strings.Contains(body, "Runtime") {
			t.Errorf("%.20s: %d %.60s", request, status, body)
		}
	}
	log, err := os.ReadFile(filepath.Join(e.Home, "state", "dbridge.log"))
	must(t, err)
	for _, secret := range []string{token, key[len("/cdp/"):], gone[len("/cdp/"):]} {
		if strings.Contains(string(log), secret) {
			t.Error("a credential is in the log (N-18)")
		}
	}
}
