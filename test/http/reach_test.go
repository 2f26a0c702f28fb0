package http

import (
	"encoding/json"
	"net"
	nethttp "net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
)

// A token names no endpoint, program, folder or proxy for the daemon, by no route, and
// nothing of what it gave is connected to or sent a credential (N-19).
func TestNoPlaceOfATokensChoice(t *testing.T) {
	t.Parallel()
	e, c := daemon(t)
	var asked atomic.Int64
	elsewhere := httptest.NewServer(nethttp.HandlerFunc(func(nethttp.ResponseWriter, *nethttp.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(c.base, "http://"))
	for _, endpoint := range []string{elsewhere.URL, "ws" + strings.TrimPrefix(elsewhere.URL, "http") + "/devtools/browser/x", "http://169.254.169.254/latest/meta-data", "file:///etc/passwd", "http://127.0.0.1:" + port, "http://localhost:" + port + "/json/version"} {
		body, _ := json.Marshal(map[string]string{"profile": "remote", "endpoint": endpoint})
		c.fails(c.do("POST", "/v1/session/start", body), 403, "POLICY_DENIED")
		c.fails(c.do("POST", "/v1/session/restart", body), 403, "POLICY_DENIED")
		c.fails(c.do("POST", "/start", body), 403, "POLICY_DENIED")
	}
	for _, path := range []string{"/v1/session/start", "/start"} {
		c.fails(c.do("POST", path, []byte(`{"executable":"/bin/sh"}`)), 403, "POLICY_DENIED")
	}
	for path, body := range map[string]string{
		"/v1/profile/add":    `{"name":"mine","kind":"remote","endpoint":["` + elsewhere.URL + `"],"headerEnv":["Authorization=HOME"]}`,
		"/v1/profile/remove": `{"name":"managed"}`,
		"/v1/session/cdp":    `{}`,
	} {
		if a := c.do("POST", path, []byte(body)); a.Status != 403 && a.Status != 404 {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
	}
	// A name is a name: what it looks like is not followed.
	for _, name := range []string{elsewhere.URL, "http://169.254.169.254/", "ws://127.0.0.1:" + port + "/", "file:///etc", "../../../escaped", "/tmp/escaped", "..", ".", "a/b", `a\b`, "a\x00b", strings.Repeat("n", 300)} {
		query := "?profile=" + url.QueryEscape(name)
		for _, path := range []string{"/json/version", "/json/list", "/v1/page/list", "/status"} {
			if a := c.do("GET", path+query, nil); a.Status == 200 && path != "/status" || a.Status >= 500 {
				t.Errorf("%s profile %.40q: %d %s", path, name, a.Status, a.Body)
			}
		}
		body, _ := json.Marshal(map[string]any{"profile": name, "headless": true})
		if a := c.do("POST", "/v1/session/start", body); a.Status != 400 && a.Status != 403 && a.Status != 404 {
			t.Errorf("profile %.40q: %d %s", name, a.Status, a.Body)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the daemon asked another server %d times", n)
	}
	if _, err := os.Stat(e.File("config/config.toml")); err == nil {
		t.Error("a configuration was written")
	}
	if running := c.get("/status", 200).Top["running"]; running != false {
		t.Error("a browser was started")
	}
}

// Addresses that an agent may not open are refused whichever way they are given, before
// anything is loaded, and raw DevTools commands reach no further than others (N-24, N-25).
func TestNoAddressBeyondPages(t *testing.T) {
	t.Parallel()
	e, c := managed(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(c.base, "http://"))
	tabs := func() string {
		var urls []string
		list, _ := c.get("/tabs", 200).Top["tabs"].([]any)
		for _, row := range list {
			urls = append(urls, row.(map[string]any)["url"].(string))
		}
		return strings.Join(urls, " ")
	}
	before := tabs()
	for _, address := range []string{
		"file:///etc/passwd", "FILE:///etc/passwd", "view-source:http://localhost/", "chrome://settings", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "devtools://devtools/bundled/inspector.html",
		"http://169.254.169.254/latest", "http://127.0.0.1:" + port + "/json/list", "http://localhost:" + port + "/", "http://[::1]:" + port + "/", "http://2130706433:" + port + "/", "http://0x7f.1:" + port + "/", "http://2852039166/",
	} {
		body, _ := json.Marshal(map[string]string{"url": address})
		for _, path := range []string{"/v1/page/navigate", "/v1/page/open", "/navigate", "/tabs/open"} {
			if a := c.do("POST", path, body); a.Status != 403 && a.Status != 400 || a.OK {
				t.Errorf("%s %s: %d %s", path, address, a.Status, a.Body)
			}
		}
		raw, _ := json.Marshal(map[string]any{"method": "Page.navigate", "params": map[string]string{"url": address}})
		if a := c.do("POST", "/v1/cdp/send", raw); a.Status == 200 {
			t.Errorf("raw %s: %s", address, a.Body)
		}
	}
	for _, raw := range []string{
		`{"method":"Browser.close"}`, `{"method":"browser.close"}`, `{"method":" Browser.close"}`, `{"method":"Browser.close\u0000"}`, `{"method":"Browser.getBrowserCommandLine"}`,
		`{"method":"Target.attachToTarget","params":{"targetId":"x","flatten":true}}`, `{"method":"Target.exposeDevToolsProtocol","params":{"targetId":"x"}}`,
		`{"method":"Page.setDownloadBehavior","params":{"behavior":"allow","downloadPath":"/"}}`, `{"method":"Browser.setDownloadBehavior","params":{"behavior":"allow","downloadPath":"/"}}`,
		`{"method":"Network.loadNetworkResource","params":{"url":"file:///etc/hostname","options":{"disableCache":true,"includeCredentials":false}}}`,
		`{"method":"Input.dispatchDragEvent","params":{"type":"drop","x":1,"y":1,"data":{"items":[],"files":["/etc/passwd"],"dragOperationsMask":1}}}`,
		`{"method":"Tethering.bind","params":{"port":1}}`, `{"method":"Extensions.loadUnpacked","params":{"path":"/"}}`,
		`{"method":"Runtime.evaluate","params":{"expression":"1"},"target":"0123456789ABCDEF0123456789ABCDEF"}`,
	} {
		if a := c.do("POST", "/v1/cdp/send", []byte(raw)); a.Status == 200 || a.Error.Code == "" {
			t.Errorf("%s: %d %s", raw, a.Status, a.Body)
		}
	}
	// A file field that is there gets no file.
	c.eval("document.body.insertAdjacentHTML('beforeend', '<input type=file id=papers>'), 1")
	object := c.post("/v1/cdp/send", `{"method":"Runtime.evaluate","params":{"expression":"document.getElementById('papers')"}}`, 200).Data["result"].(map[string]any)["result"].(map[string]any)["objectId"]
	give, _ := json.Marshal(map[string]any{"method": "DOM.setFileInputFiles", "params": map[string]any{"files": []string{"/etc/passwd"}, "objectId": object}})
	c.fails(c.do("POST", "/v1/cdp/send", give), 403, "POLICY_DENIED")
	if n := c.eval("document.getElementById('papers').files.length"); n != 0.0 {
		t.Errorf("the page has %v files", n)
	}
	if now := tabs(); now != before {
		t.Errorf("tabs are %s, were %s", now, before)
	}
	if c.eval("location.href") != e.Site.URL("/form") {
		t.Error("the page went elsewhere")
	}
}

// The ids that one token gives its requests are its own (N-23).
func TestRequestIDsAreTheTokens(t *testing.T) {
	t.Parallel()
	e, c := managed(t)
	other := agent(e, "other")
	const body = `{"expression":"'of the first'"}`
	c.post("/v1/runtime/eval", body, 200, RequestID, "one id")
	if a := other.fails(other.do("POST", "/v1/runtime/eval", []byte(body), RequestID, "one id"), 404, "SESSION_NOT_FOUND"); strings.Contains(string(a.Body), "of the first") || a.Meta.Repeated {
		t.Errorf("%s", a.Body)
	}
	if a := other.do("GET", "/tabs", nil, RequestID, "one id"); a.Error.Code == "REQUEST_ID_CONFLICT" && a.Meta.Repeated {
		t.Errorf("%s", a.Body)
	}
	if a := c.post("/v1/runtime/eval", body, 200, RequestID, "one id"); !a.Meta.Repeated || a.Data["value"] != "of the first" {
		t.Errorf("%s", a.Body)
	}
}
