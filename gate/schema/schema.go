// Package schema decodes untrusted bytes, and checks values against JSON Schemas. No
// other package decodes untrusted bytes.
//
// [Check], [Decode] and [Members] read JSON by its strictest reading, once and within
// limits; [Envelope] leaves the values to its caller, and [Leaves] walks a value that
// was read.
//
// [Admit] vouches that a server's or an operator's schema can be enforced: every
// keyword is known and exists in draft-07 and in draft 2020-12, nothing refers outside
// the schema, and the work is bounded. [Validator.Check] vouches that a value fits:
// two independent validators accept it, and a tool's input has no member that its
// schema does not name. It decides within about a second, or refuses. docs/schemas.md
// has the rules. [Schema.Root] is an admitted schema as a tree, for its readers: no
// other package resolves references.
//
// It does not vouch that a schema says what a tool needs. The two validators share
// Go's regular expressions: a pattern means what RE2 makes of it. It opens no file and
// no connection, whatever a schema refers to.
//
// gate/pin, gate/catalog, gate, planner, summarize, trace and config call it.
package schema

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/verdict"
)

// Role says which side of a call a schema describes.
type Role int

// The roles. An Input schema is closed: unnamed members are refused. An Output schema
// says no more than it declares.
const (
	Input Role = iota
	Output
)

// Options of [Admit].
type Options struct {
	Role          Role
	StrictFormats bool // an unknown format makes the schema unenforceable instead of noted
	Finite        bool // a reference that leads back to itself makes it unenforceable, even through properties
}

// Schema is an admitted schema: every keyword can be enforced. Its zero value compiles
// to nothing. Only [Admit] makes one.
type Schema struct{ s *admitted }

type admitted struct {
	raw     string
	role    Role
	notes   []string
	root    *Node
	doc     any              // the root as validators see it, with definitions
	defs    map[string]*Node // the targets of references, by the names that validators see
	weight  int
	mirrors []mirror
}

// notAdmitted is the content of a schema that Admit did not make.
var notAdmitted admitted

// Admit vouches that raw can be enforced. It is cheap, because it compiles nothing.
// Its error is a *verdict.Denial with the code schema.unenforceable that names the
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

// Weight returns roughly the bytes of the compiled schema, at most some 17 MiB.
//
// It bounds caches of validators. A typical tool's schema takes 30 KiB.
func (s Schema) Weight() int {
	return cmp.Or(s.s, &notAdmitted).weight
}

// Raw returns a copy of the schema as sent.
func (s Schema) Raw() jsontext.Value {
	if s.s == nil {
		return nil
	}
	return jsontext.Value(s.s.raw)
}

// Notes are the parts of the schema that are not enforced and need not be, each with
// its place. Unknown formats are an example.
func (s Schema) Notes() []string {
	return slices.Clone(cmp.Or(s.s, &notAdmitted).notes)
}
