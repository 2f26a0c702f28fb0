package caller

import (
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Lookup reads one process of the table.
func Lookup(pid int) (Process, bool) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return Process{}, false
	}
	defer windows.CloseHandle(snapshot) //nolint:errcheck // only read
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		if int(entry.ProcessID) != pid {
			continue
		}
		start, running := startOf(pid)
		p := Process{
			Pid: pid, Parent: int(entry.ParentProcessID), Name: programName(windows.UTF16ToString(entry.ExeFile[:])),
			Start: strconv.FormatInt(start, 10), Zombie: !running,
			args: func() []string { return arguments(pid) },
		}
		// A parent that has ended leaves its number, which another may have by now.
		if born, ok := startOf(p.Parent); !ok || born > start {
			p.Parent = 0
		}
		return p, true
	}
	return Process{}, false
}

// startOf gives when a process started, in 100 ns, and whether it runs.
func startOf(pid int) (start int64, running bool) {
	if pid == 0 {
		return 0, false
	}
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0, false
	}
	defer windows.CloseHandle(handle) //nolint:errcheck // only read
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(handle, &created, &exited, &kernel, &user); err != nil {
		return 0, false
	}
	return created.Nanoseconds() / 100, exited.HighDateTime == 0 && exited.LowDateTime == 0
}

// arguments reads a process's command line.
func arguments(pid int) []string {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return nil
	}
	defer windows.CloseHandle(handle) //nolint:errcheck // only read
	buffer := make([]byte, 64<<10)
	var size uint32
	if err := windows.NtQueryInformationProcess(handle, windows.ProcessCommandLineInformation, unsafe.Pointer(&buffer[0]), uint32(len(buffer)), &size); err != nil {
		return nil
	}
	words, err := windows.DecomposeCommandLine((*windows.NTUnicodeString)(unsafe.Pointer(&buffer[0])).String())
	if err != nil {
		return nil
	}
	return words
}
