package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/eval/manifest"
	"github.com/onestep-run/onestep/eval/permissions"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
)

func (a *app) manifestCommand() *cobra.Command {
	var f suiteFlags
	var packages string
	cmd := &cobra.Command{
		Use:   "manifest",
		Short: "How many of the permissions that a server needs are found",
		Long: `manifest has the permissions of small servers found in three ways: by propose,
which reads their source; by learn, which runs them confined; and by regular
expressions. Their permissions are known, and were frozen before anything that
finds them was written.

The servers are started, confined: node, python3 and go have to be installed.

With --packages they are eight servers of npm and four of PyPI, which "make interop"
installs below interop. What those need is not known: what they attempt is.`,
		Example: "  ask eval manifest\n  ask eval manifest --packages interop",
		Args:    cli.Exactly(0, "eval manifest takes no arguments"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.measureManifest(cmd.Context(), &f, packages) },
	}
	f.register(cmd)
	cmd.Flags().StringVar(&packages, "packages", "", "measure servers of registries, installed below `DIR`")
	return cmd
}

func (a *app) measureManifest(ctx context.Context, f *suiteFlags, packages string) error {
	if f.cases != "" {
		return cli.Usage(verdict.UsageFlag, "eval manifest has its servers built in, and takes no --cases")
	}
	if packages != "" {
		return a.measure(ctx, manifest.PackageSuite(manifest.Packages(), packages), f, namedAfter("manifest_packages"))
	}
	servers, err := manifest.Servers()
	if err != nil {
		return err
	}
	return a.measure(ctx, manifest.Suite(servers), f, namedAfter("manifest"))
}

func (a *app) proposeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "propose DIR",
		Short: "Which permissions the source of a server needs, with file and line",
		Long: `propose reads the JavaScript, TypeScript, Python and Go below a directory, with
dependencies and tests left out, and names each place that needs a permission.
Nothing of it is run. Python is parsed by an installed python3.

It finds no scopes: which files and hosts is for you to say, or for
"ask manifest learn" to find.`,
		Example: "  ask manifest propose ./my-server",
		Args:    cli.Exactly(1, "propose takes the directory of a server's source"),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.propose(cmd.Context(), args[0]) },
	}
}

func (a *app) propose(ctx context.Context, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return verdict.Fail(verdict.UsageArgument, err, "%.200q is not a directory that can be read", dir)
	}
	found, err := permissions.Read(ctx, os.DirFS(dir))
	return a.Report(cli.Object{"permissions", found.Permissions, "uses", found.Uses, "unread", found.Unread}, err, func() {
		for _, u := range found.Uses {
			a.Print("%s  %s:%d  %s", u.Permission, escape.Line(u.File, cli.MaxLine), u.Line, escape.Line(u.Name, cli.MaxLine))
		}
		if len(found.Uses) == 0 {
			a.Print("nothing that needs a permission was found")
		}
		for _, file := range found.Unread {
			a.Say("not read: %s", escape.Line(file, cli.MaxLine))
		}
	})
}
