package chrome

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// born is the start time in ticks since boot (proc(5), stat field 22) with the
// boot's id. A zombie is not there any more.
func born(pid int) string {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	// The name in brackets may hold anything, brackets too.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(boot)) + "/" + fields[19]
}

// usesProfile reports whether a process is a browser with this profile.
func usesProfile(pid int, dir string) bool {
	if born(pid) == "" {
		return false
	}
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return false
	}
	if bytes.Contains(line, []byte("user-data-dir="+dir)) {
		return true
	}
	// A person's own Chrome names no directory on its command line.
	program, _, _ := bytes.Cut(line, []byte{0})
	return !bytes.Contains(line, []byte("user-data-dir=")) && bytes.Contains(bytes.ToLower(program), []byte("chrom"))
}
