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
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/pin"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/store"
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

// Allowed is a tool that the allowlist names now, or would name.
type Allowed struct {
	Tool     string `json:"tool"`
	Effect   string `json:"effect"`        // "read" or "write", the operator's word
	Was      string `json:"was,omitempty"` // the effect before; "" if the allowlist did not name the tool
	Loosens  string `json:"loosens,omitempty"`
	Approved bool   `json:"approved"` // otherwise no call is made, whatever the allowlist says
	Tried    bool   `json:"tried"`    // its sandbox saw it try to write, so it counts as writing until a review
}

// Loosens describes the consent that a tool no longer needs when the allowlist changes it
// from writing to reading.
func Loosens(was catalog.Effect) string {
	switch was.Approval {
	case catalog.Terminal:
		return `the allowlist calls it writing; as reading, its calls still need an approval at a terminal`
	case catalog.Unneeded:
		return `the allowlist calls it writing, and lets its calls leave without an approval already`
	}
	return "the allowlist calls it writing; as reading, its calls leave without an approval"
}

// Allow writes the effects of a server's tools into the allowlist. It approves nothing: an
// unapproved tool cannot be called. It refuses the name of a tool that is neither allowed nor
// known from a review. It also refuses a tool with a finding that would become a reading one:
// a review shows it first. It starts nothing, and a dry run writes nothing.
func Allow(ctx context.Context, s servers.Servers, server string, effects map[string]string, dry bool) ([]Allowed, error) {
	if err := s.Configured(server); err != nil {
		return nil, err
	}
	of := s.Target(server, false)
	pins, err := s.Keeper.Pins(ctx, of.Place)
	if err != nil {
		return nil, err
	}
	known := slices.Concat(of.Allowed, slices.Collect(maps.Keys(pins.Tools)), slices.Collect(maps.Keys(pins.Held)), slices.Collect(maps.Keys(pins.Later)))
	var all []Allowed
	for _, tool := range slices.Sorted(maps.Keys(effects)) {
		if !slices.Contains(known, tool) {
			return nil, verdict.Fail(verdict.UsageArgument, nil, "no tool of server %s that was reviewed or allowed is called %s%s", server, escape.Line(tool, 64), verdict.Near(tool, known)).
				WithHint("`ask servers review " + server + " --all-tools` shows the tools of the server")
		}
		one := allowedAs(s, server, tool, effects[tool], pins)
		if one.Effect == tools.Reads && one.Was != tools.Reads && found(of, pins, tool) {
			return nil, verdict.Fail(verdict.UsageArgument, nil, "the scan found something in what %s says of %s: only a review that shows it can call it reading", server, tool).
				WithHint("`ask servers review " + server + " --again` shows it at a terminal, and r allows it as reading")
		}
		all = append(all, one)
	}
	notes := map[string]string{}
	if dry {
		notes = nil
	}
	return all, allow(s, server, effects, notes)
}

// allowedAs is a tool as the allowlist will name it.
func allowedAs(s servers.Servers, server, tool, effect string, pins trust.Pins) Allowed {
	one := Allowed{Tool: tool, Effect: effect, Tried: slices.Contains(pins.Wrote, tool)}
	_, one.Approved = pins.Tools[tool]
	was := s.Allowlist.Effect(server, tool)
	if slices.Contains(s.Allowlist.Tools(server), tool) {
		one.Was = was.String()
	}
	if one.Was == tools.Writes && effect == tools.Reads {
		one.Loosens = Loosens(was)
	}
	return one
}

// found reports whether the scan has a finding in a tool's approved definition, or in the
// instructions that were approved with it.
func found(of trust.Target, pins trust.Pins, tool string) bool {
	p, approved := pins.Tools[tool]
	if !approved {
		return false // no call is made before a review shows the tool
	}
	said := pin.Descriptor{Server: of.Name, Raw: p.Raw, Instructions: p.Instructions}
	report := of.Rules.Scan(of.Name, append(said.Parts(), scan.Part{Where: "/instructions", Kind: "instructions", Text: p.Instructions}))
	return report.Unlisted > 0 || len(report.Findings) > 0
}

// Refreshed is how one server differs from its approval.
type Refreshed struct {
	Server  string           `json:"server"`
	Program []pin.Difference `json:"program"` // how the program that starts differs from the approved one
	Changed []store.Seen     `json:"changed"`
	Error   *host.Failure    `json:"error,omitempty"`
	Open    bool             `json:"-"` // a decision is needed
}

// Refresh asks servers for their current definitions, several at a time, and holds changed
// tools for review.
func Refresh(ctx context.Context, s servers.Servers, names []string) ([]Refreshed, error) {
	policy, err := s.Policy(s.Desk.Settings)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Desk.Settings.Timeout.V)
	defer cancel()
	all := make([]Refreshed, len(names))
	eachOf(len(names), func(i int) {
		now, err := s.Keeper.Refresh(ctx, s.Target(names[i], false), policy.Accept)
		all[i] = Refreshed{Server: names[i], Program: now.Program, Changed: now.Held, Error: host.FailureOf(err), Open: now.Open()}
	})
	return all, nil
}
