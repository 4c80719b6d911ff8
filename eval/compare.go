package eval

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Comparison is the changes between two reports of a suite.
type Comparison struct {
	SchemaVersion int      `json:"schema_version"`
	Suite         string   `json:"suite"`
	Regressions   int      `json:"regressions"`
	Same          int      `json:"same"`    // figures that did not change
	Other         []string `json:"other"`   // why the two may not be of the same cases; then no figures are compared
	Notes         []string `json:"notes"`   // other differences between the two measurements
	Changes       []Change `json:"changes"` // the changed figures, worse ones first
}

// Change is one changed figure.
type Change struct {
	Name   string `json:"name"`
	Agent  string `json:"agent"`
	Group  string `json:"group"`
	Half   string `json:"half"`
	Before *Rate  `json:"before"` // null if the figure is new
	After  *Rate  `json:"after"`  // null if the figure is gone
	Was    string `json:"verdict"`
}

// The kinds of change. A figure is a regression if it is gone, or if its number of
// rows changed, whatever its rate: the missing rows could hide anything, and so could
// rows that were never seen.
const (
	Worse   = "worse"
	Gone    = "gone"
	Fewer   = "fewer"
	More    = "more"
	Better  = "better"
	New     = "new"
	Changed = "changed" // neither direction is better
)

// Failed reports whether the later report fails against the earlier one.
func (c Comparison) Failed() bool { return c.Regressions > 0 || len(c.Other) > 0 }

// Compare compares a report with an earlier one of the same suite and the same cases.
// A figure has changed if its rate moved by more than the tolerance, a share between 0
// and 1. Planner and policy may differ, because they are the subject of the
// comparison.
func Compare(before, after Report, tolerance float64) (Comparison, error) {
	c := Comparison{SchemaVersion: SchemaVersion, Suite: after.Suite, Other: otherCases(before, after), Notes: differences(before, after), Changes: []Change{}}
	switch {
	case before.Suite != after.Suite:
		return c, verdict.Fail(verdict.UsageArgument, nil, "one is of the suite %.60q, the other of %.60q", before.Suite, after.Suite)
	case !before.Complete || !after.Complete:
		return c, verdict.Fail(verdict.UsageArgument, nil, "one of the two holds a measurement that was not finished")
	}
	left := map[Change]Figure{}
	for _, f := range after.Figures {
		left[f.place()] = f
	}
	for _, old := range before.Figures {
		now := left[old.place()]
		delete(left, old.place())
		c.add(old.change(now, tolerance))
	}
	for place, f := range left {
		place.After, place.Was = f.Rate, New
		c.add(place)
	}
	slices.SortStableFunc(c.Changes, byWeight)
	return c, nil
}

// otherCases returns why two reports may not be of the same cases: as many easier rows
// would look like progress.
func otherCases(before, after Report) []string {
	other := []string{}
	switch {
	case before.Digest == "":
		other = append(other, "The first keeps no digest of its cases: measure it again.")
	case after.Digest == "":
		other = append(other, "The second keeps no digest of its cases: measure it again.")
	case before.Digest != after.Digest:
		other = append(other, "The two are not of the same cases: measure the first again, over those of the second.")
	}
	if before.Cases != after.Cases {
		other = append(other, fmt.Sprintf("The first is of %d cases, the second of %d.", before.Cases, after.Cases))
	}
	return other
}

// differences returns the differences besides the figures.
func differences(before, after Report) []string {
	notes := []string{}
	if before.Policy != after.Policy {
		notes = append(notes, "The two are not of the same policy or planner.")
	}
	for _, d := range []struct{ what, before, after string }{
		{"what was measured", before.Subject, after.Subject}, {"the seed", before.Seed, after.Seed},
	} {
		if d.before != d.after {
			notes = append(notes, fmt.Sprintf("Before, %s was %.100q, and now it is %.100q.", d.what, d.before, d.after))
		}
	}
	return notes
}

// place returns a figure's name within a report.
func (f Figure) place() Change {
	return Change{Name: f.Name, Agent: f.Agent, Group: f.Group, Half: f.Half}
}

func (f Figure) change(now Figure, tolerance float64) Change {
	c := f.place()
	c.Before, c.After = f.Rate, now.Rate
	if now.Rate == nil {
		c.Was = Gone
		return c
	}
	switch up := now.Rate.Rate - f.Rate.Rate; {
	case f.Better == Higher && -up > tolerance, f.Better == Lower && up > tolerance:
		c.Was = Worse
	case now.Rate.Of < f.Rate.Of:
		c.Was = Fewer
	case now.Rate.Of > f.Rate.Of:
		c.Was = More
	case up <= tolerance && -up <= tolerance:
	case f.Better == Neither:
		c.Was = Changed
	default:
		c.Was = Better
	}
	return c
}

func (c *Comparison) add(ch Change) {
	switch ch.Was {
	case "":
		c.Same++
		return
	case Worse, Gone, Fewer, More:
		c.Regressions++
	}
	c.Changes = append(c.Changes, ch)
}

func byWeight(a, b Change) int {
	order := []string{Worse, Gone, Fewer, More, Better, Changed, New}
	return cmp.Or(
		cmp.Compare(slices.Index(order, a.Was), slices.Index(order, b.Was)),
		strings.Compare(a.Agent, b.Agent), strings.Compare(a.Group, b.Group), strings.Compare(a.Half, b.Half), strings.Compare(a.Name, b.Name),
	)
}

// reportLimits bound a metrics document.
var reportLimits = schema.Limits{Bytes: 64 << 20, Depth: 64, Values: 4 << 20, Exponent: 308, Digits: 64}

// ReadReport reads a metrics document, which is a report without its rows. It ignores
// other members; figures that cannot be compared are an error.
func ReadReport(path string) (Report, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return Report{}, verdict.Fail(verdict.UsageArgument, err, "the results cannot be read: %v", err)
	}
	var r Report
	if err := schema.DecodeOpen(b, &r, reportLimits); err != nil {
		return Report{}, verdict.Fail(verdict.UsageArgument, err, "%s holds no results: %v", path, err)
	}
	if r.SchemaVersion != SchemaVersion || r.Suite == "" || len(r.Figures) == 0 {
		return Report{}, verdict.Fail(verdict.UsageArgument, nil, "%s holds no results of version %d", path, SchemaVersion)
	}
	seen := map[Change]bool{}
	for _, f := range r.Figures {
		if wrong := f.wrong(seen); wrong != "" {
			return Report{}, verdict.Fail(verdict.UsageArgument, nil, "%s: the figure %.60q %s", path, f.Name, wrong)
		}
		f.Rate.recount()
	}
	return r, nil
}

// wrong returns why a figure cannot be compared.
func (f Figure) wrong(seen map[Change]bool) string {
	place := f.place()
	switch {
	case f.Rate == nil, f.Rate.Of <= 0, f.Rate.Hits < 0, f.Rate.Hits > f.Rate.Of:
		return "has no rate"
	case f.Better != Higher && f.Better != Lower && f.Better != Neither:
		return "gets better in no known direction"
	case seen[place]:
		return "is there twice"
	}
	seen[place] = true
	return ""
}
