package parity

import (
	"bytes"
	"fmt"
	"strings"
	"time"
)

const seen = `[innerWidth, devicePixelRatio, navigator.userAgent, navigator.onLine, ...['prefers-color-scheme: dark', 'forced-colors: active', 'prefers-contrast: more',
'prefers-reduced-motion: reduce'].map((q) => matchMedia('(' + q + ')').matches)].join()`

// trace is what both ways of recording give.
func (r *rig) traced(got map[string]any) (set, insight string) {
	r.t.Helper()
	sets := list(got["sets"])
	if len(sets) == 0 {
		r.t.Fatalf("no set: %v", got)
	}
	metrics, _ := sets[0]["metrics"].(map[string]any)
	insights := list(sets[0]["insights"])
	passed, _ := sets[0]["passed"].([]any)
	if len(metrics) == 0 || len(insights)+len(passed) == 0 {
		r.t.Fatalf("%v", got)
	}
	if len(insights) > 0 {
		return fmt.Sprint(sets[0]["id"]), fmt.Sprint(insights[0]["name"])
	}
	return fmt.Sprint(sets[0]["id"]), fmt.Sprint(passed[0])
}

var measureTools = []tool{
	{
		name: "lighthouse_audit", command: "audit.page",
		params: []param{{"pageId", "--page", ""}, {"mode", "--reload", ""}, {"device", "--device", ""}, {"outputDirPath", "--file", ""}},
		show: func(r *rig) {
			got := r.ok("audit", "page", "--reload", "--device", "mobile", "--file", "audit.html")
			if got["loaded"] != true || got["device"] != "mobile" || len(list(got["findings"])) == 0 || got["accessibility"] == nil {
				r.t.Errorf("%v", got)
			}
		},
	},
	{
		name: "emulate", command: "emulation.set",
		params: []param{{"pageId", "--page", ""}, {"networkConditions", "--network", ""}, {"cpuThrottlingRate", "--cpu", ""}, {"geolocation", "--geolocation", ""}, {"userAgent", "--user-agent", ""},
			{"colorScheme", "--color-scheme", ""}, {"forcedColors", "--forced-colors", ""}, {"prefersContrast", "--contrast", ""}, {"prefersReducedMotion", "--reduced-motion", ""},
			{"viewport", "--viewport", ""}, {"extraHttpHeaders", "--header", ""}},
		show: func(r *rig) {
			// The best of several: other programs take the processor away at times.
			const loop = `(() => { let best = Infinity; for (let k = 0; k < 5; k++) { const start = performance.now(); let n = 0; for (let i = 0; i < 3e7; i++) n += i; best = Math.min(best, performance.now() - start) } return best })()`
			before, fast := fmt.Sprint(r.eval(seen)), r.eval(loop).(float64)
			r.ok("emulation", "set", "--cpu", "8", "--geolocation", "48.85,2.35", "--user-agent", "Parity/1", "--color-scheme", "dark",
				"--forced-colors", "active", "--contrast", "more", "--reduced-motion", "reduce", "--viewport", "400x700@2", "--header", "X-Parity: yes")
			r.holds(seen, "400,2,Parity/1,true,true,true,true,true")
			slow := r.eval(loop).(float64)
			for tries := 0; tries < 5 && slow < 2*fast; tries++ { // the plain one may have been slowed by others
				r.ok("emulation", "set", "--cpu", "1")
				fast = min(fast, r.eval(loop).(float64))
				r.ok("emulation", "set", "--cpu", "8")
				slow = r.eval(loop).(float64)
			}
			if slow < 2*fast {
				r.t.Errorf("a processor slowed down 8 times takes %.0f ms instead of %.0f", slow, fast)
			}
			r.ok("emulation", "set", "--cpu", "1", "--network", "slow-3g")
			start := time.Now()
			r.eval(`fetch('/api/1').then((r) => r.text())`)
			if took := time.Since(start); took < 300*time.Millisecond {
				r.t.Errorf("slow 3G answers in %v", took)
			}
			r.ok("emulation", "set", "--network", "offline")
			r.holds(`fetch('/api/1').then(() => 'there', () => 'offline')`, "offline")
			r.ok("emulation", "set", "--network", "auto")
			r.ok("network", "list")
			r.eval(`fetch('/api/2').then((r) => r.text())`)
			id := number(list(r.ok("network", "list", "--url", "/api/2")["requests"])[0]["id"])
			if got := fmt.Sprint(r.ok("network", "get", id, "--include", "headers")["requestHeaders"]); !strings.Contains(strings.ToLower(got), "x-parity: yes") {
				r.t.Errorf("the header was not sent: %s", got)
			}
			r.ok("emulation", "reset")
			r.holds(seen, before)
		},
	},
	{
		name: "performance_start_trace", command: "trace.start",
		params: []param{{"pageId", "--page", ""}, {"reload", "--reload", ""}, {"autoStop", "--auto-stop", ""}, {"ignoreCache", "--ignore-cache", ""}, {"filePath", "--file", ""}},
		show: func(r *rig) {
			r.ok("page", "navigate", r.site.URL("/form"))
			hits := r.site.Hits("/form")
			path, read := r.out("load.json")
			r.traced(r.ok("trace", "start", "--reload", "--auto-stop", "--ignore-cache", "--file", path, "--timeout", "60000"))
			if r.site.Hits("/form") != hits+1 || !bytes.Contains(read(), []byte(`"traceEvents"`)) {
				r.t.Error("the page was not loaded again, or the file is no trace")
			}
		},
	},
	{
		name: "performance_stop_trace", command: "trace.stop", params: []param{{"pageId", "--page", ""}, {"filePath", "--file", ""}},
		show: func(r *rig) {
			r.ok("trace", "start")
			r.ok("page", "navigate", r.site.URL("/form"))
			path, read := r.out("stretch.json")
			r.traced(r.ok("trace", "stop", "--file", path, "--timeout", "60000"))
			if !bytes.Contains(read(), []byte("/form")) {
				r.t.Error("the trace knows nothing of the page")
			}
		},
	},
	{
		name: "performance_analyze_insight", command: "trace.insight", params: []param{{"pageId", "--page", ""}, {"insightSetId", "--set", ""}, {"insightName", "name", ""}},
		show: func(r *rig) {
			r.ok("page", "navigate", r.site.URL("/form"))
			set, insight := r.traced(r.ok("trace", "start", "--reload", "--auto-stop", "--timeout", "60000"))
			if got := fmt.Sprint(r.ok("trace", "insight", insight, "--set", set)); !strings.Contains(got, insight) || len(got) < 40 {
				r.t.Errorf("%s", got)
			}
		},
	},
	{
		name: "get_css_styles", command: "layout.styles",
		params: []param{{"pageId", "--page", ""}, {"uid", "target", ""}, {"pageSize", "--limit", ""}, {"pageIdx", "", "rules are given strongest first, up to --limit 500"}},
		show: func(r *rig) {
			r.html(`<style>#box{color:red} .x{color:blue!important} button{width:90px}</style><button id=box class=x>Box</button>`)
			ref := r.ref("button", "Box")
			got := r.ok("layout", "styles", ref)
			computed, _ := got["computed"].(map[string]any)
			if computed["color"] != "rgb(0, 0, 255)" || computed["width"] != "90px" || len(list(got["rules"])) < 3 {
				r.t.Errorf("%v", got)
			}
			if one := r.ok("layout", "styles", ref, "--limit", "1"); len(list(one["rules"])) != 1 || one["more"] == nil {
				r.t.Errorf("%v", one)
			}
		},
	},
}

func number(id any) string { return fmt.Sprintf("%.0f", id) }
