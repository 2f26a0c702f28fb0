package browser_test

import (
	"slices"
	"testing"

	"github.com/debug-bridge/debug-bridge/host/internal/protocol"
)

func TestTreeAndClick(t *testing.T) {
	v := use(t).open(t, site.URL("/form"))
	v.until("both buttons", func() bool { return slices.Equal(v.names("button"), []string{"Save order", "Cancel"}) })
	out := v.must("click", &protocol.ClickParams{Target: protocol.Target{Role: "button", Name: "Save order"}})
	if out.Effect != protocol.EffectChanged || out.Via != "cdp" {
		t.Fatalf("%+v", out)
	}
	if clicks := v.eval("window.clicks"); clicks != 1.0 {
		t.Fatalf("clicks %v", clicks)
	}
	v.must("type", &protocol.TypeParams{Target: protocol.Target{Role: "textbox", Name: "First name"}, Text: "Ada"})
	if value := v.eval("document.getElementById('f0').value"); value != "Ada" {
		t.Fatalf("value %v", value)
	}
	v.until("the title", func() bool { return v.tab.Info().Title == "Bench Form" })
	if info := v.tab.Info(); info.Source != protocol.SourceManaged || info.Level != protocol.Control {
		t.Fatalf("%+v", info)
	}
}

// Same-process and cross-process frames, nested, open and closed shadow roots.
func TestFramesAndClosedRoots(t *testing.T) {
	v := use(t).open(t, site.URL("/frames"))
	want := []string{"deep-closed", "deep-frame1", "deep-frame2", "deep-shadow", "deep-shadow-nested", "deep-top", "deep-xorigin"}
	v.until("all seven buttons", func() bool {
		names := v.names("button")
		slices.Sort(names)
		return slices.Equal(names, want)
	})
	v.eval("document.getElementById('closed').addEventListener('click', () => window.closedClicked = true); 1")
	v.must("click", &protocol.ClickParams{Target: protocol.Target{Role: "button", Name: "deep-closed"}})
	if clicked := v.eval("window.closedClicked"); clicked != true {
		t.Fatal("the click did not reach the closed root")
	}
	v.must("click", &protocol.ClickParams{Target: protocol.Target{Role: "button", Name: "deep-xorigin"}})
	v.must("hover", &protocol.HoverParams{Target: protocol.Target{Role: "button", Name: "deep-frame2"}})
}
