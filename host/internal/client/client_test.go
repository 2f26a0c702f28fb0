//go:build unix

package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T) *state.Home {
	t.Helper()
	t.Setenv(state.EnvHome, t.TempDir())
	home, err := state.Open()
	if err != nil {
		t.Fatal(err)
	}
	return home
}

// serve answers the local API at home's socket until the test ends.
func serve(t *testing.T, home *state.Home, handler http.Handler) {
	t.Helper()
	listener, err := home.Listen()
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	done := make(chan struct{})
	go func() { defer close(done); server.Serve(listener) }()
	t.Cleanup(func() { server.Close(); <-done })
}

func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		w.Write([]byte(body))
	}
}

const running = `{"ok":true,"data":{"pid":7,"version":"0.1.0","epoch":"e","extra":[1]},"meta":{}}`

func TestDial(t *testing.T) {
	home := open(t)
	serve(t, home, answer(200, running))
	c, err := Dial(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Known().Pid != 7 || c.Known().Epoch != "e" || !strings.Contains(string(c.Known().Raw), "extra") {
		t.Fatalf("%+v", c.Known())
	}
}

func TestDialErrors(t *testing.T) {
	cases := []struct {
		name    string
		handler http.Handler
		code    fault.Code
	}{
		{"the daemon's own error", answer(503, `{"ok":false,"error":{"code":"BUSY","message":"m","details":{"a":1},"suggestions":["s"]}}`), fault.Busy},
		{"an unknown code", answer(500, `{"ok":false,"error":{"code":"NEW_CODE","message":"m"}}`), fault.InternalError},
		{"not an envelope", answer(200, `{"hello":1}`), fault.VersionMismatch},
		{"not JSON", answer(404, "404 page not found"), fault.VersionMismatch},
		{"a status of something else", answer(200, `{"ok":true,"data":{}}`), fault.VersionMismatch},
		{"refusal without a reason", answer(200, `{"ok":false}`), fault.InternalError},
		{"redirect", http.RedirectHandler("http://example.com/", http.StatusFound), fault.VersionMismatch},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			home := open(t)
			serve(t, home, c.handler)
			_, err := Dial(t.Context(), home)
			if f := fault.From(err); f.Code != c.code || len(f.Suggestions) == 0 {
				t.Fatalf("got %v", err)
			}
		})
	}
}

func TestDialNobody(t *testing.T) {
	home := open(t)
	check := func() {
		t.Helper()
		_, err := Dial(t.Context(), home)
		if f := fault.From(err); f.Code != fault.DaemonUnavailable || f.Details["reason"] != ReasonNotRunning {
			t.Fatalf("got %v %v", err, f.Details)
		}
	}
	check()
	// H-12: a stale socket file is nobody too.
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: home.Socket(), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	listener.Close()
	check()
	if err := os.Remove(home.Socket()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(home.Socket(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Dial(t.Context(), home); fault.From(err).Code != fault.FileAccessFailed {
		t.Fatalf("a file in the socket's place: %v", err)
	}
}

// N-15, N-17: another user's socket gets no connection, and no byte.
func TestN15ForeignSocket(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	home := open(t)
	listener, err := net.Listen("unix", home.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := os.Chown(home.Socket(), 1234, 1234); err != nil {
		t.Fatal(err)
	}
	_, err = Dial(t.Context(), home)
	if fault.From(err).Code != fault.FileAccessFailed {
		t.Fatalf("got %v", err)
	}
	listener.(*net.UnixListener).SetDeadline(time.Now().Add(50 * time.Millisecond))
	if conn, err := listener.Accept(); err == nil {
		conn.Close()
		t.Fatal("a connection was made")
	}
}

func TestDialSilentServer(t *testing.T) {
	home := open(t)
	listener, err := net.Listen("unix", home.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = Dial(ctx, home)
	if f := fault.From(err); f.Code != fault.DaemonUnavailable || f.Details["reason"] != ReasonNoAnswer {
		t.Fatalf("got %v %v", err, f.Details)
	}
}

// The daemon's socket may lie in another temporary directory than ours would.
func TestDialPublishedSocket(t *testing.T) {
	home := open(t)
	other := filepath.Join(t.TempDir(), "s.sock")
	listener, err := net.Listen("unix", other)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: answer(200, running)}
	done := make(chan struct{})
	go func() { defer close(done); server.Serve(listener) }()
	defer func() { server.Close(); <-done }()
	if err := home.WriteDiscovery(state.Discovery{Pid: 7, Socket: other}); err != nil {
		t.Fatal(err)
	}
	c, err := Dial(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fake")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEnsureTellsWhyADaemonDidNotStart(t *testing.T) {
	cases := []struct {
		name, body, says string
		code             fault.Code
	}{
		{"its own words", `echo '{"level":"info"}'; echo '{"ok":false,"error":{"code":"FILE_ACCESS_FAILED","message":"no room"}}'; exit 6`, "no room", fault.FileAccessFailed},
		{"silence", "exit 1", "ended right after", fault.DaemonUnavailable},
		{"a crash", "echo panic: boom >&2; exit 2", "ended right after", fault.DaemonUnavailable},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			home := open(t)
			_, err := Ensure(t.Context(), home, EnsureOptions{Executable: script(t, c.body)})
			if f := fault.From(err); f.Code != c.code || !strings.Contains(f.Message, c.says) {
				t.Fatalf("got %v", err)
			}
			if lock, err := home.TryStartLock(); err != nil || lock == nil {
				t.Fatal("the start lock is kept")
			} else {
				lock.Release()
			}
		})
	}
	_, err := Ensure(t.Context(), open(t), EnsureOptions{Executable: "/nonexistent/dbridge"})
	if f := fault.From(err); f.Code != fault.DaemonUnavailable || f.Details["reason"] != ReasonNotStarted {
		t.Fatalf("got %v", err)
	}
}

// The child is apart from us: own session, nothing of ours open, a home that does not depend on where it runs.
func TestEnsureDetaches(t *testing.T) {
	home := open(t)
	report := filepath.Join(t.TempDir(), "report")
	t.Setenv("REPORT", report)
	// Open in us and not close-on-exec, as Chrome leaves descriptors in its native messaging host.
	stray := filepath.Join(t.TempDir(), "stray")
	fd, err := syscall.Open(stray, syscall.O_CREAT|syscall.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	_, err = Ensure(t.Context(), home, EnsureOptions{Executable: script(t, `
{ echo "cwd $(pwd)"; echo "home $DBRIDGE_HOME"; echo "args $*"; echo "session $(ps -o sid= -p $$ | tr -d ' ') $$"; ls -l /proc/$$/fd 2>/dev/null; } > "$REPORT.tmp"
mv "$REPORT.tmp" "$REPORT"; exit 1`)})
	if err == nil {
		t.Fatal("a script is no daemon")
	}
	data, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	got := string(data)
	for _, want := range []string{"cwd /\n", "home " + home.Root + "\n", "args daemon run\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, stray) {
		t.Errorf("a descriptor was inherited:\n%s", got)
	}
	for line := range strings.Lines(got) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] == "session" && (len(fields) != 3 || fields[1] != fields[2]) {
			t.Errorf("not the leader of its session: %s", line)
		}
	}
}

func TestEnsureWaitsForALockThatIsNotLetGo(t *testing.T) {
	home := open(t)
	lock, err := home.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	ran := filepath.Join(t.TempDir(), "ran")
	_, err = Ensure(t.Context(), home, EnsureOptions{Executable: script(t, "touch "+ran), Timeout: 300 * time.Millisecond})
	if f := fault.From(err); f.Code != fault.DaemonUnavailable {
		t.Fatalf("got %v", err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Fatal("a daemon was started that could not get the lock")
	}
}

func TestWithRaw(t *testing.T) {
	cases := map[string]string{
		`{"a":1}`:             `{"epoch":"x","a":1}`,
		`{}`:                  `{"epoch":"x"}`,
		` { "a" : [ {} ] } `:  ` {"epoch":"x", "a" : [ {} ] } `,
		`{"epoch":"y"}`:       `{"epoch":"y"}`,
		`{"a":1,"Epoch":"y"}`: `{"a":1,"Epoch":"y"}`,
		`{"a":{"epoch":1}}`:   `{"epoch":"x","a":{"epoch":1}}`,
		`[1]`:                 `[1]`,
		`{"a":`:               `{"a":`,
		`not json`:            `not json`,
		`{"a":1,"a":2}`:       `{"epoch":"x","a":1,"a":2}`,
		``:                    ``,
	}
	for in, want := range cases {
		if got := string(withField([]byte(in), "epoch", "x")); got != want {
			t.Errorf("%s: got %s want %s", in, got, want)
		}
	}
}

func FuzzWithRaw(f *testing.F) {
	f.Add(`{"a":{"b":[1,"}"]}}`)
	f.Add(`{"epoch":1}`)
	f.Fuzz(func(t *testing.T, in string) {
		got := string(withField([]byte(in), "epoch", "x"))
		if got != in && len(got) < len(in)+len(`"epoch":"x"`) {
			t.Fatalf("%q became %q", in, got)
		}
		if again := string(withField([]byte(got), "epoch", "x")); got != in && again != got {
			t.Fatalf("%q was given the field twice: %q", in, again)
		}
	})
}

func TestTracker(t *testing.T) {
	tracker := NewTracker()
	send := func(line string) { tracker.Event(Event{Kind: Sent, Raw: []byte(line)}) }
	receive := func(h Header) { tracker.Event(Event{Kind: Received, Header: h}) }
	check := func(pending, lost int) {
		t.Helper()
		if tracker.Pending() != pending || tracker.Lost() != lost {
			t.Fatalf("pending %d lost %d, want %d %d", tracker.Pending(), tracker.Lost(), pending, lost)
		}
	}
	receive(Header{Type: "welcome", Epoch: "e1", AgentID: "a1", LastSeq: 2})
	if _, replayed := tracker.Welcomed(); replayed {
		t.Fatal("replayed too early")
	}
	receive(Header{Type: "console", Seq: 2})
	if _, replayed := tracker.Welcomed(); !replayed {
		t.Fatal("not replayed")
	}
	send(`{"type":"click","requestId":"r1"}`)
	send(`{"type":"click","requestId":"r1"}`)
	send(`{"type":"click"}`)
	send(`{"type":"cancel","requestId":"r1"}`)
	send(`nonsense`)
	check(3, 0)
	receive(Header{Type: "command_result", RequestID: "other", AgentID: "a2"})
	check(3, 0)
	receive(Header{Type: "command_result", RequestID: "r1"})
	receive(Header{Type: "command_result", RequestID: "h1", AgentID: "a1"})
	tracker.Event(Event{Kind: Received, Unsent: true, Header: Header{Type: "host_error"}})
	check(1, 0)
	receive(Header{Type: "host_error"})
	check(0, 0)
	send(`{"type":"click","requestId":"r2"}`)
	receive(Header{Type: "welcome", Epoch: "e1", AgentID: "a3"})
	check(1, 0)
	receive(Header{Type: "welcome", Epoch: "e2", AgentID: "a4"})
	check(0, 1)
}

func TestRefusedHandshakes(t *testing.T) {
	for status, want := range map[int]fault.Code{400: fault.ValidationError, 401: fault.Unauthorized, 403: fault.Unauthorized, 404: fault.VersionMismatch, 429: fault.Busy, 500: fault.ProtocolError} {
		if got := refused(status, errors.New("x")); got.Code != want || len(got.Suggestions) == 0 {
			t.Errorf("%d: %v", status, got)
		}
	}
}

// A command accepted before a loss and written after it carries the epoch of
// before; one accepted while nothing was connected carries none.
func TestStreamQueuedBeforeALossKeepsTheOldEpoch(t *testing.T) {
	home := open(t)
	got := make(chan string, 8)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/daemon/status", answer(200, running))
	mux.HandleFunc("/debug", func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.CloseNow()
		if err := conn.Write(r.Context(), websocket.MessageText, []byte(`{"type":"welcome","epoch":"e2","agentId":"a1","lastSeq":0}`)); err != nil {
			t.Error(err)
		}
		for {
			_, data, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			got <- string(data)
		}
	})
	serve(t, home, mux)
	s := NewStream(LocalOpener(home, EnsureOptions{}), AttachOptions{}, func(Event) {})
	send := func(line string) {
		t.Helper()
		if err := s.Send(t.Context(), []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	// As it stands while the first connection, to a daemon of epoch e1, is up.
	s.generation, s.count, s.connEpoch, s.epoch = 1, 1, "e1", "e1"
	send(`{"type":"click","requestId":"q1"}`)
	send(`{"type":"click","requestId":"q2","epoch":"mine"}`)
	s.generation = 0
	send(`{"type":"click","requestId":"q3"}`)
	if s.Queued() != 3 {
		t.Fatalf("%d queued", s.Queued())
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	for _, want := range []string{`{"epoch":"e1","type":"click","requestId":"q1"}`, `{"type":"click","requestId":"q2","epoch":"mine"}`, `{"type":"click","requestId":"q3"}`} {
		select {
		case line := <-got:
			if line != want {
				t.Errorf("got %s want %s", line, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("no %s", want)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if s.Queued() != 0 {
		t.Fatalf("%d queued at the end", s.Queued())
	}
}

func TestStreamQueueIsBounded(t *testing.T) {
	s := NewStream(LocalOpener(open(t), EnsureOptions{}), AttachOptions{}, func(Event) {})
	for range QueueLimit {
		if err := s.Send(t.Context(), []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := s.Send(ctx, []byte("{}")); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
	if s.Queued() != QueueLimit {
		t.Fatalf("%d queued", s.Queued())
	}
}

func TestStreamPlace(t *testing.T) {
	to := func(n uint64) *uint64 { return &n }
	s := &Stream{}
	check := func(epoch string, since uint64) {
		t.Helper()
		if s.epoch != epoch || s.since != since || !s.hasSince {
			t.Fatalf("at %s %d, want %s %d", s.epoch, s.since, epoch, since)
		}
	}
	s.note(Header{Type: "welcome", Epoch: "e1", LastSeq: 7})
	check("e1", 7)
	s.note(Header{Type: "console", Seq: 8})
	s.note(Header{Type: "hello"})
	check("e1", 8)
	s.note(Header{Type: "gap", Reason: "expired", ToSeq: to(20)})
	check("e1", 20)
	// Lost between the new daemon's welcome and its gap: the gap must come again.
	s.generation = 0
	s.note(Header{Type: "welcome", Epoch: "e2", LastSeq: 3})
	check("e1", 20)
	s.note(Header{Type: "gap", Reason: "epoch_changed"})
	check("e2", 0)
	s.note(Header{Type: "console", Seq: 1})
	check("e2", 1)
	// A reconnect to the same daemon keeps the place until events come.
	s.generation = 0
	s.note(Header{Type: "welcome", Epoch: "e2", LastSeq: 9})
	check("e2", 1)
}

func TestConnectTriesADroppedHandshakeAgain(t *testing.T) {
	home := open(t)
	var tries atomic.Int32
	drops := int32(2)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/daemon/status", answer(200, running))
	mux.HandleFunc("/hostlink", func(w http.ResponseWriter, r *http.Request) {
		if tries.Add(1) <= drops {
			panic(http.ErrAbortHandler)
		}
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		conn.CloseNow()
	})
	serve(t, home, mux)
	link := func(c *Client) (*websocket.Conn, error) { return c.HostLink(t.Context()) }
	conn, err := Connect(t.Context(), home, EnsureOptions{}, link)
	if err != nil {
		t.Fatal(err)
	}
	conn.CloseNow()
	if tries.Load() != 3 {
		t.Fatalf("%d tries", tries.Load())
	}
	drops = 1000
	if _, err := Connect(t.Context(), home, EnsureOptions{}, link); fault.From(err).Code != fault.DaemonUnavailable {
		t.Fatalf("got %v", err)
	}
}
