// Package network keeps what a page asked of the network: requests with their
// answers, redirects, failures, messages of WebSockets and event streams. It makes
// no call: it is fed with DevTools events and asked for entries. Bodies stay with the
// browser, which is asked for one when somebody wants it.
//
// A store is bounded in entries and in bytes; the oldest go first and are counted.
// Ids grow by one and are never used again, so a cursor is an id. Secrets are masked
// when an entry leaves the store.
//
// The package also holds the rules by which requests are blocked or answered
// (Rules), and writes HAR 1.2.
package network

import (
	"bytes"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Limits of one page's store.
const (
	MaxEntries   = 1_000
	MaxBytes     = 4 << 20
	maxHeaders   = 16 << 10 // of one side; more is left out
	maxPost      = 16 << 10 // kept; the browser has the rest
	maxURL       = 4 << 10
	maxDataURL   = 64
	maxInitiator = 4 << 10
	maxFrames    = 200      // of one socket
	maxFrameText = 4 << 10  // of one message
	maxFrameAll  = 64 << 10 // of one socket
)

// Store is one page's requests. Its methods may be used by many goroutines.
type Store struct {
	mu      sync.Mutex
	entries []*entry
	byID    map[requestKey]*entry // the latest of a request, by the browser's id
	early   map[requestKey]*earlyHeaders
	size    int
	last    int
	nav     int
	dropped int
	since   time.Time // from when on it is complete; zero while it gets nothing
	changed chan struct{}
	waiting bool
}

type requestKey struct{ session, id string }

// NewStore makes an empty store.
func NewStore() *Store {
	return &Store{byID: map[requestKey]*entry{}, early: map[requestKey]*earlyHeaders{}, changed: make(chan struct{})}
}

// Begin notes that the browser tells of requests from now on.
func (s *Store) Begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.since.IsZero() {
		s.since = time.Now()
	}
}

// End notes that the browser tells of requests no more.
func (s *Store) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.since = time.Time{}
}

// CompleteSince is when the browser began to tell of requests; zero when it does not.
func (s *Store) CompleteSince() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.since
}

// Last is the id of the newest entry, 0 when there was none.
func (s *Store) Last() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// Changed gives a channel that closes with the next event.
func (s *Store) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = true
	return s.changed
}

// Event takes one event of the tab's DevTools sessions; those that are not of the
// network are ignored.
func (s *Store) Event(session, method string, params jsontext.Value) {
	handle, ok := handlers[method]
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	handle(s, session, params)
	if s.waiting {
		close(s.changed)
		s.changed, s.waiting = make(chan struct{}), false
	}
}

var handlers = map[string]func(*Store, string, jsontext.Value){
	"Network.requestWillBeSent":                  (*Store).onRequest,
	"Network.requestWillBeSentExtraInfo":         (*Store).onRequestExtra,
	"Network.requestServedFromCache":             (*Store).onCached,
	"Network.responseReceived":                   (*Store).onResponse,
	"Network.responseReceivedExtraInfo":          (*Store).onResponseExtra,
	"Network.dataReceived":                       (*Store).onData,
	"Network.loadingFinished":                    (*Store).onFinished,
	"Network.loadingFailed":                      (*Store).onFailed,
	"Network.webSocketCreated":                   (*Store).onSocket,
	"Network.webSocketWillSendHandshakeRequest":  (*Store).onHandshake,
	"Network.webSocketHandshakeResponseReceived": (*Store).onHandshakeAnswer,
	"Network.webSocketFrameSent":                 socketFrame("sent"),
	"Network.webSocketFrameReceived":             socketFrame("received"),
	"Network.webSocketFrameError":                (*Store).onSocketError,
	"Network.webSocketClosed":                    (*Store).onSocketClosed,
	"Network.eventSourceMessageReceived":         (*Store).onServerEvent,
	"Page.frameNavigated":                        (*Store).onNavigated,
}

// add puts an entry in. The caller holds s.mu.
func (s *Store) add(e *entry) {
	s.last++
	e.id, e.nav = s.last, s.nav
	s.entries = append(s.entries, e)
	s.byID[requestKey{e.session, e.requestID}] = e
	s.size += e.size()
	s.trim()
}

// grow counts what an entry has got since before. The caller holds s.mu.
func (s *Store) grow(e *entry, before int) {
	s.size += e.size() - before
	s.trim()
}

func (s *Store) trim() {
	for len(s.entries) > MaxEntries || s.size > MaxBytes && len(s.entries) > 1 {
		old := s.entries[0]
		s.entries[0] = nil
		s.entries = s.entries[1:]
		s.size -= old.size()
		s.dropped++
		if key := (requestKey{old.session, old.requestID}); s.byID[key] == old {
			delete(s.byID, key)
		}
	}
}

type wireRequest struct {
	URL         string         `json:"url"`
	Method      string         `json:"method"`
	Headers     jsontext.Value `json:"headers"`
	PostData    string         `json:"postData"`
	HasPostData bool           `json:"hasPostData"`
}

type wireResponse struct {
	URL               string         `json:"url"`
	Status            int            `json:"status"`
	StatusText        string         `json:"statusText"`
	Headers           jsontext.Value `json:"headers"`
	RequestHeaders    jsontext.Value `json:"requestHeaders"`
	MimeType          string         `json:"mimeType"`
	RemoteIPAddress   string         `json:"remoteIPAddress"`
	RemotePort        int            `json:"remotePort"`
	FromDiskCache     bool           `json:"fromDiskCache"`
	FromServiceWorker bool           `json:"fromServiceWorker"`
	FromPrefetchCache bool           `json:"fromPrefetchCache"`
	EncodedDataLength float64        `json:"encodedDataLength"`
	Timing            jsontext.Value `json:"timing"`
	Protocol          string         `json:"protocol"`
}

func (s *Store) onRequest(session string, params jsontext.Value) {
	var event struct {
		RequestID        string         `json:"requestId"`
		LoaderID         string         `json:"loaderId"`
		FrameID          string         `json:"frameId"`
		Request          wireRequest    `json:"request"`
		Timestamp        float64        `json:"timestamp"`
		WallTime         float64        `json:"wallTime"`
		Initiator        jsontext.Value `json:"initiator"`
		RedirectResponse *wireResponse  `json:"redirectResponse"`
		Type             string         `json:"type"`
	}
	if decode(params, &event) != nil {
		return
	}
	e := &entry{
		session: session, requestID: event.RequestID, loaderID: event.LoaderID, frameID: event.FrameID,
		kind: strings.ToLower(event.Type), method: event.Request.Method, url: shortURL(event.Request.URL), state: Pending,
		started: event.Timestamp, wall: event.WallTime, requestHeaders: keep(event.Request.Headers, maxHeaders),
		post: cut(event.Request.PostData, maxPost), postBytes: len(event.Request.PostData),
		initiator: keep(event.Initiator, maxInitiator), worker: event.FrameID == "" && session != "",
	}
	if e.kind == "" {
		e.kind = "other"
	}
	if event.Request.HasPostData && event.Request.PostData == "" {
		e.postBytes = -1
	}
	before := s.byID[requestKey{session, event.RequestID}]
	if before != nil && event.RedirectResponse != nil {
		size := before.size()
		before.answer(event.RedirectResponse, event.Timestamp)
		before.state, before.ended = Redirected, event.Timestamp
		before.encoded = int64(event.RedirectResponse.EncodedDataLength)
		s.grow(before, size)
		e.previous = before.id
		s.add(e)
		before.next = e.id
		return
	}
	s.add(e)
	if early := s.early[requestKey{session, event.RequestID}]; early != nil {
		delete(s.early, requestKey{session, event.RequestID})
		s.wireHeaders(e, early.request)
		if early.response != nil {
			s.onResponseExtra(session, early.response)
		}
	}
}

// earlyHeaders came before their request was told of: they come from the network service,
// the request from the renderer, which may be busy.
type earlyHeaders struct {
	request  jsontext.Value // the headers
	response jsontext.Value // the whole event
}

// maxEarly bounds them.
const maxEarly = 50

func (s *Store) earlyOf(key requestKey) *earlyHeaders {
	if s.early[key] == nil {
		if len(s.early) >= maxEarly {
			clear(s.early)
		}
		s.early[key] = &earlyHeaders{}
	}
	return s.early[key]
}

// onRequestExtra has the headers of the wire (cookies too); it may come before its request.
func (s *Store) onRequestExtra(session string, params jsontext.Value) {
	var event struct {
		RequestID string         `json:"requestId"`
		Headers   jsontext.Value `json:"headers"`
	}
	if decode(params, &event) != nil {
		return
	}
	key := requestKey{session, event.RequestID}
	if e := s.byID[key]; e != nil && !e.requestWire {
		s.wireHeaders(e, event.Headers)
		return
	}
	s.earlyOf(key).request = keep(event.Headers, maxHeaders)
}

func (s *Store) wireHeaders(e *entry, headers jsontext.Value) {
	size := e.size()
	if kept := keep(headers, maxHeaders); kept != nil {
		e.requestHeaders, e.requestWire = kept, true
	}
	s.grow(e, size)
}

func (s *Store) onCached(session string, params jsontext.Value) {
	if e, _ := s.find(session, params); e != nil {
		e.from = "memory cache"
	}
}

// answer notes a response's head.
func (e *entry) answer(r *wireResponse, at float64) {
	e.status, e.statusText, e.mime, e.protocol = r.Status, r.StatusText, r.MimeType, r.Protocol
	e.responseHeaders, e.timing, e.answered = keep(r.Headers, maxHeaders), keep(r.Timing, maxHeaders), at
	if e.remote = r.RemoteIPAddress; e.remote != "" && r.RemotePort != 0 {
		e.remote += ":" + itoa(r.RemotePort)
	}
	if len(r.RequestHeaders) > 0 && !e.requestWire {
		e.requestHeaders = keep(r.RequestHeaders, maxHeaders)
	}
	switch {
	case r.FromServiceWorker:
		e.from = "service worker"
	case r.FromPrefetchCache:
		e.from = "prefetch"
	case r.FromDiskCache:
		e.from = "disk cache"
	}
}

func (s *Store) onResponse(session string, params jsontext.Value) {
	var event struct {
		RequestID string       `json:"requestId"`
		Timestamp float64      `json:"timestamp"`
		Type      string       `json:"type"`
		Response  wireResponse `json:"response"`
		HasExtra  bool         `json:"hasExtraInfo"`
	}
	if decode(params, &event) != nil {
		return
	}
	e := s.asked(session, event.RequestID)
	if e == nil {
		return
	}
	size := e.size()
	wire := e.responseHeaders // of the extra info, when that came first
	e.answer(&event.Response, event.Timestamp)
	if wire != nil {
		e.responseHeaders = wire
	}
	e.wireDue = event.HasExtra && wire == nil
	if kind := strings.ToLower(event.Type); kind != "" && kind != "other" {
		e.kind = kind
	}
	s.grow(e, size)
}

// onResponseExtra has the headers of the wire (set-cookie too).
func (s *Store) onResponseExtra(session string, params jsontext.Value) {
	var event struct {
		RequestID  string         `json:"requestId"`
		StatusCode int            `json:"statusCode"`
		Headers    jsontext.Value `json:"headers"`
	}
	if decode(params, &event) != nil {
		return
	}
	e := s.asked(session, event.RequestID)
	// Of a redirect it comes after the next request was told of.
	if e != nil && event.StatusCode >= 300 && event.StatusCode < 400 && event.StatusCode != 304 && e.previous != 0 {
		e = s.entry(e.previous)
	}
	if e == nil {
		if len(params) <= maxHeaders {
			s.earlyOf(requestKey{session, event.RequestID}).response = bytes.Clone(params)
		}
		return
	}
	size := e.size()
	e.wireDue = false
	if kept := keep(event.Headers, maxHeaders); kept != nil {
		e.responseHeaders = kept
	}
	if event.StatusCode == 304 {
		e.status = 304 // the response itself says 200: of the cache
	}
	s.grow(e, size)
}

func (s *Store) onData(session string, params jsontext.Value) {
	var event struct {
		RequestID         string `json:"requestId"`
		DataLength        int64  `json:"dataLength"`
		EncodedDataLength int64  `json:"encodedDataLength"`
	}
	if decode(params, &event) != nil {
		return
	}
	if e := s.asked(session, event.RequestID); e != nil {
		e.decoded += event.DataLength
		e.encoded += event.EncodedDataLength
	}
}

func (s *Store) onFinished(session string, params jsontext.Value) {
	e, at := s.find(session, params)
	if e == nil {
		return
	}
	var event struct {
		Encoded float64 `json:"encodedDataLength"`
	}
	if decode(params, &event) == nil && event.Encoded > 0 {
		e.encoded = int64(event.Encoded)
	}
	e.state, e.ended = Finished, at
}

func (s *Store) onFailed(session string, params jsontext.Value) {
	var event struct {
		RequestID     string  `json:"requestId"`
		Timestamp     float64 `json:"timestamp"`
		ErrorText     string  `json:"errorText"`
		Canceled      bool    `json:"canceled"`
		BlockedReason string  `json:"blockedReason"`
		Type          string  `json:"type"`
		Cors          *struct {
			Error     string `json:"corsError"`
			Parameter string `json:"failedParameter"`
		} `json:"corsErrorStatus"`
	}
	if decode(params, &event) != nil {
		return
	}
	e := s.asked(session, event.RequestID)
	if e == nil {
		return
	}
	e.state, e.ended = Failed, event.Timestamp
	e.failure, e.cancelled, e.blocked = event.ErrorText, event.Canceled, event.BlockedReason
	if event.Cors != nil {
		e.cors = strings.TrimSpace(event.Cors.Error + " " + event.Cors.Parameter)
	}
}

// onNavigated ends the document of before: what was asked for the new one belongs to it.
func (s *Store) onNavigated(session string, params jsontext.Value) {
	var event struct {
		Frame struct {
			ID       string `json:"id"`
			ParentID string `json:"parentId"`
			LoaderID string `json:"loaderId"`
		} `json:"frame"`
	}
	if session != "" || decode(params, &event) != nil || event.Frame.ParentID != "" {
		return
	}
	s.nav++
	for _, e := range s.entries {
		if e.loaderID == event.Frame.LoaderID && e.session == "" && e.loaderID != "" {
			e.nav = s.nav
		}
	}
}

// find gives the request of an event and the event's time.
func (s *Store) find(session string, params jsontext.Value) (*entry, float64) {
	var event struct {
		RequestID string  `json:"requestId"`
		Timestamp float64 `json:"timestamp"`
	}
	if decode(params, &event) != nil {
		return nil, 0
	}
	return s.asked(session, event.RequestID), event.Timestamp
}

// asked finds what was asked for. The script of a worker is asked for by its page and
// answered to the worker, under the worker's own id.
func (s *Store) asked(session, id string) *entry {
	if e := s.byID[requestKey{session, id}]; e != nil || session == "" || strings.Contains(id, ".") {
		return e
	}
	return s.byID[requestKey{"", id}]
}

// entry gives the entry of an id. The caller holds s.mu.
func (s *Store) entry(id int) *entry {
	if len(s.entries) == 0 {
		return nil
	}
	if i := id - s.entries[0].id; i >= 0 && i < len(s.entries) {
		return s.entries[i]
	}
	return nil
}

// shortURL bounds an address; of a data: URL the head says enough.
func shortURL(url string) string {
	if strings.HasPrefix(url, "data:") && len(url) > maxDataURL {
		return cut(url, maxDataURL) + "…"
	}
	if len(url) > maxURL {
		return cut(url, maxURL) + "…"
	}
	return strings.Clone(url)
}

// keep copies a value out of its message; one beyond the limit is left out.
func keep(value jsontext.Value, limit int) jsontext.Value {
	if len(value) == 0 || len(value) > limit {
		return nil
	}
	return bytes.Clone(value)
}

// cut bounds a string without breaking a rune.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return strings.Clone(s)
	}
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return strings.Clone(s[:limit])
}

func decode(data jsontext.Value, into any) error {
	return json.Unmarshal(data, into, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
}
