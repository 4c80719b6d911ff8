package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// maxManifest is more than the maximum size of a manifest.
const maxManifest = 64 << 10

// scopesFlag names a file of scopes.
func scopesFlag(cmd *cobra.Command) *string {
	return cmd.Flags().String("scopes", "", "grant the scopes in a `FILE` instead of the manifest's")
}

// manifest reads a manifest, and checks that its scopes reach none of this program's own
// files.
func (a *app) manifest(ctx context.Context, file string) (confine.Manifest, error) {
	text, err := a.readBounded(ctx, file, maxManifest)
	if err != nil {
		return confine.Manifest{}, err
	}
	m, err := confine.Parse([]byte(text))
	if err == nil && m.Scopes != nil {
		err = a.own().Forbids(*m.Scopes)
	}
	return m, err
}

// own names the files of this program. If the settings cannot be read, it names only the
// directories.
func (a *app) own() confine.Own {
	s, _, _ := a.Settings()
	return s.Own(a.Env)
}

// policy compiles a manifest with the operator's scopes.
func (a *app) policy(ctx context.Context, file, scopesFile string, program confine.Program) (*confine.Policy, error) {
	m, err := a.manifest(ctx, file)
	if err != nil {
		return nil, err
	}
	var scopes confine.Scopes
	switch {
	case scopesFile != "":
		text, err := a.readBounded(ctx, scopesFile, maxManifest)
		if err != nil {
			return nil, err
		}
		if scopes, err = confine.ParseScopes([]byte(text)); err != nil {
			return nil, err
		}
	case m.Scopes != nil:
		scopes = *m.Scopes
	}
	program.Own = a.own()
	return confine.Resolve(m, scopes, program)
}

func (a *app) showPermissions(all []confine.PermissionInfo) {
	printTable(a, all, func(p confine.PermissionInfo) []string {
		how := "stays denied: not enforceable here"
		if p.Scope != "" {
			how = "granted by " + p.Scope
		}
		return []string{string(p.Name), p.Means, how}
	})
}

func (a *app) checkManifest(ctx context.Context, args []string) error {
	switch len(args) {
	case 0:
		return result(a, "permissions", (*app).showPermissions)(confine.Permissions(), nil)
	case 1:
	default:
		return cli.Usage(verdict.UsageArgument, "check takes one MANIFEST, or - for stdin: %d argument(s) given", len(args))
	}
	m, err := a.manifest(ctx, args[0])
	if err != nil {
		return err
	}
	asked := slices.DeleteFunc(confine.Permissions(), func(p confine.PermissionInfo) bool { return !slices.Contains(m.Permissions, p.Name) })
	machine := confine.ThisMachine()
	return a.Report(cli.Object{"description", m.Description, "permissions", asked, "scopes", m.Scopes, "machine", machine}, nil, func() {
		a.Print("the manifest is valid: it asks for %s", verdict.Count(len(m.Permissions), "permission"))
		a.Print("description: %s", escape.Line(m.Description, cli.MaxLine)) // every row begins with this program's words
		a.showPermissions(asked)
		if m.Scopes != nil {
			for _, line := range (&confine.Sandbox{Scopes: *m.Scopes}).Lines() {
				a.Print("scopes: %s", escape.Line(line, cli.MaxLine))
			}
		}
		a.Print("this machine: kernel %s, Landlock ABI %d, seccomp notifications %s, pidfd_getfd %s, delegated cgroup %s",
			machine.Kernel, machine.Landlock, yes(machine.Notify), yes(machine.Sockets), yes(machine.Cgroup))
	})
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// policyOf is the policy of a manifest in a file, or of a server's entry if no file has the
// name.
func (a *app) policyOf(ctx context.Context, name, scopes string) (*confine.Policy, error) {
	info, err := os.Stat(name)
	isFile := err == nil && !info.IsDir()
	named := name == "-" || strings.Contains(name, "/") || strings.HasSuffix(name, ".json")
	if isFile || named {
		return a.policy(ctx, name, scopes, confine.Program{})
	}
	d, err := a.desk()
	if err != nil {
		return nil, err
	}
	server, err := servers.At(d).Resolved(name)
	switch {
	case err != nil:
		return nil, err
	case scopes != "":
		return nil, cli.Usage(verdict.UsageFlag, "--scopes is for a MANIFEST: the entry of server %s has its own", name)
	case !server.Sandbox.Confines():
		return nil, verdict.Fail(verdict.EvalFailed, nil, "server %s is not confined: it has all of your rights", name).
			WithHint(fmt.Sprintf("`ask manifest propose %s` shows a manifest for it", name))
	}
	return server.Policy()
}

func (a *app) why(cmd *cobra.Command) action {
	scopes := scopesFlag(cmd)
	return func(ctx context.Context, args []string) error {
		p, err := a.policyOf(ctx, args[0], *scopes)
		if err != nil {
			return err
		}
		answers := p.Why(args[1])
		if !slices.ContainsFunc(answers, func(one confine.Answer) bool { return one.Allowed }) {
			err = verdict.Fail(verdict.EvalFailed, nil, "nothing of it is allowed").
				WithHint("`ask manifest why --json` has the changes of the manifest that would allow it")
		}
		return a.ReportAnyway(cli.Object{"answers", answers}, err, func() {
			for _, one := range answers {
				a.Print("%-3s  %s %s: %s", yes(one.Allowed), one.Action, escape.Line(one.Resource, cli.MaxLine), one.Because)
			}
		})
	}
}

// runConfined passes its own streams to the server, and prints one line for each refused
// attempt.
func (a *app) runConfined(cmd *cobra.Command) action {
	scopes := scopesFlag(cmd)
	filesOnly := cmd.Flags().Bool("files-only", false, "do without seccomp notifications: no hosts, no ports, no record")
	return func(ctx context.Context, args []string) error {
		if len(args) < 2 {
			return cli.Usage(verdict.UsageArgument, "run takes a MANIFEST, --, and the COMMAND of a server")
		}
		dir, err := os.Getwd()
		if err != nil {
			return verdict.Fail(verdict.UsageArgument, err, "the working directory cannot be found: %v", err)
		}
		p, err := a.policy(ctx, args[0], *scopes, confine.Program{Path: args[1], Args: args[2:], Dir: dir})
		if err != nil {
			return err
		}
		server := exec.CommandContext(context.WithoutCancel(ctx), args[1])
		server.Stdin, server.Stdout, server.Stderr, server.Env = os.Stdin, os.Stdout, os.Stderr, os.Environ()
		attempts, printed := make(chan confine.Attempt), make(chan struct{})
		go func() {
			defer close(printed)
			for one := range attempts {
				a.Say("%s", strings.TrimSpace(one.String()))
			}
		}()
		status, err := confine.Run(ctx, server, p, confine.Options{Record: func(one confine.Attempt) { attempts <- one }, FilesOnly: *filesOnly})
		close(attempts)
		<-printed
		return cmp.Or(err, ended(status))
	}
}

// auditManifests lists what confined servers attempted and were refused.
func (a *app) auditManifests(_ context.Context, d desk.Desk, args []string) error {
	all, unlisted, err := runs.At(d).Runs().Refused(args)
	return a.Report(cli.Object{"attempts", all, "unlisted", unlisted}, err, func() {
		printTable(a, all, func(one runs.Refused) []string {
			line := strings.TrimPrefix(confine.Attempt{Action: one.Action, Resource: one.Resource, Permission: confine.Permission(one.Permission)}.Scoped().String(), "blocked: ")
			return []string{escape.Line(one.Server, cli.MaxLine), line, fmt.Sprintf("%s, last %s", verdict.Count(len(one.Runs), "run"), one.Last)}
		})
		if unlisted > 0 {
			a.Say("%d further attempts were not recorded", unlisted)
		}
		if len(all) == 0 {
			a.Say("No confined server was refused anything in these runs.")
		}
	})
}

func (a *app) propose(ctx context.Context, args []string) error {
	if isDirectory(args[0]) {
		return a.proposeFromSource(args[0])
	}
	d, err := a.desk()
	if err != nil {
		return err
	}
	p, err := servers.At(d).ProposeFor(ctx, args[0])
	if err != nil {
		return err
	}
	if a.JSON {
		a.Document(cli.Object{"manifest", p.Manifest, "known", p.Known, "wants", p.Wants, "command", p.Command})
		return nil
	}
	a.sayWants(p, "its command is a version manager's: `ask manifest use` writes %s in its place")
	return a.printManifest(p.Manifest)
}

// isDirectory reports whether an argument is the path of a directory, not the name of a
// server.
func isDirectory(arg string) bool {
	if strings.HasPrefix(arg, ".") || strings.HasPrefix(arg, "/") || strings.HasSuffix(arg, "/") {
		return true
	}
	info, err := os.Stat(arg)
	return strings.Contains(arg, "/") && err == nil && info.IsDir()
}

// proposeFromSource makes the evaluator read the source, because it has the parsers.
func (a *app) proposeFromSource(dir string) error {
	words := []string{"propose", "--", dir}
	if a.JSON {
		words = []string{"propose", "--json", "--", dir}
	}
	return becomeEvaluator(words)
}

func (a *app) useManifest(cmd *cobra.Command) action {
	typed := cmd.Flags().StringArray("allow", nil, "write a scope of the `PATH` although secrets are there, or what runs later")
	return a.onDesk(func(ctx context.Context, d desk.Desk, args []string) error {
		var given *confine.Manifest
		switch len(args) {
		case 1:
		case 2:
			m, err := a.manifest(ctx, args[1])
			if err != nil {
				return err
			}
			given = &m
		default:
			return cli.Usage(verdict.UsageArgument, "use takes a SERVER, and a MANIFEST or - for stdin: %d argument(s) given", len(args))
		}
		e, p, err := servers.At(d).Confine(ctx, args[0], given, *typed, a.DryRun)
		if err := a.showEdit(e, "%s has a manifest in %s", "%s would have a manifest in %s", err); err != nil {
			return err
		}
		a.sayWants(p, "its command was a version manager's: %s is in its place")
		if e.Changed {
			a.Say("Next: `ask servers review %s` starts it under the manifest, and asks for your approval.", args[0])
		}
		return nil
	})
}

// sayWants prints what a proposal lacks, and the replacement of the command.
func (a *app) sayWants(p servers.Proposed, instead string) {
	if len(p.Command) > 0 {
		a.Say(instead, escape.Line(strings.Join(p.Command, " "), cli.MaxLine))
	}
	if p.Wants != "" {
		a.Say("still to add: %s", escape.Line(p.Wants, 2*cli.MaxLine))
	}
}

func (a *app) removeManifest(_ context.Context, d desk.Desk, args []string) error {
	e, err := servers.At(d).Unconfine(args[0], a.DryRun)
	did, would := "the manifest of %s is removed from %s", "the manifest of %s would be removed from %s"
	if err == nil && !e.Changed && !a.DryRun {
		would = "%s has no manifest in %s"
	}
	if err := a.showEdit(e, did, would, err); err != nil {
		return err
	}
	if e.Changed {
		a.Say("Next: `ask servers review %s` shows what it may do now, and asks for your approval.", args[0])
	}
	return nil
}

// printManifest prints a manifest in the form of its file.
func (a *app) printManifest(m confine.Manifest) error {
	text, err := json.Marshal(m, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	a.JSONText(a.Out, text)
	return nil
}

// sayProposed prints the proposed confinement of servers, right after they were added to the
// servers file. Each server with a template has a line, and all others share one.
func (a *app) sayProposed(d desk.Desk, names []string) {
	if a.JSON {
		return
	}
	var least []string
	some := false
	for _, name := range names {
		p, err := servers.At(d).Propose(name)
		switch {
		case err != nil: // the server runs elsewhere
			continue
		case p.Known:
			a.Say("proposed for %s: %s", name, escape.Line(strings.Join(p.Lines(), "; "), 500))
		default:
			least = append(least, name)
		}
		some = true
	}
	if len(least) > 0 {
		a.Say("proposed for %s: the minimum, which is its own program, no network, no writing and none of your files", strings.Join(least, ", "))
	}
	rights := "all of your rights"
	if d.Settings.Sandbox.V == config.SandboxAll {
		rights = "the minimum"
	}
	if some {
		a.Say("Without a manifest a server runs with %s: `ask manifest use NAME` takes what is proposed, `ask manifest propose NAME` shows it.", rights)
	}
}
