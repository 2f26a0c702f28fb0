package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/state"
)

const (
	// startTimeout is what a start may take, a foreign holder of the daemon's lock included.
	startTimeout = 15 * time.Second
	// lockTimeout is what a daemon that is ending may keep its lock: 5 s of draining, then some.
	lockTimeout = 8 * time.Second
	maxLogTail  = 64 << 10
)

// EnsureOptions says how a daemon is started where none runs. The zero value is right in the program itself.
type EnsureOptions struct {
	Executable string                 // own executable when empty
	Find       func() (string, error) // asked for the executable when one must be started, instead
	Never      bool                   // start none: DAEMON_UNAVAILABLE, reason not_running
	Args       []string               // "daemon run" when empty
	Timeout    time.Duration          // 15 s when zero
	Started    *bool                  // set to whether this call started it
}

// Ensure connects to the daemon, starting one where none answers. Of any
// number of processes that call it at once, one starts one daemon.
func Ensure(ctx context.Context, home *state.Home, options EnsureOptions) (*Client, error) {
	timeout := options.Timeout
	if timeout == 0 {
		timeout = startTimeout
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	started := false
	if options.Started == nil {
		options.Started = &started
	}
	*options.Started = false

	var client *Client
	var last error
	err := poll(ctx, func() (bool, error) {
		client, last = Dial(ctx, home)
		if last == nil {
			return true, nil
		}
		if reason(last) != ReasonNotRunning {
			// A daemon that is stopping or overloaded may answer the next time; a foreign one never becomes ours.
			if reason(last) == ReasonNoAnswer {
				return false, nil
			}
			return false, last
		}
		if options.Never {
			return false, last
		}
		lock, err := home.TryStartLock()
		if lock == nil || err != nil {
			return false, err
		}
		defer lock.Release()
		client, last = start(ctx, home, options)
		return last == nil, last
	})
	if err == nil {
		return client, nil
	}
	if ctx.Err() != nil {
		if outer.Err() != nil {
			return nil, fault.New(fault.Cancelled, "stopped waiting for the daemon").Because(outer.Err())
		}
		if last != nil && !errors.Is(last, context.DeadlineExceeded) {
			err = last
		}
		return nil, notStarted(home, "the daemon did not answer in "+timeout.String()).Because(err)
	}
	return nil, fault.From(err)
}

// start runs with the start lock held, so that only one process spawns.
func start(ctx context.Context, home *state.Home, options EnsureOptions) (*Client, error) {
	// Another process may have started one between our look and our lock, and
	// one that is ending holds its lock for a moment longer than its socket.
	var client *Client
	free, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	err := poll(free, func() (bool, error) {
		var err error
		if client, err = Dial(free, home); err == nil {
			return true, nil
		}
		return unlocked(home)
	})
	if err != nil && free.Err() != nil {
		_, err = home.TryLock()
	}
	if client != nil || err != nil {
		return client, err
	}
	log, err := home.OpenLog(true)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	offset, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fault.From(err)
	}
	if options.Find != nil {
		if options.Executable, err = options.Find(); err != nil {
			return nil, err
		}
	}
	exited, err := spawn(home, options, log)
	if err != nil {
		return nil, notStarted(home, "the daemon cannot be started: "+err.Error()).Because(err)
	}
	over := false
	err = poll(ctx, func() (bool, error) {
		var dialErr error
		if client, dialErr = Dial(ctx, home); dialErr == nil {
			return true, nil
		}
		if r := reason(dialErr); r != ReasonNotRunning && r != ReasonNoAnswer {
			return false, dialErr
		}
		if over {
			return false, failure(home, offset)
		}
		select {
		case <-exited:
			// Once more: it may have ended because another daemon answers.
			over = true
		default:
		}
		return false, nil
	})
	if err != nil {
		return nil, err
	}
	*options.Started = true
	return client, nil
}

func spawn(home *state.Home, options EnsureOptions, log *os.File) (<-chan struct{}, error) {
	executable := options.Executable
	if executable == "" {
		var err error
		if executable, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	args := options.Args
	if len(args) == 0 {
		args = []string{"daemon", "run"}
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	command := exec.Command(executable, args...)
	command.Stdin, command.Stdout, command.Stderr = null, log, log
	command.Dir = rootDir()
	command.Env = environment(home)
	command, err = startDetached(command)
	if err != nil {
		return nil, err
	}
	exited := make(chan struct{})
	go func() {
		// Ends with the daemon or with this process; without it a dead daemon stays a zombie.
		_ = command.Wait()
		close(exited)
	}()
	return exited, nil
}

// environment is ours, with a home that does not depend on the working directory.
func environment(home *state.Home) []string {
	env := os.Environ()
	if home.Root == "" {
		return env
	}
	kept := env[:0:0]
	for _, entry := range env {
		if !strings.HasPrefix(entry, state.EnvHome+"=") {
			kept = append(kept, entry)
		}
	}
	return append(kept, state.EnvHome+"="+home.Root)
}

func rootDir() string { return filepath.VolumeName(os.TempDir()) + string(filepath.Separator) }

// failure finds out why a daemon that was just started ended. Where it could not even
// write that into its log, nothing can be written here either.
func failure(home *state.Home, offset int64) error {
	f := logged(home, offset)
	if reason(f) == ReasonNotStarted {
		if err := home.Probe(); err != nil {
			return err
		}
	}
	return f
}

// logged is what a daemon that ended said last.
func logged(home *state.Home, offset int64) error {
	f := notStarted(home, "the daemon ended right after its start")
	file, err := os.Open(home.LogPath())
	if err != nil {
		return f
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size()-offset > maxLogTail {
		offset = info.Size() - maxLogTail
	}
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return f
	}
	tail, err := io.ReadAll(io.LimitReader(file, maxLogTail))
	if err != nil {
		return f
	}
	lines := bytes.Split(bytes.TrimSpace(tail), []byte("\n"))
	for i := len(lines) - 1; i >= 0; i-- {
		var answer envelope
		if json.Unmarshal(lines[i], &answer) == nil && answer.OK != nil && !*answer.OK {
			return decode(0, lines[i], nil)
		}
	}
	if last := strings.TrimSpace(string(lines[len(lines)-1])); last != "" {
		f.With("lastLine", last)
	}
	return f
}

func notStarted(home *state.Home, message string) *fault.Error {
	return fault.New(fault.DaemonUnavailable, "%s", message).With("reason", ReasonNotStarted).With("log", home.LogPath()).
		Suggest("Read why: `dbridge daemon logs`.", "See it run in this terminal: `dbridge daemon run`.")
}
