package desk

import (
	"cmp"
	"context"
	"fmt"
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
	if err := config.AddServers(file, map[string]config.Spec{name: spec}, dry); err != nil {
		return Edit{}, err
	}
	d.sayBridge(name, spec)
	return edited(file, !dry, name), nil
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
