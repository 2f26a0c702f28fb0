package http

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	nethttp "net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/output"
	"github.com/debug-bridge/debug-bridge/host/internal/pagetext"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// gzipFrom is the size from which answers are compressed. What makes compression
// beside secrets dangerous is an attacker who puts text of his own into another's
// answers and sees their length. Here a page can make no request that passes the gate,
// and nobody else sees the loopback's packets.
const gzipFrom = 8 << 10

// outcome is an answer with its status.
type outcome struct {
	status   int
	envelope *Envelope
}

// statusOf is the HTTP status of an error.
func statusOf(err error) int {
	if own, ok := errors.AsType[statusError](err); ok {
		return own.status
	}
	row, _ := fault.Lookup(fault.From(err).Code)
	return row.HTTP
}

// failure is the outcome of an error.
func (c *call) failure(err error, warnings []string) *outcome {
	err = c.ended(err)
	c.keepOff(fault.From(err))
	return &outcome{statusOf(err), failed(err, &c.request, c.start, warnings)}
}

// ended says what a request is that ended because the daemon does. What acts may have
// reached the page before.
func (c *call) ended(err error) error {
	f := fault.From(err)
	if !errors.Is(context.Cause(c.r.Context()), errStopping) || f.Code != fault.Cancelled && f.Code != fault.Timeout {
		return err
	}
	if c.acts && (f.Details["dispatched"] == true || f.Code == fault.Timeout) {
		return fault.New(fault.Indeterminate, "The page got the command, but the daemon stopped before the result came: nobody knows whether it ran.").
			With("reason", "daemon_stopped")
	}
	return stopping()
}

// keepOff takes the keys of others' contexts out of what a program with a token is told.
func (c *call) keepOff(f *fault.Error) {
	holder, ok := f.Details["holder"].(string)
	if !ok || !c.request.Foreign || !caller.IsKey(holder) {
		return
	}
	if own, err := mine(c.request.Caller); err != nil || own != holder {
		delete(f.Details, "holder")
	}
}

func (c *call) fail(err error) { c.send(c.failure(err, nil)) }

func (c *call) refuse(status int, f *fault.Error) { c.fail(statusError{status, f}) }

// value answers with a value.
func (c *call) value(value any) { c.send(c.success(value, nil)) }

func (c *call) success(value any, warnings []string) *outcome {
	data, err := json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), smaller)
	if err != nil {
		return c.failure(fault.New(fault.InternalError, "the result cannot be written as JSON").Because(err), warnings)
	}
	return &outcome{nethttp.StatusOK, &Envelope{OK: true, Data: data, Meta: meta(&c.request, c.start, warnings)}}
}

// send writes an outcome in the form that was asked for.
func (c *call) send(o *outcome) {
	e := o.envelope
	if !c.began {
		c.head(o.status)
	}
	_ = nethttp.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(writeTime)) // a test's recorder has none
	switch {
	case c.began:
	case e.OK && strings.HasPrefix(c.accept, "image/") && c.sendImage(e):
		return
	case c.accept == typeText && !e.OK:
		c.write(o.status, typeText+"; charset=utf-8", []byte(failureText(e.Error)))
		return
	case c.accept == typeText && e.Text != nil:
		shown, _ := pagetext.Lines(*e.Text)
		c.write(o.status, typeText+"; charset=utf-8", []byte(shown+"\n"))
		return
	}
	kept := *e
	if e.OK && len(c.fields) > 0 {
		data, missing, err := output.Keep(e.Data, c.fields)
		if err != nil {
			o := c.failure(err, nil)
			c.write(o.status, typeJSON, append(encode(o.envelope), '\n'))
			return
		}
		kept.Data = data
		for _, name := range missing {
			kept.Meta.Warnings = append(kept.Meta.Warnings[:len(kept.Meta.Warnings):len(kept.Meta.Warnings)], "there is no field "+name+" in this answer")
		}
	}
	switch {
	case c.began:
		_, _ = c.w.Write(append(encode(&kept), '\n'))
		return
	case c.accept == typeLines:
		c.write(o.status, typeLines, append(encode(&kept), '\n'))
		return
	}
	c.write(o.status, typeJSON, append(c.encoded(&kept), '\n'))
}

// encoded is the envelope, or for an alias ok with the members of its data.
func (c *call) encoded(e *Envelope) []byte {
	if !c.flat || !e.OK {
		return encode(e)
	}
	members := bytes.TrimSpace(e.Data)
	if len(members) < 2 || members[0] != '{' {
		return encode(e)
	}
	out := []byte(`{"ok":true`)
	if len(bytes.TrimSpace(members[1:len(members)-1])) > 0 {
		out = append(out, ',')
	}
	out, _ = pagetext.JSON(append(out, members[1:]...))
	return out
}

// head sets the headers that every answer has.
func (c *call) head(status int) {
	header := c.w.Header()
	header.Set(RequestIDHeader, c.request.RequestID)
	header.Add("Vary", "Accept, Accept-Encoding")
	if status == nethttp.StatusServiceUnavailable || status == nethttp.StatusTooManyRequests {
		header.Set("Retry-After", "1")
	}
}

// write sends the body, compressed where that is worth it. The peer may be gone.
func (c *call) write(status int, media string, body []byte) {
	header := c.w.Header()
	header.Set("Content-Type", media)
	body = redact.KnownAs(media, body) // before it is packed
	if len(body) > gzipFrom && acceptsGzip(c.r) && !strings.HasPrefix(media, "image/") {
		var packed bytes.Buffer
		z, _ := packers.Get().(*gzip.Writer)
		z.Reset(&packed)
		_, _ = z.Write(body) // a buffer takes all
		_ = z.Close()
		packers.Put(z)
		header.Set("Content-Encoding", "gzip")
		body = packed.Bytes()
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	c.w.WriteHeader(status)
	_, _ = c.w.Write(body)
}

// packers are kept: one is most of a megabyte.
var packers = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is one
	return z
}}

func acceptsGzip(r *nethttp.Request) bool {
	for _, line := range r.Header.Values("Accept-Encoding") {
		for one := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(one, ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") && !refused(params) {
				return true
			}
		}
	}
	return false
}

// sendImage sends the image of a result that has one.
func (c *call) sendImage(e *Envelope) bool {
	var image struct {
		Inline   string `json:"inline"`
		MIMEType string `json:"mimeType"`
	}
	if json.Unmarshal(e.Data, &image) != nil || image.Inline == "" {
		return false
	}
	data, err := base64.StdEncoding.DecodeString(image.Inline)
	if err != nil {
		return false
	}
	c.write(nethttp.StatusOK, image.MIMEType, data)
	return true
}

// failureText is an error in words.
func failureText(f *Failure) string {
	text := string(f.Code) + ": " + pagetext.Line(f.Message) + "\n"
	for _, next := range f.Suggestions {
		text += "  " + pagetext.Line(next) + "\n"
	}
	return text
}
