package trace

import "github.com/onestep-run/onestep/gate/guard"

// GuardBody is what was found in the answer, by the built-in rules and by each
// scanner. Of what they found it has the places, never the text.
type GuardBody struct {
	Rules    string        `json:"rules"`    // the version of the built-in rules, of redaction too
	Ledger   []guard.Entry `json:"ledger"`   // of every part of the answer
	Scanners []ScannerBody `json:"scanners"` // the first is the built-in rules
}

// ScannerBody is what one scanner answered, or how it failed.
type ScannerBody struct {
	Name     string        `json:"name"`
	Findings []FindingBody `json:"findings,omitempty"`
	Error    *Error        `json:"error,omitempty"`
}

// FindingBody is a place in the answer, and the rule that found it.
type FindingBody struct {
	Rule  string `json:"rule"`
	Tier  string `json:"tier"`  // "hard" or "soft"
	Where string `json:"where"` // JSON Pointer (RFC 6901) in the recorded answer
	Start int    `json:"start"` // in bytes of the decoded text there
	End   int    `json:"end"`
	Why   string `json:"why,omitempty"` // the scanner's words, bounded: a stranger's where it is not ours
}

// ResumeBody is the run whose withheld result goes on, and who released it.
type ResumeBody struct {
	RunBody
	By    string   `json:"by"`
	At    string   `json:"at"`    // RFC 3339
	Rules []string `json:"rules"` // that were overruled, as scanner/rule
}
