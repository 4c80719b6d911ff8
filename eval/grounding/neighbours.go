package grounding

import (
	"fmt"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/summarize"
)

// neighbours renders a claim of a case of neighbours, and looks in the whole summary
// for the text that withdraws it.
func (c Case) neighbours(result gate.Typed) (eval.Row, error) {
	s, err := summarize.Lock(result, summarize.Rendered, eval.Data(map[string]any{"type": "summary", "bullets": c.bullets(result)}))
	row := eval.Row{ID: c.ID, Group: c.Kind, Query: c.Select, Expected: visible, Observed: visible}
	if err != nil {
		row.Observed, row.Detail = dropped, err.Error()
	}
	var seen strings.Builder
	for _, p := range append(summarize.Passages(s.Bullets(), map[string]bool{}), summarize.Passage{Lines: s.Whole()}) {
		for _, l := range p.Lines {
			seen.WriteString(l.Text + "\n")
		}
	}
	row.Data = eval.Data(map[string]string{"seen": seen.String()})
	for _, need := range c.Needs {
		if row.Observed == visible && !strings.Contains(inked(seen.String()), inked(need)) {
			row.Observed, row.Detail = hidden, fmt.Sprintf("%q is not shown", need)
		}
	}
	if row.Passed = row.Observed == visible; len(c.Needs) == 0 {
		row.Facts = map[string]int{honestLost: eval.Fact(!row.Passed)}
	} else {
		row.Facts = map[string]int{misleading: eval.Fact(row.Observed == hidden), unshown: eval.Fact(row.Observed == dropped)}
	}
	return row, nil
}

// bullets selects the claim, or the values at and below its pointer.
func (c Case) bullets(result gate.Typed) (all []map[string]string) {
	for _, l := range result.Leaves() {
		if at := l.Pointer(); c.JSON != nil && (at == c.Select || strings.HasPrefix(at, c.Select+"/")) {
			all = append(all, map[string]string{"evidence": l.Text, "pointer": at})
		}
	}
	if len(all) == 0 {
		all = append(all, map[string]string{"evidence": c.Select})
	}
	return all
}

// inked returns a text without characters that JSON and a page write differently:
// white space, quotation marks and escapes.
func inked(s string) string {
	s = strings.NewReplacer(`\n`, "", `\t`, "", `\r`, "", `"`, "", `\`, "").Replace(s)
	return strings.Join(strings.Fields(s), "")
}
