package catalog

import (
	"cmp"
	"errors"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// Tool is an admitted tool. Its zero value is not a tool. It is small, for a run
// holds hundreds: what its descriptor says is shared with other runs.
type Tool struct {
	read     *reading
	contract *contract
	reached  *pin.Identity
	granted  *grant // by the operator
}

// What a tool has that is none.
var (
	noReading  reading
	noContract contract
	noIdentity pin.Identity
	noGrant    grant
)

// Server is the operator's name of the tool's server.
func (t Tool) Server() string { return cmp.Or(t.read, &noReading).descriptor.Server }

// Descriptor is the one that was admitted.
func (t Tool) Descriptor() pin.Descriptor { return cmp.Or(t.read, &noReading).descriptor }

// Identity is how the tool's server is reached.
func (t Tool) Identity() pin.Identity { return *cmp.Or(t.reached, &noIdentity) }

// Effect is what the operator says that the tool does.
func (t Tool) Effect() Effect { return cmp.Or(t.granted, &noGrant).effect }

// writing is the grant of a tool that does not count as reading.
func (g *grant) writing() *grant {
	w := *cmp.Or(g, &noGrant)
	w.effect.Tried, w.effect.Reads = w.effect.Reads, false
	return &w
}

// Resource is what the operator says that a call is about, such as
// "ticket:{ticket_id}", with arguments in braces; "" where nothing is said. Where the
// operator adopted what the server suggests it is what the approved descriptor says,
// and [NoResource] where that says nothing of the form.
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

// NoResource is the resource of a tool of which it is not known what its calls are about.
const NoResource = "none"

// suggested is the operator's word for what the server suggests.
const suggested = "suggested"

// Name is plain: escape.Name holds of it.
func (t Tool) Name() string { return cmp.Or(t.read, &noReading).fields.Name }

// Fields are the server's own words about the tool: strangers' text.
func (t Tool) Fields() pin.Fields { return cmp.Or(t.read, &noReading).fields }

// Digest identifies the descriptor that was admitted.
func (t Tool) Digest() pin.Digest { return cmp.Or(t.contract, &noContract).digest }

// Meaning is the digest of what the descriptor says, whatever its bytes.
func (t Tool) Meaning() (pin.Digest, error) {
	if t.read == nil {
		return pin.Digest{}, errors.New("there is no tool")
	}
	return t.read.meaning()
}

// Input is the admitted schema of the arguments.
func (t Tool) Input() schema.Schema { return cmp.Or(t.contract, &noContract).input }

// Output is what a result must be to count as typed: the tool's own word comes
// before the operator's, where it can be enforced.
func (t Tool) Output() Output {
	own := cmp.Or(t.contract, &noContract).output
	if own.Basis != Untyped {
		return own
	}
	out := cmp.Or(t.granted, &noGrant).output
	out.Unenforced = own.Unenforced
	return out
}

// Notes are what the tool's schemas say and nothing enforces.
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

// Effect is what the operator says of a tool: whether it only reads, and who
// has to approve a call of it. A server's own hints decide nothing. The zero
// value is of a tool that may change something.
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

// By is whose word it is: "operator", "sandbox" where a call of a tool that the
// operator calls reading tried to write, or "default" where a plain list says neither.
func (e Effect) By() string {
	switch {
	case e.Tried:
		return "sandbox"
	case e.Stated:
		return "operator"
	}
	return "default"
}

// AfterUnknown is what to do after a call of such a tool that left and whose
// outcome is not known.
func (e Effect) AfterUnknown() string {
	if !e.Reads {
		return "check at the server whether it took effect; do not just repeat it"
	}
	return "the allowlist says that the tool only reads: ask again"
}

// AfterMade is what to do after a call of such a tool whose result is refused.
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

// Approval says who has to approve a call. Of a tool that reads only
// [Terminal] changes anything.
type Approval int

// The approvals.
const (
	Needed   Approval = iota // a person, for every call
	Unneeded                 // no person, as long as the call carries no mark
	Terminal                 // a person at a terminal, and nothing else
)

func (a Approval) String() string {
	switch a {
	case Unneeded:
		return "none"
	case Terminal:
		return "terminal"
	}
	return "needed"
}

func parseApproval(word string) (a Approval, why string) {
	switch word {
	case "none":
		return Unneeded, ""
	case "terminal":
		return Terminal, ""
	}
	return Needed, `has an approval that is neither "none" nor "terminal"`
}
