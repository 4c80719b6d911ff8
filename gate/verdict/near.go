package verdict

import (
	"slices"
	"strings"
)

// Near says which of the names was probably meant, as the end of a sentence;
// "" where none is near. A name is near where few edits make it of what was
// typed, or else where it has all the words that were typed.
func Near(typed string, names []string) string {
	if len(typed) > 64 {
		return ""
	}
	const mostEdits = 3 // names that share their end, as delete_entry and fetch_entry do, are not near
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	best, limit := []string{}, max(1, min(mostEdits, len(typed)/3))
	for _, name := range names {
		d := edits(strings.ToLower(typed), strings.ToLower(name))
		if d < limit {
			best, limit = nil, d
		}
		if d == limit {
			best = append(best, name)
		}
	}
	if len(best) == 0 {
		best = slices.DeleteFunc(names, func(name string) bool { return !hasWords(name, typed) })
	}
	if len(best) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(best[:min(len(best), 3)], " or ") + "?"
}

// hasWords reports whether a name has all the words of what was typed.
func hasWords(name, typed string) bool {
	in, all := words(name), words(typed)
	return len(all) > 0 && !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(in, w) })
}

func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("_-./ ", r) })
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
