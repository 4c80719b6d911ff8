package lexical_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner/lexical"
)

// figures are counted of one kind of rows.
type figures struct{ answerable, abstain, proposed, exact, wrong, asked int }

// floor holds a kind of rows a little below what docs/internals/planner-method.md states: exact
// of the answerable at least, wrong of the proposed at most, in per cent; and no
// more writing calls than unasked where none was asked for.
type floor struct{ exact, wrong, unasked int }

func (f floor) hold(t *testing.T, kind string, n figures) {
	t.Helper()
	t.Logf("%s: %+v", kind, n)
	if n.exact*100 < f.exact*n.answerable || n.wrong*100 > f.wrong*n.proposed || n.asked > f.unasked {
		t.Errorf("%s: %+v, held to %+v", kind, n, f)
	}
}

func measured(t *testing.T, list []planning.Case) figures {
	t.Helper()
	var n figures
	for _, c := range list {
		tools := catalogOf(t, c)
		p, err := plan.Parse(propose(t, lexical.New(noon), ask(t, c.Query, ""), tools))
		if err != nil {
			t.Fatal(err)
		}
		n.count(t, c, p, tools)
	}
	return n
}

func (n *figures) count(t *testing.T, c planning.Case, p plan.Plan, tools catalog.Catalog) {
	t.Helper()
	if c.Expect.Abstain {
		n.abstain++
	} else {
		n.answerable++
	}
	if p.Declines() {
		return
	}
	n.proposed++
	tool, err := tools.Tool(p.Server(), p.Tool())
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
	if c.Judge(p) == planning.Exact {
		n.exact++
		return
	}
	n.wrong++
	if c.Expect.Abstain && !tool.Effect().Reads {
		n.asked++
	}
}

func bySource(list []planning.Case) map[string][]planning.Case {
	m := map[string][]planning.Case{}
	for _, c := range list {
		kind := strings.TrimPrefix(c.Source, "BFCL v4 ")
		m[kind] = append(m[kind], c)
	}
	return m
}

// TestFigures holds the planner to floors on the open rows of the corpora.
func TestFigures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file     string
		unhinted planning.Unhinted
		floors   map[string]floor
	}{
		{"cases/planner.jsonl", planning.Reading, map[string]floor{"simple_python": {28, 13, 0}, "multiple": {33, 3, 0}, "irrelevance": {0, 100, 0}}},
		{"cases/questions.jsonl", planning.Writing, map[string]floor{
			"everyday-read": {80, 0, 0}, "everyday-write": {65, 0, 0}, "roles": {80, 0, 0},
			"unanswerable": {0, 0, 0}, "negated": {0, 0, 0}, "too-much": {0, 0, 0},
		}},
	} {
		rows := bySource(planning.CallUnhinted(cases(t, c.file), c.unhinted))
		for kind, f := range c.floors {
			if len(rows[kind]) == 0 {
				t.Errorf("no rows of %s", kind)
			}
			f.hold(t, kind, measured(t, rows[kind]))
		}
		if list := rows["irrelevance"]; len(list) > 0 {
			if n := measured(t, list); n.proposed*100 > 3*n.abstain {
				t.Errorf("of %d rows that no tool answers, %d are answered", n.abstain, n.proposed)
			}
		}
	}
}

// TestQuestionsOfOurOwn needs no corpus: questions of many trades, written
// before an earlier planner was asked any of them.
func TestQuestionsOfOurOwn(t *testing.T) {
	t.Parallel()
	name := filepath.Join("testdata", "questions.jsonl")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	list, err := planning.Parse(name, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	rows := bySource(planning.CallUnhinted(list.List, planning.Reading))
	for kind, f := range map[string]floor{"single": {24, 3, 0}, "several": {40, 10, 0}} {
		f.hold(t, kind, measured(t, rows[kind]))
	}
	if n := measured(t, rows["none"]); n.proposed*100 > 8*n.abstain {
		t.Errorf("none: %+v", n)
	}
}
