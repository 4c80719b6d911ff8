package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/session"
)

// Server is one server of a list.
type Server struct {
	Name    string   `json:"name"`
	How     string   `json:"how"`     // as configured, variables unexpanded
	Allowed []string `json:"allowed"` // tools that the allowlist names

	Trust    *Trust             `json:"trust,omitempty"` // approvals and health
	Login    *LoginState        `json:"login,omitempty"`
	Artifact *artifact.Artifact `json:"artifact,omitempty"` // the program or package that is started, set by Fetch

	// Test sets these fields.
	Protocol string        `json:"protocol,omitempty"` // the version that the server agreed to
	Listed   *int          `json:"listed,omitempty"`   // tools that it lists
	Never    []Never       `json:"uncallable,omitempty"`
	Error    *host.Failure `json:"error,omitempty"`
}

// Never is a tool that cannot be called, with any approval.
type Never struct {
	Tool string `json:"tool"`
	Why  string `json:"why"`
}

func (s Servers) server(name string) Server {
	row := Server{Name: name, Allowed: append([]string{}, s.Allowlist.Tools(name)...)}
	if slices.Contains(s.Names(), name) {
		row.How = s.Describe(name)
	}
	return row
}

// List lists all configured servers, and the unusable entries last. It starts and dials
// nothing. It reports stored data that cannot be read.
func (s Servers) List(ctx context.Context) []Server {
	all := []Server{}
	var unread error
	for _, name := range s.Names() {
		row := s.server(name)
		if unread == nil {
			if row.Trust, unread = s.Trust(ctx, name); unread != nil {
				s.Desk.Report("the approvals cannot be read: %v", unread)
			}
		}
		login, err := s.LoginOf(name)
		if row.Login = login; err != nil {
			s.Desk.Report("the login to %s cannot be read: %v", name, err)
		}
		all = append(all, row)
	}
	return append(all, s.unusable()...)
}

// unusable are the rows of the entries that cannot be used.
func (s Servers) unusable() (all []Server) {
	for _, n := range s.Notes {
		if n.Out {
			row := s.server(n.Server)
			row.How, row.Error = "", host.FailureOf(verdict.Fail(verdict.ConfigInvalid, nil, "line %d: %s", n.Line, n.Text))
			all = append(all, row)
		}
	}
	return all
}

// Test starts or dials the named servers, or all. It passes their lists to show, and stores
// the outcome.
func (s Servers) Test(ctx context.Context, names []string, show func([]Server)) error {
	var rest []Server
	if len(names) == 0 {
		names, rest = s.Names(), s.unusable()
	}
	d := s.Desk
	d.With.Mode = setup.Listings // for a test, not for a plan
	return d.List(ctx, names, func(c catalog.Catalog) error {
		all := []Server{}
		for _, l := range c.Listings() {
			all = append(all, s.tested(l))
		}
		show(append(all, rest...))
		for _, l := range c.Listings() {
			if s.known(l.Server) != nil {
				continue
			}
			place, _ := s.Place(l.Server)
			if err := s.Keeper.RecordHealth(ctx, place, l.Err); err != nil {
				d.Report("the result of %s cannot be saved: %v", l.Server, err)
			}
		}
		return nil
	})
}

func (s Servers) tested(l catalog.Listing) Server {
	row := s.server(l.Server)
	row.Protocol = l.Protocol
	if l.Err != nil {
		row.Error = host.FailureOf(cmp.Or(s.known(l.Server), l.Err))
		return row
	}
	row.Listed = new(len(l.Tools))
	for _, d := range l.Tools {
		if no := catalog.Uncallable(d); no != nil {
			f, _ := d.Fields()
			row.Never = append(row.Never, Never{f.Name, no.Reason})
		}
	}
	return row
}

// known refuses the name of a server that no run could reach, and suggests the probable name.
func (s Servers) known(name string) error {
	if slices.Contains(s.Names(), name) {
		return nil
	}
	return verdict.Fail(verdict.ServerUnknown, nil, "no server %.128s is configured%s", name, verdict.Near(name, s.Names())).
		WithHint("`ask servers` lists the configured servers")
}

// Logged returns the lines that a server wrote to stderr, the oldest first. A server that was
// never started has no lines.
func (s Servers) Logged(name string) ([]session.LogLine, error) {
	lines, err := s.Logs.Read(name)
	if !errors.Is(err, os.ErrNotExist) {
		return lines, err
	}
	return nil, s.known(name)
}

// Fetch fetches the packages of the named servers, or of all. With start it starts each
// fetched package once. A complete package may still fail at its first line, because of its
// dependencies now.
func (s Servers) Fetch(ctx context.Context, names, environ []string, how artifact.How, start bool) (all []Server, err error) {
	if len(names) == 0 {
		names = s.Names()
	}
	how.Unconfined = s.unconfined()
	for _, name := range names {
		row := s.server(name)
		fetched, err := s.fetch(ctx, name, environ, how)
		if err != nil {
			row.Error = host.FailureOf(err)
			row.Error.Hint = strings.ReplaceAll(row.Error.Hint, "`ask servers fetch SERVER", "`ask servers fetch "+name)
		} else {
			row.Artifact = &fetched
		}
		all = append(all, row)
		if ctx.Err() != nil {
			break
		}
	}
	if start && ctx.Err() == nil {
		err = s.started(ctx, all, how)
	}
	return all, err
}

// started lists the tools of the fetched servers, and records the outcome. A server that
// cannot start because of its configuration is reported, and not counted as a failure of its
// package.
func (s Servers) started(ctx context.Context, all []Server, how artifact.How) error {
	var names []string
	for _, row := range all {
		if row.Artifact != nil && row.Artifact.Packaged() {
			names = append(names, row.Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	d := s.Desk
	d.With.Mode = setup.Listings
	return d.List(ctx, names, func(c catalog.Catalog) error {
		for _, l := range c.Listings() {
			i := slices.IndexFunc(all, func(row Server) bool { return row.Name == l.Server })
			if i < 0 {
				continue
			}
			is := s.tested(l)
			if is.Error != nil && is.Error.Code.Entry().Exit != verdict.ServerStart.Entry().Exit {
				d.Report("server %s was fetched, but did not start: %s", l.Server, is.Error.Message)
				continue
			}
			all[i].Protocol, all[i].Listed, all[i].Never, all[i].Error = is.Protocol, is.Listed, is.Never, is.Error
			if is.Error != nil && how.Before.IsZero() {
				all[i].Error.Hint = "it may need its dependencies of the time of its release: `ask servers fetch " + l.Server + " --before DATE`"
			}
		}
		return nil
	})
}

// Launched are those named servers for which npm or PyPI finds a package at each start.
func (d Desk) Launched(names []string) []string {
	_, ours, err := d.Entries()
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		spec, _, there := ours.Spec(name)
		return !there || !artifact.PackageOf(spec.Command, spec.Args).Fetchable()
	})
}

// unconfined reports once that npm and pip are not confined. It is nil if the setting sandbox
// requires confinement of everything. npm and pip run no code of a package, so a machine
// without a sandbox still fetches.
func (s Servers) unconfined() func(why string) {
	if s.Desk.Settings.Sandbox.V == config.SandboxAll {
		return nil
	}
	said := false
	return func(why string) {
		if !said {
			s.Desk.Report("packages are fetched with all of your rights, because this machine cannot confine %s", why)
		}
		said = true
	}
}

// fetch shows progress meanwhile: on a terminal continuously, elsewhere in one line.
func (s Servers) fetch(ctx context.Context, name string, environ []string, how artifact.How) (artifact.Artifact, error) {
	if err := s.known(name); err != nil {
		return artifact.Artifact{}, err
	}
	how.Begin = func(what string) func() {
		what += " for server " + name
		if s.Desk.With.Waits != nil {
			return s.Desk.With.Waits(what)
		}
		s.Desk.Report("fetching %s", what)
		return func() {}
	}
	return s.Cache.Fetch(ctx, s.Command(name), environ, how)
}

// Entry is one server in full, variables unexpanded and secrets concealed.
type Entry struct {
	Name     string            `json:"name"`
	How      string            `json:"how"`
	File     string            `json:"file,omitempty"`
	Line     int               `json:"line,omitempty"`
	Entry    *config.Spec      `json:"entry,omitempty"` // nil for a demo's server, or an unusable entry
	Wrong    string            `json:"wrong,omitempty"` // why the entry cannot be used
	Place    jsontext.Value    `json:"place,omitempty"` // its identity, whatever its name
	Allowed  []string          `json:"allowed"`
	Settings map[string]string `json:"settings,omitempty"` // the server's own, in config.toml
	Hidden   []string          `json:"hidden,omitempty"`   // characters that are escaped, and where
	Trust    *Trust            `json:"trust,omitempty"`
}

// Entry is the whole configuration of one server; it starts and dials nothing.
func (s Servers) Entry(ctx context.Context, name string) (d Entry, err error) {
	d = Entry{Name: name, Allowed: append([]string{}, s.Allowlist.Tools(name)...)}
	if !s.Desk.With.Demo {
		if err := d.read(s.Desk.Settings); err != nil {
			return d, err
		}
	}
	if d.Wrong != "" {
		return d, nil
	}
	if err := s.Configured(name); err != nil {
		return d, err
	}
	d.How = s.Describe(name)
	if d.Trust, err = s.Trust(ctx, name); err != nil {
		s.Desk.Report("the approvals cannot be read: %v", err)
	}
	return d, nil
}

// read takes the server's configuration from the files.
func (d *Entry) read(s config.Settings) error {
	file, err := config.LoadServers(s.Servers.V)
	if err != nil {
		return err
	}
	d.File = s.Servers.V
	for _, n := range file.Notes() {
		if n.Server == d.Name && n.Out {
			d.Line, d.Wrong = n.Line, n.Text
		}
	}
	if spec, line, is := file.Spec(d.Name); is {
		spec = spec.Concealed()
		d.Line, d.Entry, d.Hidden = line, &spec, Unseen(spec)
		_, d.Place = file.Place(d.Name)
	}
	for _, r := range s.Show() {
		if key, own := strings.CutPrefix(r.Key, "server."+d.Name+"."); own {
			if d.Settings == nil {
				d.Settings = map[string]string{}
			}
			d.Settings[key] = fmt.Sprint(r.Value)
		}
	}
	return nil
}

// Unseen lists the characters of a server's entry that are escaped.
func Unseen(spec config.Spec) (all []string) {
	for field, text := range spec.Fields() {
		for _, c := range Hidden(text) {
			all = append(all, c+" in "+field)
		}
	}
	return all
}

// Hidden are the invisible characters of a text, as code points.
func Hidden(text string) (points []string) {
	for _, r := range text {
		if r == '\n' || r == '\t' || escape.Visible(r) {
			continue
		}
		if point := fmt.Sprintf("U+%04X", r); !slices.Contains(points, point) {
			points = append(points, point)
		}
	}
	return points
}
