package catalog

import (
	"cmp"
	"errors"
	"slices"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Tool is an admitted tool. Its zero value is not a tool. It is small, because a run
// has hundreds of them and shares the content of descriptors with other runs.
type Tool struct {
	read     *reading
	contract *contract
	reached  *pin.Identity
	granted  *grant // by the operator
}

// The parts of the zero Tool.
var (
	noReading  reading
	noContract contract
	noIdentity pin.Identity
	noGrant    grant
)

// Server returns the operator's name of the tool's server.
func (t Tool) Server() string { return cmp.Or(t.read, &noReading).descriptor.Server }

// Descriptor returns the admitted descriptor.
func (t Tool) Descriptor() pin.Descriptor { return cmp.Or(t.read, &noReading).descriptor }

// Unshowable is [Unshowable] of the admitted descriptor. A descriptor that may be shown is
// looked at once.
func (t Tool) Unshowable() *verdict.Denial {
	if r := t.read; r != nil {
		r.looked.Do(func() { r.unshowable = Unshowable(r.descriptor) != nil })
		if !r.unshowable {
			return nil
		}
	}
	return Unshowable(t.Descriptor())
}

// Identity returns how the tool's server is reached.
func (t Tool) Identity() pin.Identity { return *cmp.Or(t.reached, &noIdentity) }

// Effect returns what the operator says that the tool does.
func (t Tool) Effect() Effect { return cmp.Or(t.granted, &noGrant).effect }

// writing returns the grant of a tool that does not count as reading.
func (g *grant) writing() *grant {
	w := *cmp.Or(g, &noGrant)
	w.effect.Tried, w.effect.Reads = w.effect.Reads, false
	return &w
}

// Resource returns the operator's form for the object of a call, or "". In
// "ticket:{ticket_id}", the braces have an argument's name. If the operator adopted
// the server's suggestion, it is the form in the approved descriptor, or [NoResource]
// if the descriptor has no valid form.
func (t Tool) Resource() string {
	form := cmp.Or(t.granted, &noGrant).resource
	if form != suggested {
		return form
	}
	if form = t.Descriptor().Suggestions().Resource; resourceForm().MatchString(form) {
		return form
	}
	return NoResource
}

// NoResource is the resource of a tool with calls about an unknown object.
const NoResource = "none"

// suggested is the operator's word for the server's suggestion.
const suggested = "suggested"

// Name returns the tool's plain name: escape.Name accepts it.
func (t Tool) Name() string { return cmp.Or(t.read, &noReading).fields.Name }

// Fields returns the server's own words about the tool, which are untrusted text.
func (t Tool) Fields() pin.Fields { return cmp.Or(t.read, &noReading).fields }

// Digest identifies the admitted descriptor.
func (t Tool) Digest() pin.Digest { return cmp.Or(t.contract, &noContract).digest }

// Meaning returns the digest of the descriptor's meaning, which does not depend on its
// bytes.
func (t Tool) Meaning() (pin.Digest, error) {
	if t.read == nil {
		return pin.Digest{}, errors.New("there is no tool")
	}
	return t.read.meaning()
}

// Input returns the admitted schema of the arguments.
func (t Tool) Input() schema.Schema { return cmp.Or(t.contract, &noContract).input }

// Output returns the type that a result must have to count as typed. If the tool's own
// schema can be enforced, it comes before the operator's type.
func (t Tool) Output() Output {
	own := cmp.Or(t.contract, &noContract).output
	if own.Basis != Untyped {
		return own
	}
	out := cmp.Or(t.granted, &noGrant).output
	out.Unenforced = own.Unenforced
	return out
}

// Notes returns the parts of the tool's schemas that nothing enforces.
func (t Tool) Notes() []string {
	notes := t.Input().Notes()
	if t.read != nil && t.read.fields.InputSchema == nil {
		notes = append(notes, "the server gives no input schema, so the tool takes no arguments")
	}
	if out := t.Output(); out.Basis == OutputSchema && !out.Schema.OfObject() {
		notes = append(notes, "its results need not be objects: a client of protocol version 2025-11-25 or older gets the text alone")
	}
	if why := t.Output().Unenforced; why != "" {
		notes = append(notes, why)
	}
	return notes
}

// Effect is the operator's statement about a tool: whether it only reads, and who has
// to approve a call. A server's own hints decide nothing. The zero value describes a
// tool that may change something.
type Effect struct {
	Reads    bool // the operator calls the tool reading
	Stated   bool // the operator said read or write; a plain list says neither
	Approval Approval
	Tried    bool // the operator calls it reading, and its sandbox saw a call of it try to write
}

// Asks reports whether every call needs a person's approval, marked or not.
func (e Effect) Asks() bool {
	return e.Approval == Terminal || !e.Reads && e.Approval != Unneeded
}

// By returns the origin of the effect: "operator", "sandbox" or "default". It is
// "sandbox" if a call of a tool that the operator calls reading tried to write, and
// "default" if the allowlist has the tool in a plain list.
func (e Effect) By() string {
	switch {
	case e.Tried:
		return "sandbox"
	case e.Stated:
		return "operator"
	}
	return "default"
}

// AfterUnknown returns what to do after a call that left without a known outcome.
func (e Effect) AfterUnknown() string {
	if !e.Reads {
		return "check at the server whether it took effect; do not just repeat it"
	}
	return "the allowlist says that the tool only reads: ask again"
}

// AfterMade returns what to do after a call with a refused result.
func (e Effect) AfterMade() string {
	if !e.Reads {
		return "the call was made; do not make it a second time"
	}
	return "the call was made, of a tool that only reads by the allowlist: it can be asked again"
}

func (e Effect) String() string {
	if e.Reads {
		return "read"
	}
	return "write"
}

// Approval says who has to approve a call. For a tool that only reads, only [Terminal]
// changes anything.
type Approval int

// The approvals.
const (
	Needed   Approval = iota // a person, for every call
	Unneeded                 // no person, unless the call carries a mark
	Terminal                 // a person at a terminal, and no other consent
)

var approvals = [...]string{"needed", "none", "terminal"}

func (a Approval) String() string { return approvals[a] }

func parseApproval(word string) (a Approval, why string) {
	if a = Approval(slices.Index(approvals[:], word)); a > Needed {
		return a, ""
	}
	return Needed, `has an approval that is neither "none" nor "terminal"`
}
