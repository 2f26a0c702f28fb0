package hostlink

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/evanw/esbuild/pkg/api"
	"github.com/go-json-experiment/json"
	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

// nodeProcess runs extension/src/background/link.ts in Node, many links at a time.
type nodeProcess struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	mu    sync.Mutex
	links map[string]*nodeLink
	ended chan struct{}
}

// linkState is the state that link.ts tells.
type linkState struct {
	Phase       string          `json:"phase"`
	Error       *linkStateError `json:"error"`
	HostVersion string          `json:"hostVersion"`
	Epoch       string          `json:"epoch"`
	RetryAt     float64         `json:"retryAt"`
	Resumed     bool            `json:"resumed"`
	Lost        int             `json:"lost"`
}

type linkStateError struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Command string         `json:"command"`
	Details map[string]any `json:"details"`
}

func startNode(t *testing.T) *nodeProcess {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: link.ts is not tested against the daemon's end")
	}
	built := api.Build(api.BuildOptions{EntryPoints: []string{"testdata/driver.ts"}, Bundle: true, Platform: api.PlatformNode,
		Format: api.FormatCommonJS, Target: api.ES2022, LogLevel: api.LogLevelSilent})
	for _, message := range built.Errors {
		t.Fatalf("%s: %+v", message.Text, message.Location)
	}
	script := filepath.Join(t.TempDir(), "driver.cjs")
	if err := os.WriteFile(script, built.OutputFiles[0].Contents, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, script)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	n := &nodeProcess{cmd: cmd, stdin: stdin, links: make(map[string]*nodeLink), ended: make(chan struct{})}
	go func() {
		defer close(n.ended)
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var line struct {
				Name    string     `json:"name"`
				State   *linkState `json:"state"`
				Stopped bool       `json:"stopped"`
			}
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Errorf("driver: %q: %v", lines.Text(), err)
				continue
			}
			n.mu.Lock()
			link := n.links[line.Name]
			n.mu.Unlock()
			if line.State != nil {
				link.states <- *line.State
			} else if line.Stopped {
				close(link.stopped)
			}
		}
	}()
	t.Cleanup(func() {
		_ = stdin.Close()
		<-n.ended
		if err := cmd.Wait(); err != nil {
			t.Errorf("node: %v", err)
		}
	})
	return n
}

// wire changes what passes between the extension and the relay: it gives the
// bytes to pass instead of a message (its header included), and whether to cut the connection then.
type wire func(message []byte) (instead []byte, cut bool)

func framed(messages ...[]byte) []byte {
	var all []byte
	for _, message := range messages {
		all = append(binary.NativeEndian.AppendUint32(all, uint32(len(message))), message...)
	}
	return all
}

// nodeLink is one Link in Node, with the relay and the server it reaches.
type nodeLink struct {
	t        *testing.T
	node     *nodeProcess
	name     string
	seen     *recorder
	server   *Server
	toHost   wire
	toPeer   wire
	dialErr  error
	states   chan linkState
	stopped  chan struct{}
	listener net.Listener
	http     *http.Server
	daemon   string
	relays   sync.WaitGroup
	mu       sync.Mutex
	timing   timing
}

type startOptions struct {
	Name    string         `json:"name"`
	Socket  string         `json:"socket"`
	Timing  map[string]int `json:"timing,omitempty"`
	MaxPost int            `json:"maxPost,omitzero"`
	Failure string         `json:"failure,omitempty"`
}

// newLink prepares everything but starts nothing in Node yet.
func (n *nodeProcess) newLink(t *testing.T, name string) *nodeLink {
	t.Helper()
	dir, err := os.MkdirTemp("", "link") // short: a socket's path is bounded
	if err != nil {
		t.Fatal(err)
	}
	l := &nodeLink{t: t, node: n, name: name, seen: newRecorder(), states: make(chan linkState, 1000), stopped: make(chan struct{}), timing: defaultTiming}
	l.seen.patience = 30 * time.Second
	l.daemon = filepath.Join(dir, "d")
	l.listener, err = net.Listen("unix", filepath.Join(dir, "p"))
	if err != nil {
		t.Fatal(err)
	}
	daemon, err := net.Listen("unix", l.daemon)
	if err != nil {
		t.Fatal(err)
	}
	l.http = &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		l.mu.Lock()
		server := l.server
		l.mu.Unlock()
		_ = server.Serve(context.Background(), WebSocket(ws))
	})}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = l.http.Serve(daemon)
	}()
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		for {
			port, err := l.listener.Accept()
			if err != nil {
				return
			}
			l.relays.Go(func() { l.relay(port) })
		}
	}()
	t.Cleanup(func() {
		l.stop()
		_ = l.listener.Close()
		<-accepted
		l.relays.Wait()
		l.server.Close()
		_ = l.http.Close()
		<-served
		_ = os.RemoveAll(dir)
	})
	n.mu.Lock()
	n.links[name] = l
	n.mu.Unlock()
	return l
}

func (l *nodeLink) start(options startOptions) *nodeLink {
	l.t.Helper()
	l.mu.Lock()
	l.server = NewServer(ServerConfig{Epoch: "epoch1", HostVersion: "0.1.0", Handler: l.seen, Log: zerolog.New(io.Discard), timing: l.timing})
	l.mu.Unlock()
	options.Name, options.Socket = l.name, l.listener.Addr().String()
	l.tell(map[string]any{"start": options})
	return l
}

func (l *nodeLink) tell(what map[string]any) {
	l.t.Helper()
	line, err := json.Marshal(what)
	if err != nil {
		l.t.Fatal(err)
	}
	l.node.mu.Lock()
	defer l.node.mu.Unlock()
	if _, err := l.node.stdin.Write(append(line, '\n')); err != nil {
		l.t.Error(err)
	}
}

func (l *nodeLink) stop() {
	select {
	case <-l.stopped:
		return
	default:
	}
	l.tell(map[string]any{"stop": l.name})
	<-l.stopped
}

// relay is the native messaging host of one port, behind the bad wire.
func (l *nodeLink) relay(port net.Conn) {
	l.mu.Lock()
	dialErr, silence := l.dialErr, l.timing.silence
	l.mu.Unlock()
	in, inWriter := io.Pipe()
	outReader, out := io.Pipe()
	var group sync.WaitGroup
	group.Go(func() {
		defer func() { _ = inWriter.Close() }()
		l.carry(port, inWriter, func() wire { return l.toHost }, port)
	})
	group.Go(func() {
		defer func() { _ = port.Close() }()
		l.carry(outReader, port, func() wire { return l.toPeer }, port)
		_, _ = io.Copy(io.Discard, outReader)
	})
	_ = Relay(context.Background(), RelayConfig{In: in, Out: out, Log: zerolog.New(io.Discard), silence: silence, drain: relayDrain,
		Dial: func(ctx context.Context) (MessageConn, error) {
			if dialErr != nil {
				return nil, dialErr
			}
			client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "unix", l.daemon)
			}}}
			ws, _, err := websocket.Dial(ctx, "ws://daemon/hostlink", &websocket.DialOptions{HTTPClient: client})
			if err != nil {
				return nil, err
			}
			return WebSocket(ws), nil
		}})
	_ = out.Close()
	group.Wait()
}

// carry passes messages through the wire.
func (l *nodeLink) carry(from io.Reader, to io.Writer, wire func() wire, port net.Conn) {
	reader := nativemsg.NewReader(from, nativemsg.MaxFromBrowser)
	for {
		message, err := reader.Read()
		if err != nil {
			return
		}
		instead, cut := framed(message), false
		l.mu.Lock()
		if change := wire(); change != nil {
			instead, cut = change(message)
		}
		l.mu.Unlock()
		if _, err := to.Write(instead); err != nil {
			return
		}
		if cut {
			_ = port.Close()
			return
		}
	}
}

// browser waits until the link is connected.
func (l *nodeLink) browser() *Browser {
	l.t.Helper()
	l.seen.await(l.t, "the browser", func() bool { return l.seen.browser != nil })
	l.seen.mu.Lock()
	defer l.seen.mu.Unlock()
	return l.seen.browser
}

// awaitState waits for a state that fits.
func (l *nodeLink) awaitState(what string, fits func(linkState) bool) linkState {
	l.t.Helper()
	timer := time.NewTimer(30 * time.Second)
	defer timer.Stop()
	var told []string
	for {
		select {
		case state := <-l.states:
			if fits(state) {
				return state
			}
			told = append(told, fmt.Sprintf("%s %+v", state.Phase, state.Error))
		case <-timer.C:
			l.t.Fatalf("%s: still waiting for %s after %q", l.name, what, told)
		}
	}
}

func phase(name string) func(linkState) bool {
	return func(s linkState) bool { return s.Phase == name }
}

// invoke is Call with the answer decoded.
func invoke[T any](t *testing.T, b *Browser, op string, payload any) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var into T
	got, err := b.Call(ctx, op, payload)
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	if err := json.Unmarshal(got, &into); err != nil {
		t.Fatalf("%s: %.200s: %v", op, got, err)
	}
	return into
}

// isBusy says whether a notification may simply be tried again.
func isBusy(err error) bool { return errors.Is(err, &fault.Error{Code: fault.Busy}) }
