package state

import (
	"context"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

// lockWait is how long another holder of the daemon's lock is waited for: a
// daemon that is stopping needs up to 5 s.
const lockWait = 10 * time.Second

const lockRetry = 20 * time.Millisecond

// Lock is a held kernel lock; the kernel frees it when the process ends, however it ends.
type Lock struct{ lock *flock.Flock }

// Release frees the lock. The file stays: removing it would let two holders each have one.
func (l *Lock) Release() error { return l.lock.Close() }

// Lock takes the daemon's lock. Held by another for 10 s (or to ctx's end) it is DAEMON_UNAVAILABLE.
func (h *Home) Lock(ctx context.Context) (*Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	lock, err := takeLock(ctx, h.LockPath())
	if err != nil && ctx.Err() != nil {
		return nil, h.locked().Because(err)
	}
	return lock, err
}

// TryLock takes the daemon's lock without waiting; held by another it is DAEMON_UNAVAILABLE.
func (h *Home) TryLock() (*Lock, error) {
	lock, err := tryLock(h.LockPath())
	if lock == nil && err == nil {
		return nil, h.locked()
	}
	return lock, err
}

// ReasonLocked is details.reason of DAEMON_UNAVAILABLE when another process holds the daemon's lock.
const ReasonLocked = "locked"

func (h *Home) locked() *fault.Error {
	return fault.New(fault.DaemonUnavailable, "another process holds %s and does not let go", h.LockPath()).
		With("path", h.LockPath()).With("reason", ReasonLocked).
		Suggest("If a daemon runs, use it: `dbridge daemon status`.", "Else see who holds the lock: lsof "+quote(h.LockPath()))
}

// TryStartLock takes the lock of the one process that starts a daemon; nil and no error when another holds it.
func (h *Home) TryStartLock() (*Lock, error) { return tryLock(h.StartLockPath()) }

func takeLock(ctx context.Context, path string) (*Lock, error) {
	ticker := time.NewTicker(lockRetry)
	defer ticker.Stop()
	for {
		lock, err := tryLock(path)
		if lock != nil || err != nil {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-ticker.C:
		}
	}
}

func tryLock(path string) (*Lock, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, accessFault(path, "is not a regular file", nil).Suggest("Remove it: rm " + quote(path))
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if err != nil {
		lock.Close()
		return nil, accessFault(path, "cannot be locked", err)
	}
	if !ok {
		lock.Close()
		return nil, nil
	}
	// The file may have been removed or replaced since it was opened: then this
	// is a lock on nothing, and the next process would get its own.
	held, heldErr := lock.Stat()
	there, thereErr := os.Lstat(path)
	if heldErr != nil || thereErr != nil || !os.SameFile(held, there) {
		lock.Close()
		return nil, nil
	}
	return &Lock{lock: lock}, nil
}
