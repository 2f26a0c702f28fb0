package tree

import (
	"encoding/json"
	"fmt"
	"testing"
)

// Whether an action can reach the element as a person's would.
func TestActionability(t *testing.T) {
	css := `<style>*{box-sizing:border-box}.cover{position:absolute;inset:0;background:#fff}.rel{position:relative;width:200px;height:60px;margin:4px}button{width:100px;height:30px}</style>`
	cases := []struct{ name, html, action, at, code, check string }{
		{"plain", `<button id=a>x</button>`, "click", "a", "", ""},
		{"child takes it", `<button id=a><span style="display:block">x</span></button>`, "click", "a", "", ""},
		{"covered", `<div class=rel><button id=a>x</button><div class=cover id=over>Cookie <b>banner</b></div></div>`, "click", "", "TARGET_OBSCURED", ""},
		{"half covered", `<div class=rel><button id=a style="width:200px">x</button><div class=cover style="left:40%"></div></div>`, "click", "a", "", ""},
		{"let through", `<div class=rel><button id=a>x</button><div class=cover style="pointer-events:none"></div></div>`, "click", "a", "", ""},
		{"no pointer events", `<div class=rel><button id=a style="pointer-events:none">x</button></div>`, "click", "", "TARGET_NOT_INTERACTABLE", "receivesEvents"},
		{"hidden", `<button id=a style="visibility:hidden">x</button>`, "click", "", "TARGET_NOT_INTERACTABLE", "visible"},
		{"disabled", `<button id=a disabled>x</button>`, "click", "", "TARGET_NOT_INTERACTABLE", "enabled"},
		{"disabled hover", `<button id=a disabled>x</button>`, "hover", "a", "", ""},
		{"inert", `<div inert><button id=a>x</button></div>`, "click", "", "TARGET_NOT_INTERACTABLE", "enabled"},
		{"off screen", `<button id=a style="position:absolute;left:-900px">x</button>`, "click", "", "TARGET_OUT_OF_VIEW", "visible"},
		{"below the fold", `<div style="height:5000px"></div><button id=a>x</button>`, "click", "a", "", ""},
		{"in a scroller", `<div style="height:100px;overflow:auto"><div style="height:900px"></div><button id=a>x</button><div style="height:900px"></div></div>`, "click", "a", "", ""},
		{"sticky header", `<div style="position:fixed;top:0;left:0;right:0;height:80px;z-index:9;background:#fff">bar</div><button id=a style="position:absolute;top:10px">x</button><div style="height:3000px"></div>`, "click", "", "TARGET_OBSCURED", ""},
		{"styled checkbox", `<label id=l><input id=a type=checkbox style="position:absolute;opacity:0;width:0;height:0"><span style="display:inline-block;width:30px;height:30px;background:red"></span></label>`, "click", "l", "", ""},
		{"label over input", `<div class=rel><input id=a><label for=a class=cover style="left:0">Name</label></div>`, "click", "a", "", ""},
		{"span in a button", `<button><span id=a style="pointer-events:none">x</span></button>`, "click", "a", "", ""},
		{"wrapped link", `<div style="width:60px"><a id=a href=x>one two three four</a></div>`, "click", "a", "", ""},
		{"dialog above", `<button id=a>x</button><dialog id=d><button>y</button></dialog><script>d.showModal()</script>`, "click", "", "TARGET_OBSCURED", ""},
		{"under the dialog, focus", `<div class=rel><input id=a><div class=cover></div></div>`, "focus", "a", "", ""},
		{"shadow", `<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML='<button data-t=a id=a><b>x</b></button>'</script>`, "click", "a", "", ""},
		{"still moving", `<style>@keyframes m{to{transform:translateX(300px)}}</style><button id=a style="animation:m 1s linear infinite alternate">x</button>`, "click", "", "TARGET_NOT_INTERACTABLE", "stable"},
		{"zoomed", `<div style="zoom:1.5;transform:scale(1.2);transform-origin:0 0"><button id=a>x</button></div>`, "click", "a", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			page := open(t, doc(css+c.html))
			raw := ask[json.RawMessage](t, page, fmt.Sprintf("T.act('#a', %q)", c.action))
			var got struct {
				At    string
				Point struct{ X, Y float64 }
				failure
			}
			if err := json.Unmarshal(raw, &got); err != nil {
				t.Fatal(err)
			}
			if got.At != c.at || got.Code != c.code || got.Details.Check != c.check {
				t.Fatalf("%s, want at %q, %s %s", raw, c.at, c.code, c.check)
			}
			if c.code == "TARGET_OBSCURED" && (got.Details.CoveredBy == nil || got.Details.CoveredBy.Selector == "") {
				t.Errorf("covered by nothing: %s", raw)
			}
			if c.at != "" && c.action == "click" {
				hit := ask[bool](t, page, fmt.Sprintf(`(() => {
					const a = T.tree.pass() && document.querySelector('#a') || document.querySelector('#h').shadowRoot.querySelector('#a');
					let e = document.elementFromPoint(%[1]v, %[2]v);
					while (e.shadowRoot && e.shadowRoot.elementFromPoint(%[1]v, %[2]v)) e = e.shadowRoot.elementFromPoint(%[1]v, %[2]v);
					return a.contains(e) || e.contains(a) || e.closest('label')?.control === a;
				})()`, got.Point.X, got.Point.Y))
				if !hit {
					t.Errorf("the point %v does not hit it", got.Point)
				}
			}
		})
	}
}

// In a background tab no frame comes; timers do.
func TestActionabilityWithoutFrames(t *testing.T) {
	page := open(t, doc(`<div style="height:3000px"></div><button id=a>x</button>`))
	source, err := bundle()
	if err != nil {
		t.Fatal(err)
	}
	page.World("frameless", "globalThis.asked = 0; window.requestAnimationFrame = () => { asked += 1; return 0 };"+source)
	var got struct {
		At    string
		Asked int
	}
	page.EvalIn("frameless", "T.act('#a', 'click').then((got) => ({At: got.at, Asked: asked}))", &got)
	if got.At != "a" || got.Asked == 0 {
		t.Errorf("%+v", got)
	}
}
