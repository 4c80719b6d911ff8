package show

import (
	"math"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/escape"
)

const (
	gap       = 2       // columns of space between two of a table
	minColumn = 10      // columns that a wider one keeps
	maxCell   = 2 << 10 // bytes of a cell of [Table]
)

// Table aligns rows in lines as long as they are. Each cell is escaped, in a
// line; rows may have fewer cells than others.
func Table(rows [][]string) string {
	for _, row := range rows {
		for i := range row {
			row[i] = escape.Line(row[i], maxCell)
		}
	}
	if even(rows) == 0 {
		return ""
	}
	return strings.Join(table(rows, math.MaxInt), "\n") + "\n"
}

// even gives each row as many cells as the longest has, and says how many.
func even(rows [][]string) (most int) {
	for _, row := range rows {
		most = max(most, len(row))
	}
	for i, row := range rows {
		rows[i] = append(row, make([]string, most-len(row))...)
	}
	return most
}

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
