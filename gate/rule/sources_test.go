package rule_test

import (
	"testing"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Sources come from a hook that any program of the user can start. Whatever it claims, the
// decision is the one without a hook, or a stricter one.
func TestSourcesOnlyNarrow(t *testing.T) {
	t.Parallel()
	const (
		asks   = `{"effect":"ask","tools":["*/*"],"when":{"/sources/~1ticket_id":"open_result"}}`
		denies = `{"effect":"deny","tools":["*/*"],"when":{"/sources/~1ticket_id":"none"}}`
		// allows names no member, and would still read a forged source.
		allows = `{"effect":"allow","tools":["*/*"],"when":{"schema":{"type":"object","required":["tool","sources"]}}}`
	)
	exempts := `{"effect":"ask","tools":["*/*"],"when":{"schema":{"not":{"type":"object","properties":{"sources":{"type":"object","properties":{"/ticket_id":{"const":"said"}},"required":["/ticket_id"]}}}}}}`
	strict := map[verdict.Ruling]int{verdict.Allow: 0, verdict.Ask: 1, verdict.Refuse: 2}
	for _, rules := range [][]string{{asks}, {denies}, {exempts}, {allowAll, asks}, {allowAll, exempts}, {allows}, {allows, asks, denies}} {
		for _, byDefault := range []verdict.Ruling{verdict.Allow, verdict.Ask} { // the defaults of the gate
			_, q := call{def: byDefault}.made(t)
			without := parse(t, rules...).Decide(q).Ruling
			for _, source := range []string{"said", "result", "open_result", "default", "enum", "derived", "none", "unknown", "forged"} {
				q.Record.Sources = map[string]string{"/ticket_id": source}
				if got := parse(t, rules...).Decide(q); strict[got.Ruling] < strict[without] {
					t.Errorf("%v: with the source %q it is %v, and without a hook %v", rules, source, got.Ruling, without)
				}
			}
		}
	}
}

func TestARuleAsksBySources(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]verdict.Ruling{"said": verdict.Allow, "result": verdict.Allow, "open_result": verdict.Ask, "none": verdict.Refuse} {
		_, q := call{}.made(t)
		q.Record.Sources = map[string]string{"/ticket_id": source}
		d := parse(t, allowAll, `{"effect":"ask","tools":["*/*"],"when":{"/sources/~1ticket_id":"open_result"}}`,
			`{"effect":"deny","tools":["*/*"],"when":{"/sources/~1ticket_id":"none"}}`).Decide(q)
		if d.Ruling != want {
			t.Errorf("%s: %v, %s", source, d.Ruling, d.Reason)
		}
	}
}

func TestARuleThatAllowsReadsNoSources(t *testing.T) {
	t.Parallel()
	p := parse(t, `{"effect":"allow","tools":["*/*"],"when":{"/sources/~1ticket_id":"said"}}`)
	if err := p.Check(func(*rule.Rule) bool { return true }); err == nil {
		t.Error("the rule is accepted")
	}
}
