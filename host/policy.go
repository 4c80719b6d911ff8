package host

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// Policy is everything that the operator decides and that verdicts depend on.
// Its zero value refuses every question.
type Policy struct {
	Rules         input.Rules
	Allowlist     catalog.Allowlist
	SummaryLevel  summarize.Level
	StrictFormats bool       // an unknown schema format takes a tool out
	MaxResult     int        // bytes of one result; 0: the default
	SummaryBudget int        // bytes of a result that a writer is given; 0: the default
	StrictIntent  bool       // every call that carries a mark needs a person's approval
	Guard         scan.Rules // which built-in rules are not for which server
	OthersApprove bool       // nobody approves what they asked for themselves
	Accept        pin.Accept // differences from what was approved that pass without a person
}

func (p Policy) record() jsontext.Value {
	r := recorded.Policy{
		Rules: keep(p.Rules.Source()), Allowlist: keep(p.Allowlist.Source()), Refusal: trace.ErrorOf(p.Allowlist.Refusal()),
		SummaryLevel: p.SummaryLevel.String(), StrictFormats: p.StrictFormats, MaxResult: p.MaxResult, SummaryBudget: p.SummaryBudget,
		StrictIntent: p.StrictIntent, OthersApprove: p.OthersApprove, Accept: p.Accept.Classes(), Suppressed: p.Guard.Suppressed(),
	}
	b, err := json.Marshal(r)
	if err != nil {
		return jsontext.Value("null") // a policy of strings and numbers; a replay of null is refused
	}
	return b
}

func keep(b []byte) *trace.Bytes {
	if b == nil {
		return nil
	}
	kept := trace.Keep(b)
	return &kept
}

// reached is the identities of the allowlisted servers, for the trace. Of the
// others nothing is anybody's to know.
func (c Config) reached() jsontext.Value {
	ids := map[string]pin.Identity{}
	for _, name := range c.Policy.Allowlist.Servers() {
		if id, known := c.Servers[name]; known {
			ids[name] = id
		}
	}
	b, err := json.Marshal(ids, json.Deterministic(true))
	if err != nil {
		return nil // of strings alone
	}
	return b
}
