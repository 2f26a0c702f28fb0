package faults

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// kind is what goes wrong with one call.
type kind string

const (
	refused kind = "refused" // the browser never sees it and an error is answered
	lost    kind = "lost"    // the browser does it and the answer never comes
	late    kind = "late"    // the answer comes after whoever asked has given up
	twice   kind = "twice"   // the answer comes two times
)

var kinds = []kind{refused, lost, late, twice}

// proxy stands between the daemon and a browser's DevTools port. It passes everything
// on, and does one call of one method wrong when told to.
type proxy struct {
	Endpoint string // ws://…, for session start --endpoint
	server   *httptest.Server

	mu       sync.Mutex
	counting map[string]int // calls by method; nil when nobody counts
	order    []string       // methods by their first call
	rule     *rule
	strange  map[string]kind // what to do with the answer, by its key
	held     []func()        // answers that are late
	page     string          // the session that navigated last
	send     func([]byte)    // to the browser
}

type rule struct {
	method string
	n      int // which call from now on, the first is 1
	kind   kind
	met    bool
}

// envelope is what both sides' messages have in front.
type envelope struct {
	ID      *int64 `json:"id"`
	Session string `json:"sessionId"`
	Method  string `json:"method"`
}

func key(e envelope) string { return fmt.Sprintf("%d %s", *e.ID, e.Session) }

func newProxy(t testing.TB, browser string) *proxy {
	t.Helper()
	p := &proxy{strange: map[string]kind{}}
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.serve(w, r, browser) }))
	p.Endpoint = "ws" + strings.TrimPrefix(p.server.URL, "http") + "/devtools/browser/b"
	t.Cleanup(p.server.Close)
	return p
}

func (p *proxy) serve(w http.ResponseWriter, r *http.Request, browser string) {
	near, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = near.CloseNow() }()
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	far, _, err := websocket.Dial(ctx, browser, nil)
	if err != nil {
		return
	}
	defer func() { _ = far.CloseNow() }()
	near.SetReadLimit(-1)
	far.SetReadLimit(-1)
	p.mu.Lock()
	p.send = func(message []byte) { _ = far.Write(ctx, websocket.MessageText, message) }
	p.mu.Unlock()
	toNear := func(message []byte) { _ = near.Write(ctx, websocket.MessageText, message) }
	go func() {
		defer cancel()
		for {
			_, message, err := far.Read(ctx)
			if err != nil {
				return
			}
			for range p.answered(message, toNear) {
				toNear(message)
			}
		}
	}()
	for {
		_, message, err := near.Read(ctx)
		if err != nil {
			return
		}
		if answer := p.asked(message); answer != nil {
			toNear(answer)
			continue
		}
		if far.Write(ctx, websocket.MessageText, message) != nil {
			return
		}
	}
}

// asked counts a call, and answers it in place of the browser where it is to be refused.
func (p *proxy) asked(message []byte) []byte {
	var e envelope
	if json.Unmarshal(message, &e) != nil || e.ID == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Method == "Page.navigate" {
		p.page = e.Session
	}
	if p.counting != nil {
		if p.counting[e.Method] == 0 {
			p.order = append(p.order, e.Method)
		}
		p.counting[e.Method]++
	}
	if p.rule == nil || p.rule.met || p.rule.method != e.Method {
		return nil
	}
	if p.rule.n--; p.rule.n > 0 {
		return nil
	}
	p.rule.met = true
	if p.rule.kind != refused {
		p.strange[key(e)] = p.rule.kind
		return nil
	}
	answer := map[string]any{"id": *e.ID, "error": map[string]any{"code": -32000, "message": "Refused by the test"}}
	if e.Session != "" {
		answer["sessionId"] = e.Session
	}
	data, _ := json.Marshal(answer) // strings and numbers always can be
	return data
}

// answered says how often a message of the browser is passed on now.
func (p *proxy) answered(message []byte, pass func([]byte)) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.strange) == 0 {
		return 1
	}
	var e envelope
	if json.Unmarshal(message, &e, jsontext.AllowInvalidUTF8(true)) != nil || e.ID == nil {
		return 1
	}
	what := p.strange[key(e)]
	delete(p.strange, key(e))
	switch what {
	case lost:
		return 0
	case late:
		p.held = append(p.held, func() { pass(message) })
		return 0
	case twice:
		return 2
	}
	return 1
}

// Navigated gives the session of the last navigation, once there is one.
func (p *proxy) Navigated() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.page
}

// Forget makes Navigated wait for the next navigation.
func (p *proxy) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.page = ""
}

// Crash ends the renderer of a session. Nobody hears the answer: its number is not the daemon's.
func (p *proxy) Crash(session string) {
	p.mu.Lock()
	send := p.send
	p.strange[fmt.Sprintf("%d %s", crashID, session)] = lost
	p.mu.Unlock()
	send(fmt.Appendf(nil, `{"id":%d,"sessionId":%q,"method":"Page.crash"}`, crashID, session))
}

const crashID = 1 << 30

// Count gives the calls of what is done meanwhile, and their methods in order.
func (p *proxy) Count(do func()) (map[string]int, []string) {
	p.mu.Lock()
	p.counting, p.order = map[string]int{}, nil
	p.mu.Unlock()
	do()
	p.mu.Lock()
	defer p.mu.Unlock()
	counts, order := p.counting, p.order
	p.counting, p.order = nil, nil
	return counts, order
}

// Break does the n-th call of a method wrong in what is done meanwhile, and says whether
// there was such a call. What is late comes when that is over.
func (p *proxy) Break(method string, n int, k kind, do func()) bool {
	p.mu.Lock()
	p.rule = &rule{method: method, n: n, kind: k}
	p.mu.Unlock()
	do()
	p.mu.Lock()
	met, held := p.rule.met, p.held
	p.rule, p.held = nil, nil
	p.mu.Unlock()
	for _, release := range held {
		release()
	}
	return met
}
