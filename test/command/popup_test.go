package command

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// A popup begins with an empty document. A click that comes before the popup's page
// waits for that page, as it waits for an element.
func TestClickInAPopupThatLoads(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	clicked := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/popup" {
			<-clicked // the command is under way when the page comes
			_, _ = w.Write([]byte(`<!doctype html><title>popup</title><button onclick="this.textContent = 'done'">Press</button>`))
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><button onclick="window.open('/popup')">Open</button>`))
	}))
	t.Cleanup(site.Close)
	e.OK("page", "navigate", site.URL)
	e.OK("element", "click", "css=button")
	for deadline := time.Now().Add(30 * time.Second); !e.Run("page", "use", "2").OK; {
		if time.Now().After(deadline) {
			t.Fatalf("no popup: %s", e.Text("page", "list"))
		}
	}

	click := e.Command("element", "click", "css=button", "--output", "text", "--timeout", "20000")
	var out strings.Builder
	click.Stdout = &out
	if err := click.Start(); err != nil {
		t.Fatal(err)
	}
	// The daemon has the command when it says that it is what runs.
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(string(e.Run("session", "status", "--details").Stdout), `"current":"element.click"`); {
		if time.Now().After(deadline) {
			t.Fatal("the click does not begin")
		}
	}
	close(clicked)
	if err := click.Wait(); err != nil || !strings.Contains(out.String(), "Press") {
		t.Errorf("%v: %s", err, out.String())
	}
	if got := e.Eval("document.querySelector('button').textContent"); got != "done" {
		t.Errorf("the button says %v", got)
	}
}
