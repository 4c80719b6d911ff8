package host

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/schema"
	"github.com/onestep-run/onestep/gate/secret"
	"github.com/onestep-run/onestep/gate/verdict"
)

// Audit keeps a line of each call and of each refusal. host/audit does.
type Audit interface {
	// Add adds one line, which is on disk when it returns nil.
	Add(ctx context.Context, line AuditLine) error
}

// AuditLine is one line of the audit. It names the arguments of a call. It has only
// the values that a rule of the policy names, without secrets. Texts that a
// stranger may have written are in it verbatim: escape them.
type AuditLine struct {
	SchemaVersion int               `json:"schema_version"`
	Time          time.Time         `json:"time"`  // of the line
	Phase         string            `json:"phase"` // "before" the call leaves, or "after" the run has ended
	Action        string            `json:"action"`
	ResourceType  string            `json:"resource_type"`
	ResourceID    string            `json:"resource_id"` // "" if the question came to no tool
	Server        string            `json:"server"`
	Tool          string            `json:"tool"`
	Subject       string            `json:"subject"`
	Conversation  string            `json:"conversation"`
	Arguments     []string          `json:"arguments"`        // names of those given
	Values        map[string]string `json:"values,omitempty"` // by JSON Pointer
	Verdict       string            `json:"verdict"`          // "allow" if the call left, "ask", "deny", "error"
	Rules         []string          `json:"rules"`            // that decided: codes, and file:line of the policy
	DecidedBy     string            `json:"decided_by,omitempty"`
	Code          verdict.Code      `json:"code,omitempty"` // of the error that ended the run
	Approver      string            `json:"approver,omitempty"`
	ApprovedHow   string            `json:"approved_how,omitempty"`
	Call          string            `json:"call"`              // as in an [Outcome]
	ExecutionMS   *int64            `json:"execution_time_ms"` // from the call to its answer, null if no call left
	RunID         string            `json:"run_id"`
	ParentRun     string            `json:"parent_run,omitempty"`   // that asked for more, or for the approval
	TraceDigest   string            `json:"trace_digest,omitempty"` // so far, of a line before the call
}

// The phases of a line.
const (
	Before = "before"
	After  = "after"
)

// The action and the type of resource of every line.
const (
	auditAction   = "tool_call"
	auditResource = "mcp_tool"
)

// Bounds of a line.
const (
	maxAudited = 64   // arguments that are named, and values that are shown
	maxShown   = 1024 // bytes of one value
)

// announce writes the line of a call that is about to leave, if the audit is required. A
// call without such a line is not made. An approval that was used for it stays used.
func (r *run) announce(ctx context.Context, a gate.Approved) error {
	line := r.auditLine(r.out, Before)
	line.Verdict, line.TraceDigest = verdict.Allow.String(), r.log.Head().Digest()
	err := r.config.Audit.Add(ctx, line)
	if err == nil {
		return nil
	}
	return r.record("audit", verdict.Fail(verdict.AuditUnwritable, err, "the call of %s/%s is not made, because the audit is required and its line cannot be added: %v", a.Server(), a.Tool(), err))
}

// account writes the line of a run that called a tool, or was refused one.
func (r *run) account(ctx context.Context, out *Outcome) {
	if r.reading == nil || r.config.Audit == nil {
		return
	}
	if out.Type == FinalAnswer || out.Type == Planned {
		return // no call was to leave
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepLimit) // the run's time may be over
	defer cancel()
	if err := r.config.Audit.Add(ctx, r.auditLine(*out, After)); err != nil {
		out.Note = strings.TrimSpace(out.Note + " The audit has no line of this run: " + verdict.Cut(err.Error(), 200) + ".")
	}
}

func (r *run) auditLine(out Outcome, phase string) AuditLine {
	p, q := out.Planned, r.question
	server, tool := p.Server(), p.Tool()
	if tool == "" {
		server, tool = q.only()
	}
	l := AuditLine{
		SchemaVersion: SchemaVersion, Time: r.config.Now().UTC(), Phase: phase, Action: auditAction, ResourceType: auditResource,
		Server: server, Tool: tool, Subject: q.Subject, Conversation: q.Facts.Conversation, Arguments: []string{}, Rules: []string{},
		Verdict: ruledOf(out), DecidedBy: out.decidedBy, Call: out.Call, RunID: out.RunID, TraceDigest: out.TraceDigest,
	}
	if tool != "" {
		l.ResourceID = "mcp_" + server + "_" + tool
	}
	if !p.Declines() {
		l.Arguments, l.Values = namesOf(p.Args()), r.shownValues(server, tool, p.Args())
	}
	for _, v := range out.Verdicts {
		l.Rules = append(l.Rules, v.Rules...)
	}
	if out.Error != nil {
		l.Code = out.Error.Code
		l.Rules = append(l.Rules, string(out.Error.Code))
	}
	l.Rules = unique(l.Rules)
	if a := out.Approval; a != nil {
		l.Approver, l.ApprovedHow = a.By, a.How
		if a.RunID != out.RunID {
			l.ParentRun = a.RunID
		}
	}
	if q.Follows != nil {
		l.ParentRun = cmp.Or(l.ParentRun, q.Follows.RunID)
	}
	if out.Call != None {
		l.ExecutionMS = new(out.took.Milliseconds())
	}
	return l
}

// ruledOf is the verdict on a run for an auditor: "allow" if a call left.
func ruledOf(out Outcome) string {
	switch {
	case out.Call != None:
		return verdict.Allow.String()
	case out.Type == ApprovalNeeded:
		return verdict.Ask.String()
	case out.Type == Blocked:
		return verdict.Refuse.String()
	}
	return "error"
}

// namesOf are the names of the arguments, a stranger's as well.
func namesOf(args []byte) []string {
	members, err := schema.Envelope(args, schema.PlanLimits)
	names := []string{}
	if err != nil {
		return names
	}
	for _, m := range members[:min(len(members), maxAudited)] {
		names = append(names, escape.Line(m.Name, maxSubject))
	}
	slices.Sort(names)
	return names
}

// shownValues are the values that a rule of the policy has the audit show.
func (r *run) shownValues(server, tool string, args []byte) map[string]string {
	at := r.config.Policy.CallRules.Logged(server, tool)
	if len(at) == 0 {
		return nil
	}
	values := map[string]string{}
	named := func(p string) bool {
		return slices.ContainsFunc(at, func(of string) bool { return p == of || strings.HasPrefix(p, of+"/") })
	}
	for leaf := range schema.Leaves(args) {
		if p := leaf.Pointer(); !leaf.Name && len(values) < maxAudited && named(p) {
			text, _ := secret.Redact(leaf.Text)
			values[p] = verdict.Cut(text, maxShown)
		}
	}
	return values
}
