// Package scan reads strangers' text. It finds what no text should do to a model or a
// person that reads it: give orders, pose as another turn of the conversation, hide
// characters, carry a secret. [Rules] are the rules that apply, a [Part] is one text, and a
// [Report] has every finding and an account of every part.
//
// It vouches for no text: a rule finds only its own patterns, and other attacks are not
// found. Each [Rule] names what it leaves undetected. A hard finding should keep a text
// from reader and model; the caller must do that. The host calls it for results, gate/pin
// for servers' listings, and ask guard for files.
package scan

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// RulesVersion is the version of the rules of [Rules.Scan] and of [secret.Redact]. A trace
// keeps it, so that a reader knows which rules found a text clean.
const RulesVersion = "7"

// Tier is how much a finding weighs.
type Tier int

// The tiers. The zero value is hard.
const (
	Hard Tier = iota // the text is kept from reader and model
	Soft             // the text is shown, and marked
)

func (t Tier) String() string {
	if t == Soft {
		return "soft"
	}
	return "hard"
}

// MarshalText writes the tier as its name.
func (t Tier) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Part is one text of a server, or one of its images or blobs.
type Part struct {
	Where     string // a JSON Pointer into the server's words
	Kind      string // text, structured, resource, error, instructions, description, schema …
	Text      string
	Unscanned string // why an image or a blob has no text to scan
}

// Finding is a finding of one rule in one part.
type Finding struct {
	Rule    string `json:"rule"`
	Tier    Tier   `json:"tier"`
	Where   string `json:"where"` // of the part
	Start   int    `json:"start"` // in bytes of its text
	End     int    `json:"end"`
	Excerpt string `json:"excerpt"` // bounded, redacted, escaped
	Why     string `json:"why"`
}

// State is the state of a part after a scan.
type State string

// The states of a part.
const (
	Scanned   State = "scanned"
	Withheld  State = "withheld"    // a hard finding is in it
	Refused   State = "refused"     // no rule can read it: not UTF-8
	Unscanned State = "not scanned" // it is not text
)

// Entry is the line of a ledger for all parts of one kind with the same state.
type Entry struct {
	Kind  string   `json:"kind"`
	State State    `json:"state"`
	Why   string   `json:"why,omitempty"`
	Parts int      `json:"parts"`
	Bytes int      `json:"bytes"`
	Where []string `json:"where"` // of the first of them
}

// Report has the findings of a scan, and the ledger of all its parts. A part in no line of
// the ledger was never scanned.
type Report struct {
	Version  string    `json:"version"`
	Findings []Finding `json:"findings"` // hard ones first; at most [findingsMax]
	Unlisted int       `json:"unlisted,omitempty"`
	Ledger   []Entry   `json:"ledger"`

	hard bool
}

const (
	findingsMax = 64  // findings that a report lists; it counts the others
	excerptMax  = 160 // bytes of an excerpt
	whereMax    = 8   // places that an entry names
)

// Hard reports whether a reader and a model must not get the text. It is true for a report
// that no scan made.
func (r Report) Hard() bool { return r.hard || r.Version == "" }

// Scan reads every part by every rule. It never fails: unreadable text is refused, and that
// is a hard finding.
func (r Rules) Scan(server string, parts []Part) Report {
	report := Report{Version: RulesVersion, Findings: []Finding{}, Ledger: []Entry{}}
	for _, p := range parts {
		report.enter(p, report.add(p, r.find(server, p)))
	}
	slices.SortStableFunc(report.Findings, func(a, b Finding) int { return cmp.Compare(a.Tier, b.Tier) })
	if n := len(report.Findings) - findingsMax; n > 0 {
		report.Findings, report.Unlisted = report.Findings[:findingsMax], report.Unlisted+n
	}
	return report
}

// add adds the findings of a part and returns its state.
func (r *Report) add(p Part, found []Finding) State {
	state := Scanned
	switch {
	case p.Unscanned != "":
		state = Unscanned
	case !utf8.ValidString(p.Text):
		state = Refused
	}
	for _, f := range found {
		if f.Tier == Hard {
			r.hard = true
			if state == Scanned {
				state = Withheld
			}
		}
	}
	r.Findings = append(r.Findings, found...)
	return state
}

// enter writes a part into the ledger.
func (r *Report) enter(p Part, state State) {
	at := slices.IndexFunc(r.Ledger, func(e Entry) bool { return e.Kind == p.Kind && e.State == state && e.Why == p.Unscanned })
	if at < 0 {
		at = len(r.Ledger)
		r.Ledger = append(r.Ledger, Entry{Kind: p.Kind, State: state, Why: p.Unscanned})
	}
	e := &r.Ledger[at]
	e.Parts++
	e.Bytes += len(p.Text)
	if len(e.Where) < whereMax {
		e.Where = append(e.Where, p.Where)
	}
}
