// Package schema is where strangers' bytes meet a decoder, and where a value
// meets the JSON Schema it must fit.
//
// [Check], [Decode] and [Members] read JSON by its strictest reading, once and
// within limits; [Envelope] leaves the values to its caller, and
// [Leaves] walks a value that was read.
//
// [Admit] vouches that a server's or an operator's schema can be enforced:
// every keyword of it is known, can be said in draft-07 and in draft
// 2020-12, refers to nothing outside itself and costs a bounded amount of work.
// [Validator.Check] vouches that a value fits: two independent validators
// accept it, and where the schema describes a tool's input nothing is in it
// that the schema does not name. It does so within about a second, or refuses.
// docs/schemas.md has the rules. [Schema.Root] is an admitted schema as a tree,
// for its readers: no other package resolves a reference of one.
//
// It does not vouch that a schema says what a tool needs, and the two
// validators share Go's regular expressions: a pattern is what RE2 makes of
// it. It opens no file and no connection, whatever a schema refers to.
//
// gate/pin, gate/catalog, gate, planner, summarize, trace and config call it.
package schema

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Role says whose contract a schema states.
type Role int

// The roles. An Input schema is closed: what it does not name is refused. An
// Output schema says no more than it declares.
const (
	Input Role = iota
	Output
)

// Options of [Admit].
type Options struct {
	Role          Role
	StrictFormats bool // an unknown format makes the schema unenforceable instead of noted
	Finite        bool // a reference that leads back to itself makes it unenforceable, whatever it passes
}

// Schema is an admitted schema: every keyword of it can be enforced. Its zero
// value compiles to nothing. Only [Admit] makes one.
type Schema struct{ s *admitted }

type admitted struct {
	raw     string
	role    Role
	notes   []string
	root    *Node
	doc     any              // the root as validators see it, with definitions
	defs    map[string]*Node // what is referred to, by the names that validators see
	weight  int
	mirrors []mirror
}

// notAdmitted is what a schema has that Admit did not make.
var notAdmitted admitted

// Admit vouches that raw can be enforced, and is cheap: it compiles nothing.
// Its error is a *verdict.Denial of code schema.unenforceable that names the
// keyword and its place.
func Admit(raw []byte, opt Options) (Schema, error) {
	doc, err := parse(raw, DescriptorLimits)
	if err != nil {
		return Schema{}, verdict.Deny(verdict.SchemaUnenforceable, "the schema has %v", err)
	}
	a := &admission{opt: opt, defs: map[string]*Node{}, weight: perText * len(raw)}
	root, err := a.admit(doc)
	if err != nil {
		return Schema{}, err
	}
	l := newLoader().of(root)
	if err := l.bounded(); err != nil {
		return Schema{}, err
	}
	return Schema{&admitted{string(raw), opt.Role, a.notes, root, a.document(root), a.defs, a.weight, a.mirrors}}, nil
}

// Weight is about how many bytes the schema takes once it is compiled: at most
// some 17 MiB. It bounds what keeps validators; a typical tool's is 30 KiB.
func (s Schema) Weight() int {
	return cmp.Or(s.s, &notAdmitted).weight
}

// Raw is the schema as it was sent. It is a copy.
func (s Schema) Raw() jsontext.Value {
	if s.s == nil {
		return nil
	}
	return jsontext.Value(s.s.raw)
}

// Notes are what is not enforced and does not need to be, such as unknown
// formats, each with its place.
func (s Schema) Notes() []string {
	return slices.Clone(cmp.Or(s.s, &notAdmitted).notes)
}
