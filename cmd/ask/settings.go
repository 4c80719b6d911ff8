package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/onestep-run/onestep/cmd/cli"
	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/verdict"
	"github.com/onestep-run/onestep/host/keys"
	"github.com/onestep-run/onestep/host/model"
)

// originFlag makes settings be shown with where they come from.
func originFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("origin", false, "say where each value comes from")
}

func (a *app) showConfig(cmd *cobra.Command) action {
	origin := originFlag(cmd)
	return func(context.Context, []string) error {
		s, _, err := a.Settings()
		if err != nil {
			return err
		}
		rows := s.Show()
		return a.Report(cli.Object{"settings", rows, "ignored_files", ignoredFiles()}, nil, func() {
			var lines [][]string
			for _, r := range rows {
				line := []string{r.Key, fmt.Sprint(r.Value)}
				if *origin {
					line = append(line, r.Origin.String())
				}
				lines = append(lines, line)
			}
			a.Table(lines)
			a.reportIgnored()
		})
	}
}

// getConfig prints the values of one setting, one on each line: layers may add up.
func (a *app) getConfig(cmd *cobra.Command) action {
	origin := originFlag(cmd)
	return func(_ context.Context, args []string) error {
		s, _, err := a.Settings()
		if err != nil {
			return err
		}
		rows := s.Lookup(args[0])
		if len(rows) == 0 {
			if _, err := config.Find(args[0]); err != nil {
				return err
			}
		}
		return a.Report(cli.Object{"settings", append([]config.Shown{}, rows...)}, nil, func() {
			for _, r := range rows {
				line := fmt.Sprint(r.Value)
				if *origin {
					line += "  " + r.Origin.String()
				}
				a.Print("%s", line)
			}
			if len(rows) == 0 {
				a.Say("%s is not set.", args[0])
			}
		})
	}
}

// setConfig writes one setting, even if another setting keeps a run from starting.
func (a *app) setConfig(_ context.Context, args []string) error {
	set, err := desk.SetSetting(args[0], args[1], a.Flags, a.Options())
	if err != nil {
		return err
	}
	return a.Report(set, nil, func() {
		did := "wrote %s to %s"
		if !set.Changed {
			did = "%s has this value already in %s"
		}
		a.Print(did, set.Key, set.File)
		if set.OutrankedBy != "" {
			a.Say("The %s sets another value, and overrides the file.", set.OutrankedBy)
		}
	})
}

// exitFindings is the exit code of a doctor that found something.
const exitFindings = 10

// doctor checks everything that a question needs.
func (a *app) doctor(ctx context.Context, _ []string) error {
	findings := a.examine(ctx)
	_ = a.Result("checks", findings, func() { a.printFindings(findings) })
	if slices.ContainsFunc(findings, func(f desk.Check) bool { return !f.OK }) {
		return cli.Ended(exitFindings)
	}
	return nil
}

func (a *app) examine(ctx context.Context) []desk.Check {
	_, paths, err := a.Settings()
	found := []desk.Check{desk.NewCheck("configuration", "config.toml of "+paths.Config, err)}
	d, err := a.desk()
	if err != nil {
		return found
	}
	found = append(found, d.Examine(ctx)...)
	s, err := a.servers()
	if err != nil {
		return append(found, desk.NewCheck("servers file", "", err))
	}
	return append(found, s.Examine(ctx)...)
}

func (a *app) printFindings(findings []desk.Check) {
	for _, f := range findings {
		state, text := "ok  ", f.Note
		if !f.OK {
			state, text = "FAIL", string(f.Error.Code)+": "+f.Error.Message
		}
		fmt.Fprintf(a.Out, "%s  %-24s %s\n", state, escape.Line(f.Name, 160), escape.Line(text, cli.MaxLine))
		if f.Lines != "" {
			if !a.Out.Terminal() {
				fmt.Fprint(a.Out, "      ")
			}
			a.JSONText(a.Out, []byte(f.Lines))
		}
		if !f.OK && f.Error.Hint != "" {
			a.Hint(a.Out, "      next: ", f.Error.Hint)
		}
	}
	a.reportIgnored()
}

// ignoredFiles are files of the working directory that other tools would obey. A checkout is
// a stranger's text: the files are named, and change nothing.
func ignoredFiles() []string {
	found := []string{}
	for _, name := range []string{".mcp.json", ".ask", "config/allowlist.json", ".vscode/mcp.json", ".cursor/mcp.json"} {
		if _, err := os.Lstat(name); err == nil {
			found = append(found, name)
		}
	}
	return found
}

func (a *app) reportIgnored() {
	for _, name := range ignoredFiles() {
		a.Say("%s in this directory is not used; to use it, name it with --servers or --allowlist.", name)
	}
}

func (a *app) listModels(ctx context.Context, d desk.Desk, _ []string) error {
	all := d.Models(ctx)
	return a.Result("models", all, func() {
		for _, m := range all {
			a.Print("%s", modelLine(m))
		}
		if !setup.NamesModel(d.Settings.Model.V) {
			a.Say("No model is chosen: the embedded planner plans.")
		} else if _, _, err := setup.ModelNamed(d.Settings.Model, d.With); err != nil {
			a.Say("%v", err)
		}
	})
}

// modelLine is a provider on one line.
func modelLine(r desk.Model) string {
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

func (a *app) testModel(ctx context.Context, d desk.Desk, args []string) error {
	switch {
	case len(args) > 1:
		return cli.Usage(verdict.UsageArgument, "test takes one PROVIDER/MODEL")
	case len(args) == 1:
		d.Settings.Model = config.Value[string]{V: args[0], Origin: config.Origin{Kind: config.FromArgument}}
	case !setup.NamesModel(d.Settings.Model.V):
		return cli.Usage(verdict.UsageArgument, "no model is chosen: ask models test PROVIDER/MODEL")
	}
	t, err := d.TestModel(ctx)
	if t.Model == "" {
		return err
	}
	return a.showTested(t, err)
}

func (a *app) showTested(t desk.TestedModel, err error) error {
	cost := ""
	if t.Usage.Cost != "" {
		cost = ", cost " + t.Usage.Cost
	}
	if err != nil && t.Said != "" && !a.JSON {
		a.Say("the model's reply: %s", t.Said)
	}
	return a.Report(t, err, func() {
		a.Print("%s planned a call in %d ms (%d tokens in, %d out%s)", t.Model, t.Milliseconds, t.Usage.Input, t.Usage.Output, cost)
	})
}

// keyedEndpoint accepts only providers with a key. An error does not repeat any other
// argument: it may be the key, which belongs on stdin.
func (a *app) keyedEndpoint(provider string) (setup.Endpoint, error) {
	e := setup.EndpointOf(provider, a.Options())
	if e.Slot.Variable == "" {
		return e, cli.Usage(verdict.UsageArgument, "PROVIDER is openai or anthropic, whose endpoints take a key")
	}
	return e, e.Check()
}

// patience is how long the keyring may take to ask its user for a password.
const patience = time.Minute

func (a *app) setKey(ctx context.Context, args []string) error {
	e, err := a.keyedEndpoint(args[0])
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
	end := a.showKept(e, true, true, "The keyring keeps the key for "+e.Where()+", and for no other address.")
	for _, name := range []string{e.Slot.Variable, e.Slot.FileVariable()} {
		if a.Env.Get(name) != "" {
			a.Say("The variable %s is set, and overrides the keyring.", name)
		}
	}
	return end
}

func (a *app) removeKey(ctx context.Context, args []string) error {
	e, err := a.keyedEndpoint(args[0])
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
		text = "Removed the key for " + e.Where() + " from the keyring."
	}
	return a.showKept(e, false, was, text)
}

// showKept reports the change of an endpoint's key without the key.
func (a *app) showKept(e setup.Endpoint, stored, changed bool, text string) error {
	return a.Report(cli.Object{"provider", e.Provider, "account", e.Slot.Account(), "kept", stored, "changed", changed}, nil, func() { a.Print("%s", text) })
}

// readKey reads a key from the terminal, or from stdin without a terminal. It never reads an
// argument, which every process list shows.
func (a *app) readKey(ctx context.Context, e setup.Endpoint) (model.Key, error) {
	text, err := a.typedKey(ctx, e)
	if err != nil {
		return "", err
	}
	key, wrong := keys.Read(text)
	if wrong != "" {
		return "", cli.Usage(verdict.UsageArgument, "the given key %s", wrong)
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
	text, err := a.hidden(ctx, f, "Key for "+escape.Line(e.Where(), cli.MaxLine)+" (it is not shown): ")
	if err != nil && ctx.Err() == nil {
		err = verdict.Fail(verdict.UsageArgument, err, "no key was read: %v", err)
	}
	return text, err
}

// useModel writes the planner into the user's config.toml. It sends nothing to the model: a
// choice can be written before its server runs.
func (a *app) useModel(_ context.Context, args []string) error {
	u, e, err := desk.UseModel(args[0], a.Flags, a.Options())
	if err != nil {
		return err
	}
	unusable := e.Provider != "" && e.Check() != nil // `ask models test` reports the reason
	if !unusable {
		u.Address = e.Address
	}
	if a.JSON {
		a.Document(u)
		return nil
	}
	did := "wrote model = %q to %s"
	if !u.Changed {
		did = "model = %q is already in %s"
	}
	a.Print(did, u.Model, u.File)
	if u.OutrankedBy != "" {
		a.Say("The %s sets another model, and overrides the file.", u.OutrankedBy)
	}
	switch {
	case e.Provider == "":
		a.Say("The embedded planner plans: no model, no network.")
	case unusable:
		a.Say("The address in %s cannot be used; `ask models test` shows why.", e.Variable)
	default:
		a.Say("Its address is %s; `ask models test` checks it.", e.Where())
	}
	if u.Model == "openai" && a.Env.Get("LLM_MODEL") == "" {
		a.Say("Its name is taken from LLM_MODEL, which is not set.")
	}
	return nil
}
