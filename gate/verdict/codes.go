package verdict

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Code names one way in which a run can fail to answer. Codes are stable, because
// scripts depend on them.
type Code string

// The closed list. docs/codes.md is generated from it.
const (
	Internal Code = "internal.failure"

	InputEmpty        Code = "input.empty"
	InputTooLong      Code = "input.too_long"
	InputEncoding     Code = "input.encoding"
	InputControl      Code = "input.control"
	InputRule         Code = "input.rule"
	InputRulesMissing Code = "input.rules_missing"

	ServerUnknown     Code = "server.unknown"
	ServerStart       Code = "server.start"
	ServerTimeout     Code = "server.timeout"
	ServerUnreachable Code = "server.unreachable"
	ServerClosed      Code = "server.closed"
	ServerProtocol    Code = "server.protocol"
	ServerTooLarge    Code = "server.too_large"
	ServerAuth        Code = "server.auth"
	ServerIssuer      Code = "server.issuer"
	ServerRedirect    Code = "server.redirect"
	ServerOrigin      Code = "server.origin"
	ServerFetch       Code = "server.fetch"
	ServerArtifact    Code = "server.artifact"
	ServerRegistry    Code = "server.registry"

	ManifestInvalid       Code = "manifest.invalid"
	ManifestUnenforceable Code = "manifest.unenforceable"
	SandboxUnavailable    Code = "sandbox.unavailable"
	SandboxWrote          Code = "sandbox.wrote"

	LoginDiscovery    Code = "login.discovery"
	LoginDenied       Code = "login.denied"
	LoginState        Code = "login.state"
	LoginRegistration Code = "login.registration"
	LoginStore        Code = "login.store"
	LoginTimeout      Code = "login.timeout"

	CatalogName       Code = "catalog.name"
	CatalogDuplicate  Code = "catalog.duplicate"
	CatalogDescriptor Code = "catalog.descriptor"
	CatalogSchema     Code = "catalog.schema"
	CatalogTask       Code = "catalog.task"
	CatalogControl    Code = "catalog.control"
	CatalogAbsent     Code = "catalog.absent"
	CatalogEmpty      Code = "catalog.empty"

	PlanSize    Code = "plan.size"
	PlanJSON    Code = "plan.json"
	PlanShape   Code = "plan.shape"
	PlanNumber  Code = "plan.number"
	PlanContext Code = "plan.context"

	AllowMissing Code = "allow.missing"
	AllowInvalid Code = "allow.invalid"
	AllowEmpty   Code = "allow.empty"
	AllowServer  Code = "allow.server"
	AllowTool    Code = "allow.tool"

	SchemaArguments     Code = "schema.arguments"
	SchemaUnenforceable Code = "schema.unenforceable"

	IntentMarked Code = "intent.marked"

	RuleDenied Code = "rule.denied"
	RuleError  Code = "rule.error"
	RuleAsks   Code = "rule.asks"
	RuleFloor  Code = "rule.floor"
	RuleRate   Code = "rule.rate"
	RuleTest   Code = "rule.test"

	DecisionDenied     Code = "decision.denied"
	DecisionUnanswered Code = "decision.unanswered"

	ApprovalNeeded  Code = "approval.needed"
	ApprovalRefused Code = "approval.refused"
	ApprovalChanged Code = "approval.changed"
	ApprovalSpent   Code = "approval.spent"
	ApprovalExpired Code = "approval.expired"
	ApprovalUnknown Code = "approval.unknown"
	ApprovalEdited  Code = "approval.edited"

	OrgUnknown  Code = "org.unknown"
	OrgInvalid  Code = "org.invalid"
	OrgConflict Code = "org.conflict"
	OrgMoved    Code = "org.moved"
	OrgToken    Code = "org.token"
	OrgSecret   Code = "org.secret"
	OrgStart    Code = "org.start"
	OrgChanged  Code = "org.changed"

	GrantRefused Code = "grant.refused"
	GrantEnded   Code = "grant.ended"

	PinUnapproved   Code = "pin.unapproved"
	PinRejected     Code = "pin.rejected"
	PinChanged      Code = "pin.changed"
	PinAbsent       Code = "pin.absent"
	PinUnstable     Code = "pin.unstable"
	PinEquivocation Code = "pin.equivocation"
	PinFloating     Code = "pin.floating"

	CallUnapproved     Code = "call.unapproved"
	CallUnrecorded     Code = "call.unrecorded"
	CallSpent          Code = "call.spent"
	CallRounded        Code = "call.rounded"
	CallHanded         Code = "call.handed"
	CallOutcomeUnknown Code = "call.outcome_unknown"
	CallInputRequired  Code = "call.input_required"
	CallServerRequest  Code = "call.server_request"
	CallNotRecorded    Code = "call.not_recorded"
	CallInterrupted    Code = "call.interrupted"

	RunTimeout Code = "run.timeout"
	RunBusy    Code = "run.busy"

	OutputInvalid     Code = "output.invalid"
	OutputTooLarge    Code = "output.too_large"
	OutputNumber      Code = "output.number"
	OutputError       Code = "output.error"
	OutputRPCError    Code = "output.rpc_error"
	OutputRefused     Code = "output.refused"
	OutputMissing     Code = "output.missing"
	OutputSchema      Code = "output.schema"
	OutputContent     Code = "output.content"
	OutputStruct      Code = "output.struct"
	OutputQuarantined Code = "output.quarantined"
	OutputScanner     Code = "output.scanner"
	OutputUnsaved     Code = "output.unsaved"
	OutputForm        Code = "output.form"

	SummaryWriter   Code = "summary.writer"
	SummaryJSON     Code = "summary.json"
	SummaryShape    Code = "summary.shape"
	SummaryEvidence Code = "summary.evidence"
	SummaryClaim    Code = "summary.claim"
	SummaryUntyped  Code = "summary.untyped"
	SummaryFlagged  Code = "summary.flagged"

	ModelUnconfigured Code = "model.unconfigured"
	ModelAuth         Code = "model.auth"
	ModelRateLimited  Code = "model.rate_limited"
	ModelUnreachable  Code = "model.unreachable"
	ModelTimeout      Code = "model.timeout"
	ModelTooLarge     Code = "model.too_large"
	ModelReply        Code = "model.reply"
	ModelRefused      Code = "model.refused"
	ModelTruncated    Code = "model.truncated"
	ModelFailed       Code = "model.failed"

	ConfigMissing    Code = "config.missing"
	ConfigUnreadable Code = "config.unreadable"
	ConfigInvalid    Code = "config.invalid"
	ConfigVariable   Code = "config.variable"
	ConfigChanged    Code = "config.changed"

	StateUnreadable Code = "state.unreadable"
	StateUnwritable Code = "state.unwritable"
	StateNewer      Code = "state.newer"
	StateUnreleased Code = "state.unreleased"
	StateLocked     Code = "state.locked"
	StateMissing    Code = "state.missing"
	StateClock      Code = "state.clock"
	StateLabels     Code = "state.labels"

	AuditUnwritable Code = "audit.unwritable"

	TraceUnwritable Code = "trace.unwritable"
	TraceLost       Code = "trace.lost"
	TraceBusy       Code = "trace.busy"
	TraceMissing    Code = "trace.missing"
	TraceBroken     Code = "trace.broken"
	TraceIncomplete Code = "trace.incomplete"
	TraceObject     Code = "trace.object"
	TraceDigest     Code = "trace.digest"
	TraceDiffers    Code = "trace.differs"
	TracePolicy     Code = "trace.policy"
	TraceVersion    Code = "trace.version"

	EvalProgram    Code = "eval.program"
	EvalCases      Code = "eval.cases"
	EvalIncomplete Code = "eval.incomplete"
	EvalFailed     Code = "eval.failed"
	EvalRegression Code = "eval.regression"

	UsageCommand  Code = "usage.command"
	UsageFlag     Code = "usage.flag"
	UsageArgument Code = "usage.argument"
)

// Entry documents one code.
type Entry struct {
	Code      Code
	Exit      int    // the process exit code, as in docs/codes.md
	Retryable bool   // the same command, unchanged, may succeed later and does no harm
	Meaning   string // one clause
	Remedy    string // what the operator can do
}

// A line of the table is an entry: code, exit, "yes" if it is retryable, meaning and
// remedy, with | between them.
//
//go:embed entries.txt
var entryTable string

// entries reads the table, when an entry is first needed.
var entries = sync.OnceValue(func() (all []Entry) {
	for line := range strings.Lines(entryTable) {
		part := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		e := Entry{Code: Code(part[0]), Retryable: part[2] == "yes", Meaning: part[3], Remedy: part[4]}
		if _, err := fmt.Sscan(part[1], &e.Exit); err != nil || e.Exit == 0 {
			panic("gate/verdict/entries.txt: " + line) // TestEveryEntrySaysWhatToDo
		}
		all = append(all, e)
	}
	return all
})

// Entry returns the code's documentation. A code outside the list is an internal
// failure, the first entry: nothing unknown exits 0.
func (c Code) Entry() Entry {
	all := entries()
	return all[max(0, slices.IndexFunc(all, func(e Entry) bool { return e.Code == c }))]
}

// WaitsForReview reports whether only a person's approval of the tool is missing, so
// that a review can approve it.
func (c Code) WaitsForReview() bool {
	return c == PinUnapproved || c == PinChanged || c == PinEquivocation
}

// Entries returns the whole list, in the order of the documentation.
func Entries() []Entry { return slices.Clone(entries()) }
