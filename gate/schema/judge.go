package schema

import (
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/xeipuuv/gojsonschema"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Document is one value that was read once, to be judged by any number of
// validators. Its zero value was never read: no validator says yes or no of it.
type Document struct {
	root any
	read bool
}

// ReadDocument reads value by the strictest reading, as [Validator.Check] does.
func ReadDocument(value []byte) (Document, error) {
	root, err := parse(value, valueLimits)
	return Document{root, err == nil}, err
}

// DocumentOf is a value of the kinds that [Any] gives.
func DocumentOf(root any) Document { return Document{root, true} }

// Member is a member of the object that d is; the zero Document where it has none.
func (d Document) Member(name string) Document {
	m, _ := d.root.(map[string]any)
	v, has := m[name]
	return Document{v, d.read && has}
}

// Answer is what two validators say of a document. Its zero value is neither yes
// nor no.
type Answer int

// The answers. [Validator.Check] takes Unsure for a mismatch. Where a mismatch
// would help the author of the value, that can be bought: with padding that makes
// a check too costly, or with a number on which the validators differ.
const (
	Unsure Answer = iota
	No
	Yes
)

// Judge gives yes where both validators accept the document, and no where both
// refuse it. In any other case the error says why neither is known: they disagree,
// one of them failed, or the check is too costly.
func (v Validator) Judge(d Document) (Answer, error) {
	switch {
	case v.v == nil:
		return Unsure, errors.New("no schema was compiled for it")
	case !d.read:
		return Unsure, errors.New("the value was not read")
	case !v.v.affordable(d.root):
		return Unsure, errors.New("it is too costly to check: that could take more than a second")
	}
	answer := Unsure
	err := guarded(func() (err error) {
		answer, err = v.v.judge(d.root)
		return err
	})
	if err != nil {
		return Unsure, errors.New(verdict.Cut(err.Error(), 200))
	}
	return answer, nil
}

// judge asks both, whatever the first one says. What a closed schema does not
// name is refused by both: one validator checks that for the two.
func (v *validator) judge(root any) (Answer, error) {
	accepts := true
	if err := v.first.Validate(root); err != nil {
		if misfit := (*jsonschema.ValidationError)(nil); !errors.As(err, &misfit) {
			return Unsure, err
		}
		accepts = false
	}
	second, err := v.second.Validate(gojsonschema.NewRawLoader(root))
	switch {
	case err != nil:
		return Unsure, err
	case accepts != second.Valid():
		return Unsure, errors.New("the two validators disagree on this value")
	case accepts && v.named(root):
		return Yes, nil
	}
	return No, nil
}

// named reports whether a closed schema names all that is in a value.
func (v *validator) named(root any) bool { return v.closed == nil || v.closed.Validate(root) == nil }
