package show

import (
	"slices"
	"strings"
)

const (
	gap       = 2  // columns of space between two of a table
	minColumn = 10 // columns that a wider one keeps
)

// table aligns rows, the first of which are the heads, and cuts the widest
// columns until all fit. Where that would leave too little of them it is nil.
func table(rows [][]string, width int) []string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	if !squeeze(widths, width-gap*(len(widths)-1)) {
		return nil
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			b.WriteString(pad(cut(cell, widths[j]), widths[j]+gap))
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

// squeeze makes the widest columns equally narrow, so that all fit into room.
// It reports whether each keeps enough.
func squeeze(widths []int, room int) bool {
	for most := slices.Max(widths); ; most-- {
		sum := 0
		for _, w := range widths {
			sum += min(w, most)
		}
		if sum <= room {
			for i, w := range widths {
				widths[i] = min(w, most)
			}
			return true
		}
		if most <= minColumn {
			return false
		}
	}
}
