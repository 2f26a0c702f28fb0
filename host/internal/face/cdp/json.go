package cdp

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	_ "embed"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/debug-bridge/debug-bridge/host/internal/devtools"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/gate"
)

// protocolDocument is Chrome's definition of the protocol without its prose, for clients
// that make their methods of it (TestProtocolDocument writes it).
//
//go:embed protocol.json.gz
var protocolDocument []byte

// route finds what a path means. The browser's own endpoint takes a slash at the end.
func (h *Handler) route(w http.ResponseWriter, r *http.Request, identity gate.Identity) {
	words := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	for len(words) < 3 {
		words = append(words, "")
	}
	if len(words) > 3 {
		gate.Refuse(w, http.StatusNotFound)
		return
	}
	switch words[0] + "/" + words[1] {
	case "devtools/browser":
		h.connect(w, r, identity, words[2], "")
		return
	case "devtools/page":
		h.connect(w, r, identity, "", words[2])
		return
	}
	serve, ok := listing[words[1]]
	if !ok || words[0] != "json" || (words[2] != "") != serve.target {
		gate.Refuse(w, http.StatusNotFound)
		return
	}
	if r.Method != http.MethodPut && (serve.put || r.Method != http.MethodGet && r.Method != http.MethodHead) {
		gate.Refuse(w, http.StatusMethodNotAllowed)
		return
	}
	if err := serve.run(h, w, r, words[2]); err != nil {
		refuse(w, err)
	}
}

// listing is what is under /json.
var listing = map[string]struct {
	run    func(h *Handler, w http.ResponseWriter, r *http.Request, target string) error
	target bool // the path ends with a target's id
	put    bool // PUT alone
}{
	"":         {run: (*Handler).list},
	"list":     {run: (*Handler).list},
	"version":  {run: (*Handler).version},
	"protocol": {run: (*Handler).definition},
	"new":      {run: (*Handler).open, put: true},
	"close":    {run: (*Handler).close, target: true},
	"activate": {run: (*Handler).activate, target: true},
}

// refuse answers with a fault's status and words: who asks has passed the gate.
func refuse(w http.ResponseWriter, err error) {
	failure := fault.From(err)
	status := http.StatusInternalServerError
	if row, ok := fault.Lookup(failure.Code); ok {
		status = row.HTTP
	}
	text := string(failure.Code) + ": " + failure.Message + "\n"
	for _, next := range failure.Suggestions {
		text += next + "\n"
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // a peer that is gone needs no answer
}

func answer(w http.ResponseWriter, value any) error {
	body, err := json.Marshal(value, jsontext.WithIndent("   "))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_, _ = w.Write(append(body, '\n'))
	return nil
}

// address is that of a socket, reached as the client reached this one.
func address(r *http.Request, path string) string {
	raw, _, _ := strings.Cut(r.RequestURI, "?")
	prefix, _ := strings.CutSuffix(raw, r.URL.EscapedPath())
	return "ws://" + r.Host + prefix + path
}

// Address is the path and query of a browser's socket. session names one of those that the
// person's tabs are in; empty is the default one.
func Address(id, session string) string {
	path := "/devtools/browser/" + url.PathEscape(id)
	if session != "" {
		path += "?session=" + url.QueryEscape(session)
	}
	return path
}

// chosen are the words of a query that say which browser is meant.
func chosen(r *http.Request) string {
	kept := url.Values{}
	for _, name := range []string{"profile", "session"} {
		if value := r.URL.Query().Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "?" + kept.Encode()
}

func (h *Handler) version(w http.ResponseWriter, r *http.Request, _ string) error {
	place, err := h.config.Find(r.Context(), r, "")
	if err != nil {
		return err
	}
	about, err := place.Browser.Version(r.Context())
	if err != nil {
		return err
	}
	return answer(w, struct {
		Browser         string `json:"Browser"`
		ProtocolVersion string `json:"Protocol-Version"`
		UserAgent       string `json:"User-Agent"`
		V8Version       string `json:"V8-Version"`
		WebKitVersion   string `json:"WebKit-Version"`
		Address         string `json:"webSocketDebuggerUrl"`
	}{about.Browser, about.ProtocolVersion, about.UserAgent, about.V8Version, about.WebKitVersion, address(r, Address(place.ID, r.URL.Query().Get("session")))})
}

// row is a target of /json/list.
type row struct {
	Description string `json:"description"`
	ID          string `json:"id"`
	Title       string `json:"title"`
	Type        string `json:"type"`
	URL         string `json:"url"`
	Address     string `json:"webSocketDebuggerUrl"`
}

func rowOf(r *http.Request, t devtools.Target, query string) row {
	return row{ID: t.ID, Title: t.Title, Type: t.Type, URL: t.URL, Address: address(r, "/devtools/page/"+url.PathEscape(t.ID)) + query}
}

func (h *Handler) list(w http.ResponseWriter, r *http.Request, _ string) error {
	place, err := h.config.Find(r.Context(), r, "")
	if err != nil {
		return err
	}
	targets, err := place.Browser.Targets(r.Context())
	if err != nil {
		return err
	}
	rows := make([]row, len(targets))
	for i, t := range targets {
		rows[i] = rowOf(r, t, chosen(r))
	}
	return answer(w, rows)
}

func (h *Handler) definition(w http.ResponseWriter, _ *http.Request, _ string) error {
	unpacked, err := gzip.NewReader(bytes.NewReader(protocolDocument))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_, _ = io.Copy(w, unpacked)
	return nil
}

// open makes a page: /json/new?URL as Chrome has it, or ?profile=…&url=….
func (h *Handler) open(w http.ResponseWriter, r *http.Request, _ string) error {
	page := "about:blank"
	switch first, _, _ := strings.Cut(r.URL.RawQuery, "="); first {
	case "":
	case "profile", "session", "url":
		page = cmp.Or(r.URL.Query().Get("url"), page)
	default:
		plain, err := url.QueryUnescape(r.URL.RawQuery)
		if err != nil {
			return fault.New(fault.ValidationError, "the address cannot be read")
		}
		page = plain
		r = r.Clone(r.Context())
		r.URL.RawQuery = "" // what looks like ours in it is the page's
	}
	place, err := h.config.Find(r.Context(), r, "")
	if err != nil {
		return err
	}
	result, err := once(r.Context(), place.Browser, "Target.createTarget", map[string]string{"url": page})
	if err != nil {
		return err
	}
	var made struct {
		TargetID string `json:"targetId"`
	}
	if err := json.Unmarshal(result, &made); err != nil {
		return err
	}
	return answer(w, rowOf(r, devtools.Target{ID: made.TargetID, Type: "page", URL: page}, chosen(r)))
}

func (h *Handler) close(w http.ResponseWriter, r *http.Request, target string) error {
	return h.onTarget(w, r, target, "Target.closeTarget", "Target is closing")
}

func (h *Handler) activate(w http.ResponseWriter, r *http.Request, target string) error {
	return h.onTarget(w, r, target, "Target.activateTarget", "Target activated")
}

func (h *Handler) onTarget(w http.ResponseWriter, r *http.Request, target, method, done string) error {
	place, err := h.config.Find(r.Context(), r, "")
	if err != nil {
		return err
	}
	targets, err := place.Browser.Targets(r.Context())
	if err != nil {
		return err
	}
	for _, t := range targets {
		if t.ID != target {
			continue
		}
		if _, err := once(r.Context(), place.Browser, method, map[string]string{"targetId": target}); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/html; charset=UTF-8")
		_, _ = io.WriteString(w, done)
		return nil
	}
	return fault.New(fault.PageNotFound, "No such target id: %s", target)
}

// once sends one message as a client of its own.
func once(ctx context.Context, b devtools.Browser, method string, params any) (jsontext.Value, error) {
	encoded, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	out := &single{answered: make(chan struct{})}
	port, err := b.Open(ctx, out, "")
	if err != nil {
		return nil, err
	}
	defer port.Close()
	port.Send(ctx, devtools.Message{ID: 1, Method: method, Params: encoded})
	select {
	case <-out.answered:
		return out.result, out.err
	case <-ctx.Done():
		return nil, fault.New(fault.Timeout, "the browser did not answer").Because(ctx.Err())
	}
}
