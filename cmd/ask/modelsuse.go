package main

import (
	"fmt"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/guard"
	"github.com/onestep-run/onestep/host"
)

// used is what `ask models use` did.
type used struct {
	SchemaVersion int    `json:"schema_version"`
	Model         string `json:"model"`
	File          string `json:"file"`
	Changed       bool   `json:"changed"`
	OutrankedBy   string `json:"outranked_by,omitempty"` // the variable or flag that decides instead
	Address       string `json:"address,omitempty"`      // that is asked; left out for the embedded planner and a provider's own
}

// useModel writes who plans into the user's config.toml. Nothing is asked of
// the model: a choice can be written before its server is there.
func (a *app) useModel(name string) error {
	provider, err := a.providerOf(name)
	if err != nil {
		return err
	}
	paths, err := config.FindPaths(a.Env)
	if err != nil {
		return err
	}
	u := used{SchemaVersion: host.SchemaVersion, Model: name, File: config.UserFile(paths, a.Flags)}
	if u.Changed, err = config.SetModel(u.File, name); err != nil {
		return err
	}
	s, err := config.Load(paths, a.Env, a.Flags)
	if err != nil {
		return err
	}
	if s.Model.Origin.Named() {
		u.OutrankedBy = s.Model.Origin.String()
	}
	a.showUsed(u, provider)
	return nil
}

// providerOf checks the name of who plans, and gives its provider; "" is the
// embedded planner's. "openai" alone is a name too: LLM_MODEL completes it when
// a question is asked.
func (a *app) providerOf(name string) (string, error) {
	switch name {
	case setup.Embedded:
		return "", nil
	case "openai":
		return name, nil
	}
	provider, _, err := setup.ModelNamed(config.Value[string]{V: name, Origin: config.Origin{Kind: config.FromArgument}}, a.Options())
	return provider, err
}

func (a *app) showUsed(u used, provider string) {
	e := setup.EndpointOf(provider, a.Options())
	unusable := provider != "" && e.Check() != nil // `ask models test` says why
	if !unusable {
		u.Address = e.Address
	}
	if a.JSON {
		a.Document(u)
		return
	}
	wrote := "wrote"
	if !u.Changed {
		wrote = "had already"
	}
	fmt.Fprintln(a.Out, guard.Line(fmt.Sprintf("%s %s: model = %q", u.File, wrote, u.Model), cli.MaxLine))
	if u.OutrankedBy != "" {
		a.Say("The %s says otherwise and outranks the file.", u.OutrankedBy)
	}
	if provider == "" {
		a.Say("The embedded planner plans: no model, no network.")
		return
	}
	if unusable {
		a.Say("It cannot be asked at the address in %s; `ask models test` says why.", e.Variable)
	} else {
		a.Say("It is asked at %s; `ask models test` checks it.", e.Where())
	}
	if u.Model == "openai" && a.Get("LLM_MODEL") == "" {
		a.Say("Its name is taken from LLM_MODEL, which is not set.")
	}
}
