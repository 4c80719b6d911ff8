package review

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/trust"
)

// Decided is the result of a decision.
type Decided struct {
	trust.Decided
	Kept  bool              // the store has the approvals and rejections
	Lists map[string]string // the allowlist's current statement about each tool with a stated effect
}

// Decide stores a decision on a review. The store gets the approvals and rejections, and the
// allowlist gets the stated effects. If the allowlist cannot express them, nothing is stored.
//
// The two are separate files, so a kill may come between the writes. The order makes that
// harmless. First it moves a tool that the allowlist calls reading and the person calls
// writing; then it writes the store; last come additions to the allowlist. After a kill there
// is at most an approved tool that nothing allows, or a tool that needs consent without
// having needed it before.
func Decide(ctx context.Context, s servers.Servers, r Review, v trust.Choice) (Decided, error) {
	v.By = s.Desk.By
	of := Decided{Lists: map[string]string{}}
	if err := allow(s, r.Name, v.Effects, nil); err != nil {
		return of, err
	}
	narrower, rest := map[string]string{}, map[string]string{}
	for tool, effect := range v.Effects {
		if effect == tools.Writes && s.Allowlist.Effect(r.Name, tool).Reads {
			narrower[tool] = effect
		} else {
			rest[tool] = effect
		}
	}
	if err := allow(s, r.Name, narrower, of.Lists); err != nil {
		return of, err
	}
	kept, err := s.Keeper.Decide(ctx, r.Review, v)
	if err != nil {
		return of, err
	}
	of.Decided, of.Kept = kept, true
	return of, allow(s, r.Name, rest, of.Lists)
}

// allow writes effects into the allowlist, all at once, and records them in notes. With nil
// notes it only checks whether it could.
func allow(s servers.Servers, server string, effects, notes map[string]string) error {
	if len(effects) == 0 {
		return nil
	}
	reads := map[string]bool{}
	for tool, effect := range effects {
		reads[tool] = effect == tools.Reads
	}
	if err := config.AllowTools(s.AllowlistFile, server, reads, notes == nil); err != nil {
		return err
	}
	if notes != nil {
		maps.Copy(notes, effects)
	}
	return nil
}

// Approve reviews a server again, and approves its current definitions only if they have
// these digests. For a tool outside of the allowlist, the digest is from a review of all
// tools.
func Approve(ctx context.Context, s servers.Servers, name string, digests []string, effects map[string]string) (Decided, error) {
	if err := s.Configured(name); err != nil {
		return Decided{}, err
	}
	r := Of(ctx, s, []string{name}, Extent{})[0]
	if r.Err == nil && !r.has(digests) {
		r = Of(ctx, s, []string{name}, Extent{Unlisted: true, Again: true})[0]
	}
	if r.Err != nil {
		return Decided{}, r.Err
	}
	tools := slices.Sorted(maps.Keys(effects))
	if err := cmp.Or(r.lists(tools), r.leaves(tools, digests)); err != nil {
		return Decided{}, err
	}
	return Decide(ctx, s, r, trust.Choice{How: gate.ByDigest, Digests: digests, Effects: effects})
}

// leaves refuses an effect of a tool that the digests leave unapproved. The allowlist would
// name the tool, and no call of it could be made.
func (r Review) leaves(tools, digests []string) error {
	for _, tool := range tools {
		i := slices.IndexFunc(r.Parts, func(p trust.Part) bool { return p.Tool == tool })
		if i >= 0 && !r.Parts[i].Open() { // approved, or never approvable
			continue
		}
		if i < 0 || !slices.ContainsFunc(digests, func(digest string) bool { return r.covers(r.Parts[i], digest) }) {
			return verdict.Fail(verdict.UsageArgument, nil, "none of these digests approves %s: add its own, which `ask servers review %s --all-tools` shows", escape.Line(tool, 64), r.Name)
		}
	}
	return nil
}

// covers reports whether a digest approves a part. No part has the empty digest.
func (r Review) covers(p trust.Part, digest string) bool {
	if digest == "" {
		return false
	}
	return slices.Contains([]string{p.Digest, p.Edit}, digest) || digest == r.Digest && !p.Alone
}

// Reject withdraws the approval of tools, or marks them as not to be approved. It refuses the
// name of a tool that is neither approved, allowed nor held for review: a mistyped name would
// seem to reject something.
func Reject(ctx context.Context, s servers.Servers, server, how string, tools []string) error {
	if err := s.Configured(server); err != nil {
		return err
	}
	of := s.Target(server, false)
	pins, err := s.Keeper.Pins(ctx, of.Place)
	if err != nil {
		return err
	}
	names := slices.Concat(of.Allowed, slices.Collect(maps.Keys(pins.Tools)), slices.Collect(maps.Keys(pins.Held)))
	for _, tool := range tools {
		if !slices.Contains(names, tool) {
			return verdict.Fail(verdict.UsageArgument, nil, "server %s has nothing approved or allowed that is called %s%s", server, escape.Line(tool, 64), verdict.Near(tool, names))
		}
	}
	return s.Keeper.Reject(ctx, of.Place, trust.Choice{By: s.Desk.By, How: how}, tools...)
}
