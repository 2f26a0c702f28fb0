package page

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// commanded are commands of the protocol with the level each takes.
var commanded = []struct{ level, fields string }{
	{"observe", `"type":"request_ui_tree"`}, {"observe", `"type":"request_dom_snapshot"`}, {"observe", `"type":"request_state"`},
	{"act", `"type":"click","target":{"text":"Save"}`}, {"act", `"type":"type","target":{"text":"Save"},"text":"x"`}, {"act", `"type":"hover","target":{"text":"Save"}`},
	{"act", `"type":"focus","target":{"text":"Save"}`}, {"act", `"type":"select","target":{"text":"Save"},"value":"x"`}, {"act", `"type":"scroll","to":"bottom"`},
	{"act", `"type":"navigate","url":"/two"`}, {"control", `"type":"evaluate","code":"1"`},
}

// permissive is a world whose extension does whatever it is asked, and says so of no tab.
func permissive(t *testing.T, level string) *world {
	w := newWorld(t, level)
	yes := func(map[string]any) (any, error) {
		return map[string]any{"effect": "changed", "result": map[string]any{}}, nil
	}
	w.browser.mu.Lock()
	defer w.browser.mu.Unlock()
	for _, op := range []string{"bridge.call", "cdp.send", "cdp.batch", "tab.navigate"} {
		w.browser.ops[op] = yes
	}
	return w
}

// asked are the calls that reached the extension.
func (w *world) asked() string {
	w.browser.mu.Lock()
	defer w.browser.mu.Unlock()
	var calls []string
	for _, call := range w.browser.calls {
		if !strings.Contains(call, "frame_info") { // the daemon's own
			calls = append(calls, call)
		}
	}
	return strings.Join(calls, ", ")
}

// INV-A, the daemon's half: over an extension that permits all, nothing is sent to a tab
// whose grant, as it was told, does not cover it: its level, its site, its time, a pause,
// its end (N-24, N-26).
func TestInvADaemonRefuses(t *testing.T) {
	rank := map[string]int{"": 0, "observe": 1, "act": 2, "control": 3}
	told := func(more string) string {
		return `{"tabId":7,"url":"http://shop.example/","title":"Shop","level":"control","sessionId":"default","eval":true,"frames":[]` + more + `}`
	}
	for _, c := range []struct {
		name, level  string // granted; empty: nothing is permitted
		op, payload  string // what the extension told since
		code, reason string
	}{
		{"level observe", "observe", "", "", "CAPABILITY_MISSING", ""},
		{"level act", "act", "", "", "CAPABILITY_MISSING", ""},
		{"paused", "", "tab.paused", `{"tabId":7,"reason":"left_site","url":""}`, "NOT_CONNECTED", "left_site"},
		{"disconnected", "", "tab.disconnected", `{"tabId":7,"reason":"detached_by_user"}`, "", ""},
		{"expired", "", "tab.connected", told(fmt.Sprintf(`,"site":"shop.example","expiresAt":%d`, time.Now().Add(-time.Second).UnixMilli())), "NOT_CONNECTED", "expired"},
		{"another site", "", "tab.connected", told(`,"site":"bank.example"`), "NOT_CONNECTED", "left_site"},
	} {
		t.Run(c.name, func(t *testing.T) {
			level := c.level
			if level == "" {
				level = "control"
			}
			w := permissive(t, level)
			if c.op != "" {
				w.event(c.op, c.payload)
			}
			for i, one := range commanded {
				if rank[one.level] <= rank[c.level] {
					continue
				}
				result := w.command(fmt.Sprintf(`{%s,"requestId":"r%d","pageId":1}`, one.fields, i))
				failure, _ := result["error"].(map[string]any)
				details, _ := failure["details"].(map[string]any)
				if code(result) == "" || c.code != "" && code(result) != c.code || c.reason != "" && details["reason"] != c.reason {
					t.Errorf("%s: %v", one.fields, result)
				}
			}
			if calls := w.asked(); calls != "" {
				t.Errorf("the extension was asked: %s", calls)
			}
		})
	}
}

func TestBeyond(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1000)
	for _, c := range []struct {
		info tabInfo
		want string
	}{
		{tabInfo{URL: "https://www.shop.example/a", Site: "shop.example"}, ""},
		{tabInfo{URL: "https://SHOP.example.:8443/", Site: "shop.example"}, ""},
		{tabInfo{URL: "http://[::1]:3000/", Site: "[::1]"}, ""},
		{tabInfo{URL: "about:blank", Site: "shop.example"}, ""},
		{tabInfo{URL: "chrome-error://chromewebdata/", Site: "shop.example"}, ""},
		{tabInfo{URL: "https://notshop.example/", Site: "shop.example"}, "left_site"},
		{tabInfo{URL: "https://shop.example.evil.test/", Site: "shop.example"}, "left_site"},
		{tabInfo{URL: "https://shop.example@evil.test/", Site: "shop.example"}, "left_site"},
		{tabInfo{URL: "https://evil.test/", Site: "shop.example", AnySite: true}, ""},
		{tabInfo{URL: "https://evil.test/"}, ""}, // of an older extension
		{tabInfo{URL: "file:///etc/hostname", Site: "shop.example"}, "navigated_to_restricted"},
		{tabInfo{URL: "https://%zz/", Site: "shop.example"}, "left_site"},
		{tabInfo{URL: "https://shop.example/", AnySite: true, ExpiresAt: 1000}, "expired"},
		{tabInfo{URL: "https://shop.example/", Site: "shop.example", ExpiresAt: 1001}, ""},
	} {
		if got := c.info.beyond(now); got != c.want {
			t.Errorf("%+v: %q, want %q", c.info, got, c.want)
		}
	}
}
