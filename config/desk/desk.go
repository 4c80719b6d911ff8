// Package desk is one installation and the person who acts on it. It has the parts that
// concern the whole: its settings, its models, and the check of everything that a question
// needs.
//
// Its subpackages are servers, tools, review, runs, policy and clients. Each has one row type
// per thing, and commands print the JSON of that type. No subpackage asks a person or prints:
// the caller asks, and names the person.
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
	With     setup.Options // the process: its environment, clock and version
	By       string        // who decides
	Self     string        // the file of this program, "" if it is not known

	Say   func(format string, args ...any) // optional; reports remarks that are not part of a result
	Debug bool                             // report servers' logs, and their output outside of the protocol
}

// Now is the time by the clock of the installation.
func (d Desk) Now() time.Time { return d.With.Clock()() }

// Report passes a remark to Say, if there is one.
func (d Desk) Report(format string, args ...any) {
	if d.Say != nil {
		d.Say(format, args...)
	}
}

// List asks servers for their lists, calls read with the catalog, and then ends the servers:
// read does not wait for that.
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
			d.Report("%s", line)
		}
	}
	if err := h.Close(); err != nil {
		d.Report("a server did not end cleanly: %v", err)
	}
}

// FromState opens the state for a function, and closes it.
func FromState[T any](d Desk, do func(*store.Store) (T, error)) (T, error) {
	state := store.At(d.Settings.StateFile.V, d.Now)
	v, err := do(state)
	return v, cmp.Or(err, state.Close())
}

// Check is one check of the things that a question needs.
type Check struct {
	Name  string        `json:"name"`
	OK    bool          `json:"ok"`
	Note  string        `json:"note,omitempty"`
	Lines string        `json:"lines,omitempty"` // to read and to copy
	Error *host.Failure `json:"error,omitempty"`
}

// NewCheck is the result of one check: a note, or the error.
func NewCheck(name, note string, err error) Check {
	if err != nil {
		return Check{Name: name, Error: host.FailureOf(err)}
	}
	return Check{Name: name, OK: true, Note: note}
}

// examineProxies reports variables of a proxy that are set and that no server gets. A server
// gets such a variable only from its entry.
func (d Desk) examineProxies() (found []Check) {
	_, ours, _ := d.Entries() // the check of the servers reports a file that cannot be read
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

// examineAudit reports lines that are missing in the audit. The finding stays until a person
// has read of them and removed the file with the count.
func examineAudit(s config.Settings) (found []Check) {
	if s.Audit.V == config.AuditOff && !s.AuditRequired.V {
		return nil
	}
	var err error
	switch s.Audit.V {
	case config.AuditStderr:
	case config.AuditOff:
		err = verdict.Fail(verdict.ConfigInvalid, nil, "audit_required is set, and audit is off: no call is made")
	default:
		if err = (audit.File{Path: s.Audit.V}).Probe(); err != nil {
			err = verdict.Fail(verdict.AuditUnwritable, err, "%v", err)
		}
	}
	found = append(found, NewCheck("audit", s.Audit.V, err))
	lost := setup.AuditLost(s)
	n, last, err := lost.Read()
	if n > 0 {
		err = verdict.Fail(verdict.AuditUnwritable, nil, "%d lines could not be added to the audit, the last at %s", n, last).
			WithHint(fmt.Sprintf("the traces have these runs; remove %s once you have read of them", lost))
	}
	return append(found, NewCheck("audit lines", "none is missing", err))
}

// Examine checks the parts of a question besides servers: rules, the directory of traces, the
// state, the planner and the writer.
func (d Desk) Examine(ctx context.Context) []Check {
	s := d.Settings
	_, err := config.LoadRules(s.Rules)
	_, noState := FromState(d, func(state *store.Store) (bool, error) { return true, state.Check(ctx) })
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

// ServersFile is the path of the servers file.
func (d Desk) ServersFile() (string, error) {
	if d.With.Demo {
		return "", verdict.Fail(verdict.UsageFlag, nil, "the demo's servers are inside this binary, not in a file")
	}
	return d.Settings.Servers.V, nil
}

// Entries are the servers of the file; a missing file has none.
func (d Desk) Entries() (file string, ours config.Servers, err error) {
	if file, err = d.ServersFile(); err != nil {
		return "", ours, err
	}
	ours, err = config.LoadServers(file)
	if verdict.CodeOf(err) == verdict.ConfigMissing {
		return file, config.Servers{}, nil
	}
	return file, ours, err
}
