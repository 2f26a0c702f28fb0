package command

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// openers show a file with the program that the person chose for its kind.
var openers = map[string][]string{
	"darwin":  {"open"},
	"windows": {"rundll32", "url.dll,FileProtocolHandler"},
}

// openerTime is how long an opener has to fail: some live as long as what they open.
const openerTime = 3 * time.Second

// openForPerson shows a page of ours in the person's own browser, or says why it cannot.
func openForPerson(ctx context.Context, path string) (opened bool, why string) {
	opener, ok := openers[runtime.GOOS]
	if !ok {
		opener = []string{"xdg-open"}
		if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
			return false, "there is no desktop here"
		}
	}
	program, err := exec.LookPath(opener[0])
	if err != nil {
		return false, opener[0] + " is missing"
	}
	command := exec.Command(program, append(opener[1:len(opener):len(opener)], path)...)
	if err := command.Start(); err != nil {
		return false, opener[0] + " cannot be started"
	}
	done := make(chan error, 1)
	go func() { done <- command.Wait() }() // whenever the program ends
	select {
	case err := <-done:
		if err != nil {
			return false, opener[0] + " failed"
		}
	case <-time.After(openerTime):
	case <-ctx.Done():
	}
	return true, ""
}
