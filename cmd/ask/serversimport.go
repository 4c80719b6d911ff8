package main

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
)

func (a *app) importServersCommand() *cobra.Command {
	var literal bool
	cmd := &cobra.Command{
		Use:   "import [CLIENT|FILE [SERVER...]]",
		Short: "Copy servers of other clients into the servers file; nothing is started or dialled",
		Long: `import shows the servers that the other MCP clients of this machine have. With a
client or a file it copies those that are new, or the named ones. Nothing is
started or dialled, and no other client's file is changed.`,
		Example: "  ask servers import\n  ask servers import claude-desktop\n  ask servers import .vscode/mcp.json github",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.showClients(literal)
			}
			return a.importServers(args[0], args[1:], literal)
		},
	}
	cmd.Flags().BoolVar(&literal, "literal", false, "copy what seems to be a secret as it is")
	return cmd
}

// clientFile is one client's file, and what would come of its servers.
type clientFile struct {
	Client  string       `json:"client,omitempty"`
	File    string       `json:"file"`
	Servers []foreignRow `json:"servers"`

	specs map[string]config.Spec
}

// foreignRow is one server of another client.
type foreignRow struct {
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
func foreign(client, file string, ours config.Servers, literal bool) (clientFile, error) {
	c := clientFile{Client: client, File: file, Servers: []foreignRow{}, specs: map[string]config.Spec{}}
	theirs, err := config.LoadServers(file)
	if err != nil {
		return c, err
	}
	for _, name := range theirs.Names() {
		spec, _ := theirs.Copied(name)
		c.specs[name] = spec
		c.Servers = append(c.Servers, stateOf(foreignRow{Name: name, How: theirs.Describe(name).String(), State: isNew}, spec, ours, literal))
	}
	for _, n := range theirs.Notes() {
		if n.Out {
			c.Servers = append(c.Servers, foreignRow{Name: n.Server, State: unusable, Why: fmt.Sprintf("line %d: %s", n.Line, n.Text)})
		}
	}
	return c, nil
}

func stateOf(row foreignRow, spec config.Spec, ours config.Servers, literal bool) foreignRow {
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

// ours are the servers that are configured: none yet is none.
func (a *app) ours() (file string, ours config.Servers, err error) {
	if file, err = a.serversFile(); err != nil {
		return "", ours, err
	}
	ours, err = config.LoadServers(file)
	if verdict.CodeOf(err) == verdict.ConfigMissing {
		return file, config.Servers{}, nil
	}
	return file, ours, err
}

// clientsHere are the files of other clients that are there.
func (a *app) clientsHere() (here []config.Client) {
	for _, c := range config.Clients(a.Env, runtime.GOOS) {
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

func (a *app) showClients(literal bool) error {
	_, ours, err := a.ours()
	if err != nil {
		return err
	}
	found := []clientFile{}
	for _, c := range a.clientsHere() {
		for _, file := range c.Files {
			one, err := foreign(c.Name, file, ours, literal)
			switch {
			case errors.Is(err, config.ErrNoServers):
				continue
			case err != nil:
				a.Say("left out: %s", host.FailureOf(err).Message)
				continue
			}
			found = append(found, one)
		}
	}
	if a.JSON {
		a.Member("clients", found)
		return nil
	}
	for _, f := range found {
		a.printClient(f)
	}
	if len(found) == 0 {
		a.Say("No other client's file was found in its default place; name one: ask servers import FILE")
		return nil
	}
	a.Say("`ask servers import CLIENT` copies those that are new.")
	return nil
}

func (a *app) printClient(f clientFile) {
	fmt.Fprintln(a.Out, guard.Line(strings.TrimSpace(f.Client+"  "+f.File), cli.MaxLine))
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, r := range f.Servers {
		said := r.How
		if r.Why != "" {
			said = strings.TrimPrefix(r.How+"; "+r.Why, "; ")
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", guard.Line(r.Name, 128), r.State, guard.Line(said, cli.MaxLine))
	}
	w.Flush()
}

// importServers copies the servers of a client or a file that are new; what is
// named and cannot be copied is an error, and then nothing is.
func (a *app) importServers(from string, names []string, literal bool) error {
	file, ours, err := a.ours()
	if err != nil {
		return err
	}
	client, files, err := a.sourceOf(from)
	if err != nil {
		return err
	}
	add := map[string]config.Spec{}
	for _, f := range files {
		theirs, err := foreign(client, f, ours, literal)
		if client != "" && errors.Is(err, config.ErrNoServers) {
			continue
		}
		if err != nil {
			return err
		}
		if err := a.choose(theirs, names, add); err != nil {
			return err
		}
	}
	for _, name := range names {
		if _, _, is := ours.Spec(name); !is && add[name].Command+add[name].URL == "" {
			return cli.Usage(verdict.UsageArgument, "%s has no server %s", from, guard.Line(name, 64))
		}
	}
	if len(add) == 0 {
		a.showEdit(edit{host.SchemaVersion, file, []string{}, false}, "had already all that can be copied")
		return nil
	}
	return a.writeServers(file, add)
}

// sourceOf is the client of that name, or the file.
func (a *app) sourceOf(from string) (client string, files []string, err error) {
	var names []string
	for _, c := range a.clientsHere() {
		names = append(names, c.Name)
		if c.Name == from {
			return c.Name, c.Files, nil
		}
	}
	if _, err := os.Stat(from); err != nil {
		return "", nil, cli.Usage(verdict.UsageArgument, "%s is neither a file nor a client that has one here%s", guard.Line(from, 128), cli.Near(from, names))
	}
	return "", []string{from}, nil
}

// choose adds what is wanted of a file, and says what is left of it.
func (a *app) choose(f clientFile, names []string, add map[string]config.Spec) error {
	for _, r := range f.Servers {
		wanted := len(names) == 0 || slices.Contains(names, r.Name)
		_, twice := add[r.Name]
		switch {
		case !wanted || r.State == isSame || twice:
		case r.State == isNew:
			add[r.Name] = f.specs[r.Name]
		case len(names) > 0:
			return cli.Usage(verdict.UsageArgument, "server %s cannot be copied: %s", guard.Line(r.Name, 64), r.Why)
		default:
			a.Say("server %s is left out: %s", r.Name, r.Why)
		}
	}
	return nil
}
