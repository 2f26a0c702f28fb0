package layout

import "testing"

// What a page in a browser shows clumsily: paper, hosts without slots, levels without rivals.
func TestHiddenStates(t *testing.T) {
	t.Parallel()
	none := map[string]string{"display": "none"}
	for name, test := range map[string]struct {
		page     *Snapshot
		kind     string
		severity Severity
		cause    int
	}{
		"by a query about widths": {small(2, Element{Parent: 1, Tag: "div", Styles: none, Media: "(max-width: 600px)"}), "media-hidden", Medium, 2},
		"not printed":             {small(2, Element{Parent: 1, Tag: "div", Styles: none, Media: "print"}), "media-hidden", Info, 2},
		"a preference":            {small(2, Element{Parent: 1, Tag: "div", Styles: none, Media: "(prefers-reduced-motion: reduce)"}), "media-hidden", Info, 2},
		"a host without slots":    {small(3, Element{Parent: 1, Tag: "x-a", Label: "x-a"}, Element{Parent: 2, Tag: "p", Flags: "n"}), "not-slotted", Info, 3},
		"a host with other slots": {small(3, Element{Parent: 1, Tag: "x-a", Slots: []string{"title"}}, Element{Parent: 2, Tag: "p", Flags: "n"}), "not-slotted", High, 3},
		"in an element that is": {small(4, Element{Parent: 1, Tag: "x-a", Slots: []string{""}}, Element{Parent: 2, Tag: "p", Flags: "n", Attrs: map[string]string{"slot": "x"}},
			Element{Parent: 3, Tag: "b"}), "not-slotted", High, 3},
		"the summary of a closed details in something hidden": {small(4, Element{Parent: 1, Tag: "div", Styles: none}, Element{Parent: 2, Tag: "details"},
			Element{Parent: 3, Tag: "summary"}), "hidden-by-ancestor", High, 2},
		"its second summary is content": {small(4, Element{Parent: 1, Tag: "details"}, Element{Parent: 2, Tag: "summary"}, Element{Parent: 2, Tag: "summary"}), "details-closed", Info, 2},
	} {
		found := hidden(&Case{Snapshot: test.page, At: test.page.Target})
		if len(found) != 1 || found[0].Type != test.kind || found[0].Severity != test.severity || found[0].Cause.Element != test.cause {
			t.Errorf("%s: %+v", name, found)
		} else if (found[0].Severity == Info) != (found[0].Purpose != "") {
			t.Errorf("%s: severity %s with the purpose %q", name, found[0].Severity, found[0].Purpose)
		}
	}
}

// A low level counts in a sweep where something else has it too.
func TestModalRivals(t *testing.T) {
	t.Parallel()
	modalAt := func(z string) Element {
		return Element{Parent: 1, Tag: "div", Label: "div#modal", Box: &[4]number{350, 250, 300, 200}, Text: textAt(360, 260, 50, 20),
			Styles: map[string]string{"position": "fixed", "z-index": z}, Attrs: map[string]string{"role": "dialog"}}
	}
	bar := func(z string) Element {
		return Element{Parent: 1, Tag: "header", Box: &[4]number{0, 0, 1000, 60}, Styles: map[string]string{"position": "fixed", "z-index": z}}
	}
	for name, test := range map[string]struct {
		page *Snapshot
		want int
	}{
		"asked about":     {small(2, modalAt("50"), bar("10")), 1},
		"nothing near it": {small(None, modalAt("50"), bar("10")), 0},
		"a bar as high":   {small(None, modalAt("50"), bar("50")), 1},
		"high enough":     {small(2, modalAt("100"), bar("100")), 0},
	} {
		if found := modal(&Case{Snapshot: test.page, At: 2}); len(found) != test.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
