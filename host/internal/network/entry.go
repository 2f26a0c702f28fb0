package network

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// State of a request.
type State string

// The states.
const (
	Pending    State = "pending"
	Redirected State = "redirected" // another entry follows it
	Finished   State = "finished"
	Failed     State = "failed"
)

// Header is one header; several of a name are several.
type Header struct{ Name, Value string }

// entry is one request as it is kept.
type entry struct {
	id        int
	session   string // DevTools session
	requestID string
	loaderID  string
	frameID   string
	nav       int

	kind     string // document, script, fetch, xhr, …
	method   string
	url      string
	state    State
	started  float64 // monotonic seconds, as the browser counts
	wall     float64 // seconds since the epoch
	ended    float64 // monotonic
	answered float64 // monotonic: the response's head was there

	requestHeaders  jsontext.Value // an object; the wire's own when they were told
	requestWire     bool
	post            string
	postBytes       int // of the whole body; -1 when it is there and its size is not known
	initiator       jsontext.Value
	status          int
	statusText      string
	responseHeaders jsontext.Value
	wireDue         bool // the headers of the wire are still to come
	mime            string
	protocol        string
	remote          string
	timing          jsontext.Value
	encoded         int64
	decoded         int64
	from            string // memory cache, disk cache, service worker, prefetch
	worker          bool   // made by a worker
	failure         string // net::ERR_…
	blocked         string // why the browser blocked it
	cors            string
	cancelled       bool
	previous        int // the entry that redirected here
	next            int // where this one redirected to

	frames        []frame
	framesDropped int
	framesTotal   int
	frameBytes    int
}

// frame is one message of a WebSocket or an event stream.
type frame struct {
	n    int
	at   float64 // monotonic
	kind string  // sent, received, error, closed; or the name of a server-sent event
	text string
	full int
	bin  bool
}

func (e *entry) size() int {
	return 400 + len(e.url) + len(e.requestHeaders) + len(e.post) + len(e.initiator) + len(e.responseHeaders) + len(e.timing) + e.frameBytes
}

// wallOf turns a monotonic time of the request into one of the clock.
func (e *entry) wallOf(monotonic float64) time.Time {
	return time.UnixMicro(int64(sane(e.wall+monotonic-e.started) * 1e6))
}

// milliseconds from the request's start, or 0 while it runs.
func (e *entry) milliseconds() float64 {
	if e.ended <= e.started {
		return 0
	}
	return sane((e.ended - e.started) * 1000)
}

// sane bounds a time that a browser tells, in s or ms: what is beyond has no year of
// four digits, and may be no number of JSON.
func sane(time float64) float64 { return min(max(time, 0), 1e11) }
