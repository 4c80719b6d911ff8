package trace

// OutsideBody is the answer of a decision point outside of the program, or why it gave none. A
// replay takes it from here.
type OutsideBody struct {
	Point    string `json:"point"`              // whose it is: "system" or "user"
	Decision string `json:"decision,omitempty"` // "allow" or "deny"
	Reason   string `json:"reason,omitempty"`   // its words, redacted, escaped and cut
	Digest   string `json:"digest,omitempty"`   // of its answer
	Error    *Error `json:"error,omitempty"`    // why it gave no decision
	OnError  string `json:"on_error,omitempty"` // "continue": without a decision the call goes on
}
