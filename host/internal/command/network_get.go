package command

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
	"github.com/debug-bridge/debug-bridge/host/internal/redact"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

type networkGetParams struct {
	ID          int      `json:"id" min:"1" doc:"Id of the request, from network list."`
	Include     []string `json:"include,omitempty" enum:"headers,requestBody,responseBody,timing,initiator,all" doc:"What to add to the summary."`
	File        string   `json:"file,omitempty" local:"true" doc:"Write the body to this file, whole."`
	Overwrite   bool     `json:"overwrite,omitempty" doc:"Replace the file."`
	MaxBytes    int      `json:"maxBytes,omitempty" default:"8192" min:"1" max:"4194304" doc:"Cut bodies in the answer here."`
	ShowSecrets bool     `json:"showSecrets,omitempty" doc:"Do not mask secrets; not of a person's own browser."`
}

type bodyPart struct {
	Text     string `json:"text,omitempty" doc:"Page text, secrets masked."`
	Base64   string `json:"base64,omitempty" doc:"Of what is no text."`
	Bytes    int    `json:"bytes" doc:"Of the whole body."`
	Cut      bool   `json:"cut,omitempty" doc:"Only the beginning is here: use --file or --max-bytes."`
	Redacted bool   `json:"redacted,omitempty" doc:"Secrets are masked in it."`
	Gone     string `json:"unavailable,omitempty" doc:"Why it cannot be had."`
}

type timingPart struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns,omitempty"`
	Connect float64 `json:"connect,omitempty"`
	TLS     float64 `json:"tls,omitempty"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait" doc:"Until the first byte of the answer."`
	Receive float64 `json:"receive"`
}

type networkGetResult struct {
	networkRow
	StatusText      string      `json:"statusText,omitempty"`
	MimeType        string      `json:"mimeType,omitempty"`
	Protocol        string      `json:"protocol,omitempty"`
	Remote          string      `json:"remoteAddress,omitempty"`
	Time            string      `json:"time"`
	Previous        int         `json:"redirectedFrom,omitempty"`
	RequestHeaders  []string    `json:"requestHeaders,omitempty" doc:"name: value, secrets masked."`
	ResponseHeaders []string    `json:"responseHeaders,omitempty"`
	RequestBody     *bodyPart   `json:"requestBody,omitempty"`
	ResponseBody    *bodyPart   `json:"responseBody,omitempty"`
	Timing          *timingPart `json:"timing,omitempty" doc:"ms by step."`
	Initiator       string      `json:"initiator,omitempty" doc:"What made the request."`
	File            string      `json:"file,omitempty"`
}

func (r networkGetResult) Text() string {
	var b strings.Builder
	b.WriteString(r.line())
	for _, word := range []string{r.MimeType, r.Protocol, r.Remote} {
		if word != "" {
			b.WriteString(" " + word)
		}
	}
	if r.Initiator != "" {
		b.WriteString("\nmade by " + r.Initiator)
	}
	if t := r.Timing; t != nil {
		fmt.Fprintf(&b, "\nms: blocked %.1f dns %.1f connect %.1f send %.1f wait %.1f receive %.1f", t.Blocked, t.DNS, t.Connect, t.Send, t.Wait, t.Receive)
	}
	section := func(name string, lines []string) {
		if len(lines) > 0 {
			b.WriteString("\n" + name + ":\n  " + strings.Join(lines, "\n  "))
		}
	}
	section("request headers", r.RequestHeaders)
	section("response headers", r.ResponseHeaders)
	body := func(name string, p *bodyPart) {
		switch {
		case p == nil:
		case p.Gone != "":
			b.WriteString("\n" + name + ": " + p.Gone)
		default:
			fmt.Fprintf(&b, "\n%s (%d bytes", name, p.Bytes)
			if p.Cut {
				b.WriteString(", cut")
			}
			b.WriteString("):\n" + p.Text + p.Base64)
		}
	}
	body("request body", r.RequestBody)
	body("response body", r.ResponseBody)
	if r.File != "" {
		b.WriteString("\nwritten to " + r.File)
	}
	return b.String()
}

// headersPatience bounds the wait for headers that the browser tells of by another way than the answer itself.
const headersPatience = 500 * time.Millisecond

// awaitHeaders waits for the headers of the wire (cookies are in them alone) that are on their way.
func (r *record) awaitHeaders(ctx context.Context, id int) {
	ctx, cancel := context.WithTimeout(ctx, headersPatience)
	defer cancel()
	for {
		changed := r.network.Changed()
		if !r.network.HeadersDue(id) {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

func networkGet(ctx context.Context, env *Env, p *networkGetParams) (networkGetResult, error) {
	if err := maySeeSecrets(env, p.ShowSecrets); err != nil {
		return networkGetResult{}, err
	}
	r, _, err := env.requests(ctx, &networkFilter{})
	if err != nil {
		return networkGetResult{}, err
	}
	r.awaitHeaders(ctx, p.ID)
	req, ok := r.network.Get(p.ID, p.ShowSecrets)
	if !ok {
		return networkGetResult{}, r.noID(p.ID)
	}
	pageURL := env.Tab.Info().URL
	out := networkGetResult{
		networkRow: networkRowOf(&req, pageURL), StatusText: req.Reason, MimeType: req.Mime, Protocol: req.Protocol, Remote: req.Remote,
		Previous: req.Previous, Time: req.Started.UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	if out.StatusText == http.StatusText(req.Status) {
		out.StatusText = ""
	}
	wants := func(what string) bool {
		return slices.Contains(p.Include, what) || slices.Contains(p.Include, "all")
	}
	if wants("headers") {
		out.RequestHeaders, out.ResponseHeaders = headerLines(req.RequestHeaders), headerLines(req.ResponseHeaders)
	}
	if wants("initiator") || req.Failed() {
		out.Initiator = initiatorText(req.Initiator, pageURL)
	}
	if t := req.Timing; wants("timing") && t != nil {
		out.Timing = &timingPart{round(t.Blocked), round(t.DNS), round(t.Connect), round(t.SSL), round(t.Send), round(t.Wait), round(t.Receive)}
	}
	toFile := ""
	if p.File != "" {
		toFile = "responseBody"
		if slices.Contains(p.Include, "requestBody") && !slices.Contains(p.Include, "responseBody") {
			toFile = "requestBody"
		}
	}
	for _, side := range []struct {
		name string
		get  func(context.Context, *Env, *network.Request) ([]byte, error)
		mime string
		part **bodyPart
	}{
		{"requestBody", requestBody, "", &out.RequestBody},
		{"responseBody", responseBody, req.Mime, &out.ResponseBody},
	} {
		if !wants(side.name) && toFile != side.name || side.name == "requestBody" && req.PostBytes == 0 && toFile != side.name {
			continue
		}
		if !env.Tab.Info().Level.Allows(protocol.Control) {
			return out, needsControl("Bodies come from the page's debugger")
		}
		data, err := side.get(ctx, env, &req)
		if err != nil {
			if toFile == side.name {
				return out, err
			}
			*side.part = &bodyPart{Gone: fault.From(err).Message}
			continue
		}
		data, masked := maskBody(data, side.mime, p.ShowSecrets, toFile == side.name)
		if toFile == side.name {
			if out.File, err = state.WriteOutput(env.Caller.Cwd, p.File, p.Overwrite, data); err != nil {
				return out, err
			}
			*side.part = &bodyPart{Bytes: len(data), Redacted: masked}
			continue
		}
		*side.part = part(data, masked, p.MaxBytes)
	}
	return out, nil
}

// maskBody masks the secrets of a body that is text. Scripts and styles that go to a
// file stay as they are: they are the same for everyone.
func maskBody(data []byte, mime string, raw, toFile bool) ([]byte, bool) {
	code := strings.Contains(mime, "javascript") || strings.Contains(mime, "css") || strings.Contains(mime, "wasm")
	if raw || !utf8.Valid(data) || !textual(mime) || toFile && code {
		return data, false
	}
	clean := redact.Text
	if strings.Contains(mime, "html") {
		clean = redact.HTML
	}
	text := clean(string(data))
	return []byte(text), text != string(data)
}

// part is a body for an answer.
func part(data []byte, masked bool, limit int) *bodyPart {
	out := &bodyPart{Bytes: len(data), Redacted: masked}
	if !utf8.Valid(data) {
		limit = limit / 4 * 3
		out.Cut = len(data) > limit
		out.Base64 = base64.StdEncoding.EncodeToString(data[:min(len(data), limit)])
		return out
	}
	out.Cut = len(data) > limit
	out.Text = string(data)
	if out.Cut {
		for limit > 0 && !utf8.RuneStart(data[limit]) {
			limit--
		}
		out.Text = string(data[:limit])
	}
	return out
}

func requestBody(ctx context.Context, env *Env, r *network.Request) ([]byte, error) {
	if r.PostBytes == 0 {
		return nil, nil
	}
	var answer struct {
		PostData string `json:"postData"`
		Base64   bool   `json:"base64Encoded"`
	}
	if err := env.Tab.Session(r.Session).Call(ctx, "Network.getRequestPostData", map[string]any{"requestId": r.RequestID}, &answer); err != nil {
		if r.PostBytes > 0 && len(r.Post) > 0 {
			return []byte(r.Post), nil // the browser forgot it, we have the beginning
		}
		return nil, gone(err, "request body")
	}
	if answer.Base64 {
		return base64.StdEncoding.DecodeString(answer.PostData)
	}
	return []byte(answer.PostData), nil
}

func responseBody(ctx context.Context, env *Env, r *network.Request) ([]byte, error) {
	switch {
	case r.State == network.Redirected:
		return nil, fault.New(fault.NetworkRequestNotFound, "a redirect has no body; request %d followed it", r.Next).
			Suggest(fmt.Sprintf("dbridge network get %d --include responseBody", r.Next))
	case r.State == network.Pending && r.Status != 0:
		if data, err := unreadBody(ctx, env, r); err == nil && len(data) > 0 {
			return data, nil
		}
		fallthrough
	case r.State == network.Pending:
		return nil, fault.New(fault.NetworkRequestNotFound, "the request is not finished").Suggest(fmt.Sprintf("dbridge network get %d --include responseBody", r.ID))
	}
	var answer struct {
		Body   string `json:"body"`
		Base64 bool   `json:"base64Encoded"`
	}
	if err := env.Tab.Session(r.Session).Call(ctx, "Network.getResponseBody", map[string]any{"requestId": r.RequestID}, &answer); err != nil {
		return nil, gone(err, "response body")
	}
	if answer.Base64 {
		return base64.StdEncoding.DecodeString(answer.Body)
	}
	return []byte(answer.Body), nil
}

// unreadBody is what came so far of an answer whose body the page has not read to its
// end. Scripts that look at the status alone never do, and then it never counts as loaded.
func unreadBody(ctx context.Context, env *Env, r *network.Request) ([]byte, error) {
	var answer struct {
		Data string `json:"bufferedData"`
	}
	if err := env.Tab.Session(r.Session).Call(ctx, "Network.streamResourceContent", map[string]any{"requestId": r.RequestID}, &answer); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(answer.Data)
}

// gone says that the browser keeps a body no more: it drops those of earlier documents and of long ago.
func gone(err error, what string) error {
	failure := fault.From(err)
	if failure.Code != fault.CDPError {
		return failure
	}
	return fault.New(fault.NetworkRequestNotFound, "the browser has the %s no more, or there was none", what).Because(err).
		Suggest("Do it again, and get the body before the page moves on.")
}

func headerLines(list []network.Header) []string {
	lines := make([]string, 0, len(list))
	for _, h := range list {
		lines = append(lines, h.Name+": "+h.Value)
	}
	return lines
}

func initiatorText(i network.Initiator, pageURL string) string {
	if i.URL == "" {
		return i.Kind
	}
	return fmt.Sprintf("%s %s:%d", i.Kind, here(pageURL, i.URL), i.Line)
}

// round keeps a tenth; a step that was not taken is 0.
func round(ms float64) float64 { return float64(int64(max(ms, 0)*10+0.5)) / 10 }
