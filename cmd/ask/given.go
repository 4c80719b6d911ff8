package main

import (
	"os"
	"slices"
	"strings"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

// givenFlags describe a server outside of any file, by its command line or its URL.
type givenFlags struct {
	command, url, sse, name string
	rest                    bool // the arguments are the command
	env                     []string
}

// commandArgs is the flag that takes the rest of a command line.
const commandArgs = "--command-args"

func (g *givenFlags) Apply(f *cli.FlagSet) {
	f.StringVar(&g.name, "name", "", "the `NAME` in the allowlist of a server that is in no file")
	f.StringVar(&g.command, "command", "", "the `COMMAND` with its arguments that starts such a server, quoted as a shell has it")
	f.BoolVar(&g.rest, strings.TrimPrefix(commandArgs, "--"), false, "the rest of the line is such a command with its arguments")
	f.StringVar(&g.url, "url", "", "the `URL` of such a server, over streamable HTTP")
	f.StringVar(&g.sse, "sse-url", "", "the `URL` of such a server, over HTTP+SSE")
	f.StringArrayVar(&g.env, "env", nil, "a variable for it: NAME passes your own on, NAME=`VALUE` sets it")
}

// server puts the flags' server in the place of the servers file, and returns its name.
// Without such flags it changes nothing.
func (a *app) server(g *givenFlags, args []string) ([]string, error) {
	ways := 0
	for _, given := range []bool{g.command != "", g.url != "", g.sse != "", g.rest} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0 && g.name == "" && len(g.env) == 0:
		return args, nil
	case ways != 1:
		return nil, cli.Usage(verdict.UsageFlag, "describe the server with exactly one of --command, --command-args, --url and --sse-url")
	case !escape.Name(g.name):
		return nil, cli.Usage(verdict.UsageFlag, "--name gives the server's name in the allowlist: a name of A-Z a-z 0-9 _ . -")
	case !g.rest && len(args) > 0:
		return nil, cli.Usage(verdict.UsageArgument, "a server is either named or given by flags, not both")
	}
	words, err := args, error(nil)
	if g.command != "" {
		words, err = split(g.command)
	}
	if err != nil {
		return nil, err
	}
	spec := config.Spec{URL: g.url, Type: "http"}
	switch {
	case g.sse != "":
		spec = config.Spec{URL: g.sse, Type: "sse"}
	case len(words) > 0:
		spec = config.Spec{Command: words[0], Args: words[1:]}
	case g.url == "":
		return nil, cli.Usage(verdict.UsageFlag, "there is no command to start the server with")
	}
	if spec.Env, err = pairs(nil, g.env, "=", true); err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, verdict.Fail(verdict.ConfigUnreadable, err, "the working directory: %v", err)
	}
	a.described, err = config.NewServers(dir, map[string]config.Spec{g.name: spec})
	a.isDescribed = true
	return []string{g.name}, err
}

// review is the command that reviews the served server.
func (g *givenFlags) review(name string) string {
	if g.name == "" {
		return "ask servers review " + name
	}
	return "ask servers review --name " + name + " with the flags that it is wrapped with"
}

// remainder makes everything after --command-args an argument, including texts that look like
// flags.
func remainder(args []string) []string {
	i := slices.Index(args, commandArgs)
	switch {
	case i < 0, slices.Contains(args[:i], "--"):
		return args
	case i+1 < len(args) && args[i+1] == "--":
		return args
	}
	return slices.Insert(slices.Clone(args), i+1, "--")
}

// split splits a command line into words, with a shell's quotes and without expansion.
func split(line string) (words []string, err error) {
	var word strings.Builder
	open, quote := false, rune(0)
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			open, escaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			open, quote = true, r
		case strings.ContainsRune(" \t\n", r):
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	if quote != 0 || escaped {
		return nil, cli.Usage(verdict.UsageFlag, "--command has an open quote")
	}
	if open {
		words = append(words, word.String())
	}
	return words, nil
}
