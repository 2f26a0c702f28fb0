// Package apps serves small apps of many frameworks, built and committed: what the
// tests of state and components look into. See build.mjs for how dist is made.
package apps

import (
	"embed"
	"fmt"
	"net/http"
	"strings"
)

//go:embed dist/*.js
var dist embed.FS

// page is an app's whole document.
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>%[1]s</title>
<link rel="icon" href="data:,">
<div id="root"></div>
<script type="module" src="/dist/%[2]s.js"></script>
</html>
`

// Handler serves each app at /NAME/ (development) and /NAME/prod (production), and
// what they ask for at /api/.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /dist/", http.FileServerFS(dist))
	mux.HandleFunc("GET /{app}/{build...}", func(w http.ResponseWriter, r *http.Request) {
		app := r.PathValue("app")
		file := app
		if r.PathValue("build") == "prod" {
			file += ".min"
		}
		if _, err := dist.Open("dist/" + file + ".js"); err != nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, page, app, file)
	})
	mux.HandleFunc("GET /api/items", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = strings.NewReader(`[{"id":1,"name":"Rope"},{"id":2,"name":"Anchor"}]`).WriteTo(w)
	})
	return mux
}
