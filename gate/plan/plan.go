// Package plan reads the output of a planner.
//
// A [Plan] vouches for form only: it has one of the two shapes below and was decoded
// once. It vouches for no permission: the tool may not exist, and no schema has
// checked the arguments. gate decides.
//
// No planner is trusted, whether a model or code wrote the bytes: host gives the
// output of every proposer to [Parse], and also a plan that came with the question.
package plan

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

const (
	// MaxAnswer bounds a plan's free text, in bytes.
	MaxAnswer = 1 << 10
	// maxName bounds the name of a server or a tool, in bytes.
	maxName = 128
)

// The two types, as spelled in a plan.
const (
	typeCall    = "call_tool"
	typeDecline = "final_answer"
)

// Plan is a proposed step: call one tool, or decline and ask for more. Its
// zero value declines.
type Plan struct {
	server, tool string
	args         jsontext.Value
	answer       string
}

// Declines reports whether the planner proposes no call.
func (p Plan) Declines() bool { return p.tool == "" }

// Answer returns the question of a declining planner, which is a model's free text.
func (p Plan) Answer() string { return p.answer }

// Server returns the server that the plan names.
func (p Plan) Server() string { return p.server }

// Tool returns the tool that the plan names, or "" if it declines.
func (p Plan) Tool() string { return p.tool }

// Args returns one strict JSON object, byte for byte as proposed.
func (p Plan) Args() jsontext.Value { return bytes.Clone(p.args) }

// Without returns the plan without one argument; the bytes of the others stay.
func (p Plan) Without(argument string) Plan {
	p.args = schema.Without(p.args, argument)
	return p
}

// JSON writes the plan again, in one of the two shapes.
func (p Plan) JSON() jsontext.Value {
	if p.Declines() {
		return Decline(p.answer)
	}
	return Call(p.server, p.tool, p.args)
}

// shape has every member of both shapes. A member stays raw until it is known to
// belong, because null differs from an absent member.
type shape struct {
	Type   string         `json:"type"`
	Server jsontext.Value `json:"server"`
	Tool   jsontext.Value `json:"tool"`
	Args   jsontext.Value `json:"args"`
	Answer jsontext.Value `json:"answer"`
	More   jsontext.Value `json:"needs_more_info"`
}

// Parse reads the output of a planner: exactly one of
//
//	{"type":"call_tool","server":"…","tool":"…","args":{…}}
//	{"type":"final_answer","answer":"…","needs_more_info":true}
//
// with only white space around it. Anything else is a plan.* denial. Nothing is
// repaired: a fence, a prefix or a second object is a refusal, because a parser must
// not guess the meaning of a planner.
func Parse(b []byte) (Plan, error) { return parse(b, schema.PlanLimits) }

// MaxBrought bounds a plan from a client, in bytes, unless the operator sets another
// bound.
const MaxBrought = 1 << 20

// ParseBrought is [Parse] for a plan from a client, of at most max bytes, or
// [MaxBrought] if max is 0. It allows more values in the same proportion.
func ParseBrought(b []byte, max int) (Plan, error) {
	lim := schema.PlanLimits
	bytes := cmp.Or(max, MaxBrought)
	lim.Values = lim.Values / 64 * (bytes>>10 + 1)
	lim.Bytes, lim.Depth = bytes, schema.ResultLimits.Depth
	return parse(b, lim)
}

func parse(b []byte, lim schema.Limits) (Plan, error) {
	var s shape
	if err := schema.Decode(b, &s, lim); err != nil {
		return Plan{}, schema.Deny(err, "the plan", verdict.PlanJSON, unreadable)
	}
	switch s.Type {
	case typeCall:
		return s.call()
	case typeDecline:
		return s.decline()
	}
	return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's type is neither %s nor %s", typeCall, typeDecline)
}

func (s shape) call() (Plan, error) {
	server, tool := text(s.Server), text(s.Tool)
	switch {
	case s.Answer != nil || s.More != nil:
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan calls a tool and answers at the same time")
	case server == "" || len(server) > maxName:
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's server is not a name of 1 to %d bytes", maxName)
	case tool == "" || len(tool) > maxName:
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's tool is not a name of 1 to %d bytes", maxName)
	case s.Args.Kind() != '{':
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's args is not an object")
	}
	return Plan{server: server, tool: tool, args: s.Args}, nil
}

func (s shape) decline() (Plan, error) {
	answer := text(s.Answer)
	switch {
	case s.Server != nil || s.Tool != nil || s.Args != nil:
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan answers and calls a tool at the same time")
	case len(answer) > MaxAnswer || strings.TrimSpace(answer) == "":
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's answer is not a text of 1 to %d bytes", MaxAnswer)
	case s.More.Kind() != 't': // a planner never has a final answer
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's needs_more_info is not true")
	}
	return Plan{answer: answer}, nil
}

// text returns a JSON string decoded, and "" for any other value.
func text(v jsontext.Value) string {
	if v.Kind() != '"' {
		return ""
	}
	s, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return ""
	}
	return string(s)
}

// unreadable are the codes of a plan that is not malformed JSON.
var unreadable = map[schema.Fault]verdict.Code{schema.Oversize: verdict.PlanSize, schema.Number: verdict.PlanNumber, schema.Misfit: verdict.PlanShape}

// Call writes the plan for one call. args must be a JSON object; [Parse] finds its
// faults.
func Call(server, tool string, args jsontext.Value) []byte {
	return encode(struct {
		Type   string         `json:"type"`
		Server string         `json:"server"`
		Tool   string         `json:"tool"`
		Args   jsontext.Value `json:"args"`
	}{typeCall, server, tool, args})
}

// Decline writes the plan that asks the user for more.
func Decline(answer string) []byte {
	return encode(struct {
		Type   string `json:"type"`
		Answer string `json:"answer"`
		More   bool   `json:"needs_more_info"`
	}{typeDecline, answer, true})
}

// encode writes v, or nothing if v cannot be JSON: an empty text is not a plan.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
