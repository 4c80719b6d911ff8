package rule_test

import (
	"sync"
	"testing"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Failures that opened other engines. They skipped a deny with a failed condition,
// took a failure for no match, kept a decision from one call to the next, or let calls
// pass after some failures.
func TestFailuresThatOpenedOthersStayClosed(t *testing.T) {
	t.Parallel()
	p, err := rule.Parse(rule.File{Name: "policy.json", Text: []byte(`{"rules":[
	  {"effect":"allow","tools":["tickets/close_ticket"]},
	  {"effect":"deny","tools":["tickets/close_ticket"],"where":{"note":{"schema":{"const":{"n":9007199254740993}}}}}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	question := func(args string) rule.Question {
		_, q := call{question: `Close "INC1"`, args: args}.made(t)
		return q
	}
	clean, denied := question(`{"ticket_id":"INC1","note":{"n":1}}`), question(`{"ticket_id":"INC1","note":{"n":9007199254740993}}`)
	torn := question(`{"ticket_id":"INC1","note":{"n":9007199254740992}}`) // the validators disagree
	want := func(q rule.Question, ruling verdict.Ruling, code verdict.Code) {
		if d := p.Decide(q); d.Ruling != ruling || d.Code != code {
			t.Errorf("%s %q by %s, not %s %q", d.Ruling, d.Code, d.By, ruling, code)
		}
	}
	for range 20 { // each after the other, in every order
		want(torn, verdict.Refuse, verdict.RuleError)
		want(clean, verdict.Allow, "")
		want(denied, verdict.Refuse, verdict.RuleDenied)
		want(torn, verdict.Refuse, verdict.RuleError)
		want(denied, verdict.Refuse, verdict.RuleDenied)
		want(clean, verdict.Allow, "")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				want(torn, verdict.Refuse, verdict.RuleError)
				want(clean, verdict.Allow, "")
			}
		})
	}
	all.Wait()
}
