package http

import (
	"bytes"
	"errors"
	"io"
	nethttp "net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/command"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// maxBody bounds what a request of the API may carry.
const maxBody = 1 << 20

// maxRequestID is that of the protocol.
const maxRequestID = 128

// RequestIDHeader names a request; its answer has the same.
const RequestIDHeader = "X-Request-Id"

// errStopping is why requests under way end when the daemon does.
var errStopping = errors.New("the daemon stops")

// statusError is a fault whose status is not the table's.
type statusError struct {
	status int
	fault  *fault.Error
}

func (e statusError) Error() string { return e.fault.Error() }
func (e statusError) Unwrap() error { return e.fault }

// call is one request on its way.
type call struct {
	api      *API
	w        nethttp.ResponseWriter
	r        *nethttp.Request
	start    time.Time
	identity gate.Identity
	request  command.Request
	rest     string // variable part of the path
	form     url.Values
	named    bool // the client chose the request's id
	fields   []string
	accept   string // one of the media types below
	flat     bool   // an alias: data at the top
	acts     bool   // its command may change something
	began    bool   // lines of the answer are out
}

// The media types of answers. Images are of screenshots only.
const (
	typeJSON   = "application/json"
	typeText   = "text/plain"
	typeLines  = "application/x-ndjson"
	typePNG    = "image/png"
	typeJPEG   = "image/jpeg"
	typeWebP   = "image/webp"
	typeEvents = "text/event-stream"
)

func newCall(a *API, w nethttp.ResponseWriter, r *nethttp.Request) *call {
	identity, _ := gate.From(r.Context())
	c := &call{api: a, w: w, r: r, start: time.Now(), identity: identity, accept: accepted(r, typeJSON, typeText, typeLines)}
	c.request.RequestID = newID()
	return c
}

// release leaves the connection to its next request without the limits of this one.
func (c *call) release() {
	control := nethttp.NewResponseController(c.w)
	_ = control.Flush() // what is written is written within the time of the answer
	_ = control.SetWriteDeadline(time.Time{})
}

// name reads what every request may say of itself: its id, its query, who asks.
func (c *call) name() error {
	ids := c.r.Header.Values(RequestIDHeader)
	id := c.request.RequestID
	switch {
	case len(ids) == 0:
	case len(ids) > 1 || ids[0] == "" || len(ids[0]) > maxRequestID || strings.ContainsFunc(ids[0], func(r rune) bool { return r < ' ' || r > '~' }):
		return fault.New(fault.ValidationError, "%s must be one value of 1 to %d printable ASCII characters", RequestIDHeader, maxRequestID).
			Suggest("Leave it out: the answer has one.")
	default:
		id, c.named = ids[0], true
	}
	form, err := url.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return fault.New(fault.ValidationError, "the query cannot be read: %v", err).Suggest("Escape what is not a letter or a digit.")
	}
	c.form = form
	c.request = c.api.config.Request(c.r)
	c.request.RequestID = id
	if name := c.request.Caller.Session; name != "" {
		if !protocol.SessionIDPattern.MatchString(name) {
			return fault.New(fault.ValidationError, "session %q is no name of a session", name).Suggest("Use one of GET /v1/overview.")
		}
		if own, err := mine(c.request.Caller); err == nil && own == name {
			c.request.Caller.Session = "" // the context's own pages are those without a session
		}
	}
	return nil
}

// common are the query's names that are not a command's.
var common = []string{"page", "timeoutMs", "profile", "session", "fields"}

// only checks that the query has no other names than these and the common ones, and
// each of those once, and takes the common ones. Names that a command has as
// parameters (own) are not common to it.
func (c *call) only(own ...string) error {
	for name, values := range c.form {
		if slices.Contains(own, name) {
			continue
		}
		if !slices.Contains(common, name) {
			known := slices.Concat(own, common)
			f := fault.New(fault.ValidationError, "there is no query parameter %q here", name).With("parameters", known)
			if near := output.Nearest(name, known); near != "" {
				return f.Suggest("Did you mean "+near+"?", "Use: "+strings.Join(known, ", ")+".")
			}
			return f.Suggest("Use: " + strings.Join(known, ", ") + ".")
		}
		if len(values) != 1 {
			return fault.New(fault.ValidationError, "the query has %s more than once", name).Suggest("Give it once.")
		}
	}
	for name, into := range map[string]*int{"page": &c.request.Page, "timeoutMs": &c.request.TimeoutMs} {
		if !c.form.Has(name) || slices.Contains(own, name) {
			continue
		}
		n, err := strconv.Atoi(c.form.Get(name))
		if err != nil || n < 1 {
			return fault.New(fault.ValidationError, "%s=%q is not a number from 1 on", name, c.form.Get(name)).Suggest("Leave it out, or give a whole number.")
		}
		*into = n
	}
	if slices.Contains(own, "fields") {
		return nil
	}
	var err error
	c.fields, err = output.ParseFields(c.form.Get("fields"))
	return err
}

// body reads the request's JSON object; none is {}.
func (c *call) body() (jsontext.Value, error) {
	// Who has a place here must use it: headers came in time, and so must this.
	control := nethttp.NewResponseController(c.w)
	_ = control.SetReadDeadline(time.Now().Add(c.api.config.BodyTime)) // a test's recorder has none
	data, err := io.ReadAll(nethttp.MaxBytesReader(c.w, c.r.Body, maxBody))
	var large *nethttp.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, statusError{nethttp.StatusRequestEntityTooLarge, fault.New(fault.ValidationError, "the body is larger than %d bytes", maxBody).
			With("limit", maxBody).Suggest("Send less; what is large comes from the command line as a file.")}
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.w.Header().Set("Connection", "close")
		return nil, statusError{nethttp.StatusRequestTimeout, fault.New(fault.Timeout, "the body did not come within %d ms", c.api.config.BodyTime.Milliseconds())}
	case err != nil:
		c.w.Header().Set("Connection", "close")
		return nil, fault.New(fault.ValidationError, "the body cannot be read: %v", err).Suggest("Send it again, whole.")
	}
	_ = control.SetReadDeadline(time.Time{})
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 {
		return jsontext.Value("{}"), nil
	}
	if trimmed[0] != '{' {
		return nil, fault.New(fault.ValidationError, "the body is no JSON object").Suggest("Send the parameters as one JSON object.")
	}
	return data, nil
}

// object is body as its members.
func (c *call) object() (map[string]jsontext.Value, error) {
	data, err := c.body()
	if err != nil {
		return nil, err
	}
	members := map[string]jsontext.Value{}
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fault.New(fault.ValidationError, "the body is no JSON object: %v", err).Suggest("Send the parameters as one JSON object.")
	}
	return members, nil
}

// accepted is the first media type of the Accept header that is among the offered
// ones, the first offered where anything goes or none fits.
func accepted(r *nethttp.Request, offered ...string) string {
	for _, line := range r.Header.Values("Accept") {
		for one := range strings.SplitSeq(line, ",") {
			media, params, _ := strings.Cut(strings.ToLower(one), ";")
			media = strings.TrimSpace(media)
			if refused(params) {
				continue
			}
			for _, offer := range offered {
				group, _, _ := strings.Cut(offer, "/")
				if media == offer || media == group+"/*" || media == "*/*" {
					return offer
				}
			}
		}
	}
	return offered[0]
}

// refused reports a weight of nothing.
func refused(params string) bool {
	for one := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(one), "=")
		if weight, err := strconv.ParseFloat(value, 64); name == "q" && err == nil && weight == 0 {
			return true
		}
	}
	return false
}
