package chrome

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A browser's load is the same over HTTP, by its folder and over its WebSocket alone.
func TestProbeRealBrowser(t *testing.T) {
	dir, stop := openForDebugging(t)
	socket, err := Running(dir)
	if err != nil {
		t.Fatal(err)
	}
	endpoint, err := Resolve(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{dir, socket, "http" + socket[len("ws"):len(socket)-len("/devtools/browser/")-36]} {
		health, err := Probe(t.Context(), address, nil)
		if err != nil || health.Pages != 1 || health.Product != endpoint.Browser || health.Took <= 0 {
			t.Errorf("%s: %+v, %v", address, health, err)
		}
	}
	stop()
	for _, address := range []string{dir, socket} {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		if health, err := Probe(ctx, address, nil); err == nil {
			t.Errorf("%s after the browser's end: %+v", address, health)
		}
		cancel()
	}
}

func TestProbeSendsNothingElsewhere(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") }))
	defer elsewhere.Close()
	var secrets []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secrets = append(secrets, r.Header.Get("Authorization"))
		if r.URL.Path == "/json/version" {
			fmt.Fprintf(w, versionJSON, "ws://"+r.Host+"/devtools/browser/x")
			return
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusFound)
	}))
	defer server.Close()
	if health, err := Probe(t.Context(), server.URL, http.Header{"Authorization": {"Bearer x"}}); err == nil {
		t.Errorf("%+v", health)
	}
	for _, secret := range secrets {
		if secret != "Bearer x" {
			t.Errorf("asked with %q", secret)
		}
	}
}
