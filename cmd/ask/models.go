package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host"
)

func (a *app) modelsCommand() *cobra.Command {
	cmd := cli.Group("models", "List, choose and test the language models that can plan, and keep their keys")
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the providers, and which one is chosen", Args: cli.Exactly(0, "list takes nothing"),
			RunE: func(cmd *cobra.Command, _ []string) error { return a.listModels(cmd.Context()) },
		},
		&cobra.Command{
			Use: "test [PROVIDER/MODEL]", Short: "Have a model plan one small question, and say what is wrong",
			RunE: func(cmd *cobra.Command, args []string) error { return a.testModel(cmd.Context(), args) },
		},
		&cobra.Command{
			Use: "use PROVIDER/MODEL|embedded", Short: "Write into the configuration who plans",
			Example: "  ask models use openai/qwen3\n  ask models use embedded",
			Args:    cli.Exactly(1, "use takes one PROVIDER/MODEL, or embedded"),
			RunE:    func(_ *cobra.Command, args []string) error { return a.useModel(args[0]) },
		},
		a.keyCommand())
	return cmd
}

// modelRow is one provider as `ask models list` prints it. A key is never shown.
type modelRow struct {
	Provider     string        `json:"provider"`
	Address      string        `json:"address"`                 // "" is the provider's own
	AddressError *host.Failure `json:"address_error,omitempty"` // why it cannot be asked, and is not shown
	HasKey       bool          `json:"has_key"`
	KeyOrigin    string        `json:"key_origin,omitempty"`
	KeyNote      string        `json:"key_note,omitempty"`  // why a keyring gave none
	KeyError     *host.Failure `json:"key_error,omitempty"` // why no key can be had
	Chosen       string        `json:"chosen,omitempty"`    // the model's name, where it is this provider's
	Origin       string        `json:"origin,omitempty"`
}

func (a *app) listModels(ctx context.Context) error {
	s, _, err := a.Settings()
	if err != nil {
		return err
	}
	rows := []modelRow{}
	for _, provider := range setup.Providers() {
		rows = append(rows, a.modelRow(ctx, provider, s.Model))
	}
	if a.JSON {
		a.Member("models", rows)
		return nil
	}
	for _, r := range rows {
		fmt.Fprintln(a.Out, guard.Line(r.String(), cli.MaxLine))
	}
	if !setup.NamesModel(s.Model.V) {
		a.Say("No model is chosen: the embedded planner plans.")
	} else if _, _, err := setup.ModelNamed(s.Model, a.Options()); err != nil {
		a.Say("%v", err)
	}
	return nil
}

func (a *app) modelRow(ctx context.Context, provider string, name config.Value[string]) modelRow {
	e, r := setup.EndpointOf(provider, a.Options()), modelRow{Provider: provider}
	if err := e.Check(); err != nil {
		r.AddressError = host.FailureOf(err)
	} else if key, err := e.Key(ctx); err != nil {
		r.Address, r.KeyError = e.Address, host.FailureOf(err)
	} else {
		r.Address, r.HasKey, r.KeyOrigin, r.KeyNote = e.Address, key.Key != "", key.Origin, key.Note
	}
	if chosen, which, err := setup.ModelNamed(name, a.Options()); err == nil && chosen == provider {
		r.Chosen, r.Origin = which.V, which.Origin.String()
	}
	return r
}

// String is the row in one line of text.
func (r modelRow) String() string {
	address, key, chosen := r.Address, "no key", ""
	if address == "" {
		address = "its own address"
	}
	switch {
	case r.AddressError != nil:
		address, key = "no address", r.AddressError.Message
	case r.KeyError != nil:
		key = r.KeyError.Message
	case r.HasKey:
		key = "key: " + r.KeyOrigin
	}
	if r.Chosen != "" {
		chosen = "  chosen: " + r.Chosen + " (" + r.Origin + ")"
	}
	return fmt.Sprintf("%-10s %-40s %s%s", r.Provider, address, key, chosen)
}
