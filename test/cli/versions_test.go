package cli

import (
	bytesof "encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// the daemon dies and is started again under twenty agents: all are there again
// within 3 s, and each is told that the log is another one.
func TestA20RestartUnderTwentyAgents(t *testing.T) {
	p := newPlace(t)
	daemon := p.start()
	var agents []*attached
	for range 20 {
		agents = append(agents, p.attach("--since", "0"))
	}
	for _, a := range agents {
		if m := a.until("welcome"); m["epoch"] != daemon.Data.Epoch {
			t.Fatalf("%v", m)
		}
	}
	for round, end := range []func(pid int){
		func(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }, // the agents start the next one
		func(int) {
			if status, a := p.ask("daemon", "stop"); status != 0 {
				t.Fatalf("%d %+v", status, a)
			}
			p.start()
		},
	} {
		status, before := p.ask("daemon", "status")
		if status != 0 {
			t.Fatalf("round %d: %d %+v", round, status, before)
		}
		began := time.Now()
		end(before.Data.Pid)
		epoch := ""
		for _, a := range agents {
			welcome := a.until("welcome")
			if gap := a.until("gap"); gap["reason"] != "epoch_changed" {
				t.Errorf("round %d: %v", round, gap)
			}
			if epoch == "" {
				epoch, _ = welcome["epoch"].(string)
			}
			if welcome["epoch"] != epoch || epoch == before.Data.Epoch {
				t.Errorf("round %d: epochs %v, %s and before %s", round, welcome["epoch"], epoch, before.Data.Epoch)
			}
		}
		took := time.Since(began)
		began = time.Now()
		p.run("", "version")
		t.Logf("round %d: twenty agents were back after %v", round, took)
		if more := 20 * time.Since(began); took > 3*time.Second+more {
			t.Errorf("round %d: %v until all were back, want 3 s (%v more for this machine)", round, took, more)
		}
	}
	if running := processes(binary); len(running) != len(agents)+1 {
		t.Errorf("%d processes, want %d agents and one daemon", len(running), len(agents))
	}
	for _, a := range agents {
		if status := a.end(); status != 0 {
			t.Errorf("exit %d: %s", status, a.errs.String())
		}
	}
}

// ownVersion is that of the program under test.
func ownVersion(t *testing.T) string {
	t.Helper()
	out, err := exec.Command(binary, "version", "--fields", "version").Output()
	var a answer
	if err != nil || json.Unmarshal(out, &a) != nil || a.Data.Version == "" {
		t.Fatalf("%v %s", err, out)
	}
	return a.Data.Version
}

// otherVersion builds the program of another version.
func otherVersion(t *testing.T, name string) (path string) {
	t.Helper()
	source, err := filepath.Abs("../../host/internal/version/version.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(source)
	own := fmt.Sprintf("const Version = %q", ownVersion(t))
	if err != nil || !strings.Contains(string(text), own) {
		t.Fatalf("%s does not say %s: %v", source, own, err)
	}
	dir := t.TempDir()
	path = filepath.Join(dir, "dbridge")
	other, overlay := filepath.Join(dir, "version.go"), filepath.Join(dir, "overlay.json")
	replaced, _ := json.Marshal(map[string]any{"Replace": map[string]string{source: other}}) // strings always can be
	for file, content := range map[string]string{other: strings.Replace(string(text), own, fmt.Sprintf("const Version = %q", name), 1), overlay: string(replaced)} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", path, "../../host/cmd/dbridge").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	return path
}

// H-24: the program is replaced while its daemon runs. The new one works with the old
// daemon and says so, tells how to change over, and an agent of before lives on.
func TestH24ProgramReplaced(t *testing.T) {
	const next = "9.9.9"
	p, own := newPlace(t), ownVersion(t)
	other := otherVersion(t, next)
	p.program = filepath.Join(t.TempDir(), "dbridge")
	if out, err := exec.Command("cp", binary, p.program).CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	old := p.start()
	if old.Data.Version != own {
		t.Fatalf("%+v", old.Data)
	}
	agent := p.attach("--since", "0")
	agent.until("welcome")
	if err := os.Rename(other, p.program); err != nil {
		t.Fatal(err)
	}

	if status, a := p.ask("daemon", "status"); status != 0 || a.Data.Version != own || a.Data.Pid != old.Data.Pid {
		t.Errorf("status: exit %d %+v", status, a)
	}
	// It starts no second daemon, and says what it speaks to.
	status, out, stderr := p.run("", "page", "list")
	if !json.Valid([]byte(out)) || status == 0 || !strings.Contains(out, `"SESSION_NOT_FOUND"`) && !strings.Contains(out, `"VERSION_MISMATCH"`) {
		t.Errorf("page list: exit %d %s", status, out)
	}
	if said := out + stderr; !strings.Contains(said, own) || !strings.Contains(said, "daemon stop") {
		t.Errorf("nothing tells of the old daemon: %s", said)
	}
	if status, out, stderr := p.run("", "attach", "--json"); status != 0 || !strings.Contains(out, `"welcome"`) {
		t.Errorf("attach: exit %d %s%s", status, out, stderr)
	}
	// The old daemon dies: the agent that was started from the old program starts the new one.
	if err := syscall.Kill(old.Data.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	agent.until("welcome")
	if status, a := p.ask("daemon", "status"); status != 0 || a.Data.Version != next {
		t.Errorf("after its death: exit %d %+v", status, a)
	}
	if status, _ := p.ask("daemon", "stop"); status != 0 {
		t.Error(status)
	}
	if now := p.start(); now.Data.Version != next {
		t.Errorf("%+v", now.Data)
	}
	if _, out, stderr := p.run("", "page", "list"); strings.Contains(out+stderr, own) {
		t.Errorf("%s%s", out, stderr)
	}
	agent.end()
}

// nativeHost is a relay process as Chrome starts it, with an extension that only says hello.
type nativeHost struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     io.Reader
}

func (p *place) nativeHost(install, instance string) *nativeHost {
	p.t.Helper()
	h := &nativeHost{command: p.command(ownOrigin)}
	var err error
	if h.in, err = h.command.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	if h.out, err = h.command.StdoutPipe(); err != nil {
		p.t.Fatal(err)
	}
	if err := h.command.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = h.in.Close(); _ = h.command.Wait() }) // it may have ended
	hello := fmt.Appendf(nil, `{"v":1,"kind":"hello","payload":{"linkVersion":1,"extensionVersion":%q,"instanceId":%q,"installId":%q,"name":%q}}`, "0.1.0", instance, install, "Profile of "+install)
	if _, err := h.in.Write(append(nativeLength(len(hello)), hello...)); err != nil {
		p.t.Fatal(err)
	}
	if frame := h.until("welcome", "bye"); frame["kind"] != "welcome" {
		p.t.Fatalf("%v", frame)
	}
	return h
}

func nativeLength(n int) []byte { return bytesof.NativeEndian.AppendUint32(nil, uint32(n)) }

// until gives the next frame of one of the kinds, or nil at the end of the stream.
func (h *nativeHost) until(kinds ...string) map[string]any {
	for {
		var head [4]byte
		if _, err := io.ReadFull(h.out, head[:]); err != nil {
			return nil
		}
		text := make([]byte, bytesof.NativeEndian.Uint32(head[:]))
		if _, err := io.ReadFull(h.out, text); err != nil {
			return nil
		}
		var frame map[string]any
		if json.Unmarshal(text, &frame) != nil {
			return nil
		}
		for _, kind := range kinds {
			if frame["kind"] == kind {
				return frame
			}
		}
	}
}

func (p *place) browsers() []string {
	_, out, _ := p.run("", "daemon", "status")
	var status struct {
		Data struct {
			Browsers []struct{ ID, Name string } `json:"browsers"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(out), &status); err != nil {
		p.t.Fatal(err)
	}
	var ids []string
	for _, b := range status.Data.Browsers {
		ids = append(ids, b.ID)
	}
	return ids
}

// H-15, H-16: two profiles are two browsers; of two ports of one profile the second takes
// the first one's place, which is told so and ends.
func TestH16TwoPortsOfOneProfile(t *testing.T) {
	p := newPlace(t)
	first := p.nativeHost("work", "one")
	other := p.nativeHost("home", "one")
	if ids := p.browsers(); len(ids) != 2 || ids[0] == ids[1] {
		t.Fatalf("browsers %q", ids)
	}
	p.nativeHost("work", "two")
	bye := first.until("bye")
	if text, _ := json.Marshal(bye); !strings.Contains(string(text), `"replaced"`) {
		t.Errorf("its last word: %s", text)
	}
	if more := first.until("ping", "ack", "request", "event"); more != nil {
		t.Errorf("after its last word: %v", more)
	}
	until(t, "two browsers", patience, func() bool { return len(p.browsers()) == 2 })
	_ = other.in.Close()
	until(t, "the end of the other profile's host", patience, func() bool { return !alive(other.command.Process.Pid) })
	if ids := p.browsers(); len(ids) > 2 {
		t.Errorf("browsers %q", ids)
	}
}

// H-14: another program has our port on ::1 alone: agents of 127.0.0.1 work, the other
// program gets not one byte, and the log says whose ::1 is.
func TestH14PortTakenOnTheOtherFamily(t *testing.T) {
	stranger, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skipf("no ::1 here: %v", err)
	}
	heard := make(chan string, 1)
	go func() {
		defer close(heard)
		for {
			conn, err := stranger.Accept()
			if err != nil {
				return
			}
			heard <- conn.RemoteAddr().String()
			conn.Close()
		}
	}()
	port := stranger.Addr().(*net.TCPAddr).Port
	p := newPlace(t, fmt.Sprintf("DBRIDGE_PORT=%d", port))
	a := p.start()
	if a.Data.Port != port {
		t.Errorf("port %d, wanted %d", a.Data.Port, port)
	}
	if status := p.knock(port); !strings.HasPrefix(status, "HTTP/1.1 401") {
		t.Errorf("on 127.0.0.1: %q", status)
	}
	p.ask("token", "new", "secret")
	p.run("", "attach", "--json")
	p.run("", "doctor")
	stranger.Close()
	for from := range heard {
		t.Errorf("the stranger was spoken to from %s", from)
	}
	log, err := os.ReadFile(filepath.Join(p.home, "state", "dbridge.log"))
	if err != nil || !strings.Contains(string(log), "::1") {
		t.Errorf("the log does not tell: %v\n%s", err, log)
	}
}

// knock asks over TCP without a token and gives the status line.
func (p *place) knock(port int) string {
	p.t.Helper()
	conn, err := net.DialTimeout("tcp4", fmt.Sprintf("127.0.0.1:%d", port), 5*time.Second)
	if err != nil {
		return err.Error()
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprintf(conn, "GET /debug HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", port)
	text, _ := io.ReadAll(conn)
	line, _, _ := strings.Cut(string(text), "\r\n")
	return line
}

// H-14: connections of before that the kernel still remembers are no obstacle to the same port.
func TestH14PortInTimeWait(t *testing.T) {
	free, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	p := newPlace(t, fmt.Sprintf("DBRIDGE_PORT=%d", port))
	for round := range 3 {
		if a := p.start(); a.Data.Port != port {
			t.Fatalf("round %d: port %d, wanted %d", round, a.Data.Port, port)
		}
		if status := p.knock(port); !strings.HasPrefix(status, "HTTP/1.1 401") { // the daemon closes first, and waits
			t.Fatalf("round %d: %q", round, status)
		}
		if waiting, err := os.ReadFile("/proc/net/tcp"); err == nil && !strings.Contains(string(waiting), fmt.Sprintf("0100007F:%04X", port)) {
			t.Errorf("round %d: nothing of the port is left, so nothing is tested", round)
		}
		if status, _ := p.ask("daemon", "stop"); status != 0 {
			t.Fatal(status)
		}
	}
}
