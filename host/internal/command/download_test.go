package command

import (
	"strings"
	"testing"
)

// P-32: the name that a page suggests is only a name.
func TestSafeName(t *testing.T) {
	t.Parallel()
	for suggested, want := range map[string]string{
		"report.pdf":                       "report.pdf",
		"../../etc/passwd":                 "passwd",
		`..\..\x.txt`:                      "x.txt",
		"":                                 "download",
		"...":                              "download",
		".bashrc":                          "bashrc",
		"a\u202Efdp.exe":                   "afdp.exe",
		"a\u200b\x00\n.txt":                "a.txt",
		"CON":                              "_CON",
		"nul.txt":                          "_nul.txt",
		"com1.log":                         "_com1.log",
		"file:stream":                      "filestream",
		"übergröße 文件.txt":                 "übergröße 文件.txt",
		strings.Repeat("x", 1000) + ".txt": strings.Repeat("x", 146) + ".txt",
	} {
		if got := safeName(suggested); got != want {
			t.Errorf("%q → %q, want %q", suggested, got, want)
		}
	}
}

func TestHere(t *testing.T) {
	t.Parallel()
	const page = "http://127.0.0.1:80/app?x"
	for address, want := range map[string]string{
		"http://127.0.0.1:80/a?b#c": "/a?b#c", "http://127.0.0.1:80": "/", "http://127.0.0.1:8080/a": "http://127.0.0.1:8080/a", "https://x/a": "https://x/a", "": "",
	} {
		if got := here(page, address); got != want {
			t.Errorf("%q → %q, want %q", address, got, want)
		}
	}
}
