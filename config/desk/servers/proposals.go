package servers

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/session"
)

// proposal is the manifest of a widely used server. It grants its arguments' directories for
// reading, for writing, or for both.
type proposal struct {
	description   string
	reads, writes bool     // the directories among its arguments
	hosts         []string // that the server cannot work without
	commands      []string
	asks          []confine.Permission // without a scope: the operator must choose one
	wants         string               // what the operator adds
}

// proposals are by the package's name in its registry.
var proposals = map[string]proposal{
	"@modelcontextprotocol/server-everything":          {description: "shows what a server can do"},
	"@modelcontextprotocol/server-filesystem":          {description: "reads and writes files of the folders that its arguments name", reads: true, writes: true},
	"@modelcontextprotocol/server-memory":              {description: "keeps notes as a graph", asks: []confine.Permission{confine.FilesRead, confine.FilesWrite}, wants: "the directory of MEMORY_FILE_PATH in readPaths and writePaths"},
	"@modelcontextprotocol/server-sequential-thinking": {description: "keeps a line of thought"},
	"@notionhq/notion-mcp-server":                      {description: "reads and changes pages of Notion", hosts: []string{"api.notion.com:443"}},
	"mcp-server-fetch":                                 {description: "gets a web page as text", asks: []confine.Permission{confine.NetworkClient}, wants: "each host that it may reach, as name:port, in allowedHosts"},
	"mcp-server-git":                                   {description: "reads and changes a git repository", reads: true, writes: true, commands: []string{"git"}},
	"mcp-server-time":                                  {description: "shows and converts times"},
}

// Proposed is a manifest that is proposed for a server. It grants nothing until the operator
// assigns it to the server.
type Proposed struct {
	Manifest confine.Manifest `json:"manifest"`
	Known    bool             `json:"known"`           // based on a template of its package; otherwise the minimum
	Wants    string           `json:"wants,omitempty"` // what the operator has to add

	// Command replaces the entry's command if that is a version manager's script. It is the
	// program behind the script, with all of its arguments.
	Command []string `json:"command,omitempty"`
}

// Propose makes the manifest of a server of the servers file from the template of its
// package. Without a template it is the minimum: the server's program, and the variables of
// its entry.
func (d Desk) Propose(name string) (Proposed, error) {
	file, ours, err := d.Entries()
	if err != nil {
		return Proposed{}, err
	}
	spec, _, there := ours.Spec(name)
	switch {
	case !there:
		return Proposed{}, verdict.Fail(verdict.ServerUnknown, nil, "%s has no server %s", file, escape.Line(name, 64))
	case spec.Command == "":
		return Proposed{}, verdict.Fail(verdict.UsageArgument, nil, "server %s runs elsewhere: a manifest is for a server with a command", escape.Line(name, 64))
	}
	return propose(spec, d.Settings.Own(d.With.Env)), nil
}

// ProposeFor makes a proposal, and follows the entry's command to its interpreter, which it
// asks for its path. It reports a command that cannot be followed.
func (d Desk) ProposeFor(ctx context.Context, name string) (Proposed, error) {
	p, err := d.Propose(name)
	if err != nil {
		return p, err
	}
	p.Command, err = d.follow(ctx, name)
	if err != nil {
		p.Wants = strings.TrimPrefix(p.Wants+"; "+err.Error(), "; ")
	}
	return p, nil
}

// follow is the program behind a server's command, nil if the command is the program itself.
func (d Desk) follow(ctx context.Context, name string) ([]string, error) {
	_, ours, err := d.Entries()
	if err != nil {
		return nil, err
	}
	spec, _, _ := ours.Spec(name)
	c := ours.Command(d.With.Env, name)
	if artifact.PackageOf(spec.Command, spec.Args).Name != "" {
		return nil, nil // its launcher is not started: the package is fetched
	}
	path, args, err := artifact.Behind(ctx, c, d.With.Env.Fixed())
	if err != nil || path == "" {
		return nil, err
	}
	if len(args) > len(c.Args) { // the script's own path came first
		return append([]string{path}, append(args[:len(args)-len(c.Args)], spec.Args...)...), nil
	}
	return append([]string{path}, spec.Args...), nil
}

// Confine writes a manifest into a server's entry; nil means the proposed one. The server's
// next start uses it, once that is approved. A scope may reach a place of secrets, or files
// that later run with all of the user's rights. Such a scope is written only if its path is
// among the typed ones.
func (d Desk) Confine(ctx context.Context, name string, m *confine.Manifest, typed []string, dry bool) (e Edit, p Proposed, err error) {
	if m == nil {
		if p, err = d.ProposeFor(ctx, name); err != nil {
			return Edit{}, p, err
		}
		m = &p.Manifest
	} else if p.Command, err = d.follow(ctx, name); err != nil {
		p.Wants = err.Error()
	}
	if m.Scopes != nil {
		if err := d.Settings.Own(d.With.Env).Forbids(*m.Scopes); err != nil {
			return Edit{}, p, err
		}
		if err := untyped(m.Scopes.Hazards(), typed); err != nil {
			return Edit{}, p, err
		}
	}
	file, err := d.ServersFile()
	if err == nil {
		err = config.ConfineServer(file, name, *m, p.Command, dry)
	}
	return NewEdit(file, err == nil && !dry, name), p, err
}

// untyped is the error of scopes that only a person may name, if the person did not name
// them.
func untyped(found []confine.Hazard, typed []string) error {
	for _, h := range found {
		if slices.Contains(typed, h.Scope) {
			continue
		}
		return verdict.Fail(verdict.ManifestInvalid, nil, "the scopes are not written: %s", strings.TrimPrefix(h.String(), "mind: ")).
			WithHint(fmt.Sprintf("grant a narrower path, or type it: `ask manifest use … --allow %s`", h.Scope))
	}
	return nil
}

// Lines describe the grants for display, and the arguments that the operator must add.
func (p Proposed) Lines() []string {
	s := confine.Sandbox{Scopes: *p.Manifest.Scopes}
	lines := s.Lines()
	if p.Wants != "" {
		lines = append(lines, "still to add: "+p.Wants)
	}
	return lines
}

func propose(spec config.Spec, own confine.Own) Proposed {
	known, is := proposals[artifact.PackageOf(spec.Command, spec.Args).Name]
	if !is {
		known = proposal{description: "a server with nothing but its own program", wants: "`ask manifest learn` finds its needs"}
	}
	s := &confine.Scopes{AllowedHosts: known.hosts, AllowedCommands: known.commands, EnvVars: slices.Sorted(maps.Keys(spec.Env))}
	wants := []string{}
	if known.wants != "" {
		wants = append(wants, known.wants)
	}
	for _, one := range []struct {
		granted bool
		p       confine.Permission
		to      *confine.Paths
		member  string
	}{{known.reads, confine.FilesRead, &s.ReadPaths, "readPaths"}, {known.writes, confine.FilesWrite, &s.WritePaths, "writePaths"}} {
		if !one.granted {
			continue
		}
		for _, dir := range directories(spec.Args) {
			if why := leftOut(own, one.p, dir); why != "" {
				wants = append(wants, fmt.Sprintf("%s in %s, if you want it: %s", dir, one.member, why))
				continue
			}
			*one.to = append(*one.to, dir)
		}
	}
	p := Proposed{Known: is, Wants: strings.Join(wants, "; "), Manifest: confine.Manifest{Description: known.description, Permissions: []confine.Permission{}, Scopes: s}}
	granted := s.Granted()
	for _, one := range confine.Permissions() {
		if slices.Contains(granted, one.Name) || slices.Contains(known.asks, one.Name) {
			p.Manifest.Permissions = append(p.Manifest.Permissions, one.Name)
		}
	}
	return p
}

// leftOut is why a directory is not proposed, "" if it is proposed.
func leftOut(own confine.Own, p confine.Permission, dir string) string {
	scopes := confine.Scopes{ReadPaths: confine.Paths{dir}}
	if own.Forbids(scopes) != nil {
		return "it holds files of ask, so no server may have it; name a narrower one"
	}
	if h, mind := confine.HazardOf(p, dir); mind {
		return strings.TrimPrefix(h.String(), "mind: ")
	}
	return ""
}

// directories are the directories among the arguments. A template never grants the root or a
// home: the operator writes them by hand.
func directories(args []string) (found []string) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	for _, arg := range args {
		if !filepath.IsAbs(arg) || strings.Contains(arg, "..") {
			continue
		}
		dir := filepath.Clean(arg)
		aboveHome := dir == "/" || strings.HasPrefix(home+"/", dir+"/")
		if info, err := os.Stat(arg); err == nil && info.IsDir() && !aboveHome {
			found = append(found, dir)
		}
	}
	return found
}

// Resolved is a server of the servers file as it would be started, with its confinement. A
// server that runs elsewhere is an error.
func (d Desk) Resolved(name string) (session.Server, error) {
	s, err := d.Open()
	if err != nil {
		return session.Server{}, err
	}
	if err := s.Configured(name); err != nil {
		return session.Server{}, errors.Join(err, s.State.Close())
	}
	found, err := s.Resolve([]string{name})
	if closed := errors.Join(err, s.State.Close()); closed != nil {
		return session.Server{}, closed
	}
	switch {
	case len(found) != 1:
		return session.Server{}, verdict.Fail(verdict.ServerUnknown, nil, "there is no server %s", escape.Line(name, 64))
	case found[0].Wrong != nil:
		return session.Server{}, found[0].Wrong
	case found[0].Command == "":
		return session.Server{}, verdict.Fail(verdict.UsageArgument, nil, "server %s runs elsewhere: a manifest is for a server with a command", escape.Line(name, 64))
	}
	return found[0], nil
}

// Unconfine removes the manifest that `ask manifest use` wrote into a server's entry. The
// next start uses the rest of the entry, once that is approved.
func (d Desk) Unconfine(name string, dry bool) (e Edit, err error) {
	file, err := d.ServersFile()
	there := false
	if err == nil {
		there, err = config.UnconfineServer(file, name, dry)
	}
	return NewEdit(file, err == nil && there && !dry, name), err
}

// Confinable reports whether a server can be given a manifest before its first review. This
// requires that no decision about the server exists, that it would start with all of the
// user's rights without the operator's choice, and that its entry is in the servers file. A
// server that a container engine starts is not confinable: the manifest would confine the
// engine. Fetched is false for a package that must be fetched first, because its launcher
// cannot fetch it while confined.
func (s Servers) Confinable(ctx context.Context, name string) (fetched, is bool) {
	if s.Keeper == nil || s.Desk.With.Registry != nil {
		return false, false
	}
	place, _ := s.Place(name)
	pins, err := s.Keeper.Pins(ctx, place)
	c := s.Command(name)
	switch {
	case err != nil, pins.Last > 0: // a decision exists
		return false, false
	case c.Path == "", c.Sandbox != nil: // it runs elsewhere, or has a manifest
		return false, false
	}
	file, _ := s.Registry.(config.Servers)
	spec, _, _ := file.Spec(name)
	_, ours, err := s.Desk.Entries()
	written, _, there := ours.Spec(name)
	machine := confine.ThisMachine()
	switch {
	case err != nil, !there, !reflect.DeepEqual(spec, written):
		return false, false
	case machine.Landlock == 0, !machine.Notify:
		return false, false
	}
	of := s.Cache.Of(c)
	packaged := artifact.PackageOf(spec.Command, spec.Args).Name != ""
	return !packaged || of.Packaged(), !of.Image()
}

// examineSandbox reports which confinement this machine supports, and which servers of the
// allowlist run with the user's rights. Neither is a fault: a server that cannot be confined
// as its entry states does not start, and reports that itself.
func (s Servers) examineSandbox() []desk.Check {
	var loose, held []string
	for _, name := range s.Allowlist.Servers() {
		switch c := s.Command(name); {
		case c.Path == "": // remote, or part of this program
		case c.Sandbox.Confines():
			held = append(held, name)
		default:
			loose = append(loose, name)
		}
	}
	found := []desk.Check{desk.NewCheck("sandbox", machine(confine.ThisMachine()), nil)}
	if len(held) > 0 {
		found = append(found, desk.NewCheck("sandbox", "confined: "+strings.Join(held, ", "), nil))
	}
	if len(loose) > 0 {
		found = append(found, desk.NewCheck("sandbox", "not confined, with all of your rights: "+strings.Join(loose, ", ")+` ("manifest" in an entry, or sandbox = "all" in config.toml, confines one)`, nil))
	}
	return found
}

// machine describes a machine's confinement on one line.
func machine(m confine.Machine) string {
	lacks := []string{}
	if m.Landlock == 0 {
		lacks = append(lacks, "Landlock")
	}
	if !m.Notify {
		lacks = append(lacks, "notifications of seccomp")
	}
	switch {
	case len(lacks) > 0:
		return fmt.Sprintf("%s has no %s: no server can be confined here (docs/sandbox.md)", m.Kernel, strings.Join(lacks, " and no "))
	case !m.Sockets:
		return fmt.Sprintf("%s, Landlock ABI %d: servers without hosts and ports can be confined; pidfd_getfd is refused here (docs/sandbox.md); %s", m.Kernel, m.Landlock, limits(m))
	}
	return fmt.Sprintf("%s, Landlock ABI %d: servers can be confined; %s", m.Kernel, m.Landlock, limits(m))
}

// limits describes the scope of a confined server's limits.
func limits(m confine.Machine) string {
	if m.Cgroup {
		return "limits count all processes of a server (a cgroup is delegated)"
	}
	return "limits are of each process (no cgroup of version 2 is delegated)"
}
