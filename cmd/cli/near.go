package cli

import (
	"slices"
	"strings"
)

// Near says which of the names somebody may have meant, as the end of a
// sentence; "" where none is near.
func Near(typed string, names []string) string {
	if len(typed) > 64 {
		return ""
	}
	best, least := []string{}, 1+max(1, len(typed)/3)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		d := edits(strings.ToLower(typed), strings.ToLower(name))
		if d < least {
			best, least = nil, d
		}
		if d == least && d <= max(1, len(typed)/3) && len(best) < 3 {
			best = append(best, name)
		}
	}
	if len(best) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(best, " or ") + "?"
}

// edits is the Levenshtein distance in bytes: how many have to be added, taken
// away or changed to make one text of the other.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := before
			if a[i] != b[j] {
				changed++
			}
			before, row[j+1] = row[j+1], min(changed, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
