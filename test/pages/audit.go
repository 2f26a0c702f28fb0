package pages

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
)

// audits are the pages of the audits: one on which every check finds something, one on
// which none does, and places that are hard to reach.
func audits(mux *http.ServeMux) {
	mux.HandleFunc("GET /audit/bad", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Set-Cookie", "session=secretsecretsecret; Path=/")
		w.Header().Add("Set-Cookie", "third=1; SameSite=None; Path=/")
		serve(w, "files/audit/bad.html", nil)
	})
	mux.HandleFunc("GET /audit/good", func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		h.Set("Set-Cookie", "session=x; HttpOnly; SameSite=Lax; Path=/")
		serve(w, "files/audit/good.html", map[string]string{"{{SELF}}": html.EscapeString("http://" + r.Host + "/audit/good")})
	})
	mux.HandleFunc("GET /audit/places", func(w http.ResponseWriter, r *http.Request) {
		serve(w, "files/audit/places.html", map[string]string{"{{CROSS}}": cross(r)})
	})
	mux.HandleFunc("GET /audit/inner", func(w http.ResponseWriter, r *http.Request) {
		next := ""
		if r.URL.RawQuery == "other" { // one more, back on the first site
			next = fmt.Sprintf(`<iframe title="deep" src="%s/audit/inner?deep" width="200" height="60"></iframe>`, cross(r))
		}
		serve(w, "files/audit/inner.html", map[string]string{"{{WHICH}}": html.EscapeString(r.URL.RawQuery), "{{NEXT}}": next})
	})
	mux.HandleFunc("GET /audit/many", func(w http.ResponseWriter, _ *http.Request) {
		var b strings.Builder
		b.WriteString(`<!doctype html><html lang=en><title>Many</title><body><main><h1>Many</h1>`)
		for i := range 30 {
			fmt.Fprintf(&b, `<p><input id="field-with-a-rather-long-name-%d"><img src="/audit/image.svg?%d"><button class="b%d"></button></p>`, i, i, i)
		}
		page(w, b.String()+"</main>")
	})
	mux.HandleFunc("GET /audit/strict", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
		page(w, `<!doctype html><html lang=en><title>Strict</title><body><main><h1>Strict</h1><button id=unnamed></button></main>`)
	})
	// Files of a wished size, after a wished time.
	mux.HandleFunc("GET /audit/{file}", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("ms") {
			wait(r, r.URL.Query().Get("ms"))
		}
		size, _ := strconv.Atoi(r.URL.Query().Get("bytes"))
		filler := bytes.Repeat([]byte(" "), min(max(size, 0), 8<<20))
		switch r.PathValue("file") {
		case "asset.js":
			w.Header().Set("Content-Type", "text/javascript")
		case "asset.css":
			w.Header().Set("Content-Type", "text/css")
			filler = append(filler, ".sized{width:40px;height:40px} .pictured{display:inline-block;min-width:48px;min-height:48px}"...)
		case "image.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			filler = []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#36c"/></svg>`)
		default:
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(filler) // the client may be gone
	})
}
