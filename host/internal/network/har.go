package network

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

// HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Members that the
// specification demands are always there; sizes that are not known are -1.

// Document is a page of a HAR.
type Document struct {
	URL     string
	Title   string
	Started time.Time
}

// Content is a response's body for a HAR.
type Content struct {
	Data []byte
	Text bool
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harCookie struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Path     string `json:"path,omitempty"`
	Domain   string `json:"domain,omitempty"`
	Expires  string `json:"expires,omitempty"`
	HTTPOnly bool   `json:"httpOnly,omitempty"`
	Secure   bool   `json:"secure,omitempty"`
	SameSite string `json:"sameSite,omitempty"`
}

type harPost struct {
	MimeType string    `json:"mimeType"`
	Params   []harPair `json:"params"`
	Text     string    `json:"text"`
}

type harRequest struct {
	Method      string      `json:"method"`
	URL         string      `json:"url"`
	HTTPVersion string      `json:"httpVersion"`
	Cookies     []harCookie `json:"cookies"`
	Headers     []harPair   `json:"headers"`
	QueryString []harPair   `json:"queryString"`
	PostData    *harPost    `json:"postData,omitempty"`
	HeadersSize int         `json:"headersSize"`
	BodySize    int         `json:"bodySize"`
}

type harContent struct {
	Size     int64  `json:"size"`
	MimeType string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"`
}

type harResponse struct {
	Status      int         `json:"status"`
	StatusText  string      `json:"statusText"`
	HTTPVersion string      `json:"httpVersion"`
	Cookies     []harCookie `json:"cookies"`
	Headers     []harPair   `json:"headers"`
	Content     harContent  `json:"content"`
	RedirectURL string      `json:"redirectURL"`
	HeadersSize int         `json:"headersSize"`
	BodySize    int64       `json:"bodySize"`
	Transfer    int64       `json:"_transferSize"`
	Error       string      `json:"_error,omitempty"`
}

type harTimings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
	SSL     float64 `json:"ssl"`
}

type harSocket struct {
	Type   string  `json:"type"` // send or receive
	Time   float64 `json:"time"` // seconds since the epoch
	Opcode int     `json:"opcode"`
	Data   string  `json:"data"`
}

type harEntry struct {
	Pageref  string      `json:"pageref"`
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Server   string      `json:"serverIPAddress,omitempty"`
	Type     string      `json:"_resourceType"`
	From     string      `json:"_fromCache,omitempty"`
	Messages []harSocket `json:"_webSocketMessages,omitempty"` // as DevTools writes them
}

const harTime = "2006-01-02T15:04:05.000Z07:00"

// WriteHAR writes requests, as Get gave them, as one HAR. content gives the body of
// one, or nothing; messages those of a WebSocket.
func WriteHAR(w io.Writer, version string, page Document, requests []Request, content func(*Request) *Content, messages func(*Request) []Message) error {
	entries := make([]harEntry, 0, len(requests))
	started := page.Started
	for i := range requests {
		r := &requests[i]
		if started.IsZero() || r.Started.Before(started) {
			started = r.Started
		}
		entries = append(entries, harEntryOf(r, content(r), messages(r)))
	}
	if started.IsZero() {
		started = time.Now()
	}
	log := map[string]any{
		"version": "1.2",
		"creator": harCreator{"dbridge", version},
		"pages": []map[string]any{{
			"startedDateTime": started.UTC().Format(harTime), "id": "page_1", "title": page.URL,
			"pageTimings": map[string]any{"onContentLoad": -1, "onLoad": -1},
		}},
		"entries": entries,
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(map[string]any{"log": log})
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func harEntryOf(r *Request, content *Content, messages []Message) harEntry {
	version := harVersion(r.Protocol)
	e := harEntry{
		Pageref: "page_1", Started: r.Started.UTC().Format(harTime), Time: max(r.Ms, 0), Type: r.Kind, From: r.From,
		Request: harRequest{
			Method: r.Method, URL: r.URL, HTTPVersion: version, Cookies: requestCookies(r.RequestHeaders), Headers: harPairs(r.RequestHeaders),
			QueryString: queryOf(r.URL), HeadersSize: -1, BodySize: max(r.PostBytes, -1),
		},
		Response: harResponse{
			Status: r.Status, StatusText: r.Reason, HTTPVersion: version, Cookies: responseCookies(r.ResponseHeaders), Headers: harPairs(r.ResponseHeaders),
			Content: harContent{Size: r.Decoded, MimeType: r.Mime}, HeadersSize: -1, BodySize: -1, Transfer: r.Encoded, Error: r.Failure,
		},
		Timings: harTimings{Blocked: -1, DNS: -1, Connect: -1, SSL: -1, Send: 0, Wait: max(r.Ms, 0), Receive: 0},
	}
	if e.Response.Content.MimeType == "" {
		e.Response.Content.MimeType = "x-unknown"
	}
	if host, _, ok := cutPort(r.Remote); ok {
		e.Server = host
	}
	for _, h := range r.ResponseHeaders {
		if strings.EqualFold(h.Name, "location") && r.Status >= 300 && r.Status < 400 {
			e.Response.RedirectURL = h.Value
		}
	}
	if t := r.Timing; t != nil {
		e.Timings = harTimings{t.Blocked, t.DNS, t.Connect, t.Send, t.Wait, t.Receive, t.SSL}
		// time is the sum of the steps; ssl is part of connect
		e.Time = 0
		for _, step := range []float64{t.Blocked, t.DNS, t.Connect, t.Send, t.Wait, t.Receive} {
			e.Time += max(step, 0)
		}
	}
	if r.PostBytes != 0 {
		e.Request.PostData = postOf(r)
	}
	if content != nil {
		e.Response.Content.Size = int64(len(content.Data))
		if content.Text && utf8.Valid(content.Data) {
			e.Response.Content.Text = string(content.Data)
		} else {
			e.Response.Content.Text, e.Response.Content.Encoding = base64.StdEncoding.EncodeToString(content.Data), "base64"
		}
	}
	for _, m := range messages {
		kind, ok := map[string]string{"sent": "send", "received": "receive"}[m.Kind]
		if !ok {
			continue
		}
		opcode := 1
		if m.Binary {
			opcode = 2
		}
		e.Messages = append(e.Messages, harSocket{kind, float64(m.At.UnixMicro()) / 1e6, opcode, m.Text})
	}
	return e
}

// harVersion writes the browser's name of a protocol as HAR viewers expect it.
func harVersion(protocol string) string {
	switch protocol {
	case "h2":
		return "HTTP/2.0"
	case "h3":
		return "HTTP/3.0"
	case "":
		return "unknown"
	}
	return strings.ToUpper(protocol)
}

func cutPort(remote string) (host, port string, ok bool) {
	at := strings.LastIndexByte(remote, ':')
	if at < 0 {
		return "", "", false
	}
	return strings.Trim(remote[:at], "[]"), remote[at+1:], true
}

func harPairs(list []Header) []harPair {
	pairs := make([]harPair, 0, len(list))
	for _, h := range list {
		pairs = append(pairs, harPair(h))
	}
	return pairs
}

func queryOf(address string) []harPair {
	pairs := []harPair{}
	address, _, _ = strings.Cut(address, "#")
	_, query, _ := strings.Cut(address, "?")
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, harPair{unescape(name), unescape(value)})
	}
	return pairs
}

func unescape(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

func requestCookies(headers []Header) []harCookie {
	cookies := []harCookie{}
	for _, h := range headers {
		if !strings.EqualFold(h.Name, "cookie") {
			continue
		}
		for part := range strings.SplitSeq(h.Value, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			cookies = append(cookies, harCookie{Name: name, Value: value})
		}
	}
	return cookies
}

func responseCookies(headers []Header) []harCookie {
	cookies := []harCookie{}
	for _, h := range headers {
		if !strings.EqualFold(h.Name, "set-cookie") {
			continue
		}
		pair, rest, _ := strings.Cut(h.Value, ";")
		name, value, _ := strings.Cut(pair, "=")
		c := harCookie{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)}
		for attribute := range strings.SplitSeq(rest, ";") {
			key, value, _ := strings.Cut(strings.TrimSpace(attribute), "=")
			switch strings.ToLower(key) {
			case "path":
				c.Path = value
			case "domain":
				c.Domain = value
			case "samesite":
				c.SameSite = value
			case "secure":
				c.Secure = true
			case "httponly":
				c.HTTPOnly = true
			case "expires":
				if at, err := time.Parse(time.RFC1123, value); err == nil {
					c.Expires = at.UTC().Format(harTime)
				}
			}
		}
		cookies = append(cookies, c)
	}
	return cookies
}

func postOf(r *Request) *harPost {
	post := &harPost{MimeType: "x-unknown", Params: []harPair{}, Text: r.Post}
	for _, h := range r.RequestHeaders {
		if strings.EqualFold(h.Name, "content-type") {
			post.MimeType = h.Value
		}
	}
	if strings.HasPrefix(post.MimeType, "application/x-www-form-urlencoded") {
		post.Params = queryOf("?" + r.Post)
	}
	return post
}
