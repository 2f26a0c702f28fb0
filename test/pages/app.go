package pages

import (
	"encoding/json"
	"mime"
	"net/http"
	"path"
	"strings"
)

// Email and Password are accepted by the sample app's sign-in.
const (
	Email    = "ada@harbour.test"
	Password = "fathoms-and-knots"
)

func app(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/app/", http.StatusFound)
	})
	mux.HandleFunc("GET /app/", func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/app/")
		if name == "" {
			name = "index.html"
		}
		serve(w, "files/app/"+name, map[string]string{"{{CROSS}}": cross(r)})
	})
	mux.HandleFunc("POST /api/session", func(w http.ResponseWriter, r *http.Request) {
		var form struct{ Email, Password string }
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&form); err != nil {
			answer(w, http.StatusBadRequest, map[string]string{"message": "not JSON"})
			return
		}
		if form.Email != Email || form.Password != Password {
			answer(w, http.StatusUnauthorized, map[string]string{"message": "Email or password is wrong."})
			return
		}
		answer(w, http.StatusOK, map[string]any{"user": map[string]string{"name": "Ada", "email": form.Email}})
	})
	mux.HandleFunc("GET /api/fail", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusInternalServerError, map[string]string{"message": "out of order"})
	})
	mux.HandleFunc("GET /api/slow", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, map[string]int{"ms": wait(r, r.URL.Query().Get("ms"))})
	})
}

// serve gives an embedded file; marks in HTML files are replaced.
func serve(w http.ResponseWriter, name string, marks map[string]string) {
	content, err := files.ReadFile(name)
	if err != nil {
		http.Error(w, "no such page", http.StatusNotFound)
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".js" {
		kind = "text/javascript; charset=utf-8" // some machines' tables say otherwise, and modules need it
	}
	text := string(content)
	if path.Ext(name) == ".html" {
		for mark, value := range marks {
			text = strings.ReplaceAll(text, mark, value)
		}
	}
	header := w.Header()
	header.Set("Content-Type", kind)
	if header.Get("Cache-Control") == "" {
		header.Set("Cache-Control", "no-cache")
	}
	// A client that went away is no fault of the page.
	_, _ = w.Write([]byte(text))
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A client that went away is no fault of the page.
	_ = json.NewEncoder(w).Encode(body)
}
