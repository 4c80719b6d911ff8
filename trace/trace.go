// Package trace keeps the record of one run: append-only JSON lines, each
// bound to the one before by its hash.
//
// It vouches that a line cannot be changed, dropped, moved or inserted without
// the chain showing it, and, through [Receipt], that a body is on disk. It does
// not vouch for who wrote the file: an attacker who edits a trace can compute every
// hash again. The digest of the last line, kept elsewhere, proves a file
// unedited.
//
// A line is one JSON object with its members in this order:
//
//	{"seq":0,"time":"2026-01-02T03:04:05.006Z","kind":"begin","body":{…},"prev":"…","hash":"…"}
//
// hash is the lowercase hex SHA-256 of the line's own bytes up to, and not
// including, `,"hash"`. prev is the previous line's hash, and of the first
// line 64 zeros. The last line of a finished run is of kind "end".
//
// host writes traces; host/replay and `ask trace` read them.
package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/schema"
)

// Kind says what a line records.
type Kind string

// The kinds, in the order in which a run writes them.
const (
	Begin    Kind = "begin"    // run id, question, policy
	Verdict  Kind = "verdict"  // one gate's decision
	Listing  Kind = "listing"  // what one server listed, or why nothing
	Proposal Kind = "proposal" // the planner's bytes, or how it failed
	Decision Kind = "decision" // what the operator's policy came to, and of which record
	Reread   Kind = "reread"   // what decides was read again, and the call is decided again
	Approval Kind = "approval" // the record of an approved call; synced before the call leaves
	Consent  Kind = "consent"  // a person's yes to the approved call; synced before the call leaves
	Result   Kind = "result"   // the live descriptor and the answer's bytes, or how the call failed
	Guard    Kind = "guard"    // what the scanners found in the answer
	Writing  Kind = "writing"  // the writer's bytes, or how it failed
	Outcome  Kind = "outcome"  // what the run came to
	End      Kind = "end"      // nothing follows
)

// Event is one line. Reading one vouches for its own hash and for its place in
// the chain.
type Event struct {
	Seq  int
	Time time.Time
	Kind Kind
	Body jsontext.Value // one JSON object; of an approval and a consent, canonical
	Hash Hash

	Objects []Hash // of a line that was read: what its body refers to
}

// Hash is the SHA-256 of a line. Of an end line it is the digest of the trace.
type Hash [sha256.Size]byte

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Digest is the hash as it is shown to people: "sha256:" and hex.
func (h Hash) Digest() string { return algorithm + h.String() }

const algorithm = "sha256:"

// FileName is the name of a run's trace.
func FileName(runID string) string { return "trace_" + runID + ".jsonl" }

// RunID is the run id in a trace's file name, or "".
func RunID(file string) string {
	id, named := strings.CutPrefix(file, "trace_")
	id, lines := strings.CutSuffix(id, ".jsonl")
	if !named || !lines {
		return ""
	}
	return id
}

// names reads the body as one of its kind, strictly, and gives the digests of
// the objects that it refers to. A member that no run writes is an error: what
// is never read could say anything, and a reader of the line would believe it.
// An approval's body is its gate's; a replay compares it byte for byte.
func (e Event) names() ([]Hash, error) {
	var err error
	switch e.Kind {
	case Begin:
		return e.beginNames()
	case Verdict:
		err = e.Decode(new(VerdictBody))
	case Decision:
		err = e.Decode(new(DecisionBody))
	case Listing:
		var l ListingBody
		err = e.Decode(&l)
		return referred(l.Tools, l.Instructions), err
	case Reread:
		var b RereadBody
		err = e.Decode(&b)
		return referred(b.Policy, b.Servers, b.Files), err
	case Proposal, Writing:
		err = e.Decode(new(SaidBody))
	case Result:
		err = e.Decode(new(ResultBody))
	case Guard:
		err = e.Decode(new(GuardBody))
	case Outcome:
		err = e.Decode(new(OutcomeBody))
	case End:
		err = e.Decode(new(struct{}))
	}
	return nil, err
}

func (e Event) beginNames() ([]Hash, error) {
	var format struct {
		Format int `json:"format"`
	}
	if err := schema.DecodeOpen(e.Body, &format, lineLimits); err != nil {
		return nil, err
	}
	if err := CheckFormat(format.Format); err != nil {
		return nil, err
	}
	var b BeginBody
	err := e.Decode(&b)
	return referred(b.Brought, b.Policy, b.Servers, b.Files), err
}

func referred(vs ...jsontext.Value) (hs []Hash) {
	for _, v := range vs {
		if h, is := refersTo(v); is {
			hs = append(hs, h)
		}
	}
	return hs
}
