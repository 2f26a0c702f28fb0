package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/debug-bridge/debug-bridge/host/internal/catalog"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/network"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

var networkCommands = []*catalog.Command{
	define(catalog.Spec{
		Name: "network.list", Tool: "list_network_requests", Summary: "List the page's requests.",
		Long: "Gives the newest requests of the present document, oldest first; redirects are rows of their own. Secrets are masked. " +
			"Over the extension requests are recorded from the first network command on (completeSince).",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe,
		Faults: []fault.Code{fault.CapabilityMissing, fault.FileAccessFailed},
		Examples: []catalog.Example{
			{Line: "network list --status error", Note: "failed, or answered with 400 and above"},
			{Line: "network list --type fetch --type xhr --url /api/", Note: "what the app asked its server"},
			{Line: "network list --har page.har --overwrite", Note: "all of it as HAR 1.2"},
		},
	}, networkList),
	define(catalog.Spec{
		Name: "network.get", Tool: "get_network_request", Summary: "Get one request: headers, bodies, timing, what made it.",
		Long:   "The browser keeps bodies of the present document only. --file writes one whole; in the answer it is cut at --max-bytes.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe, Positional: []string{"id"},
		Faults: []fault.Code{fault.NetworkRequestNotFound, fault.CapabilityMissing, fault.FileAccessFailed, fault.PolicyDenied},
		Examples: []catalog.Example{
			{Line: "network get 1"},
			{Line: "network get 1 --include headers --include timing"},
			{Line: "network get 1 --include responseBody --max-bytes 20000", Note: "--file writes it whole"},
		},
	}, networkGet),
	define(catalog.Spec{
		Name: "network.wait", Tool: "wait_for_request", Summary: "Wait until a request is answered or has failed.",
		Long:   "Sees what came since your last action began on this page, too; --since ID sets another start.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe, Positional: []string{"url"},
		Faults: []fault.Code{fault.Timeout, fault.CapabilityMissing},
		Examples: []catalog.Example{
			{Line: "network wait /app/"},
			{Line: "network wait '*.js' --status 2xx --method GET"},
		},
	}, networkWait),
	define(catalog.Spec{
		Name: "network.frames", Tool: "list_websocket_frames", Summary: "List the messages of a WebSocket or an event stream.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe, Positional: []string{"id"},
		Faults: []fault.Code{fault.NetworkRequestNotFound, fault.CapabilityMissing},
		Examples: []catalog.Example{
			{Line: "network frames 1"},
			{Line: "network frames 1 --since 10 --limit 5"},
		},
	}, networkFrames),
	define(catalog.Spec{
		Name: "network.block", Tool: "block_requests", Summary: "Let requests fail whose address fits a pattern.",
		Long:   "Lasts until network unblock, or the end of the context; shown in session status.",
		Effect: catalog.Session, Needs: catalog.Dialog, Level: protocol.Control, Positional: []string{"patterns"},
		Examples: []catalog.Example{
			{Line: "network block '*.png' /analytics/"},
			{Line: "network block /api/ --method POST"},
		},
	}, networkBlock),
	define(catalog.Spec{
		Name: "network.mock", Tool: "mock_request", Summary: "Answer requests whose address fits a pattern, in place of the server.",
		Long:   "Lasts until network unmock, or the end of the context; shown in session status.",
		Effect: catalog.Session, Needs: catalog.Dialog, Level: protocol.Control, Positional: []string{"pattern"},
		Faults: []fault.Code{fault.FileAccessFailed},
		Examples: []catalog.Example{
			{Line: `network mock /api/items --body '[{"id":1}]' --content-type application/json`},
			{Line: "network mock /api/items --status 503 --delay 1500"},
		},
	}, networkMock),
	define(catalog.Spec{
		Name: "network.unblock", Tool: "unblock_requests", Summary: "Take blocking patterns back.",
		Effect: catalog.Session, Needs: catalog.Dialog, Level: protocol.Control, Positional: []string{"pattern"},
		Examples: []catalog.Example{
			{Line: "network unblock --all"},
			{Line: "network unblock '*.png' --if-any", Note: "no error where it is not blocked"},
		},
	}, networkUnblock),
	define(catalog.Spec{
		Name: "network.unmock", Tool: "unmock_requests", Summary: "Take mocks back.",
		Effect: catalog.Session, Needs: catalog.Dialog, Level: protocol.Control, Positional: []string{"pattern"},
		Examples: []catalog.Example{
			{Line: "network unmock --all"},
			{Line: "network unmock /api/items --if-any", Note: "no error where there is no such mock"},
		},
	}, networkUnmock),
	define(catalog.Spec{
		Name: "network.mocks", Tool: "list_mocks", Summary: "List what is blocked and mocked, and how often each was used.",
		Effect: catalog.Read, Needs: catalog.Dialog, Level: protocol.Observe,
		Examples: []catalog.Example{
			{Line: "network mocks"},
			{Line: "network mocks --page 1"},
		},
	}, networkMocks),
}

type networkFilter struct {
	URL    string   `json:"url,omitempty" doc:"Text in the address, glob (*.js) or /regex/."`
	Type   []string `json:"type,omitempty" enum:"document,stylesheet,image,media,font,script,texttrack,xhr,fetch,prefetch,eventsource,websocket,manifest,signedexchange,ping,cspviolationreport,preflight,fedcm,other" doc:"Only these types."`
	Status string   `json:"status,omitempty" doc:"200, 4xx, ok, error (failed or from 400), failed or pending."`
	Method string   `json:"method,omitempty" doc:"GET, POST, …."`
}

func (f *networkFilter) query() (network.Query, error) {
	q := network.Query{Kinds: f.Type, Status: network.Status(f.Status), Method: f.Method}
	if !q.Status.Valid() {
		return q, problem("the status %q is not understood", f.Status).Suggest("Use 200, 4xx, ok, error, failed or pending.")
	}
	if f.URL != "" {
		pattern, err := network.ParsePattern(f.URL)
		if err != nil {
			return q, problem("%v", err).Suggest("Use text, a glob such as *.js, or /regex/.")
		}
		q.URL = pattern
	}
	return q, nil
}

// words says what is sought.
func (f *networkFilter) words() string {
	parts := []string{}
	for _, part := range []string{f.Method, strings.Join(f.Type, "|"), f.URL} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	text := "a request"
	if len(parts) > 0 {
		text += " " + strings.Join(parts, " ")
	}
	if f.Status != "" {
		text += " with status " + f.Status
	}
	return text
}

type networkListParams struct {
	networkFilter
	Since     int    `json:"since,omitempty" min:"0" doc:"Requests after this id, oldest first."`
	Before    int    `json:"before,omitempty" min:"0" doc:"Requests before this id."`
	Limit     int    `json:"limit,omitempty" default:"30" min:"1" max:"1000" doc:"At most so many."`
	Preserved bool   `json:"preserved,omitempty" doc:"Of earlier documents, too."`
	HAR       string `json:"har,omitempty" local:"true" doc:"Write all that fit to this file as HAR 1.2."`
	Bodies    bool   `json:"bodies,omitempty" doc:"With --har: the response bodies that the browser still has, up to 1 MiB each."`
	Overwrite bool   `json:"overwrite,omitempty" doc:"Replace the file."`
}

type networkRow struct {
	ID       int     `json:"id"`
	Method   string  `json:"method"`
	Status   int     `json:"status,omitempty"`
	State    string  `json:"state,omitempty" doc:"pending, failed or redirected; nothing when it is finished."`
	Type     string  `json:"type"`
	URL      string  `json:"url"`
	Bytes    int64   `json:"bytes,omitempty" doc:"On the wire."`
	Ms       float64 `json:"ms,omitempty"`
	From     string  `json:"from,omitempty" doc:"memory cache, disk cache, service worker or prefetch."`
	Failure  string  `json:"failure,omitempty" doc:"Why it failed."`
	Next     int     `json:"redirectedTo,omitempty" doc:"Id of the request that followed."`
	Messages int     `json:"messages,omitempty" doc:"Of a WebSocket or event stream."`
	Early    bool    `json:"earlier,omitempty" doc:"Of a document before the present one."`
}

func networkRowOf(r *network.Request, pageURL string) networkRow {
	row := networkRow{
		ID: r.ID, Method: r.Method, Status: r.Status, Type: r.Kind, URL: here(pageURL, brief(r.URL, 300)), Bytes: r.Encoded,
		Ms: float64(int64(r.Ms*10)) / 10, From: r.From, Failure: failureOf(r), Next: r.Next, Messages: r.Messages, Early: r.Earlier,
	}
	if r.State != network.Finished {
		row.State = string(r.State)
	}
	return row
}

// failureOf says in words why there is no answer.
func failureOf(r *network.Request) string {
	if r.State != network.Failed {
		return ""
	}
	text := r.Failure
	switch {
	case r.Cors != "":
		text += " CORS: " + r.Cors
	case r.Blocked != "":
		text += " blocked: " + r.Blocked
	case r.Cancelled && text == "net::ERR_ABORTED":
		text = "cancelled"
	}
	return strings.TrimSpace(text)
}

func (r networkRow) line() string {
	var b strings.Builder
	status := r.State
	if r.Status != 0 {
		status = strconv.Itoa(r.Status)
	}
	if status == "" {
		status = "-"
	}
	fmt.Fprintf(&b, "%d %s %s %s %s", r.ID, r.Method, status, r.Type, r.URL)
	if r.State == string(network.Pending) && r.Status != 0 {
		b.WriteString(" open")
	}
	if r.Bytes > 0 {
		b.WriteString(" " + sizeText(r.Bytes))
	}
	if r.Ms >= 1 {
		fmt.Fprintf(&b, " %.0fms", r.Ms)
	}
	if r.From != "" {
		b.WriteString(" from " + r.From)
	}
	if r.Failure != "" {
		b.WriteString(" " + r.Failure)
	}
	if r.Next != 0 {
		fmt.Fprintf(&b, " → %d", r.Next)
	}
	if r.Messages > 0 {
		fmt.Fprintf(&b, " %d messages", r.Messages)
	}
	return b.String()
}

func sizeText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%dB", n)
	case n < 1000_000:
		return fmt.Sprintf("%.1fkB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1fMB", float64(n)/1000_000)
}

type networkListResult struct {
	Requests      []networkRow `json:"requests"`
	Total         int          `json:"total" doc:"All that fit."`
	Failed        int          `json:"failed,omitempty" doc:"Of them failed, or answered with 400 and above."`
	NextCursor    int          `json:"nextCursor" doc:"Give it to --since for what comes next."`
	More          int          `json:"more,omitempty" doc:"Requests that fit and come after the last one here."`
	Older         int          `json:"older,omitempty" doc:"Requests that fit and come before the first one here."`
	Dropped       int          `json:"dropped,omitempty" doc:"Requests that are gone because there were too many."`
	CompleteSince string       `json:"completeSince,omitempty" doc:"Earlier requests were not recorded."`
	HAR           string       `json:"har,omitempty" doc:"The file."`
	Entries       int          `json:"entries,omitempty" doc:"Requests in it."`
}

func (r networkListResult) Text() string {
	if r.HAR != "" {
		return fmt.Sprintf("%s: %d requests", r.HAR, r.Entries)
	}
	var b strings.Builder
	if r.Older > 0 {
		fmt.Fprintf(&b, "(%d older: --before %d)\n", r.Older, r.Requests[0].ID)
	}
	for _, row := range r.Requests {
		b.WriteString(row.line() + "\n")
	}
	if len(r.Requests) == 0 {
		b.WriteString("no requests\n")
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "(%d more: --since %d)\n", r.More, r.NextCursor)
	}
	if r.Dropped > 0 {
		fmt.Fprintf(&b, "(%d dropped)\n", r.Dropped)
	}
	if r.CompleteSince != "" {
		fmt.Fprintf(&b, "(complete since %s)\n", r.CompleteSince)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func networkList(ctx context.Context, env *Env, p *networkListParams) (networkListResult, error) {
	r, q, err := env.requests(ctx, &p.networkFilter)
	if err != nil {
		return networkListResult{}, err
	}
	q.Since, q.Before, q.Preserved, q.Limit = p.Since, p.Before, p.Preserved, p.Limit
	out := networkListResult{Requests: []networkRow{}, CompleteSince: r.completeSince(env)}
	if p.HAR != "" {
		q.Limit = 0
		out.HAR, out.Entries, err = writeHAR(ctx, env, r, q, p)
		return out, err
	}
	list := r.network.List(q)
	out.Total, out.Failed, out.NextCursor, out.More, out.Older, out.Dropped = list.Total, list.Failed, list.Cursor, list.More, list.Older, list.Dropped
	pageURL := env.Tab.Info().URL
	for i := range list.Requests {
		out.Requests = append(out.Requests, networkRowOf(&list.Requests[i], pageURL))
	}
	return out, nil
}

// requests makes sure that requests are recorded, and reads a filter.
func (e *Env) requests(ctx context.Context, f *networkFilter) (*record, network.Query, error) {
	q, err := f.query()
	if err != nil {
		return nil, q, err
	}
	r, err := e.records()
	if err != nil {
		return nil, q, err
	}
	return r, q, r.listen(ctx, e)
}

// completeSince is told where the record begins after the page.
func (r *record) completeSince(env *Env) string {
	if env.Tab.Info().Source != protocol.SourceExtension {
		return ""
	}
	return r.network.CompleteSince().UTC().Format("2006-01-02T15:04:05.000Z")
}

type networkWaitParams struct {
	networkFilter
	Since *int `json:"since,omitempty" min:"0" doc:"Requests after this id; without it those since your last action began."`
}

type networkWaitResult struct {
	networkRow
	NextCursor int `json:"nextCursor" doc:"Give it to --since of the next wait or list."`
}

func (r networkWaitResult) Text() string { return r.line() }

func networkWait(ctx context.Context, env *Env, p *networkWaitParams) (networkWaitResult, error) {
	r, q, err := env.requests(ctx, &p.networkFilter)
	if err != nil {
		return networkWaitResult{}, err
	}
	from, acted := r.markOf(env.Agent)
	switch {
	case p.Since != nil:
		q.Since, q.Preserved = *p.Since, true
	case acted:
		q.Since, q.Preserved = from.network, true
	}
	q.Answered = q.Status != "pending"
	for {
		changed := r.network.Changed()
		if found, ok := r.network.Find(q); ok {
			return networkWaitResult{networkRowOf(&found, env.Tab.Info().URL), found.ID}, nil
		}
		select {
		case <-changed:
		case <-r.ctx.Done():
			return networkWaitResult{}, fault.New(fault.PageNotFound, "the page was closed while waiting").Suggest("dbridge page list")
		case <-ctx.Done():
			return networkWaitResult{}, r.noRequest(env, p, q)
		}
	}
}

// noRequest says what was asked for instead.
func (r *record) noRequest(env *Env, p *networkWaitParams, q network.Query) error {
	pageURL := env.Tab.Info().URL
	pick := func(q network.Query) (lines []string) {
		list := r.network.List(q).Requests
		for i := range list[max(0, len(list)-3):] {
			row := networkRowOf(&list[max(0, len(list)-3)+i], pageURL)
			lines = append(lines, row.line())
		}
		return lines
	}
	others := r.network.List(network.Query{Since: q.Since, Preserved: q.Preserved, Limit: 1}).Total
	f := fault.New(fault.Timeout, "%s was not answered; %d other requests were made", p.words(), others)
	near := q
	near.Answered, near.Status = false, ""
	if lines := pick(near); len(lines) > 0 {
		f.With("almost", lines)
	} else {
		f.With("lastRequests", pick(network.Query{Since: q.Since, Preserved: q.Preserved}))
	}
	return f.Suggest("dbridge network list", "Give it more time: --timeout MS")
}

type networkFramesParams struct {
	ID          int  `json:"id" min:"1" doc:"Id of the request, from network list --type websocket."`
	Since       int  `json:"since,omitempty" min:"0" doc:"Messages after this number."`
	Limit       int  `json:"limit,omitempty" default:"30" min:"1" max:"1000" doc:"At most so many."`
	ShowSecrets bool `json:"showSecrets,omitempty" doc:"Do not mask secrets; not of a person's own browser."`
}

type frameRow struct {
	N      int    `json:"n"`
	Kind   string `json:"kind" doc:"sent, received, error; or the name of a server-sent event."`
	Text   string `json:"text" doc:"Page text, secrets masked; base64 when binary."`
	Bytes  int    `json:"bytes,omitempty" doc:"Where the text is cut, or binary."`
	Binary bool   `json:"binary,omitempty"`
	Time   string `json:"time"`
}

type networkFramesResult struct {
	Messages []frameRow `json:"messages"`
	Total    int        `json:"total"`
	Dropped  int        `json:"dropped,omitempty" doc:"Messages that are gone because there were too many."`
}

func (r networkFramesResult) Text() string {
	var b strings.Builder
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "%d %s %s", m.N, m.Kind, m.Text)
		if m.Bytes > 0 {
			fmt.Fprintf(&b, " (%d bytes)", m.Bytes)
		}
		b.WriteByte('\n')
	}
	if len(r.Messages) < r.Total {
		fmt.Fprintf(&b, "(%d in all)", r.Total)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func networkFrames(ctx context.Context, env *Env, p *networkFramesParams) (networkFramesResult, error) {
	if err := maySeeSecrets(env, p.ShowSecrets); err != nil {
		return networkFramesResult{}, err
	}
	r, _, err := env.requests(ctx, &networkFilter{})
	if err != nil {
		return networkFramesResult{}, err
	}
	list, total, dropped, ok := r.network.Messages(p.ID, p.Since, p.Limit, p.ShowSecrets)
	if !ok {
		return networkFramesResult{}, r.noID(p.ID)
	}
	out := networkFramesResult{Messages: []frameRow{}, Total: total, Dropped: dropped}
	for _, m := range list {
		row := frameRow{N: m.N, Kind: m.Kind, Text: m.Text, Binary: m.Binary, Time: m.At.UTC().Format("15:04:05.000")}
		if m.Binary || m.Bytes > len(m.Text) {
			row.Bytes = m.Bytes
		}
		out.Messages = append(out.Messages, row)
	}
	return out, nil
}

func (r *record) noID(id int) error {
	oldest, newest := r.network.Range()
	f := fault.New(fault.NetworkRequestNotFound, "there is no request %d: the ids are %d to %d", id, oldest, newest)
	if newest == 0 {
		f = fault.New(fault.NetworkRequestNotFound, "there is no request %d: none was recorded", id)
	}
	return f.Suggest("dbridge network list --preserved")
}

// textual reports a content type whose body is text.
func textual(mime string) bool {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	return strings.HasPrefix(mime, "text/") || strings.HasSuffix(mime, "+json") || strings.HasSuffix(mime, "+xml") ||
		slices.Contains([]string{"application/json", "application/javascript", "application/xml", "application/x-www-form-urlencoded", "application/x-javascript", "image/svg+xml", ""}, mime)
}
