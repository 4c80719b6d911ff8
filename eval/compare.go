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

// Comparison is what became better or worse between two reports of a suite.
type Comparison struct {
	SchemaVersion int      `json:"schema_version"`
	Suite         string   `json:"suite"`
	Regressions   int      `json:"regressions"`
	Same          int      `json:"same"`    // figures that did not change
	Other         []string `json:"other"`   // why the two are not known to be of the same cases; with one of them nothing is shown
	Notes         []string `json:"notes"`   // what else differs between the two measurements
	Changes       []Change `json:"changes"` // the others, worse ones first
}

// Change is one figure that is not what it was.
type Change struct {
	Name   string `json:"name"`
	Agent  string `json:"agent"`
	Group  string `json:"group"`
	Half   string `json:"half"`
	Before *Rate  `json:"before"` // null where it is new
	After  *Rate  `json:"after"`  // null where it is gone
	Was    string `json:"verdict"`
}

// What a change can be. A figure that is gone, or is of fewer or more rows than
// it was, is a regression whatever its rate: what is no longer measured could
// hide anything, and so could rows that were never seen.
const (
	Worse   = "worse"
	Gone    = "gone"
	Fewer   = "fewer"
	More    = "more"
	Better  = "better"
	New     = "new"
	Changed = "changed" // neither way is better
)

// Failed reports whether the later report fails against the earlier one.
func (c Comparison) Failed() bool { return c.Regressions > 0 || len(c.Other) > 0 }

// Compare holds a report against an earlier one of the same suite and the same
// cases. A figure has changed if its rate moved by more than the tolerance, a
// share between 0 and 1. Planner and policy may be others: they are what is
// compared.
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

// otherCases says why two reports are not known to be of the same cases: as many
// easier rows would look like progress.
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

// differences say what else differs, besides the figures.
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

// place is a figure's name within a report.
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

// ReadReport reads a metrics document: a report without its rows. What else
// the document holds is ignored; figures that cannot be compared are an
// error.
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

// wrong says why a figure that was read cannot be compared.
func (f Figure) wrong(seen map[Change]bool) string {
	place := f.place()
	switch {
	case f.Rate == nil || f.Rate.Of <= 0 || f.Rate.Hits < 0 || f.Rate.Hits > f.Rate.Of:
		return "has no rate"
	case f.Better != Higher && f.Better != Lower && f.Better != Neither:
		return "gets better in no known direction"
	case seen[place]:
		return "is there twice"
	}
	seen[place] = true
	return ""
}
