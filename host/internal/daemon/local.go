package daemon

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"runtime"
	"time"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json"

	"github.com/debug-bridge/debug-bridge/host/internal/auditlog"
	facehttp "github.com/debug-bridge/debug-bridge/host/internal/face/http"
	facepage "github.com/debug-bridge/debug-bridge/host/internal/face/page"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/hostlink"
)

// envelope is the answer of the local API (docs/protocol.md, "Envelope").
type envelope struct {
	OK    bool           `json:"ok"`
	Data  any            `json:"data,omitempty"`
	Error *envelopeError `json:"error,omitempty"`
	Meta  meta           `json:"meta"`
}

type envelopeError struct {
	Code        fault.Code     `json:"code"`
	Message     string         `json:"message"`
	Details     map[string]any `json:"details,omitempty"`
	Suggestions []string       `json:"suggestions"`
}

type meta struct {
	RequestID  string `json:"requestId"`
	DurationMs int64  `json:"durationMs"`
	Retryable  bool   `json:"retryable,omitempty"`
}

// localRoutes is what our own programs reach over the Unix socket.
func (d *Daemon) localRoutes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/debug", d.sockets)
	mux.HandleFunc("/hostlink", d.serveLink)
	mux.HandleFunc("GET /v1/daemon/status", d.answer(d.status))
	mux.HandleFunc("POST /v1/daemon/stop", d.answer(d.stopSoon))
	mux.HandleFunc("POST /v1/daemon/reload", d.answer(d.reload))
	mux.HandleFunc("POST /v1/doctor/echo", d.answer(d.echo))
	mux.Handle("POST /v1/run", facehttp.Run(d.runner, d.identify))
	mux.HandleFunc("POST /v1/argv", d.argv)
	mux.Handle("/", d.api)
	return masked(mux)
}

// publicRoutes is what everyone else reaches over TCP, behind the gate.
func (d *Daemon) publicRoutes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/debug", d.sockets)
	facepage.Mount(mux)
	for _, path := range []string{"/json", "/json/", "/devtools/"} {
		mux.Handle(path, d.devtools)
	}
	mux.Handle("/", d.api)
	return masked(mux)
}

// answer wraps a handler's value or error into the envelope.
func (d *Daemon) answer(handle func(context.Context) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d.idle.touch()
		start := time.Now()
		data, err := handle(r.Context())
		out := envelope{OK: err == nil, Data: data, Meta: meta{RequestID: newRequestID(), DurationMs: time.Since(start).Milliseconds()}}
		status := http.StatusOK
		if err != nil {
			failure := fault.From(err)
			row, _ := fault.Lookup(failure.Code)
			status = row.HTTP
			out.Data = nil
			out.Error = &envelopeError{failure.Code, failure.Message, failure.Details, failure.Suggestions}
			out.Meta.Retryable = failure.Retryable()
		}
		body, err := json.Marshal(out, json.Deterministic(true))
		if err != nil {
			http.Error(w, `{"ok":false}`, http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(append(body, '\n'))
	}
}

func newRequestID() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails on the systems we run on (crypto/rand docs)
	return hex.EncodeToString(random[:])
}

// serveLink is the daemon's end of a relay process.
func (d *Daemon) serveLink(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		d.log.Warn().Err(err).Msg("relay not accepted")
		return
	}
	d.idle.touch()
	if err := d.links.Serve(r.Context(), hostlink.WebSocket(conn)); err != nil {
		d.log.Debug().Err(err).Msg("relay ended")
	}
}

type browserStatus struct {
	ID               string `json:"id"`
	Name             string `json:"name"`
	Browser          string `json:"browser"`
	ExtensionVersion string `json:"extensionVersion"`
}

// status is what `dbridge daemon status` shows.
func (d *Daemon) status(context.Context) (any, error) {
	list := []browserStatus{}
	for _, b := range d.browsers.list() {
		hello := b.Hello()
		list = append(list, browserStatus{b.ID(), hello.Name, hello.Browser, hello.ExtensionVersion})
	}
	found := d.discovery()
	return struct {
		Pid       int    `json:"pid"`
		Version   string `json:"version"`
		Epoch     string `json:"epoch"`
		StartedAt string `json:"startedAt"`
		Socket    string `json:"socket"`
		Port      int    `json:"port"`
		URL       string `json:"url"`
		HTTPURL   string `json:"httpUrl"`
		CDPURL    string `json:"cdpUrl"`
		// A number that grows with the commands is a leak; the benchmarks look at it.
		Goroutines int             `json:"goroutines"`
		Audit      auditlog.Stats  `json:"audit"`
		Browsers   []browserStatus `json:"browsers"`
		Sessions   any             `json:"sessions"`
	}{found.Pid, found.Version, found.Epoch, found.StartedAt, found.Socket, found.Port, found.URL, found.HTTPURL, found.CDPURL, runtime.NumGoroutine(), d.audit.Stats(), list, d.hub.Stats()}, nil
}

// stopSoon answers first and stops then.
func (d *Daemon) stopSoon(context.Context) (any, error) {
	d.stopOnce.Do(func() { time.AfterFunc(50*time.Millisecond, d.stop) })
	return map[string]any{"stopping": true}, nil
}

func (d *Daemon) reload(context.Context) (any, error) {
	d.recheckTokens()
	return map[string]any{"reloaded": true}, nil
}

// echo measures every hop down to the pages, for the doctor.
func (d *Daemon) echo(ctx context.Context) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	type pageEcho struct {
		PageID int     `json:"pageId"`
		URL    string  `json:"url"`
		Ms     float64 `json:"ms"`
		Error  string  `json:"error,omitempty"`
		Fix    string  `json:"fix,omitempty"`
	}
	type browserEcho struct {
		browserStatus
		Ms    float64    `json:"ms"`
		Error string     `json:"error,omitempty"`
		Pages []pageEcho `json:"pages"`
	}
	out := []browserEcho{}
	hellos := make(map[string]browserStatus)
	for _, b := range d.browsers.list() {
		hello := b.Hello()
		hellos[b.ID()] = browserStatus{b.ID(), hello.Name, hello.Browser, hello.ExtensionVersion}
	}
	for _, e := range d.pages.EchoAll(ctx) {
		row := browserEcho{browserStatus: hellos[e.BrowserID], Ms: ms(e.Took), Pages: []pageEcho{}}
		if e.Err != nil {
			row.Error = e.Err.Error()
		}
		for _, t := range e.Tabs {
			took, url, err := t.Ping(ctx)
			p := pageEcho{PageID: t.PageID(), URL: url, Ms: ms(took)}
			if err != nil {
				p.Error = err.Error()
				if next := fault.From(err).Suggestions; len(next) > 0 {
					p.Fix = next[0] // it knows the reason, the table of codes does not
				}
			}
			row.Pages = append(row.Pages, p)
		}
		out = append(out, row)
	}
	return map[string]any{"browsers": out}, nil
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// busy reports whether anybody is connected.
func (d *Daemon) busy() bool {
	taken, _ := d.slots.Slots()
	return taken > 0 || len(d.browsers.list()) > 0 || len(d.hub.Agents()) > 0
}

// tellAgents shows the people at the popups who is attached.
func (d *Daemon) tellAgents() {
	found := d.discovery()
	d.auditAgents()
	payload := map[string]any{"sessions": d.actors(), "daemonVersion": found.Version, "url": found.URL}
	for _, b := range d.browsers.list() {
		if err := b.Notify("agents", payload); err != nil {
			d.log.Debug().Err(err).Str("browser", b.ID()).Msg("the popup could not be told")
		}
	}
	d.idle.touch()
}
