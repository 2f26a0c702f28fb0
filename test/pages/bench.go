package pages

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// The pages that peers are measured on too: changing one byte ends every
// comparison with earlier figures, so a test holds their checksums.

// maxList bounds /list?n=.
const maxList = 200_000

func bench(mux *http.ServeMux) {
	fixed := map[string]string{
		"/form":    form(),
		"/console": consoleLines,
		"/fetch":   fetches,
		"/frame1":  `<title>f1</title><button>deep-frame1</button><iframe src="/frame2" title=f2></iframe>`,
		"/frame2":  "<title>f2</title><button>deep-frame2</button>",
		"/frameX":  "<title>fx</title><button>deep-xorigin</button>",
	}
	for path, text := range fixed {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { page(w, text) })
	}
	mux.HandleFunc("GET /list", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("n"))
		if err != nil || n < 0 || n > maxList {
			http.Error(w, "n", http.StatusBadRequest)
			return
		}
		page(w, List(n))
	})
	mux.HandleFunc("GET /frames", func(w http.ResponseWriter, r *http.Request) {
		page(w, strings.ReplaceAll(frames, "{{CROSS}}", cross(r)))
	})
	mux.HandleFunc("GET /api/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil {
			http.Error(w, "id", http.StatusNotFound)
			return
		}
		answer(w, http.StatusOK, map[string]int{"id": id})
	})
}

// List is a page of n interactive elements.
func List(n int) string {
	var rows strings.Builder
	for i := range n {
		rows.WriteString("<li>")
		switch i % 4 {
		case 0:
			fmt.Fprintf(&rows, `<button id=it-%d onclick="window.clicks++">Item %d</button>`, i, i)
		case 1:
			fmt.Fprintf(&rows, `<a id=it-%d href="#%d">Link %d</a>`, i, i, i)
		case 2:
			fmt.Fprintf(&rows, `<label><input id=it-%d type=checkbox>Check %d</label>`, i, i)
		case 3:
			fmt.Fprintf(&rows, `<input id=it-%d aria-label="Field %d" value="v%d">`, i, i, i)
		}
		rows.WriteString("</li>")
	}
	return fmt.Sprintf("<!doctype html><html lang=en><title>Bench List %d</title><h1>List</h1><ul>%s</ul>"+
		"<script>window.clicks=0</script>", n, rows.String())
}

func form() string {
	var fields strings.Builder
	for i, field := range [][2]string{
		{"First name", "text"}, {"Last name", "text"}, {"Email", "email"}, {"Phone", "tel"}, {"Street", "text"},
		{"City", "text"}, {"Post code", "text"}, {"Password", "password"}, {"Age", "number"}, {"Birthday", "date"},
	} {
		fmt.Fprintf(&fields, `<div class=row><label for=f%d>%s</label> <input id=f%d name=f%d type=%s autocomplete=off></div>`, i, field[0], i, i, field[1])
	}
	return `<!doctype html><html lang=en><title>Bench Form</title>
<style>body{font:14px sans-serif} .row{margin:4px} label{display:inline-block;width:120px}</style>
<header><nav aria-label=Main><a href="#home">Home</a> <a href="#orders">Orders</a> <a href="#help">Help</a></nav></header>
<main><h1>Order form</h1><p>Fill in the fields and save the order.</p><form onsubmit="return false">` + fields.String() + `
<div class=row><label for=country>Country</label> <select id=country><option>France<option>Germany<option selected>Spain<option>Italy</select></div>
<div class=row><label for=note>Note</label> <textarea id=note></textarea></div>
<fieldset><legend>Delivery</legend><label><input type=radio name=d checked>Post</label><label><input type=radio name=d>Courier</label></fieldset>
<div class=row><label><input type=checkbox id=terms>I accept the terms</label></div>
<button id=save type=button onclick="window.clicks++;document.getElementById('n').textContent=window.clicks">Save order</button>
<button id=cancel type=button>Cancel</button></form><p>Saved <span id=n>0</span> times.</p></main>
<script>window.clicks=0;for(let i=0;i<5;i++)console.log('log line '+i);console.warn('a warning');console.log('marker-last')</script>`
}

const consoleLines = `<!doctype html><html lang=en><title>Bench Console</title><h1>Console</h1><script>
for(let i=0;i<199;i++){const m=['log','info','warn','error'][i%4];console[m]('message '+i,{i,nested:{a:[1,2,3]}})}
console.log('marker-last')</script>`

const fetches = `<!doctype html><html lang=en><title>Bench Fetch</title><h1>Fetch</h1><script>
Promise.all([...Array(50).keys()].map(i=>fetch('/api/'+i).then(r=>r.json()))).then(()=>{document.title='Bench Fetch done'})</script>`

// frames has one frame of its own site with another inside, one of the other
// site, nested open shadow roots and a closed one.
const frames = `<!doctype html><html lang=en><title>Bench Frames</title><button>deep-top</button>
<iframe src="/frame1" title=f1></iframe><iframe src="{{CROSS}}/frameX" title=fx></iframe>
<div id=host></div><div id=closed></div><script>
const r=document.getElementById('host').attachShadow({mode:'open'});r.innerHTML='<button>deep-shadow</button><div id=h2></div>';
const r2=r.getElementById('h2').attachShadow({mode:'open'});r2.innerHTML='<button>deep-shadow-nested</button>';
const c=document.getElementById('closed').attachShadow({mode:'closed'});c.innerHTML='<button>deep-closed</button>';</script>`
