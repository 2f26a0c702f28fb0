package pages

import (
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// layout serves the pages of layout faults at /layout/NAME.
func layout(mux *http.ServeMux) {
	mux.HandleFunc("GET /layout-hostile", func(w http.ResponseWriter, _ *http.Request) { page(w, hostileLayout()) })
	mux.HandleFunc("GET /layout/{name}", func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.PathValue("name"))
		if !strings.Contains(name, ".") {
			name += ".html"
		}
		serve(w, "files/layout/"+name, map[string]string{"{{CROSS}}": cross(r)})
	})
}

// hostileLayout is a page whose style sheets do what they can against being measured:
// thousands of rules, selectors that look at everything, lengths without an end,
// transforms that are no numbers, deep trees and much that moves.
func hostileLayout() string {
	var css, body strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&css, ".r%d:not(.x) > *, [data-r=%q] ~ b { outline-offset: %dpx; z-index: %d }\n", i, strconv.Itoa(i), i%7, i)
	}
	for range 20 {
		css.WriteString("body:has(div:has(span + b):not(:has(i:nth-last-child(odd)))) main :has(b ~ b) { opacity: .99 }\n")
	}
	css.WriteString(`
		@keyframes spin { to { transform: rotate(1turn) scale(1e9) } }
		.huge { position: absolute; left: -1e9px; width: 1e9px; height: 1e9px; font-size: 1e6px }
		.nan { transform: scale(calc(0 / 0)) rotate(calc(infinity * 1deg)); width: calc(infinity * 1px) }
		.far { transform: translate3d(1e38px, -1e38px, 0) }
		.move { animation: spin 1s infinite linear }
		.z { position: relative; z-index: 2147483647; overflow: hidden; filter: blur(0); contain: paint }
		* { --a: var(--b, calc(1px * 2)); }
	`)
	for i := range 200 {
		fmt.Fprintf(&body, "<div class='r%d huge move'><span>a</span><b>b</b></div><div class='nan'><b>n</b></div><div class='far move'>f<b>b</b><b>b</b></div>", i)
	}
	for range 900 {
		body.WriteString("<div class='z'>")
	}
	body.WriteString("<button id=deep class='r9999'>deep</button>" + strings.Repeat("</div>", 900))
	fmt.Fprintf(&body, "<p id=long>%s</p>", strings.Repeat("\u202e&#0;W", 50_000))
	return "<!doctype html><title>Hostile layout</title><style>" + css.String() + "</style><main>" + body.String() + "</main>"
}

// LayoutPages names the pages of layout faults, one for each type and the seed's own.
func LayoutPages() ([]string, error) {
	entries, err := fs.ReadDir(files, "files/layout")
	var names []string
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), ".html"); ok {
			names = append(names, name)
		}
	}
	return names, err
}
