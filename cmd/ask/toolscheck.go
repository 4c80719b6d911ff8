package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/trust"
)

func (a *app) checkToolCommand() *cobra.Command {
	var digest string
	cmd := &cobra.Command{
		Use:   "check SERVER/TOOL",
		Short: "Say whether a tool can be called as it was approved; nothing is called or written",
		Long: `check asks the server what it says of a tool now. It exits 0 where a call would
be let through to it, 4 where somebody has to approve it, 3 where it cannot be
called at all, and 6 where the server cannot be reached.`,
		Example: "  ask tools check files/read_file --pin sha256:…",
		Args:    cli.Exactly(1, "check takes SERVER/TOOL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if digest == "" && cmd.Flags().Changed("pin") { // of a variable that is not set, say
				return cli.Usage(verdict.UsageFlag, "--pin takes a digest")
			}
			return a.checkTool(cmd.Context(), args[0], digest)
		},
	}
	cmd.Flags().StringVar(&digest, "pin", "", "the `DIGEST` that has to be the approved one, as export prints it")
	return cmd
}

// checked is what a preflight found.
type checked struct {
	SchemaVersion int           `json:"schema_version"`
	Server        string        `json:"server"`
	Tool          string        `json:"tool"`
	Ready         bool          `json:"ready"`
	Digest        string        `json:"digest,omitempty"` // of what was approved
	Error         *host.Failure `json:"error,omitempty"`
}

func (a *app) checkTool(ctx context.Context, name, digest string) error {
	server, tool, err := splitName(name)
	if err != nil {
		return err
	}
	s, inv, err := a.inventory()
	if err != nil {
		return err
	}
	if err := configured(inv, []string{server}); err != nil {
		return err
	}
	if err := inv.Allowlist.Refusal(); err != nil {
		return err
	}
	with := a.Options()
	with.NoAsks, with.Live, with.Servers = true, true, []string{server}
	h, err := setup.Host(s, with)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.Timeout.V)
	defer cancel()
	c := checked{SchemaVersion: host.SchemaVersion, Server: server, Tool: tool}
	c.Digest, err = ready(ctx, h, server, tool, digest)
	if closed := h.Close(); closed != nil {
		a.Say("a server did not end cleanly: %v", closed)
	}
	return a.showChecked(c, err)
}

// ready gives the digest of a tool that can be called as it was approved.
func ready(ctx context.Context, h *setup.Ready, server, tool, digest string) (string, error) {
	c := h.Catalog(ctx, server)
	t, err := c.Tool(server, tool)
	if err != nil {
		return "", err
	}
	approved, err := trust.Reviewed(t.Descriptor())
	if err != nil {
		return "", err
	}
	if digest != "" && digest != approved {
		return approved, verdict.Deny(verdict.PinChanged, "what was approved of %s/%s is %s", server, tool, approved)
	}
	return approved, nil
}

func (a *app) showChecked(c checked, err error) error {
	c.Ready = err == nil
	if err != nil {
		c.Error = host.FailureOf(err)
	}
	switch {
	case a.JSON:
		a.Document(c)
	case err == nil:
		fmt.Fprintln(a.Out, guard.Line(fmt.Sprintf("%s/%s is as approved: %s", c.Server, c.Tool, c.Digest), cli.MaxLine))
	default:
		a.Failure(c.Server+"/"+c.Tool, c.Error)
	}
	if c.Ready {
		return nil
	}
	return cli.Ended(c.Error.Code.Entry().Exit)
}
