package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

// Edit is what became of the servers file.
type Edit struct {
	SchemaVersion int      `json:"schema_version"`
	File          string   `json:"file"`
	Servers       []string `json:"servers"` // added, or removed
	Changed       bool     `json:"changed"` // not by a dry run, nor where all was there already

	Already bool `json:"-"` // nothing was to be changed
}

func edited(file string, changed bool, servers ...string) Edit {
	return Edit{SchemaVersion: host.SchemaVersion, File: file, Servers: append([]string{}, servers...), Changed: changed, Already: len(servers) == 0}
}

// serversFile is the file that holds the servers: the one that is read.
func (d Desk) serversFile() (string, error) {
	if d.With.Demo {
		return "", misused(verdict.UsageFlag, "the demo's servers are inside this binary, not in a file")
	}
	return d.Settings.Servers.V, nil
}

// AddServer writes a server into the servers file; nothing is started or dialled.
// One that is there and the same is left. With literal what seems to be a secret
// is written as it is.
func (d Desk) AddServer(name string, spec config.Spec, literal, dry bool) (Edit, error) {
	file, ours, err := d.ours()
	if err == nil {
		err = secretive(name, spec, literal)
	}
	if err != nil {
		return Edit{}, err
	}
	if fields := spec.Relative(); len(fields) > 0 {
		return Edit{}, misused(verdict.UsageArgument, "%s is relative to the directory that the server starts in, which is that of %s: write the whole path, or say --cwd", fields[0], file)
	}
	if there, _, is := ours.Spec(name); is && len(there.Differences(spec)) == 0 {
		e := edited(file, false, name)
		e.Already = true
		return e, nil
	}
	return edited(file, !dry, name), config.AddServers(file, map[string]config.Spec{name: spec}, dry)
}

// secretive refuses a secret in plain sight, unless it was said to be meant.
func secretive(name string, spec config.Spec, literal bool) error {
	fields := spec.Secrets()
	if literal || len(fields) == 0 {
		return nil
	}
	err := verdict.Fail(verdict.UsageArgument, nil, "%s of server %s seems to be a secret itself", fields[0], escape.Line(name, 64))
	err.Hint = "keep it in a variable and write ${NAME} instead; --literal writes it into the file unchanged"
	return err
}

// RemoveServer takes a server out of the servers file. What was approved of it is
// withdrawn first: who adds it again reviews it again.
func (d Desk) RemoveServer(ctx context.Context, name, how string, dry bool) (Edit, error) {
	file, err := d.serversFile()
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
	// A question that finds no tool would name the server as one that cannot be reached.
	if allowlist := d.Settings.Allowlist.V; len(config.LoadAllowlist(allowlist).Tools(name)) > 0 {
		d.say("%s names tools of %s: take them out", allowlist, name)
	}
	return edited(file, !dry, name), nil
}

func (d Desk) forget(ctx context.Context, name, how string) error {
	if err := d.Unlocked(); err != nil {
		return err
	}
	s, err := d.Servers()
	if s.State != nil {
		defer func() { _ = s.State.Close() }() // what is decided is on disk before
	}
	if err != nil {
		return err
	}
	return s.Forget(ctx, name, how)
}

// Template is a well-known server and how it is reached. Its version is one that
// `make interop` runs.
type Template struct {
	Name    string      `json:"name"`
	Meaning string      `json:"meaning"`
	Wants   string      `json:"wants,omitempty"` // arguments that are to be added
	Server  config.Spec `json:"server"`

	least int // of the arguments that it wants
}

// Templates are the servers that most people try first.
func Templates() []Template {
	npx := func(pack string) config.Spec { return config.Spec{Command: "npx", Args: []string{"-y", pack}} }
	uvx := func(pack string) config.Spec { return config.Spec{Command: "uvx", Args: []string{pack}} }
	return []Template{
		{"fetch", "gets a web page as text", "", uvx("mcp-server-fetch@2026.10.24"), 0},
		{"filesystem", "reads and writes files of the folders that you name", "DIRECTORY...", npx("@modelcontextprotocol/server-filesystem@2026.8.31"), 1},
		{"git", "reads and changes a git repository", "--repository DIRECTORY", uvx("mcp-server-git@2026.10.19"), 2},
		{"github", "GitHub's own server; the variable GITHUB_TOKEN contains an access token", "", config.Spec{
			Type: "http", URL: "https://api.githubcopilot.com/mcp/", Headers: map[string]string{"Authorization": "Bearer ${GITHUB_TOKEN}"},
		}, 0},
		{"memory", "keeps notes as a graph", "", npx("@modelcontextprotocol/server-memory@2026.8.31"), 0},
		{"time", "shows and converts times", "", uvx("mcp-server-time@2026.10.19"), 0},
	}
}

// Templated is the server of a template with more arguments, or without one the
// command that was given.
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
		return spec, misused(verdict.UsageFlag, "there is no template %.64q; the templates are %s%s", name, strings.Join(names, ", "), verdict.Near(name, names))
	}
	t := all[i]
	if len(command) < t.least || t.Wants == "" && len(command) > 0 {
		return spec, misused(verdict.UsageArgument, "the template %s takes -- %s", name, cmp.Or(t.Wants, "nothing"))
	}
	t.Server.Args = append(t.Server.Args, command...)
	return t.Server, nil
}

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
func (d Desk) foreign(client, file string, ours config.Servers, literal bool) (ClientFile, error) {
	c := ClientFile{Client: client, File: file, Servers: []ForeignServer{}, specs: map[string]config.Spec{}}
	theirs, err := config.LoadServers(file)
	if err != nil {
		return c, err
	}
	for _, name := range theirs.Names() {
		spec, _ := theirs.Copied(name)
		c.specs[name] = spec
		row := stateOf(ForeignServer{Name: name, How: theirs.Describe(name).String(), State: isNew}, spec, ours, literal)
		if wraps, sibling := d.wraps(theirs, name); wraps || sibling {
			row.State, row.Why = unusable, "it starts ask itself"
		}
		c.Servers = append(c.Servers, row)
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
	case is && len(there.Differences(spec)) == 0:
		row.State = isSame
	case is:
		row.State, row.Why = isTaken, "there is another server of that name: "+firstOf(there.Differences(spec))
	case len(secrets) > 0 && !literal:
		row.State, row.Why = isSecret, strings.Join(secrets, ", ")+" seems to be a secret itself; --literal copies it unchanged"
	}
	return row
}

// firstOf are the first differences of two servers, and how many more there are.
func firstOf(differ []string) string {
	const most = 4
	if len(differ) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(differ[:most], ", "), len(differ)-most)
	}
	return strings.Join(differ, ", ")
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
			one, err := d.foreign(c.Name, file, ours, literal)
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
		theirs, err := d.foreign(client, f, ours, literal)
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
	if err := config.AddServers(file, add, dry); err != nil {
		return Edit{}, err
	}
	all := slices.Sorted(maps.Keys(add))
	for _, name := range all {
		if add[name].URL != "" && len(add[name].Headers) == 0 { // its other client's token is that client's
			d.say("server %s has no header with a token: if it requires a login, `ask servers login %s`", name, name)
		}
	}
	return edited(file, !dry, all...), nil
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
