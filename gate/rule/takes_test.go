package rule_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

const (
	denyProd = `{"effect":"deny","tools":["*/*"],"takes":["path"],"where":{"path":{"under":"/prod"}}}`
	askProd  = `{"effect":"ask","tools":["*/*"],"takes":["/at/path"],"where":{"/at/path":{"under":"/prod"}}}`
)

// taken decides on a call of a tool with an input, as the gate does.
func taken(t *testing.T, input, args string, rules ...string) rule.Decision {
	t.Helper()
	s, err := schema.Admit([]byte(input), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, rules...)
	q := rule.Question{Input: s, Otherwise: verdict.Allow, Record: rule.Record{
		Server: rule.Server{Name: "files"}, Tool: "read", Effect: "read", EffectBy: "operator", Arguments: []byte(args),
	}}
	q.Record.Lacks = p.Lacks("files", "read", s)
	return p.Decide(q)
}

// A rule that is limited to arguments of a tool applies to every tool that can take
// them, whatever the call contains. It applies to no other tool.
func TestARuleIsLimitedToWhatASchemaTakes(t *testing.T) {
	t.Parallel()
	const ref = `{"type":"object","allOf":[{"$ref":"#/$defs/in"}],"$defs":{"in":{"type":"object","properties":{"path":{"type":"string"}}}}}`
	for name, c := range map[string]struct {
		input, args, rule string
		want              verdict.Ruling
	}{
		"below":                         {`{"type":"object","properties":{"path":{"type":"string"}}}`, `{"path":"/prod/a"}`, denyProd, verdict.Refuse},
		"elsewhere":                     {`{"type":"object","properties":{"path":{"type":"string"}}}`, `{"path":"/test/a"}`, denyProd, verdict.Allow},
		"missing":                       {`{"type":"object","properties":{"path":{"type":"string"}}}`, `{}`, denyProd, verdict.Refuse},
		"null":                          {`{"type":"object","properties":{"path":{"type":["string","null"]}}}`, `{"path":null}`, denyProd, verdict.Refuse},
		"no such argument":              {`{"type":"object","properties":{"url":{"type":"string"}}}`, `{"url":"/prod/a"}`, denyProd, verdict.Allow},
		"no argument at all":            {`{"type":"object"}`, `{}`, denyProd, verdict.Allow},
		"closed by the server":          {`{"type":"object","properties":{"url":{}},"additionalProperties":false}`, `{"url":"x"}`, denyProd, verdict.Allow},
		"any argument":                  {`{"type":"object","additionalProperties":{"type":"string"}}`, `{"url":"x"}`, denyProd, verdict.Refuse},
		"by a pattern":                  {`{"type":"object","patternProperties":{"^p":{"type":"string"}}}`, `{"pa":"x"}`, denyProd, verdict.Refuse},
		"in one of the schemas":         {`{"type":"object","anyOf":[{"properties":{"path":{"type":"string"}}},{"properties":{"url":{}}}]}`, `{"url":"x"}`, denyProd, verdict.Refuse},
		"by a reference":                {ref, `{}`, denyProd, verdict.Refuse},
		"in another's place":            {`{"type":"object","properties":{"at":{"type":"object","properties":{"path":{}}}}}`, `{"at":{"path":"/prod"}}`, denyProd, verdict.Allow},
		"nested, below":                 {`{"type":"object","properties":{"at":{"type":"object","properties":{"path":{"type":"string"}}}}}`, `{"at":{"path":"/prod/x"}}`, askProd, verdict.Ask},
		"nested, missing":               {`{"type":"object","properties":{"at":{"type":"object","properties":{"path":{"type":"string"}}}}}`, `{}`, askProd, verdict.Ask},
		"nested, no such argument":      {`{"type":"object","properties":{"at":{"type":"object","properties":{"name":{}}}}}`, `{"at":{"name":"x"}}`, askProd, verdict.Allow},
		"two, of which a tool has one":  {`{"type":"object","properties":{"path":{"type":"string"}}}`, `{"path":"/prod"}`, `{"effect":"deny","tools":["*/*"],"takes":["path","mode"]}`, verdict.Allow},
		"two, of which a tool has both": {`{"type":"object","properties":{"path":{},"mode":{}}}`, `{}`, `{"effect":"deny","tools":["*/*"],"takes":["path","mode"]}`, verdict.Refuse},
	} {
		if d := taken(t, c.input, c.args, c.rule); d.Ruling != c.want || d.Code == verdict.RuleError {
			t.Errorf("%s: %v by %s, %s", name, d.Ruling, d.By, d.Reason)
		}
	}
}

// The record decides. If it does not say that the tool lacks the argument, the rule
// applies, and cannot be checked.
func TestARuleHoldsWhereTheRecordDoesNotSayOtherwise(t *testing.T) {
	t.Parallel()
	s, err := schema.Admit([]byte(`{"type":"object","properties":{"url":{"type":"string"}}}`), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	q := rule.Question{Input: s, Otherwise: verdict.Allow, Record: rule.Record{Server: rule.Server{Name: "files"}, Tool: "read", Effect: "read", Arguments: []byte(`{"url":"x"}`)}}
	for lacks, want := range map[string]verdict.Code{"": verdict.RuleError, "/url": verdict.RuleError, "/path": ""} {
		if q.Record.Lacks = nil; lacks != "" {
			q.Record.Lacks = []string{lacks}
		}
		if d := parse(t, denyProd).Decide(q); d.Code != want {
			t.Errorf("%q is lacking: %v %q by %s", lacks, d.Ruling, d.Code, d.By)
		}
	}
}
