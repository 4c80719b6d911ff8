package account

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/onestep-run/onestep/trace"
)

// gates lists the lines in order, each with the time since the beginning.
func (t *teller) gates() Section {
	s := Section{Title: "Gates"}
	for _, e := range t.Events {
		at := fmt.Sprintf("+%v", e.Time.Sub(t.Events[0].Time).Round(time.Millisecond))
		switch e.Kind {
		case trace.Verdict:
			v := body[trace.VerdictBody](e)
			tone := bad
			switch v.Verdict {
			case "allow":
				tone = good
			case "ask":
				tone = look
			}
			text := v.Gate + ": " + v.Verdict
			if v.Code != "" {
				text += " (" + string(v.Code) + ")"
			}
			if len(v.Rules) > 0 {
				text += " by " + strings.Join(v.Rules, ", ")
			}
			if v.Reason != "" {
				text += ": " + v.Reason
			}
			if v.Removed != nil {
				text += ": removed " + Removed(v.Removed)
			}
			s.tell(tone, at, "%s", text)
			for _, b := range v.Outside {
				s.outside(b)
			}
		case trace.Listing:
			s.say(at, "server %s listed its tools", body[trace.ListingBody](e).Server)
		case trace.Proposal:
			s.said(at, "the planner answered", body[trace.SaidBody](e))
		case trace.Decision:
			d := body[trace.DecisionBody](e)
			s.say(at, "the policy came to %s, by %s", d.Verdict, d.By)
			for _, r := range d.Spoke { // every rule that applied
				s.say("", "%s", strings.TrimSuffix(r.Rule+" ("+r.Effect+"): "+cmp.Or(r.Error, r.Why), ": "))
			}
		case trace.Reread:
			s.reread(at, body[trace.RereadBody](e))
		case trace.Approval:
			s.say(at, "the call was put on record")
		case trace.Consent:
			c := body[trace.ConsentBody](e)
			s.say(at, "%s approved it (%s)", c.By, c.How)
		case trace.Result:
			s.came(at, body[trace.ResultBody](e))
		case trace.Writing:
			s.said(at, "the writer answered", body[trace.SaidBody](e))
		case trace.Outcome:
			s.say(at, "the run came to %s", body[trace.OutcomeBody](e).Type)
		}
	}
	return s
}

// outside says what a decision point answered, and whether the call went on without an answer.
func (s *Section) outside(b trace.OutsideBody) {
	text := fmt.Sprintf("the decision point of the %s answered %s, %s", b.Point, b.Decision, b.Digest)
	if b.Reason != "" {
		text += ": " + b.Reason
	}
	tone := good
	if b.Decision != "allow" {
		tone = bad
	}
	if b.Error != nil {
		tone, text = bad, fmt.Sprintf("the decision point of the %s gave no answer: %s", b.Point, b.Error.Reason)
	}
	if b.Error != nil && b.OnError != "" {
		tone, text = look, text+` (its setting on_error is "`+b.OnError+`")`
	}
	s.tell(tone, "", "%s", text)
}

// reread says why the call was decided again, or why that was impossible.
func (s *Section) reread(at string, b trace.RereadBody) {
	if b.Error != nil {
		s.tell(bad, at, "what decides could not be read (%s): %s", b.Error.Code, b.Error.Reason)
		return
	}
	s.tell(look, at, "the call was decided again: %s", b.Why)
}

func (s *Section) said(at, what string, b trace.SaidBody) {
	if b.Error != nil {
		s.tell(bad, at, "%s with %s: %s", what, b.Error.Code, b.Error.Reason)
		return
	}
	s.say(at, "%s", what)
}

func (s *Section) came(at string, r trace.ResultBody) {
	switch {
	case r.Error != nil:
		s.tell(bad, at, "the call ended with %s: %s", r.Error.Code, r.Error.Reason)
	case !r.Redeemed:
		s.tell(bad, at, "the call was not made: the tool differs from the approved one")
	default:
		s.say(at, "the call was made, and answered")
	}
	if r.Requests > 0 {
		s.say(at, "the server asked something of its client (elicitation, sampling or roots) %d times, which was refused", r.Requests)
	}
	if b := r.Sandbox; b != nil {
		s.say(at, "the server was confined under %.12s… by Linux %s, Landlock ABI %d; its process proved that these are refused: %s", b.Manifest, b.Kernel, b.Landlock, strings.Join(b.Proved, ", "))
		for _, a := range b.Blocked {
			s.tell(bad, at, "the server was refused: %s %q at %s (%s)", a.Action, a.Resource, a.Time, cmp.Or(a.Permission, "no permission allows it"))
		}
		if b.Unlisted > 0 {
			s.say(at, "%d further attempts are not listed", b.Unlisted)
		}
	}
	if l := r.Login; l != nil {
		s.say(at, "it carried the login at %s, scopes %q, with a token %d s old", l.Issuer, l.Scopes, l.Age)
	}
}
