package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/verdict"
)

// listTemplates is what `ask servers add --template` takes in a template's place
// to show them all.
const listTemplates = "list"

// template is a well-known server and how it is reached. Its version is one that
// `make interop` runs.
type template struct {
	Name    string      `json:"name"`
	Meaning string      `json:"meaning"`
	Wants   string      `json:"wants,omitempty"` // arguments that are to be added
	Server  config.Spec `json:"server"`

	least int // of the arguments that it wants
}

// templates are the servers that most people try first.
func templates() []template {
	npx := func(pack string) config.Spec { return config.Spec{Command: "npx", Args: []string{"-y", pack}} }
	uvx := func(pack string) config.Spec { return config.Spec{Command: "uvx", Args: []string{pack}} }
	return []template{
		{"fetch", "gets a web page as text", "", uvx("mcp-server-fetch@2026.10.24"), 0},
		{"filesystem", "reads and writes files of the folders that you name", "DIRECTORY...", npx("@modelcontextprotocol/server-filesystem@2026.8.31"), 1},
		{"git", "reads and changes a git repository", "--repository DIRECTORY", uvx("mcp-server-git@2026.10.19"), 2},
		{"github", "GitHub's own server; the variable GITHUB_TOKEN holds an access token", "", config.Spec{
			Type: "http", URL: "https://api.githubcopilot.com/mcp/", Headers: map[string]string{"Authorization": "Bearer ${GITHUB_TOKEN}"},
		}, 0},
		{"memory", "keeps notes as a graph", "", npx("@modelcontextprotocol/server-memory@2026.8.31"), 0},
		{"time", "tells and converts times", "", uvx("mcp-server-time@2026.10.19"), 0},
	}
}

// templated is the server of a template with more arguments, or without one the
// command that was given.
func templated(name string, command []string) (spec config.Spec, err error) {
	if name == "" {
		if len(command) > 0 {
			spec.Command, spec.Args = command[0], slices.Concat(command[1:])
		}
		return spec, nil
	}
	all := templates()
	i := slices.IndexFunc(all, func(t template) bool { return t.Name == name })
	if i < 0 {
		var names []string
		for _, t := range all {
			names = append(names, t.Name)
		}
		return spec, cli.Usage(verdict.UsageFlag, "there is no template %.64q: there are %s%s", name, strings.Join(names, ", "), cli.Near(name, names))
	}
	t := all[i]
	if len(command) < t.least || t.Wants == "" && len(command) > 0 {
		return spec, cli.Usage(verdict.UsageArgument, "the template %s takes -- %s", name, cmp.Or(t.Wants, "nothing"))
	}
	t.Server.Args = append(t.Server.Args, command...)
	return t.Server, nil
}

func (a *app) showTemplates() {
	if a.JSON {
		a.Member("templates", templates())
		return
	}
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	for _, t := range templates() {
		fmt.Fprintf(w, "%s\t%s\t%s\n", t.Name, strings.TrimSpace(strings.Join(append([]string{t.Server.Command + t.Server.URL}, t.Server.Args...), " ")+" "+t.Wants), t.Meaning)
	}
	w.Flush()
}
