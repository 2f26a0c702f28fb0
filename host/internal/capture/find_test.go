package capture

import (
	"regexp"
	"strings"
	"testing"
)

func found(o *Outline, q Query) string {
	f := Find(o, &q, 5)
	text := strings.Join(Lines(f.Matches), "\n")
	if f.Total > len(f.Matches) {
		text += "\n…"
	}
	if len(f.Near) > 0 {
		text += "near:\n" + strings.Join(Lines(f.Near), "\n")
	}
	return text
}

func TestFind(t *testing.T) {
	page, orders := outline(form), outline(table(200))
	for _, c := range []struct {
		name string
		o    *Outline
		q    Query
		want string
	}{
		{"by text", page, Query{Text: "MILK"}, `checkbox "Buy milk" e7  in button "Delete" e8`},
		{"by role", page, Query{Role: "link"}, "link \"Home\" e1 /  in navigation \"Main\"\nlink \"Far\" e2 https://else.test/x  in navigation \"Main\"\nlink \"the help\" e3 /help  in main > \"Order form\""},
		{"by name", page, Query{Name: "delivery", Role: "heading"}, `heading "Delivery"  in region`},
		{"by value", page, Query{Text: "spain"}, `combobox "Country" e5 =Spain (France | Spain)  in region > "Delivery"`},
		{"by regex", page, Query{Regex: regexp.MustCompile(`(?i)^enter .* address`)}, `Enter a valid address.  in region > "Delivery"`},
		{"a row", orders, Query{Text: "177"}, "link \"Order 177\" e355 /o/177  in 177.00 | button \"Edit\" e356\n177.00  in link \"Order 177\" e355 | button \"Edit\" e356"},
		{"many", orders, Query{Text: "Edit", Role: "button"}, "button \"Edit\" e2  in link \"Order 0\" e1 | 0.00\nbutton \"Edit\" e4  in link \"Order 1\" e3 | 1.00\nbutton \"Edit\" e6  in link \"Order 2\" e5 | 2.00\nbutton \"Edit\" e8  in link \"Order 3\" e7 | 3.00\nbutton \"Edit\" e10  in link \"Order 4\" e9 | 4.00\n…"},
		{"nearest", page, Query{Text: "Delte"}, "near:\nbutton \"Delete\" e8  in checkbox \"Buy milk\" e7\nDelivery  in region"},
		{"nothing", page, Query{Text: "xyzzy"}, ""},
	} {
		if got := found(c.o, c.q); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestFindInALongText(t *testing.T) {
	o := outline("0 · - · 3 · " + strings.Repeat("before and ", 60) + "the needle in it " + strings.Repeat("after and ", 60))
	got := found(o, Query{Text: "the needle"})
	if !strings.Contains(got, "the needle") || len(got) > 2*maxText || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "e3") {
		t.Error(got)
	}
}
