package browsertest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// startBound starts the command so that it ends with this process, also when the
// test binary panics on its time limit. The kernel binds that to the starting
// thread, so the thread is kept until the command has ended.
func startBound(command *exec.Cmd, exited chan<- struct{}) error {
	if command.SysProcAttr == nil {
		command.SysProcAttr = new(syscall.SysProcAttr)
	}
	command.SysProcAttr.Pdeathsig = syscall.SIGKILL
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait() // killed is a usual end
		}
		close(exited)
	}()
	return <-started
}

// Process is one process that belongs to a test.
type Process struct {
	PID  int
	Line string // its command line, cut
}

func (p Process) String() string { return fmt.Sprintf("%d %s", p.PID, p.Line) }

// processesOf finds the processes whose command line or environment names the
// folder: browsers are started on a profile in it, daemons and relays with a home in it.
func processesOf(folder string) []Process {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []Process
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		dir := filepath.Join("/proc", entry.Name())
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || len(line) == 0 { // gone, a kernel thread, or a zombie
			continue
		}
		environment, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil {
			continue
		}
		if bytes.Contains(line, []byte(folder)) || bytes.Contains(environment, []byte(folder)) {
			text := strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))
			found = append(found, Process{PID: pid, Line: short(text)})
		}
	}
	return found
}
