package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config"
	"github.com/onestep-run/onestep/config/desk"
	"github.com/onestep-run/onestep/config/desk/clients"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/demo"
	"github.com/onestep-run/onestep/host/store"
)

// offer returns the words with which a shell can complete an argument, after the existing
// arguments. It reads only local files: starting or asking a server must wait for a complete
// command. If a file cannot be read it returns nothing.
type offer func(a *app, cmd *cobra.Command, args []string) []cobra.Completion

// Offers of more than one command; the first ones are for the first argument alone.
var (
	keyed       = first(words("anthropic", "openai"))
	oneClient   = first((*app).offerClients)
	oneGrant    = first(ofDesk(policy.At, policy.Desk.Grants, offerGrant))
	oneModel    = first((*app).offerModels)
	oneRun      = first((*app).offerRuns)
	oneServer   = first(anyServers)
	oneTool     = first(anyTools)
	pending     = first(ofDesk(runs.At, readableApprovals, offerApproval))
	withheld    = first(ofDesk(runs.At, runs.Desk.Withheld, offerWithheld))
	anyServers  = ofServers(serverNames)
	anyTools    = ofServers(known)
	itsTools    = ofServers(toolsOf)
	serverTools = ofServers(serverThenTools)
)

// flagWords complete the values of flags.
var flagWords = []struct {
	path  string
	words offer
}{
	{" --audit", words("off", "stderr")},
	{" --model", (*app).offerModels},
	{"guard test --kind", words("text", "description")},
	{"guard test --server", all(anyServers)},
	{"manifest learn --grant", offerEffects},
	{"servers add --template", offerTemplates},
	{"servers add --type", words("http", "sse")},
	{"servers allow --read", itsTools},
	{"servers allow --write", itsTools},
	{"servers approve --read", itsTools},
	{"servers approve --write", itsTools},
	{"trace list --tool", anyTools},
	{"trace list --type", words("approval_needed", "blocked", "failed", "final_answer", "incomplete", "planned", "tool_result", "tool_result_with_summary")},
}

// filesToo are the commands and flags that also take a file as argument.
var filesToo = []string{
	"manifest learn", "manifest propose", "manifest why", "trace show", "trace verify", "trace replay", "trace export",
	" --audit", "servers import", "clients show", "clients wrap", "clients unwrap",
}

// completed passes a shell the words that begin with the typed text. It omits a word that a
// shell could take for more than one word.
func (a *app) completed(path string, of offer) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) (all []cobra.Completion, directive cobra.ShellCompDirective) {
		if !slices.Contains(filesToo, path) {
			directive = cobra.ShellCompDirectiveNoFileComp
		}
		for _, one := range of(a, cmd, args) {
			word, _, _ := strings.Cut(one, "\t")
			if strings.HasPrefix(word, typed) && escape.Name(strings.ReplaceAll(word, "/", "")) {
				all = append(all, one)
			}
			if strings.HasSuffix(word, "/") { // a model's name follows
				directive |= cobra.ShellCompDirectiveNoSpace
			}
		}
		return all, directive
	}
}

func none(*app, *cobra.Command, []string) []cobra.Completion { return nil }

func words(all ...string) offer {
	return func(*app, *cobra.Command, []string) []cobra.Completion { return all }
}

// first offers words for the first argument alone.
func first(of offer) offer {
	return func(a *app, cmd *cobra.Command, args []string) []cobra.Completion {
		if len(args) > 0 {
			return nil
		}
		return of(a, cmd, args)
	}
}

// either offers the words of both.
func either(one, other offer) offer {
	return func(a *app, cmd *cobra.Command, args []string) []cobra.Completion {
		return slices.Concat(one(a, cmd, args), other(a, cmd, args))
	}
}

// all offers words for every argument.
func all(of offer) offer {
	return func(a *app, cmd *cobra.Command, _ []string) []cobra.Completion { return of(a, cmd, nil) }
}

// ofServers offers words about the configured servers, from local files.
func ofServers(of func(*cobra.Command, servers.Servers, []string) []cobra.Completion) offer {
	return func(a *app, cmd *cobra.Command, args []string) []cobra.Completion {
		s, err := a.servers()
		if err != nil {
			return nil
		}
		return of(cmd, s, args)
	}
}

// ofDesk offers a word for each thing in a list of the installation, "" for none.
func ofDesk[D, T any](at func(desk.Desk) D, all func(D, context.Context) ([]T, error), word func(T) cobra.Completion) offer {
	return func(a *app, cmd *cobra.Command, _ []string) []cobra.Completion {
		d, err := a.desk()
		if err != nil {
			return nil
		}
		things, _ := all(at(d), cmd.Context())
		return each(things, word)
	}
}

func each[T any](things []T, word func(T) cobra.Completion) (offered []cobra.Completion) {
	for _, one := range things {
		if w := word(one); w != "" {
			offered = append(offered, w)
		}
	}
	return offered
}

// serverNames offers the configured servers that are not named yet.
func serverNames(_ *cobra.Command, s servers.Servers, args []string) []cobra.Completion {
	return slices.DeleteFunc(s.Names(), func(name string) bool { return slices.Contains(args, name) })
}

// allowed offers the tools of the allowlist: no other can be called.
func allowed(_ *cobra.Command, s servers.Servers, _ []string) []cobra.Completion {
	return toolsBy(s.Allowlist.Servers(), s.Allowlist.Tools)
}

// known offers the tools that are known without asking a server.
func known(cmd *cobra.Command, s servers.Servers, _ []string) []cobra.Completion {
	return toolsBy(s.Names(), func(server string) []string { return s.KnownTools(cmd.Context(), server) })
}

// toolsBy are the tools of servers, each as SERVER/TOOL.
func toolsBy(servers []string, of func(server string) []string) (tools []cobra.Completion) {
	for _, server := range servers {
		for _, tool := range of(server) {
			tools = append(tools, server+"/"+tool)
		}
	}
	return tools
}

// toolsOf offers the tools of the named server.
func toolsOf(cmd *cobra.Command, s servers.Servers, args []string) []cobra.Completion {
	if len(args) == 0 || !slices.Contains(s.Names(), args[0]) {
		return nil
	}
	return slices.DeleteFunc(s.KnownTools(cmd.Context(), args[0]), func(tool string) bool { return slices.Contains(args[1:], tool) })
}

func serverThenTools(cmd *cobra.Command, s servers.Servers, args []string) []cobra.Completion {
	if len(args) == 0 {
		return serverNames(cmd, s, args)
	}
	return toolsOf(cmd, s, args)
}

// offerRuns offers the newest runs.
func (a *app) offerRuns(*cobra.Command, []string) []cobra.Completion {
	const most = 50
	s, _, err := a.Settings()
	if err != nil {
		return nil
	}
	ids, err := runs.Runs(s.TraceDir.V).IDs()
	if err != nil || len(ids) == 0 {
		return nil
	}
	return append([]cobra.Completion{"latest"}, ids[max(0, len(ids)-most):]...)
}

// readableApprovals are the approvals, without those that cannot be read.
func readableApprovals(d runs.Desk, ctx context.Context) ([]runs.Approval, error) { //nolint:revive // as a method of the desk
	return d.Approvals(ctx, func(string, error) {})
}

// offerApproval offers a call that can still be approved.
func offerApproval(one runs.Approval) cobra.Completion {
	if one.Expired {
		return ""
	}
	return cobra.CompletionWithDesc(one.RunID, escape.Line(one.Tool, 160))
}

// offerGrant offers a grant that may answer a call.
func offerGrant(g policy.Grant) cobra.Completion {
	if !g.Stands() {
		return ""
	}
	return cobra.CompletionWithDesc(g.ID, escape.Line(g.Server+"/"+g.Tool, 160))
}

func offerConversation(c policy.Conversation) cobra.Completion {
	if c.Ended {
		return ""
	}
	return c.ID
}

func offerWithheld(k store.Kept) cobra.Completion {
	return cobra.CompletionWithDesc(k.Run, escape.Line(k.Server+"/"+k.Tool, 160))
}

// offerModels offers the providers and the configured model. Only a provider knows its
// models.
func (a *app) offerModels(*cobra.Command, []string) []cobra.Completion {
	offered := []cobra.Completion{setup.Embedded}
	for _, p := range setup.Providers() {
		offered = append(offered, p+"/")
	}
	if s, _, err := a.Settings(); err == nil && setup.NamesModel(s.Model.V) {
		offered = append(offered, s.Model.V)
	}
	return offered
}

// offerClients offers the clients with servers that can be copied.
func (a *app) offerClients(*cobra.Command, []string) []cobra.Completion {
	d, _ := a.desk() // no setting affects this
	return clients.At(d).Names()
}

func offerEffects(*app, *cobra.Command, []string) []cobra.Completion {
	return slices.Sorted(maps.Keys(effects))
}

func offerDemo(*app, *cobra.Command, []string) []cobra.Completion { return demo.New().Servers() }

func offerTemplates(*app, *cobra.Command, []string) []cobra.Completion {
	return each(servers.Templates(), func(t servers.Template) cobra.Completion { return cobra.CompletionWithDesc(t.Name, t.Meaning) })
}

func offerRules(*app, *cobra.Command, []string) []cobra.Completion {
	return each(scan.BuiltIn(), func(r scan.Rule) cobra.Completion { return cobra.CompletionWithDesc(r.ID, r.Why) })
}

// offerSettings offers the keys, and the values of a setting that are words.
func offerSettings(_ *app, _ *cobra.Command, args []string) (all []cobra.Completion) {
	for _, r := range config.Table() {
		switch {
		case len(args) == 0:
			all = append(all, cobra.CompletionWithDesc(r.Key, r.Meaning))
		case len(args) == 1 && args[0] == r.Key:
			all = append(all, r.Choices()...)
		}
	}
	return all
}
