// Package host runs one question through the gates.
//
// [Host.Ask] is the only place where the sequence is written: admit the
// question, list and cut the tools, take one proposal, parse it, approve at
// most one call, record it, make it, accept its result, and lock a summary to
// it. host vouches that nothing happens in another order and that every step
// is on the trace. It decides nothing itself: gates do.
//
// A Go program embeds onestep by giving [New] its parts; `ask` does the same.
package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/input"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/rule"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/inbox"
	"github.com/onestep-run/onestep/host/internal/recorded"
	"github.com/onestep-run/onestep/planner"
	"github.com/onestep-run/onestep/summarize"
	"github.com/onestep-run/onestep/trace"
)

// Source lists the tools of servers.
type Source interface {
	// Discover asks these servers and no other, on behalf of a subject, and gives
	// one listing for each.
	Discover(ctx context.Context, subject string, servers []string) []catalog.Listing
}

// Caller makes the one call.
type Caller interface {
	// Call redeems the approval against the live descriptor, which it returns, and
	// sends the redeemed call once.
	Call(ctx context.Context, a gate.Approved, on trace.Receipt, yes gate.Consent) (gate.RawResult, pin.Descriptor, error)
}

// Binder is a Caller of servers that may be granted the files that a call's
// arguments name.
type Binder interface {
	// Bind finds these files before the call is approved. The approval is of these very
	// files; a call of other files is refused. Until release is called no other file can
	// be taken for one of them. A caller that wraps another one passes this on: without
	// it, calls that are granted files are refused.
	Bind(server string, args jsontext.Value) (files []trace.FileBody, release func(), err error)
}

// Proposer proposes one step. Its answer is never trusted. Its report on how it
// found the answer is recorded, also with an error.
type Proposer interface {
	Propose(ctx context.Context, q input.Query, c catalog.Catalog) (planner.Proposal, error)
}

// Writer writes a summary. Its bytes are never trusted. Its report on how it made
// them is recorded, also with an error.
type Writer interface {
	Write(ctx context.Context, s summarize.Source) (summarize.Draft, error)
}

// Traces opens the trace of a run.
type Traces interface {
	// Create opens a new trace and returns its path. An existing one is an error.
	Create(ctx context.Context, runID string) (sink TraceSink, path string, err error)
}

// TraceSink takes one run's trace. See [trace.Sink] for the promise of Sync: the
// guarantee that no call leaves unrecorded depends on it.
type TraceSink interface {
	trace.Sink
	Close() error
}

// Config has the parts of a host. Every part is needed unless it is marked as
// optional.
type Config struct {
	Policy        Policy
	Source        Source
	Caller        Caller
	Proposer      Proposer
	Planner       string                  // the proposer's name, for the trace
	Version       string                  // of the program, for the trace and its replay
	Servers       map[string]pin.Identity // optional; how each server is reached, for trace and approval: no secrets
	Writer        Writer
	Traces        Traces
	Scanners      []NamedScanner                      // optional; next to the built-in rules, which are always on
	Quarantine    Quarantine                          // optional; without it a withheld result cannot be released
	Seal          func(answer []byte) string          // optional; the HMAC of an answer under this machine's key
	Approver      Approver                            // optional; for a question that has none
	Approvals     Approvals                           // optional; without it no call waits for a person
	Points        []DecisionPoint                     // optional; each can refuse a call that was approved
	Audit         Audit                               // optional; a line of each call and each refusal
	AuditRequired bool                                // no call leaves unless its line is added
	Counts        string                              // optional; whose calls the limits of rules count, where hosts share Approvals
	ApprovalTTL   time.Duration                       // optional; how long a pending approval can be given; 15 minutes
	Types         map[string]func(value []byte) error // optional; see gate.Options
	Bounds        Bounds                              // optional; how many questions run and wait at once
	Memory        *Memory                             // optional; shared by hosts that read the same tools
	Now           func() time.Time                    // optional; time.Now
	NewRunID      func() string                       // optional; of the time and 64 random bits

	// Latest gives the current configuration; nil means that it never changes. It
	// is asked before a run begins, before a person is asked, and right before the
	// call leaves. If it fails, no call is made. Planner, Proposer, Writer,
	// Approver, Bounds, Now, NewRunID and Latest of its result are not used.
	Latest  func(ctx context.Context) (Config, error)
	Reading uint64 // number of this reading; it differs from the next one's
	Files   []File // optional; the files that it was read from, for the trace
	Retired func() // optional; is called once no run uses this reading any more
}

// File is a file that decides about calls, as it was read.
type File struct {
	What   string `json:"what"` // such as "allowlist"
	Path   string `json:"path"`
	Digest string `json:"digest,omitempty"` // SHA-256 of its text; "" if the file does not exist
}

// Host answers questions. It is safe for concurrent use if its parts are.
type Host struct {
	start Config
	make  func(*Host, *reading) (World, error) // makes the world of a reading
	turns turns

	inbox inbox.Inbox

	mu     sync.Mutex
	latest *reading // runs may still use earlier ones
}

// New makes a host without pins. It plans with everything that its source lists. A
// session.Pool lists what servers say now, approved or not. In one call
// Inventory.Connect of [setup] gives a source and a caller that are limited to
// approved tools; setup.Host makes a whole host.
//
// A policy that allows nothing makes a host that refuses everything, which is not an
// error.
//
// [setup]: https://pkg.go.dev/github.com/onestep-run/onestep/config/setup
func New(c Config) (*Host, error) { return c.host(liveWorld) }

// host makes a host that runs in a world.
func (c Config) host(world func(*Host, *reading) (World, error)) (*Host, error) {
	if slices.Contains([]any{c.Source, c.Caller, c.Proposer, c.Writer, c.Traces}, nil) {
		return nil, errors.New("host: a source, a caller, a proposer, a writer and traces are needed")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.NewRunID == nil {
		c.NewRunID = newRunID
	}
	c.Memory = cmp.Or(c.Memory, &Memory{})
	h := &Host{start: c, make: world, turns: c.Bounds.turns()}
	first, err := h.read(c)
	if err != nil {
		return nil, err
	}
	h.latest = first
	return h, nil
}

// Catalog asks these servers and no other, on behalf of a subject; "" names none. It keeps
// only the tools that the allowlist names. Without servers it asks every server of the
// allowlist. It is the only way to a catalog: Ask uses it too.
func (h *Host) Catalog(ctx context.Context, subject string, servers ...string) catalog.Catalog {
	if h == nil || h.start.Traces == nil {
		return catalog.Catalog{} // not made by New
	}
	rd, err := h.take(ctx)
	defer h.give(rd)
	if len(servers) == 0 {
		servers = rd.config.Policy.Allowlist.Servers()
	}
	if err != nil {
		return rd.unread(servers, err)
	}
	return rd.catalog(ctx, subject, "", servers)
}

// Policy is everything that the operator decides and that verdicts depend on.
// Its zero value refuses every question.
type Policy struct {
	Rules         input.Rules
	Allowlist     catalog.Allowlist
	SummaryLevel  summarize.Level
	StrictFormats bool        // an unknown schema format takes a tool out
	StrictOutputs bool        // a result with a date-time that lacks its offset is refused
	MaxResult     int         // bytes of one result; 0: the default
	MaxArguments  int         // bytes of a plan that a client brings; 0: the default
	ClientRules   bool        // the rules read the arguments of such a plan, too
	SummaryBudget int         // bytes of a result that a writer is given; 0: the default
	StrictIntent  bool        // every call that carries a mark needs a person's approval
	Guard         scan.Rules  // which built-in rules are not for which server
	OthersApprove bool        // no user approves a call that they asked for
	Accept        pin.Accept  // differences from the approved tool that pass without a person
	CallRules     rule.Policy // the rules of calls; without a file the defaults hold
}

func (p Policy) record() jsontext.Value {
	var files []recorded.PolicyFile // of the rules of calls
	for _, f := range p.CallRules.Files() {
		files = append(files, recorded.PolicyFile{Name: f.Name, Text: trace.Keep(f.Text), Narrows: f.Narrows})
	}
	return recordOf(recorded.Policy{
		Rules: keep(p.Rules.Source()), Allowlist: keep(p.Allowlist.Source()), Refusal: trace.ErrorOf(p.Allowlist.Refusal()),
		SummaryLevel: p.SummaryLevel.String(), StrictFormats: p.StrictFormats, StrictOutputs: p.StrictOutputs, MaxResult: p.MaxResult, SummaryBudget: p.SummaryBudget,
		StrictIntent: p.StrictIntent, MaxArguments: p.MaxArguments, ClientRules: p.ClientRules, OthersApprove: p.OthersApprove, Accept: p.Accept.Classes(), Suppressed: p.Guard.Suppressed(),
		Policy: files,
	})
}

// recordOf is a part of the configuration as a trace has it. It consists of texts, numbers
// and texts of JSON that were read, so that it can be written; a replay of null is refused.
func recordOf(v any) jsontext.Value {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return jsontext.Value("null")
	}
	return b
}

func keep(b []byte) *trace.Bytes {
	if b == nil {
		return nil
	}
	return new(trace.Keep(b))
}

// Digest is the SHA-256 of the whole policy, as a trace has it.
func (p Policy) Digest() string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256(p.record()))
}

// reached is the identities of the allowlisted servers, for the trace. Other
// servers are not recorded.
func (c Config) reached() jsontext.Value {
	ids := map[string]pin.Identity{}
	for _, name := range c.Policy.Allowlist.Servers() {
		if id, known := c.Servers[name]; known {
			ids[name] = id
		}
	}
	return recordOf(ids)
}
