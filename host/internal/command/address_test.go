package command

import "testing"

func TestAddresses(t *testing.T) {
	t.Parallel()
	const page = "https://shop.example/a/b?q=1"
	for _, c := range []struct{ text, base, want string }{
		{"https://x.example/", page, "https://x.example/"},
		{"data:text/html,hi", "", "data:text/html,hi"},
		{"about:blank", page, "about:blank"},
		{"file:///etc/passwd", page, "file:///etc/passwd"}, // the policy refuses it
		{"javascript:alert(1)", page, "javascript:alert(1)"},
		{"localhost:3000", "", "http://localhost:3000"},
		{"localhost:3000/app?x=1", page, "http://localhost:3000/app?x=1"},
		{"localhost", "", "http://localhost"},
		{"127.0.0.1:8080/x", "", "http://127.0.0.1:8080/x"},
		{"[::1]:8080", "", "http://[::1]:8080"},
		{"myhost:9000", "", "http://myhost:9000"},
		{"printer.local/status", "", "http://printer.local/status"},
		{"example.com", "", "https://example.com"},
		{"example.com/path.html", page, "https://example.com/path.html"},
		{"//cdn.example/x", "", "https://cdn.example/x"},
		{"/c", page, "https://shop.example/c"},
		{"c", page, "https://shop.example/a/c"},
		{"../d", page, "https://shop.example/d"},
		{"?q=2", page, "https://shop.example/a/b?q=2"},
		{"#part", page, "https://shop.example/a/b?q=1#part"},
		{"next.html", page, "https://shop.example/a/next.html"},
		{" /app ", page, "https://shop.example/app"},
		{"/app", "about:blank", ""},
		{"app", "", ""},
		{"", page, ""},
	} {
		got, err := addressOf(c.text, c.base)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q on %q: %q %v, not %q", c.text, c.base, got, err, c.want)
		}
	}
}
