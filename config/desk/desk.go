// Package desk is what a person does to an installation: find and verify runs,
// approve the call that one waits for, release a result that is withheld, review
// servers and decide on them, copy the servers of other clients, check that
// everything works.
//
// It vouches that an approval is of the call whose record its digest covers, as
// the verified trace has it, and that a decision on a server is kept whole: a
// process that is killed in between leaves at most an approved tool that the
// allowlist does not name. It does not vouch for the person: whoever calls it says
// who that is. It prints nothing and exits nowhere; where a person is asked, the
// caller asks.
//
// cmd/ask calls it, and parses and prints around it.
package desk

import (
	"context"
	"time"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/catalog"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/store"
)

// Desk is one installation, and the person who acts on it.
type Desk struct {
	Settings config.Settings
	With     setup.Options // what the process is: its environment, clock and version
	By       string        // who decides

	Say   func(format string, args ...any) // optional; reports what is noticed besides a result
	Debug bool                             // report what servers logged, and printed where only messages belong
}

// Runs are those of the installation.
func (d Desk) Runs() Runs { return Runs(d.Settings.TraceDir.V) }

func (d Desk) now() time.Time {
	if d.With.Now == nil {
		return time.Now()
	}
	return d.With.Now()
}

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

// withState lends the state, and closes it.
func (d Desk) withState(do func(*store.Store) error) (err error) {
	state := store.At(d.Settings.StateFile.V, d.now)
	defer func() {
		if closed := state.Close(); err == nil {
			err = closed
		}
	}()
	return do(state)
}

func misused(code verdict.Code, format string, args ...any) error {
	return verdict.Fail(code, nil, format, args...)
}
