package redact_test

import (
	"strings"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/redact"
)

// planted are secrets by their looks; in them is what must not be seen.
var planted = [][2]string{
	{"ghp_Zq81hunter2hunter2hunter2hunter2hu", "hunter2"},
	{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.c2lnbmF0dXJlMTIz", "c2lnbmF0dXJl"},
	{"AKIAHUNTER2HUNTER2HU", "HUNTER2"},
	{"Bearer hunter2hunter2", "hunter2"},
	{"https://user:hunter2@example.com/", "hunter2"},
	{"https://example.com/?access_token=hunter2", "hunter2"},
	{"4111 1111 1111 1111", "1111 1111"},
}

// FuzzText: a secret is masked whatever stands around it, a masked text stays as it is, and
// grows by no more than marks.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", "plain", `{"password":"x","a":[1,{"token":null}]}`, "pin=1&otp=2", "Authorization: Bearer abcdefghij", `"{\"token\":\"abc\"}"`,
		"https://u:p@h/?a=1#token=2", "cvc:1 cvv:2", "-----BEGIN PRIVATE KEY-----", "ws://@", "4111111111111111", "token=[redacted]", "\xff\x00", `pass='a`, "secret:\\\"a\\\"",
	} {
		f.Add(seed, "")
		f.Add("a ", seed)
	}
	f.Fuzz(func(t *testing.T, before, behind string) {
		text := before + " " + behind
		masked := redact.Text(text)
		if most := 4*len(text) + len(redact.Mark); len(masked) > most {
			t.Errorf("%d bytes became %d: %q", len(text), len(masked), masked)
		}
		if again := redact.Text(masked); again != masked {
			t.Errorf("%q\nmasked is   %q\nonce more   %q", text, masked, again)
		}
		for _, secret := range planted {
			if strings.Contains(text, secret[1]) {
				continue
			}
			if got := redact.Text(before + "\n" + secret[0] + "\n" + behind); strings.Contains(got, secret[1]) {
				t.Errorf("%q is seen in %q", secret[1], got)
			}
		}
	})
}
