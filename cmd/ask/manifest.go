package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
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
	var rows [][]string
	for _, p := range all {
		how := "stays denied: not enforceable here"
		if p.Scope != "" {
			how = "granted by " + p.Scope
		}
		rows = append(rows, []string{string(p.Name), p.Means, how})
	}
	a.Table(rows)
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
	if info, err := os.Stat(name); name == "-" || err == nil && !info.IsDir() || strings.Contains(name, "/") || strings.HasSuffix(name, ".json") {
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
		none := verdict.Fail(verdict.EvalFailed, nil, "server %s is not confined: it has all of your rights", name)
		none.Hint = fmt.Sprintf("`ask manifest propose %s` shows a manifest for it", name)
		return nil, none
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
			none := verdict.Fail(verdict.EvalFailed, nil, "nothing of it is allowed")
			none.Hint = "`ask manifest why --json` has the changes of the manifest that would allow it"
			err = none
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
		if err == nil && status != 0 {
			err = cli.Ended(status)
		}
		return err
	}
}

// auditManifests lists what confined servers attempted and were refused.
func (a *app) auditManifests(_ context.Context, d desk.Desk, args []string) error {
	all, unlisted, err := runs.At(d).Runs().Refused(args)
	return a.Report(cli.Object{"attempts", all, "unlisted", unlisted}, err, func() {
		var rows [][]string
		for _, one := range all {
			line := strings.TrimPrefix(confine.Attempt{Action: one.Action, Resource: one.Resource, Permission: confine.Permission(one.Permission)}.Scoped().String(), "blocked: ")
			rows = append(rows, []string{escape.Line(one.Server, cli.MaxLine), line, fmt.Sprintf("%s, last %s", verdict.Count(len(one.Runs), "run"), one.Last)})
		}
		a.Table(rows)
		if unlisted > 0 {
			a.Say("%d further attempts were not recorded", unlisted)
		}
		if len(rows) == 0 {
			a.Say("No confined server was refused anything in these runs.")
		}
	})
}
