package caller

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// zombie is SZOMB of sys/proc.h.
const zombie = 5

// Lookup reads one process of the table.
func Lookup(pid int) (Process, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return Process{}, false
	}
	start := info.Proc.P_starttime
	p := Process{
		Pid: pid, Parent: int(info.Eproc.Ppid), Name: programName(unix.ByteSliceToString(info.Proc.P_comm[:])),
		Start:  strconv.FormatInt(start.Sec, 10) + "." + strconv.FormatInt(int64(start.Usec), 10),
		Zombie: info.Proc.P_stat == zombie,
		args:   func() []string { return arguments(pid) },
	}
	if device := info.Eproc.Tdev; device != -1 {
		p.TTY = strconv.Itoa(int(device))
	}
	return p, true
}

// arguments reads a process's command line (kern.procargs2: argc, the program's path, zeros, then the arguments).
func arguments(pid int) []string {
	data, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(data) < 4 {
		return nil
	}
	count := int(binary.NativeEndian.Uint32(data))
	_, rest, found := bytes.Cut(data[4:], []byte{0})
	if !found || count <= 0 {
		return nil
	}
	words := strings.Split(strings.TrimLeft(string(rest), "\x00"), "\x00")
	return words[:min(count, len(words))]
}
