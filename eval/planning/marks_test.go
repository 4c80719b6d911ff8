package planning_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner/lexical"
)

// TestMarksOnRightAndOnWrongCalls measures the figures of docs/intent.md. They are how
// many of the embedded planner's right calls the intent lock marks, and how many of
// its wrong ones. Run it with -v. It asserts the half that matters for the everyday
// questions: no value of a right call is marked. Sealed rows stay sealed.
func TestMarksOnRightAndOnWrongCalls(t *testing.T) {
	t.Parallel()
	p := lexical.New(func() time.Time { return eval.Noon() })
	rules, err := input.ParseRules([]byte(`{"builtin":false,"rules":[{"id":"none","category":"none","pattern":"\\x00","reason":"none"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"questions.jsonl", "planner.jsonl"} {
		cases, err := planning.Read(filepath.Join(corpus.Path(t, "cases"), file))
		if err != nil {
			t.Fatal(err)
		}
		marked, of := map[bool]int{}, map[bool]int{}
		for _, c := range cases.List {
			if planning.Sealed(c.ID) {
				continue
			}
			tools, err := c.Catalog()
			if err != nil {
				continue
			}
			q, err := input.Admit(input.Asked{Words: c.Query}, rules)
			if err != nil {
				continue
			}
			said, err := p.Propose(t.Context(), q, tools)
			if err != nil {
				t.Fatal(err)
			}
			proposed, err := plan.Parse(said.Said)
			if err != nil || proposed.Declines() {
				continue
			}
			tool, err := tools.Tool(proposed.Server(), proposed.Tool())
			if err != nil {
				t.Fatal(err)
			}
			report, err := intent.Compare(intent.Question{Text: q.Words(), Server: tool.Server(), Tool: tool.Name()}, tool.Input().Root(), proposed.Args())
			if err != nil {
				t.Fatal(err)
			}
			right := c.Judge(proposed) == planning.Exact
			of[right]++
			if report.Marked(true) {
				marked[right]++
				report.Unused = nil // a literal that only names the tool, as R2 does
				if right && strings.HasPrefix(file, "questions") && report.Marked(true) {
					t.Errorf("a value of a right call of an everyday question is marked: %s: %+v", c.Query, report)
				}
			}
		}
		for _, right := range []bool{true, false} {
			t.Logf("%s: marked %v of the calls that are right: %v", file, eval.NewRate(marked[right], of[right]), right)
		}
	}
}
