package parity

import (
	"fmt"
	"time"

	"github.com/debug-bridge/debug-bridge/scripts/chromium"
)

var pageTools = []tool{
	{
		name: "new_page", command: "page.open",
		params: []param{{"url", "url", ""}, {"background", "--background", ""}, {"isolatedContext", "session start --context-id", ""}, {"timeout", "--timeout", ""}},
		show: func(r *rig) {
			first := r.page
			r.page = fmt.Sprint(r.bare("page", "open", r.site.URL("/page/new"), "--timeout", "20000")["pageId"])
			r.holds("localStorage.secret = 'mine', location.pathname", "/page/new")
			quiet := fmt.Sprint(r.bare("page", "open", r.site.URL("/page/quiet"), "--background")["pageId"])
			if quiet == first || quiet == r.page {
				r.t.Errorf("page %s is no new one", quiet)
			}
			r.holds("document.visibilityState", "visible")
			r.ok("page", "close")
			r.page = quiet
			r.holds("document.title", "quiet")
			if r.extension { // one browser there
				return
			}
			browser, err := chromium.Find()
			if err != nil {
				r.t.Fatal(err)
			}
			r.bare("session", "start", "--headless", "--executable", browser, "--context-id", "parity-apart")
			apart := fmt.Sprint(r.bare("page", "open", r.site.URL("/page/apart"), "--context-id", "parity-apart")["pageId"])
			if got := r.bare("runtime", "eval", "String(localStorage.secret)", "--page", apart, "--context-id", "parity-apart")["value"]; got != "undefined" {
				r.t.Errorf("another context sees %v", got)
			}
			r.bare("session", "stop", "--context-id", "parity-apart")
			r.holds("localStorage.secret", "mine")
		},
	},
	{
		name: "list_pages", command: "page.list",
		show: func(r *rig) {
			for _, p := range list(r.bare("page", "list")["pages"]) {
				if fmt.Sprint(p["pageId"]) == r.page && p["url"] == r.site.URL("/page/parity") && p["title"] == "parity" {
					return
				}
			}
			r.t.Error("the page is not listed")
		},
	},
	{
		name: "select_page", command: "page.use",
		params: []param{{"pageId", "page", ""}, {"bringToFront", "--front", ""}},
		show: func(r *rig) {
			first := r.page
			r.open("/page/other")
			second := r.page
			r.bare("page", "use", first, "--front")
			if got := r.bare("runtime", "eval", "[document.title, document.visibilityState].join()")["value"]; got != "parity,visible" {
				r.t.Errorf("the current page is %v", got)
			}
			r.page = second
			r.ok("page", "close")
			r.page = first
		},
	},
	{
		name: "close_page", command: "page.close",
		params: []param{{"pageId", "page", ""}},
		show: func(r *rig) {
			kept := r.page
			r.open("/page/doomed")
			doomed := r.page
			r.bare("page", "close", doomed)
			r.fails("PAGE_NOT_FOUND", "observe", "state")
			for _, p := range list(r.bare("page", "list")["pages"]) {
				if fmt.Sprint(p["pageId"]) == doomed {
					r.t.Error("it is still listed")
				}
			}
			r.page = kept
		},
	},
	{
		name: "navigate_page", command: "page.navigate",
		params: []param{{"pageId", "--page", ""}, {"type", "--back", ""}, {"type", "--forward", ""}, {"type", "--reload", ""}, {"url", "url", ""},
			{"ignoreCache", "--ignore-cache", ""}, {"handleBeforeUnload", "--beforeunload", ""}, {"initScript", "--init-script", ""}, {"timeout", "--timeout", ""}},
		show: func(r *rig) {
			r.ok("page", "navigate", r.site.URL("/page/second"), "--init-script", "window.early = document.readyState")
			r.holds("[document.title, early].join()", "second,loading")
			r.ok("page", "navigate", "--back")
			r.holds("document.title", "parity")
			r.ok("page", "navigate", "--forward")
			r.holds("document.title", "second")
			before := r.site.Hits("/page/second")
			r.ok("page", "navigate", "--reload", "--ignore-cache")
			r.holds("performance.getEntriesByType('navigation')[0].type", "reload")
			if r.site.Hits("/page/second") != before+1 {
				r.t.Error("it was not loaded again")
			}
			r.html(`<button>Touch</button>`)
			r.eval(`onbeforeunload = (event) => { event.preventDefault(); event.returnValue = 'stay'; }; 1`)
			r.ok("element", "click", `button "Touch"`)
			r.run("page", "navigate", r.site.URL("/page/third"), "--beforeunload", "dismiss", "--page", r.page)
			r.holds("document.title", "second")
			r.ok("page", "navigate", r.site.URL("/page/third"), "--beforeunload", "accept")
			r.holds("document.title", "third")
			start := time.Now()
			r.fails("TIMEOUT", "page", "navigate", r.site.URL("/slow?ms=20000"), "--timeout", "700")
			if time.Since(start) > 8*time.Second {
				r.t.Errorf("the time limit took %v", time.Since(start))
			}
			r.ok("page", "navigate", r.site.URL("/page/after")) // while the other still loads
			r.holds("document.title", "after")
		},
	},
	{
		name: "wait_for", command: "page.wait-text",
		params: []param{{"pageId", "--page", ""}, {"text", "text", ""}, {"timeout", "--timeout", ""}},
		show: func(r *rig) {
			r.eval(`setTimeout(() => document.body.append('Fresh bread'), 300); 1`)
			got := r.ok("page", "wait-text", "Butter", "Fresh bread", "--timeout", "9000")
			if got["matched"] != "Fresh bread" {
				r.t.Errorf("%v", got)
			}
			r.fails("TIMEOUT", "page", "wait-text", "Butter", "--timeout", "300")
		},
	},
	{
		name: "resize_page", command: "page.resize",
		params: []param{{"pageId", "--page", ""}, {"width", "width", ""}, {"height", "height", ""}},
		show: func(r *rig) {
			r.ok("page", "resize", "700", "500")
			r.holds("Math.abs(innerWidth - 700) < 2 && Math.abs(innerHeight - 500) < 2", "true") // a window may be off by a rounded pixel
			r.ok("page", "resize", "640", "480")
			r.holds("Math.abs(innerWidth - 640) < 2 && Math.abs(innerHeight - 480) < 2", "true") // a window may be off by a rounded pixel
		},
	},
}
