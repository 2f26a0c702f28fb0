package pages

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// layout serves the pages of layout faults at /layout/NAME.
func layout(mux *http.ServeMux) {
	mux.HandleFunc("GET /layout/{name}", func(w http.ResponseWriter, r *http.Request) {
		name := path.Base(r.PathValue("name"))
		if !strings.Contains(name, ".") {
			name += ".html"
		}
		serve(w, "files/layout/"+name, map[string]string{"{{CROSS}}": cross(r)})
	})
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
