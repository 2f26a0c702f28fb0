package state

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestLockExcludes(t *testing.T) {
	home := open(t)
	lock, err := home.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := home.TryLock(); !errors.Is(err, &fault.Error{Code: fault.DaemonUnavailable}) {
		t.Fatalf("got %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = home.Lock(ctx)
	if f := fault.From(err); f.Code != fault.DaemonUnavailable || f.Details["reason"] != ReasonLocked {
		t.Fatalf("got %v %v", err, f.Details)
	}
	waited := make(chan error, 1)
	go func() {
		lock, err := home.Lock(t.Context())
		if err == nil {
			err = lock.Release()
		}
		waited <- err
	}()
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; err != nil {
		t.Fatalf("the next one: %v", err)
	}
}

// H-12: a lock file that is removed while held protects nothing; the next lock is on the file that is there.
func TestH12LockFileReplaced(t *testing.T) {
	home := open(t)
	first, err := home.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Release()
	if err := os.Remove(home.LockPath()); err != nil {
		t.Fatal(err)
	}
	second, err := home.TryLock()
	if err != nil {
		t.Fatal(err)
	}
	defer second.Release()
	if _, err := home.TryLock(); err == nil {
		t.Fatal("the new file is not locked")
	}
}

func TestLockIsNeverALink(t *testing.T) {
	home := open(t)
	if err := os.Symlink("/tmp/elsewhere", home.LockPath()); err != nil {
		t.Skip(err)
	}
	if _, err := home.TryLock(); fault.From(err).Code != fault.FileAccessFailed {
		t.Fatalf("got %v", err)
	}
}

// H-12: the kernel frees the lock of a killed process, also while that is a zombie.
func TestH12LockOfAZombie(t *testing.T) {
	if os.Getenv("STATE_TEST_HOLD") != "" {
		home, err := Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := home.TryLock(); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("held\n")
		select {}
	}
	home := open(t)
	command := exec.Command(os.Args[0], "-test.run=^TestH12LockOfAZombie$")
	command.Env = append(os.Environ(), "STATE_TEST_HOLD=1")
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer command.Wait()
	if _, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if _, err := home.TryLock(); err == nil {
		t.Fatal("the other process does not hold it")
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	lock, err := home.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lock.Release()
}
