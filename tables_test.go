package onestep_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/mutate"
)

var updateTables = flag.Bool("tables", false, "write the tables of docs/ that are made from eval/baseline")

// region is a part of a page between two comments. The first names a layout of
// layouts, the baseline and what is shown of it:
//
//	<!-- made by `go test . -run TestTables -tables`: groups offline passed allowed_wrongly -->
//	…
//	<!-- end -->
var region = regexp.MustCompile("(?s)(<!-- made by `go test \\. -run TestTables -tables`: ([^\n]*) -->\n).*?(<!-- end -->\n)")

// layouts make a table from a baseline's figures, in the words of an evaluation's
// own report, and from the names of measures.
var layouts = map[string]func(figures []eval.Figure, measures []string) [][]string{
	"groups": func(figures []eval.Figure, measures []string) [][]string {
		return grid(figures, measures, func(f eval.Figure) (row, column string) { return f.Group, f.Title })
	},
	"all": func(figures []eval.Figure, measures []string) [][]string {
		figures = slices.DeleteFunc(figures, func(f eval.Figure) bool { return f.Group != "" || f.Half != "" })
		return grid(figures, measures, func(f eval.Figure) (row, column string) { return f.Title, cmp.Or(f.Agent, "texts") })
	},
	"agents": func(figures []eval.Figure, measures []string) [][]string {
		figures = slices.DeleteFunc(figures, func(f eval.Figure) bool { return f.Group != "" })
		return grid(figures, measures, func(f eval.Figure) (row, column string) { return f.Title, f.Agent })
	},
	"halves": func(figures []eval.Figure, measures []string) [][]string {
		figures = slices.DeleteFunc(figures, func(f eval.Figure) bool { return f.Group != "" || f.Half == "" })
		return grid(figures, measures, func(f eval.Figure) (row, column string) { return f.Title, f.Half })
	},
}

// A figure on a page is the one that was measured.
func TestTablesAreMadeFromTheBaselines(t *testing.T) {
	t.Parallel()
	pages := docPages(t)
	made := 0
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		now := region.ReplaceAllStringFunc(string(b), func(old string) string {
			made++
			part := region.FindStringSubmatch(old)
			if part[2] == "sizes" {
				return part[1] + sizesOf(t, strings.TrimSuffix(strings.TrimPrefix(old, part[1]), part[3])) + part[3]
			}
			return part[1] + madeOf(t, part[2]) + part[3]
		})
		if now == string(b) {
			continue
		}
		if !*updateTables {
			t.Errorf("%s has a table that is not what eval/baseline holds: go test . -run TestTables -tables", page)
		} else if err := os.WriteFile(page, []byte(now), 0o600); err != nil {
			t.Error(err)
		}
	}
	if made < 5 {
		t.Errorf("%d tables are made from the baselines", made)
	}
}

// madeOf makes the content of a region.
func madeOf(t *testing.T, order string) string {
	t.Helper()
	words := strings.Fields(order)
	if order == "mutants" {
		return mutantsOf(t)
	}
	layout := layouts[words[0]]
	if layout == nil || len(words) < 3 {
		t.Fatalf("no layout and measures in %q", order)
	}
	report, err := eval.ReadReport("eval/baseline/" + words[1] + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, row := range layout(report.Figures, words[2:]) {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

func mutantsOf(t *testing.T) string {
	t.Helper()
	all, err := mutate.All()
	if err != nil {
		t.Fatal(err)
	}
	gates := map[string]bool{}
	for _, m := range all {
		gates[m.Gate] = true
	}
	return fmt.Sprintf("%d mutants of %d gates.\n", len(all), len(gates))
}

// grid puts the figures of the measures into rows and columns, which come in the
// order of the measures and of the figures. What is not of any row is a dash.
func grid(figures []eval.Figure, measures []string, place func(eval.Figure) (row, column string)) [][]string {
	var rows, columns []string
	cells := map[[2]string]string{}
	for _, measure := range measures {
		for _, f := range figures {
			row, column := place(f)
			if f.Name != measure || f.Half != "" && column != f.Half {
				continue
			}
			if row == "" {
				row = "all"
			}
			if !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
			if !slices.Contains(columns, column) {
				columns = append(columns, column)
			}
			cell := f.Rate.Counted()
			if f.Sum > f.Rate.Hits {
				cell = fmt.Sprintf("%s (%d in all)", cell, f.Sum)
			}
			cells[[2]string{row, column}] = cell
		}
	}
	table := [][]string{append([]string{""}, columns...)}
	for _, row := range rows {
		line := []string{row}
		for _, column := range columns {
			cell, ok := cells[[2]string{row, column}]
			if !ok {
				cell = "-"
			}
			line = append(line, cell)
		}
		table = append(table, line)
	}
	return table
}
