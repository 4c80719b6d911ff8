package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/rule"
)

// A condition that no call meets is found, and a condition that a call may meet is
// not.
func TestARuleThatIsNeverMetIsFound(t *testing.T) {
	t.Parallel()
	const input = `{"type":"object","properties":{"ticket_id":{"type":"string"},"state":{"enum":["open","closed"]},"n":{"type":"integer"},"free":{"anyOf":[{"enum":["a"]},{"type":"string"}]}}}`
	tool, _ := call{input: input, args: `{"ticket_id":"INC1"}`}.made(t)
	for condition, want := range map[string]string{
		`"when": {"effect": "writes"}`:                                 "only ever read, write",
		`"when": {"effect": ["writes", "reads"]}`:                      "only ever read, write",
		`"when": {"labels": {"has": "exposd"}}`:                        "only ever exposed, sensitive",
		`"when": {"/time/weekday": "monday"}`:                          "only ever Friday",
		`"when": {"/time/minute": {"min": 600, "max": 60}}`:            "min is above max",
		`"where": {"state": "shut"}`:                                   "only ever closed, open",
		`"when": {"effect": "write"}, "where": {"state": "shut"}`:      "where: ",
		`"when": {"effect": ["writes", "write"]}`:                      "",
		`"when": {"labels": {"has": "exposed"}}`:                       "",
		`"when": {"/time/minute": {"min": 60, "max": 60}}`:             "",
		`"when": {"/time/minute": {"min": 9e9}}`:                       "",
		`"when": {"tool": "close_ticket"}`:                             "",
		`"where": {"ticket_id": "INC1", "state": {"not": "shut"}}`:     "",
		`"where": {"free": "b"}`:                                       "",
		`"where": {"state": null}`:                                     "",
		`"when": {"schema": {"properties": {"effect": {"const": 1}}}}`: "",
	} {
		p, err := rule.Parse(rule.File{Name: "p", Text: fmt.Appendf(nil, `{"rules":[{"effect":"deny","tools":["*/*"],%s}]}`, condition)})
		if err != nil {
			t.Fatalf("%s: %v", condition, err)
		}
		if got := p.Rules()[0].Never(tool.Input()); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", condition, got, want)
		}
	}
}
