package servers

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/template"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

// Edit is the result of a change of the servers file.
type Edit struct {
	SchemaVersion int      `json:"schema_version"`
	File          string   `json:"file"`
	Servers       []string `json:"servers"` // added, or removed
	Changed       bool     `json:"changed"` // false after a dry run, or if everything was there already

	Already bool `json:"-"` // there was nothing to change
}

// NewEdit describes a change of the servers file. Without servers nothing was to be changed.
func NewEdit(file string, changed bool, servers ...string) Edit {
	return Edit{SchemaVersion: host.SchemaVersion, File: file, Servers: append([]string{}, servers...), Changed: changed, Already: len(servers) == 0}
}

// Add writes a server into the servers file; it starts and dials nothing. An existing equal
// server is left. With literal a text that seems to be a secret is written unchanged.
func (d Desk) Add(name string, spec config.Spec, literal, dry bool) (Edit, error) {
	file, ours, err := d.Entries()
	if err != nil {
		return Edit{}, err
	}
	if fields := spec.Secrets(); len(fields) > 0 && !literal {
		return Edit{}, verdict.Fail(verdict.UsageArgument, nil, "%s of server %s seems to be a secret itself", fields[0], escape.Line(name, 64)).
			WithHint("keep it in a variable and write ${NAME} instead; --literal writes it into the file unchanged")
	}
	if fields := spec.Relative(); len(fields) > 0 {
		return Edit{}, verdict.Fail(verdict.UsageArgument, nil, "%s is relative to the directory that the server starts in, which is that of %s: write the whole path, or say --cwd", fields[0], file)
	}
	if there, _, is := ours.Spec(name); is && len(there.Differences(spec)) == 0 {
		e := NewEdit(file, false, name)
		e.Already = true
		return e, nil
	}
	if err := config.AddServers(file, map[string]config.Spec{name: spec}, dry); err != nil {
		return Edit{}, err
	}
	d.OfferAddress(name, spec)
	return NewEdit(file, !dry, name), nil
}

// Remove removes a server from the servers file. It withdraws the server's approvals first:
// if the server is added again, it is reviewed again.
func (d Desk) Remove(ctx context.Context, name, how string, dry bool) (Edit, error) {
	file, err := d.ServersFile()
	if err != nil {
		return Edit{}, err
	}
	was, err := config.LoadServers(file)
	if err != nil {
		return Edit{}, err
	}
	if err := config.RemoveServer(file, name, true); err != nil {
		if _, f := verdict.First(err); f != nil {
			said := *f
			said.Reason += verdict.Near(name, was.Names())
			err = &said
		}
		return Edit{}, err
	}
	if !dry {
		if err := d.forget(ctx, name, how); err != nil {
			return Edit{}, err
		}
		if err := config.RemoveServer(file, name, false); err != nil {
			return Edit{}, err
		}
	}
	// A question that finds no tool would report the server as unreachable.
	if allowlist := d.Settings.Allowlist.V; len(config.LoadAllowlist(allowlist).Tools(name)) > 0 {
		d.Report("%s names tools of %s: take them out", allowlist, name)
	}
	return NewEdit(file, !dry, name), nil
}

func (d Desk) forget(ctx context.Context, name, how string) error {
	if err := d.Unlocked(); err != nil {
		return err
	}
	s, err := d.Open()
	if s.State != nil {
		defer func() { _ = s.State.Close() }() // the decision is on disk before this
	}
	if err != nil {
		return err
	}
	return s.Forget(ctx, name, how)
}

// Template is a well-known server and the way to start it. `make interop` runs its version.
type Template struct {
	Name    string      `json:"name"`
	Meaning string      `json:"meaning"`
	Wants   string      `json:"wants,omitempty"` // arguments that the user must add
	Server  config.Spec `json:"server"`

	least int // the minimum number of arguments to add
}

// Templates are the servers that most people try first.
func Templates() (all []Template) {
	for _, t := range template.All() {
		wants := strings.NewReplacer("${", "", "}", "").Replace(strings.Join(t.Arguments, " "))
		if slices.ContainsFunc(t.Inputs, func(in template.Input) bool { return in.Repeated }) {
			wants += "..."
		}
		all = append(all, Template{t.Name, t.Meaning, wants, t.Server, len(t.Arguments)})
	}
	return all
}

// Templated is the server of a template with further arguments, or the given command if no
// template is named.
func Templated(name string, command []string) (spec config.Spec, err error) {
	if name == "" {
		if len(command) > 0 {
			spec.Command, spec.Args = command[0], slices.Concat(command[1:])
		}
		return spec, nil
	}
	all := Templates()
	i := slices.IndexFunc(all, func(t Template) bool { return t.Name == name })
	if i < 0 {
		var names []string
		for _, t := range all {
			names = append(names, t.Name)
		}
		return spec, verdict.Fail(verdict.UsageFlag, nil, "there is no template %.64q; the templates are %s%s", name, strings.Join(names, ", "), verdict.Near(name, names))
	}
	t := all[i]
	if len(command) < t.least || t.Wants == "" && len(command) > 0 {
		return spec, verdict.Fail(verdict.UsageArgument, nil, "the template %s takes -- %s", name, cmp.Or(t.Wants, "nothing"))
	}
	t.Server.Args = append(t.Server.Args, command...)
	return t.Server, nil
}

// SameFile reports whether two paths are of one file.
func SameFile(a, b string) bool {
	one, errA := os.Stat(a)
	other, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, other)
}

// Wraps reports whether a server is `ask wrap` of this program or of another build of it. As
// a server of the same installation it would start itself without end. Another program with
// the name ask is a server like any other.
func (d Desk) Wraps(of config.Servers, name string) (ours, sibling bool) {
	return d.Starts(of.WrappedBy(name, d.With.Env))
}

// Starts reports whether a file is this program, or another build of it.
func (d Desk) Starts(program string) (ours, sibling bool) {
	if program == "" || SameFile(program, d.Self) {
		return program != "", false
	}
	self, known := debug.ReadBuildInfo()
	other, err := buildinfo.ReadFile(program)
	return false, known && err == nil && other.Main.Path == self.Main.Path
}

// Forget withdraws every approval of a server. If the servers file also has the server under
// another name, nothing is withdrawn.
func (s Servers) Forget(ctx context.Context, name, how string) error {
	if err := s.DropLogin(name); err != nil || len(s.Also(name)) > 0 {
		return err
	}
	place, _ := s.Place(name)
	pins, err := s.Keeper.Pins(ctx, place)
	if err != nil || pins.Last == 0 {
		return err
	}
	return s.Keeper.Forget(ctx, place, trust.Choice{By: s.Desk.By, How: how})
}

// OfferAddress suggests the address of a server that starts through a bridge.
func (d Desk) OfferAddress(name string, spec config.Spec) {
	b, is := spec.Bridge()
	if !is || spec.Command == "" {
		return
	}
	d.Report("server %s: %s", name, b.Reason())
	if command := b.Command(name); command != "" {
		d.Report("To reach it by its address: `ask servers remove %s`, set the variables that the next line names, and", name)
		d.Report("%s", command)
	}
}
