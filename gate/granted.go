package gate

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/verdict"
)

// granted is the call as grants are compared with it, and those of the subject that
// are of it.
type granted struct {
	call grant.Call
	live []grant.Grant
}

// question is what the policy decides on. A grant that is of the call, and of a person
// who may approve it, is a fact of its record.
func (g *Gate) question(m materialised, otherwise verdict.Ruling, marked bool) (rule.Question, granted) {
	facts := rule.Facts{
		Subject: m.by.Subject, Conversation: m.by.Facts.Conversation, Labels: grant.Labelled(m.by.Facts.Labels, m.by.Labels),
		Time: m.by.Time, Zone: g.policy.Zone(),
	}
	q := rule.Question{
		Record: rule.Of(m.tool, m.call.Args, m.intent, facts), Input: m.tool.Input(),
		Terminal: m.tool.Effect().Approval == catalog.Terminal, Strict: marked && g.strict, Otherwise: otherwise,
	}
	q.Record.Lacks = g.policy.Lacks(m.call.Server, m.call.Tool, m.tool.Input())
	if given := m.by.Given; given.RunID != "" {
		q.Record.Approvals, q.Record.ApprovedByOther = []string{given.RunID}, given.ByOther
	}
	of := granted{call: callOf(m, q)}
	who := Record{Subject: m.by.Subject, Server: m.call.Server, Tool: m.call.Tool, Approval: m.tool.Effect().Approval.String()}
	ids := m.by.Facts.Grants
	for _, one := range m.by.Grants {
		if one.OtherCall(of.call) == "" && who.Takes(one.By, ByGrant, g.others) == nil {
			of.live, ids = append(of.live, one), append(slices.Clip(ids), one.ID)
		}
	}
	q.Record.Grants, q.Record.Resource.Granted = grant.Labelled(ids, nil), len(of.live) > 0
	return q, of
}

// callOf is the call as a grant is compared with it. A floor that no grant answers
// is a part of it.
func callOf(m materialised, q rule.Question) grant.Call {
	c := grant.Call{
		Subject: m.by.Subject, Conversation: m.by.Facts.Conversation, Server: m.call.Server, Tool: m.call.Tool,
		Pin: m.tool.Digest().String(), Args: m.call.Args, Free: q.Free(),
	}
	if id := q.Record.Resource.ID; id != nil {
		c.Resource = *id
	}
	c.At, _ = time.Parse(time.RFC3339, m.by.Time) // without a time no grant holds
	for _, f := range q.Floors() {
		c.Destructive = c.Destructive || f.Grantable
		if !f.Grantable && c.Floor == "" {
			c.Floor = f.Reason
		}
	}
	return c
}

// Grant is the grant by which the call may leave, nil where there is none: it answers
// what is asked, or a rule that allows could read that it is there.
func (d Ruled) Grant() *grant.Grant {
	for i, g := range d.granted.live {
		if d.Ruling == verdict.Allow || d.Ruling == verdict.Ask && g.Refusal(d.granted.call) == "" {
			return &d.granted.live[i]
		}
	}
	return nil
}

// Grant is that of its ruling.
func (a Approved) Grant() *grant.Grant { return a.Ruled().Grant() }

// Offer is the grant that a person may give with the approval of this call.
func (a Approved) Offer() (grant.Offer, bool) {
	if a.Ruled().Ruling != verdict.Ask {
		return grant.Offer{}, false
	}
	return grant.OfferOf(a.shown().by.RunID, a.why(), a.Ruled().granted.call)
}

// why is why a person is asked.
func (a Approved) why() string {
	var all []string
	for _, r := range a.Ruled().Rules {
		all = append(all, r.Reason)
	}
	return strings.Join(all, "; ")
}

// grantsFit refuses a yes by a grant that does not answer this call, and one that gives
// a grant of another call.
func (a Approved) grantsFit(y Yes) error {
	if y.How == ByGrant || y.Grant != nil {
		is := a.Grant()
		if y.How != ByGrant || y.Grant == nil || y.Gives != nil || is == nil || y.By != is.By || !reflect.DeepEqual(*is, *y.Grant) {
			return verdict.Deny(verdict.ApprovalRefused, "no grant answers this call")
		}
	}
	if g := y.Gives; g != nil {
		call := a.Ruled().granted.call
		call.At = g.Created
		if g.ID != a.shown().by.RunID || g.By != y.By || g.How != y.How || g.Refusal(call) != "" {
			return verdict.Deny(verdict.GrantRefused, "the grant is for another call")
		}
	}
	return nil
}

// at is the time of a yes by a grant, by which a replay finds that it held.
func (a Approved) at(y Yes) string {
	if y.Grant == nil {
		return ""
	}
	return a.shown().by.Time
}
