//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// quietPipe makes writes to a closed stdout fail with EPIPE instead of killing
// the process. Not by ignoring: a daemon started from here would inherit that.
func quietPipe() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
