package manifest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/permissions"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// The facts of a row, which is one permission of one server as found in one way.
const (
	recall    = "recall"
	precision = "precision"
	works     = "works"
)

var measures = []eval.Measure{
	{Name: recall, Title: "needed, and found", Better: eval.Higher},
	{Name: precision, Title: "found, and needed", Better: eval.Higher},
	{Name: works, Title: "reading calls work under what was learned", Better: eval.Higher},
}

// The ways in which permissions are found.
const (
	byGenerate = "generate"
	byLearn    = "learn"
	byRegexp   = "regular expressions"
)

// Suite finds the permissions of every known server in each way.
func Suite(servers []Known) eval.Suite {
	s := eval.Suite{Name: "manifest", Subject: "what finds a server's permissions", Digest: eval.Digest(servers), Measures: measures, Clusters: "server"}
	for _, k := range servers {
		s.IDs = append(s.IDs, k.Name)
	}
	s.Observe = func(ctx context.Context, i int) ([]eval.Row, error) { return servers[i].rows(ctx) }
	return s
}

func (k Known) rows(ctx context.Context) ([]eval.Row, error) {
	source, err := k.Source()
	if err != nil {
		return nil, err
	}
	tree, err := k.tree()
	if err != nil {
		return nil, err
	}
	generated, err := permissions.Read(ctx, tree)
	if err == nil && len(generated.Unread) > 0 {
		err = verdict.Fail(verdict.EvalCases, nil, "%s", strings.Join(generated.Unread, "; "))
	}
	if err != nil {
		return nil, err
	}
	learned, answers, err := k.learn(ctx)
	if err != nil {
		return nil, err
	}
	rows := k.found(byGenerate, generated.Permissions)
	rows = append(rows, k.found(byLearn, learned)...)
	rows = append(rows, k.found(byRegexp, byPatterns(source))...)
	return append(rows, eval.Row{
		ID: k.Name + "/works", Group: k.language(), Cluster: k.Name, Agent: byLearn, Expected: "every reading call is answered", Observed: answers, Passed: answers == allAnswered,
		Facts: map[string]int{works: eval.Fact(answers == allAnswered)},
	}), nil
}

// found returns a row for each permission. A permission that is neither needed nor
// found counts in no figure.
func (k Known) found(way string, found []confine.Permission) []eval.Row {
	var rows []eval.Row
	for _, p := range enforced {
		is, needed := slices.Contains(found, p), slices.Contains(k.Permissions, p)
		row := eval.Row{
			ID: k.Name + "/" + strings.TrimPrefix(string(p), "mcp.ac."), Group: k.language(), Cluster: k.Name, Agent: way,
			Query: k.Note, Expected: fmt.Sprint("needed: ", needed), Observed: fmt.Sprint("found: ", is), Passed: is == needed, Facts: map[string]int{},
		}
		if needed {
			row.Facts[recall] = eval.Fact(is)
		}
		if is {
			row.Facts[precision] = eval.Fact(needed)
		}
		rows = append(rows, row)
	}
	return rows
}

// language returns the language of a known server.
func (k Known) language() string {
	for end, language := range map[string]string{".py": "Python", ".go": "Go", ".ts": "TypeScript"} {
		if strings.HasSuffix(k.Main, end) {
			return language
		}
	}
	return "JavaScript"
}
