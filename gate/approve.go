package gate

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/grant"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/intent"
	"github.com/onestep-run/onestep/gate/lex"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/plan"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// Asked is what an approval is bound to, besides the call itself. The gates read no
// clock: an expiry is a text to them, and the approver enforces it.
type Asked struct {
	Query   input.Query
	RunID   string
	Subject string // the user who asks
	Expires string // RFC 3339
	Facts   Facts
	Client  bool             // an MCP client brought the plan
	Edited  bool             // the person who was asked wrote the plan instead of the planner
	Files   []trace.FileBody // files that the call's arguments name, if the server may read only those

	// The members below change from one moment to the next, and are in no approval's
	// record.
	Time   string        // of the decision, RFC 3339 in the time zone of the rules
	Labels []string      // of the conversation
	Grants []grant.Grant // the subject's grants in the conversation, for the tool
	Given  Given         // the call's approval, from before it is asked for again

	// Deciding is the digest of the rules, the allowlist and the settings that decide.
	// It is "" if the caller has none. It is in the record.
	Deciding string
	// Again is why a person is asked again, after a request for the same call under
	// other rules. It is "" if no person was asked before. Such a call leaves only
	// with a new approval.
	Again string
	// Still refuses the call if the rules or settings that decided it have changed.
	// Redeem calls it last. Nil refuses nothing.
	Still func() error
}

// Given is the earlier approval of a call that is asked for again. It says which run
// it belongs to, and whether someone other than its asker gave it. Its zero value
// means that no approval was given.
type Given struct {
	RunID   string
	ByOther bool
}

// Facts are what the asking program knows about a question. The trace has them, so
// that a replay gives the rules the same ones. The approval's record has the
// conversation and the time: labels and grants may change while a call waits.
type Facts struct {
	Time         string // of the question, RFC 3339; rules read the time of the decision
	Conversation string // the conversation of the question
	Labels       []string
	Grants       []string // the subject's grants

	// Client and ClientVersion are an MCP client's claim about itself. No decision
	// reads them. The person who is asked sees them as a claim, and
	// [Gate.WithoutAddition] selects a row by the name.
	Client        string
	ClientVersion string

	// Origins are the sources of a client's arguments in its conversation, by hooks that any
	// program of the user can start. A rule may ask or deny by them; nothing allows by
	// them. They are nil if no hook informs.
	Origins []trace.OriginBody
}

// Body returns the facts for a trace, or nil if there are no facts.
func (f Facts) Body() *trace.FactsBody {
	if slices.Equal([]string{f.Time, f.Conversation, f.Client, f.ClientVersion}, make([]string, 4)) && len(f.Labels)+len(f.Grants)+len(f.Origins) == 0 {
		return nil
	}
	b := trace.FactsBody(f)
	return &b
}

// Approve approves at most one call for one question. It makes the plan concrete,
// decides on the call, then spends the question and mints the permit. It does not
// approve a plan that declines, nor a question's second plan.
func (g *Gate) Approve(by Asked, c catalog.Catalog, p plan.Plan) (Approved, error) {
	m, err := g.materialise(by, c, p)
	if err != nil {
		return Approved{}, err
	}
	decided := g.decide(m)
	if decided.Ruling == verdict.Refuse {
		return Approved{}, refused{decided.denial(), decided.Decision}
	}
	return spend(by.Query, m, decided)
}

// Explain returns what Approve would decide, for a person who asks about it. It spends
// nothing and approves nothing.
func (g *Gate) Explain(by Asked, c catalog.Catalog, p plan.Plan) (Ruled, error) {
	m, err := g.materialise(by, c, p)
	if err != nil {
		return Ruled{}, err
	}
	return g.decide(m), nil
}

// materialised is one call as it would leave, the parts of it that the user said, and
// the record of both. It is not decided yet.
type materialised struct {
	call   Call
	tool   catalog.Tool
	by     Asked
	intent intent.Report
	accept pin.Accept
	others bool // others have to approve
	record jsontext.Value
}

// materialise is pure: the same question, catalog and plan make the same record. The
// tool must be in the catalog. The arguments become canonical and must fit its schema.
func (g *Gate) materialise(by Asked, c catalog.Catalog, p plan.Plan) (m materialised, err error) {
	if p.Declines() {
		return m, verdict.Deny(verdict.CallUnapproved, "the plan declines")
	}
	if m.tool, err = c.Tool(p.Server(), p.Tool()); err != nil {
		return m, err
	}
	if no := m.tool.Unshowable(); by.Client && no != nil {
		return m, no
	}
	args, err := schema.Canonical(p.Args())
	if err != nil {
		return m, verdict.Deny(verdict.PlanJSON, "the plan's args has %v", err)
	}
	fits, err := g.validators.of(schema.Input, m.tool.Input())
	if err != nil {
		return m, err
	}
	if err := fits.Check(args); err != nil {
		return m, unfit(m.tool, args, err)
	}
	if err := rounded(m.tool, args); err != nil {
		return m, err
	}
	mirrored, err := m.tool.Input().Mirrored(args)
	if err != nil {
		return m, unfit(m.tool, args, err)
	}
	m.call, m.by = Call{Server: m.tool.Server(), Tool: m.tool.Name(), Args: args, Mirrored: mirrored}, by
	m.accept, m.others = g.opt.Accept, g.opt.OthersApprove
	said := intent.Question{
		Text: by.Query.Words(), Context: by.Query.Context(), Server: m.call.Server, Tool: m.call.Tool, Resource: m.tool.ResourceArguments(),
		Changes: !m.tool.Effect().Reads, Client: by.Client, Edited: by.Edited,
	}
	if m.intent, err = intent.Compare(said, m.tool.Input().Root(), args); err != nil {
		return m, err
	}
	m.record, err = m.recorded()
	return m, err
}

// rounded refuses a number that the bridge before the server would change: the server
// would get another call than the approved one.
func rounded(t catalog.Tool, args jsontext.Value) error {
	bridge := t.Identity().Rounds
	if bridge == "" {
		return nil
	}
	at, literal, found := schema.Rounded(args)
	if !found {
		return nil
	}
	no := verdict.Deny(verdict.CallRounded, "the number %s at %s would reach the server as another one: %.40s, through which server %s is started, reads numbers as float64",
		verdict.Cut(literal, 40), lex.Repeat(at), bridge, t.Server())
	no.Hint = "reach the server by its own address: `ask servers review " + t.Server() + "` shows the command; or send the number as text, if the tool takes that"
	return no
}

// Ruled is the result of the rules for a call. Its zero value refuses.
type Ruled struct {
	Ruling verdict.Ruling
	Rules  []Rule // the deciding rules; empty if nothing speaks against the call
	// Decision is the result of the operator's policy, nil without a policy.
	Decision *Decision

	granted granted
}

// Decision is a decision of the operator's policy, and the record that it judged.
type Decision struct {
	rule.Decision
	Record jsontext.Value
}

// Rule is one rule that decided, and why.
type Rule struct {
	Code   verdict.Code
	Reason string
}

// refused is a denial with the decision that led to it.
type refused struct {
	error
	decision *Decision
}

func (r refused) Unwrap() error { return r.error }

// DecisionOf returns the policy's decision on a call that was approved or refused. It
// is nil if the policy was not asked.
func DecisionOf(a Approved, err error) *Decision {
	if r := (refused{}); errors.As(err, &r) {
		return r.decision
	}
	return a.Ruled().Decision
}

// Names returns the codes of the rules that decided, and then the file and line of a
// rule of the policy.
func (d Ruled) Names() (names []string) {
	for _, r := range d.Rules {
		names = append(names, string(r.Code))
	}
	if d.Decision != nil && d.Decision.ByRule() && d.Decision.Ruling != verdict.Allow {
		names = append(names, d.Decision.By)
	}
	return names
}

// decide judges the materialised call, and nothing else. A person who was asked for it
// under other rules is asked again, even if something allows it by now.
func (g *Gate) decide(m materialised) Ruled {
	d := g.ruled(m)
	if m.by.Again != "" && d.Ruling != verdict.Refuse {
		d.Ruling, d.Rules = verdict.Ask, append([]Rule{{verdict.ApprovalNeeded, m.by.Again}}, d.Rules...)
	}
	return d
}

// ruled returns the result of the rules. If the operator has a policy, it decides, and
// the default applies only if no rule does.
func (g *Gate) ruled(m materialised) Ruled {
	byDefault, marked := g.byDefault(m)
	if !g.opt.Policy.Configured() {
		if byDefault.Ruling == verdict.Ask && m.by.Facts.Conversation != "" {
			_, byDefault.granted = g.question(m, byDefault.Ruling, marked)
		}
		return byDefault
	}
	q, granted := g.question(m, byDefault.Ruling, marked)
	record, err := q.Record.JSON()
	if err != nil {
		return Ruled{Rules: []Rule{{verdict.RuleError, "the decision record cannot be written"}}}
	}
	d := &Decision{g.opt.Policy.Decide(q), record}
	granted.call.Rules = d.Asking
	switch {
	case d.Code != "":
		return Ruled{d.Ruling, []Rule{{d.Code, d.Reason}}, d, granted}
	case d.ByRule():
		return Ruled{d.Ruling, nil, d, granted}
	}
	return Ruled{d.Ruling, byDefault.Rules, d, granted}
}

// byDefault returns the decision without a policy, and whether the call carries a
// mark. A person has to approve each call of a tool that the operator does not call
// reading. If the policy is strict, that also applies to a call with a mark. If no
// person is asked for each call, most derived values count as marked.
func (g *Gate) byDefault(m materialised) (byDefault Ruled, marked bool) {
	effect, marked := m.tool.Effect(), m.intent.Marked(m.tool.Effect().Reads)
	if !effect.Asks() {
		marked = !m.intent.Certain(effect.Reads)
	}
	var rules []Rule
	if effect.Asks() {
		rules = append(rules, Rule{verdict.ApprovalNeeded, "the allowlist requires an approval for each call of " + m.call.Server + "/" + m.call.Tool})
	}
	if marked && (g.opt.Strict || !effect.Reads) {
		rules = append(rules, Rule{verdict.IntentMarked, "the call and the question differ, or the question does not plainly ask for the change"})
	}
	if len(rules) > 0 {
		return Ruled{Ruling: verdict.Ask, Rules: rules}, marked
	}
	return Ruled{Ruling: verdict.Allow}, marked
}

// denial returns a refusal by the first rule that names the others.
func (d Ruled) denial() error {
	if len(d.Rules) == 0 {
		return verdict.Deny(verdict.CallUnapproved, "no rule allows the call")
	}
	no := verdict.Deny(d.Rules[0].Code, "%s", d.Rules[0].Reason)
	no.Rules = d.Names()
	return no
}

// spend uses up the question and mints its one permit.
func spend(q input.Query, m materialised, d Ruled) (Approved, error) {
	if !q.Spend() {
		return Approved{}, verdict.Deny(verdict.CallUnapproved, "the question was never admitted, or it has had its call")
	}
	return Approved{&permit{materialised: m, decided: d}}, nil
}

// misfit gives a schema's refusal the code of the calling gate.
func misfit(code verdict.Code, err error) error {
	if d, is := errors.AsType[*verdict.Denial](err); is {
		return &verdict.Denial{Code: code, Reason: d.Reason, Hint: d.Hint}
	}
	return verdict.Deny(code, "%v", err)
}

// unfit refuses arguments that do not fit. It says which of their names the tool
// lacks, and which names it has instead. It changes no verdict.
func unfit(t catalog.Tool, args jsontext.Value, err error) error {
	no, _ := verdict.First(misfit(verdict.SchemaArguments, err))
	if no.Hint == "" {
		no.Hint = parameters(t, args)
	}
	return no
}

// maxParameters bounds how many parameters a hint names.
const maxParameters = 12

func parameters(t catalog.Tool, args jsontext.Value) string {
	show := "`ask tools show " + t.Server() + "/" + t.Name() + "` shows all"
	root := t.Input().Root()
	names := slices.Sorted(maps.Keys(root.Named("properties")))
	var given []string
	members, _ := schema.Members(args) // in order: the arguments are canonical
	for _, m := range members {
		given = append(given, m.Name)
	}
	// Names that are not plain are left out, because one could pose as a sentence of
	// this program.
	plain := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !escape.Name(name) })
	said := ""
	if !root.Lists() && len(given) > 0 {
		return "leave the arguments out, or have the server publish its parameters; " + show + " of the tool"
	}
	if len(names) == 0 {
		given = nil // its alternatives name them
	}
	for _, name := range given {
		if !slices.Contains(names, name) {
			said = "it has no parameter " + lex.Repeat(name)
			if near := verdict.Near(name, plain); near != "" {
				return said + near + " " + show
			}
			said += "; "
			break
		}
	}
	required, _ := root.Value("required")
	list, _ := required.([]any)
	lacks := slices.ContainsFunc(list, func(name any) bool {
		text, is := name.(string)
		return is && !slices.Contains(given, text)
	})
	if said == "" && !lacks || len(plain) == 0 {
		return said + show + " parameters"
	}
	if len(plain) > maxParameters {
		plain = append(plain[:maxParameters], "…")
	}
	return said + "its parameters are " + strings.Join(plain, ", ") + ". " + show
}
