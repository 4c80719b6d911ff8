package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/escape"
)

// maxCell bounds one cell of a table, in bytes.
const maxCell = 80

// Text prints the figures as a table in plain text.
func Text(w io.Writer, r eval.Report) error {
	g := Lay(r)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range append([][]string{g.Heads}, g.Lines...) {
		for i, c := range line {
			line[i] = escape.Line(c, maxCell)
		}
		fmt.Fprintln(t, strings.Join(line, "\t"))
	}
	return t.Flush()
}

func count(n int) string { return strconv.Itoa(n) }

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
