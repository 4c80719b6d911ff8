// Package planner turns a question and a catalog into one proposed step.
//
// A [Plan] vouches for form only: it is one of the two shapes below, and
// nothing of it has been allowed. The tool it names may not exist; its
// arguments have met no schema. gate decides.
//
// The planner is never trusted, whether a model wrote the bytes or code did:
// host gives whatever a proposer returns to [Parse].
package planner

import (
	"bytes"
	"errors"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/go-playground/validator/v10"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// MaxAnswer is the length limit, in bytes, of a plan's free text.
const MaxAnswer = 1 << 10

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

// call and decline are the two shapes. A null member decodes to the empty
// value, which no rule below lets through.
type call struct {
	Type   string         `json:"type" validate:"eq=call_tool"`
	Server string         `json:"server" validate:"required,max=128"`
	Tool   string         `json:"tool" validate:"required,max=128"`
	Args   jsontext.Value `json:"args" validate:"required"`
}

type decline struct {
	Type          string `json:"type" validate:"eq=final_answer"`
	Answer        string `json:"answer" validate:"required"`
	NeedsMoreInfo bool   `json:"needs_more_info" validate:"required"` // false: a planner has no answers of its own
}

var shapes = newShapes()

// newShapes names a member as the plan spells it.
func newShapes() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string { return f.Tag.Get("json") })
	return v
}

// Parse reads what a planner wrote: exactly one of
//
//	{"type":"call_tool","server":"…","tool":"…","args":{…}}
//	{"type":"final_answer","answer":"…","needs_more_info":true}
//
// and nothing around it but white space. Anything else is a plan.* denial.
// Nothing is repaired: a fence, a prefix or a second object is a refusal, for
// what a planner meant is not for a parser to guess.
func Parse(b []byte) (Plan, error) {
	var which struct {
		Type string `json:"type"`
	}
	if err := schema.DecodeOpen(b, &which, schema.PlanLimits); err != nil {
		return Plan{}, denial(err)
	}
	switch which.Type {
	case "call_tool":
		return parseCall(b)
	case "final_answer":
		return parseDecline(b)
	}
	return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's type is neither call_tool nor final_answer")
}

func parseCall(b []byte) (Plan, error) {
	var c call
	if err := read(b, &c); err != nil {
		return Plan{}, err
	}
	if c.Args.Kind() != '{' {
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's args is not an object")
	}
	return Plan{server: c.Server, tool: c.Tool, args: bytes.Clone(c.Args)}, nil
}

func parseDecline(b []byte) (Plan, error) {
	var d decline
	if err := read(b, &d); err != nil {
		return Plan{}, err
	}
	if len(d.Answer) > MaxAnswer || strings.TrimSpace(d.Answer) == "" {
		return Plan{}, verdict.Deny(verdict.PlanShape, "the plan's answer is empty or longer than %d bytes", MaxAnswer)
	}
	return Plan{answer: d.Answer}, nil
}

func read(b []byte, shape any) error {
	if err := schema.Decode(b, shape, schema.PlanLimits); err != nil {
		return denial(err)
	}
	if err := shapes.Struct(shape); err != nil {
		return misshapen(err)
	}
	return nil
}

func denial(err error) *verdict.Denial {
	code := verdict.PlanJSON
	var e *schema.Error
	if errors.As(err, &e) {
		switch e.Fault {
		case schema.Oversize:
			code = verdict.PlanSize
		case schema.Number:
			code = verdict.PlanNumber
		case schema.Misfit:
			code = verdict.PlanShape
		}
	}
	return verdict.Deny(code, "the plan has %v", err)
}

// misshapen names the member that is wrong; never its value.
func misshapen(err error) *verdict.Denial {
	var fields validator.ValidationErrors
	if errors.As(err, &fields) && len(fields) > 0 {
		return verdict.Deny(verdict.PlanShape, "the plan's member %s breaks the rule %q", fields[0].Field(), fields[0].Tag())
	}
	return verdict.Deny(verdict.PlanShape, "the plan is of neither shape")
}

// Call writes the plan for one call. args must be a JSON object; what is
// wrong with it is for [Parse] to find.
func Call(server, tool string, args jsontext.Value) []byte {
	return encode(call{"call_tool", server, tool, args})
}

// Decline writes the plan that asks the user for more.
func Decline(answer string) []byte {
	return encode(decline{"final_answer", answer, true})
}

// encode writes v, or nothing where v cannot be JSON: nothing parses as no plan.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
