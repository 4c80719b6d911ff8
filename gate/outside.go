package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// The words of a decision point outside of this program. They are also the values of on_error.
const (
	outsideAllow    = "allow"
	outsideDeny     = "deny"
	OutsideRefuse   = "refuse"
	OutsideContinue = "continue"
)

// MaxOutside bounds the answer of a decision point, in bytes.
const MaxOutside = 64 << 10

var outsideLimits = schema.Limits{Bytes: MaxOutside, Depth: 1, Values: 8, Exponent: 9, Digits: 12}

// maxOutsideReason bounds the words of a decision point that are recorded and shown, in bytes.
const maxOutsideReason = 500

// ReadOutside reads the answer of a decision point into b, and notes its digest. An answer that
// is not exactly one object with a decision, and perhaps a reason, is an error. So a denial with
// an unknown member is not read as less than it says.
func ReadOutside(answer []byte, b *trace.OutsideBody) error {
	sum := sha256.Sum256(answer)
	b.Digest = "sha256:" + hex.EncodeToString(sum[:])
	var said struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}
	if err := schema.Decode(answer, &said, outsideLimits); err != nil {
		return fmt.Errorf("its answer has %w", err)
	}
	if said.Decision != outsideAllow && said.Decision != outsideDeny {
		return errors.New("the decision of its answer is neither allow nor deny")
	}
	reason, _ := secret.Redact(said.Reason)
	b.Decision, b.Reason = said.Decision, escape.Line(reason, maxOutsideReason)
	return nil
}

// Outside refuses a call by the answers of decision points outside of this program. Each of them
// can only refuse. Without an answer the call is refused, unless the operator wrote that it goes
// on without.
func Outside(all []trace.OutsideBody) error {
	for _, b := range all {
		switch failed := b.Error; {
		case failed == nil && b.Decision == outsideAllow:
		case failed == nil:
			return verdict.Deny(verdict.DecisionDenied, "the decision point of the %s refuses the call: %s", b.Point, b.Reason)
		case failed.Code != verdict.DecisionUnanswered:
			return failed.Err() // the run ended
		case b.OnError != OutsideContinue:
			return verdict.Deny(verdict.DecisionUnanswered, "the decision point of the %s gave no answer: %s", b.Point, failed.Reason)
		}
	}
	return nil
}

// DecisionRecord returns the decision record of an approved call without its secrets, for a
// decision point outside of this program.
func (g *Gate) DecisionRecord(a Approved) (jsontext.Value, error) {
	if a.p == nil {
		return nil, verdict.Deny(verdict.CallUnapproved, "there is no approval")
	}
	byDefault, marked := g.byDefault(a.p.materialised)
	q, _ := g.question(a.p.materialised, byDefault.Ruling, marked)
	record, err := q.Record.JSON()
	if err == nil {
		record, _, err = secret.RedactJSON(record)
	}
	if err != nil {
		return nil, verdict.Deny(verdict.DecisionUnanswered, "the decision record cannot be written without its secrets")
	}
	return record, nil
}
