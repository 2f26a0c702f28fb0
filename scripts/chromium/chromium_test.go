package chromium

import (
	"errors"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, goos string
		env        map[string]string
		onPath     map[string]string
		files      []string
		want       string
		wantErr    string
	}{
		{name: "named", goos: "linux", env: map[string]string{Env: "my-chrome"}, onPath: map[string]string{"my-chrome": "/x/my-chrome", "chromium": "/y"}, want: "/x/my-chrome"},
		{name: "named but missing", goos: "linux", env: map[string]string{Env: "gone"}, onPath: map[string]string{"chromium": "/y"}, wantErr: "CHROME=gone"},
		{name: "chromium before chrome", goos: "linux", onPath: map[string]string{"google-chrome": "/g", "chromium": "/c"}, want: "/c"},
		{name: "snap", goos: "linux", files: []string{"/snap/bin/chromium"}, want: "/snap/bin/chromium"},
		{name: "macOS", goos: "darwin", env: map[string]string{"HOME": "/Users/ada"}, files: []string{"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"}, want: "/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"},
		{name: "Windows", goos: "windows", env: map[string]string{"PROGRAMFILES": `C:\Program Files`}, files: []string{`C:\Program Files\Google\Chrome\Application\chrome.exe`}, want: `C:\Program Files\Google\Chrome\Application\chrome.exe`},
		{name: "none", goos: "linux", wantErr: "make setup"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			look := func(name string) (string, error) {
				if path, ok := c.onPath[name]; ok {
					return path, nil
				}
				return "", errors.New("not found")
			}
			usable := func(path string) bool {
				for _, file := range c.files {
					if file == path {
						return true
					}
				}
				return false
			}
			got, err := find(c.goos, func(name string) string { return c.env[name] }, look, usable)
			if c.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), c.wantErr) {
					t.Errorf("error %v, want one with %q", err, c.wantErr)
				}
				return
			}
			if err != nil || got != c.want {
				t.Errorf("got %q, %v; want %q", got, err, c.want)
			}
		})
	}
}
