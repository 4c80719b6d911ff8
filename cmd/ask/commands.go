package main

import (
	"context"
	_ "embed" // the help
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
)

//go:embed help.txt
var help string

// tableRow is what a command does, and the words that complete its arguments. The other
// commands of the help are groups.
type tableRow struct {
	path  string
	work  work
	words offer // nil leaves the completion to the shell
}

// work adds the flags of a command, and returns what it does with its arguments.
type (
	work   = func(*app, *cobra.Command) action
	action = func(context.Context, []string) error
)

var commands = []tableRow{
	{"", (*app).questionOrWelcome, none},
	{"approvals", (*app).approvals, nil},
	{"approvals deny", onDesk((*app).deny), pending},
	{"approvals list", (*app).listApprovals, nil},
	{"approvals revoke", onDesk((*app).revoke), oneRun},
	{"approvals show", onDesk((*app).showApproval), pending},
	{"approve", (*app).approveRun, pending},
	{"call", (*app).callTool, first(ofServers(allowed))},
	{"clients list", (*app).listClients, nil},
	{"clients show", (*app).showClient, oneClient},
	{"clients unwrap", (*app).unwrapClients, oneClient},
	{"clients wrap", (*app).wrapClients, oneClient},
	{"config get", (*app).getConfig, first(offerSettings)},
	{"config set", simply((*app).setConfig), offerSettings},
	{"config show", (*app).showConfig, nil},
	{"conversations end", (*app).endConversations, first(ofDesk(policy.At, policy.Desk.Conversations, offerConversation))},
	{"conversations list", listed("conversations", policy.At, policy.Desk.Conversations, (*app).printConversations), nil},
	{"demo", (*app).welcomeToDemo, nil},
	{"demo serve", (*app).serveDemo, first(offerDemo)},
	{"doctor", simply((*app).doctor), nil},
	{"eval", (*app).evaluate, nil},
	{"grants explain", onServers((*app).servers, (*app).explainGrant), oneGrant},
	{"grants list", (*app).listGrants, nil},
	{"grants revoke", ofRun("grant", policy.At, policy.Desk.Revoke, (*app).printRevoked), oneGrant},
	{"guard explain", simply((*app).explainRule), first(offerRules)},
	{"guard list", simply((*app).listRules), nil},
	{"guard test", (*app).testGuard, nil},
	{"hook", simply((*app).hook), oneClient},
	{"manifest audit", onDesk((*app).auditManifests), oneRun},
	{"manifest check", simply((*app).checkManifest), nil},
	{"manifest learn", (*app).learnManifest, oneServer},
	{"manifest propose", simply((*app).propose), oneServer},
	{"manifest remove", onDesk((*app).removeManifest), oneServer},
	{"manifest run", (*app).runConfined, nil},
	{"manifest use", (*app).useManifest, oneServer},
	{"manifest why", (*app).why, oneServer},
	{"models key remove", simply((*app).removeKey), keyed},
	{"models key set", simply((*app).setKey), keyed},
	{"models list", onDesk((*app).listModels), nil},
	{"models test", onDesk((*app).testModel), oneModel},
	{"models use", simply((*app).useModel), oneModel},
	{"policy explain", (*app).explainPolicy, either(oneTool, oneRun)},
	{"policy schema", simply((*app).printPolicySchema), nil},
	{"policy show", onDesk((*app).showPolicy), nil},
	{"policy test", (*app).testPolicy, nil},
	{"policy try", (*app).tryPolicy, nil},
	{"policy validate", (*app).validatePolicy, nil},
	{"quarantine drop", ofRun("dropped", runs.At, runs.Desk.Drop, (*app).printDropped), withheld},
	{"quarantine keep", ofRun("kept", runs.At, runs.Desk.Keep, (*app).printKept), oneRun},
	{"quarantine list", listed("quarantine", runs.At, runs.Desk.Withheld, (*app).printWithheld), nil},
	{"quarantine purge", (*app).purge, nil},
	{"quarantine release", ofRun("released", runs.At, runs.Desk.Release, (*app).printReleased), withheld},
	{"quarantine show", onDesk((*app).showWithheld), withheld},
	{"resume", (*app).resume, withheld},
	{"run", (*app).runQuestion, none},
	{"servers", verbless(onServers((*app).servers, (*app).listServers)), nil},
	{"servers add", (*app).addServer, none},
	{"servers allow", (*app).allowTools, serverTools},
	{"servers approve", (*app).approveServer, oneServer},
	{"servers export", onServers((*app).unlocked, (*app).exportPins), anyServers},
	{"servers fetch", (*app).fetchServers, anyServers},
	{"servers import", (*app).importServers, oneClient},
	{"servers list", onServers((*app).servers, (*app).listServers), nil},
	{"servers login", (*app).logIn, oneServer},
	{"servers logout", onServers((*app).servers, (*app).logOut), oneServer},
	{"servers logs", onServers((*app).servers, (*app).serverLog), oneServer},
	{"servers refresh", onServers((*app).reviewable, (*app).refresh), anyServers},
	{"servers reject", simply((*app).rejectTools), serverTools},
	{"servers remove", onDesk((*app).removeServer), oneServer},
	{"servers review", (*app).reviewServers, anyServers},
	{"servers show", onServers((*app).servers, (*app).showServer), oneServer},
	{"servers test", onServers((*app).servers, (*app).testServers), anyServers},
	{"tools", (*app).listTools, nil},
	{"tools check", (*app).checkTool, oneTool},
	{"tools list", (*app).listTools, nil},
	{"tools show", (*app).showTool, oneTool},
	{"trace export", (*app).exportTrace, oneRun},
	{"trace list", (*app).listTraces, nil},
	{"trace prune", (*app).prune, nil},
	{"trace replay", simply((*app).replay), oneRun},
	{"trace show", (*app).showTrace, oneRun},
	{"trace verify", (*app).verifyTrace, oneRun},
	{"version", simply((*app).showVersion), nil},
	{"wrap", (*app).wrap, oneServer},
}

// root makes all commands, with the flags of all.
func (a *app) root() *cobra.Command {
	return a.commands(func(string) bool { return true })
}

// rootOf makes all commands, with the flags of those that the arguments name: to make every
// flag takes longer than most commands.
func (a *app) rootOf(args []string) func() *cobra.Command {
	return func() *cobra.Command {
		return a.commands(func(path string) bool {
			for name := range strings.FieldsSeq(path) {
				if !slices.Contains(args, name) {
					return false
				}
			}
			return true
		})
	}
}

// commands makes all commands. A command that is not named refuses everything.
func (a *app) commands(named func(path string) bool) *cobra.Command {
	all := cli.Commands(help)
	root := a.Root(all[""])
	for _, c := range commands {
		if !named(c.path) {
			continue
		}
		cmd := all[c.path] // a test finds each
		run := c.work(a, cmd)
		cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args) }
		if c.words != nil {
			cmd.ValidArgsFunction = a.completed(c.path, c.words)
		}
	}
	for _, f := range flagWords {
		if command, flag, _ := strings.Cut(f.path, " --"); named(command) {
			_ = all[command].RegisterFlagCompletionFunc(flag, a.completed(f.path, f.words)) // a test completes each
		}
	}
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		if cmd != root && cmd != all["version"] { // the root listens before it asks a question
			a.Listen()
		}
		a.Asker, a.Waits = a.asker(cmd.Context()), a.Notices()
		a.reports()
	}
	group(root)
	return root
}

// simply is the work of a command without flags.
func simply(do func(*app, context.Context, []string) error) work {
	return func(a *app, _ *cobra.Command) action {
		return func(ctx context.Context, args []string) error { return do(a, ctx, args) }
	}
}

// verbless is the work of a group without a verb.
func verbless(of work) work {
	return func(a *app, cmd *cobra.Command) action {
		cmd.Args = cli.Verb
		return of(a, cmd)
	}
}

// onDesk is the work of a command without flags on the installation.
func onDesk(do func(*app, context.Context, desk.Desk, []string) error) work {
	return func(a *app, _ *cobra.Command) action {
		return a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error { return do(a, ctx, d, args) })
	}
}

// onDesk calls do with the installation.
func (a *app) onDesk(do func(context.Context, desk.Desk, []string) error) action {
	return func(ctx context.Context, args []string) error {
		d, err := a.desk()
		if err != nil {
			return err
		}
		return do(ctx, d, args)
	}
}

// onServers is the work of a command without flags on the servers that from returns.
func onServers(from func(*app) (servers.Servers, error), do func(*app, context.Context, servers.Servers, []string) error) work {
	return func(a *app, _ *cobra.Command) action {
		return a.onServers(from, func(ctx context.Context, s servers.Servers, args []string) error { return do(a, ctx, s, args) })
	}
}

// onServers calls do with the servers that from returns.
func (a *app) onServers(from func(*app) (servers.Servers, error), do func(context.Context, servers.Servers, []string) error) action {
	return func(ctx context.Context, args []string) error {
		s, err := from(a)
		if err != nil {
			return err
		}
		return do(ctx, s, args)
	}
}

// ofRun is the work of a command on the run with a name, whose result is shown.
func ofRun[D, T any](name string, at func(desk.Desk) D, do func(D, context.Context, string) (T, error), text func(*app, T)) work {
	return onDesk(func(a *app, ctx context.Context, d desk.Desk, args []string) error {
		return result(a, name, text)(do(at(d), ctx, args[0]))
	})
}

// listed is the work of a command that shows all of a thing.
func listed[D, T any](name string, at func(desk.Desk) D, all func(D, context.Context) (T, error), text func(*app, T)) work {
	return onDesk(func(a *app, ctx context.Context, d desk.Desk, _ []string) error {
		return result(a, name, text)(all(at(d), ctx))
	})
}

// printTable prints a row for each of the things.
func printTable[T any](a *app, all []T, row func(T) []string) {
	rows := make([][]string, len(all))
	for i, one := range all {
		rows[i] = row(one)
	}
	a.Table(rows)
}

// result prints a function's result, under its name in JSON and otherwise as text.
func result[T any](a *app, name string, text func(*app, T)) func(T, error) error {
	return func(v T, err error) error {
		if err != nil {
			return err
		}
		return a.Result(name, v, func() { text(a, v) })
	}
}
