package cli_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/debug-bridge/debug-bridge/host/internal/state"
	"github.com/debug-bridge/debug-bridge/host/internal/version"
)

// fake is a daemon that keeps the protocol where the client could be wrong,
// and fails on command: x.die, x.drop, x.swallow, x.deny; x.say makes events.
// Every command it gets is a line of commands.log in its home.
type fake struct {
	home   *state.Home
	epoch  string
	ctx    context.Context
	stop   context.CancelFunc
	socket sync.WaitGroup

	mu      sync.Mutex
	log     []map[string]any
	changed chan struct{}
	agents  int
}

func fakeMain() int {
	home, err := state.Open()
	if err != nil {
		return 6
	}
	lock, err := home.Lock(context.Background())
	if err != nil {
		return 10
	}
	defer lock.Release()
	listener, err := home.Listen()
	if err != nil {
		return 6
	}
	ctx, stop := context.WithCancel(context.Background())
	f := &fake{home: home, epoch: strings.ToLower(rand.Text()[:8]), ctx: ctx, stop: stop, changed: make(chan struct{})}
	f.note("starts", strconv.Itoa(os.Getpid()))
	mux := http.NewServeMux()
	envelope := func(data func() any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			json.NewEncoder(w).Encode(map[string]any{"ok": true, "data": data(), "meta": map[string]any{}})
		}
	}
	mux.HandleFunc("GET /v1/daemon/status", envelope(func() any { return f.discovery() }))
	mux.HandleFunc("POST /v1/daemon/reload", envelope(func() any { f.note("reloads", "1"); return nil }))
	mux.HandleFunc("POST /v1/daemon/stop", envelope(func() any { time.AfterFunc(10*time.Millisecond, stop); return nil }))
	mux.HandleFunc("POST /v1/run", f.run)
	mux.HandleFunc("/debug", f.serve)
	server := &http.Server{Handler: mux}
	go server.Serve(listener)
	if err := home.WriteDiscovery(f.discovery()); err != nil {
		return 6
	}
	<-ctx.Done()
	f.socket.Wait()
	server.Close()
	home.RemoveDiscovery()
	return 0
}

// run answers commands of the catalogue: runtime.eval does what its expression says.
func (f *fake) run(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Command   string          `json:"command"`
		Params    json.RawMessage `json:"params"`
		Page      int             `json:"page"`
		TimeoutMs int             `json:"timeoutMs"`
		RequestID string          `json:"requestId"`
		Text      bool            `json:"text"`
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &request)
	}
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	f.note("runs", string(body))
	if os.Getenv("FAKE_VERSION") == "" {
		w.Header().Set(version.Header, version.Version)
	} else {
		w.Header().Set(version.Header, os.Getenv("FAKE_VERSION"))
	}
	var params struct {
		Expression string `json:"expression"`
	}
	_ = json.Unmarshal(request.Params, &params)
	say := func(format string, args ...any) {
		fmt.Fprintf(w, format+"\n", args...)
		http.NewResponseController(w).Flush()
	}
	meta := fmt.Sprintf(`"meta":{"requestId":%q,"durationMs":1`, request.RequestID)
	switch params.Expression {
	case "stream":
		say(`{"say":"working \u001b[31mon it"}`)
		say(`{"line":{"n":1}}`)
		say(`{"line":"two"}`)
	case "hang":
		say(`{"line":"begun"}`)
		<-r.Context().Done()
		f.note("cancelled", request.RequestID)
		return
	case "die":
		os.Exit(9)
	case "refuse":
		say(`{"ok":false,"error":{"code":"VALIDATION_ERROR","message":"no such parameter","suggestions":["s"]},%s,"retryable":false}}`, meta)
		return
	}
	if request.Text {
		say(`{"ok":true,"text":"page %d\n",%s}}`, request.Page, meta)
		return
	}
	say(`{"ok":true,"data":{"command":%q,"params":%s,"page":%d,"timeoutMs":%d},%s}}`, request.Command, request.Params, request.Page, request.TimeoutMs, meta)
}

func (f *fake) discovery() state.Discovery {
	return state.Discovery{Pid: os.Getpid(), Version: version.Version, Epoch: f.epoch, StartedAt: "2026-01-01T00:00:00Z", Socket: f.home.Socket(), Port: 9224, URL: "ws://127.0.0.1:9224/debug"}
}

// note appends a line to a file of the home.
func (f *fake) note(name, line string) {
	file, err := os.OpenFile(filepath.Join(f.home.State, name+".log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(file, line)
		file.Close()
	}
}

func (f *fake) publish(message map[string]any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	message["seq"] = len(f.log) + 1
	message["timestamp"] = 1
	f.log = append(f.log, message)
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	since, err := strconv.ParseUint(query.Get("since"), 10, 64)
	if query.Has("since") && (err != nil || (since > 0 && query.Get("epoch") == "")) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"debug-bridge.v1"}})
	if err != nil {
		return
	}
	conn.SetReadLimit(1 << 20)
	f.socket.Add(1)
	defer f.socket.Done()
	defer conn.CloseNow()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f.mu.Lock()
	f.agents++
	agent := fmt.Sprintf("a%d", f.agents)
	last := uint64(len(f.log))
	f.mu.Unlock()
	send := func(message map[string]any) error {
		data, err := json.Marshal(message)
		if err != nil {
			return err
		}
		return conn.Write(ctx, websocket.MessageText, data)
	}
	if send(map[string]any{"type": "welcome", "sessionId": query.Get("sessionId"), "agentId": agent, "epoch": f.epoch, "firstSeq": 1, "lastSeq": last, "hostVersion": version.Version, "pages": []any{
		map[string]any{"pageId": 1, "url": "http://a.test/", "title": "A \x1b[31mtest", "level": "control", "connected": true},
	}}) != nil {
		return
	}
	at := last
	if query.Has("since") {
		at = since
		if epoch := query.Get("epoch"); epoch != "" && epoch != f.epoch {
			if send(map[string]any{"type": "gap", "reason": "epoch_changed", "fromSeq": since + 1, "toSeq": nil, "dropped": map[string]any{}}) != nil {
				return
			}
			at = 0
		} else if since > last {
			send(map[string]any{"type": "host_error", "code": "VALIDATION_ERROR", "message": "since is beyond the log", "suggestions": []string{"s"}})
			conn.Close(websocket.StatusPolicyViolation, "since")
			return
		}
	}
	go f.read(ctx, cancel, conn, agent, send)
	for {
		f.mu.Lock()
		changed := f.changed
		var next map[string]any
		if at < uint64(len(f.log)) {
			next = f.log[at]
		}
		f.mu.Unlock()
		if next != nil {
			if send(next) != nil {
				return
			}
			at++
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		case <-f.ctx.Done():
			conn.Close(websocket.StatusServiceRestart, "stopping")
			return
		}
	}
}

func (f *fake) read(ctx context.Context, cancel context.CancelFunc, conn *websocket.Conn, agent string, send func(map[string]any) error) {
	defer cancel()
	made := 0
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		f.note("commands", string(data))
		var command struct {
			Type      string `json:"type"`
			RequestID string `json:"requestId"`
			Epoch     string `json:"epoch"`
			N         int    `json:"n"`
		}
		if err := json.Unmarshal(data, &command); err != nil {
			send(map[string]any{"type": "host_error", "code": "PROTOCOL_ERROR", "message": "not JSON", "suggestions": []string{"s"}})
			continue
		}
		if command.RequestID == "" {
			made++
			command.RequestID = fmt.Sprintf("h-%s-%d", agent, made)
		}
		result := map[string]any{"type": "command_result", "requestId": command.RequestID, "requestType": command.Type, "agentId": agent, "success": true, "durationMs": 1, "effect": "changed"}
		switch {
		case command.Epoch != "" && command.Epoch != f.epoch:
			result["success"], result["error"] = false, map[string]any{"code": "INDETERMINATE", "message": "other epoch", "suggestions": []string{"s"}}
		case command.Type == "x.die":
			os.Exit(9)
		case command.Type == "x.drop":
			conn.CloseNow()
		case command.Type == "x.swallow":
			continue
		case command.Type == "x.say":
			for i := range command.N {
				f.publish(map[string]any{"type": "console", "pageId": 1, "level": "log", "args": []string{strconv.Itoa(i)}})
			}
		case command.Type == "request_ui_tree":
			result["result"] = map[string]any{"items": []any{map[string]any{"ref": "e1", "role": "button", "name": "Sign in", "visible": true}}, "version": 1}
			f.publish(map[string]any{"type": "ui_tree", "pageId": 1, "items": result["result"].(map[string]any)["items"], "version": 1, "full": true})
		case command.Type == "x.deny":
			result["success"], result["error"] = false, map[string]any{"code": "ELEMENT_NOT_FOUND", "message": "no such\x1b[2J element", "suggestions": []string{"look again"}}
		}
		f.publish(result)
	}
}
