package page

import (
	"slices"
	"testing"
)

func TestFormatted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ args, want []string }{
		{[]string{}, []string{}},
		{[]string{"50% of %s"}, []string{"50% of %s"}}, // one argument is printed as it is
		{[]string{"plain", "a"}, []string{"plain", "a"}},
		{[]string{"%s has %d of %i", "cart", "3.9", "-7 items", "rest", "more"}, []string{"cart has 3 of -7", "rest", "more"}},
		{[]string{"%d %d %f %f", "NaN", "{a: 1}", "1.50kg", ".5"}, []string{"NaN NaN 1.5 0.5"}},
		{[]string{"%o and %O", "{a: 1}", "[1, 2]"}, []string{"{a: 1} and [1, 2]"}},
		{[]string{"%cred%c plain", "color: red", ""}, []string{"red plain"}},
		{[]string{"%c", "color: red", "next"}, []string{"next"}},
		{[]string{"%s %s", "one"}, []string{"one %s"}},
		{[]string{"100%% of %s, %x %", "it"}, []string{"100% of it, %x %"}},
		{[]string{"%s", "%s", "a"}, []string{"%s", "a"}}, // what was filled in is not looked at again
		{[]string{"%d", "007"}, []string{"7"}},
	} {
		if got := Formatted(slices.Clone(c.args)); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
}
