package rule_test

import (
	"fmt"
	"testing"

	"github.com/onestep-run/onestep/gate/verdict"
)

const nullable = `{"type":"object","properties":{"ticket_id":{"type":"string"},"queue":{},"at":{"type":"object","properties":{"host":{}}},"list":{"type":"array","items":{"type":"object","properties":{"x":{}}}}},"required":["ticket_id"]}`

// A schema of a rule's author treats null as the short forms do. A rule that denies
// matches null, and a rule that allows does not, whatever the schema says about it.
func TestNullDoesNotHelpWhereASchemaDecides(t *testing.T) {
	t.Parallel()
	const text = `{"type":"string","pattern":"^N"}`
	whole := func(queue string) string {
		return `{"schema":{"type":"object","required":["queue"],"properties":{"queue":` + queue + `}}}`
	}
	for _, c := range []struct{ where, args string }{
		{`{"queue":{"schema":` + text + `}}`, `"queue":null`},
		{`{"queue":{"schema":{"not":{"const":"APP"}}}}`, `"queue":null`},
		{`{"queue":{"schema":{}}}`, `"queue":null`},
		{`{"queue":{"schema":{"type":["string","null"]}}}`, `"queue":null`},
		{`{"queue":{"schema":{"not":{"type":"null"}}}}`, `"queue":null`},
		{`{"queue":{"not":{"schema":` + text + `}}}`, `"queue":null`},
		{`{"queue":{"not":{"not":{"schema":` + text + `}}}}`, `"queue":null`},
		{`{"/at/host":{"schema":` + text + `}}`, `"at":{"host":null}`},
		{`{"at":{"schema":{"type":"object","required":["host"],"properties":{"host":` + text + `}}}}`, `"at":{"host":null}`},
		{`{"list":{"schema":{"type":"array","items":{"type":"object","required":["x"],"properties":{"x":{"not":{"const":"a"}}}}}}}`, `"list":[{"x":null}]`},
		{whole(text), `"queue":null`},
		{whole(`true`), `"queue":null`},
		{whole(`{"not":{"const":"APP"}}`), `"queue":null`},
		{whole(`{"enum":["NET",null]}`), `"queue":null`},
		{whole(`{"oneOf":[{"const":"NET"},{"type":"null"}]}`), `"queue":null`},
		{`{"schema":{"oneOf":[{"type":"object","required":["queue"],"properties":{"queue":{"not":{"const":"APP"}}}},{"type":"array"}]}}`, `"queue":null`},
		{`{"schema":{"type":"object","if":{"type":"object","required":["queue"],"properties":{"queue":{"not":{"const":"APP"}}}},"then":true,"else":false}}`, `"queue":null`},
		{`{"schema":{"type":"object","if":{"type":"object","required":["queue"],"properties":{"queue":{"const":"APP"}}},"then":false,"else":true}}`, `"queue":null`},
		{whole(`{"allOf":[{"not":{"enum":["APP"]}}]}`), `"queue":null`},
		{`{"schema":{"$defs":{"q":{"type":"object","required":["queue"],"properties":{"queue":{"not":{"const":"APP"}}}}},"$ref":"#/$defs/q"}}`, `"queue":null`},
		{`{"schema":{"type":"object","required":["queue"],"properties":{"queue":{"$ref":"#/definitions/q"}},"definitions":{"q":` + text + `}}}`, `"queue":null`},
		{`{"schema":{"type":"object","required":["at"],"properties":{"at":{"type":"object","required":["host"],"properties":{"host":` + text + `}}}}}`, `"at":{"host":null}`},
	} {
		args := `{"ticket_id":"INC1",` + c.args + `}`
		for effect, want := range map[string]verdict.Ruling{"allow": verdict.Ask, "deny": verdict.Refuse} {
			d := decide(t, call{args: args, input: nullable, def: verdict.Ask}, one(effect, "where", c.where))
			if d.Ruling != want || d.Code == verdict.RuleError {
				t.Errorf("%s where %s of %s: %v, %s", effect, c.where, args, d.Ruling, d.Reason)
			}
		}
	}
}

// Below a not a deny matches the null that its schema does not name.
func TestNullBelowANotOfASchemaIsDenied(t *testing.T) {
	t.Parallel()
	for _, inside := range []string{`{"const":"NET"}`, `{"type":["string","null"]}`, `{"enum":["NET",null]}`, `{}`} {
		where := fmt.Sprintf(`{"schema":{"not":{"required":["queue"],"properties":{"queue":%s}}}}`, inside)
		d := decide(t, call{args: `{"ticket_id":"INC1","queue":null}`, input: nullable, def: verdict.Ask}, one("deny", "where", where))
		if d.Ruling != verdict.Refuse || d.Code != verdict.RuleDenied {
			t.Errorf("%s: %v, %s", where, d.Ruling, d.Reason)
		}
	}
}

// What is not null a schema decides on as it is written.
func TestASchemaDecidesOnWhatIsNotNull(t *testing.T) {
	t.Parallel()
	for where, queue := range map[string]string{
		`{"queue":{"schema":{"type":"string","pattern":"^N"}}}`:                                                                               `"APP"`,
		`{"schema":{"type":"object","required":["queue"],"properties":{"queue":{"oneOf":[{"const":"NET"},{"pattern":"^N"}]}}}}`:               `"NET"`,
		`{"schema":{"$defs":{"q":{"const":"NET"}},"type":"object","required":["queue"],"properties":{"queue":{"not":{"$ref":"#/$defs/q"}}}}}`: `"NET"`,
		`{"schema":{"type":"object","required":["queue"],"properties":{"queue":{"$ref":"#/$defs/q"}},"$defs":{"q":{"const":"NET"}}}}`:         `"APP"`,
		`{"schema":{"required":["queue"]}}`: ``,
		`{"schema":{"oneOf":[{"required":["queue"],"properties":{"queue":{"const":"NET"}}},{"required":["queue"],"properties":{"queue":{"pattern":"^N"}}}]}}`: `"NET"`,
		`{"schema":{"if":{"required":["queue"],"properties":{"queue":{"const":"NET"}}},"then":false}}`:                                                        `"NET"`,
		`{"schema":{"if":{"required":["queue"],"properties":{"queue":{"const":"NET"}}},"then":true,"else":false}}`:                                            `"APP"`,
	} {
		args := `{"ticket_id":"INC1"}`
		if queue != "" {
			args = `{"ticket_id":"INC1","queue":` + queue + `}`
		}
		d := decide(t, call{args: args, input: nullable, def: verdict.Ask}, one("deny", "where", where))
		if d.Ruling != verdict.Ask || d.Code == verdict.RuleError {
			t.Errorf("%s of %s: %v, %s", where, args, d.Ruling, d.Reason)
		}
	}
}
