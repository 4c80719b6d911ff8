package lexical_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval/planning"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
)

// Every string of a call stands in the question, or does so but for the capitals
// in which a description names it, or stands in the schema as a value that is
// allowed there, or is a date or a currency's code.
func TestArgumentsAreTheQuestionsOwn(t *testing.T) {
	t.Parallel()
	derived := regexp.MustCompile(`^(?:[-0-9:TZ/.]+|[A-Z]{3})$`)
	calls(t, append(questions(t), cases(t)...), func(c planning.Case, p plan.Plan) {
		values := schemaValues(t, c)
		for _, s := range leaves(p.Args()) {
			respelled := strings.Contains(strings.ToLower(c.Query), strings.ToLower(s)) && described(c, s)
			if !strings.Contains(c.Query, s) && !slices.Contains(values, s) && !derived.MatchString(s) && !respelled {
				t.Errorf("%s: %q is in neither the question nor the schema", c.ID, s)
			}
		}
	})
}

// described reports whether a tool of the case says s.
func described(c planning.Case, s string) bool {
	return slices.ContainsFunc(c.Tools, func(d pin.Descriptor) bool { return strings.Contains(string(d.Raw), s) })
}

// leaves are the strings of a JSON value.
func leaves(v jsontext.Value) []string {
	var list []string
	for l := range schema.Leaves(v) {
		if l.Kind == '"' && !l.Name {
			list = append(list, l.Text)
		}
	}
	return list
}

// schemaValues are the enum, const and default values of a case's tools.
func schemaValues(tb testing.TB, c planning.Case) []string {
	tb.Helper()
	var list []string
	var walk func(raw jsontext.Value)
	walk = func(raw jsontext.Value) {
		var s struct {
			Enum       jsontext.Value            `json:"enum"`
			Const      jsontext.Value            `json:"const"`
			Default    jsontext.Value            `json:"default"`
			Items      jsontext.Value            `json:"items"`
			Properties map[string]jsontext.Value `json:"properties"`
		}
		if json.Unmarshal(raw, &s) != nil {
			return
		}
		for _, v := range []jsontext.Value{s.Enum, s.Const, s.Default} {
			if v != nil {
				list = append(list, leaves(v)...)
			}
		}
		if s.Items != nil {
			walk(s.Items)
		}
		for _, p := range s.Properties {
			walk(p)
		}
	}
	for _, d := range c.Tools {
		f, err := d.Fields()
		if err != nil {
			tb.Fatal(err)
		}
		walk(f.InputSchema)
	}
	return list
}
