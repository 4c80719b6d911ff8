// Package replay runs a recorded question again, with the trace in place of
// model, servers and clock, and no network.
//
// Every verdict is computed again by the same gates. The answers of planner, writer and
// servers are read from the trace. It vouches that the recorded verdicts follow from the
// recorded words and the policy. It does not vouch that those words were ever said: verify
// the trace first.
//
// `ask trace replay` calls it.
package replay

import (
	"bytes"
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/trace"
)

// Options of [Run].
type Options struct {
	// Change gives the policy to replay under, made of the recorded one; nil
	// replays under that.
	Change func(recorded host.Policy) host.Policy
	// Decide stops at the decision on the call. Later steps are not replayed, and count as
	// a difference.
	Decide bool
	// Types are the Go types that the run checked results against.
	Types map[string]func(value []byte) error
	// Version is this program's.
	Version string
	// Objects gives the objects that the trace's lines refer to.
	Objects trace.Objects
	// Memory is for replays of traces with the same objects; nil remembers nothing.
	Memory *Memory

	quarantine host.Quarantine
}

// Divergence is one verdict that came out differently. Was or Now is empty if only one of
// the runs reached the gate.
type Divergence struct {
	Gate string       `json:"gate"`
	Was  host.Verdict `json:"was"`
	Now  host.Verdict `json:"now"`
}

// Report is the result of a replay.
type Report struct {
	Complete      bool         `json:"complete"`       // the trace had an end
	OtherVersion  bool         `json:"other_version"`  // another version of the program recorded it
	NotRecomputed []string     `json:"not_recomputed"` // gates that took their verdict from the record
	Differences   []Divergence `json:"differences"`    // in the order of the gates
	Outcome       host.Outcome `json:"outcome"`        // of the replay; it names no trace

	Recorded int                 `json:"-"` // verdicts of the trace
	Decision *trace.DecisionBody `json:"-"` // the policy's decision, nil if it made none
}

// Run replays a trace, given as its events; see [trace.Read].
func Run(ctx context.Context, events []trace.Event, opt Options) (Report, error) {
	t, err := load(events, opt.Objects, opt.Memory)
	if err != nil {
		return Report{}, err
	}
	report := Report{Recorded: len(t.decisions), Complete: t.ended, OtherVersion: t.begin.Version != opt.Version || t.begin.BuiltIn != input.BuiltInDigest()}
	t.changed = opt.Change != nil
	t.same = !report.OtherVersion && !t.changed
	if err := t.policies(opt.Change); err != nil {
		return Report{}, err
	}
	report.NotRecomputed = t.notRecomputed()
	config, question, err := t.edges()
	if err != nil {
		return Report{}, err
	}
	question.DryRun = question.DryRun || opt.Decide
	config.Types, config.Quarantine = opt.Types, opt.quarantine
	h, err := t.host(config, t.recorded())
	if err != nil {
		return Report{}, err
	}
	out := h.Ask(ctx, question)
	out.TracePath, out.TraceDigest = "", ""
	report.Outcome, report.Differences, report.Decision = out, t.compare(out), t.again
	return report, nil
}

func unreadable(what string, err error) error {
	return verdict.Fail(verdict.TraceBroken, err, "the recorded %s: %v", what, err)
}

// edges are the recorded question, and the parts of a host that answer it from
// the trace.
func (t *tape) edges() (host.Config, host.Question, error) {
	q, err := t.question()
	if err != nil {
		return host.Config{}, host.Question{}, unreadable("question", err)
	}
	unaudited := slices.ContainsFunc(t.decisions, func(d host.Verdict) bool { return d.Gate == "audit" }) // its line could not be added
	return host.Config{
		Proposer: t, Approver: t, ApprovalTTL: t.ttl(), Writer: t, Traces: discard{}, Version: t.begin.Version,
		Planner: t.begin.Planner, Scanners: t.scanners(), Points: t.points(), Audit: t, AuditRequired: unaudited,
		Now: func() time.Time { return t.start }, NewRunID: func() string { return t.begin.RunID },
	}, q, nil
}

// Begin is a trace's first body, with the objects that it refers to in their places. It has
// the question, the servers and the policy.
func Begin(events []trace.Event, objects trace.Objects) (trace.BeginBody, error) {
	t, err := load(events[:min(len(events), 1)], objects, nil)
	if err != nil {
		return trace.BeginBody{}, err
	}
	return t.begin, nil
}

// compare compares the recomputed run with the recorded one. It compares each decision by
// gate, verdict and code, because a reason's wording may change with a version. Then it
// compares the approval, byte for byte, and the outcome. It does not compare steps that a
// killed run did not record, or that followed a defect.
func (t *tape) compare(out host.Outcome) []Divergence {
	var diffs []Divergence
	whole, computed := t.ended, out.Verdicts
	for i := range max(len(t.decisions), len(computed)) {
		was, now := at(t.decisions, i), at(computed, i)
		if was.Gate == recorded.Defect || was.Gate == "" && !t.ended {
			whole = false
			break
		}
		if !same(was, now) {
			diffs = append(diffs, Divergence{cmp.Or(was.Gate, now.Gate), was, now})
		}
	}
	if len(diffs) > 0 {
		return diffs
	}
	if t.otherwise {
		return []Divergence{{"proposal", decision("proposal", "recorded"), decision("proposal", "another proposal")}}
	}
	if diffs = append(t.differs, t.compareDecided()...); len(diffs) > 0 {
		return diffs[:1]
	}
	was, now := decision("outcome", t.outcome.Type+", call "+t.outcome.Call), decision("outcome", out.Type.String()+", call "+out.Call)
	if was.Code = t.outcome.Code; out.Error != nil {
		now.Code = out.Error.Code
	}
	if whole && !same(was, now) {
		diffs = append(diffs, Divergence{"outcome", was, now})
	}
	return diffs
}

// decidedSame reports whether the policy made the same decision again, with the same
// record. A run that was killed may not have recorded it.
func (t *tape) decidedSame() bool {
	if t.decision == nil {
		return t.again == nil || !t.ended
	}
	was, err := json.Marshal(t.decision)
	if err != nil || t.again == nil {
		return false
	}
	is, err := json.Marshal(t.again)
	return err == nil && bytes.Equal(was, is)
}

// same compares two verdicts without the wording of their reasons, which depends on the
// version.
func same(was, now host.Verdict) bool {
	if !reflect.DeepEqual(was.Removed, now.Removed) {
		return false
	}
	if was.Gate != now.Gate || was.Verdict != now.Verdict {
		return false
	}
	return was.Code == now.Code && slices.Equal(was.Rules, now.Rules)
}

func decision(gate, verdict string) host.Verdict { return host.Verdict{Gate: gate, Verdict: verdict} }

func at(ds []host.Verdict, i int) host.Verdict {
	if i < len(ds) {
		return ds[i]
	}
	return host.Verdict{}
}

// load reads the bodies that a replay needs, and the objects that they refer to. trace.Read
// checks their order. If an object is missing or altered, nothing is replayed, because its
// content is unknown.
func load(events []trace.Event, objects trace.Objects, m *Memory) (*tape, error) {
	t := &tape{objects: objects, memory: cmp.Or(m, &Memory{})}
	for i, e := range events {
		err := t.read(e)
		if verdict.CodeOf(err) == verdict.TraceObject {
			return nil, err
		}
		if err != nil {
			return nil, verdict.Fail(verdict.TraceBroken, err, "line %d: the body has %v", i+1, err)
		}
	}
	if len(events) == 0 || events[0].Kind != trace.Begin {
		return nil, verdict.Fail(verdict.TraceIncomplete, nil, "the trace has no begin line")
	}
	if err := trace.CheckFormat(t.begin.Format); err != nil {
		return nil, verdict.Fail(verdict.TraceBroken, err, "the trace has %v", err)
	}
	t.start, t.parts = events[0].Time, append(t.parts, t.part)
	return t, nil
}

func (t *tape) read(e trace.Event) error {
	switch e.Kind {
	case trace.Begin:
		if err := e.Decode(&t.begin); err != nil {
			return err
		}
		return t.resolve(&t.begin.Policy, &t.begin.Brought, &t.begin.Files, &t.begin.Servers)
	case trace.Verdict:
		var v trace.VerdictBody
		err := e.Decode(&v)
		t.decisions, t.verdicts = append(t.decisions, host.Verdict(v)), append(t.verdicts, host.Verdict(v))
		return err
	case trace.Reread:
		return t.readReread(e)
	case trace.Listing:
		return t.readListing(e)
	case trace.Proposal:
		t.proposal = new(trace.SaidBody)
		return e.Decode(t.proposal)
	case trace.Decision:
		t.decision = new(trace.DecisionBody)
		if err := e.Decode(t.decision); err != nil {
			return err
		}
		return schema.DecodeOpen(t.decision.Record, &t.decided, schema.ResultLimits)
	case trace.Approval:
		t.approval = e.Body
	case trace.Consent:
		t.consent = new(trace.ConsentBody)
		return e.Decode(t.consent)
	case trace.Result:
		t.result = new(trace.ResultBody)
		return e.Decode(t.result)
	case trace.Guard:
		t.guard = new(trace.GuardBody)
		return e.Decode(t.guard)
	case trace.Writing:
		t.writing = new(trace.SaidBody)
		return e.Decode(t.writing)
	case trace.Outcome:
		return e.Decode(&t.outcome)
	case trace.End:
		t.ended = true
	}
	return nil
}

func (t *tape) readListing(e trace.Event) error {
	var body trace.ListingBody
	if err := e.Decode(&body); err != nil {
		return err
	}
	l := catalog.Listing{Server: body.Server, Wrote: body.Wrote, Err: body.Error.Err()}
	var err error
	if l.Tools, err = t.memory.listings.of(e.Body, func() (all []pin.Descriptor, size int, err error) { return t.descriptors(body) }); err != nil {
		return err
	}
	for _, h := range body.Held {
		l.Held = append(l.Held, catalog.Held{Tool: h.Tool, Denial: h.Error.Denial()})
	}
	t.listings = append(t.listings, l)
	return nil
}

// descriptors are the tools of a listing, and their size in bytes.
func (t *tape) descriptors(body trace.ListingBody) (all []pin.Descriptor, size int, err error) {
	raws, err := body.ReadTools(t.objects)
	if err != nil {
		return nil, 0, err
	}
	instructions, err := body.ReadInstructions(t.objects)
	if err != nil {
		return nil, 0, err
	}
	for _, raw := range raws {
		d := pin.Descriptor{Server: body.Server, Raw: raw, Instructions: instructions}
		if len(body.OrderAt) > 0 {
			f, _ := d.Fields()
			d.OrderAt = body.OrderAt[f.Name]
		}
		all, size = append(all, d), size+len(raw)
	}
	return all, size, nil
}

// inputGate is the gate with built-in rules that may be another version's.
const inputGate = "input"

// denied is the recorded refusal of a gate, or nil.
func denied(verdicts []host.Verdict, gate string) (no *verdict.Denial) {
	for _, d := range verdicts {
		if d.Gate == gate && d.Code != "" {
			no = verdict.Deny(d.Code, "%s", d.Reason)
			no.Rules = d.Rules
		}
	}
	return no
}

// notRecomputed are the gates that repeat their recorded verdict.
func (t *tape) notRecomputed() (gates []string) {
	if slices.ContainsFunc(t.parts, func(p part) bool { return p.policy.Rules.FromRecord() }) {
		gates = append(gates, inputGate)
	}
	if t.guard != nil && t.guard.Rules != scan.RulesVersion { // the built-in rules of the run are others
		gates = append(gates, guardGate)
	}
	return gates
}

// InProcess reports whether a server of the run was part of the program, as the
// demo's are.
func InProcess(begin trace.BeginBody) bool {
	ids, _ := Servers(begin.Servers) // servers that cannot be read count as none
	for _, id := range ids {
		if id.Kind == pin.KindInProcess {
			return true
		}
	}
	return false
}
