package servers

import (
	"context"
	"fmt"
	"slices"

	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/tools"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
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
