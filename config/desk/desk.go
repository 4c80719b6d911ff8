// Package desk is what a person does to an installation: find and verify runs,
// approve the call that one waits for, release a result that is withheld, review
// servers and decide on them, copy the servers of other clients, check that
// everything works.
//
// It vouches that an approval is of the call whose record its digest covers, as
// the verified trace has it, and that a decision on a server is kept whole: a
// process that is killed in between leaves at most an approved tool that the
// allowlist does not name. It does not vouch for the person: its caller says
// who that is. It prints nothing and exits nowhere; where a person is asked, the
// caller asks.
//
// cmd/ask calls it, and parses and prints around it.
package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/audit"
	"github.com/onestep-run/onestep/host/runs"
	"github.com/onestep-run/onestep/host/store"
	"github.com/onestep-run/onestep/summarize"
)

// Desk is one installation, and the person who acts on it.
type Desk struct {
	Settings config.Settings
	With     setup.Options // what the process is: its environment, clock and version
	By       string        // who decides
	Self     string        // the file of this program; "" where that is not known

	Say   func(format string, args ...any) // optional; reports what is noticed besides a result
	Debug bool                             // report what servers logged, and printed where only messages belong
}

// Runs are those of the installation.
func (d Desk) Runs() Runs { return Runs(d.Settings.TraceDir.V) }

func (d Desk) now() time.Time { return d.With.Clock()() }

func (d Desk) say(format string, args ...any) {
	if d.Say != nil {
		d.Say(format, args...)
	}
}

// List asks servers what they list, has it read, and then ends them: the reader
// does not wait for that.
func (d Desk) List(ctx context.Context, names []string, read func(catalog.Catalog) error) error {
	d.With.Mode, d.With.Servers = max(d.With.Mode, setup.Catalogs), names
	h, err := setup.Host(d.Settings, d.With)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, d.Settings.Timeout.V)
	defer cancel()
	defer d.End(h)
	return read(h.Catalog(ctx, d.By, names...))
}

// End ends the servers of a host.
func (d Desk) End(h *setup.Ready) {
	if d.Debug {
		for _, line := range h.Strays() {
			d.say("%s", line)
		}
	}
	if err := h.Close(); err != nil {
		d.say("a server did not end cleanly: %v", err)
	}
}

// fromState lends the state, and closes it.
func fromState[T any](d Desk, do func(*store.Store) (T, error)) (T, error) {
	state := store.At(d.Settings.StateFile.V, d.now)
	v, err := do(state)
	return v, cmp.Or(err, state.Close())
}

func misused(code verdict.Code, format string, args ...any) error {
	return verdict.Fail(code, nil, format, args...)
}

// Check is one check of what a question needs.
type Check struct {
	Name  string        `json:"name"`
	OK    bool          `json:"ok"`
	Note  string        `json:"note,omitempty"`
	Lines string        `json:"lines,omitempty"` // to read, and to copy
	Error *host.Failure `json:"error,omitempty"`
}

// NewCheck is what came of one check: a note, or what is wrong.
func NewCheck(name, note string, err error) Check {
	if err != nil {
		return Check{Name: name, Error: host.FailureOf(err)}
	}
	return Check{Name: name, OK: true, Note: note}
}

// Examine checks everything that a question needs. A model's key is looked up,
// and no model is asked; servers are started or dialled, and list their tools.
func (s Servers) Examine(ctx context.Context) []Check {
	file := s.Desk.Settings.Servers.V
	found := []Check{NewCheck("servers file", file, nil)}
	for _, n := range s.Notes {
		var err error
		if n.Out {
			err = misused(verdict.ConfigInvalid, "%s", n)
		}
		found = append(found, NewCheck("servers file", n.String(), err))
	}
	found = slices.Concat(found, s.Desk.examineEntries(), s.examineLogins(), s.examineSandbox())
	refused := s.Refusal(ctx)
	found = append(found, NewCheck("allowlist", fmt.Sprintf("%d server(s)", len(s.Allowlist.Servers())), refused))
	found = append(found, s.examineReviews(ctx)...)
	if refused != nil {
		return found // no server may be asked
	}
	d := s.Desk
	d.With.Live = true // it is to find out what would go wrong
	var listed []Check
	err := d.List(ctx, s.Allowlist.Servers(), func(c catalog.Catalog) error {
		for _, l := range c.Listings() {
			listed = append(listed, NewCheck("server "+l.Server, fmt.Sprintf("%d tool(s) listed", len(l.Tools)), l.Err))
		}
		listed = append(listed, s.examineTools(c)...)
		return nil
	})
	if err != nil {
		listed = []Check{NewCheck("servers", "", err)}
	}
	return append(found, listed...)
}

// examineProxies: a server does not get the variables of a proxy, unless its entry
// has them.
func (d Desk) examineProxies() (found []Check) {
	_, ours, _ := d.ours() // a file that cannot be read is reported where the servers are
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy"} {
		given := slices.ContainsFunc(ours.Names(), func(server string) bool {
			spec, _, _ := ours.Spec(server)
			_, is := spec.Env[name]
			return is
		})
		if d.With.Env != nil && d.With.Env.Get(name) != "" && !given {
			note := name + " is set, and no server gets it: \"env\": {\"" + name + "\": \"${" + name + "}\"} in an entry passes it on; proxy under [server.NAME] is for a server at an address"
			found = append(found, NewCheck("proxy", note, nil))
		}
	}
	return found
}

// examineEntries: a server that starts `ask wrap` would start itself.
func (d Desk) examineEntries() (found []Check) {
	_, ours, _ := d.ours() // a file that cannot be read is reported where the servers are
	for _, name := range ours.Names() {
		if self, sibling := d.wraps(ours, name); self || sibling {
			f := verdict.Fail(verdict.ConfigInvalid, nil, "it starts `ask wrap`, and would start itself")
			f.Hint = "write the server's own command, or take it out with `ask servers remove " + name + "`"
			found = append(found, NewCheck("server "+name, "", f))
		}
	}
	return found
}

// examineAudit: lines that the audit lacks are a finding, until a person has read of
// them and removed the file that counts.
func examineAudit(s config.Settings) (found []Check) {
	if s.Audit.V == config.AuditOff && !s.AuditRequired.V {
		return nil
	}
	var err error
	switch s.Audit.V {
	case config.AuditStderr:
	case config.AuditOff:
		err = misused(verdict.ConfigInvalid, "audit_required is set, and audit is off: no call is made")
	default:
		if err = (audit.File{Path: s.Audit.V}).Probe(); err != nil {
			err = verdict.Fail(verdict.AuditUnwritable, err, "%v", err)
		}
	}
	found = append(found, NewCheck("audit", s.Audit.V, err))
	lost := setup.AuditLost(s)
	n, last, err := lost.Read()
	if n > 0 {
		f := verdict.Fail(verdict.AuditUnwritable, nil, "%d lines could not be added to the audit, the last at %s", n, last)
		f.Hint = fmt.Sprintf("the traces have these runs; remove %s once you have read of them", lost)
		err = f
	}
	return append(found, NewCheck("audit lines", "none is missing", err))
}

// examineTools: an allowlisted tool that cannot be called is a finding.
func (s Servers) examineTools(c catalog.Catalog) []Check {
	found := []Check{NewCheck("tools", fmt.Sprintf("%d can be called", len(c.Tools())), c.Refusal())}
	if list, open := FillClaims(c, s.Allowlist); len(open) > 0 {
		f := NewCheck("effects", fmt.Sprintf("%d tool(s) have no stated effect, and count as writing. With the servers' claims filled in, the allowlist is", len(open)), nil)
		f.Lines = string(list)
		found = append(found, f)
	}
	for _, e := range c.Excluded() {
		if slices.Contains(s.Allowlist.Tools(e.Server), e.Name) {
			found = append(found, NewCheck("tool "+e.Server+"/"+e.Name, "", e.Denial))
		}
	}
	return found
}

// Examine checks what a question needs besides servers: rules, the directory of
// traces, the state, the planner and the writer.
func (d Desk) Examine(ctx context.Context) []Check {
	s := d.Settings
	_, err := config.LoadRules(s.Rules)
	_, noState := fromState(d, func(state *store.Store) (bool, error) { return true, state.Check(ctx) })
	found := []Check{
		NewCheck("input rules", fmt.Sprintf("%d file(s) besides the built-in rules", len(s.Rules)), err),
		NewCheck("traces", s.TraceDir.V, runs.Dir(s.TraceDir.V).Probe()),
		NewCheck("state", s.StateFile.V, noState),
	}
	found = append(append(found, examineAudit(s)...), d.examineProxies()...)
	p, err := setup.Choose(s, d.With)
	if err != nil {
		return append(found, NewCheck("planner", "", err))
	}
	_, writes := p.Writer(s, summarize.Rendered)
	return append(found, NewCheck("planner", cmp.Or(s.Model.V, setup.Embedded), p.Ready(ctx)), NewCheck("writer", s.Writer.V, writes))
}
