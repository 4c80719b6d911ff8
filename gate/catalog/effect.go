package catalog

// Effect is what the operator says of a tool: whether it only reads, and who
// has to approve a call of it. A server's own hints decide nothing. The zero
// value is of a tool that may change something.
type Effect struct {
	Reads    bool // the operator calls the tool reading
	Stated   bool // the operator said read or write; a plain list says neither
	Approval Approval
}

// Asks reports whether every call needs a person's approval, marked or not.
func (e Effect) Asks() bool {
	return e.Approval == Terminal || !e.Reads && e.Approval != Unneeded
}

// By is whose word it is: "operator", or "default" where a plain list says neither.
func (e Effect) By() string {
	if e.Stated {
		return "operator"
	}
	return "default"
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
	Unneeded                 // nobody, as long as the call carries no mark
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
