package account

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/replay"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

func (t *teller) question() Section {
	s := Section{Title: "Question"}
	text, _ := t.begin.Question.Get()
	s.say("asked", "%s", cmp.Or(string(text), noQuestion))
	if around, err := t.begin.Context.Get(); err == nil && t.begin.Context != nil {
		s.say("context", "%d bytes", len(around))
	}
	if f := t.begin.Follows; f != nil {
		s.say("follows", "run %s, which asked for more; %s", f.RunID, f.Trace)
	}
	if r := t.begin.Resumes; r != nil {
		s.tell(look, "goes on", "with the withheld result of run %s, %s\nreleased by %s at %s; overruled: %s", r.RunID, r.Trace, r.By, r.At, strings.Join(r.Rules, ", "))
	}
	if t.begin.Only != "" {
		s.say("limited to", "%s, which the asker chose", t.begin.Only)
	}
	s.say("by", "%s", t.begin.Subject)
	for _, row := range Asker(t.begin.Facts) {
		s.say(row[0], "%s", row[1])
	}
	if len(t.Events) > 0 {
		s.say("at", "%s", t.Events[0].Time.UTC().Format(time.RFC3339Nano))
	}
	if t.begin.DryRun {
		s.say("dry run", "no call was to be made")
	}
	return s
}

func (t *teller) policy() Section {
	s := Section{Title: "Policy"}
	raw, err := t.Objects.Value(t.begin.Policy)
	if err != nil {
		s.tell(bad, "policy", "%v", err)
		return s
	}
	policy, err := replay.Policy(raw)
	if err != nil {
		s.tell(look, "rules", "%v", err)
	}
	if no := policy.Allowlist.Refusal(); no != nil {
		s.tell(bad, "allowlist", "%v", no)
	}
	for _, server := range policy.Allowlist.Servers() {
		var all []string
		for _, tool := range policy.Allowlist.Tools(server) {
			all = append(all, tool+" ("+policy.Allowlist.Effect(server, tool).String()+")")
		}
		s.say("allows", "%s: %s", server, strings.Join(all, ", "))
	}
	s.say("built-in rules", "%s", t.begin.BuiltIn)
	if policy.StrictIntent {
		s.say("intent", "strict: every call that carries a mark needs an approval")
	}
	if policy.StrictOutputs {
		s.say("outputs", "strict: a date-time without an offset is refused")
	}
	if policy.OthersApprove {
		s.say("approvers", "other: no user approves what they asked for")
	}
	return s
}

func (t *teller) servers() Section {
	s := Section{Title: "Servers and their tools"}
	reached := map[string]pin.Identity{}
	if raw, err := t.Objects.Value(t.begin.Servers); err == nil && raw != nil {
		_ = schema.DecodeOpen(raw, &reached, schema.ResultLimits) // unreadable values are shown as unknown
	}
	for _, e := range t.Events {
		if e.Kind != trace.Listing {
			continue
		}
		l := body[trace.ListingBody](e)
		how := reached[l.Server].String()
		if l.Error != nil {
			s.tell(bad, l.Server, "%s\n%s: %s", how, l.Error.Code, l.Error.Reason)
			continue
		}
		raws, err := l.ReadTools(t.Objects)
		if err != nil {
			s.tell(bad, l.Server, "%s\n%v", how, err)
			continue
		}
		s.say(l.Server, "%s\nlisted %d: %s", how, len(raws), strings.Join(names(raws), ", "))
	}
	return s
}

func names(raws [][]byte) (all []string) {
	for _, raw := range raws {
		var tool struct {
			Name string `json:"name"`
		}
		if schema.DecodeOpen(raw, &tool, schema.DescriptorLimits) != nil || tool.Name == "" {
			tool.Name = "(a tool without a readable name)"
		}
		all = append(all, tool.Name)
	}
	return all
}

func (t *teller) planned() Section {
	s := Section{Title: "Plan"}
	if t.again == nil || t.again.Outcome.Plan == nil {
		return s
	}
	out := t.again.Outcome
	if out.Planned.Declines() {
		s.tell(look, "asks", "%s", out.Planned.Answer())
		return s
	}
	s.say("tool", "%s/%s", out.Planned.Server(), out.Planned.Tool())
	s.tell(look, "removed", "%s", Removed(out.Removed))
	if out.Intent == nil {
		s.say("arguments", "%s", Brief(pretty(out.Planned.Args()), maxArgument))
		return s
	}
	for _, l := range out.Intent.Leaves {
		s.say("argument", "%s  [%s]%s", argument(l), Origin(l), sizeOf(l.Value))
	}
	for _, mark := range Marks(out.Intent) {
		s.tell(look, "mark", "%s", mark)
	}
	return s
}

func (t *teller) approval() Section {
	s := Section{Title: "Approval"}
	if t.again != nil && t.again.Outcome.Intent != nil {
		i := t.again.Outcome.Intent
		whose := "set by the operator"
		switch i.EffectBy {
		case "sandbox":
			whose = "because its sandbox saw a call try to write"
		case "default":
			whose = "by default, because the allowlist does not state it"
		}
		s.say("effect", "%s, %s", i.Effect, whose)
	}
	for _, e := range t.Events {
		switch e.Kind {
		case trace.Approval:
			s.bound(e)
		case trace.Consent:
			c := body[trace.ConsentBody](e)
			s.tell(good, "approved by", "%s, %s", c.By, c.How)
			s.say("digest", "%s", c.Approval)
			if c.RunID != "" {
				s.say("asked in", "run %s, trace %s", c.RunID, c.Trace)
			}
		}
	}
	return s
}

// bound shows what an approval is bound to besides the call itself.
func (s *Section) bound(e trace.Event) {
	r, _ := gate.ReadRecord(e.Body) // the raw lines show what cannot be read
	s.say("tool as it was", "%s", r.Descriptor)
	s.say("server", "entry %s\nendpoint %s", r.Identity.Entry, r.Identity.Endpoint)
	for _, line := range Files(r) {
		s.say("file", "%s", line)
	}
	s.say("until", "%s", r.Expires)
	s.say("record", "line %d, %s", e.Seq+1, e.Hash.Digest())
}

func (t *teller) result() Section {
	s := Section{Title: "Result"}
	if t.again == nil {
		return s
	}
	out := t.again.Outcome
	switch {
	case out.Typed != nil:
		s.say("typed", "%s", pretty(out.Typed))
	case out.Raw != nil:
		s.tell(look, "untyped", "%s", pretty(out.Raw))
	}
	s.tell(look, "structure", "%s", pretty(out.Structured))
	for _, a := range out.Attachments {
		s.tell(look, "attachment", "%s %s %s, %d bytes, %s", a.Type, a.MIME, a.URI, a.Bytes, cmp.Or(a.SHA256, "not followed"))
	}
	s.tell(look, "note", "%s", out.Note)
	return s
}

func (t *teller) claims() Section {
	s := Section{Title: "Summary"}
	if t.again == nil || t.again.Outcome.Summary == nil {
		if RowOf(t.Events).Type == host.ToolResultWithSummary.String() {
			s.tell(look, "claims", "not made again; the record has the writer's text")
		}
		return s
	}
	sum, shown := t.again.Outcome.Summary, map[string]bool{}
	s.Title = t.again.Outcome.SummaryTitle()
	for _, part := range []struct {
		name  string
		items []summarize.Item
	}{{"claim", sum.Bullets()}, {"risk", sum.Risks()}, {"recommendation", sum.Recommendations()}} {
		for _, i := range part.items {
			for _, p := range summarize.Passages([]summarize.Item{i}, shown) {
				var lines []string
				for _, l := range p.Lines {
					lines = append(lines, l.String())
				}
				s.say(part.name, "%s\nverbatim %s, bytes %d to %d", strings.Join(lines, "\n"), p.Place, i.Range[0], i.Range[1])
			}
		}
	}
	for _, c := range sum.Commentary() {
		s.tell(look, "not checked", "%s", c.Text)
	}
	return s
}

// outcome shows the outcome of the run, and whether it is reliable.
func (t *teller) outcome() Section {
	s := Section{Title: "Outcome"}
	row := RowOf(t.Events)
	tone := plain
	if row.Code != "" || row.Type == incomplete {
		tone = bad
	}
	s.tell(tone, "type", "%s", strings.TrimSpace(row.Type+" "+row.Code))
	if row.Code != "" {
		s.tell(tone, "why", "%s", t.reason())
	}
	s.say("call", "%s", row.Call)
	if t.Wrong != nil {
		s.tell(bad, "trace", "%v", t.Wrong)
	}
	t.replayed(&s)
	return s
}

// reason returns the last recorded reason other than an allow.
func (t *teller) reason() (why string) {
	for _, e := range t.Events {
		switch e.Kind {
		case trace.Verdict:
			if v := body[trace.VerdictBody](e); v.Verdict != "allow" {
				why = v.Reason
			}
		case trace.Proposal, trace.Writing:
			if f := body[trace.SaidBody](e).Error; f != nil {
				why = f.Reason
			}
		case trace.Result:
			if f := body[trace.ResultBody](e).Error; f != nil {
				why = f.Reason
			}
		}
	}
	return why
}

// record identifies the run and its trace.
func (t *teller) record() Section {
	s := Section{Title: "Record"}
	s.say("run", "%s", t.begin.RunID)
	s.say("planned by", "%s", t.begin.Planner)
	s.say("program", "ask %s, trace format %d", t.begin.Version, t.begin.Format)
	if n := len(t.Events); n > 0 && t.Events[n-1].Kind == trace.End {
		s.say("digest", "%s", t.Events[n-1].Hash.Digest())
	}
	return s
}

// replayed says whether a replay gives the same verdicts.
func (t *teller) replayed(s *Section) {
	switch {
	case t.why != nil && !errors.Is(t.why, t.Wrong):
		s.tell(bad, "replay", "the run could not be replayed, so plan, result and claims are not shown: %v", t.why)
	case t.why != nil:
	case len(t.again.Differences) > 0:
		d := t.again.Differences[0]
		s.tell(bad, "replay", "%d verdicts differ; the first: %s was %s, is %s", len(t.again.Differences), d.Gate, d.Was.Verdict, d.Now.Verdict)
	case len(t.again.NotRecomputed) > 0:
		s.tell(look, "replay", "the same verdicts; taken from the record: %s", strings.Join(t.again.NotRecomputed, ", "))
	default:
		s.tell(good, "replay", "the same verdicts, computed again")
	}
}

// pretty returns a document with line breaks, in its own order.
func pretty(v jsontext.Value) string {
	v = v.Clone()
	_ = v.Indent(jsontext.WithIndent("  ")) // other text than JSON stays unchanged
	return string(v)
}

// sizeOf distinguishes two long values, which an account shows only the beginning of.
func sizeOf(value string) string {
	if len(value) <= maxValue {
		return ""
	}
	return fmt.Sprintf("  (%d bytes, sha256:%x)", len(value), sha256.Sum256([]byte(value)))
}
