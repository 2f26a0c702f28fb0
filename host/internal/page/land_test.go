package page_test

import (
	"context"
	"testing"
	"time"

	"github.com/debug-bridge/debug-bridge/host/internal/page"
	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

// A click is told of when all of it has landed and what it queued has run.
func TestAClickIsToldWhenItHasLanded(t *testing.T) {
	s := open(t, map[string]string{"/": `<!doctype html><p id=out></p>
		<button id=queued onclick="setTimeout(()=>setTimeout(()=>out.textContent='queued'))">q</button>
		<button id=posted onclick="const c=new MessageChannel();c.port1.onmessage=()=>{out.textContent='posted'};c.port2.postMessage(0)">p</button>
		<button id=double ondblclick="out.textContent='double'">d</button>
		<button id=silent onpointerdown="event.preventDefault()" onclick="out.textContent='silent'">s</button>
		<button id=slow onclick="const end=performance.now()+150;while(performance.now()<end);out.textContent='slow'">w</button>
		<button id=away onclick="setTimeout(()=>{location='/next'})">a</button>`, "/next": "<title>next</title>next"})
	double, _ := page.Press("", 2, nil)
	for range 5 {
		for _, id := range []string{"queued", "posted", "double", "silent", "slow"} {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			press, _ := page.Press("", 1, nil)
			if id == "double" {
				press = double
			}
			did, err := s.tab.Act(ctx, page.Deed{Action: "click", Target: &protocol.Target{Selector: "#" + id}, Guarded: true, Trusted: press}, func() {})
			cancel()
			if err != nil || did.Effect != protocol.EffectChanged || did.After.Mutations == 0 || s.eval("out.textContent") != id {
				t.Errorf("%s: %+v %v, the page says %v", id, did, err, s.eval("out.textContent"))
			}
			s.eval("out.textContent=''")
		}
	}
	if did := s.mustClick("#away"); did.Effect != protocol.EffectNavigated || did.After.URL != s.url+"/next" {
		t.Errorf("away: %+v", did)
	}
}

// What a page does not see of a press, it is told has been delivered.
func TestAClickThatThePageDoesNotSee(t *testing.T) {
	s := open(t, map[string]string{"/": `<!doctype html><select id=list><option>one<option>two</select>
		<button id=gone onpointerdown="document.open();document.write('<p id=fresh>fresh</p>');document.close()">g</button>`})
	for _, id := range []string{"list", "gone"} {
		start := time.Now()
		did := s.mustClick("#" + id)
		if took := time.Since(start); took > patience/2 {
			t.Errorf("%s: told after %v: %+v", id, took, did)
		}
	}
	if text := s.eval("fresh.textContent"); text != "fresh" {
		t.Errorf("the page says %v", text)
	}
}
