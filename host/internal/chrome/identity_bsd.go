//go:build unix && !linux

package chrome

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// born asks ps, which every system of this kind has, in one fixed language.
func born(pid int) string {
	cmd := exec.Command("ps", "-o", "lstart=,stat=", "-p", strconv.Itoa(pid))
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC"}
	output, err := cmd.Output()
	fields := strings.Fields(string(output))
	if err != nil || len(fields) < 2 || strings.HasPrefix(fields[len(fields)-1], "Z") {
		return ""
	}
	return strings.Join(fields[:len(fields)-1], " ")
}

// usesProfile takes a living holder's word: the lock names it.
func usesProfile(pid int, _ string) bool { return syscall.Kill(pid, 0) == nil }
