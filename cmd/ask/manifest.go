package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/confine"
)

// maxManifest is more than the maximum size of a manifest.
const maxManifest = 64 << 10

func (a *app) manifestCommand() *cobra.Command {
	var scopes string
	scopesFlag := func(f *cli.FlagSet) {
		f.StringVar(&scopes, "scopes", "", "grant the scopes in a `FILE` instead of the manifest's")
	}
	return cli.Group("manifest", "Manifests: what a server may access, and confined servers", append(cli.Commands(
		a.checkCommand(), a.whyCommand(scopesFlag, &scopes), a.runManifestCommand(scopesFlag, &scopes),
		a.proposeCommand(), a.useManifestCommand(), a.removeManifestCommand(), a.auditManifestCommand(),
	), a.learnCommand())...)
}

func (a *app) checkCommand() cli.Command {
	return cli.Command{
		Use: "check [MANIFEST]", Short: "Check a manifest, and show what it asks for and what this machine can enforce",
		Long: `check reads a manifest strictly, and shows its permissions, its scopes and what this
machine can enforce. Nothing is started. MANIFEST is a file, or - for stdin. Without
one it lists the permissions that a manifest can ask for.`,
		Example: "  ask manifest check files-manifest.json\n  ask manifest check",
		Run: func(ctx context.Context, args []string) error {
			switch len(args) {
			case 0:
				all := confine.Permissions()
				return a.Result("permissions", all, func() { a.showPermissions(all) })
			case 1:
				return a.checkManifest(ctx, args[0])
			}
			return cli.Usage(verdict.UsageArgument, "check takes one MANIFEST, or - for stdin: %d argument(s) given", len(args))
		},
	}
}

func (a *app) whyCommand(scopesFlag func(*cli.FlagSet), scopes *string) cli.Command {
	return cli.Command{
		Use: "why MANIFEST|SERVER RESOURCE", Short: "Show whether a path, a host or a command is allowed, and why", Takes: "why takes a MANIFEST or a SERVER, and a RESOURCE",
		Long: `why answers from the compiled policy: for an absolute path (read, write, delete,
start), for host:port (connect), or for the name of a command (start). A no comes
with the change of the manifest that would make it a yes, as a JSON patch. Of a server
of the servers file it answers for the manifest and scopes of its entry.

It exits 10 if nothing that was asked is allowed.`,
		Example: "  ask manifest why agent-manifest.json /etc/passwd\n  ask manifest why agent-manifest.json api.example.com:443\n  ask manifest why notes /srv/notes",
		Run:     func(ctx context.Context, args []string) error { return a.why(ctx, args[0], args[1], *scopes) },
		Flags:   scopesFlag,
	}
}

func (a *app) runManifestCommand(scopesFlag func(*cli.FlagSet), scopes *string) cli.Command {
	var filesOnly bool
	return cli.Command{
		Use: "run MANIFEST -- COMMAND [ARG...]", Short: "Run a stdio server confined to its manifest, for any client",
		Long: `run starts a command that the Linux kernel confines to what the manifest asks for
and the scopes grant. The scopes are those of --scopes, or else those in the
manifest. An absent scope grants nothing.

stdin, stdout and the exit status are the server's. Each attempt that is refused
is one line on stderr. See docs/sandbox.md for what is enforced, and what is not.

--files-only works without seccomp notifications, which some containers refuse. It
shows no attempts, and no host or port can be granted.`,
		Example: "  ask manifest run agent-manifest.json -- node server.js",
		Run:     func(ctx context.Context, args []string) error { return a.runConfined(ctx, args, *scopes, filesOnly) },
		Flags: func(f *cli.FlagSet) {
			scopesFlag(f)
			f.BoolVar(&filesOnly, "files-only", false, "do without seccomp notifications: no hosts, no ports, no record")
		},
	}
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

func (a *app) checkManifest(ctx context.Context, file string) error {
	m, err := a.manifest(ctx, file)
	if err != nil {
		return err
	}
	var asked []confine.PermissionInfo
	for _, p := range confine.Permissions() {
		for _, name := range m.Permissions {
			if name == p.Name {
				asked = append(asked, p)
			}
		}
	}
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

func (a *app) why(ctx context.Context, file, resource, scopes string) error {
	p, err := a.policyOf(ctx, file, scopes)
	if err != nil {
		return err
	}
	answers := p.Why(resource)
	allowed := false
	for _, one := range answers {
		allowed = allowed || one.Allowed
	}
	if !allowed {
		none := verdict.Fail(verdict.EvalFailed, nil, "nothing of it is allowed")
		none.Hint = "`ask manifest why --json` has the changes of the manifest that would allow it"
		err = none
	}
	if a.JSON {
		a.Document(cli.Object{"answers", answers})
		return a.EndWith(err)
	}
	for _, one := range answers {
		verb := "no"
		if one.Allowed {
			verb = "yes"
		}
		a.Print("%-3s  %s %s: %s", verb, one.Action, escape.Line(one.Resource, cli.MaxLine), one.Because)
	}
	return err
}

// runConfined passes its own streams to the server, and prints one line for each refused
// attempt.
func (a *app) runConfined(ctx context.Context, args []string, scopes string, filesOnly bool) error {
	if len(args) < 2 {
		return cli.Usage(verdict.UsageArgument, "run takes a MANIFEST, --, and the COMMAND of a server")
	}
	dir, err := os.Getwd()
	if err != nil {
		return verdict.Fail(verdict.UsageArgument, err, "the working directory cannot be found: %v", err)
	}
	p, err := a.policy(ctx, args[0], scopes, confine.Program{Path: args[1], Args: args[2:], Dir: dir})
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), args[1])
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdin, os.Stdout, os.Stderr, os.Environ()
	attempts, printed := make(chan confine.Attempt), make(chan struct{})
	go func() {
		defer close(printed)
		for one := range attempts {
			a.Say("%s", strings.TrimSpace(one.String()))
		}
	}()
	status, err := confine.Run(ctx, cmd, p, confine.Options{Record: func(one confine.Attempt) { attempts <- one }, FilesOnly: filesOnly})
	close(attempts)
	<-printed
	if err == nil && status != 0 {
		err = cli.Ended(status)
	}
	return err
}
