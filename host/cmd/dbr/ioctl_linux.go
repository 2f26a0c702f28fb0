package main

import (
	"syscall"
	"unsafe"
)

// ioctl reports whether the terminal's settings can be read, which only a terminal's can.
func ioctl(fd int, request uintptr, into *[64]byte) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), request, uintptr(unsafe.Pointer(into)))
	return errno == 0
}
