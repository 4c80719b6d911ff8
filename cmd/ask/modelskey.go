package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host"
	"github.com/onestep-run/onestep/host/keys"
	"github.com/onestep-run/onestep/host/model"
)

func (a *app) keyCommand() *cobra.Command {
	cmd := cli.Group("key", "Keep a provider's key in the system's keyring")
	cmd.AddCommand(
		&cobra.Command{
			Use: "set PROVIDER", Short: "Read a key from stdin, or from the terminal without an echo, and keep it",
			Example: "  ask models key set openai < key.txt",
			Args:    cli.Exactly(1, "set takes one PROVIDER, and the key on stdin"),
			RunE:    func(cmd *cobra.Command, args []string) error { return a.setKey(cmd.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "remove PROVIDER", Short: "Take a key out of the keyring", Args: cli.Exactly(1, "remove takes one PROVIDER"),
			RunE: func(cmd *cobra.Command, args []string) error { return a.removeKey(cmd.Context(), args[0]) },
		})
	return cmd
}

// keyedEndpoint holds an argument to the providers that have a key. Another is
// not repeated: it may be the key, which belongs on stdin.
func (a *app) keyedEndpoint(provider string) (setup.Endpoint, error) {
	e := setup.EndpointOf(provider, a.Options())
	if e.Slot.Variable == "" {
		return e, cli.Usage(verdict.UsageArgument, "PROVIDER is openai or anthropic, whose endpoints take a key")
	}
	return e, e.Check()
}

// patience is how long the keyring may take to ask its user for a password.
const patience = time.Minute

// kept is what `ask models key` did. It holds no key.
type kept struct {
	SchemaVersion int    `json:"schema_version"`
	Provider      string `json:"provider"`
	Account       string `json:"account"` // in the keyring
	Kept          bool   `json:"kept"`
	Changed       bool   `json:"changed"`
}

func (a *app) setKey(ctx context.Context, provider string) error {
	e, err := a.keyedEndpoint(provider)
	if err != nil {
		return err
	}
	key, err := a.readKey(ctx, e)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := e.Slot.Keep(ctx, a.Env, key); err != nil {
		return err
	}
	a.showKept(kept{host.SchemaVersion, provider, e.Slot.Account(), true, true}, "The keyring keeps the key for "+e.Where()+", and for no other address.")
	for _, name := range []string{e.Slot.Variable, e.Slot.FileVariable()} {
		if a.Get(name) != "" {
			a.Say("The variable %s is set, and is asked before the keyring.", name)
		}
	}
	return nil
}

func (a *app) removeKey(ctx context.Context, provider string) error {
	e, err := a.keyedEndpoint(provider)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	was, err := e.Slot.Forget(ctx, a.Env)
	if err != nil {
		return err
	}
	text := "The keyring keeps no key for " + e.Where() + "."
	if was {
		text = "The keyring forgot the key for " + e.Where() + "."
	}
	a.showKept(kept{host.SchemaVersion, provider, e.Slot.Account(), false, was}, text)
	return nil
}

func (a *app) showKept(k kept, text string) {
	if a.JSON {
		a.Document(k)
		return
	}
	fmt.Fprintln(a.Out, guard.Line(text, cli.MaxLine))
}

// readKey reads a key from the terminal, where there is one, and else from
// stdin: never from an argument, which every process list shows.
func (a *app) readKey(ctx context.Context, e setup.Endpoint) (model.Key, error) {
	text, err := a.typedKey(ctx, e)
	if err != nil {
		return "", err
	}
	key, wrong := keys.Read(text)
	if wrong != "" {
		return "", cli.Usage(verdict.UsageArgument, "what was given as the key %s", wrong)
	}
	return key, nil
}

func (a *app) typedKey(ctx context.Context, e setup.Endpoint) ([]byte, error) {
	f, ok := a.In.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		text, err := a.readBounded(ctx, "-", keys.MaxLength)
		return []byte(text), err
	}
	if a.NoInput {
		return nil, cli.Usage(verdict.UsageArgument, "--no-input was given, and the key is not on stdin")
	}
	text, err := a.hidden(ctx, f, "Key for "+guard.Line(e.Where(), cli.MaxLine)+" (it is not shown): ")
	if err != nil && ctx.Err() == nil {
		err = verdict.Fail(verdict.UsageArgument, err, "no key was read: %v", err)
	}
	return text, err
}
