package state

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestTokens(t *testing.T) {
	home := open(t)
	tokens := home.Tokens()
	if _, ok := tokens.Verify("dbt_x"); ok {
		t.Fatal("a token without a store")
	}
	secret, record, err := tokens.New(t.Context(), "my-agent", "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if len(secret) != len(TokenPrefix)+43 || !strings.HasPrefix(secret, TokenPrefix) || strings.Trim(secret[4:], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		t.Fatalf("token %q", secret)
	}
	if record.Role != RoleAgent || record.Level != "control" || record.Hash != "" {
		t.Fatalf("record %+v", record)
	}
	if got, ok := tokens.Verify(secret); !ok || got.Name != "my-agent" || got.Hash != "" || !got.Allows("agent") || got.Allows("app") {
		t.Fatalf("got %+v %v", got, ok)
	}
	for _, wrong := range []string{"", secret + "x", secret[:len(secret)-1], strings.ToUpper(secret), "dbt_", strings.TrimPrefix(secret, TokenPrefix)} {
		if _, ok := tokens.Verify(wrong); ok {
			t.Errorf("%q was accepted", wrong)
		}
	}
	// N-18: the secret is nowhere on disk.
	data, err := os.ReadFile(home.TokensPath())
	if err != nil || strings.Contains(string(data), secret) || strings.Contains(string(data), secret[4:]) {
		t.Fatalf("the file holds the token (%v)", err)
	}
	if info, _ := os.Stat(home.TokensPath()); info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %o", info.Mode().Perm())
	}
	if err := tokens.Revoke(t.Context(), "my-agent"); err != nil {
		t.Fatal(err)
	}
	if _, ok := tokens.Verify(secret); ok {
		t.Fatal("a revoked token was accepted")
	}
	if err := tokens.Revoke(t.Context(), "my-agent"); !errors.Is(err, &fault.Error{Code: fault.TokenNotFound}) {
		t.Fatalf("got %v", err)
	}
}

func TestTokensRefuse(t *testing.T) {
	tokens := open(t).Tokens()
	if _, _, err := tokens.New(t.Context(), "a", "", "", ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][4]string{{"a"}, {""}, {"a b"}, {"../x"}, {strings.Repeat("x", 65)}, {"b", "boss"}, {"b", "", "root"}, {"b", "", "", "localhost"}} {
		if _, _, err := tokens.New(t.Context(), c[0], c[1], c[2], c[3]); !errors.Is(err, &fault.Error{Code: fault.ValidationError}) {
			t.Errorf("%q: got %v", c, err)
		}
	}
	if list, err := tokens.List(); err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
}

func TestTokensOfSeveralProcesses(t *testing.T) {
	home := open(t)
	mine, other := home.Tokens(), home.Tokens()
	secret, _, err := other.New(t.Context(), "a", "", "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := mine.Verify(secret); !ok {
		t.Fatal("a token made elsewhere is not known")
	}
	ctx, cancel := context.WithCancel(t.Context())
	changed := make(chan time.Time, 8)
	var watching sync.WaitGroup
	watching.Go(func() { mine.Watch(ctx, func() { changed <- time.Now() }) })
	// The watch compares with what it saw first; a change before that is none. Repeat until it is seen.
	var at, seen time.Time
	for i := 0; seen.IsZero(); i++ {
		at = time.Now()
		if _, _, err := other.New(t.Context(), "w"+strings.Repeat("x", i), "", "", ""); err != nil {
			t.Fatal(err)
		}
		select {
		case seen = <-changed:
		case <-time.After(time.Second):
		}
		if i > 5 {
			t.Fatal("no change was seen")
		}
	}
	if took := seen.Sub(at); took > 500*time.Millisecond {
		t.Errorf("noticed after %s", took)
	}
	cancel()
	watching.Wait()

	// Many writers, each from its own view: nothing is lost.
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			if _, _, err := home.Tokens().New(t.Context(), "n"+strings.Repeat("y", i), "", "", ""); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	list, err := mine.List()
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, token := range list {
		if strings.HasPrefix(token.Name, "n") {
			count++
		}
	}
	if count != 20 {
		t.Fatalf("%d of 20 tokens", count)
	}
}

func TestDamagedAndOpenStores(t *testing.T) {
	cases := map[string]struct {
		content string
		mode    os.FileMode
		code    fault.Code
	}{
		"damaged":           {"{", 0o600, fault.FileAccessFailed},
		"empty":             {"", 0o600, fault.FileAccessFailed},
		"newer":             {`{"format":2,"entries":[]}`, 0o600, fault.VersionMismatch},
		"readable by all":   {`{"format":1,"entries":[]}`, 0o644, fault.FileAccessFailed},
		"writable by group": {`{"format":1,"entries":[]}`, 0o660, fault.FileAccessFailed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			home := open(t)
			if err := os.WriteFile(home.TokensPath(), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(home.TokensPath(), c.mode); err != nil {
				t.Fatal(err)
			}
			if _, err := home.Tokens().List(); fault.From(err).Code != c.code || fault.From(err).Details["path"] != home.TokensPath() {
				t.Fatalf("list: %v", err)
			}
			if _, _, err := home.Tokens().New(t.Context(), "a", "", "", ""); fault.From(err).Code != c.code {
				t.Fatalf("new: %v", err)
			}
			if _, ok := home.Tokens().Verify("dbt_x"); ok {
				t.Fatal("a store that cannot be trusted let someone in")
			}
			if data, _ := os.ReadFile(home.TokensPath()); string(data) != c.content {
				t.Fatal("the file was changed")
			}
		})
	}
}

func TestStoreIsNeverALink(t *testing.T) {
	home := open(t)
	target := filepath.Join(t.TempDir(), "planted")
	if err := os.WriteFile(target, []byte(`{"format":1,"entries":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, home.TokensPath()); err != nil {
		t.Skip(err)
	}
	if _, err := home.Tokens().List(); fault.From(err).Code != fault.FileAccessFailed {
		t.Fatalf("got %v", err)
	}
}

func TestApps(t *testing.T) {
	home := open(t)
	apps := home.Apps()
	canonical, err := apps.Allow(t.Context(), "HTTP://LocalHost:3000/")
	if err != nil || canonical != "http://localhost:3000" {
		t.Fatalf("%s %v", canonical, err)
	}
	if _, err := apps.Allow(t.Context(), "http://localhost:3000"); err != nil {
		t.Fatal(err)
	}
	if list, err := apps.List(); err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	for origin, want := range map[string]bool{"http://localhost:3000": true, "http://localhost:3001": false, "https://localhost:3000": false, "http://localhost": false, "http://localhost:3000/": false, "http://LOCALHOST:3000": false, "null": false, "": false} {
		if home.Apps().Allowed(origin) != want {
			t.Errorf("%q: want %v", origin, want)
		}
	}
	if _, removed, err := apps.Deny(t.Context(), "http://localhost:3000"); err != nil || !removed {
		t.Fatalf("%v %v", removed, err)
	}
	if _, removed, err := apps.Deny(t.Context(), "http://localhost:3000"); err != nil || removed {
		t.Fatalf("%v %v", removed, err)
	}
	if apps.Allowed("http://localhost:3000") {
		t.Fatal("still allowed")
	}
}

func TestParseOrigin(t *testing.T) {
	good := map[string]string{
		"http://localhost:3000":     "http://localhost:3000",
		"http://a.test:80":          "http://a.test",
		"https://a.test:443/":       "https://a.test",
		"https://a.test:80":         "https://a.test:80",
		"http://[::1]:5173":         "http://[::1]:5173",
		"http://[0:0::1]:5173":      "http://[::1]:5173",
		"http://127.0.0.1:08080":    "http://127.0.0.1:8080",
		"http://xn--bcher-kva.test": "http://xn--bcher-kva.test",
	}
	for in, want := range good {
		if got, err := ParseOrigin(in); err != nil || got != want {
			t.Errorf("%s: got %s %v want %s", in, got, err, want)
		}
	}
	for _, bad := range []string{"", "null", "*", "localhost:3000", "http://", "http://*.a.test", "http://a.test/x", "http://a.test?x", "http://a.test#", "http://u@a.test", "ftp://a.test", "file:///x", "http://a.test:0", "http://a.test:70000", "http://a.test:", "http://bücher.test", "http://a b", "http://a.test\n", "http://[fe80::1%25eth0]", "chrome-extension://abc"} {
		if got, err := ParseOrigin(bad); !errors.Is(err, &fault.Error{Code: fault.ValidationError}) {
			t.Errorf("%q: got %s %v", bad, got, err)
		}
	}
}

func FuzzParseOrigin(f *testing.F) {
	for _, seed := range []string{"http://localhost:3000", "https://[::1]:1", "http://A.b:80/", "http://%41"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		once, err := ParseOrigin(in)
		if err != nil {
			return
		}
		if again, err := ParseOrigin(once); err != nil || again != once {
			t.Fatalf("%q became %q and then %q (%v)", in, once, again, err)
		}
	})
}

func TestDiscovery(t *testing.T) {
	home := open(t)
	if _, err := home.ReadDiscovery(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
	want := Discovery{Pid: 7, Version: "0.1.0", Epoch: "e", StartedAt: "2026-01-02T03:04:05Z", Socket: home.Socket(), Port: 9224, URL: "ws://127.0.0.1:9224/debug"}
	if err := home.WriteDiscovery(want); err != nil {
		t.Fatal(err)
	}
	if got, err := home.ReadDiscovery(); err != nil || got != want {
		t.Fatalf("got %+v %v", got, err)
	}
	if err := home.RemoveDiscovery(); err != nil {
		t.Fatal(err)
	}
	if err := home.RemoveDiscovery(); err != nil {
		t.Fatalf("a second time: %v", err)
	}
}

func TestWriteFileLeavesTheOldWhole(t *testing.T) {
	home := open(t)
	path := filepath.Join(home.State, "x.json")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	// Replacing a directory fails at the last step.
	blocked := filepath.Join(home.State, "dir")
	if err := os.MkdirAll(filepath.Join(blocked, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(blocked, []byte("new")); fault.From(err).Code != fault.FileAccessFailed {
		t.Fatalf("got %v", err)
	}
	if err := WriteFile(filepath.Join(home.State, "missing", "x"), []byte("new")); fault.From(err).Code != fault.FileAccessFailed {
		t.Fatalf("got %v", err)
	}
	left, err := os.ReadDir(home.State)
	if err != nil || len(left) != 2 {
		t.Fatalf("left over: %v %v", left, err)
	}
	if data, _ := ReadFile(path); string(data) != "old" {
		t.Fatalf("the old file is %q", data)
	}
}

// H-17: on a full disk the old file stays whole and nothing half-written stays.
func TestH17DiskFull(t *testing.T) {
	mount, err := exec.LookPath("mount")
	if err != nil || os.Geteuid() != 0 {
		t.Skip("needs root and mount")
	}
	dir := t.TempDir()
	if out, err := exec.Command(mount, "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("no tmpfs here: %v %s", err, out)
	}
	defer exec.Command("umount", dir).Run()
	t.Setenv(EnvHome, dir)
	home, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home.State, "x.json")
	if err := WriteFile(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, make([]byte, 100<<10)); fault.From(err).Code != fault.FileAccessFailed {
		t.Fatalf("got %v", err)
	}
	left, err := os.ReadDir(home.State)
	if data, _ := ReadFile(path); string(data) != "old" || err != nil || len(left) != 1 {
		t.Fatalf("old file %q, left over %v (%v)", data, left, err)
	}
}

func TestLogRotation(t *testing.T) {
	home := open(t)
	if err := os.WriteFile(home.LogPath(), make([]byte, maxLog+1), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := home.OpenLog(false)
	if err != nil {
		t.Fatal(err)
	}
	kept.Close()
	fresh, err := home.OpenLog(true)
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	if info, _ := fresh.Stat(); info.Size() != 0 || info.Mode().Perm() != 0o600 {
		t.Fatalf("size %d mode %o", info.Size(), info.Mode().Perm())
	}
	if info, err := os.Stat(home.LogPath() + ".1"); err != nil || info.Size() != maxLog+1 {
		t.Fatal("the old log is not kept")
	}
}
