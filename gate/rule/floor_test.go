package rule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// asked returns a policy's question about a writing call. Only the call's arguments
// and the form of its object are known.
func asked(t *testing.T, input, args string, object ...string) rule.Question {
	t.Helper()
	s, err := schema.Admit([]byte(input), schema.Options{Role: schema.Input})
	if err != nil {
		t.Fatal(err)
	}
	id := "thing:1"
	return rule.Question{Input: s, Record: rule.Record{
		Server: rule.Server{Name: "tickets"}, Tool: "close_ticket", Effect: "write", EffectBy: "operator", Arguments: []byte(args),
		Resource: rule.Resource{ID: &id, Arguments: object, Stated: true},
	}}
}

// Only free text may be left open in a grant. An address, a recipient, a value that
// the schema limits, and a name of the call's object may not.
func TestOnlyFreeTextsMayBeLeftOpen(t *testing.T) {
	t.Parallel()
	const args = `{"x":"a","note":"b"}`
	for name, c := range map[string]struct {
		x    string // the schema of x
		open bool
	}{
		"a text":                          {`{"type":"string"}`, true},
		"a text with a length":            {`{"type":"string","maxLength":9}`, true},
		"a text by a reference":           {`{"$ref":"#/$defs/text"}`, true},
		"a text with a pattern":           {`{"type":"string","pattern":"^[a-z]+$"}`, false},
		"a pattern by a reference":        {`{"$ref":"#/$defs/coded"}`, false},
		"a pattern in one of the schemas": {`{"anyOf":[{"type":"string","pattern":"^[a-z]+$"},{"type":"string"}]}`, false},
		"a pattern next to the type":      {`{"type":"string","allOf":[{"pattern":"^[a-z]+$"}]}`, false},
		"one of some texts":               {`{"type":"string","enum":["a","b"]}`, false},
		"one text":                        {`{"type":"string","const":"a"}`, false},
		"an email address":                {`{"type":"string","format":"email"}`, false},
		"a URL":                           {`{"type":"string","format":"uri"}`, false},
		"a date":                          {`{"type":"string","format":"date"}`, false},
		"anything":                        {`{}`, false},
		"a text or a number":              {`{"type":["string","number"]}`, false},
	} {
		input := `{"type":"object","properties":{"x":` + c.x + `,"note":{"type":"string"}},"$defs":{"text":{"type":"string"},"coded":{"type":"string","pattern":"^[a-z]+$"}}}`
		free := asked(t, input, args).Free()
		if slices.Contains(free, "/x") != c.open || !slices.Contains(free, "/note") {
			t.Errorf("%s: %q may be left open", name, free)
		}
	}
	for _, name := range []string{"to", "cc", "email", "callbackUrl", "webhook", "reply_to", "host", "channel", "accountEmail", "iban", "delivery-address"} {
		input := `{"type":"object","properties":{"` + name + `":{"type":"string"},"list":{"type":"object","properties":{"` + name + `":{"type":"array","items":{"type":"string"}}}}}}`
		if free := asked(t, input, `{"`+name+`":"a","list":{"`+name+`":["b"]}}`).Free(); len(free) != 0 {
			t.Errorf("%s: %q may be left open", name, free)
		}
	}
	input := `{"type":"object","properties":{"at":{"type":"object","properties":{"k":{"type":"string"}}},"atlas":{"type":"string"},"n":{"type":"integer"}}}`
	if free := asked(t, input, `{"at":{"k":"x"},"atlas":"y","n":1}`, "/at").Free(); !slices.Equal(free, []string{"/atlas"}) {
		t.Errorf("next to the call's object %q may be left open", free)
	}
}

// A mark on the call's object, or on a value or a name inside it, is a floor. A mark
// next to it is not.
func TestAMarkOnTheObjectIsAFloor(t *testing.T) {
	t.Parallel()
	const of = "names the call's object"
	for name, c := range map[string]struct {
		args, question string
		floor          bool
	}{
		"the object":           {`{"at":{"host":"INC1"},"ticket_id":"a"}`, `Close "INC2" for "a"`, true},
		"no object":            {`{"at":{"host":"INC1"},"ticket_id":"b"}`, `Close "INC1" for "a"`, false},
		"neither":              {`{"at":{"host":"INC1"},"ticket_id":"a"}`, `Close "INC1" for "a"`, false},
		"an object of no mark": {`{"at":{"host":"INC1"},"ticket_id":"a"}`, ``, false},
	} {
		_, q := call{question: c.question, args: c.args, entry: `{"tickets":{"write":[{"name":"close_ticket","resource":"host:{/at/host}"}]}}`}.made(t)
		if q.Record.Resource.ID == nil {
			t.Fatalf("%s: the object is not known", name)
		}
		floors := slices.ContainsFunc(q.Floors(), func(f rule.Floor) bool { return strings.Contains(f.Reason, of) && !f.Grantable })
		if floors != c.floor || q.Record.Resource.Stated == c.floor {
			t.Errorf("%s: %+v, stated %t, marked %q", name, q.Floors(), q.Record.Resource.Stated, q.Record.Marked)
		}
	}
	q := asked(t, closeInput, `{"ticket_id":"INC1"}`, "/ticket_id")
	q.Record.Resource.Stated = false
	if all := q.Floors(); len(all) != 1 || !strings.Contains(all[0].Reason, of) {
		t.Errorf("not stated: %+v", all)
	}
	q.Record.Effect = "read"
	if all := q.Floors(); len(all) != 0 {
		t.Errorf("of a tool that reads: %+v", all)
	}
}

// A grant ends with the rules that asked. Their digest covers their content, but not
// their place.
func TestTheRulesThatAskedAreKnownByAllThatTheySay(t *testing.T) {
	t.Parallel()
	const base = `"effect":"ask","tools":["tickets/*"]`
	digest := func(rules ...string) string { return decide(t, call{def: verdict.Allow}, rules...).Asking }
	rules := map[string]string{
		"none":          `{` + base + `}`,
		"where":         `{` + base + `,"where":{"queue":"NET"}}`,
		"another where": `{` + base + `,"where":{"queue":["NET","APP"]}}`,
		"when":          `{` + base + `,"when":{"effect":"write"}}`,
		"both":          `{` + base + `,"where":{"queue":"NET"},"when":{"effect":"write"}}`,
		"other tools":   `{"effect":"ask","tools":["tickets/close_ticket"]}`,
		"takes":         `{` + base + `,"takes":["queue"]}`,
		"takes another": `{` + base + `,"takes":["amount"]}`,
	}
	seen := map[string]string{"": "no rule"}
	for name, one := range rules {
		d := digest(one)
		if other, same := seen[d]; same {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[d] = name
		if moved := digest(`{"effect":"deny","tools":["other/*"]}`, one); moved != d {
			t.Errorf("%s: another digest in another line", name)
		}
		if more := digest(one, rules["where"], rules["both"]); more == d {
			t.Errorf("%s: the digest does not change with more rules", name)
		}
	}
}
