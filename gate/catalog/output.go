package catalog

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Basis is the origin of a result's type.
type Basis int

// The bases. The zero value is not a type.
const (
	Untyped        Basis = iota
	OutputSchema         // the tool's own outputSchema
	OperatorSchema       // "output": {schema} in the allowlist
	OperatorText         // "output": "text" in the allowlist
)

func (b Basis) String() string {
	return [...]string{"untyped", "output_schema", "operator_schema", "operator_text"}[b]
}

// Output is the type declared for a tool's results. Its zero value declares none.
type Output struct {
	Basis  Basis
	Schema schema.Schema // of OutputSchema and OperatorSchema

	// Unenforced is why the tool's own schema does not check a result. It is "" if the
	// schema does, or if the tool declares none.
	Unenforced string
}

// ownOutput returns the type that the tool declares. A schema that cannot be enforced
// gives no type. The tool can still be called, and its answer is shown and trusted as
// little as without a schema.
func ownOutput(raw jsontext.Value, strict bool) Output {
	s, err := schema.Admit(raw, schema.Options{Role: schema.Output, StrictFormats: strict})
	if err != nil {
		return Output{Unenforced: "the tool's output schema cannot be enforced: " + reasonOf(err)}
	}
	return Output{Basis: OutputSchema, Schema: s}
}

// reasonOf returns a denial's reason without its code.
func reasonOf(err error) string {
	if d, is := errors.AsType[*verdict.Denial](err); is {
		return d.Reason
	}
	return err.Error()
}

// declared reads the "output" of an allowlist entry.
func declared(raw jsontext.Value) (Output, error) {
	var word string
	if raw.Kind() == '"' {
		if err := schema.Decode(raw, &word, allowlistLimits); err != nil || word != "text" {
			return Output{}, errors.New(`is a string other than "text"`)
		}
		return Output{Basis: OperatorText}, nil
	}
	// Every format in the operator's schema must be enforceable: any other would be a
	// promise that the program does not keep.
	s, err := schema.Admit(raw, schema.Options{Role: schema.Output, StrictFormats: true})
	if err != nil {
		return Output{}, errors.New("cannot be enforced: " + reasonOf(err))
	}
	return Output{Basis: OperatorSchema, Schema: s}, nil
}
