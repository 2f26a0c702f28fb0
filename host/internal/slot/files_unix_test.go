//go:build unix

package slot

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/caller"
	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/profile"
	"github.com/debug-bridge/debug-bridge/host/internal/session"
	"github.com/debug-bridge/debug-bridge/host/internal/state"

	"github.com/rs/zerolog"
)

// leftover starts a process as a browser of an earlier daemon, and gives its identity.
func leftover(t *testing.T) (*exec.Cmd, chrome.Identity) {
	t.Helper()
	command := exec.Command("sleep", "300")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
	return command, chrome.IdentityOf(command.Process.Pid)
}

func TestLeftoversOfAnEarlierDaemon(t *testing.T) {
	root := t.TempDir()
	home := &state.Home{Root: root, State: filepath.Join(root, "state")}
	orphan, its := leftover(t)
	recycled, other := leftover(t)
	other.Born += "0"
	for name, identity := range map[string]chrome.Identity{"ctx_00000000000000aa": its, "ctx_00000000000000bb": other} {
		files := home.ContextFiles(name)
		if err := os.MkdirAll(filepath.Join(files.Profile(), "Default"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := files.Write(state.ContextMetadata, metadata{ContextKey: name, UserDataDir: files.Profile(), Process: identity}); err != nil {
			t.Fatal(err)
		}
	}
	kept := home.ContextFiles("ctx_00000000000000aa").Artifacts()
	if err := os.MkdirAll(kept, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(kept, "shot.png"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = orphan.Wait(); close(ended) }()

	hub := session.NewHub(session.Config{Epoch: "e"})
	defer hub.Close()
	pages := page.NewManager(hub, nil, zerolog.Nop())
	defer pages.Close()
	m := NewManager(pages, Options{Home: home, Log: zerolog.Nop()})
	defer m.Close(context.Background())
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the orphan lives")
	}
	<-m.tidy
	if err := recycled.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("a process that has the number now was ended: %v", err)
	}
	if _, err := os.Stat(filepath.Join(kept, "shot.png")); err != nil {
		t.Error("artifacts are gone")
	}
	for _, name := range home.ListContexts() {
		files := home.ContextFiles(name)
		for _, path := range []string{files.Profile(), filepath.Join(files.Dir, state.ContextMetadata)} {
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s is left", path)
			}
		}
	}
}

func TestFilesTellOfTheContext(t *testing.T) {
	w := newWorld(t, Options{})
	c := w.as(t, caller.Caller{ContextEnv: "very secret", Anchor: os.Getpid(), AnchorName: "agent"})
	start(t, c)
	var m metadata
	var l leaseFile
	files := w.home.ContextFiles(c.Key)
	if err := files.Read(state.ContextMetadata, &m); err != nil {
		t.Fatal(err)
	}
	if err := files.Read(state.ContextLease, &l); err != nil {
		t.Fatal(err)
	}
	if m.ContextKey != c.Key || m.ResolvedBy != caller.ByEnv || m.Status != "running" || m.Process.Pid != 7 || m.UserDataDir != files.Profile() {
		t.Errorf("%+v", m)
	}
	if len(l.Owners) != 1 || l.Owners[0].Pid != os.Getpid() || l.IdleMs != defaultIdle.Milliseconds() {
		t.Errorf("%+v", l)
	}
	for _, name := range []string{state.ContextMetadata, state.ContextLease} {
		info, err := os.Stat(filepath.Join(files.Dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}

// A folder that cannot be written ends no daemon: a managed browser cannot start, a
// remote one needs no folder.
func TestFolderThatCannotBeWritten(t *testing.T) {
	w := newWorld(t, Options{})
	if err := os.WriteFile(w.home.Contexts(), nil, 0o600); err != nil { // root may write anywhere but below a file
		t.Fatal(err)
	}
	c := w.as(t, named("a"))
	if _, err := c.Start(t.Context(), Start{}); code(err) != fault.FileAccessFailed {
		t.Fatalf("%v", err)
	}
	started, err := c.Start(t.Context(), Start{Endpoint: "9222"})
	if err != nil || len(started.Warnings) != 1 {
		t.Fatalf("%+v %v", started, err)
	}
	if s := c.Status(); s.Failures == 0 || s.State != "running" {
		t.Errorf("%+v", s)
	}
}

func TestEndpointsAreShownWithoutSecrets(t *testing.T) {
	t.Parallel()
	for given, shown := range map[string]string{
		"9222": "9222", "ws://u:p@host:1/devtools/browser/abc?token=x": "ws://host:1", "https://host/json?key=1": "https://host", "/home/u/profile": "/home/u/profile",
	} {
		if got := profile.Bare(given); got != shown {
			t.Errorf("%s: %s", given, got)
		}
	}
}
