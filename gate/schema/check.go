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

// Mismatch says where and how a value does not fit its schema. The gate that
// asked gives it a code: the same mismatch is a planner's fault on the way in
// and a server's on the way out. It names members and the schema's own words,
// bounded, and quotes no value. Of a member that the schema does not name it
// repeats the name only where that is one of [lex.Name].
type Mismatch struct {
	Pointer string // JSON Pointer into the value, cut to 200 bytes, in the value's own names
	Detail  string

	place string // as the error repeats it
}

func (m *Mismatch) Error() string {
	if m.Pointer == "" {
		return m.Detail
	}
	return "at " + m.place + ": " + m.Detail
}

// valueLimits only keep validators from harm: what may be how large, the
// callers decide.
var valueLimits = Limits{Bytes: 64 << 20, Depth: 128, Values: 600_000, Exponent: 308, Digits: 64}

// Check reports whether value fits, as a [*Mismatch]: it is one JSON value by
// the reading of [Check], both validators accept it, and nothing stands in it
// that a closed schema does not name.
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

// CheckUnzoned is [Validator.Check], but that of an output a value with the format
// date-time may lack its offset from UTC, as servers write it whose language has
// times without one. Then place is where the first such value is, with nothing of the
// value's own in it. A pattern still asks for what it says, and inputs stay strict.
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

// hasUnzoned reports whether a string of the value is a date-time but for its offset.
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
	if err := v.first.Validate(root); err != nil {
		return v.explain(err)
	}
	r, err := v.second.Validate(gojsonschema.NewRawLoader(root))
	if err != nil {
		return err
	}
	if !r.Valid() {
		return v.explainSecond(r)
	}
	if v.closed == nil {
		return nil
	}
	if err := v.closed.Validate(root); err != nil {
		return v.explain(err)
	}
	return nil
}

// explainSecond explains what the first validator accepted and the second did not.
// Among several errors it takes the least, so that a replay says the same.
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
