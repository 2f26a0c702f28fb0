package trace

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	conn "github.com/debug-bridge/debug-bridge/host/internal/cdp"
	"github.com/debug-bridge/debug-bridge/host/internal/chrome"
)

var chromium = sync.OnceValues(func() (chrome.Executable, error) { return chrome.Find("") })

// startBrowser starts a headless Chromium and ends it with the test.
func startBrowser(t *testing.T) *conn.Conn {
	t.Helper()
	if testing.Short() {
		t.Skip("needs a browser")
	}
	executable, err := chromium()
	if err != nil {
		t.Skip(err)
	}
	process, err := chrome.Launch(t.Context(), chrome.LaunchOptions{
		Executable: executable.Path, UserDataDir: t.TempDir(), Headless: true, Width: 1000, Height: 900,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := conn.NewConn(process.Transport(), conn.Options{})
	t.Cleanup(func() {
		_ = c.Close()
		if err := process.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return c
}

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// openPage opens a blank page. One in front hides the page that was there.
func openPage(t *testing.T, c *conn.Conn, background bool) cdp.Session {
	t.Helper()
	ctx := testContext(t)
	browser := c.Session("")

	made, err := cdp.Call(ctx, browser, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", Background: &background})
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	attached, err := cdp.Call(ctx, browser, target.AttachToTarget, target.AttachToTargetParams{TargetID: made.TargetID, Flatten: &yes})
	if err != nil {
		t.Fatal(err)
	}
	s := c.Session(string(attached.SessionID))
	if _, err := cdp.Call(ctx, s, page.Enable, page.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	return s
}

func navigate(t *testing.T, s cdp.Session, url string) {
	t.Helper()
	ctx := testContext(t)
	loaded, cancel := s.Subscribe(page.LoadEventFired.Method)
	defer cancel()
	if _, err := cdp.Call(ctx, s, page.Navigate, page.NavigateParams{URL: url}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		t.Fatal("the page did not load")
	}
}

func eval(t *testing.T, s cdp.Session, expression string) {
	t.Helper()
	yes := true
	result, err := cdp.Call(testContext(t), s, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, AwaitPromise: &yes})
	if err != nil || result.ExceptionDetails != nil {
		t.Fatal(err, result.ExceptionDetails)
	}
}

// press clicks the button and waits for the frame after it.
func press(t *testing.T, s cdp.Session) {
	t.Helper()
	ctx := testContext(t)
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		if _, err := cdp.Call(ctx, s, input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: kind, X: 50, Y: 20, Button: input.MouseButtonLeft, ClickCount: 1,
		}); err != nil {
			t.Fatal(err)
		}
	}
	eval(t, s, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))")
}

// slowSite serves a page with one of each fault that the insights are about.
func slowSite(t *testing.T) string {
	t.Helper()
	var picture bytes.Buffer
	img := image.NewRGBA(image.Rect(0, 0, 1200, 800))
	for x := range 1200 {
		for y := range 800 {
			img.Set(x, y, color.RGBA{uint8(x * y), uint8(x ^ y), uint8(x + y), 255})
		}
	}
	if err := png.Encode(&picture, img); err != nil {
		t.Fatal(err)
	}
	wait := func(r *http.Request, d time.Duration) { // a slow server
		select {
		case <-time.After(d):
		case <-r.Context().Done():
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, slowPage)
	})
	mux.HandleFunc("/slow.css", func(w http.ResponseWriter, r *http.Request) {
		wait(r, 200*time.Millisecond)
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprint(w, "body { margin: 0 } #hero { width: 600px; display: block }")
	})
	mux.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, slowScript)
	})
	mux.HandleFunc("/hero.png", func(w http.ResponseWriter, r *http.Request) {
		wait(r, 400*time.Millisecond)
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture.Bytes())
	})
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL + "/"
}

const slowPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Slow</title>
<link rel="stylesheet" href="/slow.css"></head>
<body><div id="slot"></div><p id="text">A paragraph that is pushed down when the banner comes.</p>
<img id="hero" src="/hero.png" loading="lazy">
<button id="go" style="position: fixed; left: 0; top: 0; width: 100px; height: 40px">Go</button>
<ul id="list"></ul>
<script src="/app.js"></script></body></html>`

const slowScript = `function burn(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end) Math.sqrt(end);
}
function reflow() {
  for (let i = 0; i < 8; i++) {
    document.getElementById('list').style.width = (300 + i) + 'px';
    document.getElementById('list').offsetHeight;
  }
}
document.getElementById('list').innerHTML = '<li>an entry with some words in it</li>'.repeat(1000);
document.getElementById('go').addEventListener('click', function pressed() { burn(120); });
addEventListener('load', () => {
  setTimeout(function longTask() { burn(180); reflow(); }, 0);
  setTimeout(function banner() {
    const div = document.createElement('div');
    div.style.height = '300px';
    div.textContent = 'Banner';
    document.getElementById('slot').append(div);
    requestAnimationFrame(() => requestAnimationFrame(() => { window.settled = true; }));
  }, 800);
});
window.whenSettled = () => new Promise((resolve) => { const look = () => (window.settled ? setTimeout(resolve, 200) : requestAnimationFrame(look)); look(); });
`
