package page

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/scripts/bundle"
	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// One session, told in full: for each message type that a page produces, the
// message as an agent gets it, with numbers, times and places made equal.
// `go test ./test/e2e/page -run Transcript -update` writes it anew.
func TestTranscript(t *testing.T) {
	for _, level := range levels {
		t.Run(level, func(t *testing.T) {
			start(t)
			p := &page{level: level, session: "transcript-" + level}
			p.Agent = env.Agent("sessionId=" + p.session)
			p.Tab = env.OpenTab(env.Pages.URL("/page/start"))
			var told []string // names, in order
			said := map[string]string{}
			tell := func(name string, m browserMessage) {
				t.Helper()
				told = append(told, name)
				said[name] = normal(t, m)
			}
			next := func(from int, kind string, fits ...func(browserMessage) bool) browserMessage {
				t.Helper()
				return p.AwaitFrom(from, kind, func(m browserMessage) bool {
					return m.Type() == kind && (len(fits) == 0 || fits[0](m))
				})
			}

			tell("welcome", p.AwaitType("welcome"))
			env.Connect(p.Tab, level, browsertest.Session(p.session))
			for _, kind := range []string{"app_connected", "hello", "capabilities", "ui_tree", "dom_snapshot"} {
				tell(kind, p.AwaitType(kind))
			}

			from := p.Len()
			done := p.Do("navigate", params{"url": "/page/Golden"})
			tell("page_navigated", next(from, "page_navigated"))
			tell("command_result navigate", done)
			done = p.Do("request_ui_tree", nil)
			tell("ui_tree requested", next(from, "ui_tree", func(m browserMessage) bool { return m.String("requestId") == done.String("requestId") }))
			tell("command_result request_ui_tree", done)
			done = p.Do("request_dom_snapshot", nil)
			tell("dom_snapshot requested", next(from, "dom_snapshot", func(m browserMessage) bool { return m.String("requestId") == done.String("requestId") }))
			tell("command_result request_dom_snapshot", done)
			tell("command_result click", p.Do("click", params{"target": params{"text": "Button of Golden"}}))
			next(from, "ui_tree_diff", func(m browserMessage) bool { return strings.Contains(string(m.Raw), `"focused":true`) })
			tell("command_result failed", p.try("type", params{"target": params{"id": "b"}, "text": "x", "timeoutMs": 300}))
			if level == "control" {
				tell("command_result evaluate", p.Do("evaluate", params{"code": "({ title: document.title })"}))
				p.Do("evaluate", params{"code": "alert('A notice'), 1"})
				tell("dialog", next(from, "dialog"))
				tell("command_result dialog.handle", p.Do("dialog.handle", params{"accept": true}))
			}

			from = p.Len()
			p.Eval(`void (document.querySelector('h1').textContent = 'Changed', document.querySelector('button').after(Object.assign(document.createElement('input'), { id: 'new', value: 'v' })))`, nil)
			tell("dom_mutations", next(from, "dom_mutations"))
			tell("ui_tree_diff", next(from, "ui_tree_diff", func(m browserMessage) bool { return strings.Contains(string(m.Raw), `"new"`) }))
			p.Eval(`void console.warn('a warning', { code: 7, list: [1, 2] }, null, undefined, 1.5)`, nil)
			tell("console", next(from, "console"))
			p.Eval(`void setTimeout(() => { throw new RangeError('on purpose') })`, nil)
			tell("error", next(from, "error"))
			p.Eval(`void Promise.reject(new Error('nobody waits'))`, nil)
			tell("unhandledrejection", next(from, "unhandledrejection"))

			// An app's own state comes through the SDK in the page.
			p.sdk(t)
			tell("state_update", next(from, "state_update"))
			done = p.Do("request_state", params{"scope": "cart"})
			tell("command_result request_state", done)

			p.Send([]byte(`{"type":"no_such_type","requestId":"r"}`))
			tell("host_error", next(from, "host_error"))
			from = p.Len()
			env.Disconnect(p.Tab)
			tell("app_disconnected", next(from, "app_disconnected"))
			p.closeTab()
			p.Agent.Close()

			var got strings.Builder
			got.WriteString("Messages of one session at level " + level + ", as an agent gets them.\n")
			for _, name := range told {
				got.WriteString("-- " + name + " --\n" + said[name])
			}
			name := "testdata/session-" + level + ".txtar"
			if *update {
				if err := os.WriteFile(name, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			expected := sections(string(want))
			for _, name := range told {
				if expected[name] != said[name] {
					t.Errorf("%s is now\n%swas\n%s", name, said[name], expected[name])
				}
				delete(expected, name)
			}
			for name := range expected {
				t.Errorf("%s came no more", name)
			}
		})
	}
}

var heading = regexp.MustCompile(`(?m)^-- (.+) --\n`)

// sections reads a txtar archive.
func sections(text string) map[string]string {
	found := map[string]string{}
	marks := heading.FindAllStringSubmatchIndex(text, -1)
	for i, mark := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		found[text[mark[2]:mark[3]]] = text[mark[1]:end]
	}
	return found
}

// sdk runs the built SDK in the page, with a state of its own.
func (p *page) sdk(t *testing.T) {
	t.Helper()
	root, err := bundle.Root()
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(root + "/extension/dist/sdk/debug-bridge.global.js")
	if err != nil {
		t.Fatal(err)
	}
	origin := strings.TrimSuffix(env.Pages.URL("/"), "/")
	env.Data(nil, "app", "allow", origin)
	var made struct {
		Token string `json:"token"`
	}
	env.Data(&made, "token", "new", "app-"+p.session, "--role", "app", "--origin", origin)
	options, err := json.Marshal(map[string]any{"url": env.Daemon().URL, "sessionId": p.session, "token": made.Token, "appName": "shop"})
	if err != nil {
		t.Fatal(err)
	}
	p.Eval(string(code)+";0", nil)
	p.Eval(`window.sdk = DebugBridge.createDebugBridge({ ...`+string(options)+`, getCustomState: () => ({ cart: { lines: 3 } }) }); sdk.connect(); 0`, nil)
}

// equal are the members that differ from run to run, with what stands for them.
var equal = map[string]any{
	"timestamp": 0, "seq": 0, "requestId": "REQUEST", "durationMs": 0, "userAgent": "USER AGENT", "epoch": "EPOCH",
	"hostVersion": "VERSION", "lastSeq": 0, "firstSeq": 0, "version": 0, "baseVersion": 0, "pageId": 0,
	"agentId": "AGENT", "agentName": "NAME", "bounds": "BOUNDS", "bytes": 0,
}

var port = regexp.MustCompile(`(127\.0\.0\.1|localhost):[0-9]+`)

// normal writes a message with one member to a line, its numbers, times and places made equal.
func normal(t *testing.T, m browserMessage) string {
	t.Helper()
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(equalled(m.Fields)); err != nil {
		t.Fatal(err)
	}
	return port.ReplaceAllString(text.String(), "$1:PORT")
}

func equalled(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, inner := range v {
			out[key] = equalled(inner)
			if same, ok := equal[key]; ok {
				out[key] = same
			}
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, inner := range v {
			out = append(out, equalled(inner))
		}
		return out
	}
	return value
}
