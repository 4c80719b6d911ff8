// Package trace keeps the record of one run: append-only JSON lines, each bound to the
// previous one by its hash.
//
// It vouches that changing, dropping, moving or inserting a line breaks the chain, and,
// through [Receipt], that a body is on disk. It does not vouch for the author of the
// file: an attacker who edits a trace can compute every hash again. The digest of the
// last line, kept elsewhere, proves a file unedited.
//
// A line is one JSON object with its members in this order:
//
//	{"seq":0,"time":"2026-01-02T03:04:05.006Z","kind":"begin","body":{…},"prev":"…","hash":"…"}
//
// hash is the lowercase hex SHA-256 of the line's own bytes before `,"hash"`. prev is the
// previous line's hash, or 64 zeros in the first line. The last line of a finished run
// has the kind "end".
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

// Kind is the kind of record in a line.
type Kind string

// The kinds, in the order in which a run writes them.
const (
	Begin    Kind = "begin"    // run id, question, policy
	Verdict  Kind = "verdict"  // one gate's decision
	Listing  Kind = "listing"  // the listing of one server, or its error
	Proposal Kind = "proposal" // the planner's bytes, or its error
	Decision Kind = "decision" // the decision of the operator's policy, and its record
	Reread   Kind = "reread"   // the deciding files were read again, and the call is decided again
	Approval Kind = "approval" // the record of an approved call; synced before the call leaves
	Consent  Kind = "consent"  // the user's consent to the approved call; synced before the call leaves
	Result   Kind = "result"   // the live descriptor and the answer's bytes, or the call's error
	Guard    Kind = "guard"    // the scanners' findings in the answer
	Writing  Kind = "writing"  // the writer's bytes, or its error
	Outcome  Kind = "outcome"  // the outcome of the run
	End      Kind = "end"      // the last line
)

// Event is one line. An event that was read vouches for its own hash and for its place in
// the chain.
type Event struct {
	Seq  int
	Time time.Time
	Kind Kind
	Body jsontext.Value // one JSON object; of an approval and a consent, canonical
	Hash Hash

	Objects []Hash // of a line that was read: the objects that its body refers to
}

// Hash is the SHA-256 of a line. Of an end line it is the digest of the trace.
type Hash [sha256.Size]byte

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Digest is the displayed form of the hash: "sha256:" and hex.
func (h Hash) Digest() string { return algorithm + h.String() }

const algorithm = "sha256:"

// FileName is the name of a run's trace.
func FileName(runID string) string { return "trace_" + runID + ".jsonl" }

// RunID returns the run id in a trace's file name, or "".
func RunID(file string) string {
	id, named := strings.CutPrefix(file, "trace_")
	id, lines := strings.CutSuffix(id, ".jsonl")
	if !named || !lines {
		return ""
	}
	return id
}

// names decodes the body strictly as its kind, and returns the digests of the objects
// that it refers to. A member that no run writes is an error: no code reads it, so it
// could contain anything, and a reader of the line would believe it. An approval's body
// belongs to gate; a replay compares it byte for byte.
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
	default:
		err = schema.Check(e.Body, lineLimits)
	}
	return nil, err
}

func (e Event) beginNames() ([]Hash, error) {
	var b BeginBody
	err := e.Decode(&b)
	format := struct {
		Format int `json:"format"`
	}{b.Format}
	if err != nil { // another format may have other members
		if err := schema.DecodeOpen(e.Body, &format, lineLimits); err != nil {
			return nil, err
		}
	}
	if err := CheckFormat(format.Format); err != nil {
		return nil, err
	}
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
