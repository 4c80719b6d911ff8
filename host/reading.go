package host

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/trace"
)

// reading is the configuration that decides about calls, as it was read at one time. A run
// uses one until it finds a later one.
type reading struct {
	config   Config
	gate     *gate.Gate
	shared   *shared
	world    World
	deciding string // the digest of the policy

	users int // runs and listings; guarded by the mutex of the host
}

// read checks the configuration that decides, and makes a reading from it.
func (h *Host) read(c Config) (*reading, error) {
	if c.AuditRequired && c.Audit == nil {
		return nil, errors.New("host: the audit is required, and there is none")
	}
	if err := distinct(c.Scanners); err != nil {
		return nil, err
	}
	if c.ApprovalTTL <= 0 {
		c.ApprovalTTL = approvalTTL
	}
	common := &shared{policy: trace.NewObject(c.Policy.record), servers: trace.NewObject(c.reached), files: trace.NewObject(func() jsontext.Value { return recordOf(c.Files) })}
	rd := &reading{config: c, gate: c.gate(), shared: common, deciding: common.policy.Digest()}
	var err error
	if rd.world, err = h.make(h, rd); err != nil {
		return nil, err
	}
	return rd, nil
}

func (c Config) gate() *gate.Gate {
	return gate.New(gate.Options{
		MaxResult: c.Policy.MaxResult, Types: c.Types, Strict: c.Policy.StrictIntent, StrictOutputs: c.Policy.StrictOutputs, Rules: c.Policy.Guard, Accept: c.Policy.Accept,
		OthersApprove: c.Policy.OthersApprove, Policy: c.Policy.CallRules, Validators: &c.Memory.validators,
	})
}

// over is a later reading, with the parts of the start that no file decides.
func (c Config) over(start Config) Config {
	c.Planner, c.Proposer, c.Writer, c.Version = start.Planner, start.Proposer, start.Writer, start.Version
	c.Bounds, c.Now, c.NewRunID, c.Latest = start.Bounds, start.Now, start.NewRunID, start.Latest
	c.Approver, c.Memory = start.Approver, start.Memory
	return c
}

// take gives the current reading; the caller returns it with give. If the
// configuration cannot be read, take gives the last good reading and an error: it
// decides nothing then.
func (h *Host) take(ctx context.Context) (*reading, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.look(ctx)
	h.latest.users++
	return h.latest, err
}

// last is the last reading, without a look at the files; the caller returns it with
// give. It decides nothing.
func (h *Host) last() *reading {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.latest.users++
	return h.latest
}

func (h *Host) look(ctx context.Context) error {
	if h.start.Latest == nil {
		return nil
	}
	c, err := h.start.Latest(ctx)
	was := h.latest
	if err != nil || c.Reading == was.config.Reading {
		return err
	}
	is, err := h.read(c.over(h.start))
	if err != nil {
		return verdict.Fail(verdict.ConfigInvalid, err, "%v", err)
	}
	h.latest = is
	was.retire()
	return nil
}

// give ends the use of a reading.
func (h *Host) give(rd *reading) {
	h.mu.Lock()
	defer h.mu.Unlock()
	rd.users--
	if rd != h.latest {
		rd.retire()
	}
}

// retire reports a reading as retired once no run uses it. The reading is not the latest.
func (rd *reading) retire() {
	if rd.users == 0 && rd.config.Retired != nil {
		rd.config.Retired()
	}
}

// unread is the catalog of servers if the configuration cannot be read: no server
// has a tool.
func (rd *reading) unread(servers []string, err error) catalog.Catalog {
	var listings []catalog.Listing
	for _, s := range servers {
		listings = append(listings, catalog.Listing{Server: s, Err: err})
	}
	return catalog.Admit(listings, rd.config.Policy.Allowlist, catalog.Options{})
}

// catalog lists the tools of the servers. If only names a tool, it has that tool
// alone.
func (rd *reading) catalog(ctx context.Context, subject, only string, servers []string) catalog.Catalog {
	listings := rd.config.Source.Discover(ctx, subject, servers)
	for i, l := range listings {
		if l.Err != nil {
			listings[i].Err = rd.clean(l.Server, edge(ctx, l.Err, verdict.ServerProtocol))
		}
	}
	return catalog.Admit(listings, rd.config.Policy.Allowlist, catalog.Options{
		StrictFormats: rd.config.Policy.StrictFormats, Seen: &rd.config.Memory.seen, Identities: rd.config.Servers, Only: only,
		Stop: func() error {
			if ctx.Err() == nil {
				return nil
			}
			return edge(ctx, verdict.Fail(verdict.RunTimeout, ctx.Err(), "the time for the run (timeout) ended before its tools were listed"), verdict.RunTimeout)
		},
	})
}

// lookAgain makes the run use the current reading, and reports whether that is
// another one than before. Every look of a run has a number, by which a replay
// finds its result.
func (r *run) lookAgain(ctx context.Context, why string) (changed bool, err error) {
	r.looks++
	is, err := r.take(ctx)
	body := trace.RereadBody{Look: r.looks, Why: why, Error: trace.ErrorOf(err)}
	if err != nil || is == r.reading {
		r.give(is)
		if err == nil && why == "" {
			return false, nil
		}
		if lost := r.append(trace.Reread, body); err == nil {
			return false, lost
		}
		return false, r.record("config", err)
	}
	if body.Why == "" {
		body.Why = differing(r.config.Files, is.config.Files)
	}
	r.give(r.reading)
	r.reading = is
	body.Policy, body.Servers, body.Files = r.log.Share(is.shared.policy), r.log.Share(is.shared.servers), r.log.Share(is.shared.files)
	return true, r.append(trace.Reread, body)
}

// otherwise has a call decided again. It ends no run by itself.
func otherwise(format string, args ...any) error {
	return verdict.Deny(verdict.ConfigChanged, format, args...)
}

// differing names the files that have changed.
func differing(was, is []File) string {
	var names []string
	for _, pair := range [][2][]File{{was, is}, {is, was}} {
		for _, f := range pair[0] {
			if name := f.What + " " + filepath.Base(f.Path); !slices.Contains(pair[1], f) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(names) == 0 {
		return "rules, allowlist or settings have changed"
	}
	return "changed since the call was decided: " + strings.Join(names, ", ")
}

// maxAgain is how often a run decides its call again.
const maxAgain = 3

// again decides a call once more, and records the reason. A person who was asked
// for it is asked again: no approval outlives the rules under which it was given.
func (r *run) again(ctx context.Context, c *considered, a gate.Approved, cause error) (decided, error) {
	if r.rounds++; r.rounds > maxAgain {
		return decided{}, r.record("config", cause)
	}
	if !a.Withdraw() {
		return decided{}, verdict.Fail(verdict.Internal, nil, "a call that may have left was to be decided again")
	}
	if err := r.approval.call.Expire(ctx, r.config.Approvals, r.config.Now()); err != nil {
		return decided{}, r.record("approval", err)
	}
	no, _ := verdict.First(cause)
	if _, err := r.lookAgain(ctx, no.Reason); err != nil {
		return decided{}, err
	}
	if a.Ruled().Ruling == verdict.Ask || r.question.Approval != nil {
		r.question.Approval = nil
		is := &r.approval
		is.why, is.elsewhere, is.by = no.Reason, false, ""
		is.binding = Binding{RunID: r.out.RunID, Expires: is.binding.Expires}
	}
	return r.redecide(ctx, c)
}

// redecide takes the call through every gate again: the question, the allowlist and the
// tools may have changed.
func (r *run) redecide(ctx context.Context, c *considered) (decided, error) {
	planned := c.planned
	now, err := r.consider(ctx, planned)
	if err != nil {
		return decided{}, err
	}
	*c = now
	c.planned = planned
	return r.approve(ctx, *c)
}
