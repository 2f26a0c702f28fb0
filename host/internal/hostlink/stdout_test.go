//go:build unix

package hostlink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/debug-bridge/debug-bridge/host/internal/nativemsg"
)

const helperVariable = "DBRIDGE_TEST_HELPER"

// helperProcess is what this test binary does when a test starts it as a native messaging host.
func helperProcess() bool {
	what := os.Getenv(helperVariable)
	if what == "" {
		return false
	}
	out, err := RedirectStdout()
	if err != nil {
		panic(err)
	}
	writer := nativemsg.NewWriter(out, nativemsg.MaxToBrowser)
	say := func(message string) {
		if err := writer.Write([]byte(message)); err != nil {
			panic(err)
		}
	}
	switch what {
	case "noise":
		say(`{"n":1}`)
		fmt.Println("noise: fmt.Println")
		fmt.Print("noise: fmt.Print\n")
		println("noise: println")
		log.Print("noise: log.Print")
		log.New(os.Stdout, "", 0).Print("noise: log to os.Stdout")
		console := zerolog.New(zerolog.NewConsoleWriter())
		console.Info().Msg("noise: zerolog.ConsoleWriter")
		_, _ = os.Stdout.WriteString("noise: os.Stdout\n")
		_, _ = syscall.Write(1, []byte("noise: descriptor 1\n"))
		child := exec.Command("/bin/sh", "-c", "echo noise: a child")
		child.Stdout = os.Stdout
		_ = child.Run()
		say(`{"n":2}`)
		func() {
			defer func() { _ = recover() }()
			panic("recovered")
		}()
		say(`{"n":3}`)
		done := make(chan struct{})
		go func() {
			defer close(done)
			panic("noise: panic in a goroutine")
		}()
		<-done
		select {}
	case "child":
		child := exec.Command("sleep", "60")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, child.Process.Pid)
	case "relay":
		err := Relay(context.Background(), RelayConfig{In: os.Stdin, Out: out, Log: zerolog.New(os.Stderr),
			Dial: func(context.Context) (MessageConn, error) {
				host, relaySide := memPipe()
				go func() {
					for host.Write(context.Background(), []byte(`"`+strings.Repeat("x", 1<<19)+`"`)) == nil {
					}
				}()
				return relaySide, nil
			}})
		fmt.Fprintln(os.Stderr, "ended:", err)
		if errors.Is(err, syscall.EPIPE) {
			os.Exit(3)
		}
		os.Exit(4)
	}
	return true
}

func helper(what string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperVariable+"="+what)
	return cmd
}

func TestF14F15OnlyFramesReachTheBrowser(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	cmd := helper("noise")
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() == 0 {
		t.Errorf("a panic ended the process with %v", err)
	}
	reader := nativemsg.NewReader(&stdout, nativemsg.MaxToBrowser)
	for i := 1; i <= 3; i++ {
		if got, err := reader.Read(); err != nil || string(got) != fmt.Sprintf(`{"n":%d}`, i) {
			t.Fatalf("frame %d: %q, %v", i, got, err)
		}
	}
	if rest, err := reader.Read(); err != io.EOF {
		t.Errorf("after the frames: %q, %v", rest, err)
	}
	for _, noise := range []string{"fmt.Println", "fmt.Print", "println", "log.Print", "log to os.Stdout", "zerolog.ConsoleWriter", "os.Stdout", "descriptor 1", "a child", "panic in a goroutine"} {
		if !strings.Contains(stderr.String(), "noise: "+noise) {
			t.Errorf("%s is lost", noise)
		}
	}
	if !strings.Contains(stderr.String(), "goroutine ") {
		t.Error("no stack on stderr")
	}
}

func TestF16BrowserClosesThePipeDuringAWrite(t *testing.T) {
	t.Parallel()
	cmd := helper("relay")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(stdout, make([]byte, 100_000)); err != nil { // in the middle of a message
		t.Fatal(err)
	}
	closed := time.Now()
	if err := stdout.Close(); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	took := time.Since(closed)
	_ = stdin.Close()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("ended with %v, not by EPIPE: %s", err, stderr.String())
	}
	if took > time.Second { // 200 ms, and room for a busy machine
		t.Errorf("ended after %v", took)
	}
}

// Chrome's pipe is not inherited by what the host starts (the daemon above all), or it would stay open for ever.
func TestChildrenDoNotInheritTheBrowsersPipe(t *testing.T) {
	t.Parallel()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	var pid bytes.Buffer
	cmd := helper("child")
	cmd.Stdout, cmd.Stderr = writer, &pid
	cmd.WaitDelay = 10 * time.Millisecond // the child keeps stderr open
	_ = cmd.Run()
	_ = writer.Close()
	var child int
	if _, err := fmt.Sscan(pid.String(), &child); err != nil {
		t.Fatalf("%q: %v", pid.String(), err)
	}
	defer func() { _ = syscall.Kill(child, syscall.SIGKILL) }()
	if err := syscall.Kill(child, 0); err != nil {
		t.Fatalf("the child is gone: %v", err)
	}
	if err := reader.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(reader); err != nil || len(rest) != 0 {
		t.Errorf("the pipe is still open while the child lives: %q, %v", rest, err)
	}
}
