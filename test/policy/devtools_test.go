package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// client is a DevTools client, as Playwright is one.
type client struct {
	t      *testing.T
	socket *websocket.Conn
	ctx    context.Context
	last   int
	heard  []byte // all that came
}

type reply struct {
	ID        int            `json:"id"`
	Method    string         `json:"method"`
	Params    map[string]any `json:"params"`
	SessionID string         `json:"sessionId"`
	Result    map[string]any `json:"result"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func dial(t *testing.T, e *commandtest.Env) *client {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	endpoint, _ := e.OK("session", "cdp")["endpoint"].(string)
	socket, _, err := websocket.Dial(ctx, endpoint, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = socket.CloseNow() })
	socket.SetReadLimit(-1)
	return &client{t: t, socket: socket, ctx: ctx}
}

// send gives the answer to a command; each event that comes before it is shown to see.
func (c *client) send(session, method string, params map[string]any, see ...func(reply)) reply {
	c.t.Helper()
	c.last++
	wire := map[string]any{"id": c.last, "method": method}
	if params != nil {
		wire["params"] = params
	}
	if session != "" {
		wire["sessionId"] = session
	}
	data, _ := json.Marshal(wire)
	if err := c.socket.Write(c.ctx, websocket.MessageText, data); err != nil {
		c.t.Fatal(err)
	}
	for {
		_, data, err := c.socket.Read(c.ctx)
		if err != nil {
			c.t.Fatalf("%s: %v", method, err)
		}
		c.heard = append(append(c.heard, data...), '\n')
		var r reply
		if err := json.Unmarshal(data, &r); err != nil {
			c.t.Fatal(err)
		}
		if r.ID == c.last {
			return r
		}
		for _, one := range see {
			one(r)
		}
	}
}

// refused is a command that the policy refuses.
func (c *client) refused(session, method string, params map[string]any, says string) {
	c.t.Helper()
	if r := c.send(session, method, params); r.Error == nil || !strings.Contains(r.Error.Message, says) {
		c.t.Errorf("%s is not refused with %q: %v %+v", method, says, r.Result, r.Error)
	}
}

func (c *client) ok(session, method string, params map[string]any, see ...func(reply)) map[string]any {
	c.t.Helper()
	r := c.send(session, method, params, see...)
	if r.Error != nil {
		c.t.Fatalf("%s: %s", method, r.Error.Message)
	}
	return r.Result
}

func script(text string) map[string]any {
	return map[string]any{"expression": text, "returnByValue": true}
}

// N-25, and a DevTools socket at closed sites.
func TestDevTools(t *testing.T) {
	e := commandtest.Managed(t)
	w := &world{Env: e, sites: serve(t), t: t, path: filepath.Join(e.Home, "config", "policy.toml")}
	w.policy([]string{bank}, "[[site]]\nmatch = \"quiet.localhost\"\nevaluate = false\nupload = false\ndownload = false\n")
	w.fine("page", "navigate", w.url(shop, "/"))
	const closed = "the policy closes bank.localhost"

	c := dial(t, e)
	var session string
	c.ok("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}, func(r reply) {
		if info, _ := r.Params["targetInfo"].(map[string]any); r.Method == "Target.attachedToTarget" && info["type"] == "page" {
			session, _ = r.Params["sessionId"].(string)
		}
	})
	for session == "" {
		c.ok("", "Browser.getVersion", nil, func(r reply) {
			if info, _ := r.Params["targetInfo"].(map[string]any); r.Method == "Target.attachedToTarget" && info["type"] == "page" {
				session, _ = r.Params["sessionId"].(string)
			}
		})
	}
	for _, domain := range []string{"Page", "Runtime", "Network", "Log", "DOM"} {
		c.ok(session, domain+".enable", nil)
	}
	if title := c.ok(session, "Runtime.evaluate", script("document.title"))["result"].(map[string]any)["value"]; title != "Shop /" {
		t.Errorf("the shop's title is %v", title)
	}
	c.refused(session, "Page.navigate", map[string]any{"url": w.url(bank, "/")}, closed)
	c.refused("", "Target.createTarget", map[string]any{"url": w.url(bank, "/")}, closed)
	c.refused("", "Storage.getCookies", nil, "reaches all sites")
	c.refused(session, "Network.getCookies", map[string]any{"urls": []string{w.url(bank, "/")}}, "reaches all sites")
	c.refused(session, "Page.navigate", map[string]any{"url": "file:///etc/passwd"}, "not loaded")
	c.refused(session, "page.navigate", map[string]any{"url": w.url(bank, "/")}, "wasn't found")
	c.refused(session, "Page.navigate ", map[string]any{"url": w.url(bank, "/")}, "wasn't found")

	// The page goes there by itself: what holds the client's picture together is told, no more.
	c.ok(session, "Runtime.evaluate", script(fmt.Sprintf("void (location.href = %q)", w.url(bank, "/"))))
	w.awaitBank()
	browsertest.Until(t, patience, "the bank is closed to the client", func() bool { return c.send(session, "Runtime.evaluate", script("1")).Error != nil })
	for method, params := range map[string]map[string]any{
		"Runtime.evaluate": script("document.body.innerText"), "Page.captureScreenshot": nil, "DOM.getDocument": nil, "Page.printToPDF": nil,
		"DOMSnapshot.captureSnapshot": {"computedStyles": []string{}}, "Accessibility.getFullAXTree": nil, "Page.captureSnapshot": nil,
		"Input.insertText": {"text": "x"}, "Page.getNavigationHistory": nil, "Network.getResponseBody": {"requestId": "1"},
	} {
		c.refused(session, method, params, closed)
	}
	c.ok(session, "Page.getFrameTree", nil)
	c.ok(session, "Page.navigate", map[string]any{"url": w.url(shop, "/")})
	browsertest.Until(t, patience, "the shop is open to the client", func() bool {
		r := c.send(session, "Runtime.evaluate", script("document.title"))
		return r.Error == nil && fmt.Sprint(r.Result["result"]) == "map[type:string value:Shop /]"
	})
	if !bytes.Contains(c.heard, []byte("shop is open")) || !bytes.Contains(c.heard, []byte("frameNavigated")) {
		t.Error("the client did not hear of the pages that are open to it")
	}
	for _, line := range bytes.Split(c.heard, []byte("\n")) {
		if bytes.Contains(line, []byte(balance)) && !bytes.Contains(line, []byte(`"method":"Page.`)) && !bytes.Contains(line, []byte(`"frameTree"`)) && !bytes.Contains(line, []byte(`"method":"Target.`)) {
			t.Errorf("the client heard of the bank: %s", line)
		}
	}

	// Switches of one site.
	c.ok(session, "Page.navigate", map[string]any{"url": w.url(quiet, "/")})
	browsertest.Until(t, patience, "the quiet site", func() bool { return w.pageAt(quiet) != "" })
	c.refused(session, "Runtime.evaluate", script("1"), "has evaluate off")
	c.refused(session, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": "1"}, "has evaluate off")
	c.refused(session, "DOM.setFileInputFiles", map[string]any{"files": []string{w.path}, "nodeId": 1}, "has upload off")
	c.refused(session, "Page.setDownloadBehavior", map[string]any{"behavior": "default"}, "not allowed")
	c.ok(session, "DOM.getDocument", nil)

	// The switch for such clients.
	w.policy(nil, "[switches]\ndevtools = false\n")
	w.fine("page", "navigate", w.url(shop, "/"))
	c.refused(session, "DOM.getDocument", nil, "has devtools off")
	w.refused("[switches] devtools = false", "session", "cdp")
}
