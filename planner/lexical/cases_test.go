package lexical_test

import (
	"bufio"
	"fmt"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval/corpus"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/planner/lexical"
)

// row is one line of cases/planner.jsonl.
type row struct {
	ID     string           `json:"id"`
	Source string           `json:"source"`
	Query  string           `json:"query"`
	Tools  []jsontext.Value `json:"tools"`
	Expect struct {
		Tool    string                      `json:"tool"`
		Args    map[string][]jsontext.Value `json:"args"`
		Abstain bool                        `json:"abstain"`
	} `json:"expect"`
}

// half is the half of the corpus that a row belongs to: the rules were tuned
// on the rows whose number has even tens; the others were not looked at.
func (r row) half() string {
	n, _ := strconv.Atoi(r.ID[strings.LastIndexByte(r.ID, '_')+1:])
	if n/10%2 == 0 {
		return "tuned"
	}
	return "unread"
}

func rows(tb testing.TB) []row {
	tb.Helper()
	f, err := os.Open(corpus.Path(tb, "cases/planner.jsonl"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var list []row
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		list = append(list, r)
	}
	if err := lines.Err(); err != nil || len(list) == 0 {
		tb.Fatalf("%d rows, %v", len(list), err)
	}
	return list
}

// noon is when the tests run.
func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// ask admits a question under rules that match nothing.
func ask(tb testing.TB, words, context string) input.Query {
	tb.Helper()
	rules, err := input.ParseRules([]byte(`{"builtin":false,"rules":[{"id":"never","category":"none","pattern":"zzqxzzqx","reason":"matches nothing"}]}`))
	if err != nil {
		tb.Fatal(err)
	}
	q, err := input.Admit(words, context, rules)
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

func (r row) catalog(tb testing.TB) catalog.Catalog {
	var ds []pin.Descriptor
	for _, raw := range r.Tools {
		ds = append(ds, pin.Descriptor{Server: "bfcl", Raw: raw})
	}
	return admit(tb, ds...)
}

// result is what became of one row.
type result struct{ tool, exact, declined bool }

func (r row) judge(tb testing.TB) (result, planner.Plan) {
	b := propose(tb, lexical.New(noon), ask(tb, r.Query, ""), r.catalog(tb))
	p, err := planner.Parse(b)
	if err != nil {
		tb.Fatalf("%s: %v: %s", r.ID, err, b)
	}
	if p.Declines() {
		return result{declined: true}, p
	}
	right := p.Tool() == r.Expect.Tool
	return result{tool: right, exact: right && acceptable(p.Args(), r.Expect.Args)}, p
}

// acceptable reports whether args hold an acceptable value for every
// parameter, and nothing else. Strings are compared byte for byte, numbers by
// their value; 5 and 5.0 are one.
func acceptable(args jsontext.Value, want map[string][]jsontext.Value) bool {
	var got map[string]jsontext.Value
	if json.Unmarshal(args, &got) != nil {
		return false
	}
	for name, v := range got {
		options, known := want[name]
		if !known || !slices.ContainsFunc(options, func(o jsontext.Value) bool { return equal(v, o) }) {
			return false
		}
	}
	for name, options := range want {
		if _, given := got[name]; !given && !slices.ContainsFunc(options, func(o jsontext.Value) bool { return string(o) == `""` }) {
			return false
		}
	}
	return true
}

// equal compares an argument with an acceptable value, whose objects list the
// acceptable values of each member in turn.
func equal(got, want jsontext.Value) bool {
	if got.Kind() != want.Kind() && !(isBool(got) && isBool(want)) {
		return false
	}
	switch got.Kind() {
	case '{':
		var members map[string][]jsontext.Value
		return json.Unmarshal(want, &members) == nil && acceptable(got, members)
	case '[':
		var a, b []jsontext.Value
		return json.Unmarshal(got, &a) == nil && json.Unmarshal(want, &b) == nil && slices.EqualFunc(a, b, equal)
	case '0':
		a, _ := new(big.Rat).SetString(string(got))
		b, _ := new(big.Rat).SetString(string(want))
		return a != nil && b != nil && a.Cmp(b) == 0
	case '"':
		var a, b string
		return json.Unmarshal(got, &a) == nil && json.Unmarshal(want, &b) == nil && a == b
	}
	return string(got) == string(want)
}

func isBool(v jsontext.Value) bool { return v.Kind() == 't' || v.Kind() == 'f' }

// share is k of n with its 95 % Wilson interval.
func share(k, n int) string {
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return fmt.Sprintf("%5.1f %% [%4.1f, %4.1f]", 100*p, 100*max(0, mid-half), 100*(mid+half))
}
