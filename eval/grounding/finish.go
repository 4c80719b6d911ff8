package grounding

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/onestep-run/onestep/eval"
)

// finish puts the groups in order and adds the reasons and the curves.
func finish(r *eval.Report) error {
	order := kinds()
	byKind := slices.Clone(r.Rows)
	slices.SortStableFunc(byKind, func(a, b eval.Row) int { return slices.Index(order, a.Group) - slices.Index(order, b.Group) })
	r.Figures = eval.Tally(byKind, measures)
	r.Reasons = reasons(r.Rows)
	r.Curve = append(curve("word overlap, claims of the cases", r.Rows, trueAccept, falseAccept),
		curve("word overlap, edits", r.Rows, harmlessAccepted, harmfulAccepted)...)
	texts, left := 0, 0
	for _, row := range r.Rows {
		left += row.Facts[editsLeftOut]
		texts += eval.Fact(has(row, editsLeftOut))
	}
	if left > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Of %d long texts the first %d edits were measured, and %d were not.", texts, maxEdits, left))
	}
	return nil
}

// kinds are the groups of edits, in the order of the rules. Sources come
// before them.
func kinds() []string {
	var list []string
	for _, r := range rules() {
		list = append(list, group(r.kind, r.harmful))
	}
	return append(list, group(names, true))
}

// reasons say why the lock was wrong: what it said of a good claim that it
// refused, and how a bad one passed.
func reasons(rows []eval.Row) []eval.Reason {
	var wrong []eval.Row
	for _, row := range rows {
		if row.Passed {
			continue
		}
		switch {
		case has(row, trueAccept):
			row.Group = "supported refused"
		case has(row, falseAccept):
			row.Group = "unsupported accepted"
		case has(row, harmlessAccepted):
			row.Group = "harmless refused"
		default:
			row.Group, row.Detail = "harmful accepted", row.Detail+", "+row.Group
		}
		wrong = append(wrong, row)
	}
	return eval.Tallied(wrong, func(row eval.Row) string { return row.Observed + ": " + complaint(row.Detail) })
}

func has(row eval.Row, fact string) bool {
	_, is := row.Facts[fact]
	return is
}

// particulars are what the lock quotes and counts in a complaint.
var particulars = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\([^)]*\)|\d+`)

// complaint is a complaint without its particulars, so that like ones can be
// counted. Nothing is decided by it.
func complaint(detail string) string {
	return particulars.ReplaceAllString(strings.TrimPrefix(detail, "bullets[0]: "), "…")
}

// step is how far the points of a curve lie apart, in per cent.
const step = 5

// curve is what a reader has without a lock: accept a claim if a share of its
// words stands in the evidence, whatever the words are. The rows of one level
// are as good as another's for it.
func curve(name string, rows []eval.Row, right, wrong string) []eval.Point {
	let := func(fact string, percent int) *eval.Rate {
		hits, of := 0, 0
		for _, row := range rows {
			if has(row, fact) && row.Agent == levels[0].String() {
				of++
				hits += eval.Fact(row.Facts[overlapPercent] >= percent)
			}
		}
		return eval.NewRate(hits, of)
	}
	var points []eval.Point
	for percent := 0; percent <= 100; percent += step {
		p := eval.Point{Name: name, Threshold: float64(percent) / 100, Right: let(right, percent), Wrong: let(wrong, percent)}
		if p.Right != nil || p.Wrong != nil {
			points = append(points, p)
		}
	}
	return points
}

// overlap is the share of the claim's words that stand anywhere in the
// evidence, in whole per cent, rounded down. A claim of no word has none.
func overlap(claim, evidence string) int {
	there := map[string]bool{}
	for _, w := range wordsOf(evidence) {
		there[w] = true
	}
	said := wordsOf(claim)
	hits := 0
	for _, w := range said {
		hits += eval.Fact(there[w])
	}
	return 100 * hits / max(1, len(said))
}

// wordsOf are the runs of letters and digits of a text, in lower case.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
