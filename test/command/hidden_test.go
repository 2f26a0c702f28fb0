package command

import (
	"fmt"
	"testing"

	"github.com/debug-bridge/debug-bridge/test/commandtest"
)

// Who cannot click an element because something around it hides it is told what does.
func TestHiddenByAnAncestor(t *testing.T) {
	t.Parallel()
	e := commandtest.Managed(t)
	for html, want := range map[string]string{
		`<nav id=menu style="display:none"><div><button>x</button></div></nav>`:                                          "map[property:display selector:#menu value:none]",
		`<nav id=outer style="display:none"><div id=inner style="display:none"><button>x</button></div></nav>`:           "map[property:display selector:#outer value:none]",
		`<nav id=menu style="visibility:hidden"><div><button>x</button></div></nav>`:                                     "map[property:visibility selector:#menu value:hidden]",
		`<nav id=menu style="opacity:0"><div><button>x</button></div></nav>`:                                             "map[property:opacity selector:#menu value:0]",
		`<nav id=menu style="height:0;overflow:hidden"><button>x</button></nav>`:                                         "map[property:overflow selector:#menu value:hidden]",
		`<nav id=menu style="content-visibility:hidden"><button>x</button></nav>`:                                        "map[property:content-visibility selector:#menu value:hidden]",
		`<details id=more><summary>More</summary><p><button>x</button></p></details>`:                                    "map[property:open selector:#more value:false]",
		`<dialog id=ask><button>x</button></dialog>`:                                                                     "map[property:open selector:#ask value:false]",
		`<nav id=menu style="visibility:hidden"><p style="visibility:visible"><button hidden>x</button></p></nav>`:       "<nil>",
		`<div id=box style="overflow:hidden;height:20px"><p style="visibility:hidden" id=p><button>x</button></p></div>`: "map[property:visibility selector:#p value:hidden]",
	} {
		e.HTML(html)
		a := e.Fails("TARGET_NOT_INTERACTABLE", 5, "element", "click", "css=button", "--timeout", "1800")
		if got := fmt.Sprint(a.Error.Details["hiddenBy"]); got != want {
			t.Errorf("%s\nhidden by %s, want %s: %s", html, got, want, a.Error.Message)
		}
	}
}
