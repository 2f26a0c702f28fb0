package network

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// Request is an entry as it leaves the store: secrets masked unless Raw was asked for.
type Request struct {
	ID        int
	Session   string // with RequestID what the browser calls it
	RequestID string
	FrameID   string
	Kind      string
	Method    string
	URL       string
	State     State
	Started   time.Time
	Ms        float64
	Encoded   int64
	Decoded   int64
	Status    int
	Reason    string // the status line's words
	Mime      string
	Protocol  string
	Remote    string
	From      string
	Worker    bool
	Failure   string
	Blocked   string
	Cors      string
	Cancelled bool
	Previous  int
	Next      int
	Earlier   bool // of a document before the present one
	Messages  int  // of a socket or stream
	PostBytes int  // of the request's body; -1 when it is there and its size is not known

	// Of Get alone.
	RequestHeaders  []Header
	ResponseHeaders []Header
	Post            string
	Timing          *Timing
	Initiator       Initiator
}

// Failed reports a request without an answer, or with one that says so.
func (r *Request) Failed() bool { return r.State == Failed || r.Status >= 400 }

// Timing is how long each step took, in ms; -1 where there was none.
type Timing struct {
	Blocked, DNS, Connect, SSL, Send, Wait, Receive float64
}

// Initiator is what made the request.
type Initiator struct {
	Kind string
	URL  string
	Line int
}

// Query says which entries are wanted.
type Query struct {
	Since     int
	Before    int
	Kinds     []string
	Status    Status
	URL       *Pattern
	Method    string
	Preserved bool
	Answered  bool // no pending ones
	Limit     int
	Raw       bool
}

// Page is a piece of the list.
type Page struct {
	Requests []Request
	Cursor   int
	More     int
	Older    int
	Dropped  int
	Total    int // that fit
	Failed   int // of them
}

// List gives the newest entries that fit, oldest first; with Since, the oldest after it.
func (s *Store) List(q Query) Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := Page{Cursor: s.last, Dropped: s.dropped}
	var fits []*entry
	for _, e := range s.entries {
		if e.id > q.Since && (q.Before == 0 || e.id < q.Before) && s.fits(e, &q) {
			fits = append(fits, e)
			if e.state == Failed || e.status >= 400 {
				out.Failed++
			}
		}
	}
	out.Total = len(fits)
	if q.Limit > 0 && len(fits) > q.Limit {
		if q.Since > 0 {
			out.More = len(fits) - q.Limit
			fits = fits[:q.Limit]
			out.Cursor = fits[len(fits)-1].id
		} else {
			out.Older = len(fits) - q.Limit
			fits = fits[out.Older:]
		}
	}
	for _, e := range fits {
		out.Requests = append(out.Requests, s.request(e, q.Raw, false))
	}
	return out
}

// Find gives the first entry that fits.
func (s *Store) Find(q Query) (Request, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		if e.id > q.Since && s.fits(e, &q) {
			return s.request(e, q.Raw, false), true
		}
	}
	return Request{}, false
}

// Underway counts the present document's requests that have no end yet. Sockets and
// event streams are not among them: they have none by nature.
func (s *Store) Underway() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	present := Query{}
	for _, e := range s.entries {
		if e.state == Pending && e.kind != "websocket" && e.kind != "eventsource" && s.fits(e, &present) {
			n++
		}
	}
	return n
}

func (s *Store) fits(e *entry, q *Query) bool {
	switch {
	case !q.Preserved && e.nav < s.nav,
		len(q.Kinds) > 0 && !slices.Contains(q.Kinds, e.kind),
		q.Method != "" && !strings.EqualFold(q.Method, e.method),
		q.Answered && e.state == Pending && (e.status == 0 || e.kind != "websocket" && e.kind != "eventsource"),
		!q.Status.match(e):
		return false
	}
	// Against the masked address: a pattern must not find out a secret.
	return q.URL == nil || q.URL.Match(redact.URL(e.url))
}

// HeadersDue says whether the browser has promised headers of the wire that are not here yet.
func (s *Store) HeadersDue(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entry(id)
	return e != nil && e.wireDue
}

// Get gives one entry in whole.
func (s *Store) Get(id int, raw bool) (Request, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.entry(id); e != nil {
		return s.request(e, raw, true), true
	}
	return Request{}, false
}

// Range is the ids of the oldest and the newest entry that are there; 0, 0 without any.
func (s *Store) Range() (oldest, newest int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.entries) == 0 {
		return 0, 0
	}
	return s.entries[0].id, s.last
}

// Message is one message of a WebSocket or an event stream.
type Message struct {
	N      int
	At     time.Time
	Kind   string
	Text   string
	Bytes  int
	Binary bool // Text is base64
}

// Messages gives the latest messages of an entry after number since, and how many there were in all.
func (s *Store) Messages(id, since, limit int, raw bool) (list []Message, total, dropped int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entry(id)
	if e == nil {
		return nil, 0, 0, false
	}
	for _, f := range e.frames {
		if f.n <= since {
			continue
		}
		m := Message{f.n, e.wallOf(f.at), f.kind, f.text, f.full, f.bin}
		if !raw && !f.bin {
			m.Text = redact.Text(m.Text)
		}
		list = append(list, m)
	}
	if limit > 0 && len(list) > limit {
		if since > 0 {
			list = list[:limit]
		} else {
			list = list[len(list)-limit:]
		}
	}
	return list, e.framesTotal, e.framesDropped, true
}

func (s *Store) request(e *entry, raw, whole bool) Request {
	text, address, header := redact.Text, redact.URL, redact.Header
	if raw {
		text, address, header = same, same, func(_, value string) string { return value }
	}
	r := Request{
		ID: e.id, Session: e.session, RequestID: e.requestID, FrameID: e.frameID, Kind: e.kind, Method: e.method, URL: address(e.url),
		State: e.state, Started: e.wallOf(e.started), Ms: e.milliseconds(), Encoded: e.encoded, Decoded: e.decoded, Status: e.status,
		Reason: e.statusText, Mime: e.mime, Protocol: e.protocol, Remote: e.remote, From: e.from, Worker: e.worker, Failure: e.failure,
		Blocked: e.blocked, Cors: e.cors, Cancelled: e.cancelled, Previous: e.previous, Next: e.next, Earlier: e.nav < s.nav,
		Messages: e.framesTotal, PostBytes: e.postBytes,
	}
	if !whole {
		return r
	}
	r.RequestHeaders, r.ResponseHeaders = headersOf(e.requestHeaders, header), headersOf(e.responseHeaders, header)
	r.Post = text(e.post)
	r.Timing = e.steps()
	var initiator struct {
		Type  string  `json:"type"`
		URL   string  `json:"url"`
		Line  float64 `json:"lineNumber"`
		Stack struct {
			CallFrames []struct {
				URL  string `json:"url"`
				Line int    `json:"lineNumber"`
			} `json:"callFrames"`
		} `json:"stack"`
	}
	if len(e.initiator) > 0 && decode(e.initiator, &initiator) == nil {
		r.Initiator = Initiator{Kind: initiator.Type, URL: initiator.URL, Line: int(initiator.Line) + 1}
		for _, f := range initiator.Stack.CallFrames {
			if f.URL != "" {
				r.Initiator.URL, r.Initiator.Line = f.URL, f.Line+1
				break
			}
		}
		if r.Initiator.URL == "" {
			r.Initiator.Line = 0
		}
		r.Initiator.URL = address(r.Initiator.URL)
	}
	return r
}

func same(text string) string { return text }

// headersOf reads a header object, in its order. CDP joins several of a name with a line break.
func headersOf(raw jsontext.Value, mask func(name, value string) string) []Header {
	if len(raw) == 0 {
		return nil
	}
	var list []Header
	reader := jsontext.NewDecoder(strings.NewReader(string(raw)), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if token, err := reader.ReadToken(); err != nil || token.Kind() != '{' {
		return nil
	}
	for reader.PeekKind() == '"' {
		name, err := reader.ReadToken()
		if err != nil {
			return list
		}
		key := name.String()
		value, err := reader.ReadToken()
		if err != nil {
			return list
		}
		for line := range strings.SplitSeq(value.String(), "\n") {
			list = append(list, Header{key, mask(key, line)})
		}
	}
	return list
}

// steps computes the steps of a request as HAR 1.2 divides them.
func (e *entry) steps() *Timing {
	var t struct {
		RequestTime  float64 `json:"requestTime"`
		DNSStart     float64 `json:"dnsStart"`
		DNSEnd       float64 `json:"dnsEnd"`
		ConnectStart float64 `json:"connectStart"`
		ConnectEnd   float64 `json:"connectEnd"`
		SSLStart     float64 `json:"sslStart"`
		SSLEnd       float64 `json:"sslEnd"`
		SendStart    float64 `json:"sendStart"`
		SendEnd      float64 `json:"sendEnd"`
		HeadersEnd   float64 `json:"receiveHeadersEnd"`
	}
	if len(e.timing) == 0 || decode(e.timing, &t) != nil || t.RequestTime == 0 {
		return nil
	}
	step := func(start, end float64) float64 {
		if start < 0 || end < start {
			return -1
		}
		return sane(end - start)
	}
	out := &Timing{DNS: step(t.DNSStart, t.DNSEnd), Connect: step(t.ConnectStart, t.ConnectEnd), SSL: step(t.SSLStart, t.SSLEnd), Send: max(0, step(t.SendStart, t.SendEnd)), Wait: sane(t.HeadersEnd - t.SendEnd)}
	first := t.SendStart
	for _, start := range []float64{t.ConnectStart, t.DNSStart} {
		if start >= 0 {
			first = start
		}
	}
	out.Blocked = sane((t.RequestTime-e.started)*1000 + first)
	if e.ended > 0 {
		out.Receive = sane((e.ended-t.RequestTime)*1000 - t.HeadersEnd)
	}
	return out
}

// Number gives the id of what the browser calls by a request's id in a session; 0 where it is not known.
func (s *Store) Number(session, requestID string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.asked(session, requestID); e != nil {
		return e.id
	}
	return 0
}
