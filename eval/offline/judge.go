package offline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Expected or observed results besides the codes of docs/codes.md.
const (
	Allow  = "allow"
	refuse = "refuse"  // expected of a generated case: a refusal by any gate
	other  = "altered" // observed: a gate allowed something other than the request
)

// altered says how the allowed input differs from the request.
type altered string

func (a altered) Error() string { return string(a) }

// row returns the gates' answer to the case.
func (c Case) row() eval.Row {
	detail, err := c.probe.try()
	r := eval.Row{ID: c.ID, Group: c.Group, Expected: c.Expect, Observed: Allow, Detail: detail, Data: eval.Data(kept{c.What})}
	var differs altered
	switch {
	case errors.As(err, &differs):
		r.Observed, r.Detail = other, string(differs)
	case err != nil:
		r.Observed, r.Detail = string(verdict.CodeOf(err)), err.Error()
	}
	r.Detail = strings.ToValidUTF8(r.Detail, "\uFFFD") // a reason may quote bytes that are not UTF-8
	r.Passed = r.Observed == c.Expect || c.Expect == refuse && verdict.Denied(err)
	r.Facts = facts(r, err)
	if made, is := c.probe.(generatedProbe); is {
		r.Facts["past_parser"] = eval.Fact(made.parses(err))
	}
	return r
}

// kept is the data of a row about its case.
type kept struct {
	What string `json:"what"`
}

func facts(r eval.Row, err error) map[string]int {
	f := map[string]int{"passed": eval.Fact(r.Passed)}
	let := r.Observed == Allow || r.Observed == other
	if r.Expected == Allow {
		f["refused_wrongly"] = eval.Fact(!let)
	}
	if r.Expected != Allow || r.Observed == other {
		f["allowed_wrongly"] = eval.Fact(let)
	}
	if r.Expected != Allow && err != nil {
		f["other_code"] = eval.Fact(!r.Passed && r.Observed != other)
	}
	return f
}

// group is the form of the published evaluation for a group of cases, with the cases
// themselves.
type group struct {
	Total  int      `json:"total_cases"`
	Passed int      `json:"passed"`
	Failed int      `json:"failed"`
	Rate   *float64 `json:"pass_rate"` // null without cases
	Cases  []shown  `json:"cases"`
}

type shown struct {
	ID       string         `json:"id"`
	Kept     jsontext.Value `json:",embed"` // the data about the case
	Expected string         `json:"expected"`
	Observed string         `json:"observed"`
	Passed   bool           `json:"passed"`
	Detail   string         `json:"detail"`
}

// finish adds the groups to the report, and names the failed cases.
func finish(r *eval.Report) error {
	var failures []string
	b := []byte{'{'}
	for i, name := range groups {
		g, failed := grouped(r.Rows, name)
		if len(failed) > 0 {
			failures = append(failures, name+": "+few(failed))
		}
		members, err := json.Marshal(g)
		if err != nil {
			return verdict.Fail(verdict.Internal, err, "the group %s cannot be written as JSON: %v", name, err)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%q:%s", name, members)
	}
	r.Extra = jsontext.Value(append(b, '}'))
	r.Notes = append(r.Notes, "Seed of the generated cases: "+r.Seed+".")
	if failures != nil {
		return verdict.Fail(verdict.EvalFailed, nil, "cases failed in %s", strings.Join(failures, "; "))
	}
	return nil
}

func grouped(rows []eval.Row, name string) (g group, failed []string) {
	g.Cases = []shown{}
	for _, r := range rows {
		if r.Group != name {
			continue
		}
		g.Cases = append(g.Cases, shown{r.ID, r.Data, r.Expected, r.Observed, r.Passed, r.Detail})
		if !r.Passed {
			failed = append(failed, r.ID)
		}
	}
	g.Total, g.Failed = len(g.Cases), len(failed)
	g.Passed = g.Total - g.Failed
	if g.Total > 0 {
		rate := float64(g.Passed) / float64(g.Total)
		g.Rate = &rate
	}
	return g, failed
}

// few lists the first of many ids.
func few(ids []string) string {
	const most = 20
	if len(ids) <= most {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(slices.Clone(ids[:most]), ", "), len(ids)-most)
}
