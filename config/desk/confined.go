package desk

import (
	"errors"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/session"
)

// Resolved is a server of the servers file as it would be started, with what
// confines it. One that runs elsewhere is an error.
func (d Desk) Resolved(name string) (session.Server, error) {
	s, err := d.Servers()
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
		return session.Server{}, misused(verdict.ServerUnknown, "there is no server %s", escape.Line(name, 64))
	case found[0].Wrong != nil:
		return session.Server{}, found[0].Wrong
	case found[0].Command == "":
		return session.Server{}, misused(verdict.UsageArgument, "server %s runs elsewhere: a manifest is for a server with a command", escape.Line(name, 64))
	}
	return found[0], nil
}

// Unconfine removes the manifest from a server's entry: what `ask manifest use`
// wrote. Its next start is with what is left in the entry, once that is approved.
func (d Desk) Unconfine(name string, dry bool) (e Edit, err error) {
	file, err := d.serversFile()
	there := false
	if err == nil {
		there, err = config.UnconfineServer(file, name, dry)
	}
	return edited(file, err == nil && there && !dry, name), err
}
