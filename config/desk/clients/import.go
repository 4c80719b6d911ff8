package clients

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// File is one client's file, with the effect of an import of its servers.
type File struct {
	Client  string   `json:"client,omitempty"`
	File    string   `json:"file"`
	Servers []Server `json:"servers"` // new, same, taken, secret or unusable

	specs  map[string]config.Spec
	theirs config.Servers
}

// The states of a server that could be imported. Only new ones are copied.
const (
	isNew    = "new"
	isSame   = "same"
	isTaken  = "taken"
	isSecret = "secret"
	unusable = "unusable"
)

// wanted selects servers of a file; see pick.
type wanted struct {
	said    []string
	found   map[string]bool
	literal bool // copy a text that seems to be a secret unchanged
	own     bool // the file is the operator's own
}

// foreign reads the selected servers of another client's file, and compares them with the
// existing ones.
func (d Desk) foreign(client, file string, ours config.Servers, w wanted) (File, error) {
	c := File{Client: client, File: file, Servers: []Server{}, specs: map[string]config.Spec{}}
	theirs, err := config.LoadForeign(file)
	if err != nil {
		return c, err
	}
	if w.own {
		theirs = theirs.Own()
	}
	c.theirs = theirs
	left := slices.DeleteFunc(theirs.Notes(), func(n config.Note) bool { return !n.Out })
	keys := theirs.Names()
	for _, n := range left {
		keys = append(keys, n.Server)
	}
	names, err := pick(w.said, keys, w.found)
	for _, name := range theirs.Names() {
		if _, meant := names[name]; meant {
			c.Servers = append(c.Servers, d.foreignRow(&c, name, names, ours, w.literal))
		}
	}
	for _, n := range left {
		if _, meant := names[n.Server]; meant {
			c.Servers = append(c.Servers, Server{Name: n.Server, State: unusable, Why: fmt.Sprintf("line %d: %s", n.Line, n.Text)})
		}
	}
	return c, err
}

// foreignRow is the effect of importing one server under one of the names.
func (d Desk) foreignRow(c *File, name string, names map[string]string, ours config.Servers, literal bool) Server {
	as, clash := names[name], clashes(names, name)
	spec, _ := c.theirs.Copied(name)
	c.specs[name] = spec
	row := Server{Name: name, As: called(name, as), How: c.theirs.Describe(name).String(), State: isNew}
	wraps, sibling := servers.At(d.Desk).Wraps(c.theirs, name)
	there, _, is := ours.Spec(as)
	switch secrets := spec.Secrets(); {
	case wraps, sibling:
		row.State, row.Why = unusable, "it starts ask itself"
	case clash != "":
		row.State, row.Why = isTaken, twoOf(name, clash, as)
	case is && len(there.Differences(spec)) == 0:
		row.State = isSame
	case is:
		row.State, row.Why = isTaken, "there is another server of that name: "+firstOf(there.Differences(spec))+"; NAME=OTHER copies it under another name"
	case len(secrets) > 0 && !literal:
		row.State, row.Why = isSecret, strings.Join(secrets, ", ")+" seems to be a secret itself; --literal copies it unchanged"
	}
	return row
}

// as is the server's name in the servers file.
func (r Server) as() string { return cmp.Or(r.As, r.Name) }

// usersFiles are the existing files of the user.
func (d Desk) usersFiles() []source {
	return slices.DeleteFunc(d.sources(""), func(s source) bool { return s.shared })
}

// Names are the clients with a file here.
func (d Desk) Names() (names []string) {
	for _, s := range d.usersFiles() {
		names = append(names, s.client)
	}
	return slices.Compact(names)
}

// Importable are the existing files of other clients, with the effect of Import on their
// servers. A file that cannot be read is reported and left out.
func (d Desk) Importable(literal bool) ([]File, error) {
	_, ours, err := d.Entries()
	if err != nil {
		return nil, err
	}
	found := []File{}
	for _, s := range d.usersFiles() {
		one, err := d.foreign(s.client, s.file, ours, wanted{literal: literal, own: true})
		switch {
		case errors.Is(err, config.ErrNoServers):
		case err != nil:
			d.Report("left out: %s", host.FailureOf(err).Message)
		default:
			found = append(found, one)
		}
	}
	return found, nil
}

// Import copies the new servers of a client or a file. A named server that cannot be copied
// is an error, and then nothing is copied. Import starts and dials nothing.
func (d Desk) Import(from string, names []string, literal, dry bool) (servers.Edit, error) {
	file, ours, err := d.Entries()
	if err != nil {
		return servers.Edit{}, err
	}
	client, files, err := d.sourceOf(from)
	if err != nil {
		return servers.Edit{}, err
	}
	add, w := map[string]config.Spec{}, wanted{said: names, found: map[string]bool{}, literal: literal}
	for _, f := range files {
		w.own = config.UsersFile(f, d.With.Env)
		theirs, err := d.foreign(client, f, ours, w)
		if client != "" && errors.Is(err, config.ErrNoServers) {
			continue
		}
		if err == nil {
			err = d.choose(theirs, len(names) > 0, add)
		}
		if err != nil {
			return servers.Edit{}, err
		}
	}
	for _, name := range names {
		if !w.found[name] {
			return servers.Edit{}, verdict.Fail(verdict.UsageArgument, nil, "%s has no server %s", from, escape.Line(name, 64))
		}
	}
	if len(add) == 0 {
		return servers.NewEdit(file, false), nil
	}
	if err := config.AddServers(file, add, dry); err != nil {
		return servers.Edit{}, err
	}
	all := slices.Sorted(maps.Keys(add))
	for _, name := range all {
		if add[name].URL != "" && len(add[name].Headers) == 0 { // the other client's token belongs to that client
			d.Report("server %s has no header with a token: if it requires a login, `ask servers login %s`", name, name)
		}
		servers.At(d.Desk).OfferAddress(name, add[name])
	}
	return servers.NewEdit(file, !dry, all...), nil
}

// sourceOf is the client with a name, or the file.
func (d Desk) sourceOf(from string) (client string, files []string, err error) {
	for _, s := range d.usersFiles() {
		if s.client == from {
			client, files = from, append(files, s.file)
		}
	}
	if files != nil {
		return client, files, nil
	}
	if _, err := os.Stat(from); err != nil {
		return "", nil, verdict.Fail(verdict.UsageArgument, nil, "%s is neither a file nor a client that has one here%s", escape.Line(from, 128), verdict.Near(from, d.Names()))
	}
	return "", []string{from}, nil
}

// sayUnstated names the parts that are left out of an entry outside of the operator's own
// file.
func (d Desk) sayUnstated(theirs config.Servers, name string) {
	fields := theirs.Unstated(name)
	if i := slices.Index(fields, "oauth.issuer"); i >= 0 {
		fields[i] += " (or authServerMetadataUrl, which names it)"
	}
	if len(fields) > 0 {
		d.Report("server %s: %s is left out, because the file is not your own: if you know that it is right, write it into your servers file", escape.Line(name, 64), strings.Join(fields, " and "))
	}
}

// choose adds the selected servers of a file, and reports the others.
func (d Desk) choose(f File, named bool, add map[string]config.Spec) error {
	for _, r := range f.Servers {
		_, twice := add[r.as()]
		switch {
		case r.State == isNew && twice && len(add[r.as()].Differences(f.specs[r.Name])) > 0:
			d.Report("server %s of %s is left out: another file of the client has a server of that name", escape.Line(r.Name, 64), f.File)
		case r.State == isSame || twice:
		case r.State == isNew:
			add[r.as()] = f.specs[r.Name]
			d.sayUnstated(f.theirs, r.Name)
			for _, n := range f.theirs.Notes() {
				if n.Server == r.Name && !n.Out {
					d.Report("%s", n)
				}
			}
			if r.As != "" {
				d.Report("%s", Renamed(r.Name, r.As))
			}
		case named:
			return verdict.Fail(verdict.UsageArgument, nil, "server %s cannot be copied: %s", escape.Line(r.Name, 64), r.Why)
		default:
			d.Report("server %s is left out: %s", escape.Line(r.Name, 64), r.Why)
		}
	}
	return nil
}

// firstOf are the first differences of two servers, and the number of the others.
func firstOf(differ []string) string {
	const most = 4
	if len(differ) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(differ[:most], ", "), len(differ)-most)
	}
	return strings.Join(differ, ", ")
}
