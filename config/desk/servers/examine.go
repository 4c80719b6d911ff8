package servers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Examine checks everything that a question needs. It looks up a model's key and asks no
// model; it starts or dials servers, which list their tools.
func (s Servers) Examine(ctx context.Context) []desk.Check {
	file := s.Desk.Settings.Servers.V
	found := []desk.Check{desk.NewCheck("servers file", file, nil)}
	for _, n := range s.Notes {
		var err error
		if n.Out {
			err = verdict.Fail(verdict.ConfigInvalid, nil, "%s", n)
		}
		found = append(found, desk.NewCheck("servers file", n.String(), err))
	}
	found = slices.Concat(found, At(s.Desk).examineEntries(), s.examineLogins(), s.examineSandbox())
	refused := s.Refusal(ctx)
	found = append(found, desk.NewCheck("allowlist", fmt.Sprintf("%d server(s)", len(s.Allowlist.Servers())), refused))
	found = append(found, s.examineReviews(ctx)...)
	if refused != nil {
		return found // no server may be asked
	}
	d := s.Desk
	d.With.Live = true // to find out what would fail
	var listed []desk.Check
	err := d.List(ctx, s.Allowlist.Servers(), func(c catalog.Catalog) error {
		for _, l := range c.Listings() {
			listed = append(listed, desk.NewCheck("server "+l.Server, fmt.Sprintf("%d tool(s) listed", len(l.Tools)), l.Err))
		}
		listed = append(listed, s.examineTools(c)...)
		return nil
	})
	if err != nil {
		listed = []desk.Check{desk.NewCheck("servers", "", err)}
	}
	return append(found, listed...)
}

// examineEntries reports a server that starts `ask wrap`: it would start itself.
func (d Desk) examineEntries() (found []desk.Check) {
	_, ours, _ := d.Entries() // the check of the servers reports a file that cannot be read
	for _, name := range ours.Names() {
		if self, sibling := d.Wraps(ours, name); self || sibling {
			f := verdict.Fail(verdict.ConfigInvalid, nil, "it starts `ask wrap`, and would start itself")
			f.Hint = "write the server's own command, or take it out with `ask servers remove " + name + "`"
			found = append(found, desk.NewCheck("server "+name, "", f))
		}
	}
	return found
}

// examineTools reports allowlisted tools that cannot be called.
func (s Servers) examineTools(c catalog.Catalog) []desk.Check {
	found := []desk.Check{desk.NewCheck("tools", fmt.Sprintf("%d can be called", len(c.Tools())), c.Refusal())}
	if list, open := tools.FillClaims(c, s.Allowlist); len(open) > 0 {
		f := desk.NewCheck("effects", fmt.Sprintf("%d tool(s) have no stated effect, and count as writing. With the servers' claims filled in, the allowlist is", len(open)), nil)
		f.Lines = string(list)
		found = append(found, f)
	}
	for _, e := range c.Excluded() {
		if slices.Contains(s.Allowlist.Tools(e.Server), e.Name) {
			found = append(found, desk.NewCheck("tool "+e.Server+"/"+e.Name, "", e.Denial))
		}
	}
	return found
}

// NotReviewed are the configured servers without an allowlisted tool and without any
// decision, each server once. It starts nothing, and returns nothing if decisions cannot be
// stored.
func (s Servers) NotReviewed(ctx context.Context) (names []string, err error) {
	if s.Keeper == nil {
		return nil, nil
	}
	for _, name := range s.Distinct(s.Names()) {
		place, _ := s.Place(name)
		pins, err := s.Keeper.Pins(ctx, place)
		if err != nil {
			return nil, err
		}
		if len(s.Target(name, false).Allowed)+len(pins.Tools)+len(pins.Held) == 0 {
			names = append(names, name)
		}
	}
	return names, nil
}

// ToReview is the command that reviews servers.
func ToReview(names []string) string { return "ask servers review " + strings.Join(names, " ") }

// Refusal is why the allowlist allows nothing, or nil if it allows something. Its next step
// is to review the servers that were not reviewed yet.
func (s Servers) Refusal(ctx context.Context) error {
	refused := s.Allowlist.Refusal()
	no, _ := verdict.First(refused)
	if no == nil || !slices.Contains([]verdict.Code{verdict.AllowMissing, verdict.AllowEmpty}, no.Code) {
		return refused
	}
	names, err := s.NotReviewed(ctx)
	if err != nil || len(names) == 0 {
		return refused
	}
	said := *no
	said.Reason += "; not reviewed yet: " + strings.Join(names, ", ")
	said.Hint = "`" + ToReview(names) + "` shows their tools, and allows those that you choose"
	return &said
}

// examineReviews names the servers that were not reviewed yet. An unused entry is
// not a fault.
func (s Servers) examineReviews(ctx context.Context) []desk.Check {
	names, err := s.NotReviewed(ctx)
	if err == nil && len(names) == 0 {
		return nil
	}
	return []desk.Check{desk.NewCheck("reviews", "not reviewed yet: "+strings.Join(names, ", ")+"; next: `"+ToReview(names)+"`", err)}
}

// Distinct leaves out names of a server that the list already has under another name.
func (s Servers) Distinct(names []string) (all []string) {
	for _, name := range names {
		if !slices.ContainsFunc(s.Also(name), func(other string) bool { return slices.Contains(all, other) }) {
			all = append(all, name)
		}
	}
	return all
}

// SplitName is [tools.SplitName]. For the name of a tool alone its error also names the
// servers with such a tool in the allowlist.
func (s Servers) SplitName(name string) (server, tool string, err error) {
	server, tool, err = tools.SplitName(name)
	if err == nil {
		return server, tool, nil
	}
	var all []string
	for _, server := range s.Allowlist.Servers() {
		if slices.Contains(s.Allowlist.Tools(server), name) {
			all = append(all, server+"/"+name)
		}
	}
	if len(all) == 0 {
		return "", "", err
	}
	return "", "", verdict.Fail(verdict.UsageArgument, nil, "%q is not SERVER/TOOL; did you mean %s?", name, strings.Join(all, " or "))
}

// Preflight reports whether a tool can be called in its approved form.
type Preflight struct {
	SchemaVersion int           `json:"schema_version"`
	Server        string        `json:"server"`
	Tool          string        `json:"tool"`
	Ready         bool          `json:"ready"`
	Digest        string        `json:"digest,omitempty"` // of the approved tool
	Error         *host.Failure `json:"error,omitempty"`
}

// Preflight asks a server for a tool's current definition. A given digest must be the
// approved one. It calls and writes nothing. The returned error is about the request; the
// result contains the error of the check.
func (s Servers) Preflight(ctx context.Context, name, digest string) (p Preflight, err error) {
	server, tool, err := s.SplitName(name)
	if err != nil {
		return p, err
	}
	if err := s.Configured(server); err != nil {
		return p, err
	}
	if err := s.Refusal(ctx); err != nil {
		return p, err
	}
	d := s.Desk
	d.With.Live = true
	asked := false
	p = Preflight{SchemaVersion: host.SchemaVersion, Server: server, Tool: tool}
	bad := d.List(ctx, []string{server}, func(c catalog.Catalog) (err error) {
		asked = true
		p.Digest, err = tools.AsApproved(c, server, tool, digest)
		return err
	})
	if bad != nil && !asked {
		return p, bad
	}
	p.Ready, p.Error = bad == nil, host.FailureOf(bad)
	return p, nil
}
