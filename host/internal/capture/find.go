package capture

import (
	"regexp"
	"slices"
	"strings"
)

// Query is what is looked for.
type Query struct {
	Text  string         // in names, texts and values, in any case
	Regex *regexp.Regexp // instead of Text
	Role  string
	Name  string // in names alone
}

func (q *Query) says(text string) bool {
	if q.Regex != nil {
		return q.Regex.MatchString(text)
	}
	return q.Text == "" || strings.Contains(strings.ToLower(text), strings.ToLower(q.Text))
}

func (q *Query) matches(it *item) bool {
	if q.Role != "" && it.Role != q.Role || q.Role == "" && (cells[it.Role] || speaks[it.Role]) && it.Ref == "" {
		return false // what is in a cell matches itself
	}
	if q.Name != "" && !strings.Contains(strings.ToLower(nameOf(it)), strings.ToLower(q.Name)) {
		return false
	}
	if q.Regex == nil && q.Text == "" {
		return q.Role != "" || q.Name != ""
	}
	if q.says(nameOf(it)) {
		return true
	}
	return !it.IsText() && (it.Value != "" && q.says(it.Value) || it.Href != "" && q.says(it.Href))
}

// nameOf is the name, or what the words inside say for what is called by them.
func nameOf(it *item) string {
	if it.Name != "" || len(it.kids) == 0 || it.Role != "heading" && !cells[it.Role] && !speaks[it.Role] {
		return it.Name
	}
	if leaves, ok := flat(it.kids, nil); ok {
		words := make([]string, len(leaves))
		for i, leaf := range leaves {
			words[i] = leaf.Name
		}
		return strings.Join(words, " ")
	}
	return ""
}

// speaks are roles whose words are what they are for.
var speaks = set("alert status log")

// maxRow is the most nodes of a row that is shown whole for the sake of one in it.
const maxRow = 40

// matching leaves the branches with a match, rows whole.
func matching(kids []*item, q *Query) []*item {
	var kept []*item
	for _, it := range kids {
		if q.matches(it) {
			kept = append(kept, it)
			continue
		}
		inner := matching(it.kids, q)
		if len(inner) == 0 {
			continue
		}
		if rows[it.Role] && count(it.kids) <= maxRow {
			kept = append(kept, it)
			continue
		}
		same := *it
		same.kids = inner
		kept = append(kept, &same)
	}
	if len(kept) > 0 && isHeader(kids[0]) && kept[0] != kids[0] {
		kept = slices.Insert(kept, 0, kids[0]) // what the columns are
	}
	return kept
}

// isHeader reports whether the row names the columns.
func isHeader(it *item) bool {
	return it.Role == "row" && len(it.kids) > 0 && it.kids[0].Role == "columnheader"
}

// Match is one thing found.
type Match struct {
	Ref    string `json:"ref,omitempty"`
	Role   string `json:"role,omitempty" doc:"Left out for text."`
	Name   string `json:"name,omitempty" doc:"Accessible name, or the text."`
	States string `json:"states,omitempty"`
	Value  string `json:"value,omitempty"`
	Href   string `json:"href,omitempty"`
	In     string `json:"in,omitempty" doc:"The row it is in, or else the nearest landmark, dialog or heading."`

	line string
	row  *item
}

// Lines are matches as a snapshot writes them, those of one row once.
func Lines(matches []Match) []string {
	var lines []string
	var row *item
	for i := range matches {
		m := &matches[i]
		if row != nil && m.row == row && m.Ref != "" && strings.Contains(lines[len(lines)-1], m.Ref) {
			continue // told with the row
		}
		row = m.row
		if m.In == "" {
			lines = append(lines, m.line)
		} else {
			lines = append(lines, m.line+"  in "+m.In)
		}
	}
	return lines
}

// Found is the answer to a search.
type Found struct {
	Matches []Match
	Total   int
	Near    []Match // what resembles it, where nothing matches
}

// Find searches the outline. What holds a match in its name is not told again for the words inside.
func Find(o *Outline, q *Query, limit int) Found {
	kids := build(o.Nodes())
	f := &finder{query: q, limit: limit, render: newRenderer(o, Options{})}
	f.walk(kids, nil, "", "")
	if f.found.Total == 0 {
		f.found.Near = f.nearest(kids)
	}
	return f.found
}

type finder struct {
	query  *Query
	limit  int
	render *renderer
	found  Found
}

// walk looks at items; row is the innermost row around them, place the nearest landmark, heading the last one before.
func (f *finder) walk(kids []*item, row *item, place, heading string) {
	for _, it := range kids {
		if it.Role == "heading" {
			heading = nameOf(it)
		}
		if f.query.matches(it) {
			f.found.Total++
			if len(f.found.Matches) < f.limit {
				f.found.Matches = append(f.found.Matches, f.match(it, row, place, heading))
			}
			if it.Ref == "" && it.Role == "heading" {
				continue
			}
		}
		innerRow, innerPlace := row, place
		if rows[it.Role] && count(it.kids) <= maxRow {
			innerRow = it
		}
		if it.Role == "iframe" || landmarks[it.Role] {
			innerPlace = it.Role
			if it.Name != "" {
				innerPlace += ` "` + it.Name + `"`
			}
			heading = ""
		}
		f.walk(it.kids, innerRow, innerPlace, heading)
	}
}

func (f *finder) match(it, row *item, place, heading string) Match {
	m := Match{Ref: it.Ref, Role: it.Role, Name: nameOf(it), States: it.States, Value: it.Value, Href: relative(it.Href, f.render.origin)}
	if it.Role == "heading" || cells[it.Role] || speaks[it.Role] {
		m.line = it.Role + ` "` + f.render.cut(m.Name, maxName) + `"`
		if it.Ref != "" {
			m.line += " " + it.Ref
		}
	} else {
		m.line = f.render.leaf(&item{Node: it.Node})
	}
	if it.IsText() {
		m.line = around(it.Name, f.query, maxText)
		if it.Ref != "" {
			m.line += " " + it.Ref
		}
	}
	if m.In = f.rowWords(row, it); m.In != "" {
		m.row = row
	} else {
		m.In = place
		if heading != "" && heading != m.Name {
			if m.In != "" {
				m.In += " > "
			}
			m.In += `"` + f.render.cut(heading, 60) + `"`
		}
	}
	return m
}

// rowWords is what a row says beside the match.
func (f *finder) rowWords(row, match *item) string {
	if row == nil {
		return ""
	}
	var words []string
	length := 0
	var collect func(kids []*item)
	collect = func(kids []*item) {
		for _, it := range kids {
			if it == match || length > maxText {
				continue
			}
			if it.Name != "" && it.Name != match.Name && (it.IsText() || it.Ref != "") {
				word := f.render.cut(it.Name, 60)
				if it.Ref != "" {
					word = it.Role + ` "` + word + `" ` + it.Ref
				}
				words = append(words, word)
				length += len(word)
			}
			collect(it.kids)
		}
	}
	collect(row.kids)
	return strings.Join(words, " | ")
}

// around cuts a text to what is around the match.
func around(text string, q *Query, limit int) string {
	if len(text) <= limit {
		return text
	}
	at := -1
	if q.Regex != nil {
		if span := q.Regex.FindStringIndex(text); span != nil {
			at = span[0]
		}
	} else if q.Text != "" {
		at = strings.Index(strings.ToLower(text), strings.ToLower(q.Text))
	}
	r := &renderer{}
	if at < limit/2 {
		return r.cut(text, limit)
	}
	start := min(at-limit/3, len(text))
	if space := strings.IndexByte(text[start:], ' '); space >= 0 && space < limit/3 {
		start += space + 1
	}
	return "…" + r.cut(strings.ToValidUTF8(text[start:], ""), limit)
}

const (
	maxNear     = 5
	minLikeness = 0.3
)

// nearest are the controls and texts whose words are most like what was looked for.
func (f *finder) nearest(kids []*item) []Match {
	wanted := f.query.Text
	if wanted == "" {
		wanted = f.query.Name
	}
	type scored struct {
		match Match
		score float64
	}
	var best []scored
	var look func(kids []*item, row *item, place string)
	look = func(kids []*item, row *item, place string) {
		for _, it := range kids {
			score := 0.0
			if it.Name != "" && wanted != "" {
				score = likeness(wanted, it.Name)
			}
			if f.query.Role != "" && it.Role == f.query.Role && (score > 0 || wanted == "") {
				score += 0.2
			}
			if score >= minLikeness && (len(best) < maxNear || score > best[len(best)-1].score) {
				at := len(best)
				for at > 0 && best[at-1].score < score {
					at--
				}
				best = append(best, scored{})
				copy(best[at+1:], best[at:])
				best[at] = scored{f.match(it, row, place, ""), score}
				best = best[:min(len(best), maxNear)]
			}
			innerRow, innerPlace := row, place
			if rows[it.Role] {
				innerRow = it
			}
			if landmarks[it.Role] {
				innerPlace = it.Role
			}
			look(it.kids, innerRow, innerPlace)
		}
	}
	look(kids, nil, "")
	near := make([]Match, len(best))
	for i, b := range best {
		near[i] = b.match
	}
	return near
}

// likeness is the share of letter pairs that two texts have in common (Dice), 0 to 1.
func likeness(a, b string) float64 {
	left, right := pairs(a), pairs(b)
	if len(left) == 0 || len(right) == 0 {
		return 0
	}
	common := 0
	for pair := range left {
		if right[pair] {
			common++
		}
	}
	return 2 * float64(common) / float64(len(left)+len(right))
}

func pairs(text string) map[string]bool {
	if len(text) > 200 {
		text = text[:200]
	}
	found := make(map[string]bool)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		letters := []rune(" " + word + " ")
		for i := range len(letters) - 1 {
			found[string(letters[i:i+2])] = true
		}
	}
	return found
}
