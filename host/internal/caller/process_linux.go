package caller

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// Lookup reads one process of the table.
func Lookup(pid int) (Process, bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	data, err := readSmall(dir + "/stat")
	if err != nil {
		return Process{}, false
	}
	// pid (name) state ppid pgrp session tty_nr … starttime is the 22nd; the name may hold anything.
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return Process{}, false
	}
	fields := strings.Fields(string(data[end+1:]))
	if len(fields) < 20 {
		return Process{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return Process{}, false
	}
	p := Process{
		Pid: pid, Parent: parent, Name: programName(string(data[open+1 : end])), Start: fields[19],
		Zombie: fields[0] == "Z" || fields[0] == "X",
		args:   func() []string { return arguments(dir) },
	}
	if fields[4] != "0" {
		p.TTY = fields[4]
	}
	return p, true
}

// arguments reads a process's command line.
func arguments(dir string) []string {
	data, err := os.ReadFile(dir + "/cmdline")
	if err != nil || len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\x00"), "\x00")
}

// readSmall reads a file that fits a buffer, with one read.
func readSmall(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	buffer := make([]byte, 1024)
	n, err := file.Read(buffer)
	if err != nil {
		return nil, err
	}
	return buffer[:n], nil
}
