package lexical_test

import (
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/planner"
)

// floor is what a group of rows is held to, in per cent.
type floor struct {
	exact    float64 // at least
	declined float64 // at most wrongly; of irrelevance, at least rightly
}

// TestFigures holds the planner to floors a little below what docs/planner.md
// states.
func TestFigures(t *testing.T) {
	t.Parallel()
	floors := map[string]floor{
		"simple_python even tens": {75, 7}, "simple_python odd tens": {58, 18}, "simple_python ": {67, 12},
		"multiple even tens": {71, 10}, "multiple odd tens": {68, 10}, "multiple ": {70, 9},
		"irrelevance even tens": {0, 80}, "irrelevance odd tens": {0, 82}, "irrelevance ": {0, 82},
	}
	holdAll(t, measure(t, cases(t)), floors)
}

// holdAll holds the groups of a report that have a floor, and misses none.
func holdAll(t *testing.T, r eval.PlannerReport, floors map[string]floor) {
	t.Helper()
	for _, g := range r.Groups {
		key := strings.TrimPrefix(g.Source, "BFCL v4 ") + " " + g.Half
		f, held := floors[key]
		if held {
			hold(t, key, g, f)
		}
		delete(floors, key)
	}
	for key := range floors {
		t.Errorf("no rows of %s", key)
	}
}

func hold(t *testing.T, key string, g eval.PlannerGroup, f floor) {
	t.Helper()
	if r := g.DeclinedRightly; r != nil {
		if 100*r.Rate < f.declined {
			t.Errorf("%s: declined %v, floor %v %%", key, r, f.declined)
		}
		return
	}
	if 100*g.CallExact.Rate < f.exact {
		t.Errorf("%s: exact %v, floor %v %%", key, g.CallExact, f.exact)
	}
	if 100*g.DeclinedWrongly.Rate > f.declined {
		t.Errorf("%s: declined wrongly %v, ceiling %v %%", key, g.DeclinedWrongly, f.declined)
	}
	if called := g.Rows - g.DeclinedWrongly.Hits; g.ToolRight.Hits < called*97/100 {
		t.Errorf("%s: the right tool in %d of %d calls", key, g.ToolRight.Hits, called)
	}
}

// Every proposed call fits its tool's schema, by the gate's own validators.
func TestProposedCallsFitTheirSchemas(t *testing.T) {
	t.Parallel()
	calls(t, cases(t), func(c eval.PlannerCase, p planner.Plan) {
		tool, err := catalogOf(t, c).Tool(p.Server(), p.Tool())
		if err != nil {
			t.Fatal(err)
		}
		v, err := tool.Input().Compile()
		if err != nil {
			t.Fatal(err)
		}
		if err := v.Check(p.Args()); err != nil {
			t.Errorf("%s: arguments do not fit the schema: %v: %s", c.ID, err, p.Args())
		}
	})
}
