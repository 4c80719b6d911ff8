package servers

import (
	"context"
	"errors"
	"reflect"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/artifact"
	"github.com/onestep-run/onestep/host/confine"
	"github.com/onestep-run/onestep/host/session"
)

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
