package planning

import (
	"bytes"
	"math/big"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/eval"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/schema"
)

// Observed is a planner's answer to a row, judged.
type Observed string

// The possible observations. An unusable planner answered, but not with a plan.
const (
	Exact          Observed = "exact"
	WrongArguments Observed = "wrong_arguments"
	WrongTool      Observed = "wrong_tool"
	Declined       Observed = "declined"
	Unusable       Observed = "unusable"
	NotAsked       Observed = "not_asked"
)

// Judge compares a plan with the row's expectation, byte by byte. If no call is right,
// every call counts as one of the wrong tool.
func (c Case) Judge(p plan.Plan) Observed { return c.judge(p, verbatim) }

// JudgeLeniently is Judge, but it compares strings, at any place in a value, as the
// checker of the Berkeley Function-Calling Leaderboard does. It ignores case, spaces
// and the punctuation ",./-_*^", and treats ' as ".
func (c Case) JudgeLeniently(p plan.Plan) Observed { return c.judge(p, standardized) }

func (c Case) judge(p plan.Plan, spell spelling) Observed {
	server, tool := c.call()
	switch {
	case p.Declines():
		return Declined
	case c.Expect.Abstain, p.Tool() != tool, p.Server() != server:
		return WrongTool
	case !spell.acceptable(p.Args(), c.Expect.Args):
		return WrongArguments
	}
	return Exact
}

// spelling returns the part of a string that is compared.
type spelling func(string) string

func verbatim(s string) string { return s }

var unspoken = strings.NewReplacer(" ", "", ",", "", ".", "", "/", "", "-", "", "_", "", "*", "", "^", "", "'", `"`)

// standardized is standardize_string of ShishirPatil/gorilla,
// berkeley-function-call-leaderboard/bfcl_eval/eval_checker/ast_eval/ast_checker.py.
func standardized(s string) string { return strings.ToLower(unspoken.Replace(s)) }

// acceptable reports whether args have an acceptable value for every argument, and no
// others.
func (s spelling) acceptable(args jsontext.Value, want map[string][]jsontext.Value) bool {
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
		fits := optional(values)
		if v, supplied := got[name]; supplied {
			fits = s.oneOf(v, values)
		}
		if !fits {
			return false
		}
	}
	return true
}

// optional reports whether an argument with these acceptable values may be absent.
func optional(values []jsontext.Value) bool {
	return len(values) == 0 || slices.ContainsFunc(values, func(v jsontext.Value) bool { return string(v) == `""` })
}

func (s spelling) oneOf(v jsontext.Value, values []jsontext.Value) bool {
	return slices.ContainsFunc(values, func(o jsontext.Value) bool { return s.equal(v, o) })
}

// equal compares an argument with an acceptable value. Strings are compared as
// spelled, numbers by their exact value (5 equals 5.0, but not "5"), and lists in
// order. An object in which all members are lists has the acceptable values of each
// member, like the arguments. Any other object is itself the value.
func (s spelling) equal(got, want jsontext.Value) bool {
	if got.Kind() != want.Kind() {
		return false
	}
	switch got.Kind() {
	case '{':
		return s.equalObjects(got, want)
	case '[':
		var a, b []jsontext.Value
		return decodeBoth(got, &a, want, &b) && slices.EqualFunc(a, b, s.equal)
	case '"':
		var a, b string
		return decodeBoth(got, &a, want, &b) && s(a) == s(b)
	case '0':
		a, aok := new(big.Rat).SetString(string(got))
		b, bok := new(big.Rat).SetString(string(want))
		return aok && bok && a.Cmp(b) == 0
	}
	return bytes.Equal(got, want)
}

func (s spelling) equalObjects(got, want jsontext.Value) bool {
	if members, ok := lists(want); ok {
		return s.acceptable(got, members)
	}
	var a, b map[string]jsontext.Value
	if !decodeBoth(got, &a, want, &b) || len(a) != len(b) {
		return false
	}
	for name, v := range a {
		if w, there := b[name]; !there || !s.equal(v, w) {
			return false
		}
	}
	return true
}

// lists returns the members of an object if they are all lists. A null would decode as
// a list.
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
