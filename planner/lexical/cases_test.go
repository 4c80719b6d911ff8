package lexical_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
)

// cases are the open rows of a corpus. The sealed ones are not read here.
func cases(tb testing.TB, name string) []planning.Case {
	tb.Helper()
	list, err := planning.Read(corpus.Path(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	return slices.DeleteFunc(list.List, func(c planning.Case) bool { return planning.Sealed(c.ID) })
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

// admit makes a catalog in which every listed tool is allowed. The operator
// calls them reading, but for those that say in their name what they destroy.
func admit(tb testing.TB, tools ...pin.Descriptor) catalog.Catalog {
	tb.Helper()
	return admitAs(tb, func(name string) bool {
		return !strings.HasPrefix(name, "delete") && !strings.HasPrefix(name, "close")
	}, tools...)
}

func admitAs(tb testing.TB, reads func(name string) bool, tools ...pin.Descriptor) catalog.Catalog {
	tb.Helper()
	allowed := map[string]map[string][]string{}
	listed := map[string][]pin.Descriptor{}
	for _, d := range tools {
		f, err := d.Fields()
		if err != nil {
			tb.Fatal(err)
		}
		if allowed[d.Server] == nil {
			allowed[d.Server] = map[string][]string{"read": {}, "write": {}}
		}
		effect := map[bool]string{true: "read", false: "write"}[reads(f.Name)]
		if !slices.Contains(allowed[d.Server][effect], f.Name) {
			allowed[d.Server][effect] = append(allowed[d.Server][effect], f.Name)
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
