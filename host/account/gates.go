package account

import (
	"fmt"
	"strings"
	"time"

	"github.com/onestep-run/onestep/trace"
)

// gates are the lines in their order, with the time that each took to come.
func (t *teller) gates() Section {
	s := section{Section{Title: "What happened"}}
	for _, e := range t.Events {
		since := e.Time.Sub(t.Events[0].Time).Round(time.Millisecond)
		at := fmt.Sprintf("+%v", since)
		switch e.Kind {
		case trace.Verdict:
			v := body[trace.VerdictBody](e)
			tone := Bad
			switch v.Verdict {
			case "allow":
				tone = Good
			case "ask":
				tone = Look
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
			s.tell(tone, at, "%s", text)
		case trace.Listing:
			s.say(at, "server %s listed its tools", body[trace.ListingBody](e).Server)
		case trace.Proposal:
			s.said(at, "the planner answered", body[trace.SaidBody](e))
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
	return s.Section
}

func (s *section) said(at, what string, b trace.SaidBody) {
	if b.Error != nil {
		s.tell(Bad, at, "%s with %s: %s", what, b.Error.Code, b.Error.Reason)
		return
	}
	s.say(at, "%s", what)
}

func (s *section) came(at string, r trace.ResultBody) {
	switch {
	case r.Error != nil:
		s.tell(Bad, at, "the call ended with %s: %s", r.Error.Code, r.Error.Reason)
	case !r.Redeemed:
		s.tell(Bad, at, "the call was not made: the tool is not what was approved")
	default:
		s.say(at, "the call was made, and answered")
	}
}
