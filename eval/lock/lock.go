// Package lock measures the intent lock. It counts how many right calls have no mark,
// and how many wrong calls have a mark for their fault.
//
// It vouches that each call goes through the gates, and that a mark which the right
// call of the same question also has counts for no fault. It does not vouch that a
// user reads a mark.
//
// `ask eval lock` calls it.
package lock

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
)

// The facts of a row.
const (
	rightUnmarked = "right_unmarked"
	faultMarked   = "fault_marked" // by a mark that the right call lacks, at a value that differs from its own
	swapMarked    = "swap_marked"  // likewise, of swaps
	wrongMarked   = "wrong_marked" // by any mark
	unaskedFound  = "unasked_found"
	askedMarked   = "asked_marked"
)

var measures = []eval.Measure{
	{Name: rightUnmarked, Title: "right calls unmarked", Better: eval.Higher},
	{Name: faultMarked, Title: "wrong calls marked for their fault", Better: eval.Higher},
	{Name: swapMarked, Title: "swaps marked", Better: eval.Higher},
	{Name: wrongMarked, Title: "wrong calls marked at all", Better: eval.Neither},
	{Name: unaskedFound, Title: "not plainly asked, found", Better: eval.Higher},
	{Name: askedMarked, Title: "plainly asked, marked so", Better: eval.Lower},
}

// Suite puts the calls of every case through the gates.
func Suite(cases []Case) eval.Suite {
	s := eval.Suite{Name: "lock", Subject: "intent lock", Digest: eval.Digest(cases), Measures: measures}
	for _, c := range cases {
		s.IDs = append(s.IDs, c.ID)
	}
	s.Observe = func(_ context.Context, i int) ([]eval.Row, error) {
		row, err := cases[i].row()
		return []eval.Row{row}, err
	}
	return s
}

func (c Case) row() (eval.Row, error) {
	row := eval.Row{ID: c.ID, Group: c.Kind, Query: c.Question, Facts: map[string]int{}}
	if c.Plan != nil {
		r, err := c.report(c.Plan)
		marked := r.NotAsked != nil
		row.Expected, row.Observed, row.Passed = asked(c.Asked), asked(!marked), marked != c.Asked
		if c.Asked {
			row.Facts[askedMarked] = eval.Fact(marked)
		} else {
			row.Facts[unaskedFound] = eval.Fact(marked)
		}
		return row, err
	}
	right, err := c.report(c.Right)
	if err != nil {
		return row, err
	}
	wrong, err := c.report(c.Wrong)
	if err != nil {
		return row, err
	}
	clean, own := !right.Marked(c.Reads), c.own(right, wrong)
	row.Facts[rightUnmarked], row.Facts[wrongMarked] = eval.Fact(clean), eval.Fact(wrong.Marked(c.Reads))
	if c.Kind == Swap {
		row.Facts[swapMarked] = eval.Fact(own != "")
	} else {
		row.Facts[faultMarked] = eval.Fact(own != "")
	}
	row.Expected, row.Observed, row.Passed = "the wrong call alone is marked", fmt.Sprintf("right unmarked: %t; of the fault: %s", clean, own), clean && own != ""
	row.Detail = strings.Join(c.marks(right, nil), ", ")
	return row, nil
}

func asked(yes bool) string {
	if yes {
		return "plainly asked"
	}
	return "not plainly asked"
}

// own returns a mark of the wrong call that is due to its fault, or "". The right call
// must lack the mark. It is at a value that differs from the right one, or for an
// unused literal.
func (c Case) own(right, wrong intent.Report) string {
	have := c.marks(right, nil)
	for _, m := range c.marks(wrong, values(right)) {
		if !slices.Contains(have, m) {
			return m
		}
	}
	return ""
}

func values(r intent.Report) map[string]string {
	all := map[string]string{}
	for _, l := range r.Leaves {
		if !l.Name {
			all[l.Pointer] = l.Value
		}
	}
	return all
}

// marks returns the marks of a report, except those at a value that is the same in
// other.
func (c Case) marks(r intent.Report, other map[string]string) (all []string) {
	for _, l := range r.Marks(c.Reads) {
		if was, is := other[l.Pointer]; is && was == l.Value && !l.Name {
			continue
		}
		kind := l.Origin.String()
		if l.Differs != "" {
			kind = "differs"
		} else if l.Repeated {
			kind = "repeated"
		}
		all = append(all, l.Pointer+" "+kind)
	}
	if r.NotAsked != nil {
		all = append(all, "not plainly asked")
	}
	for _, u := range r.Unused {
		if !u.Aside {
			all = append(all, "unused "+u.Text)
		}
	}
	return all
}

// report returns the gates' report about a call. It asks no server.
func (c Case) report(args jsontext.Value) (intent.Report, error) {
	live := pin.Descriptor{Server: c.Server, Raw: c.Tool}
	about, err := live.Fields()
	if err != nil {
		return intent.Report{}, err
	}
	effect := "write"
	if c.Reads {
		effect = "read"
	}
	allow, err := catalog.ParseAllowlist(eval.Data(map[string]map[string][]string{c.Server: {effect: {about.Name}}}))
	if err != nil {
		return intent.Report{}, err
	}
	tools := catalog.Admit([]catalog.Listing{{Server: c.Server, Tools: []pin.Descriptor{live}}}, allow, catalog.Options{})
	q, err := input.Admit(input.Asked{Words: c.Question}, input.BuiltIn())
	if err != nil {
		return intent.Report{}, err
	}
	proposed, err := plan.Parse(plan.Call(c.Server, about.Name, args))
	if err != nil {
		return intent.Report{}, err
	}
	approved, err := gate.New(gate.Options{}).Approve(gate.Asked{Query: q}, tools, proposed)
	if err != nil {
		return intent.Report{}, err
	}
	return approved.Intent(), nil
}
