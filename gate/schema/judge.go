package schema

import (
	"errors"

	"github.com/xeipuuv/gojsonschema"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Document is one value that was read once and that any number of validators can
// judge. No validator says yes or no of the zero value, which was never read.
type Document struct {
	root any
	read bool
}

// ReadDocument reads value as strictly as [Validator.Check] does.
func ReadDocument(value []byte) (Document, error) {
	root, err := parse(value, valueLimits)
	return Document{root, err == nil}, err
}

// DocumentOf returns the document of a value as [Any] returns it.
func DocumentOf(root any) Document { return Document{root, true} }

// Member returns a member of the object d, or the zero Document if d has no such
// member.
func (d Document) Member(name string) Document {
	m, _ := d.root.(map[string]any)
	v, has := m[name]
	return Document{v, d.read && has}
}

// Answer is the verdict of two validators on a document. Its zero value is neither yes
// nor no.
type Answer int

// The answers. [Validator.Check] treats Unsure as a mismatch. If a mismatch would help
// the author of a value, a caller must not do so: the author can force Unsure with
// padding that makes a check too costly, or with a number on which the validators
// differ.
const (
	Unsure Answer = iota
	No
	Yes
)

// Judge returns Yes if both validators accept the document, and No if both refuse it.
// Otherwise the error says why neither is known: the validators disagree, one of them
// failed, or the check is too costly.
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

// judge asks both validators, even if the first one refuses. For a closed schema, a
// member without a name in it counts as refused by both: one validator checks that for
// the two.
func (v *validator) judge(root any) (Answer, error) {
	accepts := v.first.accepts(root)
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

// named reports whether a closed schema names everything in a value.
func (v *validator) named(root any) bool { return v.closed == nil || v.closed.accepts(root) }
