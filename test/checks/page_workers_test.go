package checks

import (
	"strings"
	"testing"
	"time"
)

// P-29: pages behind a service worker, offline too, and the workers' own lines and requests.
func TestP29Workers(t *testing.T) {
	t.Parallel()
	s := servePages(t, map[string]string{
		"/": `<!doctype html><title>Online</title><link rel=icon href=data:,><button onclick="fetch('/made').then((r) => r.text()).then((text) => this.after(' ' + text))">Ask</button><p>from the server</p><script>
console.log('line of the page');
const ready = navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => navigator.serviceWorker.controller ?? new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done))).then(() => true);
const worker = new Worker('/worker.js'); const shared = new SharedWorker('/shared.js'); shared.port.start();
</script>`,
		"/sw.js": `console.log('line of the service worker'); addEventListener('install', () => skipWaiting()); addEventListener('activate', (e) => e.waitUntil(clients.claim()));
addEventListener('fetch', (e) => { const { pathname } = new URL(e.request.url);
  if (pathname === '/made') e.respondWith(new Response('made by the worker'));
  else if (e.request.mode === 'navigate') e.respondWith(fetch(e.request).catch(() => new Response('<!doctype html><title>Offline</title><link rel=icon href=data:,><button>Cached button</button><script>console.log("line of the cached page")<\/script>', { headers: { 'content-type': 'text/html' } }))) })`,
		"/worker.js": `console.log('line of the worker'); fetch('/of-worker'); setTimeout(() => { throw new Error('error of the worker') }, 50)`,
		"/shared.js": `console.log('line of the shared worker'); onconnect = (e) => e.ports[0].start()`,
		"/of-worker": "worker data",
	}, nil)
	e := s.managed(t, "/")
	within(t, 5*time.Second, "a page with a service worker", func() { e.OK("page", "wait-function", "ready") })
	for _, line := range []string{"line of the worker", "error of the worker", "line of the shared worker", "line of the service worker"} {
		e.OK("console", "wait", line, "--since", "0")
	}
	text := e.Text("console", "list")
	for _, line := range []string{"line of the page", "line of the worker", "error of the worker", "line of the shared worker", "line of the service worker"} {
		if n := strings.Count(text, line); n != 1 {
			t.Errorf("%q is told %d times in\n%s", line, n, text)
		}
	}
	e.OK("element", "click", `button "Ask"`)
	contains(t, e.Text("capture", "snapshot"), "made by the worker")
	requests := e.Text("network", "list")
	contains(t, requests, "/made", "/of-worker", "/worker.js")
	if strings.Contains(requests, "pending") {
		t.Errorf("a script of a worker is asked for without end:\n%s", requests)
	}
	within(t, 5*time.Second, "an idle page with workers", func() { e.OK("page", "wait-idle") })
	// Offline the service worker answers, and the page is as good as any.
	e.OK("emulation", "set", "--offline")
	e.OK("page", "navigate", "--reload")
	contains(t, e.Text("capture", "snapshot"), "Offline", "Cached button")
	e.OK("console", "wait", "line of the cached page", "--since", "0")
	e.OK("element", "click", `button "Cached button"`)
	e.OK("emulation", "reset")
	e.OK("page", "navigate", "--reload")
	if got := e.Eval("document.title"); got != "Online" {
		t.Errorf("online again: %v", got)
	}
}
