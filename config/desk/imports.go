package desk

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// ClientFile is one client's file, and what would come of its servers.
type ClientFile struct {
	Client  string          `json:"client,omitempty"`
	File    string          `json:"file"`
	Servers []ForeignServer `json:"servers"`

	specs map[string]config.Spec
}

// ForeignServer is one server of another client.
type ForeignServer struct {
	Name  string `json:"name"`
	How   string `json:"how"`
	State string `json:"state"` // new, same, taken, secret, unusable
	Why   string `json:"why,omitempty"`
}

// The states of a server that could be imported. All but the first are left.
const (
	isNew    = "new"
	isSame   = "same"
	isTaken  = "taken"
	isSecret = "secret"
	unusable = "unusable"
)

// foreign reads another client's file, and tells its servers from those that
// are there.
func foreign(client, file string, ours config.Servers, literal bool) (ClientFile, error) {
	c := ClientFile{Client: client, File: file, Servers: []ForeignServer{}, specs: map[string]config.Spec{}}
	theirs, err := config.LoadServers(file)
	if err != nil {
		return c, err
	}
	for _, name := range theirs.Names() {
		spec, _ := theirs.Copied(name)
		c.specs[name] = spec
		c.Servers = append(c.Servers, stateOf(ForeignServer{Name: name, How: theirs.Describe(name).String(), State: isNew}, spec, ours, literal))
	}
	for _, n := range theirs.Notes() {
		if n.Out {
			c.Servers = append(c.Servers, ForeignServer{Name: n.Server, State: unusable, Why: fmt.Sprintf("line %d: %s", n.Line, n.Text)})
		}
	}
	return c, nil
}

func stateOf(row ForeignServer, spec config.Spec, ours config.Servers, literal bool) ForeignServer {
	there, _, is := ours.Spec(row.Name)
	switch secrets := spec.Secrets(); {
	case is && reflect.DeepEqual(there, spec):
		row.State = isSame
	case is:
		row.State, row.Why = isTaken, "there is another server of that name"
	case len(secrets) > 0 && !literal:
		row.State, row.Why = isSecret, strings.Join(secrets, ", ")+" seems to hold a secret itself; --literal copies it as it is"
	}
	return row
}

// ours are the servers of the file: one that is not there has none.
func (d Desk) ours() (file string, ours config.Servers, err error) {
	if file, err = d.serversFile(); err != nil {
		return "", ours, err
	}
	ours, err = config.LoadServers(file)
	if verdict.CodeOf(err) == verdict.ConfigMissing {
		return file, config.Servers{}, nil
	}
	return file, ours, err
}

// clients are those that have a file here.
func (d Desk) clients() (here []config.Client) {
	for _, c := range config.Clients(d.With.Env, runtime.GOOS) {
		c.Files = slices.DeleteFunc(c.Files, func(file string) bool {
			_, err := os.Stat(file)
			return err != nil
		})
		if len(c.Files) > 0 {
			here = append(here, c)
		}
	}
	return here
}

// ClientNames are the clients of which there is a file here.
func (d Desk) ClientNames() (names []string) {
	for _, c := range d.clients() {
		names = append(names, c.Name)
	}
	return names
}

// Clients are the files of other clients that are here, and what Import would
// make of their servers. One that cannot be read is reported, and left out.
func (d Desk) Clients(literal bool) ([]ClientFile, error) {
	_, ours, err := d.ours()
	if err != nil {
		return nil, err
	}
	found := []ClientFile{}
	for _, c := range d.clients() {
		for _, file := range c.Files {
			one, err := foreign(c.Name, file, ours, literal)
			switch {
			case errors.Is(err, config.ErrNoServers):
				continue
			case err != nil:
				d.say("left out: %s", host.FailureOf(err).Message)
				continue
			}
			found = append(found, one)
		}
	}
	return found, nil
}

// Import copies the servers of a client or a file that are new; what is named and
// cannot be copied is an error, and then nothing is. Nothing is started or dialled.
func (d Desk) Import(from string, names []string, literal, dry bool) (Edit, error) {
	file, ours, err := d.ours()
	if err != nil {
		return Edit{}, err
	}
	client, files, err := d.sourceOf(from)
	if err != nil {
		return Edit{}, err
	}
	add := map[string]config.Spec{}
	for _, f := range files {
		theirs, err := foreign(client, f, ours, literal)
		if client != "" && errors.Is(err, config.ErrNoServers) {
			continue
		}
		if err == nil {
			err = d.choose(theirs, names, add)
		}
		if err != nil {
			return Edit{}, err
		}
	}
	for _, name := range names {
		if _, _, is := ours.Spec(name); !is && add[name].Command+add[name].URL == "" {
			return Edit{}, misused(verdict.UsageArgument, "%s has no server %s", from, escape.Line(name, 64))
		}
	}
	if len(add) == 0 {
		return edited(file, false), nil
	}
	return edited(file, !dry, slices.Sorted(maps.Keys(add))...), config.AddServers(file, add, dry)
}

// sourceOf is the client of that name, or the file.
func (d Desk) sourceOf(from string) (client string, files []string, err error) {
	for _, c := range d.clients() {
		if c.Name == from {
			return c.Name, c.Files, nil
		}
	}
	if _, err := os.Stat(from); err != nil {
		return "", nil, misused(verdict.UsageArgument, "%s is neither a file nor a client that has one here%s", escape.Line(from, 128), verdict.Near(from, d.ClientNames()))
	}
	return "", []string{from}, nil
}

// choose adds what is wanted of a file, and says what is left of it.
func (d Desk) choose(f ClientFile, names []string, add map[string]config.Spec) error {
	for _, r := range f.Servers {
		wanted := len(names) == 0 || slices.Contains(names, r.Name)
		_, twice := add[r.Name]
		switch {
		case !wanted || r.State == isSame || twice:
		case r.State == isNew:
			add[r.Name] = f.specs[r.Name]
		case len(names) > 0:
			return misused(verdict.UsageArgument, "server %s cannot be copied: %s", escape.Line(r.Name, 64), r.Why)
		default:
			d.say("server %s is left out: %s", r.Name, r.Why)
		}
	}
	return nil
}
