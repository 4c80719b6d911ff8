package verdict

// Ruling is what a gate comes to. Its zero value refuses.
type Ruling int

// The rulings.
const (
	Refuse Ruling = iota
	Ask           // a person has to approve it first
	Allow
)

func (r Ruling) String() string {
	switch r {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	}
	return "deny"
}
