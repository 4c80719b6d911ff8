package schema

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/xeipuuv/gojsonschema"

	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Mismatch reports where and how a value does not fit its schema. It has no code: the
// calling gate adds one, because a mismatch is a planner's fault in the arguments and
// a server's in the result. It quotes the schema's own words, cut to a length, and no
// value. It repeats a member's name that the schema lacks only if the name is a
// [lex.Name].
type Mismatch struct {
	Pointer string // JSON Pointer into the value, in the value's own names, cut to 200 bytes
	Detail  string

	place string // the place as the error prints it
}

func (m *Mismatch) Error() string {
	if m.Pointer == "" {
		return m.Detail
	}
	return "at " + m.place + ": " + m.Detail
}

// valueLimits only protect the validators. The callers set the limits of arguments and
// results.
var valueLimits = Limits{Bytes: 64 << 20, Depth: 128, Values: 600_000, Exponent: 308, Digits: 64}

// Check reports whether value fits the schema; the error is a [*Mismatch]. A value
// fits if it is one JSON value by the reading of [Check] and both validators accept
// it. A closed schema must also name every member.
func (v Validator) Check(value []byte) error {
	if v.v == nil {
		return &Mismatch{Detail: "no schema was compiled for it"}
	}
	doc, err := parse(value, valueLimits)
	if err != nil {
		return &Mismatch{Detail: "the value has " + err.Error()}
	}
	if !v.v.affordable(doc) {
		return &Mismatch{Detail: "it is too costly to check against this schema: that could take more than a second"}
	}
	err = guarded(func() error { return v.v.check(doc) })
	var m *Mismatch
	if err != nil && !errors.As(err, &m) {
		return &Mismatch{Detail: "a validator fails on this value: " + err.Error()}
	}
	return err
}

// CheckUnzoned is [Validator.Check] for outputs, but a date-time may lack its offset
// from UTC. Servers in languages with times without zones write such values. If the
// value has one, place is where the first one is, and it quotes nothing of the value.
// A pattern still applies, and inputs stay strict.
func (v Validator) CheckUnzoned(value []byte) (place string, err error) {
	err = v.Check(value)
	var strict *Mismatch
	switch {
	case !errors.As(err, &strict), v.v == nil, v.v.unzoned == nil, !hasUnzoned(value):
		return "", err
	}
	loose, failed := v.v.unzoned()
	if failed != nil || (Validator{loose}).Check(value) != nil {
		return "", err
	}
	return cmp.Or(strict.place, "/"), nil
}

// hasUnzoned reports whether a string of the value would be a date-time if it had an
// offset.
func hasUnzoned(value []byte) bool {
	if Check(value, valueLimits) != nil {
		return false
	}
	for l := range Leaves(value) {
		if l.Kind == '"' && !l.Name && len(l.Text) <= maxFormatted && isDateTime(l.Text+"Z") {
			return true
		}
	}
	return false
}

func (v *validator) check(root any) error {
	if !v.first.accepts(root) {
		return v.explain(v.first.mismatches(root))
	}
	r, err := v.second.Validate(gojsonschema.NewRawLoader(root))
	if err != nil {
		return err
	}
	if !r.Valid() {
		return v.explainSecond(r)
	}
	if !v.named(root) {
		return v.explain(v.closed.mismatches(root))
	}
	return nil
}

// explainSecond explains why the second validator refused what the first one accepted.
// Among several errors it takes the least by text, so that a replay reports the same
// one.
func (v *validator) explainSecond(r *gojsonschema.Result) error {
	least := ""
	for _, e := range r.Errors() {
		place := strings.TrimPrefix(e.Context().String("/"), gojsonschema.STRING_ROOT_SCHEMA_PROPERTY)
		if s := fmt.Sprintf("%s (%s)", cmp.Or(lex.RepeatPath(place, v.declares), "/"), e.Type()); least == "" || s < least {
			least = s
		}
	}
	return &Mismatch{Detail: "the second validator refuses " + verdict.Cut(least, 200)}
}
