package capture

import (
	"fmt"
	"strings"
	"testing"
)

func compare(before, now string) Diff { return Compare(outline(before), outline(now), Options{}) }

func TestNoChange(t *testing.T) {
	d := compare(form, form)
	if !d.Same() || d.Text.Body != "" {
		t.Errorf("%+v", d)
	}
}

func TestDiffForm(t *testing.T) {
	now := form
	for from, to := range map[string]string{
		"Enter a valid address.":                 "Saved.",
		"4 · Email · required invalid":           "4 · Email · required focused",
		"2 · listitem\n3 · - · - · Nothing else": "2 · listitem\n3 · button · 20 · Add one",
		"10 · inner":                             "10 · inner · disabled",
	} {
		if !strings.Contains(now, from) {
			t.Fatal(from)
		}
		now = strings.Replace(now, from, to, 1)
	}
	now = strings.Replace(now, "1 · group · - · Empty", "1 · dialog · - · Are you sure?\n2 · - · - · It cannot be undone.\n2 · button · 21 · Yes\n2 · button · 22 · No", 1)
	golden(t, "diff-form", d(compare(form, now)))
}

func d(diff Diff) string {
	return fmt.Sprintf("+%d -%d ~%d >%d whole=%v\n%s", diff.Added, diff.Removed, diff.Changed, diff.Moved, diff.Whole, diff.Text.Body)
}

func TestDiffOfARow(t *testing.T) {
	before := table(100)
	now := strings.Replace(before, "3 · - · - · 57.00", "3 · - · - · 58.50", 1)
	golden(t, "diff-row", d(compare(before, now)))
}

func TestDiffRemovedAndMoved(t *testing.T) {
	item := func(n int) string { return fmt.Sprintf("1 · listitem\n2 · button · %d · Item %d\n", n, n) }
	var before, now strings.Builder
	before.WriteString("0 · list\n")
	now.WriteString("0 · list\n")
	for i := 1; i <= 20; i++ {
		before.WriteString(item(i))
	}
	for _, i := range []int{1, 2, 19, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20} {
		now.WriteString(item(i))
	}
	golden(t, "diff-moved", d(compare(before.String(), now.String())))
}

// Where most of it changed, the whole is shorter.
func TestDiffWhole(t *testing.T) {
	now := strings.ReplaceAll(strings.ReplaceAll(table(20), "Order ", "Invoice "), "Edit", "Show")
	for i := 45; i > 0; i-- {
		now = strings.ReplaceAll(now, fmt.Sprintf(" · %d · ", i), fmt.Sprintf(" · %d · ", i+100))
	}
	if diff := compare(table(20), now); !diff.Whole || !strings.Contains(diff.Text.Body, "Invoice 19") {
		t.Error(d(diff))
	}
}

func TestDiffNewDocument(t *testing.T) {
	before, now := outline(form), outline(form)
	now.Document = "e"
	if diff := Compare(before, now, Options{}); !diff.NewDocument || diff.Text.Body != Render(now, Options{}).Body {
		t.Errorf("%+v", diff)
	}
}

func TestDiffIsBounded(t *testing.T) {
	var now strings.Builder
	now.WriteString(table(3000))
	for i := range 2000 {
		fmt.Fprintf(&now, "0 · button · %d · New %d\n", 10_000+i, i)
	}
	diff := compare(table(3000), now.String())
	if diff.Added != 2000 || len(diff.Text.Body) > DefaultBudget+200 {
		t.Errorf("%d added, %d characters", diff.Added, len(diff.Text.Body))
	}
}
