// Package page is the page at /: what the daemon does, for a person to look at.
//
// It is plain files. Everything it shows it asks of the HTTP face, with the
// credential that the browser was given for the page itself, so it can see what
// that token may see and change nothing: the gate lets a password only look.
package page

import (
	"embed"
	"io/fs"
	"mime"
	"net/http"
	"path"

	"github.com/debug-bridge/debug-bridge/host/internal/gate"
)

//go:embed files
var files embed.FS

// policy is the page's own: scripts, styles and data of this origin and of no other,
// and no text that becomes markup.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// types are those of the files; the system's own table may say anything.
var types = map[string]string{".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

// Mount serves the page at / and its files under /page/. The handler it stands in
// must be behind the gate.
func Mount(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { serve(w, r, "index.html") })
	mux.HandleFunc("GET /page/{file}", func(w http.ResponseWriter, r *http.Request) { serve(w, r, r.PathValue("file")) })
}

func serve(w http.ResponseWriter, r *http.Request, name string) {
	if identity, ok := gate.From(r.Context()); !ok || !identity.Fits(gate.RoleAgent) {
		gate.Refuse(w, http.StatusForbidden)
		return
	}
	content, err := fs.ReadFile(files, path.Join("files", name))
	if err != nil || path.Base(name) != name {
		gate.Refuse(w, http.StatusNotFound)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Content-Type", mime.FormatMediaType(types[path.Ext(name)], map[string]string{"charset": "utf-8"}))
	_, _ = w.Write(content) // a browser that is gone needs no page
}
