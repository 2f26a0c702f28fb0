package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Discovery is what a running daemon says of itself.
type Discovery struct {
	PID     int    `json:"pid"`
	Epoch   string `json:"epoch"`
	Socket  string `json:"socket"`
	Port    int    `json:"port"`
	URL     string `json:"url"`
	HTTPURL string `json:"httpUrl"`
}

// Output is what one run of dbridge gave.
type Output struct {
	Stdout, Stderr string
	Exit           int
}

// Run runs dbridge in this Env.
func (e *Env) Run(args ...string) Output {
	e.T.Helper()
	out, err := e.run(args...)
	if err != nil {
		e.T.Fatalf("dbridge %v: %v", args, err)
	}
	return out
}

func (e *Env) run(args ...string) (Output, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*Patience)
	defer cancel()
	command := exec.CommandContext(ctx, e.Program, args...)
	command.Env, command.Dir = e.environ, e.Dir
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	out := Output{Stdout: stdout.String(), Stderr: stderr.String(), Exit: command.ProcessState.ExitCode()}
	if _, failed := errors.AsType[*exec.ExitError](err); failed && ctx.Err() == nil {
		err = nil // the exit status says it
	}
	return out, err
}

// Data runs dbridge, which must succeed, and decodes the data of its envelope
// into result, unless nil.
func (e *Env) Data(result any, args ...string) {
	e.T.Helper()
	out := e.Run(args...)
	var envelope struct {
		OK   bool            `json:"ok"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal([]byte(out.Stdout), &envelope); err != nil || !envelope.OK || out.Exit != 0 {
		e.T.Fatalf("dbridge %v: exit %d, stdout %s, stderr %s", args, out.Exit, out.Stdout, out.Stderr)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(envelope.Data, result); err != nil {
		e.T.Fatalf("dbridge %v: data: %v", args, err)
	}
}

// Token makes a token.
func (e *Env) Token(name string, flags ...string) string {
	e.T.Helper()
	var made struct {
		Token string `json:"token"`
	}
	e.Data(&made, append([]string{"token", "new", name}, flags...)...)
	if made.Token == "" {
		e.T.Fatalf("token new %s gave none", name)
	}
	return made.Token
}

// StartDaemon starts the daemon by hand; else the browser's native host does.
func (e *Env) StartDaemon() Discovery {
	e.T.Helper()
	e.Data(nil, "daemon", "start")
	return e.Daemon()
}

// Daemon waits for a running daemon and tells where it is.
func (e *Env) Daemon() Discovery {
	e.T.Helper()
	var found Discovery
	err := poll(Patience, func() (bool, error) {
		var err error
		found, err = e.discovery()
		return err == nil && alive(found.PID), err
	})
	if err != nil {
		e.T.Fatalf("no daemon: %v", err)
	}
	return found
}

func (e *Env) discovery() (Discovery, error) {
	var found Discovery
	content, err := os.ReadFile(filepath.Join(e.Home, "run", "daemon.json"))
	if err != nil {
		return found, err
	}
	return found, json.Unmarshal(content, &found)
}

// KillDaemon ends the daemon with SIGKILL and waits until it is gone.
func (e *Env) KillDaemon() {
	e.T.Helper()
	pid := e.Daemon().PID
	if err := killProcess(pid); err != nil {
		e.T.Fatalf("kill the daemon: %v", err)
	}
	Until(e.T, Patience, "end of the daemon", func() bool { return !alive(pid) })
}

// StopDaemon stops the daemon gracefully.
func (e *Env) StopDaemon() {
	e.T.Helper()
	e.Data(nil, "daemon", "stop")
}

// stopDaemon ends whatever daemon runs; true when it ended in good order.
func (e *Env) stopDaemon() bool {
	found, err := e.discovery()
	if err != nil || !alive(found.PID) || e.Program == "" {
		return false
	}
	out, err := e.run("daemon", "stop")
	if err == nil && out.Exit == 0 {
		if poll(5*time.Second, func() (bool, error) { return !alive(found.PID), nil }) == nil {
			return true
		}
		err = fmt.Errorf("process %d stays", found.PID)
	}
	e.T.Errorf("daemon stop: exit %d, %v: %s%s", out.Exit, err, out.Stdout, out.Stderr)
	_ = killProcess(found.PID) // it may end meanwhile
	return false
}
