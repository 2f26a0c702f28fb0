package redact

import (
	"strings"
	"testing"
)

// secret is in every row of the corpus and must be in no output.
const secret = "hunter2Zx9"

const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"

// N-29, in texts; test/redact has all that leaves the daemon.
func TestTextMasksTheCorpus(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"user":"ada","password":"hunter2Zx9","ok":true}`,
		`{"accessToken": "hunter2Zx9"}`,
		`{password: "hunter2Zx9", name: "ada"}`,
		`login with password=hunter2Zx9`,
		`api_key: hunter2Zx9`,
		`apiKey='hunter2Zx9'`,
		`"{\"token\":\"hunter2Zx9\"}"`,
		`{"got":"{\"password\":\"hunter2Zx9\",\"a\":1}","n":1}`,
		`{"got":"a=1&password=hunter2Zx9","n":1}`,
		`"{\\\"token\\\":\\\"hunter2Zx9\\\"}"`,
		`Authorization: Bearer hunter2Zx9abc`,
		`fetch https://example.test/cb?code=hunter2Zx9&state=1 failed`,
		`https://ada:hunter2Zx9@example.test/x`,
		`grant_type=password&client_secret=hunter2Zx9&x=1`,
		`wss://example.test/socket?token=hunter2Zx9`,
		`at https://example.test/app.js?sessionId=hunter2Zx9:1:2`,
	} {
		got := Text(text)
		if strings.Contains(got, secret) || !strings.Contains(got, Mark) {
			t.Errorf("%s\n→ %s", text, got)
		}
	}
	for _, text := range []string{
		"token " + token, "x" + "\n" + token + "\n", "key AKIAIOSFODNN7EXAMPLE", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "sk-proj-0123456789abcdefghij",
		"card 4111 1111 1111 1111", "card 5500-0000-0000-0004", "sk" + "_live_0123456789abcdef", "Basic YWRhOmh1bnRlcjJaeDk=",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----",
	} {
		got := Text(text)
		if !strings.Contains(got, Mark) || len(strings.Fields(got)) > 3 {
			t.Errorf("%s\n→ %s", text, got)
		}
	}
}

func TestTextKeepsWhatIsNoSecret(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "ok", "GET /api/orders 200", `{"id":12,"name":"Keyboard","price":12.5}`, "tokens used: 512", `{"token_type":"Bearer"}`, "password: true", `{"password":""}`,
		"order 1234567890123456 shipped", "at render (http://127.0.0.1:8080/app.js:12:34)", "http://127.0.0.1/a?b=c&d=e#f", "2026-01-01T00:00:00.000Z",
		"the key is under the mat", `{"author":"ada","passenger":"x","keyboard":"qwerty","monkey":"y"}`, "https://example.test/keys/1?page=2",
	} {
		if got := Text(text); got != text {
			t.Errorf("%s\n→ %s", text, got)
		}
	}
}

func TestHeader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, value, want string }{
		{"Authorization", "Bearer abc", "Bearer [redacted]"},
		{"authorization", "abc", "[redacted]"},
		{"Cookie", "sid=abc; theme=dark", "sid=[redacted]; theme=[redacted]"},
		{"Set-Cookie", "sid=abc; Path=/; HttpOnly\nb=2", "sid=[redacted]; Path=/; HttpOnly\nb=[redacted]"},
		{"X-Api-Key", "abc", "[redacted]"},
		{"X-CSRF-Token", "abc", "[redacted]"},
		{"Content-Type", "application/json", "application/json"},
		{"Access-Control-Allow-Credentials", "true", "true"},
		{"Location", "/cb?code=abc", "/cb?code=[redacted]"},
	} {
		if got := Header(c.name, c.value); got != c.want {
			t.Errorf("%s: %s → %s, want %s", c.name, c.value, got, c.want)
		}
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ address, want string }{
		{"https://e.test/a?token=x&b=1", "https://e.test/a?token=[redacted]&b=1"},
		{"https://e.test/#access_token=x&state=y", "https://e.test/#access_token=[redacted]&state=y"},
		{"https://u:p@e.test/a@b", "https://[redacted]@e.test/a@b"},
		{"https://e.test/reset/" + token, "https://e.test/reset/[redacted]"},
		{"https://e.test/a?b", "https://e.test/a?b"},
		{"/a?sig=x", "/a?sig=[redacted]"},
	} {
		if got := URL(c.address); got != c.want {
			t.Errorf("%s → %s, want %s", c.address, got, c.want)
		}
	}
}

func BenchmarkTextPlain(b *testing.B) {
	line := "render of product list took 12 ms, 48 rows, viewport 1280x800, frame 17, all good, nothing to see here at all"
	for b.Loop() {
		Text(line)
	}
}
