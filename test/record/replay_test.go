package record

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/debug-bridge/debug-bridge/test/browsertest"
)

// replayed loads the replay page of a recording and waits until it shows something.
func (r *reading) replayed(file string) {
	r.T.Helper()
	page := r.OK("record", "open", file, "--no-browser")["page"].(string)
	// Agents load no local files: the folder is served.
	server := httptest.NewServer(http.FileServer(http.Dir(filepath.Dir(page))))
	r.T.Cleanup(server.Close)
	r.OK("page", "navigate", server.URL+"/"+filepath.Base(page))
	browsertest.Until(r.T, readPatience, "the page as it was", func() bool { return r.Eval(inFrame+`.body !== null`) == true })
}

const inFrame = `document.querySelector('.stage iframe').contentDocument`

// picture keeps what the page looks like, for a person who wants to see it.
func (r *reading) picture(name string) {
	if dir := os.Getenv("RECORD_PICTURES"); dir != "" {
		r.OK("capture", "screenshot", "--file", filepath.Join(dir, name+".png"), "--overwrite")
	}
}

// choose clicks the first line of the list that has the words.
func (r *reading) choose(words string) {
	r.T.Helper()
	n := r.Eval(fmt.Sprintf(`[...document.querySelectorAll('.entry')].find((e) => e.innerText.includes(%q)).dataset.n`, words)).(string)
	r.OK("element", "click", fmt.Sprintf(`css=.entry[data-n="%s"] button`, n))
}

// replay: the page that a person gets shows what was recorded, to its end.
func (r *reading) replay() {
	r.replayed(r.file)
	const text = `.body.innerText.replace(/\s+/g, ' ')`
	if first := r.Eval(inFrame + text).(string); !strings.Contains(first, "Not signed in") {
		r.T.Errorf("it begins with %s", first)
	}
	r.OK("emulation", "set", "--viewport", "1280x760")
	r.picture("begin")
	r.OK("input", "key", "End")
	browsertest.Until(r.T, readPatience, "the end", func() bool {
		shown, _ := r.Eval(inFrame + text).(string)
		return shown != "" && strings.Contains(r.final, shown[:min(len(shown), 200)]) && strings.Contains(shown, "Sails")
	})
	want := r.Eval(fmt.Sprintf(`(%s).text`, r.final)).(string)
	if shown := r.Eval(inFrame + text).(string); shown != want {
		r.T.Errorf("it ends with\n%s\nthe page had\n%s", shown, want)
	}
	if value := r.Eval(inFrame + `.getElementById('category').value + ' ' + ` + inFrame + `.getElementById('in-stock').checked`); value != "rope true" {
		r.T.Errorf("fields: %v", value)
	}
	// Details of a request, with its body; the time goes there.
	r.choose("POST /api/session")
	browsertest.Until(r.T, readPatience, "the details", func() bool {
		return strings.Contains(r.Eval(`document.querySelector('.detail').innerText`).(string), `"email"`)
	})
	r.picture("details")
	if at := r.Eval(`Number(document.querySelector('.track input').value)`).(float64); at >= r.Eval(`Number(document.querySelector('.track input').max)`).(float64) {
		r.T.Errorf("a click on a line goes to %v ms", at)
	}
	r.OK("input", "key", "Escape")
	if hidden := r.Eval(`document.querySelector('.detail').hidden`); hidden != true {
		r.T.Error("Escape does not close the details")
	}
	// It plays by itself, to its end.
	r.OK("element", "select", ".speed", "8")
	r.Eval(`document.activeElement.blur()`)
	r.OK("input", "key", "Home")
	r.OK("input", "key", "Space")
	browsertest.Until(r.T, readPatience, "the end of playing", func() bool {
		return r.Eval(`document.querySelector('.play').getAttribute('aria-label') === 'Play' && document.querySelector('.track input').value === document.querySelector('.track input').max`) == true
	})
	if shown := r.Eval(inFrame + text).(string); shown != want {
		r.T.Errorf("played, it ends with\n%s\nthe page had\n%s", shown, want)
	}
	r.OK("emulation", "set", "--color-scheme", "dark")
	r.choose(`mark "it broke"`)
	if size := r.Eval(`new Promise((done) => { const look = () => { const i = document.querySelector('.detail img'); i?.complete ? done(i.naturalWidth) : setTimeout(look, 50); }; look(); })`); size.(float64) < 100 {
		r.T.Errorf("the picture of the mark is %v px wide", size)
	}
	r.picture("dark")
	r.OK("emulation", "set", "--viewport", "420x800")
	r.picture("narrow")
	r.OK("emulation", "reset")
}

// hostilePage tries to run script, and to load things, where it is shown again.
const hostilePage = `<!doctype html><title>Hostile</title><meta http-equiv="refresh" content="600;url=/beacon?refresh">
<link rel="stylesheet" href="/beacon.css"><link rel="preload" as="image" href="/beacon?preload"><base href="/base/">
<style>@import "/beacon?import"; body { background: url(/beacon?css) } @font-face { font-family: f; src: url(/beacon?font) } p { font-family: f }</style>
<body onload="OWNED = 1"><p id="p" onclick="OWNED = 2" onmouseover="OWNED = 3" onpointerdown="OWNED = 4">Hostile</p>
<a id="a" href="javascript:OWNED=5">link</a><a id="out" href="/beacon?link" target="_top">out</a><form id="f" action="javascript:OWNED=6"><button id="b" onclick="OWNED = 7">go</button></form>
<img src="/beacon?img" onerror="OWNED = 8"><img src="x:" onerror="top.OWNED = 9"><svg onload="OWNED = 10" width="10" height="10"><script>OWNED = 11</script><a href="javascript:OWNED=12"><text y="9">x</text></a></svg>
<iframe id="inner" srcdoc="<script>top.OWNED = 13; OWNED = 13</script><p onclick='OWNED = 14'>inner</p><img src=x: onerror='parent.parent.OWNED = 15'>"></iframe>
<iframe src="javascript:parent.OWNED=16"></iframe><object data="/beacon?object"></object><embed src="/beacon?embed"><video src="/beacon?video" autoplay onerror="OWNED = 17"></video>
<details open ontoggle="OWNED = 18"><summary>d</summary></details><input autofocus onfocus="OWNED = 19"><x-made></x-made>
<script>OWNED = 20; customElements.define('x-made', class extends HTMLElement { connectedCallback() { OWNED = 21; this.innerHTML = '<b onclick="OWNED = 22">made</b>'; } });
addEventListener('load', () => { document.title = '</scr' + 'ipt><script>OWNED = 23</scr' + 'ipt>'; console.log('</scr' + 'ipt><img src=x onerror=OWNED=24>\u2028'); });</script>`

// inert: nothing of a recorded page runs, and nothing is loaded, where it is shown.
func (r *reading) inert() {
	var beacons atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		beacons.Add(1)
		if q.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(hostilePage))
		}
	}))
	defer server.Close()
	r.OK("page", "navigate", server.URL)
	r.OK("record", "start")
	r.Eval(`document.body.insertAdjacentHTML('beforeend', '<p id="late" onclick="OWNED = 25"><img src="x:" onerror="OWNED = 26"><iframe srcdoc="<script>top.OWNED = 27</scr' + 'ipt>"></iframe></p>'); 1`)
	r.OK("record", "mark", "late")
	r.OK("record", "stop", "--file", "hostile.dbr")
	r.OK("page", "navigate", "about:blank")
	before := beacons.Load()
	r.replayed("hostile.dbr")
	r.OK("input", "key", "End")
	browsertest.Until(r.T, readPatience, "what came late", func() bool { return r.Eval(inFrame+`.getElementById('late') !== null`) == true })
	tried := r.Eval(`(() => {
	const doc = ` + inFrame + `, all = [...doc.querySelectorAll('*')];
	for (const e of all) for (const type of ['click', 'mouseover', 'pointerdown', 'error', 'load', 'toggle', 'focus']) e.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
	for (const e of all) e.click?.();
	return all.length;
})()`)
	if n := tried.(float64); n < 20 {
		r.T.Errorf("only %v elements are shown", n)
	}
	owned := r.Eval(`new Promise((done) => setTimeout(() => done([window, ...[...document.querySelectorAll('iframe')].flatMap((f) => [f.contentWindow, ...Array.from(f.contentWindow)])].map((w) => { try { return w.OWNED; } catch { return 'elsewhere'; } }).filter((v) => v !== undefined)), 500))`)
	if list, _ := owned.([]any); len(list) > 0 {
		r.T.Errorf("it ran: %v", owned)
	}
	if n := beacons.Load() - before; n > 0 {
		r.T.Errorf("%d requests came from the replay", n)
	}
	if here := r.Eval(`document.querySelector('.stage iframe').getAttribute('sandbox')`); here != "allow-same-origin" {
		r.T.Errorf("the frame is allowed %v", here)
	}
	r.picture("hostile")
}
