package host

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// journal is the trace of a run, and the verdicts that are on it.
type journal struct {
	log      *trace.Log
	sink     TraceSink
	verdicts *[]Verdict    // of the outcome
	sent     gate.Approved // the call that may have left
}

// record records one gate's decision: its no, or its yes. If it cannot be recorded,
// the run stops there, allowed or not.
func (j *journal) record(gateName string, err error) error {
	return j.rule(Verdict{Gate: gateName}, gate.Ruled{Ruling: verdict.Allow}, err)
}

// rule records a decision that may name rules. It fills in the verdict, its code
// and its reason.
func (j *journal) rule(d Verdict, allowed gate.Ruled, err error) error {
	d.Verdict, d.Rules = allowed.Ruling.String(), allowed.Names()
	if e := trace.ErrorOf(err); e != nil {
		d.Verdict, d.Code, d.Reason, d.Rules = "fault", e.Code, e.Reason, verdict.Rules(err)
		if e.Denied {
			d.Verdict = verdict.Refuse.String()
		}
	}
	*j.verdicts = append(*j.verdicts, d)
	return errors.Join(err, j.append(trace.Verdict, trace.VerdictBody(d)))
}

// append writes one line.
func (j *journal) append(kind trace.Kind, body any) error {
	if err := j.log.Append(kind, body); err != nil {
		return j.unwritten(err)
	}
	return nil
}

// unwritten is the fault of a line that cannot be written. Before the call, the
// call is not made; after it, the answer is withheld.
func (j *journal) unwritten(err error) error {
	if j.sent.Redeemed() {
		return verdict.Fail(verdict.TraceLost, err, "the trace could not be written after the call: %v", err)
	}
	return unwritable(err)
}

func unwritable(err error) error {
	return verdict.Fail(verdict.TraceUnwritable, err, "the trace cannot be written: %v", err)
}

func (j *journal) commit(kind trace.Kind, record jsontext.Value) (trace.Receipt, error) {
	receipt, err := j.log.Commit(kind, record)
	if err != nil {
		return trace.Receipt{}, unwritable(err)
	}
	return receipt, nil
}

// listed is the record of one server's listing. All its tools came with the same
// instructions: [catalog.Admit] ensures that.
func (j *journal) listed(s *listings, l catalog.Listing) trace.ListingBody {
	body := trace.ListingBody{Server: l.Server, Tools: j.log.Share(s.object(l)), Wrote: l.Wrote, Error: trace.ErrorOf(l.Err)}
	if len(l.Tools) > 0 && l.Tools[0].Instructions != "" {
		body.Instructions = j.log.Share(trace.NewText(l.Tools[0].Instructions))
	}
	for _, d := range l.Tools {
		if len(d.OrderAt) > 0 {
			f, _ := d.Fields()
			body.Order(f.Name, d.OrderAt)
		}
	}
	for _, h := range l.Held {
		body.Held = append(body.Held, trace.HeldBody{Tool: h.Tool, Error: trace.ErrorOf(h.Denial)})
	}
	return body
}
