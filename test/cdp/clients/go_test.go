package clients

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	cdpnetwork "github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
	"github.com/go-rod/rod"
	rodcdp "github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// TestChromedp does what people do with chromedp and a remote allocator.
func TestChromedp(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			needs(t)
			withChromedp(t, kind.make(t))
		})
	}
}

func withChromedp(t *testing.T, at Endpoint) {
	within, stop := context.WithTimeout(context.Background(), patience/2)
	defer stop()
	// The address is the browser's own: nothing is to be looked up.
	all, stopAll := remote.NewAllocator(within, at.WS, remote.NoModifyURL)
	defer stopAll()
	ctx, stopTab := chromedp.NewContext(all)
	defer stopTab()
	do := func(what string, steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		must(t, what, chromedp.Do(ctx, steps...))
	}

	responses := make(chan string, 100)
	lines := make(chan string, 100)
	dialogs := make(chan string, 1)
	must(t, "listen", chromedp.Listen(ctx, func(event any) {
		switch event := event.(type) {
		case *cdpnetwork.EventResponseReceived:
			responses <- event.Response.URL
		case *cdpruntime.EventConsoleAPICalled:
			lines <- string(event.Args[0].Value)
		case *cdppage.EventJavascriptDialogOpening:
			dialogs <- event.Message
		}
	}))
	// NavigateBack waits for a load that does not come when Chrome shows the old document again.
	do("navigation", chromedp.Navigate(at.Site+"/page/one"), chromedp.Navigate(at.Site+"/page/two"), chromedp.Reload())
	equal(t, "title", read(ctx, t, chromedp.Title()), "two")

	do("a page", chromedp.Navigate(at.Site+"/page/form"),
		chromedp.Evaluate[chromedp.Void](`void (document.body.innerHTML = '<input id=i><button id=b onclick="document.title = event.isTrusted">b</button><p id=p hidden>came</p><div id=d style="width:120px;height:80px;background:red"></div>')`))
	do("typing", chromedp.SendKeys(chromedp.CSS("#i"), "typed"))
	equal(t, "typed", read(ctx, t, chromedp.Value(chromedp.CSS("#i"))), "typed")
	do("click", chromedp.Click(chromedp.CSS("#b")))
	equal(t, "trusted", read(ctx, t, chromedp.Title()), "true")
	equal(t, "evaluate", read(ctx, t, chromedp.Evaluate[int](`setTimeout(() => document.querySelector('#p').removeAttribute('hidden'), 50), 1 + 2`)), 3)
	do("wait", chromedp.WaitVisible(chromedp.CSS("#p")))

	answered := make(chan error, 1)
	go func() {
		<-dialogs
		_, err := chromedp.Call(ctx, cdppage.HandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: true})
		answered <- err
	}()
	equal(t, "confirm", read(ctx, t, chromedp.Evaluate[bool](`confirm('sure?')`)), true)
	must(t, "answer of the dialog", <-answered)

	if size := sizeOf(t, read(ctx, t, chromedp.Screenshot(chromedp.CSS("#d")))); size.X*80 != size.Y*120 || size.X < 120 {
		t.Errorf("the element's picture is %v", size)
	}
	sizeOf(t, read(ctx, t, chromedp.CaptureScreenshot()))

	if _, err := chromedp.Call(ctx, cdpnetwork.Enable, cdpnetwork.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	do("events", chromedp.Evaluate[chromedp.Void](`fetch('/api/3').then(() => console.log('fetched'))`, chromedp.EvalAwaitPromise))
	await(t, responses, at.Site+"/api/3")
	await(t, lines, `"fetched"`)

	// A second tab of the same connection.
	second, stopSecond := chromedp.NewContext(ctx)
	must(t, "second tab", chromedp.Do(second, chromedp.Navigate(at.Site+"/page/second")))
	equal(t, "second tab", read(second, t, chromedp.Title()), "second")
	targets, err := chromedp.Targets(ctx)
	must(t, "targets", err)
	urls := make(map[string]bool)
	for _, target := range targets {
		urls[target.URL] = true
	}
	if !urls[at.Start] || !urls[at.Site+"/page/second"] {
		t.Errorf("targets: %v", urls)
	}
	if at.Kind == "extension" && urls[at.Site+"/page/private"] {
		t.Error("a tab that is not connected is told")
	}
	stopSecond()
	equal(t, "the first tab lives", read(ctx, t, chromedp.Title()), "true")
}

// read runs an action of chromedp that gives a value.
func read[T any](ctx context.Context, t *testing.T, action chromedp.Action[T]) T {
	t.Helper()
	value, err := chromedp.Run(ctx, action)
	must(t, "run", err)
	return value
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// TestRod does what people do with rod and a control URL.
func TestRod(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			needs(t)
			withRod(t, kind.make(t))
		})
	}
}

func withRod(t *testing.T, at Endpoint) {
	ctx, stop := context.WithTimeout(context.Background(), patience/2)
	defer stop()
	socket := &rodcdp.WebSocket{}
	must(t, "connect", socket.Connect(ctx, at.WS, nil))
	defer socket.Close() // Browser.Close would end the browser for everybody
	browser := rod.New().Client(rodcdp.New().Start(socket)).NoDefaultDevice().Context(ctx)
	must(t, "connect", browser.Connect())
	version, err := browser.Version()
	must(t, "version", err)
	if !strings.Contains(version.Product, "Chrome/") {
		t.Errorf("product %s", version.Product)
	}
	open, err := browser.Pages()
	must(t, "pages", err)
	found := false
	for _, page := range open {
		info, err := page.Info()
		must(t, "info", err)
		found = found || info.URL == at.Start
	}
	if !found || at.Kind == "extension" && len(open) != 1 {
		t.Errorf("%d pages, the first one found: %v", len(open), found)
	}

	page, err := browser.Page(proto.TargetCreateTarget{})
	must(t, "page", err)
	must(t, "navigate", page.Navigate(at.Site+"/page/rod"))
	must(t, "load", page.WaitLoad())
	_, err = page.Eval(`() => { document.body.innerHTML = '<input id=i><button id=b onclick="document.title = event.isTrusted">b</button>' }`)
	must(t, "eval", err)
	field, err := page.Element("#i")
	must(t, "element", err)
	must(t, "input", field.Input("typed"))
	must(t, "key", field.Type(input.Digit1))
	text, err := field.Property("value")
	must(t, "property", err)
	if text.Str() != "typed1" {
		t.Errorf("value %q", text.Str())
	}
	button, err := page.Element("#b")
	must(t, "element", err)
	must(t, "click", button.Click(proto.InputMouseButtonLeft, 1))
	answer, err := page.Eval(`() => document.title`)
	must(t, "eval", err)
	if answer.Value.Str() != "true" {
		t.Errorf("title %q", answer.Value.Str())
	}
	wait := page.EachEvent(func(event *proto.NetworkResponseReceived) bool { return event.Response.URL == at.Site+"/api/4" })
	_, err = page.Eval(`() => fetch('/api/4').then(() => 1)`)
	must(t, "fetch", err)
	wait()
	opened := page.WaitOpen()
	_, err = page.Eval(`() => { document.querySelector('#b').onclick = () => window.open('/page/opened') }`)
	must(t, "eval", err)
	must(t, "click", button.Click(proto.InputMouseButtonLeft, 1))
	popup, err := opened()
	must(t, "popup", err)
	must(t, "load", popup.WaitLoad())
	info, err := popup.Info()
	must(t, "info", err)
	if info.URL != at.Site+"/page/opened" {
		t.Errorf("popup of %s", info.URL)
	}
	must(t, "close", popup.Close())
	shot, err := page.Screenshot(false, nil)
	must(t, "screenshot", err)
	sizeOf(t, shot)
	must(t, "close", page.Close())
}

func must(t testing.TB, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func sizeOf(t testing.TB, data []byte) image.Point {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	must(t, "picture", err)
	if picture.Bounds().Empty() {
		t.Error("an empty picture")
	}
	return picture.Bounds().Size()
}

func await(t testing.TB, from <-chan string, want string) {
	t.Helper()
	timeout := time.After(30 * time.Second)
	for {
		select {
		case got := <-from:
			if got == want {
				return
			}
		case <-timeout:
			t.Fatalf("%s did not come", want)
		}
	}
}
