package devtools

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
)

// Host is a browser over a DevTools connection that is shared with clients (browser.Direct).
type Host interface {
	Conn() *cdp.Conn
	Allow(url string) error
	Downloads() string
	EachPage(tell func(targetID, title, url string))
	// TargetURL is the address that a target shows now; empty for one that shows no document.
	TargetURL(targetID string) string
}

// Direct lets clients onto the connection to a managed or remote browser. Each gets a
// browser session of its own from the browser, so that what it attaches to, enables and
// hears is its own, and ends with it. Ids pass as they are: the browser makes them
// unguessable, and a session of somebody else is answered like one that is not there.
type Direct struct {
	host  Host
	local bool
	sites page.Sites // nil: all is seen
}

// NewDirect makes the view of a browser. local says that the clients are programs of this
// computer's user, who may name its files.
func NewDirect(host Host, local bool) *Direct { return &Direct{host: host, local: local} }

// Under has clients see what s lets agents see.
func (d *Direct) Under(s page.Sites) *Direct {
	d.sites = s
	return d
}

var _ Browser = (*Direct)(nil)

// leaveTime bounds the end of a client's sessions; a browser that hangs keeps them.
const leaveTime = 3 * time.Second

// maxInFlight bounds the commands of one client that the browser has not answered.
const maxInFlight = 1024

// Version asks the browser.
func (d *Direct) Version(ctx context.Context) (Version, error) {
	var about struct {
		ProtocolVersion string `json:"protocolVersion"`
		Product         string `json:"product"`
		Revision        string `json:"revision"`
		UserAgent       string `json:"userAgent"`
		JSVersion       string `json:"jsVersion"`
	}
	if err := d.host.Conn().Session("").Call(ctx, "Browser.getVersion", nil, &about); err != nil {
		return Version{}, err
	}
	_, webkit, _ := strings.Cut(about.UserAgent, "AppleWebKit/")
	webkit, _, _ = strings.Cut(webkit, " ")
	return Version{
		Browser: about.Product, ProtocolVersion: about.ProtocolVersion, UserAgent: about.UserAgent, V8Version: about.JSVersion,
		WebKitVersion: webkit + " (" + about.Revision + ")",
	}, nil
}

// Targets lists the pages.
func (d *Direct) Targets(context.Context) ([]Target, error) {
	list := []Target{}
	d.host.EachPage(func(id, title, url string) { list = append(list, Target{ID: id, Type: "page", Title: title, URL: url}) })
	return list, nil
}

// Open makes a client's sessions.
func (d *Direct) Open(ctx context.Context, out Out, target string) (Port, error) {
	conn := d.host.Conn()
	p := &directPort{d: d, out: out, conn: conn, page: target, sessions: make(map[string]string), targets: make(map[string]string), done: make(chan struct{})}
	p.raw, _ = out.(rawFailer)
	var made struct {
		SessionID string `json:"sessionId"`
	}
	if err := conn.Session("").Call(ctx, "Target.attachToBrowserTarget", nil, &made); err != nil {
		return nil, err
	}
	p.root = made.SessionID
	p.main = p.root
	conn.Divert(p.root, p.onEvent)
	p.work.Go(p.watch)
	if target == "" {
		return p, nil
	}
	// What it is attached to is said by the event before the answer.
	if err := conn.Session(p.root).Call(ctx, "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true}, nil); err != nil {
		p.Close()
		if refused := (cdp.Error{}); errors.As(err, &refused) {
			return nil, fault.New(fault.PageNotFound, "no page has the target id %q", target).Because(err).Suggest("Ask /json/list for the pages that there are.")
		}
		return nil, err
	}
	return p, nil
}

// rawFailer is an Out that takes the browser's error object as it came.
type rawFailer interface {
	FailRaw(id int64, session string, failure jsontext.Value)
}

// directPort is one client.
type directPort struct {
	d    *Direct
	out  Out
	raw  rawFailer // nil where out takes none
	conn *cdp.Conn
	root string // the browser session that Chrome gave us for the client
	page string // the target that the client wants alone
	work sync.WaitGroup
	done chan struct{}

	mu       sync.Mutex        // also keeps what goes out in order
	main     string            // what the client's messages without a session go to
	sessions map[string]string // those that the client was told of, with their parents
	targets  map[string]string // what the sessions are of
	veil     page.Veil
	inFlight int
	closed   bool
}

// Send passes a message on, or answers it.
func (p *directPort) Send(_ context.Context, m Message) {
	session, known := p.session(m.SessionID)
	if !known {
		p.fail(m.ID, "", CodeSessionNotFound, "Session with given id not found.")
		return
	}
	params, refused := p.judge(m)
	if refused != nil {
		p.fail(m.ID, m.SessionID, refused.code, refused.why)
		return
	}
	p.mu.Lock()
	full := p.inFlight >= maxInFlight
	if !full {
		p.inFlight++
	}
	p.mu.Unlock()
	if full {
		p.fail(m.ID, m.SessionID, CodeServerError, "too many commands are waiting for their answers")
		return
	}
	err := p.conn.Session(session).Pass(m.Method, params, func(result, failure jsontext.Value, err error) {
		if unseen := p.unseen(session); unseen != nil && !page.Harmless(m.Method) {
			result, failure, err = nil, nil, unseen // it has gone there meanwhile
		}
		p.tell(func() {
			p.inFlight--
			p.answer(m, result, failure, err)
		})
	})
	if err != nil {
		p.tell(func() {
			p.inFlight--
			p.answer(m, nil, nil, err)
		})
	}
}

// session finds the browser's session of the client's view.
func (p *directPort) session(id string) (session string, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == "" {
		return p.main, true
	}
	_, known = p.sessions[id]
	return id, known
}

// tell does something that the client hears of, unless it has left.
func (p *directPort) tell(say func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		say()
	}
}

func (p *directPort) fail(id int64, session string, code int, message string) {
	p.tell(func() { p.out.Fail(id, session, code, message) })
}

// answer gives the fate of a command. The caller holds p.mu.
func (p *directPort) answer(m Message, result, failure jsontext.Value, err error) {
	switch {
	case err != nil && errors.Is(err, cdp.ErrDetached):
		p.out.Fail(m.ID, m.SessionID, CodeServerError, "Inspected target navigated or closed")
	case err != nil:
		p.out.Fail(m.ID, m.SessionID, CodeServerError, fault.From(err).Message)
	case failure == nil:
		p.out.Result(m.ID, m.SessionID, result)
	case p.raw != nil:
		p.raw.FailRaw(m.ID, m.SessionID, failure)
	default:
		var said struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		}
		if cdp.Unmarshal(failure, &said) != nil {
			said.Code, said.Message = CodeServerError, "the browser's error cannot be read"
		}
		p.out.Fail(m.ID, m.SessionID, said.Code, said.Message)
	}
}

// onEvent takes the events of all sessions of the client, on the connection's reader.
func (p *directPort) onEvent(e cdp.Event) {
	var about struct {
		SessionID string `json:"sessionId"`
		Target    struct {
			ID string `json:"targetId"`
		} `json:"targetInfo"`
	}
	var gone []string
	told := p.told(e)
	p.mu.Lock()
	defer func() {
		p.mu.Unlock()
		for _, id := range gone {
			p.conn.Divert(id, nil)
			p.conn.Detached(id, nil)
		}
	}()
	if p.closed {
		return
	}
	attached, detached := e.Method == "Target.attachedToTarget", e.Method == "Target.detachedFromTarget"
	if (attached || detached) && cdp.Unmarshal(e.Params, &about) != nil {
		return
	}
	below := p.page != "" && e.SessionID == p.root // the client has no view of this level
	switch {
	case attached && below:
		p.main = about.SessionID
	case attached:
		p.sessions[about.SessionID] = e.SessionID
	case detached:
		gone = p.drop(about.SessionID, nil)
	}
	if attached {
		p.targets[about.SessionID] = about.Target.ID
		p.conn.Divert(about.SessionID, p.onEvent)
	}
	switch {
	case below && detached && about.SessionID == p.main:
		p.out.End("the page is closed")
	case below, !told:
	case e.SessionID == p.main:
		p.out.Event("", e.Method, e.Params)
	default:
		p.out.Event(e.SessionID, e.Method, e.Params)
	}
}

// drop forgets a session and those below it. The caller holds p.mu.
func (p *directPort) drop(id string, gone []string) []string {
	delete(p.sessions, id)
	delete(p.targets, id)
	gone = append(gone, id)
	for child, parent := range p.sessions {
		if parent == id {
			gone = p.drop(child, gone)
		}
	}
	return gone
}

// watch tells the client of the browser's end.
func (p *directPort) watch() {
	select {
	case <-p.conn.Done():
		p.tell(func() { p.out.End("the browser is gone") })
	case <-p.done:
	}
}

// Close ends the client's sessions in the browser, and with them all that they had set.
func (p *directPort) Close() {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	ids := []string{p.root, p.main}
	for id := range p.sessions {
		ids = append(ids, id)
	}
	p.mu.Unlock()
	close(p.done)
	p.work.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	// A browser that is gone has no sessions; one that hangs says so by itself.
	_ = p.conn.Session("").Call(ctx, "Target.detachFromTarget", map[string]any{"sessionId": p.root}, nil)
	for _, id := range ids {
		p.conn.Divert(id, nil)
		p.conn.Detached(id, nil) // what waits for an answer is let go
	}
}
