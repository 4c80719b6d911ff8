package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

// rules are n rules of which so many are of tickets/close_ticket, and none is met
// but the last, which allows.
func rules(n, matching int) []byte {
	var all []string
	for i := range n - matching {
		all = append(all, fmt.Sprintf(`{"effect":"deny","tools":["server%d/tool_*"],"where":{"queue":"NET","/at/host":{"under":"/srv/%d"}}}`, i, i))
	}
	for i := range matching - 1 {
		all = append(all, fmt.Sprintf(`{"effect":"deny","tools":["tickets/close_*"],"where":{"queue":["A%d","B"]},"when":{"labels":{"has":"exposed"},"effect":"write"}}`, i))
	}
	all = append(all, `{"effect":"allow","tools":["tickets/close_ticket"],"where":{"queue":"NET"},"when":{"effect":"write"}}`)
	return []byte(`{"rules":[` + strings.Join(all, ",\n") + `]}`)
}

func BenchmarkDecide(b *testing.B) {
	for name, n := range map[string][2]int{"20_rules_of_which_3_match": {20, 3}, "1000_rules_of_which_10_match": {1000, 10}} {
		b.Run(name, func(b *testing.B) {
			p, err := rule.Parse(rule.File{Name: "policy.json", Text: rules(n[0], n[1])})
			if err != nil {
				b.Fatal(err)
			}
			_, q := call{question: `Close ticket "INC1" in queue NET`}.made(b)
			for b.Loop() {
				if d := p.Decide(q); d.Ruling != verdict.Allow {
					b.Fatal(d)
				}
			}
		})
	}
}

// BenchmarkParse is what a start pays for its rules.
func BenchmarkParse(b *testing.B) {
	for name, n := range map[string][2]int{"20_rules": {20, 3}, "1000_rules": {1000, 10}} {
		text := rules(n[0], n[1])
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := rule.Parse(rule.File{Name: "policy.json", Text: text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
