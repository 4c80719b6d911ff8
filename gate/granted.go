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
	"github.com/onestep-run/onestep/trace"
)

// granted is the call in the form that grants are compared with, and the subject's
// grants for it.
type granted struct {
	call grant.Call
	live []grant.Grant
}

// question returns the input of the policy. If a grant is for the call, and its giver
// may approve the call, it is a fact of the record.
func (g *Gate) question(m materialised, otherwise verdict.Ruling, marked bool) (rule.Question, granted) {
	facts := rule.Facts{
		Subject: m.by.Subject, Conversation: m.by.Facts.Conversation, Labels: grant.Labelled(m.by.Facts.Labels, m.by.Labels),
		Time: m.by.Time, Zone: g.opt.Policy.Zone(),
	}
	q := rule.Question{
		Record: rule.Of(m.tool, m.call.Args, m.intent, facts), Input: m.tool.Input(),
		Terminal: m.tool.Effect().Approval == catalog.Terminal, Strict: marked && g.opt.Strict, Otherwise: otherwise,
	}
	q.Record.Sources = sources(m.by.Facts.Origins)
	q.Record.Lacks = g.opt.Policy.Lacks(m.call.Server, m.call.Tool, m.tool.Input())
	if given := m.by.Given; given.RunID != "" {
		q.Record.Approvals, q.Record.ApprovedByOther = []string{given.RunID}, given.ByOther
	}
	of := granted{call: callOf(m, q)}
	who := Record{Subject: m.by.Subject, Server: m.call.Server, Tool: m.call.Tool, Approval: m.tool.Effect().Approval.String()}
	ids := m.by.Facts.Grants
	for _, one := range m.by.Grants {
		if one.OtherCall(of.call) == "" && who.Takes(one.By, ByGrant, g.opt.OthersApprove) == nil {
			of.live, ids = append(of.live, one), append(slices.Clip(ids), one.ID)
		}
	}
	q.Record.Grants, q.Record.Resource.Granted = grant.Labelled(ids, nil), len(of.live) > 0
	return q, of
}

// callOf returns the call in the form that a grant is compared with. It includes a
// floor that no grant answers.
func callOf(m materialised, q rule.Question) grant.Call {
	c := grant.Call{
		Subject: m.by.Subject, Conversation: m.by.Facts.Conversation, Server: m.call.Server, Tool: m.call.Tool,
		Pin: m.tool.Digest().String(), Args: m.call.Args, Free: q.Free(),
	}
	if id := q.Record.Resource.ID; id != nil {
		c.Resource = *id
	}
	c.At, _ = time.Parse(time.RFC3339, m.by.Time) // without a time no grant applies
	for _, f := range q.Floors() {
		c.Destructive = c.Destructive || f.Grantable
		if !f.Grantable && c.Floor == "" {
			c.Floor = f.Reason
		}
	}
	return c
}

// Grant returns the grant by which the call may leave, or nil. The grant answers the
// question to a person, or a rule that allows may have read that it exists.
func (d Ruled) Grant() *grant.Grant {
	for i, g := range d.granted.live {
		if d.Ruling == verdict.Allow || d.Ruling == verdict.Ask && g.Refusal(d.granted.call) == "" {
			return &d.granted.live[i]
		}
	}
	return nil
}

// Grant returns the grant of the approval's ruling.
func (a Approved) Grant() *grant.Grant { return a.Ruled().Grant() }

// Offer returns the grant that a person may give with the approval of this call.
func (a Approved) Offer() (grant.Offer, bool) {
	if a.Ruled().Ruling != verdict.Ask {
		return grant.Offer{}, false
	}
	var why []string // a person is asked
	for _, r := range a.Ruled().Rules {
		why = append(why, r.Reason)
	}
	return grant.OfferOf(a.shown().by.RunID, strings.Join(why, "; "), a.Ruled().granted.call)
}

// grantsFit refuses a yes by a grant that does not answer this call. It also refuses a
// yes that gives a grant for another call.
func (a Approved) grantsFit(y Yes) error {
	if y.How == ByGrant || y.Grant != nil {
		is := a.Grant()
		none := verdict.Deny(verdict.ApprovalRefused, "no grant answers this call")
		if y.How != ByGrant || y.Grant == nil || y.Gives != nil {
			return none
		}
		if is == nil || y.By != is.By || !reflect.DeepEqual(*is, *y.Grant) {
			return none
		}
	}
	if g := y.Gives; g != nil {
		call := a.Ruled().granted.call
		call.At = g.Created
		given := g.ID == a.shown().by.RunID && g.By == y.By && g.How == y.How
		if !given || g.Refusal(call) != "" {
			return verdict.Deny(verdict.GrantRefused, "the grant is for another call")
		}
	}
	return nil
}

// at returns the time of a yes by a grant, so that a replay can check that the grant
// applied.
func (a Approved) at(y Yes) string {
	if y.Grant == nil {
		return ""
	}
	return a.shown().by.Time
}

// sources are the sources of a client's arguments as rules read them, nil if no hook informs.
func sources(all []trace.OriginBody) map[string]string {
	if all == nil {
		return nil
	}
	by := make(map[string]string, len(all))
	for _, b := range all {
		by[b.Pointer] = b.Origin
		also := b.Also != nil && b.Also.Open
		if b.Result > 0 && b.Open || also {
			by[b.Pointer] = "open_result"
		}
	}
	return by
}
