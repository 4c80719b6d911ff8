package host_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/trace"
)

// The benchmarks of this file also run in an earlier commit, into which `make bench` copies
// the file. So they use only what that commit has.

// twentyRules are twenty rules, of which three name the tool of [readFile]. The last one
// allows it.
func twentyRules(b *testing.B) rule.Policy {
	b.Helper()
	var all []string
	for i := range 17 {
		all = append(all, fmt.Sprintf(`{"effect":"deny","tools":["server%d/tool_*"],"where":{"path":{"under":"/srv/%d"}}}`, i, i))
	}
	for i := range 2 {
		all = append(all, fmt.Sprintf(`{"effect":"deny","tools":["server-filesystem-0/read_*"],"where":{"path":["/a%d","/b"]},"when":{"labels":{"has":"exposed"}}}`, i))
	}
	all = append(all, `{"effect":"allow","tools":["server-filesystem-0/read_text_file"]}`)
	p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(`{"rules":[` + strings.Join(all, ",\n") + `]}`)})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

// BenchmarkGatesWithRules is [BenchmarkGates] under twenty rules.
func BenchmarkGatesWithRules(b *testing.B) {
	ls, allow := realTools(b, 1)
	tools := catalog.Admit(ls, allow, catalog.Options{})
	g, rules := gate.New(gate.Options{Policy: twentyRules(b)}), input.BuiltIn()
	for b.Loop() {
		q, err := input.Admit(input.Asked{Words: "Read the first 20 lines of /tmp/notes.txt"}, rules)
		if err != nil {
			b.Fatal(err)
		}
		p, err := plan.Parse([]byte(readFile))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.Approve(gate.Asked{Query: q, Time: "2026-11-20T10:00:00Z"}, tools, p); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUsers is the answers that 200 users of one host get in a second, each with its
// next question as soon as it has an answer. Traces are on disk; the tool answers at once.
func BenchmarkUsers(b *testing.B) {
	const users, questions = 200, 2
	ls, allow := someTools(b, 10)
	h, err := host.New(host.Config{
		Policy: host.Policy{Rules: input.BuiltIn(), Allowlist: allow},
		Source: source(func(context.Context, []string) []catalog.Listing { return slices.Clone(ls) }),
		Caller: caller(func(_ context.Context, a gate.Approved, r trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error) {
			return redeem(ls, a, r, yes)
		}),
		Proposer: says(readFile), Writer: writes(""), Traces: runs.Remember(runs.Dir(b.TempDir())), Servers: identities(ls),
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		var all sync.WaitGroup
		for u := range users {
			all.Go(func() {
				for range questions {
					q := host.Question{Text: "Read the first 20 lines of /tmp/notes.txt", Subject: fmt.Sprint("user", u)}
					if out := h.Ask(b.Context(), q); out.Exit() != 0 {
						b.Errorf("%+v", out.Error)
						return
					}
				}
			})
		}
		all.Wait()
	}
	b.ReportMetric(float64(b.N*users*questions)/b.Elapsed().Seconds(), "answers/s")
}
