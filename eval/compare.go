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
	Notes         []string `json:"notes"`   // in what the two measurements themselves differ
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

// What a change can be. A figure that is gone, or is of fewer rows than it
// was, is a regression whatever its rate: what nobody measures any more could
// hide anything.
const (
	Worse   = "worse"
	Gone    = "gone"
	Fewer   = "fewer"
	Better  = "better"
	New     = "new"
	Changed = "changed" // neither way is better
)

// Compare holds a report against an earlier one of the same suite. A figure
// has changed if its rate moved by more than the tolerance, a share between 0
// and 1. Rows are counted and not recognised: that as many others stand in
// their place is for the notes to say.
func Compare(before, after Report, tolerance float64) (Comparison, error) {
	c := Comparison{SchemaVersion: SchemaVersion, Suite: after.Suite, Notes: differences(before, after), Changes: []Change{}}
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
		ch := old.change(now, tolerance)
		if ch.Was == Fewer && before.Seed != after.Seed {
			ch.Was = Changed // what is generated falls into other groups by chance
		}
		c.add(ch)
	}
	for place, f := range left {
		place.After, place.Was = f.Rate, New
		c.add(place)
	}
	slices.SortStableFunc(c.Changes, byWeight)
	return c, nil
}

// differences say what else changed beside the figures. A result that keeps no
// digest differs from nothing.
func differences(before, after Report) []string {
	notes := []string{}
	if before.Digest != "" && after.Digest != "" && before.Digest != after.Digest {
		notes = append(notes, "The two are not of the same cases, policy and planner.")
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
	case Worse, Gone, Fewer:
		c.Regressions++
	}
	c.Changes = append(c.Changes, ch)
}

func byWeight(a, b Change) int {
	order := []string{Worse, Gone, Fewer, Better, Changed, New}
	return cmp.Or(
		cmp.Compare(slices.Index(order, a.Was), slices.Index(order, b.Was)),
		strings.Compare(a.Agent, b.Agent), strings.Compare(a.Group, b.Group), strings.Compare(a.Half, b.Half), strings.Compare(a.Name, b.Name),
	)
}

// reportLimits bound a metrics document.
var reportLimits = schema.Limits{Bytes: 64 << 20, Depth: 64, Values: 4 << 20, Exponent: 308, Digits: 64}

// ReadReport reads a metrics document: a report without its rows. What else
// the document holds is passed over; figures that cannot be compared are an
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
		*f.Rate = *NewRate(f.Rate.Hits, f.Rate.Of) // what is compared is what was counted
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
