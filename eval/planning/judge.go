package planning

import (
	"bytes"
	"math/big"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
)

// Observed is what a planner did with a row.
type Observed string

// What can be observed. A planner that is unusable answered, and what it said
// is no plan.
const (
	Exact          Observed = "exact"
	WrongArguments Observed = "wrong_arguments"
	WrongTool      Observed = "wrong_tool"
	Declined       Observed = "declined"
	Unusable       Observed = "unusable"
)

// Judge compares a plan with what the row expects. Any call is of the wrong
// tool where none is right.
func (c Case) Judge(p plan.Plan) Observed {
	switch {
	case p.Declines():
		return Declined
	case c.Expect.Abstain, p.Tool() != c.Expect.Tool, !slices.Equal(c.servers(p.Tool()), []string{p.Server()}):
		return WrongTool
	case !acceptable(p.Args(), c.Expect.Args):
		return WrongArguments
	}
	return Exact
}

// acceptable reports whether args hold an acceptable value for every
// argument, and nothing else.
func acceptable(args jsontext.Value, want map[string][]jsontext.Value) bool {
	var got map[string]jsontext.Value
	if schema.Decode(args, &got, eval.RowLimits()) != nil {
		return false
	}
	for name := range got {
		if _, known := want[name]; !known {
			return false
		}
	}
	for name, values := range want {
		v, given := got[name]
		fits := func(o jsontext.Value) bool { return given && equal(v, o) || !given && string(o) == `""` }
		if !slices.ContainsFunc(values, fits) && (given || len(values) > 0) {
			return false
		}
	}
	return true
}

// equal compares an argument with an acceptable value: strings byte for byte,
// numbers by their exact value (5 is 5.0, and no "5"), lists in order. An
// object whose members are all lists gives the acceptable values of each
// member, as the arguments do; any other object stands for itself.
func equal(got, want jsontext.Value) bool {
	if got.Kind() != want.Kind() {
		return false
	}
	switch got.Kind() {
	case '{':
		return equalObjects(got, want)
	case '[':
		var a, b []jsontext.Value
		return decodeBoth(got, &a, want, &b) && slices.EqualFunc(a, b, equal)
	case '"':
		var a, b string
		return decodeBoth(got, &a, want, &b) && a == b
	case '0':
		a, aok := new(big.Rat).SetString(string(got))
		b, bok := new(big.Rat).SetString(string(want))
		return aok && bok && a.Cmp(b) == 0
	}
	return bytes.Equal(got, want)
}

func equalObjects(got, want jsontext.Value) bool {
	if members, ok := lists(want); ok {
		return acceptable(got, members)
	}
	var a, b map[string]jsontext.Value
	if !decodeBoth(got, &a, want, &b) || len(a) != len(b) {
		return false
	}
	for name, v := range a {
		if w, there := b[name]; !there || !equal(v, w) {
			return false
		}
	}
	return true
}

// lists are the members of an object, if they are all lists. A null would
// decode as one.
func lists(object jsontext.Value) (map[string][]jsontext.Value, bool) {
	var members map[string][]jsontext.Value
	if schema.Decode(object, &members, eval.RowLimits()) != nil {
		return nil, false
	}
	for _, values := range members {
		if values == nil {
			return nil, false
		}
	}
	return members, true
}

func decodeBoth(got jsontext.Value, a any, want jsontext.Value, b any) bool {
	return schema.Decode(got, a, eval.RowLimits()) == nil && schema.Decode(want, b, eval.RowLimits()) == nil
}
