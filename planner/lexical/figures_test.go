package lexical_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/plan"
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
		"simple_python open": {69, 12}, "simple_python sealed": {64, 12}, "simple_python ": {67, 12},
		"multiple open": {69, 9}, "multiple sealed": {70, 9}, "multiple ": {70, 9},
		"irrelevance open": {0, 81}, "irrelevance sealed": {0, 82}, "irrelevance ": {0, 82},
	}
	holdAll(t, measure(t, cases(t)), floors)
}

// holdAll holds the groups of a report that have a floor, and misses none.
func holdAll(t *testing.T, r eval.Report, floors map[string]floor) {
	t.Helper()
	for _, f := range r.Figures {
		key := strings.TrimPrefix(f.Group, "BFCL v4 ") + " " + f.Half
		if held, ok := floors[key]; ok {
			hold(t, key, f, held)
		}
	}
	for key := range floors {
		if !slices.ContainsFunc(r.Figures, func(f eval.Figure) bool { return strings.TrimPrefix(f.Group, "BFCL v4 ")+" "+f.Half == key }) {
			t.Errorf("no rows of %s", key)
		}
	}
}

func hold(t *testing.T, key string, f eval.Figure, floor floor) {
	t.Helper()
	percent, right := 100*f.Rate.Rate, true
	switch f.Name {
	case "declined_rightly":
		right = percent >= floor.declined
	case "declined_wrongly":
		right = percent <= floor.declined
	case "call_exact":
		right = percent >= floor.exact
	case "called_right":
		right = percent >= 97
	}
	if !right {
		t.Errorf("%s: %s %v, held to %+v", key, f.Name, f.Rate.Counted(), floor)
	}
}

// Every proposed call fits its tool's schema, by the gate's own validators.
func TestProposedCallsFitTheirSchemas(t *testing.T) {
	t.Parallel()
	calls(t, cases(t), func(c planning.Case, p plan.Plan) {
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
