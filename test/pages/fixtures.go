package pages

import (
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
)

// plain fixtures are served at /NAME from files/fixtures/NAME.html.
var plain = []string{"controls", "targets", "hostile", "storm", "dialogs", "cause"}

// policies are the strict content security policies under /csp/NAME; each
// reports its violations to this server.
var policies = map[string]string{
	"none":    "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
	"sandbox": "default-src 'none'; sandbox",
	"self":    "default-src 'self'; object-src 'none'; base-uri 'none'",
}

func fixtures(mux *http.ServeMux) {
	for _, name := range plain {
		mux.HandleFunc("GET /"+name, func(w http.ResponseWriter, _ *http.Request) {
			serve(w, "files/fixtures/"+name+".html", nil)
		})
	}
	mux.HandleFunc("POST /cause/save", func(w http.ResponseWriter, r *http.Request) {
		if ms := r.URL.Query().Get("ms"); ms != "" {
			wait(r, ms)
		}
		w.Header().Set("Content-Type", "application/json")
		if status, err := strconv.Atoi(r.URL.Query().Get("status")); err == nil && status >= 200 && status < 600 {
			w.WriteHeader(status)
		}
		_, _ = w.Write([]byte(`{"id":7}`)) // a client that is gone needs none
	})
	mux.HandleFunc("GET /csp/{policy}", strict)
	mux.HandleFunc("GET /bfcache/{name}", backForward)
	mux.HandleFunc("GET /frames3", func(w http.ResponseWriter, r *http.Request) { nested(w, r, 1) })
	mux.HandleFunc("GET /frames3/{level}", func(w http.ResponseWriter, r *http.Request) {
		level, err := strconv.Atoi(r.PathValue("level"))
		if err != nil || level < 1 || level > 3 {
			http.Error(w, "level 1 to 3", http.StatusNotFound)
			return
		}
		nested(w, r, level)
	})

	// Addresses that are about the transport more than about the page.
	mux.HandleFunc("GET /page/{title}", func(w http.ResponseWriter, r *http.Request) {
		title := html.EscapeString(r.PathValue("title"))
		page(w, fmt.Sprintf("<!doctype html><html lang=en><title>%s</title><h1>%s</h1><button id=b>Button of %s</button>", title, title, title))
	})
	mux.HandleFunc("GET /redirect", func(w http.ResponseWriter, r *http.Request) {
		to := r.URL.Query().Get("to")
		if r.URL.Query().Has("cross") {
			to = cross(r) + to
		}
		http.Redirect(w, r, to, http.StatusFound)
	})
	mux.HandleFunc("GET /slow", func(w http.ResponseWriter, r *http.Request) {
		ms := wait(r, r.URL.Query().Get("ms"))
		page(w, fmt.Sprintf("<!doctype html><html lang=en><title>Slow %d</title><h1>Slow</h1><button>At last</button>", ms))
	})
	mux.HandleFunc("GET /status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, err := strconv.Atoi(r.PathValue("code"))
		if err != nil || code < 200 || code > 599 {
			code = http.StatusBadRequest
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, "<!doctype html><html lang=en><title>Status %d</title><h1>%d</h1><button>Back</button>", code, code)
	})
	mux.HandleFunc("GET /unframed", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Frame-Options", "DENY")
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		page(w, "<!doctype html><html lang=en><title>Unframed</title><h1>Unframed</h1><button>Alone</button>")
	})
	mux.HandleFunc("GET /download", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Set("Content-Disposition", `attachment; filename="log.txt"`)
		_, _ = w.Write([]byte("a file\n"))
	})
}

func strict(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("policy")
	policy, known := policies[name]
	if !known {
		http.Error(w, "no such policy", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Security-Policy", policy+"; report-uri /csp-report?"+name)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	serve(w, "files/fixtures/csp.html", nil)
}

// backForward serves the pair /bfcache/a and /bfcache/b. The cache-control of
// other pages is no hindrance in Chrome, but a plain answer is the safest.
func backForward(w http.ResponseWriter, r *http.Request) {
	other := map[string]string{"a": "b", "b": "a"}[r.PathValue("name")]
	if other == "" {
		http.Error(w, "a or b", http.StatusNotFound)
		return
	}
	w.Header().Set("Cache-Control", "max-age=60")
	serve(w, "files/fixtures/bfcache.html", map[string]string{"{{NAME}}": r.PathValue("name"), "{{OTHER}}": other})
}

// nested serves three levels of frames: level 1 holds one frame of its own site
// and one of the other site, level 2 one of the other site again.
func nested(w http.ResponseWriter, r *http.Request, level int) {
	var children []string
	frame := func(origin string, level int, name string) {
		children = append(children, fmt.Sprintf(`<iframe title="%s" src="%s/frames3/%d" width="520" height="%d"></iframe>`, name, origin, level, 420-110*level))
	}
	switch level {
	case 1:
		frame("", 2, "same site")
		frame(cross(r), 2, "other site")
	case 2:
		frame(cross(r), 3, "other site again")
	}
	serve(w, "files/fixtures/frames3.html", map[string]string{
		"{{LEVEL}}":    strconv.Itoa(level),
		"{{HOST}}":     html.EscapeString(r.Host),
		"{{CHILDREN}}": strings.Join(children, "\n"),
	})
}

func page(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	// A client that went away is no fault of the page.
	_, _ = w.Write([]byte(text))
}
