//go:build linux

package life

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// alone starts a world without a browser.
func alone(t *testing.T, environ ...string) *browsertest.Env {
	t.Helper()
	return browsertest.Start(t, browsertest.Options{NoBrowser: true, Env: environ})
}

// A browser with fifty profiles starts fifty hosts at once and no daemon runs: one
// is started, and every host is connected to it and ends with its browser (H-11).
// The same of the command line is in test/cli.
func TestH11FiftyHosts(t *testing.T) {
	e := alone(t)
	const hosts = 50
	began := time.Now()
	var all sync.WaitGroup
	for i := range hosts {
		all.Go(func() {
			host := e.Exec("chrome-extension://" + browsertest.ExtensionID + "/")
			epoch, err := greet(host, fmt.Sprintf("install-%d", i))
			if err != nil {
				t.Errorf("host %d: %v", i, err)
			} else if want := e.Daemon().Epoch; epoch != want {
				t.Errorf("host %d is welcomed by %s, the daemon is %s", i, epoch, want)
			}
		})
	}
	all.Wait()
	within(t, e, "fifty hosts", began, 3*time.Second)
	browsertest.Until(t, browsertest.Patience, "one daemon", func() bool { return len(daemons(e)) == 1 })
}

// greet runs a host as Chrome does, says hello, and gives the epoch it is welcomed with.
func greet(host *exec.Cmd, install string) (epoch string, err error) {
	stdin, err := host.StdinPipe()
	if err != nil {
		return "", err
	}
	stdout, err := host.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := host.Start(); err != nil {
		return "", err
	}
	defer func() {
		_ = stdin.Close() // its end is what the host ends by
		if ended := host.Wait(); err == nil {
			err = ended
		}
	}()
	hello := fmt.Appendf(nil, `{"v":1,"kind":"hello","payload":{"linkVersion":1,"extensionVersion":"0.1.0","instanceId":"i","installId":%q}}`, install)
	if _, err := stdin.Write(append(binary.NativeEndian.AppendUint32(nil, uint32(len(hello))), hello...)); err != nil {
		return "", err
	}
	head := make([]byte, 4)
	if _, err := io.ReadFull(stdout, head); err != nil {
		return "", err
	}
	answer := make([]byte, binary.NativeEndian.Uint32(head))
	if _, err := io.ReadFull(stdout, answer); err != nil {
		return "", err
	}
	var welcome struct {
		Kind    string
		Payload struct{ Epoch string }
	}
	if err := json.Unmarshal(answer, &welcome); err != nil || welcome.Kind != "welcome" {
		return "", fmt.Errorf("%w: %s", err, answer)
	}
	return welcome.Payload.Epoch, nil
}

// What is in the way of a daemon's files is left alone and named; a lock file that
// is taken away from under a daemon gives no second one (H-12).
func TestH12FilesInTheWay(t *testing.T) {
	e := alone(t)
	daemon := e.StartDaemon()
	must(t, os.Remove(filepath.Join(e.Home, "run", "daemon.lock")))
	if now := e.StartDaemon(); now.PID != daemon.PID {
		t.Errorf("another daemon %d beside %d", now.PID, daemon.PID)
	}
	if all := daemons(e); len(all) != 1 {
		t.Errorf("daemons %v", all)
	}
	e.StopDaemon()
	must(t, os.WriteFile(daemon.Socket, []byte("mine"), 0o600))
	if out := e.Run("daemon", "start"); out.Exit != 6 || !strings.Contains(out.Stdout, daemon.Socket) {
		t.Errorf("exit %d: %s", out.Exit, out.Stdout)
	}
	if text, err := os.ReadFile(daemon.Socket); err != nil || string(text) != "mine" {
		t.Errorf("a file of the person was changed: %q %v", text, err)
	}
	must(t, os.Remove(daemon.Socket))
	e.StartDaemon()
}

// impostor answers 101 to everything and keeps what it is told.
type impostor struct {
	listener net.Listener
	done     sync.WaitGroup
	mu       sync.Mutex
	heard    bytes.Buffer
}

func listenAs(t *testing.T, address string) *impostor {
	t.Helper()
	listener, err := net.Listen("tcp4", address)
	must(t, err)
	i := &impostor{listener: listener}
	i.done.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			i.done.Go(func() { i.answer(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		i.done.Wait()
	})
	return i
}

func (i *impostor) answer(conn net.Conn) {
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(3 * time.Second))
	head := make([]byte, 0, 4096)
	chunk := make([]byte, 4096)
	for {
		n, err := conn.Read(chunk)
		i.mu.Lock()
		i.heard.Write(chunk[:n])
		i.mu.Unlock()
		if err != nil {
			return
		}
		if head = append(head, chunk[:n]...); !bytes.Contains(head, []byte("\r\n\r\n")) {
			continue
		}
		key := ""
		for line := range strings.SplitSeq(string(head), "\r\n") {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Sec-WebSocket-Key") {
				key = strings.TrimSpace(value)
			}
		}
		sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: %s\r\nSec-WebSocket-Protocol: debug-bridge.v1\r\n\r\n", base64.StdEncoding.EncodeToString(sum[:]))
		head = head[:0]
	}
}

func (i *impostor) text() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.heard.String()
}

func (i *impostor) port() int { return i.listener.Addr().(*net.TCPAddr).Port }

// Another server has our port, and takes everybody for a friend: the daemon goes
// to the next port, says so, and nobody gives the stranger a credential (H-13).
func TestH13PortTaken(t *testing.T) {
	stranger := listenAs(t, "127.0.0.1:0")
	e := alone(t, fmt.Sprintf("DBRIDGE_PORT=%d", stranger.port()))
	token := e.Token("ada", "--role", "agent")
	daemon := e.StartDaemon()
	if daemon.Port == stranger.port() || daemon.Port == 0 {
		t.Errorf("port %d", daemon.Port)
	}
	e.AgentWith(token).AwaitType("welcome")
	if out := e.Run("doctor", "--output", "text"); !strings.Contains(out.Stdout+out.Stderr, fmt.Sprintf("(%d was taken)", stranger.port())) {
		t.Errorf("doctor does not say it: %s%s", out.Stdout, out.Stderr)
	}
	use := func() {
		for _, args := range [][]string{{"daemon", "status"}, {"token", "list"}, {"doctor"}, {"daemon", "logs"}} {
			e.Run(args...)
		}
		command := e.Exec("attach", "--json")
		command.Stdin = strings.NewReader("{\"type\":\"request_ui_tree\",\"requestId\":\"r1\"}\n")
		_ = command.Run() // without a page the command fails, which is not the point
	}
	use()
	// The daemon dies, and a stranger takes the very port that its discovery file still names.
	e.KillDaemon()
	second := listenAs(t, fmt.Sprintf("127.0.0.1:%d", daemon.Port))
	e.Run("daemon", "status")
	use()
	if now := e.Daemon(); now.Port == daemon.Port || now.Port == stranger.port() {
		t.Errorf("port %d is another's", now.Port)
	}
	for _, heard := range []string{stranger.text(), second.text()} {
		for _, secret := range []string{token, "Bearer", "debug-bridge.token"} {
			if strings.Contains(heard, secret) {
				t.Errorf("the stranger heard %q in: %.400s", secret, heard)
			}
		}
	}
}

// nothingLeft holds that a daemon that ended left lock files and nothing else.
func nothingLeft(t *testing.T, e *browsertest.Env) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(e.Home, "run"))
	must(t, err)
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".lock") {
			t.Errorf("left over: run/%s", entry.Name())
		}
	}
	if left := daemons(e); len(left) > 0 {
		t.Errorf("left over: daemons %v", left)
	}
}

// A daemon that nobody uses ends by itself; an agent or a host keeps it.
func TestIdleExit(t *testing.T) {
	const idle = 700 * time.Millisecond
	e := alone(t, "DBRIDGE_IDLE_TIMEOUT="+idle.String())
	token := e.Token("ada")
	daemon := e.StartDaemon()
	agent := e.AgentWith(token)
	agent.AwaitType("welcome")
	used := time.Now()
	browsertest.Until(t, browsertest.Patience, "three idle times", func() bool { return time.Since(used) > 3*idle || !alive(daemon.PID) })
	if !alive(daemon.PID) {
		t.Fatal("it ended while an agent was attached")
	}
	used = time.Now() // closing may take its time, and the daemon counts from then
	agent.Close()
	browsertest.Until(t, browsertest.Patience, "the end of the idle daemon", func() bool { return !alive(daemon.PID) })
	if took := time.Since(used); took < idle {
		t.Errorf("it ended after %v, before its time", took)
	}
	nothingLeft(t, e)
	if out := e.Run("daemon", "status"); out.Exit != 10 {
		t.Errorf("status: exit %d, %s", out.Exit, out.Stdout)
	}
}

// A daemon that is stopped while somebody at its door says nothing ends in time all
// the same, and leaves nothing (H-23). The signals are in test/cli.
func TestH23StopWithSilentPeer(t *testing.T) {
	e := alone(t)
	daemon := e.StartDaemon()
	conn, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", daemon.Port))
	must(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "GET /debug HTTP/1.1\r\nHost:")
	must(t, err)
	began := time.Now()
	e.StopDaemon()
	within(t, e, "a stop", began, 5*time.Second)
	if _, err := http.Get(daemon.HTTPURL); err == nil {
		t.Error("it still answers")
	}
	nothingLeft(t, e)
}
