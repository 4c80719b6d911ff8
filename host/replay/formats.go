package replay

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// What depends on the version that recorded a trace, and on its format. Every
// format that a release wrote stays readable.

// otherVersion reports whether another version of the program recorded the
// trace. One of format 1 does not say by which it was.
func (t *tape) otherVersion(ours string) bool {
	return t.begin.Version != ours || t.begin.BuiltIn != input.BuiltInDigest()
}

// The gates whose rules may be another version's.
const (
	inputGate   = "input"
	summaryGate = "summary"
)

// policy is the recorded policy. Built-in input rules and an evidence level
// that this program does not have give the verdict that they gave.
func (t *tape) policy() (host.Policy, error) {
	p, err := host.RecordedPolicy(t.begin.Format, t.begin.Policy)
	if no, decided := t.decided(summaryGate); decided && p.LockFromRecord() {
		p = p.Locked(no)
	}
	if !errors.Is(err, input.ErrOtherBuiltIn) {
		return p, err
	}
	no, _ := t.decided(inputGate)
	p.Rules = input.Recorded(no)
	return p, nil
}

// decided is what a gate decided: its denial, nil where it allowed.
func (t *tape) decided(gate string) (no *verdict.Denial, decided bool) {
	for _, d := range t.decisions {
		if d.Gate == gate {
			decided = true
			if d.Code != "" {
				no = verdict.Deny(d.Code, "%s", d.Reason)
				no.Rules = d.Rules
			}
		}
	}
	return no, decided
}

// notRecomputed are the gates whose verdict under a policy is the recorded one.
func (t *tape) notRecomputed(p host.Policy) (gates []string) {
	if p.Rules.FromRecord() {
		gates = append(gates, inputGate)
	}
	if t.otherGuard() {
		gates = append(gates, guardGate)
	}
	if _, decided := t.decided(summaryGate); decided && p.LockFromRecord() {
		gates = append(gates, summaryGate)
	}
	return gates
}

// servers is how each server was reached. Format 1 has that in words alone,
// and in no approval.
func (t *tape) servers() (map[string]pin.Identity, error) {
	if t.begin.Format == 1 {
		return nil, nil
	}
	return host.RecordedServers(t.begin.Servers)
}

// record is the record of an approval, as the trace's format has it.
func (t *tape) record(a gate.Approved) jsontext.Value {
	return a.RecordFormat(t.begin.Format)
}

// decisionsOf are those of an outcome, as the trace's format has them. Format 1
// names no rules.
func (t *tape) decisionsOf(out host.Outcome) []host.Decision {
	ds := slices.Clone(out.Decisions)
	for i := range ds {
		if t.begin.Format == 1 {
			ds[i].Rules = nil
		}
	}
	return ds
}

// typeOf is an outcome's type, as the trace's format has it. In format 1 a dry
// run was a final answer.
func (t *tape) typeOf(out host.Outcome) string {
	if t.begin.Format == 1 && out.Type == host.Planned {
		return host.FinalAnswer.String()
	}
	return out.Type.String()
}

// InProcess reports whether a server of the run was part of the program, as the
// demo's are.
func InProcess(begin trace.BeginBody) bool {
	if begin.Format == 1 {
		return bytes.Contains(begin.Servers, []byte(`"demo"`))
	}
	ids, err := host.RecordedServers(begin.Servers)
	if err != nil {
		return false
	}
	for _, id := range ids {
		if id.Kind == pin.KindInProcess {
			return true
		}
	}
	return false
}
