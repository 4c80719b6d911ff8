package catalog

import (
	"cmp"
	"errors"

	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
)

// Tool is an admitted tool. Its zero value is no tool. It is small, for a run
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

// Name is plain: guard.Name holds of it.
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
	if why := t.Output().Unenforced; why != "" {
		notes = append(notes, why)
	}
	return notes
}
