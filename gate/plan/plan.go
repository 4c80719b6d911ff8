// Package plan reads what a planner wrote.
//
// A [Plan] vouches for form only: it is one of the two shapes below, decoded
// once, and nothing of it has been allowed. The tool it names may not exist;
// its arguments have met no schema. gate decides.
//
// The planner is never trusted, whether a model wrote the bytes or code did:
// host gives whatever a proposer returns to [Parse], and what the asker brought
// along too.
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
	// MaxAnswer is the length limit, in bytes, of a plan's free text.
	MaxAnswer = 1 << 10
	// maxName is the length limit, in bytes, of a server's and of a tool's name.
	maxName = 128
)

// The two types, as a plan spells them.
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

// Answer is what a declining planner asks: a model's free text.
func (p Plan) Answer() string { return p.answer }

// Server is the server that the plan names.
func (p Plan) Server() string { return p.server }

// Tool is the tool that the plan names, "" when it declines.
func (p Plan) Tool() string { return p.tool }

// Args is one strict JSON object, byte for byte as proposed.
func (p Plan) Args() jsontext.Value { return bytes.Clone(p.args) }

// Without is the plan without one argument; the bytes of the others stay.
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

// shape is every member that either of the two shapes has. A member stays raw
// until it is known to belong: a null is not an absent one.
type shape struct {
	Type   string         `json:"type"`
	Server jsontext.Value `json:"server"`
	Tool   jsontext.Value `json:"tool"`
	Args   jsontext.Value `json:"args"`
	Answer jsontext.Value `json:"answer"`
	More   jsontext.Value `json:"needs_more_info"`
}

// Parse reads what a planner wrote: exactly one of
//
//	{"type":"call_tool","server":"…","tool":"…","args":{…}}
//	{"type":"final_answer","answer":"…","needs_more_info":true}
//
// and nothing around it but white space. Anything else is a plan.* denial.
// Nothing is repaired: a fence, a prefix or a second object is a refusal, for
// what a planner meant is not for a parser to guess.
func Parse(b []byte) (Plan, error) { return parse(b, schema.PlanLimits) }

// MaxBrought is how many bytes a plan that a client brings may have, unless the
// operator sets another bound.
const MaxBrought = 1 << 20

// ParseBrought is [Parse] of a plan that a client brings, of at most max bytes, or
// [MaxBrought] where max is 0. Its values may be as many in proportion.
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
	case s.More.Kind() != 't': // a planner has no answers of its own
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's needs_more_info is not true")
	}
	return Plan{answer: answer}, nil
}

// text is a JSON string decoded, and "" for anything else.
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

// unreadable are the codes of a plan that is not malformed.
var unreadable = map[schema.Fault]verdict.Code{schema.Oversize: verdict.PlanSize, schema.Number: verdict.PlanNumber, schema.Misfit: verdict.PlanShape}

// Call writes the plan for one call. args must be a JSON object; what is
// wrong with it is for [Parse] to find.
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

// encode writes v, or nothing where v cannot be JSON: nothing parses as no plan.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
