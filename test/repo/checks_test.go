package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// groups are the ids of docs/reliability.md: a letter each, numbered from 01.
var groups = []struct {
	letter string
	count  int
}{{"F", 20}, {"H", 27}, {"N", 30}, {"A", 23}, {"P", 38}}

// without are the rows that need no test here; the document says why.
var without = map[string]string{
	"N-16": "Not applicable",
}

var (
	checkRow  = regexp.MustCompile(`(?m)^\| ([FHNAP]-\d\d) \| (.+?) \| (.*) \|$`)
	namedTest = regexp.MustCompile("`([a-z0-9/]+)` ((?:Test|Fuzz)\\w+)")
)

// Each fault that the product must survive is a row of docs/reliability.md and names its tests;
// each test named there exists, and names the id.
func TestEveryCheckHasItsTest(t *testing.T) {
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile(filepath.Join(dir, "docs/reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for _, m := range checkRow.FindAllStringSubmatch(string(document), -1) {
		if _, twice := rows[m[1]]; twice {
			t.Errorf("%s stands there twice", m[1])
		}
		rows[m[1]] = m[3]
	}
	total := 0
	for _, g := range groups {
		for n := 1; n <= g.count; n++ {
			total++
			id := fmt.Sprintf("%s-%02d", g.letter, n)
			tests, ok := rows[id]
			switch why, none := without[id]; {
			case !ok:
				t.Errorf("%s is not in docs/reliability.md", id)
			case none:
				if !strings.HasPrefix(tests, why) || len(tests) < len(why)+40 {
					t.Errorf("%s does not say why there is no test: %q", id, tests)
				}
			default:
				checkTests(t, id, tests)
			}
		}
	}
	if len(rows) != total {
		t.Errorf("docs/reliability.md has %d rows, there are %d ids", len(rows), total)
	}
}

// checkTests looks for the tests of a row and for the row's id in their files.
func checkTests(t *testing.T, id, tests string) {
	t.Helper()
	named := namedTest.FindAllStringSubmatch(tests, -1)
	if len(named) == 0 {
		t.Errorf("%s names no test: %q", id, tests)
	}
	// N-07, N07, or a range such as TestN01ToN12.
	mention := regexp.MustCompile(regexp.QuoteMeta(id) + `|` + strings.ReplaceAll(id, "-", "") + `|\b` + id[:1] + `\d\d(?:To| to |–)` + id[:1] + `\d\d`)
	for _, n := range named {
		file := fileOf(t, n[1], n[2])
		if file == "" {
			t.Errorf("%s: there is no %s in %s", id, n[2], n[1])
		} else if !mention.MatchString(file) && !strings.Contains(n[2], "To"+id[:1]) {
			t.Errorf("%s: the file of %s in %s does not name it", id, n[2], n[1])
		}
	}
}

// fileOf is the text of the file in which a folder has a test.
func fileOf(t *testing.T, folder, test string) string {
	t.Helper()
	dir, err := root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+test+"(") {
			return string(text)
		}
	}
	return ""
}
