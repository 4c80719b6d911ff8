package lexical_test

import (
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/planner/lexical"
)

// cases are the rows of the Berkeley Function-Calling Leaderboard.
func cases(tb testing.TB) []planning.Case {
	tb.Helper()
	list, err := planning.Read(corpus.Path(tb, "cases/planner.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// measure asks the planner about every case, as `ask eval planner` does.
func measure(tb testing.TB, list []planning.Case) eval.Report {
	tb.Helper()
	report, err := planning.Suite(list, "embedded", lexical.New(noon)).Run(tb.Context(), eval.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return report
}

// calls gives the plans of a report that propose a call.
func calls(tb testing.TB, list []planning.Case, visit func(c planning.Case, p plan.Plan)) {
	tb.Helper()
	for i, r := range measure(tb, list).Rows {
		var kept struct {
			Plan jsontext.Value `json:"plan"`
		}
		if err := json.Unmarshal(r.Data, &kept); err != nil {
			tb.Fatal(err)
		}
		p, err := plan.Parse(kept.Plan)
		if err != nil {
			tb.Fatal(err)
		}
		if !p.Declines() {
			visit(list[i], p)
		}
	}
}

// noon is when the tests run: when the evaluation does.
func noon() time.Time { return eval.Noon() }

// ask admits a question under rules that match nothing.
func ask(tb testing.TB, words, context string) input.Query {
	tb.Helper()
	rules, err := input.ParseRules([]byte(`{"builtin":false,"rules":[{"id":"never","category":"none","pattern":"zzqxzzqx","reason":"matches nothing"}]}`))
	if err != nil {
		tb.Fatal(err)
	}
	q, err := input.Admit(input.Asked{Words: words, Context: context}, rules)
	if err != nil {
		tb.Fatalf("%q: %v", words, err)
	}
	return q
}

// admit makes a catalog in which every listed tool is allowed.
func admit(tb testing.TB, tools ...pin.Descriptor) catalog.Catalog {
	tb.Helper()
	allowed := map[string][]string{}
	listed := map[string][]pin.Descriptor{}
	for _, d := range tools {
		f, err := d.Fields()
		if err != nil {
			tb.Fatal(err)
		}
		if !slices.Contains(allowed[d.Server], f.Name) {
			allowed[d.Server] = append(allowed[d.Server], f.Name)
		}
		listed[d.Server] = append(listed[d.Server], d)
	}
	b, err := json.Marshal(allowed)
	if err != nil {
		tb.Fatal(err)
	}
	list, err := catalog.ParseAllowlist(b)
	if err != nil {
		tb.Fatal(err)
	}
	var listings []catalog.Listing
	for server, ds := range listed {
		listings = append(listings, catalog.Listing{Server: server, Tools: ds})
	}
	c := catalog.Admit(listings, list, catalog.Options{})
	for _, e := range c.Excluded() {
		tb.Logf("excluded %s: %s", e.Name, e.Denial.Reason)
	}
	return c
}

func catalogOf(tb testing.TB, pc planning.Case) catalog.Catalog {
	tb.Helper()
	c, err := pc.Catalog()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}
