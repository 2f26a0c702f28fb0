package page_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/fault"
	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// Elements that are hard to hit, and those that must not be hit at all: never another one.
func TestTheRightElementOrNone(t *testing.T) {
	const css = `<style>*{box-sizing:border-box}button{width:120px;height:30px}
		@keyframes there{from{transform:translateX(0)}to{transform:translateX(300px)}}
		@keyframes ever{0%{left:0}100%{left:400px}} @keyframes fade{from{opacity:.3}to{opacity:1}}</style>
		<script>window.hits=[];addEventListener('click',e=>hits.push(e.composedPath()[0].id||e.composedPath()[0].tagName),true)</script>`
	for _, c := range []struct {
		name, html string
		code       fault.Code // when refused
		hit        string
	}{
		{"plain", `<button id=a>x</button>`, "", "a"},
		{"below the fold", `<div style="height:4000px"></div><button id=a>x</button>`, "", "a"},
		{"in scrollers", `<div style="height:100px;overflow:auto"><div style="height:900px"></div><div style="height:60px;overflow:auto"><div style="height:300px"></div><button id=a>x</button></div></div>`, "", "a"},
		{"coming to rest", `<button id=a style="position:relative;animation:there .4s linear both">x</button>`, "", "a"},
		{"always moving", `<button id=a style="position:absolute;animation:ever 1s linear infinite alternate">x</button>`, fault.TargetNotInteractable, ""},
		{"fading", `<button id=a style="animation:fade 5s infinite">x</button>`, "", "a"},
		{"moved by a script", `<button id=a style="position:absolute;left:0;top:50px">x</button><script>let x=0;setInterval(()=>{a.style.left=(x=(x+7)%600)+'px'},10)</script>`, "", ""},
		{"jumping away at the move", `<button id=a style="position:absolute;left:0;top:50px">x</button><button id=b style="position:absolute;left:0;top:50px;z-index:-1">y</button>
			<script>a.onmousemove=()=>{a.style.top='300px'}</script>`, "", "a"},
		{"covered at the move", `<button id=a style="position:absolute;left:0;top:50px">x</button><div id=o style="display:none;position:fixed;inset:0;background:#ccc"></div>
			<script>a.addEventListener('mousemove',()=>{o.style.display='block'})</script>`, fault.TargetObscured, ""},
		{"covered", `<div style="position:relative"><button id=a>x</button><div role=dialog aria-label=Cookies style="position:absolute;inset:0;background:#fff">c</div></div>`, fault.TargetObscured, ""},
		{"overlay that goes", `<button id=a>x</button><div id=o style="position:fixed;inset:0;background:#ccc"></div><script>setTimeout(()=>o.remove(),400)</script>`, "", "a"},
		{"comes late", `<div id=d></div><script>setTimeout(()=>d.innerHTML='<button id=a>x</button>',400)</script>`, "", "a"},
		{"enabled late", `<button id=a disabled>x</button><script>setTimeout(()=>a.disabled=false,300)</script>`, "", "a"},
		{"disabled", `<button id=a disabled>x</button>`, fault.TargetNotInteractable, ""},
		{"lets events through", `<button id=a style="pointer-events:none">x</button>`, fault.TargetNotInteractable, ""},
		{"hidden", `<button id=a style="visibility:hidden">x</button>`, fault.TargetNotInteractable, ""},
		{"transformed", `<div style="transform:rotate(30deg) scale(1.4);transform-origin:0 0;margin:80px 0 0 120px"><button id=a>x</button></div>`, "", "a"},
		{"zoomed", `<div style="zoom:1.7"><button id=a style="margin:20px">x</button></div>`, "", "a"},
		{"closed root", `<div id=h></div><script>h.attachShadow({mode:'closed'}).innerHTML='<button id=a>x</button>'</script>`, "", "h"},
		{"nothing", `<p>x</p>`, fault.ElementNotFound, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, map[string]string{"/": "<!doctype html>" + css + c.html})
			s.eval("new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', () => done()))") // what is to cover it is parsed after it
			selector := "#a"
			did, err := s.clickFor(selector, 1500*time.Millisecond)
			hits := fmt.Sprint(s.eval("hits.join()"))
			switch {
			case c.name == "moved by a script": // hit or refused, never beside
				if hits != "" && hits != "a" || (err == nil) != (hits == "a") {
					t.Errorf("%q %v", hits, err)
				}
			case c.code == "" && (err != nil || hits != c.hit):
				t.Errorf("%q %v %v, want %s", hits, err, fault.From(err), c.hit)
			case c.code != "" && (!errors.Is(err, fault.New(c.code, "")) || hits != ""):
				t.Errorf("%q %+v %v, want %s", hits, did, err, c.code)
			}
			if c.code == fault.TargetObscured && fault.From(err).Details["coveredBy"] == nil {
				t.Errorf("by what? %v", fault.From(err).Details)
			}
		})
	}
}

func TestAtOneAndAHalfPixels(t *testing.T) {
	s := open(t, map[string]string{"/": `<!doctype html><div style="height:1200px"></div><button id=a onclick="window.hit=(window.hit||0)+1">x</button>`})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.tab.Session("").Call(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{"width": 500, "height": 400, "deviceScaleFactor": 1.5, "mobile": false}, nil); err != nil {
		t.Fatal(err)
	}
	s.mustClick("#a")
	if hit := s.eval("hit"); hit != 1.0 {
		t.Errorf("hit %v", hit)
	}
}

// A click into frames, of the same and of another process, scrolled and under an overlay.
func TestThroughFrames(t *testing.T) {
	leaf := `<!doctype html><div style="height:900px"></div><button id=%s onclick="parent.postMessage('%s','*');document.title='hit'">%s</button>`
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, leaf, "far", "far", "far")
	}))
	defer other.Close()
	foreign := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	s := open(t, map[string]string{
		"/": fmt.Sprintf(`<!doctype html><script>window.hits=[];onmessage=e=>hits.push(e.data)</script><div style="height:1500px"></div>
			<iframe id=f1 src=/inner style="width:300px;height:200px;padding:7px;border:5px solid;transform:scale(1.3);transform-origin:0 0"></iframe><div style="height:300px"></div>
			<iframe id=f2 src="%s/" style="width:300px;height:200px"></iframe><div style="height:1500px"></div>
			<div id=o style="display:none;position:fixed;inset:0;background:#ccc" role=dialog aria-label=Cookies></div>`, foreign),
		"/inner": `<!doctype html><script>onmessage=e=>parent.postMessage(e.data,'*')</script><div style="height:700px"></div><iframe src=/leaf></iframe>`,
		"/leaf":  fmt.Sprintf(leaf, "near", "near", "near"),
	})
	for _, id := range []string{"near", "far"} {
		deadline := time.Now().Add(patience)
		for {
			did, err := s.click("#" + id)
			if err == nil {
				if did.Effect != protocol.EffectChanged {
					t.Errorf("%s: %+v", id, did)
				}
				break
			}
			// The frames are still loading.
			if !errors.Is(err, fault.New(fault.ElementNotFound, "")) || time.Now().After(deadline) {
				t.Fatalf("%s: %v %v", id, err, fault.From(err).Details)
			}
		}
	}
	if hits := s.eval("new Promise(d=>setTimeout(()=>d(hits.join()),50))"); hits != "near,far" {
		t.Errorf("hits %v", hits)
	}
	s.eval("o.style.display='block'")
	for _, id := range []string{"near", "far"} {
		_, err := s.clickFor("#"+id, 300*time.Millisecond)
		if !errors.Is(err, fault.New(fault.TargetObscured, "")) || !strings.Contains(fmt.Sprint(fault.From(err).Details["coveredBy"]), "Cookies") {
			t.Errorf("%s under an overlay: %v", id, err)
		}
	}
}

// A ref goes on with what was rendered in its place, and never to another element.
func TestRefsOverRendering(t *testing.T) {
	s := open(t, map[string]string{"/": `<!doctype html><div id=d><button onclick="hit='save'">Save</button></div>`})
	did := s.mustClick("button")
	again := func() (page.Did, error) {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		press, _ := page.Press("", 0, nil)
		return s.tab.Act(ctx, page.Deed{Action: "click", Target: &protocol.Target{Ref: did.Ref}, Guarded: true, Trusted: press, Wait: 300 * time.Millisecond}, func() {})
	}
	s.eval(`d.innerHTML='<button onclick="hit=\'new\'">Save</button>';1`)
	if _, err := again(); err != nil || s.eval("hit") != "new" {
		t.Errorf("rendered again: %v %v", err, s.eval("hit"))
	}
	s.eval(`d.innerHTML='<button onclick="hit=\'delete\'">Delete</button>';1`)
	if _, err := again(); !errors.Is(err, fault.New(fault.TargetStale, "")) || s.eval("hit") != "new" {
		t.Errorf("another one: %v", err)
	}
}

func TestDialogsComeBackAtOnce(t *testing.T) {
	s := open(t, map[string]string{"/": `<!doctype html><button id=alert onclick="alert('A');document.title='after'">a</button>
		<button id=down onmousedown="confirm('D')">d</button><button id=later onclick="setTimeout(()=>alert('L'),20)">l</button>
		<input id=focus onfocus="if(!window.asked){asked=1;alert('F')}"><input id=change onchange="prompt('C','old')">
		<a id=leave href=/next>leave</a><script>onbeforeunload=e=>{if(window.stay){e.preventDefault()}}</script>`, "/next": "next"})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	handle := func(accept bool) page.Did {
		t.Helper()
		did, err := s.tab.HandleDialog(ctx, accept, "", func() {})
		if err != nil {
			t.Fatal(err)
		}
		return did
	}
	start := time.Now()
	for _, c := range []struct{ id, kind, message string }{{"alert", "alert", "A"}, {"down", "confirm", "D"}, {"focus", "alert", "F"}} {
		did := s.mustClick("#" + c.id)
		if d := did.After.Dialog; d == nil || d.Kind != c.kind || d.Message != c.message || did.Effect != protocol.EffectChanged {
			t.Errorf("%s: %+v", c.id, did)
			continue
		}
		if _, err := s.click("#down"); !errors.Is(err, fault.New(fault.DialogBlocking, "")) {
			t.Errorf("%s: not blocked: %v", c.id, err)
		}
		handle(true)
	}
	if title := s.eval("document.title"); title != "after" {
		t.Errorf("the script did not go on: %v", title)
	}
	if did, err := s.tab.Fill(ctx, protocol.Target{Selector: "#change"}, "x", "", time.Second, func() {}); err != nil || did.After.Dialog != nil {
		t.Errorf("fill: %+v %v", did, err)
	}
	s.mustClick("#down") // leaving the field tells its change first
	for range 2 {
		if s.tab.Dialog() != nil {
			handle(false)
		}
	}
	s.eval("window.stay=1")
	if did := s.mustClick("#leave"); did.After.Dialog == nil || did.After.Dialog.Kind != "beforeunload" {
		t.Errorf("leave: %+v", did)
	}
	handle(false)
	if url := s.eval("location.pathname"); url != "/" {
		t.Errorf("at %v", url)
	}
	s.mustClick("#leave")
	if did := handle(true); did.After.URL != s.url+"/next" {
		t.Errorf("left: %+v", did)
	}
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestDragsOfBothKinds(t *testing.T) {
	s := open(t, map[string]string{"/": `<!doctype html><style>.b{width:80px;height:40px;margin:10px;background:#cce}</style>
		<div id=h class=b draggable=true>html</div><div id=drop class=b>drop</div><div style="height:1500px"></div><div id=fardrop class=b>far</div>
		<div id=p class=b style="position:absolute;left:300px;top:0">pointer</div><div id=goal class=b style="position:absolute;left:300px;top:300px">goal</div>
		<script>window.log=[];
		h.ondragstart=e=>{e.dataTransfer.setData('text/plain','carried');log.push('start')};h.ondragend=()=>log.push('end');
		for(const d of [drop,fardrop]){d.ondragenter=e=>e.preventDefault();d.ondragover=e=>e.preventDefault();d.ondrop=e=>{e.preventDefault();log.push(d.id+':'+e.dataTransfer.getData('text/plain'))}}
		p.onpointerdown=e=>{p.setPointerCapture(e.pointerId);log.push('down')};p.onpointermove=e=>{if(e.buttons)p.style.left=e.clientX-40+'px',p.style.top=e.clientY-20+'px'};
		p.onpointerup=()=>log.push('up');</script>`})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, to := range []string{"#drop", "#fardrop"} {
		did, err := s.tab.Drag(ctx, protocol.Target{Selector: "#h"}, &protocol.Target{Selector: to}, 0, 0, "", time.Second, func() {})
		if err != nil {
			t.Fatalf("%s: %+v %v", to, did, err)
		}
	}
	if log := s.eval("log.splice(0).join()"); log != "start,drop:carried,end,start,fardrop:carried,end" {
		t.Errorf("html: %v", log)
	}
	if _, err := s.tab.Drag(ctx, protocol.Target{Selector: "#p"}, &protocol.Target{Selector: "#goal"}, 0, 0, "", time.Second, func() {}); err != nil {
		t.Fatal(err)
	}
	if log, top := s.eval("log.join()"), s.eval("p.offsetTop"); log != "down,up" || top != 320.0 {
		t.Errorf("pointer: %v at %v", log, top)
	}
	if _, err := s.tab.Drag(ctx, protocol.Target{Selector: "#p"}, nil, 0, -200, "", time.Second, func() {}); err != nil || s.eval("p.offsetTop") != 140.0 {
		t.Errorf("by a distance: %v at %v", err, s.eval("p.offsetTop"))
	}
}

func TestChords(t *testing.T) {
	s := open(t, map[string]string{"/": `<!doctype html><input id=i><script>window.log=[];
		for(const k of ['keydown','keypress','keyup'])i.addEventListener(k,e=>log.push([k[3],e.key,e.code,e.keyCode,e.location,e.repeat?'r':'',e.ctrlKey?'c':'',e.shiftKey?'s':''].join('')))</script>`})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s.mustClick("#i")
	press := func(text string, repeat int) string {
		t.Helper()
		chord, err := page.ParseChord(text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.tab.Act(ctx, page.Deed{Prepare: page.Watched(), Trusted: func(ctx context.Context, at page.Spot) error { return at.Send(ctx, chord.Press(repeat)...) }}, func() {})
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(s.eval("log.splice(0).join(' ')"))
	}
	for _, c := range []struct {
		chord  string
		repeat int
		log    string
	}{
		{"a", 1, "daKeyA650 paKeyA970 uaKeyA650"},
		{"Shift+a", 1, "dShiftShiftLeft161s dAKeyA650s pAKeyA650s uAKeyA650s uShiftShiftLeft161"},
		{"Control+Shift+K", 1, "dControlControlLeft171c dShiftShiftLeft161cs dKKeyK750cs uKKeyK750cs uShiftShiftLeft161c uControlControlLeft171"},
		{"Escape", 1, "dEscapeEscape270 uEscapeEscape270"},
		{"b", 3, "dbKeyB660 pbKeyB980 dbKeyB660r pbKeyB980r dbKeyB660r pbKeyB980r ubKeyB660"},
		{"Control++", 1, "dControlControlLeft171c d+Equal1870c u+Equal1870c uControlControlLeft171"},
		{"?", 1, "d?Slash1910 p?Slash630 u?Slash1910"},
	} {
		if log := press(c.chord, c.repeat); log != c.log {
			t.Errorf("%s: %s, want %s", c.chord, log, c.log)
		}
	}
	if value := s.eval("i.value"); value != "aAbbb?" {
		t.Errorf("value %v", value)
	}
	press("ControlOrMeta+A", 1)
	press("Delete", 1)
	if value := s.eval("i.value"); value != "" {
		t.Errorf("selected and deleted: %v", value)
	}
	for _, bad := range []string{"", "Nope", "Hyper+a", "Control+Nope"} {
		if _, err := page.ParseChord(bad); !errors.Is(err, fault.New(fault.ValidationError, "")) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
