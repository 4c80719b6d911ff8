package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/onestep-run/onestep/config/desk/clients"
	"github.com/onestep-run/onestep/config/desk/policy"
	"github.com/onestep-run/onestep/config/desk/runs"
	"github.com/onestep-run/onestep/config/desk/servers"
	"github.com/onestep-run/onestep/config/setup"
	"github.com/onestep-run/onestep/gate/escape"
	"github.com/onestep-run/onestep/gate/scan"
	"github.com/onestep-run/onestep/host/demo"
)

// offer returns the words with which a shell can complete an argument, after the existing
// arguments. It reads only local files: starting or asking a server must wait for a complete
// command. If a file cannot be read it returns nothing.
type offer func(cmd *cobra.Command, args []string) []cobra.Completion

// completions are the completions of each command's arguments and flags.
func (a *app) completions() (args, flags map[string]offer) {
	more, tools := a.ofServers(serverNames), a.ofServers(known)
	runs, server, withheld, pending, model := first(a.offerRuns), first(more), first(a.offerWithheld), first(a.offerApprovals), first(a.offerModels)
	args = map[string]offer{
		"": none, "run": none, "call": first(a.ofServers(allowed)), "resume": withheld, "approve": pending, "approvals show": pending,
		"approvals deny": pending, "approvals revoke": first(a.offerRuns), "wrap": server, "demo serve": first(words(demo.New().Servers()...)),
		"grants explain": first(a.offerGrants), "grants revoke": first(a.offerGrants), "conversations end": first(a.offerConversations),
		"policy explain": either(first(tools), first(a.offerRuns)), "manifest audit": runs,
		"tools show": first(tools), "tools check": first(tools),
		"manifest propose": server, "manifest use": server, "manifest remove": server, "manifest learn": server, "manifest why": server, "servers show": server, "servers logs": server, "servers login": server, "servers logout": server, "servers remove": server, "servers approve": server,
		"servers test": more, "servers fetch": more, "servers review": more, "servers refresh": more, "servers export": more,
		"servers reject": a.ofServers(serverThenTools), "servers allow": a.ofServers(serverThenTools), "servers add": none, "servers import": first(a.offerClients),
		"clients show": first(a.offerClients), "clients wrap": first(a.offerClients), "clients unwrap": first(a.offerClients),
		"models use": model, "models test": model, "models key set": first(words("anthropic", "openai")), "models key remove": first(words("anthropic", "openai")),
		"trace show": runs, "trace verify": runs, "trace replay": runs, "trace export": runs,
		"quarantine show": withheld, "quarantine release": withheld, "quarantine drop": withheld, "quarantine keep": runs,
		"guard explain": first(offerRules), "config get": first(offerSettings), "config set": offerSettings,
	}
	flags = map[string]offer{
		" --model": a.offerModels, "servers add --template": offerTemplates, "guard test --server": all(more), "guard test --kind": words("text", "description"),
		"servers approve --read": a.ofServers(toolsOf), "servers approve --write": a.ofServers(toolsOf),
		"servers allow --read": a.ofServers(toolsOf), "servers allow --write": a.ofServers(toolsOf),
		"servers add --type": words("http", "sse"), "manifest learn --grant": words(slices.Sorted(maps.Keys(effects))...), " --audit": words("off", "stderr"), "trace list --tool": tools,
		"trace list --type": words("approval_needed", "blocked", "failed", "final_answer", "incomplete", "planned", "tool_result", "tool_result_with_summary"),
	}
	return args, flags
}

// filesToo are the commands and flags that also take a file as argument.
var filesToo = []string{
	"manifest learn", "manifest propose", "manifest why", "trace show", "trace verify", "trace replay", "trace export",
	" --audit", "servers import", "clients show", "clients wrap", "clients unwrap",
}

// complete makes a shell offer the completions.
func (a *app) complete(root *cobra.Command) {
	args, flags := a.completions()
	for path, of := range args {
		if cmd, _, err := root.Find(strings.Fields(path)); err == nil {
			cmd.ValidArgsFunction = completed(of, slices.Contains(filesToo, path))
		}
	}
	for path, of := range flags {
		command, flag, _ := strings.Cut(path, "--")
		if cmd, _, err := root.Find(strings.Fields(command)); err == nil {
			_ = cmd.RegisterFlagCompletionFunc(flag, completed(of, slices.Contains(filesToo, path))) // a test completes each flag
		}
	}
}

// completed passes a shell the words that begin with the typed text. It omits a word that a
// shell could take for more than one word.
func completed(of offer, files bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		directive := cobra.ShellCompDirectiveNoFileComp
		if files {
			directive = cobra.ShellCompDirectiveDefault
		}
		var all []cobra.Completion
		for _, one := range of(cmd, args) {
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

func none(*cobra.Command, []string) []cobra.Completion { return nil }

func words(all ...string) offer {
	return func(*cobra.Command, []string) []cobra.Completion { return all }
}

// first offers words for the first argument alone.
func first(of offer) offer {
	return func(cmd *cobra.Command, args []string) []cobra.Completion {
		if len(args) > 0 {
			return nil
		}
		return of(cmd, args)
	}
}

// either offers the words of both.
func either(one, other offer) offer {
	return func(cmd *cobra.Command, args []string) []cobra.Completion {
		return slices.Concat(one(cmd, args), other(cmd, args))
	}
}

// all offers words for every argument.
func all(of offer) offer {
	return func(cmd *cobra.Command, _ []string) []cobra.Completion { return of(cmd, nil) }
}

// ofServers offers words about the configured servers, from local files.
func (a *app) ofServers(of func(*cobra.Command, servers.Servers, []string) []cobra.Completion) offer {
	return func(cmd *cobra.Command, args []string) []cobra.Completion {
		s, err := a.servers()
		if err != nil {
			return nil
		}
		return of(cmd, s, args)
	}
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

// offerApprovals offers the calls that can still be approved.
func (a *app) offerApprovals(cmd *cobra.Command, _ []string) (offered []cobra.Completion) {
	d, err := a.desk()
	if err != nil {
		return nil
	}
	all, _ := runs.At(d).Approvals(cmd.Context(), func(string, error) {})
	for _, one := range all {
		if !one.Expired {
			offered = append(offered, cobra.CompletionWithDesc(one.RunID, escape.Line(one.Tool, 160)))
		}
	}
	return offered
}

// offerGrants offers the grants that may answer a call.
func (a *app) offerGrants(cmd *cobra.Command, _ []string) (ids []cobra.Completion) {
	d, err := a.desk()
	if err != nil {
		return nil
	}
	all, _ := policy.At(d).Grants(cmd.Context())
	for _, g := range all {
		if g.Stands() {
			ids = append(ids, cobra.CompletionWithDesc(g.ID, escape.Line(g.Server+"/"+g.Tool, 160)))
		}
	}
	return ids
}

func (a *app) offerConversations(cmd *cobra.Command, _ []string) (ids []cobra.Completion) {
	d, err := a.desk()
	if err != nil {
		return nil
	}
	all, _ := policy.At(d).Conversations(cmd.Context())
	for _, c := range all {
		if !c.Ended {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func (a *app) offerWithheld(cmd *cobra.Command, _ []string) (offered []cobra.Completion) {
	d, err := a.desk()
	if err != nil {
		return nil
	}
	kept, _ := runs.At(d).Withheld(cmd.Context())
	for _, k := range kept {
		offered = append(offered, cobra.CompletionWithDesc(k.Run, escape.Line(k.Server+"/"+k.Tool, 160)))
	}
	return offered
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

func offerTemplates(*cobra.Command, []string) (names []cobra.Completion) {
	for _, t := range servers.Templates() {
		names = append(names, cobra.CompletionWithDesc(t.Name, t.Meaning))
	}
	return names
}

func offerRules(*cobra.Command, []string) (ids []cobra.Completion) {
	for _, r := range scan.BuiltIn() {
		ids = append(ids, cobra.CompletionWithDesc(r.ID, r.Why))
	}
	return ids
}
