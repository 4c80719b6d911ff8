package policies

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cedar-policy/cedar-go"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/cel-go/cel"

	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// cedarHolds reports whether Cedar reads a value of an argument at all. It also
// reports whether a record with the value equals one with another value.
func cedarHolds(t *testing.T, value, other string) (reads, equal bool) {
	t.Helper()
	var a, b cedar.Record
	if json.Unmarshal([]byte(`{"x":`+value+`}`), &a) != nil {
		return false, false
	}
	if err := json.Unmarshal([]byte(`{"x":`+other+`}`), &b); err != nil {
		t.Fatal(err)
	}
	return true, a.Equal(b)
}

func cedarDecides(t *testing.T, text, args string) cedar.Decision {
	t.Helper()
	policies, err := cedar.NewPolicySetFromBytes("p", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var context cedar.Record
	if err := json.Unmarshal([]byte(args), &context); err != nil {
		t.Fatal(err)
	}
	d, _ := cedar.Authorize(policies, cedar.EntityMap{}, cedar.Request{
		Principal: cedar.NewEntityUID("User", "ada"), Action: cedar.NewEntityUID("Action", "call"), Resource: cedar.NewEntityUID("Tool", "t"), Context: context,
	})
	return d
}

// celSays evaluates an expression over arguments that were decoded as JSON is.
func celSays(t *testing.T, expression, args string) (any, error) {
	t.Helper()
	var decoded map[string]any
	if err := json.Unmarshal([]byte(args), &decoded); err != nil {
		t.Fatal(err)
	}
	v, _, err := celProgram(t, expression).Eval(map[string]any{"args": decoded})
	if err != nil {
		return nil, err
	}
	return v.Value(), nil
}

func celProgram(tb testing.TB, expression string) cel.Program {
	tb.Helper()
	env, err := cel.NewEnv(cel.Variable("args", cel.DynType), cel.Variable("record", cel.DynType))
	if err != nil {
		tb.Fatal(err)
	}
	ast, issues := env.Compile(expression)
	if issues.Err() != nil {
		tb.Fatal(issues.Err())
	}
	p, err := env.Program(ast)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

const input = `{"type":"object","properties":{"ticket_id":{"type":"string"},"queue":{},"x":{}},"required":["ticket_id"]}`

// question is a call of tickets/close_ticket to which no floor applies.
func question(tb testing.TB, args string) rule.Question {
	tb.Helper()
	s, err := schema.Admit([]byte(input), schema.Options{Role: schema.Input})
	if err != nil {
		tb.Fatal(err)
	}
	resource := "ticket:INC1"
	return rule.Question{Input: s, Record: rule.Record{
		Server: rule.Server{Name: "tickets"}, Tool: "close_ticket", Effect: "write", EffectBy: "operator", Arguments: jsontext.Value(args),
		Resource: rule.Resource{ID: &resource, Stated: true}, Time: rule.Time{Zone: "UTC"},
	}}
}

// ruled is what a rule with a condition on the arguments comes to.
func ruled(t *testing.T, effect, where, args string) verdict.Ruling {
	t.Helper()
	p, err := rule.Parse(rule.File{Name: "p", Text: []byte(`{"rules":[{"effect":"` + effect + `","tools":["tickets/*"],"where":` + where + `}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	q := question(t, args)
	q.Otherwise = verdict.Ask
	return p.Decide(q).Ruling
}

// The values that arguments of tools have, in each engine.
func TestWhatEachEngineMakesOfArguments(t *testing.T) {
	for name, value := range map[string]string{"a large integer": `12345678901234567890`, "a decimal": `1.5`, "null": `null`, "a list with null": `[1,null]`} {
		if reads, _ := cedarHolds(t, value, `1`); reads {
			t.Errorf("Cedar reads %s", name)
		}
	}
	if _, equal := cedarHolds(t, `[1,2,2]`, `[2,1]`); !equal {
		t.Error("a list of Cedar has an order")
	}
	if v, err := celSays(t, `args.x == 9007199254740992`, `{"x":9007199254740993}`); err != nil || v != true {
		t.Errorf("CEL tells …993 from …992: %v, %v", v, err)
	}
	for _, expression := range []string{`args.queue == "NET"`, `!(args.queue == "NET")`} {
		if _, err := celSays(t, expression, `{"x":1}`); err == nil || !strings.Contains(err.Error(), "no such key") {
			t.Errorf("CEL decides %s without the member: %v", expression, err)
		}
	}
	if d := cedarDecides(t, `forbid (principal, action, resource) when { context.queue == "NET" }; permit (principal, action, resource);`, `{"x":1}`); d != cedar.Allow {
		t.Errorf("a deny of Cedar holds without the member: %v", d)
	}
	for name, c := range map[string]struct {
		effect, where, args string
		want                verdict.Ruling
	}{
		"the same large integer":   {"allow", `{"x":9007199254740993}`, `{"ticket_id":"INC1","x":9007199254740993}`, verdict.Allow},
		"another large integer":    {"allow", `{"x":9007199254740993}`, `{"ticket_id":"INC1","x":9007199254740992}`, verdict.Ask},
		"a decimal":                {"allow", `{"x":1.5}`, `{"ticket_id":"INC1","x":1.50}`, verdict.Allow},
		"null":                     {"allow", `{"x":null}`, `{"ticket_id":"INC1","x":null}`, verdict.Allow},
		"a mixed list":             {"allow", `{"x":{"has":"a"}}`, `{"ticket_id":"INC1","x":[1,null,"a"]}`, verdict.Allow},
		"missing, of an allow":     {"allow", `{"queue":"NET"}`, `{"ticket_id":"INC1"}`, verdict.Ask},
		"missing, of a deny":       {"deny", `{"queue":"NET"}`, `{"ticket_id":"INC1"}`, verdict.Refuse},
		"missing, of a not, allow": {"allow", `{"queue":{"not":"NET"}}`, `{"ticket_id":"INC1"}`, verdict.Ask},
	} {
		if got := ruled(t, c.effect, c.where, c.args); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

const args = `{"ticket_id":"INC1","queue":"NET"}`

// Of 20 rules three are of the tool, the last of which allows.
func BenchmarkRules(b *testing.B) {
	var all []string
	for i := range 17 {
		all = append(all, fmt.Sprintf(`{"effect":"deny","tools":["server%d/tool_*"],"where":{"queue":"NET"}}`, i))
	}
	all = append(all, `{"effect":"deny","tools":["tickets/*"],"where":{"queue":"A"}}`, `{"effect":"deny","tools":["tickets/*"],"where":{"queue":"B"}}`, `{"effect":"allow","tools":["tickets/*"],"where":{"queue":"NET"}}`)
	p, err := rule.Parse(rule.File{Name: "p", Text: []byte(`{"rules":[` + strings.Join(all, ",") + `]}`)})
	if err != nil {
		b.Fatal(err)
	}
	q := question(b, args)
	for b.Loop() {
		if d := p.Decide(q); d.Ruling != verdict.Allow {
			b.Fatal(d)
		}
	}
}

func BenchmarkCedar(b *testing.B) {
	policies := cedar.NewPolicySet()
	add := func(text string) {
		var p cedar.Policy
		if err := p.UnmarshalCedar([]byte(text)); err != nil {
			b.Fatal(err)
		}
		policies.Add(cedar.PolicyID(fmt.Sprint(len(text), text)), &p)
	}
	for i := range 17 {
		add(fmt.Sprintf(`forbid (principal, action, resource == Tool::"server%d/tool") when { context.queue == "NET" };`, i))
	}
	for _, queue := range []string{"A", "B"} {
		add(fmt.Sprintf(`forbid (principal, action, resource == Tool::"tickets/close_ticket") when { context.queue == %q };`, queue))
	}
	add(`permit (principal, action, resource == Tool::"tickets/close_ticket") when { context.queue == "NET" };`)
	for b.Loop() {
		var context cedar.Record
		if err := json.Unmarshal([]byte(args), &context); err != nil {
			b.Fatal(err)
		}
		d, _ := cedar.Authorize(policies, cedar.EntityMap{}, cedar.Request{
			Principal: cedar.NewEntityUID("User", "ada"), Action: cedar.NewEntityUID("Action", "call"),
			Resource: cedar.NewEntityUID("Tool", "tickets/close_ticket"), Context: context,
		})
		if d != cedar.Allow {
			b.Fatal(d)
		}
	}
}

func BenchmarkCEL(b *testing.B) {
	programs := []cel.Program{celProgram(b, `args.queue == "A"`), celProgram(b, `args.queue == "B"`), celProgram(b, `args.queue == "NET"`)}
	for b.Loop() {
		var decoded map[string]any
		if err := json.Unmarshal([]byte(args), &decoded); err != nil {
			b.Fatal(err)
		}
		vars := map[string]any{"args": decoded}
		for i, p := range programs {
			if v, _, err := p.Eval(vars); err != nil || v.Value() != (i == 2) {
				b.Fatal(v, err)
			}
		}
	}
}

// BenchmarkCELExpression is one expression alone, on what was decoded before.
func BenchmarkCELExpression(b *testing.B) {
	p := celProgram(b, `args.queue == "NET"`)
	vars := map[string]any{"args": map[string]any{"queue": "NET"}}
	for b.Loop() {
		if v, _, err := p.Eval(vars); err != nil || v.Value() != true {
			b.Fatal(v, err)
		}
	}
}
