package main

import "testing"

func TestNativeHostMode(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		args   []string
		origin string
		host   bool
	}{
		{"Chrome on Linux and macOS", []string{ownOrigin}, ownOrigin, true},
		{"Chrome on Windows", []string{ownOrigin, "--parent-window=0"}, ownOrigin, true},
		{"the other order", []string{"--parent-window=12", ownOrigin}, ownOrigin, true},
		{"another extension", []string{"chrome-extension://aaaa/"}, "chrome-extension://aaaa/", true},
		{"a command", []string{"daemon", "status"}, "", false},
		{"an origin as an argument of a command", []string{"token", ownOrigin}, "", false},
		{"nothing", nil, "", false},
		{"a window alone", []string{"--parent-window=1"}, "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if origin, host := nativeHost(c.args); origin != c.origin || host != c.host {
				t.Fatalf("got %q %v", origin, host)
			}
		})
	}
}
