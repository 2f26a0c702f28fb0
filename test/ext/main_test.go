// Package ext tests the extension alone, in a real Chromium, over the real native
// messaging pipe, against a daemon that is this test: what the worker, the content
// scripts and the popup promise each other and the daemon.
//
// The test binary is also the native host: started by Chrome it joins stdio to the
// socket of the test that started the browser.
package ext

import (
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// socketEnv names the socket of the test's daemon in the browser's environment.
const socketEnv = "DBRIDGE_EXT_TEST_SOCKET"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "chrome-extension://") {
		os.Exit(host())
	}
	// The harness would build dbridge, which these tests do not use.
	if os.Getenv(browsertest.EnvBinary) == "" {
		if own, err := os.Executable(); err == nil {
			_ = os.Setenv(browsertest.EnvBinary, own)
		}
	}
	os.Exit(m.Run())
}

// host is the native messaging host: it ends when either side does.
func host() int {
	conn, err := net.Dial("unix", os.Getenv(socketEnv))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	done := make(chan struct{}, 2)
	join := func(to io.Writer, from io.Reader) {
		_, _ = io.Copy(to, from) // its end is the other side's end
		done <- struct{}{}
	}
	go join(conn, os.Stdin)
	go join(os.Stdout, conn)
	<-done
	return 0
}
