package output

import "strings"

// Cut shortens text to at most limit runes and says so with an ellipsis.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	count := 0
	for i := range text {
		if count++; count > limit {
			return strings.TrimRight(text[:i], " ") + "…"
		}
	}
	return text
}
