package chrome

import (
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
)

func TestCheckArgs(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{"--lang=de", "--load-extension=/e", "--disable-extensions-except=/e", "--window-size=800,600", "--disable-features=A,B", "--ignore-certificate-errors", "--profile-directory=Two"} {
		if err := CheckArgs([]string{arg}); err != nil {
			t.Errorf("%s: %v", arg, err)
		}
	}
	for _, arg := range []string{
		"--remote-debugging-port=1", "--remote-debugging-pipe", "--user-data-dir=/x", "--USER-DATA-DIR=/x", "-user-data-dir=/x", "/user-data-dir=/x", " --user-data-dir=/x",
		"--no-sandbox", "--disable-web-security", "--allow-file-access-from-files", "--renderer-cmd-prefix=xterm", "--proxy-server=x", "--headless", "--headless=old",
		"--", "-", "", "https://example.com/", "lang=de",
	} {
		err := CheckArgs([]string{"--lang=de", arg})
		if err == nil || fault.From(err).Code != fault.ValidationError || len(fault.From(err).Suggestions) == 0 {
			t.Errorf("%q: %v", arg, err)
		}
	}
	for _, arg := range []string{"-remote-debugging-port=1", "--Remote-Debugging-Port=1"} {
		if reservedIn([]string{arg}) != "--remote-debugging-port" {
			t.Errorf("%s is let through", arg)
		}
	}
}
