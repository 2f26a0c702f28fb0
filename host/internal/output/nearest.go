package output

import "strings"

// Nearest gives the candidate that a mistyped word most likely meant, empty where none is near.
func Nearest(word string, candidates []string) string {
	word = strings.ToLower(word)
	best, bestDistance := "", max(1, len(word)/3)+1
	for _, candidate := range candidates {
		lower := strings.ToLower(candidate)
		distance := editDistance(word, lower)
		if len(word) >= 3 && strings.HasPrefix(lower, word) {
			distance = 1
		}
		if distance < bestDistance {
			best, bestDistance = candidate, distance
		}
	}
	return best
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours.
func editDistance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
