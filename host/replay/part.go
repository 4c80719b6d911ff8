package replay

import (
	"bytes"
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/trace"
)

// part is a section of a run's record. Each look that had the call decided again begins
// another one. Most runs have one part.
type part struct {
	reread   trace.RereadBody // the line that began it; zero for the first part
	verdicts []host.Verdict
	listings []catalog.Listing
	decision *trace.DecisionBody
	decided  decided // the time and the labels of the decision
	approval jsontext.Value
	consent  *trace.ConsentBody
	result   *trace.ResultBody

	policy  host.Policy // the policy of this part
	servers map[string]pin.Identity
}

// readReread begins a part.
func (t *tape) readReread(e trace.Event) error {
	t.parts = append(t.parts, t.part)
	t.part = part{}
	if err := e.Decode(&t.reread); err != nil {
		return err
	}
	return t.resolve(&t.reread.Policy, &t.reread.Servers, &t.reread.Files)
}

// resolve puts the objects that a line refers to in their places.
func (t *tape) resolve(all ...*jsontext.Value) (err error) {
	for _, v := range all {
		if *v, err = t.memory.objects.of(*v, func() (jsontext.Value, int, error) {
			is, err := t.objects.Value(*v)
			return is, len(is), err
		}); err != nil {
			return err
		}
	}
	return nil
}

// policies reads the policy and the servers of each part. A part that records none has
// those of the part before it.
func (t *tape) policies(change func(host.Policy) host.Policy) error {
	begin := trace.RereadBody{Policy: t.begin.Policy, Servers: t.begin.Servers}
	for i := range t.parts {
		p, from := &t.parts[i], begin
		if i > 0 {
			from = p.reread
		}
		if from.Policy == nil && i > 0 {
			p.policy, p.servers = t.parts[i-1].policy, t.parts[i-1].servers
			continue
		}
		policy, err := t.memory.policies.of(from.Policy, func() (host.Policy, int, error) {
			p, err := Policy(from.Policy)
			return p, 0, err
		})
		if errors.Is(err, input.ErrOtherBuiltIn) { // these rules repeat their verdict
			policy.Rules, err = input.Recorded(denied(p.verdicts, inputGate)), nil
		}
		if err != nil {
			return unreadable("policy", err)
		}
		if change != nil {
			policy = change(policy)
		}
		p.policy = policy
		if _, err := host.Location(policy.CallRules); err != nil && p.decided.Time.Zone != zoneName(policy.CallRules) {
			return err // and no recorded time is in this zone
		}
		p.servers, err = t.memory.servers.of(from.Servers, func() (map[string]pin.Identity, int, error) {
			ids, err := Servers(from.Servers)
			return ids, 0, err
		})
		if err != nil {
			return unreadable("servers", err)
		}
	}
	t.part = t.parts[len(t.parts)-1]
	return nil
}

// next is the part after the played part, or nil.
func (t *tape) next() *part {
	if i := t.config.Reading + 1; int(i) < len(t.parts) {
		return &t.parts[i]
	}
	return nil
}

// latest is the configuration that the run found at each of its looks.
func (t *tape) latest(context.Context) (host.Config, error) {
	t.looks++
	next := t.next()
	if next == nil || next.reread.Look != t.looks {
		return t.config, nil
	}
	if next.reread.Error != nil {
		return t.config, next.reread.Error.Err()
	}
	if t.same {
		t.differs = append(t.differs, t.compareDecided()...)
	}
	t.play(int(t.config.Reading) + 1)
	return t.config, nil
}

// play has the host decide as the run did in one of its parts.
func (t *tape) play(i int) {
	t.part, t.again, t.approved = t.parts[i], nil, nil
	t.config.Policy, t.config.Servers, t.config.Reading = t.policy, t.servers, uint64(i)
}

// moves has the host look again at the point where the run did. This is before an answer of
// a person was used, or before its call left.
func (t *tape) moves() error {
	if next := t.next(); next != nil && next.reread.Look == t.looks+1 {
		return verdict.Deny(verdict.ConfigChanged, "%s", next.reread.Why)
	}
	for _, d := range t.verdicts {
		if d.Code == verdict.ConfigChanged {
			return recordedAnswer(d)
		}
	}
	return nil
}

// compareDecided compares the recorded result of a part with the recomputed one: the
// policy's decision, and the approval.
func (t *tape) compareDecided() []Divergence {
	if t.same && !t.decidedSame() {
		return []Divergence{{"decision", decision("decision", "recorded"), decision("decision", "another record or another rule")}}
	}
	if t.approval != nil && t.approved != nil && !bytes.Equal(t.approved, t.approval) {
		return []Divergence{{"approval", decision("approval", "recorded"), decision("approval", "another call")}}
	}
	return nil
}

// deciding is the digest of the policy. Under a changed policy it is the recorded digest,
// which a trace may lack.
func (t *tape) deciding() string {
	was, err := gate.ReadRecord(t.approval)
	own := !t.changed && was.Deciding != ""
	if err != nil || t.approval == nil || own {
		return t.policy.Digest()
	}
	return was.Deciding
}
